internal import Billing

/// Reads verifyReceipt responses and notifications of version 1, whose transactions look alike.
struct ReceiptReader {
  /// What holds for all transactions of a response.
  struct Surroundings {
    var factSource: FactSource
    var bundleID = nothing
    var appItemID = nothing
    /// Of the app that asked for the receipt.
    var appVersion = nothing
    var environment: StoreEnvironment?
    /// Its word, where it is not known.
    var environmentWord = nothing
    /// When Family Sharing of a transaction ended (`REVOKE`): no money moved.
    var unsharedAt: Instant?

    /// Sets the environment by the first of the words that is not blank; where all are blank, to
    /// `byStatus`, what the response's status implies (nil for nothing).
    mutating func setEnvironment(
      _ words: [UnsafeRawBufferPointer], ofStatus byStatus: StoreEnvironment?
    ) {
      let word = words.lazy.map(trimmed).first { !$0.isEmpty } ?? nothing
      environment = storeEnvironment(word) ?? byStatus
      environmentWord = environment == .other ? word : nothing
    }
  }

  let fields = ObjectFields<ResponseKey>()
  private let unified = ObjectFields<ResponseKey>()
  private let receipt = ObjectFields<ReceiptKey>()
  let renewal = ObjectFields<ReceiptRenewalKey>()
  var drafts = ReceiptDrafts()
  var terms = PieceRecord<TermsField>()
  var messageTerms = PieceRecord<MessageField>()
  var renewalTerms = PieceRecord<RenewalField>()
  private var times = TimeColumn()

  /// Times that were read as none.
  var zeroTimes: ZeroTimes { times.zeroTimes + drafts.times.zeroTimes }

  /// Reads the response at `node`, whose members are in ``fields``.
  ///
  /// - Parameter receiptNode: its receipt, which may be the response itself; −1 without one.
  mutating func readResponse(
    _ tape: JSONTape, _ node: Int32, receipt receiptNode: Int32, _ context: RecordContext,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    try findReceipt(tape, receiptNode)
    let status = try status(tape, fields[.status])
    var around = Surroundings(factSource: .receipt)
    around.bundleID = text(tape, receipt[.bundleId], or: receipt[.bid])
    around.appItemID = identifier(tape, receipt[.appItemId], or: receipt[.adamId])
    around.appVersion = text(tape, receipt[.applicationVersion], or: receipt[.bvrs])
    around.setEnvironment(
      [tape.text(receipt[.receiptType]), tape.text(fields[.environment])],
      ofStatus: Self.environment(of: status))
    let observedAt = try observedAt(tape, context)
    try readDrafts(
      tape, fields[.latestReceiptInfo], fields[.latestExpiredReceiptInfo], receipt[.inApp],
      single: receipt[.transactionId] >= 0 ? receiptNode : -1)
    drafts.findUpgrades(tape)
    if around.bundleID.isEmpty, drafts.count > 0 {
      around.bundleID = drafts.text(0, .bid, tape)
    }
    try addTransactions(tape, around, observedAt: observedAt, context, into: &collector)
    try addRenewals(
      tape, fields[.pendingRenewalInfo], root: node, around.factSource, observedAt: observedAt,
      context,
      into: &collector)
    addMessage(
      tape, around, type: nothing, status: status == nil ? nothing : tape.text(fields[.status]),
      observedAt: observedAt, context, into: &collector)
  }

  /// Finds the members of the receipt at `node`; throws a diagnostic where it is no object.
  private func findReceipt(_ tape: JSONTape, _ node: Int32) throws(RecordDiagnostic) {
    if let kind = tape.kind(of: node), kind != .object {
      throw RecordDiagnostic(
        nil, "value", "@purchase.receipt-is-not-the-decoded", offset: tape.place(of: node),
        help: "@purchase.import-the-responses-of-verifyreceipt")
    }
    try receipt.find(tape, node)
  }

