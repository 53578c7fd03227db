internal import Billing

extension ReceiptReader {
  /// Gathers the transactions of a record's three lists (−1 for one that it does not have), and a
  /// receipt that is a transaction itself.
  ///
  /// - Parameter single: that receipt; −1 for none.
  mutating func readDrafts(
    _ tape: JSONTape, _ first: Int32, _ second: Int32, _ third: Int32, single: Int32
  ) throws(RecordDiagnostic) {
    // Every transaction has an id, a product and a time: three parts and its own.
    let parts = tape.size(of: first) + tape.size(of: second) + tape.size(of: third)
    drafts.begin(atMost: 1 + parts / 4)
    try addDrafts(tape, first)
    try addDrafts(tape, second)
    try addDrafts(tape, third)
    if single >= 0 { try drafts.add(tape, single) }
    try drafts.finish(tape)
  }

  /// Gathers the transactions of a list, or the one that stands in its place.
  private mutating func addDrafts(_ tape: JSONTape, _ list: Int32) throws(RecordDiagnostic) {
    switch tape.kind(of: list) {
    case .object?:
      // An empty object tells nothing; Apple's older responses have one.
      if tape.size(of: list) > 1 { try drafts.add(tape, list) }
    case .array?:
      let end = tape.nodes[Int(list)].next
      var node = list + 1
      while node < end {
        guard tape.kind(of: node) == .object else { throw Self.noObject(tape, node) }
        try drafts.add(tape, node)
        node = tape.nodes[Int(node)].next
      }
    case nil: break
    default: throw Self.noObject(tape, list)
    }
  }

