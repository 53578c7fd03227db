import Billing
import Foundation

/// What is owed for a simulated game's coins, worked out from the exported files alone, user by
/// user and sale by sale, by other means than the program's.
struct CoinTruth {
  struct Place: Hashable {
    var coin: String
    var channel: String
    var currency: String
  }

  struct Sale {
    var order: String
    var user: String
    var place: Place
    var coins: Int64
    /// What Apple or the channel pays out for it; micro-units.
    var proceeds: Int64
    var price: Int64
    var at: Int64
    var refundedAt: Int64?
  }

  struct Movement {
    var at: Int64
    var kind: String
    var coins: Int64
    var user: String
    var channel: String
    var coin: String
    /// `paid`, `free` or empty.
    var origin: String
    var order: String
    var item: String
  }

  private(set) var sales: [Sale] = []
  private(set) var movements: [Movement] = []
  private var items: [String: Int64] = [:]
  /// What the catalogue says of products with coins.
  private var products: [String: (coins: Int64, coin: String)] = [:]

  /// - Parameter folder: of a simulated game whose sales reports are not compressed.
  init(folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    for row in try Self.rows("\(folder)/items.csv") {
      items[row["item"]!] = Int64(row["days"]!) ?? 0
    }
    for row in try Self.rows("\(folder)/products.csv") {
      if let coins = Int64(row["coins"]!) { products[row["sku"]!] = (coins, row["coin"]!) }
    }
    for name in names where name.hasPrefix("coin_movements") {
      movements += try Self.movements("\(folder)/\(name)")
    }
    let backs = Dictionary(
      movements.filter { $0.kind == "taken_back" && !$0.order.isEmpty }.map { ($0.order, $0.at) },
      uniquingKeysWith: min)
    var purchases: [[String: String]] = []
    for name in names where name.hasPrefix("transactions") {
      purchases += try Self.rows("\(folder)/\(name)").filter {
        $0["ownership"] == "PURCHASED" && $0["environment"] == "Production"
      }
    }
    let matches = Purchases(purchases)
    let paid = try Self.proceeds(names.filter { $0.hasPrefix("S_D_") }.map { "\(folder)/\($0)" })
    let orders = try names.filter { $0.hasPrefix("orders") }
      .flatMap { try Self.rows("\(folder)/\($0)") }
    for row in orders { try add(row, matches.purchase(of: row), paid, backs) }
  }

  /// Finds the purchase of an order by what either names, else by product, price and time.
  private struct Purchases {
    private var named: [String: [String: String]] = [:]
    private var others: [String: [[String: String]]] = [:]

    init(_ rows: [[String: String]]) {
      for row in rows {
        for key in ["transaction_id", "order_id", "app_account_token"] where !row[key]!.isEmpty {
          named[row[key]!] = row
        }
        if row["order_id"]!.isEmpty { others[Self.kind(row), default: []].append(row) }
      }
    }

    private static func kind(_ row: [String: String]) -> String {
      // Some purchases say neither price nor storefront.
      row["sku"]!
    }

    func purchase(of order: [String: String]) -> [String: String]? {
      for key in ["order_id", "transaction_id", "app_account_token"] {
        if let row = named[order[key]!] { return row }
      }
      guard CoinTruth.channel(of: order) == "apple" else { return nil }
      let placed = CoinTruth.moment(order["placed_at"]!)
      return others[Self.kind(order)]?.filter {
        (0...900).contains(CoinTruth.moment($0["purchased_at"]!) - placed)
      }.first
    }
  }

  private mutating func add(
    _ row: [String: String], _ purchase: [String: String]?, _ paid: [String: Int64],
    _ backs: [String: Int64]
  ) throws {
    let product = products[row["sku"]!]
    let quantity = Int64(row["quantity"]!)!
    // What an order does not say of its coins the catalogue does.
    guard ["paid", "fulfilled", "refunded"].contains(row["status"]),
      let coins = Int64(row["coins"]!) ?? product.map({ $0.coins * quantity })
    else { return }
    let coin = row["coin"]!.isEmpty ? product?.coin ?? "" : row["coin"]!
    let (order, channel, code) = (row["order_id"]!, Self.channel(of: row), row["currency"]!)
    let isApple = channel == "apple"
    if isApple, purchase == nil { return }
    // Some exports of purchases say no price.
    let prices = [purchase ?? row, row].lazy.compactMap { micros(decimal: $0["unit_price"]!) }
    guard let price = prices.first else { return }
    let fees: [String: (fee: Int64, tax: Int64)] = [
      "android": (150_000, 60_000), "web": (30_000, 60_000),
    ]
    var proceeds = paid["\(row["sku"]!) \(code) \(price)"]
    if !isApple {
      let unit = Currency(code)!.minorUnit
      let (fee, tax) = fees[channel]!
      let net = Self.rounded(price * 1_000_000, 1_000_000 + tax, unit)
      proceeds = net - Self.rounded(net * fee, 1_000_000, unit)
    }
    var sale = Sale(
      order: order, user: row["user_id"]!,
      place: Place(coin: coin, channel: channel, currency: code), coins: coins,
      proceeds: proceeds.map { $0 * quantity } ?? -1, price: price * quantity,
      at: Self.moment(purchase?["purchased_at"] ?? row["placed_at"]!))
    if let told = purchase?["revoked_at"], !told.isEmpty { sale.refundedAt = Self.moment(told) }
    if !isApple, row["status"] == "refunded" {
      sale.refundedAt = max(backs[order] ?? sale.at, sale.at)
    }
    sales.append(sale)
  }

