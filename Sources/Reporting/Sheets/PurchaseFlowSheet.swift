import Billing
import Languages
package import Conclusions

extension List<FlowDay> {
  /// The columns of how purchases went, a line per business day; what stands out is marked in its
  /// column.
  static var purchaseFlow: List {
    /// A column with a number of each day, added up.
    func count(
      _ name: String, _ title: Wording, _ count: @escaping @Sendable (FlowDay) -> Int
    ) -> Column<FlowDay> {
      Column(name, .number(title), totals: [.all]) { .integer(Int64(count($0))) }
    }
    let columns = [
      Column("date", .date("@shared.day")) { .day($0.day) },
      count("orders", "@shared.orders") { $0.orders },
      count("paid", "@shared.paid") { $0.paid },
      count("fulfilled", "@shared.fulfilled") { $0.fulfilled },
      count("transactions", "@shared.transactions") { $0.transactions },
      count("purchases", "@sheet.purchases") { $0.purchases },
      Column("unfulfilled", .number("@shared.never-fulfilled"), totals: [.all]) {
        .integer(ifAny: $0.unfulfilled.map { Int64($0) })
      },
      Column(
        "unfulfilled_share", .number("@sheet.share-never-fulfilled"),
        totals: [.ofAll(unfulfilledShare)]
      ) { .ratio(ifAny: $0.unfulfilledShare) },
      Column("median_delay", .number("@sheet.median-s")) { .integer(ifAny: $0.medianDelay) },
      Column("p95_delay", .number("@sheet.95th-percentile-s")) { .integer(ifAny: $0.lateDelay) },
      count("sandbox", "@shared.sandbox") { $0.sandbox },
      count("refunds", "@shared.refunds") { $0.refunds },
      Column<FlowDay>("marks", .prose("@shared.what-stands-out", 60)) {
        .words($0.marks.map(\.explanation).joined(separator: "; "))
      }.documented(as: { $0.marks.map(\.measure.rawValue) }) {
        $0.lines($1.marks, of: .marks)
      },
    ]
    return List(
      columns.map { column in
        column.tinted { day in
          day.marks.contains { $0.measure.column == column.name } ? .warning : nil
        }
      },
      sums: [
        ExpectedSum("orders") { Int64($0.orders) },
        ExpectedSum("paid") { Int64($0.paid) },
        ExpectedSum("fulfilled") { Int64($0.fulfilled) },
        ExpectedSum("transactions") { Int64($0.transactions) },
        ExpectedSum("purchases") { Int64($0.purchases) },
        ExpectedSum("unfulfilled") { $0.unfulfilled.map { Int64($0) } },
        ExpectedSum("sandbox") { Int64($0.sandbox) },
        ExpectedSum("refunds") { Int64($0.refunds) },
      ])
  }

  /// The cell with the share of purchases of these days that were never fulfilled; blank where it
  /// is not known.
  private static let unfulfilledShare: @Sendable ([FlowDay]) -> Cell = { days in
    guard days.contains(where: { $0.unfulfilled != nil }) else { return .blank }
    let unfulfilled = days.reduce(0) { $0 + Int64($1.unfulfilled ?? 0) }
    let share = Cell.share(unfulfilled, of: days.reduce(0) { $0 + Int64($1.purchases) })
    return share.map { .formula("{unfulfilled}/{purchases}", $0) } ?? .blank
  }
}

extension List<FlowMark> {
  /// The columns of what makes days stand out, as scripts get them.
  fileprivate static var marks: List {
    List([
      Column("measure") { .text($0.measure.rawValue) },
      Column("value") { $0.figure($0.value) },
      Column("usual") { $0.figure($0.usual) },
      Column("text") { .text(say($0.explanation)) },
    ])
  }
}

extension FlowMark {
  /// A figure of what is measured, as a cell: a count, or a share in millionths.
  fileprivate func figure(_ value: Int64) -> Cell {
    measure == .unfulfilled ? .ratio(value) : .integer(value)
  }
}

extension FlowMark.Measure {
  /// The name of the column that has the figure.
  fileprivate var column: String { self == .unfulfilled ? "unfulfilled_share" : rawValue }
}

extension JSONWriter {
  /// A member with an object for each day of purchases.
  package mutating func flow(_ name: String, _ days: [FlowDay]) {
    lines(name, days, of: .purchaseFlow)
  }
}

extension WorkbookContents {
  /// The sheet of purchases by day; nil without any. What stands out is printed only where
  /// something does.
  func purchaseFlowSheet() -> Sheet? {
    var sheet = wholeSheet(
      say("@sheet.purchase-flow"), .purchaseFlow, reconciliation.flow, total: "@shared.total",
      through: "refunds")
    if reconciliation.flow.allSatisfy(\.marks.isEmpty) {
      sheet?.printedColumns = List.purchaseFlow.index("marks")
    }
    return sheet
  }
}