  /// The time as of which a response speaks: when it was received, else made; nil where neither is
  /// known.
  private mutating func observedAt(
    _ tape: JSONTape, _ context: RecordContext
  ) throws(RecordDiagnostic) -> Instant? {
    if let receivedAt = context.receivedAt { return receivedAt }
    let requested = try firstTime(
      tape, receipt[.requestDateMs], receipt[.requestDate], receipt[.requestDatePst],
      "request_date")
    if let requested { return requested }
    return try firstTime(
      tape, receipt[.receiptCreationDateMs], receipt[.receiptCreationDate],
      receipt[.receiptCreationDatePst], "receipt_creation_date")
  }

  /// Reads the notification of version 1 at `node`, whose members are in ``fields``. Returns
  /// whether it has the transaction that it is about and, where that was refunded, when.
  mutating func readNotification(
    _ tape: JSONTape, _ node: Int32, _ context: RecordContext,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Bool {
    try tape.requirePlain(fields[.notificationType], "notification_type")
    try unified.find(tape, fields[.unifiedReceipt])
    receipt.clear()
    var around = Surroundings(factSource: .notificationV1)
    around.bundleID = tape.text(fields[.bid])
    around.appVersion = trimmed(tape.text(fields[.bvrs]))
    let unifiedStatus = try status(tape, unified[.status])
    let words = [tape.text(unified[.environment]), tape.text(fields[.environment])]
    let statusEnvironment = Self.environment(of: unifiedStatus)
    around.setEnvironment(
      statusEnvironment == nil ? words : [words[0]], ofStatus: statusEnvironment)
    try readDrafts(
      tape, unified[.latestReceiptInfo], fields[.latestReceiptInfo],
      fields[.latestExpiredReceiptInfo], single: -1)
    let cancelledAt = try firstTime(
      tape, fields[.cancellationDateMs], fields[.cancellationDate], fields[.cancellationDatePst],
      "cancellation_date")
    let type = trimmed(tape.text(fields[.notificationType]))
    let cancels = names(type, "CANCEL") || names(type, "REFUND") || names(type, "REVOKE")
    if let cancelledAt, cancels {
      try cancel(tape, at: cancelledAt)
      if names(type, "REVOKE") { around.unsharedAt = cancelledAt }
    }
    // A refund that is called one is no upgrade, whatever was bought at the same time.
    if !names(type, "REFUND") { drafts.findUpgrades(tape) }
    let changedAt = try firstTime(
      tape, fields[.autoRenewStatusChangeDateMs], fields[.autoRenewStatusChangeDate],
      fields[.autoRenewStatusChangeDatePst], "auto_renew_status_change_date")
    let purchasedAt = drafts.newest.map { drafts.drafts[$0].purchasedAt }
    let observedAt =
      context.receivedAt ?? [purchasedAt, cancelledAt, changedAt].compactMap(\.self).max()
    try addTransactions(tape, around, observedAt: observedAt, context, into: &collector)
    try addRenewals(
      tape, unified[.pendingRenewalInfo], root: node, around.factSource, observedAt: observedAt,
      context,
      into: &collector)
    addMessage(
      tape, around, type: type, status: nothing, observedAt: observedAt, context, into: &collector)
    return drafts.count > 0 && (!cancels || drafts.drafts.contains { $0.revokedAt != nil })
  }

  /// Cancels the transactions that the notification itself says are cancelled; throws a diagnostic
  /// when it has none of these.
  private mutating func cancel(_ tape: JSONTape, at instant: Instant) throws(RecordDiagnostic) {
    let cancelled = cancelledDrafts(tape, at: instant)
    if cancelled.isEmpty {
      let date =
        fields[.cancellationDateMs] >= 0 ? fields[.cancellationDateMs] : fields[.cancellationDate]
      throw RecordDiagnostic(
        nil, "cancellation", "@purchase.notification-cancels-a-transaction",
        offset: tape.place(of: date),
        help: "@purchase.import-the-receipt")
    }
    for draft in cancelled where drafts.drafts[draft].revokedAt == nil {
      drafts.cancel(draft, at: instant)
    }
  }

  /// The drafts that a cancellation is of: those of its line item, else the one with its id, else
  /// of its subscription the one that says so itself or was bought last before.
  private func cancelledDrafts(_ tape: JSONTape, at instant: Instant) -> [Int] {
    let item = trimmed(tape.text(fields[.webOrderLineItemId]))
    let all = drafts.drafts.indices
    let ofItem = all.filter { drafts.has($0, .webOrderLineItemId, item, tape) }
    if !ofItem.isEmpty { return ofItem }
    // Transactions of another line item are not meant.
    let candidates = all.filter { item.isEmpty || drafts.cell($0, .webOrderLineItemId) < 0 }
    let id = trimmed(tape.text(fields[.transactionId]))
    if !id.isEmpty { return candidates.filter { drafts.has($0, .transactionId, id, tape) } }
    let original = trimmed(tape.text(fields[.originalTransactionId]))
    let chain = candidates.filter {
      drafts.has($0, .originalTransactionId, original, tape)
        || drafts.has($0, .transactionId, original, tape)
        || original.isEmpty && candidates.count == 1
    }
    if let own = chain.first(where: { drafts.drafts[$0].revokedAt == instant }) { return [own] }
    let before = chain.filter { drafts.drafts[$0].purchasedAt <= instant }
    let last = before.max { drafts.drafts[$0].purchasedAt < drafts.drafts[$1].purchasedAt }
    return last.map { [$0] } ?? []
  }

  /// The environment that a status implies: 21007 is a Sandbox receipt's, 21008 a production one's;
  /// nil for all others.
  private static func environment(of status: Int32?) -> StoreEnvironment? {
    status == 21007 ? .sandbox : status == 21008 ? .production : nil
  }

  /// The status that a part is; nil for no part (−1). Throws a diagnostic for what is no whole
  /// number.
  private func status(_ tape: JSONTape, _ node: Int32) throws(RecordDiagnostic) -> Int32? {
    guard node >= 0 else { return nil }
    try tape.requirePlain(node, "status")
    let bytes = trimmed(tape.text(node))
    guard let status = wholeNumber(bytes).flatMap({ Int32(exactly: $0) }) else {
      throw RecordDiagnostic(
        nil, "value", "@purchase.status-is-not-a-whole \(shown(bytes))",
        offset: tape.place(of: node),
        help: "@purchase.verifyreceipt-answers-0")
    }
    return status
  }

  /// The time of the first of three parts, in the order of preference, that has one; nil for none.
  mutating func firstTime(
    _ tape: JSONTape, _ first: Int32, _ second: Int32, _ third: Int32, _ name: StaticString
  ) throws(RecordDiagnostic) -> Instant? {
    if let time = try tape.time(first, name, &times) { return time }
    if let time = try tape.time(second, name, &times) { return time }
    return try tape.time(third, name, &times)
  }

  /// The trimmed text of a part, or of the other one where it is blank.
  private func text(
    _ tape: JSONTape, _ node: Int32, or other: Int32
  ) -> UnsafeRawBufferPointer {
    let bytes = trimmed(tape.text(node))
    return bytes.isEmpty ? trimmed(tape.text(other)) : bytes
  }

  /// The text of Apple's identifier at `node`, or of the one at `other` where that is blank or 0:
  /// in the sandbox it is 0, which is none. Empty without both.
  private func identifier(
    _ tape: JSONTape, _ node: Int32, or other: Int32
  ) -> UnsafeRawBufferPointer {
    let bytes = trimmed(tape.text(node))
    if !bytes.isEmpty, !names(bytes, "0") { return bytes }
    let second = trimmed(tape.text(other))
    return names(second, "0") ? nothing : second
  }
}
