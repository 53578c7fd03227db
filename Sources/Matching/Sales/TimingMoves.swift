import Billing

/// Units that Apple booked on a day next to the one they were bought on.
struct TimingMove {
  /// The slot the units were bought in.
  var from: Int
  /// The slot Apple booked them in.
  var to: Int
  /// The boundary between two slots that they crossed: that before slot `boundary`.
  var boundary: Int
  var units: Int64
}

/// Finds moves between neighbouring slots of one product that make its differences smaller, each
/// within what the transactions near the boundary prove.
///
/// - Parameters:
///   - differences: Apple's units less the ledger's per slot; slots without reports are nil.
///   - late: units bought just before the boundary that begins each slot.
///   - early: units bought just after the boundary that begins each slot.
/// - Returns: moves; applying them brings no difference further from zero.
func timingMoves(differences: [Int64?], late: [Int64], early: [Int64]) -> [TimingMove] {
  precondition(differences.count == late.count && late.count == early.count)
  var rest = differences
  var (late, early) = (late, early)
  var moved: [Int: Int64] = [:]
  // Near differences first: a unit rarely travels further than one boundary, and then as a chain
  // in which each day passes on as many units as it receives.
  for distance in 1..<max(differences.count, 2) {
    for giver in differences.indices {
      for (receiver, isLate) in [(giver + distance, true), (giver - distance, false)] {
        guard differences.indices.contains(receiver), let have = rest[giver], have < 0,
          let want = rest[receiver], want > 0
        else { continue }
        let crossed = isLate ? (giver + 1)...receiver : (receiver + 1)...giver
        let between = min(giver, receiver)...max(giver, receiver)
        guard !between.contains(where: { rest[$0] == nil }) else { continue }
        let room = crossed.map { isLate ? late[$0] : early[$0] }.min() ?? 0
        let units = min(-have, want, room)
        guard units > 0 else { continue }
        rest[giver]! += units
        rest[receiver]! -= units
        for boundary in crossed {
          if isLate { late[boundary] -= units } else { early[boundary] -= units }
          moved[isLate ? boundary : -boundary, default: 0] += units
        }
      }
    }
  }
  return moved.sorted { abs($0.key) == abs($1.key) ? $0.key > $1.key : abs($0.key) < abs($1.key) }
    .map { key, units in
      key > 0
        ? TimingMove(from: key - 1, to: key, boundary: key, units: units)
        : TimingMove(from: -key, to: -key - 1, boundary: -key, units: units)
    }
}
