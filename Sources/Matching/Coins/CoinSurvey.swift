package import Billing

/// Adds the movements of coins up, one after another, and holds them against the orders of the
/// table of matches and against balances.
///
/// Movements may come by the hundred million: what is kept of each is its sums.
package struct CoinSurvey {
  /// What the survey is of.
  struct Frame {
    let table: MatchTable
    let context: MatchingContext
    let names: CoinNames
    /// SKUs by number.
    let skus: [String]
    let kinds: [CoinKind]
    let sold: SoldCoins
    /// Per order terms the number of their SKU.
    let orderSKUs: [Int32]
    let places: OrderPlaces
    /// The first and last business day of the period, in days since 1970.
    let first: Int32
    let last: Int32
    /// Days whose orders are all here.
    let known: ClosedRange<Int32>
    /// The moment from which movements count; what was before, openings tell.
    let begin: Int64
  }

  /// What is granted or taken back without an order's name: all of a day, product and coin.
  struct Cell: Hashable {
    var day: Int32
    var channel: Int
    var coin: Int
    /// Nil where no product was told.
    var sku: Int32?
  }

  /// Coins of a cell, of how many movements, and the first of these.
  struct CellSum {
    var coins: Int64
    var rows: Int
    var row: CoinMovementRow.ID
  }

  /// Coins that name an order or a transaction which is not here.
  struct Stray {
    var coins: Int64
    var cell: Cell
    var order: IDKey
    var transaction: IDKey
    var row: CoinMovementRow.ID
  }

  /// Whether any movement is of the period.
  package private(set) var isOfPeriod = false
  let frame: Frame
  /// By coin.
  let accounts: [CoinAccounts]
  var balances: CoinBalances
  private var calendar: CoinCalendar

  /// By coin, channel (the last is none) and day, empty where nothing happened; before the period
  /// by coin and channel.
  private var days: [[Int64]]
  private var before: [Int64]
  /// Granted and, of few, taken back, by position of the order.
  private(set) var granted: [Int64]
  private(set) var takenBack: [Int: Int64] = [:]
  private(set) var cells: [Cell: CellSum] = [:]
  private(set) var takenCells: [Cell: Int64] = [:]
  /// Granted without any word on where they came from, by coin.
  private(set) var untold: [Int64]
  /// By digest of the order's and the transaction's keys.
  private(set) var strays: [UInt64: Stray] = [:]
  /// Paid coins that expired, by coin and day of the period.
  private(set) var expired: [Cell: (coins: Int64, row: CoinMovementRow.ID)] = [:]
  /// The last business day that any movement is of, in days since 1970.
  private(set) var lastDay = Int32.min
  /// The first business day that coins were granted on.
  private(set) var firstDay = Int32.max
  /// Whether coins of sales were granted without an order's name.
  var hasUnnamed: Bool { !cells.isEmpty || untold.contains { $0 > 0 } }
  /// By coin, whether some movements name no user.
  private(set) var hasSums: [Bool]
  /// Whether anything was granted, by channel.
  private(set) var hasGrants: [Bool]
  /// Grants that name an order or transaction, less those that do not, by channel.
  private var naming: [Int]
  /// Whether most grants of a channel name their orders.
  var namesOrders: [Bool] { naming.map { $0 > 0 } }
  /// By coin, keys of accounts that may have gone below zero.
  private(set) var suspects: [Set<UInt64>]
  /// Coins of movements that tell whether they were paid for, by coin: paid, free, neither.
  private var origins: [[Int64]]

  private static let movements = CoinMovement.allCases.count

  /// - Parameters:
  ///   - terms: what movements point into.
  ///   - begin: the moment from which they count.
  package init(
    _ terms: [CoinMovementTerms], _ table: MatchTable, _ balances: CoinBalances, begin: Int64,
    _ context: MatchingContext
  ) {
    let names = CoinNames(
      terms, table.orderTerms, others: balances.coins.union(context.catalogue.coins))
    var numbers: [String: Int32] = [:]
    var skus: [String] = []
    func number(_ sku: String) -> Int32? {
      if sku.isEmpty { return nil }
      if let known = numbers[sku] { return known }
      numbers[sku] = Int32(skus.count)
      skus.append(sku)
      return Int32(skus.count - 1)
    }
    let kinds = terms.map { CoinKind($0, names, sku: number($0.sku)) }
    let period = context.period
    let orderSKUs = table.orderTerms.map { number(AppProduct($0.sku).sku) ?? -1 }
    frame = Frame(
      table: table, context: context, names: names, skus: skus, kinds: kinds,
      sold: SoldCoins(table, names, context), orderSKUs: orderSKUs, places: OrderPlaces(table),
      first: period.first.number, last: period.last.number,
      known: period.first.advanced(
        by: -Rules.daysBefore + 1
      ).number...period.last.advanced(by: Rules.daysAfter - 1).number,
      begin: begin)
    calendar = CoinCalendar(context.settings.businessZone)
    let groups = names.coins.count * (names.channels.count + 1)
    days = Array(repeating: [], count: groups)
    before = Array(repeating: 0, count: groups)
    granted = Array(repeating: 0, count: table.orders.count)
    untold = Array(repeating: 0, count: names.coins.count)
    origins = Array(repeating: [0, 0, 0], count: names.coins.count)
    accounts = names.coins.map { _ in CoinAccounts() }
    suspects = names.coins.map { _ in [] }
    hasSums = names.coins.map { _ in false }
    hasGrants = names.channels.map { _ in false }
    naming = names.channels.map { _ in 0 }
    self.balances = balances
    self.balances.begin(names, accounts)
  }

  /// Keys of orders and transactions that movements name and that are not here.
  package var asked: (orders: [IDKey], transactions: [IDKey]) {
    (strays.values.map(\.order), strays.values.map(\.transaction))
  }

  /// Takes a movement, whenever it happened.
  package mutating func add(_ entry: CoinMovementEntry) {
    let kind = frame.kinds[Int(entry.terms)]
    let day = calendar.day(entry)
    let change = entry.coins * kind.movement.sign
    let moment = calendar.moment(entry, comes: kind.movement == .opening || change >= 0)
    lastDay = max(lastDay, day)
    if kind.movement == .granted { firstDay = min(firstDay, day) }
    if kind.movement == .granted || kind.movement == .takenBack { tieOut(entry, kind, day) }
    guard moment >= frame.begin, day <= frame.last else { return }
    count(kind, entry, change, day)
    if entry.user.isNone {
      hasSums[kind.coin] = true
    } else {
      addToAccount(entry, kind, change, day: day, moment: moment)
    }
  }

  private mutating func count(
    _ kind: CoinKind, _ entry: CoinMovementEntry, _ change: Int64, _ day: Int32
  ) {
    let channels = frame.names.channels.count
    let group = kind.coin * (channels + 1) + (kind.channel ?? channels)
    origins[kind.coin][kind.origin.map { $0 == .paid ? 0 : 1 } ?? 2] += change
    if day < frame.first {
      before[group] += change
      return
    }
    isOfPeriod = true
    if days[group].isEmpty {
      days[group] = Array(
        repeating: 0, count: frame.context.period.dayCount * Self.movements)
    }
    let place = Int(day - frame.first) * Self.movements + Int(kind.movement.rawValue)
    days[group][place] += entry.coins
    if kind.movement == .expired, kind.origin == .paid {
      let cell = Cell(day: day, channel: 0, coin: kind.coin, sku: nil)
      expired[cell] = ((expired[cell]?.coins ?? 0) + entry.coins, expired[cell]?.row ?? entry.row)
    }
  }

  @inline(__always)
  private mutating func addToAccount(
    _ entry: CoinMovementEntry, _ kind: CoinKind, _ change: Int64, day: Int32, moment: Int64
  ) {
    let accounts = accounts[kind.coin]
    let key = CoinAccounts.key(entry.user)
    let number = accounts.number(of: key)
    let account = accounts[number]
    switch kind.origin {
    case .paid: account.pointee.paid += change
    case .free: account.pointee.free += change
    case nil: account.pointee.untold += change
    }
    let at = UInt32(clamping: moment)
    // Of rows in another order than that of time nobody can say yet how low it got.
    if account.pointee.isBelowZero || at < account.pointee.last {
      suspects[kind.coin].insert(key)
    }
    account.pointee.last = max(account.pointee.last, at)
    if change > 0 {
      accounts.grant(change, CoinAge(days: Int(frame.last - day)), to: number)
    }
    if account.pointee.balances >= 0 {
      balances.add(change, kind.origin, from: Int(account.pointee.balances), day)
    }
  }

  /// Holds coins of a sale against its order, where one is named, else counts them by product.
  private mutating func tieOut(_ entry: CoinMovementEntry, _ kind: CoinKind, _ day: Int32) {
    guard frame.known.contains(day), kind.origin != .free || kind.movement == .takenBack else {
      return
    }
    let cell = Cell(day: day, channel: kind.channel ?? 0, coin: kind.coin, sku: kind.sku)
    if kind.movement == .granted { hasGrants[cell.channel] = true }
    let isNamed = !entry.order.isNone || !entry.transaction.isNone
    if kind.movement == .granted { naming[cell.channel] += isNamed ? 1 : -1 }
    if isNamed {
      if let place = frame.places.order(entry.order, entry.transaction) {
        if kind.movement == .granted {
          granted[place] += entry.coins
        } else {
          takenBack[place, default: 0] += entry.coins
        }
        return
      }
      // A purchase of which there is no order: level 1 names it.
      if frame.places.hasTransaction(entry.transaction) { return }
      if kind.movement == .granted, frame.table.counts.isEmpty {
        let key = mix(entry.order.raw, entry.transaction.raw)
        if strays.count < Rules.strayCoins || strays[key] != nil {
          strays[
            key,
            default: Stray(
              coins: 0, cell: cell, order: entry.order, transaction: entry.transaction,
              row: entry.row)
          ].coins += entry.coins
          return
        }
      }
    }
    if kind.movement == .takenBack {
      takenCells[cell, default: 0] += entry.coins
    } else if kind.origin == nil, kind.sku == nil {
      untold[kind.coin] += entry.coins
    } else {
      let known = cells[cell]
      cells[cell] = CellSum(
        coins: (known?.coins ?? 0) + entry.coins, rows: (known?.rows ?? 0) + 1,
        row: known?.row ?? entry.row)
    }
  }
}

