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
  }

  let rules: [Rule]

  init(bytes: some Collection<UInt8>) {
    let table = FactTable(
      "commissions.csv",
      columns: ["storefront", "class", "from", "to", "commission_pct", "evidence"], bytes: bytes)
    rules = table.rows.map(Rule.init)
    let hasDefault = rules.contains {
      $0.storefront == nil && $0.commissionClass == .standard
        && $0.days == .init(from: nil, to: nil)
    }
    precondition(hasDefault, "commissions.csv: no commission that always holds")
  }

  /// Millionths. A storefront's own rule goes before one for all; a class that did not exist yet
  /// pays the standard rate.
  func rate(_ commissionClass: CommissionClass, storefront: Storefront, day: Day) -> Int64 {
    var everywhere: Int64?
    for rule in rules where rule.commissionClass == commissionClass && rule.days.contains(day) {
      if rule.storefront == storefront { return rule.rate }
      if rule.storefront == nil { everywhere = rule.rate }
    }
    return everywhere ?? rate(.standard, storefront: storefront, day: day)
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
  }
}
