import Billing

extension CoinTieOut {
  /// Holds sales that no movement names against grants that name no order, by channel, coin,
  /// product and day, and adds findings about what lacks or is too much.
  mutating func judgePools(_ survey: CoinSurvey) {
    var untold = survey.untold
    // A renewal grants coins without an order: where no product is named, these may be such.
    let sold = frame.sold
    let subscriptionCoins = Set(
      sold.places.lazy.filter { sold[$0].isOfSubscription }.map { Int(sold[$0].coin) })
    // Where a channel's grants are not loaded at all, none lacks.
    let pools = pools(survey).filter {
      survey.hasGrants[$0.key.channel] && !isOfUntiedSubscription($0.key)
    }.map { key, pool in
      (key: key, pool: pool, netted: pool.netted)
    }
    let (moved, due): (Int64, Int64) = pools.reduce((0, 0)) { sums, next in
      (sums.0 + next.netted.moved, sums.1 + next.pool.due.reduce(0, +))
    }
    let isLate = moved > due / Rules.lateShare
    for (key, pool, netted) in pools {
      var rest = (isLate ? netted.withoutChains() : netted).withoutOptional()
      rest.cover(with: &untold[key.coin])
      for (index, day) in frame.known.enumerated() where isInPeriod(day) {
        if rest.lacking[index] > 0 {
          // Nothing was granted that could be of the day's orders: each lacks.
          if rest.lacking[index] == pool.due[index], let orders = pool.orders[day] {
            for place in orders {
              let sold = frame.sold[place].coins
              add(
                .coinsNotGranted, place, day, sold,
                "@coins.order-has-none \(named(sold, key.coin))")
            }
          } else {
            addCell(.coinsNotGranted, key, day, pool, index, rest.lacking[index])
          }
        }
        if rest.excess[index] > 0, key.sku != nil || !subscriptionCoins.contains(key.coin) {
          addCell(
            .coinsWithoutOrder, key, day, pool, index, -rest.excess[index],
            pool.onlyGrant[day].flatMap { $0.coins == rest.excess[index] ? $0.row : nil })
        }
      }
    }
  }

  /// Whether the product of a pool is a subscription that grants its coins otherwise than at each
  /// renewal.
  private func isOfUntiedSubscription(_ key: CoinSurvey.Cell) -> Bool {
    key.sku.map { sku in
      frame.context.catalogue.kind(frame.skus[Int(sku)]) == .autoRenewable
        && !subscriptions.isTied(sku)
    } ?? false
  }

  /// Adds a finding about coins of a pool on a day that were sold and not granted, or granted and
  /// not sold.
  ///
  /// - Parameters:
  ///   - key: the channel, coin and product of the pool.
  ///   - day: in days since 1970.
  ///   - index: the place of the day in the lists of the pool.
  ///   - coins: how many were not granted; below zero, how many were not sold.
  ///   - movement: where a single one has these coins.
  private mutating func addCell(
    _ code: FindingCode, _ key: CoinSurvey.Cell, _ day: Int32, _ pool: Pool, _ index: Int,
    _ coins: Int64, _ movement: CoinMovementRow.ID? = nil
  ) {
    let sku = key.sku.map { frame.skus[Int($0)] }
    let price = price(of: pool.orders.sorted { $0.key < $1.key }.flatMap(\.value))
    let amount = price.map { worth(coins, of: $0.gross, for: $0.coins, $0.currency) }
    let (sold, given) = (
      named(pool.due[index], key.coin), named(pool.granted[index], key.coin)
    )
    var explanation: Wording = """
      @coins.day-granted \(frame.names.channels[key.channel]) \(sold) \(given) \
      \(named(abs(coins), key.coin))
      """
    if price == nil { explanation = "@coins.price-unknown \(explanation)" }
    var finding = UnresolvedFinding(
      code, storefront: price?.storefront, currency: price?.currency, day: Day(number: day),
      sku: sku, amount: amount, explanation: explanation
    ).of(coin: frame.names.coins[key.coin], channel: frame.names.channels[key.channel])
    if let movement { finding.movements = [movement] }
    add(finding)
  }

  /// What was sold and granted of a channel, coin and product, by day of the window.
  private struct Pool {
    /// Coins by day: sold, of orders that may or most likely were not granted (see ``CoinPool``),
    /// and granted.
    var due: [Int64]
    var likely: [Int64]
    var unlikely: [Int64]
    var granted: [Int64]
    /// Places of the sales that are due, by day.
    var orders: [Int32: [Int]] = [:]
    /// The grant of a day that has only one.
    var onlyGrant: [Int32: (coins: Int64, row: CoinMovementRow.ID)] = [:]

    init(days: Int) {
      due = Array(repeating: 0, count: days)
      (likely, unlikely, granted) = (due, due, due)
    }

    /// The pool's coins with what was sold and granted held against each other.
    var netted: CoinPool {
      CoinPool(due: due, likely: likely, unlikely: unlikely, granted: granted)
    }
  }

