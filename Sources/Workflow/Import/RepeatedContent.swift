import Billing
import Ledger

extension ImportedFile {
  /// Says what a loaded file adds less than it seems: nothing below its header, or rows that were
  /// there before.
  mutating func remark(on repeated: RepeatedRows) {
    if rows == 0, rejected == 0 { diagnostics.append(emptyFile) }
    for (count, what, one) in [
      (
        repeated.unchanged, "rows already in the ledger, unchanged",
        "row already in the ledger, unchanged"
      ),
      (
        repeated.progressed, "orders already in the ledger, now with more detail",
        "order already in the ledger, now with more detail"
      ),
      (
        repeated.conflicting, "orders already in the ledger with different content",
        "order already in the ledger with different content"
      ),
    ] as [(Int, Wording, Wording)] where count > 0 {
      tallies.append(ImportTally(what: what, one: one, count: count))
    }
    addConflicts(repeated)
    if repeated.isWhole {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "repeated", at: SourceLocation(file: file),
          "every row of the file was already in the ledger; it adds nothing",
          help: "see whether it is the file that was meant, and of the right days"))
    }
  }

  /// Says of orders that rows of quite other times told before.
  mutating func remark(onFar repeated: RepeatedRows) {
    if repeated.conflicting == 0 { return }
    tallies.append(
      ImportTally(
        what: "orders seen before, at very different times",
        one: "order seen before, at a very different time", count: repeated.conflicting))
    addConflicts(repeated)
  }

  private mutating func addConflicts(_ repeated: RepeatedRows) {
    diagnostics += repeated.conflicts.map(differing)
    let unnamed = repeated.conflicting - repeated.conflicts.count
    if unnamed > 0 {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "order_id", at: SourceLocation(file: file),
          "further orders differ from earlier rows: \(grouped(unnamed))",
          help: "see which of the tables is right: v_order of tieout sql has both rows"))
    }
  }

  private var emptyFile: Diagnostic {
    guard kind?.isReport == true, let from, let to else {
      return Diagnostic(
        .warning, topic: "rows", at: SourceLocation(file: file),
        "the file has no rows; it adds nothing",
        help: "export it again; a query that finds nothing leaves a header alone")
    }
    return Diagnostic(
      .warning, topic: "rows", at: SourceLocation(file: file),
      "the report has no rows: Apple's side of \(span(from, to) ?? "") counts as nothing",
      help: "download it again where there should have been sales")
  }

  private func differing(_ conflict: RepeatedRows.Conflict) -> Diagnostic {
    let before = SourceLocation(
      file: conflict.before.file.isEmpty ? file : conflict.before.file, line: conflict.before.line)
    return Diagnostic(
      .warning, topic: "order_id", at: SourceLocation(file: file, line: conflict.line),
      """
      order \(conflict.order) differs from its row in \("\(before)"): \
      \(conflict.columns.joined(separator: ", "))
      """,
      help: """
        an order counts once, by the row with the furthest status; give each order its own ID, \
        or correct the wrong row
        """)
  }
}
