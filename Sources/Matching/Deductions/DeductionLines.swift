import Billing
import Conclusions
import Pricing

extension PeriodSales {
  /// The period's sales by deal, month and part of the month in which neither the rule nor the rate
  /// that explains the rows changes; a change in one commission class divides the others too.
  mutating func lines(changes: [DeductionChange]) -> [DeductionLine] {
    var lines: [DeductionLine] = []
    for (key, groups) in groupsOfDeal {
      let changes = changes.filter {
        !key.isForeign && $0.key.storefront == key.rate.storefront
          && $0.key.currency == key.rate.currency
      }
      let begins = partBegins(of: key, changes.map(\.day))
      var from = groups.startIndex
      while from < groups.endIndex {
        let first = reports.groups.groups[Int(groups[from])].begin
        let next = begins.first { $0 > first }
        let rest = groups[from...]
        let end =
          next.map { next in
            rest.partitioningIndex { reports.groups.groups[Int($0)].begin >= next }
          } ?? groups.endIndex
        var line = line(of: key, groups[from..<end])
        if let begin = begins.last(where: { $0 <= first }),
          let change = changes.first(where: { $0.day == begin && $0.key == key.rate })
        {
          line.taxBefore = change.ruleBefore.wholeTax(inside: change.taxBefore)
        }
        lines.append(line)
        from = end
      }
    }
    return lines
  }

  /// Days of the period on which a part of a deal begins, ascending: its first, those of a new
  /// month, of a change, and of another rule or class.
  private mutating func partBegins(of key: DealKey, _ changes: [Day]) -> [Day] {
    let period = reports.context.period
    let (scope, currency) = (scopeOfCourse[key.course], key.rate.currency)
    let book = reports.context.priceBook
    var begins = [period.first]
    for day in period.days.dropFirst() {
      let eve = day.advanced(by: -1)
      let isNew =
        day.parts.day == 1 || changes.contains(day)
        || rule(scope, currency, on: day) != rule(scope, currency, on: eve)
        || book.terms(of: scope, on: day).commissionClass
          != book.terms(of: scope, on: eve).commissionClass
      if isNew { begins.append(day) }
    }
    return begins
  }

  /// The line of the price check for some of a deal's days, over which the rule is the same.
  ///
  /// - Parameter part: indices of the deal's groups on these days, by day.
  private mutating func line(of key: DealKey, _ part: ArraySlice<Int32>) -> DeductionLine {
    let all = reports.groups.groups
    let first = all[Int(part[part.startIndex])].begin
    let scope = scopeOfCourse[key.course]
    let rule = rule(scope, key.rate.currency, on: first)
    let basis = basis(scope, key.rate.currency, on: first)
    var line = DeductionLine(
      storefront: key.rate.storefront, kind: key.kind,
      commissionClass: reports.context.priceBook.terms(of: scope, on: first)
        .commissionClass.rawValue,
      month: first.advanced(by: 1 - first.parts.day), firstDay: first, lastDay: first,
      gross: .zero(key.rate.currency), proceeds: .zero(key.proceedsCurrency),
      ruleProceeds: .zero(key.rate.currency), commission: rule.commission,
      ruleTax: basis.taxOrigin == .unknown ? nil : rule.wholeTax)
    // Groups that show each series of the part first.
    var shown: [Int] = []
    for index in part.map(Int.init) {
      let group = all[index]
      line.lastDay = max(line.lastDay, group.end)
      line.units += group.units
      line.gross.micros += group.gross
      line.proceeds.micros += group.proceeds
      line.ruleProceeds.micros += (reports.tableQuote(group)?.proceeds ?? 0)
        .multipliedExactly(by: group.units)
      if unitsOfSeries[Int(group.series)] == 0 { shown.append(index) }
      unitsOfSeries[Int(group.series)] += group.units
    }
    line.prices = Set(shown.map { all[$0].price }).count
    let series = shown.map { (group: $0, units: unitsOfSeries[Int(all[$0].series)]) }
    for index in shown { unitsOfSeries[Int(all[index].series)] = 0 }
    if !key.isForeign { explain(&line, rule, series) }
    return line
  }

  /// Fills in the tax that gives the proceeds of most ordinary units, and how many these are.
  ///
  /// - Parameter series: of each series of equal rows one group, by index, and the units of all.
  private func explain(
    _ line: inout DeductionLine, _ rule: RuleRate, _ series: [(group: Int, units: Int64)]
  ) {
    var weights: [RateSpan: Int64] = [:]
    for (group, units) in series where isOrdinary(group) {
      if let span = sighting(group)?.span { weights[span, default: 0] += units }
    }
    let cells = RateCells(weights.keys)
    var coverage = Coverage(cells)
    for (span, units) in weights { coverage.add(cells.cells(of: span), units) }
    line.ordinaryUnits = coverage.total
    line.explainedUnits = coverage.best
    let runs = coverage.bestRuns.map(cells.span(of:))
    let byRule = runs.first { $0.lower <= RateSpan.one && RateSpan.one <= $0.upper }
    guard coverage.best > 0, let rates = byRule ?? runs.first else { return }
    line.foundTax = rule.wholeTax(inside: rule.tax(leaving: rates))
  }
}
