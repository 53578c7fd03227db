internal import Billing

/// The period of the counts beside which the rows of a table were handed over: all name the same.
struct HandedOver {
  private(set) var period = ""
  private let field: Int
  private var isFirst = true

  /// - Parameter field: of `counted_period`; one that no table has is blank.
  init(_ field: Int) { self.field = field }

  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) {
    if field < 0 { return }
    if isFirst || !period.utf8.elementsEqual(trimmed(record[field])) { try take(record) }
  }

  @inline(never)
  private mutating func take(_ record: Record) throws(RecordDiagnostic) {
    let text = record.text(field)
    guard isFirst else {
      throw RecordDiagnostic(
        field, "period", "expected counted_period \(period), found \(shown(record[field]))",
        help: "a file has the rows of one period: import what each script wrote by itself")
    }
    guard text.isEmpty || Period(text)?.description == text else {
      throw RecordDiagnostic(
        field, "period", "counted_period is not a period: \(shown(record[field]))",
        help: "write it as tieout spark does, such as 2023-06")
    }
    (period, isFirst) = (text, false)
  }
}