  /// Sales that no movement names and grants that name no order, together by channel, coin and
  /// product, in the order of these. The day of each key is 0.
  private func pools(_ survey: CoinSurvey) -> [(key: CoinSurvey.Cell, pool: Pool)] {
    let days = frame.known
    // Where some name no product, all of their channel and coin are held together.
    var whole: Set<CoinSurvey.Cell> = []
    for cell in survey.cells.keys where cell.sku == nil {
      whole.insert(CoinSurvey.Cell(day: 0, channel: cell.channel, coin: cell.coin, sku: nil))
    }
    /// The key of the pool for a channel, a coin and a product, each by its number. Where some
    /// grants of the channel and coin name no product, one pool has all products.
    func poolKey(_ channel: Int, _ coin: Int, _ sku: Int32?) -> CoinSurvey.Cell {
      let all = CoinSurvey.Cell(day: 0, channel: channel, coin: coin, sku: nil)
      return whole.contains(all)
        ? all : CoinSurvey.Cell(day: 0, channel: channel, coin: coin, sku: sku)
    }
    var pools: [CoinSurvey.Cell: Pool] = [:]
    for (cell, sum) in survey.cells where days.contains(cell.day) {
      let own = poolKey(cell.channel, cell.coin, cell.sku)
      let index = Int(cell.day - days.lowerBound)
      let isFirst = pools[own]?.granted[index] ?? 0 == 0
      pools[own, default: Pool(days: days.count)].granted[index] += sum.coins
      pools[own]!.onlyGrant[cell.day] = isFirst && sum.rows == 1 ? (sum.coins, sum.row) : nil
    }
    for place in frame.sold.places where survey.granted[place] == 0 {
      let line = frame.sold[place]
      guard ![.none, .unpaid].contains(line.standing), days.contains(line.day) else { continue }
      let key = poolKey(Int(line.channel), Int(line.coin), frame.sku(of: place))
      let index = Int(line.day - days.lowerBound)
      // What Apple gave back need not have been granted before.
      if line.back < line.coins, subscriptions.isDue(place, frame) {
        pools[key, default: Pool(days: days.count)].due[index] += line.coins
        pools[key]!.orders[line.day, default: []].append(place)
      } else if survey.namesOrders[Int(line.channel)], !line.isOfSubscription {
        // Where grants name their orders, this one's would be named.
      } else if line.standing == .notSold {
        pools[key, default: Pool(days: days.count)].unlikely[index] += line.coins
      } else {
        pools[key, default: Pool(days: days.count)].likely[index] += line.coins
      }
    }
    addCounts(to: &pools, poolKey)
    return pools.sorted {
      ($0.key.channel, $0.key.coin, $0.key.sku ?? -1)
        < ($1.key.channel, $1.key.coin, $1.key.sku ?? -1)
    }.map { ($0.key, $0.value) }
  }

  /// Adds the coins of purchases that Spark counted, of which there are no orders here, to what is
  /// due.
  ///
  /// - Parameter poolKey: gives the key of the pool for the numbers of a channel, a coin and a
  ///   product.
  private func addCounts(
    to pools: inout [CoinSurvey.Cell: Pool],
    _ poolKey: (Int, Int, Int32?) -> CoinSurvey.Cell
  ) {
    let days = frame.known
    var products = CoinProducts(frame.table, frame.context)
    for sold in frame.table.counts.sold {
      let day = frame.context.businessDay(sold.at)
      guard days.contains(day.number), let coins = products.coins(of: sold.order, on: day),
        (1...Rules.mostCoins).contains(coins.count)
      else { continue }
      let sku = frame.orderSKUs[Int(sold.order)]
      let own = poolKey(0, frame.names.coin(coins.coin), sku < 0 ? nil : sku)
      pools[own, default: Pool(days: days.count)].due[Int(day.number - days.lowerBound)] +=
        coins.count * sold.count
    }
  }

  /// The price that sales had, in micro-units for so many coins, with its currency and, where all
  /// had one, their storefront; nil where their prices per coin differ or one is not known.
  ///
  /// - Parameter places: those of the sales in ``SoldCoins``.
  func price(
    of places: [Int]
  ) -> (gross: Int64, coins: Int64, currency: Currency, storefront: Storefront?)? {
    var found: (gross: Int64, coins: Int64, currency: Currency, storefront: Storefront?)?
    for place in places {
      let terms = effective(place)
      let coins = frame.sold[place].coins
      guard let gross = terms.gross, let currency = terms.currency else { return nil }
      guard let known = found else {
        found = (gross, coins, currency, terms.storefront)
        continue
      }
      guard known.currency == currency,
        Int128(known.gross) * Int128(coins) == Int128(gross) * Int128(known.coins)
      else { return nil }
      if known.storefront != terms.storefront { found!.storefront = nil }
    }
    return found
  }
}
