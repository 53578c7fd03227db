import Billing

/// An element's key beside its place in the array it came from.
struct KeyedIndex {
  var key: UInt64
  var index: UInt32
}

/// The indices `0..<count` ascending by key, equal keys in their original order.
///
/// Most-significant-digit radix sort by 8 bits of what a range's keys differ in: after two or three
/// passes a range is a handful in the processor's cache, whatever the keys. Keys that ascend are
/// only looked at once.
///
/// - Parameter room: for elements that are merged in later; it costs nothing until then.
func sortedByKey(count: Int, room: Int = 0, _ key: (Int) -> UInt64) -> [KeyedIndex] {
  var items = [KeyedIndex](unsafeUninitializedCapacity: count + room) { buffer, initialized in
    adviseLargePages(UnsafeRawBufferPointer(buffer))
    for index in 0..<count {
      buffer.initializeElement(at: index, to: KeyedIndex(key: key(index), index: UInt32(index)))
    }
    initialized = count
  }
  items.withUnsafeMutableBufferPointer { items in
    for index in 1..<max(count, 1) where items[index - 1].key > items[index].key {
      let scratch = UnsafeMutableBufferPointer<KeyedIndex>.allocate(capacity: count)
      adviseLargePages(UnsafeRawBufferPointer(scratch))
      sort(items, scratch)
      scratch.deallocate()
      return
    }
  }
  return items
}

private func sort(
  _ items: UnsafeMutableBufferPointer<KeyedIndex>,
  _ scratch: UnsafeMutableBufferPointer<KeyedIndex>
) {
  if items.count <= 24 { return insert(items) }
  var (least, greatest) = (UInt64.max, UInt64.min)
  for item in items {
    least = min(least, item.key)
    greatest = max(greatest, item.key)
  }
  if least == greatest { return }
  let width = 64 - (greatest - least).leadingZeroBitCount
  let digit = min(width, 8, Int.bitWidth - items.count.leadingZeroBitCount)
  let shift = UInt64(width - digit)
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 257) { ends in
    let buckets = 1 << digit
    ends.initialize(repeating: 0)
    for item in items { ends[Int((item.key - least) >> shift) + 1] += 1 }
    for bucket in 1...buckets { ends[bucket] += ends[bucket - 1] }
    // Each bucket's start moves on to its end.
    for item in items {
      let bucket = Int((item.key - least) >> shift)
      scratch[Int(ends[bucket])] = item
      ends[bucket] += 1
    }
    items.baseAddress!.update(from: scratch.baseAddress!, count: items.count)
    if shift == 0 { return }
    var start = 0
    for bucket in 0..<buckets {
      let end = Int(ends[bucket])
      if end - start > 1 {
        sort(
          UnsafeMutableBufferPointer(rebasing: items[start..<end]),
          UnsafeMutableBufferPointer(rebasing: scratch[start..<end]))
      }
      start = end
    }
  }
}

/// Insertion sort.
private func insert(_ items: UnsafeMutableBufferPointer<KeyedIndex>) {
  for place in items.indices.dropFirst() {
    let item = items[place]
    var hole = place
    while hole > 0, items[hole - 1].key > item.key {
      items[hole] = items[hole - 1]
      hole -= 1
    }
    items[hole] = item
  }
}

extension Array where Element: BitwiseCopyable {
  /// Takes in further elements, in place where there is room. Both ascend, and of equal ones those
  /// that were there stay first.
  mutating func merge(_ more: [Element], _ precedes: (Element, Element) -> Bool) {
    if more.isEmpty { return }
    var end = count
    append(contentsOf: more)
    withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress else { return }
      // From behind, so that nothing is written over that was not moved yet.
      for (place, element) in more.enumerated().reversed() {
        let next = (0..<end).partitioningIndex { precedes(element, all[$0]) }
        (base + next + place + 1).update(from: base + next, count: end - next)
        all[next + place] = element
        end = next
      }
    }
  }
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
