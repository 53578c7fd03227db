import Billing
import Languages
package import Conclusions

/// What a person reads in half a minute: the findings that are open, the verdict, both sides in
/// money, proceeds per storefront, what is missing, and where the workbook is.
///
/// - Parameters:
///   - workbook: the path of the workbook, nil when none was written.
///   - pack: what its close says of itself, where it is closed.
///   - limit: how many findings are shown at most; nil for all.
package func summaryPage(
  of reconciliation: Reconciliation, workbook: String?, pack: ClosePack? = nil,
  limit: Int? = FindingScreen.usual
) -> SummaryPage {
  let ordered = reconciliation.inOutputOrder()
  // Where nothing can be judged, single findings lead astray.
  let screen = ordered.screen(
    limit: ordered.obstacle != nil && limit == FindingScreen.usual ? FindingScreen.few : limit)
  var sections = [ordered.verdictSection] + (pack.map { [$0.section] } ?? [])
  if let section = ordered.walkSection ?? ordered.totalsSection { sections.append(section) }
  // Where most findings are not shown, their codes tell what they are.
  if screen.rest > screen.lines.count { sections.append(ordered.causesSection) }
  if !ordered.proceeds.isEmpty { sections.append(ordered.proceedsSection) }
  if let section = ordered.settlement?.summary(ordered.carryErrorWording) {
    sections.append(section)
  }
  if !ordered.patterns.isEmpty { sections.append(ordered.patternsSection) }
  if let section = ordered.stagesSection { sections.append(section) }
  if let section = ordered.coinsSection { sections.append(section) }
  if let section = ordered.subscriptionReportsSection { sections.append(section) }
  sections += ordered.workSections + ordered.basisSections
  return SummaryPage(
    title: ordered.headline, findings: screen, sections: sections,
    remarks: workbook.map { ["@shared.workbook \($0)"] } ?? [])
}

/// The summary of a reconciliation as text, ending with a line feed.
package func reconciliationSummary(
  _ reconciliation: Reconciliation, workbook: String?, pack: ClosePack? = nil
) -> String {
  summaryPage(of: reconciliation, workbook: workbook, pack: pack).written(as: .text)
}

extension ClosePack {
  /// The section that says that the month is closed, with its figures.
  fileprivate var section: SummaryPage.Section {
    var section = SummaryPage.Section(title: headline, pieces: [.table(statement.table)])
    for remark in statement.remarks { section.add(remark) }
    section.add(inputsLine)
    return section
  }
}

extension Reconciliation {
  /// The title: the period, its days, and the day as of which it holds.
  fileprivate var headline: Wording {
    let range: Wording = "@shared.to \(period.first) \(period.last)"
    let name = period.description.contains("..") ? range : "\(period) (\(range))"
    return "@summary.reconciliation-2 \(name) \(asOf)"
  }

  /// Whether the period ties, in one line: the same wherever a summary begins with it.
  var verdict: Wording {
    if let obstacle { return obstacle }
    // By index: a copy of each finding would cost more than what is asked of it.
    let errors = findings.indices.count {
      findings[$0].severity == .error && !findings[$0].isAccepted
    }
    let toClear = counted(errors, "@shared.1-error") { "@shared.errors \($0)" }
    let open = bridges.contains { !$0.isExplained }
    return switch (hasBothSides, errors, open) {
    case (false, 0, _): "@summary.nothing-is-compared-a-side"
    case (false, _, _): "@summary.nothing-is-compared-errors \(toClear)"
    case (true, 0, false): "@summary.verdict-ties \(apart)"
    case (true, 0, true):
      unsettled.map { "@summary.verdict-not-settled \(apart) \(spoken($0))" }
        ?? (bridges.allSatisfy { $0.isExplained(to: .reportedGross) }
          ? "@summary.verdict-open-beyond \(apart) \(openBeyondSales)"
          : "@summary.verdict-open \(apart)")
    case (true, _, _): "@summary.verdict-errors \(toClear) \(apart)"
    }
  }

