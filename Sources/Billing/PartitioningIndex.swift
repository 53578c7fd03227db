extension Range where Bound: FixedWidthInteger {
  /// The first number that `isReached` holds for; the upper bound where it holds for none. The one
  /// binary search of the project. It steps over numbers alone, without the checks that a
  /// collection makes of each index: rows are looked up by the million.
  ///
  /// - Precondition: from the first number that it holds for, it holds for all.
  @inlinable @inline(__always)
  package func partitioningIndex(where isReached: (Bound) throws -> Bool) rethrows -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RandomAccessCollection where Index == Int {
  /// The index of the first element that `isReached` holds for; the end where it holds for none.
  ///
  /// - Precondition: from the first element that it holds for, it holds for all.
  @inlinable @inline(__always)
  package func partitioningIndex(where isReached: (Element) throws -> Bool) rethrows -> Int {
    try (startIndex..<endIndex).partitioningIndex { try isReached(self[$0]) }
  }
}
