extension RandomAccessCollection {
  /// Where the elements begin that `isReached` holds for; the end where it holds for none. The one
  /// binary search of the project: of a range it finds a number, of anything else a place.
  ///
  /// - Precondition: it holds for none before and for all since.
  @inlinable
  package func partitioningIndex(
    where isReached: (Element) throws -> Bool
  ) rethrows -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if try isReached(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
