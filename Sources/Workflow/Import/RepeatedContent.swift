import Billing
import Ledger

extension ImportedFile {
  /// Says what a loaded file adds less than it seems: nothing below its header, or rows that were
  /// there before.
  mutating func remark(on repeated: RepeatedRows) {
    if rows == 0, rejected == 0 { diagnostics.append(emptyFile) }
    for (count, what) in [
      (
        repeated.unchanged,
        repeated.unchanged == 1
          ? "row that was there already, word for word"
          : "rows that were there already, word for word"
      ),
      (
        repeated.progressed,
        repeated.progressed == 1
          ? "order told before, of which more is known now"
          : "orders told before, of which more is known now"
      ),
      (
        repeated.conflicting,
        repeated.conflicting == 1
          ? "order told before with other content" : "orders told before with other content"
      ),
    ] as [(Int, Wording)] where count > 0 {
      tallies.append(ImportTally(what: what, count: count))
    }
    addConflicts(repeated)
    if repeated.isWhole {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "repeated", at: SourceLocation(file: file),
          "every row of the file was there already: it adds nothing",
          help: "see whether it is the file that was meant, and of the right days"))
    }
  }

  /// Says of orders that rows of quite other times told before.
  mutating func remark(onFar repeated: RepeatedRows) {
    if repeated.conflicting == 0 { return }
    tallies.append(
      ImportTally(
        what: repeated.conflicting == 1
          ? "order told before, at quite another time" : "orders told before, at quite other times",
        count: repeated.conflicting))
    addConflicts(repeated)
  }

  private mutating func addConflicts(_ repeated: RepeatedRows) {
    diagnostics += repeated.conflicts.map(differing)
    let unnamed = repeated.conflicting - repeated.conflicts.count
    if unnamed > 0 {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "order_id", at: SourceLocation(file: file),
          "\(grouped(unnamed)) more orders are told with other content than before",
          help: "see which of the tables is right: v_order of tieout sql has both rows"))
    }
  }

  private var emptyFile: Diagnostic {
    guard kind?.isReport == true, let from, let to else {
      return Diagnostic(
        .warning, topic: "rows", at: SourceLocation(file: file),
        "the file has no rows: it adds nothing",
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
      order \(conflict.order) is told with other content than in \("\(before)"): \
      \(conflict.columns.joined(separator: ", "))
      """,
      help: """
        one order counts once, by the row of the furthest status; give each order an id of its \
        own, or correct the row that is wrong
        """)
  }
}
