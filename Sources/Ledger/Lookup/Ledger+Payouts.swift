package import Billing
import GRDB

/// A payout that two summaries have, of the same month and of different vendors.
package struct SharedPayout: Hashable, Sendable {
  package var line: Int
  package var amount: Money
  /// As printed: `BANK-****1234`; empty where it is not.
  package var account: String
  /// The other summary, and whose it is.
  package var file: String
  package var vendor: String
}

extension Ledger {
  /// Payouts of a summary that a current summary of another vendor has, too: the same amount of the
  /// same month to the same account.
  ///
  /// - Parameter sha256: of the summary.
  package func payoutsOfOtherVendors(sha256: String) throws -> [SharedPayout] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT DISTINCT p.line, p.amount, p.currency, p.account, o.file, o.vendor
        FROM source s JOIN payout p ON p.source_id = s.id
          JOIN source o ON o.kind = s.kind AND o.begin_day IS s.begin_day AND o.id != s.id
            AND o.vendor != s.vendor AND o.vendor != '' AND o.status != 'superseded'
          JOIN payout q ON q.source_id = o.id AND q.amount = p.amount
            AND q.currency IS p.currency AND q.account = p.account
        WHERE s.sha256 = ? AND p.amount != 0 AND p.currency IS NOT NULL
        ORDER BY p.line, o.file
        """, sha256)
      var found: [SharedPayout] = []
      while try select.step() {
        guard let currency = Currency(select.text(2)) else { continue }
        found.append(
          SharedPayout(
            line: Int(select.int64(0)), amount: Money(micros: select.int64(1), currency),
            account: select.text(3), file: select.text(4), vendor: select.text(5)))
      }
      return found
    }
  }
}
