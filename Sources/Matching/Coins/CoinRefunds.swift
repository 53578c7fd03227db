import Billing

extension CoinTieOut {
  /// Adds findings about Apple's refunds in the period whose coins no movement took back; what was
  /// refunded less than ``Rules/takeBack`` days ago is not late yet.
  mutating func judgeRefunds(_ survey: CoinSurvey) {
    var unnamed = UnnamedTakings(survey.takenCells)
    var lacking: [LackingRefund] = []
    for place in frame.sold.places
    where frame.sold[place].back > 0 && subscriptions.isDue(place, frame) {
      let line = frame.sold[place]
      // Of an order from before the movements nobody can say what it was granted.
      let isGranted =
        survey.granted[place] > 0 || survey.hasUnnamed || line.day < survey.firstDay
      let given = survey.granted[place] > 0 ? min(survey.granted[place], line.coins) : line.coins
      let coins = min(line.back, given) - (survey.takenBack[place] ?? 0)
      if coins > 0, isGranted {
        lacking.append(LackingRefund(place: place, all: coins, left: coins))
      }
    }
    lacking.sort {
      (frame.sold[$0.place].backDay, $0.place) < (frame.sold[$1.place].backDay, $1.place)
    }
    // First those of its own day, then of the next (clocks differ by one), then what came late.
    for within in [0...0, -1...Rules.takeBack, -1...Rules.takeBackAtLast] {
      for index in lacking.indices {
        let place = lacking[index].place
        lacking[index].left -= unnamed.useUp(
          lacking[index].left, for: frame.sold[place], sku: frame.sku(of: place), within: within)
      }
    }
    // What comes some days later is not late yet.
    let late = lacking.filter {
      let day = frame.sold[$0.place].backDay
      return isInPeriod(day) && day + Rules.takeBack <= survey.lastDay
    }
    let days = Dictionary(grouping: late) { refund in
      let line = frame.sold[refund.place]
      return unnamed.cell(of: line, sku: frame.sku(of: refund.place), on: line.backDay)
    }
    var isTold: Set<CoinSurvey.Cell> = []
    for refund in late where refund.left > 0 {
      let line = frame.sold[refund.place]
      let cell = unnamed.cell(of: line, sku: frame.sku(of: refund.place), on: line.backDay)
      let alike = days[cell] ?? []
      // Coins of the day were taken back, and nothing says whose.
      if alike.count > 1, alike.contains(where: { $0.left < $0.all }) {
        if isTold.insert(cell).inserted { add(alike, cell) }
        continue
      }
      let back = named(line.back, cell.coin)
      add(
        .coinsNotTakenBack, refund.place, cell.day, -refund.left,
        "@coins.refunded-still-there \(back) \(named(refund.left, cell.coin))")
    }
  }

  /// Adds one finding about refunds of a day of which some were not taken back.
  ///
  /// - Parameter cell: the day, channel and coin that they have in common.
  private mutating func add(_ refunds: [LackingRefund], _ cell: CoinSurvey.Cell) {
    let left = refunds.reduce(0) { $0 + $1.left }
    let all = named(refunds.reduce(0) { $0 + $1.all }, cell.coin)
    let price = price(of: refunds.map(\.place))
    let skus = Set(refunds.map { effective($0.place).sku })
    let day = Day(number: cell.day)
    var explanation: Wording = """
      @coins.some-refunds-still-there \(grouped(refunds.count)) \(day) \(all) \
      \(named(left, cell.coin))
      """
    if price == nil { explanation = "@coins.price-unknown \(explanation)" }
    add(
      UnresolvedFinding(
        .coinsNotTakenBack, storefront: price?.storefront, currency: price?.currency, day: day,
        sku: skus.count == 1 ? skus.first : nil,
        amount: price.map { worth(-left, of: $0.gross, for: $0.coins, $0.currency) },
        explanation: explanation
      ).of(coin: frame.names.coins[cell.coin], channel: frame.names.channels[cell.channel]))
  }
}

/// A refund whose coins no movement takes back by its order.
private struct LackingRefund {
  var place: Int
  /// Coins that are to be taken back, and those of them that no movement could have been.
  var all: Int64
  var left: Int64
}

/// Coins that were taken back without an order's name, by channel, coin, product and day.
private struct UnnamedTakings {
  private var days: [CoinSurvey.Cell: [(day: Int32, coins: Int64)]] = [:]

  /// Sorts the coins that were taken back of each channel, coin and product by day.
  init(_ taken: [CoinSurvey.Cell: Int64]) {
    for (cell, coins) in taken {
      let all = CoinSurvey.Cell(day: 0, channel: cell.channel, coin: cell.coin, sku: cell.sku)
      days[all, default: []].append((cell.day, coins))
    }
    for key in days.keys { days[key]!.sort { $0.day < $1.day } }
  }

  /// The day, channel, coin and product that tell a refund from others: the product only where
  /// coins that were taken back name it.
  func cell(of line: SoldCoins.Line, sku: Int32?, on day: Int32) -> CoinSurvey.Cell {
    let (channel, coin) = (Int(line.channel), Int(line.coin))
    let all = CoinSurvey.Cell(day: 0, channel: channel, coin: coin, sku: nil)
    return CoinSurvey.Cell(
      day: day, channel: channel, coin: coin, sku: days[all] == nil ? sku : nil)
  }

  /// Assigns coins that were taken back to a refund: first those of its product, then those that
  /// name no product.
  ///
  /// - Parameters:
  ///   - coins: how many the refund is to take back.
  ///   - line: the refunded sale.
  ///   - within: days after the refund.
  /// - Returns: how many of the coins there were.
  mutating func useUp(
    _ coins: Int64, for line: SoldCoins.Line, sku: Int32?, within: ClosedRange<Int32>
  ) -> Int64 {
    var rest = coins
    for product in sku == nil ? [nil] : [sku, nil] {
      let key = CoinSurvey.Cell(
        day: 0, channel: Int(line.channel), coin: Int(line.coin), sku: product)
      for place in days[key]?.indices ?? 0..<0 {
        guard within.contains(days[key]![place].day - line.backDay) else { continue }
        let part = min(rest, days[key]![place].coins)
        days[key]![place].coins -= part
        rest -= part
      }
    }
    return coins - rest
  }
}
