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

  /// Collects what happened to these orders and transactions, in the order of time.
  ///
  /// - Parameters:
  ///   - orders: positions in the match table.
  ///   - transactions: positions in the match table.
  init(_ evidence: MatchEvidence, orders: [Int], transactions: [Int]) throws {
    self.evidence = evidence
    explainer = evidence.explainer
    for order in orders { try add(order: order) }
    for transaction in transactions { try add(transaction: transaction) }
    try addLogged(orders, transactions)
    events.sort {
      let (a, b) = ($0.source, $1.source)
      if $0.order != $1.order { return $0.order < $1.order }
      if $0.what != $1.what { return $0.what.rank < $1.what.rank }
      if $0.step != $1.step { return $0.step < $1.step }
      return (a?.file ?? "", a?.line ?? 0, $0.text.english)
        < (b?.file ?? "", b?.line ?? 0, $1.text.english)
    }
  }

  /// Adds an event at the time that a column of the row has; nothing where the column is empty.
  ///
  /// - Parameter purchase: when Apple sold what the event is about. An event close to it is sorted
  ///   before or after it by what it is, as the company's clock may differ a little from Apple's.
  private mutating func add(
    _ what: TimelineEvent.What, _ row: FactRow, _ column: String, _ text: Wording,
    around purchase: Instant? = nil
  ) {
    guard let moment = row[column].flatMap({ Instant(view: $0) }) else { return }
    add(what, .moment(moment), text, row, at: Self.order(of: what, moment, purchase))
  }

  /// The time by which an event is sorted, in seconds since 1970. It is the event's own; but within
  /// the tolerance of clocks an order is taken as placed no later than its purchase, and what
  /// follows from a purchase as no earlier than it.
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

  /// Adds an event, unless another row told the same.
  ///
  /// - Parameters:
  ///   - row: that tells it; nil where none does.
  ///   - order: what it is sorted by, in seconds since 1970.
  ///   - step: the place of its step among the steps of a purchase.
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

  /// Adds when an order was placed, paid and fulfilled, by each of its rows.
  private mutating func add(order: Int) throws {
    let id = evidence.resolved(order: order).id
    let purchase = evidence.matched.transactions(of: order).first.map(evidence.purchasedAt)
    for row in try explainer.factRows(evidence.table.rows(ofOrder: order), of: .orders) {
      let goods = Self.goods(row)
      add(.placed, row, "placed_at", "@explain.order-placed \(id) \(goods)", around: purchase)
      add(.paid, row, "paid_at", "@explain.order-paid-according \(id)")
      add(.fulfilled, row, "fulfilled_at", "@explain.order-fulfilled \(id)", around: purchase)
    }
  }

  /// Quantity, SKU and price of a row: `2 × gems.60 for 6.00 CNY each`.
  private static func goods(_ row: FactRow) -> Wording {
    let (quantity, sku) = (row["quantity"] ?? "1", row["sku"] ?? "")
    guard let price = row["unit_price"].flatMap({ micros(decimal: $0) }) else {
      return "\(quantity) × \(sku)"
    }
    let each = spoken(price, row["currency"].flatMap { Currency($0) })
    return "@explain.at \(quantity) \(sku) \(each)"
  }

  /// Adds what Apple and the company tell of a transaction: its charge, messages, renewals, refund,
  /// and what reports have of it.
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
          ? "@explain.says-that-apple-revoked-transaction \(Self.source(row)) \(id)"
          : "@explain.according \(Self.revocation(id, row)) \(Self.source(row))")
    }
    try addReported(transaction, isRefund: false)
    if evidence.revokedAt(transaction) != nil { try addReported(transaction, isRefund: true) }
    guard rows.contains(where: { $0["expires_at"] != nil }) else { return }
    try addSubscriber(transaction, isRefund: false)
    if evidence.revokedAt(transaction) != nil { try addSubscriber(transaction, isRefund: true) }
  }

  /// The name of the source that told a row.
  private static func source(_ row: FactRow) -> Wording {
    let source = row["witness"].flatMap { FactSource(name: $0) } ?? .company
    return source.wording
  }

  /// Adds that Apple charged for a transaction, or why the transaction is not billable.
  ///
  /// - Parameters:
  ///   - id: of the transaction.
  ///   - row: its row from the strongest source.
  ///   - rows: all its rows.
  ///   - transaction: its position in the match table.
  private mutating func addCharge(
    _ id: String, _ row: FactRow, _ rows: [FactRow], _ transaction: Int
  ) {
    let goods = Self.goods(row)
    // The rows of a transaction begin with the strongest source.
    let source = Self.source(row)
    let text: Wording
    switch evidence.matched.unbillable(transaction) {
    case .sandbox: text = "@explain.sandbox-transaction-in-which-no \(id) \(goods)"
    case .otherEnvironment:
      text = "@explain.transaction-of-an-environment \(id) \(goods)"
    case .familyShared: text = "@explain.transaction-of-family-sharing \(id) \(goods)"
    case .assigned:
      text = "@explain.transaction-of-an-assigned-seat \(id) \(goods)"
    case .otherOwnership:
      text =
        "@explain.transaction-of-an-unknown-ownership \(id) \(goods)"
    case .component:
      text = "@explain.transaction-of-a-part \(id) \(goods)"
    case .notSigned:
      text = "@explain.transaction-which-no-signed-source \(id) \(goods)"
    case .otherBundle(let bundle):
      text = "@explain.apple-charged-for-another-app \(bundle) \(id) \(goods)"
    case nil:
      text =
        row["is_trial"] == "1"
        ? "@explain.free-trial-began-according \(source) \(id) \(goods)"
        : "@explain.apple-charged-for-transaction-according \(goods) \(id) \(source)"
    }
    let beside = rows.lazy.map { $0.saidBeside }.first { !$0.isEmpty } ?? []
    add(
      .charged, row, "purchased_at",
      beside.isEmpty ? text : "\(text); \(beside.joined(separator: ", "))")
  }

  /// Adds what Apple said of the subscription as a whole.
  private mutating func addRenewal(_ row: FactRow) {
    let said = row.saidOfSubscription
    if said.isEmpty { return }
    add(
      .told, row, "told_at",
      "@explain.apple-says-of-the-subscription \(said.joined(separator: ", "))")
  }

  /// Adds when Apple told of a transaction: by a receipt, a notification or an answer of its
  /// server.
  ///
  /// - Parameters:
  ///   - id: of the transaction.
  ///   - row: one of its rows: the event is when Apple told what is in this row.
  ///   - messages: the messages that its rows were read from, with their types.
  ///   - purchase: when Apple sold it.
  private mutating func addObservation(
    _ id: String, _ row: FactRow, _ messages: [FactRow], _ purchase: Instant
  ) {
    guard let moment = row["told_at"].flatMap({ Instant(view: $0) }) else { return }
    let message = messages.first { $0.source == row.source }
    let type = message?["type"] ?? ""
    let text: Wording
    switch row.kind {
    case .receipts: text = "@explain.receipt-with-transaction-received \(id)"
    case .notifications:
      text =
        message?["subtype"].map {
          "@explain.apple-sent-a-notification-about-transaction \(type) \($0) \(id)"
        }
        ?? "@explain.apple-sent-a-notification-about \(type) \(id)"
    default: text = "@explain.apple-server-answered-with-transaction \(id)"
    }
    let reason = message?["request_reason"].map { Wording(verbatim: $0) }
    add(
      .told, .moment(moment), reason.map { "@explain.customer-reason \(text) \($0)" } ?? text, row,
      at: Self.order(of: .told, moment, purchase))
  }

  /// The sentence on how Apple revoked a transaction: refund, a part of it, a refund reversed, an
  /// upgrade, or the end of Family Sharing.
  private static func revocation(_ id: String, _ row: FactRow) -> Wording {
    let reason: Wording =
      row["revocation_reason"] == "1"
      ? "@shared.because-of-an-issue"
      : "@shared.for-a-reason-other-than"
    if row["is_upgraded"] == "1" {
      return "@explain.transaction-ended-by-an-upgrade \(id)"
    }
    if row["revocation_type"] == RevocationType.family.rawValue {
      return "@explain.family-sharing-of-transaction-ended \(id)"
    }
    if row["is_refund_reversed"] == "1" {
      return "@explain.apple-refunded-transaction-and-reversed \(id) \(reason)"
    }
    guard row["revocation_type"] == RevocationType.prorated.rawValue else {
      return "@explain.apple-refunded-transaction \(id) \(reason)"
    }
    return "@explain.apple-refunded-a-part-of-transaction \(id) \(reason)"
  }
}

