package import Billing
import Languages
import Conclusions

extension Absence {
  /// What is absent, as a sentence that names its figures.
  var wording: Wording {
    let named = Wording(
      verbatim: shortened(kind == .sides ? names + spans : names.isEmpty ? spans : names))
    switch kind {
    case .matching:
      return names.isEmpty
        ? "@summary.matching-failed-as-a-whole \(grouped(count)) \(grouped(total ?? 0))"
        : "@summary.matching-failed-by-users \(grouped(count)) \(grouped(total ?? 0))"
    case .sides:
      return "@summary.of-nothing-of-the-other \(named) \(grouped(count))"
    case .salesReports:
      if count == total { return "@shared.no-sales-report-is-loaded" }
      return count == 1
        ? "@summary.sales-report-of-is-not \(named)"
        : "@summary.sales-reports-of-of-days \(count) \(total ?? 0) \(named)"
    case .salesReportsNotDue:
      return count == 1
        ? "@summary.sales-report-of-is-not-due \(named)"
        : "@summary.sales-reports-of-of-days-are-not \(count) \(total ?? 0) \(named)"
    case .transactions:
      return count == total
        ? "@summary.no-transactions-are-loaded"
        : "@summary.ledger-has-no-transactions \(named)"
    case .orders:
      return count == total
        ? "@summary.no-orders-are-loaded"
        : "@summary.ledger-has-no-orders \(named)"
    case .pages:
      return count == 1
        ? "@summary.answer-of-the-app-store \(named)"
        : "@summary.answers-of-the-app-store \(count) \(named)"
    case .rejectedRows:
      return count == 1
        ? "@summary.1-row-was-rejected \(named)"
        : "@summary.rows-were-rejected \(grouped(count)) \(named)"
    case .rejectedFiles:
      return count == 1
        ? "@summary.1-file-was-rejected \(named)"
        : "@summary.files-were-rejected \(grouped(count)) \(named)"
    case .storefronts:
      let (some, all) = (grouped(count), spoken(units: total ?? 0))
      switch standIn {
      case .orders: return "@summary.storefront-is-of-traced-orders \(some) \(all) \(named)"
      case .settings: return "@summary.storefront-is-the-default \(some) \(all) \(named)"
      case nil: return "@summary.no-source-gives-the-storefront \(some) \(all) \(named)"
      }
    case .quantities:
      return standIn == nil
        ? "@summary.no-order-or-transaction-gives-a-quantity \(named)"
        : "@summary.no-matched-order-gives-a-quantity \(named)"
    case .ownPrices:
      return "@summary.no-order-or-transaction-gives \(named)"
    case .revocations:
      return "@summary.no-transaction-gives-a-revocation \(named)"
    case .originals:
      return "@summary.no-transaction-names-its-original \(named)"
    case .kinds:
      return "@summary.no-kind-tells-renewals \(grouped(count)) \(named)"
    case .environments:
      return "@summary.no-transaction-gives-so-sandbox \(named)"
    case .users:
      return "@summary.no-source-gives-the-user \(named)"
    case .offers:
      return "@summary.no-transaction-gives-an-introductory \(named)"
    case .channels:
      return "@summary.no-order-gives-its-channel \(grouped(count)) \(named)"
    case .otherChannels:
      return "@summary.orders-of-channels \(grouped(count)) \(grouped(total ?? 0)) \(named)"
    case .clocks:
      return "@summary.apple-reports-of-on-days \(grouped(count)) \(spoken(units: total ?? 0))"
    case .countedRows:
      return "@summary.of-the-purchases-that-spark \(grouped(count))"
    case .laterMessages:
      return "@summary.apple-messages-were-imported-after"
    case .handedRows:
      return "@summary.script-of-tieout-spark-wrote \(grouped(total ?? 0)) \(grouped(count))"
    case .ids:
      return """
        @summary.no-id-ties \(grouped(count)) \
        \(counted(total ?? 0, "@shared.1-order") { "@shared.orders-2 \($0)" }) \(named)
        """
    case .rates:
      return "@summary.no-exchange-rates-for-nothing \(named)"
    case .catalogue: return "@shared.no-catalogue-is-loaded-skus"
    case .tierPrices:
      return "@summary.no-tier-prices \(named)"
    case .prices:
      return count == 1
        ? "@summary.1-unit-has-no-price"
        : "@summary.units-have-no-price \(grouped(count))"
    case .apps:
      return count == 1
        ? "@summary.stands-in-several-apps \(named)"
        : "@summary.skus-stand-in-several-apps \(count) \(named)"
    case .regionReports:
      return count == 1
        ? "@summary.financial-report-of-region-is \(named)"
        : "@summary.financial-reports-of-regions \(count) \(named)"
    }
  }

