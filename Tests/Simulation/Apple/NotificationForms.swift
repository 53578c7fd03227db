import Billing

/// Server notifications of version 1, which are not signed.
struct NotificationV1Form {
  let words: AppleWords
  let receipts: ReceiptForm

  init(words: AppleWords) {
    self.words = words
    receipts = ReceiptForm(words: words)
  }

  /// The notification as it was posted, or in the wrapper that says when.
  func notification(
    _ message: SimulatedMessage, isWrapped: Bool, random: inout RandomNumbers
  ) -> SimulatedJSON {
    SimulatedJSON { json in
      guard isWrapped else { return put(message, into: &json, &random) }
      json.put("received_at", .time(message.at))
      json.object("body") { put(message, into: &$0, &random) }
    }
  }

  private func put(
    _ message: SimulatedMessage, into json: inout SimulatedJSON, _ random: inout RandomNumbers
  ) {
    let record = message.known
    let isSubscription = words.isSubscription(record)
    json.put("notification_type", type(message))
    json.put("environment", record.isSandbox ? "Sandbox" : "PROD")
    json.put("password", AppleWords.sharedSecret)
    json.put("bid", record.bundle)
    json.put("bvrs", AppleWords.build)
    if isSubscription {
      json.put("auto_renew_product_id", words.sku(record))
      json.put("auto_renew_adam_id", .number(Stock.appleIdentifier(record.item)))
      json.put("auto_renew_status", message.goesOn ? "true" : "false")
    }
    if random.chance(500) {
      json.put("original_transaction_id", number: record.original)
    } else {
      json.put("original_transaction_id", .number(record.original))
    }
    if record.revoked != 0 {
      json.put(date: "cancellation_date", record.revoked, pacific: words.pacific)
      if record.webOrderLineItem != 0 {
        json.put("web_order_line_item_id", .number(record.webOrderLineItem))
      }
    }
    if isSubscription, random.chance(330) {
      // Deprecated, and sent beside the unified receipt for years.
      json.object("latest_receipt_info") {
        receipts.putOld(record, message, twins: true, into: &$0)
      }
    }
    json.object("unified_receipt") { json in
      json.put("environment", record.environment)
      json.put("status", number: 0)
      json.put("latest_receipt", receipts.receipt(&random))
      json.array("latest_receipt_info") { json in
        for record in message.all.reversed() { receipts.put(record, into: &json) }
      }
      if isSubscription { receipts.putPending(message, into: &json) }
    }
  }

  private func type(_ message: SimulatedMessage) -> String {
    let record = message.known
    switch message.event {
    case .refund: return words.isSubscription(record) ? "CANCEL" : "REFUND"
    case .upgrade: return record.revoked != 0 ? "CANCEL" : "INTERACTIVE_RENEWAL"
    case .billingRetry: return "DID_FAIL_TO_RENEW"
    case .refundReversed: preconditionFailure("version 1 knows no refund that was reversed")
    case .purchase: return record.isOriginal ? "INITIAL_BUY" : "DID_RENEW"
    }
  }
}

/// Server notifications of version 2: signed, and with signed parts.
struct NotificationV2Form {
  let words: AppleWords
  let payloads: SignedForm

  init(words: AppleWords) {
    self.words = words
    payloads = SignedForm(words: words)
  }

  /// The notification as it was posted: `{"signedPayload":…}`.
  ///
  /// - Parameters:
  ///   - number: counts notifications; it becomes the UUID.
  ///   - lacksRenewal: the signed renewal is `null`, as Apple's sandbox once sent it.
  ///   - sign: makes a JWS of a payload.
  func body(
    _ message: SimulatedMessage, number: UInt64, lacksRenewal: Bool,
    sign: ([UInt8]) throws -> [UInt8]
  ) rethrows -> SimulatedJSON {
    let record = message.known
    let isSubscription = words.isSubscription(record)
    let (type, subtype) = type(message)
    let payload = try SimulatedJSON { json in
      json.put("notificationType", type)
      if let subtype { json.put("subtype", subtype) }
      json.put("notificationUUID", .token(1 << 40 | number))
      try json.object("data") { json in
        if !record.isSandbox { json.put("appAppleId", number: AppleWords.appID) }
        json.put("bundleId", record.bundle)
        json.put("bundleVersion", AppleWords.build)
        json.put("environment", record.environment)
        let transaction = payloads.transaction(record, at: message.at).bytes
        json.put("signedTransactionInfo", .bytes(try sign(transaction)))
        guard isSubscription else { return }
        let renewal = lacksRenewal ? Array("null".utf8) : payloads.renewal(message).bytes
        json.put("signedRenewalInfo", .bytes(try sign(renewal)))
        json.put("status", number: status(message))
      }
      json.put("version", "2.0")
      json.put("signedDate", number: message.at * 1000 - 250)
    }
    return try SimulatedJSON { $0.put("signedPayload", .bytes(try sign(payload.bytes))) }
  }

  private func type(_ message: SimulatedMessage) -> (type: String, subtype: String?) {
    let record = message.known
    switch message.event {
    case .refund: return ("REFUND", nil)
    case .refundReversed: return ("REFUND_REVERSED", nil)
    case .billingRetry: return ("DID_FAIL_TO_RENEW", nil)
    case .upgrade: return ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    case .purchase: break
    }
    guard words.isSubscription(record) else { return ("ONE_TIME_CHARGE", nil) }
    return record.isOriginal ? ("SUBSCRIBED", "INITIAL_BUY") : ("DID_RENEW", nil)
  }

  /// Active, expired, in billing retry or revoked: what the subscription is, which a later period
  /// keeps active whatever became of this one.
  private func status(_ message: SimulatedMessage) -> Int {
    let record = message.known
    if message.event == .billingRetry { return 3 }
    if message.goesOn { return 1 }
    if record.revoked != 0 { return 5 }
    return record.expires < message.at ? 2 : 1
  }
}
