import Billing
import Matching
import Support
import Testing

/// Goal: what an order's finding and a report's finding say of one purchase has one cause and one
/// amount, and nobody is told to take goods back from a customer who paid. Method: worlds of a few
/// rows, and worlds of random trade in which receipts are lost and orders forged.
@Suite struct SharedCausesTests {
  private func joined(_ world: World) -> [UnresolvedFinding] {
    let tieOut = world.tieOut()
    var (orders, sales) = (tieOut.orders, tieOut.sales)
    var causes = SharedCauses(tieOut.book)
    causes.join(&orders, &sales)
    return orders + sales.findings
  }

  private func told(_ findings: [UnresolvedFinding], _ code: FindingCode) throws
    -> UnresolvedFinding
  {
    try #require(findings.first { $0.code == code })
  }

  private func saysKeep(_ finding: UnresolvedFinding) -> Bool {
    finding.action?.english.hasPrefix("take nothing back") == true
  }

  @Test func `an order whose unit Apple reports was probably paid`() throws {
    let world = World {
      $0.reports()
      $0.order("O1")
      $0.sale()
    }
    let findings = joined(world)
    let order = try told(findings, .orderWithoutTransaction)
    #expect(order.amount == nil && order.severity == .warning && saysKeep(order))
    #expect(order.explanation.english.contains("was probably paid, and its receipt lost"))
    let report = try told(findings, .notInLedger)
    #expect(report.amount == amount("30.00"))
    #expect(report.explanation.english.contains("1 order of this product has no transaction"))
  }

  /// Placed when it cannot be that unit, of another product, elsewhere, or at another price.
  @Test(arguments: [
    ("2023-06-12T12:00:00", "gems", "CN", "30.00", false),
    ("2023-06-09T20:00:00", "gems", "CN", "30.00", false),
    ("2023-06-10T12:00:00", "chest", "CN", "68.00", false),
    ("2023-06-10T12:00:00", "gems", "JP", "600", false),
    ("2023-06-10T12:00:00", "gems", "CN", "25.00", true),
    ("2023-06-10T05:00:00", "gems", "CN", "30.00", true),
    ("2023-06-10T00:30:00", "gems", "CN", "30.00", false),
    ("2023-06-11T07:04:00", "gems", "CN", "30.00", true),
    ("2023-06-11T07:06:00", "gems", "CN", "30.00", false),
  ])
  func `only an order that may be the unit is kept`(
    _ time: String, _ sku: String, _ storefront: String, _ price: String, _ isKept: Bool
  ) throws {
    let world = World {
      $0.reports()
      $0.order(
        "O1", sku: sku, at: time, price: price, currency: storefront == "JP" ? "JPY" : "CNY",
        storefront: storefront)
      $0.sale()
    }
    let order = try told(joined(world), .orderWithoutTransaction)
    #expect(saysKeep(order) == isKept)
    // At another price it may be the unit, but it is not its money.
    #expect((order.amount == nil) == (isKept && price == "30.00"))
  }

  @Test func `of more orders than units none is taken back unasked, and each unit counts once`() {
    let world = World {
      $0.reports()
      for number in 0..<3 { $0.order("O\(number)", at: "2023-06-10T1\(number):00:00") }
      $0.sale(units: 2)
    }
    let orders = joined(world).filter { $0.code == .orderWithoutTransaction }
    #expect(orders.allSatisfy(saysKeep))
    #expect(orders.compactMap(\.amount) == [-amount("30.00")])
  }

  @Test func `refunds and orders that contradict are told of each other`() throws {
    let reversed = World {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T12:00:00", status: .fulfilled)
      $0.sale()
    }
    let standing = try told(joined(reversed), .refundNotReversed)
    #expect(standing.action?.english.contains("before anything is taken back") == true)
    #expect(standing.amount == nil)
    let lost = World {
      $0.reports()
      $0.pair("1", status: .refunded)
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    }
    let findings = joined(lost)
    #expect(
      try told(findings, .refundedNotByApple).explanation.english
        .contains("Apple probably refunded it"))
    // The purchase that was refunded is named.
    #expect(try told(findings, .refundNotInLedger).transactions.count == 1)
    let phantom = World {
      $0.reports()
      $0.transaction("T1")
    }
    let purchase = try told(joined(phantom), .transactionWithoutOrder)
    #expect(purchase.action?.english.hasPrefix("ask Apple's server whether") == true)
  }

  /// Every lost receipt is kept and no forged order whose unit nobody reports; the money of both
  /// levels together is that of what really differs.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `in random trade the lost receipts are kept`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World { world in
      world.reports()
      world.settings.dayBoundary[Storefront("CN")!] = Zones.named("America/Los_Angeles")
    }
    var (lost, forged) = (Set<OrderRow.ID>(), Set<OrderRow.ID>())
    var due: Int64 = 0
    for number in 0..<300 {
      // Each fault has a product and a day of its own, other trade is anywhere.
      let day = world.period.first.advanced(by: 1 + number % 26)
      let time = text(
        UInt32(day.startUTC.seconds) + UInt32.random(in: 30_000...80_000, using: &random))
      let row = OrderRow.ID(number + 1)
      switch number {
      case 0..<20:
        world.order("O\(number)", at: time)
        world.sale(on: "\(day)")
        lost.insert(row)
        due += amount("30.00")
      case 26..<46:
        world.order("O\(number)", sku: "chest", at: time, price: "68.00")
        forged.insert(row)
        due -= amount("68.00")
      default:
        world.pair("\(number)", at: time)
        world.sale(on: "\(day)")
      }
    }
    let findings = joined(world)
    let kept = findings.filter(saysKeep).flatMap(\.orders)
    #expect(Set(kept) == lost)
    let others = findings.filter { $0.code == .orderWithoutTransaction && !saysKeep($0) }
    #expect(Set(others.flatMap(\.orders)) == forged)
    #expect(findings.reduce(0) { $0 + ($1.amount ?? 0) } == due)
    var again = world.shuffled(&random)
    again.asOf = world.asOf
    let words = joined(again).map { again.line($0) + $0.explanation.english }.sorted()
    #expect(words == findings.map { world.line($0) + $0.explanation.english }.sorted())
  }
}
