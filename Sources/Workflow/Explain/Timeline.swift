import Billing
import Ledger
import Matching

/// What happened to a few orders and transactions, put in order.
struct Timeline {
  private let evidence: MatchEvidence
  private let explainer: Explainer
  private(set) var events: [TimelineEvent] = []
  private var reportsRead: [ReportKey: MonthFacts] = [:]

  fileprivate struct ReportKey: Hashable {
    var sku: String
    var day: Day
  }

  /// Where Apple's day begins was not recorded, and Pacific time stood in.
  private(set) var hasAssumedBoundary = false

  init(_ evidence: MatchEvidence, orders: [Int], transactions: [Int]) throws {
    self.evidence = evidence
    explainer = evidence.explainer
    for order in orders { try add(order: order) }
    for transaction in transactions { try add(transaction: transaction) }
    try addLogged(orders, transactions)
    events.sort {
      let (a, b) = ($0.source, $1.source)
      if $0.order != $1.order { return $0.order < $1.order }
      if $0.what != $1.what { return $0.what.place < $1.what.place }
      if $0.step != $1.step { return $0.step < $1.step }
      return (a?.file ?? "", a?.line ?? 0, $0.text.english)
        < (b?.file ?? "", b?.line ?? 0, $1.text.english)
    }
  }

  /// - Parameter purchase: when Apple sold it, which clocks that differ a little from Apple's tell
  ///   before its order, or after what followed from it.
  private mutating func add(
    _ what: TimelineEvent.What, _ row: FactRow, _ column: String, _ text: Wording,
    around purchase: Instant? = nil
  ) {
    guard let moment = row[column].flatMap({ Instant(view: $0) }) else { return }
    add(what, .moment(moment), text, row, at: Self.order(of: what, moment, purchase))
  }

  /// Where an event stands: an order beside the purchase that came before it, and what followed
  /// beside the purchase that came after it, within what clocks differ.
  private static func order(
    of what: TimelineEvent.What, _ moment: Instant, _ purchase: Instant?
  ) -> Int64 {
    guard let purchase, abs(purchase.seconds - moment.seconds) <= Rules.clockTolerance else {
      return moment.seconds
    }
    switch what {
    case .placed: return min(moment.seconds, purchase.seconds)
    case .told, .fulfilled, .refunded: return max(moment.seconds, purchase.seconds)
    default: return moment.seconds
    }
  }

  private mutating func add(
    _ what: TimelineEvent.What, _ when: TimelineEvent.When, _ text: Wording, _ row: FactRow?,
    at order: Int64, step: Int = 0
  ) {
    let event = TimelineEvent(
      what: what, when: when, text: text, source: row?.source, kind: row?.kind,
      factSource: row?["witness"].flatMap { FactSource(name: $0) }, order: order, step: step)
    // Several files tell of the same step of an order: the first tells it.
    let isTold = events.contains {
      $0.what == what && $0.when == when && $0.text == text
        && (what != .told || $0.source == event.source)
    }
    if !isTold { events.append(event) }
  }

  private mutating func add(order: Int) throws {
    let id = evidence.resolved(order: order).id
    let purchase = evidence.matched.transactions(of: order).first.map(evidence.purchasedAt)
    for row in try explainer.factRows(evidence.table.rows(ofOrder: order), of: .orders) {
      let goods = Self.goods(row)
      add(.placed, row, "placed_at", "order \(id) placed: \(goods)", around: purchase)
      add(.paid, row, "paid_at", "order \(id) paid, according to the company's record")
      add(.fulfilled, row, "fulfilled_at", "order \(id) fulfilled", around: purchase)
    }
  }

  /// `2 × gems.60 for 6.00 CNY each`.
  private static func goods(_ row: FactRow) -> Wording {
    let (quantity, sku) = (row["quantity"] ?? "1", row["sku"] ?? "")
    guard let price = row["unit_price"].flatMap({ micros(decimal: $0) }) else {
      return "\(quantity) × \(sku)"
    }
    let each = spoken(price, row["currency"].flatMap { Currency($0) })
    return "\(quantity) × \(sku) at \(each)"
  }

