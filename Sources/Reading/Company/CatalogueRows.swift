internal import Billing

extension Product: CompanyRow {
  static func rows(_ rows: [(line: Int32, Product)]) -> FactBlock.Rows { .products(rows) }

  /// Throws a diagnostic for an identifier that a spreadsheet spoiled.
  func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _: inout NothingSaid
  ) throws(RecordDiagnostic) {
    let identifier = columns.field("apple_identifier")
    if isSpoiledID(trimmed(record[identifier])) {
      throw spoiledID(record, identifier, "apple_identifier")
    }
  }
}

/// A tier in a storefront, which has one price on a day.
struct TierKey: Hashable {
  fileprivate var table: TierTable
  fileprivate var tier: String
  fileprivate var storefront: Storefront
}

/// Each tier or price point goes by its one name.
extension TierPrice: CompanyRow {
  static func rows(_ rows: [(line: Int32, TierPrice)]) -> FactBlock.Rows { .tiers(rows) }

  /// Writes the tier's name in its one form; throws a diagnostic when its last day comes before its
  /// first, or another row has another price of it on one of the days.
  mutating func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _ said: inout DaysSaid<TierKey, Money>
  ) throws(RecordDiagnostic) {
    tier = tierName(tier)
    try record.checkDays(effectiveFrom, effectiveTo, columns.field("effective_to"))
    let key = TierKey(table: table, tier: tier, storefront: storefront)
    let price = Money(micros: price, currency)
    let clash = said.clash(key, price, from: effectiveFrom, to: effectiveTo, line: record.line)
    guard let (other, line) = clash else { return }
    throw RecordDiagnostic(
      columns.field("price"), "tier",
      """
      @company.tier-in-costs-here \(tier) \(storefront) \(price.text) \(price.currency) \
      \(other.text) \(other.currency) \(line)
      """,
      help: "@company.give-lines-and-effective-days \(line) \(record.line)")
  }
}

extension TaxOverride: CompanyRow {
  static func rows(_ rows: [(line: Int32, TaxOverride)]) -> FactBlock.Rows { .taxes(rows) }

  /// Throws a diagnostic for a rate that is no fraction, or days that contradict each other.
  func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _: inout NothingSaid
  ) throws(RecordDiagnostic) {
    try record.checkShare(
      rate, columns.field("rate"), help: "@company.write-the-fraction-19-is")
    try record.checkDays(effectiveFrom, effectiveTo, columns.field("effective_to"))
  }
}

extension BankCredit: CompanyRow {
  static func rows(_ rows: [(line: Int32, BankCredit)]) -> FactBlock.Rows { .bank(rows) }

  var days: ClosedRange<Day>? { day...day }

  /// Adds the credit to those of Apple or of others.
  func complete(_: Record, _: ListedColumns<Self>, _ said: inout CreditCounts) { said.add(self) }
}

extension CoinBalance: CompanyRow {
  static func rows(_ rows: [(line: Int32, CoinBalance)]) -> FactBlock.Rows { .coinBalances(rows) }

  var days: ClosedRange<Day>? { day...day }

  /// Throws a diagnostic for more coins than any user has, or a user's id that a spreadsheet
  /// spoiled.
  func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _: inout NothingSaid
  ) throws(RecordDiagnostic) {
    for (name, coins) in [("paid", paid), ("free", free)] where coins > mostCoins {
      throw tooManyCoins(record, columns.field(name), name)
    }
    let user = columns.field("user_id")
    if isSpoiledID(trimmed(record[user])) { throw spoiledID(record, user, "user_id") }
  }
}

extension GameItem: CompanyRow {
  static func rows(_ rows: [(line: Int32, GameItem)]) -> FactBlock.Rows { .items(rows) }

  /// Does nothing: the list of columns has all that an item's row says.
  func complete(_: Record, _: ListedColumns<Self>, _: inout NothingSaid) {}
}

/// A line per app.
extension CommissionInvoice: CompanyRow {
  static func rows(_ rows: [(line: Int32, CommissionInvoice)]) -> FactBlock.Rows {
    .commissionInvoices(rows)
  }

  var days: ClosedRange<Day>? { first...last }

  /// Reads the period that the invoice is of; throws a diagnostic when its amounts do not add up.
  mutating func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _: inout NothingSaid
  ) throws(RecordDiagnostic) {
    let field = columns.field("billing_period")
    guard let period = Period(try record.requiredText(field, "billing_period")) else {
      throw RecordDiagnostic(
        field, "date",
        "@company.billing-period-is-neither \(shown(record[field]))",
        help: "@company.write-the-month-2026-10")
    }
    (first, last) = (period.first, period.last)
    guard amount + tax == total else {
      throw RecordDiagnostic(
        columns.field("total"), "amount", "@company.total-is-not-amount",
        help: "@company.correct-the-row-by-apple")
    }
  }
}

extension Record {
  /// Throws a diagnostic for a share of a price that is not below the whole.
  ///
  /// - Parameter micros: the share, in millionths.
  func checkShare(_ micros: Int64, _ field: Int, help: Wording) throws(RecordDiagnostic) {
    guard micros < 1_000_000 else {
      throw RecordDiagnostic(
        field, "rate", "@company.rate-is-not-below-1 \(shown(self[field]))", help: help)
    }
  }

  /// Throws a diagnostic for effective days of which the last comes before the first.
  ///
  /// - Parameter field: of the last one.
  func checkDays(_ from: Day?, _ to: Day?, _ field: Int) throws(RecordDiagnostic) {
    guard let from, let to, to < from else { return }
    throw RecordDiagnostic(
      field, "date", "@company.effective-to-comes-before-effective \(to) \(from)",
      help: "@company.both-days-are-included-swap")
  }
}

/// The credits of a statement, and how many of them name Apple.
struct CreditCounts: SaidRows {
  private var apples = 0
  private var others = 0

  init() {}

  /// Adds a credit; a debit is none.
  mutating func add(_ credit: BankCredit) {
    guard credit.amount > 0 else { return }
    if credit.namesApple { apples += 1 } else { others += 1 }
  }

  /// How many credits are Apple's and how many are not; where none or all name Apple there is
  /// nothing to tell apart.
  var tallies: [Tally] {
    if apples == 0 || others == 0 { return [] }
    return [
      Tally(what: "@statement.credits-of-apple", one: "@statement.credit-of-apple", count: apples),
      Tally(
        what: "@statement.credits-of-others", one: "@statement.credit-of-another", count: others),
    ]
  }
}
