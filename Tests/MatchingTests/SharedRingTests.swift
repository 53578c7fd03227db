import Billing
import Testing

@testable import Matching

/// Goal: users are called a ring for findings on several days only, each by his own id, and shares
/// are told as they are.
@Suite struct SharedRingTests {
  /// Four users with three cases each, of twenty-four.
  private func trait(daysApart: Int) -> SharedTrait? {
    let first = Day("2023-06-13")!
    let members = (0..<24).map { index in
      (
        index: index, users: [index < 12 ? "ring, \(index % 4)" : "other-\(index)"],
        day: Optional(first.advanced(by: index / 4 * daysApart))
      )
    }
    return SharedRing(members, of: 24, fewest: 2).trait(orders: 10_000) { users, _, _ in
      Double(users.count) / 10_000
    }
  }

  @Test func severalPurchasesOfOneDayMakeNoRing() {
    #expect(trait(daysApart: 0) == nil)
    #expect(trait(daysApart: 1)?.cases == Array(0..<12))
    #expect(trait(daysApart: 1)?.users == (0..<4).map { "ring, \($0)" })
  }

  @Test func aRareValueIsNotToldAsAnEvenShare() {
    let counts = [
      "rare": ReportCounts.Count(units: 1, rows: 2), "rest": ReportCounts.Count(units: 99, rows: 2),
    ]
    #expect(ReportCounts.part(of: "rare", in: counts, rows: false) == 0.01)
    #expect(ReportCounts.part(of: "rare", in: counts, rows: true) == 0.5)
    #expect(ReportCounts.part(of: "none", in: counts, rows: true) == 0)
  }
}
