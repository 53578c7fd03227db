import Billing

/// Elements by a number, those of one number together, in the order in which they came.
struct Grouped<Element: BitwiseCopyable & Sendable>: Sendable {
  let elements: [Element]
  /// Number n has those from `starts[n]` on.
  private let starts: [Int32]

  /// Puts elements of the same number together.
  ///
  /// - Parameters:
  ///   - numbers: how many there are.
  ///   - count: of what the elements are made from.
  ///   - number: of each, by its index; negative for none.
  ///   - element: made from what is at an index.
  init(
    numbers: Int, count: Int, number: (Int) -> Int32, element: (Int) -> Element
  ) {
    var starts = [Int32](repeating: 0, count: numbers + 1)
    for index in 0..<count {
      let number = number(index)
      if number >= 0 { starts[Int(number) + 1] += 1 }
    }
    for number in 0..<numbers { starts[number + 1] += starts[number] }
    self.starts = starts
    let total = Int(starts[numbers])
    elements = Array(unsafeUninitializedCapacity: total) { buffer, filled in
      for index in 0..<count {
        let number = Int(number(index))
        if number < 0 { continue }
        buffer.initializeElement(at: Int(starts[number]), to: element(index))
        starts[number] += 1
      }
      filled = total
    }
  }

  /// How many numbers there are.
  var numbers: Int { starts.count - 1 }

  /// The elements of a number.
  subscript(number: Int) -> ArraySlice<Element> {
    elements[Int(starts[number])..<Int(starts[number + 1])]
  }
}