  /// What is wrong with a part that should be a transaction.
  private static func noObject(_ tape: JSONTape, _ node: Int32) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "value", "@purchase.transaction-was-expected-here \(shown(tape.text(node)))",
      offset: tape.place(of: node), help: "@purchase.object-per-transaction-store")
  }

  /// Adds the transactions that were gathered to the collector.
  mutating func addTransactions(
    _ tape: JSONTape, _ around: Surroundings, observedAt: Instant?, _ context: RecordContext,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    for draft in 0..<drafts.count {
      let found = drafts.drafts[draft]
      let transaction = CollectedTransaction(
        id: try drafts.id(draft, .transactionId, "transaction_id", tape) ?? nothing,
        originalID: try drafts.id(
          draft, .originalTransactionId, "original_transaction_id", tape) ?? nothing,
        webOrderLineItemID: lineItem(
          try drafts.id(draft, .webOrderLineItemId, "web_order_line_item_id", tape)),
        appAccountToken: try drafts.id(
          draft, .appAccountToken, "app_account_token", tape) ?? nothing,
        purchasedAt: found.purchasedAt, expiresAt: found.expiresAt, revokedAt: found.revokedAt,
        observedAt: observedAt)
      var around = around
      // What was bought long before the receipt may have been bought with another version.
      if let observedAt, observedAt.seconds - found.purchasedAt.seconds > 86_400 {
        around.appVersion = nothing
      }
      try putTerms(tape, draft, found, around)
      do throws(RecordDiagnostic) {
        try collector.addTransaction(
          transaction, terms.record(line: context.line), .receipt, context)
      } catch {
        throw error.placed { terms.place(of: $0) }
      }
    }
  }

  /// Puts the terms of a draft, which other transactions may share, into ``terms``; what it does
  /// not say itself is taken from its surroundings.
  ///
  /// - Parameters:
  ///   - draft: its index, for the values of its keys.
  ///   - found: the same draft's times.
  private mutating func putTerms(
    _ tape: JSONTape, _ draft: Int, _ found: ReceiptDrafts.Draft, _ around: Surroundings
  ) throws(RecordDiagnostic) {
    /// The trimmed text that the draft has for a key; `other` where it has none.
    func own(_ key: ReceiptTransactionKey, or other: UnsafeRawBufferPointer = nothing)
      -> UnsafeRawBufferPointer
    {
      let bytes = trimmed(drafts.text(draft, key, tape))
      return bytes.isEmpty ? other : bytes
    }
    /// Where the draft's value of a key stands in the raw record.
    func place(_ key: ReceiptTransactionKey) -> Int { drafts.place(draft, key, tape) }
    let isTrial = isTrue(own(.isTrialPeriod))
    let isIntro = isTrue(own(.isInIntroOfferPeriod))
    let offer: OfferKind? =
      drafts.cell(draft, .promotionalOfferId) >= 0
      ? .promotional
      : drafts.cell(draft, .offerCodeRefName) >= 0
        ? .code : isTrial || isIntro ? .introductory : nil
    let environment =
      storeEnvironment(own(.environment)) ?? around.environment
      ?? Self.compressedEnvironment(found)
    terms.begin()
    terms.put(.factSource, around.factSource.rawValue)
    terms.put(.sku, own(.productId), at: place(.productId))
    terms.put(.bundleID, own(.bundleId, or: own(.bid, or: around.bundleID)), at: place(.bid))
    terms.put(.kind, nil as UInt8?)
    terms.put(.quantity, own(.quantity), at: place(.quantity))
    terms.put(.price, nil as UInt8?)
    terms.put(.currency, nil as UInt8?)
    terms.put(.storefront, nil as UInt8?)
    terms.put(.trial, own(.isTrialPeriod), at: place(.isTrialPeriod))
    terms.put(.intro, own(.isInIntroOfferPeriod), at: place(.isInIntroOfferPeriod))
    if found.isUpgraded {
      terms.put(.upgraded, true)
    } else {
      terms.put(.upgraded, own(.isUpgraded), at: place(.isUpgraded))
    }
    terms.put(.ownership, own(.inAppOwnershipType), at: place(.inAppOwnershipType))
    terms.put(.environment, environment?.rawValue)
    terms.put(.revocationReason, own(.cancellationReason), at: place(.cancellationReason))
    if let unsharedAt = around.unsharedAt, found.revokedAt == unsharedAt {
      terms.put(.revocationType, "FAMILY_REVOKE")
    } else {
      terms.put(.revocationType, nil as UInt8?)
    }
    terms.put(.revocationPercentage, nil as UInt8?)
    terms.put(.refundReversed, nil as UInt8?)
    terms.put(.offer, offer?.rawValue)
    terms.put(.itemID, own(.itemId), at: place(.itemId))
    let appItemID = own(.appItemId, or: around.appItemID)
    terms.put(
      .appItemID, names(appItemID, "0") ? around.appItemID : appItemID, at: place(.appItemId))
    terms.put(
      .subscriptionGroup, own(.subscriptionGroupIdentifier),
      at: place(.subscriptionGroupIdentifier))
    terms.put(.appVersion, around.appVersion, at: 0)
    let word = own(.environment, or: around.environmentWord)
    terms.put(.environmentWord, environment == .other ? word : nothing, at: place(.environment))
    terms.put(.component, isAnother(own(.bundleTransactionId), than: own(.transactionId)))
  }

  /// The line item's id; what is no subscription has the line item 0 in some receipts, which is
  /// none.
  private func lineItem(_ id: UnsafeRawBufferPointer?) -> UnsafeRawBufferPointer {
    id.map { names($0, "0") ? nothing : $0 } ?? nothing
  }

  /// Whether a receipt's word means yes.
  private func isTrue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    names(bytes, "1") || isWord(bytes, "true") || isWord(bytes, "yes")
  }

  /// The sandbox where a subscription's period shows it; nil where it does not. The sandbox renews
  /// a month in minutes and a year in an hour: no period in production is as short.
  private static func compressedEnvironment(_ draft: ReceiptDrafts.Draft) -> StoreEnvironment? {
    guard let expiresAt = draft.expiresAt else { return nil }
    let seconds = expiresAt.seconds - draft.purchasedAt.seconds
    return seconds > 0 && seconds <= 2 * 3600 ? .sandbox : nil
  }
}
