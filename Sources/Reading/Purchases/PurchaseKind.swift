internal import Billing

/// The kind of a file whose first object holds Apple's words about purchases; nil for all else. No
/// key of a company table decides: those of our own tables are never Apple's.
func purchaseKind(_ shape: JSONShape) -> InputKind? {
  if shape.isArrayOfTexts { return .history }
  let keys = Set(shape.keys)
  /// Whether the object has all of these keys.
  func has(_ names: String...) -> Bool { names.allSatisfy(keys.contains) }
  let ours: Set = ["sku", "placedat", "purchasedat", "begindate"]
  if !ours.isDisjoint(with: keys.map(squeezedName)) { return nil }
  if has("response") { return .receipts }
  if has("signedPayload") || has("notification_type") { return .notifications }
  if has("notificationType") { return .notifications }
  let answers: Set = [
    "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "notificationHistory",
    "lastTransactions", "signedAppTransactionInfo",
  ]
  if !keys.isDisjoint(with: answers) { return .history }
  let receipts: Set = [
    "receipt", "latest_receipt_info", "latest_expired_receipt_info", "pending_renewal_info",
    "in_app",
  ]
  if !keys.isDisjoint(with: receipts) { return .receipts }
  let isStatuses = shape.firstBytes["data"] == 0x5B
  if isStatuses, has("bundleId") || has("environment") || has("appAppleId") { return .history }
  let isPayload =
    has("transactionId", "productId") || has("productId", "purchaseDate")
    || has("originalTransactionId", "autoRenewProductId")
    || has("originalTransactionId", "autoRenewStatus")
    || has("bundleId", "receiptType") || has("bundleId", "originalApplicationVersion")
  if isPayload { return .history }
  if has("body", "received_at") { return .notifications }
  if has("body"), has("revision") || has("pagination_token") { return .history }
  let isDated = has("purchase_date") || has("purchase_date_ms")
  if has("transaction_id", "product_id"), isDated, has("bid") || has("bvrs") { return .receipts }
  return isBareStatus(shape, keys) ? .receipts : nil
}

/// Whether an object is a verifyReceipt response that has nothing but its status, and at most why.
private func isBareStatus(_ shape: JSONShape, _ keys: Set<String>) -> Bool {
  let companions: Set = [
    "status", "exception", "environment", "is_retryable", "is-retryable", "latest_receipt",
    "auto_renew_status", "auto_renew_product_id", "expiration_intent",
    "is_in_billing_retry_period", "received_at", "order_id", "user_id",
  ]
  guard let first = shape.firstBytes["status"], first &- 0x30 < 10 else { return false }
  return keys.isSubset(of: companions)
}

/// Whether a file's first line is a signed payload, or was meant to be one: runs of base64url with
/// points between them, the first of which is a JSON object, in quotation marks or without. How
/// many runs there must be is for the proof to say.
func isSignedPayload(_ line: some StringProtocol) -> Bool {
  let isAround: (Character) -> Bool = { $0 == "\"" || $0.isWhitespace }
  let start = line.drop(while: isAround)
  let text = start.prefix { !isAround($0) }.utf8
  guard start.dropFirst(text.count).allSatisfy(isAround) else { return false }
  guard let point = text.firstIndex(of: 0x2E) else { return false }
  // `{` and what may follow it in JSON, in base64.
  let begins = ["ey", "ew", "e3"].contains { text[..<point].starts(with: $0.utf8) }
  return begins && text.allSatisfy { isBase64($0) || [0x2E, 0x3D].contains($0) }
}

/// Whether a character is of either alphabet of base64.
private func isBase64(_ byte: UInt8) -> Bool {
  byte &- 0x30 < 10 || byte | 0x20 &- 0x61 < 26 || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
}
