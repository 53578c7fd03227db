internal import Billing

/// The columns of Apple's payments summary. The region's code is told by the JSON only.
enum PaymentColumn: Int, CaseIterable {
  case region, code, currency, units, balance, earned, preTaxSubtotal, inputTax, adjustments
  case withholding, owed, rate, proceeds, bankCurrency

  /// What faults call it: Apple's word.
  var name: String {
    switch self {
    case .region: "country or region"
    case .code: "region code"
    case .currency: "currency"
    case .units: "units sold"
    case .balance: "beginning balance"
    case .earned: "earned"
    case .preTaxSubtotal: "pre-tax subtotal"
    case .inputTax: "input tax"
    case .adjustments: "adjustments"
    case .withholding: "withholding tax"
    case .owed: "total owed"
    case .rate: "exchange rate"
    case .proceeds: "proceeds"
    case .bankCurrency: "bank account currency"
    }
  }

  /// Names in headers, normalised. The Chinese header calls both what was earned and the proceeds
  /// 收入; the first is what was earned.
  static let names: [String: PaymentColumn] = [
    "units sold": .units, "balance": .balance, "beginning balance": .balance, "earned": .earned,
    "pre-tax subtotal": .preTaxSubtotal, "input tax": .inputTax, "adjustments": .adjustments,
    "withholding tax": .withholding, "total owed": .owed, "exchange rate": .rate,
    "proceeds": .proceeds, "bank account currency": .bankCurrency,
    "销量": .units, "余额": .balance, "期初余额": .balance, "收入": .earned,
    "税前小计": .preTaxSubtotal, "进项税": .inputTax, "调整": .adjustments, "预扣税": .withholding,
    "总欠款": .owed,
    "汇率": .rate, "银行账户币种": .bankCurrency,
  ]
}

/// Where a block of the payments summary has its columns.
struct PaymentLayout {
  /// Per column the file's field, or −1.
  private(set) var fields = Array(repeating: -1, count: PaymentColumn.allCases.count)
  /// The columns were told by their order: what they are has to be proven by each row.
  private(set) var isGuessed = false
  /// Columns by names that are not known.
  private(set) var unknown: [String] = []

  /// Fields that are looked at; Apple writes 13 at most.
  static let fieldCount = 18

  /// The file's field of a column, or −1.
  subscript(_ column: PaymentColumn) -> Int { fields[column.rawValue] }

  /// All columns in their order: how a line of the JSON is laid out.
  static let pieces: PaymentLayout = {
    var layout = PaymentLayout()
    for column in PaymentColumn.allCases { layout.fields[column.rawValue] = column.rawValue }
    return layout
  }()

  /// A copy of the page's table, without its header, as seen of December 2012: currencies instead
  /// of regions, no units, and tax withheld before the other taxes.
  static let copied: PaymentLayout = {
    var layout = PaymentLayout()
    layout.set(
      [
        .region, .balance, .earned, .preTaxSubtotal, .withholding, .inputTax, .adjustments, .owed,
        .rate, .proceeds, .bankCurrency,
      ], at: Array(0..<11))
    return layout
  }()

  private init() {}

  /// Reads a header: by its names in English or Chinese, else by the order of the English one.
  ///
  /// - Parameter filled: the fields that are not blank; the first is the region's.
  init(_ header: Record, filled: [Int]) throws(RecordDiagnostic) {
    fields[PaymentColumn.region.rawValue] = filled[0]
    for field in filled.dropFirst() {
      guard var column = PaymentColumn.names[Header.normalised(header.text(field))] else {
        unknown.append(header.text(field))
        continue
      }
      if column == .earned, self[.earned] >= 0 { column = .proceeds }
      guard self[column] < 0 else {
        throw RecordDiagnostic(
          field, "column", "@shared.column-occurs-twice \(shown(header[field]))",
          help: "@apple.download-the-summary-again")
      }
      fields[column.rawValue] = field
    }
    if self[.earned] >= 0, self[.owed] >= 0 { return }
    guard let order = Self.order(of: filled.count) else {
      throw RecordDiagnostic(
        filled[0], "column", "@apple.columns-earned-and-total-owed",
        help: "@apple.download-the-summary")
    }
    fields = PaymentLayout().fields
    set(order, at: filled)
    isGuessed = true
    unknown = []
  }

  /// The English columns of a header with this many, in their order: with or without a balance;
  /// while the amounts are estimated, and where no exchange is needed, without subtotal and rate.
  /// Nil for any other number.
  private static func order(of count: Int) -> [PaymentColumn]? {
    var order: [PaymentColumn] = [.region, .units]
    if count == 12 || count == 10 { order.append(.balance) }
    order.append(.earned)
    if count >= 11 { order.append(.preTaxSubtotal) }
    order += [.inputTax, .adjustments, .withholding, .owed]
    if count >= 11 { order.append(.rate) }
    order += [.proceeds, .bankCurrency]
    return order.count == count ? order : nil
  }

  /// Puts each of the columns at the field in the same place of `places`.
  private mutating func set(_ columns: [PaymentColumn], at places: [Int]) {
    for (column, place) in zip(columns, places) { fields[column.rawValue] = place }
  }
}

/// Whether a file's first line is the title of a payments summary.
func isPaymentsTitle(_ line: String) -> Bool {
  let lower = line.lowercased()
  let pages = ["itunes connect - ", "app store connect - "]
  return lower.contains("payments and financial reports")
    || pages.contains { lower.hasPrefix($0) || lower.hasPrefix("\"" + $0) }
}

/// Whether a file's first line is a header of the payments summary, or a line of a copy without
/// one.
func isPaymentsTable(_ line: String) -> Bool {
  let cells = line.split { $0 == "," || $0 == "\t" || $0 == ";" }.map { cell in
    cell.filter { $0 != "\"" }.split { $0.isWhitespace }.joined(separator: " ").lowercased()
  }
  guard let first = cells.first else { return false }
  let regions = ["country or region (", "region (", "territory (", "国家或地区"]
  if regions.contains(where: first.hasPrefix) { return true }
  // In other languages only the shape tells: `Pays ou région (Devise)` and eight columns or more.
  if first.hasSuffix(")") || first.hasSuffix("）"), cells.count >= 9 { return true }
  return cells.count == 11 && Currency(first.uppercased()) != nil
    && Currency(cells[10].uppercased()) != nil && micros(decimal: cells[9]) != nil
}
