import Billing
import Support
import Testing

@testable import Matching

/// What Apple tells of the same transactions, and how a correction is taken to other rows.
struct ClockSearchTests {
  /// Forty purchases of four days that the company tells by a clock that is eight hours ahead, and
  /// of which Apple signed some.
  private static func world(signed: Int, ahead: Int64 = 8 * 3600) -> World {
    World { world in
      for number in 0..<40 {
        let time = later("2023-06-10T01:00:00", Int64(number) * 7919)
        world.order("O\(number)", at: later(time, ahead), transaction: "T\(number)")
        world.transaction("T\(number)", at: later(time, ahead + 30))
        guard number < signed else { continue }
        world.transaction("T\(number)", at: later(time, 30), told: "2023-06-20T00:00:00") {
          $0.factSource = .signed
        }
      }
    }
  }

  private static func clocks(_ world: World) -> FoundClocks {
    let context = world.context
    let table = MatchTable(world.facts, catalogue: context.catalogue)
    return ClockSearch.clocks(world.facts, table, context) { ([], []) }
  }

  @Test func signedTimesTellWhichClockItIs() {
    let found = Self.clocks(Self.world(signed: 30))
    let shifts = found.correction.shifts
    #expect(shifts.map(\.side) == [.transactions, .orders])
    #expect(shifts.map(\.seconds) == [28_800, 28_800])
    #expect(found.correction.rules.map(\.step) == [1, 2])
    #expect(shifts[0].pairs == 30 && shifts[0].allPairs == 30)
    let places = Set(found.facts.orders.map(\.placedAt))
    #expect(places.contains(seconds("2023-06-10T01:00:00")))
    // Those that nobody signed are told by the same file.
    for (order, purchase) in zip(found.facts.orders.suffix(10), found.facts.transactions.suffix(10))
    {
      #expect(purchase.purchasedAt == order.placedAt + 30)
    }
    #expect(found.table.contradictions.isEmpty)
  }

  /// What one part of a file's orders has in common, and another's.
  struct Part: Sendable {
    var name: String
    var storefront = "CN"
    var version = ""
    var device = ""
  }

  static let parts: [(off: Part, right: Part)] = [
    (Part(name: "JP", storefront: "JP"), Part(name: "CN")),
    (Part(name: "2.4", version: "2.4"), Part(name: "2.3", version: "2.3")),
    (Part(name: "Vision", device: "Vision"), Part(name: "iPhone", device: "iPhone")),
  ]

  /// Orders of two parts in turn; one part's clock is eight hours ahead. Of every eight orders one
  /// is known by a receipt of its user's alone.
  private static func world(_ off: Part, _ right: Part) -> World {
    World { world in
      for number in 0..<120 {
        let (part, isOff) = number % 2 == 0 ? (off, true) : (right, false)
        let time = later("2023-06-10T01:00:00", Int64(number) * 7919)
        let isTied = number % 16 > 1
        let (currency, price) = part.storefront == "JP" ? ("JPY", "600") : ("CNY", "30.00")
        world.order(
          "O\(number)", at: isOff ? later(time, 28_800) : time,
          transaction: isTied ? "T\(number)" : "", price: price, currency: currency,
          storefront: part.storefront, user: "u\(number)", version: part.version,
          device: part.device)
        if isTied {
          world.transaction(
            "T\(number)", at: later(time, 30), price: price, currency: currency,
            storefront: part.storefront)
        } else {
          world.receipt("T\(number)", at: later(time, 30), user: "u\(number)")
        }
      }
    }
  }