  private mutating func add(transaction: Int) throws {
    let id = evidence.resolved(transaction: transaction).id
    let rows = try explainer.factRows(
      evidence.table.rows(ofTransaction: transaction), of: .transactions)
    let told = rows.filter(\.kind.isPurchases).map(\.source)
    let messages = try explainer.factRows(explainer.ledger.messages(at: told), of: .messages)
    let renewals = try explainer.factRows(explainer.ledger.renewals(at: told), of: .renewals)
    if let row = rows.first { addCharge(id, row, rows, transaction) }
    let purchase = evidence.purchasedAt(transaction)
    for row in rows { addObservation(id, row, messages, purchase) }
    let chain = rows.lazy.compactMap { $0["original_transaction_id"] }.first ?? id
    for row in renewals where row["original_transaction_id"] == chain { addRenewal(row) }
    if let row = rows.first(where: { $0["revoked_at"] != nil }) {
      add(
        .refunded, row, "revoked_at",
        evidence.revokedAt(transaction) == nil
          ? """
          \(Self.source(row)) says that Apple revoked transaction \(id), which does not count: no \
          signed source says so
          """ : "\(Self.revocation(id, row)), according to \(Self.source(row))")
    }
    try addReported(transaction, isRefund: false)
    if evidence.revokedAt(transaction) != nil { try addReported(transaction, isRefund: true) }
    guard rows.contains(where: { $0["expires_at"] != nil }) else { return }
    try addSubscriber(transaction, isRefund: false)
    if evidence.revokedAt(transaction) != nil { try addSubscriber(transaction, isRefund: true) }
  }

  /// Who told a row.
  private static func source(_ row: FactRow) -> Wording {
    let source = row["witness"].flatMap { FactSource(name: $0) } ?? .company
    return source.wording
  }

  private mutating func addCharge(
    _ id: String, _ row: FactRow, _ rows: [FactRow], _ transaction: Int
  ) {
    let goods = Self.goods(row)
    // The rows of a transaction begin with the strongest source.
    let source = Self.source(row)
    let text: Wording
    switch evidence.matched.unbillable(transaction) {
    case .sandbox: text = "Sandbox transaction \(id), in which no money moves: \(goods)"
    case .otherEnvironment:
      text = """
        transaction \(id) of an environment that is neither Production nor Sandbox, which does not \
        count as sold: \(goods)
        """
    case .familyShared: text = "transaction \(id) of Family Sharing, which costs nothing: \(goods)"
    case .assigned:
      text = "transaction \(id) of an assigned seat, which its buyer paid for: \(goods)"
    case .otherOwnership:
      text =
        "transaction \(id) of an unknown ownership type, which does not count as sold: \(goods)"
    case .component:
      text = "transaction \(id) of a part of a bundle, which was paid for as a whole: \(goods)"
    case .notSigned:
      text = "transaction \(id), which no signed source has and which does not count: \(goods)"
    case .otherBundle(let bundle):
      text = "Apple charged for another app, \(bundle) (transaction \(id)): \(goods)"
    case nil:
      text =
        row["is_trial"] == "1"
        ? "free trial began, according to \(source) (transaction \(id)): \(goods)"
        : "Apple charged for \(goods) (transaction \(id)), according to \(source)"
    }
    let beside = rows.lazy.map { $0.saidBeside }.first { !$0.isEmpty } ?? []
    add(
      .charged, row, "purchased_at",
      beside.isEmpty ? text : "\(text); \(beside.joined(separator: ", "))")
  }

  /// What Apple said of the subscription as a whole.
  private mutating func addRenewal(_ row: FactRow) {
    let said = row.saidOfSubscription
    if said.isEmpty { return }
    add(.told, row, "told_at", "Apple says of the subscription: \(said.joined(separator: ", "))")
  }

