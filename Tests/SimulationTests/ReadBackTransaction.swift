import Foundation

/// What one message says of one transaction, in the words of the company's table.
struct ReadBackTransaction {
  var id: String
  var fields: [String: String] = [:]
  var isSigned = false

  /// An element of `in_app` or `latest_receipt_info`, or an iOS 6 receipt.
  init(receipt element: [String: Any]) throws {
    guard let id = element["transaction_id"] as? String else {
      throw NotWellFormed(what: "a receipt without a transaction id")
    }
    self.id = id
    copy(
      element,
      [
        "product_id": "sku", "original_transaction_id": "original_transaction_id",
        "web_order_line_item_id": "web_order_line_item_id", "quantity": "quantity",
        "in_app_ownership_type": "ownership", "app_account_token": "app_account_token",
      ])
    for (key, name) in [
      ("purchase_date", "purchased_at"), ("expires_date", "expires_at"),
      ("cancellation_date", "revoked_at"),
    ] {
      guard let text = element[key] as? String else { continue }
      let milliseconds = (element[key + "_ms"] as? String ?? text)
      fields[name] = Self.time(milliseconds) ?? Self.time(text: text)
    }
    for (key, name) in [
      ("is_trial_period", "is_trial"), ("is_in_intro_offer_period", "is_intro"),
      ("is_upgraded", "is_upgraded"),
    ] where element[key] as? String == "true" { fields[name] = "true" }
  }

  init(signed payload: [String: Any]) throws {
    guard let id = payload["transactionId"] as? String else {
      throw NotWellFormed(what: "a payload without a transaction id")
    }
    self.id = id
    isSigned = true
    copy(
      payload,
      [
        "productId": "sku", "originalTransactionId": "original_transaction_id",
        "webOrderLineItemId": "web_order_line_item_id", "inAppOwnershipType": "ownership",
        "appAccountToken": "app_account_token", "environment": "environment",
        "bundleId": "bundle_id",
      ])
    for (key, name) in [
      ("purchaseDate", "purchased_at"), ("expiresDate", "expires_at"),
      ("revocationDate", "revoked_at"),
    ] {
      if let value = payload[key] as? Int { fields[name] = Self.time("\(value)") }
    }
    if let quantity = payload["quantity"] as? Int { fields["quantity"] = "\(quantity)" }
    if payload["offerDiscountType"] as? String == "FREE_TRIAL" { fields["is_trial"] = "true" }
    if payload["offerDiscountType"] as? String == "PAY_AS_YOU_GO" { fields["is_intro"] = "true" }
    if payload["isUpgraded"] as? Bool == true { fields["is_upgraded"] = "true" }
    try readMoney(payload)
  }

  private mutating func readMoney(_ payload: [String: Any]) throws {
    let kinds = [
      "Consumable": "consumable", "Non-Consumable": "non_consumable",
      "Non-Renewing Subscription": "non_renewing", "Auto-Renewable Subscription": "auto_renewable",
    ]
    fields["kind"] = kinds[payload["type"] as? String ?? ""]
    let storefronts = [
      "CHN": "CN", "USA": "US", "JPN": "JP", "DEU": "DE", "GBR": "GB", "AUS": "AU", "TWN": "TW",
      "HKG": "HK", "KOR": "KR",
    ]
    guard let price = payload["price"] as? Int, let currency = payload["currency"] as? String,
      let quantity = payload["quantity"] as? Int
    else { return }
    fields["storefront"] = storefronts[payload["storefront"] as? String ?? ""]
    fields["currency"] = currency
    let digits = ["JPY", "KRW", "TWD"].contains(currency) ? 0 : 2
    guard price % quantity == 0 else { throw NotWellFormed(what: "a price of no whole units") }
    let milli = price / quantity
    let cents = milli % 1000 / 10
    fields["unit_price"] =
      digits == 0 ? "\(milli / 1000)" : "\(milli / 1000).\(cents < 10 ? "0" : "")\(cents)"
  }

  private mutating func copy(_ element: [String: Any], _ names: [String: String]) {
    for (key, name) in names { fields[name] = element[key] as? String }
  }

  private static func time(_ milliseconds: String) -> String? {
    guard let number = Int(milliseconds), number % 1000 == 0 else { return nil }
    return Date(timeIntervalSince1970: Double(number / 1000))
      .formatted(.iso8601)
  }

  /// `2011-02-17 06:20:57 Etc/GMT`
  private static func time(text: String) -> String? {
    let parts = text.split(separator: " ")
    return parts.count == 3 && parts[2] == "Etc/GMT" ? "\(parts[0])T\(parts[1])Z" : nil
  }
}

extension WrittenMonth {
  /// Everything that Apple's messages say of transactions.
  var observed: [ReadBackTransaction] {
    get throws {
      var observed: [ReadBackTransaction] = []
      for line in try objects("receipts") {
        let response = line["response"] as? [String: Any] ?? line
        observed += try Self.elements(of: response).map { try ReadBackTransaction(receipt: $0) }
      }
      for line in try objects("notifications-v1") {
        let body = line["body"] as? [String: Any] ?? line
        let unified = body["unified_receipt"] as? [String: Any] ?? [:]
        observed += try (unified["latest_receipt_info"] as? [[String: Any]] ?? [])
          .map { try ReadBackTransaction(receipt: $0) }
      }
      for text in try signed {
        let signed = try SignedText(text)
        guard signed.payload != Data("null".utf8) else { continue }
        let payload = try signed.object
        guard payload["transactionId"] != nil else { continue }
        observed.append(try ReadBackTransaction(signed: payload))
      }
      return observed
    }
  }

  /// The transactions of a response of either style.
  static func elements(of response: [String: Any]) -> [[String: Any]] {
    guard let receipt = response["receipt"] as? [String: Any] else { return [] }
    let latest =
      response["latest_receipt_info"] as? [[String: Any]]
      ?? [response["latest_receipt_info"], response["latest_expired_receipt_info"]]
      .compactMap { $0 as? [String: Any] }
    return (receipt["in_app"] as? [[String: Any]] ?? [receipt]) + latest
  }
}
