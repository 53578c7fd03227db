import CTablesHeader

/// The texts for people: a key, the English and the Chinese of each, side by side in the tables
/// `texts.tsv` and `findings.tsv`; names and evidence of the tables of facts, which are their own
/// keys, in `facts.tsv`.
///
/// A key begins with `@`, so that no other string of the sources is taken for one.
package enum Texts {
  /// The template of a key in a language; nil for what is no key, and for a fact in English.
  package static func template(_ key: String, in language: Language) -> String? {
    language == .english ? english[key] : simplifiedChinese[key]
  }

  /// The key of a template in English, which the ledger keeps; nil where it has none any more.
  package static func key(ofEnglish template: String) -> String? { keys[template] }

  /// What is known of each finding code beside its texts, in the table's order: words such as
  /// `level=1`.
  static let findingRecords: [(code: String, fields: [String: String])] =
    findings.filter { !isKey($0[0]) }.map { cells in
      let pairs = cells[1].split(separator: " ").map { $0.split(separator: "=") }
      return (
        cells[0],
        Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
      )
    }

  private static let findings = read(ctables_findings())
  private static let rows = resolved(read(ctables_texts()) + findings.filter { isKey($0[0]) })

  private static let english = texts(rows.map { ($0[0], $0[1]) })
  private static let simplifiedChinese = texts(
    rows.map { ($0[0], $0[2]) } + read(ctables_facts()).map { ($0[0], $0[1]) })
  /// Without the texts that are their own keys beside it, such as a comma.
  private static let keys = Dictionary(
    rows.filter { simplifiedChinese[$0[1]] == nil }.map { ($0[1], $0[0]) }
  ) { first, _ in first }

  /// Whether a text is a key: it begins with `@`.
  private static func isKey(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "@") }

  /// The rows of the tables of texts, in which a row that names another row's key in place of its
  /// texts has got that row's texts.
  ///
  /// - Parameter rows: cells: a key, its English or another key, its Chinese.
  private static func resolved(_ rows: [[String]]) -> [[String]] {
    let own = Dictionary(rows.map { ($0[0], $0) }) { first, _ in first }
    return rows.map { row in
      guard isKey(row[1]) else { return row }
      guard let other = own[row[1]] else { preconditionFailure("no text has the key \(row[1])") }
      return [row[0]] + other[1...]
    }
  }

  /// Texts by key; the program ends where a key has two.
  private static func texts(_ pairs: [(String, String)]) -> [String: String] {
    Dictionary(pairs) { text, _ in preconditionFailure("one key, two texts: \(text)") }
  }

  /// The lines of a table as their cells, in which `\n` begins a new line.
  private static func read(_ table: CTable) -> [[String]] {
    UnsafeBufferPointer(start: table.bytes, count: table.count)
      .split(separator: UInt8(ascii: "\n")).map { line in
        line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
          newLines(String(decoding: cell, as: UTF8.self))
        }
      }
  }

  /// The cell with a new line wherever it writes `\n`. Few cells have one, and to search each for
  /// it was a sixth of what a short command takes.
  private static func newLines(_ cell: String) -> String {
    guard cell.utf8.contains(UInt8(ascii: "\\")) else { return cell }
    return cell.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n")
  }
}