  private mutating func addObservation(
    _ id: String, _ row: FactRow, _ messages: [FactRow], _ purchase: Instant
  ) {
    guard let moment = row["told_at"].flatMap({ Instant(view: $0) }) else { return }
    let message = messages.first { $0.source == row.source }
    let type = message?["type"] ?? ""
    let text: Wording
    switch row.kind {
    case .receipts: text = "receipt with transaction \(id) received"
    case .notifications:
      text =
        message?["subtype"].map {
          """
          Apple sent a \(type) notification (\($0)) about transaction \(id)
          """
        }
        ?? "Apple sent a \(type) notification about transaction \(id)"
    default: text = "Apple's server answered with transaction \(id)"
    }
    let reason = message?["request_reason"].map { Wording(verbatim: $0) }
    add(
      .told, .moment(moment), reason.map { "\(text); the customer's reason: \($0)" } ?? text, row,
      at: Self.order(of: .told, moment, purchase))
  }

  private static func revocation(_ id: String, _ row: FactRow) -> Wording {
    let reason: Wording =
      row["revocation_reason"] == "1"
      ? "because of an issue in the app"
      : """
      for a reason other than an issue in the app
      """
    if row["is_upgraded"] == "1" {
      return "transaction \(id) ended by an upgrade, which refunds nothing here"
    }
    if row["revocation_type"] == RevocationType.family.rawValue {
      return "Family Sharing of transaction \(id) ended, no money moved"
    }
    if row["is_refund_reversed"] == "1" {
      return "Apple refunded transaction \(id) \(reason), and reversed the refund after a dispute"
    }
    guard row["revocation_type"] == RevocationType.prorated.rawValue else {
      return "Apple refunded transaction \(id) \(reason)"
    }
    return "Apple refunded a part of transaction \(id) \(reason)"
  }
}

// MARK: - The company's log

extension Timeline {
  private mutating func addLogged(_ orders: [Int], _ transactions: [Int]) throws {
    var purchases: [String: Instant] = [:]
    var (ours, theirs): (Set<String>, Set<String>) = ([], [])
    for order in orders {
      let id = evidence.resolved(order: order).id
      ours.insert(id)
      purchases[id] = evidence.matched.transactions(of: order).first.map(evidence.purchasedAt)
    }
    for transaction in transactions {
      let id = evidence.resolved(transaction: transaction).id
      theirs.insert(id)
      purchases[id] = evidence.purchasedAt(transaction)
    }
    let rows = try explainer.factRows(
      explainer.ledger.events(ofOrders: ours.sorted(), transactions: theirs.sorted()), of: .events)
    for row in rows {
      let order = row["order_id"].flatMap { ours.contains($0) ? $0 : nil }
      let transaction = row["transaction_id"].flatMap { theirs.contains($0) ? $0 : nil }
      guard order != nil || transaction != nil else { continue }
      addLogged(row, transaction.flatMap { purchases[$0] } ?? order.flatMap { purchases[$0] })
    }
  }

  /// - Parameter purchase: when Apple sold what the event is a step of, where that is known.
  private mutating func addLogged(_ row: FactRow, _ purchase: Instant?) {
    guard let moment = row["at"].flatMap({ Instant(view: $0) }), let stage = row["stage"] else {
      return
    }
    let stages = PurchaseEventTerms.stages
    let step = stages.firstIndex(of: stage) ?? stages.count
    var text: Wording
    switch row["outcome"].flatMap({ EventOutcome(name: $0) }) {
    case .failed: text = "logged: \(stage) failed"
    case .cancelled: text = "logged: \(stage) cancelled by the customer"
    case .ok, nil: text = "logged: \(stage) done"
    }
    var details: [Wording] = []
    if let server = row["server"] { details.append("on server \(server)") }
    if let duration = row["duration_ms"] { details.append("in \(duration) ms") }
    if let status = row["http_status"] { details.append("status \(status)") }
    if let message = row["message"] { details.append(Wording(verbatim: message)) }
    if !details.isEmpty { text = "\(text); \(details.joined(separator: ", "))" }
    var order = moment.seconds
    if let purchase {
      let isNear = abs(purchase.seconds - order) <= Rules.clockTolerance
      let follows = stages.dropFirst(2).contains(stage)
      if isNear, follows { order = max(order, purchase.seconds) }
      if isNear, stages.prefix(2).contains(stage) { order = min(order, purchase.seconds) }
      // The charge itself is told by Apple's clock, the attempt by the customer's.
      if follows, !isNear, order < purchase.seconds, stage != "pay" {
        text = "\(text); this is before the purchase: the clock may be wrong"
      }
    }
    add(.logged, .moment(moment), text, row, at: order, step: step)
  }
}

