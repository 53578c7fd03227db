import Billing
import Conclusions
import Matching
import Testing

/// Goal: a vendor's missing day is one finding with the vendor, and what others sell stays judged.
/// Method: two vendors' reports of a month, of one of which days are taken away.
@Suite struct AbsentVendorTests {
  private func world(without days: [String], before: String? = nil) -> World {
    World { world in
      for (vendor, sku) in [("8", "gems"), ("9", "chest")] {
        for day in Day("2023-05-31")!...Day("2023-07-01")! {
          if vendor == "9", days.contains("\(day)") { continue }
          if vendor == "9", let before, day >= Day(before)! { continue }
          let first = Int32(world.facts.sales.count + 1)
          let price = sku == "gems" ? "30.00" : "68.00"
          world.sale(sku, on: "\(day)", units: 2, price: price)
          world.facts.coverage.append(
            ReportCoverage(
              begin: day, end: day, vendor: vendor, file: "\(vendor)-\(day)", rows: first...first))
        }
        for day in Day("2023-05-31")!...Day("2023-07-01")! {
          if vendor == "9", let before, day >= Day(before)! { continue }
          for number in 0..<2 {
            world.pair(
              "\(sku)\(day)\(number)", sku: sku, at: "\(day)T19:0\(number):00",
              price: sku == "gems" ? "30.00" : "68.00")
          }
        }
      }
    }
  }

  @Test func `it is one finding with the vendor`() throws {
    let tieOut = world(without: ["2023-06-12"]).tieOut()
    #expect(tieOut.lines == ["report-missing - - 2023-06-12 - -2 -"])
    let finding = try #require(tieOut.findings.first)
    #expect(finding.explanation.english.contains("no sales report of vendor 9 for 2023-06-12"))
    #expect(finding.parts.map(\.amount.micros) == [-amount("136.00")])
    expectClosed(tieOut)
  }

  /// Of 5,880 CNY a month 136 are of the day whose report lacks: neither complete nor cleared, nor
  /// timely once the report is overdue.
  @Test func `its money is not cleared`() {
    let money = world(without: ["2023-06-12"]).tieOut().sales.basis([]).money
    func sum(_ part: (AgedMoney) -> Money) -> String { money.sum(in: Currency("CNY")!, part).text }
    #expect(sum(\.ledger) == "5880.00")
    let parts = [sum(\.timely), sum(\.complete), sum(\.cleared)]
    #expect(parts == ["5744.00", "5744.00", "5744.00"])
  }

  @Test func `what others sell is judged as before`() {
    var world = world(without: ["2023-06-12"])
    world.pair("more", at: "2023-06-12T20:00:00")
    #expect(
      world.tieOut().lines.map { $0.split(separator: " ")[0] } == [
        "not-in-report", "report-missing",
      ])
  }

  /// Who sold here on few days, and never again, has no day that is missing.
  @Test func `a vendor that left has no missing days`() {
    #expect(world(without: [], before: "2023-06-10").tieOut().lines.isEmpty)
  }
}
