package import Billing

/// Receipts and signed notifications by the million, for the benchmark: written as they are made,
/// with no truth beside them.
package struct PurchaseStream: Sendable {
  /// Wrapped verifyReceipt responses of the iOS 7 style, two to three kilobytes each, of two
  /// transactions each.
  package var receipts: Int
  /// Server notifications of version 2.
  package var notifications: Int
  package var seed: UInt64
  package var period: Period

  package init(receipts: Int, notifications: Int, seed: UInt64, period: Period) {
    self.receipts = receipts
    self.notifications = notifications
    self.seed = seed
    self.period = period
  }

  /// Writes `receipts.jsonl`, `notifications-v2.jsonl`, the test signer's root, the company's
  /// tables and `tieout.toml` into `directory`, which is made where it is absent.
  ///
  /// - Throws: ``SimulationError`` or Foundation's error where a file cannot be written.
  package func write(to directory: String) throws {
    try makeFolder(directory)
    var parameters = SimulationParameters()
    (parameters.seed, parameters.period, parameters.appleShare) = (seed, period, 1)
    let store = Store(parameters)
    let signer = try PayloadSigner(seed: seed)
    try CompanyTables(store: store).write(to: directory)
    try Simulation.write(
      Array(signer.rootPEM.utf8), to: "\(directory)/\(PayloadSigner.rootFile)")
    let words = AppleWords(store: store)
    if receipts > 0 { try writeReceipts(store, words, to: "\(directory)/receipts.jsonl") }
    guard notifications > 0 else { return }
    try writeNotifications(
      store, words, signer, to: "\(directory)/notifications-v2.jsonl")
  }

  private func writeReceipts(_ store: Store, _ words: AppleWords, to path: String) throws {
    let form = ReceiptForm(words: words, receiptBytes: 540)
    let file = try RowFile(path: path, header: "", shuffles: false)
    for number in 0..<receipts {
      let telling = purchase(number, of: receipts, in: store)
      let text = form.response(telling, isWrapped: true, random: &store.random)
      file.text.put(text.bytes)
      try file.endRow()
    }
    try file.close(random: &store.random)
  }

  private func writeNotifications(
    _ store: Store, _ words: AppleWords, _ signer: PayloadSigner, to path: String
  ) throws {
    let form = NotificationV2Form(words: words)
    let file = try RowFile(path: path, header: "", shuffles: false)
    for number in 0..<notifications {
      var telling = purchase(number, of: notifications, in: store)
      telling.form = .notificationV2
      let body = try form.body(
        telling, number: UInt64(number + 1), lacksRenewal: false, sign: signer.signed)
      file.text.put(body.bytes)
      try file.endRow()
    }
    try file.close(random: &store.random)
  }

  /// A purchase by a customer who bought before; one in eight is a subscription's.
  private func purchase(_ number: Int, of count: Int, in store: Store) -> Telling {
    let span = store.closes - store.opens
    let moment = store.opens + Int64(number) * span / Int64(count)
    let market = store.random.index(cumulative: store.marketWeights)
    let user = store.newUser()
    func item() -> Int {
      store.shelf.consumables[store.random.index(cumulative: store.shelf.consumableWeights)]
    }
    let earlier = store.purchase(
      at: moment - Int64(store.random.within(3600...20 * 86_400)), market: market, item: item(),
      user: user
    ).transaction
    var (order, transaction) =
      number % 8 == 7
      ? store.subscription(at: moment, market: market, item: Shelf.monthly)
      : store.purchase(at: moment, market: market, item: item(), user: user)
    transaction.user = user
    var telling = Telling(form: .receipt, at: moment + 5, subject: transaction)
    telling.others = [earlier]
    (telling.order, telling.user, telling.goesOn) = (order.number, user, true)
    return telling
  }
}
