// Eight or sixteen bytes at a time. Loads run past what they look at: every buffer that is scanned
// carries `overrun` spare bytes at its end.

/// Spare bytes that follow every scanned buffer.
let overrun = 16

/// The eight bytes at `pointer` as a word, the first byte lowest; it need not be aligned.
@inline(__always)
func loadWord(_ pointer: UnsafeRawPointer) -> UInt64 {
  UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
}

/// A word that has `byte` in all eight places.
@inline(__always)
func eightfold(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

/// A mask of the bytes of `word` that equal the byte of `pattern` in the same place: 0x80 for each
/// that does, 0 for any other. It is exact.
@inline(__always)
func matches(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
  let difference = word ^ pattern
  let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  return ~(((difference & low) &+ low) | difference | low)
}

/// The sixteen bytes at `pointer`, which need not be aligned.
@inline(__always)
func loadBytes(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
  pointer.loadUnaligned(as: SIMD16<UInt8>.self)
}

/// A mask of sixteen bytes as two words, of the first eight bytes and of the others, in the form of
/// ``matches(_:_:)``: 0x80 for each byte that is marked.
@inline(__always)
func highBits(_ marks: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
  let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
  return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    & SIMD2(repeating: 0x8080_8080_8080_8080)
}

/// Whether all bytes that were or'ed into `joined` are ASCII, so that none has its high bit.
@inline(__always)
func isASCII(_ joined: SIMD16<UInt8>) -> Bool {
  let words = unsafeBitCast(joined, to: SIMD2<UInt64>.self)
  return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0
}

/// The first `count` bytes (1...8) at `pointer` as a word whose other bytes are 0.
@inline(__always)
func loadWord(_ pointer: UnsafeRawPointer, count: Int) -> UInt64 {
  loadWord(pointer) & (~0 >> UInt64(64 &- count &* 8))
}

/// A well-mixing hash of the `count` bytes at `pointer`, which goes on from the hash `seed`. Never
/// leaves the process.
@inline(__always)
func runHash(_ pointer: UnsafeRawPointer, _ count: Int, _ seed: UInt64) -> UInt64 {
  var state = seed ^ (UInt64(truncatingIfNeeded: count) &* 0xA076_1D64_78BD_642F)
  var offset = 0
  while offset &+ 8 <= count {
    state = folded(state ^ loadWord(pointer + offset), 0xE703_7ED1_A0B4_28DB)
    offset &+= 8
  }
  if offset < count {
    state = folded(
      state ^ loadWord(pointer + offset, count: count &- offset), 0x8EBC_6AF0_9C88_C6E3)
  }
  return folded(state, 0x5899_65CC_7537_4CC3)
}

/// The high and the low half of the product, xor'ed: one step of mixing.
@inline(__always)
private func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
  let product = left.multipliedFullWidth(by: right)
  return product.high ^ product.low
}

/// Whether two runs of `count` bytes are the same.
@inline(__always)
func equalBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
  var offset = 0
  while offset &+ 8 <= count {
    if loadWord(left + offset) != loadWord(right + offset) { return false }
    offset &+= 8
  }
  if offset == count { return true }
  let rest = count &- offset
  return loadWord(left + offset, count: rest) == loadWord(right + offset, count: rest)
}

/// The offset of the first byte in `low..<high` that is one of two bytes; nil when none is.
///
/// - Parameter base: where offset 0 is.
func firstPlace(
  _ base: UnsafeRawPointer, _ low: Int, _ high: Int, of first: UInt8, or second: UInt8
) -> Int? {
  let firsts = eightfold(first)
  let seconds = eightfold(second)
  var offset = low
  while offset < high {
    let word = loadWord(base + offset)
    let marks = matches(word, firsts) | matches(word, seconds)
    if marks != 0 {
      let place = offset &+ marks.trailingZeroBitCount &>> 3
      return place < high ? place : nil
    }
    offset &+= 8
  }
  return nil
}

