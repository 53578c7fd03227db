internal import Billing

// How a tape is filled: one pass over the bytes, eight at a time inside texts.

private enum ScanEnd: Error {
  case incomplete
  case malformed(Wording)
}

/// Marks the bytes of `word` that may end a plain run of text: quotation marks, backslashes and
/// control characters. The lowest mark is right; above it bytes may be marked that are none.
@inline(__always)
private func textEnds(_ word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quotes = word ^ (ones &* 0x22)
  let slashes = word ^ (ones &* 0x5C)
  let ends = (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
  return (ends | (word &- ones &* 0x20) & ~word) & (ones &* 0x80)
}

extension JSONTape {
  /// Fills the tape with the JSON value that the `limit` bytes at `base` begin with, and its
  /// `length`.
  func parse(_ base: UnsafeRawPointer, _ limit: Int) -> TapeParse {
    begin(base, limit)
    do throws(ScanEnd) {
      try readAll()
    } catch {
      switch error {
      case .incomplete: return .incomplete
      case .malformed(let expected): return .malformed(offset: place, expected: expected)
      }
    }
    length = place
    if high & 0x8080_8080_8080_8080 != 0,
      let offset = firstMalformedUTF8(UnsafeRawBufferPointer(start: base, count: length))
    {
      return .diagnostic(Divider.malformedText(offset))
    }
    return .value
  }

  /// Reads one value and all that it holds, level by level and without recursion.
  private func readAll() throws(ScanEnd) {
    _ = try peek()
    var hasValue = try readValue(keyStart: 0, keyCount: 0, keyIsCoded: false)
    while depth > 0 {
      let container = open[depth &- 1]
      let isObject = nodes[Int(container)].kind == .object
      var byte = try peek()
      if byte == (isObject ? 0x7D : 0x5D) {
        place &+= 1
        close(container)
        depth &-= 1
        hasValue = true
        continue
      }
      if hasValue {
        guard byte == 0x2C else {
          throw .malformed(
            isObject ? "@shared.comma-or-the-end" : "@text.comma-or-the-end")
        }
        place &+= 1
        byte = try peek()
      }
      guard isObject else {
        hasValue = try readValue(keyStart: 0, keyCount: 0, keyIsCoded: false)
        continue
      }
      guard byte == 0x22 else { throw .malformed("@text.key-in-quotation-marks") }
      let keyStart = place &+ 1
      let isCoded = try scanText()
      let keyCount = place &- 1 &- keyStart
      guard try peek() == 0x3A else { throw .malformed("@shared.colon") }
      place &+= 1
      _ = try peek()
      hasValue = try readValue(keyStart: keyStart, keyCount: keyCount, keyIsCoded: isCoded)
    }
  }

  /// The next byte that is no blank; `place` stands on it.
  @inline(__always)
  private func peek() throws(ScanEnd) -> UInt8 {
    while place < limit {
      let byte = base.load(fromByteOffset: place, as: UInt8.self)
      if byte > 0x20 { return byte }
      if byte == 0x0A {
        lines &+= 1
      } else if byte != 0x20, byte != 0x0D, byte != 0x09 {
        return byte
      }
      place &+= 1
    }
    throw .incomplete
  }

  /// Reads a plain value, or opens an object or array. True when the value is at its end.
  ///
  /// - Parameters:
  ///   - keyStart: where the value's key begins; with `keyCount` 0 it has none.
  ///   - keyIsCoded: whether the key has escapes.
  @inline(__always)
  private func readValue(keyStart: Int, keyCount: Int, keyIsCoded: Bool) throws(ScanEnd) -> Bool {
    let start = place
    let byte = base.load(fromByteOffset: start, as: UInt8.self)
    if byte == 0x22 {
      let isCoded = try scanText()
      append(
        .text, isCoded ? .coded : .plain, at: start, start: start &+ 1,
        count: place &- start &- 2, keyStart: keyStart, keyCount: keyCount, keyIsCoded: keyIsCoded)
      return true
    }
    guard byte == 0x7B || byte == 0x5B else {
      let (kind, form) = try scanWord()
      append(
        kind, form, at: start, start: start, count: kind == .null ? 0 : place &- start,
        keyStart: keyStart, keyCount: keyCount, keyIsCoded: keyIsCoded)
      return true
    }
    guard depth < Self.depthLimit else {
      throw .malformed("@text.no-more-than-objects \(Self.depthLimit)")
    }
    guard count < Self.countLimit else {
      throw .malformed("@text.no-more-than-values \(Self.countLimit)")
    }
    open[depth] = Int32(truncatingIfNeeded: count)
    depth &+= 1
    append(
      byte == 0x7B ? .object : .array, at: start, start: start, count: 0, keyStart: keyStart,
      keyCount: keyCount, keyIsCoded: keyIsCoded)
    place &+= 1
    return false
  }

  /// Goes behind the text whose quotation mark is at `place`; true when it has escapes.
  @inline(__always)
  private func scanText() throws(ScanEnd) -> Bool {
    var offset = place &+ 1
    var isCoded = false
    while offset < limit {
      let word = loadWord(base + offset)
      high |= word
      let marks = textEnds(word)
      if marks == 0 {
        offset &+= 8
        continue
      }
      offset &+= marks.trailingZeroBitCount &>> 3
      if offset >= limit { break }
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      if byte == 0x22 {
        place = offset &+ 1
        return isCoded
      }
      guard byte == 0x5C else {
        place = offset
        throw .malformed("@shared.end-of-a-text")
      }
      offset &+= try escapeLength(at: offset)
      isCoded = true
    }
    throw .incomplete
  }

  /// How many bytes the escape at `offset` takes; throws when it goes on past the end, or is none.
  private func escapeLength(at offset: Int) throws(ScanEnd) -> Int {
    let rest = limit &- offset
    if let escape = JSONEscape(base + offset, rest) { return escape.length }
    if rest < 12, JSONEscape.mayGoOn(UnsafeRawBufferPointer(start: base + offset, count: rest)) {
      throw .incomplete
    }
    place = offset
    throw .malformed(
      JSONEscape.isHalf(UnsafeRawBufferPointer(start: base + offset, count: rest))
        ? "@shared.other-half-of-a-character" : "@shared.escape-that-json-knows")
  }

  /// Goes behind the number, `true`, `false` or `null` at `place`, and returns what it is.
  private func scanWord() throws(ScanEnd) -> (JSONNode.Kind, JSONNode.Form) {
    let start = place
    var offset = start
    var digits = 0
    while true {
      guard offset < limit else { throw .incomplete }
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      if byte &- 0x30 < 10 {
        digits &+= 1
      } else if byte | 0x20 &- 0x61 >= 26, byte != 0x2B, byte != 0x2D, byte != 0x2E {
        break
      }
      offset &+= 1
    }
    let word = UnsafeRawBufferPointer(start: base + start, count: offset &- start)
    guard let first = word.first else { throw .malformed("@shared.value-2") }
    if digits == word.count, first != 0x30 || digits == 1 {
      place = offset
      return (.number, .plain)
    }
    if word.elementsEqual("null".utf8) {
      place = offset
      return (.null, .plain)
    }
    if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) {
      place = offset
      return (.word, .plain)
    }
    guard let plain = plainDecimal(json: word) else { throw .malformed("@shared.value-2") }
    place = offset
    if plain.elementsEqual(word) { return (.number, .plain) }
    exponents &+= 1
    return (.number, .coded)
  }
}

