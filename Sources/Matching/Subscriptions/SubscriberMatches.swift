import Billing
import Conclusions

/// A purchase or refund of the subscriber report.
struct SubscriberSale {
  var day: Int
  var isRefund: Bool
  var units: Int64
  /// Per period, never negative; nil where the report has none.
  var price: Int64?
  var currency: Currency?
  var proceeds: Int64?
  var proceedsCurrency: Currency?
  /// Index into the report's rows.
  var row: Int
}

/// The subscriber report's rows of one product in one storefront, and the transactions that they
/// are of: the same day and price first, then the day beside it near the boundary, then a price
/// that the ledger does not have, then another price.
///
/// Which of several equal rows is which transaction's nobody can tell; what they pay is the same
/// unless a part of them pays more after a year, and then it is told of none of them.
struct SubscriberMatches {
  /// By index of the event: what its row tells.
  private(set) var proceeds: [Int: SubscriberProceeds] = [:]
  /// Units of rows without a transaction, with the rows, by day; refunds apart.
  private(set) var rowsLeft: [(sale: SubscriberSale, units: Int64)] = []
  /// Events without a row, on days with a report.
  private(set) var eventsLeft: [Int] = []
  /// Pairs that differ in their price.
  private(set) var otherPrices: [(sale: SubscriberSale, event: Int)] = []
  /// Pairs whose row stands on the day beside the transaction's own.
  private(set) var moved: Int64 = 0

  /// An event, the place of its day, and that of the other day that it may stand on.
  struct Candidate {
    var event: Int
    var day: Int
    var beside: Int?
    var isRefund: Bool
    /// Nil where no source tells.
    var price: Int64?
    var currency: Currency?
  }

  /// Finds a row of the subscriber report for each purchase and refund of the ledger, where there
  /// is one.
  ///
  /// - Parameters:
  ///   - sales: rows of the report.
  ///   - candidates: purchases and refunds of the ledger.
  ///   - first: the day of place 0.
  ///   - isKnown: by day, whether the report is loaded.
  init(
    _ sales: [SubscriberSale], _ candidates: [Candidate], from first: Day, isKnown: [Bool]
  ) {
    var queue = SaleQueue(left: sales.map(\.units))
    for (index, sale) in sales.enumerated().reversed() {
      queue.byPrice[Offer(sale), default: []].append(index)
      queue.byDay[Offer(day: sale.day, isRefund: sale.isRefund), default: []].append(index)
    }
    let groups = queue.byPrice
    var taken = [Int?](repeating: nil, count: candidates.count)
    /// Goes through the candidates that have no row yet and gives each the row that `take` finds in
    /// the queue, if it finds one.
    func pass(_ take: (inout SaleQueue, Candidate) -> Int?) {
      for (place, candidate) in candidates.enumerated() where taken[place] == nil {
        taken[place] = take(&queue, candidate)
      }
    }
    pass { $0.take(priced: $1, on: $1.day) }
    pass { $0.take(priced: $1, on: $1.beside) }
    pass { $1.price == nil ? $0.take(any: $1, on: $1.day) : nil }
    pass { $1.price == nil ? $0.take(any: $1, on: $1.beside) : nil }
    pass { $0.take(any: $1, on: $1.day) }
    let several = Set(
      groups.filter { group in
        Set(group.value.map { [sales[$0].proceeds ?? .min, sales[$0].proceedsCode] }).count > 1
      }.keys)
    for (place, candidate) in candidates.enumerated() {
      if let index = taken[place] {
        addPair(
          sales[index], candidate, from: first, isOne: !several.contains(Offer(sales[index])))
      } else {
        addUnmatched(candidate, isKnown)
      }
    }
    rowsLeft = zip(sales, queue.left).filter { $0.1 > 0 }.map { ($0.0, $0.1) }
  }

  /// Adds a row and the transaction that it is of.
  ///
  /// - Parameter isOne: whether all rows at that price on the day have the same proceeds.
  private mutating func addPair(
    _ sale: SubscriberSale, _ candidate: Candidate, from first: Day, isOne: Bool
  ) {
    if sale.day != candidate.day { moved += 1 }
    if let price = candidate.price, price != sale.price || candidate.currency != sale.currency {
      otherPrices.append((sale, candidate.event))
    }
    let money = sale.proceeds.flatMap { proceeds in
      sale.proceedsCurrency.map { Money(micros: sale.isRefund ? -proceeds : proceeds, $0) }
    }
    proceeds[candidate.event] = SubscriberProceeds(
      day: first.advanced(by: sale.day), proceeds: isOne ? money : nil)
  }

  /// Adds a candidate without a row to ``eventsLeft``, if the report should have a row of it: not
  /// where a day on which that may stand is not loaded, and not where it cost nothing.
  ///
  /// - Parameter isKnown: by day, whether the report is loaded.
  private mutating func addUnmatched(_ candidate: Candidate, _ isKnown: [Bool]) {
    let mayStandBeside = candidate.beside.map { !isKnown[$0] } ?? false
    if isKnown[candidate.day], !mayStandBeside, candidate.price != 0 {
      eventsLeft.append(candidate.event)
    }
  }

  /// What rows are looked up by: day, sale or refund, and price; or without a price, whatever it
  /// is.
  private struct Offer: Hashable {
    var day: Int
    var isRefund: Bool
    var price: Int64?
    var currency: Currency?

    init(day: Int, isRefund: Bool, price: Int64? = nil, currency: Currency? = nil) {
      (self.day, self.isRefund, self.price, self.currency) = (day, isRefund, price, currency)
    }

    init(_ sale: SubscriberSale) {
      self.init(
        day: sale.day, isRefund: sale.isRefund, price: sale.price, currency: sale.currency)
    }
  }

  /// Rows that still have units, the first of each list at its end.
  private struct SaleQueue {
    var left: [Int64]
    var byPrice: [Offer: [Int]] = [:]
    var byDay: [Offer: [Int]] = [:]

    /// Takes a unit of the first row that is left at the candidate's price on a day, and returns
    /// the row's index; nil where there is none.
    mutating func take(priced candidate: Candidate, on day: Int?) -> Int? {
      guard let day, let price = candidate.price else { return nil }
      let offer = Offer(
        day: day, isRefund: candidate.isRefund, price: price, currency: candidate.currency)
      return take(offer, from: \.byPrice)
    }

    /// Takes a unit of the first row that is left on a day, at any price, and returns the row's
    /// index; nil where there is none.
    mutating func take(any candidate: Candidate, on day: Int?) -> Int? {
      day.flatMap { take(Offer(day: $0, isRefund: candidate.isRefund), from: \.byDay) }
    }

    /// Takes a unit of the first row that is left in a list, and returns the row's index.
    private mutating func take(
      _ offer: Offer, from list: WritableKeyPath<SaleQueue, [Offer: [Int]]>
    ) -> Int? {
      while let last = self[keyPath: list][offer]?.last {
        guard left[last] > 0 else {
          self[keyPath: list][offer]!.removeLast()
          continue
        }
        left[last] -= 1
        return last
      }
      return nil
    }
  }
}

extension SubscriberSale {
  /// A number for its currency of proceeds, to tell rows apart by.
  fileprivate var proceedsCode: Int64 {
    Int64((proceedsCurrency?.code.utf8).map { $0.reduce(0) { $0 * 256 + Int($1) } } ?? 0)
  }
}
