import Billing
import Ledger
import Matching

extension StoryDesk {
  func story(order id: String, _ rows: [RowID]) throws -> Explanation {
    let scene = try Scene(self, orders: rows)
    let order = scene.trace.order(row: rows[0])!
    let terms = scene.trace.terms(ofOrder: order)
    let transactions = scene.trace.transactions(of: order)
    let sold = scene.trace.sold(order: order)
    let status = terms.status.words
    var story = Explanation(
      .order, id,
      sold.storefront.map {
        """
        order \(id): \(sold.quantity) × \(sold.sku) for \(spoken(sold.gross, sold.currency)) in \
        \($0), \(status)
        """
      } ?? """
        order \(id): \(sold.quantity) × \(sold.sku) for \(spoken(sold.gross, sold.currency)), \
        \(status)
        """)
    let told = Array(transactions.prefix(Self.toldLimit))
    try tell(&story, scene, orders: [order], transactions: told)
    story.untold = transactions.count - told.count
    story.decisions = [scene.decision(order: order)] + rivals(of: order, scene)
    let bought = told.first { scene.trace.owner(of: $0)?.route != .chain }
    let priced = bought.map { scene.trace.sold(transaction: $0) } ?? sold
    let at = bought.map(scene.purchasedAt) ?? scene.placedAt(order)
    story.prices = [try check(priced, at)].compactMap(\.self)
    try conclude(&story, scene, [order], told, at: at)
    return story
  }

  func story(transaction id: String, _ rows: [RowID]) throws -> Explanation {
    let scene = try Scene(self, transactions: rows)
    let transaction = scene.trace.transaction(row: rows[0])!
    let orders = scene.trace.owner(of: transaction).map { [$0.order] } ?? []
    let sold = scene.trace.sold(transaction: transaction)
    let at = scene.purchasedAt(transaction)
    var story = Explanation(
      .transaction, id,
      sold.storefront.map {
        """
        transaction \(id): \(sold.quantity) × \(sold.sku) for \(spoken(sold.gross, sold.currency)) \
        in \($0), bought at \(at)
        """
      } ?? """
        transaction \(id): \(sold.quantity) × \(sold.sku) for \
        \(spoken(sold.gross, sold.currency)), bought at \(at)
        """)
    try tell(&story, scene, orders: orders, transactions: [transaction])
    story.decisions = [scene.decision(transaction: transaction)]
    story.prices = [try check(sold, at)].compactMap(\.self)
    try conclude(&story, scene, orders, [transaction], at: at)
    return story
  }

  /// The story of a subscription, or of a purchase with its restores: `rows` are the chain's.
  func story(chain id: String, _ rows: [RowID]) throws -> Explanation {
    let scene = try Scene(self, transactions: rows)
    let members = Set(rows.compactMap { scene.trace.transaction(row: $0) })
      .sorted { (scene.purchasedAt($0), $0) < (scene.purchasedAt($1), $1) }
    let orders = Set(members.compactMap { scene.trace.owner(of: $0)?.order }).sorted()
    let (first, last) = (scene.purchasedAt(members[0]), scene.purchasedAt(members.last!))
    let sku = scene.trace.terms(ofTransaction: members[0]).sku
    var story = Explanation(
      .originalTransaction, id,
      """
      original transaction \(id): \(members.count) transactions of \(sku), from \(first) to \(last)
      """)
    let told = members.prefix(Self.toldLimit)
    try tell(&story, scene, orders: orders, transactions: Array(told))
    story.untold = members.count - told.count
    story.decisions = told.map { scene.decision(transaction: $0) }
    story.prices = [try check(scene.trace.sold(transaction: members[0]), first)]
      .compactMap(\.self)
    try conclude(&story, scene, orders, Array(told), at: first)
    return story
  }

