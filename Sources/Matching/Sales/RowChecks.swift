import Billing
import Pricing

extension SalesReports {
  /// Findings of checks that look at Apple's rows alone (prices, proceeds, currencies, credits
  /// without units), each with the indices of the groups that are its evidence.
  ///
  /// - Parameter seats: prices that depend on a quantity, and on no tier: none is found wrong.
  func judgedRows(
    sparing seats: Set<SeatPrice> = []
  ) -> [(finding: UnresolvedFinding, groups: [Int])] {
    var checks = RowChecks()
    var isClean = [Bool](repeating: false, count: groups.seriesCount * seasons.count)
    for (index, group) in groups.groups.enumerated()
    where group.type == .covered && isCounted(index) {
      // What was clean once is clean on every day on which the same rules hold. A refund's rules
      // are those of an earlier day, and a span's may be several.
      let isPlain = group.units > 0 && group.begin == group.end
      if isPlain, isClean[place(of: group)] { continue }
      let before = checks.count
      checkCurrency(index, group, &checks)
      checkCredit(index, group, &checks)
      if isUnknownSKU(groups.skus[Int(group.sku)]) { continue }
      let isSpared = isSpared(group, seats)
      if !isSpared { checkTier(index, group, &checks) }
      checkProceeds(index, group, &checks)
      if isPlain, !isSpared, checks.count == before { isClean[place(of: group)] = true }
    }
    checks.joinAlike()
    return checks.found.sorted { $0.key < $1.key }.map { key, found in
      let finding = UnresolvedFinding(
        key.code, storefront: key.storefront, currency: key.currency, day: key.day,
        sku: key.sku.isEmpty ? nil : key.sku,
        units: found.units, amount: found.amount, explanation: found.words.joined(separator: "; "))
      return (finding, found.groups)
    }
  }

  /// The findings about rows alone, without those of prices that the ledger has of several seats.
  func rowFindings(sparing seats: Set<SeatPrice>) -> [(finding: UnresolvedFinding, groups: [Int])] {
    guard rowFindings.contains(where: { $0.finding.code == .priceNotInTier }), !seats.isEmpty
    else { return rowFindings }
    return judgedRows(sparing: seats) + rowFindings.dropFirst(judgedCount)
  }

  /// Whether a group's price is among those that depend on a quantity.
  private func isSpared(_ group: ReportGroup, _ seats: Set<SeatPrice>) -> Bool {
    !seats.isEmpty
      && seats.contains(
        SeatPrice(
          sku: groups.skus[Int(group.sku)], storefront: group.terms.storefront,
          price: group.price))
  }

  /// Whether the catalogue lacks a SKU; false without a catalogue.
  private func isUnknownSKU(_ sku: String) -> Bool {
    !context.catalogue.isEmpty && !context.catalogue.contains(sku)
  }

  /// Adds a finding where the customer currency is none that the storefront has on that day, nor,
  /// for a refund, had when its sale may have been.
  ///
  /// - Parameter index: of the group.
  private func checkCurrency(_ index: Int, _ group: ReportGroup, _ checks: inout RowChecks) {
    guard let currency = group.terms.customerCurrency, group.price != 0 else { return }
    /// Whether customers may have paid in the currency on one of these days.
    func isPaid(on days: some Sequence<Day>) -> Bool {
      days.contains {
        context.storefronts.acceptsCurrency(currency, storefront: group.terms.storefront, on: $0)
      }
    }
    // A refund is in the currency that its sale was paid in.
    guard !isPaid(on: ruleDays(of: group)),
      !(group.isRefund && isPaid(on: PriceBook.daysOfSales(refundedOn: group.begin))),
      // The company's own tier may say another.
      tier(of: group)?.currency != currency
    else { return }
    let usual =
      context.storefronts.currency(of: group.terms.storefront).map { Wording(verbatim: $0.code) }
      ?? "@shared.none"
    checks.add(
      self, .currencyUnexpected, group, currency, units: group.units, amount: nil, index,
      "@currency-unexpected.customer-currency-is-the-storefront \(currency) \(usual)")
  }

