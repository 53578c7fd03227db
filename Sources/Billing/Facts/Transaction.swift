/// What a transaction says besides its ids and times; nil or empty is "not said".
package struct TransactionTerms: Hashable, Sendable {
  package var factSource: FactSource
  package var sku: String
  package var bundleID: String
  package var kind: ProductKind?
  /// Units as they were said; 0 is "not said".
  package var saidQuantity: Int32
  /// Per unit, in micro-units.
  package var unitPrice: Int64?
  package var currency: Currency?
  package var storefront: Storefront?
  package var saysTrial: Bool?
  package var saysIntro: Bool?
  package var isUpgraded: Bool
  package var ownership: Ownership?
  package var environment: StoreEnvironment?
  /// Apple's code as text: `0` other, `1` an issue in the app; empty when not revoked or not said.
  package var revocationReason: String
  package var revocationType: RevocationType?
  /// The part of the price that was given back, in thousandths of a percent: 50,000 is half.
  package var revocationPercentage: Int32?
  /// Apple took the refund back after a dispute (`REFUND_REVERSED`).
  package var isRefundReversed: Bool
  package var offer: OfferKind?
  /// Apple's identifier of the product (`item_id`), which differs between apps with the same SKU.
  package var itemID: String
  /// Apple's identifier of the app.
  package var appItemID: String
  package var subscriptionGroup: String
  /// Of the app whose receipt told it (`application_version`, `bvrs`): a build's number, mostly.
  package var appVersion: String
  /// Part of a subscription bundle: its `bundleTransactionId` names another transaction, which has
  /// the money.
  package var isComponent = false
  /// Values of closed vocabularies that are not known, each with its field, as they were written:
  /// `inAppOwnershipType "LENT"`.
  package var unknownWords = ""

  /// Units; 1 where nobody said.
  package var quantity: Int32 { max(saidQuantity, 1) }
  package var isTrial: Bool { saysTrial ?? false }
  package var isIntro: Bool { saysIntro ?? false }
  /// Whether it is of the Sandbox, or of anything else that is not Production; what names no
  /// environment is of Production, as in Apple's first years.
  package var isSandbox: Bool { (environment ?? .production) != .production }
  package var isFamilyShared: Bool { ownership == .familyShared }
  /// Whether it stands for no purchase of its own: shared or assigned by another, a bundle's part,
  /// or owned in a way that is not known.
  package var isNoPurchase: Bool { isComponent || (ownership ?? .purchased) != .purchased }
  /// Whether a trial or introductory price is one that a customer gets once; those that the company
  /// offers (promotional, by code, to win back) are not.
  package var isIntroductoryOffer: Bool {
    (isTrial || isIntro) && (offer == nil || offer == .introductory)
  }

  /// Whether a revocation gives money back: not after an upgrade, nor when Family Sharing ended.
  package var revocationIsRefund: Bool { !isUpgraded && revocationType != .family }
  /// Whether Apple's sales report has the refund's units; a prorated one has a row of none.
  package var revocationCountsUnits: Bool { revocationIsRefund && refundShare == 1_000_000 }
  /// Millionths of the price that a refund gives back; nil where that was not said.
  package var refundShare: Int64? {
    if revocationType == .full { return 1_000_000 }
    if let percentage = revocationPercentage { return min(Int64(percentage) * 10, 1_000_000) }
    return revocationType == .prorated ? nil : 1_000_000
  }

  package init(
    factSource: FactSource = .company, sku: String, bundleID: String = "", kind: ProductKind? = nil,
    quantity: Int32 = 1, unitPrice: Int64? = nil, currency: Currency? = nil,
    storefront: Storefront? = nil, isTrial: Bool? = nil, isIntro: Bool? = nil,
    isUpgraded: Bool = false, ownership: Ownership? = nil, environment: StoreEnvironment? = nil,
    revocationReason: String = "", revocationType: RevocationType? = nil,
    revocationPercentage: Int32? = nil, isRefundReversed: Bool = false, offer: OfferKind? = nil,
    itemID: String = "", appItemID: String = "", subscriptionGroup: String = "",
    appVersion: String = ""
  ) {
    self.factSource = factSource
    self.sku = sku
    self.bundleID = bundleID
    self.kind = kind
    saidQuantity = quantity
    self.unitPrice = unitPrice
    self.currency = currency
    self.storefront = storefront
    saysTrial = isTrial
    saysIntro = isIntro
    self.isUpgraded = isUpgraded
    self.ownership = ownership
    self.environment = environment
    self.revocationReason = revocationReason
    self.revocationType = revocationType
    self.revocationPercentage = revocationPercentage
    self.isRefundReversed = isRefundReversed
    self.offer = offer
    self.itemID = itemID
    self.appItemID = appItemID
    self.subscriptionGroup = subscriptionGroup
    self.appVersion = appVersion
  }
}

