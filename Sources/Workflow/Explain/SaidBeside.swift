import Billing
import Matching

extension FactRow {
  /// What a payload says of a transaction beside what was sold: its offer, which instalment it is,
  /// and its tax.
  var saidBeside: [Wording] {
    var said: [Wording] = []
    if let offer = self["offer_id"] {
      said.append(
        self["offer_period"].map { "offer \(offer) for \($0)" } ?? "offer \(offer)")
    }
    if let number = self["billing_period"], let total = self["billing_periods"] {
      said.append("instalment \(number) of \(total)")
    }
    if let items = self["items"] { said.append("its items are \(items)") }
    if let tax = amount("estimated_tax") {
      said.append(
        self["tax_rate"].map { "\(tax) of it tax by Apple's estimate, at a rate of \($0)" }
          ?? "\(tax) of it tax by Apple's estimate")
    }
    return said
  }

  /// What a word about the next renewal says: the state, and what comes next.
  var saidOfSubscription: [Wording] {
    var said: [Wording] = []
    if let status = self["status"].flatMap({ UInt8($0) })
      .flatMap(SubscriptionStatus.init(rawValue:))
    {
      said.append(status.wording)
    }
    if self["will_renew"] == "0" { said.append("it will not renew") }
    if self["will_renew"] == "1", let price = amount("renewal_price") {
      said.append(
        self["renews_at"].map { "it renews at \(price) on \($0)" } ?? "it renews at \(price)")
    }
    if let offer = self["offer_id"] { said.append("offer \(offer)") }
    return said
  }

  private func amount(_ column: String) -> Wording? {
    self[column].flatMap { micros(decimal: $0) }.map {
      spoken($0, self["currency"].flatMap { Currency($0) })
    }
  }
}

extension SubscriptionStatus {
  fileprivate var wording: Wording {
    switch self {
    case .active: "active"
    case .expired: "expired"
    case .billingRetry: "billing retry"
    case .gracePeriod: "grace period"
    case .revoked: "revoked"
    }
  }
}