  /// Adds a finding of rows without units that move money: a partial refund or an upgrade's credit.
  ///
  /// - Parameter index: of the group.
  private func checkCredit(_ index: Int, _ group: ReportGroup, _ checks: inout RowChecks) {
    guard group.zeroRows > 0, group.price != 0, let currency = currency(of: group) else { return }
    checks.add(
      self, .partialRefund, group, currency, units: 0, amount: -group.price * group.zeroRows, index,
      group.zeroRows == 1
        ? "@partial-refund.1-row-without-units \(spoken(group.price, currency))"
        : """
        @partial-refund.rows-without-units-a-credit \(group.zeroRows) \
        \(spoken(group.price, currency))
        """)
  }

  /// Adds a finding where the customer price is not the tier's, unless it is preserved, an offer's,
  /// or zero, or a refund's of less than the tier or of a price that the tier had at another time.
  ///
  /// - Parameter index: of the group.
  private func checkTier(_ index: Int, _ group: ReportGroup, _ checks: inout RowChecks) {
    guard group.units != 0, group.price != 0, !group.isPreserved, !group.isOffer,
      let currency = group.terms.customerCurrency, let tier = tier(of: group),
      tier.currency == currency, tier.price != group.price
    else { return }
    if group.isRefund,
      let product = context.catalogue.product(
        groups.skus[Int(group.sku)], on: ruleDay(of: group)),
      context.tiers.isEverPrice(
        of: product, in: group.terms.storefront, currency: currency, price: group.price)
    {
      return
    }
    // A refund of less than the tier is a partial one.
    if group.isRefund, group.price < tier.price { return }
    checks.add(
      self, .priceNotInTier, group, currency, units: group.units,
      amount: (group.price - tier.price).multipliedExactly(by: group.units), index,
      """
      @price-not-in-tier.sold-at-tier-is \(spoken(group.price, currency)) \(tier.tier) \
      \(spoken(tier.price, currency))
      """)
  }

  /// Adds a finding where the proceeds are not what the rule gives for the price.
  ///
  /// - Parameter index: of the group.
  private func checkProceeds(_ index: Int, _ group: ReportGroup, _ checks: inout RowChecks) {
    guard group.units != 0, group.price != 0 || group.terms.proceeds != 0,
      let currency = group.terms.customerCurrency,
      group.terms.proceedsCurrency ?? currency == currency, oddTaxes[place(of: group)] == nil
    else { return }
    let judgement = judgement(of: group, currency)
    let code: FindingCode
    switch judgement {
    case .asExpected: return
    case .offRule: code = .proceedsOffRule
    case .unexpected: code = .proceedsUnexpected
    case .notAsConfigured(let expected, let shown):
      return addUnconfigured(index, group, currency, expected, shown, &checks)
    }
    let expected = judgement.expectation
    let deduction = PriceExpectation.deduction(
      price: group.price, proceeds: abs(group.terms.proceeds))
    checks.add(
      self, code, group, currency, units: group.units,
      amount: (abs(group.terms.proceeds) - expected.proceeds).multipliedExactly(by: group.units),
      index,
      words(code, group, currency, deduction, expected),
      rate: code == .proceedsUnexpected ? shownCommission(group, currency) : nil)
  }

  /// What to think of a group's proceeds, by the rules of the day that it is judged by.
  func judgement(of group: ReportGroup, _ currency: Currency) -> ProceedsJudgement {
    judgement(group, on: ruleDay(of: group), tier(of: group), currency)
  }

  /// The one commission in whole per cent that gives a row's proceeds, in millionths; nil where
  /// none does, or where the price is too low to tell.
  private func shownCommission(_ group: ReportGroup, _ currency: Currency) -> Int64? {
    var found: Int64?
    for percent in 0...50 as ClosedRange<Int64> {
      let rate = percent * 10_000
      let expected = context.priceBook.expectation(
        storefront: group.terms.storefront, currency: currency, price: group.price,
        day: ruleDay(of: group), commissionRate: rate)
      guard expected.proceeds == abs(group.terms.proceeds) else { continue }
      if found != nil { return nil }
      found = rate
    }
    return found
  }

