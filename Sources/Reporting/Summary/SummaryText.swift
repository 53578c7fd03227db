import Billing
import Languages
package import Matching

/// What a person reads in half a minute: what is missing, both sides in money, what ties, what does
/// not, the largest causes, proceeds per storefront, and where the workbook is.
///
/// - Parameters:
///   - workbook: the path of the workbook, nil when none was written.
///   - pack: what its close says of itself, where it is closed.
package func summaryPage(
  of reconciliation: Reconciliation, workbook: String?, pack: ClosePack? = nil
) -> SummaryPage {
  let ordered = reconciliation.inOutputOrder()
  var sections = (pack.map { [$0.section] } ?? []) + ordered.basisSections + ordered.verdict
  if !ordered.patterns.isEmpty { sections.append(ordered.patternsSection) }
  if !ordered.findings.isEmpty { sections.append(ordered.causesSection) }
  if !ordered.proceeds.isEmpty { sections.append(ordered.proceedsSection) }
  if let section = ordered.stagesSection { sections.append(section) }
  if let section = ordered.subscriptionReportsSection { sections.append(section) }
  sections += ordered.workSections
  if let section = ordered.settlement?.summary(ordered.carryErrorWording) {
    sections.append(section)
  }
  return SummaryPage(
    title: ordered.headline, sections: sections,
    remarks: workbook.map { ["@shared.workbook \($0)"] } ?? [])
}

/// The page as text, ending with a line feed.
package func reconciliationSummary(
  _ reconciliation: Reconciliation, workbook: String?, pack: ClosePack? = nil
) -> String {
  summaryPage(of: reconciliation, workbook: workbook, pack: pack).written(as: .text)
}

extension ClosePack {
  /// That it is closed, and its figures.
  fileprivate var section: SummaryPage.Section {
    var section = SummaryPage.Section(title: headline, pieces: [.table(statement.table)])
    for remark in statement.remarks { section.add(remark) }
    section.add(inputsLine)
    return section
  }
}

extension Reconciliation {
  fileprivate var headline: Wording {
    let range: Wording = "@shared.to \(period.first) \(period.last)"
    let name = period.description.contains("..") ? range : "\(period) (\(range))"
    return "@summary.reconciliation-2 \(name) \(asOf)"
  }

  fileprivate var verdict: [SummaryPage.Section] {
    func pieces(_ table: TextTable) -> [SummaryPage.Section.Piece] {
      [table.isEmpty ? .line("@summary.nothing") : .table(table)]
    }
    return [
      SummaryPage.Section(title: "@summary.ties", pieces: pieces(ties)),
      SummaryPage.Section(
        title: "@summary.does-not-tie", continues: true, pieces: pieces(differences)),
    ]
  }

  private var ties: TextTable {
    var table = TextTable("ll")
    let total = matchedUnits + unmatchedUnits
    if matchedUnits != 0, let share = ratio(matchedUnits, of: total) {
      table.add(
        words: "@shared.units",
        """
        @summary.of-match-apple-reports \(grouped(matchedUnits)) \(grouped(total)) \
        \(percent(share))
        """)
    }
    let whole = bridges.filter(\.reachesApple)
    if hasBothSides {
      let closed = whole.count(where: \.isExplained)
      table.add(
        words: "@summary.bridges",
        "@summary.of-fully-explained \(closed) \(whole.count)")
    }
    return table
  }

  private var differences: TextTable {
    var table = TextTable("ll")
    let counts = findingCounts
    let open = bridges.filter { !$0.unexplained.isZero }
    if unmatchedUnits != 0 {
      table.add(words: "@shared.units", "@summary.on-one-side-only \(grouped(unmatchedUnits))")
    }
    if !bridges.isEmpty, !hasBothSides {
      table.add(words: "@summary.bridges", "@summary.nothing-is-compared-a-side")
    }
    let located = bridges.count { !$0.isExplained && $0.unexplained.isZero }
    if hasBothSides, located > 0 {
      table.add(
        words: "@summary.bridges", "@summary.of-have-open-amounts \(located) \(bridges.count)")
    }
    if !findings.isEmpty {
      let errors = counted(counts[.error] ?? 0, "@shared.1-error") { "@shared.errors \($0)" }
      let warnings = counted(counts[.warning] ?? 0, "@summary.1-warning") {
        "@summary.warnings-2 \($0)"
      }
      let infos = grouped(counts[.info] ?? 0)
      table.add(words: "@shared.findings", "@summary.info-2 \(errors) \(warnings) \(infos)")
    }
    for bridge in open.prefix(5) {
      let amount = grouped(bridge.unexplained)
      table.add(
        say("@shared.unexplained"), "\(bridge.storefront) \(amount) \(bridge.currency)")
    }
    if open.count > 5 { table.add(words: "", "@shared.and-more \(open.count - 5)") }
    return table
  }

  fileprivate var causesSection: SummaryPage.Section {
    let causes = largestCauses
    let converts = self.causes.allSatisfy(\.hasRates)
    var table = TextTable("llrr")
    for cause in causes {
      let amounts =
        converts ? cause.atStake.map { [Money(micros: $0, baseCurrency)] } ?? [] : cause.amounts
      let shown = amounts.prefix(3).map { "\(grouped($0)) \($0.currency)" }
      table.add(
        cause.code.rawValue, say(cause.severity.wording), grouped(cause.findings),
        shown.first ?? "-")
      for amount in shown.dropFirst() { table.add("", "", "", amount) }
      if amounts.count > 3 {
        table.add("", "", "", say("@shared.and-more \(amounts.count - 3)"))
      }
    }
    let title: Wording =
      converts
      ? "@summary.largest-causes-by-amount" : "@summary.largest-causes-by-count-not"
    return SummaryPage.Section(title: title, pieces: [.table(table)])
  }

