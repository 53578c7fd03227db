import Billing

/// A price in a currency; nil where nobody told it.
struct CellPrice: Hashable, Comparable {
  var currency: Currency?
  var price: Int64?

  static func < (left: CellPrice, right: CellPrice) -> Bool {
    (left.currency?.code ?? "", left.price ?? .min) < (
      right.currency?.code ?? "", right.price ?? .min
    )
  }
}

/// The units of one product on one report day, sales or refunds, as Apple tells and the ledger
/// counts them; both by price, in positive units.
struct UnitCell {
  var reported: [CellPrice: Int64] = [:]
  var counted: [CellPrice: Int64] = [:]

  var reportedUnits: Int64 { reported.values.reduce(0, +) }
  var countedUnits: Int64 { counted.values.reduce(0, +) }
  /// Apple's units less the ledger's.
  var difference: Int64 { reportedUnits - countedUnits }

  /// Moves units of the ledger's side into another cell.
  mutating func move(_ units: Int64, at price: CellPrice, to other: inout UnitCell) {
    precondition(counted[price, default: 0] >= units)
    counted[price]! -= units
    if counted[price] == 0 { counted[price] = nil }
    other.counted[price, default: 0] += units
  }

  /// How many units of a price another cell may get. With a fitness of 2, only what this one has
  /// too many of and the other lacks; with 1, what this one has too many of; with 0, all there are.
  func room(for price: CellPrice, to other: UnitCell, fitness: Int) -> Int64 {
    let have = counted[price] ?? 0
    if fitness == 0 { return have }
    let excess = max(have - (reported[price] ?? 0), 0)
    if fitness == 1 { return excess }
    return min(excess, max((other.reported[price] ?? 0) - (other.counted[price] ?? 0), 0))
  }

  /// What pairing the two sides leaves.
  struct Outcome {
    /// Units that only Apple has.
    var onlyReported: [(price: CellPrice, units: Int64)] = []
    /// Units that only the ledger has.
    var onlyCounted: [(price: CellPrice, units: Int64)] = []
    /// Paired units whose prices differ.
    var repriced: [(reported: CellPrice, counted: CellPrice, units: Int64)] = []
    var matchedUnits: Int64 = 0
  }

  /// Pairs the units: equal prices first, the rest in ascending order. A surplus is taken where
  /// its side has more units of a price than the other.
  func paired() -> Outcome {
    var outcome = Outcome()
    var left: [CellPrice: Int64] = [:]
    var right: [CellPrice: Int64] = [:]
    for price in Set(reported.keys).union(counted.keys) {
      let (a, b) = (reported[price] ?? 0, counted[price] ?? 0)
      outcome.matchedUnits += min(a, b)
      if a > b { left[price] = a - b }
      if b > a { right[price] = b - a }
    }
    var apple = left.sorted { $0.key < $1.key }.map { (price: $0.key, units: $0.value) }
    var ours = right.sorted { $0.key < $1.key }.map { (price: $0.key, units: $0.value) }
    outcome.onlyReported = Self.takeSurplus(difference, from: &apple)
    outcome.onlyCounted = Self.takeSurplus(-difference, from: &ours)
    var (i, j) = (0, 0)
    while i < apple.count, j < ours.count {
      let units = min(apple[i].units, ours[j].units)
      outcome.repriced.append((apple[i].price, ours[j].price, units))
      outcome.matchedUnits += units
      apple[i].units -= units
      ours[j].units -= units
      if apple[i].units == 0 { i += 1 }
      if ours[j].units == 0 { j += 1 }
    }
    precondition(i == apple.count && j == ours.count, "a unit was left over")
    return outcome
  }

  /// Takes `surplus` units from the largest excesses.
  private static func takeSurplus(
    _ surplus: Int64, from excess: inout [(price: CellPrice, units: Int64)]
  ) -> [(price: CellPrice, units: Int64)] {
    guard surplus > 0 else { return [] }
    var rest = surplus
    var taken: [(price: CellPrice, units: Int64)] = []
    let ranked = excess.indices.sorted { left, right in
      excess[left].units != excess[right].units
        ? excess[left].units > excess[right].units : excess[left].price < excess[right].price
    }
    for index in ranked where rest > 0 {
      let units = min(rest, excess[index].units)
      taken.append((excess[index].price, units))
      excess[index].units -= units
      rest -= units
    }
    excess.removeAll { $0.units == 0 }
    return taken.sorted { $0.price < $1.price }
  }
}