  /// Adds a finding that Apple pays by other documented terms than the configuration says. Rows of
  /// one storefront and span are one finding: the terms are wrong, not each row.
  ///
  /// - Parameters:
  ///   - expected: by the configuration.
  ///   - shown: the terms that give the proceeds.
  private func addUnconfigured(
    _ index: Int, _ group: ReportGroup, _ currency: Currency, _ expected: PriceExpectation,
    _ shown: HeldTerms, _ checks: inout RowChecks
  ) {
    let scope = scope(of: group)
    let day = ruleDay(of: group)
    let span = context.priceBook.shown.span(of: scope, on: day)
    let since = max(span?.from ?? day, context.period.first)
    let platform: Wording =
      group.platform.map { Wording(verbatim: $0.name) } ?? "@shared.every-platform"
    let claimed = context.priceBook.terms(of: scope, on: day)
    checks.add(
      self, .termsNotAsConfigured, group, currency, units: group.units,
      amount: (abs(group.terms.proceeds) - expected.proceeds).multipliedExactly(by: group.units),
      index,
      """
      @terms-not-as-configured.from-on-apple-pays-by \(platform) \(since) \(shown.wording) \
      \(claimed.wording)
      """, since: since)
  }

  /// The explanation of proceeds that are not the rule's: what is paid, and where the code is
  /// `proceeds-unexpected` which documented combinations would give that.
  ///
  /// - Parameter deduction: millionths of the price; nil where it has none.
  private func words(
    _ code: FindingCode, _ group: ReportGroup, _ currency: Currency, _ deduction: Int64?,
    _ expected: PriceExpectation
  ) -> Wording {
    let words = proceedsWords(group, currency, deduction, expected)
    guard code == .proceedsUnexpected else { return words }
    let fits = context.priceBook.fits(
      storefront: group.terms.storefront, platform: group.platform, currency: currency,
      price: group.price, proceeds: abs(group.terms.proceeds), day: ruleDay(of: group))
    switch fits.count {
    case 0: return "@sales.no-documented-combination \(words)"
    case 1, 2:
      let named = fits.map { fit -> Wording in
        let commission = exactPercent(fit.commission)
        return fit.tax == 0
          ? "@sales.commission-and-no-tax \(commission)"
          : "@sales.commission-and-tax \(commission) \(exactPercent(fit.tax))"
      }
      return "@sales.fits-exactly \(words) \(named.joined(separator: ", "))"
    // A low price has room for many.
    default: return words
    }
  }

  /// What Apple pays of the price, the deduction where there is one, and what the rule gives, as
  /// text.
  ///
  /// - Parameter deduction: millionths of the price; nil where it has none.
  private func proceedsWords(
    _ group: ReportGroup, _ currency: Currency, _ deduction: Int64?, _ expected: PriceExpectation
  ) -> Wording {
    let proceeds = spoken(abs(group.terms.proceeds), currency)
    let price = spoken(group.price, currency)
    guard let deduction else {
      return "@sales.apple-pays-of-the-rule \(proceeds) \(price) \(expected.rule)"
    }
    return """
      @sales.apple-pays-of-a-deduction \(proceeds) \(price) \(percent(deduction)) \
      \(expected.rule)
      """
  }
}

/// Findings about rows, one per code and key.
private struct RowChecks {
  struct Key: Hashable, Comparable {
    var code: FindingCode
    var storefront: Storefront
    var currency: Currency
    var day: Day
    var sku: String

    static func < (left: Key, right: Key) -> Bool {
      (left.storefront.code, left.day, left.sku, left.code.rawValue, left.currency.code)
        < (right.storefront.code, right.day, right.sku, right.code.rawValue, right.currency.code)
    }
  }

  struct Found {
    var units: Int64 = 0
    var amount: Int64?
    var groups: [Int] = []
    var words: [Wording] = []
    var rows: Int64 = 0
    /// The commission that all of them show, millionths.
    var rate: Int64?
  }

  private(set) var found: [Key: Found] = [:]

  /// Findings added so far, and parts of them.
  private(set) var count = 0

