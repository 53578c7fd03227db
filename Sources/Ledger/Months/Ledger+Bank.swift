package import Billing
import GRDB

/// What is the same line in two statements, whichever of both says more of it.
private struct StatementLine: Hashable {
  var day: Day
  var amount: Int64
  var currency: Currency
  var text: String
}

extension Ledger {
  /// What bank statements say of `days`.
  package func bank(of days: ClosedRange<Day>) throws -> BankFacts {
    try read { try Self.bank(days, $0) }
  }

  /// The lines of current bank statements on `days`, ascending by day, amount, reference and place.
  ///
  /// Statements overlap: a line that several files have stands as often as in the one that has it
  /// most often, with the place of that file.
  static func bank(_ days: ClosedRange<Day>, _ db: Database) throws -> BankFacts {
    let select = try RawStatement(
      db,
      """
      SELECT b.day, b.amount, b.currency, b.reference, s.file, b.line, b.value_day, b.payer
      FROM bank_credit b JOIN source s ON s.id = b.source_id
      WHERE b.day BETWEEN ? AND ? ORDER BY s.file, s.sha256, b.line
      """, days.lowerBound, days.upperBound)
    var places: [StatementLine: [String: [(credit: BankCredit, source: Source)]]] = [:]
    while try select.step() {
      guard let currency = Currency(select.text(2)) else { continue }
      let credit = BankCredit(
        day: select.day(0), amount: select.int64(1), currency: currency, reference: select.text(3),
        valueDay: select.optionalDay(6), payer: select.text(7))
      let source = Source(file: select.text(4), line: Int(select.int64(5)))
      let line = StatementLine(
        day: credit.day, amount: credit.amount, currency: currency, text: credit.text)
      places[line, default: [:]][source.file, default: []].append((credit, source))
    }
    var facts = BankFacts()
    for files in places.values {
      facts.credits +=
        files.values.max { ($0.count, $1[0].source) < ($1.count, $0[0].source) } ?? []
    }
    facts.credits.sort { left, right in
      (
        left.credit.day, left.credit.currency, left.credit.amount, left.credit.text,
        left.source
      )
        < (
          right.credit.day, right.credit.currency, right.credit.amount, right.credit.text,
          right.source
        )
    }
    let spans = try RawStatement(
      db,
      """
      SELECT begin_day, end_day FROM source
      WHERE kind = 'bank' AND status = 'current' AND begin_day <= ? AND end_day >= ?
      ORDER BY begin_day, end_day
      """, days.upperBound, days.lowerBound)
    while try spans.step() { facts.spans.append(spans.day(0)...spans.day(1)) }
    return facts
  }
}
