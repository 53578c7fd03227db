package import Billing

/// Balances that another system of the company tells, beside what movements come to.
package struct CoinBalances {
  struct Balance {
    var row: CoinBalance.ID
    var user: UInt64
    var coin: Int32
    var day: Int32
    /// As it was told.
    var paid: Int64
    var free: Int64
    /// By movements of the day and of those since the balance before it.
    var movedPaid: Int64 = 0
    var movedFree: Int64 = 0
    var movedUntold: Int64 = 0
  }

  private var told: [CoinBalanceEntry] = []
  /// Those of users, by coin, user and day.
  private(set) var ofUsers: [Balance] = []
  /// Those of all users together, by coin and day.
  private(set) var ofAll: [Balance] = []
  /// Coins that they name.
  package private(set) var coins: Set<String> = []

  package init() {}

  /// Adds a balance that the company tells; of several of one user, coin and day the last one
  /// counts.
  package mutating func add(_ balance: CoinBalanceEntry) {
    coins.insert(balance.coin)
    told.append(balance)
  }

  /// Sorts the balances, keeps the last one of each coin, user and day, and notes at each user's
  /// account where the user's balances begin in ``ofUsers``.
  ///
  /// - Parameter accounts: by number of the coin.
  mutating func begin(_ names: CoinNames, _ accounts: [CoinAccounts]) {
    var all = told.map {
      Balance(
        row: $0.row, user: $0.user.raw, coin: Int32(names.coin($0.coin)), day: $0.day.number,
        paid: $0.paid, free: $0.free)
    }
    told = []
    let order = all.indices.sorted { one, other in
      let (left, right) = (all[one], all[other])
      return (left.coin, left.user, left.day, one) < (right.coin, right.user, right.day, other)
    }
    var kept: [Balance] = []
    kept.reserveCapacity(all.count)
    for place in order {
      if let last = kept.last, last.coin == all[place].coin, last.user == all[place].user,
        last.day == all[place].day
      {
        kept[kept.count - 1] = all[place]
      } else {
        kept.append(all[place])
      }
    }
    all = []
    ofAll = kept.filter { $0.user == 0 }
    ofUsers = kept.filter { $0.user != 0 }
    for place in ofUsers.indices
    where place == 0 || ofUsers[place - 1].user != ofUsers[place].user
      || ofUsers[place - 1].coin != ofUsers[place].coin
    {
      let accounts = accounts[Int(ofUsers[place].coin)]
      let number = accounts.number(of: CoinAccounts.key(IDKey(raw: ofUsers[place].user)))
      accounts[number].pointee.balances = Int32(place)
    }
  }

  /// Adds what a movement changed to the user's first balance of its day or later; without one
  /// nothing happens.
  ///
  /// - Parameter start: where the balances of this user and coin begin in ``ofUsers``.
  mutating func add(_ change: Int64, _ origin: CoinOrigin?, from start: Int, _ day: Int32) {
    ofUsers.withUnsafeMutableBufferPointer { all in
      var place = start
      while all[place].day < day {
        place += 1
        if place == all.count || all[place].user != all[start].user
          || all[place].coin != all[start].coin
        {
          return
        }
      }
      switch origin {
      case .paid: all[place].movedPaid += change
      case .free: all[place].movedFree += change
      case nil: all[place].movedUntold += change
      }
    }
  }
}
