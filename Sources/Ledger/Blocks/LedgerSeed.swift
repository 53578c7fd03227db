import Billing
import GRDB

/// The number with which the checksums of a ledger's blocks and runs begin, made of its secret: a
/// page of another ledger, however sound it was there, is not taken for a page of this one.
enum LedgerSeed {
  /// What a statement that reads blocks selects beside them; SQLite works it out once.
  static let column = "(SELECT bytes FROM ledger_secret)"

  /// The seed in a column of the row that a statement is on.
  ///
  /// - Parameter column: of a statement that selects ``column``.
  static func read(_ select: borrowing RawStatement, _ column: Int32) -> UInt64 {
    hash64(select.bytes(column))
  }

  /// Reads the ledger's seed; 0 where it has no secret.
  static func of(_ db: Database) throws -> UInt64 {
    let select = try RawStatement(db, "SELECT \(column)")
    return try select.step() ? read(select, 0) : 0
  }
}
