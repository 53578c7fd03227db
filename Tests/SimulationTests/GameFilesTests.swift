import Billing
import Foundation
import Simulation
import Testing

/// Goal: a game's files are what the truth says, fault by fault. Method: all is added up again from
/// the files, by Foundation alone.
@Suite struct GameFilesTests {
  private static func parameters(
    _ seed: UInt64, faults: Int = 0, _ change: (inout CoinParameters) -> Void = { _ in }
  ) -> SimulationParameters {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (seed, 1500)
    var coins = CoinParameters()
    change(&coins)
    coins.faults = coins.everyFault(faults)
    parameters.coins = coins
    return parameters
  }

  /// Whose coins of which kind.
  private struct Wallet: Hashable {
    var user: String
    var coin: String
    var channel: String
    var paid: Bool
  }

  private struct ReadMovement {
    var at: Date
    var day: String
    var kind: String
    var coins: Int
    var wallet: Wallet
    var order: String
    var transaction: String

    var signed: Int { ["spent", "expired", "taken_back"].contains(kind) ? -coins : coins }
  }

  private func movements(_ month: WrittenMonth) throws -> [ReadMovement] {
    let names = month.names.filter {
      $0.hasPrefix("coin_movements") && !$0.hasPrefix("coin_movements-again")
    }
    let iso = ISO8601DateFormatter()
    return try names.flatMap { name in
      try month.table(name).map { row in
        let at = try #require(iso.date(from: row["date"]!), "\(row)")
        return ReadMovement(
          at: at, day: String(iso.string(from: at).prefix(10)), kind: row["movement"]!,
          coins: try #require(Int(row["coins"]!)),
          wallet: Wallet(
            user: row["user_id"]!, coin: row["coin"]!, channel: row["channel"]!,
            paid: row["paid"] == "paid"),
          order: row["order_id"]!, transaction: row["transaction_id"]!)
      }
    }.sorted { ($0.at, $0.kind == "opening" ? 0 : 1) < ($1.at, $1.kind == "opening" ? 0 : 1) }
  }

