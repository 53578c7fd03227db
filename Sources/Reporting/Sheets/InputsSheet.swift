import Billing
import Matching
import Languages

extension WorkbookContents {
  /// The files that the conclusions rest on.
  func inputsSheet() -> Sheet? {
    let inputs = reconciliation.inputs
    guard !inputs.isEmpty else { return nil }
    let rows = inputs.map { input in
      Row(
        cells: [
          .words(input.kind.wording), .text(input.file), .integer(Int64(input.rows)),
          .integer(Int64(input.rejected)), .day(ifAny: input.from), .day(ifAny: input.to),
          .words(input.status.wording), .text(input.sha256),
        ],
        tints: input.status == .partial
          ? [Row.Tint(column: 6, meaning: .severity(.warning))] : [])
    }
    let last = rows.count + 1
    func total(_ letter: String, _ value: Int) -> Cell {
      .formula("SUBTOTAL(109,\(letter)2:\(letter)\(last))", .integer(Int64(value)))
    }
    return Sheet(
      name: say("Inputs"),
      columns: [
        .text("kind"), .text("file", 6...90), .number("rows"), .number("rejected"),
        .date("from"), .date("to"), .text("status"), .text("sha256", 8...66),
      ],
      rows: Rows(rows),
      totals: [
        Row(
          cells: [
            .words("total"), .blank, total("C", inputs.reduce(0) { $0 + $1.rows }),
            total("D", inputs.reduce(0) { $0 + $1.rejected }), .blank, .blank, .blank, .blank,
          ], style: .total)
      ])
  }
}
