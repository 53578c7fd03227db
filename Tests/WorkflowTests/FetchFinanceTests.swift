import Billing
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: financial reports are asked for by Apple's fiscal months and regions, and a month that
/// Apple has not made is never a month without earnings. Method: the stand-in, whose fiscal months
/// are reckoned on their own.
@Suite struct FetchFinanceTests {
  /// A region's report of a fiscal month with one unit.
  private func report(_ month: FiscalMonth, country: String = "HK") -> [UInt8] {
    func american(_ day: Day) -> String {
      "\(padded(day.parts.month, 2))/\(padded(day.parts.day, 2))/\(day.parts.year)"
    }
    let columns = [
      ("Start Date", american(month.first)), ("End Date", american(month.last)), ("UPC", ""),
      ("ISRC/ISBN", ""), ("Vendor Identifier", "gems.60"), ("Quantity", "1"),
      ("Partner Share", "4.20"), ("Extended Partner Share", "4.20"),
      ("Partner Share Currency", "CNY"), ("Sales or Return", "S"), ("Apple Identifier", "123"),
      ("Artist/Show/Developer/Author", ""), ("Title", "Gems"),
      ("Label/Studio/Network/Developer/Publisher", ""), ("Grid", ""),
      ("Product Type Identifier", "IA1"), ("ISAN/Other Identifier", ""),
      ("Country Of Sale", country), ("Pre-order Flag", ""), ("Promo Code", ""),
      ("Customer Price", "6.00"), ("Customer Currency", "CNY"),
    ]
    let lines = [columns.map(\.0), columns.map(\.1)].map { $0.joined(separator: "\t") + "\n" }
    return Array((lines.joined() + "Total_Rows : 1\n").utf8)
  }

  private func month(_ text: String) -> FiscalMonth { Period(text)!.fiscalMonth! }

