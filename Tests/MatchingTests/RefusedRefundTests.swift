import Billing
import Matching
import Testing

/// Refunds that only unsigned words tell of what signed payloads have as sold.
struct RefusedRefundTests {
  /// A company that has signed payloads of its sales only: each refund that its table tells is
  /// alike, and one finding says so. A list that was signed later is no contradiction.
  @Test(arguments: [(4, 0, 4), (5, 0, 1), (12, 0, 1), (12, 12, 0), (12, 9, 3)])
  func refundsThatNobodySignedAreGrouped(refunds: Int, signedLater: Int, findings: Int) {
    let world = World { world in
      for number in 10..<10 + refunds {
        let (at, revoked) = ("2023-06-\(number)T12:00:30", "2023-06-2\(number % 9)T00:00:00")
        world.signed("T\(number)", at: at, told: at)
        world.transaction("T\(number)", at: at, revoked: revoked)
        if number - 10 < signedLater {
          world.signed("T\(number)", at: at, revoked: revoked, told: "2023-06-30T00:00:00")
        }
      }
    }
    let found = world.tieOut().orders.filter { $0.code == .sourcesContradict }
    #expect(found.count == findings)
    #expect(found.reduce(0) { $0 + ($1.units ?? 0) } == Int64(refunds - signedLater))
    if findings == 1 {
      #expect(
        found[0].explanation.english.hasPrefix("your transactions table has \(refunds) refunds"))
    }
  }
}
