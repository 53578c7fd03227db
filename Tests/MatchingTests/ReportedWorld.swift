import Billing
import Support
import Testing

@testable import Matching

/// A world with Apple's subscription reports of its days.
struct ReportedWorld {
  var world: World
  var facts = SubscriptionFacts()
  /// Bought before the world's rows; their terms are the world's.
  var earlier = MonthFacts()

  init(_ build: (inout World) -> Void) { world = World(build) }

  mutating func report(
    _ kind: SubscriptionReport.Kind, _ first: String = "2023-05-31", _ last: String = "2023-07-01",
    vendor: String = "8", without: Set<String> = []
  ) {
    for day in Day(first)!...Day(last)! where !without.contains(day.description) {
      facts.reports.append(
        SubscriptionReport(kind, day: day, vendor: vendor, file: "\(kind)_\(day)"))
    }
  }

  /// - Parameter sku: its name, and Apple's identifier behind a `#`.
  private func product(_ sku: String) -> SubscriptionProduct {
    let parts = sku.split(separator: "#")
    return SubscriptionProduct(
      appName: "App", appID: "1", name: String(parts[0]),
      id: parts.count > 1 ? String(parts[1]) : "", groupID: "", duration: "1 Month")
  }

  private func report(_ kind: SubscriptionReport.Kind, _ day: String, _ vendor: String) -> Int {
    facts.reports.firstIndex {
      $0.kind == kind && $0.day == Day(day)! && $0.vendor == vendor
    }!
  }

  mutating func event(
    _ name: String, on day: String, _ quantity: Int32 = 1, of sku: String = "monthly",
    storefront: String = "CN", in file: String? = nil, vendor: String = "8"
  ) {
    facts.eventTerms.append(
      SubscriptionEventTerms(
        event: name, product: product(sku), offer: SubscriptionOffer(), marketingOptIn: "",
        marketingOptInDuration: "",
        circumstance: SubscriptionCircumstance(storefront: Storefront(storefront)!),
        previousName: "", previousID: "", cancellationReason: ""))
    facts.events.append(
      ReportedSubscription(
        report: report(.event, file ?? day, vendor),
        SubscriptionEventRow(
          line: Int32(facts.events.count + 2), terms: Int32(facts.eventTerms.count - 1),
          day: Day(day)!, quantity: quantity, originalStart: nil, consecutivePaidPeriods: nil,
          daysBeforeCanceling: nil, daysCanceled: nil, paidServiceDaysRecovered: nil)))
  }

  mutating func active(
    _ count: Int32, on days: ClosedRange<Day>, of sku: String = "monthly",
    storefront: String = "CN"
  ) {
    facts.subscriptionTerms.append(
      SubscriptionTerms(
        product: product(sku), offer: SubscriptionOffer(), price: SubscriptionPrice(),
        circumstance: SubscriptionCircumstance(storefront: Storefront(storefront)!)))
    for day in days {
      var counts = [Int32?](repeating: nil, count: SubscriptionFigure.allCases.count)
      counts[0] = count
      // What is not active counts nowhere.
      counts[SubscriptionFigure.billingRetry.rawValue] = 40
      facts.subscriptions.append(
        ReportedSubscription(
          report: report(.subscription, day.description, "8"),
          SubscriptionRow(
            line: 2, terms: Int32(facts.subscriptionTerms.count - 1), counts: counts)))
    }
  }

  mutating func subscriber(
    on day: String, price: String, proceeds: String, of sku: String = "monthly",
    isRefund: Bool = false, units: Int32 = 1, currency: String = "CNY", storefront: String = "CN"
  ) {
    let micros = amount(price)
    facts.subscriberTerms.append(
      SubscriberTerms(
        product: product(sku), offer: SubscriptionOffer(), marketingOptInDuration: "",
        price: SubscriptionPrice(
          customerPrice: isRefund ? -micros : micros, customerCurrency: Currency(currency)!,
          proceeds: amount(proceeds), proceedsCurrency: Currency(currency)!),
        circumstance: SubscriptionCircumstance(storefront: Storefront(storefront)!),
        isReset: false, isRefund: isRefund))
    facts.subscribers.append(
      ReportedSubscription(
        report: report(.subscriber, day, "8"),
        SubscriberRow(
          line: Int32(facts.subscribers.count + 2), terms: Int32(facts.subscriberTerms.count - 1),
          day: Day(day)!, subscriber: "\(facts.subscribers.count)", purchaseDay: nil,
          units: units)))
  }

  func tieOut() -> SubscriptionTieOut {
    let (book, _) = world.claims()
    let context = world.context
    var running = earlier
    running.transactionTerms = world.facts.transactionTerms
    return SubscriptionTieOut(
      facts, book, renewals: world.renewals, products: world.facts.products,
      sold: world.facts.salesProducts,
      earlier: MatchTable(running, catalogue: context.catalogue, requiresSigned: false),
      sales: SalesTieOut(book, reports: SalesReports(world.facts, context), context: context),
      context: context)
  }

  func lines() -> [String] {
    tieOut().findings.map { finding in
      "\(finding.severity == .info ? "info " : "")" + world.line(finding)
    }.sorted()
  }
}

extension World {
  /// A chain of months that began on a day of 2023, up to a number of periods.
  mutating func chain(
    _ id: String, from month: Int, day: Int = 15, time: String = "20:00:00", periods: Int,
    leavingOut: Set<Int> = [], trial: Bool = false
  ) {
    for index in 0..<periods where !leavingOut.contains(index) {
      func moment(_ month: Int) -> String { "2023-\(padded(month, 2))-\(padded(day, 2))T\(time)" }
      transaction(
        index == 0 ? id : "\(id).\(index)", sku: "monthly", at: moment(month + index),
        kind: .autoRenewable, original: id, item: "\(id)W\(index)",
        expires: moment(month + index + 1), trial: trial && index == 0)
    }
  }
}
