/// A text for a person, kept as templates and their values until a reader's language is known.
///
/// A literal is a template and the key of its translations; what is interpolated stands in it as
/// `{1}`, `{2}` and so on, so that another language may order its words otherwise:
///
///     let text: Wording = "Apple charged \(amount) at \(moment)"
///
/// Whole sentences are templates. A word that is chosen, such as a status, is a `Wording` of its
/// own; ids, names and amounts are the same in every language.
package struct Wording: Hashable, Sendable {
  /// A piece of the text; pieces follow one another without a separator.
  package enum Part: Hashable, Sendable {
    /// The same in every language.
    case verbatim(String)
    /// A template in English, and what stands at its places.
    case phrase(String, [Wording])
  }

  package private(set) var parts: [Part]

  package init(parts: [Part]) { self.parts = parts }

  /// Text that no language changes: an id, a name, an amount. It often comes from a file, and must
  /// neither steer a terminal nor begin a line of its own.
  package init(verbatim text: String) { parts = text.isEmpty ? [] : [.verbatim(oneLine(text))] }

  /// Words of a table of facts that is built in, whose translations stand beside it.
  package init(fact text: String) { parts = text.isEmpty ? [] : [.phrase(text, [])] }

  package var isEmpty: Bool { parts.isEmpty }

  package static func + (left: Wording, right: Wording) -> Wording {
    Wording(parts: left.parts + right.parts)
  }

  package static func += (left: inout Wording, right: Wording) { left.parts += right.parts }

  /// The text as `translation` has its templates; a template without a translation stays English.
  package func text(_ translation: (String) -> String?) -> String {
    if parts.count == 1 {
      switch parts[0] {
      case .verbatim(let same): return same
      case .phrase(let template, let values):
        if values.isEmpty { return translation(template) ?? template }
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    append(to: &bytes, translation)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text as it was written.
  package var english: String { text { _ in nil } }

  /// The text without what it quotes: an ellipsis stands in the quotes.
  package var withoutQuoted: Wording {
    Wording(
      parts: parts.map { part in
        switch part {
        case .verbatim(let same): return .verbatim(Self.withoutQuoted(same))
        case .phrase(let template, let values):
          let hidden = values.enumerated().map { index, value in
            template.contains("\"{\(index + 1)}\"")
              ? Wording(parts: [.verbatim("…")]) : value.withoutQuoted
          }
          return .phrase(template, hidden)
        }
      })
  }

  /// The same of a text that is put together already: what was quoted may hold quotes itself, so
  /// that all goes from the first to the last.
  package static func withoutQuoted(_ text: String) -> String {
    let quotes: Set<Character> = ["\"", "“", "”", "「", "」"]
    guard let first = text.firstIndex(where: quotes.contains),
      let last = text.lastIndex(where: quotes.contains), first < last
    else { return text }
    return text[...first] + "…" + text[last...]
  }

  private func append(to bytes: inout [UInt8], _ translation: (String) -> String?) {
    for part in parts {
      switch part {
      case .verbatim(let same): Self.append(same, to: &bytes)
      case .phrase(let template, let values):
        let template = translation(template) ?? template
        if values.isEmpty {
          Self.append(template, to: &bytes)
        } else {
          fill(template, values, &bytes, translation)
        }
      }
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends a template with its values at their places, byte by byte: a text is made for each
  /// finding, several times.
  private func fill(
    _ template: String, _ values: [Wording], _ bytes: inout [UInt8],
    _ translation: (String) -> String?
  ) {
    var template = template
    let isWhole = template.withUTF8 { text in
      var (clean, index) = (0, 0)
      while index < text.count {
        guard text[index] == 0x7B else {
          index += 1
          continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<index]))
        index += 1
        var number = 0
        while index < text.count, text[index] &- 0x30 < 10, number <= values.count {
          number = 10 * number + Int(text[index] &- 0x30)
          index += 1
        }
        guard index < text.count, text[index] == 0x7D, values.indices.contains(number - 1) else {
          return false
        }
        values[number - 1].append(to: &bytes, translation)
        index += 1
        clean = index
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean...]))
      return true
    }
    precondition(isWhole, "a template with a place that has no value: \(template)")
  }
}

extension Wording: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { parts = text.isEmpty ? [] : [.phrase(text, [])] }

  package init(stringInterpolation pieces: StringInterpolation) {
    parts = [.phrase(pieces.template, pieces.values)]
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var template = ""
    fileprivate var values: [Wording] = []
    /// Of the first values: few texts have more.
    private static let places = (1...9).map { "{\($0)}" }

    package init(literalCapacity: Int, interpolationCount: Int) {
      template.reserveCapacity(literalCapacity + 3 * interpolationCount)
    }

    package mutating func appendLiteral(_ text: String) { template += text }

    package mutating func appendInterpolation(_ value: Wording) {
      values.append(value)
      let number = values.count
      template += number <= Self.places.count ? Self.places[number - 1] : "{\(number)}"
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendInterpolation(Wording(verbatim: value.description))
    }
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
