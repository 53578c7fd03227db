package import Billing
import Foundation

/// Reads wanted prices from a CSV file: `storefront, price`, and optionally `currency` (else the
/// storefront's own) and `name`. Throws an ``Objection`` for the first line that is wrong.
package func readWantedPrices(_ path: String) throws -> [WantedPrice] {
  guard let bytes = FileManager.default.contents(atPath: path) else {
    throw Objection(
      topic: "file", at: SourceLocation(file: path), "cannot be read",
      help: "check that the file exists and that you may read it")
  }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw Objection(
      topic: "encoding", at: SourceLocation(file: path), "is not UTF-8 text",
      help: "save it as CSV in UTF-8")
  }
  var table = WantedTable(path)
  let lines = text.drop { $0 == "\u{FEFF}" }.split(
    omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
    try table.read(line, number: index + 1)
  }
  guard !table.prices.isEmpty else {
    throw Objection(
      topic: "file", at: SourceLocation(file: path), "expected wanted prices, found none",
      help: "write a header storefront,price and a line per price")
  }
  return table.prices
}

/// The lines so far.
private struct WantedTable {
  let file: String
  private var columns: [String] = []
  private(set) var prices: [WantedPrice] = []

  init(_ file: String) { self.file = file }

  mutating func read(_ line: Substring, number: Int) throws {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\"")))
    }
    guard !columns.isEmpty else {
      columns = fields.map { $0.lowercased() }
      for name in ["storefront", "price"] where !columns.contains(name) {
        throw objection(
          number, 0, "column", "the column \(name) is missing",
          help: "the header has: \(fields.joined(separator: ", "))")
      }
      return
    }
    guard fields.count == columns.count else {
      throw objection(
        number, 0, "column", "expected \(columns.count) fields, found \(fields.count)",
        help: "amounts have a decimal point and no thousands separators")
    }
    prices.append(try price(fields, number))
  }

  private func price(_ fields: [String], _ line: Int) throws -> WantedPrice {
    func field(_ name: String) -> String { columns.firstIndex(of: name).map { fields[$0] } ?? "" }
    func fault(_ name: String, _ message: String, help: String) -> Objection {
      objection(line, (columns.firstIndex(of: name) ?? 0) + 1, name, message, help: help)
    }
    guard let storefront = knownStorefront(field("storefront")) else {
      throw fault(
        "storefront", "Apple has no storefront \"\(field("storefront"))\"",
        help: "write its two-letter code, such as CN")
    }
    guard let amount = micros(decimal: field("price")), amount > 0 else {
      throw fault(
        "price", "price is not a decimal number above 0: \"\(field("price"))\"",
        help: "write it with a decimal point, such as 25.00")
    }
    let named = field("currency")
    let currency = named.isEmpty ? currencyNow(of: storefront) : knownCurrency(named)
    guard let currency else {
      throw fault(
        "currency", "there is no currency \"\(named)\"", help: "write its code, such as CNY")
    }
    return WantedPrice(
      storefront: storefront, name: field("name"), price: Money(micros: amount, currency))
  }

  /// - Parameter column: the number of the field, from 1; 0 is the whole line.
  private func objection(
    _ line: Int, _ column: Int, _ topic: String, _ message: String, help: String
  ) -> Objection {
    let place = column == 0 ? "" : "field \(column): "
    return Objection(
      topic: topic, at: SourceLocation(file: file, line: line), place + message, help: help)
  }
}