/// How many line ends (`\n`) there are at the offsets `low..<high` from `base`.
func lineEnds(_ base: UnsafeRawPointer, _ low: Int, _ high: Int) -> Int {
  var count = 0
  var place = low
  while let next = firstPlace(base, place, high, of: 0x0A, or: 0x0A) {
    count += 1
    place = next + 1
  }
  return count
}

/// The bytes without blanks (spaces and control characters) at either end.
@inline(__always)
func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  if bytes.isEmpty || (bytes[0] > 0x20 && bytes[bytes.count &- 1] > 0x20) { return bytes }
  return trimmedSlowly(bytes)
}

/// What ``trimmed(_:)`` returns, where there may be blanks.
private func trimmedSlowly(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var low = 0
  var high = bytes.count
  while low < high, bytes[low] <= 0x20 { low += 1 }
  while high > low, bytes[high - 1] <= 0x20 { high -= 1 }
  return UnsafeRawBufferPointer(rebasing: bytes[low..<high])
}

/// The offset of the first byte that does not belong to well-formed UTF-8; nil when all does.
func firstMalformedUTF8(_ bytes: UnsafeRawBufferPointer) -> Int? {
  var offset = 0
  let count = bytes.count
  /// Whether the byte at an index goes on with a character, as all but its first do.
  func isTail(_ index: Int) -> Bool { index < count && bytes[index] & 0xC0 == 0x80 }
  while offset < count {
    let lead = bytes[offset]
    if lead < 0x80 {
      if offset + 8 <= count,
        loadWord(bytes.baseAddress! + offset) & 0x8080_8080_8080_8080 == 0
      {
        offset += 8
      } else {
        offset += 1
      }
      continue
    }
    guard isTail(offset + 1) else { return offset }
    let second = bytes[offset + 1]
    switch lead {
    case 0xC2...0xDF:
      offset += 2
    case 0xE0...0xEF:
      guard isTail(offset + 2), lead != 0xE0 || second >= 0xA0, lead != 0xED || second < 0xA0
      else { return offset }
      offset += 3
    case 0xF0...0xF4:
      guard isTail(offset + 2), isTail(offset + 3), lead != 0xF0 || second >= 0x90,
        lead != 0xF4 || second < 0x90
      else { return offset }
      offset += 4
    default:
      return offset
    }
  }
  return nil
}

/// The words that databases and programs write for nothing, in lower case.
let nullWords: [[UInt8]] = [
  "null", "\\n", "none", "nil", "nan", "<na>", "(null)", "[null]", "n/a", "#n/a", "undefined",
].map { Array($0.utf8) }

/// The index in ``nullWords`` of the word that the bytes are, in any case; nil when they are none.
@inline(__always)
func nullWord(_ bytes: UnsafeRawBufferPointer) -> Int? {
  guard bytes.count &- 2 < 8, bytes.count > 1 else { return nil }
  // Ids of users are as short, and many begin like one of the words.
  let second = bytes[1] | 0x20
  switch bytes[0] | 0x20 {
  // null, none, nil, nan, n/a
  case 0x6E:
    switch second {
    case 0x75, 0x6F, 0x69, 0x61, 0x2F: return comparedNullWord(bytes)
    default: return nil
    }
  // undefined, \\n, <na>, (null), [null], #n/a
  case 0x75, 0x7C, 0x3C, 0x28, 0x7B, 0x23: return second == 0x6E ? comparedNullWord(bytes) : nil
  default: return nil
  }
}

/// The index in ``nullWords`` of the word that the bytes are, found by comparison with every word;
/// nil when they are none.
@inline(never)
private func comparedNullWord(_ bytes: UnsafeRawBufferPointer) -> Int? {
  nullWords.firstIndex { word in
    word.count == bytes.count
      && zip(word, bytes).allSatisfy { $0 == $1 || $1 &- 0x41 < 26 && $0 == $1 | 0x20 }
  }
}

/// Whether a text is one of ``nullWords``, such as `NULL` or `n/a`.
func isNullWord(_ text: String) -> Bool {
  Array(text.utf8).withUnsafeBytes { nullWord($0) != nil }
}
