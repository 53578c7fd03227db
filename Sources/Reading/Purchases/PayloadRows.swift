internal import Billing

extension PayloadReader {
  /// Adds the transaction at `node`, whose members `fields[scope.depth]` has found, with what it
  /// says beside its terms.
  ///
  /// - Parameter observedAt: when it was signed, else received; nil where neither is known.
  mutating func readTransaction(
    _ tape: JSONTape, _ node: Int32, observedAt: Instant?, _ scope: Scope,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let fields = fields[scope.depth]
    let place = tape.place(of: node)
    guard let id = try plainID(tape, fields[.transactionId], "transactionId") else {
      throw ReceiptDrafts.missing("transactionId", at: place)
    }
    guard let purchasedAt = try tape.time(fields[.purchaseDate], "purchaseDate", &times) else {
      throw ReceiptDrafts.missing("purchaseDate", at: place)
    }
    if fields[.productId] < 0 { throw ReceiptDrafts.missing("productId", at: place) }
    let transaction = CollectedTransaction(
      id: id,
      originalID: try plainID(tape, fields[.originalTransactionId], "originalTransactionId")
        ?? nothing,
      webOrderLineItemID: try plainID(tape, fields[.webOrderLineItemId], "webOrderLineItemId")
        .flatMap { names($0, "0") ? nil : $0 } ?? nothing,
      appAccountToken: try plainID(tape, fields[.appAccountToken], "appAccountToken") ?? nothing,
      purchasedAt: purchasedAt,
      expiresAt: try tape.time(fields[.expiresDate], "expiresDate", &times),
      revokedAt: try tape.time(fields[.revocationDate], "revocationDate", &times),
      observedAt: observedAt)
    page?.addTransaction(tape, fields, transaction)
    putTerms(tape, fields, scope, id: id)
    do throws(RecordDiagnostic) {
      try collector.addTransaction(
        transaction, terms.record(line: scope.context.line), .payload, scope.context)
    } catch {
      throw error.placed { terms.place(of: $0) }
    }
    try readExtra(tape, scope, into: &collector)
    if scope.isAlone {
      try readStatus(tape, fields, observedAt: observedAt, scope, &collector)
    }
  }

  /// Adds the subscription's status that the scope has, beside which no renewal stands, as a
  /// renewal of its own under the id among the fields. Without an id or a time it is left out and
  /// noted.
  mutating func readStatus(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, observedAt: Instant?, _ scope: Scope,
    _ collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    if scope.status.isEmpty { return }
    let key: PayloadKey =
      fields[.originalTransactionId] >= 0 ? .originalTransactionId : .transactionId
    guard let original = try plainID(tape, fields[key], "originalTransactionId"), let observedAt
    else {
      counts.untimedStatuses += 1
      counts.firstUntimedStatus = counts.firstUntimedStatus ?? scope.context.line
      return
    }
    renewalTerms.begin()
    renewalTerms.put(.factSource, scope.factSource.rawValue)
    for field in RenewalField.allCases.dropFirst() {
      renewalTerms.put(field, field == .status ? scope.status : nothing, at: 0)
    }
    try collector.addRenewal(
      renewalTerms.record(line: scope.context.line), originalID: original, observedAt: observedAt,
      graceExpiresAt: nil, scope.context)
  }

  /// Puts the terms of a transaction, which others may share, into ``terms``; what it does not say
  /// itself is taken from its scope.
  ///
  /// - Parameter id: of the transaction.
  private mutating func putTerms(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ scope: Scope,
    id: UnsafeRawBufferPointer
  ) {
    let offer = offer(tape, fields)
    let own = tape.text(fields[.appAppleId])
    let storefront = fields[.storefront] >= 0 ? fields[.storefront] : fields[.storefrontId]
    terms.begin()
    terms.put(.factSource, scope.factSource.rawValue)
    put(.sku, fields[.productId], tape)
    let bundleID = tape.text(fields[.bundleId])
    terms.put(
      .bundleID, bundleID.isEmpty ? scope.bundleID : bundleID, at: tape.place(of: fields[.bundleId])
    )
    put(.kind, fields[.type], tape)
    put(.quantity, fields[.quantity], tape)
    put(.price, fields[.price], tape)
    put(.currency, fields[.currency], tape)
    put(.storefront, storefront, tape)
    terms.put(.trial, offer.isTrial)
    terms.put(.intro, offer.isIntro)
    put(.upgraded, fields[.isUpgraded], tape)
    put(.ownership, fields[.inAppOwnershipType], tape)
    let ownEnvironment = trimmed(tape.text(fields[.environment]))
    let environment = ownEnvironment.isEmpty ? scope.environment : ownEnvironment
    terms.put(.environment, storeEnvironment(environment)?.rawValue)
    put(.revocationReason, fields[.revocationReason], tape)
    if scope.isUnshared, fields[.revocationType] < 0 {
      terms.put(.revocationType, "FAMILY_REVOKE")
    } else {
      put(.revocationType, fields[.revocationType], tape)
    }
    put(.revocationPercentage, fields[.revocationPercentage], tape)
    terms.put(.refundReversed, scope.isRefundReversed ? true : nil)
    put(.offer, fields[.offerType], tape)
    terms.put(.itemID, nil as UInt8?)
    terms.put(.appItemID, own.isEmpty ? scope.appItemID : own, at: tape.place(of: -1))
    put(.subscriptionGroup, fields[.subscriptionGroupIdentifier], tape)
    terms.put(.appVersion, nil as UInt8?)
    terms.put(
      .environmentWord, storeEnvironment(environment) == .other ? environment : nothing, at: 0)
    let bundle =
      fields[.bundleTransactionId] >= 0
      ? fields[.bundleTransactionId] : fields[.bundleTransactionID]
    terms.put(.component, isAnother(tape.text(bundle), than: id))
  }

