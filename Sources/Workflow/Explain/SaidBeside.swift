import Billing
import Matching

extension FactRow {
  /// What a payload says of a transaction beside what was sold: its offer, which instalment it is,
  /// and its tax.
  var saidBeside: [Wording] {
    var said: [Wording] = []
    if let offer = self["offer_id"] {
      said.append(
        self["offer_period"].map { "@explain.offer-2 \(offer) \($0)" } ?? "@explain.offer \(offer)")
    }
    if let number = self["billing_period"], let total = self["billing_periods"] {
      said.append("@explain.instalment \(number) \(total)")
    }
    if let items = self["items"] { said.append("@explain.its-items \(items)") }
    if let tax = amount("estimated_tax") {
      said.append(
        self["tax_rate"].map { "@explain.of-it-tax-by-apple-estimate \(tax) \($0)" }
          ?? "@explain.of-it-tax-by-apple \(tax)")
    }
    return said
  }

  /// What a message says of a subscription's next renewal: its status, whether and at which price
  /// it renews, and its offer.
  var saidOfSubscription: [Wording] {
    var said: [Wording] = []
    if let status = self["status"].flatMap({ UInt8($0) })
      .flatMap(SubscriptionStatus.init(rawValue:))
    {
      said.append(status.wording)
    }
    if self["will_renew"] == "0" { said.append("@explain.it-will-not-renew") }
    if self["will_renew"] == "1", let price = amount("renewal_price") {
      said.append(
        self["renews_at"].map { "@explain.it-renews-2 \(price) \($0)" }
          ?? "@explain.it-renews \(price)")
    }
    if let offer = self["offer_id"] { said.append("@explain.offer \(offer)") }
    return said
  }

  /// The decimal amount in a column as text with the row's currency; nil where the column is empty.
  private func amount(_ column: String) -> Wording? {
    self[column].flatMap { micros(decimal: $0) }.map {
      spoken($0, self["currency"].flatMap { Currency($0) })
    }
  }
}

extension SubscriptionStatus {
  fileprivate var wording: Wording {
    switch self {
    case .active: "@shared.active"
    case .expired: "@shared.expired"
    case .billingRetry: "@shared.billing-retry"
    case .gracePeriod: "@shared.grace-period"
    case .revoked: "@explain.revoked"
    }
  }
}
