/// What products with few units leave under each way to cut the days, unit by unit: most products
/// of most storefronts sell on a day or two, and from one offset to the next hardly any unit
/// changes its day.
struct OffsetSweep {
  /// The day of a quarter hour from one place among the ways on.
  private struct Step {
    var place: Int32
    /// -1 is none that is compared.
    var day: Int32
  }

  /// Units that change their day.
  private struct Change {
    var place: Int32
    var from: Int32
    var to: Int32
    var quantity: Int64
  }

  /// The ways, each once, in an order in which neighbours differ least.
  private let ways: [[Int]]
  private let placeOf: [[Int]: Int]
  /// By quarter hour; quarter q has those from `starts[q]` on, the first of place 0.
  private var steps: [Step] = []
  private var starts: [Int32] = [0]
  /// What each way leaves more than the one before it.
  private var more: [Int64]
  /// By day, Apple's units less the ledger's of the product at hand; zero between products.
  private var left: [Int64]
  private var changes: [Change] = []

  /// Works out for each quarter hour in which ways it is of which day; no product was added yet.
  ///
  /// - Parameters:
  ///   - ways: ways to cut the days: of each the first quarter hour of each compared day and that
  ///     after its last, in turn.
  ///   - quarters: quarter hours of the grid; none of these is later.
  init(_ ways: [[Int]], quarters: Int) {
    self.ways = Set(ways).sorted { $0.lexicographicallyPrecedes($1) }
    placeOf = Dictionary(uniqueKeysWithValues: self.ways.enumerated().map { ($1, $0) })
    more = Array(repeating: 0, count: self.ways.count)
    left = Array(repeating: 0, count: self.ways[0].count / 2)
    let days = self.ways.map { Self.days($0, quarters) }
    for quarter in 0..<quarters {
      var last: Int32?
      for (place, day) in days.lazy.map({ $0[quarter] }).enumerated() where day != last {
        steps.append(Step(place: Int32(place), day: day))
        last = day
      }
      starts.append(Int32(steps.count))
    }
  }

  /// By quarter hour, the compared day that it is of in one way to cut the days; -1 for none.
  private static func days(_ starts: [Int], _ quarters: Int) -> [Int32] {
    var dayOf = [Int32](repeating: -1, count: quarters)
    for day in 0..<starts.count / 2 where starts[2 * day] < starts[2 * day + 1] {
      for quarter in starts[2 * day]..<starts[2 * day + 1] { dayOf[quarter] = Int32(day) }
    }
    return dayOf
  }

  /// The index in `totals` of what a candidate leaves.
  func place(of rule: BoundaryRule) -> Int { placeOf[rule.starts]! }

  /// What each way leaves, by place: the sums of |Apple's units − the ledger's| over the days of
  /// all products so far.
  var totals: [Int64] {
    var total: Int64 = 0
    return more.map {
      total += $0
      return total
    }
  }

  /// Adds the units of a product in which Apple and the ledger differ under each way.
  ///
  /// - Parameter difference: these units under a way, given as one of `ways`.
  mutating func add(_ difference: ([Int]) -> Int64) {
    var before: Int64 = 0
    for place in ways.indices {
      let own = difference(ways[place])
      more[place] += own - before
      before = own
    }
  }

  /// Adds the units of a product in which Apple and the ledger differ under each way, looking at
  /// each sale by itself: for products with few.
  ///
  /// - Parameters:
  ///   - events: the ledger's sales of the product.
  ///   - reported: the sale units of it that Apple reports, by day.
  mutating func add(
    _ events: ArraySlice<BillableUnits.Event>, _ reported: ArraySlice<ReportedSale>
  ) {
    var total: Int64 = 0
    for sale in reported { total += addToDay(sale.units, sale.day) }
    for event in events {
      let (first, quantity) = (Int(starts[Int(event.quarter)]), Int64(event.quantity))
      var from = steps[first].day
      total += addToDay(-quantity, from)
      for step in steps[first + 1..<Int(starts[Int(event.quarter) + 1])] {
        insert(Change(place: step.place, from: from, to: step.day, quantity: quantity))
        from = step.day
      }
    }
    more[0] += total
    for change in changes {
      more[Int(change.place)] +=
        addToDay(change.quantity, change.from) + addToDay(-change.quantity, change.to)
    }
    for change in changes where change.from >= 0 { left[Int(change.from)] = 0 }
    for change in changes where change.to >= 0 { left[Int(change.to)] = 0 }
    for sale in reported { left[Int(sale.day)] = 0 }
    for event in events {
      let day = steps[Int(starts[Int(event.quarter)])].day
      if day >= 0 { left[Int(day)] = 0 }
    }
    changes.removeAll(keepingCapacity: true)
  }

  /// Adds units to what is left on a compared day, and returns how much further from zero that is;
  /// 0 for day -1, which is none.
  @inline(__always)
  private mutating func addToDay(_ units: Int64, _ day: Int32) -> Int64 {
    if day < 0 { return 0 }
    let before = left[Int(day)]
    left[Int(day)] = before + units
    return abs(before + units) - abs(before)
  }

  /// Puts a change among the others, ascending by place; there are few.
  private mutating func insert(_ change: Change) {
    var place = changes.count
    changes.append(change)
    while place > 0, changes[place - 1].place > change.place {
      changes[place] = changes[place - 1]
      place -= 1
    }
    changes[place] = change
  }
}

/// Sale units of one product that Apple reports on one of the compared days.
struct ReportedSale: BitwiseCopyable {
  /// Its place among them.
  var day: Int32
  var units: Int64
}
