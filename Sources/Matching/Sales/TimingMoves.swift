/// Units that Apple booked on a day next to the one they were bought on.
struct TimingMove: Hashable {
  /// The slot the units were bought in.
  var from: Int
  /// The slot Apple booked them in.
  var to: Int
  var units: Int64

  /// The boundary between two slots that they crossed: that before slot `boundary`.
  var boundary: Int { max(from, to) }
  /// Whether Apple booked them after the slot they were bought in.
  var isLate: Bool { to > from }
}

/// Finds moves between neighbouring slots of one product that make its differences smaller, each
/// within what the transactions near the boundary prove.
///
/// The sum of absolute differences becomes as small as it can with as few units moved as it takes.
/// A difference travels over at most two boundaries, the day between passing on as many units as it
/// receives: with enough trade, units near every boundary would explain away anything.
///
/// - Parameters:
///   - differences: Apple's units less the ledger's per slot; slots without reports are nil.
///   - late: units bought just before the boundary that begins each slot.
///   - early: units bought just after the boundary that begins each slot.
/// - Returns: moves in the order in which units travel; applying them brings no difference further
///   from zero.
func timingMoves(differences: [Int64?], late: [Int64], early: [Int64]) -> [TimingMove] {
  precondition(differences.count == late.count && late.count == early.count)
  var flow = TimingFlow(rest: differences, late: late, early: early)
  for reach in 1...2 { while let path = flow.path(reach) { flow.push(along: path) } }
  return flow.moves
}

/// Units on their way between the slots of a line: a minimum-cost flow, found by the shortest paths
/// first.
private struct TimingFlow {
  /// Differences that are left.
  var rest: [Int64?]
  /// What may still cross the boundary before each slot, forwards and backwards.
  var late: [Int64]
  var early: [Int64]
  /// What crosses the boundary before each slot, forwards where positive.
  private var crossing: [Int64]

  /// A flow in which nothing has crossed a boundary yet; parameters as in ``timingMoves``.
  init(rest: [Int64?], late: [Int64], early: [Int64]) {
    self.rest = rest
    self.late = late
    self.early = early
    crossing = Array(repeating: 0, count: rest.count)
  }

  /// Units that may be added to what crosses a boundary in a direction, and what each costs: taking
  /// back what goes the other way comes first and saves a move.
  ///
  /// - Parameters:
  ///   - boundary: the slot that it begins.
  ///   - isLate: forwards, to that slot.
  private func room(_ boundary: Int, isLate: Bool) -> (units: Int64, cost: Int) {
    let against = isLate ? -crossing[boundary] : crossing[boundary]
    if against > 0 { return (against, -1) }
    return (isLate ? late[boundary] + against : early[boundary] + against, 1)
  }

  /// A way from a slot where the ledger has more to one where Apple has more, over boundaries that
  /// let units through, at a cost of at most `reach` moves; nil for none.
  func path(_ reach: Int) -> TimingWay? {
    for giver in rest.indices where (rest[giver] ?? 0) < 0 {
      for isLate in [true, false] {
        var (slot, cost) = (giver, 0)
        while true {
          let next = isLate ? slot + 1 : slot - 1
          guard rest.indices.contains(next), rest[next] != nil else { break }
          let room = room(max(slot, next), isLate: isLate)
          guard room.units > 0 else { break }
          (slot, cost) = (next, cost + room.cost)
          if cost <= reach, (rest[slot] ?? 0) > 0 {
            return TimingWay(from: giver, to: slot)
          }
        }
      }
    }
    return nil
  }

  /// Moves as many units along a way as its ends differ by and its boundaries let through.
  mutating func push(along path: TimingWay) {
    let boundaries = (min(path.from, path.to) + 1)...max(path.from, path.to)
    let isLate = path.to > path.from
    let room = boundaries.map { self.room($0, isLate: isLate).units }.min()!
    let units = min(room, -rest[path.from]!, rest[path.to]!)
    for boundary in boundaries { crossing[boundary] += isLate ? units : -units }
    rest[path.from]! += units
    rest[path.to]! -= units
  }

  /// What crosses the boundaries as moves: forwards from the first slot on, then backwards from the
  /// last.
  var moves: [TimingMove] {
    let forwards = crossing.indices.filter { crossing[$0] > 0 }
      .map { TimingMove(from: $0 - 1, to: $0, units: crossing[$0]) }
    let backwards = crossing.indices.reversed().filter { crossing[$0] < 0 }
      .map { TimingMove(from: $0, to: $0 - 1, units: -crossing[$0]) }
    return forwards + backwards
  }
}

/// The slots that units are moved from and to, over those between.
private struct TimingWay {
  var from: Int
  var to: Int
}
