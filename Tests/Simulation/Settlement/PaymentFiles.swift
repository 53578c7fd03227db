import Billing

/// Apple's payments summary, as text.
struct PaymentFiles {
  private static let english = [
    "Country or Region (Currency)", "Units Sold", "Balance", "Earned", "Pre-Tax Subtotal",
    "Input Tax", "Adjustments", "Withholding Tax", "Total Owed", "Exchange Rate", "Proceeds",
    "Bank Account Currency",
  ]
  private static let chinese = [
    "国家或地区 (货币)", "销量", "期初余额", "收入", "税前小计", "进项税", "调整", "预扣税", "总欠款", "汇率", "收入",
    "银行账户币种",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let emptyLine = String(repeating: ",", count: 12) + "\n"

  let layout: PaymentsLayout

  func file(_ payment: PaymentMonth) -> (name: String, bytes: [UInt8]) {
    let name = "financial_report-\(payment.month.stamp)"
    return layout == .json
      ? ("\(name).json", json(payment)) : ("\(name).csv", Array(table(payment).utf8))
  }

  private func table(_ payment: PaymentMonth) -> String {
    let (year, month) = payment.month.name
    let date = "\(Self.months[month - 1]), \(year)"
    var text = "\"iTunes Connect - Payments and Financial Reports\t(\(date))\",,,,,,,,,,,,\n"
    text += Self.emptyLine + header(payment)
    for line in payment.paid { text += row(line, payment, isPaid: true) }
    text += Self.emptyLine
    text += ",,,,,,,,,,\"\(amount(payment.payout, payment.bank))\" \(payment.bank),,\n"
    text += ",,,,,,,,,,Paid to LUMEN BANK-****1234,,\n"
    text += Self.emptyLine + Self.emptyLine
    guard !payment.carried.isEmpty else { return text }
    text += header(payment)
    for line in payment.carried { text += row(line, payment, isPaid: false) }
    return text + Self.emptyLine
  }

  /// Only months with a balance have its column, which moves those after it.
  private func columns<Field>(_ all: [Field], _ payment: PaymentMonth) -> [Field] {
    payment.hasBalances ? all : Array(all[..<2] + all[3...])
  }

  private func header(_ payment: PaymentMonth) -> String {
    let names = layout == .chinese ? Self.chinese : Self.english
    return columns(names, payment).joined(separator: ",") + ",\n"
  }

  private func row(_ line: RegionLine, _ payment: PaymentMonth, isPaid: Bool) -> String {
    let currency = line.region.currency
    func text(_ micros: Int64) -> String { amount(micros, currency) }
    let numbers = [
      "\(line.units)", text(line.balance), text(line.earned), text(line.balance + line.earned),
      text(line.inputTax), text(line.adjustment), text(line.withholding), text(line.owed),
      isPaid ? line.rate.printed : "",
      isPaid ? amount(payment.proceeds(of: line), payment.bank) : "",
      isPaid ? payment.bank.code : "",
    ]
    let label = layout == .chinese ? line.region.chinese : line.region.english
    // A label with a comma of its own stands in quotes.
    let cell = "\(label) (\(currency))"
    let first = cell.contains(",") ? "\"\(cell)\"" : cell
    let fields = columns([first] + numbers.map { $0.isEmpty ? "" : "\"\($0)\"" }, payment)
    return fields.joined(separator: ",") + ",\n"
  }

  /// Zeros without places; Chinese amounts have two places and separators throughout.
  private func amount(_ micros: Int64, _ currency: Currency) -> String {
    guard micros != 0 else { return "0" }
    guard layout != .english else {
      return decimalText(micros: micros, minimumDigits: currency.minorDigits)
    }
    let text = decimalText(micros: micros, minimumDigits: 2)
    return layout == .chinese ? grouped(text) : text
  }

  private func grouped(_ text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.drop { $0 == "-" }.split(separator: ".")
    var whole = ""
    for (index, digit) in parts[0].enumerated() {
      if index > 0, (parts[0].count - index) % 3 == 0 { whole += "," }
      whole.append(digit)
    }
    return sign + whole + parts.dropFirst().map { "." + $0 }.joined()
  }
}

extension PaymentFiles {
  private func json(_ payment: PaymentMonth) -> [UInt8] {
    let (year, month) = payment.month.name
    return SimulatedJSON {
      $0.put("vendorName", "Lumen")
      $0.put("sapVendorNumber", number: Int(SalesReportFiles.vendor)!)
      $0.put("reportDate", "\(padded(year, 4))-\(padded(month, 2))-01T00:00:00Z")
      $0.put("updatedDate", "\(payment.month.paid)T00:00:00Z")
      $0.put("hasConsolidatedReport", true)
      $0.put("hasDetailedConsolidatedReport", true)
      $0.array("reportSummaries") {
        put(payment, payment.paid, isPaid: true, into: &$0)
        if !payment.carried.isEmpty { put(payment, payment.carried, isPaid: false, into: &$0) }
      }
    }.bytes
  }

  private func put(
    _ payment: PaymentMonth, _ lines: [RegionLine], isPaid: Bool, into text: inout SimulatedJSON
  ) {
    text.object {
      $0.put("status", isPaid ? "PAID" : "BELOW_THRESHOLD")
      $0.put("amount", isPaid ? amount(payment.payout, payment.bank) : "")
      $0.put("currency", payment.bank.code)
      $0.put("bankName", "LUMEN BANK")
      $0.put("maskedBankAccount", "****1234")
      $0.put("isPaymentExpected", false)
      $0.put(
        "paidOrExpectingPaymentDate", optional: isPaid ? "\(payment.month.paid)T12:00:00Z" : nil)
      $0.array("proceedsByRegion") {
        for line in lines { put(line, payment, isPaid: isPaid, into: &$0) }
      }
    }
  }

  private func put(
    _ line: RegionLine, _ payment: PaymentMonth, isPaid: Bool, into text: inout SimulatedJSON
  ) {
    func amount(_ micros: Int64) -> String { self.amount(micros, line.region.currency) }
    text.object {
      $0.object("regionCurrency") {
        $0.put("regionCode", line.region.code)
        $0.put("regionName", line.region.english)
        $0.put("currencyCode", line.region.currency.code)
      }
      $0.put("unitsSold", number: line.units)
      $0.put("beginBalance", line.balance == 0 ? "" : amount(line.balance))
      $0.put("earned", amount(line.earned))
      $0.put("total", amount(line.balance + line.earned))
      $0.put("taxesAndFees", amount(line.inputTax + line.adjustment + line.withholding))
      $0.put("withHoldingTax", amount(line.withholding))
      $0.put("withHoldingTaxAndAdjustment", amount(line.withholding + line.adjustment))
      $0.put("inputTax", amount(line.inputTax))
      $0.array("inputTaxDetails") { _ in }
      $0.put("adjustmentAmount", amount(line.adjustment))
      $0.put("totalOwed", amount(line.owed))
      $0.put("exchangeRate", isPaid ? line.rate.printed : "")
      $0.put("proceeds", isPaid ? self.amount(payment.proceeds(of: line), payment.bank) : "")
      $0.array("availableReportTypes") { _ in }
    }
  }
}
