package import Billing
import Conclusions
import Languages
import Ledger
import Matching
import Reporting

/// Open items of one kind, currency and age.
package struct AgedItems: Hashable, Sendable {
  /// Scripts rely on the raw values.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Sold, and not settled by Apple.
    case settlement
    /// Findings of refunds that one side lacks, or that are not reversed.
    case refunds
    /// Owed by a payments summary, and not paid: not yet, carried over, or set against something.
    case offsets
    /// All other errors and warnings.
    case findings
  }

  package var kind: Kind
  /// Nil of findings that no money differs in.
  package var currency: Currency?
  /// Days; the oldest have no upper bound.
  package var from: Int
  package var to: Int?
  package var count = 0
  /// Amounts without their signs, added up; nil without a currency.
  package var amount: Money?

  /// No items yet, of the range of ages that has this one.
  ///
  /// - Parameter age: in days.
  fileprivate init(_ kind: Kind, _ currency: Currency?, age: Int) {
    self.kind = kind
    self.currency = currency
    (from, to) = Rules.ages(with: age)
    amount = currency.map { .zero($0) }
  }
}

/// What is open, by kind, currency (none first) and age: what the last reconciliation of each month
/// left, and what the latest payments summary has as owed and not paid.
///
/// - Parameter period: only items that are open since one of its days; nil for all.
func agedItems(
  _ ledger: Ledger, _ findings: [OpenFinding], asOf: Day, in period: Period? = nil,
  _ settings: Settings
) throws -> [AgedItems] {
  struct Key: Hashable {
    var kind: AgedItems.Kind
    var currency: Currency?
    var from: Int
  }
  var sums: [Key: AgedItems] = [:]
  /// Adds one open item to those of its kind, currency and age.
  func add(_ kind: AgedItems.Kind, _ amount: Money?, since day: Day) {
    let one = AgedItems(kind, amount?.currency, age: max(day.distance(to: asOf), 0))
    let key = Key(kind: kind, currency: one.currency, from: one.from)
    sums[key, default: one].count += 1
    if let amount { sums[key]!.amount! += amount.magnitude }
  }
  /// Whether the item is open since a day of `period`; all items are meant where that is nil.
  func isMeant(_ item: DatedAmount) -> Bool { period?.contains(item.day) ?? true }
  for item in try ledger.unsettledSales() where isMeant(item) {
    add(.settlement, item.amount, since: item.day)
  }
  for item in try unpaid(ledger, asOf: asOf, settings) where isMeant(item) {
    add(.offsets, item.amount, since: item.day)
  }
  for finding in findings {
    let kind: AgedItems.Kind = finding.code.isOfRefund ? .refunds : .findings
    var byCurrency: [Currency: Money] = [:]
    for amount in finding.amounts {
      byCurrency[amount.currency, default: .zero(amount.currency)] += amount.magnitude
    }
    if byCurrency.isEmpty { add(kind, nil, since: finding.day) }
    for amount in byCurrency.values { add(kind, amount, since: finding.day) }
  }
  let kinds = AgedItems.Kind.allCases
  return sums.values.sorted {
    (kinds.firstIndex(of: $0.kind)!, $0.currency?.code ?? "", $0.from)
      < (kinds.firstIndex(of: $1.kind)!, $1.currency?.code ?? "", $1.from)
  }
}

/// The amounts that payments summaries have as owed and not paid by the end of `asOf`. Balances
/// that the latest carries over are those of the months before too.
private func unpaid(_ ledger: Ledger, asOf: Day, _ settings: Settings) throws -> [DatedAmount] {
  let ends = try ledger.files().map(\.input)
    .filter { $0.kind == .payments && $0.status != .superseded }.compactMap(\.to)
  guard let last = ends.max().map(FiscalMonth.init(containing:)) else { return [] }
  let first = last.first.advanced(by: -Rules.ratesAfterMonth)
  return try ledger.payments(of: first...last.last).flatMap { summary in
    summary.lines.filter { line in
      if line.owed == 0 { return false }
      if line.proceeds == nil { return summary.month == last }
      return summary.payment(ofBlock: line.block, by: asOf, told: settings.paymentDays) == nil
    }
    .map { DatedAmount(Money(micros: $0.owed, $0.currency), since: summary.month.last) }
  }
}

extension FindingCode {
  /// Whether it is about a refund that one side lacks or that is not reversed.
  fileprivate var isOfRefund: Bool {
    switch self {
    case .refundNotReversed, .renewalRefunded, .refundedNotByApple, .refundNotInLedger,
      .refundNotInReport, .partialRefund:
      true
    default: false
    }
  }
}

extension AgedItems.Kind {
  fileprivate var wording: Wording {
    switch self {
    case .settlement: "@status.sold-and-not-settled"
    case .refunds: "@shared.refunds"
    case .offsets: "@status.owed-and-not-paid"
    case .findings: "@status.other-findings"
    }
  }
}

extension LedgerStatus {
  /// The open items as lines of a table; empty without any.
  var openLines: [String] {
    guard !openItems.isEmpty else { return [] }
    var table = TextTable("llrl")
    table.name(columns: "", "@shared.age", "@shared.count", "@shared.amount")
    var before: AgedItems.Kind?
    // Currencies of one kind and age stand in one line.
    for items in byKindAndAge {
      let amounts = items.compactMap(\.amount).map { "\(grouped($0)) \($0.currency)" }
      let shown = say(amounts.prefix(3).asList)
      let rest = amounts.count - 3
      table.add(
        items[0].kind == before ? "" : say(items[0].kind.wording),
        say(spokenAge(items[0].from, items[0].to)), grouped(items.reduce(0) { $0 + $1.count }),
        rest > 0 ? say("@shared.and-more-2 \(shown) \(rest)") : shown)
      before = items[0].kind
    }
    return [say("@status.open-items-by-age")] + table.textLines
  }

  /// The open items of each kind and age together, which differ by currency.
  private var byKindAndAge: [[AgedItems]] {
    AgedItems.Kind.allCases.flatMap { kind -> [[AgedItems]] in
      let own = openItems.filter { $0.kind == kind }
      return Set(own.map(\.from)).sorted().map { from in own.filter { $0.from == from } }
    }
  }
}

extension AgedItems {
  func writeFields(to writer: inout JSONWriter) {
    writer.string("kind", kind.rawValue)
    writer.string("currency", currency?.code)
    writer.integer("from_days", from)
    writer.integer("to_days", to)
    writer.integer("count", count)
    writer.string("amount", amount?.text)
  }
}
