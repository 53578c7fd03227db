package import Billing
package import Conclusions

/// Level 6: coins that were granted tie to those that orders sold, and balances to movements.
package struct CoinTieOut: Sendable {
  package private(set) var findings: [UnresolvedFinding] = []
  package private(set) var flow: CoinFlow
  let frame: CoinSurvey.Frame
  let subscriptions: CoinSubscriptions

  /// Judges orders, refunds, balances and expired coins by the sums of a survey.
  ///
  /// - Parameters:
  ///   - overdrafts: of all parts of the survey's suspects.
  ///   - known: of keys of orders and transactions that the survey asks for, those that the ledger
  ///     has at other times.
  package init(
    _ survey: CoinSurvey, _ overdrafts: [CoinOverdrafts],
    known: (orders: Set<IDKey>, transactions: Set<IDKey>)
  ) {
    frame = survey.frame
    subscriptions = CoinSubscriptions(survey)
    flow = survey.flow(subscriptions)
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

  /// Whether a business day, in days since 1970, is of the period.
  func isInPeriod(_ day: Int32) -> Bool { (frame.first...frame.last).contains(day) }

  /// A number of coins as text: `300 gems`, or `300 coins` where the only coin has no name.
  ///
  /// - Parameter coin: its number in ``CoinNames``.
  func named(_ coins: Int64, _ coin: Int) -> Wording {
    let name = frame.names.coins[coin]
    if name.isEmpty { return counted(coins, "@coins.1-coin") { "@coins.count \($0)" } }
    return "@coins.count-of \(grouped(Int(coins))) \(name)"
  }

  // MARK: Orders

  /// Adds a finding for each order or renewal of the period whose movements grant more or fewer
  /// coins than it sold.
  private mutating func judgeOrders(_ survey: CoinSurvey) {
    for place in frame.sold.places where survey.granted[place] > 0 {
      let (line, granted) = (frame.sold[place], survey.granted[place])
      let isDue = subscriptions.isDue(place, frame)
      let sold = isDue ? line.coins : 0
      guard isDue || line.standing == .unpaid, isInPeriod(line.day), granted != sold else {
        continue
      }
      let given = named(granted, Int(line.coin))
      add(
        granted < sold ? .coinsNotGranted : .coinsWithoutOrder, place, line.day, sold - granted,
        line.standing == .unpaid
          ? "@coins.order-is-unpaid \(given)"
          : "@coins.order-granted \(named(sold, Int(line.coin))) \(given)")
    }
  }

  /// Adds a finding about a sale, worth its share of the sale's price.
  ///
  /// - Parameters:
  ///   - place: of the sale in ``SoldCoins``.
  ///   - day: in days since 1970.
  ///   - coins: below zero where the customer has more than was sold.
  mutating func add(
    _ code: FindingCode, _ place: Int, _ day: Int32, _ coins: Int64, _ explanation: Wording
  ) {
    let table = frame.table
    let order = frame.sold.renewal(at: place) == nil ? place : nil
    let transaction = transaction(at: place)
    let terms = effective(place)
    let share = terms.gross.map {
      worth(coins, of: $0, for: frame.sold[place].coins, terms.currency)
    }
    add(
      UnresolvedFinding(
        code, storefront: terms.storefront, currency: terms.currency, day: Day(number: day),
        sku: terms.sku, amount: share, orders: order.map { table.rows(ofOrder: $0) } ?? [],
        transactions: transaction.map { table.rows(ofTransaction: $0) } ?? [],
        explanation: terms.gross == nil ? "@coins.price-unknown \(explanation)" : explanation
      ).about(order: order, transaction: transaction))
  }

  /// Adds a finding that is complete.
  mutating func add(_ finding: UnresolvedFinding) { findings.append(finding) }

  /// The position of the transaction of the sale at a place in ``SoldCoins``, a renewal's own or
  /// that of its order; nil without one.
  private func transaction(at place: Int) -> Int? {
    frame.sold.renewal(at: place) ?? frame.table.transactionOf[place].position
  }

  /// The storefront, product and price of the sale at a place in ``SoldCoins``: those of its
  /// transaction, or of its order where it has none.
  func effective(_ place: Int) -> EffectiveTerms {
    if let transaction = transaction(at: place) {
      return EffectiveTerms(transaction, in: frame.table, frame.context)
    }
    let entry = frame.table.orders[place]
    return EffectiveTerms(
      frame.table.orderTerms[Int(entry.terms)], day: frame.context.businessDay(entry.placedAt),
      frame.context)
  }

  /// What some coins of a sale are worth, in micro-units rounded to the currency's minor unit;
  /// below zero where the coins are.
  ///
  /// - Parameters:
  ///   - gross: what the sale cost, in micro-units.
  ///   - all: the coins that the sale was for.
  func worth(
    _ coins: Int64, of gross: Int64, for all: Int64, _ currency: Currency?
  ) -> Int64 {
    let unit = Int128(currency?.minorUnit ?? 10_000)
    let exact = Int128(gross) * Int128(abs(coins))
    let rounded = (2 * exact + unit * Int128(all)) / (2 * unit * Int128(all)) * unit
    return coins < 0 ? -Int64(clamping: rounded) : Int64(clamping: rounded)
  }

  // MARK: Orders that are not here

  /// Adds a finding for each grant of the period that names an order or transaction which neither
  /// the period nor the ledger has.
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

  // MARK: Balances

  /// Holds the balances that another system tells against movements: of each user, then of all
  /// users together.
  private mutating func judgeBalances(_ survey: CoinSurvey) {
    judgeUsers(survey.balances.ofUsers, survey)
    // Of all users together, against what is left by day.
    var left: [CoinSurvey.Cell: Int64] = [:]
    for line in flow.days {
      guard let coins = line.left else { continue }
      left[cell(on: line.day.number, ofCoin: frame.names.coin(line.coin))] = coins
    }
    for total in flow.totals {
      left[cell(on: frame.first - 1, ofCoin: frame.names.coin(total.coin))] = total.opening
    }
    var (coin, before): (Int32, Int64) = (-1, 0)
    for balance in survey.balances.ofAll {
      guard let moved = left[cell(on: balance.day, ofCoin: Int(balance.coin))] else { continue }
      if balance.coin != coin { (coin, before) = (balance.coin, 0) }
      let difference = balance.paid + balance.free - moved
      if difference != before, difference != 0, isInPeriod(balance.day) {
        addBalance(balance, told: balance.paid + balance.free, moved: moved)
      }
      before = difference
    }
  }

  /// The key of a coin's day over all channels and products.
  private func cell(on day: Int32, ofCoin coin: Int) -> CoinSurvey.Cell {
    CoinSurvey.Cell(day: day, channel: 0, coin: coin, sku: nil)
  }

  /// Adds findings where a user's balance differs from the user's movements: a difference is told
  /// on the day on which it comes up or changes.
  ///
  /// - Parameter balances: by coin, user and day.
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

  /// Adds a finding about a balance that movements do not come to.
  ///
  /// - Parameters:
  ///   - told: the coins that the balance has.
  ///   - moved: the coins that movements come to.
  ///   - isOfOrigins: whether only its paid and free coins differ, and their sum does not.
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

  /// Adds a finding about a user whose coins went below zero.
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

  /// Adds a finding for each coin and day of the period of which paid coins expired.
  private mutating func judgeExpired(_ survey: CoinSurvey) {
    for (cell, found) in survey.expired.sorted(by: { $0.value.row < $1.value.row })
    where found.coins > 0 {
      let (count, name) = (grouped(Int(found.coins)), frame.names.coins[cell.coin])
      var finding = UnresolvedFinding(
        .coinsExpired, day: Day(number: cell.day),
        explanation: name.isEmpty
          ? "@coins.paid-coins-expired \(count)" : "@coins.paid-coins-of-expired \(count) \(name)"
      ).of(coin: frame.names.coins[cell.coin])
      finding.movements = [found.row]
      add(finding)
    }
  }
}

extension UnresolvedFinding {
  /// The same finding about a coin and a channel: another coin's finding is another one.
  func of(coin: String, channel: String = "") -> UnresolvedFinding {
    var finding = self
    finding.documents = [coin, channel]
    return finding
  }
}
