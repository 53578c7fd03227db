import Billing
import Languages
import Conclusions

extension List<Pattern> {
  /// The columns of what is behind many findings, the least likely by chance first, each with the
  /// way to its first finding.
  ///
  /// - Parameter contents: the workbook that the list stands in; nil for scripts.
  static func patterns(in contents: WorkbookContents?) -> List {
    let rates = contents?.reconciliation.rates ?? [:]
    let base = contents?.reconciliation.baseCurrency
    let places = contents?.placesOfPatterns() ?? [:]
    return List(
      [
        Column("text", .prose("@sheet.pattern", 52)) { .words($0.explanation) },
        Column("dimension", .text("@sheet.what-is-shared", 8...24)) { .words($0.dimension.wording) }
          .coded { $0.dimension.rawValue },
        Column("value", .text("@sheet.which", 8...28)) { .text($0.place) }
          .coded { $0.value.isEmpty ? nil : $0.value },
        Column("codes", .prose("@shared.code", 24)) {
          .text($0.codes.map(\.rawValue).joined(separator: ", "))
        }.listed { $0.codes.map(\.rawValue) }.tinted { $0.codes.map(\.severity).max() ?? .info },
        Column("findings", .number("@shared.findings")) { .integer(Int64($0.count)) },
        Column("of", .number("@sheet.of")) { .integer(Int64($0.total)) },
        Column(.number("@sheet.share")) {
          .ratio(ifAny: ratio(Int64($0.count), of: Int64($0.total)))
        },
        Column("base") { .text($0.base.rawValue) },
        Column("base_share", .number("@sheet.of-all-business")) { .ratio($0.baseShare) },
        Column("chance", .text("@sheet.chance-below", 6...14)) { .text($0.chance) },
        Column("units", .number("@shared.units")) { .integer($0.units) },
        Column("amounts", .text("@shared.currency", 6...12)) {
          list($0.amounts.map(\.currency.code))
        }
        .documented(as: { $0.amounts.map { "\($0.currency.code)=\($0.text)" } }) {
          $0.lines($1.amounts, of: .money)
        },
        Column(.number("@shared.amount")) { pattern in
          let single = pattern.amounts.count == 1 ? pattern.amounts.first : nil
          return .money(ifAny: single?.micros, single?.currency)
        },
        Column(.number("@shared.in-2 \(base?.code ?? "")")) {
          .money(ifAny: sum($0.amounts, rates, in: base), base)
        },
        Column(
          "", .text("@sheet.first-finding"),
          leadingTo: {
            $0.findingIDs.first.flatMap { places[$0] }
          }),
        Column("action", .prose("@sheet.action", 40)) { .words($0.advice) },
        Column("finding_ids", .text("@sheet.finding-ids", 6...24)) { list($0.findingIDs) }
          .listed { $0.findingIDs },
        Column("from", script: .text(start)), Column("to", script: .text(end)),
      ],
      scripts: [
        "codes", "dimension", "value", "from", "to", "findings", "of", "base", "base_share",
        "chance", "units", "amounts", "text", "action", "finding_ids",
      ])
  }

  /// When a pattern begins: a moment or a day, as text; nil where it has no time.
  private static let start: @Sendable (Pattern) -> String? = {
    $0.span?.lowerBound.description ?? $0.days?.lowerBound.description
  }
  /// When a pattern ends: a moment or a day, as text; nil where it has no time.
  private static let end: @Sendable (Pattern) -> String? = {
    $0.span?.upperBound.description ?? $0.days?.upperBound.description
  }

  /// What amounts come to in micro-units of base currency; nil where one of them has no rate, or
  /// there are none.
  private static func sum(
    _ amounts: [Money], _ rates: [Currency: CurrencyRate], in base: Currency?
  ) -> Int64? {
    guard let base, !amounts.isEmpty else { return nil }
    var sum: Int64 = 0
    for amount in amounts {
      guard let rate = rates[amount.currency] else { return nil }
      sum += amount.converted(at: rate, to: base).micros
    }
    return sum
  }
}

extension List<Money> {
  /// The columns of money by currency, as scripts get it.
  static var money: List {
    List([
      Column("currency") { .text($0.currency.code) },
      Column("amount") { .money($0.micros, $0.currency) },
    ])
  }
}

extension WorkbookContents {
  /// The sheet of what is behind many findings; nil without any.
  func patternsSheet() -> Sheet? {
    let list = List.patterns(in: self)
    var sheet = wholeSheet(say("@shared.patterns"), list, reconciliation.patterns)
    sheet?.printedColumns = list.index("finding_ids")
    return sheet
  }
}