// MARK: - What they come to

extension CoinSurvey {
  /// What became of coins, by day.
  func flow() -> CoinFlow {
    let channels = frame.names.channels
    var lines: [CoinDay] = []
    var ofChannels: [[CoinDay]] = []
    var totals: [CoinTotal] = []
    let sold = soldByDay()
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
            let coins = own.isEmpty ? 0 : own[day * Self.movements + Int(movement.rawValue)]
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
    return CoinFlow(days: lines, totals: totals, notes: notes(totals))
  }

  private func total(
    _ name: String, _ coin: Int, opening: Int64, closing: Int64, _ flow: CoinDay
  ) -> CoinTotal {
    let origin = origins[coin]
    var unmatched: Int64 = 0
    for line in frame.sold.lines
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

  /// Coins that orders of the period sold, by day, channel and coin.
  private func soldByDay() -> [Cell: Int64] {
    var sold: [Cell: Int64] = [:]
    for line in frame.sold.lines
    where line.standing == .due && (frame.first...frame.last).contains(line.day) {
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

  private func notes(_ totals: [CoinTotal]) -> [Wording] {
    var notes: [Wording] = []
    if frame.names.hasBlank { notes.append("@coins.some-name-no-coin") }
    if !frame.sold.hasCoins { notes.append("@coins.no-order-says-how-many") }
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