/// A JSON number as plain decimal digits, its exponent worked out exactly; nil when it is no JSON
/// number, or one with an exponent past ±40.
func plainDecimal(json bytes: UnsafeRawBufferPointer) -> [UInt8]? {
  var index = 0
  /// Whether the byte at `index` is a digit.
  func isDigit() -> Bool { index < bytes.count && bytes[index] &- 0x30 < 10 }
  let negative = bytes.first == 0x2D
  if negative { index = 1 }
  let wholeStart = index
  while isDigit() { index += 1 }
  let whole = bytes[wholeStart..<index]
  guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return nil }
  var fraction = bytes[index..<index]
  if index < bytes.count, bytes[index] == 0x2E {
    index += 1
    let start = index
    while isDigit() { index += 1 }
    fraction = bytes[start..<index]
    if fraction.isEmpty { return nil }
  }
  if index == bytes.count { return [UInt8](bytes) }
  guard bytes[index] | 0x20 == 0x65 else { return nil }
  index += 1
  var exponentIsNegative = false
  if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D {
    exponentIsNegative = bytes[index] == 0x2D
    index += 1
  }
  guard index < bytes.count, bytes.count - index <= 3,
    let magnitude = digits(bytes, index..<bytes.count), magnitude <= 40
  else { return nil }
  let exponent = exponentIsNegative ? -magnitude : magnitude
  var all = [UInt8](whole) + [UInt8](fraction)
  var point = whole.count + exponent
  if point <= 0 {
    all.insert(contentsOf: repeatElement(0x30, count: 1 - point), at: 0)
    point = 1
  }
  while all.count < point { all.append(0x30) }
  let left = all[..<point].drop { $0 == 0x30 }
  var right = all[point...]
  while right.last == 0x30 { right.removeLast() }
  var text: [UInt8] = negative ? [0x2D] : []
  text += left.isEmpty ? [0x30] : Array(left)
  if !right.isEmpty { text += [0x2E] + right }
  return text
}
