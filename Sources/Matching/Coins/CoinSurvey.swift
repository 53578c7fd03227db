package import Billing
import Conclusions

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
    /// Per order terms, and per transaction terms, the number of their SKU; below zero of none.
    let orderSKUs: [Int32]
    let transactionSKUs: [Int32]
    let places: OrderPlaces
    /// The first and last business day of the period, in days since 1970.
    let first: Int32
    let last: Int32
    /// Days whose orders are all here.
    let known: ClosedRange<Int32>
    /// The moment from which movements count; what was before, openings tell.
    let begin: Int64

    /// The number of the SKU of the sale at a place in ``SoldCoins``; nil where it has none.
    func sku(of place: Int) -> Int32? {
      let number =
        if let renewal = sold.renewal(at: place) {
          transactionSKUs[Int(table.transactions[renewal].terms)]
        } else {
          orderSKUs[Int(table.orders[place].terms)]
        }
      return number < 0 ? nil : number
    }
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
  private(set) var days: [[Int64]]
  private(set) var before: [Int64]
  /// Granted and, of few, taken back, by place of the sale.
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
  /// By channel, whether most of its grants name their orders.
  var namesOrders: [Bool] { naming.map { $0 > 0 } }
  /// By coin, keys of accounts that may have gone below zero.
  private(set) var suspects: [Set<UInt64>]
  /// Coins of movements that tell whether they were paid for, by coin: paid, free, neither.
  private(set) var origins: [[Int64]]

  static let movements = CoinMovement.allCases.count

  /// Prepares the survey of a period, without any movement yet.
  ///
  /// - Parameters:
  ///   - terms: what movements point into.
  ///   - begin: the moment from which they count, in seconds since 1970.
  package init(
    _ terms: [CoinMovementTerms], _ table: MatchTable, _ balances: CoinBalances, begin: Int64,
    _ context: MatchingContext
  ) {
    let names = CoinNames(
      terms, table.orderTerms, others: balances.coins.union(context.catalogue.coins))
    var numbers: [String: Int32] = [:]
    var skus: [String] = []
    /// The number of a SKU, new ones the next; nil of an empty one.
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
    let transactionSKUs = table.transactionTerms.map { number(AppProduct($0.sku).sku) ?? -1 }
    let sold = SoldCoins(table, names, context)
    frame = Frame(
      table: table, context: context, names: names, skus: skus, kinds: kinds,
      sold: sold, orderSKUs: orderSKUs, transactionSKUs: transactionSKUs,
      places: OrderPlaces(table, sold),
      first: period.first.number, last: period.last.number,
      known: period.first.advanced(
        by: -Rules.daysBefore + 1
      ).number...period.last.advanced(by: Rules.daysAfter - 1).number,
      begin: begin)
    calendar = CoinCalendar(context.settings.businessZone)
    let groups = names.coins.count * (names.channels.count + 1)
    days = Array(repeating: [], count: groups)
    before = Array(repeating: 0, count: groups)
    granted = Array(repeating: 0, count: sold.places.count)
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

  /// The keys of orders and transactions that grants name and the period does not have, so that the
  /// ledger is asked for them.
  package var asked: (orders: [IDKey], transactions: [IDKey]) {
    (strays.values.map(\.order), strays.values.map(\.transaction))
  }

  /// Adds a movement to all sums that it belongs to, whenever it happened.
  package mutating func add(_ entry: CoinMovementEntry) {
    let kind = frame.kinds[Int(entry.terms)]
    let day = calendar.day(entry)
    let change = entry.coins * kind.movement.sign
    let moment = calendar.moment(entry, comes: kind.movement == .opening || change >= 0)
    lastDay = max(lastDay, day)
    if kind.movement == .granted { firstDay = min(firstDay, day) }
    if kind.movement == .granted || kind.movement == .takenBack { addToSale(entry, kind, day) }
    guard moment >= frame.begin, day <= frame.last else { return }
    addToDays(kind, entry, change, day)
    if entry.user.isNone {
      hasSums[kind.coin] = true
    } else {
      addToAccount(entry, kind, change, day: day, moment: moment)
    }
  }

  /// Adds a movement to the sums of its coin, channel and day, or to those before the period.
  ///
  /// - Parameter change: its coins, below zero where it takes some away.
  private mutating func addToDays(
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

  /// Adds a movement to the account of its user, and notes the user where it may be below zero.
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

  /// Adds coins granted or taken back to the sale that they name, else to the sums of their
  /// product.
  private mutating func addToSale(_ entry: CoinMovementEntry, _ kind: CoinKind, _ day: Int32) {
    guard frame.known.contains(day), kind.origin != .free || kind.movement == .takenBack else {
      return
    }
    var cell = Cell(day: day, channel: kind.channel ?? 0, coin: kind.coin, sku: kind.sku)
    if kind.movement == .granted { hasGrants[cell.channel] = true }
    let isNamed = !entry.order.isNone || !entry.transaction.isNone
    if kind.movement == .granted { naming[cell.channel] += isNamed ? 1 : -1 }
    if isNamed {
      if let place = frame.places.sale(entry.order, entry.transaction) {
        if kind.movement == .takenBack {
          takenBack[place, default: 0] += entry.coins
          return
        }
        let line = frame.sold[place]
        // What a renewal grants may name the order or the transaction that all began with.
        guard line.isOfSubscription, abs(day - line.day) > Rules.renewalGrant else {
          granted[place] += entry.coins
          return
        }
        cell.sku = cell.sku ?? frame.sku(of: place)
        add(entry, to: cell)
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
      add(entry, to: cell)
    }
  }

  /// Adds the coins of a grant that names no sale of the period to its day, channel, coin and
  /// product.
  private mutating func add(_ entry: CoinMovementEntry, to cell: Cell) {
    let known = cells[cell]
    cells[cell] = CellSum(
      coins: (known?.coins ?? 0) + entry.coins, rows: (known?.rows ?? 0) + 1,
      row: known?.row ?? entry.row)
  }
}
