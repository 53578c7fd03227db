import Billing
import Support
import Testing

@testable import Workflow

struct FindingOrderTests {
  /// The numbers order findings as the findings themselves are ordered, and each id comes once.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func ordersAsFindingsAreOrdered(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var order = FindingOrder(room: 400)
    var (all, first): ([Finding], [Finding]) = ([], [])
    var seen: Set<UInt64> = []
    for place in 0..<400 {
      let digest = UInt64.random(in: 0..<300, using: &random) << 55
      let finding = finding(digest, &random)
      order.add(FindingOrder.Mark(finding, digest), at: place)
      all.append(finding)
      if seen.insert(digest).inserted { first.append(finding) }
    }
    #expect(first.count < 400)
    let sorted = first.sorted(by: Finding.isOrderedBefore)
    #expect(order.places().map { all[$0] } == sorted)
    #expect(first.inOutputOrder == sorted && sorted.inOutputOrder == sorted)
    #expect([Finding]().inOutputOrder.isEmpty)
  }

  private func finding(_ digest: UInt64, _ random: inout SplitMix64) -> Finding {
    let digits = String(digest, radix: 16)
    return Finding(
      code: FindingCode.allCases.randomElement(using: &random)!, severity: .error,
      storefront: [nil, "CN", "AE", "US"].randomElement(using: &random)!.flatMap {
        Storefront($0)
      }, currency: nil,
      date: [nil, "2023-06-01", "1969-12-31", "2023-06-02"].randomElement(using: &random)!
        .flatMap { Day($0) },
      sku: [nil, "b", "a", "é", "B"].randomElement(using: &random)!, units: nil, amount: nil,
      orderIDs: [], transactionIDs: [], sources: [], explanation: "", action: "",
      id: String(repeating: "0", count: 16 - digits.count) + digits)
  }
}
