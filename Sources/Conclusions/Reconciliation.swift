package import Billing
package import Pricing

/// All that a reconciliation of one period concluded: the one value that every output is made from.
package struct Reconciliation: Sendable {
  package var period: Period
  package var baseCurrency: Currency
  package var asOf: Day
  /// The company's name as configured; empty where it is not.
  package var company = ""
  /// Bundle IDs of the apps, and numbers that Apple calls the company by, as configured.
  package var apps: [String] = []
  package var vendors: [String] = []
  package var inputs: [InputFile]
  package var dayBoundaries: [ReportDayBoundary]
  /// Clocks that were taken for wrong, by which times are corrected here.
  package var clockRules: [ClockRule] = []
  package var proceeds: [ProceedsLine]
  /// The same by entity, app and product, in output order; without what is booked of closed
  /// periods.
  package var products: [ProductProceeds] = []
  /// The same by day, where sales count at each day's rate; else empty.
  package var dayProceeds: [DayProceeds] = []
  package var bridges: [Bridge]
  /// Revenue that is paid for in advance, where the configuration asks for it; by currency and SKU.
  package var deferral: [DeferralLine] = []
  /// Commission on that revenue, where it is deferred too.
  package var deferredCommission: [DeferralLine] = []
  /// Levels 3 and 4, where the period is a fiscal month whose financial reports are loaded.
  package var settlement: Settlement?
  /// What the journal rests on beside the sales, where the period is a calendar month.
  package var books: MonthBooks?
  /// What Apple owes by currency: of a calendar month as the journal has it.
  package var receivable: [ReceivableLine] = []
  /// What its opening rests on; nil where nothing is rolled.
  package var openingBasis: OpeningBasis?
  /// What of earlier months it leaves out, or the first close before left out; ascending by month.
  package var openingGaps: [OpeningGap] = []
  package var findings: [Finding]
  /// What the sheet of rows that findings show says of orders, by their places: the texts of the
  /// order's columns in it.
  package var orderCells: [Source: [String]] = [:]
  /// What the company calls the products of Apple's reports and of findings, by SKU; without those
  /// that have no name.
  package var productNames: [String: String] = [:]
  /// What the figures rest on.
  package var basis = Basis()
  /// Base currency for one of each currency that a figure is in, at the end of the period; a
  /// currency without a rate is absent.
  package var rates: [Currency: CurrencyRate] = [:]
  /// The days that those rates are of.
  package var rateDays: [Currency: Day] = [:]
  /// What stands behind many findings of one code, the least likely by chance first.
  package var patterns: [Pattern] = []
  /// Users by the names that stand in their place, where users are hidden: what the ledger records
  /// names them as its rows do.
  package var hiddenUsers: [String: String] = [:]
  /// How purchases went, by the company's day.
  package var flow: [FlowDay] = []
  /// What rows of transactions do not say themselves, where that was asked for.
  package var sales = ResolvedSales()
  /// What of purchases that were counted elsewhere is to be handed over as rows the next time.
  package var rowsAsked = RowsAsked()
  /// Coins, where movements of the period are loaded.
  package var coins: CoinFlow?
  /// What is owed for them, where the configuration says how they are valued.
  package var coinStatement: CoinStatement?
  /// Why it is not known, or what a close has to say of it.
  package var coinRemarks: [Wording] = []
  /// The steps of purchases, where the company's log of the period is loaded.
  package var stages: PurchaseStages?
  /// Refunds of the period, in the order of storefront, day, SKU, transaction.
  package var refunds: [RefundLine] = []
  /// What the bridge's step `day-boundary` is made of, where lists were asked for: in the order of
  /// storefront, currency, day.
  package var movedUnits: [MovedUnits] = []
  /// All chains that the period touched, by SKU and state.
  package var subscriptionCounts: [SubscriptionCount] = []
  /// The chains one by one, in the order of storefront, SKU, original transaction.
  package var subscriptions: [SubscriptionLine] = []
  /// Chains that are counted and not listed, because there are more than a person reads and no
  /// finding is about them.
  package var unlistedSubscriptions = 0
  /// Apple's subscription reports beside the chains, by storefront and SKU; empty without reports.
  package var subscriptionReports: [SubscriptionReportLine] = []
  /// What Apple took of sales, by month or the part of one in which nothing changed, with those of
  /// the period before where its reports are loaded.
  package var deductions: [DeductionLine] = []
  /// The terms that Apple's rows show, in output order.
  package var terms: [TermsLine] = []
  /// Taxes that they agree on beside the table.
  package var foundTaxes = FoundTaxes()
  package var matchedUnits: Int64
  package var unmatchedUnits: Int64
  /// Proceeds of the period before, where its reports are loaded; for comparison only.
  package var previousProceeds: [ProceedsLine]
  /// What the recorded run of the period before found; nil where none was recorded.
  package var previousRun: PreviousRun?
  /// A digest of all that this follows from; nil where that is not known.
  package var restsOn: String?
  /// What a reader must know beside the figures: rules' versions, prices nobody told, limits.
  package var notes: [Wording]
  /// Values that nobody configured and that figures hang on.
  package var assumptions: [Settings.Assumption] = []
  /// What of closed periods is booked in this one.
  package var booked: [BookedChange] = []

  package init(
    period: Period, baseCurrency: Currency, asOf: Day, inputs: [InputFile] = [],
    dayBoundaries: [ReportDayBoundary] = [], proceeds: [ProceedsLine] = [], bridges: [Bridge] = [],
    findings: [Finding] = [], matchedUnits: Int64 = 0, unmatchedUnits: Int64 = 0,
    previousProceeds: [ProceedsLine] = [], notes: [Wording] = []
  ) {
    self.period = period
    self.baseCurrency = baseCurrency
    self.asOf = asOf
    self.inputs = inputs
    self.dayBoundaries = dayBoundaries
    self.proceeds = proceeds
    self.bridges = bridges
    self.findings = findings
    self.matchedUnits = matchedUnits
    self.unmatchedUnits = unmatchedUnits
    self.previousProceeds = previousProceeds
    self.notes = notes
  }
}
