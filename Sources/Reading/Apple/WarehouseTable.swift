package import Billing

/// A table of a data warehouse with the rows of one of Apple's reports: columns by other spellings
/// and others beside them, ISO dates, rows of many days.
///
/// Each day, or span of days, is handed over as the report that Apple made of it: the same columns,
/// dates as Apple writes them, nothing where the warehouse wrote a word for nothing.
package final class WarehouseTable: Sendable {
  /// Rows of one report.
  package struct Slice: Sendable {
    /// As Apple names the report, with an ending of copies.
    package internal(set) var name: String
    package let vendor: String
    package let days: ClosedRange<Day>
    package internal(set) var byteCount = 0
    /// What is odd about it.
    package internal(set) var remarks: [Diagnostic] = []
    var rows: [RowPlace] = []
  }

  struct RowPlace: Sendable {
    var offset: Int
    var length: Int32
    var hash: UInt64
  }

  /// How names of slices end.
  package static let ending = ".copy"

  /// By vendor and day.
  package let slices: [Slice]
  private let layout: WarehouseLayout
  private let source: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]

  /// Finds the rows of each report in a file; nil for a file that is no warehouse's table of one of
  /// Apple's reports, and for Apple's own report.
  ///
  /// - Parameter size: of the file; nil for one that was written out because it may be such a
  ///   table.
  /// - Throws: a diagnostic for a table that is cut, or has a row without a day.
  package init?(
    file: String, size: Int? = nil,
    source: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws {
    let length = 1 << 16
    let head = try source(0, length)
    guard let layout = WarehouseLayout(file: file, head: head) else { return nil }
    if layout.isOwn, let size {
      let tail = try source(max(layout.start, size - length), length)
      guard layout.areOfSeveralDays([head[layout.start...], tail[...]]) else { return nil }
    }
    (self.layout, self.source) = (layout, source)
    var scan = WarehouseScan(layout, file: file)
    do {
      try scan.run(source)
    } catch let wrong as Diagnostic {
      // The reader of Apple's report says what is wrong with it.
      if layout.isOwn { return nil }
      throw wrong
    }
    slices = scan.sortedSlices()
  }

  /// A source of the bytes of a slice's report, from the first one on.
  package func bytes(of slice: Slice) -> ByteSource {
    var ready = ArraySlice(layout.header)
    var (index, start): (Int, Int) = (0, 0)
    var window: [UInt8] = []
    return { [self] buffer in
      while ready.isEmpty, index < slice.rows.count {
        let row = slice.rows[index]
        let end = row.offset + Int(row.length)
        if row.offset < start || end > start + window.count {
          start = row.offset
          window = try source(start, max(Int(row.length), 1 << 20))
        }
        ready = layout.line(window[row.offset - start..<end - start])[...]
        index += 1
      }
      let count = min(buffer.count, ready.count)
      buffer.copyBytes(from: ready.prefix(count))
      ready = ready.dropFirst(count)
      return count
    }
  }
}

extension WarehouseTable: Hashable {
  package static func == (left: WarehouseTable, right: WarehouseTable) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Goes through a table's rows once and keeps where those of each report are.
private struct WarehouseScan {
  private struct Key: Hashable {
    var vendor: String
    var days: ClosedRange<Day>
  }

  private let layout: WarehouseLayout
  private let file: String
  private let vendorOfFile: String
  private var indexes: [Key: Int] = [:]
  private var slices: [WarehouseTable.Slice] = []
  private var rowCount = 0
  private var line = 2
  private var lastIndex = 0
  private var vendors: [[UInt8]: String] = [:]

  init(_ layout: WarehouseLayout, file: String) {
    self.layout = layout
    self.file = file
    vendorOfFile = SalesReportName(path: file)?.vendor ?? ""
  }

  /// Goes through all rows of the table, from its first record on.
  ///
  /// - Parameter source: gives bytes of the file, from an offset on and as many as are asked for;
  ///   fewer at its end.
  mutating func run(_ source: (Int, Int) throws -> [UInt8]) throws {
    var offset = layout.start
    let piece = 4 << 20
    while true {
      let bytes = try source(offset, piece)
      let isEnd = bytes.count < piece
      var start = 0
      while let end = layout.end(ofRecordAt: start, bytes, isEnd: isEnd) {
        try addRow(bytes[start..<end], at: offset + start)
        start = end
      }
      if isEnd {
        guard start == bytes.count else { throw cut() }
        return
      }
      offset += start
      // No record is as long as a piece: a quotation mark is never closed.
      if start == 0 { throw cut() }
    }
  }

