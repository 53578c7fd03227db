import Billing

/// Which subscriptions grant the catalogue's coins at each purchase and renewal. Others grant them
/// in portions by the day, week or month: these are held against nothing.
struct CoinSubscriptions: Sendable {
  /// SKUs of the period that no grant names, ascending.
  private(set) var unnamed: [String] = []
  /// SKUs of the period whose grants are mostly other than whole, ascending.
  private(set) var inOtherPortions: [String] = []
  /// Numbers of the SKUs whose renewals are held against grants.
  private var tied: Set<Int32> = []

  fileprivate struct Grants {
    /// Coins of one purchase; several where the catalogue changed.
    var coins: Set<Int64> = []
    /// Days, or sales, of which whole purchases were granted, and others.
    var whole = 0
    var others = 0
    var isOfPeriod = false
  }

  /// Finds the subscriptions of Apple's channel whose grants mostly are whole purchases' coins, and
  /// those that no grant names or that come in other portions.
  init(_ survey: CoinSurvey) {
    let frame = survey.frame
    var all: [Int32: Grants] = [:]
    for place in frame.sold.places {
      let line = frame.sold[place]
      // Of another channel nobody tells what was renewed.
      guard line.standing == .subscription, line.channel == 0, let sku = frame.sku(of: place)
      else { continue }
      var grants = all[sku] ?? Grants()
      grants.coins.insert(line.coins)
      if (frame.first...frame.last).contains(line.day) { grants.isOfPeriod = true }
      let granted = survey.granted[place]
      if granted > 0 { grants.add(isWhole: granted % line.coins == 0) }
      all[sku] = grants
    }
    for (cell, sum) in survey.cells where cell.channel == 0 {
      guard let sku = cell.sku, let coins = all[sku]?.coins else { continue }
      all[sku]?.add(isWhole: coins.contains { sum.coins % $0 == 0 })
    }
    for (sku, grants) in all {
      if grants.whole > grants.others {
        tied.insert(sku)
      } else if grants.isOfPeriod {
        let name = frame.skus[Int(sku)]
        if grants.others == 0 { unnamed.append(name) } else { inOtherPortions.append(name) }
      }
    }
    unnamed.sort()
    inOtherPortions.sort()
  }

  /// Whether the coins of a product that may be a subscription are held against grants.
  func isTied(_ sku: Int32) -> Bool { tied.contains(sku) }

  /// Whether the coins of the sale at a place in ``SoldCoins`` must have been granted.
  func isDue(_ place: Int, _ frame: CoinSurvey.Frame) -> Bool {
    switch frame.sold[place].standing {
    case .due: true
    case .subscription: frame.sku(of: place).map(isTied) ?? false
    case .none, .unmatched, .notSold, .unpaid: false
    }
  }
}

extension CoinSubscriptions.Grants {
  /// Adds one more day, or sale, that granted whole purchases or another number of coins.
  fileprivate mutating func add(isWhole: Bool) {
    if isWhole { whole += 1 } else { others += 1 }
  }
}
