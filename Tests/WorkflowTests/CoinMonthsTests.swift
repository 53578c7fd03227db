import Billing
import Conclusions
import Glibc
import Simulation
import Support
import Testing

@testable import Matching

/// Goal: every fault of a game's coins is found, and nothing else; what is sold, granted, used and
/// left is what happened, to the coin. Method: simulated months whose truth is known, with
/// movements that come late, twice, in any order, in local times, or as sums of days.
@Suite struct CoinMonthsTests {
  struct World: CustomTestStringConvertible, Sendable {
    var seed: UInt64
    var orders = 1500
    var faults = 2
    var shuffle = false
    var repeats = false
    /// Whether grants name their orders.
    var names = true
    var byDay = false
    /// Of 1,000 grants.
    var late = 25
    /// Orders that lack coins, where within two days more of their product were granted than sold:
    /// by sums alone nobody can tell these from late ones.
    var hidden: [String] = []
    var testDescription: String {
      "seed \(seed), \(orders) orders, \(faults) faults\(shuffle ? ", shuffled" : "")"
        + (repeats ? ", told twice" : "") + (names ? "" : ", unnamed") + (byDay ? ", by day" : "")
    }
  }

  static let named = [
    World(seed: 201), World(seed: 202, faults: 0), World(seed: 203, shuffle: true),
    World(seed: 204, repeats: true), World(seed: 205, orders: 6000, faults: 3),
    World(seed: 206, shuffle: true, repeats: true), World(seed: 207, orders: 400, faults: 1),
    World(seed: 208, orders: 3000, faults: 0, shuffle: true), World(seed: 209, faults: 3),
    World(seed: 210, orders: 20_000, faults: 3, repeats: true),
  ]

  /// Where nothing names an order, what is late looks like what lacks: worlds have one of them.
  static let counted = [
    World(seed: 221, faults: 0, names: false),
    World(seed: 222, faults: 0, shuffle: true, names: false),
    World(seed: 223, faults: 0, byDay: true),
    World(seed: 224, faults: 0, repeats: true, byDay: true),
    World(seed: 225, faults: 1, names: false, late: 0),
    World(seed: 226, orders: 6000, faults: 1, shuffle: true, names: false, late: 0),
    World(seed: 227, faults: 1, byDay: true, late: 0),
    World(
      seed: 228, orders: 6000, faults: 1, repeats: true, byDay: true, late: 0,
      hidden: ["O0000001081"]),
  ]

  private func run(_ world: World) throws -> SimulatedRun {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (world.seed, world.orders)
    parameters.shuffle = world.shuffle
    var coins = CoinParameters()
    coins.byDay = world.byDay
    (coins.namesOrders, coins.lateShare) = (world.names, world.late)
    (coins.repeats, coins.restates) = (world.repeats, world.byDay)
    coins.faults = coins.everyFault(world.faults)
    parameters.coins = coins
    let run = try SimulatedRun(SimulatedInputs(parameters))
    #expect(run.unexpected.filter { !$0.hasPrefix("coins-") } == [])
    return run
  }

  @Test(arguments: named) func `every fault is found and nothing else`(_ world: World) throws {
    try expectFaults(world) { $0.answers($1) }
  }

  /// A day and a product are found, at midnight the day beside it; of refunds nobody knows whose.
  @Test(arguments: counted) func `faults of products are found`(_ world: World) throws {
    try expectFaults(world) { $0.isAbout($1) }
  }

  private func expectFaults(
    _ world: World, _ isFound: (Finding, TrueCoinFinding) -> Bool
  ) throws {
    let run = try run(world)
    let truth = try #require(run.truth.coins)
    #expect(truth.leftOut == [])
    var rest = run.result.findings.filter { $0.code.level == 6 }
    var missed: [TrueCoinFinding] = []
    for expected in truth.expected {
      if let index = rest.firstIndex(where: { isFound($0, expected) }) {
        rest.remove(at: index)
      } else {
        missed.append(expected)
      }
    }
    #expect(missed.map { $0.orderID ?? $0.code } == world.hidden, "\(missed)")
    #expect(rest.map(SimulatedRun.words) == [])
    try expectFlows(run, truth)
  }