extension TransactionTerms: OfProduct {
  package var appMarks: [AppMark] { [.bundle(bundleID), .item(itemID)] }
}

extension TransactionTerms: ListedRow {
  package static let blank = TransactionTerms(sku: "")

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      apples: "witness", .factSource(\.factSource),
      view: "@view.its-source-company-unsigned-notification"),
    .transactionID("@company.apple-id-of-the-transaction", required: true),
    .sku(.code(\.sku)),
    CompanyColumn(
      "purchased_at", .own(.time), required: true,
      "@company.when-apple-charged-the-customer", "2023-06-12T02:00:08Z",
      called: [
        "purchase_date", "purchase_time", "buy_time", "bought_at", "pay_time", "charged_at",
        "purchase_date_ms", "start_time", "purchased", "create_at", "create_time", "paid_at",
        "created_at", "购买时间", "支付时间",
        "Kaufdatum", "Kaufzeit",
        "Gekauft", "Gekauft_am", "Date_d'achat", "Fecha_de_compra",
      ], view: "@view.when-it-was-bought-utc"),
    .bundleID(.code(\.bundleID)),
    .kind(
      .kind(.ifSaid(\.kind)), view: "@shared.consumable-non-consumable-auto-renewable"),
    .quantity(.quantity(\.saidQuantity)),
    .unitPrice(.price(.ifSaid(\.unitPrice))),
    .currency(.currency(.ifSaid(\.currency))),
    .storefront(.storefront(.ifSaid(\.storefront))),
    CompanyColumn(
      "is_trial", .saidFlag(\.saysTrial), "@company.whether-it-is-a-free", "false",
      called: ["is_trial_period"],
      view: "@view.1-for-a-free-trial"),
    CompanyColumn(
      "is_intro", .saidFlag(\.saysIntro), "@company.whether-it-has-an-introductory", "false",
      called: ["is_in_intro_offer_period"],
      view: "@view.1-for-an-introductory-price"),
    CompanyColumn(
      "is_upgraded", .flag(\.isUpgraded), "@company.whether-the-customer-upgraded",
      "false", view: "@view.1-where-another-subscription-replaced"),
    CompanyColumn(
      "ownership", .ownership(\.ownership),
      "@company.purchased-family-shared-where", "PURCHASED",
      called: ["in_app_ownership_type", "ownership_type", "owner_type"],
      view: "@view.purchased-family-shared-assigned"),
    CompanyColumn(
      "environment", .environment(\.environment), "@company.production-or-sandbox", "Production",
      called: ["is_sandbox", "env", "Umgebung", "Environnement", "Entorno"],
      view: "@view.production-sandbox-or-other"),
    CompanyColumn(
      "revocation_reason", .text(\.revocationReason), "@company.why-apple-revoked",
      called: ["cancellation_reason"],
      view: "@view.apple-reason"),
    CompanyColumn(
      apples: "revocation_type", .revocationType(\.revocationType),
      view: "@view.full-prorated-or-for-family"),
    CompanyColumn(
      apples: "revocation_percentage", .percentage(\.revocationPercentage),
      view: "@view.share-that-was-refunded"),
    CompanyColumn(
      apples: "is_refund_reversed", .flag(\.isRefundReversed),
      view: "@view.1-where-apple-reversed"),
    CompanyColumn(
      apples: "offer_type", .offer(\.offer), view: "@view.apple-number-for-the-kind"),
    CompanyColumn(apples: "item_id", .code(\.itemID), view: "@view.apple-number-for-the-product"),
    CompanyColumn(
      apples: "app_item_id", .code(\.appItemID), view: "@view.apple-number-for-the-app"),
    CompanyColumn(
      apples: "subscription_group", .code(\.subscriptionGroup),
      view: "@view.group-of-the-subscription"),
    CompanyColumn(
      apples: "app_version", .code(\.appVersion),
      view: "@view.version-of-the-app-that-the-receipt"),
    CompanyColumn(
      apples: "is_component", .flag(\.isComponent),
      view: "@view.1-for-a-part"),
    CompanyColumn(
      apples: "unknown_words", .text(\.unknownWords),
      view: "@view.values-that-tieout-does-not"),
    CompanyColumn(
      "original_transaction_id", .own(.code), "@company.transaction-that-the-subscription-began",
      "400000000000001",
      called: [
        "original_txn_id", "original_transaction", "original_store_transaction_id",
        "orig_txn_id", "orig_transaction_id", "Ursprung", "Ursprungstransaktion", "Origine",
        "Transaction_d'origine", "Origen", "Transacción_original",
      ],
      view: "@view.first-transaction-of-the-chain-else"),
    CompanyColumn(
      "web_order_line_item_id", .own(.code), "@shared.apple-id-of-a-subscription",
      view: "@shared.apple-id-of-a-subscription"),
    .orderID(
      "@company.order-that-the-transaction",
      view: "@view.company-order-that-came"),
    CompanyColumn(
      "expires_at", .own(.time), "@company.when-a-subscription-period-ends",
      called: [
        "expires_date", "expires_date_ms", "effective_end_time", "end_time", "expiration_date",
        "expiry_date", "expires", "到期时间",
      ], view: "@view.when-the-paid-period-ends"),
    CompanyColumn(
      "revoked_at", .own(.time), "@company.when-apple-refunded-or-revoked",
      called: [
        "revocation_date", "revocation_date_ms", "cancellation_date", "refunded_at", "refund_time",
        "refund_date", "退款时间", "Erstattet_am", "Storniert_am", "Annulé_le",
        "Remboursé_le", "Cancelado_el", "Reembolsado_el",
      ], view: "@view.when-apple-revoked-it-utc"),
    .appAccountToken,
    .userID,
  ]
}

