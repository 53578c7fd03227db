import Billing

extension TransactionRow: TimedRow {
  static let tableName = "transaction_row"
  static let blank = TransactionRow(
    line: 0, terms: 0, transactionID: .none, originalTransactionID: .none,
    webOrderLineItemID: .none, orderID: .none, appAccountToken: .none, userID: .none,
    purchasedAt: Instant(seconds: 0), expiresAt: nil, revokedAt: nil)

  var time: Int64 { purchasedAt.seconds }

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("purchased_at", &purchasedAt)
    column("revoked_at", &revokedAt)
    column("transaction_id", id: &transactionID)
    column("order_id", id: &orderID)
    column("original_transaction_id", id: &originalTransactionID, own: transactionID)
    column("web_order_line_item_id", id: &webOrderLineItemID)
    column("expires_at", &expiresAt)
    column("user_id", id: &userID)
    column("app_account_token", id: &appAccountToken)
    column("line", &line)
    column("told_at", &observedAt)
    var size = receiptSize > 0 ? receiptSize : nil
    column("receipt_size", &size)
  }
}

extension MessageTerms: TableValue {
  static let tableName = "message_terms"
  static let blank = MessageTerms(factSource: .company, type: "")

  mutating func values(_ column: inout some ValueVisitor) {
    column("witness", &factSource)
    column("type", &type)
    column("subtype", &subtype)
    column("status", &status)
    column("environment", &environment)
    column("bundle_id", &bundleID)
    column("request_reason", &requestReason)
    column("unknown_words", &unknownWords)
  }
}

extension MessageRow: BlockRow {
  static let tableName = "message_row"
  static let blank = MessageRow(
    line: 0, terms: 0, uuid: .none, orderID: .none, userID: .none, observedAt: nil)

  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("told_at", &observedAt)
    column("uuid", id: &uuid)
    column("order_id", id: &orderID)
    column("user_id", id: &userID)
    column("line", &line)
    column("external_purchase_id", id: &externalPurchaseID)
    column("token_created_at", &tokenCreatedAt)
  }
}

extension RenewalTerms: TableValue {
  static let tableName = "renewal_terms"
  static let blank = RenewalTerms(factSource: .company)

  mutating func values(_ column: inout some ValueVisitor) {
    column("witness", &factSource)
    column("sku", &sku)
    column("next_sku", &nextSKU)
    column("will_renew", &willRenew)
    column("expiration_intent", &expirationIntent)
    column("is_in_billing_retry", &isInBillingRetry)
    column("status", &status)
    column("offer_type", &offer)
    column("offer_id", &offerID)
    column("offer_discount_type", &offerDiscount)
    column("offer_period", &offerPeriod)
    column("renewal_price", &renewalPrice)
    column("currency", &currency)
    column("unknown_words", &unknownWords)
  }
}

extension RenewalRow: BlockRow {
  static let tableName = "renewal_row"
  static let blank = RenewalRow(
    line: 0, terms: 0, originalTransactionID: .none, observedAt: Instant(seconds: 0),
    graceExpiresAt: nil)

  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("told_at", &observedAt)
    column("original_transaction_id", id: &originalTransactionID)
    column("grace_expires_at", &graceExpiresAt)
    column("line", &line)
    column("renews_at", &renewsAt)
  }
}

extension ExtraTerms: TableValue {
  static let tableName = "extra_terms"
  static let blank = ExtraTerms()

  mutating func values(_ column: inout some ValueVisitor) {
    column("transaction_reason", &reason)
    column("offer_id", &offerID)
    column("offer_discount_type", &offerDiscount)
    column("offer_period", &offerPeriod)
    column("billing_plan", &billingPlan)
    column("billing_period", &billingPeriod)
    column("billing_periods", &billingPeriods)
    column("commitment_price", &commitmentPrice)
    column("tax_code", &taxCode)
    column("tax_rate", &taxRate)
    column("estimated_tax", &estimatedTax)
    column("price_without_tax", &priceWithoutTax)
  }
}

extension ExtraRow: SparseRow {
  static let tableName = "extra_row"
  static let numberName = "id"
  static let blank = ExtraRow(
    terms: 0, appTransactionID: .none, requestReference: .none, commitmentEndsAt: nil)

  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("app_transaction_id", id: &appTransactionID)
    column("request_reference", id: &requestReference)
    column("commitment_ends_at", &commitmentEndsAt)
  }
}

extension AdvancedItem: SparseRow {
  static let tableName = "item_row"
  static let numberName = "row_id"
  static let blank = AdvancedItem(extra: 0, place: 0, sku: "", name: "")

  mutating func columns(_ column: inout some RowVisitor) {
    column("place", &place)
    column("sku", &sku)
    column("name", &name)
    column("price", &price)
    column("offer_price", &offerPrice)
    column("revoked_at", &revokedAt)
  }
}

extension AdvancedItemRefund: SparseRow {
  static let tableName = "item_refund_row"
  static let numberName = "row_id"
  static let blank = AdvancedItemRefund(extra: 0, place: 0, reason: "", type: "")

  mutating func columns(_ column: inout some RowVisitor) {
    column("place", &place)
    column("amount", &amount)
    column("refunded_at", &refundedAt)
    column("reason", &reason)
    column("type", &type)
  }
}
