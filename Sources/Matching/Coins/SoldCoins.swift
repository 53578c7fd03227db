import Billing

/// The coins that orders and renewals owe their customers, and those that Apple's refunds take
/// back.
///
/// A sale is named by its place: the position of its order in the table of matches, and beyond
/// these the number of its renewal.
struct SoldCoins: Sendable {
  /// What an order's coins are to the tie-out.
  enum Standing: UInt8, Sendable {
    /// No coins, or nothing that says how many.
    case none
    /// Sold: Apple charged for it, or another channel's order says so.
    case due
    /// Of Apple's channel, and no purchase of Apple's belongs to it: level 1 names it.
    case unmatched
    /// Its purchase is none that counts (Sandbox, family), or it was not delivered.
    case notSold
    /// Nobody paid for it: it was only begun, or cancelled.
    case unpaid
    /// Sold by a subscription: due where the game grants the catalogue's coins at each renewal.
    case subscription
  }

  struct Line: Sendable {
    /// Coins that were sold.
    var coins: Int64 = 0
    /// Of these what Apple's refund takes back, with its business day; 0 without a refund.
    var back: Int64 = 0
    var backDay: Int32 = 0
    /// The business day of the sale, in days since 1970.
    var day: Int32 = 0
    var coin: UInt16 = 0
    var channel: UInt16 = 0
    var standing = Standing.none
    var isOfSubscription = false
  }

  /// By position of the order.
  private(set) var lines: [Line]
  /// Transactions of subscriptions that have no order, ascending by position.
  private(set) var renewals: [(transaction: Int32, line: Line)] = []
  /// Whether any order says how many coins it is for, or the catalogue does.
  private(set) var hasCoins = false

  /// Finds how many coins each order and renewal is for, and what is to be expected of them.
  init(_ table: MatchTable, _ names: CoinNames, _ context: MatchingContext) {
    lines = Array(repeating: Line(), count: table.orders.count)
    let isSold = table.transactionTerms.map { context.isBillable($0) && !$0.isTrial }
    var products = CoinProducts(table, context)
    for place in table.orders.indices {
      let counterpart = table.transactionOf[place]
      if counterpart == .merged { continue }
      let entry = table.orders[place]
      let terms = table.orderTerms[Int(entry.terms)]
      let transaction = counterpart.position
      let at = transaction.map { table.transactions[$0].purchasedAt } ?? entry.placedAt
      let day = context.businessDay(at)
      guard let found = products.coins(of: entry.terms, on: day),
        (1...Rules.mostCoins).contains(found.count)
      else { continue }
      hasCoins = true
      var line = Line(
        coins: found.count, day: day.number, coin: UInt16(names.coin(found.coin)),
        channel: UInt16(names.channel(terms.channel)))
      let isDelivered = [.paid, .fulfilled, .refunded].contains(terms.status)
      if !table.isApple[Int(entry.terms)] {
        line.standing = isDelivered ? .due : .unpaid
      } else if let transaction {
        let theirs = table.transactions[transaction]
        line.standing = isSold[Int(theirs.terms)] && isDelivered ? .due : .notSold
        addRefund(theirs, table, context, to: &line)
      } else {
        line.standing = counterpart != .open ? .notSold : isDelivered ? .unmatched : .unpaid
      }
      line.isOfSubscription = products.isSubscription(entry.terms)
      if line.isOfSubscription, line.standing == .due { line.standing = .subscription }
      lines[place] = line
    }
    forgiveChannelsWithoutStatus()
    // Of purchases that were counted elsewhere there are no rows of renewals.
    if table.counts.isEmpty { addRenewals(table, names, context, isSold) }
  }