/// One transaction as one record tells it, with ids as slices of its block's text.
package struct TransactionRow: Sendable {
  package var line: Int32
  package var terms: Int32
  package var transactionID: TextSlice
  package var originalTransactionID: TextSlice
  package var webOrderLineItemID: TextSlice
  /// The transaction's own order, or that of the receipt it came in.
  package var orderID: TextSlice
  package var appAccountToken: TextSlice
  package var userID: TextSlice
  package var purchasedAt: Instant
  package var expiresAt: Instant?
  package var revokedAt: Instant?
  /// When it was told: a payload's `signedDate`, a receipt's arrival; the company does not say.
  package var observedAt: Instant?
  /// Transactions of the receipt that it came in; 0 where it came in none that names an order. The
  /// ledger counts them.
  package var receiptSize: Int32 = 0
  /// The place of what is said beside it among the block's extras, from 1; 0 for nothing.
  package var extra: Int32 = 0

  @inlinable @inline(__always) package init(
    line: Int32, terms: Int32, transactionID: TextSlice, originalTransactionID: TextSlice,
    webOrderLineItemID: TextSlice, orderID: TextSlice, appAccountToken: TextSlice,
    userID: TextSlice, purchasedAt: Instant, expiresAt: Instant?, revokedAt: Instant?,
    observedAt: Instant? = nil
  ) {
    self.line = line
    self.terms = terms
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.webOrderLineItemID = webOrderLineItemID
    self.orderID = orderID
    self.appAccountToken = appAccountToken
    self.userID = userID
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.observedAt = observedAt
  }
}
