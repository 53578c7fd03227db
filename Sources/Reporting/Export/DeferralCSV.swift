import Billing
package import Conclusions

/// One figure of the schedule of deferred revenue.
private struct DeferralFigure {
  var line: DeferralLine
  var item: String
  var month: String?
  var amount: Money
}

extension List<DeferralFigure> {
  /// The columns of the schedule of deferred revenue.
  fileprivate static var figures: List {
    List([
      Column("currency") { .text($0.line.currency.code) },
      Column("sku") { .text($0.line.sku) },
      Column("kind") { .text($0.line.kind.rawValue) },
      Column("item") { .text($0.item) },
      Column("month") { .text(ifAny: $0.month) },
      Column("amount") { .money($0.amount) },
    ])
  }
}

let deferralColumns = List.figures.names

/// The CSV of the schedule of deferred revenue, one row per figure: `item` is `start`, `added`,
/// `recognised`, `released`, `end`, or `ahead` with the month in which that part of the end will be
/// recognised.
package func deferredCSV(_ reconciliation: Reconciliation) -> String {
  List.figures.csv(
    reconciliation.deferral.flatMap { line in
      [
        ("start", line.start), ("added", line.added), ("recognised", line.recognised),
        ("released", line.released), ("end", line.end),
      ].map { DeferralFigure(line: line, item: $0.0, amount: $0.1) }
        + line.ahead.map {
          DeferralFigure(line: line, item: "ahead", month: $0.name, amount: $0.amount)
        }
    })
}
