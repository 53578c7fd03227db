/// What is sorted by a number.
@usableFromInline package protocol Keyed: BitwiseCopyable, SendableMetatype {
  var key: UInt64 { get }
}

extension UInt64: Keyed { @inlinable package var key: UInt64 { self } }

extension Array where Element: Keyed {
  /// The elements in ascending order of their keys; of those with equal keys the first alone.
  @inlinable package func sortedOnce() -> [Element] {
    var sorted = self
    sorted.withUnsafeMutableBufferPointer { sortByKey($0) }
    var kept = 0
    for place in sorted.indices where place == 0 || sorted[place].key != sorted[kept - 1].key {
      sorted[kept] = sorted[place]
      kept += 1
    }
    sorted.removeLast(sorted.count - kept)
    return sorted
  }
}

/// Sorts items in place, ascending by key; equal keys keep their order.
///
/// Most-significant-digit radix sort by 8 bits of what a range's keys differ in: after two or three
/// passes a range is mostly a handful in the processor's cache. Keys that ascend are only looked at
/// once. Of very many, the ranges of the first pass are shared out to two threads.
///
/// - Parameter room: memory for as many items at least; what it holds afterwards means nothing.
@inlinable package func sortByKey<Element: Keyed>(
  _ items: UnsafeMutableBufferPointer<Element>,
  in room: UnsafeMutableBufferPointer<Element>? = nil
) {
  for index in items.indices.dropFirst() where items[index - 1].key > items[index].key {
    let scratch = room ?? .allocate(capacity: items.count)
    defer { if room == nil { scratch.deallocate() } }
    return sortByKey(items, scratch, inTwo: items.count >= 1 << 20)
  }
}

/// Sorts items in place, ascending by key, by one pass of radix sort and the same for each range.
///
/// - Parameters:
///   - scratch: at least as large as the items; what it holds afterwards means nothing.
///   - inTwo: whether a second thread sorts a half of the ranges.
@inlinable func sortByKey<Element: Keyed>(
  _ items: UnsafeMutableBufferPointer<Element>, _ scratch: UnsafeMutableBufferPointer<Element>,
  inTwo: Bool = false
) {
  if items.count <= 24 { return insertByKey(items) }
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
    // Threads share no range, and this one waits for the other.
    nonisolated(unsafe) let (items, scratch, ends) = (items, scratch, ends)
    /// Sorts the items of each of these buckets by key, with the same part of `scratch`; bucket i
    /// ends before the item at `ends[i]`.
    @Sendable func sort(_ buckets: Range<Int>) {
      for bucket in buckets {
        let range = (bucket == 0 ? 0 : Int(ends[bucket - 1]))..<Int(ends[bucket])
        if range.count > 1 {
          sortByKey(
            UnsafeMutableBufferPointer(rebasing: items[range]),
            UnsafeMutableBufferPointer(rebasing: scratch[range]))
        }
      }
    }
    if inTwo {
      let half = ends[..<buckets].firstIndex { Int($0) >= items.count / 2 } ?? 0
      _ = inTwoThreads({ sort(0..<half) }, { sort(half..<buckets) })
    } else {
      sort(0..<buckets)
    }
  }
}

/// Sorts a few items in place, ascending by key, by insertion; equal keys keep their order.
@inlinable func insertByKey<Element: Keyed>(_ items: UnsafeMutableBufferPointer<Element>) {
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
