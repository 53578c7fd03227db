import Billing
import Support
import Testing

@testable import Matching

/// Units of both sides, laid out product by product.
struct UnitLevelsTests {
  /// Whatever is reported and counted where, a dictionary has the same.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func laysOutWhatADictionaryHas(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (products, slots) = (6, Int.random(in: 1...40, using: &random))
    let prices = [
      CellPrice(currency: Currency("CNY"), price: 30),
      CellPrice(currency: Currency("USD"), price: 30), CellPrice(currency: nil, price: nil),
    ]
    struct Unit: Hashable {
      var product: Int32
      var price: CellPrice
      var slot: Int
      var isRefund: Bool
    }
    func anyUnit() -> Unit {
      Unit(
        product: Int32.random(in: 0..<Int32(products), using: &random),
        price: prices.randomElement(using: &random)!,
        slot: Int.random(in: 0..<slots, using: &random),
        isRefund: Bool.random(using: &random))
    }
    var plain: [Unit: (reported: Int64, counted: Int64)] = [:]
    var counted: [Unit] = []
    // Sold and reported alike but for some, which either side lacks.
    let groups = (0..<60).map { _ in anyUnit() }
    for unit in groups {
      plain[unit, default: (0, 0)].reported += 2
      if Int.random(in: 0...9, using: &random) > 0 { counted.append(unit) }
    }
    counted += (0..<3).map { _ in anyUnit() }
    for unit in counted { plain[unit, default: (0, 0)].counted += 2 }

    var levels = UnitLevels(
      products: products, slots: slots, count: groups.count, product: { groups[$0].product },
      group: { (groups[$0].price, Int16(groups[$0].slot), groups[$0].isRefund, 2) })
    let later = counted.removeLast()
    for product in 0..<Int32(products) {
      for unit in counted where unit.product == product {
        var counts = ClassCounts(slots: slots)
        counts.add(2, Int16(unit.slot), isRefund: unit.isRefund, isOurs: false)
        levels.add(counts, unit.price)
      }
      levels.endProduct()
    }
    levels.add(
      2, to: later.product, later.price, slot: later.slot, isRefund: later.isRefund)
    for (unit, sides) in plain where unit.price.price != nil {
      let further = levels.further(
        unit.product, unit.price, slot: unit.slot, isRefund: unit.isRefund)
      #expect(further == max(sides.reported - sides.counted, 0))
    }
    let sales = levels.saleUnits()
    for slot in 0..<slots {
      let own = plain.filter { $0.key.slot == slot && !$0.key.isRefund }.map(\.value)
      #expect(sales.reported[slot] == own.reduce(0) { $0 + $1.reported })
      #expect(sales.counted[slot] == own.reduce(0) { $0 + $1.counted })
    }
    for product in 0..<products {
      let own = plain.filter { $0.key.product == Int32(product) }
      #expect(levels.open(product) == own.allSatisfy { $0.value.reported == $0.value.counted })
      var cells = UnitCells(products: products, slots: slots)
      levels.put(cellsOf: product, into: &cells)
      levels.close()
      for (unit, sides) in own {
        let cell = cells[
          SalesTieOut.CellKey(
            product: unit.product, slot: Int16(unit.slot), isRefund: unit.isRefund)]
        #expect(cell?.reported[unit.price] ?? 0 == sides.reported)
        #expect(cell?.counted[unit.price] ?? 0 == sides.counted)
      }
      let all = cells.reduce(0) { $0 + $1.1.reportedUnits + $1.1.countedUnits }
      #expect(all == own.reduce(0) { $0 + $1.value.reported + $1.value.counted })
    }
  }
}
