import Billing

/// Reported and counted units by product, price, slot and sale or refund: all there is to compare,
/// in flat tables. Products in which every number is the same on both sides are done with; only
/// the others become cells.
struct UnitLevels {
  private struct Level: Hashable {
    var product: Int32
    var price: CellPrice
  }

  private let width: Int
  private var index: [Level: Int32] = [:]
  private var prices: [CellPrice] = []
  /// Levels of each product.
  private var levelsOf: [[Int32]]
  /// By level; places are a slot's sales and refunds in turn. Positive.
  private var reported: SlotCounts
  private var counted: SlotCounts

  init(products: Int, slots: Int) {
    width = slots * 2
    reported = SlotCounts(width: width)
    counted = reported
    levelsOf = Array(repeating: [], count: products)
  }

  /// The level of a product's price.
  mutating func level(_ product: Int32, _ price: CellPrice) -> Int {
    let key = Level(product: product, price: price)
    if let known = index[key] { return Int(known) }
    let level = prices.count
    index[key] = Int32(level)
    prices.append(price)
    levelsOf[Int(product)].append(Int32(level))
    reported.addRows()
    counted.addRows()
    return level
  }

  mutating func addReported(_ level: Int, slot: Int, isRefund: Bool, _ units: Int64) {
    reported.add(units, row: level, place: slot * 2 + (isRefund ? 1 : 0))
  }

  mutating func addCounted(_ level: Int, slot: Int, isRefund: Bool, _ units: Int64) {
    counted.add(units, row: level, place: slot * 2 + (isRefund ? 1 : 0))
  }

  /// Units that Apple has of a product at a price, of any price where that is not known, and the
  /// ledger does not have; not negative.
  func further(_ product: Int32, _ price: CellPrice, slot: Int, isRefund: Bool) -> Int64 {
    let place = slot * 2 + (isRefund ? 1 : 0)
    let levels =
      price.price == nil
      ? levelsOf[Int(product)] : [index[Level(product: product, price: price)]].compactMap(\.self)
    let sum = levels.reduce(Int64(0)) {
      $0 + reported[Int($1), place] - counted[Int($1), place]
    }
    return max(sum, 0)
  }

  /// Whether both sides tell the same of a product everywhere.
  func agrees(_ product: Int) -> Bool {
    levelsOf[product].allSatisfy { reported.agrees(with: counted, row: Int($0)) }
  }

  /// Units that both sides have of a product that agrees, in the slots named.
  func agreedUnits(_ product: Int, in slots: [Bool]) -> Int64 {
    var units: Int64 = 0
    for level in levelsOf[product] {
      for place in reported.places(of: Int(level)) where slots[place / 2] {
        units += reported[Int(level), place]
      }
    }
    return units
  }

  /// Puts a product's cells that are not empty among others.
  func put(cellsOf product: Int, into cells: inout UnitCells) {
    for place in 0..<width {
      var cell = UnitCell()
      for level in levelsOf[product] {
        let price = prices[Int(level)]
        let (apple, ours) = (reported[Int(level), place], counted[Int(level), place])
        if apple != 0 { cell.reported[price] = apple }
        if ours != 0 { cell.counted[price] = ours }
      }
      if cell.isEmpty { continue }
      cells[
        SalesTieOut.CellKey(
          product: Int32(product), slot: Int16(place / 2), isRefund: place % 2 == 1)] = cell
    }
  }

  /// Sale units by slot, of all products.
  func saleUnits() -> (reported: [Int64], counted: [Int64]) {
    var sums = (
      reported: [Int64](repeating: 0, count: width / 2),
      counted: [Int64](repeating: 0, count: width / 2)
    )
    for level in prices.indices {
      for place in reported.places(of: level) where place % 2 == 0 {
        sums.reported[place / 2] += reported[level, place]
      }
      for place in counted.places(of: level) where place % 2 == 0 {
        sums.counted[place / 2] += counted[level, place]
      }
    }
    return sums
  }
}
