internal import Billing

extension ExchangeRate: CompanyRow {
  static func rows(_ rows: [(line: Int32, ExchangeRate)]) -> FactBlock.Rows { .rates(rows) }

  var days: ClosedRange<Day>? { date...date }

  /// Divides the row's rate by the units that it is for, and keeps it; throws a diagnostic when
  /// another row has another one of the same day and pair.
  mutating func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _ said: inout ToldRates
  ) throws(RecordDiagnostic) {
    let scale = try record.scaleOfUnits(columns.field("units"))
    if scale > 0 {
      // As text, so that it is the rate that somebody would have written for one unit.
      guard let rate = DecimalRate(decimal: "\(rate.text())e-\(scale)") else {
        throw RecordDiagnostic(
          columns.field("rate"), "rate", "@company.has-too-many-digits \("rate") \(rate.text())",
          help: "@company.write-at-most-18-digits")
      }
      self.rate = rate
      said.divided += 1
    }
    try said.add(self, line: record.line, columns.field("rate"))
  }
}

extension Record {
  /// The power of ten of units in a field that a rate is for: 2 for a hundred; 0 where it is blank,
  /// has no digit, as the name of a unit, or is SDMX's 0. Throws a diagnostic for another number.
  func scaleOfUnits(_ field: Int) throws(RecordDiagnostic) -> Int {
    let bytes = trimmed(self[field])
    guard bytes.contains(where: { $0 &- 0x30 < 10 }) else { return 0 }
    let text = DecimalRate(decimal: bytes)?.text() ?? ""
    if text == "0" { return 0 }
    guard text.first == "1", text.dropFirst().allSatisfy({ $0 == "0" }), text.utf8.count < 8 else {
      throw RecordDiagnostic(
        field, "rate", "@company.units-are-not-a-power-of-ten \(shown(bytes))",
        help: "@company.write-the-rate-of-one-unit")
    }
    return text.utf8.count - 1
  }
}

/// The rate in a field, as it is written; throws a diagnostic unless it is above zero and at most a
/// thousand million.
///
/// - Parameter scale: the power of ten that it is for, such as 2 for a hundred.
func exchangeRate(
  _ record: Record, _ field: Int, _ name: String, scale: Int = 0
) throws(RecordDiagnostic) -> DecimalRate {
  let bytes = trimmed(record[field])
  if bytes.isEmpty { throw record.blankDiagnostic(field, name) }
  let found =
    scale == 0
    ? DecimalRate(decimal: bytes)
    : (Array(bytes) + Array("e-\(scale)".utf8)).withUnsafeBytes { DecimalRate(decimal: $0) }
  guard let rate = found else {
    guard bytes.contains(where: { $0 &- 0x30 < 10 }), bytes.count(where: { $0 == 0x2E }) < 2,
      bytes.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x2E })
    else { throw record.amountDiagnostic(field, name) }
    throw RecordDiagnostic(
      field, "rate", "@company.has-too-many-digits \(name) \(shown(bytes))",
      help: "@company.write-at-most-18-digits")
  }
  if rate.value > Fraction(1_000_000_000) {
    throw RecordDiagnostic(
      field, "amount", "@shared.is-larger-than-a-billion \(name) \(shown(bytes))",
      help: "@shared.decimal-point-may-have-been")
  }
  guard rate.digits > 0 else {
    throw RecordDiagnostic(
      field, "rate", "@company.is-not-above-zero \(name) \(shown(record[field]))",
      help: "@company.write-how-much")
  }
  return rate
}

/// The rates of a file by day and pair: two of one cannot both be right.
struct ToldRates: SaidRows {
  private struct Key: Hashable {
    var day: Day
    var base: Currency
    var quote: Currency
  }

  private var rates: [Key: (rate: DecimalRate, line: Int32)] = [:]
  /// Rates for several units that were divided.
  var divided = 0

  var tallies: [Tally] {
    if divided == 0 { return [] }
    return [
      Tally(
        what: "@company.rates-divided-by-their-units", one: "@company.rate-divided-by-its-units",
        count: divided)
    ]
  }

  /// Keeps the rate of a day and a pair; throws a diagnostic when another line has another one.
  ///
  /// - Parameter field: of the rate in its record.
  mutating func add(_ row: ExchangeRate, line: Int32, _ field: Int) throws(RecordDiagnostic) {
    let key = Key(day: row.date, base: row.base, quote: row.quote)
    guard let earlier = rates[key] else {
      rates[key] = (row.rate, line)
      return
    }
    if earlier.rate == row.rate { return }
    throw Self.contradiction(row, told: earlier.rate, line: earlier.line, field)
  }

  /// What is wrong with a rate where another line has another one for the same day and pair.
  static func contradiction(
    _ row: ExchangeRate, told rate: DecimalRate, line: Int32, _ field: Int
  ) -> RecordDiagnostic {
    RecordDiagnostic(
      field, "rate",
      """
      @company.1-is-on-here \(row.base) \(row.rate.text()) \(row.quote) \(row.date) \
      \(rate.text()) \(line)
      """, help: "@company.leave-out-the-line-whose")
  }
}
