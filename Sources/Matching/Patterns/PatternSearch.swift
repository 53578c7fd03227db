package import Billing
package import Conclusions

/// Looks for what many findings of one code have in common beyond chance.
///
/// For each code, the least likely of all spans and values is told, then what is left without its
/// findings is looked at again; so a day is not told beside its hour. A day boundary comes first,
/// because it explains differences of several codes.
package struct PatternSearch {
  private let cases: [PatternCase]
  /// What each case is about, by position in the table; -1 where it names none. Every dimension
  /// asks for it, and cases are large.
  private let orderOf: [Int32]
  private let transactionOf: [Int32]
  private let orderFiles: [RowFile<OrderRow>]
  private let transactionFiles: [RowFile<TransactionRow>]
  let table: MatchTable
  let reports: SalesReports
  let context: MatchingContext
  /// The cases of each code that patterns are looked for in.
  private var byCode: [FindingCode: [Int]] = [:]
  private var business: PatternBusiness
  /// Searches by code and dimension, each with what was left after another: what is found in one of
  /// many is less surprising.
  private var searches = 1
  /// Of codes that were asked for users, what their cases share, and who may be a ring.
  private var users: [FindingCode: (values: SharedValue, ring: SharedRing)] = [:]
  /// The cases of products under several SKUs.
  private var renamedCases: Set<Int> = []

  /// Prepares the search: codes with too few findings, and those of level 1 with more than half of
  /// all purchases, are left out.
  ///
  /// - Parameters:
  ///   - cases: in the order of the findings.
  ///   - orderFiles, transactionFiles: ascending by first row.
  ///   - countedFiles: by kind, the files that purchases which Spark counted are added to: those
  ///     with the rows handed over beside them; empty where it counted none.
  ///   - traces: what the company's log says of purchases; nil where none is loaded.
  package init(
    _ cases: [PatternCase], _ table: MatchTable, _ reports: SalesReports,
    orderFiles: [RowFile<OrderRow>], transactionFiles: [RowFile<TransactionRow>],
    countedFiles: [InputKind: String] = [:], traces: EventTraces?, _ context: MatchingContext
  ) {
    self.cases = cases
    orderOf = cases.indices.map { cases[$0].order }
    transactionOf = cases.indices.map { cases[$0].transaction }
    (self.orderFiles, self.transactionFiles) = (orderFiles, transactionFiles)
    self.table = table
    self.reports = reports
    self.context = context
    for index in cases.indices { byCode[cases[index].code, default: []].append(index) }
    // What most purchases have in common says nothing of a cause: they share it without one.
    let most = (table.transactions.count + Int(table.counts.count)) / 2
    byCode = byCode.filter { code, members in
      members.count >= Rules.patternFindings && (code.level != 1 || members.count <= most)
    }
    business = PatternBusiness(
      table, reports, orderFiles: orderFiles, transactionFiles: transactionFiles,
      countedFiles: countedFiles,
      events: byCode.isEmpty ? nil : traces.map { EventBusiness($0, table, context) }, context)
    searches = max(1, 2 * byCode.keys.reduce(0) { $0 + (plan($1)?.dimensions.count ?? 0) })
  }

  /// What is looked for in findings of a code; nil where nothing is.
  private func plan(_ code: FindingCode) -> PatternPlan? {
    PatternPlan(code, events: business.events != nil)
  }

  /// Whether there are too few findings of every code.
  package var isEmpty: Bool { byCode.isEmpty }

  /// Users behind enough findings of a code that it matters how many orders they have, ascending.
  package mutating func usersAsked() -> [String] {
    var asked: Set<String> = []
    for (code, members) in byCode where plan(code)?.dimensions.contains(.user) == true {
      let values = shared(.user, members, of: code)
      let ring = ring(members, of: code, all: members.count)
      users[code] = (values, ring)
      asked.formUnion(values.candidates)
      asked.formUnion(ring.candidates)
    }
    return asked.sorted()
  }

  /// The patterns, the rarest first.
  ///
  /// - Parameter rows: orders of the period by each of `usersAsked`.
  package mutating func patterns(ordersByUser rows: [String: Int]) -> [Pattern] {
    business.ordersByUser = rows
    let totals = byCode.mapValues(\.count)
    var found = renamed()
    found += boundaries()
    for code in FindingCode.allCases {
      guard let members = byCode[code], let all = totals[code], let plan = plan(code)
      else { continue }
      found += causes(members, of: code, plan, total: all)
    }
    return found.sorted { left, right in
      if left.rarity != right.rarity { return left.rarity > right.rarity }
      if left.count != right.count { return left.count > right.count }
      return left.findingIDs.lexicographicallyPrecedes(right.findingIDs)
    }
  }

  /// The patterns of a code, found one cause after the other. Findings that are left after a cause
  /// are held against the business without what lies in that cause; where it is not known what
  /// does, against all business, and as a part of all findings.
  ///
  /// - Parameters:
  ///   - members: indices of the code's cases.
  ///   - total: how many findings the code has.
  private mutating func causes(
    _ members: [Int], of code: FindingCode, _ plan: PatternPlan, total: Int
  ) -> [Pattern] {
    var (found, rest, all) = ([Pattern](), members, total)
    var whole: PatternBusiness?
    var isTold = code.level == 1
    while let trait = rarest(of: rest, of: code, plan, Findings(all: all, total: total)) {
      let base = business.side(trait.dimension, plan.base)
      found.append(pattern(trait, [code], base, total: total))
      rest.removeAll(where: Set(trait.cases).contains)
      whole = whole ?? business
      if isTold, let beside = business.without(trait, plan.base) {
        (business, all) = (beside, rest.count)
      } else {
        isTold = false
        (business, all) = (whole!, total)
      }
    }
    if let whole { business = whole }
    return found
  }

  /// How many findings of a code there are.
  private struct Findings {
    /// Those that what is looked at is a part of.
    var all: Int
    /// Those of the period: a cause has a part of these.
    var total: Int
  }

  /// What cases of a code share that is least likely by chance; nil where nothing is unlikely
  /// enough.
  ///
  /// - Parameters:
  ///   - members: indices of the cases.
  ///   - findings: how many findings the code has.
  private mutating func rarest(
    of members: [Int], of code: FindingCode, _ plan: PatternPlan, _ findings: Findings
  ) -> SharedTrait? {
    // What has too small a part of all findings is no cause, whatever business it is held against.
    let fewest = findings.total / max(Rules.patternPart, Rules.unevenPart)
    guard members.count >= max(Rules.patternFindings, fewest) else { return nil }
    var best: SharedTrait?
    for dimension in plan.dimensions {
      guard let trait = trait(dimension, members, of: code, plan, findings) else { continue }
      let isUneven = Self.uneven.contains(dimension) && 2 * trait.cases.count < findings.total
      if isUneven, rarity(trait) < Rules.unevenRarity { continue }
      if trait.chance < best?.chance ?? 0 { best = trait }
    }
    return best.flatMap { rarity($0) >= Rules.patternRarity ? $0 : nil }
  }

  /// Where and what is sold is too uneven for a few findings to say anything.
  private static let uneven: [Pattern.Dimension] = [.storefront, .product]

  /// How rare a trait is by chance, in powers of ten (6 is one in a million), after allowing for
  /// the number of searches.
  private func rarity(_ trait: SharedTrait) -> Int {
    Chance.rarity(log: trait.chance + naturalLog(Double(searches)))
  }

  /// What cases of a code share of one dimension that is least likely by chance; nil where nothing
  /// stands out.
  ///
  /// - Parameter findings: of the code, of which `members` are those that nothing explains yet.
  private mutating func trait(
    _ dimension: Pattern.Dimension, _ members: [Int], of code: FindingCode, _ plan: PatternPlan,
    _ findings: Findings
  ) -> SharedTrait? {
    let (all, fewest) = (findings.all, findings.total / Rules.patternPart)
    switch dimension {
    case .time, .hours:
      let counts = business.counts(of: plan.base)
      // Of so few refunds nobody knows how they divide over the hours and days.
      if plan.base == .refunds, counts.total - all < Rules.fewestRefunds { return nil }
      let moments = members.compactMap { index in
        moment(ofCase: index, plan.base).map { (at: $0, index: index) }
      }
      return dimension == .time
        ? SharedSpan(moments, counts, of: all, fewest: fewest).trait()
        : SharedHours(moments, counts, context, of: all, fewest: fewest).trait()
    case .day:
      let days = members.compactMap { index in
        cases[index].day.map { (day: $0, index: index) }
      }
      return SharedDays(
        days, business.reported(code), period: context.period, of: all, fewest: fewest
      ).trait()
    case .user:
      return shared(.user, members, of: code, all: all, fewest: fewest).trait { user, hits, of in
        business.share(ofUsers: [user], hits: hits, of: of, plan.base)
      }
    case .ring:
      let orders = business.orderCount()
      return ring(members, of: code, all: all, fewest: fewest).trait(orders: orders) {
        users, hits, of in
        business.share(ofUsers: users, hits: hits, of: of, plan.base)
      }
    default:
      let part = Self.uneven.contains(dimension) ? Rules.unevenPart : Rules.patternPart
      let shared = shared(
        dimension, members, of: code, all: all, fewest: findings.total / part)
      if shared.candidates.isEmpty { return nil }
      var told = 0
      var trait = shared.trait {
        told = $2
        return business.share(dimension, $0, of: code, plan.base, hits: $1, of: $2)
      }
      if let found = trait,
        let share = business.toldShare(
          dimension, found.value, of: code, plan.base, hits: found.cases.count, of: told)
      {
        trait?.share = share
      }
      return trait
    }
  }

  /// The position of the order that a case is about; nil where it names none.
  private func order(_ index: Int) -> Int? { orderOf[index] < 0 ? nil : Int(orderOf[index]) }

  /// The position of the transaction that a case is about; nil where it names none.
  private func transaction(_ index: Int) -> Int? {
    transactionOf[index] < 0 ? nil : Int(transactionOf[index])
  }

  /// When the order of a case was placed, its transaction bought or, among refunds, taken back, in
  /// seconds since 1970; nil where it has none.
  private func moment(ofCase index: Int, _ base: Pattern.Base) -> Int64? {
    if base == .orders { return order(index).map { Int64(table.orders[$0].placedAt) } }
    guard let entry = transaction(index).map({ table.transactions[$0] }) else { return nil }
    if base != .refunds { return Int64(entry.purchasedAt) }
    return entry.revokedAt == 0 ? nil : Int64(entry.revokedAt)
  }

  /// Gathers the users of cases of a code, to find a ring among them.
  ///
  /// - Parameters:
  ///   - members: indices of the cases.
  ///   - all: cases with those that another pattern explains.
  ///   - fewest: cases that a ring has to have; nil for the usual part of all.
  private func ring(
    _ members: [Int], of code: FindingCode, all: Int, fewest: Int? = nil
  ) -> SharedRing {
    if members.count == byCode[code]?.count, let known = users[code] { return known.ring }
    return SharedRing(
      members.map { (index: $0, users: cases[$0].users, day: cases[$0].day) }, of: all,
      fewest: fewest ?? all / Rules.patternPart)
  }

  /// Gathers the values of a dimension that cases of a code tell.
  ///
  /// - Parameters:
  ///   - members: indices of the cases.
  ///   - all: how many cases there are with those that another pattern explains.
  ///   - fewest: cases that have to share a value; nil for the usual part of these.
  private func shared(
    _ dimension: Pattern.Dimension, _ members: [Int], of code: FindingCode, all: Int = 0,
    fewest: Int? = nil
  ) -> SharedValue {
    if dimension == .user, members.count == byCode[code]?.count, let known = users[code] {
      return known.values
    }
    let base = plan(code)?.base ?? .orders
    let level = code.level
    let devices = dimension == .device && level == 2 ? reportedDevices(members) : [:]
    var shared = SharedValue(
      dimension, explained: max(all - members.count, 0),
      fewest: fewest ?? members.count / Rules.patternPart)
    for index in members {
      switch dimension {
      case .user: cases[index].users.forEach { shared.add($0) }
      case .file where base == .orders:
        for row in cases[index].orders { shared.add(orderFiles.name(of: row)) }
      case .file:
        for row in cases[index].transactions {
          shared.add(transactionFiles.name(of: row))
        }
      case .storefront where level == 2:
        shared.add(cases[index].storefront?.code ?? "")
      case .product where level == 2: shared.add(cases[index].sku ?? "")
      case .device where level == 2:
        for row in cases[index].sales { shared.add(devices[row] ?? "") }
      case _ where level == 1 && business.events?.tells(dimension) == true:
        business.events?.texts(dimension, order: order(index), transaction: transaction(index))
          .forEach { shared.add($0) }
      default:
        shared.add(
          business.text(dimension, order: order(index), transaction: transaction(index), base))
      }
      shared.end(index)
    }
    return shared
  }

  /// The devices of the rows of Apple's sales reports that show some cases, by row.
  ///
  /// - Parameter members: indices of the cases.
  private func reportedDevices(_ members: [Int]) -> [SalesRow.ID: String] {
    reports.devices(of: Set(members.flatMap { cases[$0].sales }))
  }
}