// MARK: - Apple's reports

extension Timeline {
  /// Rows of Apple's that are counted together, of which the first stands for all.
  private static let rowLimit = 100

  /// Apple's rows of a product and day, read once.
  private mutating func reports(of sku: String, on day: Day) throws -> MonthFacts {
    let key = ReportKey(sku: sku, day: day)
    if let known = reportsRead[key] { return known }
    var reports = MonthFacts()
    try explainer.ledger.addReports(of: sku, day...day, to: &reports)
    reportsRead[key] = reports
    return reports
  }

  private mutating func addReported(_ transaction: Int, isRefund: Bool) throws {
    let sold = evidence.matched.sold(transaction: transaction)
    guard evidence.matched.unbillable(transaction) == nil, let storefront = sold.storefront,
      let moment = isRefund ? evidence.revokedAt(transaction) : evidence.purchasedAt(transaction)
    else { return }
    let (day, boundary) = try explainer.reportDay(of: moment, in: storefront)
    let reports = try reports(of: sold.sku, on: day)
    let rows = reports.sales.filter {
      reports.salesTerms[Int($0.terms)].storefront == storefront
        && (isRefund ? $0.units < 0 : $0.units > 0)
        && reports.salesProducts[Int($0.product)].type.isCovered
    }
    let units = rows.reduce(Int64(0)) { $0 + abs(Int64($1.units)) }
    let first = try explainer.factRows(rows.prefix(1).map(\.row), of: .sales).first
    let text: Wording
    if reports.coverage.isEmpty {
      text = "no sales report covers Apple's day \(day)"
    } else if rows.isEmpty {
      text =
        isRefund
        ? "Apple's report of \(day) has no refund of \(sold.sku) in \(storefront)"
        : "Apple's report of \(day) has no sale of \(sold.sku) in \(storefront)"
    } else {
      text =
        isRefund
        ? """
        Apple's report of \(day) has \(spoken(units: units)) of \(sold.sku) refunded in \
        \(storefront), in \(Workflow.rows(rows.count)); it names no transaction
        """
        : """
        Apple's report of \(day) has \(spoken(units: units)) of \(sold.sku) sold in \
        \(storefront), in \(Workflow.rows(rows.count)); it names no transaction
        """
    }
    let end = explainer.zone(of: boundary).start(of: day.advanced(by: 1)).seconds
    add(.reported, .day(day), text, first, at: max(end, moment.seconds))
    if boundary == nil { hasAssumedBoundary = true }
    if !isRefund { try addSettled(storefront, sold.sku, day, after: end) }
  }

