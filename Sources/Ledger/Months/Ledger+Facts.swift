package import Billing
import GRDB

extension Ledger {
  /// The current facts of a period.
  ///
  /// - Orders placed in `purchases`; transactions purchased in it, and those purchased before and
  ///   revoked in it; both ascending by row. Rows of several files that tell of the same order or
  ///   transaction stand beside each other: they are merged by matching.
  /// - Sales rows that touch `reportDays`, of the reports that count (`CountedReport.counting`).
  /// - Dictionaries as a whole: the entry with the ledger's id n is at index n − 1, and rows name
  ///   it by that index.
  /// - Of the company's tables, per key what the file imported last says; rates up to the last
  ///   report day.
  /// - Purchases of the period that were counted elsewhere. Of rows that were handed over beside
  ///   counts, only those of this period's.
  package func facts(
    purchases: ClosedRange<Instant>, reportDays: ClosedRange<Day>, counted period: Period? = nil
  ) throws -> MonthFacts {
    var facts = try factsBeside(purchases, reportDays: reportDays, counted: period)
    facts.sales = try sales(touching: reportDays)
    try addPurchases(purchases, to: &facts, counted: period)
    return facts
  }

  /// The facts of a period as ``facts(purchases:reportDays:counted:)`` has them, without orders,
  /// transactions and rows of sales reports, which may be added later.
  ///
  /// - Parameter period: the period whose purchases Spark counted; nil for none.
  package func factsBeside(
    _ purchases: ClosedRange<Instant>, reportDays: ClosedRange<Day>, counted period: Period?
  ) throws -> MonthFacts {
    try read { db in
      let (told, reported) = try readBoth(
        db, { [self] in try factsToldBeside(purchases, counted: period, $0) },
        { [self] in try factsOfReports(reportDays, $0) })
      var facts = reported
      facts.counts = told.counts
      facts.renewalTerms = told.renewalTerms
      facts.renewals = told.renewals
      facts.instalments = told.instalments
      facts.toldTaxes = told.toldTaxes
      facts.purchases =
        UInt32(
          clamping: purchases.lowerBound.seconds)...UInt32(
          clamping: purchases.upperBound.seconds)
      return facts
    }
  }

  /// Adds orders and transactions of the range, where there are none yet, with their terms, details
  /// and observations.
  ///
  /// - Parameters:
  ///   - facts: what ``factsBeside(_:reportDays:counted:)`` has for the same.
  ///   - period: the period whose purchases Spark counted; nil for none.
  package func addPurchases(
    _ purchases: ClosedRange<Instant>, to facts: inout MonthFacts, counted period: Period?
  ) throws {
    let products = facts.products
    let ((terms, told), (orderTerms, (orders, unnamed))) = try read { db in
      let shared = try sharedSKUs(db)
      let sources = try Self.sources(ofCounted: period, db)
      return try readBoth(
        db,
        { db in
          let terms = try shared.named(TermsDictionary<TransactionTerms>.all(db))
          let mayChain = Self.mayChain(terms, products)
          return (
            terms, try transactions(purchased: purchases, mayChain: mayChain, of: sources, db)
          )
        },
        {
          (
            try shared.named(TermsDictionary<OrderTerms>.all($0)),
            try Self.orders(placed: purchases, of: sources, $0)
          )
        })
    }
    (facts.orderTerms, facts.orders, facts.unnamedOrderDetails) = (orderTerms, orders, unnamed)
    facts.transactionTerms = terms
    facts.transactions = told.entries
    facts.chainDetails = told.chainDetails
    facts.observations = told.observations
    facts.unnamedTransactions = told.unnamed
  }

  /// What Apple said of renewals, instalments and taxes of purchases in the range `purchases`, and
  /// the purchases of `period` that Spark counted; nil where it counted none.
  private func factsToldBeside(
    _ purchases: ClosedRange<Instant>, counted period: Period?, _ db: Database
  ) throws -> MonthFacts {
    var facts = MonthFacts()
    facts.renewalTerms = try TermsDictionary<RenewalTerms>.all(db)
    facts.renewals = try Self.renewals(until: purchases.upperBound, db)
    facts.instalments = try Self.instalments(purchases, db)
    facts.toldTaxes = try Self.toldTaxes(purchases, db)
    if let period { facts.counts = try Self.counts(of: period, purchases, db) }
    return facts
  }

  /// The facts of these report days without orders and transactions: Apple's side of a period and
  /// the catalogue.
  package func reportFacts(_ reportDays: ClosedRange<Day>) throws -> MonthFacts {
    var facts = try read { try factsOfReports(reportDays, $0) }
    facts.sales = try sales(touching: reportDays)
    return facts
  }

  /// The rows of the sales reports that count, where they touch the days.
  package func sales(touching days: ClosedRange<Day>) throws -> [SalesEntry] {
    try read { db in
      try Self.sales(of: CountedReport.counting(CountedReport.current(db)), touching: days, db)
    }
  }

  /// What belongs to Apple's sales reports of these days but their rows (dictionaries, coverage,
  /// other versions), and the company's tables.
  private func factsOfReports(
    _ reportDays: ClosedRange<Day>, _ db: Database
  ) throws -> MonthFacts {
    var facts = MonthFacts()
    facts.shared = try sharedSKUs(db)
    facts.products = facts.shared.named(catalogue: try Self.products(db))
    try readReports(into: &facts, reportDays, db)
    try readCatalogue(into: &facts, reportDays, db)
    return facts
  }

  /// What the company says of its products, their tiers, taxes and commissions, whatever the
  /// period.
  package func companyTables() throws -> MonthFacts {
    try read { db in
      var facts = MonthFacts()
      facts.shared = try sharedSKUs(db)
      facts.products = facts.shared.named(catalogue: try Self.products(db))
      facts.tiers = try Self.tiers(db)
      facts.taxes = try Self.taxes(db)
      facts.commissions = try Self.commissions(db)
      return facts
    }
  }

  /// The rates of `days`, and of each pair of currencies the last one before them.
  package func rates(_ days: ClosedRange<Day>) throws -> [ExchangeRate] {
    try read { db in try Self.rates(days, db) }
  }

  /// Adds the dictionaries that rows of sales reports refer to, which reports have the days, and
  /// where superseded or longer reports say something else of these.
  private func readReports(
    into facts: inout MonthFacts, _ days: ClosedRange<Day>, _ db: Database
  ) throws {
    facts.salesProducts = facts.shared.named(try TermsDictionary<SalesProduct>.all(db))
    facts.salesTerms = try TermsDictionary<SalesTerms>.all(db)
    facts.salesConditions = try TermsDictionary<SalesCondition>.all(db)
    let reports = CountedReport.counting(try CountedReport.current(db))
    facts.coverage = try Self.coverage(by: reports, touching: days, db)
    facts.restatements = try Self.restatements(
      touching: days, products: facts.salesProducts, terms: facts.salesTerms, db)
    facts.disagreements = try Self.disagreements(
      endingIn: days, products: facts.salesProducts, terms: facts.salesTerms, db)
  }

  /// Adds the company's tiers, taxes and commissions, and the exchange rates of the days.
  private func readCatalogue(
    into facts: inout MonthFacts, _ days: ClosedRange<Day>, _ db: Database
  ) throws {
    facts.tiers = try Self.tiers(db)
    facts.rates = try Self.rates(days, db)
    facts.taxes = try Self.taxes(db)
    facts.commissions = try Self.commissions(db)
  }
}
