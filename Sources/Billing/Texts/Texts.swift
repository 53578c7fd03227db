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
    lines(ctables_findings()).filter { !$0.hasKey }.map { line in
      let pairs = line.cell(1).split(separator: " ").map { $0.split(separator: "=") }
      return (
        line.cell(0),
        Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
      )
    }

  private static let english = texts(in: 1)
  private static let simplifiedChinese = texts(in: 2, with: lines(ctables_facts()))
  /// Without the texts that are their own keys beside it, such as a comma.
  private static let keys = Dictionary(
    textLines.compactMap { line in
      let key = line.cell(0)
      return english[key].flatMap { simplifiedChinese[$0] == nil ? ($0, key) : nil }
    }
  ) { first, _ in first }

  /// The lines of both tables of texts.
  private static var textLines: [Line] {
    lines(ctables_texts()) + lines(ctables_findings()).filter(\.hasKey)
  }

  /// Texts by key; the program ends where a key has two.
  ///
  /// - Parameters:
  ///   - column: of the tables of texts. A line that names another line's key in place of its
  ///     texts has that line's texts.
  ///   - facts: further lines, of a key and its text.
  private static func texts(in column: Int, with facts: [Line] = []) -> [String: String] {
    var texts: [String: String] = [:]
    /// Adds the text of a key.
    func add(_ text: String, _ key: String) {
      let other = texts.updateValue(text, forKey: key)
      precondition(other == nil, "one key, two texts: \(key)")
    }
    let lines = textLines
    texts.reserveCapacity(lines.count + facts.count)
    var references: [(key: String, other: String)] = []
    for line in lines {
      let (key, first) = (line.cell(0), line.cell(1))
      if isKey(first) {
        references.append((key, first))
      } else {
        add(column == 1 ? first : line.cell(column), key)
      }
    }
    for (key, other) in references {
      guard let text = texts[other] else { preconditionFailure("no text has the key \(other)") }
      add(text, key)
    }
    for line in facts { add(line.cell(1), line.cell(0)) }
    return texts
  }

  /// Whether a text is a key: it begins with `@`.
  private static func isKey(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "@") }

  /// A line of a table. Its cells become strings when they are asked for: to make all of both
  /// languages was a sixth of what a short command takes.
  private struct Line {
    let bytes: Slice<UnsafeBufferPointer<UInt8>>

    var hasKey: Bool { bytes.first == UInt8(ascii: "@") }

    /// The text of a column, in which `\n` begins a new line.
    func cell(_ column: Int) -> String {
      var rest = bytes
      for _ in 0..<column { rest = rest[(rest.firstIndex(of: UInt8(ascii: "\t"))! + 1)...] }
      let cell = rest.prefix { $0 != UInt8(ascii: "\t") }
      let text = String(decoding: cell, as: UTF8.self)
      if !cell.contains(UInt8(ascii: "\\")) { return text }
      return text.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n")
    }
  }

  /// The lines of a table that are not empty.
  private static func lines(_ table: CTable) -> [Line] {
    UnsafeBufferPointer(start: table.bytes, count: table.count)
      .split(separator: UInt8(ascii: "\n")).map(Line.init)
  }
}
