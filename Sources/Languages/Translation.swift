package import Billing
import CTables

/// The texts of one language by their English templates.
package struct Translation: Sendable {
  package let language: Language
  private let texts: [String: String]

  package init(_ language: Language) {
    self.language = language
    texts = language == .simplifiedChinese ? Self.simplifiedChinese : [:]
  }

  package static let english = Translation(.english)

  /// The language of whoever reads what is being written.
  @TaskLocal package static var current = english

  /// The text of a template; nil where the language has none, and always in English.
  package subscript(template: String) -> String? { texts[template] }

  /// A text in this language.
  package func callAsFunction(_ wording: Wording) -> String {
    language == .english ? wording.english : wording.text { self[$0] }
  }

  /// Every template that the language has a text for.
  package var templates: Set<String> { Set(texts.keys) }

  private static let simplifiedChinese = read(ctables_simplified_chinese())
    .merging(read(ctables_simplified_chinese_facts())) { text, again in
      preconditionFailure("translated twice: \(text), \(again)")
    }

  /// Lines of a template, a tab and its text, in which `\n` begins a new line. What is malformed is
  /// an error of the program.
  private static func read(_ table: CTable) -> [String: String] {
    let bytes = UnsafeBufferPointer(start: table.bytes, count: table.count)
    var texts: [String: String] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      precondition(
        cells.count == 2, "not a template and a text: \(String(decoding: line, as: UTF8.self))")
      let both = cells.map { String(decoding: $0, as: UTF8.self).replacing("\\n", with: "\n") }
      let (template, text) = (both[0], both[1])
      let old = texts.updateValue(text, forKey: template)
      precondition(old == nil, "translated twice: \(template)")
    }
    return texts
  }
}

/// A text in the language of whoever reads what is being written.
package func say(_ wording: Wording) -> String { Translation.current(wording) }