  /// Puts a part's text into the record of the terms.
  private mutating func put(_ field: TermsField, _ node: Int32, _ tape: JSONTape) {
    terms.put(field, tape.text(node), at: tape.place(of: node))
  }

  /// The offer by which a transaction was bought; whether it was a trial is nil where that is not
  /// known. A signed transaction says all: without an offer it is no trial. Payloads of the first
  /// years name an offer without saying whether it was free.
  private func offer(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>
  ) -> (kind: OfferKind?, isTrial: Bool?, isIntro: Bool?) {
    let type = wholeNumber(trimmed(tape.text(fields[.offerType])))
    guard let type else { return (nil, false, false) }
    let kind = UInt8(exactly: type).flatMap(OfferKind.init(rawValue:))
    let discount = trimmed(tape.text(fields[.offerDiscountType]))
    let isTrial = names(discount, "FREE_TRIAL")
    let isKnown = isTrial || !discount.isEmpty
    return (kind, isKnown ? isTrial : nil, kind == .introductory && !isTrial)
  }

  /// Adds the renewal at `node`, whose members `fields[scope.depth]` has found; throws a diagnostic
  /// where it has no original transaction id or no time.
  mutating func readRenewal(
    _ tape: JSONTape, _ node: Int32, observedAt: Instant?, _ scope: Scope,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let fields = fields[scope.depth]
    let original = try plainID(tape, fields[.originalTransactionId], "originalTransactionId")
    guard let original, let observedAt else {
      throw RecordDiagnostic(
        nil, "value",
        original == nil
          ? "@purchase.renewal-has-no-originaltransactionid" : "@purchase.renewal-has-no-time",
        offset: tape.place(of: node), help: "@purchase.store-what-apple-sent")
    }
    renewalTerms.begin()
    renewalTerms.put(.factSource, scope.factSource.rawValue)
    putRenewal(.sku, fields[.productId], tape)
    putRenewal(.nextSKU, fields[.autoRenewProductId], tape)
    putRenewal(.willRenew, fields[.autoRenewStatus], tape)
    putRenewal(.expirationIntent, fields[.expirationIntent], tape)
    putRenewal(.billingRetry, fields[.isInBillingRetryPeriod], tape)
    renewalTerms.put(.status, scope.status, at: 0)
    putRenewal(.offer, fields[.offerType], tape)
    putRenewal(.offerID, fields[.offerIdentifier], tape)
    putRenewal(.offerDiscount, fields[.offerDiscountType], tape)
    putRenewal(.offerPeriod, fields[.offerPeriod], tape)
    putRenewal(.price, fields[.renewalPrice], tape)
    putRenewal(.currency, fields[.currency], tape)
    do throws(RecordDiagnostic) {
      try collector.addRenewal(
        renewalTerms.record(line: scope.context.line), originalID: original, observedAt: observedAt,
        graceExpiresAt: try tape.time(
          fields[.gracePeriodExpiresDate], "gracePeriodExpiresDate", &times),
        renewsAt: try tape.time(fields[.renewalDate], "renewalDate", &times), scope.context)
    } catch {
      throw error.placed { renewalTerms.place(of: $0) }
    }
  }

  /// Puts a part's text into the record of the renewal.
  private mutating func putRenewal(_ field: RenewalField, _ node: Int32, _ tape: JSONTape) {
    renewalTerms.put(field, tape.text(node), at: tape.place(of: node))
  }
}
