internal import Billing

/// Transaction ids that are not as Apple writes them, which are numbers: other stores have letters.
struct ForeignIDs {
  private var rows = 0
  private var line: Int32 = 0
  private var first = ""

  /// Notes an id that begins with no digit.
  ///
  /// - Parameter field: the id's in its record.
  /// - Throws: a diagnostic of one of Google Play's, which begin with `GPA.`.
  @inline(never)
  mutating func note(
    _ id: UnsafeRawBufferPointer, _ line: Int32, _ field: Int
  ) throws(RecordDiagnostic) {
    if id.starts(with: "GPA.".utf8) {
      throw RecordDiagnostic(
        field, "id", "@company.transaction-id-is-google \(shown(id))",
        help: "@company.export-apple-rows-only",
        hint: .skip("GPA.*", column: "transaction_id"))
    }
    if rows == 0 { (self.line, first) = (line, shown(id)) }
    rows += 1
  }

  /// Adds a warning where some rows, but not all, have ids that begin with no digit; where all have
  /// them, they are the company's own.
  ///
  /// - Parameter rows: all rows of the file.
  func warn(_ log: ReadingLog, rows all: Int64) {
    guard rows > 0, rows < all else { return }
    log.warn(
      "id", line: Int(line),
      counted(rows, "@company.1-transaction-id-is-not-apple \(first)") {
        "@company.transaction-ids-are-not-apple \($0) \(first)"
      }, help: "@company.where-another-store-sold-them")
  }
}
