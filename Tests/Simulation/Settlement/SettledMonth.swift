import Billing

/// A row of Apple's financial report but for its quantity.
struct FinanceKey: Hashable, Comparable {
  var market: Int
  var item: Int
  /// Of price and share.
  var currency: Currency
  /// Per unit, positive on returns too, and so is the share.
  var price: Int64
  var share: Int64
  var isReturn: Bool

  var place: ProceedsPlace { ProceedsPlace(market: market, currency: currency) }

  private var order: (Int, Int, UInt16, Int64, Int64, Int) {
    (market, item, currency.packed, price, share, isReturn ? 1 : 0)
  }

  static func < (left: Self, right: Self) -> Bool { left.order < right.order }
}

/// A row of the detail but for its quantity.
struct DetailKey: Hashable, Comparable {
  /// The day of the sales report.
  var sold: Day
  /// ``never`` where Apple forgot it.
  var settled: Day
  var row: FinanceKey

  static let never = Day(number: .max)

  static func < (left: Self, right: Self) -> Bool {
    if left.row != right.row { return left.row < right.row }
    return (left.sold, left.settled) < (right.sold, right.settled)
  }
}

/// What Apple settles in one fiscal month.
struct SettledMonth {
  let month: FiscalMonth
  /// Quantities of what settles in the month, negative on returns.
  var detail: [DetailKey: Int] = [:]
  /// The financial report; made from the detail when the month ends.
  var summary: [FinanceKey: Int] = [:]
  /// Proceeds of the month's sales reports, micro-units.
  var reported: [ProceedsPlace: Int64] = [:]
  /// What was sold in the month and settles later.
  var leaving: [DetailKey: Int] = [:]

  init(_ month: FiscalMonth) { self.month = month }

  /// What was sold before the month.
  var arriving: [DetailKey: Int] { detail.filter { $0.key.sold < month.first } }

  mutating func summarise() {
    for (key, quantity) in detail { summary[key.row, default: 0] += quantity }
  }
}

extension [FinanceKey: Int] {
  /// The rows of each place, in order; rows whose quantities cancel out are kept apart by their
  /// keys, so none is empty.
  var rows: [(key: FinanceKey, quantity: Int)] {
    filter { $0.value != 0 }.map { (key: $0.key, quantity: $0.value) }.sorted { $0.key < $1.key }
  }
}
