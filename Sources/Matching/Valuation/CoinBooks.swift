package import Billing
package import Conclusions

/// The books of all coins, from the first movement that is loaded: each month gets its sales from
/// the orders, what was used from movements.
package struct CoinBooks {
  private let terms: [CoinMovementTerms]
  /// Days of use of durable items, by name.
  private let items: [String: Int64]
  private let policy: CoinPolicy
  /// The first day that any movement is of: what was there before has no sale here.
  private let first: Day
  private var books: [String: CoinBook] = [:]
  private var channels: [String] = [CoinNames.apple]
  private var month: Month?
  /// Of sales whose user only a movement told.
  private var owners: [UInt64: UInt64] = [:]
  /// When coins of orders of other channels than Apple's were taken back.
  private var taken: [UInt64: (at: Int64, day: Day)] = [:]
  /// Refunds of later months.
  private var refunds: [(coin: String, event: CoinEvent)] = []
  /// Coins that were sold, and nobody knows for how much.
  package private(set) var unpriced: Int64 = 0
  /// Paid back by Apple on the day after the last month, by currency; micro-units.
  private(set) var refundsAhead: [Currency: Int64] = [:]
  /// Paid coins that users had before the first day.
  package private(set) var before: Int64 = 0
  /// Coins by orders less those granted as sold, by coin.
  private var ungranted: [String: Int64] = [:]
  private var naming = CoinUserNaming()
  private var grants = CoinGrants()

  /// What the books need of a movement's terms, worked out once a month.
  private struct Kind {
    var movement: CoinMovement
    var coin: Int
    var channel: Int32?
    var origin: CoinOrigin?
    /// Whether they are of a subscription, which is delivered over its time.
    var isSubscription: Bool
    var days: Int32
    /// Whether movements of the month name users, and whether any does not.
    var names = false
    var isNameless = false
  }

  private struct Month {
    let table: MatchTable
    let context: MatchingContext
    let names: CoinNames
    let places: OrderPlaces
    /// By the position of an order, whether it sold coins.
    let isDue: [Bool]
    var calendar: CoinCalendar
    /// By the number of a movement's terms.
    var kinds: [Kind]
    /// Of orders that movements grant coins for, by position: when, to whom, and how many of which.
    var grants: [Int: (at: Int64, user: UInt64, coin: Int, coins: Int64)] = [:]
    var unnamed: [CoinGrants.Unnamed] = []
    /// Granted as sold, by coin.
    var granted: [Int64]
    var sales: [(coin: Int, order: Int, event: CoinEvent)]
    /// By coin.
    var events: [[CoinEvent]]
  }

  /// Prepares the books of all coins, before their first month.
  ///
  /// - Parameters:
  ///   - terms: what movements point into.
  ///   - items: what coins buy.
  ///   - first: the first day that any movement is of.
  /// - Precondition: the policy lacks nothing.
  package init(
    _ terms: [CoinMovementTerms], _ items: [GameItem], _ policy: CoinPolicy, from first: Day
  ) {
    self.terms = terms
    self.policy = policy
    self.first = first
    self.items = Dictionary(
      items.compactMap { item in
        item.kind == .durable ? item.days.map { (item.item, $0) } : nil
      }, uniquingKeysWith: { $1 })
  }

  /// Whether any movement takes back coins of another channel than Apple's, which is how the books
  /// learn when that channel refunded: ``noteTakenBack(_:_:)`` then has to see all movements first.
  package var asksForTakenBack: Bool {
    terms.contains {
      $0.movement == .takenBack && !["", CoinNames.apple].contains($0.channel.lowercased())
    }
  }

  /// Notes the first moment at which coins of an order were taken back, before the first month
  /// begins: it tells when channels other than Apple's refunded the order. Movements of another
  /// kind, and those that name no order, are passed over.
  ///
  /// - Parameters:
  ///   - entry: any movement.
  ///   - zone: the zone of the company's business day.
  package mutating func noteTakenBack(_ entry: CoinMovementEntry, _ zone: Zone) {
    guard terms[Int(entry.terms)].movement == .takenBack, !entry.order.isNone else { return }
    var calendar = CoinCalendar(zone)
    let (at, day) = (calendar.moment(entry, comes: false), Day(number: calendar.day(entry)))
    if let known = taken[entry.order.raw], known.at <= at { return }
    taken[entry.order.raw] = (at, day)
  }

  /// Begins a month with the sales and refunds of coins that its orders tell.
  ///
  /// - Parameters:
  ///   - table: the month's orders, matched.
  ///   - users: finds the users of orders, given their rows; one user for each row, in the same
  ///     order.
  package mutating func begin(
    _ table: MatchTable, _ context: MatchingContext, users: ([OrderRow.ID]) throws -> [IDKey]
  ) rethrows {
    let names = CoinNames(terms, table.orderTerms, others: context.catalogue.coins)
    var known = channels
    let sales = CoinSales(
      table, names, context,
      channel: { name in
        if let place = known.firstIndex(of: name) { return Int32(place) }
        known.append(name)
        return Int32(known.count - 1)
      }, taken: taken)
    channels = known
    unpriced += sales.unpriced
    refundsAhead = sales.refundsAhead
    let owners = try users(sales.events.map { table.orders[$0.order].row })
    var events = sales.events
    for (place, user) in zip(events.indices, owners) { events[place].event.user = user.raw }
    var kinds: [Kind] = []
    kinds.reserveCapacity(terms.count)
    for place in terms.indices { kinds.append(kind(terms[place], names, context.catalogue)) }
    month = Month(
      table: table, context: context, names: names, places: OrderPlaces(table),
      isDue: sales.isDue, calendar: CoinCalendar(context.settings.businessZone), kinds: kinds,
      granted: names.coins.map { _ in 0 }, sales: events, events: names.coins.map { _ in [] })
  }

  /// Adds a movement to the events of the month that has begun; movements of other months are left
  /// out. A grant for a sale makes no event, because the order tells the sale.
  package mutating func add(_ entry: CoinMovementEntry) {
    guard month != nil else { return }
    let day = Day(number: month!.calendar.day(entry))
    guard month!.context.period.contains(day) else { return }
    if entry.user.isNone {
      month!.kinds[Int(entry.terms)].isNameless = true
    } else {
      month!.kinds[Int(entry.terms)].names = true
    }
    let kind = month!.kinds[Int(entry.terms)]
    let isComing = entry.coins * kind.movement.sign >= 0
    var event = CoinEvent(
      .used, at: month!.calendar.moment(entry, comes: isComing), day: day, user: entry.user.raw,
      CoinValue(coins: entry.coins, amount: 0), channel: kind.channel)
    (event.origin, event.days) = (kind.origin, kind.days)
    switch kind.movement {
    case .granted:
      event.kind = .given
      if kind.origin != .free {
        // Those of sales are told by orders.
        if isOfSale(entry, kind) { return noteGrant(entry, kind, event) }
        event.origin = .paid
      }
    case .opening:
      // Later openings tell what movements tell.
      guard first.distance(to: day) < 3 else { return }
      if kind.origin != .free {
        before += entry.coins
        event.origin = .paid
      }
      event.kind = entry.coins < 0 ? .adjusted : .given
    case .spent: event.kind = .used
    case .expired: event.kind = .expired
    case .takenBack:
      event.kind = .takenBack
      event.sale =
        orderPosition(of: entry).map { month!.table.orders[$0].key.raw } ?? entry.order.raw
    case .adjusted: event.kind = .adjusted
    }
    month!.events[kind.coin].append(event)
  }

  /// What the books need of a movement's terms: its coin and its channel by their numbers, and the
  /// days of use of the item that it bought.
  private mutating func kind(
    _ terms: CoinMovementTerms, _ names: CoinNames, _ catalogue: CatalogueBook
  ) -> Kind {
    Kind(
      movement: terms.movement, coin: names.coin(terms.coin),
      channel: terms.channel.isEmpty ? nil : channelNumber(terms.channel.lowercased()),
      origin: terms.origin, isSubscription: catalogue.kind(terms.sku) == .autoRenewable,
      days: terms.movement == .spent ? Int32(clamping: max(0, items[terms.item] ?? 0)) : 0)
  }

  /// The number of a channel; a new one gets the next.
  private mutating func channelNumber(_ channel: String) -> Int32 {
    if let place = channels.firstIndex(of: channel) { return Int32(place) }
    channels.append(channel)
    return Int32(channels.count - 1)
  }

  /// The position of the order that a movement names, itself or by its transaction; nil where the
  /// month has none.
  private func orderPosition(of entry: CoinMovementEntry) -> Int? {
    month!.places.sale(entry.order, entry.transaction)
  }

  /// Whether a grant of paid coins belongs to a sale, as far as one can tell: not that of a
  /// subscription, and not one that names an order which sold no coins.
  private func isOfSale(_ entry: CoinMovementEntry, _ kind: Kind) -> Bool {
    if kind.isSubscription { return false }
    return orderPosition(of: entry).map { month!.isDue[$0] } ?? true
  }

  /// Notes for an order when its coins were granted, how many, and to which user, as often only the
  /// grant says so; the clocks of game and store may differ. A grant that names no order of the
  /// month is kept in `unnamed`, or only added up where it names no user.
  private mutating func noteGrant(
    _ entry: CoinMovementEntry, _ kind: Kind, _ event: CoinEvent
  ) {
    guard let place = orderPosition(of: entry) else {
      // Sums by day name no order anywhere.
      if entry.user.isNone {
        month!.granted[kind.coin] += entry.coins
      } else {
        month!.unnamed.append(
          CoinGrants.Unnamed(
            at: event.at, day: event.day, user: event.user, coins: entry.coins,
            terms: Int32(entry.terms)))
      }
      return
    }
    month!.granted[kind.coin] += entry.coins
    grants.noteNamed(kind.channel)
    let known = month!.grants[place]
    month!.grants[place] = (
      min(known?.at ?? event.at, event.at),
      entry.user.isNone ? known?.user ?? 0 : entry.user.raw, kind.coin,
      (known?.coins ?? 0) + entry.coins
    )
  }

  /// Matches grants that name no order with sales that no grant names, user by user, in channels
  /// whose other grants name orders. Coins that no such sale accounts for are booked as given: paid
  /// for, but of no sale here.
  ///
  /// - Parameter sold: the month's sales with their users, by the position of the order.
  private mutating func giveUnnamed(_ month: inout Month, _ sold: [Int: (coin: Int, CoinEvent)]) {
    for (place, sale) in sold
    where month.grants[place] == nil && grants.namesOrders(sale.1.channel) {
      grants.wait(sale.1.value.coins, month.names.coins[sale.coin], user: sale.1.user)
    }
    for (place, grant) in month.grants where sold[place] == nil {
      grants.wait(-grant.coins, month.names.coins[grant.coin], user: grant.user)
    }
    for grant in month.unnamed.sorted(by: { ($0.at, $0.coins) < ($1.at, $1.coins) }) {
      let kind = month.kinds[Int(grant.terms)]
      let bare =
        grants.namesOrders(kind.channel)
        ? grants.take(grant.coins, month.names.coins[kind.coin], user: grant.user) : 0
      month.granted[kind.coin] += grant.coins - bare
      if bare == 0 { continue }
      var event = CoinEvent(
        .given, at: grant.at, day: grant.day, user: grant.user, CoinValue(coins: bare, amount: 0),
        channel: kind.channel)
      event.origin = .paid
      month.events[kind.coin].append(event)
    }
  }

  /// Ends the month: the roll-forward of each coin, channel and currency, ascending by these.
  package mutating func end() -> [CoinRoll] {
    guard var month else { return [] }
    self.month = nil
    let period = month.context.period
    naming.begin()
    for kind in month.kinds where kind.names || kind.isNameless {
      naming.note(month.names.coins[kind.coin], kind.channel, kind.names)
    }
    var sold: [Int: (coin: Int, CoinEvent)] = [:]
    for var sale in month.sales {
      let (grant, name) = (month.grants[sale.order], month.names.coins[sale.coin])
      if sale.event.user == 0 {
        let owner = grant?.user ?? owners[sale.event.sale] ?? 0
        if owner != 0 { owners[sale.event.sale] = owner }
        sale.event.user = owner
      }
      if !naming.names(name, sale.event.channel) { sale.event.user = 0 }
      if sale.event.kind == .sold {
        sale.event.at = min(sale.event.at, grant?.at ?? .max)
        ungranted[name, default: 0] += sale.event.value.coins
        sold[sale.order] = (sale.coin, sale.event)
      }
      if period.contains(sale.event.day) {
        month.events[sale.coin].append(sale.event)
      } else {
        refunds.append((name, sale.event))
      }
    }
    giveUnnamed(&month, sold)
    for (coin, name) in month.names.coins.enumerated() {
      ungranted[name, default: 0] -= month.granted[coin]
      month.events[coin] += refunds.filter { $0.coin == name && period.contains($0.event.day) }
        .map(\.event)
    }
    refunds.removeAll { $0.event.day <= period.last }
    for name in month.names.coins where books[name] == nil {
      let isTold = !terms.contains {
        $0.movement.sign < 0 && $0.origin == nil
          && month.names.coins[month.names.coin($0.coin)] == name
      }
      books[name] = CoinBook(coin: name, channels: channels, policy: policy, isTold: isTold)
    }
    var rolls: [CoinRoll] = []
    for name in books.keys.sorted() {
      let coin = month.names.coins.firstIndex(of: name)
      books[name]!.channels = channels
      rolls += books[name]!.month(period, coin.map { month.events[$0] } ?? [])
    }
    return rolls
  }

  /// For each coin, ascending by name, what the books have beside its roll-forwards: coins that
  /// users have, and what became of each month's sales.
  package var coins: [CoinStatement.Coin] {
    books.sorted { $0.key < $1.key }.map { name, book in
      var coin = CoinStatement.Coin(
        coin: name, unspent: book.unspent, bare: book.bare, free: book.free,
        unbacked: book.unbacked, ungranted: ungranted[name] ?? 0, cohorts: book.cohorts)
      (coin.freeOfSales, coin.ofNoChannel) = (book.freeOfSales, book.ofNoChannel)
      return coin
    }
  }
}
