import Billing
import Languages
import Pricing
import Reporting

/// How answers about prices are printed.
package enum PriceForm: Sendable { case text, json, csv }

/// An answer, ready to be printed any number of times.
struct PricedRow {
  let expectation: PriceExpectation
  let rule: String
  /// The proceeds at each of ``compared``; empty where nobody compares.
  let beside: [Int64]

  /// Commissions that tables of many answers compare, in millionths.
  static let compared: [Int64] = [300_000, 150_000]

  /// An answer with its rule in the reader's language.
  ///
  /// - Parameter beside: proceeds in micro-units at each of ``compared``.
  init(_ quote: PriceQuote, beside: [Int64] = []) {
    expectation = quote.expectation
    rule = say(quote.expectation.rule)
    self.beside = beside
  }
}

/// Prints answers as they come.
///
/// - Parameters:
///   - sink: takes the document in runs of some hundred kilobytes.
///   - rows: calls what it is given with each answer in turn. What it throws is thrown on; a
///     document of which a run has been taken is ended before.
func writePrices(
  _ form: PriceForm, to sink: ([UInt8]) throws -> Void,
  rows: ((PricedRow) throws -> Void) throws -> Void
) throws {
  try withoutActuallyEscaping(sink) { sink in
    switch form {
    case .json: try writeJSON(to: sink, rows)
    case .csv: try writeCSV(to: sink, rows)
    case .text: try writeTable(to: sink, rows)
    }
  }
}

private typealias Sink = ([UInt8]) throws -> Void

/// Bytes that are collected before they are handed on.
private let runLength = 256 * 1024

/// Writes the answers as one JSON document, in runs of `runLength` bytes.
private func writeJSON(
  to sink: @escaping Sink, _ rows: ((PricedRow) throws -> Void) throws -> Void
) throws {
  var json = JSONWriter(reserving: runLength + 16 * 1024)
  var failure: (any Error)?
  try json.object { json in
    json.key("prices")
    try json.array { json in
      var hasBegun = false
      do {
        try rows { row in
          json.write(row)
          guard json.byteCount >= runLength else { return }
          hasBegun = true
          try sink(json.takeBytes())
        }
      } catch {
        guard hasBegun else { throw error }
        failure = error
      }
    }
  }
  try sink(json.takeBytes() + [0x0A])
  if let failure { throw failure }
}

extension JSONWriter {
  /// Writes an answer as an object.
  fileprivate mutating func write(_ row: PricedRow) {
    let found = row.expectation
    let digits = found.currency.minorDigits
    object { json in
      json.string("storefront", found.storefront.code)
      json.string("currency", found.currency.code)
      json.decimal("price", found.price, minimumDigits: digits)
      json.string("date", found.day.description)
      json.decimal("tax", found.tax, minimumDigits: digits)
      json.decimal("deduction", found.deduction)
      json.decimal("commission", found.commission, minimumDigits: digits)
      json.decimal("proceeds", found.proceeds, minimumDigits: digits)
      json.string("rule", row.rule)
      json.string("tax_evidence", found.basis.taxEvidence?.rawValue)
    }
  }
}

/// Writes the answers as CSV, in runs of `runLength` bytes.
private func writeCSV(
  to sink: @escaping Sink, _ rows: ((PricedRow) throws -> Void) throws -> Void
) throws {
  let header = "storefront,currency,price,date,tax,deduction,commission,proceeds,rule\n"
  var bytes = Array(header.utf8)
  /// Hands the bytes so far to the sink.
  func flush() throws {
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
  try rows { row in
    bytes += csvLine(row).utf8
    if bytes.count >= runLength { try flush() }
  }
  try flush()
}

/// One answer as a line of CSV. The rule is quoted, as it has commas in it and may name a tier in
/// any letters.
private func csvLine(_ row: PricedRow) -> String {
  let found = row.expectation
  let cells = [
    found.storefront.code, found.currency.code, found.text(found.price), found.day.description,
    found.text(found.tax), found.deduction.map { decimalText(micros: $0) } ?? "",
    found.text(found.commission), found.text(found.proceeds),
  ]
  return cells.joined(separator: ",") + ",\"\(row.rule.replacing("\"", with: "\"\""))\"\n"
}

/// Lines that are put in columns together.
private let tableLength = 10_000

/// Writes the answers as text in columns, each `tableLength` lines as a table of their own.
private func writeTable(
  to sink: @escaping Sink, _ rows: ((PricedRow) throws -> Void) throws -> Void
) throws {
  var lines: [PricedRow] = []
  /// Hands the answers in `lines` to the sink as a table, where there are any.
  func flush() throws {
    if !lines.isEmpty { try sink(Array(priceTable(lines).utf8)) }
    lines.removeAll(keepingCapacity: true)
  }
  try rows { row in
    lines.append(row)
    if lines.count == tableLength { try flush() }
  }
  try flush()
}

extension PriceExpectation {
  /// An amount of the answer's currency, given in micro-units, as decimal text.
  func text(_ micros: Int64) -> String { Money(micros: micros, currency).text }
}
