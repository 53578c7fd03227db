package import Billing

extension FindingCode {
  /// Sold by Apple or another channel, and not granted, or not all of them.
  package static let coinsNotGranted = FindingCode("coins-not-granted")
  /// Granted as sold, and no order has sold as many.
  package static let coinsWithoutOrder = FindingCode("coins-without-order")
  /// Movements do not come to what another system counts.
  package static let coinsBalance = FindingCode("coins-balance")
  /// A user had less than no coins.
  package static let coinsOverdrawn = FindingCode("coins-overdrawn")
  /// Apple refunded, and the customer still has the coins.
  package static let coinsNotTakenBack = FindingCode("coins-not-taken-back")
  /// Coins that were paid for expired, which Apple's rules forbid.
  package static let coinsExpired = FindingCode("coins-expired")
}

/// Level 6: coins that were granted tie to those that orders sold, and balances to movements.
package struct CoinTieOut: Sendable {
  package private(set) var findings: [UnresolvedFinding] = []
  package private(set) var flow: CoinFlow
  let frame: CoinSurvey.Frame

  /// - Parameters:
  ///   - overdrafts: of all parts of the survey's suspects.
  ///   - known: of keys of orders and transactions that the survey asks for, those that the ledger
  ///     has at other times.
  package init(
    _ survey: CoinSurvey, _ overdrafts: [CoinOverdrafts],
    known: (orders: Set<IDKey>, transactions: Set<IDKey>)
  ) {
    frame = survey.frame
    flow = survey.flow()
    if frame.sold.hasCoins {
      judgeOrders(survey)
      judgePools(survey)
      judgeStrays(survey, known)
      judgeRefunds(survey)
    }
    judgeBalances(survey)
    for overdraft in overdrafts.flatMap({ $0.overdrafts() }) { add(overdraft) }
    judgeExpired(survey)
  }

  private func isInPeriod(_ day: Int32) -> Bool { (frame.first...frame.last).contains(day) }

  /// ` of gems`, where there are several coins or the only one has a name.
  private func named(_ coins: Int64, _ coin: Int) -> Wording {
    let name = frame.names.coins[coin]
    if name.isEmpty { return counted(coins, "@coins.1-coin") { "@coins.count \($0)" } }
    return "@coins.count-of \(grouped(Int(coins))) \(name)"
  }

  // MARK: Orders

  /// Orders that movements name.
  private mutating func judgeOrders(_ survey: CoinSurvey) {
    for (place, line) in frame.sold.lines.enumerated() {
      let granted = survey.granted[place]
      let sold = line.standing == .due ? line.coins : 0
      guard granted > 0, line.standing == .due || line.standing == .unpaid, isInPeriod(line.day),
        granted != sold
      else { continue }
      let given = named(granted, Int(line.coin))
      add(
        granted < sold ? .coinsNotGranted : .coinsWithoutOrder, place, line.day, sold - granted,
        line.standing == .unpaid
          ? "@coins.order-is-unpaid \(given)"
          : "@coins.order-granted \(named(sold, Int(line.coin))) \(given)")
    }
  }

  /// Adds a finding about an order, worth its share of the order's price.
  ///
  /// - Parameter coins: below zero where the customer has more than was sold.
  private mutating func add(
    _ code: FindingCode, _ place: Int, _ day: Int32, _ coins: Int64, _ explanation: Wording
  ) {
    let table = frame.table
    let transaction = table.transactionOf[place].position
    let terms = effective(place)
    let share = terms.gross.map {
      worth(coins, of: $0, for: frame.sold.lines[place].coins, terms.currency)
    }
    add(
      UnresolvedFinding(
        code, storefront: terms.storefront, currency: terms.currency, day: Day(number: day),
        sku: terms.sku, amount: share, orders: table.rows(ofOrder: place),
        transactions: transaction.map { table.rows(ofTransaction: $0) } ?? [],
        explanation: terms.gross == nil ? "@coins.price-unknown \(explanation)" : explanation
      ).about(order: place, transaction: transaction))
  }

  private mutating func add(_ finding: UnresolvedFinding) { findings.append(finding) }

  private func effective(_ place: Int) -> EffectiveTerms {
    if let transaction = frame.table.transactionOf[place].position {
      return EffectiveTerms(transaction, in: frame.table, frame.context)
    }
    let entry = frame.table.orders[place]
    return EffectiveTerms(
      frame.table.orderTerms[Int(entry.terms)], day: frame.context.businessDay(entry.placedAt),
      frame.context)
  }

  /// Coins at the price of those that they were sold with, micro-units.
  private func worth(
    _ coins: Int64, of gross: Int64, for all: Int64, _ currency: Currency?
  ) -> Int64 {
    let unit = Int128(currency?.minorUnit ?? 10_000)
    let exact = Int128(gross) * Int128(abs(coins))
    let rounded = (2 * exact + unit * Int128(all)) / (2 * unit * Int128(all)) * unit
    return coins < 0 ? -Int64(clamping: rounded) : Int64(clamping: rounded)
  }

  // MARK: Days and products

  /// Orders that no movement names, against coins that name no order.
  private mutating func judgePools(_ survey: CoinSurvey) {
    var untold = survey.untold
    // A renewal grants coins without an order: where no product is named, these may be such.
    let subscriptionCoins = Set(
      frame.sold.lines.lazy.filter { $0.standing == .subscription }.map { Int($0.coin) })
    // Where a channel's grants are not loaded at all, none lacks.
    let pools = pools(survey).filter {
      survey.hasGrants[$0.key.channel] && !isSubscription($0.key)
    }.map { key, pool in
      (key: key, pool: pool, coins: pool.coins)
    }
    let (moved, due): (Int64, Int64) = pools.reduce((0, 0)) { sums, next in
      (sums.0 + next.coins.moved, sums.1 + next.pool.due.reduce(0, +))
    }
    let isLate = moved > due / Rules.lateShare
    for (key, pool, first) in pools {
      var coins = (isLate ? first.withoutChains() : first).withoutOptional()
      coins.cover(with: &untold[key.coin])
      for (index, day) in frame.known.enumerated() where isInPeriod(day) {
        if coins.lacking[index] > 0 {
          // Nothing was granted that could be of the day's orders: each lacks.
          if coins.lacking[index] == pool.due[index], let orders = pool.orders[day] {
            for place in orders {
              let sold = named(frame.sold.lines[place].coins, key.coin)
              add(
                .coinsNotGranted, place, day, frame.sold.lines[place].coins,
                "@coins.order-has-none \(sold)")
            }
          } else {
            addCell(.coinsNotGranted, key, day, pool, index, coins.lacking[index])
          }
        }
        if coins.excess[index] > 0, key.sku != nil || !subscriptionCoins.contains(key.coin) {
          addCell(
            .coinsWithoutOrder, key, day, pool, index, -coins.excess[index],
            pool.only[day].flatMap { $0.coins == coins.excess[index] ? $0.row : nil })
        }
      }
    }
  }

  /// Coins of subscriptions are not tied out.
  private func isSubscription(_ key: CoinSurvey.Cell) -> Bool {
    key.sku.map { frame.context.catalogue.kind(frame.skus[Int($0)]) == .autoRenewable } ?? false
  }

  /// - Parameter movement: where a single one has these coins.
  private mutating func addCell(
    _ code: FindingCode, _ key: CoinSurvey.Cell, _ day: Int32, _ pool: Pool, _ index: Int,
    _ coins: Int64, _ movement: CoinMovementRow.ID? = nil
  ) {
    let sku = key.sku.map { frame.skus[Int($0)] }
    let price = price(pool)
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
    var due: [Int64]
    var likely: [Int64]
    var unlikely: [Int64]
    var granted: [Int64]
    /// Positions of the orders that are due, by day.
    var orders: [Int32: [Int]] = [:]
    /// The grant of a day that has only one.
    var only: [Int32: (coins: Int64, row: CoinMovementRow.ID)] = [:]

    init(days: Int) {
      due = Array(repeating: 0, count: days)
      (likely, unlikely, granted) = (due, due, due)
    }

    var coins: CoinPool {
      CoinPool(due: due, likely: likely, unlikely: unlikely, granted: granted)
    }
  }

  private func pools(_ survey: CoinSurvey) -> [(key: CoinSurvey.Cell, pool: Pool)] {
    let days = frame.known
    // Where some name no product, all of their channel and coin are held together.
    var whole: Set<CoinSurvey.Cell> = []
    for cell in survey.cells.keys where cell.sku == nil {
      whole.insert(CoinSurvey.Cell(day: 0, channel: cell.channel, coin: cell.coin, sku: nil))
    }
    func key(_ channel: Int, _ coin: Int, _ sku: Int32?) -> CoinSurvey.Cell {
      let all = CoinSurvey.Cell(day: 0, channel: channel, coin: coin, sku: nil)
      return whole.contains(all)
        ? all : CoinSurvey.Cell(day: 0, channel: channel, coin: coin, sku: sku)
    }
    var pools: [CoinSurvey.Cell: Pool] = [:]
    for (cell, sum) in survey.cells where days.contains(cell.day) {
      let own = key(cell.channel, cell.coin, cell.sku)
      let index = Int(cell.day - days.lowerBound)
      let isFirst = pools[own]?.granted[index] ?? 0 == 0
      pools[own, default: Pool(days: days.count)].granted[index] += sum.coins
      pools[own]!.only[cell.day] = isFirst && sum.rows == 1 ? (sum.coins, sum.row) : nil
    }
    for (place, line) in frame.sold.lines.enumerated()
    where ![.none, .unpaid].contains(line.standing) && survey.granted[place] == 0
      && days.contains(line.day)
    {
      let sku = frame.orderSKUs[Int(frame.table.orders[place].terms)]
      let key = key(Int(line.channel), Int(line.coin), sku < 0 ? nil : sku)
      let index = Int(line.day - days.lowerBound)
      // What Apple gave back need not have been granted before.
      if line.standing == .due, line.back < line.coins {
        pools[key, default: Pool(days: days.count)].due[index] += line.coins
        pools[key]!.orders[line.day, default: []].append(place)
      } else if survey.namesOrders[Int(line.channel)] {
        // Where grants name their orders, this one's would be named.
      } else if line.standing == .notSold {
        pools[key, default: Pool(days: days.count)].unlikely[index] += line.coins
      } else {
        pools[key, default: Pool(days: days.count)].likely[index] += line.coins
      }
    }
    addCounts(to: &pools, key)
    return pools.sorted {
      ($0.key.channel, $0.key.coin, $0.key.sku ?? -1)
        < ($1.key.channel, $1.key.coin, $1.key.sku ?? -1)
    }.map { ($0.key, $0.value) }
  }

  /// Adds purchases that were counted elsewhere, which have no orders here.
  private func addCounts(
    to pools: inout [CoinSurvey.Cell: Pool],
    _ key: (Int, Int, Int32?) -> CoinSurvey.Cell
  ) {
    let days = frame.known
    var products = CoinProducts(frame.table, frame.context)
    for sold in frame.table.counts.sold {
      let day = frame.context.businessDay(sold.at)
      guard days.contains(day.number), let coins = products.coins(of: sold.order, on: day),
        (1...Rules.mostCoins).contains(coins.count)
      else { continue }
      let sku = frame.orderSKUs[Int(sold.order)]
      let own = key(0, frame.names.coin(coins.coin), sku < 0 ? nil : sku)
      pools[own, default: Pool(days: days.count)].due[Int(day.number - days.lowerBound)] +=
        coins.count * sold.count
    }
  }

  /// What coins of a pool cost, where all of its orders had them at one price.
  private func price(
    _ pool: Pool
  ) -> (gross: Int64, coins: Int64, currency: Currency, storefront: Storefront?)? {
    var found: (gross: Int64, coins: Int64, currency: Currency, storefront: Storefront?)?
    for place in pool.orders.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
      let terms = effective(place)
      let coins = frame.sold.lines[place].coins
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

  // MARK: Orders that are not here

  private mutating func judgeStrays(
    _ survey: CoinSurvey, _ known: (orders: Set<IDKey>, transactions: Set<IDKey>)
  ) {
    let strays = survey.strays.values.filter {
      isInPeriod($0.cell.day) && !known.orders.contains($0.order)
        && !known.transactions.contains($0.transaction)
    }
    for stray in strays.sorted(by: { $0.row < $1.row }) {
      let cell = stray.cell
      let explanation: Wording = "@coins.order-is-not-here \(named(stray.coins, cell.coin))"
      var finding = UnresolvedFinding(
        .coinsWithoutOrder, day: Day(number: cell.day), sku: cell.sku.map { frame.skus[Int($0)] },
        explanation: "@coins.price-unknown \(explanation)"
      ).of(coin: frame.names.coins[cell.coin], channel: frame.names.channels[cell.channel])
      finding.movements = [stray.row]
      add(finding)
    }
  }

  // MARK: Refunds

  private mutating func judgeRefunds(_ survey: CoinSurvey) {
    var unnamed = UnnamedTakings(survey.takenCells)
    var lacking: [(place: Int, coins: Int64)] = []
    for place in frame.sold.lines.indices where frame.sold.lines[place].back > 0 {
      let line = frame.sold.lines[place]
      // Of an order from before the movements nobody can say what it was granted.
      let isGranted =
        survey.granted[place] > 0 || survey.hasUnnamed || line.day < survey.firstDay
      let given = survey.granted[place] > 0 ? min(survey.granted[place], line.coins) : line.coins
      let coins = min(line.back, given) - (survey.takenBack[place] ?? 0)
      if coins > 0, isGranted { lacking.append((place, coins)) }
    }
    lacking.sort {
      (frame.sold.lines[$0.place].backDay, $0.place)
        < (frame.sold.lines[$1.place].backDay, $1.place)
    }
    // First those of its own day, then of the next (clocks differ by one), then what came late.
    for within in [0...0, -1...Rules.takeBack, -1...Rules.takeBackAtLast] {
      for index in lacking.indices {
        let place = lacking[index].place
        let sku = frame.orderSKUs[Int(frame.table.orders[place].terms)]
        lacking[index].coins -= unnamed.take(
          lacking[index].coins, frame.sold.lines[place], sku: sku < 0 ? nil : sku, within: within)
      }
    }
    for (place, coins) in lacking where coins > 0 {
      let line = frame.sold.lines[place]
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

  // MARK: Balances

  private mutating func judgeBalances(_ survey: CoinSurvey) {
    judgeUsers(survey.balances.ofUsers, survey)
    // Of all users together, against what is left by day.
    var left: [CoinSurvey.Cell: Int64] = [:]
    for line in flow.days {
      guard let coins = line.left else { continue }
      left[cell(line.day.number, frame.names.coin(line.coin))] = coins
    }
    for total in flow.totals {
      left[cell(frame.first - 1, frame.names.coin(total.coin))] = total.opening
    }
    var (coin, before): (Int32, Int64) = (-1, 0)
    for balance in survey.balances.ofAll {
      guard let moved = left[cell(balance.day, Int(balance.coin))] else { continue }
      if balance.coin != coin { (coin, before) = (balance.coin, 0) }
      let difference = balance.paid + balance.free - moved
      if difference != before, difference != 0, isInPeriod(balance.day) {
        addBalance(balance, told: balance.paid + balance.free, moved: moved)
      }
      before = difference
    }
  }

  private func cell(_ day: Int32, _ coin: Int) -> CoinSurvey.Cell {
    CoinSurvey.Cell(day: day, channel: 0, coin: coin, sku: nil)
  }

  /// Of each user: a difference is told on the day on which it comes up or changes.
  private mutating func judgeUsers(_ balances: [CoinBalances.Balance], _ survey: CoinSurvey) {
    var moved: (paid: Int64, free: Int64, untold: Int64) = (0, 0, 0)
    var before: (Int64, Int64) = (0, 0)
    for place in balances.indices {
      let balance = balances[place]
      if place == 0 || balances[place - 1].user != balance.user
        || balances[place - 1].coin != balance.coin
      {
        (moved, before) = ((0, 0, 0), (0, 0))
      }
      moved.paid += balance.movedPaid
      moved.free += balance.movedFree
      moved.untold += balance.movedUntold
      let all = moved.paid + moved.free + moved.untold
      let told = balance.paid + balance.free
      let difference =
        moved.untold == 0
        ? (balance.paid - moved.paid, balance.free - moved.free) : (told - all, 0)
      if difference != before, difference != (0, 0), isInPeriod(balance.day) {
        addBalance(balance, told: told, moved: all, isOfOrigins: told == all)
      }
      before = difference
    }
  }

  private mutating func addBalance(
    _ balance: CoinBalances.Balance, told: Int64, moved: Int64, isOfOrigins: Bool = false
  ) {
    let coin = Int(balance.coin)
    var finding = UnresolvedFinding(
      .coinsBalance, day: Day(number: balance.day),
      explanation: isOfOrigins
        ? "@coins.balance-parts-differ \(named(told, coin))"
        : """
        @coins.balance-differs \(named(told, coin)) \(named(moved, coin)) \
        \(named(told - moved, coin))
        """
    ).of(coin: frame.names.coins[coin])
    finding.balances = [balance.row]
    add(finding)
  }

  private mutating func add(_ overdraft: CoinOverdrafts.Overdraft) {
    var finding = UnresolvedFinding(
      .coinsOverdrawn, day: Day(number: overdraft.day),
      explanation: """
        @coins.below-zero \(named(overdraft.lack, overdraft.coin)) \
        \(Instant(seconds: overdraft.moment))
        """
    ).of(coin: frame.names.coins[overdraft.coin])
    finding.movements = [overdraft.row]
    add(finding)
  }

  private mutating func judgeExpired(_ survey: CoinSurvey) {
    for (cell, found) in survey.expired.sorted(by: { $0.value.row < $1.value.row })
    where found.coins > 0 {
      var finding = UnresolvedFinding(
        .coinsExpired, day: Day(number: cell.day),
        explanation: "@coins.paid-coins-expired \(named(found.coins, cell.coin))"
      ).of(coin: frame.names.coins[cell.coin])
      finding.movements = [found.row]
      add(finding)
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

extension UnresolvedFinding {
  /// The same, about a coin and a channel: another coin's finding is another one.
  fileprivate func of(coin: String, channel: String = "") -> UnresolvedFinding {
    var finding = self
    finding.documents = [coin, channel]
    return finding
  }
}
