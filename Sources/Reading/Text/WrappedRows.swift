/// The first array of objects that lies inside nothing but objects, as answers of services wrap it.
struct WrappedRows {
  /// The keys that lead to it, the outermost first.
  private(set) var keys: [String] = []
  /// Where it begins.
  private(set) var place = 0
  /// What the objects around it hold besides, up to it.
  private(set) var others: [String] = []

  /// Finds the first array of objects that lies inside nothing but objects, at the beginning of a
  /// JSON text; nil where the bytes have none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.first == 0x7B else { return nil }
    var levels: [Level] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x7B:
        if let last = levels.last, !last.isObject {
          self.init(levels)
          return
        }
        levels.append(Level(isObject: true, place: index))
      case 0x5B:
        // The rows of a table that is no array of objects are none that a reader knows.
        if let last = levels.last, !last.isObject { return nil }
        levels.append(Level(isObject: false, place: index))
      case 0x7D, 0x5D:
        levels.removeLast()
        if levels.isEmpty { return nil }
      case 0x2C: levels[levels.count - 1].isAtKey = true
      case 0x22:
        let start = index + 1
        guard let end = Self.end(ofText: start, bytes) else { return nil }
        levels[levels.count - 1].keepKey(bytes[start..<end])
        index = end
      default: break
      }
      index += 1
    }
    return nil
  }

  /// - Parameter levels: the objects around the array, the outermost first, and last the array.
  private init(_ levels: [Level]) {
    keys = levels.compactMap(\.keys.last)
    place = levels[levels.count - 1].place
    others = levels.flatMap { $0.keys.dropLast() }
  }

  /// The place of the quotation mark that ends the text that begins at `start`; nil when none does.
  private static func end(ofText start: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
    var index = start
    while index < bytes.count, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
    return index < bytes.count ? index : nil
  }
}

/// An object or array that is open.
private struct Level {
  let isObject: Bool
  let place: Int
  /// Of an object, those so far.
  var keys: [String] = []
  /// Whether the next text is a key.
  var isAtKey = true

  /// Keeps a text as a key, if it stands in the place of one.
  mutating func keepKey(_ text: Slice<UnsafeRawBufferPointer>) {
    guard isObject, isAtKey else { return }
    isAtKey = false
    if keys.count < ReadingLimits.keys { keys.append(String(decoding: text, as: UTF8.self)) }
  }
}
