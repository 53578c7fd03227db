extension Array {
  /// Merges further elements into this list, in place where there is room. Both ascend by
  /// `precedes`, as the result does; of equal ones those that were there stay first.
  @inlinable
  package mutating func merge(_ more: [Element], _ precedes: (Element, Element) -> Bool) {
    guard let first = more.first else { return }
    if capacity == 0 { return self = more }
    var end = count
    append(contentsOf: more)
    if end == 0 || !precedes(first, self[end - 1]) { return }
    withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress else { return }
      // From behind, so that nothing is written over that was not moved yet.
      for (place, element) in more.enumerated().reversed() {
        // Its place is mostly near the last one's: steps of doubling width find it.
        var width = 1
        while width <= end, precedes(element, all[end - width]) { width *= 2 }
        let near = Swift.max(0, end - width)..<end
        let next = near.partitioningIndex { precedes(element, all[$0]) }
        (base + next + place + 1).update(from: base + next, count: end - next)
        all[next + place] = element
        end = next
      }
    }
  }
}
