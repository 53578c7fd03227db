internal import Billing

/// The period of the counts beside which the rows of a table were handed over: all name the same.
struct HandedOver {
  private(set) var period = ""
  private let field: Int
  private var isFirst = true

  /// - Parameter field: of `counted_period`; one that no table has is blank.
  init(_ field: Int) { self.field = field }

  /// Reads the period that a row names, which may be blank; throws a diagnostic when it is another
  /// than that of the rows before, or no period.
  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) {
    if field < 0 { return }
    if isFirst || !period.utf8.elementsEqual(trimmed(record[field])) { try readNew(record) }
  }

  /// Reads the period of the first row; throws a diagnostic for a later row, which names another
  /// one, and for a text that is no period.
  @inline(never)
  private mutating func readNew(_ record: Record) throws(RecordDiagnostic) {
    let text = record.text(field)
    guard isFirst else {
      throw RecordDiagnostic(
        field, "period", "@company.expected-counted-period-found \(period) \(shown(record[field]))",
        help: "@company.file-has-the-rows")
    }
    guard text.isEmpty || Period(text)?.description == text else {
      throw RecordDiagnostic(
        field, "period", "@company.counted-period-is-not \(shown(record[field]))",
        help: "@company.write-it-as-tieout-spark")
    }
    (period, isFirst) = (text, false)
  }
}
