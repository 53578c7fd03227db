import Billing

/// An element's key beside its place in the array it came from; twelve bytes, because there is one
/// for each order and each transaction.
struct KeyedIndex: Keyed {
  private let low: UInt32
  private let high: UInt32
  var index: UInt32

  /// Keeps the key in two halves.
  @inline(__always)
  init(key: UInt64, index: UInt32) {
    (low, high) = (UInt32(truncatingIfNeeded: key), UInt32(key >> 32))
    self.index = index
  }

  @inline(__always)
  var key: UInt64 { UInt64(high) << 32 | UInt64(low) }
}

/// The indices `0..<count` ascending by key, equal keys in their original order.
///
/// - Parameters:
///   - room: for elements that are merged in later; it costs nothing until then.
///   - key: of the element at an index.
func sortedByKey(count: Int, room: Int = 0, _ key: (Int) -> UInt64) -> [KeyedIndex] {
  var items = [KeyedIndex](unsafeUninitializedCapacity: count + room) { buffer, initialized in
    for index in 0..<count {
      buffer.initializeElement(at: index, to: KeyedIndex(key: key(index), index: UInt32(index)))
    }
    initialized = count
  }
  items.withUnsafeMutableBufferPointer { sortByKey($0) }
  return items
}

extension Array where Element: BitwiseCopyable {
  /// Removes elements; what lies between them is moved once.
  ///
  /// - Parameter places: theirs, ascending.
  mutating func remove(ascending places: [Int]) {
    guard let first = places.first else { return }
    let count = count
    withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress else { return }
      var end = first
      for (number, place) in places.enumerated() {
        let next = number + 1 < places.count ? places[number + 1] : count
        (base + end).update(from: base + place + 1, count: next - place - 1)
        end += next - place - 1
      }
    }
    removeLast(places.count)
  }
}

extension [KeyedIndex] {
  /// The first position whose key is not below `key`.
  func lowerBound(_ key: UInt64) -> Int { partitioningIndex { $0.key >= key } }
}