  /// What the subscriber report of Apple's day has at the transaction's price: silent where none is
  /// loaded. Near the boundary the day on its other side is looked at too.
  private mutating func addSubscriber(_ transaction: Int, isRefund: Bool) throws {
    let sold = evidence.matched.sold(transaction: transaction)
    guard evidence.matched.unbillable(transaction) == nil, let storefront = sold.storefront,
      let moment = isRefund ? evidence.revokedAt(transaction) : evidence.purchasedAt(transaction)
    else { return }
    let near = Rules.timingNearness
    let (own, boundary) = try explainer.reportDay(of: moment, in: storefront)
    let beside = try [-near, near].map {
      try explainer.reportDay(of: Instant(seconds: moment.seconds + $0), in: storefront).0
    }
    let told = sold.isPriceTold ? sold.unitPrice : nil
    let price = told.flatMap { micros in sold.currency.map { Money(micros: micros, $0) } }
    var found: (day: Day, rows: DaySubscribers)?
    for day in [own] + beside.filter({ $0 != own }) {
      let facts = try explainer.ledger.subscriptionReports(day...day, of: [.subscriber])
      if facts.isEmpty { continue }
      let rows = DaySubscribers(
        facts, of: sold.sku, in: storefront, isRefund: isRefund, at: price,
        products: explainer.tables.products, sold: try reports(of: sold.sku, on: own).salesProducts,
        terms: evidence.table.transactionTerms)
      if found == nil || !rows.places.isEmpty { found = (day, rows) }
      if !rows.places.isEmpty { break }
    }
    guard let (day, rows) = found else { return }
    let end = explainer.zone(of: boundary).start(of: day.advanced(by: 1)).seconds
    let event = TimelineEvent(
      what: .reported, when: .day(day),
      text: Self.subscriberWords(rows, sold.sku, storefront, day, isRefund: isRefund),
      source: rows.places.first, kind: rows.places.isEmpty ? nil : .subscriber, factSource: nil,
      order: max(end, moment.seconds))
    if !events.contains(event) { events.append(event) }
  }

  private static func subscriberWords(
    _ rows: DaySubscribers, _ sku: String, _ storefront: Storefront, _ day: Day, isRefund: Bool
  ) -> Wording {
    if rows.places.isEmpty {
      return isRefund
        ? """
        Apple's subscriber report of \(day) has no refund of \(sku) at this price in \(storefront)
        """
        : """
        Apple's subscriber report of \(day) has no purchase of \(sku) at this price in \
        \(storefront)
        """
    }
    func all(_ amounts: [Money]) -> Wording {
      guard let first = amounts.first.map({ spoken($0) }) else { return "no amount" }
      return amounts.dropFirst().reduce(first) { "\($0), \(spoken($1))" }
    }
    let units = spoken(units: rows.units)
    let (prices, proceeds) = (all(rows.prices), all(rows.proceeds))
    return isRefund
      ? """
      Apple's subscriber report of \(day) has \(units) of \(sku) refunded in \(storefront) at \
      \(prices), which take back \(proceeds) each, in \(Workflow.rows(rows.places.count)); it \
      names no transaction
      """
      : """
      Apple's subscriber report of \(day) has \(units) of \(sku) bought in \(storefront) at \
      \(prices), which bring \(proceeds) each, in \(Workflow.rows(rows.places.count)); it names no \
      transaction
      """
  }

  /// - Parameter reported: when the day of the sale ended.
  private mutating func addSettled(
    _ storefront: Storefront, _ sku: String, _ day: Day, after reported: Int64
  ) throws {
    let month = FiscalMonth(containing: day)
    let (rows, isLoaded) = try explainer.ledger.financeRows(
      storefront, sku: sku, month.first...month.last, limit: Self.rowLimit)
    let found = try explainer.factRows(rows, of: .finance)
    // The detail tells the day of the sale.
    let ofDay = found.filter { $0["transaction_date"] == day.description }
    let first = ofDay.first ?? found.first
    let units = (ofDay.isEmpty ? found : ofDay).compactMap { $0["quantity"].flatMap { Int64($0) } }
      .reduce(0, +)
    let text: Wording
    if !isLoaded {
      text = "to be settled in fiscal month \(month), whose financial report is not loaded"
    } else if !ofDay.isEmpty {
      text = """
        Apple settled \(spoken(units: units)) of \(sku) in \(storefront) sold on \(day) in \(month)
        """
    } else if !found.isEmpty {
      text = """
        Apple's financial reports of \(month) settle \(spoken(units: units)) of \(sku) in \
        \(storefront), whichever day they were sold on
        """
    } else {
      text = """
        the financial reports of \(month) have no \(sku) in \(storefront): it is settled later, or \
        by a report that is not loaded
        """
    }
    let end = month.last.advanced(by: 1).startUTC.seconds
    add(.settled, .month(month), text, first, at: max(end, reported))
  }
}

extension TimelineEvent.What {
  /// The order of what happens at the same moment.
  fileprivate var place: Int { Self.allCases.firstIndex(of: self)! }
}
