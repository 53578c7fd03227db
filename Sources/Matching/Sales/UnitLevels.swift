import Billing
import Conclusions

/// Apple's units and the ledger's by product, price, slot and sale or refund: all there is to
/// compare, of which there is only what some side has. One product at a time is laid out and
/// compared; products in which every number is the same on both sides are done with, only the
/// others become cells.
struct UnitLevels {
  /// Units of a product at a price in a slot.
  struct Entry: BitwiseCopyable {
    /// Its number.
    fileprivate let price: Int32
    /// Twice the slot for sales, one more for refunds.
    fileprivate let place: Int32
    /// Positive.
    fileprivate let units: Int64
  }

  private struct Sides {
    var reported: Int64 = 0
    var counted: Int64 = 0
  }

  private let width: Int
  private var prices = PriceNumbers()
  private let reported: Grouped<Entry>
  private var counted: [Entry] = []
  /// Product p has those from `countedStarts[p]` on.
  private var countedStarts: [Int32] = [0]
  /// The ledger's units that were added after all else, by product.
  private var later: [Int32: [Entry]] = [:]
  /// Prices of the open product, in the order of first use, and its units by price and place.
  private var levels: [Int32] = []
  private var sides: [Sides] = []
  /// Where in `sides` anything may be.
  private var touched: [Int] = []

  /// Takes Apple's units from groups; there are none of the ledger yet.
  ///
  /// - Parameters:
  ///   - products: how many there are.
  ///   - count: of groups.
  ///   - product: of a group; negative where it has no units to compare.
  ///   - group: with units.
  init(
    products: Int, slots: Int, count: Int, product: (Int) -> Int32,
    group: (Int) -> (price: CellPrice, slot: Int16, isRefund: Bool, units: Int64)
  ) {
    width = slots * 2
    var prices = PriceNumbers()
    reported = Grouped(numbers: products, count: count, number: product) { index in
      let group = group(index)
      return Entry(
        price: prices.number(of: group.price),
        place: Int32(group.slot) * 2 + (group.isRefund ? 1 : 0), units: group.units)
    }
    self.prices = prices
  }

  /// Adds the ledger's units of a class, at its price, to the product that `endProduct` ends next.
  mutating func add(_ counts: ClassCounts, _ price: CellPrice) {
    let number = prices.number(of: price)
    for place in counts.places where counts[place] != 0 {
      counted.append(Entry(price: number, place: Int32(place), units: counts[place]))
    }
  }

  /// Ends a product: the next one follows.
  mutating func endProduct() { countedStarts.append(Int32(counted.count)) }

  /// Adds units of the ledger to a product, by its index, after `endProduct` ended it.
  mutating func add(
    _ units: Int64, to product: Int32, _ price: CellPrice, slot: Int, isRefund: Bool
  ) {
    let place = Int32(slot * 2 + (isRefund ? 1 : 0))
    later[product, default: []].append(
      Entry(price: prices.number(of: price), place: place, units: units))
  }

  /// By how many units Apple has more of a product in a slot than the ledger, at a price, or at any
  /// where that has no amount; not negative.
  mutating func further(_ product: Int32, _ price: CellPrice, slot: Int, isRefund: Bool) -> Int64 {
    let place = Int32(slot * 2 + (isRefund ? 1 : 0))
    let number = price.price == nil ? nil : prices.number(of: price)
    /// Adds up one side's units of that slot, sales or refunds, at the price, or at any price where
    /// `number` is nil.
    func sum(_ entries: some Sequence<Entry>) -> Int64 {
      entries.reduce(0) {
        $1.place == place && $1.price == number ?? $1.price ? $0 + $1.units : $0
      }
    }
    return max(sum(reported[Int(product)]) - sum(ledgerEntries(Int(product))), 0)
  }

  /// The ledger's units of a product, by its index: those from before `endProduct`, then those that
  /// were added after it.
  private func ledgerEntries(_ product: Int) -> [Entry] {
    counted[Int(countedStarts[product])..<Int(countedStarts[product + 1])]
      + (later[Int32(product)] ?? [])
  }

