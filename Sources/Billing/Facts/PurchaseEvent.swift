/// What an event says besides its ids, its time and how long it took; events with the same terms
/// share one value.
package struct PurchaseEventTerms: Hashable, Sendable {
  /// The step of the purchase: one of ``stages``, or the company's own word.
  package var stage: String
  package var outcome: EventOutcome
  /// As HTTP has it, or a status of Apple's; nil where none was logged.
  package var httpStatus: Int32?
  /// Of the app, as the company spells it; empty when not said, as are the others.
  package var appVersion: String
  package var device: String
  package var server: String
  package var message: String

  package init(
    stage: String, outcome: EventOutcome, httpStatus: Int32? = nil, appVersion: String = "",
    device: String = "", server: String = "", message: String = ""
  ) {
    self.stage = stage
    self.outcome = outcome
    self.httpStatus = httpStatus
    self.appVersion = appVersion
    self.device = device
    self.server = server
    self.message = message
  }

  /// The steps of a purchase in their order: what is for sale is shown, an order is placed, Apple
  /// charges, the app hands the receipt to the server, the server has it verified, and delivers.
  package static let stages = ["list", "order", "pay", "upload", "verify", "fulfil"]
}

extension PurchaseEventTerms: ListedRow {
  package static let blank = PurchaseEventTerms(stage: "", outcome: .ok)

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      "at", .own(.time), required: true, "@company.when-the-step-ended",
      "2023-06-12T02:00:12Z",
      called: ["time", "timestamp", "ts", "event_time", "logged_at", "created_at", "时间", "发生时间"],
      view: "@view.when-it-was-logged-utc"),
    CompanyColumn(
      "stage", .plain(\.stage), required: true,
      "@company.list-order-pay-upload-verify", "verify",
      called: ["step", "event", "event_name", "phase", "action", "阶段", "环节", "步骤"],
      view: "@view.list-order-pay-upload-verify"),
    CompanyColumn(
      "outcome", .outcome(\.outcome), required: true, "@shared.ok-failed-or-cancelled-by",
      "failed", called: ["result", "event_result", "success", "结果"],
      view: "@shared.ok-failed-or-cancelled-by"),
    CompanyColumn(
      "duration_ms", .own(.number), "@shared.how-long-the-step-took", "840",
      called: ["duration", "elapsed", "elapsed_ms", "latency", "latency_ms", "耗时"],
      view: "@shared.how-long-the-step-took"),
    CompanyColumn(
      "http_status", .httpStatus(\.httpStatus), "@company.status-that-the-step", "503",
      view: "@view.status-that-the-step"),
    .orderID("@company.order"),
    .userID,
    .transactionID("@company.apple-transaction-once-it-is"),
    CompanyColumn(
      "app_version", .code(\.appVersion), "@company.version-of-the-app", "2.3.1",
      view: "@view.version-of-the-app"),
    CompanyColumn(
      "device", .text(\.device), "@shared.customer-device", "iPhone14,5",
      view: "@shared.customer-device"),
    CompanyColumn(
      "server", .text(\.server), "@company.server-that-took-the-step", "pay-03",
      called: ["host", "hostname", "node", "pod", "instance", "服务器"],
      view: "@view.server-that-took-the-step"),
    CompanyColumn(
      "message", .text(\.message),
      "@company.what-it-said-the-same", "timeout",
      called: ["error", "error_message", "msg", "reason", "错误信息"], view: "@view.what-was-logged"),
  ]
}

/// One row of the company's log of purchases, with ids as slices of its block's text.
package struct PurchaseEventRow: Sendable {
  package var line: Int32
  package var terms: Int32
  package var orderID: TextSlice
  package var transactionID: TextSlice
  package var userID: TextSlice
  package var at: Instant
  /// How long the step took, in milliseconds; nil when not said.
  package var duration: Int32?

  package init(
    line: Int32, terms: Int32, orderID: TextSlice, transactionID: TextSlice, userID: TextSlice,
    at: Instant, duration: Int32?
  ) {
    self.line = line
    self.terms = terms
    self.orderID = orderID
    self.transactionID = transactionID
    self.userID = userID
    self.at = at
    self.duration = duration
  }
}

/// An event as conclusions read it.
package struct PurchaseEventEntry: Sendable {
  /// Index into the terms that it was read with; equal terms have one.
  package var terms: Int
  /// Seconds since 1970.
  package var at: Int64
  /// Milliseconds; nil when not said.
  package var duration: Int64?
  package var order: IDKey
  package var transaction: IDKey
  package var user: IDKey

  package init(
    terms: Int, at: Int64, duration: Int64?, order: IDKey, transaction: IDKey, user: IDKey
  ) {
    self.terms = terms
    self.at = at
    self.duration = duration
    self.order = order
    self.transaction = transaction
    self.user = user
  }
}
