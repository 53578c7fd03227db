package import Billing

/// What a person reads in half a minute: what ties, what does not, the largest causes, proceeds
/// per storefront, and where the workbook is. Ends with a line feed.
///
/// - Parameter workbook: the path of the workbook, nil when none was written.
package func reconciliationSummary(_ reconciliation: Reconciliation, workbook: String?) -> String {
  let ordered = reconciliation.inOutputOrder()
  var parts = [ordered.headline, ordered.verdict]
  if !ordered.patterns.isEmpty { parts.append(ordered.patternsText) }
  if !ordered.findings.isEmpty { parts.append(ordered.causesText) }
  if !ordered.proceeds.isEmpty { parts.append(ordered.proceedsText) }
  if let text = ordered.workText { parts.append(text) }
  if let text = ordered.settlement?.summary { parts.append(text) }
  if let workbook { parts.append("Workbook: \(workbook)\n") }
  return parts.joined(separator: "\n")
}

extension Reconciliation {
  fileprivate var headline: String {
    let range = "\(period.first) to \(period.last)"
    let name = period.description.contains("..") ? range : "\(period) (\(range))"
    return "Reconciliation of \(name), as of \(asOf)\n"
  }

  fileprivate var verdict: String {
    let counts = findingCounts
    let total = matchedUnits + unmatchedUnits
    let share = ratio(matchedUnits, of: total).map { " (\(percent($0)))" } ?? ""
    let open = bridges.filter { $0.unexplained != 0 }
    var ties = TextTable("ll")
    var differs = TextTable("ll")
    if total > 0 {
      ties.add(
        "units", "\(grouped(matchedUnits)) of \(grouped(total))\(share) match Apple's reports")
    }
    if !bridges.isEmpty {
      ties.add(
        "bridges",
        "\(bridges.count - open.count) of \(bridges.count) add up with nothing unexplained")
    }
    if unmatchedUnits != 0 {
      differs.add("units", "\(grouped(unmatchedUnits)) on one side only")
    }
    if !findings.isEmpty {
      differs.add(
        "findings",
        "\(counted(counts[.error], "error")), \(counted(counts[.warning], "warning")), "
          + counted(counts[.info], "info"))
    }
    for bridge in open.prefix(5) {
      differs.add(
        "unexplained",
        "\(bridge.storefront) \(grouped(bridge.unexplained, bridge.currency)) \(bridge.currency)")
    }
    if open.count > 5 { differs.add("", "and \(open.count - 5) more bridges") }
    let nothing = "  nothing\n"
    return "Ties\n\(ties.text.isEmpty ? nothing : ties.text)"
      + "Does not tie\n\(differs.text.isEmpty ? nothing : differs.text)"
  }

  fileprivate var causesText: String {
    let hasRates = !rates.isEmpty
    var table = TextTable("llrr")
    for cause in largestCauses {
      let amount = cause.atStake.map { "\(grouped($0, baseCurrency)) \(baseCurrency)" }
      table.add(
        cause.code.rawValue, cause.severity.rawValue, grouped(cause.findings),
        hasRates ? amount ?? "-" : "")
    }
    let rank = hasRates ? "by amount" : "by count: no rates are loaded"
    return "Largest causes (\(rank))\n" + table.text
  }

  fileprivate var proceedsText: String {
    let ranked = proceeds.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.proceedsBase ?? 0 != b.proceedsBase ?? 0 {
        return a.proceedsBase ?? 0 > b.proceedsBase ?? 0
      }
      return left.offset < right.offset
    }.map(\.element)
    var table = TextTable("llrrrlrr")
    let hasRates = !rates.isEmpty
    table.add(
      "", "", "sold", "refunded", "proceeds", "", "taken", hasRates ? "\(baseCurrency)" : "")
    let shown = 15
    for line in ranked.prefix(shown) {
      table.add(
        line.storefront.code, line.currency.code, grouped(line.unitsSold),
        grouped(line.unitsRefunded), grouped(line.proceeds, line.proceedsCurrency),
        line.proceedsCurrency.code, line.deduction.map(percent) ?? "-",
        hasRates ? line.proceedsBase.map { grouped($0, baseCurrency) } ?? "-" : "")
    }
    if let total = proceedsInBase {
      table.add("all", "", "", "", "", "", "", grouped(total, baseCurrency))
    }
    let rest = ranked.count - shown
    let more = rest > 0 ? "  and \(rest) more, in the workbook\n" : ""
    return "Proceeds\n" + table.text + more
  }
}

extension Settlement {
  /// From what was settled to the bank, by currency; nil where no report of it is loaded.
  fileprivate var summary: String? {
    guard !lines.isEmpty || !payments.isEmpty else { return nil }
    var text = "Settlement of \(month)\n"
    if !lines.isEmpty {
      var table = TextTable("lrrrrr")
      table.add("", "reported", "carried in", "carried out", "difference", "settled")
      for currency in Set(lines.map(\.currency)).sorted(by: { $0.code < $1.code }) {
        let own = lines.filter { $0.currency == currency }
        func sum(_ part: (SettlementLine) -> Int64) -> String {
          grouped(own.reduce(0) { $0 + part($1) }, currency)
        }
        table.add(
          currency.code, sum(\.reported), sum(\.carryIn), sum(\.carryOut), sum(\.difference),
          sum(\.settled))
      }
      text += table.text
    }
    let unpaid = payments.count { $0.paid == nil }
    if unpaid > 0 { text += "  \(unpaid) of \(payments.count) regions are not paid yet\n" }
    for payout in payouts {
      let account = payout.account.isEmpty ? "the bank" : payout.account
      let sum =
        payout.amount == payout.regions
        ? "the sum of its regions"
        : "its regions come to \(grouped(payout.regions, payout.currency))"
      text +=
        "  paid \(grouped(payout.amount, payout.currency)) \(payout.currency) to \(account) on "
        + "\(payout.day)\(payout.isDayEstimated ? " (estimated)" : ""): \(sum)\n"
    }
    return text
  }
}

private func counted(_ count: Int64?, _ noun: String) -> String {
  let count = count ?? 0
  return "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

private func grouped(_ value: Int64) -> String { grouped(String(value)) }

private func grouped(_ micros: Int64, _ currency: Currency) -> String {
  grouped(Money(micros: micros, currency).text)
}
