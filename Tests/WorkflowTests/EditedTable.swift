import Foundation

/// A table of the company's, changed row by row after a simulated month wrote it: what befalls it
/// then owes nothing to the simulation's own faults. Its cells hold no commas.
struct EditedTable {
  let path: String
  let columns: [String]
  private let places: [String: Int]
  var rows: [[String]]

  init(_ path: String) throws {
    self.path = path
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    columns = lines[0]
    places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
    rows = Array(lines.dropFirst())
  }

  /// The cell of a row in a column that the table has.
  subscript(row: Int, column: String) -> String {
    get { rows[row][places[column]!] }
    set { rows[row][places[column]!] = newValue }
  }

  mutating func blank(_ column: String) {
    for row in rows.indices { self[row, column] = "" }
  }

  /// Takes rows out, by index.
  mutating func remove(_ taken: Set<Int>) {
    rows = rows.indices.filter { !taken.contains($0) }.map { rows[$0] }
  }

  /// Moves rows to a table of their own beside this one.
  mutating func move(_ taken: Set<Int>, to name: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try Self.write(columns, taken.sorted().map { rows[$0] }, to: "\(folder)/\(name)")
    remove(taken)
  }

  func write() throws { try Self.write(columns, rows, to: path) }

  private static func write(_ columns: [String], _ rows: [[String]], to path: String) throws {
    let text = ([columns] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
