package import Billing

/// The columns of each kind of company table, required ones first.
package let companyColumns: [InputKind: [String]] = Dictionary(
  uniqueKeysWithValues: CompanyTable.made.map { ($0.kind, $0.shownNames) })

/// The columns of the company's tables.
struct CompanyTable {
  let kind: InputKind
  /// Required ones first.
  let columns: [TableColumn]
  let names: [String]
  let requiredCount: Int
  /// Whether rows may have been handed over beside counts: then they name the period of these.
  private let isHandedOver: Bool

  /// What a row handed over beside counts names their period by.
  static let countedPeriod = "counted_period"

  var required: [String] { Array(names.prefix(requiredCount)) }
  /// Those that people fill in.
  var shownColumns: [TableColumn] { isHandedOver ? columns.dropLast() : columns }
  var shownNames: [String] { shownColumns.map(\.name) }

  /// - Parameter handedOver: whether rows may name the period of counted purchases.
  private init(_ kind: InputKind, _ columns: [TableColumn], handedOver: Bool = false) {
    self.kind = kind
    self.columns = columns + (handedOver ? [TableColumn(Self.countedPeriod, .plain)] : [])
    names = self.columns.map(\.name)
    requiredCount = columns.count(where: \.isRequired)
    isHandedOver = handedOver
    precondition(columns[..<requiredCount].allSatisfy(\.isRequired), "required columns stand first")
  }

  /// The place of a column among the names.
  func index(_ name: String) -> Int {
    guard let index = names.firstIndex(of: name) else {
      preconditionFailure("\(kind) has no column \(name)")
    }
    return index
  }

  /// What shops call a column, as ``squeezedName(_:)`` writes it.
  func usualNames(of column: String) -> Set<String> {
    Set(columns[index(column)].usualNames.map(squeezedName))
  }

  /// The place of the file's column that is read as one of the table's by a usual name, without a
  /// mapping; nil for none. The units of a rate are read so: taken for one unit's, a rate for a
  /// hundred would be a hundred times too high.
  ///
  /// - Parameter printed: the file's columns.
  func usualPlace(of column: String, among printed: [String]) -> Int? {
    guard kind == .rates, column == "units" else { return nil }
    let names = printed.map(squeezedName)
    return columns[index(column)].usualNames.lazy
      .compactMap { names.firstIndex(of: squeezedName($0)) }.first
  }

  static let orders = CompanyTable(.orders, OrderTerms.tableColumns, handedOver: true)
  static let transactions = CompanyTable(
    .transactions, TransactionTerms.tableColumns, handedOver: true)
  static let products = CompanyTable(.products, Product.tableColumns)
  static let tiers = CompanyTable(.tiers, TierPrice.tableColumns)
  static let rates = CompanyTable(.rates, ExchangeRate.tableColumns)
  static let taxes = CompanyTable(.taxes, TaxOverride.tableColumns)
  static let commissions = CompanyTable(.commissions, CompanyCommission.tableColumns)
  static let commissionInvoices = CompanyTable(.commissionInvoice, CommissionInvoice.tableColumns)
  static let bank = CompanyTable(.bank, BankCredit.tableColumns)
  static let events = CompanyTable(.events, PurchaseEventTerms.tableColumns)

  static let coinMovements = CompanyTable(.coinMovements, CoinMovementTerms.tableColumns)
  static let coinBalances = CompanyTable(.coinBalances, CoinBalance.tableColumns)
  static let items = CompanyTable(.items, GameItem.tableColumns)

  /// What both sides of a purchase say stands beside each other, under the names of their tables.
  static let unitCounts = CompanyTable(
    .unitCounts,
    [
      TableColumn(countedPeriod, .plain, required: true),
      TableColumn("counted", .plain, required: true), TableColumn("at", .time, required: true),
      TableColumn("count", .plain, required: true), TableColumn("seconds", .plain),
      TableColumn("name", .text),
    ] + OrderTerms.saidColumns.map { TableColumn("order_" + $0.name, .plain) }
      + TransactionTerms.saidColumns.map { TableColumn("transaction_" + $0.name, .plain) })

  /// Those that companies make themselves.
  static let made = [
    orders, transactions, products, tiers, rates, taxes, commissions, bank, commissionInvoices,
    events, coinMovements, coinBalances, items,
  ]

  static let all = made + [unitCounts]

  /// Whether its rows name orders or transactions.
  var namesPurchases: Bool {
    [.orders, .transactions, .events, .coinMovements].contains(kind)
  }

  /// Whether a header has all columns that this table requires, and is no other table's.
  ///
  /// - Parameter names: the header's, normalised.
  func recognises(_ names: Set<String>) -> Bool {
    guard required.allSatisfy(names.contains) else { return false }
    // A commission is a rate of a storefront too, with a name and a class.
    if kind == .taxes, Self.commissions.recognises(names) { return false }
    // Lines of orders and movements have an item of some kind too.
    if kind == .items, !names.isDisjoint(with: ["sku", "date", "coins", "user_id"]) {
      return false
    }
    let ids: Set<String> = ["order_id", "transaction_id", "placed_at", "purchased_at"]
    return namesPurchases || names.isDisjoint(with: ids)
  }
}

extension InputKind {
  /// The kinds of table that a company makes itself.
  package static var companyTables: [InputKind] { CompanyTable.made.map(\.kind) }

  /// Columns in the order in which a template has them, required ones first; none for what is no
  /// company's table.
  package var columns: [TableColumn] {
    CompanyTable.made.first { $0.kind == self }?.shownColumns ?? []
  }

  /// The words that a column of a company's table may have; nil for one that holds anything else.
  package func words(ofColumn column: String) -> [String]? {
    columns.first { $0.name == column }?.words
  }
}
