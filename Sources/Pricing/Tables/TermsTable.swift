import Billing
import CTablesHeader

/// One commission of documented terms.
struct TermsRule: Hashable, Sendable {
  /// For whom it holds.
  enum Hold: String, Hashable, Sendable {
    /// Everybody.
    case always
    /// Accounts that have accepted the agreement.
    case accepted
    /// Whoever's rows show it: no document says.
    case shown
  }

  /// Of the terms: `standard`, or the agreement's.
  let name: String
  /// Nil is every storefront.
  let storefronts: Set<Storefront>?
  /// Nil is every platform.
  let platforms: Set<Platform>?
  let commissionClass: CommissionClass
  let days: DayRange
  /// Millionths of the net price.
  let rate: Int64
  let hold: Hold
  /// Where it stands in the built-in table; nil is the company's own.
  let line: Int?

  /// Whether the rule is for sales of a storefront and a platform, whatever the day. A row without
  /// a platform is taken for iOS, on which nearly all sales are.
  func concerns(_ storefront: Storefront, _ platform: Platform?) -> Bool {
    (storefronts?.contains(storefront) ?? true) && (platforms?.contains(platform ?? .ios) ?? true)
  }

  /// Whether this rule decides where both hold: the company's own goes before a documented one, one
  /// for fewer storefronts before one for more, then the one that begins later.
  fileprivate func goesBefore(_ other: TermsRule) -> Bool {
    if (line == nil) != (other.line == nil) { return line == nil }
    let breadths = (storefronts?.count ?? .max, other.storefronts?.count ?? .max)
    return breadths.0 != breadths.1 ? breadths.0 < breadths.1 : days.first > other.days.first
  }
}

/// Apple's commissions by storefront, platform, class, day and accepted agreement: the documented
/// ones, and the company's own before them.
struct TermsTable: Sendable {
  static let builtIn = TermsTable(bytes: FactTable.embedded(ctables_terms()))

  private(set) var rules: [TermsRule]
  let facts: FactTable
  private var byClass: [CommissionClass: [TermsRule]] = [:]
  /// Those that do not hold for everybody, the first to hold first.
  private var conditional: [TermsRule] = []

  /// Reads the bytes of `terms.csv`, and checks that one commission always holds.
  init(bytes: some Collection<UInt8>) {
    facts = FactTable(
      "terms.csv",
      columns: [
        "name", "storefronts", "platforms", "classes", "from", "to", "commission_pct", "holds",
        "evidence",
      ], bytes: bytes)
    rules = facts.rows.flatMap(TermsRule.all)
    let hasDefault = rules.contains {
      $0.storefronts == nil && $0.platforms == nil && $0.commissionClass == .standard
        && $0.days == .init(from: nil, to: nil) && $0.hold == .always
    }
    precondition(hasDefault, "terms.csv: no commission that always holds")
    index()
  }

  /// The table with the company's own terms before the documented ones.
  ///
  /// - Parameter company: of several that hold on a day the narrower counts, then the one that
  ///   begins later, then the later in the list.
  func adding(_ company: [CompanyCommission]) -> TermsTable {
    if company.isEmpty { return self }
    var table = self
    table.rules += company.reversed().map(TermsRule.init)
    table.index()
    return table
  }

  /// Makes the lists that look-ups go through, the rule that decides first.
  private mutating func index() {
    conditional = rules.filter { $0.hold != .always }
      .sorted { ($0.days.first, $0.name) < ($1.days.first, $1.name) }
    byClass = Dictionary(grouping: rules, by: \.commissionClass).mapValues { rules in
      // Stable, so that of equals the first counts.
      rules.enumerated().sorted {
        $0.element.goesBefore($1.element)
          || !$1.element.goesBefore($0.element) && $0.offset < $1.offset
      }.map(\.element)
    }
  }

  /// The rule for a sale on a day by an account's class and agreement; a class that did not exist
  /// yet pays the standard rate.
  func rule(_ state: TermsState, storefront: Storefront, platform: Platform?, day: Day) -> TermsRule
  {
    let found = byClass[state.commissionClass]?.first { rule in
      rule.days.contains(day) && rule.concerns(storefront, platform)
        && (rule.hold == .always || rule.name == state.agreement)
    }
    if let found { return found }
    precondition(state.commissionClass != .standard, "a commission that always holds")
    let standard = TermsState(.standard, agreement: state.agreement)
    return rule(standard, storefront: storefront, platform: platform, day: day)
  }

  /// The names of the agreements whose terms began on `day` or before for sales of a storefront and
  /// platform, the earliest first.
  func agreements(_ storefront: Storefront, _ platform: Platform?, until day: Day) -> [String] {
    var names: [String] = []
    for rule in conditional
    where rule.days.first <= day.number && rule.concerns(storefront, platform)
      && !names.contains(rule.name)
    { names.append(rule.name) }
    return names
  }

  /// The rules that may ever concern a storefront.
  func rules(concerning storefront: Storefront) -> [TermsRule] {
    rules.filter { $0.storefronts?.contains(storefront) ?? true }
  }
}

extension TermsRule {
  /// The rules of a row, one for each class.
  fileprivate static func all(_ row: FactTable.Row) -> [TermsRule] {
    guard let hold = Hold(rawValue: row.text(7)) else {
      preconditionFailure("\(row.place): holds is always, accepted or shown")
    }
    guard let rate = row.percentage(6) else { preconditionFailure("\(row.place): no commission") }
    let days = row.days(4)
    return row.text(3).split(separator: " ").map { name in
      guard let commissionClass = CommissionClass(rawValue: String(name)) else {
        preconditionFailure("\(row.place): no such class")
      }
      return TermsRule(
        name: row.text(0), storefronts: storefronts(row.text(1), row.place),
        platforms: platforms(row.text(2), row.place), commissionClass: commissionClass, days: days,
        rate: rate, hold: hold, line: row.line)
    }
  }

  /// The storefronts that a text names, by codes or as a group; nil is all, `*`.
  ///
  /// - Parameter place: where the text stands, for the program's error.
  private static func storefronts(_ text: String, _ place: String) -> Set<Storefront>? {
    if text == "*" { return nil }
    if let group = TermsArea(rawValue: text) { return group.storefronts }
    let codes = text.split(separator: " ")
    let known = Set(codes.compactMap { Storefront($0) })
    precondition(known.count == codes.count, "\(place): not storefronts")
    return known
  }

  /// The platforms that a text names; nil is all, `*`.
  ///
  /// - Parameter place: where the text stands, for the program's error.
  private static func platforms(_ text: String, _ place: String) -> Set<Platform>? {
    if text == "*" { return nil }
    let names = text.split(separator: " ")
    let known = Set(names.compactMap { Platform(rawValue: String($0)) })
    precondition(known.count == names.count, "\(place): not platforms")
    return known
  }

  /// The company's own terms as a rule that needs no agreement. Whoever read them has refused
  /// unknown places, platforms and classes.
  fileprivate init(_ company: CompanyCommission) {
    name = company.name
    storefronts = Self.storefronts(company.place, company.name)
    platforms = Self.platforms(company.platforms.isEmpty ? "*" : company.platforms, company.name)
    guard let known = CommissionClass(rawValue: company.commissionClass) else {
      preconditionFailure("\(company.name): no such class")
    }
    commissionClass = known
    days = DayRange(from: company.effectiveFrom, to: company.effectiveTo)
    rate = company.rate
    hold = .always
    line = nil
  }
}
