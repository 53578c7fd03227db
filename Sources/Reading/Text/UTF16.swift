internal import Billing

/// Turns a stream of UTF-16 into UTF-8, as spreadsheets save "Unicode text".
struct UTF16Decoder {
  let bigEndian: Bool
  /// The first byte of a unit whose second was not read yet.
  private var firstByte: UInt8?
  /// The first half of a character whose second half was not read yet.
  private var highSurrogate: UInt32?

  init(bigEndian: Bool) { self.bigEndian = bigEndian }

  /// The most bytes of UTF-8 that `count` bytes of UTF-16 may come to.
  static func room(for count: Int) -> Int { (count / 2 + 1) * 3 + 4 }

  /// Writes the UTF-8 of `bytes` at `output` and returns how many bytes that took; nil when a
  /// surrogate stands alone. A character that is cut goes on in the next call.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer)
    -> Int?
  {
    var count = 0
    for byte in bytes {
      guard let first = firstByte else {
        firstByte = byte
        continue
      }
      firstByte = nil
      let unit = bigEndian ? UInt32(first) << 8 | UInt32(byte) : UInt32(byte) << 8 | UInt32(first)
      let scalar: UInt32
      switch (highSurrogate, unit) {
      case (nil, 0xD800...0xDBFF):
        highSurrogate = unit
        continue
      case (.some(let high), 0xDC00...0xDFFF):
        highSurrogate = nil
        scalar = 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)
      case (nil, 0xDC00...0xDFFF), (.some, _):
        return nil
      default:
        scalar = unit
      }
      count += encode(scalar, at: output + count)
    }
    return count
  }

  /// Whether the text ended between two characters.
  var isComplete: Bool { firstByte == nil && highSurrogate == nil }
}

/// Writes a scalar as UTF-8 and returns how many bytes that took.
func encode(_ scalar: UInt32, at output: UnsafeMutableRawPointer) -> Int {
  /// Writes a byte, `index` bytes behind `output`.
  func put(_ index: Int, _ value: UInt32) {
    output.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
  }
  switch scalar {
  case 0..<0x80:
    put(0, scalar)
    return 1
  case 0x80..<0x800:
    put(0, 0xC0 | scalar >> 6)
    put(1, 0x80 | scalar & 0x3F)
    return 2
  case 0x800..<0x10000:
    put(0, 0xE0 | scalar >> 12)
    put(1, 0x80 | scalar >> 6 & 0x3F)
    put(2, 0x80 | scalar & 0x3F)
    return 3
  default:
    put(0, 0xF0 | scalar >> 18)
    put(1, 0x80 | scalar >> 12 & 0x3F)
    put(2, 0x80 | scalar >> 6 & 0x3F)
    put(3, 0x80 | scalar & 0x3F)
    return 4
  }
}
