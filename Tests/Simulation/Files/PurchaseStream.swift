package import Billing

/// Receipts and signed notifications by the million, for the benchmark: written as they are made,
/// with no truth beside them.
package struct PurchaseStream: Sendable {
  private let parameters: SimulationParameters
  private let receipts: Int
  private let notifications: Int

  /// - Parameters:
  ///   - receipts: wrapped verifyReceipt responses of the iOS 7 style, two to three kilobytes
  ///     each, of two transactions each.
  ///   - notifications: server notifications of version 2.
  package init(receipts: Int, notifications: Int, seed: UInt64, period: Period) {
    self.receipts = receipts
    self.notifications = notifications
    var parameters = SimulationParameters()
    (parameters.seed, parameters.period, parameters.appleShare) = (seed, period, 1)
    self.parameters = parameters
  }

  /// Writes `receipts.jsonl`, `notifications-v2.jsonl`, the test signer's root, the company's
  /// tables and `tieout.toml` into `directory`, which is made where it is absent.
  ///
  /// - Throws: ``SimulationError`` or Foundation's error where a file cannot be written.
  package func write(to directory: String) throws {
    try makeFolder(directory)
    let store = Store(parameters)
    let signer = try PayloadSigner(seed: parameters.seed)
    try CompanyTables(store: store).write(to: directory)
    try signer.writeRoot(to: directory)
    let words = AppleWords(store: store)
    let receipt = ReceiptForm(words: words, receiptBytes: 540)
    try write(receipts, to: "\(directory)/receipts.jsonl", in: store) { message, _ in
      receipt.response(message, isWrapped: true, random: &store.random)
    }
    let notification = NotificationV2Form(words: words)
    try write(notifications, to: "\(directory)/notifications-v2.jsonl", in: store) {
      var message = $0
      message.form = .notificationV2
      return try notification.body(
        message, number: UInt64($1 + 1), lacksRenewal: false, sign: signer.signed)
    }
  }

  private func write(
    _ count: Int, to path: String, in store: Store,
    _ form: (SimulatedMessage, Int) throws -> SimulatedJSON
  ) throws {
    guard count > 0 else { return }
    let file = try LineFile(path: path)
    for number in 0..<count {
      try file.line(form(purchase(number, of: count, in: store), number).bytes)
    }
    try file.close(random: &store.random)
  }

  /// A purchase by a customer who bought before; one in eight is a subscription's.
  private func purchase(_ number: Int, of count: Int, in store: Store) -> SimulatedMessage {
    let span = store.closes - store.opens
    let moment = store.opens + Int64(number) * span / Int64(count)
    let market = store.random.index(cumulative: store.marketWeights)
    let user = store.newUser()
    let earlier = store.purchase(
      at: moment - Int64(store.random.within(3600...20 * 86_400)), market: market,
      item: store.consumable(), user: user
    ).transaction
    var (order, transaction) =
      number % 8 == 7
      ? store.subscription(at: moment, market: market, item: Stock.monthly)
      : store.purchase(at: moment, market: market, item: store.consumable(), user: user)
    transaction.user = user
    var message = SimulatedMessage(form: .receipt, at: moment + 5, subject: transaction)
    message.others = [earlier]
    (message.order, message.user, message.goesOn) = (order.number, user, true)
    return message
  }
}