extension PatternSearch {
  /// Patterns of products under several SKUs; their differences are then explained. An Apple
  /// Identifier proves it: as many digits as it has, so rarely are two alike.
  private mutating func renamed() -> [Pattern] {
    let all = cases.indices.filter { RenamedProducts.codes.contains(cases[$0].code) }
    let products = RenamedProducts(
      all.map { (index: $0, finding: cases[$0]) }, reports.facts, context.catalogue)
    return products.renamings.filter { $0.cases.count >= Rules.patternFindings }.map { renaming in
      let codes = RenamedProducts.codes.filter { code in
        renaming.cases.contains { cases[$0].code == code }
      }
      let share = renaming.news.reduce(0.0) {
        $0 + (business.toldShare(.product, $1, of: .unknownSKU, .units) ?? 0)
      }
      let trait = SharedTrait(
        dimension: .renamed,
        value: ([renaming.old] + renaming.news).joined(separator: " = "),
        cases: renaming.cases, share: share, chance: 0)
      var pattern = pattern(
        trait, codes, .units, total: all.count { codes.contains(cases[$0].code) })
      pattern.rarity = renaming.identifier.count
      renamedCases.formUnion(renaming.cases)
      for code in codes { byCode[code]?.removeAll(where: renamedCases.contains) }
      return pattern
    }
  }