  @Test(arguments: parts) func ordersOfAPartThatNoIDTiesAreCorrectedToo(
    _ off: Part, _ right: Part
  ) throws {
    var world = Self.world(off, right)
    let found = Self.clocks(world)
    let shift = try #require(found.correction.shifts.first)
    #expect(found.correction.shifts.count == 1)
    #expect(shift.part == off.name && shift.zone == "Asia/Shanghai" && !shift.isWhole)
    for (order, told) in zip(found.facts.orders, world.facts.orders) {
      let isOff = (order.row.number - 1) % 2 == 0
      #expect(order.placedAt == told.placedAt - (isOff ? 28_800 : 0))
    }
    world.facts = found.facts
    #expect(world.claimed(world.claims().book).count == 120)
    // The same, of few rows, as `explain` has them.
    let applied = ClockCorrection.applying(
      found.correction.rules, to: Self.world(off, right).facts, world.context)
    #expect(applied?.facts.orders.map(\.placedAt) == found.facts.orders.map(\.placedAt))
  }

  /// One storefront's purchases in the company's table are eight hours ahead, of every eight one
  /// that no id ties to its order; Apple's reports have them on their own days. Of `others`
  /// purchases elsewhere each is right.
  private static func purchases(
    _ others: Int, _ more: (inout World, Int, String, _ storefront: String) -> Void
  ) -> World {
    World { world in
      world.reports()
      for code in ["CN", "JP"] {
        world.settings.dayBoundary[Storefront(code)!] = Zones.named("America/Los_Angeles")
      }
      var sold: [String: Int32] = [:]
      for number in 0..<90 * (others + 1) {
        let isOff = number % (others + 1) == 0
        let time = later(
          "2023-06-05T01:00:00", Int64(number) * (1_640_000 / Int64(90 * (others + 1))))
        let isTied = !isOff || number / (others + 1) % 8 > 0
        let (storefront, currency, price) = isOff ? ("JP", "JPY", "600") : ("CN", "CNY", "30.00")
        world.order(
          "O\(number)", at: time, transaction: isTied ? "T\(number)" : "", price: price,
          currency: currency, storefront: storefront, user: "u\(number)")
        let bought = later(time, 30)
        world.transaction(
          "T\(number)", at: later(bought, isOff ? 28_800 : 0), price: price, currency: currency,
          storefront: storefront, user: "u\(number)")
        more(&world, number, bought, storefront)
        let day = Zones.named("America/Los_Angeles").day(
          of: Instant(seconds: Int64(seconds(bought))))
        sold["\(storefront) \(currency) \(price) \(day)", default: 0] += 1
      }
      for (key, units) in sold.sorted(by: { $0.key < $1.key }) {
        let words = key.split(separator: " ").map(String.init)
        world.sale(
          on: words[3], units: units, price: words[2], storefront: words[0], currency: words[1])
      }
    }
  }

  /// Sales that come evenly lose at one edge of Apple's day what they gain at the other, so that
  /// its reports do not tell whose clock it is: nothing is claimed to show it, and orders move.
  @Test(arguments: [1, 3, 60]) func evenSalesTellNoClock(others: Int) throws {
    let world = Self.purchases(others) { _, _, _, _ in }
    let shift = try #require(Self.clocks(world).correction.shifts.first)
    #expect(shift.side == .orders && shift.seconds == -28_800)
    if case .none = shift.proof { return }
    Issue.record("\(shift.proof)")
  }

  /// Apple tells some of them itself, and what it does not tell is of the same part.
  @Test(arguments: [1, 60]) func whatAppleTellsCorrectsAStorefrontsTransactions(others: Int) throws
  {
    let world = Self.purchases(others) { world, number, bought, storefront in
      guard number / (others + 1) % 4 > 0 else { return }
      let isOff = storefront == "JP"
      world.transaction(
        "T\(number)", at: bought, price: isOff ? "600" : "30.00",
        currency: isOff ? "JPY" : "CNY", storefront: storefront, told: "2023-06-28T00:00:00"
      ) { $0.factSource = .signed }
    }
    let found = Self.clocks(world)
    #expect(found.correction.shifts.map(\.part) == ["JP"])
    #expect(found.correction.shifts.map(\.side) == [.transactions])
    if case .sameTransactions? = found.correction.shifts.first?.proof {
    } else {
      Issue.record("\(found.correction.shifts)")
    }
    let placed = Dictionary(
      uniqueKeysWithValues: zip(world.orderNames, found.facts.orders.map(\.placedAt)))
    for (name, bought) in zip(world.transactionNames, found.facts.transactions) {
      #expect(bought.purchasedAt == placed["O" + name.dropFirst()]! + 30)
    }
    #expect(found.table.contradictions.isEmpty)
  }