  /// The section with the verdict, and the absences that must be known with it.
  fileprivate var verdictSection: SummaryPage.Section {
    var section = SummaryPage.Section(title: verdict, continues: true)
    if obstacle != nil { return section }
    for absence in basis.absences where absence.comesFirst { section.add(absence.wording) }
    return section
  }

  /// The amount sold and not yet settled, without its sign, where nothing else is open; nil else.
  private var unsettled: Money? {
    let isAlone = bridges.allSatisfy { bridge in
      bridge.unexplained.isZero
        && bridge.steps.allSatisfy { $0.open.isZero || $0.cause == .settlementCarryOut }
    }
    let all = bridges.first(where: \.isSummary)?.steps.first { $0.cause == .settlementCarryOut }
    return isAlone ? all?.open.magnitude : nil
  }

  /// What is open or unexplained in the steps, without their signs, in words: in base currency;
  /// where a currency has no rate, the first one's, and how many others there are.
  private var openBeyondSales: Wording {
    let places = bridges.filter { !$0.isSummary }
    var amounts: [Currency: Money] = [:]
    for bridge in places.isEmpty ? bridges : places {
      let open = bridge.steps.sum(in: bridge.currency, \.open.magnitude) + bridge.unexplained
      amounts[bridge.currency, default: .zero(bridge.currency)] += open
    }
    let inBase = amounts.values.compactMap { self.inBase($0) }
    if inBase.count == amounts.count { return spoken(inBase.sum(in: baseCurrency, \.self)) }
    return amounts.values.filter { !$0.isZero }.sorted { $0.currency < $1.currency }.firstAndMore
  }

  /// Why the period cannot be judged at all; nil where it can.
  fileprivate var obstacle: Wording? {
    guard hasBothSides else { return nil }
    for absence in basis.absences {
      guard let total = absence.total else { continue }
      switch absence.kind {
      case .matching:
        return "@summary.verdict-matching-failed \(grouped(absence.count)) \(grouped(total))"
      case .salesReports where 2 * absence.count > total && absence.count < total:
        return "@summary.verdict-reports-missing \(absence.count) \(total)"
      default: break
      }
    }
    return nil
  }

  /// By how much Apple's total differs from the ledger's, without its sign.
  private var apart: Wording {
    let amounts = bothSides.compactMap(\.difference).filter { !$0.isZero }.map(\.magnitude)
    return amounts.isEmpty ? spoken(Money.zero(baseCurrency)) : amounts.firstAndMore
  }

  /// The section on the codes that come to most, by amount or by how many findings they have.
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

  /// The section on proceeds by storefront, the largest first.
  fileprivate var proceedsSection: SummaryPage.Section {
    let ranked = proceeds.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      let amounts = (a.proceedsBase?.micros ?? 0, b.proceedsBase?.micros ?? 0)
      if amounts.0 != amounts.1 { return amounts.0 > amounts.1 }
      return left.offset < right.offset
    }.map(\.element)
    let shown = 15
    let isConverted = proceeds.contains { $0.rate != nil }
    let hasOtherMoney = proceeds.contains { $0.currency != $0.proceedsCurrency }
    let base: [Wording] = isConverted ? ["\(baseCurrency)"] : []
    let paidIn: [Wording] = hasOtherMoney ? [""] : []
    var table = TextTable("llrrr" + (hasOtherMoney ? "l" : "") + "rr" + (isConverted ? "r" : ""))
    let names: [Wording] =
      ["", "", "@shared.sold", "@shared.refunds", "@shared.proceeds"] + paidIn
      + ["@summary.total-deductions", "@summary.of-which-commission"] + base
    table.name(columns: names.map(say))
    for line in ranked.prefix(shown) {
      let commission = line.commission.flatMap { ratio($0.micros, of: line.gross.micros) }
      table.add(
        cells: [
          line.storefront.code, line.currency.code, grouped(line.unitsSold),
          grouped(line.unitsRefunded), grouped(line.proceeds),
        ] + (hasOtherMoney ? [line.proceedsCurrency.code] : []) + [
          line.deduction.map(percent) ?? "-", commission.map(percent) ?? "-",
        ] + (isConverted ? [line.proceedsBase.map(grouped) ?? "-"] : []))
    }
    if isConverted {
      let total = proceedsInBase.map { grouped(Money(micros: $0, baseCurrency)) }
      let blank = Array(repeating: "", count: names.count - 2)
      table.add(
        cells: [say("@shared.total-2")] + blank + [
          total ?? say("@summary.no-sum-rates-are-missing")
        ])
    }
    var title: Wording = "@summary.proceeds"
    if isConverted, let rates = ratesWording { title = "\(title), \(rates)" }
    var section = SummaryPage.Section(title: title, pieces: [.table(table)])
    section.addMore(ranked.count - shown)
    return section
  }

  /// By the rates of which days figures are converted, in words, the day of most rates first; nil
  /// where nothing is converted.
  private var ratesWording: Wording? {
    let days = Dictionary(grouping: rateDays, by: \.value).sorted {
      ($1.value.count, $1.key) < ($0.value.count, $0.key)
    }
    guard let most = days.first else { return nil }
    let others = days.dropFirst().map { day, rates -> Wording in
      "@summary.of \(rates.map(\.key.code).sorted().asList) \(day)"
    }
    let text: Wording = "@summary.in-at-the-rates \(baseCurrency) \(most.key)"
    return others.isEmpty ? text : text + "; " + others.joined(separator: "; ")
  }
}

