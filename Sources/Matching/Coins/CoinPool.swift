import Billing

/// Coins of one product and channel, by day: what was sold against what was granted without an
/// order's name. A grant may come a day or two after its sale, and a company may count days by
/// another clock.
struct CoinPool {
  /// By day of the window: coins that were sold and not granted, and granted and not sold.
  private(set) var lacking: [Int64]
  private(set) var excess: [Int64]
  /// Coins that stand for those of a day or two before or after.
  private(set) var moved: Int64 = 0
  private let due: [Int64]
  private let granted: [Int64]
  /// Coins of orders that were granted, as far as one can tell, and nothing says that they must.
  private var likely: [Int64]
  /// Coins of orders that were most likely not granted.
  private var unlikely: [Int64]

  /// Holds coins sold and granted against each other: on each day, then up to two days apart. Each
  /// list has one number per day of the window.
  ///
  /// - Parameters:
  ///   - due: coins that were sold.
  ///   - likely: those of delivered orders that level 1 names, or that Apple refunded.
  ///   - unlikely: those of orders that were not delivered, or of purchases that do not count.
  init(due: [Int64], likely: [Int64], unlikely: [Int64], granted: [Int64]) {
    (self.due, self.granted) = (due, granted)
    (self.likely, self.unlikely) = (likely, unlikely)
    lacking = zip(due, granted).map { max(0, $0 - $1) }
    excess = zip(due, granted).map { max(0, $1 - $0) }
    // What an order of the day had explains more than another day's sale does.
    explainExcessByLikely(daysAfter: 0)
    for days in [1, -1, 2, -2] {
      for place in lacking.indices where excess.indices.contains(place + days) {
        let coins = min(lacking[place], excess[place + days])
        moved += coins
        cancel(lackOn: place, excessOn: place + days, coins)
      }
    }
  }

  /// The pool with what lacks set off against what is too much up to ``Rules/lateChain`` days away,
  /// where coins come late as a rule, day after day.
  func withoutChains() -> CoinPool {
    var pool = self
    pool.cancelChains()
    return pool
  }

  /// A copy in which coins that were granted and not sold are set off against coins of orders, up
  /// to two days away, that may have been granted though they need not.
  func withoutOptional() -> CoinPool {
    var pool = self
    for days in [-1, 1, -2, 2] { pool.explainExcessByLikely(daysAfter: days) }
    pool.explainExcessByUnlikely()
    return pool
  }

  /// Subtracts from each day's excess the coins of that day's orders that most likely were not
  /// granted: if they were, they are the excess.
  private mutating func explainExcessByUnlikely() {
    for place in excess.indices {
      let coins = min(excess[place], unlikely[place])
      excess[place] -= coins
      unlikely[place] -= coins
    }
  }

  /// Subtracts from each day's excess the coins of another day's orders that were granted as far as
  /// one can tell.
  ///
  /// - Parameter days: how many days later these orders are; below zero, how many days earlier.
  private mutating func explainExcessByLikely(daysAfter days: Int) {
    for place in excess.indices where excess.indices.contains(place + days) {
      let coins = min(excess[place], likely[place + days])
      excess[place] -= coins
      likely[place + days] -= coins
    }
  }

  /// Sets coins that lack on one day off against coins that are too much on another.
  ///
  /// - Parameters:
  ///   - lack: the index of the day on which they lack.
  ///   - more: the index of the day on which they are too much.
  private mutating func cancel(lackOn lack: Int, excessOn more: Int, _ coins: Int64) {
    lacking[lack] -= coins
    excess[more] -= coins
  }

  /// Cancels what lacks on one day against what is too much three days later or more: where coins
  /// come late on several days running, each day's stand for those of the day before, and what
  /// lacks on the first is too much on the last.
  private mutating func cancelChains() {
    // Coins that were sold and granted on the same day may have been those of a neighbour.
    let passing = zip(due, granted).map { min($0, $1) }
    for distance in 3...Rules.lateChain {
      for days in [distance, -distance] {
        for place in lacking.indices where excess.indices.contains(place + days) {
          let coins = min(lacking[place], excess[place + days])
          if coins > 0, Self.isChain(place, place + days, coins, passing) {
            cancel(lackOn: place, excessOn: place + days, coins)
          }
        }
      }
    }
  }

  /// Whether steps of at most two days lead from one day to another over days on which at least so
  /// many coins were both sold and granted: then coins may have come late, or early, day after day.
  ///
  /// - Parameters:
  ///   - first: the index of a day, as `last`.
  ///   - coins: how many lack on the first day and are too much on the last.
  ///   - passing: by day, coins that were sold and granted on it.
  private static func isChain(
    _ first: Int, _ last: Int, _ coins: Int64, _ passing: [Int64]
  ) -> Bool {
    let step = first < last ? 1 : -1
    var (near, far) = (true, false)
    for place in stride(from: first + step, to: last, by: step) {
      (far, near) = (near, (near || far) && passing[place] >= coins)
    }
    return near || far
  }

  /// Subtracts coins that were granted without any word on their origin from what lacks, the first
  /// day first; `coins` keeps those that are left over.
  mutating func cover(with coins: inout Int64) {
    for place in lacking.indices {
      let part = min(coins, lacking[place])
      lacking[place] -= part
      coins -= part
    }
  }
}
