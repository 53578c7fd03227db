internal import Billing

extension ReceiptReader {
  /// Adds the one message that a response or a notification of version 1 is.
  ///
  /// - Parameters:
  ///   - around: what holds for the whole record.
  ///   - type: the notification's; blank for a response.
  ///   - status: the response's as written; empty for none.
  mutating func addMessage(
    _ tape: JSONTape, _ around: Surroundings, type: UnsafeRawBufferPointer,
    status: UnsafeRawBufferPointer, observedAt: Instant?, _ context: RecordContext,
    into collector: inout PurchaseCollector
  ) {
    messageTerms.begin()
    messageTerms.put(.factSource, around.factSource.rawValue)
    if around.factSource == .receipt {
      messageTerms.put(.type, "verifyReceipt")
    } else {
      messageTerms.put(.type, type, at: 0)
    }
    messageTerms.put(.subtype, nil as UInt8?)
    messageTerms.put(.status, status, at: 0)
    messageTerms.put(.environment, around.environment?.rawValue)
    messageTerms.put(.bundleID, around.bundleID, at: 0)
    messageTerms.put(.requestReason, nil as UInt8?)
    messageTerms.putUnknown(around.environmentWord, type: type)
    collector.addMessage(
      messageTerms.record(line: context.line), uuid: nothing, observedAt: observedAt, context)
  }

  /// Adds what the record says of the next renewals, as of the response's time or that of its last
  /// purchase: each subscription's own, else what the record's outermost members say of the one
  /// that it is about.
  ///
  /// - Parameters:
  ///   - renewalList: the array with an object per subscription; −1 for none.
  ///   - root: the record's outermost object.
  mutating func addRenewals(
    _ tape: JSONTape, _ renewalList: Int32, root: Int32, _ factSource: FactSource,
    observedAt: Instant?,
    _ context: RecordContext, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let newest = drafts.newest
    guard let observedAt = observedAt ?? newest.map({ drafts.drafts[$0].purchasedAt }) else {
      return
    }
    let original = try chain(tape, newest)
    var isInList = false
    if tape.kind(of: renewalList) == .array {
      let end = tape.nodes[Int(renewalList)].next
      var node = renewalList + 1
      while node < end {
        try renewal.find(tape, node)
        let id = try plainID(tape, renewal[.originalTransactionId], "original_transaction_id")
        if let id {
          try addRenewal(
            tape, id, sku: nothing, factSource, observedAt: observedAt, context, into: &collector)
        }
        isInList = isInList || original.isEmpty || id.map(original.elementsEqual) ?? false
        node = tape.nodes[Int(node)].next
      }
    }
    let saysOfRenewal =
      fields[.autoRenewStatus] >= 0 || fields[.autoRenewProductId] >= 0
      || fields[.expirationIntent] >= 0 || fields[.isInBillingRetryPeriod] >= 0
    if saysOfRenewal, !isInList, !original.isEmpty {
      try renewal.find(tape, root)
      let sku = newest.map { drafts.text($0, .productId, tape) } ?? nothing
      try addRenewal(
        tape, original, sku: sku, factSource, observedAt: observedAt, context, into: &collector)
    }
  }

  /// The original id of the subscription that a record's outermost members are about; empty for
  /// none.
  ///
  /// - Parameter newest: the draft that was bought last.
  private func chain(_ tape: JSONTape, _ newest: Int?) throws(RecordDiagnostic)
    -> UnsafeRawBufferPointer
  {
    let original = try plainID(tape, fields[.originalTransactionId], "original_transaction_id")
    if let original { return original }
    guard let newest else { return nothing }
    let own = try drafts.id(newest, .originalTransactionId, "original_transaction_id", tape)
    if let own { return own }
    return try drafts.id(newest, .transactionId, "transaction_id", tape) ?? nothing
  }

  /// Adds the renewal whose members ``renewal`` has found.
  ///
  /// - Parameters:
  ///   - originalID: of its subscription.
  ///   - sku: its product, where it does not name one itself.
  private mutating func addRenewal(
    _ tape: JSONTape, _ originalID: UnsafeRawBufferPointer, sku: UnsafeRawBufferPointer,
    _ factSource: FactSource, observedAt: Instant, _ context: RecordContext,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let grace = try firstTime(
      tape,
      renewal[.gracePeriodExpiresDateMs], renewal[.gracePeriodExpiresDate],
      renewal[.gracePeriodExpiresDatePst], "grace_period_expires_date")
    let own = tape.text(renewal[.productId])
    renewalTerms.begin()
    renewalTerms.put(.factSource, factSource.rawValue)
    renewalTerms.put(.sku, own.isEmpty ? sku : own, at: tape.place(of: renewal[.productId]))
    put(.nextSKU, .autoRenewProductId, tape)
    put(.willRenew, .autoRenewStatus, tape)
    put(.expirationIntent, .expirationIntent, tape)
    put(.billingRetry, .isInBillingRetryPeriod, tape)
    for field in RenewalField.allCases where field.rawValue > RenewalField.billingRetry.rawValue {
      renewalTerms.put(field, nil as UInt8?)
    }
    do throws(RecordDiagnostic) {
      try collector.addRenewal(
        renewalTerms.record(line: context.line), originalID: originalID, observedAt: observedAt,
        graceExpiresAt: grace, context)
    } catch {
      throw error.placed { renewalTerms.place(of: $0) }
    }
  }

  /// Puts the value that ``renewal`` has found under a key into the next field of the renewal's
  /// record.
  private mutating func put(_ field: RenewalField, _ key: ReceiptRenewalKey, _ tape: JSONTape) {
    renewalTerms.put(field, tape.text(renewal[key]), at: tape.place(of: renewal[key]))
  }
}
