/// A file's name as text. Names are bytes, and old disks have some that are no UTF-8: such a byte
/// becomes a character of private use, U+10FF80 to U+10FFFF, from which ``systemBytes(of:)`` makes
/// it again. Where text is shown it stands as `\\xE9`.
package func fileName(_ bytes: some Collection<UInt8>) -> String {
  var decoder = UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var rest = bytes[...]
  var name = String.UnicodeScalarView()
  while true {
    let isText: Bool
    let count: Int
    switch decoder.parseScalar(from: &iterator) {
    case .emptyInput: return String(name)
    case .valid(let encoded):
      // Characters that stand for bytes are told by their bytes, so that no two names are one text.
      (isText, count) = (UTF8.decode(encoded).rawByte == nil, encoded.count)
    case .error(let length): (isText, count) = (false, length)
    }
    let piece = rest.prefix(count)
    if isText {
      name.append(contentsOf: String(decoding: piece, as: UTF8.self).unicodeScalars)
    } else {
      name.append(contentsOf: piece.map(Unicode.Scalar.init(rawByte:)))
    }
    rest = rest.dropFirst(count)
  }
}

/// The bytes that the system knows a file by, without the 0 at their end.
package func systemBytes(of name: String) -> [UInt8] {
  var bytes: [UInt8] = []
  for scalar in name.unicodeScalars {
    if let byte = scalar.rawByte { bytes.append(byte) } else { bytes += UTF8.encode(scalar)! }
  }
  return bytes
}

extension String {
  /// Whether it has bytes of a file's name that are no text.
  package var hasRawBytes: Bool { unicodeScalars.contains { $0.rawByte != nil } }
}

extension Unicode.Scalar {
  private static let rawBytes: UInt32 = 0x10FF00

  /// The character of private use that stands for a byte, of 0x80 or more, of a name that is no
  /// text.
  fileprivate init(rawByte byte: UInt8) { self.init(Self.rawBytes + UInt32(byte))! }

  /// The byte that the character stands for; nil for a character of text.
  var rawByte: UInt8? {
    value >= Self.rawBytes + 0x80 ? UInt8(value - Self.rawBytes) : nil
  }
}
