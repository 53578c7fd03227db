import Billing
import Support

/// What a simulated world is drawn from: xoshiro256**, seeded by SplitMix64. The samples in the
/// repository grew from it, so it stays as it is.
struct RandomNumbers: Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  init(seed: UInt64) {
    var seeds = SplitMix64(seed: seed)
    state = (seeds.next(), seeds.next(), seeds.next(), seeds.next())
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
    return weights.partitioningIndex { $0 > drawn }
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

/// Spreads a counter over all 64 bits, one to one.
func mixed(_ value: UInt64) -> UInt64 { SplitMix64.mixed(value) }

/// Running sums of `weights`, for ``RandomNumbers/index(cumulative:)``.
func cumulative(_ weights: [Int]) -> [Int] {
  var sum = 0
  return weights.map {
    sum += $0
    return sum
  }
}
