import Billing
import Conclusions
import Languages

extension List<InputFile> {
  /// The columns of the files that the conclusions rest on.
  static var inputs: List {
    List(
      [
        Column("kind", .text("@shared.kind")) { .words($0.kind.wording) }.coded {
          $0.kind.rawValue
        },
        Column("file", .text("@shared.file", 6...90)) { .text($0.file) },
        Column("rows", .number("@sheet.rows"), totals: [.all]) { .integer(Int64($0.rows)) },
        Column("rejected", .number("@sheet.rejected"), totals: [.all]) {
          .integer(Int64($0.rejected))
        },
        Column("from", .date("@sheet.from")) { .day(ifAny: $0.from) },
        Column("to", .date("@sheet.to")) { .day(ifAny: $0.to) },
        Column("status", .text("@sheet.status")) { .words($0.status.wording) }
          .coded { $0.status.rawValue }.tinted { $0.status == .partial ? .warning : nil },
        Column("sha256", .text("@sheet.sha256", 8...66)) { .text($0.sha256) },
      ], scripts: ["kind", "file", "sha256", "rows", "from", "to", "status"],
      sums: [
        ExpectedSum("rows") { Int64($0.rows) }, ExpectedSum("rejected") { Int64($0.rejected) },
      ])
  }
}

extension WorkbookContents {
  /// The sheet of the files that the conclusions rest on; nil without any.
  func inputsSheet() -> Sheet? {
    wholeSheet(
      say("@shared.inputs"), .inputs, reconciliation.inputs, total: "@shared.total",
      frozenColumns: 0)
  }
}