  /// Each day, coin and channel as the truth has it.
  private func expectFlows(_ run: SimulatedRun, _ truth: TrueCoins) throws {
    let flow = try #require(run.result.coins)
    #expect(flow.totals.allSatisfy { $0.isSound })
    var told: [String: String] = [:]
    for day in flow.days where day.channel != nil {
      told["\(day.day) \(day.coin) \(day.channel ?? "")"] = day.told
    }
    for row in truth.flows where row.hasMoved {
      let place = "\(row.day) \(row.coin) \(row.channel)"
      #expect(told.removeValue(forKey: place) == row.told, "\(place)")
    }
    #expect(told == [:])
    var left: [String: Int64] = [:]
    for row in truth.flows { left["\(row.day) \(row.coin)", default: 0] += row.paid + row.free }
    let all = flow.days.filter { $0.channel == nil }
    #expect(all.count == 60)
    for day in all { #expect(day.left == left["\(day.day) \(day.coin)"], "\(day.day)") }
    let last = truth.flows.filter { $0.day == run.truth.period.last }
    for total in flow.totals {
      let rows = last.filter { $0.coin == total.coin }
      #expect(total.paidLeft == rows.reduce(0) { $0 + $1.paid }, "\(total.coin)")
      #expect(total.freeLeft == rows.reduce(0) { $0 + $1.free }, "\(total.coin)")
    }
  }

  /// The company's configuration names the channels, and is taken as it is written.
  @Test func `the second channel is configured`() throws {
    let folder = try TemporaryFolder()
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (231, 300)
    parameters.coins = CoinParameters()
    try SimulatedMonth(parameters).write(to: folder.path + "/month")
    unlink(folder.path + "/month/truth.json")
    let imported = try CommandLineRun(
      "import", "month", "--ledger", "month/ledger.sqlite", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let told = try CommandLineRun(
      "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", "--ledger",
      "month/ledger.sqlite", in: folder)
    #expect(told.status == 0, "\(told.errors)")
    #expect(told.output.contains("\"android\"") && !told.output.contains("not configured"))
  }
}

extension TrueCoinDay {
  fileprivate var told: String {
    [sold, granted + given, spent, expired, takenBack, adjusted].map { "\($0)" }
      .joined(separator: " ")
  }

  fileprivate var hasMoved: Bool { told != "0 0 0 0 0 0" }
}

extension CoinDay {
  fileprivate var told: String {
    [sold, granted, spent, expired, takenBack, adjusted].map { "\($0)" }.joined(separator: " ")
  }
}

extension Finding {
  /// Whether it has the day, the user and the order of a fault.
  fileprivate func answers(_ expected: TrueCoinFinding) -> Bool {
    code.rawValue == expected.code && date == expected.date
      && (expected.user == nil || customer == expected.user || code.rawValue == "coins-expired")
      && (expected.orderID == nil || expected.currency == nil || orderIDs == [expected.orderID!])
      && (expected.amount == nil || amount.map(abs) == expected.amount)
      && (expected.currency == nil || currency == expected.currency)
      && (!documents.isEmpty || expected.currency != nil)
      && (documents.isEmpty || documents[0] == expected.coin)
  }

  /// Whether it has the product or coin of a fault, and nearly its day.
  fileprivate func isAbout(_ expected: TrueCoinFinding) -> Bool {
    guard code.rawValue == expected.code, let date else { return false }
    switch code.rawValue {
    case "coins-not-taken-back": return true
    case "coins-not-granted", "coins-without-order":
      return sku == expected.sku && abs(date.number - expected.date.number) <= 1
    default: return date == expected.date && documents.first == expected.coin
    }
  }
}
