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
    _ telling: Telling, isWrapped: Bool, random: inout RandomNumbers
  ) -> JSONText {
    var json = JSONText()
    guard isWrapped else {
      put(telling, nil, into: &json, &random)
      return json
    }
    json.object { json in
      json.put("received_at", iso: telling.at)
      put(telling, "body", into: &json, &random)
    }
    return json
  }

  private func put(
    _ telling: Telling, _ key: StaticString?, into json: inout JSONText,
    _ random: inout RandomNumbers
  ) {
    let record = telling.known
    json.object(key) { json in
      json.put("notification_type", type(telling))
      json.put("environment", record.isSandbox ? "Sandbox" : "PROD")
      json.put("password", AppleWords.sharedSecret)
      json.put("bid", AppleWords.bundle(record))
      json.put("bvrs", AppleWords.build)
      if words.isSubscription(record) { putRenewal(telling, into: &json) }
      if random.chance(500) {
        json.put("original_transaction_id", number: Int64(record.original))
      } else {
        json.put("original_transaction_id", quoted: record.original)
      }
      if record.revoked != 0 {
        json.put(date: "cancellation_date", record.revoked, pacific: words.pacific)
        if record.webOrderLineItem != 0 {
          json.put("web_order_line_item_id", quoted: record.webOrderLineItem)
        }
      }
      if words.isSubscription(record), random.chance(330) {
        // Deprecated, and told beside the unified receipt for years.
        json.object("latest_receipt_info") {
          receipts.putOld(record, telling, twins: true, into: &$0)
        }
      }
      putUnified(telling, into: &json, &random)
    }
  }

  private func type(_ telling: Telling) -> String {
    let record = telling.known
    switch telling.event {
    case .refund: return words.isSubscription(record) ? "CANCEL" : "REFUND"
    case .upgrade: return record.revoked != 0 ? "CANCEL" : "INTERACTIVE_RENEWAL"
    case .billingRetry: return "DID_FAIL_TO_RENEW"
    case .refundReversed: preconditionFailure("version 1 knows no refund that was reversed")
    case .purchase: return record.number == record.original ? "INITIAL_BUY" : "DID_RENEW"
    }
  }

  private func putRenewal(_ telling: Telling, into json: inout JSONText) {
    let record = telling.known
    json.put("auto_renew_product_id", words.skus[record.item])
    json.put("auto_renew_adam_id", quoted: UInt64(AppleWords.itemID(record)))
    json.put("auto_renew_status", telling.goesOn ? "true" : "false")
  }

  private func putUnified(
    _ telling: Telling, into json: inout JSONText, _ random: inout RandomNumbers
  ) {
    let record = telling.known
    json.object("unified_receipt") { json in
      json.put("environment", record.isSandbox ? "Sandbox" : "Production")
      json.put("status", number: 0)
      json.put("latest_receipt", receipts.receipt(&random))
      json.array("latest_receipt_info") { json in
        for record in telling.all.reversed() { receipts.put(record, into: &json) }
      }
      if words.isSubscription(record) { receipts.putPending(telling, into: &json) }
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
    _ telling: Telling, number: UInt64, lacksRenewal: Bool,
    sign: ([UInt8]) throws -> [UInt8]
  ) rethrows -> JSONText {
    let record = telling.known
    let transaction = try sign(payloads.transaction(record, at: telling.at).bytes)
    var renewal: [UInt8]?
    if words.isSubscription(record) {
      renewal = try sign(
        lacksRenewal ? Array("null".utf8) : payloads.renewal(telling).bytes)
    }
    let (type, subtype) = type(telling)
    var payload = JSONText()
    payload.object { json in
      json.put("notificationType", type)
      if let subtype { json.put("subtype", subtype) }
      json.put("notificationUUID", token: 1 << 40 | number)
      json.object("data") { json in
        if !record.isSandbox { json.put("appAppleId", number: AppleWords.appID) }
        json.put("bundleId", AppleWords.bundle(record))
        json.put("bundleVersion", AppleWords.build)
        json.put("environment", record.isSandbox ? "Sandbox" : "Production")
        json.put("signedTransactionInfo", transaction)
        if let renewal { json.put("signedRenewalInfo", renewal) }
        if words.isSubscription(record) { json.put("status", number: status(telling)) }
      }
      json.put("version", "2.0")
      json.put("signedDate", number: telling.at * 1000 - 250)
    }
    var body = JSONText()
    let signed = try sign(payload.bytes)
    body.object { $0.put("signedPayload", signed) }
    return body
  }

  private func type(_ telling: Telling) -> (type: String, subtype: String?) {
    let record = telling.known
    switch telling.event {
    case .refund: return ("REFUND", nil)
    case .refundReversed: return ("REFUND_REVERSED", nil)
    case .billingRetry: return ("DID_FAIL_TO_RENEW", nil)
    case .upgrade: return ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    case .purchase: break
    }
    guard words.isSubscription(record) else { return ("ONE_TIME_CHARGE", nil) }
    return record.number == record.original ? ("SUBSCRIBED", "INITIAL_BUY") : ("DID_RENEW", nil)
  }

  /// Active, expired, in billing retry or revoked.
  private func status(_ telling: Telling) -> Int64 {
    let record = telling.known
    if telling.event == .billingRetry { return 3 }
    if record.revoked != 0 { return 5 }
    return record.expires < telling.at ? 2 : 1
  }
}
