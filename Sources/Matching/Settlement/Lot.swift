package import Billing

/// What settlement is compared by: Apple's reports name no unit more closely. The text behind `sku`
/// is in `SettlementCells.skus`.
struct SettlementCellKey: Hashable, Comparable {
  var storefront: Storefront
  /// Of the proceeds.
  var currency: Currency
  var sku: Int32

  static func < (left: Self, right: Self) -> Bool {
    if left.storefront != right.storefront { return left.storefront < right.storefront }
    if left.currency != right.currency { return left.currency < right.currency }
    return left.sku < right.sku
  }
}

/// What one unit of a row is: sale or return, at which price and share, both without sign.
struct UnitTerms: Hashable, Comparable {
  var isReturn: Bool
  var price: Int64
  var share: Int64

  static func < (left: Self, right: Self) -> Bool {
    if left.isReturn != right.isReturn { return right.isReturn }
    if left.price != right.price { return left.price < right.price }
    return left.share < right.share
  }

  /// What so many units bring, in micro-units; below zero for returns.
  func amount(_ units: Int64) -> Int64 {
    share.multipliedExactly(by: isReturn ? -units : units)
  }
}

/// Units of one cell that Apple's sales report has on one day.
struct Lot {
  /// Days of the report that tells of them.
  var begin: Day
  var end: Day
  var terms: UnitTerms
  var units: Int64
  /// Units not settled so far.
  var open: Int64
  /// Index of the fiscal month that they were sold in.
  var month: Int
  /// Group of the reconciled month's reports, or -1.
  var group: Int32
  /// Whether it counts as settled before, as far as rows without a day go.
  var isTaken = false
  /// Units by the month that settled them.
  var settled: [(month: Int, units: Int64)] = []

  /// A lot of some of its units, of which nothing is settled yet.
  ///
  /// - Parameter isTaken: whether they count as settled before.
  func part(_ units: Int64, isTaken: Bool) -> Lot {
    var part = self
    part.units = units
    part.open = units
    part.isTaken = isTaken
    return part
  }

  /// How many days a day lies from those of the report; 0 inside.
  func distance(to day: Day) -> Int {
    day < begin ? day.distance(to: begin) : end < day ? end.distance(to: day) : 0
  }
}

/// Units of one cell that a row of a financial report, or of its detail, settles.
struct SettledUnits {
  /// Index of the fiscal month.
  var month: Int
  /// The day of the sale; nil where the report has no detail.
  var day: Day?
  /// Nil where the report has no detail.
  var settlementDay: Day?
  var terms: UnitTerms
  var units: Int64
  /// Units that no lot has been found for so far.
  var left: Int64
  /// What the row's extended share has beyond units times share.
  var excess: Int64
  var row: FinanceRow.ID
}

/// Apple's financial region and the currency that it is settled in.
package struct RegionKey: Hashable, Sendable, Comparable {
  package var region: String
  package var currency: Currency

  package static func < (left: Self, right: Self) -> Bool {
    (left.region, left.currency) < (right.region, right.currency)
  }
}
