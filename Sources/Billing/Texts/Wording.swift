import Synchronization

/// A text for a person, kept as keys and their values until a reader's language is known.
///
/// A literal is a key of ``Texts`` and the values of its template, divided by blanks:
///
///     let text: Wording = "@charge \(amount) \(moment)"
///
/// The templates, `Apple charged {1} at {2}` and its translation, stand side by side in a table,
/// and may order the values each as its language does. Whole sentences are templates. A word that
/// is chosen, such as a status, is a `Wording` of its own; ids, names and amounts are the same in
/// every language. A literal without `@` is its own template: marks and blanks around values.
package struct Wording: Hashable, Sendable {
  /// A piece of the text; pieces follow one another without a separator.
  package enum Part: Hashable, Sendable {
    /// The same in every language.
    case verbatim(String)
    /// A key, or a template that is its own, and what stands at its places.
    case phrase(String, [Wording])
  }

  /// Nearly every text is one piece, and a month has millions of them: no list is made of one.
  @usableFromInline enum Content: Hashable, Sendable {
    case nothing
    case one(Part)
    case several([Part])
  }

  @usableFromInline var content: Content

  package init(parts: [Part]) {
    content = parts.count > 1 ? .several(parts) : parts.first.map { .one($0) } ?? .nothing
  }

  private init(_ part: Part) { content = .one(part) }

  /// The pieces in their order.
  package struct Parts: RandomAccessCollection {
    @usableFromInline let content: Content

    @inlinable init(content: Content) { self.content = content }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int {
      switch content {
      case .nothing: 0
      case .one: 1
      case .several(let parts): parts.count
      }
    }

    @inlinable package subscript(_ place: Int) -> Part {
      switch content {
      case .nothing: preconditionFailure("a text without pieces")
      case .one(let part): part
      case .several(let parts): parts[place]
      }
    }
  }

  @inlinable package var parts: Parts { Parts(content: content) }

  /// Text that no language changes: an id, a name, an amount. It often comes from a file, and must
  /// neither steer a terminal nor begin a line of its own.
  package init(verbatim text: String) {
    content = text.isEmpty ? .nothing : .one(.verbatim(oneLine(text)))
  }

  /// Words of a table of facts that is built in; their translations stand in a table by these
  /// words.
  package init(fact text: String) { content = text.isEmpty ? .nothing : .one(.phrase(text, [])) }

  /// The text of a key that is put together, with the values of its template.
  package init(key: String, _ values: [Wording] = []) { content = .one(.phrase(key, values)) }

  package var isEmpty: Bool { parts.isEmpty }

  package static func + (left: Wording, right: Wording) -> Wording {
    var text = left
    text += right
    return text
  }

  package static func += (left: inout Wording, right: Wording) {
    if right.isEmpty { return }
    if left.isEmpty { return left = right }
    // Taken out, the list is not copied for each piece that is added.
    var pieces = left.takePieces()
    pieces += right.parts
    left.content = .several(pieces)
  }

  /// Returns the pieces, and leaves the text empty.
  private mutating func takePieces() -> [Part] {
    defer { content = .nothing }
    if case .several(let pieces) = content { return pieces }
    return Array(parts)
  }

  /// The text in a language; a fact without a translation stays as it is.
  package func text(in language: Language) -> String {
    switch content {
    case .one(.verbatim(let same)): return same
    case .one(.phrase(let key, let values)) where values.isEmpty:
      return Texts.template(key, in: language) ?? key
    default: break
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    append(to: &bytes, language)
    return String(decoding: bytes, as: UTF8.self)
  }

  package var english: String { text(in: .english) }

  /// The text without what it quotes: an ellipsis stands in the quotes.
  package var withoutQuoted: Wording {
    Wording(
      parts: parts.map { part in
        switch part {
        case .verbatim(let same): return .verbatim(Self.withoutQuoted(same))
        case .phrase(let key, let values):
          let template = Texts.template(key, in: .english) ?? key
          let hidden = values.enumerated().map { index, value in
            template.contains("\"{\(index + 1)}\"")
              ? Wording(.verbatim("…")) : value.withoutQuoted
          }
          return .phrase(key, hidden)
        }
      })
  }

  /// A text with an ellipsis in place of what it quotes. It is put together already: what was
  /// quoted may hold quotes itself, so that all goes from the first to the last.
  package static func withoutQuoted(_ text: String) -> String {
    let quotes: Set<Character> = ["\"", "“", "”", "「", "」"]
    guard let first = text.firstIndex(where: quotes.contains),
      let last = text.lastIndex(where: quotes.contains), first < last
    else { return text }
    return text[...first] + "…" + text[last...]
  }

  /// Whether it is a text of the reader's language, and no id or name.
  private var isWord: Bool {
    if case .phrase? = parts.first { return true }
    return false
  }

  /// Appends the text in a language, as UTF-8.
  private func append(to bytes: inout [UInt8], _ language: Language) {
    switch content {
    case .nothing: break
    case .one(let part): Self.append(part, to: &bytes, language)
    case .several(let parts): for part in parts { Self.append(part, to: &bytes, language) }
    }
  }

  /// Appends a piece in a language, as UTF-8.
  private static func append(_ part: Part, to bytes: inout [UInt8], _ language: Language) {
    switch part {
    case .verbatim(let same): append(same, to: &bytes)
    case .phrase(let key, let values):
      let template = Texts.template(key, in: language) ?? key
      if values.isEmpty {
        append(template, to: &bytes)
      } else {
        fill(template, values, &bytes, language)
      }
    }
  }

  /// Appends the text's UTF-8.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends a template in which each place, `{1}`, is replaced by the value of that number. It
  /// works on bytes for speed: a finding's text is made several times.
  private static func fill(
    _ template: String, _ values: [Wording], _ bytes: inout [UInt8], _ language: Language
  ) {
    let isChinese = language == .simplifiedChinese
    var last: Wording?
    var template = template
    let isWhole = template.withUTF8 { text in
      var (clean, index) = (0, 0)
      while index < text.count {
        guard text[index] == 0x7B else {
          index += 1
          continue
        }
        let piece = bytes.count
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<index]))
        if isChinese, let last { ChineseSpacing.mend(&bytes, afterValueAt: piece, last.isWord) }
        index += 1
        var number = 0
        while index < text.count, text[index] &- 0x30 < 10, number <= values.count {
          number = 10 * number + Int(text[index] &- 0x30)
          index += 1
        }
        guard index < text.count, text[index] == 0x7D, values.indices.contains(number - 1) else {
          return false
        }
        let (value, place) = (values[number - 1], bytes.count)
        value.append(to: &bytes, language)
        if isChinese {
          ChineseSpacing.mend(&bytes, beforeValueAt: place, since: piece, value.isWord)
          last = value
        }
        index += 1
        clean = index
      }
      let piece = bytes.count
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean...]))
      if isChinese, let last { ChineseSpacing.mend(&bytes, afterValueAt: piece, last.isWord) }
      return true
    }
    precondition(isWhole, "a template with a place that has no value: \(template)")
  }
}

