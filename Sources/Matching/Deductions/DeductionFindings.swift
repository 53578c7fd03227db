import Billing
import Pricing

extension DeductionBook {
  /// One finding per storefront, currency and day of the period on which the deduction changed.
  func findings(_ changes: [DeductionChange]) -> [UnresolvedFinding] {
    var findings: [UnresolvedFinding] = []
    var rest = changes.filter { context.period.contains($0.day) }[...]
    while let first = rest.first {
      let together = rest.filter {
        $0.key.storefront == first.key.storefront && $0.key.currency == first.key.currency
          && $0.day == first.day
      }
      rest =
        rest.filter { change in !together.contains { $0.key == change.key && $0.day == change.day }
        }[...]
      findings.append(finding(Array(together)))
    }
    return findings
  }

  /// The finding of changes of one storefront, currency and day, with rows that prove them.
  ///
  /// - Parameter changes: one or more, of different commission classes.
  private func finding(_ changes: [DeductionChange]) -> UnresolvedFinding {
    let effects = changes.map(effect)
    var finding = UnresolvedFinding(
      .deductionChanged, storefront: changes[0].key.storefront, currency: changes[0].key.currency,
      day: changes[0].day, units: effects.reduce(0) { $0 + $1.units },
      amount: effects.reduce(0) { $0 + $1.amount },
      explanation: changes.map(words).joined(separator: "; "))
    finding.sales =
      rows(changes.flatMap { $0.change.since.proofs.prefix(Rules.proofRows) })
      + rows(changes.flatMap { $0.change.before.proofs.reversed().prefix(Rules.proofRows) })
    return finding
  }

  /// The first rows of these sales, in their order, `Rules.proofRows` at most.
  private func rows(_ proofs: [Sighting]) -> [SalesRow.ID] {
    var found: [DeductedSale: [SalesRow.ID]] = [:]
    for period in periods {
      let wanted = Set(
        proofs.lazy.filter { $0.sale.isEarlier == period.isEarlier }.map(\.sale.group))
      let rows = period.reports.groups.rows(
        of: wanted, in: period.reports.facts.sales, limit: Rules.proofRows)
      for (group, rows) in rows {
        found[DeductedSale(isEarlier: period.isEarlier, group: group)] = rows
      }
    }
    return Array(proofs.flatMap { found[$0.sale] ?? [] }.prefix(Rules.proofRows))
  }

  /// Units that the new rate explains, and what they bring more than at the rate before, in
  /// micro-units.
  private func effect(_ change: DeductionChange) -> (units: Int64, amount: Int64) {
    guard let period = periods.last else { return (0, 0) }
    var (units, amount): (Int64, Int64) = (0, 0)
    var before: [Int32: Int64] = [:]
    for index in period.groups(of: change.key) {
      let group = period.reports.groups.groups[index]
      guard change.day <= group.begin, group.begin <= change.change.end,
        let sighting = period.sighting(index), sighting.span.meets(change.change.since.rates)
      else { continue }
      let old = before[group.series] ?? proceedsBefore(change, group, period.reports)
      before[group.series] = old
      units += group.units
      amount += (abs(group.terms.proceeds) - old).multipliedExactly(by: group.units)
    }
    return (units, amount)
  }

  /// What a unit of a group would have brought just before a change, micro-units: by the rule's tax
  /// of that day where it explained the rows, else by the tax that did.
  private func proceedsBefore(
    _ change: DeductionChange, _ group: ReportGroup, _ reports: SalesReports
  ) -> Int64 {
    let (key, eve) = (change.key, change.change.lastBefore)
    if change.taxBefore == change.ruleBefore.inside {
      return book(on: eve).expectation(
        of: reports.scope(of: group), currency: key.currency, price: group.price, day: eve,
        tierPrice: reports.tier(of: group)
      ).proceeds
    }
    var rate = change.ruleBefore
    rate.inside = change.taxBefore
    return rate.proceeds(of: group.price, unit: key.currency.minorUnit)
  }
}

/// What an explanation says of a change.
extension DeductionBook {
  /// The explanation of a change.
  private func words(_ change: DeductionChange) -> Wording {
    let words = [outcome(change), evidence(change), example(change), remedy(change)]
      .compactMap(\.self).joined(separator: "; ")
    return change.key.isAfterOneYear ? "@deduction.after-one-year \(words)" : words
  }

  /// What the deduction was before a change and is since, as text: with the tax inside the price
  /// where one explains it, and with the known commissions that would explain it too.
  private func outcome(_ change: DeductionChange) -> Wording {
    let deductions: Wording = """
      @deduction.deduction \(deduction(change.rule, change.tax)) \(change.day) \
      \(deduction(change.ruleBefore, change.taxBefore)) \(change.change.lastBefore)
      """
    let commission: Wording = "@deduction.at-a-commission \(exactPercent(change.rule.commission))"
    var text: Wording
    if change.tax < 0 {
      text = "@deduction.which-no-tax-explains \(deductions) \(commission)"
    } else {
      let tax = taxText(change.tax, change.rule, change.shares)
      text =
        change.taxBefore < 0
        ? "@deduction.tax-inside-the-price-is \(tax) \(commission)"
        : """
        @deduction.tax-inside-the-price-goes \
        \(taxText(change.taxBefore, change.ruleBefore, change.sharesBefore)) \(tax) \(commission)
        """
      if change.rule.deducted != 0 {
        text += "@deduction.and-deducted \(exactPercent(change.rule.deducted))"
      }
      text = "\(text): \(deductions)"
    }
    let commissions = commissions(explaining: change).map(exactPercent)
    if commissions.isEmpty { return text }
    let either = commissions.map { Wording(verbatim: $0) }.joined(separator: "@deduction.or")
    return "@deduction.commission-of-would-explain \(text) \(either)"
  }