  /// Patterns of storefronts whose units stand on neighbouring days; their differences are then
  /// explained.
  private mutating func boundaries() -> [Pattern] {
    let members = cases.indices.filter { index in
      SharedBoundary.codes.contains(cases[index].code) && !renamedCases.contains(index)
    }
    guard members.count >= Rules.patternFindings else { return [] }
    let allMoved = members.count { SharedBoundary.moves.contains(cases[$0].code) }
    let byStorefront = Dictionary(grouping: members) { cases[$0].storefront }
    var found: [Pattern] = []
    for (storefront, own) in byStorefront.sorted(by: { ($0.key?.code ?? "") < ($1.key?.code ?? "") }
    ) {
      guard let storefront, own.count >= Rules.patternFindings else { continue }
      let boundary = SharedBoundary(
        storefront, own.map { (index: $0, finding: cases[$0]) }, period: context.period)
      let share = business.share(.storefront, storefront.code, of: .timing, .units) ?? 1
      guard
        let trait = boundary.trait(
          allMoved: allMoved, share: share, storefronts: byStorefront.count),
        Chance.rarity(log: trait.chance) >= Rules.patternRarity
      else { continue }
      let codes = SharedBoundary.codes.filter { code in
        trait.cases.contains { cases[$0].code == code }
      }
      var boundaryPattern = pattern(trait, codes, .days, total: own.count)
      // Only storefronts were looked at.
      boundaryPattern.rarity = Chance.rarity(log: trait.chance)
      found.append(boundaryPattern)
      for code in SharedBoundary.codes {
        byCode[code]?.removeAll(where: Set(trait.cases).contains)
      }
    }
    return found
  }

