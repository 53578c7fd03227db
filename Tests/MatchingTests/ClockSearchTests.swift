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