  /// A tax as text; where it is not the rule's and the rows leave room for others, with the range
  /// of taxes that explain them.
  ///
  /// - Parameters:
  ///   - tax: inside the price, millionths.
  ///   - shares: of the price that explain the rows.
  private func taxText(_ tax: Int64, _ rule: RuleRate, _ shares: RateSpan) -> Wording {
    let taxes = rule.taxes(leaving: shares)
    let (low, high) = (hundredths(taxes.lower), hundredths(taxes.upper))
    return tax == rule.inside || high - low < 500
      ? Wording(verbatim: exactPercent(tax))
      : "@deduction.to \(exactPercent(tax)) \(exactPercent(low)) \(exactPercent(high))"
  }

  /// How many units the new rate and the one before explain on either side of the change, as text.
  private func evidence(_ change: DeductionChange) -> Wording {
    let (before, since) = (change.change.before, change.change.since)
    return """
      @deduction.new-rate-explains-of-since \(since.explainedUnits) \
      \(spoken(units: since.units)) \(since.otherUnits) \(before.explainedUnits) \(before.units) \
      \(before.otherUnits)
      """
  }

  /// What one product brought before the change and since, as text: the dearest that was sold on
  /// both sides, else the dearest of each, on the days nearest to the change. Nil where a side has
  /// none.
  private func example(_ change: DeductionChange) -> Wording? {
    /// The dearest product of the proofs, of those at one of the prices where there are any.
    func dearest(_ proofs: [Sighting], _ prices: Set<Int64>) -> ReportGroup? {
      let groups = proofs.map(group)
      let both = groups.filter { prices.contains($0.price) }
      return (both.isEmpty ? groups : both).max { $0.price < $1.price }
    }
    let before: [Sighting] = change.change.before.proofs.reversed()
    let since = change.change.since.proofs
    guard let old = dearest(before, Set(since.map { group($0).price })),
      let new = dearest(since, [old.price])
    else { return nil }
    let currency = change.key.currency
    /// What a unit of a group brought, and on which day, as text.
    func brought(_ group: ReportGroup) -> Wording {
      """
      @deduction.on \(grouped(Money(micros: abs(group.terms.proceeds), currency))) \
      \(group.begin)
      """
    }
    let price = spoken(old.price, currency)
    return old.price == new.price
      ? "@deduction.brought \(price) \(brought(old)) \(brought(new))"
      : """
      @deduction.brought-2 \(price) \(brought(old)) \(spoken(new.price, currency)) \
      \(brought(new))
      """
  }

  /// The group of rows that a sighting is of.
  private func group(_ sighting: Sighting) -> ReportGroup {
    let period = periods.first { $0.isEarlier == sighting.sale.isEarlier }
    guard let period else { preconditionFailure("a sale of no period") }
    return period.reports.groups.groups[sighting.sale.group]
  }

  /// What the rule has on the day, and the row of the company's tax file that would follow Apple,
  /// as text; the row is left out where no other tax explains the rate.
  private func remedy(_ change: DeductionChange) -> Wording? {
    let rule: Wording = "@deduction.rule-has-a-tax \(exactPercent(change.rule.inside))"
    guard change.tax >= 0, change.tax != change.rule.inside else { return rule }
    let rate = decimalText(micros: change.rule.wholeTax(inside: change.tax))
    return "@deduction.tax-file-would-say-2 \(rule) \(change.key.storefront) \(rate) \(change.day)"
  }

  /// Commissions, in millionths, that explain the new rate with the rule's taxes: those in force
  /// for another class and, where no tax explains it, every whole percentage. None where the rule's
  /// tax is the one that explains it.
  private func commissions(explaining change: DeductionChange) -> [Int64] {
    let (key, day) = (change.key, change.day)
    if change.tax == change.rule.inside { return [] }
    let (scope, book) = (scope(of: key, on: day), book(on: day))
    var candidates = Set(
      book.states(of: scope, until: day).map { book.held($0, scope, on: day).rate })
    if change.tax < 0 { candidates.formUnion((1...50).map { $0 * 10_000 }) }
    candidates.remove(change.rule.commission)
    return candidates.sorted().filter { commission in
      let basis = context.priceBook.expectation(
        storefront: key.storefront, currency: key.currency, price: key.currency.minorUnit,
        day: day, commissionRate: commission
      ).basis
      return basis.ruleRate.span.meets(change.shares)
    }
  }
}

/// What a rule would take of a price with another tax, as text to a hundredth of a per cent.
///
/// - Parameter tax: inside the price, millionths.
private func deduction(_ rule: RuleRate, _ tax: Int64) -> String {
  var rate = rule
  rate.inside = tax
  return exactPercent(
    roundedHalfUp(Int128(rate.deduction), dividedBy: 1, toMultipleOf: 100))
}

/// Millionths of millionths as millionths, rounded to a hundredth of a per cent.
private func hundredths(_ share: Int64) -> Int64 {
  roundedHalfUp(Int128(share), dividedBy: 1_000_000, toMultipleOf: 100)
}
