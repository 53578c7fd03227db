internal import Billing

/// Sizes that only tests change.
struct ReadingLimits {
  /// Bytes that are read at a time.
  var blockSize = 512 * 1024
  /// Bytes of the longest record of a table.
  var recordLength = 1 << 20
  /// Bytes of the longest record in which Apple told of purchases: one receipt alone can be a
  /// megabyte.
  var purchaseLength = 16 << 20
  /// Blank bytes that follow each other: two megabytes of gzip can hold a thousand times as many.
  var blankLength = 16 << 20
  /// Keys of one JSON object.
  static let keys = 4096
  /// Rows, and apart from them rejects, after which a block is handed on.
  var rowsPerBlock = FactBlock.rowLimit
  var rejectsPerBlock = 4096
}
