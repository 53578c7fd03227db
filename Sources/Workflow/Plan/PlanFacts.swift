package import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// Which day's prices a plan is about, and which period's sales weigh them.
package struct PlanScope: Sendable {
  package var ledgerPath: String
  /// Whether the caller named the ledger, so that it must be there.
  package var isLedgerNeeded: Bool
  package var settings: Settings
  package var day: Day
  package var period: Period?

  package init(
    ledgerPath: String, isLedgerNeeded: Bool, settings: Settings, day: Day, period: Period?
  ) {
    self.ledgerPath = ledgerPath
    self.isLedgerNeeded = isLedgerNeeded
    self.settings = settings
    self.day = day
    self.period = period
  }
}

/// What the ledger knows that a plan needs.
struct PlanFacts {
  /// As they are on the plan's day, by SKU.
  var products: [Product] = []
  var catalogue: CatalogueBook
  var book: PriceBook
  var rates = RateBook([])
  var observed: ObservedSales?
  var channelOrders: [(terms: OrderTerms, orders: Int)] = []
  var notes: [Wording] = []
  /// Where each product was sold in the year before the plan's day; empty where nobody asked.
  var storefronts: [String: Set<Storefront>] = [:]

  /// Prepares products, prices and exchange rates from the company's tables.
  private init(_ tables: MonthFacts, _ scope: PlanScope) {
    catalogue = CatalogueBook(tables.products, tables.shared)
    products = Set(tables.products.map(\.sku)).sorted()
      .compactMap { [catalogue] in catalogue.product($0, on: scope.day) }
    book = PriceBook(tables, scope.settings)
    rates = RateBook(tables.rates)
  }

  /// Reads what the plan needs from the ledger.
  ///
  /// - Parameters:
  ///   - isLedgerNeeded: whether the plan says nothing without a ledger; else a ledger that does
  ///     not exist is an empty one.
  ///   - findsStorefronts: whether it is read where each product was sold in the year before.
  init(_ scope: PlanScope, isLedgerNeeded: Bool, findsStorefronts: Bool = false) throws {
    let mayBeMissing = !isLedgerNeeded && !scope.isLedgerNeeded && scope.period == nil
    self =
      if mayBeMissing, identity(of: scope.ledgerPath) == nil { PlanFacts(MonthFacts(), scope) } else
      {
        try Ledger.reading(scope.ledgerPath) { ledger in
          var facts = try PlanFacts(scope, ledger)
          if findsStorefronts {
            let year = scope.day.advanced(by: -Rules.longestReport)...scope.day
            facts.storefronts = try ledger.soldStorefronts(
              of: Set(facts.products.map(\.sku)), year)
          }
          return facts
        }
      }
  }

  /// Reads the company's tables, recorded terms, and the period's sales and orders of other
  /// channels.
  private init(_ scope: PlanScope, _ ledger: Ledger) throws {
    self.init(try ledger.reportFacts(scope.day...scope.day), scope)
    try book.learnTerms(on: scope.day, from: ledger)
    guard let period = scope.period else { return }
    let facts = try ledger.reportFacts(period.days)
    observed = ObservedSales(facts, period: period)
    let covered = Set(facts.coverage.flatMap { Array($0.begin...$0.end) })
    let days = period.days.count { covered.contains($0) }
    if days < period.dayCount {
      notes.append("@plan.sales-reports-cover \(days) \(Workflow.days(period.dayCount)) \(period)")
    }
    channelOrders = try ledger.channelOrders(placed: scope.settings.instants(of: period))
  }
}

extension Settings {
  /// The times of the period's days in the company's own zone.
  func instants(of period: Period) -> Range<Instant> {
    businessZone.start(of: period.first)..<businessZone.start(of: period.last.advanced(by: 1))
  }
}
