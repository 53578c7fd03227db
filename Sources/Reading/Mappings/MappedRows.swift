internal import Billing

/// Rows of a mapped file: the values of each record are written anew as the table's own reader
/// expects them.
struct MappedRows<Reader: RowReader>: RowReader {
  private var reader: Reader
  private var values: MappedValues
  private let marks: TextMarks
  private var isBehindEnd = false
  private var unread = 0
  private var filter: RowSelection
  private var leftOut = 0
  private var reads = 0

  /// - Parameters:
  ///   - filter: which rows are the table's.
  ///   - makeReader: makes the table's reader for records that lie as `values` writes them.
  init(
    _ values: MappedValues, _ filter: RowSelection, _ makeReader: (ColumnMap) throws -> Reader
  ) throws {
    self.values = values
    marks = TextMarks(count: values.fieldCount)
    self.filter = filter
    reader = try makeReader(ColumnMap(fields: values.fields))
  }

  var pending: Int { reader.pending }
  /// Rows from the one that ends the table, and those left out, are no rows of it.
  var footerCount: Int { reader.footerCount + unread + leftOut }

  /// Reads a record by the table's reader, with its values written anew; a row that the mapping
  /// leaves out, or that stands below the table, is a footer.
  mutating func read(_ raw: Record) throws(RecordDiagnostic) -> Int {
    let record = marks.without(raw)
    if isBehindEnd || values.endsTable(record) {
      isBehindEnd = true
      unread += 1
      return 1
    }
    if filter.leavesOut(record) {
      leftOut += 1
      if reads == 0 { filter.note(record) }
      return 1
    }
    reads += 1
    do throws(RecordDiagnostic) {
      return try reader.read(try values.rewritten(record))
    } catch {
      var diagnostic = error
      diagnostic.field = error.field.map(values.source(of:))
      throw diagnostic
    }
  }

  /// Whether a row that cannot be divided ends the table or stands below it: such rows may have
  /// another number of fields.
  mutating func isBehindTable(_ raw: UnsafeRawBufferPointer) -> Bool {
    guard isBehindEnd || values.endsTable(raw) else { return false }
    isBehindEnd = true
    unread += 1
    return true
  }

  mutating func takeBlock() -> Reader.Block { reader.takeBlock() }

  /// The sums of the table's rows, with warnings about rows that were not read and times that are
  /// not certain.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    if unread > 0 {
      log.warn(
        "rows",
        counted(unread, "@mapping.1-row-is-not-read") {
          "@mapping.rows-are-not-read-stop \($0)"
        }, help: "@mapping.where-rows-of-the-table")
    }
    if values.uncertainTimes > 0 {
      log.warn(
        "date",
        counted(values.uncertainTimes, "@mapping.1-time-lies") {
          "@mapping.times-lie-in-an-hour \($0)"
        },
        help: "@mapping.they-are-read-as-if")
    }
    var summary = try reader.summary(log)
    if leftOut > 0, reads == 0 {
      log.warn(
        "where", "@mapping.all-rows-left-out \(grouped(leftOut)) \(filter.told)",
        help: "@mapping.correct-where-or-skip")
    }
    summary.selectedOut = leftOut
    if leftOut > 0 {
      summary.tallies.append(
        Tally(what: "@mapping.rows-left-out", one: "@mapping.row-left-out", count: leftOut))
    }
    return summary
  }

  /// The first record's values as the reader saw them; none before there was one.
  var firstValues: [String] { values.firstValues }
}
