import Billing

/// A table of facts built into the program, read strictly: what is malformed is an error of the
/// program, not of anybody's data, and traps.
struct FactTable: Sendable {
  let name: String
  let rows: [Row]

  /// One record, its cells in the order of the columns asked for.
  struct Row: Sendable {
    let table: String
    let line: Int
    let cells: [String]
  }

  /// Reads comma-separated text whose header must be exactly `columns`.
  init(_ name: String, columns: [String], bytes: some Collection<UInt8>) {
    let records = Self.records(of: bytes, table: name)
    precondition(records.first == columns, "\(name): the header is not \(columns)")
    self.name = name
    rows = records.dropFirst().enumerated().map { index, cells in
      let row = Row(table: name, line: index + 2, cells: cells)
      precondition(cells.count == columns.count, "\(row.place): not \(columns.count) cells")
      precondition(!(cells.last ?? "").isEmpty, "\(row.place): a fact without evidence")
      return row
    }
  }

  /// The evidence for the row on `line` of the table, its last cell.
  func evidence(onLine line: Int) -> Wording { Wording(fact: rows[line - 2].cells.last ?? "") }

  /// The records of comma-separated text as their cells, the header first. A cell in quotes may
  /// hold commas.
  private static func records(of bytes: some Collection<UInt8>, table: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var cell: [UInt8] = []
    var quoted = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""):
        precondition(quoted || cell.isEmpty, "\(table):\(records.count + 1): a stray quote")
        quoted.toggle()
      case UInt8(ascii: ",") where !quoted:
        record.append(String(decoding: cell, as: UTF8.self))
        cell.removeAll(keepingCapacity: true)
      case UInt8(ascii: "\n"):
        precondition(!quoted, "\(table):\(records.count + 1): a quote is never closed")
        record.append(String(decoding: cell, as: UTF8.self))
        records.append(record)
        record = []
        cell.removeAll(keepingCapacity: true)
      default: cell.append(byte)
      }
    }
    precondition(record.isEmpty && cell.isEmpty && !quoted, "\(table): the last line does not end")
    return records
  }
}

extension FactTable.Row {
  /// Table and line, as `taxes.csv:36`.
  var place: String { "\(table):\(line)" }

  /// The text of a cell, which must not be empty; columns begin at 0, here and below.
  func text(_ column: Int) -> String {
    precondition(!cells[column].isEmpty, "\(place): cell \(column + 1) is empty")
    return cells[column]
  }

  /// The storefront that a cell has; anything else traps.
  func storefront(_ column: Int) -> Storefront {
    guard let storefront = Storefront(cells[column]) else {
      preconditionFailure("\(place): \(cells[column]) is not a storefront")
    }
    return storefront
  }

  /// The storefront, or nil for `*`, all of them.
  func storefrontOrAll(_ column: Int) -> Storefront? {
    cells[column] == "*" ? nil : storefront(column)
  }

  /// The currency that a cell has; anything else traps.
  func currency(_ column: Int) -> Currency {
    guard let currency = Currency(cells[column]) else {
      preconditionFailure("\(place): \(cells[column]) is not a currency")
    }
    return currency
  }

  /// The days from that of a column to that of the next one; an empty cell is open.
  func days(_ column: Int) -> DayRange {
    let range = DayRange(from: day(column), to: day(column + 1))
    precondition(range.first <= range.last, "\(place): the range ends before it starts")
    return range
  }

  /// The day that a cell has; nil for an empty cell.
  func day(_ column: Int) -> Day? {
    if cells[column].isEmpty { return nil }
    guard let day = Day(cells[column]) else {
      preconditionFailure("\(place): \(cells[column]) is not a day")
    }
    return day
  }

  /// A percentage below 100, as millionths; empty is nil.
  func percentage(_ column: Int) -> Int64? {
    if cells[column].isEmpty { return nil }
    guard let value = micros(decimal: cells[column]), (0..<100_000_000).contains(value),
      value % 100 == 0
    else { preconditionFailure("\(place): \(cells[column]) is not a percentage") }
    return value / 100
  }

  /// An amount of at least 0, micro-units.
  func amount(_ column: Int) -> Int64 {
    guard let amount = micros(decimal: cells[column]), amount >= 0 else {
      preconditionFailure("\(place): \(cells[column]) is not an amount")
    }
    return amount
  }

  /// The whole number of at least 0 that a cell has; anything else traps.
  func number(_ column: Int) -> Int {
    guard let number = Int(cells[column]), number >= 0 else {
      preconditionFailure("\(place): \(cells[column]) is not a number")
    }
    return number
  }
}