  /// An order that names none is Apple's.
  private static func channel(of order: [String: String]) -> String {
    let channel = order["channel"]!
    return channel.isEmpty ? "apple" : channel
  }

  /// Half up; all positive.
  private static func rounded(_ value: Int64, _ divisor: Int64, _ unit: Int64) -> Int64 {
    (value * 2 + divisor * unit) / (divisor * unit * 2) * unit
  }

  /// Without the movements that are left out.
  func leaving(_ isLeftOut: (Movement) -> Bool) -> CoinTruth {
    var copy = self
    copy.movements.removeAll(where: isLeftOut)
    return copy
  }

  func days(of item: String) -> Int64 { items[item] ?? 0 }

  // MARK: - Files

  private static func movements(_ path: String) throws -> [Movement] {
    try rows(path).map { row in
      Movement(
        at: moment(row["date"]!), kind: row["movement"]!, coins: Int64(row["coins"]!)!,
        user: row["user_id"]!, channel: row["channel"]!, coin: row["coin"]!,
        origin: row["paid"]!, order: row["order_id"]!, item: row["item"]!)
    }
  }

  static func rows(_ path: String, by separator: Character = ",") throws -> [[String: String]] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  /// What Apple's own reports say that it pays for a unit, by SKU, currency and price.
  private static func proceeds(_ reports: [String]) throws -> [String: Int64] {
    var paid: [String: Int64] = [:]
    for path in reports {
      for row in try rows(path, by: "\t") where Int(row["Units"]!)! > 0 {
        let price = micros(decimal: row["Customer Price"]!)!
        paid["\(row["SKU"]!) \(row["Customer Currency"]!) \(price)"] =
          micros(decimal: row["Developer Proceeds"]!)!
      }
    }
    return paid
  }

  /// Seconds since 1970 of `2023-05-30T09:01:05+09:00`.
  static func moment(_ text: String) -> Int64 {
    let parts = text.dropFirst(11).prefix(8).split(separator: ":").map { Int64($0)! }
    let zone = text.dropFirst(19)
    var offset: Int64 = 0
    if let sign = zone.first, sign != "Z" {
      let hours = zone.dropFirst().split(separator: ":").map { Int64($0)! }
      offset = (hours[0] * 3600 + hours[1] * 60) * (sign == "-" ? -1 : 1)
    }
    return Day(String(text.prefix(10)))!.startUTC.seconds + parts[0] * 3600 + parts[1] * 60
      + parts[2] - offset
  }
}

/// What users have and what is owed for it, after all that happened until a day has ended.
struct OwedTruth {
  /// Trillionths of a currency's unit, so that no division loses a thing that shows.
  typealias Fine = Int128
  private static let fine: Fine = 1_000_000

  private struct Lot {
    var sale: CoinTruth.Sale
    var used: Int64 = 0
    /// Uses while something was owed.
    var usedOwed: Int64 = 0
    var isGone = false
  }

  private struct User {
    var lots: [Lot] = []
    var bare: Int64 = 0
    var free: Int64 = 0
    var paid: Int64 = 0
    var last: Day?
    var isAway = false
    var rest: Int64 = 0

    mutating func get(_ coins: Int64, isPaid: Bool) {
      if isPaid { bare += coins } else { free += coins }
    }
  }

  private let truth: CoinTruth
  private let policy: CoinPolicy
  private var users: [String: User] = [:]
  private var items: [CoinTruth.Place: [(value: Fine, first: Day, days: Int64, sale: String)]] = [:]
  private(set) var last: Day

  /// - Parameter policy: by lot, or for what users have at a mean.
  init(_ truth: CoinTruth, _ policy: CoinPolicy, through last: Day) {
    (self.truth, self.policy, self.last) = (truth, policy, last)
    run()
  }

