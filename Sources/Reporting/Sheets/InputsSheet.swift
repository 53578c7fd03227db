import Billing
import Matching
import Languages

extension List<InputFile> {
  /// The files that the conclusions rest on.
  static var inputs: List {
    List(
      [
        Column("kind", .text("kind")) { .words($0.kind.wording) }.coded { $0.kind.rawValue },
        Column("file", .text("file", 6...90)) { .text($0.file) },
        Column("rows", .number("rows"), totals: [.all]) { .integer(Int64($0.rows)) },
        Column("rejected", .number("rejected"), totals: [.all]) { .integer(Int64($0.rejected)) },
        Column("from", .date("from")) { .day(ifAny: $0.from) },
        Column("to", .date("to")) { .day(ifAny: $0.to) },
        Column("status", .text("status")) { .words($0.status.wording) }
          .coded { $0.status.rawValue }.tinted { $0.status == .partial ? .warning : nil },
        Column("sha256", .text("sha256", 8...66)) { .text($0.sha256) },
      ], scripts: ["kind", "file", "sha256", "rows", "from", "to", "status"],
      sums: [
        ExpectedSum("rows") { Int64($0.rows) }, ExpectedSum("rejected") { Int64($0.rejected) },
      ])
  }
}

extension WorkbookContents {
  func inputsSheet() -> Sheet? {
    wholeSheet(say("Inputs"), .inputs, reconciliation.inputs, total: "total", frozenColumns: 0)
  }
}
