import Billing
import Conclusions

/// Purchases without an order and orders without a purchase that say nothing one by one, because so
/// many stand alone that matching failed as a whole, or because the other side has no row there.
struct UnmetSides {
  private var purchases = 0
  private var orders = 0
  /// Pairs of the period.
  private var met = 0
  /// Whether matching failed as a whole.
  private(set) var isWhole = false
  /// Whether no user of an order is among those of transactions.
  var hasUsersApart = false
  private var hasOrders = false
  private var hasTransactions = false
  private var storefronts: Set<Storefront> = []
  /// The first and the last moment of either side; empty where it has too few alone outside.
  private var orderSpan: ClosedRange<UInt32>?
  private var purchaseSpan: ClosedRange<UInt32>?
  private var days: Set<Day> = []

  /// Both sides meet: no finding follows from that.
  init() {}

  /// Finds out whether a side is not loaded, as a whole, in storefronts or in a span of time.
  ///
  /// - Parameter findings: of level 1.
  init(_ findings: [UnresolvedFinding], _ table: MatchTable, _ context: MatchingContext) {
    let alone = findings.filter(Self.isAlone)
    guard alone.count >= Rules.gapFindings else { return }
    purchases = alone.count { $0.code == .transactionWithoutOrder }
    orders = alone.count - purchases
    let sold = countMet(table, BusinessDays(context))
    let ordered = measure(table)
    isWhole =
      [purchases, orders].contains { $0 >= Rules.standAlone && $0 > met }
      || (purchases >= Rules.gapFindings && !hasOrders)
      || (orders >= Rules.gapFindings && !hasTransactions)
    if isWhole { return }
    findStorefronts(alone, without: sold.union(ordered))
    keepSpans(alone, table)
    let covered = alone.filter { covers($0, table) }
    purchases = covered.count { $0.code == .transactionWithoutOrder }
    orders = covered.count - purchases
    days = Set(covered.compactMap(\.day))
  }

  /// Whether a finding is about a purchase without an order, or an order without a purchase.
  private static func isAlone(_ finding: UnresolvedFinding) -> Bool {
    switch finding.code {
    case .transactionWithoutOrder: true
    case .orderWithoutTransaction: finding.transaction == nil
    default: false
    }
  }

  /// Adds up in `met` the period's purchases that have an order; returns the storefronts of all
  /// purchases that have one.
  private mutating func countMet(_ table: MatchTable, _ days: BusinessDays) -> Set<Storefront> {
    var isSold = [Bool](repeating: false, count: table.transactionTerms.count)
    hasTransactions = !table.counts.sold.isEmpty || !table.transactions.isEmpty
    for sold in table.counts.sold {
      isSold[Int(sold.transaction)] = true
      if days.index(sold.at) >= 0 { met += Int(sold.count) }
    }
    for (index, entry) in table.transactions.enumerated() where table.orderOf[index].isMatched {
      isSold[Int(entry.terms)] = true
      if days.index(entry.purchasedAt) >= 0 { met += 1 }
    }
    return Set(
      isSold.indices.filter { isSold[$0] }.compactMap { table.transactionTerms[$0].storefront })
  }

  /// Finds the first and the last moment of both sides; returns the storefronts of orders.
  private mutating func measure(_ table: MatchTable) -> Set<Storefront> {
    var isOrdered = [Bool](repeating: false, count: table.orderTerms.count)
    for entry in table.orders where table.isApple[Int(entry.terms)] {
      isOrdered[Int(entry.terms)] = true
      if table.purchases.contains(entry.placedAt) { orderSpan.widen(to: entry.placedAt) }
    }
    for entry in table.transactions where table.purchases.contains(entry.purchasedAt) {
      purchaseSpan.widen(to: entry.purchasedAt)
    }
    for sold in table.counts.sold { isOrdered[Int(sold.order)] = true }
    orderSpan.widen(over: table.counts.placed)
    purchaseSpan.widen(over: table.counts.bought)
    hasOrders = isOrdered.contains(true)
    return Set(
      isOrdered.indices.filter { isOrdered[$0] }.compactMap { table.orderTerms[$0].storefront })
  }

