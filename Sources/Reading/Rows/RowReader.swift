internal import Billing

/// Turns flat records of one kind into rows of blocks.
protocol RowReader: BlockSource {
  /// Reads a record into rows, and returns how many records it stands for: 1 but for tables that
  /// hold several facts per line. A record at fault leaves no row.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int
  /// Whether a record that cannot be divided stands behind the end of the table, and is a footer.
  mutating func isBehindTable(_ raw: UnsafeRawBufferPointer) -> Bool
}

extension RowReader {
  mutating func isBehindTable(_: UnsafeRawBufferPointer) -> Bool { false }
}

/// Turns JSON records of any depth into rows of blocks.
protocol TapeReader: BlockSource {
  /// Reads the record on the tape into rows, and returns how many records it stands for. A record
  /// at fault leaves no row.
  ///
  /// - Parameter line: the line on which it begins.
  mutating func read(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Int
  /// Looks ahead at the bytes that the next records are in, as soon as they are there.
  mutating func expect(_ text: UnsafeRawBufferPointer)
}

extension TapeReader {
  mutating func expect(_ text: UnsafeRawBufferPointer) {}
}

/// Turns pieces of a text that is neither table nor JSON into rows of blocks.
protocol PieceReader: BlockSource {
  /// How many bytes the piece has that begins the text; nil where its end is not there yet.
  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int?
  /// Reads a piece into rows, and returns how many records it holds. A piece at fault is one record
  /// and leaves no row.
  ///
  /// - Parameter line: the line on which it begins.
  mutating func read(
    _ piece: UnsafeRawBufferPointer, line: Int32
  ) throws(RecordDiagnostic) -> Int
}

/// The place behind the first `tag` of a text, for pieces that end with one; nil where it is not
/// there yet.
func endOfTag(_ tag: String, in text: UnsafeRawBufferPointer) -> Int? {
  let tag = Array(tag.utf8)
  var index = 0
  while let next = text[index...].firstIndex(of: tag[0]) {
    if text[next...].starts(with: tag) { return next + tag.count }
    index = next + 1
  }
  return nil
}

/// Collects rows until they are handed over as blocks.
protocol BlockSource {
  associatedtype Block: RecordBlock
  /// Rows since the last block, and footers.
  var pending: Int { get }
  /// Records so far that are neither rows nor rejects: what a report says of itself.
  var footerCount: Int { get }
  /// Hands over the rows since the last block, and the dictionary entries that are new with them.
  mutating func takeBlock() -> Block
  /// Days and sums of all rows, and warnings about them.
  func summary(_ log: ReadingLog) throws -> RowSummary
}

extension BlockSource {
  var footerCount: Int { 0 }
}

/// A run of a file's records: those that were understood and those that were not.
protocol RecordBlock {
  var rowCount: Int { get }
  /// In file order.
  var rejects: [Reject] { get set }
}

extension FactBlock: RecordBlock {}
