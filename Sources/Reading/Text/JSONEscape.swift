/// One escape of a JSON text, `\n` or `\u5b9d`; two of them for characters beyond the first plane.
struct JSONEscape {
  var scalar: UInt32
  /// Bytes that it takes.
  var length: Int

  /// The escape whose backslash is at `bytes`; nil when `count` bytes hold none that JSON knows.
  init?(_ bytes: UnsafeRawPointer, _ count: Int) {
    guard count >= 2 else { return nil }
    let raw = UnsafeRawBufferPointer(start: bytes, count: count)
    length = 2
    switch raw[1] {
    case 0x22, 0x5C, 0x2F: scalar = UInt32(raw[1])
    case 0x62: scalar = 0x08
    case 0x66: scalar = 0x0C
    case 0x6E: scalar = 0x0A
    case 0x72: scalar = 0x0D
    case 0x74: scalar = 0x09
    case 0x75:
      guard let first = Self.hex(raw, 2) else { return nil }
      scalar = first
      length = 6
      if (0xD800...0xDBFF).contains(first) {
        guard count >= 12, raw[6] == 0x5C, raw[7] == 0x75, let low = Self.hex(raw, 8),
          (0xDC00...0xDFFF).contains(low)
        else { return nil }
        scalar = 0x10000 + (first - 0xD800) << 10 + (low - 0xDC00)
        length = 12
      } else if (0xDC00...0xDFFF).contains(first) {
        return nil
      }
    default: return nil
    }
  }

  /// Whether bytes that are no escape yet may be the beginning of one.
  static func mayGoOn(_ raw: UnsafeRawBufferPointer) -> Bool {
    if raw.count < 2 { return true }
    guard raw[1] == 0x75 else { return false }
    for (index, byte) in raw.enumerated().dropFirst(2) {
      let fits =
        switch index {
        case 6: byte == 0x5C
        case 7: byte == 0x75
        default: byte &- 0x30 < 10 || byte | 0x20 &- 0x61 < 6
        }
      if !fits { return false }
    }
    return raw.count < 12
  }

  /// Whether bytes that begin with a backslash, and are no escape that JSON knows, begin with one
  /// half of a surrogate pair, which means nothing alone.
  static func isHalf(_ raw: UnsafeRawBufferPointer) -> Bool {
    guard raw.count >= 6, raw[1] == 0x75, let unit = hex(raw, 2) else { return false }
    return (0xD800...0xDFFF).contains(unit)
  }

  /// The number of the four hexadecimal digits from `start` on; nil when they are not four.
  private static func hex(_ raw: UnsafeRawBufferPointer, _ start: Int) -> UInt32? {
    guard start + 4 <= raw.count else { return nil }
    var value: UInt32 = 0
    for byte in raw[start..<start + 4] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x37
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
