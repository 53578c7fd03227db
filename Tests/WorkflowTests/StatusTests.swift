import Billing
import Support
import Testing
import Workflow

@Suite struct StatusTests {
  private func folder(days: [Int]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for day in days {
      try folder.write("in/" + Inputs.salesName(day: day), Inputs.sales(day: day, units: day))
    }
    try folder.write("in/orders.csv", Inputs.orders(0..<30))
    _ = try folder.importing("in")
    return folder
  }

  @Test func `tells what is loaded, missing and late`() throws {
    let folder = try folder(days: [1, 2, 5, 7])
    _ = try folder.importing { $0.noSales = [Day("2023-06-06")!] }
    let status = try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-12")!)
    #expect(
      folder.relative(status.text) == """
        tieout.sqlite, as of 2023-06-12: 5 files
          sales: 4 rows in 4 files, 2023-06-01..2023-06-07
          orders: 30 rows in 1 file, 2023-06-01..2023-06-02
        vendor 85012345: 4 sales reports, 5 days of 2023-06-01..2023-06-07
          no sales: 1 day recorded
          missing: 2 days: 2023-06-03..2023-06-04
          late: 2 days older than T-2 without a report: 2023-06-08..2023-06-09
        2023-06 is settled in FY2023-P08 to FY2023-P09

        """)
    #expect(status.worst == .error)
  }

  /// On the 6th, T-2 is the 4th: only what is older is overdue.
  @Test(arguments: [
    ("2023-06-05", 0, 0), ("2023-06-06", 1, 0), ("2023-06-07", 2, 0), ("2023-06-08", 2, 0),
    ("2023-06-09", 2, 1),
  ])
  func `nothing is overdue before it is older than two days`(
    asOf: String, missing: Int, late: Int
  ) throws {
    let folder = try folder(days: [1, 2, 5])
    let status = try ledgerStatus(of: folder.ledger, asOf: Day(asOf)!)
    let coverage = try #require(status.vendors.first)
    #expect(coverage.missing.reduce(0) { $0 + $1.count } == missing)
    #expect(coverage.late?.count ?? 0 == late)
  }

  @Test func `tells restated reports, and counts only the current ones`() throws {
    let folder = try folder(days: [1])
    let name = "again/" + Inputs.salesName(day: 1)
    try folder.write(name, Inputs.sales(day: 1, units: 99))
    _ = try folder.importing("again")
    let status = try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-03")!)
    #expect(status.restated.map(\.new) == [folder.path + "/" + name])
    #expect(status.vendors.map(\.reports) == [1])
    #expect(status.worst == .warning)
    #expect(
      folder.relative(status.text).contains(
        "restated: 2023-06-01 in/S_D_85012345_20230601.txt is superseded by "
          + "again/S_D_85012345_20230601.txt\n"))
  }

  @Test func `without a ledger there is nothing to tell, and none is made`() throws {
    let folder = try TemporaryFolder()
    let stop = #expect(throws: Stop.self) {
      try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-03")!)
    }
    #expect(stop?.status == .badInput)
    #expect(folder.ledgerBytes.isEmpty)
  }

  @Test func `a period without facts is refused, with what there is`() throws {
    let folder = try folder(days: [1])
    let asOf = Day("2023-06-03")!
    func result(_ period: String) throws -> PeriodResult {
      try PeriodResult(
        ReconcileRequest(
          ledgerPath: folder.ledger, period: Period(period)!, settings: Settings(), asOf: asOf))
    }
    _ = try result("2023-06")
    let stop = #expect(throws: Stop.self) { try result("2024-01") }
    #expect(stop?.message.english == "nothing is loaded for 2024-01")
    #expect(
      stop?.help.english == "the ledger covers sales 2023-06-01, orders 2023-06-01..2023-06-02; "
        + "import more, or name another period")
  }
}
