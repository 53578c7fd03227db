import Billing

/// Payloads that Apple signs: transactions and what follows them.
struct SignedForm {
  let words: AppleWords

  func transaction(_ record: TransactionRecord, at moment: Int64) -> SimulatedJSON {
    let isSubscription = words.isSubscription(record)
    return SimulatedJSON { json in
      json.put("transactionId", .number(record.number))
      json.put("originalTransactionId", .number(record.original))
      if record.webOrderLineItem != 0 {
        json.put("webOrderLineItemId", .number(record.webOrderLineItem))
      }
      json.put("bundleId", record.bundle)
      json.put("productId", words.sku(record))
      if isSubscription { json.put("subscriptionGroupIdentifier", AppleWords.group) }
      json.put("purchaseDate", number: record.purchased * 1000)
      json.put("originalPurchaseDate", number: record.began * 1000)
      if isSubscription { json.put("expiresDate", number: record.expires * 1000) }
      json.put("quantity", number: record.quantity)
      json.put("type", type(record))
      if record.token != 0 { json.put("appAccountToken", .token(record.token)) }
      json.put("inAppOwnershipType", record.ownership)
      json.put("signedDate", number: moment * 1000 - 400)
      putState(record, into: &json)
      json.put("environment", record.environment)
      json.put("appTransactionId", .number(UInt64(record.user) + 704_000_000_000_000_000))
      json.put(
        "transactionReason", isSubscription && !record.isOriginal ? "RENEWAL" : "PURCHASE")
      putMoney(record, into: &json)
      putCommitment(record, into: &json)
      putTax(record, into: &json)
    }
  }

  private func putCommitment(_ record: TransactionRecord, into json: inout SimulatedJSON) {
    guard record.instalment > 0 else { return }
    json.put("billingPlanType", "MONTHLY")
    json.object("commitmentInfo") { json in
      json.put("billingPeriodNumber", number: record.instalment)
      json.put("commitmentExpiresDate", number: record.committedUntil * 1000)
      json.put("commitmentPrice", number: record.price * 12 / 1000)
      json.put("totalBillingPeriods", number: 12)
    }
  }

  /// The price is made of two items.
  private func putTax(_ record: TransactionRecord, into json: inout SimulatedJSON) {
    guard let rate = record.toldTax.map(Int64.init) else { return }
    let price = record.price * Int64(record.quantity) / 1000
    // To a hundredth, or to a whole unit where the currency has no other.
    let unit: Int64 = price % 1000 == 0 ? 1000 : 10
    let net = (price * 1000 / (1000 + rate) + unit / 2) / unit * unit
    json.object("advancedCommerceInfo") { json in
      json.put("estimatedTax", number: price - net)
      json.array("items") { json in
        for (number, part) in [price / 2, price - price / 2].enumerated() {
          json.object { json in
            json.put("SKU", "part-\(number)")
            json.put("displayName", "Part \(number)")
            json.put("price", number: part)
          }
        }
      }
      json.put("requestReferenceId", "request-\(record.number)")
      json.put("taxCode", record.taxCode)
      json.put("taxExclusivePrice", number: net)
      json.put("taxRate", "0.\(rate < 100 ? "0" : "")\(rate)")
    }
  }

  private func putState(_ record: TransactionRecord, into json: inout SimulatedJSON) {
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
  /// money, and older payloads of them have none.
  private func putMoney(_ record: TransactionRecord, into json: inout SimulatedJSON) {
    json.put("storefront", words.storefronts[record.market].code)
    json.put("storefrontId", words.storefronts[record.market].id)
    guard !record.isFamilyShared, !record.isRestore else { return }
    json.put("price", number: record.price * Int64(record.quantity) / 1000)
    json.put("currency", words.currency(record).code)
  }

  private func type(_ record: TransactionRecord) -> String {
    switch words.kind(record) {
    case .consumable: "Consumable"
    case .nonConsumable: "Non-Consumable"
    case .autoRenewable: "Auto-Renewable Subscription"
    case .nonRenewing: "Non-Renewing Subscription"
    }
  }

  /// A forecast of the period after the message's subject.
  func renewal(_ message: SimulatedMessage) -> SimulatedJSON {
    let record = message.known
    let isInRetry = message.event == .billingRetry
    return SimulatedJSON { json in
      if isInRetry || message.isOver { json.put("expirationIntent", number: isInRetry ? 2 : 1) }
      json.put("originalTransactionId", .number(record.original))
      json.put("autoRenewProductId", words.sku(record))
      json.put("productId", words.sku(record))
      json.put("autoRenewStatus", number: message.goesOn ? 1 : 0)
      if isInRetry { json.put("isInBillingRetryPeriod", true) }
      json.put("signedDate", number: message.at * 1000 - 400)
      json.put("environment", record.environment)
      json.put("recentSubscriptionStartDate", number: record.began * 1000)
      json.put("renewalDate", number: record.expires * 1000)
      json.put("renewalPrice", number: record.price * Int64(record.quantity) / 1000)
      json.put("currency", words.currency(record).code)
    }
  }
}
