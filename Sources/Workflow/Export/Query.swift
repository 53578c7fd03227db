import Billing
import Languages
import Ledger
import Reporting

/// How the rows of a query are printed.
package enum QueryForm: Sendable { case text, json, csv, jsonLines }

/// Runs one reading statement on the ledger and prints its rows as they come.
///
/// - Parameters:
///   - masksUsers: hides ids of users and the tokens that stand for them.
///   - seconds: how long it may run; 0 for no limit.
///   - megabytes: how much memory SQLite may use; 0 for no limit.
/// - Throws: a ``Stop`` where the statement would change something or cannot be run, and what
///   `sink` throws.
package func query(
  _ sql: String, ledgerPath: String, masksUsers: Bool, _ form: QueryForm,
  seconds: Int = 0, megabytes: Int = 0, to sink: @escaping ([UInt8]) throws -> Void
) throws {
  try stopping {
    let hidden = masksUsers ? try Ledger.reading(ledgerPath) { try UserMask($0) } : nil
    let mask: LedgerQuery.Mask? = hidden.map { mask in { mask($0) } }
    do {
      let connection = try LedgerQuery(
        path: ledgerPath, mask: mask,
        limits: QueryLimits(seconds: seconds, megabytes: megabytes))
      var printer = QueryPrinter(form, sink: sink)
      try connection.run(
        sql, columns: { (names: [String]) in printer.begin(names) },
        row: { (row: LedgerRow) throws in try printer.add(row) })
      try printer.finish()
    } catch let error as QueryError {
      throw error.stop
    }
  }
}

/// Writes what the ledger's views show to an SQLite file of plain tables, whole or not at all.
///
/// - Throws: a ``Stop``.
package func exportPlainTables(
  of ledgerPath: String, to path: String, masksUsers: Bool
) throws {
  try stopping {
    let hidden = masksUsers ? try Ledger.reading(ledgerPath) { try UserMask($0) } : nil
    let mask: LedgerQuery.Mask? = hidden.map { mask in { mask($0) } }
    let scratch = try scratchFolder(beside: path)
    defer { withExtendedLifetime(scratch) {} }
    let made = scratch.path + "/plain.sqlite"
    do {
      try LedgerQuery.writePlainTables(of: ledgerPath, to: made, mask: mask)
    } catch let error as QueryError {
      throw error.stop
    }
    try copyBytes(of: made, to: path)
  }
}

extension QueryError {
  /// The error as it ends the command.
  fileprivate var stop: Stop {
    let views: Wording = "@export.list-the-views-and-their"
    return switch self {
    case .empty:
      Stop(
        .badInput, "@export.there-is-no-query",
        help: "@export.write-one-in-quotes")
    case .several:
      Stop(.badInput, "@export.there-are-several-statements", help: "@export.run-them-one-by-one")
    case .writes:
      Stop(
        .badInput, "@export.query-would-do-more-than",
        help: "@export.ledger-is-only-changed-by")
    case .tooLong(let seconds):
      Stop(
        .badInput,
        counted(seconds, "@export.query-was-stopped-after-1") {
          "@export.query-was-stopped-after-seconds \($0)"
        }, help: "@export.narrow-it-by-days")
    case .tooLarge(let megabytes):
      Stop(
        .badInput, "@export.query-needs-more-than-mb \(grouped(megabytes))",
        help: "@export.narrow-it-sort-less")
    case .refused(let message): Stop(.badInput, "@shared.sqlite \(message)", help: views)
    }
  }
}

/// Rows as a table for people, or as cells for programs.
private struct QueryPrinter {
  /// Rows whose widths all others follow.
  private static let measured = 500

  private let form: QueryForm
  private let sink: ([UInt8]) throws -> Void
  private var writer: RowWriter?
  private var columns: [String] = []
  private var lines: [[String]] = []
  private var numbers: Set<Int> = []
  private var widths: [Int] = []
  /// Whether a row has no room in a line: then each of its columns has a line.
  private var isStacked = false

  init(_ form: QueryForm, sink: @escaping ([UInt8]) throws -> Void) {
    self.form = form
    self.sink = sink
  }

