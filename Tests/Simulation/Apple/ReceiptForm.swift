import Billing

/// verifyReceipt responses of both styles.
struct ReceiptForm {
  let words: AppleWords
  /// How long the receipts are that responses repeat; real ones have many thousands of bytes.
  var receiptBytes = 120

  /// The response in the wrapper that says whose it is, or alone.
  func response(_ telling: Telling, isWrapped: Bool, random: inout RandomNumbers) -> JSONText {
    var json = JSONText()
    guard isWrapped else {
      put(telling, nil, into: &json, &random)
      return json
    }
    json.object { json in
      if telling.order != 0 {
        json.put("order_id", Names.order(telling.order))
      } else if random.chance(500) {
        json.putNull("order_id")
      }
      if telling.user != 0 { json.put("user_id", Names.user(telling.user)) }
      json.put("received_at", iso: telling.at)
      put(telling, "response", into: &json, &random)
    }
    return json
  }

  private func put(
    _ telling: Telling, _ key: StaticString?, into json: inout JSONText,
    _ random: inout RandomNumbers
  ) {
    json.object(key) { json in
      if let failure = telling.failure {
        put(failure: failure, into: &json)
      } else if telling.form == .oldReceipt {
        putOld(telling, into: &json, &random)
      } else {
        put(telling, into: &json, &random)
      }
    }
  }

  private func put(failure: Int, into json: inout JSONText) {
    json.put("status", number: Int64(failure))
    if failure == 21002 { json.put("exception", "java.lang.NullPointerException") }
    if failure >= 21100 { json.put("is_retryable", failure % 2 == 0) }
  }

  private func put(
    receipt key: StaticString, into json: inout JSONText, _ random: inout RandomNumbers
  ) {
    json.put(key, receipt(&random))
  }

