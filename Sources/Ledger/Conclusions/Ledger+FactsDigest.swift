import Billing
import GRDB

extension Ledger {
  /// Tables of which a change may change a conclusion: what was imported or rejected, which days
  /// had no sales, which answers are whole, what was closed; of Apple's other answers only that it
  /// has no subscription report of a day. All other rows come and go with a row of these, or are
  /// said of conclusions.
  static let basisTables = ["source", "rejected_file", "no_sales", "answer_page", "close"]

  /// What conclusions rest on, as a digest: another one as soon as a file is imported, replaced or
  /// forgotten, a day is recorded as without sales or without a subscription report, or a month is
  /// closed or reopened.
  package func factsDigest() throws -> String {
    try read { db in
      var digest = Digest()
      for table in Self.basisTables {
        digest.add(table)
        let rows = try RawStatement(db, "SELECT * FROM \(table)")
        while try rows.step() {
          for column in 0..<rows.columnCount { digest.add(rows.text(column)) }
        }
      }
      for empty in try Self.emptySubscriptionReports(nil, db) {
        digest.add("\(empty.kind.rawValue) \(empty.day) \(empty.vendor)")
      }
      return digest.text
    }
  }
}