  /// Notes the storefronts whose orders are not loaded: those with purchases, but with no order and
  /// no pair. It notes none unless one of them has enough purchases to show that; then the others'
  /// orders are not loaded either.
  ///
  /// - Parameters:
  ///   - alone: findings of what has no other side.
  ///   - known: storefronts that have orders or pairs.
  private mutating func findStorefronts(
    _ alone: [UnresolvedFinding], without known: Set<Storefront>
  ) {
    var counts: [Storefront: Int] = [:]
    for finding in alone where finding.code == .transactionWithoutOrder {
      if let storefront = finding.storefront { counts[storefront, default: 0] += 1 }
    }
    for storefront in known { counts[storefront] = nil }
    if counts.values.contains(where: { $0 >= Rules.standAlone }) { storefronts = Set(counts.keys) }
  }

  /// Forgets the span of a side that has few findings outside: a few outside the other side's rows
  /// may be anything.
  ///
  /// - Parameter alone: findings of what has no other side.
  private mutating func keepSpans(_ alone: [UnresolvedFinding], _ table: MatchTable) {
    let outside = alone.filter { isOutside($0, table) }
    let sold = outside.count { $0.code == .transactionWithoutOrder }
    if sold < Rules.gapFindings { orderSpan = nil }
    if outside.count - sold < Rules.gapFindings { purchaseSpan = nil }
  }

  /// Whether the purchase or order of a finding was made outside the span of time of the other
  /// side's rows; false where no such span is kept.
  private func isOutside(_ finding: UnresolvedFinding, _ table: MatchTable) -> Bool {
    if finding.code == .transactionWithoutOrder {
      guard let orderSpan, let sold = finding.transaction else { return false }
      return !orderSpan.contains(table.transactions[sold].purchasedAt)
    }
    guard let purchaseSpan, let order = finding.order else { return false }
    return !purchaseSpan.contains(table.orders[order].placedAt)
  }

  /// Whether a finding only shows that the other side is not loaded, and is no fault of its own.
  func covers(_ finding: UnresolvedFinding, _ table: MatchTable) -> Bool {
    guard Self.isAlone(finding) else { return false }
    if isWhole { return true }
    if finding.code == .transactionWithoutOrder, let storefront = finding.storefront,
      storefronts.contains(storefront)
    {
      return true
    }
    return isOutside(finding, table)
  }

  // MARK: What is said of it

  /// Says which side is not loaded, or that both hardly meet, and how many stand alone.
  var words: Wording {
    let sold = counted(purchases, "@import.1-purchase") { "@import.purchases \($0)" }
    let ordered = counted(orders, "@shared.1-order") { "@shared.orders-2 \($0)" }
    if isWhole, !hasOrders { return "@transaction-without-order.no-orders-are-loaded \(sold)" }
    if isWhole, !hasTransactions {
      return "@transaction-without-order.no-transactions-are-loaded \(ordered)"
    }
    let pairs = counted(met, "@transaction-without-order.1-pair") {
      "@transaction-without-order.pairs \($0)"
    }
    return isWhole
      ? """
      @transaction-without-order.orders-and-transactions-hardly-meet \(sold) \(ordered) \
      \(pairs)
      """
      : "@transaction-without-order.without-an-order-and-without \(sold) \(ordered)"
  }

  /// Which side is missing and where, for the list of what figures rest on.
  var absence: Absence {
    if isWhole {
      var absence = Absence(.matching, count: purchases + orders, of: purchases + orders + met)
      if hasUsersApart { absence.names = ["user_id"] }
      return absence
    }
    var absence = Absence(.sides, count: purchases + orders)
    absence.names = storefronts.map(\.code).sorted()
    absence.days = days.sorted()
    return absence
  }
}

extension ClosedRange<UInt32>? {
  /// Widens the span to moments that are counted by the minute: to the end of the last one.
  fileprivate mutating func widen(over moments: [PurchaseCounts.Moment]) {
    guard let first = moments.map(\.at).min(), let last = moments.map(\.at).max() else { return }
    widen(to: first)
    widen(to: last + 59)
  }

  /// Widens the span to a moment; a span of nothing becomes that moment.
  fileprivate mutating func widen(to moment: UInt32) {
    self = self.map { min($0.lowerBound, moment)...max($0.upperBound, moment) } ?? moment...moment
  }
}
