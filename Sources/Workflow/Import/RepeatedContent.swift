import Billing
import Ledger

extension ImportedFile {
  /// Adds to a loaded file the counts and warnings of rows that the ledger had before, and a
  /// warning where it has no rows at all.
  mutating func remark(on repeated: RepeatedRows) {
    if rows == 0, rejected == 0, !diagnostics.contains(where: { $0.topic == "where" }) {
      diagnostics.append(emptyFile)
    }
    for (count, what, one) in [
      (
        repeated.unchanged, "@import.rows-already-in-the-ledger",
        "@import.row-already-in-the-ledger"
      ),
      (
        repeated.progressed, "@import.orders-already-in-the-ledger",
        "@import.order-already-in-the-ledger"
      ),
      (
        repeated.conflicting, "@import.orders-already-in-the-ledger-with-different",
        "@import.order-already-in-the-ledger-with-different"
      ),
      (
        repeated.movements.ofPurchases.count, "@import.movements-repeat-their-purchase",
        "@import.movement-repeats-its-purchase"
      ),
    ] as [(Int, Wording, Wording)] where count > 0 {
      tallies.append(ImportTally(what: what, one: one, count: count))
    }
    addConflicts(repeated)
    if repeated.movements.others.count > 0 {
      diagnostics.append(equalMovements(repeated.movements.others))
    }
    if repeated.isWhole {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "repeated", at: SourceLocation(file: file),
          "@import.every-row-of-the-file",
          help: "@import.see-whether-it-is"))
    }
  }

  /// Warns that this file, which is in the ledger and not read again, would be read otherwise by
  /// the mapping of now.
  ///
  /// - Parameters:
  ///   - name: by which it is in the ledger.
  ///   - keys: of the mapping, that say something else now.
  mutating func remarkOnMapping(imported name: String, _ keys: [String]) {
    var warning = Diagnostic(
      .warning, topic: "mapping", at: SourceLocation(file: file),
      "@import.was-read-by-another-mapping \(name) \(keys.joined(separator: ", "))",
      help: "@import.to-read-it-by-the-new-one \(readAnew)")
    warning.comesFirst = true
    diagnostics.append(warning)
  }

  /// The shell commands by which this file is taken out of the ledger and imported once more.
  var readAnew: String {
    let names = [sameAs ?? file, file].map(shellWord)
    return "tieout forget \(names[0]) && tieout import \(names[1])"
  }

  /// Adds the count and the warnings of orders whose ids rows of quite other times have, with other
  /// content.
  mutating func remark(onFar repeated: RepeatedRows) {
    if repeated.conflicting == 0 { return }
    tallies.append(
      ImportTally(
        what: "@import.orders-seen-before-at-very",
        one: "@import.order-seen-before", count: repeated.conflicting))
    addConflicts(repeated)
  }

  /// Adds a warning for each listed order that differs from its earlier row, and one with the
  /// number of those that are not listed.
  private mutating func addConflicts(_ repeated: RepeatedRows) {
    diagnostics += repeated.conflicts.map(conflictWarning)
    let unnamed = repeated.conflicting - repeated.conflicts.count
    if unnamed > 0 {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "order_id", at: SourceLocation(file: file),
          "@import.further-orders-differ-from-earlier \(grouped(unnamed))",
          help: "@import.see-which-of-the-tables"))
    }
  }

  /// The warning that the file has equal movements of coins. Only the company can say whether such
  /// movements are two or one that a join repeated.
  private func equalMovements(_ rows: RepeatedMovements.Rows) -> Diagnostic {
    Diagnostic(
      .warning, topic: "repeated", at: SourceLocation(file: file, line: rows.line),
      counted(rows.count, "@import.movement-is-told-twice") {
        "@import.movements-are-told-twice \($0)"
      }, help: "@import.see-whether-movements-are-two")
  }

  /// The warning that the file has no rows; of a report of Apple's, with its days.
  private var emptyFile: Diagnostic {
    guard kind?.isReport == true, let from, let to else {
      return Diagnostic(
        .warning, topic: "rows", at: SourceLocation(file: file),
        "@import.file-has-no-rows",
        help: "@import.export-it-again-a-query")
    }
    return Diagnostic(
      .warning, topic: "rows", at: SourceLocation(file: file),
      "@import.report-has-no-rows-apple \(span(from, to) ?? "")",
      help: "@import.download-it-again-where-there")
  }

  /// The warning that an order differs from its earlier row, with the places of both and the
  /// columns.
  private func conflictWarning(_ conflict: RepeatedRows.Conflict) -> Diagnostic {
    let before = SourceLocation(
      file: conflict.before.file.isEmpty ? file : conflict.before.file, line: conflict.before.line)
    return Diagnostic(
      .warning, topic: "order_id", at: SourceLocation(file: file, line: conflict.line),
      """
      @import.order-differs-from-its-row \(conflict.order) \("\(before)") \
      \(conflict.columns.asList)
      """,
      help: "@import.order-counts-once-by")
  }
}

/// The path as one word of a shell command: in single quotes where it has characters that a shell
/// reads as its own.
func shellWord(_ path: String) -> String {
  let isPlain = path.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || ("0"..."9").contains($0)
      || "./_-+,:=@%".unicodeScalars.contains($0)
  }
  return isPlain ? path : "'" + oneLine(path).replacing("'", with: #"'\''"#) + "'"
}