  @Test(arguments: [(1, 0, false), (2, 2, false), (3, 1, true), (4, 3, true)])
  func `movements come to balances, and only faults go below zero`(
    seed: UInt64, faults: Int, shuffled: Bool
  ) throws {
    var parameters = Self.parameters(seed, faults: faults)
    parameters.shuffle = shuffled
    let month = try WrittenMonth(parameters)
    let truth = try #require(month.truth.coins)
    #expect(truth.leftOut == [])
    #expect(truth.expected.count == faults * CoinFault.allCases.count)
    var left: [Wallet: Int] = [:]
    var ends: [String: [Wallet: Int]] = [:]
    var overdrawn: [String: Int] = [:]
    for movement in try movements(month) {
      left[movement.wallet, default: 0] += movement.signed
      ends[movement.day, default: [:]][movement.wallet] = left[movement.wallet]
      if let coins = left[movement.wallet], coins < 0 { overdrawn[movement.wallet.user] = -coins }
    }
    let expected = truth.expected.filter { $0.code == "coins-overdrawn" }
    #expect(
      overdrawn == Dictionary(uniqueKeysWithValues: expected.map { ($0.user!, Int($0.coins)) }))
    // Each balance of the truth is what the movements come to, and there is none beside.
    for balance in truth.balances {
      for (paid, coins) in [(true, balance.paid), (false, balance.free)] {
        let wallet = Wallet(
          user: balance.user, coin: balance.coin, channel: balance.channel, paid: paid)
        guard let told = ends["\(balance.day)"]?.removeValue(forKey: wallet) else { continue }
        #expect(told == Int(coins), "\(balance)")
      }
    }
    let first = "\(Day(year: 2023, month: 5, day: 30)!)"
    let untold = ends.filter { $0.key != first }.flatMap(\.value).count
    #expect(untold == 0 && truth.balances.count > 4000)
    let misstated = try wrongBalances(month, try movements(month))
    let wrong = truth.expected.filter { $0.code == "coins-balance" }
    #expect(misstated.sorted() == wrong.map { "\($0.user!) \($0.coin) \($0.coins)" }.sorted())
  }

  /// Users whose balance is not what their movements come to, with the coin and by how much.
  private func wrongBalances(
    _ month: WrittenMonth, _ movements: [ReadMovement]
  ) throws -> [String] {
    var wrong: [String] = []
    for (day, rows) in Dictionary(
      grouping: try month.table("coin_balances.csv"), by: { $0["date"]! })
    {
      var sums: [String: Int] = [:]
      for movement in movements where movement.day <= day {
        let wallet = movement.wallet
        sums["\(wallet.user) \(wallet.coin) \(wallet.paid)", default: 0] += movement.signed
      }
      for row in rows {
        let user = "\(row["user_id"]!) \(row["coin"]!)"
        let paid = Int(row["paid"]!)! - (sums.removeValue(forKey: "\(user) true") ?? 0)
        let free = Int(row["free"]!)! - (sums.removeValue(forKey: "\(user) false") ?? 0)
        if paid != 0 || free != 0 { wrong.append("\(user) \(paid + free)") }
      }
      #expect(sums.values.allSatisfy { $0 == 0 }, "\(day) leaves out a balance")
    }
    return wrong
  }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func `grants are those of orders, and only faults differ`(seed: UInt64) throws {
    let month = try WrittenMonth(Self.parameters(seed, faults: 3))
    let truth = try #require(month.truth.coins)
    let products = Dictionary(
      uniqueKeysWithValues: try month.table("products.csv").map { ($0["sku"]!, $0) })
    var orders: [String: [String: String]] = [:]
    for name in ["orders.csv", "orders-before.csv"] {
      for row in try month.table(name) { orders[row["order_id"]!] = row }
    }
    let rows = try month.rows
    /// The order that a transaction belongs to.
    var byTransaction = Dictionary(
      uniqueKeysWithValues: orders.values.filter { $0["transaction_id"] != "" }
        .map { ($0["transaction_id"]!, $0["order_id"]!) })
    for row in rows.values where row["order_id"] != "" {
      byTransaction[row["transaction_id"]!] = row["order_id"]!
    }
    var granted: [String: Int] = [:]
    var taken: [String: Int] = [:]
    var unknown: [String] = []
    for movement in try movements(month) where movement.wallet.paid {
      guard ["granted", "taken_back"].contains(movement.kind) else { continue }
      let named = movement.order != "" ? movement.order : byTransaction[movement.transaction]
      guard let named, orders[named] != nil else {
        // Rows that hang together by time alone name no order that can be looked up here.
        if rows[movement.transaction] == nil { unknown.append(movement.wallet.user) }
        continue
      }
      if movement.kind == "granted" {
        granted[named, default: 0] += movement.coins
      } else {
        taken[named, default: 0] += movement.coins
      }
    }
    func orderIDs(_ code: String) -> [String] {
      truth.expected.filter { $0.code == code }.map { $0.orderID! }.sorted()
    }
    // A grant that comes twice names an order that is there.
    let twice = Set(
      truth.expected.filter { $0.code == "coins-without-order" && $0.currency != nil }
        .map { $0.orderID! })
    let strange = truth.expected.filter {
      $0.code == "coins-without-order" && $0.currency == nil
    }
    #expect(unknown.sorted() == strange.map { $0.user! }.sorted() && twice.count == 1)
    var lacking: [String: Int] = [:]
    for finding in truth.expected where finding.code == "coins-not-granted" {
      lacking[finding.orderID!] = Int(finding.coins)
    }
    // Orders whose transaction nothing names but the grant are left to the tie-out.
    let tied = Set(byTransaction.values)
    for (id, row) in orders {
      guard let product = products[row["sku"]!], product["coin"] != "", tied.contains(id),
        row["fulfilled_at"]! >= "2023-06-01", row["fulfilled_at"]! < "2023-07-01",
        !row["user_id"]!.hasPrefix("tester")
      else { continue }
      let sold = try #require(Int(product["coins"]!)) * Int(row["quantity"]!)!
      let due = twice.contains(id) ? 2 * sold : sold - (lacking.removeValue(forKey: id) ?? 0)
      #expect(granted[id] ?? 0 == due, "\(row)")
      #expect(row["coin"] == product["coin"])
    }
    #expect(lacking.keys.filter(tied.contains) == [])
    let kept = rows.values.filter { row in
      guard row["revoked_at"]! >= "2023-06-01", row["revoked_at"]! < "2023-06-30" else {
        return false
      }
      guard let order = byTransaction[row["transaction_id"]!] else { return false }
      return products[row["sku"]!]?["coin"] != "" && products[row["sku"]!] != nil
        && row["environment"] == "Production" && taken[order] == nil
    }
    let keptOrders = Set(kept.map { byTransaction[$0["transaction_id"]!]! })
    #expect(keptOrders.sorted() == orderIDs("coins-not-taken-back"))
  }

  @Test func `sums of days are those of movements`() throws {
    let events = try WrittenMonth(Self.parameters(8))
    let sums = try WrittenMonth(
      Self.parameters(8) {
        $0.byDay = true
        $0.repeats = true
        $0.restates = true
      })
    func total(_ month: WrittenMonth, _ name: String) throws -> [String: Int] {
      var totals: [String: Int] = [:]
      for row in try month.table(name) {
        let place = ["movement", "channel", "coin", "paid"].map { row[$0]! }
        totals[place.joined(separator: " "), default: 0] += Int(row["coins"]!)!
      }
      return totals
    }
    var all: [String: Int] = [:]
    for name in events.names where name.hasPrefix("coin_movements") {
      try all.merge(total(events, name), uniquingKeysWith: +)
    }
    var summed = try total(sums, "coin_movements.csv")
    try summed.merge(total(sums, "coin_movements-opening.csv"), uniquingKeysWith: +)
    #expect(summed == all && all.count > 20)
    #expect(sums.truth.coins?.flows == events.truth.coins?.flows)
    let table = try sums.table("coin_movements.csv")
    #expect(table.allSatisfy { $0["user_id"] == nil && $0["date"]!.count == 10 })
    let again = try sums.table("coin_movements-again.csv")
    #expect(Set(again.map { $0["date"]! }) == ["2023-06-05", "2023-06-06", "2023-06-07"])
    #expect(again.allSatisfy(table.contains))
    let first = try sums.table("0-first-download/coin_movements.csv")
    #expect(Set(first.map { $0["date"]! }).count == 1 && !first.allSatisfy(table.contains))
  }

  @Test func `flows of the truth are those of the files`() throws {
    let month = try WrittenMonth(Self.parameters(9, faults: 2))
    var flows: [String: Int] = [:]
    for movement in try movements(month) {
      let wallet = movement.wallet
      let kind = movement.kind == "granted" && !wallet.paid ? "given" : movement.kind
      flows["\(movement.day) \(wallet.coin) \(wallet.channel) \(kind)", default: 0] +=
        movement.coins
    }
    for row in try #require(month.truth.coins).flows {
      let place = "\(row.day) \(row.coin) \(row.channel)"
      let told = [
        ("granted", row.granted), ("given", row.given), ("spent", row.spent),
        ("expired", row.expired), ("taken_back", row.takenBack), ("adjusted", row.adjusted),
      ]
      for (kind, coins) in told {
        #expect((flows.removeValue(forKey: "\(place) \(kind)") ?? 0) == Int(coins), "\(place)")
      }
    }
    #expect(flows.keys.allSatisfy { $0 < "2023-06-01" || $0 >= "2023-07-01" })
  }

  @Test func `coins change nothing of the store's trade`() throws {
    var without = Self.parameters(10)
    without.coins = nil
    let (plain, told) = try (WrittenMonth(without), WrittenMonth(Self.parameters(10)))
    for name in plain.names where name.hasPrefix("S_D_") || name.hasPrefix("transactions") {
      #expect(try plain.bytes(name) == told.bytes(name), "\(name)")
    }
    #expect(Set(told.names).subtracting(plain.names).count == 5)
    let orders = try told.table("orders.csv").filter { $0["channel"] != "android" }
    let ids = try plain.table("orders.csv").map { $0["order_id"]! }
    #expect(orders.map { $0["order_id"]! } == ids)
    #expect(plain.truth.json.contains("\"coins\"") == false)
    #expect(told.truth.json.contains("\"taken_back\""))
  }

  @Test func `the same parameters give the same bytes`() throws {
    let months = try (0..<2).map { _ in try WrittenMonth(Self.parameters(11, faults: 1)) }
    for name in months[0].names {
      #expect(try months[0].bytes(name) == months[1].bytes(name), "\(name)")
    }
  }
}

extension WrittenMonth {
  /// The rows of a table of the company's, by column.
  fileprivate func table(_ name: String) throws -> [[String: String]] {
    let lines = String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n")
    let header = lines[0].split(separator: ",").map(String.init)
    return lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(uniqueKeysWithValues: zip(header, fields))
    }
  }
}