  /// Two servers write one file, and nothing tells whose a row is: an order of a purchase's user
  /// minutes before it by the wrong clock is its.
  @Test func rowsOfAServerAreFoundByItsClock() {
    var world = Self.world(Part(name: "CN"), Part(name: "CN"))
    let told = world.facts.orders
    let found = Self.clocks(world)
    #expect(found.correction.shifts.map(\.part) == [""])
    let moved = zip(found.facts.orders, told).filter { $0.placedAt != $1.placedAt }
    #expect(moved.allSatisfy { !$0.0.transaction.isNone })
    world.facts = found.facts
    let book = world.claims(clocks: found.correction.rules).book
    #expect(world.claimed(book).count == 120)
    for (order, told) in zip(book.orders, told) {
      let isOff = (order.row.number - 1) % 2 == 0
      #expect(order.placedAt == told.placedAt - (isOff ? 28_800 : 0))
    }
    // Without such a clock it is too late to be the purchase's.
    #expect(world.claimed(world.claims().book).count < 120)
  }

  /// The zone of the storefront with most orders, where its own time is that far from UTC.
  @Test(
    arguments: [
      ("US", -4 * 3600, "America/New_York"), ("CN", 8 * 3600, "Asia/Shanghai"),
      ("JP", 9 * 3600, "Asia/Tokyo"), ("JP", 8 * 3600, nil),
    ] as [(String, Int64, String?)])
  func aClockThatIsAZoneIsNamed(_ storefront: String, _ ahead: Int64, _ zone: String?) {
    let found = Self.clocks(
      World { world in
        for number in 0..<40 {
          let time = later("2023-06-10T08:00:00", Int64(number) * 7919)
          world.order(
            "O\(number)", at: later(time, ahead), transaction: "T\(number)", price: nil,
            currency: nil, storefront: storefront)
          world.transaction("T\(number)", at: later(time, 30)) { $0.factSource = .signed }
        }
      })
    #expect(found.correction.shifts.map(\.zone) == [zone])
    #expect(found.correction.shifts.map(\.isWhole) == [true])
  }

  /// A few that differ are contradictions, and no clock.
  @Test func fewContradictionsAreNoClock() {
    let found = Self.clocks(Self.world(signed: 15))
    #expect(found.correction.isEmpty)
    #expect(found.table.contradictions.count == 15)
  }

  /// Minutes are no zone, only a clock that is a little ahead.
  @Test func aSlowClockIsNoZone() {
    let found = Self.clocks(Self.world(signed: 40, ahead: 200))
    #expect(found.correction.shifts.map(\.isSkew) == [true])
  }

  /// What a period found out corrects a few of its rows to the same times.
  @Test func fewRowsAreCorrectedAsAll() {
    let world = Self.world(signed: 30)
    let found = Self.clocks(world)
    var few = world.facts
    few.orders = Array(few.orders[33...35])
    few.transactions = few.transactions.filter { transaction in
      few.orders.contains { $0.transaction == transaction.key }
    }
    let corrected = ClockCorrection.applying(found.correction.rules, to: few, world.context)
    #expect(corrected?.movesAny == true)
    let all = Dictionary(uniqueKeysWithValues: found.facts.orders.map { ($0.row, $0.placedAt) })
    #expect(corrected!.facts.orders.allSatisfy { all[$0.row] == $0.placedAt })
    let bought = Dictionary(
      uniqueKeysWithValues: found.facts.transactions.map { ($0.row, $0.purchasedAt) })
    #expect(corrected!.facts.transactions.allSatisfy { bought[$0.row] == $0.purchasedAt })
    #expect(ClockCorrection.applying([], to: few, world.context) == nil)
  }
}
