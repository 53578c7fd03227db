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
  /// By level, slot and sale or refund; positive.
  private var reported: [Int64] = []
  private var counted: [Int64] = []

  init(products: Int, slots: Int) {
    width = slots * 2
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
    reported += Array(repeating: 0, count: width)
    counted += Array(repeating: 0, count: width)
    return level
  }

  mutating func addReported(_ level: Int, slot: Int, isRefund: Bool, _ units: Int64) {
    reported[level * width + slot * 2 + (isRefund ? 1 : 0)] += units
  }

  mutating func addCounted(_ level: Int, slot: Int, isRefund: Bool, _ units: Int64) {
    counted[level * width + slot * 2 + (isRefund ? 1 : 0)] += units
  }

  /// Whether both sides tell the same of a product everywhere.
  func agrees(_ product: Int) -> Bool {
    levelsOf[product].allSatisfy { level in
      let start = Int(level) * width
      return (start..<start + width).allSatisfy { reported[$0] == counted[$0] }
    }
  }

  /// Units that both sides have of a product that agrees, in the slots named.
  func agreedUnits(_ product: Int, in slots: [Bool]) -> Int64 {
    var units: Int64 = 0
    for level in levelsOf[product] {
      for slot in slots.indices where slots[slot] {
        let place = Int(level) * width + slot * 2
        units += reported[place] + reported[place + 1]
      }
    }
    return units
  }

  /// The cells of a product that are not empty.
  func cells(_ product: Int) -> [(SalesTieOut.CellKey, UnitCell)] {
    var cells: [SalesTieOut.CellKey: UnitCell] = [:]
    for level in levelsOf[product] {
      for offset in 0..<width {
        let place = Int(level) * width + offset
        if reported[place] == 0, counted[place] == 0 { continue }
        let key = SalesTieOut.CellKey(
          product: Int32(product), slot: Int16(offset / 2), isRefund: offset % 2 == 1)
        let price = prices[Int(level)]
        if reported[place] != 0 {
          cells[key, default: UnitCell()].reported[price] = reported[place]
        }
        if counted[place] != 0 { cells[key, default: UnitCell()].counted[price] = counted[place] }
      }
    }
    return Array(cells)
  }

  /// Sale units by slot, of all products.
  func saleUnits() -> (reported: [Int64], counted: [Int64]) {
    var sums = (
      reported: [Int64](repeating: 0, count: width / 2),
      counted: [Int64](repeating: 0, count: width / 2)
    )
    for level in prices.indices {
      for slot in sums.reported.indices {
        sums.reported[slot] += reported[level * width + slot * 2]
        sums.counted[slot] += counted[level * width + slot * 2]
      }
    }
    return sums
  }
}
