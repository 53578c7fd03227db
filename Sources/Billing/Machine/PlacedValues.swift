/// Where several threads put large values, each into a place of its own: a list that is being made.
package struct PlacedValues<Value: Sendable>: @unchecked Sendable {
  fileprivate let values: UnsafeMutableBufferPointer<Value>

  /// Puts a value at an index that has none yet.
  package func put(_ value: consuming Value, at place: Int) {
    values.initializeElement(at: place, to: value)
  }
}

extension Array where Element: Sendable {
  /// Makes a list of `count` large values, none of which is copied: each is written where it stays.
  ///
  /// - Parameter make: puts a value at every index, on any threads, and returns once these are
  ///   done.
  /// - Precondition: no place is left without a value.
  package init(places count: Int, _ make: (PlacedValues<Element>) -> Void) {
    self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      make(PlacedValues(values: UnsafeMutableBufferPointer(rebasing: buffer[..<count])))
      initialized = count
    }
  }

  /// Keeps the values at some indices, in the order in which these are named, and gives up the
  /// others; they are moved, and no second list is made.
  ///
  /// - Precondition: none is named twice.
  package mutating func keep(_ places: [Int]) {
    var isLeft = [Bool](repeating: true, count: count)
    for place in places {
      precondition(isLeft[place])
      isLeft[place] = false
    }
    var sources = places + isLeft.indices.filter { isLeft[$0] }
    withUnsafeMutableBufferPointer { all in
      for start in sources.indices where sources[start] != start {
        // Each takes the place of the one before, round to where the first came from.
        let first = all.moveElement(from: start)
        var hole = start
        while sources[hole] != start {
          all.initializeElement(at: hole, to: all.moveElement(from: sources[hole]))
          (sources[hole], hole) = (hole, sources[hole])
        }
        all.initializeElement(at: hole, to: first)
        sources[hole] = hole
      }
    }
    removeLast(count - places.count)
  }
}
