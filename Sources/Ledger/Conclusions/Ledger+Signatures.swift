package import Billing
import GRDB

extension Ledger {
  /// Numbers of the closes that need two signatures.
  package func closesOfTwo() throws -> Set<Int64> {
    try read { db in
      try Set(Int64.fetchAll(db, sql: "SELECT DISTINCT close_id FROM close_withheld"))
    }
  }

  /// The second signatures that were given, by the numbers of their closes.
  package func secondSignatures() throws -> [Int64: SecondSignature] {
    try read { db in
      let select = try RawStatement(
        db, "SELECT close_id, signed_at, signed_by, as_of, version FROM close_signature")
      var signatures: [Int64: SecondSignature] = [:]
      while try select.step() {
        let close = select.int64(0)
        signatures[close] = SecondSignature(
          close: close, at: Instant(seconds: select.int64(1)), by: select.text(2),
          asOf: select.day(3), version: select.text(4))
      }
      return signatures
    }
  }

  /// Adds a second signature with the documents that state it, and hands out what was withheld for
  /// it: whole or not at all.
  ///
  /// - Parameter state: what it was concluded from, as this ledger saw it.
  /// - Returns: false, and nothing added, where the ledger was changed since by anybody else.
  package func add(
    _ signature: SecondSignature, documents: [CloseDocument], concludedFrom state: State
  ) throws -> Bool {
    var isAdded = false
    try write(patience: 600) { db in
      guard try Self.isUnchanged(since: state, db) else { return .rollback }
      try db.execute(
        sql: "INSERT INTO close_signature VALUES (?, ?, ?, ?, ?)",
        arguments: [
          signature.close, signature.at.seconds, signature.by, signature.asOf.number,
          signature.version,
        ])
      for document in documents { try Self.insert(document, signature.close, db) }
      try db.execute(
        sql: "INSERT INTO close_document SELECT * FROM close_withheld WHERE close_id = ?",
        arguments: [signature.close])
      isAdded = true
      return .commit
    }
    return isAdded
  }
}
