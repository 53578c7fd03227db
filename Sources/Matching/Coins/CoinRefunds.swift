import Billing

extension CoinTieOut {
  mutating func judgeRefunds(_ survey: CoinSurvey) {
    var unnamed = UnnamedTakings(survey.takenCells)
    var lacking: [(place: Int, coins: Int64)] = []
    for place in frame.sold.places
    where frame.sold[place].back > 0 && subscriptions.isDue(place, frame) {
      let line = frame.sold[place]
      // Of an order from before the movements nobody can say what it was granted.
      let isGranted =
        survey.granted[place] > 0 || survey.hasUnnamed || line.day < survey.firstDay
      let given = survey.granted[place] > 0 ? min(survey.granted[place], line.coins) : line.coins
      let coins = min(line.back, given) - (survey.takenBack[place] ?? 0)
      if coins > 0, isGranted { lacking.append((place, coins)) }
    }
    lacking.sort {
      (frame.sold[$0.place].backDay, $0.place) < (frame.sold[$1.place].backDay, $1.place)
    }
    // First those of its own day, then of the next (clocks differ by one), then what came late.
    for within in [0...0, -1...Rules.takeBack, -1...Rules.takeBackAtLast] {
      for index in lacking.indices {
        let place = lacking[index].place
        lacking[index].coins -= unnamed.take(
          lacking[index].coins, frame.sold[place], sku: frame.sku(of: place), within: within)
      }
    }
    for (place, coins) in lacking where coins > 0 {
      let line = frame.sold[place]
      // What comes some days later is not late yet.
      guard isInPeriod(line.backDay), line.backDay + Rules.takeBack <= survey.lastDay else {
        continue
      }
      let (back, left) = (named(line.back, Int(line.coin)), named(coins, Int(line.coin)))
      add(
        .coinsNotTakenBack, place, line.backDay, -coins,
        "@coins.refunded-still-there \(back) \(left)")
    }
  }
}

/// Coins that were taken back without an order's name, by channel, coin, product and day.
private struct UnnamedTakings {
  private var days: [CoinSurvey.Cell: [(day: Int32, coins: Int64)]] = [:]

  init(_ taken: [CoinSurvey.Cell: Int64]) {
    for (cell, coins) in taken {
      let all = CoinSurvey.Cell(day: 0, channel: cell.channel, coin: cell.coin, sku: cell.sku)
      days[all, default: []].append((cell.day, coins))
    }
    for key in days.keys { days[key]!.sort { $0.day < $1.day } }
  }

  /// Takes coins for a refund: of its product, then of none.
  ///
  /// - Parameter within: days after the refund.
  /// - Returns: how many of them there are.
  mutating func take(
    _ coins: Int64, _ line: SoldCoins.Line, sku: Int32?, within: ClosedRange<Int32>
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
