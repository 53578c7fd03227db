import Billing
import Conclusions
import Pricing

extension SalesTieOut {
  /// Makes the findings of days without a report, of reports that another version replaced, and of
  /// reports that contradict shorter ones.
  mutating func judgeReports() {
    let missing = days.slots.indices.flatMap { index in
      days.slots[index].isMissing
        ? [MissingReport(slot: Int16(index))]
        : (absent.bySlot[Int16(index)] ?? []).map {
          MissingReport(slot: Int16(index), vendor: $0)
        }
    }
    for report in missing {
      let slot = days.slots[Int(report.slot)]
      let units = unreportedUnits[report] ?? 0
      let isDue = isDue(slot)
      guard isDue || units != 0 else { continue }
      let steps = unreported[report] ?? BridgeSteps()
      let dueOn = slot.begin.advanced(by: Rules.reportDelay)
      let parts = steps.parts(of: .reportMissing)
      let money = words(of: parts)
      let refunds = unreportedRefunds[report] ?? 0
      let told: Wording =
        refunds == 0
        ? spoken(units: units)
        : "@report-missing.sold-and-refunded \(spoken(units: units - refunds)) \(refunds)"
      var finding = UnresolvedFinding(
        .reportMissing, day: slot.begin, units: units == 0 ? nil : steps.units(of: .reportMissing),
        explanation: !report.vendor.isEmpty
          ? """
          @report-missing.no-sales-report-of-vendor \(report.vendor) \(slot.begin) \(told) \
          \(money)
          """
          : isDue
            ? "@report-missing.no-sales-report-covers \(slot.begin) \(dueOn) \(told) \(money)"
            : "@report-missing.sales-report-of-is-not \(slot.begin) \(dueOn) \(told) \(money)")
      finding.parts = parts
      if !isDue { finding.severity = .info }
      if !isDue {
        finding.action = "@report-missing.wait-until-then-fetch \(dueOn) \(slot.begin)"
      } else if units - refunds > 0 {
        finding.action = "@report-missing.fetch-or-download-the-report \(slot.begin)"
      }
      findings.append(finding)
    }
    let restatements = reports.facts.restatements.filter {
      $0.begin <= context.period.last && $0.end >= context.period.first
    }
    addUnchanged(restatements.filter(\.changes.isEmpty))
    for restatement in restatements where !restatement.changes.isEmpty {
      let units = restatement.changes.reduce(0) { $0 + $1.units }
      var finding = UnresolvedFinding(
        .reportRestated, day: restatement.begin, units: units,
        files: [restatement.oldFile, restatement.newFile], explanation: words(of: restatement))
      if units < 0 {
        finding.action = "@report-restated.newer-version-has-less-download \(spoken(units: -units))"
      }
      findings.append(finding)
    }
    addDisagreements()
  }

  /// Makes one finding of all reports that were replaced by the same figures, as where one is
  /// loaded in two forms: nothing is to be done about any of them.
  private mutating func addUnchanged(_ unchanged: [Restatement]) {
    guard let first = unchanged.first else { return }
    var finding = UnresolvedFinding(
      .reportRestated, day: first.begin, units: 0,
      files: Array(unchanged.flatMap { [$0.oldFile, $0.newFile] }.prefix(Rules.namedRows)),
      explanation: counted(
        unchanged.count,
        "@report-restated.replaced-no-figure-changed \(first.newFile) \(first.oldFile)"
      ) {
        "@report-restated.reports-were-replaced-by-others \($0) \(first.newFile)"
      })
    finding.severity = .info
    findings.append(finding)
  }

  /// What the ledger sold on a day, by currency: `: 28.43 AUD, 513.00 CNY`; of more than five
  /// currencies how many more there are, empty for none.
  ///
  /// - Parameter parts: of the bridge's step, so with the other sign.
  private func words(of parts: [StorefrontMoney]) -> Wording {
    if parts.isEmpty { return "" }
    let sums = Dictionary(grouping: parts, by: \.amount.currency).map { currency, parts in
      Money.zero(currency) - parts.sum(in: currency, \.amount)
    }
    .sorted { $0.currency.code < $1.currency.code }
    let shown = sums.prefix(5).map { spoken($0) }.joined(separator: "@shared.list-mark")
    if sums.count <= 5 { return ": \(shown)" }
    let others = counted(sums.count - 5, "@sales.1-more-currency") {
      "@sales.more-currencies \($0)"
    }
    return "@sales.and \(shown) \(others)"
  }

  /// Which file replaced which, and what changed by it.
  private func words(of restatement: Restatement) -> Wording {
    let (new, old) = (restatement.newFile, restatement.oldFile)
    let what = words(of: restatement.changes)
    let more = restatement.changes.count - 5
    return more > 0
      ? "@sales.replaced-change-new-minus-old-and-more \(new) \(old) \(what) \(more)"
      : "@sales.replaced-change-new-minus-old \(new) \(old) \(what)"
  }

  /// The first five changes, each with its storefront, SKU, units and money.
  private func words(of changes: [Restatement.Change]) -> Wording {
    changes.prefix(5).map { change -> Wording in
      let place = "\(change.storefront) \(change.sku)"
      let units = spoken(units: change.units)
      guard let currency = change.currency else { return "\(place): \(units)" }
      return "\(place): \(units), \(spoken(change.gross, currency))"
    }.joined(separator: "; ")
  }

  /// Makes a finding of each report of a longer span that differs from the shorter ones that count
  /// for the same days.
  private mutating func addDisagreements() {
    for report in reports.facts.disagreements where context.period.days.contains(report.end) {
      let (file, what) = (report.file, words(of: report.changes))
      let more = report.changes.count - 5
      let only = report.changes.count == 1 ? report.changes.first : nil
      var finding = UnresolvedFinding(
        .reportsDisagree, storefront: only?.storefront, currency: only?.currency, day: report.end,
        sku: only?.sku, units: report.changes.reduce(0) { $0 + $1.units },
        amount: only.flatMap { $0.currency == nil ? nil : $0.gross }, files: [file],
        explanation: more > 0
          ? """
          @reports-disagree.differs-from-the-shorter-reports-of-the-same \(file) \(what) \
          \(more)
          """
          : "@reports-disagree.differs-from-the-shorter-reports \(file) \(what)")
      if only == nil { finding.parts = parts(of: report.changes) }
      findings.append(finding)
    }
  }

  /// What changes of money come to by storefront and currency, ascending by both.
  private func parts(of changes: [Restatement.Change]) -> [StorefrontMoney] {
    var sums: [Storefront: [Currency: Int64]] = [:]
    for change in changes where change.gross != 0 {
      guard let currency = change.currency else { continue }
      sums[change.storefront, default: [:]][currency, default: 0] += change.gross
    }
    return sums.sorted { $0.key < $1.key }.flatMap { storefront, sums in
      sums.sorted { $0.key < $1.key }.map {
        StorefrontMoney(storefront, Money(micros: $0.value, $0.key))
      }
    }
  }
}
