import Billing
import Matching
import Support
import Testing

/// Goal: what lacks on one day and is too many on the next is timing only where purchases near
/// the boundary prove it; a customer whose receipt was lost is never hidden by it. Method: a
/// purchase at noon that Apple does not have, and one that only Apple has the day after, beside
/// other trade.
@Suite struct TimingProofTests {
  /// - Parameter others: seconds before the boundary at which the product was bought, too.
  private func world(_ others: [Int64], order: OrderStatus? = nil) -> World {
    World { world in
      world.reports()
      world.pair("lost", at: "2023-06-10T18:00:00")
      world.sale(on: "2023-06-11")
      if let order { world.order("paid", at: "2023-06-11T18:00:00", order) }
      for (number, seconds) in others.enumerated() {
        let time = later("2023-06-11T07:00:00", -seconds)
        world.pair("\(number)", at: time)
        world.sale(on: seconds > 30 ? "2023-06-10" : "2023-06-11")
      }
    }
  }

  private func codes(_ world: World) -> [String] {
    world.tieOut().findings.filter { $0.code != .orderWithoutTransaction }.map(\.code.rawValue)
      .sorted()
  }

  @Test func `nothing near the boundary is two faults`() {
    #expect(codes(world([])) == ["not-in-ledger", "not-in-report"])
    #expect(codes(world([4 * 3600])) == ["not-in-ledger", "not-in-report"])
  }

  @Test func `hours from the boundary it is not proven`() throws {
    let world = world([2 * 3600])
    #expect(codes(world) == ["timing-unproven"])
    let finding = try #require(world.tieOut().findings.first)
    #expect(finding.severity ?? finding.code.severity == .warning)
    // The candidates are all purchases of the day that may have moved.
    #expect(finding.transactions.count == 2)
  }

  @Test func `minutes from the boundary it is timing`() {
    #expect(codes(world([600])) == ["timing"])
  }

  /// Of three units that moved two are proven.
  @Test func `only as many as there are near are proven`() {
    let world = World { world in
      world.reports()
      for number in 0..<3 { world.pair("lost\(number)", at: "2023-06-10T1\(number + 6):00:00") }
      world.sale(on: "2023-06-11", units: 3)
      for number in 0..<2 {
        world.booked("near\(number)", at: "2023-06-11T06:4\(number):00", on: "2023-06-10")
      }
      world.booked("far", at: "2023-06-11T05:00:00", on: "2023-06-10")
    }
    #expect(
      world.tieOut().lines(.timing, .timingUnproven).map { $0.split(separator: " ")[5] } == [
        "2", "1",
      ])
  }

  /// He paid and his receipt was lost, or did not pay beside sales that moved: nobody knows.
  @Test(arguments: [OrderStatus.paid, .fulfilled]) func `a standing order beside them is ambiguous`(
    _ status: OrderStatus
  ) throws {
    let world = world([600], order: status)
    #expect(codes(world) == ["timing-unproven"])
    let tieOut = world.tieOut()
    var (orders, sales) = (tieOut.orders, tieOut.sales)
    var causes = SharedCauses(tieOut.book)
    causes.join(&orders, &sales)
    let order = try #require(orders.first { $0.code == .orderWithoutTransaction })
    #expect(order.severity == .warning)
    #expect(order.explanation.english.contains("possibly paid"))
    let finding = try #require(sales.findings.first)
    #expect(finding.orders == order.orders)
    #expect(finding.explanation.english.contains("an order of 2023-06-11 has no transaction"))
  }

  /// Far from the boundary nothing moved, and the order is the unit that only Apple has.
  @Test func `a standing order without sales near is no timing`() {
    for others in [[], [2 * 3600]] as [[Int64]] {
      #expect(codes(world(others, order: .paid)) == ["not-in-ledger", "not-in-report"])
    }
  }

  @Test func `an abandoned order proves nothing`() {
    #expect(codes(world([600], order: .created)) == ["timing"])
  }
}
