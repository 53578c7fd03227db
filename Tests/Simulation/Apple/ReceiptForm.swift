import Billing

/// verifyReceipt responses of both styles.
struct ReceiptForm {
  let words: AppleWords
  /// How long the receipts are that responses repeat; real ones have many thousands of bytes.
  var receiptBytes = 120

  /// The response in the wrapper that says whose it is, or alone.
  func response(
    _ message: SimulatedMessage, isWrapped: Bool, random: inout RandomNumbers
  ) -> SimulatedJSON {
    SimulatedJSON { json in
      guard isWrapped else { return putResponse(message, into: &json, &random) }
      if message.order != 0 {
        json.put("order_id", Names.order(message.order))
      } else if random.chance(500) {
        json.put("order_id", optional: nil)
      }
      if message.user != 0 { json.put("user_id", Names.user(message.user)) }
      json.put("received_at", .time(message.at))
      json.object("response") { putResponse(message, into: &$0, &random) }
    }
  }

  private func putResponse(
    _ message: SimulatedMessage, into json: inout SimulatedJSON, _ random: inout RandomNumbers
  ) {
    if let failure = message.failure {
      json.put("status", number: failure)
      if failure == 21002 { json.put("exception", "java.lang.NullPointerException") }
      if failure >= 21100 { json.put("is_retryable", failure % 2 == 0) }
    } else if message.form == .oldReceipt {
      putOld(message, into: &json, &random)
    } else {
      put(message, into: &json, &random)
    }
  }

