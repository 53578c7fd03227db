package import Billing
import GRDB

extension Ledger {
  /// The pages of answers of each file in their order; files by name and content, whatever the
  /// order of their import.
  package func answerPages() throws -> [[ImportedPage]] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT s.id, s.file FROM source s
        WHERE EXISTS (SELECT 1 FROM answer_page p WHERE p.source_id = s.id)
        ORDER BY s.file, s.sha256
        """)
      return try select.all {
        let file = select.text(1)
        let pages = try AnswerPage.select(
          "WHERE source_id = ? ORDER BY id", select.int64(0), in: db)
        return pages.map { ImportedPage($0, file: file) }
      }
    }
  }
}