// MARK: - The company's log

extension Timeline {
  /// Adds the events that the company logged of these orders and transactions.
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

  /// Adds an event that the company logged.
  ///
  /// - Parameter purchase: when Apple sold what the event is a step of, where that is known.
  private mutating func addLogged(_ row: FactRow, _ purchase: Instant?) {
    guard let moment = row["at"].flatMap({ Instant(view: $0) }), let stage = row["stage"] else {
      return
    }
    let stages = PurchaseEventTerms.stages
    let step = stages.firstIndex(of: stage) ?? stages.count
    var text: Wording
    switch row["outcome"].flatMap({ EventOutcome(name: $0) }) {
    case .failed: text = "@explain.logged-failed \(stage)"
    case .cancelled: text = "@explain.logged-cancelled-by-the-customer \(stage)"
    case .ok, nil: text = "@explain.logged-done \(stage)"
    }
    var details: [Wording] = []
    if let server = row["server"] { details.append("@explain.on-server \(server)") }
    if let duration = row["duration_ms"] { details.append("@explain.in-ms \(duration)") }
    if let status = row["http_status"] { details.append("@explain.status \(status)") }
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
        text = "@explain.this-is-before-the-purchase \(text)"
      }
    }
    add(.logged, .moment(moment), text, row, at: order, step: step)
  }
}