  /// Base64 of that many random bytes.
  func receipt(_ random: inout RandomNumbers) -> Field {
    var text: [UInt8] = []
    text.reserveCapacity(receiptBytes / 3 * 4)
    for _ in 0..<receiptBytes / 3 {
      let word = random.next()
      for place in 0..<4 { text.append(Self.alphabet[Int(word >> UInt64(6 * place) & 63)]) }
    }
    return .bytes(text)
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

extension ReceiptForm {
  /// iOS 6: one transaction, and of a subscription the latest as an object.
  private func putOld(
    _ message: SimulatedMessage, into json: inout SimulatedJSON, _ random: inout RandomNumbers
  ) {
    let record = message.known
    let isSandbox = record.isSandbox && !message.hidesEnvironment
    let isExpired = record.expires != 0 && record.expires < message.at
    // The oldest receipts have times as text only.
    let twins = words.isSubscription(record) || !random.chance(200)
    json.object("receipt") { putOld(record, message, twins: twins, into: &$0) }
    if words.isSubscription(record) {
      json.put("latest_receipt", receipt(&random))
      json.object(isExpired ? "latest_expired_receipt_info" : "latest_receipt_info") {
        putOld(record, message, twins: true, into: &$0)
      }
      json.put("auto_renew_product_id", words.sku(record))
      json.put("auto_renew_status", number: message.goesOn ? 1 : 0)
      if isExpired, !message.goesOn { json.put("expiration_intent", "1") }
    }
    json.put("status", number: isSandbox ? 21007 : isExpired ? 21006 : 0)
  }

  /// The object of an iOS 6 receipt; version 1 notifications had it too.
  func putOld(
    _ record: TransactionRecord, _ message: SimulatedMessage, twins: Bool,
    into json: inout SimulatedJSON
  ) {
    put(date: "original_purchase_date", record.began, twins, into: &json)
    json.put("unique_identifier", "0b5e9f7a1c3d2e4f60718293a4b5c6d7e8f90a1b")
    json.put("original_transaction_id", .number(record.original))
    json.put("bvrs", AppleWords.build)
    json.put("transaction_id", .number(record.number))
    json.put("quantity", .number(record.quantity))
    json.put("product_id", words.sku(record))
    json.put("item_id", .number(message.itemID ?? Stock.appleIdentifier(record.item)))
    json.put("app_item_id", .number(record.appID))
    put(date: "purchase_date", record.purchased, twins, into: &json)
    if record.expires != 0, words.isSubscription(record) {
      json.put("expires_date", .number(record.expires * 1000))
      put(date: "expires_date_formatted", record.expires, false, into: &json)
      json.put(pacific: "expires_date_formatted_pst", "", record.expires, words.pacific)
      json.put("web_order_line_item_id", .number(record.webOrderLineItem))
    }
    putFlags(record, into: &json)
    json.put("bid", record.bundle)
  }

  private func put(
    date key: StaticString, _ seconds: Int64, _ twins: Bool = true, into json: inout SimulatedJSON
  ) {
    json.put(date: key, seconds, pacific: words.pacific, twins: twins)
  }

  private func putFlags(_ record: TransactionRecord, into json: inout SimulatedJSON) {
    if record.revoked != 0 {
      put(date: "cancellation_date", record.revoked, into: &json)
      json.put("cancellation_reason", "0")
    }
    json.put("is_trial_period", record.isTrial ? "true" : "false")
    if words.isSubscription(record) || record.isTrial {
      json.put("is_in_intro_offer_period", record.isIntro ? "true" : "false")
    }
    if record.isUpgraded { json.put("is_upgraded", "true") }
  }
}

extension ReceiptForm {
  /// iOS 7: the app's receipt with its transactions, and of subscriptions the latest.
  private func put(
    _ message: SimulatedMessage, into json: inout SimulatedJSON, _ random: inout RandomNumbers
  ) {
    let record = message.known
    let subscriptions = message.all.filter(words.isSubscription)
    json.put("environment", record.environment)
    json.object("receipt") { json in
      putApp(record, at: message.at, into: &json, &random)
      json.array("in_app") { json in
        // Trials show among the latest only.
        for record in message.all where !record.isTrial { put(record, into: &json) }
      }
    }
    if !subscriptions.isEmpty {
      json.array("latest_receipt_info") { json in
        for record in subscriptions.reversed() { put(record, into: &json) }
      }
    }
    json.put("latest_receipt", receipt(&random))
    if words.isSubscription(record) { putPending(message, into: &json) }
    json.put("status", number: 0)
  }

  private func putApp(
    _ record: TransactionRecord, at moment: Int64, into json: inout SimulatedJSON,
    _ random: inout RandomNumbers
  ) {
    let isSandbox = record.isSandbox
    json.put("receipt_type", isSandbox ? "ProductionSandbox" : "Production")
    json.put("adam_id", number: isSandbox ? 0 : record.appID)
    json.put("app_item_id", number: isSandbox ? 0 : record.appID)
    json.put("bundle_id", record.bundle)
    json.put("application_version", AppleWords.build)
    json.put("download_id", number: isSandbox ? 0 : 90_000_000_000 + random.below(1 << 30))
    json.put("version_external_identifier", number: isSandbox ? 0 : 857_412_345)
    put(date: "receipt_creation_date", moment - 1, into: &json)
    put(date: "request_date", moment, into: &json)
    put(date: "original_purchase_date", words.installed, into: &json)
    json.put("original_application_version", "1.0")
  }

  /// An element of `in_app` and of `latest_receipt_info`.
  func put(_ record: TransactionRecord, into json: inout SimulatedJSON) {
    json.object { json in
      json.put("quantity", .number(record.quantity))
      json.put("product_id", words.sku(record))
      json.put("transaction_id", .number(record.number))
      json.put("original_transaction_id", .number(record.original))
      put(date: "purchase_date", record.purchased, into: &json)
      put(date: "original_purchase_date", record.began, into: &json)
      if words.isSubscription(record) {
        put(date: "expires_date", record.expires, into: &json)
        json.put("web_order_line_item_id", .number(record.webOrderLineItem))
        json.put("subscription_group_identifier", AppleWords.group)
      }
      putFlags(record, into: &json)
      json.put("in_app_ownership_type", record.ownership)
      if record.token != 0 { json.put("app_account_token", .token(record.token)) }
    }
  }

  /// What follows the subject's period.
  func putPending(_ message: SimulatedMessage, into json: inout SimulatedJSON) {
    let record = message.known
    let isInRetry = message.event == .billingRetry
    json.array("pending_renewal_info") { json in
      json.object { json in
        json.put("auto_renew_product_id", words.sku(record))
        json.put("product_id", words.sku(record))
        json.put("original_transaction_id", .number(record.original))
        json.put("auto_renew_status", message.goesOn ? "1" : "0")
        if isInRetry || message.isOver {
          json.put("expiration_intent", isInRetry ? "2" : "1")
          json.put("is_in_billing_retry_period", isInRetry ? "1" : "0")
        }
      }
    }
  }
}
