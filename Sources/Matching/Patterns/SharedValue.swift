import Billing
import Conclusions

/// The value that more of some findings share than chance gives it to: a user, a version, a file.
///
/// Each value is a text once and a number from then on, because there are as many as rows that show
/// findings.
struct SharedValue {
  let dimension: Pattern.Dimension
  private let fewest: Int
  /// Cases that another pattern explains: where these are others are few, so that the rest would
  /// share other values without a cause.
  private let explained: Int
  private var texts: [String] = []
  private var numbers: [String: Int32] = [:]
  /// Cases that tell a value, and where the values of each end; a row that shows a case draws a
  /// value once.
  private var cases: [Int] = []
  private var ends: [Int] = []
  private var values: [Int32] = []

  /// Begins without any case.
  ///
  /// - Parameters:
  ///   - explained: cases that another pattern explains.
  ///   - fewest: cases that have to share the value.
  init(_ dimension: Pattern.Dimension, explained: Int, fewest: Int) {
    self.explained = explained
    self.dimension = dimension
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// Adds a value that the case at hand tells, until ``end(_:)`` ends the case; an empty text is no
  /// value.
  mutating func add(_ text: String) {
    if text.isEmpty { return }
    if let known = numbers[text] { return values.append(known) }
    let number = Int32(texts.count)
    numbers[text] = number
    texts.append(text)
    values.append(number)
  }

  /// Ends the case at hand, to which the values belong that were added since the case before; a
  /// case without any is left out.
  ///
  /// - Parameter index: of the case in the search.
  mutating func end(_ index: Int) {
    guard values.count > ends.last ?? 0 else { return }
    cases.append(index)
    ends.append(values.count)
  }

  /// The numbers of the values of a case, named by its place; a value comes once for each row that
  /// shows it.
  private func values(of place: Int) -> ArraySlice<Int32> {
    values[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
  }

  /// Values that enough cases share, ascending.
  var candidates: [String] { shared.map { texts[Int($0)] } }

  /// The numbers of the values that enough cases share, ascending by their texts.
  private var shared: [Int32] {
    var counts = [Int](repeating: 0, count: texts.count)
    var last = [Int](repeating: -1, count: texts.count)
    for place in cases.indices {
      for value in values(of: place) where last[Int(value)] != place {
        last[Int(value)] = place
        counts[Int(value)] += 1
      }
    }
    return counts.indices.filter { counts[$0] >= fewest }.sorted { texts[$0] < texts[$1] }
      .map { Int32($0) }
  }

  /// The value whose number of cases is the least likely by chance; nil where no value has half as
  /// many again as its part of all rows brings.
  ///
  /// - Parameter share: the part of all rows that a value has, for the value, the cases that share
  ///   it, and all cases; nil where it is not known.
  func trait(_ share: (_ value: String, _ hits: Int, _ all: Int) -> Double?) -> SharedTrait? {
    var best: SharedTrait?
    for number in shared {
      let value = texts[Int(number)]
      let holders = cases.indices.filter { values(of: $0).contains(number) }.map { cases[$0] }
      guard let share = share(value, holders.count, cases.count), share < 1 else { continue }
      // A finding that several rows show draws as often.
      let average =
        cases.indices.reduce(0) { $0 + min(1, share * Double(values(of: $1).count)) }
        / Double(cases.count)
      let all = cases.count + explained
      guard Double(holders.count) >= Rules.patternExcess * average * Double(all) else { continue }
      // All values that are as rare could have been the one.
      let chance =
        Chance.logTail(hits: holders.count, of: all, share: average) - naturalLog(share)
      guard chance < best?.chance ?? 0 else { continue }
      best = SharedTrait(
        dimension: dimension, value: value,
        users: dimension == .user ? [value] : [], cases: holders, share: share, chance: chance)
    }
    return best
  }
}
