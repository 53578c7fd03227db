package import Billing
import CTablesHeader

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
  /// Millionths of the commission that are a tax on the price without `inside`, besides.
  let commissionShare: Int64
  /// How the row is known at every commission but those of `measured`.
  private let known: TaxEvidence
  /// Commissions in millionths at which Apple's rows show the tax; empty is any.
  private let measured: [Int64]
  /// Where it stands in the table.
  let line: Int

  /// Tax inside the price where Apple's commission is so many millionths; millionths of the net
  /// price.
  func inside(atCommission commission: Int64) -> Int64 {
    inside + taxOnCommission(commission, share: commissionShare, beside: inside)
  }

  /// How the tax is known where Apple's commission is so many millionths.
  func evidence(atCommission commission: Int64) -> TaxEvidence {
    known != .measured || measured.isEmpty || measured.contains(commission) ? known : .modelled
  }
}

/// How a tax is known.
package enum TaxEvidence: String, Hashable, Sendable {
  /// Apple's own rows or lists of prices have it.
  case measured
  /// A law or a notice of Apple's has the rate; no row that was seen shows it.
  case statutory
  /// Nobody outside Apple knows how large it is in proceeds, or how it is calculated.
  case modelled
  /// The company's own table has it.
  case company

  /// How the tax is known, in words for people.
  package var wording: Wording {
    switch self {
    case .measured: "@tables.measured"
    case .statutory: "@tables.statutory"
    case .modelled: "@tables.modelled"
    case .company: "@tables.own-table"
    }
  }
}

/// Turns a tax that is a share of Apple's commission into a tax inside the price, to be added to
/// `inside`: price = net × (1 + inside) × (1 + share × commission). All in millionths; the result
/// is of the net price, as `inside` is.
func taxOnCommission(_ commission: Int64, share: Int64, beside inside: Int64) -> Int64 {
  if share == 0 { return 0 }
  return roundedHalfUp(
    Int128(1_000_000 + inside) * Int128(share) * Int128(commission),
    dividedBy: 1_000_000_000_000, toMultipleOf: 1)
}

/// The taxes and deductions by storefront, currency, day and developer.
struct TaxTable: Sendable {
  static let builtIn = TaxTable(bytes: FactTable.embedded(ctables_taxes()))

  let rules: [TaxRule]
  let facts: FactTable
  private let byStorefront: [Storefront: [TaxRule]]
  private let everywhere: [TaxRule]

  /// Reads the bytes of `taxes.csv`.
  init(bytes: some Collection<UInt8>) {
    facts = FactTable("taxes.csv", columns: Self.columns, bytes: bytes)
    rules = facts.rows.map(TaxRule.init)
    everywhere = rules.filter { $0.storefront == nil }
    byStorefront = Dictionary(grouping: rules.filter { $0.storefront != nil }) { $0.storefront! }
  }

  private static let columns = [
    "storefront", "currency", "from", "to", "developers", "inside_pct", "deducted_pct",
    "commission_share_pct", "known", "evidence",
  ]

  /// The rule in force for a price, or nil where none is known. A rule for just these developers
  /// goes before one for all, and a storefront's own before one for every storefront.
  ///
  /// - Parameter isLocal: whether the developer is at home in the storefront's country.
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

extension Storefront {
  /// Those that the built-in table taxes otherwise for developers at home there than for others, at
  /// any time; by code.
  package static let taxedByDeveloper = Set(
    TaxTable.builtIn.rules.filter { $0.developers != .all }.compactMap(\.storefront)
  ).sorted { $0.code < $1.code }
}

extension TaxRule {
  /// Reads a line of the table.
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
    (known, measured) = row.taxEvidence(8)
    line = row.line
  }
}

extension FactTable.Row {
  /// `measured`, `statutory` or `modelled`; after the first the commissions in per cent at which
  /// it was measured.
  fileprivate func taxEvidence(_ column: Int) -> (TaxEvidence, [Int64]) {
    let words = text(column).split(separator: " ")
    let rates = words.dropFirst().map { word -> Int64 in
      guard let percent = Int64(word) else { preconditionFailure("\(place): \(word)") }
      return percent * 10_000
    }
    guard let known = TaxEvidence(rawValue: String(words[0])), known != .company else {
      preconditionFailure("\(place): a tax is measured, statutory or modelled")
    }
    return (known, rates)
  }
}
