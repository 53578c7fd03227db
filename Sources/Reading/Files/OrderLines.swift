internal import Billing

/// The columns of a table of orders that tell the lines of an order apart: those with another value
/// in each row, names of IDs first. Columns that are read for something else are none.
///
/// - Returns: at most three, as the file calls them.
/// - Throws: as ``readFile(name:hints:from:tap:sink:storefronts:regions:prices:)``.
package func columnsOfLines(
  name: String, hints: ReadingHints, from source: @escaping ByteSource
) throws -> [String] {
  let limits = ReadingLimits()
  let bytes = BytePieces(
    ByteInput(file: name, blockSize: limits.blockSize, source: source, tap: { _ in }),
    size: limits.blockSize, readsAhead: false)
  return try bytes.reading {
    let mappings = hints.mappings(for: name)
    let stream = try TextStream(
      file: name, bytes: bytes, limits: limits,
      encoding: mappings.lazy.compactMap(\.encoding).first)
    let log = ReadingLog(file: name)
    let found = try identify(stream, mappings: mappings, asked: hints.kind, log: log)
    guard case .delimited(let header, let delimiting) = found.form else { return [] }
    let fields =
      found.mapped?.fields
      ?? CompanyTable.orders.names.map {
        header.names.firstIndex(of: $0) ?? -1
      }
    var loop = RecordLoop(
      reader: UniqueFields(count: header.printed.count, besides: Set(fields)), log: log,
      limits: limits, sink: { _ in })
    try loop.run(stream, Divider(delimiting, columns: header.names.count))
    let unique = loop.reader.unique.map { header.printed[$0] }.filter { !$0.isEmpty }
    let ids = unique.filter { !NameWords($0).known.isDisjoint(with: [.id, .line]) }
    return Array((ids + unique.filter { !ids.contains($0) }).prefix(3))
  }
}

/// Finds the fields that have another value in each record.
private struct UniqueFields: RowReader {
  struct Rows: RecordBlock {
    var rowCount = 0
    var rejects: [Reject] = []
  }

  private var candidates: [Int]
  private var values: [Set<Int>]
  private(set) var pending = 0
  private var rows = 0
  /// Rows that are looked at: where a value repeats, it does so soon.
  private static let mostRows = 100_000

  /// - Parameters:
  ///   - count: fields of a record.
  ///   - read: those of them that are read for something else, and not looked at.
  init(count: Int, besides read: Set<Int>) {
    candidates = (0..<count).filter { !read.contains($0) }
    values = Array(repeating: [], count: count)
  }

  /// The fields that had another value in each record, none blank; none where there is one record.
  var unique: [Int] { rows > 1 ? candidates : [] }

  /// Drops the fields in which the record has a blank, or a value that another record has.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    pending += 1
    rows += 1
    guard rows <= Self.mostRows else { return 1 }
    candidates.removeAll { field in
      let bytes = trimmed(record[field])
      return bytes.isEmpty || !values[field].insert(Array(bytes).hashValue).inserted
    }
    return 1
  }

  mutating func takeBlock() -> Rows {
    defer { pending = 0 }
    return Rows(rowCount: pending)
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }
}
