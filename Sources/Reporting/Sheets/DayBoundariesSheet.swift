import Billing
import Conclusions
import Languages

extension List<ReportDayBoundary> {
  /// The columns of where each storefront's report day begins, and how sure that is.
  static var dayBoundaries: List {
    List(
      [
        Column("storefront", .text("@shared.storefront")) { .place($0.storefront) }
          .coded { $0.storefront.code },
        Column("rule", .text("@sheet.rule")) { .words(ruleInWords($0.rule)) }.coded { $0.rule },
        Column("zone", .text("@sheet.zone")) { .text($0.zone) },
        Column(.text("@sheet.utc-offset")) { .text(Zone.fixed(minutes: $0.utcOffsetMinutes).name) },
        Column("utc_offset_minutes") { .integer(Int64($0.utcOffsetMinutes)) },
        Column("confidence", .number("@sheet.confidence")) { boundary in
          // Where other rules fit as well, nothing decides.
          boundary.confidence == 0
            ? .words("@sheet.not-decidable") : .ratio(ifAny: boundary.confidence)
        }.documented { $0.decimal($1.confidence) },
        Column("residual_units", .number("@sheet.residual-units"), totals: [.all]) {
          .integer($0.residualUnits)
        },
        Column("runner_up", .text("@sheet.runner-up")) { line in
          line.runnerUp.map { .words(ruleInWords($0)) } ?? .blank
        }.coded { $0.runnerUp },
      ], sums: [ExpectedSum("residual_units") { $0.residualUnits }])
  }
}

/// A rule of day boundaries by its name; a fixed offset as readers write it.
private func ruleInWords(_ rule: String) -> Wording {
  let fixed = "fixed:"
  return rule.hasPrefix(fixed)
    ? Wording(verbatim: "UTC\(rule.dropFirst(fixed.count))") : Wording(fact: rule)
}

extension WorkbookContents {
  /// The sheet of day boundaries, and below them the units that they move; nil where no boundary is
  /// known.
  func dayBoundariesSheet() -> Sheet? {
    let (list, lines) = (List<ReportDayBoundary>.dayBoundaries, reconciliation.dayBoundaries)
    guard !lines.isEmpty else { return nil }
    let body = ListBody.sheet(count: lines.count)
    var below = PlacedRows(below: body)
    below.addTotalOfAll(lines, of: list, at: body, label: "@shared.total")
    addMoved(to: &below)
    let further = movedPlace == nil ? [] : List<MovedUnits>.moved.heads
    let heads = ColumnHead.columns(list.heads, above: further)
    return Sheet(
      name: say("@shared.day-boundaries"), columns: heads, rows: Rows(list.rows(lines, at: body)),
      totals: below.rows, frozenColumns: 1)
  }
}
