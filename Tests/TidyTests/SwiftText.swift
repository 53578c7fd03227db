/// A Swift source taken apart: what is code, what is in string literals, what is comment. Each part
/// keeps its place, with spaces where the other parts were, so that lines and columns stay.
struct SwiftText: Sendable {
  private(set) var code: [UInt8]
  private(set) var strings: [UInt8]
  private(set) var comments: [UInt8]

  private enum Part { case code, string, comment }

  /// Where the scan is inside string literals: each has its number of `#`, whether it spans lines,
  /// and, in an interpolation of it, how many parentheses are open.
  private struct Literal {
    let hashes: Int
    let isMultiline: Bool
    var open = 0
    var isInterpolating: Bool { open > 0 }
  }

  init(_ text: String) {
    let bytes = Array(text.utf8)
    let blank = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    code = blank
    strings = blank
    comments = blank
    scan(bytes)
  }

  private mutating func scan(_ bytes: [UInt8]) {
    var literals: [Literal] = []
    var index = 0
    while index < bytes.count {
      let (part, count) =
        if let literal = literals.last, !literal.isInterpolating {
          Self.stepInString(bytes, index, &literals)
        } else {
          Self.stepInCode(bytes, index, &literals)
        }
      let range = index..<min(index + count, bytes.count)
      switch part {
      case .code: code.replaceSubrange(range, with: bytes[range])
      case .string: strings.replaceSubrange(range, with: bytes[range])
      case .comment: comments.replaceSubrange(range, with: bytes[range])
      }
      index = range.upperBound
    }
  }

  /// What stands at `index` of code, and how many bytes of it.
  private static func stepInCode(_ bytes: [UInt8], _ index: Int, _ literals: inout [Literal])
    -> (Part, Int)
  {
    if has(bytes, index, "//") {
      return (.comment, length(bytes, from: index) { bytes[$0] == UInt8(ascii: "\n") })
    }
    if has(bytes, index, "/*") { return (.comment, blockComment(bytes, index)) }
    let hashes = length(bytes, from: index) { bytes[$0] != UInt8(ascii: "#") }
    if has(bytes, index + hashes, "\"") {
      let isMultiline = has(bytes, index + hashes, "\"\"\"")
      literals.append(Literal(hashes: hashes, isMultiline: isMultiline))
      return (.code, hashes + (isMultiline ? 3 : 1))
    }
    if hashes > 0 { return (.code, hashes) }
    if let last = literals.indices.last {
      if bytes[index] == UInt8(ascii: "(") { literals[last].open += 1 }
      if bytes[index] == UInt8(ascii: ")") { literals[last].open -= 1 }
    }
    return (.code, 1)
  }

  /// What stands at `index` of the innermost string literal, and how many bytes of it.
  private static func stepInString(_ bytes: [UInt8], _ index: Int, _ literals: inout [Literal])
    -> (Part, Int)
  {
    let last = literals.count - 1
    let literal = literals[last]
    let hashes = String(repeating: "#", count: literal.hashes)
    if has(bytes, index, "\\" + hashes) {
      guard has(bytes, index + 1 + literal.hashes, "(") else {
        return (.string, 2 + literal.hashes)
      }
      literals[last].open = 1
      return (.code, 2 + literal.hashes)
    }
    let end = (literal.isMultiline ? "\"\"\"" : "\"") + hashes
    if has(bytes, index, end) {
      literals.removeLast()
      return (.code, end.utf8.count)
    }
    return (.string, 1)
  }

  private static func blockComment(_ bytes: [UInt8], _ start: Int) -> Int {
    var depth = 0
    var index = start
    while index < bytes.count {
      if has(bytes, index, "/*") {
        depth += 1
        index += 2
      } else if has(bytes, index, "*/") {
        depth -= 1
        index += 2
        if depth == 0 { break }
      } else {
        index += 1
      }
    }
    return index - start
  }

  private static func has(_ bytes: [UInt8], _ index: Int, _ text: String) -> Bool {
    var place = index
    for byte in text.utf8 {
      guard place < bytes.count, bytes[place] == byte else { return false }
      place += 1
    }
    return true
  }

  private static func length(_ bytes: [UInt8], from start: Int, until isEnd: (Int) -> Bool) -> Int {
    var index = start
    while index < bytes.count, !isEnd(index) { index += 1 }
    return index - start
  }
}

/// The lines of a text, numbered from 1.
func numberedLines(_ bytes: [UInt8]) -> [(number: Int, text: String)] {
  bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    .map { ($0.offset + 1, String(decoding: $0.element, as: UTF8.self)) }
}
