import Billing
import Support
import Testing

/// Goal: lists that are merged in place are what a stable sort makes of both. Method: lists of all
/// shapes that rows have: behind, before, among each other, many equal ones, none.
struct AscendingListsTests {
  private struct Row: Equatable {
    var key: Int
    var isNew: Bool
  }

  @Test func `merged is sorted, and of equal ones the known stay first`() {
    var random = SplitMix64(seed: 11)
    for round in 0..<400 {
      func keys(_ range: ClosedRange<Int>) -> [Int] {
        let count = [0, 1, 2, 40, 300].randomElement(using: &random)!
        return (0..<count).map { _ in Int.random(in: range, using: &random) }.sorted()
      }
      let spans = [0...1000, 0...5, 400...600, 2000...3000]
      let known = keys(spans.randomElement(using: &random)!).map { Row(key: $0, isNew: false) }
      let more = keys(spans.randomElement(using: &random)!).map { Row(key: $0, isNew: true) }
      var merged = known
      merged.merge(more) { $0.key < $1.key }
      let both = known + more
      let sorted = both.indices.sorted { (both[$0].key, $0) < (both[$1].key, $1) }.map { both[$0] }
      #expect(merged == sorted, "round \(round)")
    }
  }

  /// Values that hold others are moved, not lost.
  @Test func `texts are merged too`() {
    var texts = ["a fairly long first text", "m", "z and a fairly long last text"]
    texts.merge(["b and some more that is long", "z"]) { $0 < $1 }
    #expect(
      texts == [
        "a fairly long first text", "b and some more that is long", "m", "z",
        "z and a fairly long last text",
      ])
  }
}