  // MARK: One product after the other

  /// Adds up both sides' units of a product, by its index, in `sides`, where they stay until
  /// `close`; returns whether both have the same at each price, in each slot, of sales and refunds.
  mutating func open(_ product: Int) -> Bool {
    for entry in reported[product] { sides[sideIndex(entry)].reported += entry.units }
    let range = Int(countedStarts[product])..<Int(countedStarts[product + 1])
    for index in range { sides[sideIndex(counted[index])].counted += counted[index].units }
    if !later.isEmpty {
      for entry in later[Int32(product)] ?? [] { sides[sideIndex(entry)].counted += entry.units }
    }
    return touched.allSatisfy { sides[$0].reported == sides[$0].counted }
  }

  /// The index in `sides` of an entry's price and place, made where the price is new, and noted as
  /// touched.
  private mutating func sideIndex(_ entry: Entry) -> Int {
    var level = 0
    while level < levels.count, levels[level] != entry.price { level += 1 }
    if level == levels.count {
      levels.append(entry.price)
      if sides.count < levels.count * width {
        sides += Array(repeating: Sides(), count: width)
      }
    }
    touched.append(level * width + Int(entry.place))
    return touched[touched.count - 1]
  }

  /// Units that Apple reports of a product, sales and refunds, in the slots that are marked.
  func reportedUnits(_ product: Int, in slots: [Bool]) -> Int64 {
    reported[product].reduce(0) { slots[Int($1.place) / 2] ? $0 + $1.units : $0 }
  }

  /// Adds the cells of the open product that are not empty to others.
  func put(cellsOf product: Int, into cells: inout UnitCells) {
    for place in 0..<width {
      var cell = UnitCell()
      for (level, price) in levels.enumerated() {
        let own = sides[level * width + place]
        if own.reported != 0 { cell.reported[prices.all[Int(price)]] = own.reported }
        if own.counted != 0 { cell.counted[prices.all[Int(price)]] = own.counted }
      }
      if cell.isEmpty { continue }
      cells[
        SalesTieOut.CellKey(
          product: Int32(product), slot: Int16(place / 2), isRefund: place % 2 == 1)] = cell
    }
  }

  /// Ends the comparison of the open product: nothing is laid out any more.
  mutating func close() {
    for place in touched { sides[place] = Sides() }
    touched.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
  }

  /// Sale units of all products by slot, Apple's and the ledger's.
  func saleUnits() -> (reported: [Int64], counted: [Int64]) {
    /// Adds the entries that are sales, which have the even places, to units by slot.
    func addSales(of entries: some Sequence<Entry>, to bySlot: inout [Int64]) {
      for entry in entries where entry.place % 2 == 0 {
        bySlot[Int(entry.place) / 2] += entry.units
      }
    }
    var sales = (
      reported: [Int64](repeating: 0, count: width / 2),
      counted: [Int64](repeating: 0, count: width / 2)
    )
    addSales(of: reported.elements, to: &sales.reported)
    addSales(of: counted, to: &sales.counted)
    addSales(of: later.values.joined(), to: &sales.counted)
    return sales
  }
}

/// Numbers of prices, in the order of first use.
private struct PriceNumbers {
  private struct Code: CodeKey {
    let price: Int64
    /// Twice the currency's code, one more where there is a price.
    let currency: UInt64

    var mixed: UInt64 { mix(UInt64(bitPattern: price), currency) }
  }

  private var numbers = NumberTable<Code>()
  private(set) var all: [CellPrice] = []

  /// The number of a price; a new price gets the next.
  mutating func number(of price: CellPrice) -> Int32 {
    let currency = UInt64(price.currency?.packed ?? 0) * 2
    let number = numbers.number(
      of: Code(price: price.price ?? 0, currency: currency + (price.price == nil ? 0 : 1)))
    if number == all.count { all.append(price) }
    return Int32(number)
  }
}

