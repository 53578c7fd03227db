package import Billing
import Pricing

/// What Apple's rows of a period add up to for one product in one storefront and pair of
/// currencies.
package struct ProductProceeds: Hashable, Sendable {
  package var storefront: Storefront
  /// The company of Apple's that sold; empty where the storefront is none that is known.
  package var entity: String
  /// The app's bundle by the catalogue, else its SKU by Apple's rows; empty where neither tells.
  package var app: String
  package var sku: String
  package var kind: RevenueKind
  /// Rows with units.
  package var sold: Part
  /// Refunds, and credits without units; signed as in the bridge, so mostly negative.
  package var refunded: Part
  /// What customers paid in.
  package var currency: Currency { sold.gross.currency }
  package var proceedsCurrency: Currency { sold.proceeds.currency }

  /// Proceeds are in the currency that Apple pays in, all else in what customers paid in.
  package struct Part: Hashable, Sendable {
    package var units: Int64 = 0
    /// At the customer price.
    package var gross: Money
    /// By the rule.
    package var tax: Money
    /// By the rule.
    package var commission: Money
    /// What Apple reports.
    package var proceeds: Money

    /// Nothing, yet.
    package init(_ currency: Currency, proceedsCurrency: Currency) {
      gross = .zero(currency)
      tax = gross
      commission = gross
      proceeds = .zero(proceedsCurrency)
    }

    /// What the rule gives for the proceeds, in the currency that customers paid in.
    package var expectedProceeds: Money { gross - tax - commission }

    package static func + (left: Part, right: Part) -> Part {
      var sum = left
      sum.units += right.units
      sum.gross += right.gross
      sum.tax += right.tax
      sum.commission += right.commission
      sum.proceeds += right.proceeds
      return sum
    }
  }

  /// Sold less refunded.
  package var net: Part { sold + refunded }

  /// Actual proceeds less those of the rule; nil where proceeds have another currency.
  package var proceedsDifference: Money? {
    currency == proceedsCurrency ? net.proceeds - net.expectedProceeds : nil
  }

  /// The order of outputs.
  package static func isOrderedBefore(_ left: Self, _ right: Self) -> Bool {
    let (a, b) = (left, right)
    if a.storefront != b.storefront { return a.storefront < b.storefront }
    if a.currency != b.currency { return a.currency < b.currency }
    if a.proceedsCurrency != b.proceedsCurrency { return a.proceedsCurrency < b.proceedsCurrency }
    return (a.sku, a.app, a.entity, a.kind.rawValue) < (b.sku, b.app, b.entity, b.kind.rawValue)
  }
}

extension SalesReports {
  /// Says of which reports of more than a day all stands with the seller of their first day, though
  /// another one sold on the last: their rows have no day of their own. Where daily reports are
  /// loaded, longer ones do not count, and each day has its seller.
  package var sellerNotes: [Wording] {
    struct Span: Hashable {
      var begin: Day
      var end: Day
      var storefront: Storefront
    }
    var sellers: [Span: (first: String, last: String)] = [:]
    for (index, group) in groups.groups.enumerated()
    where group.begin < group.end && isCounted(index) {
      let storefront = group.terms.storefront
      guard let first = context.storefronts.legalEntity(of: storefront, on: group.begin),
        let last = context.storefronts.legalEntity(of: storefront, on: group.end), first != last
      else { continue }
      sellers[Span(begin: group.begin, end: group.end, storefront: storefront)] = (first, last)
    }
    struct Change: Hashable {
      var begin: Day
      var end: Day
      var first: String
      var last: String
    }
    let changes = Dictionary(grouping: sellers) {
      Change(begin: $0.key.begin, end: $0.key.end, first: $0.value.first, last: $0.value.last)
    }
    return changes.sorted {
      ($0.key.begin, $0.key.end, $0.key.last) < ($1.key.begin, $1.key.end, $1.key.last)
    }.map { change, spans in
      let places = spans.map(\.key.storefront.code).sorted().asList
      return """
        @sales.apple-report-of-to-does \(change.begin) \(change.end) \(places) \(change.first) \
        \(change.last) \(change.first)
        """
    }
  }
}

/// What Apple's rows of one day add up to in one storefront and pair of currencies, for all the
/// products of a kind, without their names.
package struct DayProceeds: Hashable, Sendable {
  package var day: Day
  package var proceeds: ProductProceeds

  package init(day: Day, proceeds: ProductProceeds) {
    self.day = day
    self.proceeds = proceeds
  }
}
