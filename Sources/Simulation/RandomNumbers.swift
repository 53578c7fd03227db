/// xoshiro256**, seeded by SplitMix64: the same seed gives the same world on every machine, which
/// the system's generator does not promise.
struct RandomNumbers: Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  init(seed: UInt64) {
    var splitMix = seed
    func next() -> UInt64 {
      splitMix &+= 0x9E37_79B9_7F4A_7C15
      return mixed(splitMix)
    }
    state = (next(), next(), next(), next())
  }

  mutating func next() -> UInt64 {
    let result = rotated(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, 45)
    return result
  }

  /// A number from 0 up to but not including `bound`.
  mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0)
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// True in `share` of 1,000 cases.
  mutating func chance(_ share: Int) -> Bool { below(1000) < share }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// An index, each as likely as its weight says.
  mutating func index(cumulative weights: [Int]) -> Int {
    let drawn = below(weights[weights.count - 1])
    var index = 0
    while weights[index] <= drawn { index += 1 }
    return index
  }

  mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, below(last + 1))
    }
  }
}

private func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
  (value << count) | (value >> (64 - count))
}

/// SplitMix64's finisher: spreads a counter over all 64 bits, one to one.
func mixed(_ value: UInt64) -> UInt64 {
  var z = value
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}

/// Running sums of `weights`, for ``RandomNumbers/index(cumulative:)``.
func cumulative(_ weights: [Int]) -> [Int] {
  var sum = 0
  return weights.map {
    sum += $0
    return sum
  }
}
