import Billing
import Languages
import Matching

extension WorkbookContents {
  /// How purchases went, a row per business day; what stands out is marked in its column.
  func purchaseFlowSheet() -> Sheet? {
    let days = reconciliation.flow
    guard !days.isEmpty else { return nil }
    return Sheet(
      name: say("Purchase flow"),
      columns: [
        .date("day"), .number("orders"), .number("paid"), .number("fulfilled"),
        .number("transactions"), .number("purchases"), .number("never fulfilled"),
        .number("share never fulfilled"), .number("median, s"), .number("95 in 100, s"),
        .number("sandbox"), .number("refunds"), .prose("what stands out", 60),
      ],
      rows: Rows(days.map(row)), totals: [flowTotals(days)], frozenColumns: 1)
  }

  private func row(of day: FlowDay) -> Row {
    Row(
      cells: [
        .day(day.day), .integer(Int64(day.orders)), .integer(Int64(day.paid)),
        .integer(Int64(day.fulfilled)), .integer(Int64(day.transactions)),
        .integer(Int64(day.purchases)), .integer(ifAny: day.unfulfilled.map { Int64($0) }),
        .ratio(ifAny: day.unfulfilledShare), .integer(ifAny: day.medianDelay),
        .integer(ifAny: day.lateDelay), .integer(Int64(day.sandbox)),
        .integer(Int64(day.refunds)),
        .words(day.marks.map(\.explanation).joined(separator: "; ")),
      ],
      tints: day.marks.map {
        Row.Tint(column: $0.measure.column, meaning: .severity(.warning))
      })
  }

  private func flowTotals(_ days: [FlowDay]) -> Row {
    let last = days.count + 1
    func sum(_ column: Int, _ count: (FlowDay) -> Int) -> Cell {
      let letters = columnLetters(column)
      return .formula(
        "SUBTOTAL(109,\(letters)2:\(letters)\(last))",
        .integer(days.reduce(0) { $0 + Int64(count($1)) }))
    }
    let tells = days.contains { $0.unfulfilled != nil }
    let unfulfilled = days.reduce(0) { $0 + Int64($1.unfulfilled ?? 0) }
    let share = ratio(unfulfilled, of: days.reduce(0) { $0 + Int64($1.purchases) })
    return Row(
      cells: [
        .words("total"), sum(1, \.orders), sum(2, \.paid), sum(3, \.fulfilled),
        sum(4, \.transactions), sum(5, \.purchases),
        tells ? sum(6) { $0.unfulfilled ?? 0 } : .blank,
        tells ? share.map { .formula("G\(last + 2)/F\(last + 2)", .ratio($0)) } ?? .blank : .blank,
        .blank, .blank, sum(10, \.sandbox), sum(11, \.refunds),
      ], style: .total)
  }
}

extension FlowMark.Measure {
  /// The column of the sheet that has the figure.
  fileprivate var column: Int {
    switch self {
    case .orders: 1
    case .transactions: 4
    case .unfulfilled: 7
    case .medianDelay: 8
    case .lateDelay: 9
    case .sandbox: 10
    case .refunds: 11
    }
  }
}
