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
    events.sort {
      let (a, b) = ($0.source, $1.source)
      if $0.order != $1.order { return $0.order < $1.order }
      if $0.what != $1.what { return $0.what.place < $1.what.place }
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
    at order: Int64
  ) {
    let event = TimelineEvent(
      what: what, when: when, text: text, source: row?.source, kind: row?.kind,
      factSource: row?["witness"].flatMap { FactSource(name: $0) }, order: order)
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
      add(.paid, row, "paid_at", "order \(id) paid, by the company's record")
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
          \(Self.source(row)) tells that Apple took transaction \(id) back, which does not count: \
          no signed source tells it
          """ : "\(Self.revocation(id, row)), according to \(Self.source(row))")
    }
    try addReported(transaction, isRefund: false)
    if evidence.revokedAt(transaction) != nil { try addReported(transaction, isRefund: true) }
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
        transaction \(id) of an environment that is neither Production nor Sandbox, which counts \
        as nothing sold: \(goods)
        """
    case .familyShared: text = "transaction \(id) of Family Sharing, which costs nothing: \(goods)"
    case .notSigned:
      text = "transaction \(id), which no signed source tells and which does not count: \(goods)"
    case .otherBundle(let bundle):
      text = "Apple charged for another app, \(bundle) (transaction \(id)): \(goods)"
    case nil:
      text =
        row["is_trial"] == "1"
        ? "free trial began, according to \(source) (transaction \(id)): \(goods)"
        : "Apple charged, according to \(source) (transaction \(id)): \(goods)"
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
    case .receipts: text = "receipt received that has transaction \(id)"
    case .notifications:
      text =
        message?["subtype"].map { "Apple notified \(type), \($0), of transaction \(id)" }
        ?? "Apple notified \(type) of transaction \(id)"
    default: text = "Apple's server answered with transaction \(id)"
    }
    let reason = message?["request_reason"].map { Wording(verbatim: $0) }
    add(
      .told, .moment(moment), reason.map { "\(text); the customer's reason: \($0)" } ?? text, row,
      at: Self.order(of: .told, moment, purchase))
  }

  private static func revocation(_ id: String, _ row: FactRow) -> Wording {
    let reason: Wording =
      row["revocation_reason"] == "1" ? "for an issue in the app" : "for other reasons"
    if row["is_upgraded"] == "1" {
      return "transaction \(id) ended by an upgrade, which gives nothing back here"
    }
    if row["revocation_type"] == RevocationType.family.rawValue {
      return "Family Sharing of transaction \(id) ended, no money moved"
    }
    if row["is_refund_reversed"] == "1" {
      return "Apple refunded transaction \(id) \(reason), and took that back after a dispute"
    }
    guard row["revocation_type"] == RevocationType.prorated.rawValue else {
      return "Apple refunded transaction \(id) \(reason)"
    }
    return "Apple refunded a part of transaction \(id) \(reason)"
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
