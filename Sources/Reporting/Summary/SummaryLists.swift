import Billing
import Languages
import Conclusions

extension WorkbookContents {
  /// Adds what Apple owes at the end of the period, with the way to how it came about.
  func addReceivable(to lines: inout PlacedLines) {
    guard !reconciliation.receivable.isEmpty else { return }
    let base = reconciliation.baseCurrency
    let amount: Cell = reconciliation.owedByApple.map { .money($0) } ?? .words("@shared.no-rate")
    let name: Wording = "@summary.as-of-in \(reconciliation.period.last) \(base)"
    lines.add([.words("@shared.what-apple-owes")], .section)
    guard let total = receivableTotal else {
      lines.add([.words(name), .blank, amount])
      return lines.add()
    }
    let formula = "\(quoted(sheet: total.place.sheet))!\(total.letter)\(total.place.row)"
    let isKnown = reconciliation.owedByApple != nil
    lines.add([
      .link(total.place, say(name)), .blank, isKnown ? .formula(formula, amount) : amount,
    ])
    if let rounding = reconciliation.receivableRounding {
      lines.add([.words("@summary.rounding-to-the-proceeds"), .blank, .money(rounding)])
    }
    for doubt in reconciliation.receivableDoubts { lines.add([.words(doubt)], .aside) }
    lines.add()
  }

  /// Adds what the sheets of refunds and subscriptions come to, with the way to their totals.
  func addLists(to lines: inout PlacedLines) {
    let counts = refundLines() + subscriptionLines()
    guard !counts.isEmpty else { return }
    if !reconciliation.previousProceeds.isEmpty { lines.add() }
    lines.add([.words("@summary.refunds-and-subscriptions")], .section)
    lines.add([.words(""), .words("@shared.count"), .blank, .blank, .blank], .tableHeader)
    for line in counts { lines.add(line) }
  }

  /// The lines of refunds: all, beyond the window, not taken back. None without refunds.
  private func refundLines() -> [SummaryLine] {
    guard let place = refundTotalsPlace, !reconciliation.refunds.isEmpty else { return [] }
    let all = allRefunds
    let list = refundSumList
    /// A line with a number of refunds, as a formula that points at a column of the row of totals
    /// on the sheet of refunds.
    ///
    /// - Parameters:
    ///   - column: the name of the column.
    ///   - count: gives the number for a storefront and currency.
    func line(_ name: Cell, _ column: String, _ count: (RefundTotal) -> Int64) -> SummaryLine {
      let formula = "\(quoted(sheet: place.sheet))!\(list.letter(column))\(place.row)"
      let sum = all.reduce(0) { $0 + count($1) }
      return SummaryLine(cells: [name, .formula(formula, .integer(sum))])
    }
    return [
      line(.link(place, say("@shared.refunds")), "refunds", \.refunds),
      line(.words("@summary.beyond-the-customer-window"), "beyond_window", \.beyondWindow),
      line(.words("@summary.delivered-not-taken-back"), "not_taken_back", \.notTakenBack),
    ]
  }

  /// The lines of chains of renewals: all, and those known not to renew. None without chains.
  private func subscriptionLines() -> [SummaryLine] {
    guard let place = subscriptionTotalsPlace else { return [] }
    let counts = reconciliation.subscriptionCounts
    let list = subscriptionCountList
    /// A line with a number of chains, as a formula that points at a column, by its name, of the
    /// row of totals on the sheet of subscriptions.
    func line(_ name: Cell, _ column: String, _ count: Int) -> SummaryLine {
      let formula = "\(quoted(sheet: place.sheet))!\(list.letter(column))\(place.row)"
      return SummaryLine(cells: [name, .formula(formula, .integer(Int64(count)))])
    }
    return [
      line(
        .link(place, say("@shared.subscriptions")), "total", counts.reduce(0) { $0 + $1.chains }),
      line(.words("@shared.known-not-to-renew"), "ending", counts.reduce(0) { $0 + $1.ending }),
    ]
  }
}

extension WorkbookContents {
  /// Adds findings by code and matched units beside those of the recorded run of the period before.
  func addPreviousRun(to lines: inout PlacedLines) {
    guard let previous = reconciliation.previousRun else { return }
    let now = reconciliation.findings.reduce(into: [FindingCode: Int64]()) {
      $0[$1.code, default: 0] += 1
    }
    let codes = FindingCode.allCases.filter { now[$0] != nil || previous.findings[$0] != nil }
    let figures =
      codes.map { code in
        let name = findingPlace(code).map { Cell.link($0, code.named) } ?? .text(code.named)
        return ComparedFigure(name, now[code] ?? 0, previous.findings[code] ?? 0)
      } + [
        ComparedFigure(
          .words("@shared.matched-units"), reconciliation.matchedUnits, previous.run.matchedUnits),
        ComparedFigure(
          .words("@shared.unmatched-units"), reconciliation.unmatchedUnits,
          previous.run.unmatchedUnits),
      ]
    let isFirst = reconciliation.previousProceeds.isEmpty
    if !isFirst { lines.add() }
    add(
      "@summary.findings-compared-with-the-previous \(previous.run.period)", of: "@shared.code",
      figures,
      to: &lines)
    if isFirst { lines.add() }
  }
}

extension Reconciliation {
  /// What Apple owes at the end of the period, in base currency; nil where a rate is missing, or
  /// nothing is rolled.
  var owedByApple: Money? {
    let closings = receivable.compactMap { $0.base?.closing }
    guard !closings.isEmpty, closings.count == receivable.count else { return nil }
    return closings.sum(in: baseCurrency, \.self)
  }

  /// Whose figures these are, and of which days, in words.
  var subject: Wording {
    let days: Wording =
      "@summary.to-base-currency \(period.first) \(period.last) \(baseCurrency) \(asOf)"
    var parts: [Wording] = company.isEmpty ? [] : [Wording(verbatim: company)]
    if !apps.isEmpty { parts.append(Wording(verbatim: names(apps))) }
    if !vendors.isEmpty { parts.append("@summary.vendor \(names(vendors))") }
    return (parts + [days]).reduce(Wording("")) { text, part in
      text.isEmpty ? part : text + " · " + part
    }
  }

  /// The first three of some names, and how many more there are.
  private func names(_ all: [String]) -> String {
    let shown = 3
    let text = all.prefix(shown).joined(separator: ", ")
    return all.count > shown ? say("@shared.and-more-2 \(text) \(all.count - shown)") : text
  }
}