  /// Adds what subscriptions bring that no order has: their renewals, and purchases without one.
  ///
  /// - Parameter isSold: by transaction terms, whether Apple charged for such a purchase.
  private mutating func addRenewals(
    _ table: MatchTable, _ names: CoinNames, _ context: MatchingContext, _ isSold: [Bool]
  ) {
    let catalogue = context.catalogue
    let mayGrant = table.transactionTerms.map { terms in
      (terms.kind ?? catalogue.kind(terms.sku)) == .autoRenewable
        && catalogue.sellsCoins(terms.sku)
    }
    for (position, entry) in table.transactions.enumerated()
    where mayGrant[Int(entry.terms)] && table.orderOf[position] == .open {
      let terms = table.transactionTerms[Int(entry.terms)]
      let day = context.businessDay(entry.purchasedAt)
      guard let product = catalogue.product(terms.sku, bundleID: terms.bundleID, on: day),
        let coins = product.coins?.multipliedExactly(by: Int64(terms.quantity)),
        (1...Rules.mostCoins).contains(coins)
      else { continue }
      hasCoins = true
      var line = Line(
        coins: coins, day: day.number, coin: UInt16(names.coin(product.coin)), standing: .notSold,
        isOfSubscription: true)
      if isSold[Int(entry.terms)] {
        line.standing = .due
        addRefund(entry, table, context, to: &line)
        // Level 1 reports a first purchase without an order.
        line.standing = table.chains.isRenewal(position) ? .subscription : .unmatched
      }
      renewals.append((Int32(position), line))
    }
  }

  /// Places of all sales.
  var places: Range<Int> { 0..<lines.count + renewals.count }

  /// The coins of the sale at a place, of an order or a renewal.
  subscript(place: Int) -> Line {
    place < lines.count ? lines[place] : renewals[place - lines.count].line
  }

  /// The position of a renewal's transaction; nil of an order.
  func renewal(at place: Int) -> Int? {
    place < lines.count ? nil : Int(renewals[place - lines.count].transaction)
  }

  /// Makes unpaid orders `notSold` where no order of their channel was ever paid for: its status
  /// says nothing.
  private mutating func forgiveChannelsWithoutStatus() {
    let paid = Set(lines.lazy.filter { $0.standing == .due }.map(\.channel))
    for place in lines.indices
    where lines[place].standing == .unpaid && !paid.contains(lines[place].channel) {
      lines[place].standing = .notSold
    }
  }

  /// Notes in a sale the coins that the refund of its transaction takes back, and the refund's day.
  private func addRefund(
    _ entry: TransactionEntry, _ table: MatchTable, _ context: MatchingContext,
    to line: inout Line
  ) {
    let terms = table.transactionTerms[Int(entry.terms)]
    guard line.standing == .due, entry.revokedAt != 0, terms.revocationIsRefund,
      !terms.isRefundReversed, let share = terms.refundShare
    else { return }
    line.back = Int64(Int128(line.coins) * Int128(share) / 1_000_000)
    line.backDay = context.businessDay(entry.revokedAt).number
  }
}

/// How many coins the terms of orders are for.
struct CoinProducts {
  private let orders: [OrderTerms]
  private let context: MatchingContext
  private let days: ClosedRange<Day>
  /// By number of the terms, what they are for where it is the same on all days; the outer nil is
  /// of terms not looked at yet, the inner one of terms without coins.
  private var known: [(coin: String, count: Int64)??]
  private var subscriptions: [Bool?]

  /// Prepares to look coins up for the orders of a table.
  init(_ table: MatchTable, _ context: MatchingContext) {
    orders = table.orderTerms
    self.context = context
    days =
      context.period.first.advanced(
        by: -Rules.daysBefore)...context.period.last.advanced(by: Rules.daysAfter)
    known = Array(repeating: nil, count: orders.count)
    subscriptions = Array(repeating: nil, count: orders.count)
  }

  /// The coin, and how many of it, that an order is for: what the order says, else the catalogue on
  /// the day of the sale; nil where neither does.
  ///
  /// - Parameter terms: the number of the order's terms.
  mutating func coins(of terms: Int32, on day: Day) -> (coin: String, count: Int64)? {
    if let known = known[Int(terms)] { return known }
    let order = orders[Int(terms)]
    let product = context.catalogue.product(order.sku, bundleID: order.bundleID, on: day)
    let coin = order.coin.isEmpty ? product?.coin ?? "" : order.coin
    let found =
      (order.coins ?? product?.coins.map { $0.multipliedExactly(by: Int64(order.quantity)) })
      .map { (coin: coin, count: $0) }
    if context.catalogue.isSteady(order.sku, over: days), days.contains(day) {
      known[Int(terms)] = .some(found)
    }
    return found
  }

  /// Whether orders with terms of this number are for a subscription that renews.
  mutating func isSubscription(_ terms: Int32) -> Bool {
    if let known = subscriptions[Int(terms)] { return known }
    let found = context.catalogue.kind(orders[Int(terms)].sku) == .autoRenewable
    subscriptions[Int(terms)] = found
    return found
  }
}
