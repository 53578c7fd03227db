import Billing
import Foundation
import Support

/// A row of the tables of texts.
struct TextRow: Sendable {
  let key: String
  let english: String
  let chinese: String
  /// Whether it stands with a finding code.
  let isOfFinding: Bool

  var places: [String] { Self.places(english) }

  static func places(_ text: String) -> [String] {
    text.matches(of: #/\{\d+\}/#).map { String($0.output) }.sorted()
  }

  /// The key with which a literal begins; nil where it begins with none.
  static func key(of literal: String) -> String? {
    guard let found = literal.prefixMatch(of: #/@[a-z0-9{}-]+\.[a-z0-9{}-]+/#) else { return nil }
    return String(found.output)
  }

  /// Those that have words of their own, in the order of the tables.
  static let all: [TextRow] = read("texts", ofFindings: false) + read("findings", ofFindings: true)

  private static func read(_ name: String, ofFindings: Bool) -> [TextRow] {
    let file = URL(filePath: checkout).appending(path: "Sources/CTables/tables/\(name).tsv")
    guard let table = try? String(contentsOf: file, encoding: .utf8) else {
      preconditionFailure("there is no table of texts")
    }
    return table.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { String($0).replacing("\\n", with: "\n") }
      precondition(cells.count == 3, "not a key and two texts: \(line)")
      // What is known of a code, and rows that say what another says.
      if cells[2].isEmpty, ofFindings { return nil }
      return TextRow(key: cells[0], english: cells[1], chinese: cells[2], isOfFinding: ofFindings)
    }
  }
}
