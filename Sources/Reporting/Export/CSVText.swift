/// Rows of text as RFC 4180 has them, with line feeds.
struct CSVText {
  private(set) var text: String
  private let columnCount: Int

  init(_ columns: String...) {
    columnCount = columns.count
    text = columns.joined(separator: ",") + "\n"
  }

  /// - Parameter cells: nil is empty.
  mutating func add(_ cells: String?...) {
    precondition(cells.count == columnCount)
    text += cells.map { Self.quoted($0 ?? "") }.joined(separator: ",") + "\n"
  }

  private static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: { "\",\n\r".utf8.contains($0) }) else { return cell }
    return "\""
      + cell.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