  /// Begins with the names of the columns.
  mutating func begin(_ names: [String]) {
    columns = names
    switch form {
    case .text: break
    case .json: writer = RowWriter(.json, names, sink: sink)
    case .csv: writer = RowWriter(.csv, names, sink: sink)
    case .jsonLines: writer = RowWriter(.jsonLines, names, sink: sink)
    }
  }

  /// Writes a row, or keeps it until `flush` where it is printed for a person.
  mutating func add(_ row: LedgerRow) throws {
    guard writer != nil else {
      lines.append(columns.indices.map { cell(row, $0) })
      if lines.count >= Self.measured { try flush() }
      return
    }
    for column in columns.indices { writer?.add(row, column) }
    try writer?.endRow()
  }

  /// Writes what was kept, and the end.
  mutating func finish() throws {
    try writer?.finish()
    if writer == nil { try flush() }
  }

  /// A value as text on one line, whatever it holds; notes which columns have numbers.
  private mutating func cell(_ row: LedgerRow, _ column: Int) -> String {
    switch row.kind(column) {
    case .null: return ""
    case .integer, .real: if lines.count < Self.measured, widths.isEmpty { numbers.insert(column) }
    case .text, .bytes: if widths.isEmpty { numbers.remove(column) }
    }
    guard row.kind(column) != .bytes else { return hexText(row.bytes(column)) }
    return oneLine(String(decoding: row.text(column)!, as: UTF8.self))
  }

  /// Prints the rows that were kept: the first time with titles, by the widths of these rows.
  private mutating func flush() throws {
    var text = ""
    if widths.isEmpty {
      guard !columns.isEmpty else { return }
      widths = columns.indices.map { column in
        max(displayWidth(columns[column]), lines.map { displayWidth($0[column]) }.max() ?? 0)
      }
      let width = widths.reduce(0, +) + 2 * (widths.count - 1)
      // Without rows the titles alone tell that there are none.
      isStacked = !lines.isEmpty && (ReaderWidth.columns.map { width > $0 } ?? false)
      if !isStacked {
        text = line(columns) + line(widths.map { String(repeating: "-", count: $0) })
      }
    }
    text += lines.map { isStacked ? stackedRow($0) : line($0) }.joined()
    lines.removeAll(keepingCapacity: true)
    try sink(Array(text.utf8))
  }

  /// A row with each of its columns on a line, as `isStacked` has it.
  private func stackedRow(_ cells: [String]) -> String {
    let width = columns.map(displayWidth).max() ?? 0
    return zip(columns, cells).map { name, cell in
      name + (cell.isEmpty ? "" : String(repeating: " ", count: width - displayWidth(name) + 2))
        + cell + "\n"
    }.joined() + "\n"
  }

  /// A row as a line of a table: numbers to the right, all else to the left.
  private func line(_ cells: [String]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += "  " }
      let gap = String(repeating: " ", count: max(0, widths[column] - displayWidth(cell)))
      line += numbers.contains(column) ? gap + cell : cell + gap
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}

extension RowWriter {
  /// Writes a value as the query has it; bytes in hexadecimal digits.
  fileprivate mutating func add(_ row: LedgerRow, _ column: Int) {
    switch row.kind(column) {
    case .null: null()
    case .integer: integer(row.int64(column))
    case .real: number(row.text(column)!)
    case .text: text(row.text(column)!)
    case .bytes: text(hexText(row.bytes(column)))
    }
  }
}

/// The views of the ledger with their columns, for a person.
package func viewGuideText() -> String {
  let general: Wording = "@export.amounts-and-prices-are-numbers"
  let views = LedgerView.all.map { view in
    var table = TextTable("ll")
    if !view.isWhole {
      for column in view.columns { table.add(column.name, say(column.meaning)) }
    }
    return "\(view.name)  \(say(view.meaning))\n" + table.text
  }
  return ([say(general) + "\n"] + views).joined(separator: "\n")
}

/// The views of the ledger with their columns, for a script: one JSON document.
package func viewGuideJSON() -> String {
  jsonDocument { writer in
    writer.objects("views", of: LedgerView.all) { writer, view in
      writer.string("name", view.name)
      writer.string("meaning", view.meaning.english)
      writer.objects("columns", of: view.columns) { writer, column in
        writer.string("name", column.name)
        writer.string("meaning", column.meaning.english)
      }
    }
  }
}