  func story(user id: String, _ rows: UserRows) throws -> Explanation {
    let scene = try Scene(
      self, orders: rows.orders.suffix(Self.userLimit).map(\.self),
      transactions: rows.transactions.suffix(Self.userLimit).map(\.self))
    let named = Set(rows.orders.suffix(Self.userLimit).compactMap { scene.trace.order(row: $0) })
    let bought = Set(
      rows.transactions.suffix(Self.userLimit).compactMap { scene.trace.transaction(row: $0) }
    ).union(named.flatMap { scene.trace.transactions(of: $0) })
    let orders = named.union(bought.compactMap { scene.trace.owner(of: $0)?.order })
    let latest = (
      orders: orders.sorted { scene.placedAt($0) > scene.placedAt($1) },
      transactions: bought.sorted { scene.purchasedAt($0) > scene.purchasedAt($1) }
    )
    var story = Explanation(
      .user, shown(user: id),
      """
      user \(shown(user: id)): \(orders.count) orders, \(bought.count) transactions and \
      \(rows.messages.count) records of Apple's
      """)
    let told = (
      orders: Array(latest.orders.prefix(Self.toldLimit)),
      transactions: Array(latest.transactions.prefix(Self.toldLimit))
    )
    try tell(&story, scene, orders: told.orders, transactions: told.transactions)
    story.untold =
      orders.count + bought.count - told.orders.count - told.transactions.count
    let alone = latest.orders.filter { scene.trace.transactions(of: $0).isEmpty }
    let unclaimed = latest.transactions.filter { scene.trace.owner(of: $0) == nil }
    story.decisions =
      alone.prefix(Self.shownLimit).map { scene.decision(order: $0) }
      + unclaimed.prefix(Self.shownLimit).map { scene.decision(transaction: $0) }
    try conclude(
      &story, scene, latest.orders, latest.transactions,
      at: latest.orders.first.map(scene.placedAt)
        ?? latest.transactions.first.map(
          scene.purchasedAt))
    if rows.orders.count > Self.userLimit || rows.transactions.count > Self.userLimit {
      story.notes.append("only the last \(Self.userLimit) orders and transactions were looked at")
    }
    return story
  }

  /// Orders and transactions of a user that are looked at.
  private static let userLimit = 500

  /// Where another order keeps the transaction that this one claims, how that came about.
  private func rivals(of order: Int, _ scene: Scene) -> [ClaimDecision] {
    scene.trace.lost(by: order).map { [scene.decision(transaction: $0)] } ?? []
  }

  private func check(_ sold: SoldTerms, _ at: Instant) throws -> PriceCheck? {
    guard let storefront = sold.storefront else { return nil }
    return priceCheck(sold, on: try reportDay(of: at, in: storefront).0)
  }

  /// Adds what happened, and the rows that tell it.
  func tell(
    _ story: inout Explanation, _ scene: Scene, orders: [Int], transactions: [Int]
  ) throws {
    let timeline = try Timeline(scene, orders: orders, transactions: transactions)
    story.timeline = timeline.events
    if timeline.hasAssumedBoundary {
      story.notes.append(
        """
        where Apple's day begins is not known before the month is reconciled; Pacific time stands \
        in for it
        """)
    }
    let orderRows = orders.flatMap { scene.trace.rows(ofOrder: $0) }
    let transactionRows = transactions.flatMap { scene.trace.rows(ofTransaction: $0) }
    let (shownOrders, shownTransactions) = (
      orderRows.prefix(Self.evidenceLimit), transactionRows.prefix(Self.evidenceLimit)
    )
    story.evidence += try factRows(Array(shownOrders), of: .orders)
    story.evidence += try factRows(Array(shownTransactions), of: .transactions)
    story.furtherEvidence +=
      orderRows.count + transactionRows.count - shownOrders.count - shownTransactions.count
  }

  /// Adds the findings that touch the rows, and what to do next.
  private func conclude(
    _ story: inout Explanation, _ scene: Scene, _ orders: [Int], _ transactions: [Int],
    at moment: Instant?
  ) throws {
    let related = try ledger.findings(
      touchingOrders: orders.map { scene.resolved(order: $0).id },
      transactions: transactions.map { scene.resolved(transaction: $0).id }
    ).map(\.finding)
    story.related = Array(related.prefix(Self.shownLimit))
    story.furtherRelated = related.count - story.related.count
    var seen: Set<Wording> = []
    story.next = related.map(\.action).filter { seen.insert($0).inserted }
    let day = moment?.day()
    if let day, try !ledger.hasRecordedRun(on: day) {
      story.notes.append(unrecorded(day))
      story.next.append(
        """
        reconcile the month, tieout reconcile --period \(period(of: day)), to have its findings \
        beside this
        """)
    } else if related.isEmpty {
      story.next.append("nothing: no finding of the last reconciliation touches it")
    }
  }

  /// What to say where no findings are recorded.
  func unrecorded(_ day: Day) -> Wording {
    "no reconciliation of \(period(of: day)) is recorded in this ledger, so findings are not told"
  }
}

extension OrderStatus {
  /// The status as a person reads it.
  var words: Wording {
    switch self {
    case .created: "created, not paid"
    case .paid: "paid, not fulfilled"
    case .fulfilled: "fulfilled"
    case .refunded: "refunded"
    case .cancelled: "cancelled"
    }
  }
}