  /// Joins the findings of a storefront whose rows show one commission, on many days or of many
  /// products, into one, dated by the first: there is one cause.
  mutating func joinAlike() {
    struct Cause: Hashable {
      var storefront: Storefront
      var currency: Currency
      var rate: Int64
    }
    var keys: [Cause: [Key]] = [:]
    for (key, found) in found {
      guard key.code == .proceedsUnexpected, let rate = found.rate else { continue }
      let cause = Cause(storefront: key.storefront, currency: key.currency, rate: rate)
      keys[cause, default: []].append(key)
    }
    for (cause, keys) in keys where keys.count >= Rules.alikeProceeds {
      let keys = keys.sorted()
      var all = Found()
      for key in keys {
        guard let one = found.removeValue(forKey: key) else { continue }
        all.units += one.units
        all.amount = (all.amount ?? 0) + (one.amount ?? 0)
        all.groups += one.groups
        all.rows += one.rows
        if all.words.isEmpty { all.words = Array(one.words.prefix(1)) }
      }
      let skus = Set(keys.map(\.sku))
      let products: Wording =
        skus.count == 1 ? "@shared.1-product" : "@shared.products \(skus.count)"
      all.words = [
        """
        @proceeds-unexpected.rows-of-show-a-commission \(all.rows) \(products) \
        \(exactPercent(cause.rate)) \(all.words[0])
        """
      ]
      var key = keys[0]
      key.sku = skus.count == 1 ? key.sku : ""
      found[key] = all
    }
  }

  /// Adds a group to the finding of its code, storefront, currency, day and SKU.
  ///
  /// - Parameters:
  ///   - amount: micro-units of the currency; nil where no money differs.
  ///   - index: of the group.
  ///   - since: the day that the finding is of instead of the group's, and then of all products.
  ///   - rate: the commission that the group shows, millionths.
  mutating func add(
    _ reports: SalesReports, _ code: FindingCode, _ group: ReportGroup, _ currency: Currency,
    units: Int64, amount: Int64?,
    _ index: Int, _ words: Wording, since: Day? = nil, rate: Int64? = nil
  ) {
    let key = Key(
      code: code, storefront: group.terms.storefront, currency: currency,
      day: since ?? group.begin, sku: since == nil ? reports.groups.skus[Int(group.sku)] : "")
    count += 1
    found[key, default: Found()].units += units
    if let amount { found[key]!.amount = (found[key]!.amount ?? 0) + amount }
    found[key]!.groups.append(index)
    found[key]!.rows += group.rows
    if found[key]!.groups.count == 1 {
      found[key]!.rate = rate
    } else if found[key]!.rate != rate {
      found[key]!.rate = nil
    }
    if !found[key]!.words.contains(words), found[key]!.words.count < 5 {
      found[key]!.words.append(words)
    }
  }
}

extension SalesReports {
  /// Findings of what proceeds differ from the rule by in rows that raise no finding of their own:
  /// one for each storefront and currency, so that the findings of the bridge's
  /// `proceeds-difference` come to the step; each with indices of the groups that are its evidence.
  func toleratedProceeds() -> [(finding: UnresolvedFinding, groups: [Int])] {
    struct Sum {
      var units: Int64 = 0
      var amount: Int64 = 0
      var day: Day
      var groups: [Int] = []
    }
    struct Place: Hashable, Comparable {
      var storefront: Storefront
      var currency: Currency
      static func < (left: Place, right: Place) -> Bool {
        (left.storefront, left.currency) < (right.storefront, right.currency)
      }
    }
    let codes: Set<FindingCode> = [
      .proceedsOffRule, .proceedsUnexpected, .termsNotAsConfigured,
    ]
    let judged = Set(
      rowFindings.lazy.filter { codes.contains($0.finding.code) }.flatMap(\.groups))
    var sums: [Place: Sum] = [:]
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let expected = knownQuote(group),
        group.terms.proceedsCurrency ?? currency == currency
      else { continue }
      let signed = group.units - group.zeroRows
      let difference = group.proceeds - expected.proceeds.multipliedExactly(by: signed)
      if difference == 0 || judged.contains(index) { continue }
      let place = Place(storefront: group.terms.storefront, currency: currency)
      var sum = sums[place] ?? Sum(day: group.begin)
      sum.units += abs(group.units)
      sum.amount += difference
      sum.day = min(sum.day, group.begin)
      if sum.groups.count < Rules.namedRows { sum.groups.append(index) }
      sums[place] = sum
    }
    return sums.sorted { $0.key < $1.key }.filter { $0.value.amount != 0 }.map { place, sum in
      let finding = UnresolvedFinding(
        .proceedsTolerated, storefront: place.storefront, currency: place.currency,
        day: max(sum.day, context.period.first), units: sum.units, amount: sum.amount,
        explanation: """
          @proceeds-tolerated.proceeds-differ-from-the-rule \
          \(spoken(sum.amount, place.currency))
          """)
      return (finding, sum.groups)
    }
  }
}
