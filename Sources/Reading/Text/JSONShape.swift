/// The outermost keys of a JSON text's first object.
struct JSONShape {
  var keys: [String] = []
  /// The first byte of each key's value.
  var firstBytes: [String: UInt8] = [:]
  var isEmptyArray = false
  /// The text is an array of texts.
  var isArrayOfTexts = false
  /// The object's end was seen.
  var isWhole = false
  /// Reading ended there.
  var hasTooManyKeys = false

  /// Looks at the beginning of a text as far as the end of its first object.
  init(_ bytes: UnsafeRawBufferPointer) {
    var depth = 0
    var index = 0
    var isKey = false
    var wantsValue = false
    while index < bytes.count {
      if wantsValue, bytes[index] > 0x20, let key = keys.last {
        firstBytes[key] = bytes[index]
        wantsValue = false
      }
      switch bytes[index] {
      case 0x5B where depth == 0 && index == 0: break
      case 0x5D where depth == 0:
        isEmptyArray = true
        isWhole = true
        return
      case 0x7B, 0x5B:
        depth += 1
        isKey = depth == 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth == 0 {
          isWhole = true
          return
        }
      case 0x2C: isKey = depth == 1
      case 0x3A:
        isKey = false
        wantsValue = depth == 1
      case 0x22:
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != 0x22 {
          index += bytes[index] == 0x5C ? 2 : 1
        }
        if index >= bytes.count { return }
        if depth == 0 {
          isArrayOfTexts = true
          isWhole = true
          return
        }
        if isKey, depth == 1 {
          guard keys.count < ReadingLimits.keys else {
            hasTooManyKeys = true
            isWhole = true
            return
          }
          keys.append(String(decoding: bytes[start..<index], as: UTF8.self))
        }
      default: break
      }
      index += 1
    }
  }
}