  /// Makes the pattern of a trait, with the amounts and units that its findings come to.
  ///
  /// - Parameters:
  ///   - codes: the codes of its findings.
  ///   - base: what its share is a part of.
  ///   - total: findings of the codes in all.
  private func pattern(
    _ trait: SharedTrait, _ codes: [FindingCode], _ base: Pattern.Base, total: Int
  ) -> Pattern {
    // Asked where they stand: a copy of each would cost more than what is asked of it.
    var (amounts, units): ([Currency: Int64], Int64) = ([:], 0)
    for index in trait.cases {
      units += abs(cases[index].units ?? 0)
      guard let currency = cases[index].currency, let amount = cases[index].amount
      else { continue }
      amounts[currency, default: 0] += amount
    }
    return Pattern(
      codes: codes, dimension: trait.dimension, value: trait.value, users: trait.users,
      span: trait.span,
      days: trait.days ?? (trait.span == nil ? onset(trait.cases) : nil),
      count: trait.cases.count, total: total,
      findingIDs: trait.cases.map { cases[$0].id },
      baseShare: min(Int64((trait.share * 1_000_000).rounded(.up)), 1_000_000), base: base,
      rarity: rarity(trait), units: units,
      amounts: amounts.sorted { $0.key < $1.key }.map { Money(micros: $0.value, $0.key) })
  }

  /// From the day of the first of some cases to the last one's, where so many would hardly fall
  /// between them by chance; else nil.
  ///
  /// - Parameter indices: of the cases.
  private func onset(_ indices: [Int]) -> ClosedRange<Day>? {
    let days = indices.compactMap { cases[$0].day }.filter(context.period.contains)
    guard days.count > 2, let first = days.min(), let last = days.max() else { return nil }
    let part = Double(first.distance(to: last) + 1) / Double(context.period.dayCount)
    // Two of them are the ends, wherever these lie.
    let ways = naturalLog(Double(days.count)) + naturalLog(Double(days.count - 1))
    let chance = Double(days.count - 2) * naturalLog(part) + ways
    return Chance.rarity(log: min(chance, 0)) >= Rules.onsetRarity ? first...last : nil
  }
}
