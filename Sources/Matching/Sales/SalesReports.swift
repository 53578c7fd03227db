package import Billing
package import Conclusions
package import Pricing

/// Apple's side of a period: its rows in order, judged by themselves, and its money. It needs no
/// matches, so it can be made while they are.
package struct SalesReports: Sendable {
  private(set) var context: MatchingContext
  let facts: MonthFacts
  let days: ReportDays
  let groups: ReportGroups
  /// Spans of days in which no tier and no rule of Apple's changes.
  private(set) var seasons: Seasons
  /// Slot per group, or `ReportDays.none`.
  let slotOfGroup: [Int16]
  /// Findings about rows alone, with the groups that are their evidence.
  private(set) var rowFindings: [(finding: UnresolvedFinding, groups: [Int])] = []
  /// How many of them, the first, judge prices and proceeds of rows.
  private(set) var judgedCount = 0
  /// Apple's money, by step.
  private(set) var bridge = BridgeSteps()
  /// The terms that Apple's rows show.
  let terms: TermsSurvey
  /// Taxes that they agree on beside the table.
  private(set) var rowTaxes: [RowTax] = []
  /// What is particular about the tax of rows, by series and season.
  private(set) var oddTaxes: [Int: OddTax] = [:]
  /// What the rule gives, by series and season.
  private var quotes: [Quote?] = []
  /// The same by the tables alone; empty where rows show no other tax.
  private var tableQuotes: [Quote?] = []
  /// The first group of each series and season whose proceeds are not the rule's.
  private var offRule: [Int] = []
  /// Rows that bring what the rule gives, in storefronts whose tax no table has.
  private(set) var ruled = RuledRows()
  /// By series and season where their tier's price stands in `tierPrices`, −1 without a sale of the
  /// period.
  private var tierPlaces: [Int32] = []
  private var tierPrices: [TierPrice?] = []
  /// Storefronts of rows whose product has a tier, and the tier no price on their day.
  private(set) var untiered: Set<Storefront> = []
  /// What rows of several days are judged by.
  private var spanRules: [SpanRule.Key: SpanRule] = [:]
  /// The same by the tables alone; empty where rows show no other tax.
  private var tableSpanRules: [SpanRule.Key: SpanRule] = [:]
  /// When the ledger's purchases were made; nil where nothing asks for it.
  let sold: PurchaseDays?

  /// Groups Apple's rows, finds the terms and taxes that they show, judges each row by itself and
  /// adds up the money.
  ///
  /// - Parameters:
  ///   - earlier: the reports of the period before, whose terms and taxes go on.
  ///   - sold: the ledger's purchases, where reports of several days count.
  package init(
    _ facts: MonthFacts, _ context: MatchingContext, earlier: SalesReports? = nil,
    sold: PurchaseDays? = nil
  ) {
    self.sold = sold
    let days = ReportDays(facts.coverage, period: context.period)
    let reach = context.period.first.advanced(by: -1)...context.period.last.advanced(by: 1)
    let apart = earlier?.shownTerms.skus ?? []
    var groups = ReportGroups(facts, reach: reach) { context.alike(of: $0, apart: apart) }
    let slots = groups.groups.map { days.slot(begin: $0.begin, end: $0.end) }
    let counted = groups.groups.indices.filter {
      Self.isCounted(groups.groups[$0], days.isInPeriod(slots[$0]))
    }
    var context = context
    terms = TermsSurvey(
      groups, counted: counted, seasons: Seasons(reach, changes: context.changeDays(facts)),
      context: context, earlier: earlier?.shownTerms)
    groups.setApart(terms.shown.skus.subtracting(apart))
    context.priceBook.shown = terms.shown
    self.context = context
    self.facts = facts
    self.days = days
    self.groups = groups
    // The rows' own changes of terms are among the days on which something changes.
    seasons = Seasons(reach, changes: context.changeDays(facts))
    slotOfGroup = slots
    makeQuotes()
    applyTaxesOfRows(after: earlier)
    rowFindings = judgedRows()
    judgedCount = rowFindings.count
    rowFindings += toleratedProceeds()
    rowFindings += unknownTypes()
    rowFindings += taxFindings()
    bridge = reportedMoney()
  }

  /// Works out, for every series and season with sales of the period, the tier's price and what the
  /// rule gives for a unit; the same for every span of rows of several days.
  private mutating func makeQuotes() {
    quotes = Array(repeating: nil, count: groups.seriesCount * seasons.count)
    tierPlaces = Array(repeating: -1, count: quotes.count)
    (tierPrices, offRule, spanRules) = ([], [], [:])
    addQuotes(of: groups.groups.indices.filter(isCounted))
  }

  /// Works quotes out again for a few storefronts, whose taxes became known; the others' stay.
  private mutating func remakeQuotes(of storefronts: StorefrontSet) {
    let own = groups.groups.indices.filter {
      storefronts.contains(groups.groups[$0].terms.storefront) && isCounted($0)
    }
    for index in own {
      let group = groups.groups[index]
      spanRules[SpanRule.Key(group)] = nil
      if group.begin == group.end { tierPlaces[place(of: group)] = -1 }
    }
    offRule.removeAll { storefronts.contains(groups.groups[$0].terms.storefront) }
    addQuotes(of: own)
    offRule.sort()
  }

  /// Works out what is not known yet of the tiers' prices and quotes of groups, and notes those
  /// whose proceeds are not the rule's.
  ///
  /// - Parameter sales: indices of groups that are sales of the period.
  private mutating func addQuotes(of sales: [Int]) {
    var known: [TierKey: Int32] = [:]
    var terms: [TermsKey: HeldTerms] = [:]
    for index in sales {
      let group = groups.groups[index]
      if group.begin != group.end {
        let key = SpanRule.Key(group)
        if spanRules[key] == nil {
          let rule = spanRule(group)
          spanRules[key] = rule
          noteUntiered(group)
          if isOffRule(group, rule.quote) == true { offRule.append(index) }
        }
        continue
      }
      let place = place(of: group)
      if tierPlaces[place] >= 0 { continue }
      let season = seasons.season(of: group.begin)
      let key = TierKey(
        alike: group.alike, storefront: group.terms.storefront, season: season, price: group.price,
        currency: group.terms.customerCurrency)
      tierPlaces[place] = known[key] ?? Int32(tierPrices.count)
      if known.updateValue(tierPlaces[place], forKey: key) == nil {
        tierPrices.append(askedTier(of: group, on: group.begin))
        noteUntiered(group)
      }
      let scope = scope(of: group)
      let common = TermsKey(scope: context.priceBook.common(scope), season: season)
      let held = terms[common] ?? context.priceBook.terms(of: scope, on: group.begin)
      terms[common] = held
      let expected = quote(group, scope, held)
      quotes[place] = expected
      if isOffRule(group, expected) == true { offRule.append(index) }
    }
  }

  /// Puts the taxes that rows agree on, where they are not the table's, into the price book and
  /// works quotes out again by them. Then quotes refunds by the rule of their sales, and keeps in
  /// `oddTaxes`, and quotes by what they show, rows at a tax that held before their days, and rows
  /// of storefronts whose tax no table and no rows tell.
  ///
  /// - Parameter earlier: the reports of the period before; nil where there are none.
  private mutating func applyTaxesOfRows(after earlier: SalesReports?) {
    if offRule.isEmpty { return }
    rowTaxes = RowTax.taxes(self, of: offRule.map { groups.groups[$0] }, after: earlier)
    if !rowTaxes.isEmpty {
      var found = FoundTaxes()
      for tax in rowTaxes { found.add(tax.tax, of: tax.place) }
      let before = seasons.count
      seasons = Seasons(reach, changes: context.changeDays(facts) + found.changeDays)
      if seasons.count != before { makeQuotes() }
      (tableQuotes, tableSpanRules) = (quotes, spanRules)
      context.priceBook.found = found
      remakeQuotes(of: StorefrontSet(found.taxes.keys.map(\.storefront)))
    }
    let before =
      earlier.map { $0.context.priceBook.found.known(until: $0.context.period.last) }
      ?? FoundTaxes()
    let changes = toldChanges(offRule.map { groups.groups[$0] }, after: earlier)
    ruled = RuledRows(self, beside: offRule.map { groups.groups[$0] })
    let refunds = quotesOfEarlierSales()
    for (key, quote) in refunds {
      quotes[key] = quote
      if !tableQuotes.isEmpty { tableQuotes[key] = quote }
    }
    for index in offRule where refunds[place(of: groups.groups[index])] == nil {
      let group = groups.groups[index]
      guard let odd = oddTax(of: group, after: before, told: changes) else { continue }
      oddTaxes[place(of: group)] = odd
      if group.begin == group.end {
        quotes[place(of: group)] = odd.quote
      } else {
        spanRules[SpanRule.Key(group)]?.quote = odd.quote
      }
    }
  }

  /// What a refunded unit brought when it was sold, where the rule has changed since: a refund
  /// gives back that price, tax and commission, not those of its own day. By series and season,
  /// without those that have sales too, which are no refund's.
  private func quotesOfEarlierSales() -> [Int: Quote] {
    var earlier: [Int: Quote] = [:]
    for index in offRule {
      let group = groups.groups[index]
      guard group.isRefund, group.begin == group.end, let currency = group.terms.customerCurrency,
        case .asExpected(let sold) = judgement(of: group, currency)
      else { continue }
      earlier[place(of: group)] = Quote(sold)
    }
    if earlier.isEmpty { return [:] }
    for (index, group) in groups.groups.enumerated()
    where group.units > 0 && group.begin == group.end && isCounted(index) {
      earlier[place(of: group)] = nil
    }
    return earlier
  }

  /// Whether a unit brings something else than the rule gives, beyond the tolerance; nil where the
  /// rule says nothing of it.
  func isOffRule(_ group: ReportGroup, _ quote: Quote?) -> Bool? {
    guard let quote, group.type == .covered, group.units != 0, group.price != 0,
      let currency = group.terms.customerCurrency,
      group.terms.proceedsCurrency ?? currency == currency
    else { return nil }
    return abs(abs(group.terms.proceeds) - quote.proceeds) > allowance(currency)
  }

  /// By how much a unit's proceeds may differ from the rule's, micro-units of the currency.
  func allowance(_ currency: Currency) -> Int64 {
    context.priceBook.allowance(currency, context.settings.tolerance)
  }

  /// A group's currency, or where its rows leave it blank the storefront's.
  func currency(of group: ReportGroup) -> Currency? {
    group.currency ?? context.storefronts.currency(of: group.terms.storefront)
  }

  /// Whether a group's rows are sales of the period: apps and in-app purchases, no restores,
  /// updates or downloads again.
  func isCounted(_ index: Int) -> Bool {
    Self.isCounted(groups.groups[index], days.isInPeriod(slotOfGroup[index]))
  }

  /// Whether a group's rows are sales of the period, given whether it has their days: what level 2
  /// covers (in-app purchases but no restores, types that are not known), and apps that are not
  /// free.
  static func isCounted(_ group: ReportGroup, _ isInPeriod: Bool) -> Bool {
    guard isInPeriod else { return false }
    return group.type == .covered || (group.type == .app && group.terms.customerPrice != 0)
  }

  /// What decides on a tier's price.
  private struct TierKey: Hashable {
    var alike: Int32
    var storefront: Storefront
    var season: Int
    var price: Int64
    var currency: Currency?
  }

  /// Rows that are under the same terms.
  private struct TermsKey: Hashable {
    var scope: TermsScope
    var season: Int
  }

  /// What the rule gives for one unit, in micro-units.
  struct Quote {
    var tax: Int64
    var commission: Int64
    var proceeds: Int64
    /// Of the commission, in millionths of the net price.
    var rate: Int64

    /// What an expectation gives for one unit, with the rate of its commission.
    init(_ expected: PriceExpectation) {
      (tax, commission) = (expected.tax, expected.commission)
      (proceeds, rate) = (expected.proceeds, expected.basis.commission)
    }

    /// As a row has it: what the commission and the proceeds leave of the price is tax.
    ///
    /// - Parameters:
    ///   - rate: the commission, millionths of the net price.
    ///   - unit: the currency's minor unit, micro-units.
    init(price: Int64, proceeds: Int64, rate: Int64, unit: Int64) {
      let net = roundedHalfUp(
        Int128(proceeds) * 1_000_000, dividedBy: Int128(1_000_000 - rate), toMultipleOf: unit)
      (tax, commission) = (price - net, net - proceeds)
      (self.proceeds, self.rate) = (proceeds, rate)
    }
  }

  /// The index of a group's series and season in the lists that are kept by both.
  func place(of group: ReportGroup) -> Int {
    Int(group.series) * seasons.count + seasons.season(of: group.begin)
  }

  /// What the rule gives for a unit of a group, with the taxes that rows agree on; nil of one that
  /// is no sale of the period or has no currency.
  func knownQuote(_ group: ReportGroup) -> Quote? {
    group.begin == group.end ? quotes[place(of: group)] : spanRules[SpanRule.Key(group)]?.quote
  }

  /// What the rule gives for a unit of a group by the tables alone, whatever taxes rows agree on;
  /// nil as for ``knownQuote(_:)``.
  func tableQuote(_ group: ReportGroup) -> Quote? {
    if let odd = oddTaxes[place(of: group)] { return odd.byRule }
    if tableQuotes.isEmpty { return knownQuote(group) }
    return group.begin == group.end
      ? tableQuotes[place(of: group)] : tableSpanRules[SpanRule.Key(group)]?.quote
  }

  /// What terms give for a unit of a group of one day; nil where it has no currency.
  private func quote(_ group: ReportGroup, _ scope: TermsScope, _ terms: HeldTerms) -> Quote? {
    guard let currency = currency(of: group) else { return nil }
    let expected = context.priceBook.expectation(
      under: terms, of: scope, currency: currency, price: group.price, day: group.begin,
      tierPrice: tier(of: group))
    return Quote(expected)
  }

  /// Days that the longest subscription of any report pays for; 0 without any.
  package var longestPaidPeriod: Int {
    Set(facts.salesProducts.map(\.subscriptionPeriod))
      .compactMap { PaidPeriod($0)?.longest }.max() ?? 0
  }

  /// What Apple's column `Proceeds Reason` has for a group, empty but after a year of subscription.
  func proceedsReason(_ group: ReportGroup) -> String {
    group.isAfterOneYear ? CommissionClass.afterOneYearReason : ""
  }

  /// The first day of each season.
  var seasonDays: [Day] {
    var days: [Day] = []
    for day in reach where seasons.season(of: day) == days.count { days.append(day) }
    return days
  }

  /// The days of the period, with one on either side.
  var reach: ClosedRange<Day> {
    context.period.first.advanced(by: -1)...context.period.last.advanced(by: 1)
  }

  /// What decides the terms of a group.
  func scope(of group: ReportGroup) -> TermsScope { group.scope(sku: groups.skus[Int(group.sku)]) }

  /// What the rows are expected by: the rules, the configuration and what the rows show.
  package var priceBook: PriceBook { context.priceBook }

  /// The terms that the rows show, for the period after this one.
  package var shownTerms: ShownTerms { terms.shown }
  /// The terms that the rows show as lines, in the order of every output.
  package var termsLines: [TermsLine] { terms.lines }
  /// Findings of changed terms, one for each storefront, currency and day on which terms became
  /// others.
  package var termsFindings: [UnresolvedFinding] { terms.findings }

  /// The price of a group's tier on its day, or on a day beside it where that is the group's; nil
  /// where no tier is known.
  func tier(of group: ReportGroup) -> TierPrice? {
    if group.begin != group.end {
      return spanRules[SpanRule.Key(group)]?.tier ?? askedTier(of: group, on: group.begin)
    }
    let known = Int(tierPlaces[place(of: group)])
    return known >= 0 ? tierPrices[known] : askedTier(of: group, on: group.begin)
  }

  /// Notes the storefront of a group whose product has a tier, and the tier no price on its day.
  private mutating func noteUntiered(_ group: ReportGroup) {
    guard group.type == .covered, group.price != 0, tier(of: group) == nil,
      let product = context.catalogue.product(groups.skus[Int(group.sku)], on: group.begin)
    else { return }
    if context.tiers.hasPrices(of: product) { untiered.insert(group.terms.storefront) }
  }

  /// Looks up the price of a group's tier on a day, or on a day beside it where that is the
  /// group's; nil where no tier is known.
  func askedTier(of group: ReportGroup, on day: Day) -> TierPrice? {
    context.tierPrice(
      sku: groups.skus[Int(group.sku)], storefront: group.terms.storefront, around: day,
      soldAt: group.price, group.terms.customerCurrency)
  }

  /// The day whose rules a group is judged by: its own, or of several the one that explains it.
  func ruleDay(of group: ReportGroup) -> Day {
    group.begin == group.end ? group.begin : spanRules[SpanRule.Key(group)]?.day ?? group.begin
  }
}
