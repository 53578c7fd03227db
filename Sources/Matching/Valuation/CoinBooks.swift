package import Billing

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
  /// Coins that were sold, and nobody knows for how much.
  package private(set) var unpriced: Int64 = 0
  /// Paid coins that users had before the first day.
  package private(set) var before: Int64 = 0

  /// What the terms of a movement are to the books, worked out once a month.
  private struct Kind {
    var movement: CoinMovement
    var coin: Int
    var channel: Int32?
    var origin: CoinOrigin?
    var days: Int32
  }

  private struct Month {
    let table: MatchTable
    let context: MatchingContext
    let names: CoinNames
    let places: OrderPlaces
    var calendar: CoinCalendar
    /// By the number of a movement's terms.
    let kinds: [Kind]
    /// The users of orders that no order says, by position.
    var users: [Int: UInt64] = [:]
    var sales: [(coin: Int, order: Int, event: CoinEvent)]
    /// By coin.
    var events: [[CoinEvent]]
  }

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

  /// Begins a month, with the sales of its orders.
  ///
  /// - Parameter users: of orders, by their rows.
  package mutating func begin(
    _ table: MatchTable, _ context: MatchingContext, users: ([OrderRow.ID]) throws -> [IDKey]
  ) rethrows {
    let names = CoinNames(terms, table.orderTerms, others: context.catalogue.coins)
    var known = channels
    let sales = CoinSales(table, names, context) { name in
      if let place = known.firstIndex(of: name) { return Int32(place) }
      known.append(name)
      return Int32(known.count - 1)
    }
    channels = known
    unpriced += sales.unpriced
    let owners = try users(sales.events.map { table.orders[$0.order].row })
    var events = sales.events
    for (place, user) in zip(events.indices, owners) { events[place].event.user = user.raw }
    var kinds: [Kind] = []
    kinds.reserveCapacity(terms.count)
    for place in terms.indices { kinds.append(kind(terms[place], names)) }
    month = Month(
      table: table, context: context, names: names, places: OrderPlaces(table),
      calendar: CoinCalendar(context.settings.businessZone), kinds: kinds, sales: events,
      events: names.coins.map { _ in [] })
  }

  /// Takes a movement; those of other months are left out.
  package mutating func add(_ entry: CoinMovementEntry) {
    guard month != nil else { return }
    let day = Day(number: month!.calendar.day(entry))
    guard month!.context.period.contains(day) else { return }
    let kind = month!.kinds[Int(entry.terms)]
    let isComing = kind.movement == .granted || kind.movement == .opening
    var event = CoinEvent(
      .used, at: month!.calendar.moment(entry, comes: isComing), day: day, user: entry.user.raw,
      CoinValue(coins: entry.coins, amount: 0), channel: kind.channel)
    (event.origin, event.days) = (kind.origin, kind.days)
    switch kind.movement {
    case .granted:
      if kind.origin != .free {
        noteUser(of: entry)
        return
      }
      event.kind = .given
    case .opening:
      // Later openings tell what movements tell.
      guard first.distance(to: day) < 3 else { return }
      if kind.origin != .free { before += entry.coins }
      event.kind = .adjusted
    case .spent: event.kind = .used
    case .expired: event.kind = .expired
    case .takenBack: event.kind = .takenBack
    case .adjusted: event.kind = .adjusted
    }
    month!.events[kind.coin].append(event)
  }

  private mutating func kind(_ terms: CoinMovementTerms, _ names: CoinNames) -> Kind {
    Kind(
      movement: terms.movement, coin: names.coin(terms.coin),
      channel: terms.channel.isEmpty ? nil : number(terms.channel.lowercased()),
      origin: terms.origin,
      days: terms.movement == .spent ? Int32(clamping: max(0, items[terms.item] ?? 0)) : 0)
  }

  private mutating func number(_ channel: String) -> Int32 {
    if let place = channels.firstIndex(of: channel) { return Int32(place) }
    channels.append(channel)
    return Int32(channels.count - 1)
  }

  /// Whose coins an order's are, where only the movement that granted them says so.
  private mutating func noteUser(of entry: CoinMovementEntry) {
    guard !entry.user.isNone, let place = month!.places.order(entry.order, entry.transaction)
    else { return }
    month!.users[place] = entry.user.raw
  }

  /// Ends the month: the roll-forward of each coin, channel and currency, ascending.
  package mutating func end() -> [CoinRoll] {
    guard var month else { return [] }
    self.month = nil
    for var sale in month.sales {
      if sale.event.user == 0 {
        let owner = month.users[sale.order] ?? owners[sale.event.sale]
        owners[sale.event.sale] = owner
        sale.event.user = owner ?? 0
      }
      month.events[sale.coin].append(sale.event)
    }
    for name in month.names.coins where books[name] == nil {
      books[name] = CoinBook(coin: name, channels: channels, policy: policy)
    }
    var rolls: [CoinRoll] = []
    for name in books.keys.sorted() {
      let coin = month.names.coins.firstIndex(of: name)
      books[name]!.channels = channels
      rolls += books[name]!.month(month.context.period, coin.map { month.events[$0] } ?? [])
    }
    return rolls
  }

  /// What of the books stands beside the roll-forward.
  package var coins: [CoinStatement.Coin] {
    books.sorted { $0.key < $1.key }.map { name, book in
      CoinStatement.Coin(
        coin: name, unspent: book.unspent, unbacked: book.unbacked, cohorts: book.cohorts)
    }
  }
}
