/// Large values that several threads make, each for a place of its own, and that are then put in
/// order: they are moved, never copied.
package final class PlacedValues<Value: Sendable>: @unchecked Sendable {
  private let values: UnsafeMutableBufferPointer<Value>
  private var isTaken = false

  /// - Parameter count: of places.
  package init(count: Int) {
    values = .allocate(capacity: count)
    adviseLargePages(UnsafeRawBufferPointer(values))
  }

  deinit {
    precondition(isTaken, "what was put is taken")
    values.deallocate()
  }

  /// Puts a value where none is yet.
  package func put(_ value: consuming Value, at place: Int) {
    values.initializeElement(at: place, to: value)
  }

  /// Gives away the values of some places, in their order, and forgets the others.
  ///
  /// - Precondition: each place has a value, and none is named twice; this is the last call.
  package func take(_ places: [Int]) -> [Value] {
    var isLeft = [Bool](repeating: true, count: values.count)
    let taken = [Value](unsafeUninitializedCapacity: places.count) { buffer, count in
      adviseLargePages(UnsafeRawBufferPointer(buffer))
      for place in places {
        precondition(isLeft[place])
        isLeft[place] = false
        buffer.initializeElement(at: count, to: values.moveElement(from: place))
        count += 1
      }
    }
    for place in isLeft.indices where isLeft[place] { values.deinitializeElement(at: place) }
    isTaken = true
    return taken
  }
}
