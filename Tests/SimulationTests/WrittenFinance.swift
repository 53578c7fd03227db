import Billing
import Foundation

/// A row of a financial report or of its detail, as text says it.
struct WrittenFinanceRow {
  var fields: [String: String]
  var storefront: String { self["Country Of Sale"] ?? self["Country of Sale"] ?? "" }
  var sku: String { self["Vendor Identifier"] ?? self["SKU"] ?? "" }
  var currency: String { self["Partner Share Currency"] ?? "" }
  var quantity: Int { Int(self["Quantity"] ?? "") ?? .min }
  var share: Decimal { decimal(self["Partner Share"]) }
  var extended: Decimal { decimal(self["Extended Partner Share"]) }
  /// Without sign and trailing zeros.
  var price: Decimal { abs(decimal(self["Customer Price"])) }
  var isReturn: Bool { (self["Sales or Return"] ?? self["Sale or Return"]) == "R" }
  var sold: Day { day("Transaction Date") }
  var settled: Day { day("Settlement Date") }
  subscript(name: String) -> String? { fields[name] }

  private func day(_ name: String) -> Day {
    let parts = (self[name] ?? "").split(separator: "/")
    guard parts.count == 3 else { return Day(number: .min) }
    return Day("\(parts[2])-\(parts[0])-\(parts[1])") ?? Day(number: .min)
  }
}

/// A financial report or its detail, split by an independent reader.
struct WrittenFinanceFile {
  var preamble: [String] = []
  var header: [String] = []
  var rows: [WrittenFinanceRow] = []
  /// Fields of each row, surplus ones among them.
  var widths: Set<Int> = []
  /// `Total_Rows` and the like.
  var totals: [String: String] = [:]
  /// The second table: quantity and amount by country and currency.
  var table: [String: (quantity: Int, amount: Decimal)] = [:]

  init(_ bytes: Data) {
    var isTable = false
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if fields[0] == "Country Of Sale", fields.count == 4 {
        isTable = true
      } else if isTable {
        table["\(fields[0]) \(fields[1])"] = (Int(fields[2]) ?? .min, decimal(fields[3]))
      } else if fields[0].hasPrefix("Total_") {
        totals[fields[0]] = fields[1]
      } else if fields.count == 2 {
        preamble.append(String(line))
      } else if header.isEmpty {
        header = fields
      } else {
        widths.insert(fields.count)
        rows.append(
          WrittenFinanceRow(fields: Dictionary(uniqueKeysWithValues: zip(header, fields))))
      }
    }
  }

  var sums: [String: (quantity: Int, amount: Decimal)] {
    rows.reduce(into: [:]) { sums, row in
      let place = "\(row.storefront) \(row.currency)"
      sums[place, default: (0, 0)].quantity += row.quantity
      sums[place, default: (0, 0)].amount += row.extended
    }
  }

  /// Quantities by what a row says beside its days.
  var quantities: [String: Int] {
    rows.reduce(into: [:]) { sums, row in
      sums["\(row.storefront) \(row.sku) \(row.share) \(row.price) \(row.isReturn)", default: 0] +=
        row.quantity
    }
  }
}

/// A region's line of the payments summary.
struct WrittenPayment {
  var region: String
  /// Apple's code, which only the page's JSON has.
  var code = ""
  var currency: String
  var isPaid: Bool
  var balance, earned, subtotal, inputTax, adjustments, withholding, owed: Decimal
  var rate, proceeds: Decimal

  var parts: Decimal { balance + earned + inputTax + adjustments + withholding }
}

/// A payments summary of any layout.
struct WrittenPayments {
  var lines: [WrittenPayment] = []
  var payout: Decimal = 0
  var headers: [[String]] = []

  /// - Parameter names: the columns in the order of Apple's English header, `Balance` after the
  ///   units.
  init(table bytes: Data, names: [String]) {
    var columns: [Int?] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = Self.cells(String(line))
      func text(_ place: Int) -> String { columns[place].map { fields[$0] } ?? "" }
      if fields[0].hasSuffix("(Currency)") || fields[0].hasSuffix("(货币)") {
        headers.append(fields)
        columns = Self.places(names, in: fields)
      } else if fields[0].hasSuffix(")"), !columns.isEmpty {
        let label = fields[0].split(separator: " (")
        lines.append(
          WrittenPayment(
            region: String(label[0]), currency: String(label[1].dropLast()),
            isPaid: !text(10).isEmpty, balance: decimal(text(2)), earned: decimal(text(3)),
            subtotal: decimal(text(4)), inputTax: decimal(text(5)), adjustments: decimal(text(6)),
            withholding: decimal(text(7)), owed: decimal(text(8)), rate: decimal(text(9)),
            proceeds: decimal(text(10))))
      } else if fields.count > 10, let space = fields[10].firstIndex(of: " "),
        !fields[10].hasPrefix("Paid")
      {
        payout = decimal(String(fields[10][..<space]))
      }
    }
  }

  init(json bytes: Data) throws {
    let page = try object(bytes)
    for summary in page["reportSummaries"] as? [[String: Any]] ?? [] {
      let isPaid = summary["status"] as? String == "PAID"
      if isPaid { payout = decimal(summary["amount"] as? String) }
      for region in summary["proceedsByRegion"] as? [[String: Any]] ?? [] {
        let names = region["regionCurrency"] as? [String: Any] ?? [:]
        func amount(_ name: String) -> Decimal { decimal(region[name] as? String) }
        lines.append(
          WrittenPayment(
            region: names["regionName"] as? String ?? "",
            code: names["regionCode"] as? String ?? "",
            currency: names["currencyCode"] as? String ?? "", isPaid: isPaid,
            balance: amount("beginBalance"), earned: amount("earned"), subtotal: amount("total"),
            inputTax: amount("inputTax"), adjustments: amount("adjustmentAmount"),
            withholding: amount("withHoldingTax"), owed: amount("totalOwed"),
            rate: amount("exchangeRate"), proceeds: amount("proceeds")))
      }
    }
  }

  /// The same name may stand twice: it is taken in order.
  private static func places(_ names: [String], in header: [String]) -> [Int?] {
    var next = 0
    return names.map { name in
      guard let place = header[next...].firstIndex(of: name) else { return nil }
      next = place + 1
      return place
    }
  }

  private static func cells(_ line: String) -> [String] {
    var cells = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }
}

func decimal(_ text: String?) -> Decimal {
  Decimal(string: (text ?? "").replacingOccurrences(of: ",", with: "")) ?? 0
}

func decimal(micros: Int64) -> Decimal { Decimal(micros) / 1_000_000 }