  /// The days as spans: `2023-06-03 to 2023-06-05`.
  private var spans: [String] {
    var spans: [ClosedRange<Day>] = []
    for day in days {
      if let last = spans.last, last.upperBound.advanced(by: 1) == day {
        spans[spans.count - 1] = last.lowerBound...day
      } else {
        spans.append(day...day)
      }
    }
    return spans.map { span in
      span.lowerBound == span.upperBound
        ? "\(span.lowerBound)" : say("@shared.to \(span.lowerBound) \(span.upperBound)")
    }
  }

  /// The first five of some names, and how many more there are.
  private func shortened(_ parts: [String]) -> String {
    let shown = 5
    let text = say(parts.prefix(shown).asList)
    return parts.count > shown ? say("@shared.and-more-2 \(text) \(parts.count - shown)") : text
  }
}

extension Reconciliation {
  /// The sections on what the figures rest on: what is absent, clocks that are off, what nobody
  /// configured.
  var basisSections: [SummaryPage.Section] { [absences, clocks, assumed].compactMap(\.self) }

  /// The section on what was taken for values that nobody configured; nil without any.
  private var assumed: SummaryPage.Section? {
    if assumptions.isEmpty { return nil }
    return .points("@summary.assumed", assumptions.map(\.text))
  }

  /// The section on clocks that are off: all times are judged by what is taken for right. Nil
  /// without any.
  private var clocks: SummaryPage.Section? {
    let clocks = findings.filter { $0.code == .clockOff }
    if clocks.isEmpty { return nil }
    return .points("@summary.wrong-clocks", clocks.prefix(3).map(\.explanation))
  }

  /// The section on what is absent; nil where nothing is.
  private var absences: SummaryPage.Section? {
    if basis.absences.isEmpty { return nil }
    let table: [Wording] = lacksTransactionsTable ? ["@summary.no-transactions-table"] : []
    // Orders alone, or transactions alone, were not matched at all.
    let told = basis.absences.filter { $0.kind != .matching || hasTransactions }
    return .points("@summary.missing", table + told.map(\.wording))
  }

  /// Whether orders and transactions hardly meet because only Apple's messages tell of purchases.
  private var lacksTransactionsTable: Bool {
    hasTransactions && basis.absences.contains { $0.kind == .matching }
      && !inputs.contains { $0.kind == .transactions }
  }

  /// The section on both sides in money, by currency, and how much of them was compared; nil
  /// without bridges.
  var totalsSection: SummaryPage.Section? {
    let sides = bothSides
    if sides.isEmpty { return nil }
    let shown = 6
    var table = TextTable("lrrrrrr")
    table.name(
      columns: "", "@shared.ledger", "@shared.apple", "@shared.difference-2", "@shared.explained",
      "@shared.open", "@shared.unexplained")
    for side in sides.prefix(shown) {
      func text(_ amount: Money?) -> String { amount.map(grouped) ?? "-" }
      table.add(
        side.currency.code, text(side.ledger), text(side.apple), text(side.difference),
        text(side.explained), text(side.open), text(side.unexplained))
    }
    var section = SummaryPage.Section(
      title: "@summary.totals-at-customer-price", pieces: [.table(table)])
    section.addMore(sides.count - shown)
    for line in [matched, remainders].compactMap(\.self) { section.add(line) }
    return section
  }