extension [Money] {
  /// The first amount in words, and how many more there are; nothing without any.
  fileprivate var firstAndMore: Wording {
    guard let first else { return "" }
    return count == 1 ? spoken(first) : "@shared.and-more-2 \(spoken(first)) \(count - 1)"
  }
}

extension Settlement {
  /// The section from what was settled to the bank, by currency; nil where no report of it is
  /// loaded.
  ///
  /// - Parameter error: how far the estimate of what is carried was off in past months, in words;
  ///   nil where nothing is estimated.
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
      let bank = payout.isUnproven ? payout.bankStanding : payout.bankWording
      if let bank { section.add(bank, isDetail: true) }
    }
    return section
  }

  /// The table from reported to settled proceeds, by currency.
  private var settled: TextTable {
    var table = TextTable("lrrrrr")
    table.name(
      columns: "", "@summary.reported", "@shared.carried", "@shared.carried-out",
      "@shared.difference-2", "@shared.settled")
    for currency in Set(lines.map(\.currency)).sorted(by: { $0.code < $1.code }) {
      let own = lines.filter { $0.currency == currency }
      /// A part of the currency's lines added up, as text.
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
  /// When, where and how much Apple paid or is expected to pay, in words.
  fileprivate var wording: Wording {
    let paid = "\(grouped(amount)) \(amount.currency)"
    let to = account.isEmpty ? "@shared.bank" : Wording(verbatim: account)
    let on: Wording = isDayEstimated ? "@summary.estimated-date \(day)" : "\(day)"
    guard isPaid else { return "@summary.expected \(paid) \(to) \(on)" }
    return amount == regions
      ? "@summary.paid-to-on-the-sum \(paid) \(to) \(on)"
      : "@summary.paid-to-on-its-regions \(paid) \(to) \(on) \(grouped(regions))"
  }

  /// What the bank has of the payout, in words; nil where no statement tells.
  var bankWording: Wording? {
    if let days = returned {
      return "@summary.returned-by-the-bank \(days.lowerBound) \(days.upperBound)"
    }
    if isLate { return "@summary.not-on-any-bank-statement" }
    return received.map { received in
      var text: Wording =
        received == amount
        ? "@summary.received-by-the-bank \(day)"
        : "@summary.bank-received \(grouped(received)) \(received.currency) \(day)"
      if creditCount > 1 { text = "@summary.bank-in-credits \(text) \(creditCount)" }
      if !payer.isEmpty { text = "@summary.bank-from \(text) \(payer)" }
      if let valueDay, valueDay != day { text = "@summary.bank-value-day \(text) \(valueDay)" }
      return text
    }
  }
}
