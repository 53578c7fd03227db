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
    remarks: workbook.map { ["Workbook: \($0)"] } ?? [])
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
    let range: Wording = "\(period.first) to \(period.last)"
    let name = period.description.contains("..") ? range : "\(period) (\(range))"
    return "Reconciliation of \(name), as of \(asOf)"
  }

  fileprivate var verdict: [SummaryPage.Section] {
    func pieces(_ table: TextTable) -> [SummaryPage.Section.Piece] {
      [table.isEmpty ? .line("nothing") : .table(table)]
    }
    return [
      SummaryPage.Section(title: "Ties", pieces: pieces(ties)),
      SummaryPage.Section(title: "Does not tie", continues: true, pieces: pieces(differences)),
    ]
  }

  private var ties: TextTable {
    var table = TextTable("ll")
    let total = matchedUnits + unmatchedUnits
    if matchedUnits != 0, let share = ratio(matchedUnits, of: total) {
      table.add(
        words: "units",
        """
        \(grouped(matchedUnits)) of \(grouped(total)) (\(percent(share))) match Apple's reports
        """)
    }
    let whole = bridges.filter(\.reachesApple)
    if hasBothSides {
      let closed = whole.count(where: \.isExplained)
      table.add(
        words: "bridges",
        "\(closed) of \(whole.count) fully explained")
    }
    return table
  }

  private var differences: TextTable {
    var table = TextTable("ll")
    let counts = findingCounts
    let open = bridges.filter { !$0.unexplained.isZero }
    if unmatchedUnits != 0 {
      table.add(words: "units", "\(grouped(unmatchedUnits)) on one side only")
    }
    if !bridges.isEmpty, !hasBothSides {
      table.add(words: "bridges", "nothing is compared: a side is missing")
    }
    let located = bridges.count { !$0.isExplained && $0.unexplained.isZero }
    if hasBothSides, located > 0 {
      table.add(words: "bridges", "\(located) of \(bridges.count) have open amounts")
    }
    if !findings.isEmpty {
      let errors = counted(counts[.error] ?? 0, "1 error") { "\($0) errors" }
      let warnings = counted(counts[.warning] ?? 0, "1 warning") { "\($0) warnings" }
      let infos = grouped(counts[.info] ?? 0)
      table.add(words: "findings", "\(errors), \(warnings), \(infos) info")
    }
    for bridge in open.prefix(5) {
      let amount = grouped(bridge.unexplained)
      table.add(
        say("unexplained"), "\(bridge.storefront) \(amount) \(bridge.currency)")
    }
    if open.count > 5 { table.add(words: "", "and \(open.count - 5) more") }
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
        table.add("", "", "", say("and \(amounts.count - 3) more"))
      }
    }
    let title: Wording =
      converts
      ? "Largest causes (by amount)" : "Largest causes (by count: not all currencies have a rate)"
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
        ("storefront", ""), ("currency", ""), ("units_sold", "sold"),
        ("units_refunded", "refunds"), ("proceeds", "proceeds"), ("proceeds_currency", ""),
        ("deduction", "Apple's share"),
      ] + base)
    if let total = proceedsInBase {
      table.add(cells: [
        say("all"), "", "", "", "", "", "", grouped(Money(micros: total, baseCurrency)),
      ])
    }
    if proceedsInBase == nil, isConverted {
      table.add(cells: [say("all"), "", "", "", "", "", "", say("no sum: rates are missing")])
    }
    var section = SummaryPage.Section(title: "Proceeds", pieces: [.table(table)])
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
      "\(rates.map(\.key.code).sorted().joined(separator: ", ")) of \(day)"
    }
    let text: Wording = "in \(baseCurrency) at the rates of \(most.key)"
    return others.isEmpty ? text : text + "; " + others.joined(separator: "; ")
  }
}

extension Settlement {
  /// From what was settled to the bank, by currency; nil where no report of it is loaded.
  ///
  /// - Parameter error: how sure what is estimated is.
  fileprivate func summary(_ error: Wording?) -> SummaryPage.Section? {
    guard !lines.isEmpty || !payments.isEmpty || !missing.isEmpty else { return nil }
    var section = SummaryPage.Section(title: "Settlement of \(month)")
    if !lines.isEmpty { section.pieces.append(.table(settled)) }
    if isEstimated, !lines.isEmpty {
      section.add("carried in and out are estimated: no detail is loaded")
      if let error { section.add(error, isDetail: true) }
    }
    if !missing.isEmpty {
      let names = missing.map(\.name).joined(separator: ", ")
      section.add("not settled, because the financial report is not loaded: \(names)")
    }
    let unpaid = payments.count { $0.paid == nil }
    if unpaid > 0 {
      section.add("regions not paid yet: \(unpaid) of \(payments.count)")
    }
    for payout in payouts {
      section.add(payout.wording)
      if let bank = payout.bankWording { section.add(bank, isDetail: true) }
    }
    return section
  }

  private var settled: TextTable {
    var table = TextTable("lrrrrr")
    table.name(columns: "", "reported", "carried in", "carried out", "difference", "settled")
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
    let to = account.isEmpty ? "the bank" : Wording(verbatim: account)
    let on: Wording = isDayEstimated ? "\(day) (estimated date)" : "\(day)"
    guard isPaid else { return "\(paid) expected at \(to) on \(on)" }
    return amount == regions
      ? "paid \(paid) to \(to) on \(on), the sum of its regions"
      : "paid \(paid) to \(to) on \(on): its regions come to \(grouped(regions))"
  }

  /// What the bank has of it; nil where no statement tells.
  var bankWording: Wording? {
    if isLate { return "not on any bank statement" }
    return received.map { received in
      received == amount
        ? "received by the bank on \(day)"
        : "the bank received \(grouped(received)) \(received.currency) on \(day)"
    }
  }
}
