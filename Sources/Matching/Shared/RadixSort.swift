import Billing

/// An element's key beside its place in the array it came from.
struct KeyedIndex {
  var key: UInt64
  var index: UInt32
}

/// The indices `0..<count` ascending by key, equal keys in their original order.
///
/// Least-significant-digit radix sort in 11-bit digits; digits that all keys share are passed over,
/// and keys that already ascend are only looked at once.
func sortedByKey(count: Int, _ key: (Int) -> UInt64) -> [KeyedIndex] {
  var items = [KeyedIndex](unsafeUninitializedCapacity: count) { buffer, initialized in
    for index in 0..<count {
      buffer.initializeElement(at: index, to: KeyedIndex(key: key(index), index: UInt32(index)))
    }
    initialized = count
  }
  var ascending = true
  var differing: UInt64 = 0
  items.withUnsafeBufferPointer { items in
    for index in 1..<max(count, 1) {
      if items[index - 1].key > items[index].key { ascending = false }
      differing |= items[index - 1].key ^ items[index].key
    }
  }
  if ascending { return items }
  var other = [KeyedIndex](repeating: KeyedIndex(key: 0, index: 0), count: count)
  for shift in stride(from: UInt64(0), to: 64, by: 11) where (differing >> shift) & 0x7FF != 0 {
    items.withUnsafeBufferPointer { source in
      other.withUnsafeMutableBufferPointer { target in
        scatter(source, into: target, shift: shift)
      }
    }
    swap(&items, &other)
  }
  return items
}

private func scatter(
  _ source: UnsafeBufferPointer<KeyedIndex>, into target: UnsafeMutableBufferPointer<KeyedIndex>,
  shift: UInt64
) {
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2048) { starts in
    starts.initialize(repeating: 0)
    for item in source { starts[Int((item.key >> shift) & 0x7FF)] += 1 }
    var sum: UInt32 = 0
    for digit in 0..<2048 {
      let count = starts[digit]
      starts[digit] = sum
      sum += count
    }
    for item in source {
      let digit = Int((item.key >> shift) & 0x7FF)
      target[Int(starts[digit])] = item
      starts[digit] += 1
    }
  }
}

extension [KeyedIndex] {
  /// The first position whose key is not below `key`.
  func lowerBound(_ key: UInt64) -> Int { partitioningIndex { $0.key >= key } }
}
