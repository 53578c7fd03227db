import Billing

/// A price in micro-units and its currency; each is nil where no source tells it.
struct CellPrice: Hashable, Comparable {
  var currency: Currency?
  var price: Int64?

  static func < (left: CellPrice, right: CellPrice) -> Bool {
    (left.currency?.code ?? "", left.price ?? .min) < (
      right.currency?.code ?? "", right.price ?? .min
    )
  }
}

/// Positive units by price. Mostly there is one price, which takes no memory of its own.
struct PricedUnits: Sequence {
  /// Of no units where there is no price.
  private var first = (price: CellPrice(), units: Int64(0))
  private var others: [CellPrice: Int64] = [:]

  var isEmpty: Bool { first.units == 0 && others.isEmpty }
  var total: Int64 { others.values.reduce(first.units, +) }

  /// The units at a price; 0 where there are none.
  subscript(price: CellPrice) -> Int64 {
    get { first.units != 0 && first.price == price ? first.units : others[price] ?? 0 }
    set {
      if first.units != 0 ? first.price == price : others[price] == nil {
        first = (price, newValue)
      } else {
        others[price] = newValue == 0 ? nil : newValue
      }
    }
  }

  /// Prices with their units, in no order.
  func makeIterator() -> Iterator {
    Iterator(first: first.units == 0 ? nil : first, others: others.makeIterator())
  }

  struct Iterator: IteratorProtocol {
    fileprivate var first: (price: CellPrice, units: Int64)?
    fileprivate var others: [CellPrice: Int64].Iterator

    mutating func next() -> (price: CellPrice, units: Int64)? {
      first.take() ?? others.next().map { ($0.key, $0.value) }
    }
  }
}

/// The units of one product on one report day, sales or refunds: those that Apple reports, and
/// those that the ledger has.
struct UnitCell {
  var reported = PricedUnits()
  /// The ledger's.
  var counted = PricedUnits()

  var isEmpty: Bool { reported.isEmpty && counted.isEmpty }
  var reportedUnits: Int64 { reported.total }
  var countedUnits: Int64 { counted.total }
  /// Apple's units less the ledger's.
  var difference: Int64 { reportedUnits - countedUnits }

  /// Moves units of the ledger's side into another cell.
  mutating func move(_ units: Int64, at price: CellPrice, to other: inout UnitCell) {
    precondition(counted[price] >= units)
    counted[price] -= units
    other.counted[price] += units
  }

  /// How many units of a price another cell may get. With a fitness of 2, only what this one has
  /// too many of and the other lacks; with 1, what this one has too many of; with 0, all there are.
  func room(for price: CellPrice, to other: UnitCell, fitness: Int) -> Int64 {
    let have = counted[price]
    if fitness == 0 { return have }
    let excess = max(have - reported[price], 0)
    if fitness == 1 { return excess }
    return min(excess, max(other.reported[price] - other.counted[price], 0))
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
    var apple: [(price: CellPrice, units: Int64)] = []
    var ours: [(price: CellPrice, units: Int64)] = []
    for (price, units) in reported {
      let less = counted[price]
      outcome.matchedUnits += min(units, less)
      if units > less { apple.append((price, units - less)) }
    }
    for (price, units) in counted where units > reported[price] {
      ours.append((price, units - reported[price]))
    }
    if apple.isEmpty, ours.isEmpty { return outcome }
    apple.sort { $0.price < $1.price }
    ours.sort { $0.price < $1.price }
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

  /// Takes `surplus` units out of the largest of `excess`, and returns them ascending by price;
  /// none where it is not positive.
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

/// Cells of the products in which the two sides differ anywhere.
struct UnitCells: Sequence {
  private let width: Int
  /// By product where its places begin; -1 where it has no cells.
  private var bases: [Int32]
  /// By slot and sale or refund where the cell is; -1 where it is empty.
  private var places: [Int32] = []
  private var keys: [SalesTieOut.CellKey] = []
  private var values: [UnitCell] = []

  /// - Parameter room: for so many cells; what is not used costs nothing, and a list that grows is
  ///   written twice.
  init(products: Int, slots: Int, room: Int = 0) {
    width = slots * 2
    bases = Array(repeating: -1, count: products)
    keys.reserveCapacity(room)
    values.reserveCapacity(room)
  }

  /// The cell of a product, slot and sale or refund; nil where neither side had units to begin
  /// with. A cell is emptied, never taken out.
  subscript(key: SalesTieOut.CellKey) -> UnitCell? {
    get {
      let base = bases[Int(key.product)]
      guard base >= 0 else { return nil }
      let place = places[Int(base) + offset(of: key)]
      return place < 0 ? nil : values[Int(place)]
    }
    set {
      if bases[Int(key.product)] < 0 {
        bases[Int(key.product)] = Int32(places.count)
        for _ in 0..<width { places.append(-1) }
      }
      let place = Int(bases[Int(key.product)]) + offset(of: key)
      if places[place] < 0 {
        places[place] = Int32(values.count)
        keys.append(key)
        values.append(newValue ?? UnitCell())
      } else {
        values[Int(places[place])] = newValue ?? UnitCell()
      }
    }
  }

  /// In the order in which cells were put in.
  func makeIterator() -> Zip2Sequence<[SalesTieOut.CellKey], [UnitCell]>.Iterator {
    zip(keys, values).makeIterator()
  }

  /// The place of a cell from its product's base on: sales and refunds of a slot in turn.
  private func offset(of key: SalesTieOut.CellKey) -> Int {
    Int(key.slot) * 2 + (key.isRefund ? 1 : 0)
  }
}