  private func outcomes(_ summary: FetchSummary) -> [String: AppleAnswer.Outcome] {
    Dictionary(
      summary.answers.compactMap { answer in
        answer.outcome.map { ("\(answer.list.split(separator: " ")[1]) \(answer.item)", $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Reports alone, as a company without a key for purchases has it.
  private func withoutPurchases(_ request: inout FetchRequest) {
    request.access.bundleID = ""
    request.access.purchases = AppleAccess.Key()
  }

  /// Apple counts fiscal years from October, and names files by the month that is meant.
  @Test(arguments: [
    ("FY2024-P01", "2024-01", "1023"), ("FY2024-P03", "2024-03", "1223"),
    ("FY2024-P04", "2024-04", "0124"), ("FY2024-P05", "2024-05", "0224"),
    ("FY2023-P09", "2023-09", "0623"), ("FY2023-P12", "2023-12", "0923"),
  ])
  func `a month is asked for by its fiscal number, and named as Apple names it`(
    period: String, date: String, name: String
  ) throws {
    let month = month(period)
    let standIn = try AppleStandIn(data: [
      "85012345_\(name)_ZZ.txt": report(month), "85012345_\(name)_Z1.txt": Array("x\n".utf8),
    ])
    let summary = try standIn.fetching(.finance(month, regions: ["ZZ", "Z1"]), at: "2024-10-30") {
      $0.imports = false
    }
    #expect(outcomes(summary) == ["ZZ \(period)": .rows, "Z1 \(period)": .rows])
    #expect(
      standIn.fetched == ["85012345_\(name)_Z1.txt.gz", "85012345_\(name)_ZZ.txt.gz"])
    let asked = try standIn.asked()
    #expect(asked.allSatisfy { $0.path == "/v1/financeReports" && $0.status == 200 })
    #expect(Set(asked.map(\.day)) == [date])
    #expect(
      Set(asked.map { "\($0.query["filter[regionCode]"]!) \($0.query["filter[reportType]"]!)" })
        == ["ZZ FINANCIAL", "Z1 FINANCE_DETAIL"])
  }

  @Test func `regions by name are files of their own, and are imported as such`() throws {
    let june = month("FY2023-P09")
    let standIn = try AppleStandIn(data: [
      "85012345_0623_US.txt": report(june, country: "US"),
      "85012345_0623_CN.txt": report(june, country: "CN"),
    ])
    let summary = try standIn.fetching(.finance(june, regions: ["US", "CN", "EU"]))
    #expect(
      outcomes(summary)
        == ["US FY2023-P09": .rows, "CN FY2023-P09": .rows, "EU FY2023-P09": .notYet])
    #expect(!summary.lacksAnswers && summary.diagnostics.isEmpty)
    let files = try #require(summary.imported?.files)
    #expect(files.map(\.region).sorted() == ["CN", "US"])
    #expect(files.allSatisfy { $0.kind == .finance && $0.from == june.first && $0.rows == 1 })
    // What is here is not asked for again, and Europe's only after some hours.
    func lacking(_ day: String) throws -> [String] {
      let wish = FetchWish.finance(nil, regions: ["US", "CN", "EU"])
      return try standIn.fetching(wish, at: day) { $0.isDryRun = true }.answers.map(\.list)
    }
    try standIn.folder.write("products.csv", "sku,kind\ngems.60,consumable\n")
    try standIn.folder.write(
      "orders.csv", Inputs.orderHeader + "O1,gems.60,paid,2023-06-10T00:00:00Z,6.00,CNY,CN\n")
    _ = try standIn.folder.importing("products.csv", "orders.csv")
    #expect(try lacking("2023-07-05").isEmpty)
    #expect(try lacking("2023-07-06").isEmpty, "the month ends on the first Friday of the next")
    #expect(try lacking("2023-07-07") == ["FINANCIAL EU 85012345"])
  }

  /// What Apple says of a report that is not there, and what becomes of it.
  @Test(arguments: [
    ("404", "There were no sales for the date specified.", AppleAnswer.Outcome.notYet, "", 0, 1),
    ("404", "Report is not available yet.", .notYet, "", 0, 1),
    (
      "404", "The path provided does not match a resource.", .refused,
      "Apple refuses it (404): The path provided does not match a resource.", 1, 1
    ),
    ("410", "Report is no longer available.", .gone, "", 0, 0),
    (
      "403", "The API key in use does not allow this request.", .refused,
      "Apple refuses the key (403): The API key in use does not allow this request.", 1, 1
    ),
  ])
  func `what is not there is told apart`(
    status: String, text: String, outcome: AppleAnswer.Outcome, message: String, now: Int,
    later: Int
  ) throws {
    let standIn = try AppleStandIn(
      faults: #"[{"match": "finance", "times": 99, "do": "\#(status)", "text": "\#(text)"}]"#)
    try standIn.folder.write(
      "orders.csv", Inputs.orderHeader + "O1,gems.60,paid,2023-06-10T00:00:00Z,6.00,CNY,CN\n")
    _ = try standIn.folder.importing("orders.csv")
    let wish = FetchWish.finance(nil, regions: ["ZZ"])
    let summary = try standIn.fetching(wish, at: "2023-07-08")
    #expect(outcomes(summary) == ["ZZ FY2023-P09": outcome])
    #expect(summary.lacksAnswers == (outcome == .refused))
    #expect(summary.diagnostics.map(\.message.english) == (message.isEmpty ? [] : [message]))
    #expect(standIn.fetched.isEmpty && summary.imported == nil)
    let ledger = try Ledger(path: standIn.folder.ledger, mode: .readWrite)
    #expect(try ledger.noSales().isEmpty, "no report is no day without sales")
    func asks(_ day: String) throws -> Int {
      try standIn.fetching(wish, at: day) { $0.isDryRun = true }.answers.count
    }
    #expect(try asks("2023-07-08") == now)
    #expect(try asks("2023-07-09") == later)
    // By name it is asked for whatever was said before.
    let named = try standIn.fetching(.finance(month("FY2023-P09"), regions: ["ZZ"])) {
      $0.isDryRun = true
    }
    #expect(named.answers.count == 1)
  }

  /// A key may see sales and not what Apple settles.
  @Test func `a role that lacks financial reports keeps no sales away`() throws {
    let standIn = try AppleStandIn(
      data: [Inputs.salesName(day: 1): Array(Inputs.sales(day: 1, units: 1).utf8)],
      faults: #"[{"match": "financeReports", "times": 99, "do": "403"}]"#)
    try standIn.folder.write(
      "orders.csv", Inputs.orderHeader + "O1,gems.60,paid,2023-06-01T00:00:00Z,6.00,CNY,CN\n")
    _ = try standIn.folder.importing("orders.csv")
    let summary = try standIn.fetching(.lacking, at: "2023-08-20", change: withoutPurchases)
    let sales = summary.answers.filter { $0.list.hasPrefix("SALES") }
    #expect(sales.count == 80 && sales.allSatisfy { $0.outcome == .rows || $0.outcome == .nothing })
    let finance = summary.answers.filter { $0.list.hasPrefix("FINANC") }
    #expect(finance.count == 6, "two reports of FY2023-P08, P09 and P10")
    #expect(finance.allSatisfy { $0.outcome == .refused || $0.outcome == nil })
    #expect(try standIn.asked().count { $0.path == "/v1/financeReports" } <= 3)
    #expect(
      summary.diagnostics.contains {
        $0.help.english.contains("Finance or Admin for financial reports")
      })
  }

  @Test func `the command takes fiscal months and Apple's regions alone`() throws {
    let standIn = try AppleStandIn(data: ["85012345_0623_US.txt": report(month("FY2023-P09"))])
    for arguments in [["--period", "2023-06"], ["--region", "XX"], ["--region", ""]] {
      let run = try CommandLineRun(["fetch", "finance"] + arguments, in: standIn.folder)
      #expect(run.status == 64, "\(arguments)")
    }
    let run = try CommandLineRun(
      "fetch", "finance", "--period", "FY2023-P09", "--region", "us,eu", "--format", "json",
      in: standIn.folder)
    #expect(run.status == 0, "what Apple has not made is no failure: \(run.errors)")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let totals = try #require(object["totals"] as? [String: Any])
    #expect(totals["rows"] as? Int == 1 && totals["not_yet"] as? Int == 1)
  }
}
