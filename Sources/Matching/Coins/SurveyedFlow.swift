import Billing
import Conclusions

extension CoinSurvey {
  /// What became of the coins of the period: by coin, channel and day, with totals and notes.
  func flow(_ subscriptions: CoinSubscriptions) -> CoinFlow {
    let channels = frame.names.channels
    var lines: [CoinDay] = []
    var ofChannels: [[CoinDay]] = []
    var totals: [CoinTotal] = []
    let sold = soldByDay(subscriptions)
    for (coin, name) in frame.names.coins.enumerated() {
      let first = coin * (channels.count + 1)
      let opening = before[first...first + channels.count].reduce(0, +)
      var left = opening
      ofChannels = Array(repeating: [], count: channels.count + 1)
      var total = CoinDay(day: frame.context.period.first, coin: name, channel: nil)
      let used = channels.indices.filter { channel in
        days[first + channel].contains { $0 != 0 }
          || sold.keys.contains { $0.coin == coin && $0.channel == channel }
      }
      for day in 0..<frame.context.period.dayCount {
        let date = frame.context.period.first.advanced(by: day)
        let only = used.count == 1 ? channels[used[0]] : nil
        var all = CoinDay(day: date, coin: name, channel: only)
        for channel in 0...channels.count {
          var line = CoinDay(
            day: date, coin: name, channel: channel < channels.count ? channels[channel] : nil)
          for movement in CoinMovement.allCases {
            let own = days[first + channel]
            let coins = own.isEmpty ? 0 : own[day * CoinSurvey.movements + Int(movement.rawValue)]
            line.add(coins, movement)
            all.add(coins, movement)
          }
          line.sold =
            sold[Cell(day: frame.first + Int32(day), channel: channel, coin: coin, sku: nil)] ?? 0
          all.sold += line.sold
          if used.count > 1, used.contains(channel), !line.isEmpty {
            ofChannels[channel].append(line)
          }
        }
        left += all.change
        all.left = left
        total.add(all)
        lines.append(all)
      }
      lines += ofChannels.joined()
      totals.append(self.total(name, coin, opening: opening, closing: left, total))
    }
    return CoinFlow(days: lines, totals: totals, notes: notes(totals, subscriptions))
  }

  /// What became of one coin in the whole period, with what users have of it by age.
  ///
  /// - Parameters:
  ///   - name: of the coin.
  ///   - coin: its number in ``CoinNames``.
  ///   - flow: the sum of all days.
  private func total(
    _ name: String, _ coin: Int, opening: Int64, closing: Int64, _ flow: CoinDay
  ) -> CoinTotal {
    let origin = origins[coin]
    var unmatched: Int64 = 0
    for line in frame.sold.places.lazy.map({ frame.sold[$0] })
    where line.standing == .unmatched && Int(line.coin) == coin
      && (frame.first...frame.last).contains(line.day)
    {
      unmatched += line.coins
    }
    let users = accounts[coin].count
    var usersLeft: Int64 = 0
    var ages = [Int64](repeating: 0, count: CoinAge.allCases.count)
    for number in 0..<users {
      usersLeft += accounts[coin][number].pointee.total
      for (age, coins) in accounts[coin].unspent(number).enumerated() { ages[age] += coins }
    }
    return CoinTotal(
      coin: name, opening: opening, closing: closing, flow: flow,
      paidLeft: origin[2] == 0 ? origin[0] : nil, freeLeft: origin[2] == 0 ? origin[1] : nil,
      unmatched: unmatched, untold: untold[coin], users: users > 0 ? users : nil,
      usersLeft: users > 0 && !hasSums[coin] ? usersLeft : nil, ages: users > 0 ? ages : [])
  }

  /// Coins that sales of the period are for, by day, channel and coin.
  private func soldByDay(_ subscriptions: CoinSubscriptions) -> [Cell: Int64] {
    var sold: [Cell: Int64] = [:]
    for place in frame.sold.places where subscriptions.isDue(place, frame) {
      let line = frame.sold[place]
      guard (frame.first...frame.last).contains(line.day) else { continue }
      sold[
        Cell(day: line.day, channel: Int(line.channel), coin: Int(line.coin), sku: nil), default: 0
      ] += line.coins
    }
    return sold
  }

  /// Channels that sold coins of the period, of which no movement grants any.
  private var channelsWithoutGrants: [Int] {
    let sold = Set(
      frame.sold.lines.filter {
        $0.standing == .due && (frame.first...frame.last).contains($0.day)
      }.map { Int($0.channel) })
    return sold.filter { !hasGrants[$0] }.sorted()
  }

  /// Notes for the reader of the figures: that movements name no coin or no user, which coins are
  /// held against no sale or grant, which channels are not configured or grant nothing.
  private func notes(
    _ totals: [CoinTotal], _ subscriptions: CoinSubscriptions
  ) -> [Wording] {
    var notes: [Wording] = []
    if frame.names.hasBlank { notes.append("@coins.some-name-no-coin") }
    if !frame.sold.hasCoins {
      if frame.context.catalogue.coins.isEmpty {
        notes.append("@coins.no-order-says-how-many")
      } else if hasGrants.contains(true) {
        notes.append("@coins.no-order-sells-coins")
      }
    }
    for total in totals where total.untold > 0 {
      notes.append("@coins.granted-without-a-word \(grouped(Int(total.untold)))")
    }
    for total in totals where total.unmatched > 0 {
      notes.append("@coins.sold-by-unmatched-orders \(grouped(Int(total.unmatched)))")
    }
    let configured = frame.context.settings.channels.map { $0.name.lowercased() }
    for channel in frame.names.channels.dropFirst()
    where !configured.isEmpty && !configured.contains(channel) {
      notes.append("@coins.channel-is-not-configured \(channel)")
    }
    for channel in channelsWithoutGrants {
      notes.append("@coins.channel-without-grants \(frame.names.channels[channel])")
    }
    for sku in subscriptions.unnamed { notes.append("@coins.subscription-is-not-named \(sku)") }
    for sku in subscriptions.inOtherPortions {
      notes.append("@coins.subscription-comes-in-portions \(sku)")
    }
    for (coin, total) in totals.enumerated() where hasSums[coin] && total.users != nil {
      notes.append("@coins.some-movements-name-no-user")
    }
    return notes
  }
}

extension CoinDay {
  /// Whether nothing happened.
  var isEmpty: Bool {
    sold == 0 && granted == 0 && spent == 0 && expired == 0 && takenBack == 0 && adjusted == 0
      && opening == 0
  }

  /// Adds another day's movements.
  mutating func add(_ other: CoinDay) {
    sold += other.sold
    granted += other.granted
    spent += other.spent
    expired += other.expired
    takenBack += other.takenBack
    adjusted += other.adjusted
    opening += other.opening
  }
}