  /// Keeps the place of a row in the slice of its vendor and days; a blank line is none. Throws a
  /// diagnostic for a row that is cut or has no day.
  ///
  /// - Parameter offset: where the row begins in the file.
  private mutating func addRow(_ record: ArraySlice<UInt8>, at offset: Int) throws {
    defer { line += record.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
    // Files that stand one behind the other each have it.
    if record.starts(with: layout.titleLine), record.count <= layout.titleLine.count + 1 { return }
    let fields = layout.fields(record)
    if fields.count == 1, layout.value(record[fields[0]]).isEmpty { return }
    guard fields.count >= layout.columnCount else { throw cut() }
    guard let days = layout.days(record, fields) else {
      throw Diagnostic(
        topic: "date", at: SourceLocation(file: file, line: line),
        "@file.warehouse-row-has-no-day", help: "@file.export-the-day-column")
    }
    let key = Key(vendor: vendor(record, fields), days: days)
    let index: Int
    if let known = indexes[key] {
      index = known
    } else {
      index = slices.count
      indexes[key] = index
      let name = layout.name(vendor: key.vendor, days) + WarehouseTable.ending
      slices.append(WarehouseTable.Slice(name: name, vendor: key.vendor, days: days))
    }
    slices[index].rows.append(
      WarehouseTable.RowPlace(
        offset: offset, length: Int32(clamping: record.count),
        hash: layout.hash(record, fields)))
    slices[index].byteCount += record.count
    rowCount += 1
    lastIndex = index
  }

  /// The vendor's number that a row names, or without such a column the file; empty for none.
  private mutating func vendor(_ record: ArraySlice<UInt8>, _ fields: [Range<Int>]) -> String {
    guard let field = layout.vendorField else { return vendorOfFile }
    let bytes = Array(record[fields[field]])
    if let known = vendors[bytes] { return known }
    let value = layout.value(record[fields[field]])
    let isNumber = !value.isEmpty && value.allSatisfy { $0.isASCII && $0.isNumber }
    vendors[bytes] = isNumber ? value : ""
    return vendors[bytes]!
  }

  /// The diagnostic of a table whose last row is not whole.
  private func cut() -> Diagnostic {
    Diagnostic(
      topic: "cut", at: SourceLocation(file: file, line: line), "@file.warehouse-table-is-cut",
      help: "@file.export-the-table-again")
  }

  /// The slices by vendor and day, with what is odd about them; each row once where all of a
  /// report's rows stand there equally often.
  func sortedSlices() -> [WarehouseTable.Slice] {
    var slices = slices
    /// Adds a warning to the slice with this index.
    func remark(_ index: Int, _ topic: String, _ message: Wording, _ help: Wording) {
      slices[index].remarks.append(
        Diagnostic(
          .warning, topic: topic, at: SourceLocation(file: "\(file)/\(slices[index].name)"),
          message, help: help))
    }
    let repeats = slices.map { repetitions($0.rows) }
    // Reports of Apple's have equal rows too, but not all of them.
    let isAsMade = layout.isOwn && repeats.contains { $0.times == 1 }
    for index in slices.indices where !isAsMade {
      let (times, repeated) = repeats[index]
      guard times > 1 else {
        // Apple's reports have equal rows too: who knows the table decides.
        if repeated > 0 {
          let (few, all) = (grouped(repeated), grouped(slices[index].rows.count))
          remark(
            index, "repeated", "@file.some-warehouse-rows-stand-several-times \(few) \(all)",
            "@file.each-row-counts")
        }
        continue
      }
      var seen: Set<UInt64> = []
      slices[index].rows.removeAll { !seen.insert($0.hash).inserted }
      remark(
        index, "repeated", "@file.warehouse-rows-stand-several-times \(times)",
        "@file.each-row-is-taken-once")
    }
    let counts = slices.map(\.rows.count)
    if slices.count > 1, rowCount >= 1000, rowCount % 1000 == 0 {
      remark(
        lastIndex, "cut", "@file.table-has-a-round-number-of-rows \(grouped(rowCount))",
        "@file.export-the-day-whole")
    }
    for (index, inner) in edges(slices) where counts[index] * 2 < inner {
      remark(
        index, "cut",
        "@file.day-has-few-rows \(slices[index].days.lowerBound) \(counts[index]) \(inner)",
        "@file.export-the-day-whole")
    }
    if !layout.unread.isEmpty, !slices.isEmpty {
      let names = layout.unread.prefix(20).joined(separator: ", ")
      remark(
        0, "column", "@file.columns-of-the-warehouse-left-out \(names)",
        "@file.they-are-no-columns-of-apple")
    }
    return slices.sorted { ($0.vendor, $0.days.lowerBound) < ($1.vendor, $1.days.lowerBound) }
  }

  /// How often each row of a report stands there, 1 where rows differ in that; and how many rows
  /// stand there once more than they would have to.
  private func repetitions(_ rows: [WarehouseTable.RowPlace]) -> (times: Int, repeated: Int) {
    var counts: [UInt64: Int] = [:]
    for row in rows { counts[row.hash, default: 0] += 1 }
    let times = Set(counts.values)
    return (times.count == 1 ? times.first! : 1, rows.count - counts.count)
  }

  /// The slices (by index) of the first and the last day of each vendor with at least one day
  /// between them, each with the fewest rows that a day between them has.
  private func edges(_ slices: [WarehouseTable.Slice]) -> [(index: Int, inner: Int)] {
    Dictionary(grouping: slices.indices) { slices[$0].vendor }.values.flatMap {
      indexes -> [(Int, Int)] in
      let days = indexes.sorted { slices[$0].days.lowerBound < slices[$1].days.lowerBound }
      guard let inner = days.dropFirst().dropLast().map({ slices[$0].rows.count }).min() else {
        return []
      }
      return [(days[0], inner), (days[days.count - 1], inner)]
    }.sorted { $0.0 < $1.0 }
  }
}
