import Billing
import CTables

/// Apple's commission by storefront, day and class.
struct CommissionTable: Sendable {
  static let builtIn = CommissionTable(bytes: FactTable.embedded(ctables_commissions()))

  struct Rule: Hashable, Sendable {
    /// Nil is every storefront.
    let storefront: Storefront?
    let commissionClass: CommissionClass
    let days: DayRange
    /// Millionths of the net price.
    let rate: Int64
    /// Where it stands in the table.
    let line: Int
  }

  let rules: [Rule]
  let facts: FactTable

  init(bytes: some Collection<UInt8>) {
    facts = FactTable(
      "commissions.csv",
      columns: ["storefront", "class", "from", "to", "commission_pct", "evidence"], bytes: bytes)
    rules = facts.rows.map(Rule.init)
    let hasDefault = rules.contains {
      $0.storefront == nil && $0.commissionClass == .standard
        && $0.days == .init(from: nil, to: nil)
    }
    precondition(hasDefault, "commissions.csv: no commission that always holds")
  }

  /// Millionths; see ``rule(_:storefront:day:)``.
  func rate(_ commissionClass: CommissionClass, storefront: Storefront, day: Day) -> Int64 {
    rule(commissionClass, storefront: storefront, day: day).rate
  }

  /// A storefront's own rule goes before one for all; a class that did not exist yet pays the
  /// standard rate.
  func rule(_ commissionClass: CommissionClass, storefront: Storefront, day: Day) -> Rule {
    var everywhere: Rule?
    for rule in rules where rule.commissionClass == commissionClass && rule.days.contains(day) {
      if rule.storefront == storefront { return rule }
      if rule.storefront == nil { everywhere = rule }
    }
    return everywhere ?? rule(.standard, storefront: storefront, day: day)
  }

  /// The rules that may ever concern a storefront.
  func rules(concerning storefront: Storefront) -> [Rule] {
    rules.filter { $0.storefront == storefront || $0.storefront == nil }
  }
}

extension CommissionTable.Rule {
  init(_ row: FactTable.Row) {
    storefront = row.storefrontOrAll(0)
    guard let commissionClass = CommissionClass(rawValue: row.text(1)) else {
      preconditionFailure("\(row.place): no such class")
    }
    self.commissionClass = commissionClass
    days = row.days(2)
    guard let rate = row.percentage(4) else { preconditionFailure("\(row.place): no commission") }
    self.rate = rate
    line = row.line
  }
}