// MARK: - Apple's reports

extension Timeline {
  /// Rows of Apple's that are added up together, of which the first stands for all.
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

  /// Adds what Apple's sales report has of the transaction's product on the day of its sale, or of
  /// its refund, and of a sale what was settled; nothing for transactions that do not count.
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
      text = "@explain.no-sales-report-covers-apple \(day)"
    } else if rows.isEmpty {
      text =
        isRefund
        ? "@explain.apple-report-of-has-no-refund \(day) \(sold.sku) \(storefront)"
        : "@explain.apple-report-of-has-no \(day) \(sold.sku) \(storefront)"
    } else {
      text =
        isRefund
        ? """
        @explain.apple-report-of-has-of-refunded \(day) \(spoken(units: units)) \(sold.sku) \
        \(storefront) \(Workflow.rows(rows.count))
        """
        : """
        @explain.apple-report-of-has \(day) \(spoken(units: units)) \(sold.sku) \(storefront) \
        \(Workflow.rows(rows.count))
        """
    }
    let end = explainer.zone(of: boundary).start(of: day.advanced(by: 1)).seconds
    add(.reported, .day(day), text, first, at: max(end, moment.seconds))
    if boundary == nil { hasAssumedBoundary = true }
    if !isRefund { try addSettled(storefront, sold.sku, day, after: end) }
  }

  /// Adds what the subscriber report of Apple's day has at the transaction's price: nothing where
  /// none is loaded. Near the boundary the day on its other side is looked at too.
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

  /// The sentence on what a day's subscriber report has of a product in a storefront: units, prices
  /// and proceeds.
  private static func subscriberWords(
    _ rows: DaySubscribers, _ sku: String, _ storefront: Storefront, _ day: Day, isRefund: Bool
  ) -> Wording {
    if rows.places.isEmpty {
      return isRefund
        ? "@explain.apple-subscriber-report-of-has \(day) \(sku) \(storefront)"
        : "@explain.apple-subscriber-report-of-has-no \(day) \(sku) \(storefront)"
    }
    /// The amounts as text, with commas between them; says so where there is none.
    func all(_ amounts: [Money]) -> Wording {
      guard let first = amounts.first.map({ spoken($0) }) else { return "@explain.no-amount" }
      return amounts.dropFirst().reduce(first) { "\($0), \(spoken($1))" }
    }
    let units = spoken(units: rows.units)
    let (prices, proceeds) = (all(rows.prices), all(rows.proceeds))
    return isRefund
      ? """
      @explain.apple-subscriber-report-of-has-of-refunded \(day) \(units) \(sku) \(storefront) \
      \(prices) \(proceeds) \(Workflow.rows(rows.places.count))
      """
      : """
      @explain.apple-subscriber-report-of-has-of-bought \(day) \(units) \(sku) \(storefront) \
      \(prices) \(proceeds) \(Workflow.rows(rows.places.count))
      """
  }

  /// Adds what financial reports have of a sale: settled on its day or in its fiscal month, not
  /// settled, or not loaded.
  ///
  /// - Parameters:
  ///   - day: of the sale, Apple's.
  ///   - reported: when that day ended, in seconds since 1970.
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
      text = "@explain.to-be-settled-in-fiscal \(month)"
    } else if !ofDay.isEmpty {
      text = """
        @explain.apple-settled-of-in-sold \(spoken(units: units)) \(sku) \(storefront) \(day) \
        \(month)
        """
    } else if !found.isEmpty {
      text = """
        @explain.apple-financial-reports-of-settle \(month) \(spoken(units: units)) \(sku) \
        \(storefront)
        """
    } else {
      text = "@explain.financial-reports-of-have-no \(month) \(sku) \(storefront)"
    }
    let end = month.last.advanced(by: 1).startUTC.seconds
    add(.settled, .month(month), text, first, at: max(end, reported))
  }
}

extension TimelineEvent.What {
  /// Its rank among what happens at the same moment.
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self)! }
}