  private enum Event {
    case sold(CoinTruth.Sale)
    case refunded(CoinTruth.Sale)
    case moved(CoinTruth.Movement)

    var rank: Int {
      switch self {
      case .sold: 0
      case .moved(let movement) where ["granted", "opening"].contains(movement.kind): 1
      case .refunded: 2
      case .moved(let movement) where movement.kind == "taken_back": 3
      case .moved(let movement) where movement.kind == "spent": 4
      case .moved(let movement) where movement.kind == "expired": 5
      case .moved: 6
      }
    }

    var coins: Int64 {
      switch self {
      case .sold(let sale), .refunded(let sale): sale.coins
      case .moved(let movement): movement.coins
      }
    }
  }

  private mutating func run() {
    let end = last.advanced(by: 1).startUTC.seconds
    var events: [(at: Int64, event: Event)] = []
    for sale in truth.sales where sale.at < end {
      events.append((sale.at, .sold(sale)))
      if let at = sale.refundedAt, at < end { events.append((at, .refunded(sale))) }
    }
    for movement in truth.movements where movement.at < end {
      // Coins of sales come with their orders.
      if movement.kind == "granted", movement.origin != "free" { continue }
      events.append((movement.at, .moved(movement)))
    }
    events.sort {
      ($0.at, $0.event.rank, $0.event.coins) < ($1.at, $1.event.rank, $1.event.coins)
    }
    var month = Instant(seconds: events[0].at).day().parts.month
    for (at, event) in events {
      let day = Instant(seconds: at).day()
      while day.parts.month != month {
        giveUp(before: day, &month)
      }
      take(event, at, day)
    }
    var after = last.advanced(by: 1)
    if after.parts.day != 1 { after = last }
    while after.parts.month != month { giveUp(before: after, &month) }
  }

  /// Ends a month: who has not come for so long is away.
  private mutating func giveUp(before day: Day, _ month: inout Int) {
    month = month % 12 + 1
    guard policy.breakage == .remote, let months = policy.remoteMonths else { return }
    let (year, _, _) = day.parts
    let first = Day(year: month > day.parts.month ? year - 1 : year, month: month, day: 1)!
    let (endYear, endMonth, endDay) = first.advanced(by: -1).parts
    let count = endYear * 12 + endMonth - 1 - months
    let length = Day.length(ofMonth: count % 12 + 1, year: count / 12)
    let limit = Day(year: count / 12, month: count % 12 + 1, day: min(endDay, length))!
    for name in users.keys where users[name]!.last.map({ $0 <= limit }) == true {
      users[name]!.isAway = true
    }
  }

  private mutating func take(_ event: Event, _ at: Int64, _ day: Day) {
    switch event {
    case .sold(let sale):
      var user = come(sale.user, sale.place.coin, day)
      user.lots.append(Lot(sale: sale))
      user.paid += sale.coins
      users[Self.name(sale.user, sale.place.coin)] = user
    case .refunded(let sale):
      let name = Self.name(sale.user, sale.place.coin)
      guard var user = users[name] else { return }
      if policy.valuation == .lot {
        items[sale.place]?.removeAll { $0.sale == sale.order }
        guard
          let place = user.lots.firstIndex(where: { $0.sale.order == sale.order && !$0.isGone })
        else { return }
        let left = sale.coins - user.lots[place].used
        user.lots[place].isGone = true
        user.paid -= left
        user.bare += left
      } else {
        let left = min(sale.coins, user.paid)
        user.paid -= left
        user.bare += left
      }
      users[name] = user
    case .moved(let movement): move(movement, day)
    }
  }

  private static func name(_ user: String, _ coin: String) -> String { "\(user) \(coin)" }

  /// The user, who is back.
  private mutating func come(_ user: String, _ coin: String, _ day: Day) -> User {
    var user = users[Self.name(user, coin)] ?? User()
    (user.isAway, user.last) = (false, day)
    return user
  }

  private mutating func move(_ movement: CoinTruth.Movement, _ day: Day) {
    let name = Self.name(movement.user, movement.coin)
    var user = users[name] ?? User()
    let isLeft = movement.kind == "taken_back" && user.bare >= movement.coins
    if !isLeft {
      user.last = day
      let adds =
        ["granted", "opening"].contains(movement.kind)
        || movement.kind == "adjusted" && movement.coins >= 0
      if !adds { user.isAway = false }
    }
    switch movement.kind {
    case "granted", "opening":
      user.get(movement.coins, isPaid: movement.origin != "free")
    case "adjusted" where movement.coins >= 0:
      user.get(movement.coins, isPaid: movement.origin == "paid")
    default:
      spend(movement, day, &user)
    }
    users[name] = user
  }

