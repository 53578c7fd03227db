import Billing

/// Payloads that Apple signs: transactions and what follows them.
struct SignedForm {
  let words: AppleWords

  func transaction(_ record: TransactionRecord, at moment: Int64) -> JSONText {
    let isSubscription = words.isSubscription(record)
    var json = JSONText()
    json.object { json in
      json.put("transactionId", quoted: record.number)
      json.put("originalTransactionId", quoted: record.original)
      if record.webOrderLineItem != 0 {
        json.put("webOrderLineItemId", quoted: record.webOrderLineItem)
      }
      json.put("bundleId", AppleWords.bundle(record))
      json.put("productId", words.skus[record.item])
      if isSubscription { json.put("subscriptionGroupIdentifier", AppleWords.group) }
      json.put("purchaseDate", number: record.purchased * 1000)
      json.put("originalPurchaseDate", number: record.began * 1000)
      if isSubscription { json.put("expiresDate", number: record.expires * 1000) }
      json.put("quantity", number: Int64(record.quantity))
      json.put("type", type(record))
      if record.token != 0 { json.put("appAccountToken", token: record.token) }
      json.put("inAppOwnershipType", record.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")
      json.put("signedDate", number: moment * 1000 - 400)
      putState(record, into: &json)
      json.put("environment", record.isSandbox ? "Sandbox" : "Production")
      json.put(
        "transactionReason",
        isSubscription && record.number != record.original ? "RENEWAL" : "PURCHASE")
      putMoney(record, into: &json)
    }
    return json
  }

  private func putState(_ record: TransactionRecord, into json: inout JSONText) {
    if record.revoked != 0 {
      json.put("revocationReason", number: 0)
      json.put("revocationDate", number: record.revoked * 1000)
    }
    if record.isUpgraded { json.put("isUpgraded", true) }
    if record.isTrial || record.isIntro {
      json.put("offerType", number: 1)
      json.put("offerDiscountType", record.isTrial ? "FREE_TRIAL" : "PAY_AS_YOU_GO")
      json.put("offerPeriod", record.isTrial ? "P1W" : "P1M")
    }
  }

  /// Apple's price is for the whole quantity, in thousandths. Family Sharing and restores move no
  /// money, and older payloads of them tell none.
  private func putMoney(_ record: TransactionRecord, into json: inout JSONText) {
    json.put("storefront", words.storefronts[record.market].code)
    json.put("storefrontId", words.storefronts[record.market].id)
    guard !record.isFamilyShared, !record.isRestore else { return }
    json.put("price", number: record.price * Int64(record.quantity) / 1000)
    json.put("currency", (record.currency ?? words.currencies[record.market]).code)
  }

  private func type(_ record: TransactionRecord) -> String {
    switch words.kinds[record.item] {
    case .consumable: "Consumable"
    case .nonConsumable: "Non-Consumable"
    case .autoRenewable: "Auto-Renewable Subscription"
    case .nonRenewing: "Non-Renewing Subscription"
    }
  }

  /// A forecast of the period after the telling's subject.
  func renewal(_ telling: Telling) -> JSONText {
    let record = telling.known
    var json = JSONText()
    json.object { json in
      if telling.event == .billingRetry {
        json.put("expirationIntent", number: 2)
      } else if !telling.goesOn, record.expires < telling.at {
        json.put("expirationIntent", number: 1)
      }
      json.put("originalTransactionId", quoted: record.original)
      json.put("autoRenewProductId", words.skus[record.item])
      json.put("productId", words.skus[record.item])
      json.put("autoRenewStatus", number: telling.goesOn ? 1 : 0)
      if telling.event == .billingRetry { json.put("isInBillingRetryPeriod", true) }
      json.put("signedDate", number: telling.at * 1000 - 400)
      json.put("environment", record.isSandbox ? "Sandbox" : "Production")
      json.put("recentSubscriptionStartDate", number: record.began * 1000)
      json.put("renewalDate", number: record.expires * 1000)
    }
    return json
  }
}
