import Billing
import Conclusions
import Pricing

/// What orders of one month sold and what was refunded of them, as the valuation of coins reads it.
struct CoinSales {
  private let table: MatchTable
  private let context: MatchingContext
  private let policy: CoinPolicy
  /// By name in lower case.
  private let channels: [String: Settings.Channel]
  /// Coins that were sold, and nobody knows for how much.
  private(set) var unpriced: Int64 = 0
  /// Paid back by Apple on the day after the period, which may be the period's last in Apple's
  /// reports, by currency; micro-units.
  private(set) var refundsAhead: [Currency: Int64] = [:]
  /// By position, whether an order sold coins here.
  let isDue: [Bool]
  /// With the coin's number and the order's position, in the order of these; refunds of other
  /// channels may be of later months.
  private(set) var events: [(coin: Int, order: Int, event: CoinEvent)] = []

  /// Finds the sales and refunds of coins in the period of a context.
  ///
  /// - Parameters:
  ///   - number: gives the number of a channel of this name.
  ///   - taken: when coins of orders were first taken back, by the key of the order: it tells when
  ///     channels other than Apple's refunded.
  init(
    _ table: MatchTable, _ names: CoinNames, _ context: MatchingContext,
    channel number: (String) -> Int32, taken: [UInt64: (at: Int64, day: Day)]
  ) {
    self.table = table
    self.context = context
    policy = context.settings.coins
    channels = Dictionary(
      context.settings.channels.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { $1 })
    let sold = SoldCoins(table, names, context)
    isDue = sold.lines.map { $0.standing == .due }
    let numbers = names.channels.map(number)
    let days = context.period.first.number...context.period.last.number
    for (place, line) in sold.lines.enumerated() where line.standing == .due {
      let isSoldNow = days.contains(line.day)
      let isRefundedNow = line.back > 0 && days.contains(line.backDay)
      let isRefundedNext = line.back > 0 && line.backDay == days.upperBound + 1
      guard isSoldNow || isRefundedNow || isRefundedNext else { continue }
      let priced = price(ofOrder: place, line, names)
      if isRefundedNext, let (value, currency) = priced {
        refundsAhead[currency, default: 0] += value.part(line.back).amount
      }
      if priced == nil, isSoldNow { unpriced += line.coins }
      let value = priced?.value ?? CoinValue(coins: line.coins, amount: 0)
      let order = table.orders[place]
      /// Adds a sale or refund of the order at hand to ``events``.
      ///
      /// - Parameters:
      ///   - at: seconds since 1970.
      ///   - day: its business day, in days since 1970.
      ///   - value: the coins, with what is owed for them or paid back.
      func add(_ kind: CoinEvent.Kind, at: Int64, _ day: Int32, _ value: CoinValue) {
        var event = CoinEvent(
          kind, at: at, day: Day(number: day), user: 0, value,
          channel: numbers[Int(line.channel)], currency: priced?.currency)
        event.sale = order.key.raw
        if kind == .refunded { event.soldOn = Day(number: line.day) }
        events.append((Int(line.coin), place, event))
      }
      let transaction = table.transactionOf[place].position.map { table.transactions[$0] }
      let soldAt = Int64(transaction?.purchasedAt ?? order.placedAt)
      if isSoldNow { add(.sold, at: soldAt, line.day, value) }
      if isRefundedNow, let transaction {
        add(.refunded, at: Int64(transaction.revokedAt), line.backDay, value.part(line.back))
      }
      // Nobody says when other channels refund: when coins are taken back, else it was no sale.
      if isSoldNow, line.channel != 0, table.orderTerms[Int(order.terms)].status == .refunded {
        let back = taken[order.key.raw]
        add(
          .refunded, at: max(back?.at ?? soldAt, soldAt),
          max(back?.day.number ?? line.day, line.day), value)
      }
    }
  }

  /// What an order's coins are owed for, without tax, and the commission on that where it is
  /// deferred; nil where nothing tells the price.
  ///
  /// - Parameter place: the position of the order.
  private func price(
    ofOrder place: Int, _ line: SoldCoins.Line, _ names: CoinNames
  ) -> (value: CoinValue, currency: Currency)? {
    let terms = effective(place)
    guard let price = terms.unitPrice, price >= 0, let currency = terms.currency,
      let parts = unitParts(price, currency, terms, line, names)
    else { return nil }
    let units = Int64(terms.quantity)
    let isPrincipal = policy.presentation == .principal
    let cost = isPrincipal && policy.contractCost == .deferred ? parts.net - parts.proceeds : 0
    let value = CoinValue(
      coins: line.coins,
      amount: (isPrincipal ? parts.net : parts.proceeds).multipliedExactly(by: units),
      cost: cost.multipliedExactly(by: units))
    return (value, currency)
  }

  /// One unit's price without tax, and what is left of it without commission, both in micro-units;
  /// nil where the storefront is not known or the channel not configured.
  ///
  /// - Parameter price: what the customer pays for the unit, in micro-units.
  private func unitParts(
    _ price: Int64, _ currency: Currency, _ terms: EffectiveTerms, _ line: SoldCoins.Line,
    _ names: CoinNames
  ) -> (net: Int64, proceeds: Int64)? {
    if line.channel == 0 {
      guard let storefront = terms.storefront else { return nil }
      let day = Day(number: line.day)
      let expected = context.priceBook.expectation(
        of: TermsScope(storefront, sku: terms.sku), currency: currency, price: price, day: day,
        tierPrice: context.tierPrice(sku: terms.sku, storefront: storefront, on: day))
      return (expected.net, expected.proceeds)
    }
    // What is not configured has no price without tax.
    guard let channel = channels[names.channels[Int(line.channel)]] else { return nil }
    let net = roundedHalfUp(
      Int128(price) * 1_000_000, dividedBy: 1_000_000 + Int128(channel.tax),
      toMultipleOf: currency.minorUnit)
    let kept = roundedHalfUp(
      Int128(net) * Int128(channel.fee), dividedBy: 1_000_000, toMultipleOf: currency.minorUnit)
    return (net, net - kept)
  }

  /// The terms of an order at its position: those of its transaction, or its own where it has none.
  private func effective(_ place: Int) -> EffectiveTerms {
    if let transaction = table.transactionOf[place].position {
      return EffectiveTerms(transaction, in: table, context)
    }
    let entry = table.orders[place]
    return EffectiveTerms(
      table.orderTerms[Int(entry.terms)], day: context.businessDay(entry.placedAt), context)
  }
}