extension Wording: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(fact: text) }

  package init(stringInterpolation pieces: StringInterpolation) {
    self.init(.phrase(Self.kept(pieces.template), pieces.values))
  }

  /// The first string that was made with this key or template, so that all texts that are made of
  /// it share its memory. They are literals of the code, so that there are not many.
  private static func kept(_ template: String) -> String {
    seen.withLock { $0.insert(template).memberAfterInsert }
  }

  private static let seen = Mutex<Set<String>>([])

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""
    fileprivate var values: [Wording] = []
    /// Of the first values: few texts have more.
    private static let places = (1...9).map { "{\($0)}" }

    package init(literalCapacity: Int, interpolationCount: Int) {
      template.reserveCapacity(literalCapacity + 3 * interpolationCount)
      values.reserveCapacity(interpolationCount)
    }

    private var isKey: Bool { template.utf8.first == UInt8(ascii: "@") }

    /// Appends a piece of the literal to the template; of a key only what comes before its first
    /// blank, as its template has the places of the values.
    package mutating func appendLiteral(_ text: String) {
      if isKey { return }
      template += text
      if isKey, let blank = template.utf8.firstIndex(of: UInt8(ascii: " ")) {
        template.removeSubrange(blank...)
      }
    }

    /// Appends a value, and a place for it to a template that is no key: `{1}`, `{2}`.
    package mutating func appendInterpolation(_ value: Wording) {
      values.append(value)
      if isKey { return }
      let number = values.count
      template += number <= Self.places.count ? Self.places[number - 1] : "{\(number)}"
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(Wording(verbatim: value.description))
    }
  }
}

extension Sequence<String> {
  /// Names or amounts, one after the other, divided as the reader's language does.
  package var asList: Wording {
    map { Wording(verbatim: $0) }.joined(separator: "@shared.list-mark")
  }
}

extension Sequence<Wording> {
  /// One text, `separator` between the pieces.
  package func joined(separator: Wording) -> Wording {
    var text = Wording(parts: [])
    for (index, piece) in enumerated() {
      if index > 0 { text += separator }
      text += piece
    }
    return text
  }
}

/// A language that reports can be read in.
package enum Language: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"
}

extension DefaultStringInterpolation {
  @available(*, unavailable, message: "a wording becomes text in a language only")
  package mutating func appendInterpolation(_ value: Wording) {}
}