  private mutating func spend(
    _ movement: CoinTruth.Movement, _ day: Day, _ user: inout User
  ) {
    let coins = abs(movement.coins)
    let others = user.bare + user.paid
    var ofFree: Int64
    let origin =
      movement.origin.isEmpty && movement.kind == "taken_back" ? "paid" : movement.origin
    switch (origin, policy.freeCoins) {
    case ("paid", _), ("", .last): ofFree = min(max(0, coins - others), user.free)
    case ("free", _), ("", .first): ofFree = min(coins, user.free)
    default:
      if coins >= others + user.free {
        ofFree = user.free
      } else {
        let share =
          Int128(coins) * Int128(user.free) * 1_000_000 / Int128(others + user.free)
          + Int128(user.rest)
        let whole = min(Int64(share / 1_000_000), min(coins, user.free))
        user.rest = Int64(share - Int128(whole) * 1_000_000)
        ofFree = max(whole, coins - others)
      }
    }
    let ofOthers = min(coins - ofFree, others)
    ofFree = min(coins - ofOthers, user.free)
    let ofBare = min(ofOthers, user.bare)
    user.free -= ofFree
    user.bare -= ofBare
    user.paid -= ofOthers - ofBare
    if policy.valuation == .lot { useLots(ofOthers - ofBare, movement, day, &user) }
  }

  private mutating func useLots(
    _ coins: Int64, _ movement: CoinTruth.Movement, _ day: Day, _ user: inout User
  ) {
    var left = coins
    let days = movement.kind == "spent" ? truth.days(of: movement.item) : 0
    let named = movement.kind == "taken_back" ? movement.order : ""
    let passes: [(Lot) -> Bool] = [
      { $0.sale.order == named }, { $0.sale.place.channel == movement.channel }, { _ in true },
    ]
    for pass in passes {
      for place in user.lots.indices where !user.lots[place].isGone && pass(user.lots[place]) {
        var lot = user.lots[place]
        let count = min(left, lot.sale.coins - lot.used)
        if count == 0 { continue }
        left -= count
        let owed = owedCoins(lot, isAway: false)
        let valued = min(count, owed)
        lot.used += count
        lot.usedOwed += valued
        if days > 0 {
          let value = Self.value(lot.sale, policy) * Self.fine * Fine(valued) / Fine(lot.sale.coins)
          items[lot.sale.place, default: []].append((value, day, days, lot.sale.order))
        }
        user.lots[place] = lot
      }
    }
  }

  private static func value(_ sale: CoinTruth.Sale, _ policy: CoinPolicy) -> Fine {
    Fine(policy.presentation == .agent ? sale.proceeds : sale.price)
  }

  /// Coins of a sale that are owed for.
  private func owedCoins(_ lot: Lot, isAway: Bool) -> Int64 {
    if lot.isGone || isAway { return 0 }
    let share = policy.expectedBreakage
    let broken = Int64(Int128(lot.usedOwed) * Int128(share) / Int128(1_000_000 - share))
    return max(0, lot.sale.coins - lot.usedOwed - broken)
  }

  // MARK: - What it comes to

  /// By lot: coins, and what is owed for them in trillionths.
  var lots: [CoinTruth.Place: (coins: Int64, value: Fine)] {
    var owed: [CoinTruth.Place: (coins: Int64, value: Fine)] = [:]
    for user in users.values {
      for lot in user.lots {
        let coins = owedCoins(lot, isAway: user.isAway)
        let sum = owed[lot.sale.place] ?? (0, 0)
        owed[lot.sale.place] = (
          sum.coins + coins,
          sum.value + Self.value(lot.sale, policy) * Self.fine * Fine(coins) / Fine(lot.sale.coins)
        )
      }
    }
    return owed.filter { $0.value.coins > 0 }
  }

  /// By lot: what is owed for items in use.
  var delivered: [CoinTruth.Place: Fine] {
    items.mapValues { uses in
      uses.reduce(0) { sum, use in
        let passed = min(use.days, Int64(use.first.distance(to: last)) + 1)
        return sum + use.value - use.value * Fine(passed) / Fine(use.days)
      }
    }
  }

  /// Coins of sales that users have, by coin.
  var paid: [String: Int64] {
    users.reduce(into: [:]) {
      $0[String($1.key.split(separator: " ")[1]), default: 0] += $1.value.paid
    }
  }

  static func micros(_ value: Fine) -> Int64 { Int64(value / fine) }
}