  fileprivate var proceedsSection: SummaryPage.Section {
    let ranked = proceeds.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      let amounts = (a.proceedsBase?.micros ?? 0, b.proceedsBase?.micros ?? 0)
      if amounts.0 != amounts.1 { return amounts.0 > amounts.1 }
      return left.offset < right.offset
    }.map(\.element)
    let shown = 15
    let isConverted = proceeds.contains { $0.rate != nil }
    let base: [(String, Wording)] = isConverted ? [("proceeds_base", "\(baseCurrency)")] : []
    var table = List.proceeds(inBase: baseCurrency).textTable(
      ranked.prefix(shown),
      [
        ("storefront", ""), ("currency", ""), ("units_sold", "@shared.sold"),
        ("units_refunded", "@shared.refunds"), ("proceeds", "@shared.proceeds"),
        ("proceeds_currency", ""),
        ("deduction", "@shared.apple-share"),
      ] + base)
    if let total = proceedsInBase {
      table.add(cells: [
        say("@shared.all"), "", "", "", "", "", "", grouped(Money(micros: total, baseCurrency)),
      ])
    }
    if proceedsInBase == nil, isConverted {
      table.add(cells: [
        say("@shared.all"), "", "", "", "", "", "", say("@summary.no-sum-rates-are-missing"),
      ])
    }
    var section = SummaryPage.Section(title: "@summary.proceeds", pieces: [.table(table)])
    section.addMore(ranked.count - shown)
    if isConverted, let rates = ratesWording { section.add(rates) }
    return section
  }

  /// Of which days the rates are, the day of the most first.
  private var ratesWording: Wording? {
    let days = Dictionary(grouping: rateDays, by: \.value).sorted {
      ($1.value.count, $1.key) < ($0.value.count, $0.key)
    }
    guard let most = days.first else { return nil }
    let others = days.dropFirst().map { day, rates -> Wording in
      "@summary.of \(rates.map(\.key.code).sorted().joined(separator: ", ")) \(day)"
    }
    let text: Wording = "@summary.in-at-the-rates \(baseCurrency) \(most.key)"
    return others.isEmpty ? text : text + "; " + others.joined(separator: "; ")
  }
}

extension Settlement {
  /// From what was settled to the bank, by currency; nil where no report of it is loaded.
  ///
  /// - Parameter error: how sure what is estimated is.
  fileprivate func summary(_ error: Wording?) -> SummaryPage.Section? {
    guard !lines.isEmpty || !payments.isEmpty || !missing.isEmpty else { return nil }
    var section = SummaryPage.Section(title: "@summary.settlement \(month)")
    if !lines.isEmpty { section.pieces.append(.table(settled)) }
    if isEstimated, !lines.isEmpty {
      section.add("@summary.carried-in-and-out")
      if let error { section.add(error, isDetail: true) }
    }
    if !missing.isEmpty {
      let names = missing.map(\.name).joined(separator: ", ")
      section.add("@summary.not-settled-because-the-financial \(names)")
    }
    let unpaid = payments.count { $0.paid == nil }
    if unpaid > 0 {
      section.add("@summary.regions-not-paid-yet \(unpaid) \(payments.count)")
    }
    for payout in payouts {
      section.add(payout.wording)
      if let bank = payout.bankWording { section.add(bank, isDetail: true) }
    }
    return section
  }

  private var settled: TextTable {
    var table = TextTable("lrrrrr")
    table.name(
      columns: "", "@summary.reported", "@shared.carried", "@shared.carried-out",
      "@shared.difference-2", "@shared.settled")
    for currency in Set(lines.map(\.currency)).sorted(by: { $0.code < $1.code }) {
      let own = lines.filter { $0.currency == currency }
      func sum(_ part: (SettlementLine) -> Money) -> String {
        grouped(own.sum(in: currency, part))
      }
      table.add(
        currency.code, sum(\.reported), sum(\.carryIn), sum(\.carryOut), sum(\.difference),
        sum(\.settled))
    }
    return table
  }
}

extension BankPayout {
  fileprivate var wording: Wording {
    let paid = "\(grouped(amount)) \(amount.currency)"
    let to = account.isEmpty ? "@shared.bank" : Wording(verbatim: account)
    let on: Wording = isDayEstimated ? "@summary.estimated-date \(day)" : "\(day)"
    guard isPaid else { return "@summary.expected \(paid) \(to) \(on)" }
    return amount == regions
      ? "@summary.paid-to-on-the-sum \(paid) \(to) \(on)"
      : "@summary.paid-to-on-its-regions \(paid) \(to) \(on) \(grouped(regions))"
  }

  /// What the bank has of it; nil where no statement tells.
  var bankWording: Wording? {
    if isLate { return "@summary.not-on-any-bank-statement" }
    return received.map { received in
      received == amount
        ? "@summary.received-by-the-bank \(day)"
        : "@summary.bank-received \(grouped(received)) \(received.currency) \(day)"
    }
  }
}
