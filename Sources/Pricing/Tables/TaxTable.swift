import Billing
import CTables

/// What is taken off a price before Apple's commission: one row of the tax table.
struct TaxRule: Hashable, Sendable {
  /// Whom a rule is for: developers at home in the storefront's country, those outside, or both.
  enum Developers: String { case all, outside, local }

  /// Nil is every storefront.
  let storefront: Storefront?
  let currency: Currency
  let days: DayRange
  let developers: Developers
  /// Tax inside the price, millionths of the net price.
  let inside: Int64
  /// Further deduction, millionths of the price.
  let deducted: Int64
  /// Millionths of the commission that are tax inside the price besides `inside`.
  let commissionShare: Int64
  /// Where it stands in the table.
  let line: Int

  /// Tax inside the price at a commission, both in millionths.
  func inside(atCommission commission: Int64) -> Int64 {
    inside + commissionShare * commission / 1_000_000
  }
}

/// The taxes and deductions by storefront, currency, day and developer.
struct TaxTable: Sendable {
  static let builtIn = TaxTable(bytes: FactTable.embedded(ctables_taxes()))

  let rules: [TaxRule]
  let facts: FactTable
  private let byStorefront: [Storefront: [TaxRule]]
  private let everywhere: [TaxRule]

  init(bytes: some Collection<UInt8>) {
    facts = FactTable("taxes.csv", columns: Self.columns, bytes: bytes)
    rules = facts.rows.map(TaxRule.init)
    everywhere = rules.filter { $0.storefront == nil }
    byStorefront = Dictionary(grouping: rules.filter { $0.storefront != nil }) { $0.storefront! }
  }

  private static let columns = [
    "storefront", "currency", "from", "to", "developers", "inside_pct", "deducted_pct",
    "commission_share_pct", "evidence",
  ]

  /// The rule in force, or nil where none is known. A rule for just these developers goes before
  /// one for all, and a storefront's own before one for every storefront.
  func rule(storefront: Storefront, currency: Currency, day: Day, isLocal: Bool) -> TaxRule? {
    var found: TaxRule?
    for rule in byStorefront[storefront] ?? [] {
      guard rule.currency == currency, rule.days.contains(day) else { continue }
      switch rule.developers {
      case .all: found = found ?? rule
      case .local: if isLocal { return rule }
      case .outside: if !isLocal { return rule }
      }
    }
    return found ?? everywhere.first { $0.currency == currency && $0.days.contains(day) }
  }

  /// The rules that may ever concern a storefront.
  func rules(concerning storefront: Storefront) -> [TaxRule] {
    (byStorefront[storefront] ?? []) + everywhere
  }
}

extension TaxRule {
  init(_ row: FactTable.Row) {
    storefront = row.storefrontOrAll(0)
    currency = row.currency(1)
    days = row.days(2)
    guard let developers = Developers(rawValue: row.text(4)) else {
      preconditionFailure("\(row.place): developers are all, outside or local")
    }
    self.developers = developers
    inside = row.percentage(5) ?? 0
    deducted = row.percentage(6) ?? 0
    commissionShare = row.percentage(7) ?? 0
    line = row.line
  }
}