  /// Base64 of that many random bytes.
  func receipt(_ random: inout RandomNumbers) -> [UInt8] {
    let bytes = receiptBytes
    let alphabet = Self.alphabet
    var text: [UInt8] = []
    text.reserveCapacity(bytes / 3 * 4)
    for _ in 0..<bytes / 3 {
      let word = random.next()
      for place in 0..<4 { text.append(alphabet[Int(word >> UInt64(6 * place) & 63)]) }
    }
    return text
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

extension ReceiptForm {
  /// iOS 6: one transaction, and of a subscription the latest as an object.
  private func putOld(
    _ telling: Telling, into json: inout JSONText, _ random: inout RandomNumbers
  ) {
    let record = telling.known
    let isSandbox = record.isSandbox && !telling.hidesEnvironment
    let isExpired = record.expires != 0 && record.expires < telling.at
    // The oldest receipts tell times as text only.
    let twins = words.isSubscription(record) || !random.chance(200)
    json.object("receipt") { putOld(record, telling, twins: twins, into: &$0) }
    if words.isSubscription(record) {
      put(receipt: "latest_receipt", into: &json, &random)
      json.object(isExpired ? "latest_expired_receipt_info" : "latest_receipt_info") {
        putOld(record, telling, twins: true, into: &$0)
      }
      json.put("auto_renew_product_id", words.skus[record.item])
      json.put("auto_renew_status", number: telling.goesOn ? 1 : 0)
      if isExpired, !telling.goesOn { json.put("expiration_intent", "1") }
    }
    json.put("status", number: isSandbox ? 21007 : isExpired ? 21006 : 0)
  }

  /// The object of an iOS 6 receipt; version 1 notifications had it too.
  func putOld(
    _ record: TransactionRecord, _ telling: Telling, twins: Bool, into json: inout JSONText
  ) {
    put(date: "original_purchase_date", record.began, twins, into: &json)
    json.put("unique_identifier", "0b5e9f7a1c3d2e4f60718293a4b5c6d7e8f90a1b")
    json.put("original_transaction_id", quoted: record.original)
    json.put("bvrs", AppleWords.build)
    json.put("transaction_id", quoted: record.number)
    json.put("quantity", quoted: UInt64(record.quantity))
    json.put("product_id", words.skus[record.item])
    json.put("item_id", quoted: UInt64(telling.itemID ?? AppleWords.itemID(record)))
    json.put(
      "app_item_id",
      quoted: UInt64(record.isForeign ? AppleWords.foreignAppID : AppleWords.appID))
    put(date: "purchase_date", record.purchased, twins, into: &json)
    if record.expires != 0, words.isSubscription(record) {
      json.put("expires_date", quoted: UInt64(record.expires * 1000))
      json.put("expires_date_formatted", "", record.expires, zone: " Etc/GMT")
      let offset = Int64(words.pacific.offset(at: Instant(seconds: record.expires)))
      json.put(
        "expires_date_formatted_pst", "", record.expires + offset, zone: " America/Los_Angeles")
      json.put("web_order_line_item_id", quoted: record.webOrderLineItem)
    }
    putFlags(record, into: &json)
    json.put("bid", AppleWords.bundle(record))
  }

  private func put(
    date key: StaticString, _ seconds: Int64, _ twins: Bool = true, into json: inout JSONText
  ) {
    json.put(date: key, seconds, pacific: words.pacific, twins: twins)
  }

  private func putFlags(_ record: TransactionRecord, into json: inout JSONText) {
    if record.revoked != 0 {
      put(date: "cancellation_date", record.revoked, into: &json)
      json.put("cancellation_reason", "0")
    }
    if words.isSubscription(record) || record.isTrial {
      json.put("is_trial_period", record.isTrial ? "true" : "false")
      json.put("is_in_intro_offer_period", record.isIntro ? "true" : "false")
    } else {
      json.put("is_trial_period", "false")
    }
    if record.isUpgraded { json.put("is_upgraded", "true") }
  }
}

extension ReceiptForm {
  /// iOS 7: the app's receipt with its transactions, and of subscriptions the latest.
  private func put(_ telling: Telling, into json: inout JSONText, _ random: inout RandomNumbers) {
    let record = telling.known
    let all = telling.all
    let subscriptions = all.filter(words.isSubscription)
    json.put("environment", record.isSandbox ? "Sandbox" : "Production")
    json.object("receipt") { json in
      putApp(record, at: telling.at, into: &json, &random)
      json.array("in_app") { json in
        // Trials show among the latest only.
        for record in all where !record.isTrial { put(record, into: &json) }
      }
    }
    if !subscriptions.isEmpty {
      json.array("latest_receipt_info") { json in
        for record in subscriptions.reversed() { put(record, into: &json) }
      }
    }
    put(receipt: "latest_receipt", into: &json, &random)
    if words.isSubscription(record) { putPending(telling, into: &json) }
    json.put("status", number: 0)
  }

  private func putApp(
    _ record: TransactionRecord, at moment: Int64, into json: inout JSONText,
    _ random: inout RandomNumbers
  ) {
    let isSandbox = record.isSandbox
    let appID = record.isForeign ? AppleWords.foreignAppID : AppleWords.appID
    json.put("receipt_type", isSandbox ? "ProductionSandbox" : "Production")
    json.put("adam_id", number: isSandbox ? 0 : appID)
    json.put("app_item_id", number: isSandbox ? 0 : appID)
    json.put("bundle_id", AppleWords.bundle(record))
    json.put("application_version", AppleWords.build)
    json.put("download_id", number: isSandbox ? 0 : Int64(90_000_000_000 + random.below(1 << 30)))
    json.put("version_external_identifier", number: isSandbox ? 0 : 857_412_345)
    put(date: "receipt_creation_date", moment - 1, into: &json)
    put(date: "request_date", moment, into: &json)
    put(date: "original_purchase_date", words.installed, into: &json)
    json.put("original_application_version", "1.0")
  }

  /// An element of `in_app` and of `latest_receipt_info`.
  func put(_ record: TransactionRecord, into json: inout JSONText) {
    json.object { json in
      json.put("quantity", quoted: UInt64(record.quantity))
      json.put("product_id", words.skus[record.item])
      json.put("transaction_id", quoted: record.number)
      json.put("original_transaction_id", quoted: record.original)
      put(date: "purchase_date", record.purchased, into: &json)
      put(date: "original_purchase_date", record.began, into: &json)
      if words.isSubscription(record) {
        put(date: "expires_date", record.expires, into: &json)
        json.put("web_order_line_item_id", quoted: record.webOrderLineItem)
        json.put("subscription_group_identifier", AppleWords.group)
      }
      putFlags(record, into: &json)
      json.put("in_app_ownership_type", record.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")
      if record.token != 0 { json.put("app_account_token", token: record.token) }
    }
  }

  /// What follows the subject's period.
  func putPending(_ telling: Telling, into json: inout JSONText) {
    let record = telling.known
    let isInRetry = telling.event == .billingRetry
    json.array("pending_renewal_info") { json in
      json.object { json in
        json.put("auto_renew_product_id", words.skus[record.item])
        json.put("product_id", words.skus[record.item])
        json.put("original_transaction_id", quoted: record.original)
        json.put("auto_renew_status", telling.goesOn ? "1" : "0")
        if isInRetry {
          json.put("expiration_intent", "2")
          json.put("is_in_billing_retry_period", "1")
        } else if !telling.goesOn, record.expires < telling.at {
          json.put("expiration_intent", "1")
          json.put("is_in_billing_retry_period", "0")
        }
      }
    }
  }
}
