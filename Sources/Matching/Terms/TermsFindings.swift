import Billing
import Conclusions
import Pricing

extension TermsSurvey {
  /// The findings of changed terms, one for each storefront, currency and day on which terms became
  /// others.
  var findings: [UnresolvedFinding] {
    struct Key: Hashable {
      var storefront: Storefront
      var currency: Currency
      var day: Day
    }
    var order: [Key] = []
    var together: [Key: [TermsChange]] = [:]
    for change in changes {
      let key = Key(
        storefront: change.line.storefront, currency: change.line.proceeds.currency,
        day: change.line.from)
      if together[key] == nil { order.append(key) }
      together[key, default: []].append(change)
    }
    return order.map { key in
      let changes = together[key]!
      return UnresolvedFinding(
        .termsChanged, storefront: key.storefront, currency: key.currency, day: key.day,
        units: changes.reduce(0) { $0 + $1.line.units },
        amount: changes.reduce(0) { $0 + $1.effect },
        explanation: changes.map(\.wording).joined(separator: "; "))
    }
  }
}

extension TermsChange {
  /// The explanation of a change: products, day, terms since and before, rows and proceeds.
  fileprivate var wording: Wording {
    let platform: Wording =
      line.platform.map { Wording(verbatim: $0.name) } ?? "@shared.every-platform"
    let rows: Wording = line.rows == 1 ? "@shared.1-row" : "@shared.rows \(line.rows)"
    let since: Wording =
      begins.count == 1
      ? "@terms.from \(line.from)"
      : "@terms.from-a-day-between \(begins.lowerBound) \(begins.upperBound)"
    return """
      @terms.before-with-of-proceeds \(platform) \(line.productWording) \(since) \
      \(line.terms.wording) \(before.wording) \(rows) \(spoken(line.proceeds))
      """
  }
}
