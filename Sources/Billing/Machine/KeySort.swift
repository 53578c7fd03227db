/// What is sorted by a number.
@usableFromInline package protocol Keyed: BitwiseCopyable {
  var key: UInt64 { get }
}

/// Sorts by key; equal keys keep their order.
///
/// Most-significant-digit radix sort by 8 bits of what a range's keys differ in: after two or three
/// passes a range is mostly a handful in the processor's cache. Keys that ascend are only looked at
/// once.
@inlinable package func sortByKey<Element: Keyed>(_ items: UnsafeMutableBufferPointer<Element>) {
  for index in items.indices.dropFirst() where items[index - 1].key > items[index].key {
    let scratch = UnsafeMutableBufferPointer<Element>.allocate(capacity: items.count)
    defer { scratch.deallocate() }
    adviseLargePages(UnsafeRawBufferPointer(scratch))
    return sortByKey(items, scratch)
  }
}

/// - Parameter scratch: as large as the items; what it holds afterwards means nothing.
@inlinable func sortByKey<Element: Keyed>(
  _ items: UnsafeMutableBufferPointer<Element>, _ scratch: UnsafeMutableBufferPointer<Element>
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
    var start = 0
    for bucket in 0..<buckets {
      let end = Int(ends[bucket])
      if end - start > 1 {
        sortByKey(
          UnsafeMutableBufferPointer(rebasing: items[start..<end]),
          UnsafeMutableBufferPointer(rebasing: scratch[start..<end]))
      }
      start = end
    }
  }
}

/// Insertion sort.
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