/// The ledger's units of one class, while they are added up.
struct ClassCounts {
  /// By place: twice the slot for sales, one more for refunds.
  private var counts: [Int64]
  /// Places in which there may be any.
  private(set) var places = 0..<0
  /// Units of the period by the company's own day.
  private(set) var sales: Int64 = 0
  private(set) var refunds: Int64 = 0

  init(slots: Int) { counts = Array(repeating: 0, count: slots * 2) }

  /// The units at a place: twice the slot for sales, one more for refunds.
  subscript(place: Int) -> Int64 { counts[place] }

  /// Adds units sold or refunded, to their slot and to the period by the company's own day.
  ///
  /// - Parameters:
  ///   - slot: negative where no report has them.
  ///   - isOurs: whether the period has them by the company's own day.
  mutating func add(_ units: Int64, _ slot: Int16, isRefund: Bool, isOurs: Bool) {
    if isOurs { if isRefund { refunds += units } else { sales += units } }
    if slot < 0 { return }
    let place = Int(slot) * 2 + (isRefund ? 1 : 0)
    counts[place] += units
    places =
      places.isEmpty
      ? place..<place + 1 : min(places.lowerBound, place)..<max(places.upperBound, place + 1)
  }

  /// Makes it empty for another class.
  mutating func clear() {
    for place in places { counts[place] = 0 }
    (places, sales, refunds) = (0..<0, 0, 0)
  }
}

/// What the ledger's units come to by storefront and currency, while they are added up.
struct CountedMoney {
  private struct Sums {
    let key: BridgeSteps.Key
    /// Nil where the period has none by the company's day.
    var ledger: BridgeSteps.Sum?
    var dayBoundary = BridgeSteps.Sum()
    /// Micro-units by slot, without signs; nil where nothing was.
    var counted: [Int64?]
  }

  private let slots: [ReportDays.Slot]
  private var numbers = PairTable()
  private var sums: [Sums] = []

  init(_ days: ReportDays) { slots = days.slots }

  /// Adds the units of a class; without a currency there is nothing to add.
  mutating func add(_ counts: ClassCounts, _ storefront: Storefront?, _ price: CellPrice) {
    guard let currency = price.currency else { return }
    let number = numbers.number(Int32(storefront?.packed ?? 0), Int32(currency.packed))
    if number == sums.count {
      sums.append(
        Sums(
          key: BridgeSteps.Key(storefront: storefront, currency: currency),
          counted: Array(repeating: nil, count: slots.count)))
    }
    let each = price.price ?? 0
    var moved: Int64 = 0
    if counts.sales != 0 || counts.refunds != 0 {
      let units = counts.sales - counts.refunds
      var ledger = sums[number].ledger ?? BridgeSteps.Sum()
      ledger.add(units: units, amount: each.multipliedExactly(by: units))
      sums[number].ledger = ledger
      moved = -units
    }
    for place in counts.places where counts[place] != 0 {
      if each != 0 {
        let amount = each.multipliedExactly(by: counts[place])
        sums[number].counted[place / 2] = (sums[number].counted[place / 2] ?? 0) + amount
      }
      if slots[place / 2].isInPeriod { moved += place % 2 == 1 ? -counts[place] : counts[place] }
    }
    sums[number].dayBoundary.add(units: moved, amount: each.multipliedExactly(by: moved))
  }

  /// Adds the sums to the bridge's steps `ledger` and `day-boundary`, and to the clearing.
  func put(into bridge: inout BridgeSteps, _ clearing: inout Clearing) {
    for own in sums {
      if let ledger = own.ledger {
        bridge.add(
          .ledger, own.key.storefront, own.key.currency, units: ledger.units,
          amount: ledger.amount)
      }
      bridge.add(
        .dayBoundary, own.key.storefront, own.key.currency, units: own.dayBoundary.units,
        amount: own.dayBoundary.amount)
      for (slot, amount) in own.counted.enumerated() {
        if let amount { clearing.count(amount, own.key, slot: slot) }
      }
    }
  }
}
