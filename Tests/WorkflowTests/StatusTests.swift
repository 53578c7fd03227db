import Billing
import Conclusions
import Matching
import Reporting
import Simulation
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
                        rows  files  days
          sales report     4      4  2023-06-01..2023-06-07
          orders          30      1  2023-06-01..2023-06-02
        vendor 85012345: 4 sales reports, 5 days of 2023-06-01..2023-06-07
          no sales: 1 day recorded
          missing 2 days: 2023-06-03..2023-06-04
          late 2 days (due T+2): 2023-06-08..2023-06-09
        settled in: 2023-06 FY2023-P08..FY2023-P09

        """)
    #expect(status.worst == .error)
  }

  @Test func `tells what one period has, and whether it is closed`() throws {
    let folder = try folder(days: [1, 2, 5, 7])
    _ = try folder.importing { $0.noSales = [Day("2023-06-06")!] }
    func status(_ period: String) throws -> LedgerStatus {
      try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-12")!, in: Period(period))
    }
    #expect(
      try folder.relative(status("2023-06-03..2023-06-06").text) == """
        tieout.sqlite, as of 2023-06-12: 1 file
                        rows  files  days
          sales report     1      1  2023-06-05
        vendor 85012345: 1 sales report, 2 days of 2023-06-03..2023-06-06
          no sales: 1 day recorded
          missing 2 days: 2023-06-03..2023-06-04
        settled in: 2023-06 FY2023-P08..FY2023-P09

        """)
    let before = try status("2023-05")
    #expect(before.text.contains("2023-05 is not closed\n"))
    #expect(before.vendors.map(\.daysCovered) == [0] && before.worst == .error)
    #expect(before.json.contains(#""period": "2023-05""#))
  }

  /// Days with a report, spans of longer reports, days without sales, and how many are missing.
  private static let overlaps: [([Int], [ClosedRange<Int>], [Int], Int)] = [
    ([1, 2, 3, 4, 5], [5...11], [], 25), ([1, 2, 3, 4, 5], [6...11], [], 19),
    ([], [5...11], [8], 29), ([4], [1...30], [], 29), ([], [1...30], [], 0),
    ([], [5...11, 1...30], [], 23),
  ]

  /// A report that reconcile leaves out, because shorter ones have some of its days, tells nothing
  /// of the others.
  @Test(arguments: overlaps) func `days are missing that reconcile misses`(
    days: [Int], spans: [ClosedRange<Int>], none: [Int], missing: Int
  ) throws {
    let folder = try folder(days: days)
    for span in spans {
      let (first, last) = (padded(span.lowerBound, 2), padded(span.upperBound, 2))
      try folder.write(
        "in/longer-\(first)-\(last).txt",
        Inputs.sales(day: span.lowerBound, units: 3).replacing(
          "06/\(first)/2023\t06/\(first)/2023", with: "06/\(first)/2023\t06/\(last)/2023"))
    }
    _ = try folder.importing("in") {
      $0.vendor = "85012345"
      $0.noSales = none.map { Day("2023-06-\(padded($0, 2))")! }
    }
    let (asOf, june) = (Day("2023-07-05")!, Period("2023-06")!)
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: june, settings: Settings(), asOf: asOf))
    let reconciled = result.findings.filter { $0.code == .reportMissing }.compactMap(\.date)
    let status = try ledgerStatus(of: folder.ledger, asOf: asOf, in: june)
    #expect(status.vendors.flatMap(\.missing).flatMap { Array($0) } == reconciled.sorted())
    #expect(reconciled.count == missing)
    #expect(status.vendors.map(\.daysCovered) == [30 - missing])
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
        "restated: 2023-06-01 again/S_D_85012345_20230601.txt replaces "
          + "in/S_D_85012345_20230601.txt\n"))
  }

  @Test func `what was rejected at import is missing from the month`() throws {
    let folder = try folder(days: [1])
    try folder.write("more.csv", Inputs.orders(30..<32) + "O99,gems.60,paid,yesterday,6,CNY,CN\n")
    _ = try folder.importing("more.csv") { $0.keepsGoodRows = true }
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-10")!))
    let absence = try #require(result.basis.absences.first { $0.kind == .rejectedRows })
    #expect(absence.count == 1 && absence.names.map(folder.relative) == ["more.csv"])
    let words = folder.relative(reconciliationSummary(result, workbook: nil))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("1 row rejected at import and left out: more.csv"))
  }

  @Test func `a rejected file is missing until it comes in or is forgotten`() throws {
    let folder = try folder(days: [1])
    let good = Inputs.orders(30..<32)
    let request = ReconcileRequest(
      ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
      asOf: Day("2023-07-10")!)
    func isMissing() throws -> Bool {
      let status = try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-03")!)
      let absences = try reconcile(request).basis.absences.filter { $0.kind == .rejectedFiles }
      #expect(absences.flatMap(\.names) == status.rejected)
      #expect(status.text.contains("rejected: ") == !status.rejected.isEmpty)
      #expect(status.rejected.map(folder.relative).allSatisfy { $0 == "more.csv" })
      return !status.rejected.isEmpty
    }
    #expect(try !isMissing())
    try folder.write("more.csv", good + "O99,gems.60,paid,yesterday,6,CNY,CN\n")
    _ = try folder.importing("more.csv") { $0.isDryRun = true }
    #expect(try !isMissing())
    _ = try folder.importing("more.csv")
    #expect(try isMissing())
    let words = folder.relative(reconciliationSummary(try reconcile(request), workbook: nil))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("1 file rejected at import, not loaded: more.csv"))
    _ = try ForgottenFile(folder.path + "/more.csv", ledgerPath: folder.ledger)
    #expect(try !isMissing())
    _ = try folder.importing("more.csv")
    #expect(try isMissing())
    try folder.write("more.csv", good)
    _ = try folder.importing("more.csv")
    #expect(try !isMissing())
  }

  /// Ages are those of the first lines: 0 to 2, 3 to 7, 8 to 30 and over 30 days.
  @Test func `tells what is open by kind, currency and age`() throws {
    let run = try SettledRun.withoutStatement()
    let month = FiscalMonth(year: 2023, number: 9)!
    let request = run.request(month.period, asOf: "2023-07-20")
    func open(_ kind: AgedItems.Kind) throws -> [AgedItems] {
      try ledgerStatus(of: run.ledger, asOf: request.asOf, settings: request.settings).openItems
        .filter { $0.kind == kind }
    }
    #expect(try open(.settlement) == [] && open(.findings) == [], "nothing was reconciled")
    let result = try reconcile(request)
    #expect(recordFindings(of: result, in: run.ledger) == nil)
    let unsettled = try #require(result.settlement).openItems.filter { $0.settledIn == nil }
    #expect(try open(.settlement).reduce(0) { $0 + $1.count } == unsettled.count)
    for item in try open(.settlement) {
      let same = unsettled.filter {
        let age = $0.first.distance(to: request.asOf)
        return $0.currency == item.currency && age >= item.from && age <= item.to ?? .max
      }
      #expect(item.count == same.count)
      #expect(item.amount == same.reduce(.zero(item.currency!)) { $0 + $1.amount.magnitude })
    }
    // Apple pays June on 3 August: until then all of it is open.
    let lines = try #require(run.truth.settlement?.first).regions.filter { $0.owed != 0 }
    #expect(try open(.offsets).reduce(0) { $0 + $1.count } >= lines.count)
    let later = try ledgerStatus(of: run.ledger, asOf: Day("2023-10-20")!).openItems
    #expect(later.filter { $0.kind == .offsets }.reduce(0) { $0 + $1.count } < lines.count)
    let text = try ledgerStatus(of: run.ledger, asOf: request.asOf).text
    #expect(text.contains("open items by age\n") && text.contains("owed and not paid"))
  }

  @Test func `findings are open until somebody lets them stand`() throws {
    let company = try Company()
    try company.importJune()
    let june = Period("2023-06")!
    let result = try company.reconcile(june)
    #expect(recordFindings(of: result, in: company.ledger) == nil)
    let asOf = Day("2023-07-10")!
    let open = try ledgerStatus(of: company.ledger, asOf: asOf).openItems
    #expect(open.map(\.kind) == [.findings] && open.map(\.count) == [1])
    #expect(open.map(\.amount) == [Money(micros: 6_000_000, Currency("CNY")!)])
    #expect(open.map(\.from) == [31] && open.map(\.to) == [nil], "of 5 June")
    try company.acceptAll(june)
    #expect(try ledgerStatus(of: company.ledger, asOf: asOf).openItems == [])
  }

  @Test(arguments: [(false, 2), (true, 1)])
  func `the last days count what reconciliations count`(requiresSigned: Bool, count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("transactions.csv", Inputs.transactions(0..<1))
    try folder.write(
      "history.json",
      """
      {"signedTransactions":[{"transactionId":"9","productId":"gems.60","purchaseDate":\
      1685580000000,"signedDate":1685580000000}]}
      """)
    _ = try folder.importing("transactions.csv", "history.json")
    var settings = Settings()
    settings.requireSigned = requiresSigned
    let status = try ledgerStatus(
      of: folder.ledger, asOf: Day("2023-06-12")!, flowIn: settings.businessZone,
      settings: settings)
    #expect(status.flow.reduce(0) { $0 + $1.transactions } == count)
  }

  /// Exports overlap: a day more on either side, the whole month again, or one with later statuses.
  @Test func `rows of overlapping exports count once`() throws {
    let folder = try TemporaryFolder()
    let header = "order_id,sku,status,placed_at,fulfilled_at,unit_price,currency,storefront\n"
    func order(_ id: Int, _ status: String, _ fulfilled: String = "") -> String {
      "O\(id),gems.60,\(status),2024-03-31T0\(id):00:00Z,\(fulfilled),480,JPY,JP\n"
    }
    func transaction(_ id: Int, _ revoked: String = "") -> String {
      "\(200000000000000 + id),gems.60,2024-03-31T0\(id):01:00Z,O\(id),480,JPY,JP,\(revoked)\n"
    }
    let columns =
      "transaction_id,sku,purchased_at,order_id,unit_price,currency,storefront,revoked_at\n"
    let soon = "2024-03-31T02:00:30Z"
    try folder.write(
      "a.csv", header + order(1, "paid") + order(2, "fulfilled", soon) + order(3, "paid"))
    try folder.write(
      "b.csv", header + order(2, "paid") + order(3, "fulfilled", "2024-03-31T03:01:00Z"))
    try folder.write("c.csv", columns + transaction(1) + transaction(2) + transaction(3))
    try folder.write("d.csv", columns + transaction(2) + transaction(3, "2024-03-31T09:00:00Z"))
    try folder.write("e.csv", columns + transaction(3, "2024-03-31T09:00:00Z") + transaction(4))
    for files in [["a.csv", "c.csv"], ["b.csv", "d.csv"], ["e.csv"]] {
      for file in files { _ = try folder.importing(file) }
    }
    let status = try ledgerStatus(
      of: folder.ledger, asOf: Day("2024-04-10")!, flowIn: Settings().businessZone)
    let day = try #require(status.flow.first)
    #expect(status.flow.count == 1)
    #expect([day.orders, day.paid, day.fulfilled, day.unfulfilled] == [3, 3, 2, 1])
    #expect([day.transactions, day.refunds] == [4, 1])
    #expect(day.unfulfilledShare == 333_333)
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
    #expect(stop?.message.english == "no sales reports or transactions are loaded for 2024-01")
    #expect(
      stop?.help.english == "the ledger covers sales report 2023-06-01, orders "
        + "2023-06-01..2023-06-02; import more, or name another period")
    #expect(
      stop?.help.text(in: .simplifiedChinese) == "账本文件涵盖销售报告 2023-06-01、订单 2023-06-01..2023-06-02；"
        + "请导入更多数据，或指定其他期间")
  }
}
