/// Keys of a record as a server stored it, of a verifyReceipt response, and of a notification of
/// version 1: none means two things in two of them.
enum ResponseKey: Int, SnakeCaseKey {
  case receivedAt, orderId, userId, response, body
  // What the page in `body` was asked for with.
  case revision, paginationToken
  case status, environment, receipt, latestReceiptInfo, latestExpiredReceiptInfo
  case pendingRenewalInfo, inApp
  case transactionId, productId, purchaseDate, purchaseDateMs, bid, bvrs
  case notificationType, unifiedReceipt, webOrderLineItemId, originalTransactionId
  case autoRenewStatus, autoRenewProductId, expirationIntent, isInBillingRetryPeriod
  // In the order of preference.
  case cancellationDateMs, cancellationDate, cancellationDatePst
  case autoRenewStatusChangeDateMs, autoRenewStatusChangeDate, autoRenewStatusChangeDatePst
}

/// Keys of `receipt`.
enum ReceiptKey: Int, SnakeCaseKey {
  case receiptType, bundleId, bid, adamId, appItemId, inApp, transactionId
  case applicationVersion, bvrs
  case requestDateMs, requestDate, requestDatePst
  case receiptCreationDateMs, receiptCreationDate, receiptCreationDatePst
}

/// Keys of one transaction in a receipt.
enum ReceiptTransactionKey: Int, SnakeCaseKey {
  case transactionId, originalTransactionId, productId, quantity, webOrderLineItemId
  case appAccountToken, bid, bundleId, itemId, appItemId, environment
  case isTrialPeriod, isInIntroOfferPeriod, isUpgraded, inAppOwnershipType, bundleTransactionId
  case subscriptionGroupIdentifier, promotionalOfferId, offerCodeRefName
  // Times in the order of preference.
  case purchaseDateMs, purchaseDate, purchaseDatePst
  case expiresDateMs, expiresDate, expiresDateFormatted, expiresDatePst, expiresDateFormattedPst
  case cancellationDateMs, cancellationDate, cancellationDatePst, cancellationReason

  static let purchase = purchaseDateMs.rawValue...purchaseDatePst.rawValue
  static let expiry = expiresDateMs.rawValue...expiresDateFormattedPst.rawValue
  static let cancellation = cancellationDateMs.rawValue...cancellationDatePst.rawValue

  /// What is told as a whole: the parts of one are never filled up from another.
  static let wholes = [
    purchase, expiry, cancellation.lowerBound...cancellationReason.rawValue,
    promotionalOfferId.rawValue...offerCodeRefName.rawValue,
  ]
}

/// Keys of `pending_renewal_info`, and of what stands for it in older responses.
enum ReceiptRenewalKey: Int, SnakeCaseKey {
  case originalTransactionId, productId, autoRenewProductId, autoRenewStatus, expirationIntent
  case isInBillingRetryPeriod
  case gracePeriodExpiresDateMs, gracePeriodExpiresDate, gracePeriodExpiresDatePst
}

/// Keys of what the App Store Server API answers, of notifications of version 2, and of payloads.
enum PayloadKey: Int, CamelCaseKey {
  case signedPayload, signedTransactions, signedTransactionInfo, signedRenewalInfo
  case notificationHistory, lastTransactions, signedAppTransactionInfo
  // What programs call a notification's payloads that they decoded.
  case transactionInfo, renewalInfo
  case data, summary, externalPurchaseToken, appData
  case notificationType, subtype, notificationUUID, signedDate, environment, bundleId, appAppleId
  case transactionId, originalTransactionId, webOrderLineItemId, productId
  case subscriptionGroupIdentifier, purchaseDate, expiresDate, revocationDate, quantity, type
  case appAccountToken, inAppOwnershipType, revocationReason, revocationType
  case revocationPercentage, isUpgraded, offerType, offerDiscountType, storefront, storefrontId
  case price, currency
  case autoRenewProductId, autoRenewStatus, expirationIntent, isInBillingRetryPeriod
  case gracePeriodExpiresDate, receiptType, originalApplicationVersion, receiptCreationDate
  case revision, hasMore, paginationToken, appTransactionId
  case status, consumptionRequestReason, externalPurchaseId, tokenCreationDate
  case transactionReason, offerIdentifier, offerPeriod, billingPlanType
  case commitmentInfo, billingPeriodNumber, totalBillingPeriods, commitmentPrice
  case commitmentExpiresDate
  case advancedCommerceInfo, taxCode, taxRate, estimatedTax, taxExclusivePrice, requestReferenceId
  case items
  case renewalPrice, renewalDate
  // Apple spells the ids of StoreKit with two capitals.
  case bundleTransactionId, bundleTransactionID
}
