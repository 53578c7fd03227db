package import Billing

/// Rows whose times a clock told that is off, and how far.
package struct ClockShift: Sendable {
  enum Side { case orders, transactions, both }

  /// What says whose clock it is.
  enum Proof {
    /// Apple itself told the other times.
    case apple
    /// Other files of the same kind are right.
    case files
    /// Units by which purchases and Apple's reports differ, as they are and corrected.
    case reports(before: Int64, after: Int64)
    case none
  }

  var side: Side
  /// Ahead of Apple's clock; less than 0 is behind.
  var seconds: Int64
  /// Ascending; empty where all files are meant.
  var files: [String]
  /// Pairs by id that stand so far apart, and all that these files have.
  var pairs: Int
  var allPairs: Int
  var proof: Proof
  /// Whether it is less than a quarter hour, and of all rows of its side.
  var isSkew = false
  /// Rows that show it.
  var orders: [OrderRow.ID] = []
  var transactions: [TransactionRow.ID] = []
}

/// What the clocks that are off come to for each row of the facts.
package struct ClockCorrection: Sendable {
  var shifts: [ClockShift] = []
  /// Seconds by which each order's and each transaction's times are ahead; as the facts have them.
  var orders: [Int32]
  var transactions: [Int32]
}

extension MonthFacts {
  /// The same with the times that a right clock would have told.
  package func corrected(by correction: ClockCorrection) -> MonthFacts {
    var facts = self
    func moved(_ moment: UInt32, _ seconds: Int32) -> UInt32 {
      moment == 0 ? 0 : UInt32(clamping: Int64(moment) - Int64(seconds))
    }
    for (index, seconds) in correction.orders.enumerated() where seconds != 0 {
      facts.orders[index].placedAt = moved(orders[index].placedAt, seconds)
      facts.orders[index].fulfilledAt = moved(orders[index].fulfilledAt, seconds)
    }
    var ends: [TransactionRow.ID: Int32] = [:]
    for (index, seconds) in correction.transactions.enumerated() where seconds != 0 {
      facts.transactions[index].purchasedAt = moved(transactions[index].purchasedAt, seconds)
      facts.transactions[index].revokedAt = moved(transactions[index].revokedAt, seconds)
      ends[transactions[index].row] = seconds
    }
    if ends.isEmpty { return facts }
    for index in chainDetails.indices {
      guard let seconds = ends[chainDetails[index].row] else { continue }
      facts.chainDetails[index].expiresAt = moved(chainDetails[index].expiresAt, seconds)
    }
    return facts
  }
}
