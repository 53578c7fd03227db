/// Who paid and what for, as the lines below an entry of an MT940 say it: in field `:86:`, or in
/// what some banks write in its place.
struct SwiftDetails {
  private(set) var payer = ""
  private(set) var purpose = ""

  /// As long as a line of the field may be: what goes on behind it was cut anywhere.
  private static let lineLength = 65

  /// Reads what stands below an entry.
  ///
  /// - Parameters:
  ///   - lines: below the entry's first.
  ///   - own: the reference in that line.
  init(_ lines: ArraySlice<Substring>, own: String) {
    let field = lines.drop { !$0.hasPrefix(":86:") }
    let text = field.isEmpty ? "" : Self.joined([field.first!.dropFirst(4)] + field.dropFirst())
    if let parts = Self.subfields(text) {
      (payer, purpose) = parts
    } else if let parts = Self.codewords(text) ?? Self.counterparty(text) {
      (payer, purpose) = parts
    } else {
      purpose = text.trimmingBlanks
    }
    guard payer.isEmpty, purpose.isEmpty else { return }
    // Without a text there is the reference, and what stands between the two.
    let beside = lines.prefix { !$0.hasPrefix(":86:") }.map { String($0).trimmingBlanks }
    purpose = String(([own] + beside).joined(separator: " ").trimmingBlanks.prefix(500))
  }

  /// The lines of a field as one text. Between two lines stands a blank, unless the first is full
  /// and may end inside a word, or the field has sub-fields or code words, which are cut anywhere.
  private static func joined(_ lines: [Substring]) -> String {
    var text = ""
    var goesOn = true
    let first = lines.first ?? ""
    let isCut = first.hasPrefix("/") || subfieldMark(first) != nil
    for line in lines {
      if !goesOn, !text.isEmpty, !line.isEmpty { text += " " }
      text += isCut || line.count >= lineLength ? String(line) : String(line).trimmingBlanks
      goesOn = isCut || line.count >= lineLength
    }
    return text
  }

  /// The mark that parts the sub-fields `?20` to `?63` behind a code of three digits, as German and
  /// Polish banks write them: `?`, or another; nil where the text has no such fields.
  private static func subfieldMark(_ text: Substring) -> Character? {
    let head = Array(text.prefix(6))
    guard head.count == 6, head[..<3].allSatisfy(\.isNumber), head[4...].allSatisfy(\.isNumber),
      !head[3].isLetter, !head[3].isNumber, !head[3].isWhitespace
    else { return nil }
    return head[3]
  }

  /// Payer and purpose of a text in sub-fields; nil for any other text.
  private static func subfields(_ text: String) -> (payer: String, purpose: String)? {
    guard let mark = subfieldMark(text[...]) else { return nil }
    var (payer, purpose) = ("", "")
    for field in text.dropFirst(3).split(separator: mark) {
      guard let number = Int(field.prefix(2)) else { continue }
      switch number {
      case 32, 33: payer += field.dropFirst(2)
      case 20...29, 60...63: purpose += field.dropFirst(2)
      default: break
      }
    }
    return (payer.trimmingBlanks, purpose.trimmingBlanks)
  }

  /// Payer and purpose of a text with words between slashes, as Dutch and Belgian banks write them:
  /// `/ORDP//NAME/APPLE DISTRIBUTION INTERNATIONAL/REMI/85127269`. Nil for any other text.
  private static func codewords(_ text: String) -> (payer: String, purpose: String)? {
    guard text.hasPrefix("/"), let word = text.firstRange(of: "/NAME/") else { return nil }
    let behind = text[word.upperBound...]
    let end = behind.indices.first { isCodeword(behind[$0...]) } ?? behind.endIndex
    return (
      String(behind[..<end]).trimmingBlanks,
      (String(text[..<word.lowerBound]) + text[end...]).trimmingBlanks
    )
  }

  /// Payer and purpose of a text where the name stands behind account and bank, as ING writes them:
  /// `/CNTP/IE29AIBK93115212345678/AIBKIE2D/APPLE DISTRIBUTION INTERNATIONAL///REMI/USTD//…`. Nil
  /// for any other text.
  private static func counterparty(_ text: String) -> (payer: String, purpose: String)? {
    guard text.hasPrefix("/"), let word = text.firstRange(of: "/CNTP/") else { return nil }
    let parts = text[word.upperBound...]
      .split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[2].isEmpty else { return nil }
    let name = parts[2]
    return (
      String(name).trimmingBlanks,
      (String(text[..<name.startIndex]) + text[name.endIndex...]).trimmingBlanks
    )
  }

  /// Whether a text begins with a word of three or four capitals between slashes.
  private static func isCodeword(_ text: Substring) -> Bool {
    guard text.first == "/" else { return false }
    let word = text.dropFirst().prefix { $0.isASCII && $0.isUppercase }
    return (3...4).contains(word.count) && text.dropFirst(word.count + 1).first == "/"
  }
}

extension String {
  /// Without blanks at both ends.
  fileprivate var trimmingBlanks: String {
    var text = self[...]
    while text.first?.isWhitespace ?? false { text = text.dropFirst() }
    while text.last?.isWhitespace ?? false { text = text.dropLast() }
    return String(text)
  }
}