  /// The section from the ledger's total to Apple's in base currency, with the largest steps; nil
  /// where a side or a rate is missing.
  var walkSection: SummaryPage.Section? {
    guard hasBothSides, let sides = sidesInBase, let difference = sides.difference,
      let bridge = bridges.first(where: \.isSummary), let first = bridge.steps.first,
      let explained = sides.explained, let unexplained = sides.unexplained
    else { return nil }
    let shown = 4
    let steps = bridge.steps.prefix { $0.cause != .reportedGross }
      .filter { !$0.isTotal && !$0.amount.isZero }
      .sorted { left, right in
        // What nothing explains is never among the rest.
        let isRemainder = (left.cause == .unexplained, right.cause == .unexplained)
        if isRemainder.0 != isRemainder.1 { return isRemainder.0 }
        return left.amount.micros.magnitude > right.amount.micros.magnitude
      }
    let named = steps.count > shown ? shown - 1 : steps.count
    var table = TextTable("lrl")
    table.add(say("@summary.ledger-side"), grouped(first.amount), "")
    for step in steps.prefix(named) {
      let name = step.cause.findingCode.map(\.rawValue) ?? say(step.cause.label)
      table.add(name, grouped(step.amount), say(step.standing))
    }
    let rest = steps.dropFirst(named)
    if !rest.isEmpty {
      let sum = rest.sum(in: bridge.currency, \.amount)
      table.add(say("@summary.further-causes \(rest.count)"), grouped(sum), "")
    }
    table.add(say("@summary.apple-side"), grouped(first.amount + difference), "")
    var section = SummaryPage.Section(
      title: "@summary.from-ledger-to-apple \(bridge.currency)", pieces: [.table(table)])
    section.add(
      """
      @summary.difference-is \(grouped(difference)) \(grouped(explained)) \
      \(sides.openWording { "\(grouped($0))" }) \(grouped(unexplained))
      """)
    if let line = remainders { section.add(line) }
    return section
  }

  /// The sentence that says how many units both sides have; nil where one side is missing.
  private var matched: Wording? {
    guard hasBothSides, let share = ratio(matchedUnits, of: matchedUnits + unmatchedUnits)
    else { return nil }
    return """
      @summary.matched-of \(grouped(matchedUnits)) \(grouped(matchedUnits + unmatchedUnits)) \
      \(percent(share))
      """
  }

  /// The sentence that names what is unexplained by storefront; nil where nothing is.
  private var remainders: Wording? {
    let open = bridges.filter { !$0.unexplained.isZero && ($0.storefront != "ALL") }
    guard !open.isEmpty else { return nil }
    let shown = 5
    let named = open.prefix(shown).map {
      "\($0.storefront) \(grouped($0.unexplained)) \($0.currency)"
    }
    .asList
    let all: Wording =
      open.count > shown ? "@shared.and-more-2 \(named) \(open.count - shown)" : named
    return "@summary.unexplained-by-storefront \(all)"
  }
}

extension BridgeStep {
  /// Whether the step is proven, in words: in part, where some of it is open.
  fileprivate var standing: Wording {
    if cause.standing == .remainder { return "@shared.unexplained" }
    if open.isZero { return "@shared.explained" }
    return open == amount ? "@shared.open" : "@summary.partly-open \(grouped(open))"
  }
}

extension AgedMoney {
  /// The money's age in days, for a reader.
  var age: Wording { spokenAge(from, to) }
}

/// A range of ages in days, in words.
///
/// - Parameters:
///   - from: the first day of age.
///   - to: the last one; nil for the oldest money, which has no upper bound.
package func spokenAge(_ from: Int, _ to: Int?) -> Wording {
  guard let to else { return "@summary.over-days \(from - 1)" }
  return "@summary.to-days \(from) \(to)"
}
