package import Billing
import GRDB

extension Ledger {
  /// Adds what people said of findings, all of it or nothing.
  ///
  /// - Throws: `LedgerError` where the ledger is in use or cannot be written.
  package func add(_ remarks: [Remark]) throws {
    try write { db in
      for remark in remarks {
        try db.execute(
          sql: """
            INSERT INTO finding_remark (action, finding_id, subject, code, period, units, amount,
              currency, said_at, said_by, assignee, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            remark.action.rawValue, remark.finding, remark.subject, remark.code.rawValue,
            remark.period, remark.units, remark.amount, remark.currency?.code, remark.at.seconds,
            remark.by, remark.assignee, remark.reason,
          ])
      }
      return .commit
    }
  }

  /// All that was said of findings, the oldest first.
  package func remarks() throws -> [Remark] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT id, action, finding_id, subject, code, period, units, amount, currency, said_at,
          said_by, assignee, reason
        FROM finding_remark ORDER BY id
        """)
      var remarks: [Remark] = []
      while try select.step() {
        guard let action = Remark.Action(rawValue: select.text(1)),
          let code = FindingCode(rawValue: select.text(4))
        else { throw LedgerError.corrupt(path: path, detail: "a remark of \(select.text(4))") }
        remarks.append(
          Remark(
            number: select.int64(0), action, finding: select.text(2), subject: select.text(3),
            code: code, period: select.text(5), units: select.optionalInt64(6),
            amount: select.optionalInt64(7), currency: Currency(select.text(8)),
            at: Instant(seconds: select.int64(9)), by: select.text(10),
            assignee: select.text(11), reason: select.text(12)))
      }
      return remarks
    }
  }
}
