import Billing
import Conclusions
import Foundation
import Matching
import Reporting
import Support
import Testing

@testable import Workflow

/// A month is closed once and for all: what comes later is booked later, what was printed can be
/// printed again.
@Suite struct CloseTests {
  private static let june = Period("2023-06")!
  private static let july = Period("2023-07")!

  /// June with one unit that the report lacks, July without fault.
  private func company() throws -> Company {
    let company = try Company()
    try company.importJune()
    return company
  }

  @Test func `open errors refuse the close, accepted ones let it pass`() throws {
    let company = try company()
    guard case .refused(let open) = try company.close(Self.june) else {
      Issue.record("closed over an open error")
      return
    }
    #expect(open.map(\.code) == [.notInReport])
    #expect(try CloseHistory(ledgerPath: company.ledger).entries.isEmpty)
    let accepted = open.map { (id: $0.id, reason: "Apple pays it in July") }
    guard case .closed(let record, let kept, _) = try company.close(Self.june, accepting: accepted)
    else {
      Issue.record("not closed")
      return
    }
    #expect(record.number == 1 && record.by == "ann" && record.period == Self.june)
    #expect(kept.map(\.reason) == ["Apple pays it in July"])
    guard case .closedBefore(let same) = try company.close(Self.june) else {
      Issue.record("closed twice")
      return
    }
    #expect(same == record)
  }

  @Test func `what refuses a close is listed as reconcile lists it`() throws {
    let company = try company()
    func lines(_ command: String) throws -> [[Substring]] {
      let run = try CommandLineRun(
        in: company.folder, through: command + " 2023-06 --as-of 2023-09-01")
      return run.output.split(separator: "\n").filter { $0.contains("only in the ledger") }
        .map { $0.split(separator: " ") }
    }
    let listed = try lines("reconcile")
    #expect(listed.count == 1 && listed[0].contains("-6.00"), "\(listed)")
    #expect(try lines("close") == listed)
  }

  /// A file of another month decides what a row of this one is matched with: a close names it.
  @Test func `files of rows that were looked up are inputs`() throws {
    let folder = try TemporaryFolder()
    let header = "transaction_id,sku,purchased_at,order_id,unit_price,currency,storefront\n"
    try folder.write(
      "in/orders.csv",
      "order_id,sku,status,placed_at,transaction_id,unit_price,currency,storefront\n"
        + "O1,gems.60,paid,2023-06-03T00:10:00Z,7,6.00,CNY,CN\n")
    try folder.write("in/named.csv", header + "7,gems.60,2023-04-20T00:00:00Z,O1,6.00,CNY,CN\n")
    try folder.write("in/other.csv", header + "8,gems.60,2023-04-10T00:00:00Z,O9,6.00,CNY,CN\n")
    _ = try folder.importing("in")
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Self.june, settings: Settings(),
        asOf: Day("2023-07-05")!))
    #expect(result.inputs.map { folder.relative($0.file) } == ["in/orders.csv", "in/named.csv"])
  }

  @Test(arguments: ["0000000000000000", ""])
  func anUnknownFindingCannotBeAccepted(id: String) throws {
    let company = try company()
    #expect(throws: Stop.self) { try company.close(Self.june, accepting: [(id, "no")]) }
  }

  /// Lists print the first digits of an id: what a person reads there is what a close takes.
  @Test func `a finding is accepted by the id that is printed`() throws {
    let company = try company()
    let refused = try CommandLineRun(
      in: company.folder, through: "close 2023-06 --as-of 2023-09-01 --by ann")
    let line = try #require(
      refused.output.split(separator: "\n").first { $0.contains("only in the ledger") })
    let printed = try #require(line.split(separator: " ").first).uppercased()
    #expect(printed.count == 8)
    guard
      case .closed(_, let kept, _) = try company.close(
        Self.june, accepting: [(printed, "known"), (printed, "known")])
    else {
      Issue.record("not closed")
      return
    }
    #expect(kept.map(\.finding.count) == [16] && kept[0].finding.hasPrefix(printed.lowercased()))
    let csv = String(decoding: try company.document("figures.csv", Self.june), as: UTF8.self)
    let figures = try #require(CloseStatement(ofCSV: csv, period: Self.june))
    #expect(figures.lines.first { $0.figure == .accepted }?.now == 1)
  }

  @Test func `a month that has not ended is not closed, and no range is`() throws {
    let company = try company()
    #expect(throws: Stop.self) { try company.close(Self.june, asOf: "2023-06-30") }
    #expect(throws: Stop.self) { try company.close(Period("2023-06-01..2023-06-15")!) }
  }

  @Test func `what comes later is booked in the next open month`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    let before = try company.document("reconciliation.json", Self.june)
    // Apple restates 5 June: one unit more, which is the one that the ledger had.
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    let july = try company.reconcile(Self.july)
    let belongs = july.findings.filter { $0.explanation.english.contains("belongs to 2023-06") }
    #expect(belongs.map(\.code) == [.reportRestated])
    let gross = july.bridges.dropFirst().flatMap(\.steps).filter { $0.cause == .reportedGross }
    // Two units of July and the one that June lacked.
    #expect(gross.map(\.amount.micros) == [18_000_000])
    let step = july.bridges.flatMap(\.steps).first { $0.cause == .notInReport }
    #expect(step?.amount.micros == 6_000_000, "what June took off comes back")
    #expect(july.bridges.allSatisfy { $0.unexplained.isZero })
    #expect(july.proceeds.map(\.unitsSold) == [3])
    #expect(july.proceeds.map(\.proceeds.micros) == [3 * 4_130_000])
    #expect(try company.document("reconciliation.json", Self.june) == before)
    #expect(july.booked.contains { $0.cause == .reportedProceeds && $0.amount.micros == 4_130_000 })
    // Beside them stands what the closes stated: the unit that came later counts once.
    #expect(july.previousProceeds.map(\.proceeds.micros) == [2 * 4_130_000])
    #expect(july.previousProceeds.map(\.proceedsBase?.micros) == [2 * 4_130_000])
    try company.acceptAll(Self.july)
    try company.importSales("08", day: 1, units: 1)
    let august = try company.reconcile(Period("2023-08")!)
    #expect(august.previousProceeds.map(\.unitsSold) == [3])
    #expect(august.previousProceeds.map(\.proceeds.micros) == [3 * 4_130_000])
  }

  /// The closed month prints what it came to: only the open one shows what a report changed.
  @Test func `an import names the month that books what it changes`() throws {
    let company = try company()
    func next(_ units: Int) throws -> String? {
      let name = "\(units)/\(Inputs.salesName(day: 5))"
      try company.folder.write(name, Inputs.sales(day: 5, units: units))
      return try company.folder.importing(name).text.split(separator: "\n").last.map(String.init)
    }
    #expect(try next(4) == "next: tieout reconcile 2023-06")
    try company.acceptAll(Self.june)
    #expect(try next(3) == "next: tieout reconcile 2023-07")
    try company.acceptAll(Self.july)
    #expect(try next(5) == "next: tieout reconcile 2023-08")
  }

  @Test func `what a closed month booked is not booked again`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    try company.acceptAll(Self.july)
    try company.importSales("08", day: 1, units: 1)
    try company.importRows("08", count: 1, from: 900)
    let august = Period("2023-08")!
    #expect(try company.reconcile(august).booked == [])
    // A late transaction of June passes the closed July and lands in August.
    try company.importRows("06", count: 1, from: 800)
    let late = try company.reconcile(august)
    #expect(late.booked.contains { $0.period == "2023-06" && $0.cause == .ledger })
    #expect(late.bridges.allSatisfy { $0.unexplained.isZero })
  }

  /// Apple's proceeds are a cent off the rule per unit: one more unit makes another sum of June.
  @Test func `of a sum of rows only what the close did not have is booked`() throws {
    var company = try Company()
    company.proceeds = "4.14"
    try company.importJune()
    try company.acceptAll(Self.june)
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    let july = try company.reconcile(Self.july)
    let sums = july.findings.filter { $0.code == .proceedsTolerated }
    #expect(sums.map(\.units) == [1, 2] && sums.map(\.amount) == [10_000, 20_000])
    #expect(
      sums[0].explanation.english.hasSuffix(
        "it belongs to 2023-06, which is closed; 0.01 CNY of it came to light since and is booked "
          + "in 2023-07"), "\(sums[0].explanation.english)")
    let step = july.bridges.flatMap(\.steps).first { $0.cause == .proceedsDifference }
    #expect(step?.amount.micros == 30_000)
    // Beside the restatement; the unit that the report lacked is there now.
    #expect(july.notes.contains { $0.english.contains("2 new findings, 1 finding resolved (") })
    try company.acceptAll(Self.july)
    try company.importSales("06", day: 5, units: 4, name: "again.txt")
    try company.importSales("08", day: 1, units: 3)
    let august = try company.reconcile(Period("2023-08")!)
    let more = august.findings.filter { $0.code == .proceedsTolerated }
    #expect(more.map(\.units) == [1, 3] && more.map(\.amount) == [10_000, 30_000])
  }

  /// July's own reports are not there yet: what Apple restated waits for them.
  @Test func `a month without reports books what it can`() throws {
    let company = try Company()
    try company.importJune(julyReports: false)
    try company.acceptAll(Self.june)
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    try company.importRows("06", count: 1, from: 800)
    let july = try company.reconcile(Self.july)
    #expect(july.booked.map(\.cause) == [.ledger])
    #expect(july.findings.contains { $0.code == .reportRestated })
  }

  /// Whatever a close rests on: each kind is told by `status`, looked at once, and then known.
  @Test func `a day without sales, a rate and a product that come later are looked at`() throws {
    let company = try Company()
    try company.importJune(leavingOut: 9)
    try company.acceptAll(Self.june)
    func changes() throws -> [[String]] {
      try ledgerStatus(of: company.ledger, asOf: Day("2023-09-01")!).changedCloses.map(\.kinds)
    }
    #expect(try changes() == [])
    #expect(
      try company.reconcile(Self.july).notes.allSatisfy { !$0.english.contains("close no. 1 are") })
    // July's own day, rate and product touch nothing of June.
    try company.folder.write("later.csv", "sku,kind,effective_from\ngems.9,consumable,2023-08-01\n")
    try company.folder.write("july.csv", "date,base,quote,rate\n2023-07-15,USD,CNY,7.1\n")
    _ = try company.folder.importing("later.csv", "july.csv")
    #expect(try changes() == [])
    _ = try company.folder.importing { request in
      request.vendor = "85012345"
      request.noSales = [Day("2023-06-09")!]
    }
    #expect(try changes() == [["no_sales"]])
    let july = try company.reconcile(Self.july)
    let booked = july.notes.map(\.english).filter { $0.hasPrefix("changes to 2023-06") }
    #expect(booked.count == 1 && booked[0].contains("1 finding resolved"), "\(booked)")
    try company.folder.write("rates.csv", "date,base,quote,rate\n2023-06-15,USD,CNY,7.1\n")
    try company.folder.write("more.csv", "sku,kind\ngems.7,consumable\n")
    _ = try company.folder.importing("rates.csv", "more.csv")
    #expect(try changes() == [["no_sales", "products", "rates"]])
    let text = try ledgerStatus(of: company.ledger, asOf: Day("2023-09-01")!).text
    #expect(
      text.contains(
        "closed 2023-06 (close no. 1): changed since: days without sales, catalogue, "
          + "exchange rates; the effect is booked in 2023-07\n"), "\(text)")
    let told =
      "exchange rates of 2023-06 changed after its close no. 1: its amounts in CNY stay as "
      + "they were closed"
    #expect(try company.reconcile(Self.july).notes.map(\.english).contains(told))
    try company.acceptAll(Self.july)
    #expect(try changes() == [], "July's close has looked at June")
    let august = try company.reconcile(Period("2023-08")!)
    #expect(august.booked == [] && !august.notes.map(\.english).contains(told))
    try company.reopen(Self.july)
    #expect(try changes() == [["no_sales", "products", "rates"]])
  }

  @Test func `a subscription report that comes after its month's close is looked at`() throws {
    let company = try Company()
    try company.importJune()
    try company.acceptAll(Self.june)
    let name = "Subscription_85012345_20230620.txt"
    try company.folder.write(name, Inputs.activeSubscriptions)
    let summary = try company.folder.importing(name)
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    let changed = try ledgerStatus(of: company.ledger, asOf: Day("2023-09-01")!).changedCloses
    #expect(changed.map(\.kinds) == [["subscription"]])
  }

  /// Coins that are left come of all movements before; balances count on their days alone.
  @Test func `movements of coins that come after a close are looked at`() throws {
    let company = try Company()
    try company.importJune()
    func add(_ name: String, _ text: String) throws {
      try company.folder.write(name, text)
      _ = try company.folder.importing(name)
    }
    func changes() throws -> [[String]] {
      try ledgerStatus(of: company.ledger, asOf: Day("2023-09-01")!).changedCloses.map(\.kinds)
    }
    let header = "date,movement,coins,user_id\n"
    try add("coins.csv", header + "2023-06-05T20:00:00Z,granted,60,u1\n")
    try company.acceptAll(Self.june)
    try add("july.csv", header + "2023-07-20T20:00:00Z,spent,10,u1\n")
    try add("later.csv", "date,paid,free\n2023-07-01,60,0\n")
    #expect(try changes() == [])
    try add("before.csv", header + "2023-03-05T20:00:00Z,spent,10,u1\n")
    #expect(try changes() == [["coin_movements"]])
    try add("left.csv", "date,paid,free\n2023-06-30,50,0\n")
    try add("items.csv", "item,kind,days\nsword,durable,365\n")
    #expect(try changes() == [["coin_balances", "coin_movements", "items"]])
    try company.reopen(Self.june)
    try company.acceptAll(Self.june)
    #expect(try changes() == [])
  }

  @Test func `every close can be printed again after restatement, reopening and a second close`()
    throws
  {
    let company = try company()
    try company.acceptAll(Self.june)
    let names = try CloseHistory(ledgerPath: company.ledger).entries[0].documents.map(\.name)
    let first = try names.map { try company.document($0, Self.june, number: 1) }
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    let record = try company.reopen(Self.june)
    #expect(record.number == 2 && record.reason == "Apple restated 5 June")
    try company.acceptAll(Self.june)
    #expect(try names.map { try company.document($0, Self.june, number: 1) } == first)
    #expect(
      try company.document("reconciliation.json", Self.june)
        != first[names.firstIndex(of: "reconciliation.json")!])
    let history = try CloseHistory(ledgerPath: company.ledger)
    #expect(history.entries.map(\.record.action) == [.close, .reopen, .close])
    #expect(history.entries.map(\.isInForce) == [false, false, true])
  }

  /// The figures stand beside those of the month before, if that is closed by then.
  @Test func `a close states its figures beside those before, or why there are none`() throws {
    let company = try company()
    func figures(_ period: Period) throws -> CloseStatement {
      let text = String(decoding: try company.document("figures.csv", period), as: UTF8.self)
      return try #require(CloseStatement(ofCSV: text, period: period))
    }
    func value(_ figure: CloseFigure, _ part: (CloseLine) -> Int64?, _ period: Period) throws
      -> Int64?
    { try figures(period).lines.first { $0.figure == figure }.flatMap(part) }
    try company.acceptAll(Self.june)
    #expect(try figures(Self.june).comparison == .notClosed)
    #expect(try value(.closing, \.now, Self.june) == 2 * 4_130_000)
    #expect(try value(.closing, \.before, Self.june) == nil)
    #expect(try value(.accepted, \.now, Self.june) == 1)
    try company.acceptAll(Self.july)
    #expect(try figures(Self.july).comparison == .compared)
    #expect(try value(.opening, \.now, Self.july) == 2 * 4_130_000)
    #expect(try value(.closing, \.before, Self.july) == 2 * 4_130_000)
    #expect(try value(.closing, \.change, Self.july) == 2 * 4_130_000)
    let text = String(decoding: try company.document("summary.txt", Self.july), as: UTF8.self)
    #expect(text.contains("CLOSED 2023-07: close no. 2, made at 2023-08-25T21:46:40Z by ann"))
    // What is restated is booked in August, as a figure of its own.
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    try company.importSales("08", day: 5, units: 1)
    try company.importRows("08", count: 1, from: 900)
    try company.acceptAll(Period("2023-08")!)
    #expect(try value(.bookedChanges, \.now, Period("2023-08")!) == 4_130_000)
    #expect(try value(.bookedChanges, \.change, Period("2023-08")!) == 4_130_000)
  }

  @Test func `the inputs' digest is that of their digests`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    let inputs = Set(try company.reconcile(Self.july).inputs.map(\.sha256))
    try company.acceptAll(Self.july)
    let listed = inputs.sorted().map { $0 + "\n" }.joined()
    let digest = CloseDocument("", Array(listed.utf8)).sha256
    let text = String(decoding: try company.document("summary.txt", Self.july), as: UTF8.self)
    #expect(text.contains("SHA-256 \(digest)"))
  }

  @Test func `a month whose changes are booked later is reopened last`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    try company.acceptAll(Self.july)
    let stop = #expect(throws: Stop.self) { try company.reopen(Self.june) }
    #expect(stop?.help.english.contains("reopen 2023-07 first") == true)
    try company.reopen(Self.july)
    try company.reopen(Self.june)
  }

  @Test func `a ledger that is not there is not reopened, and no lock is left beside it`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Stop.self) {
      try reopen(
        Self.june, ledgerPath: folder.path + "/none.sqlite", reason: "restated", by: "Ann",
        at: Instant(seconds: 1_688_600_000), asOf: Day("2023-07-05")!, version: "1")
    }
    #expect(folder.names == [])
  }

  @Test func `months are closed one after the other`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    let august = Period("2023-08")!
    try company.importSales("08", day: 1, units: 1)
    try company.importRows("08", count: 1, from: 900)
    let stop = #expect(throws: Stop.self) { try company.close(august) }
    #expect(stop?.message.english.contains("2023-07, an earlier month, is still open") == true)
    #expect(stop?.help.english == "close 2023-07 first, or add --with-earlier")
    let months = try monthsToClose(through: august, ledgerPath: company.ledger)
    #expect(months.map(\.description) == ["2023-07", "2023-08"])
    try company.acceptAll(Self.july)
    let earlier = #expect(throws: Stop.self) { try company.close(Period("2023-05")!) }
    #expect(earlier != nil)
    try company.acceptAll(august)
  }

  @Test func `a month under later closes is reopened last, though they book nothing of it`() throws
  {
    let company = try company()
    try company.acceptAll(Self.june)
    try company.acceptAll(Self.july)
    let stop = #expect(throws: Stop.self) { try company.reopen(Self.june) }
    #expect(stop?.help.english == "reopen 2023-07 first, or add --with-later")
    let run = try CommandLineRun(
      in: company.folder, through: "reopen 2023-06 --reason wrong --with-later --by bob")
    #expect(run.status == 0 && run.output.contains("reopened 2023-07"))
    let records = try CloseHistory(ledgerPath: company.ledger).entries.map(\.record)
    #expect(records.map(\.action) == [.close, .close, .reopen, .reopen])
  }

  /// Which month the series begins with cannot be changed by closing an earlier one later.
  @Test func `with earlier months needs one that is closed`() throws {
    let company = try company()
    func close() throws -> CommandLineRun {
      try CommandLineRun(
        in: company.folder, through: "close 2023-07 --with-earlier --by ann --as-of 2023-09-01")
    }
    let first = try close()
    #expect(first.status == 2 && first.errors.contains("such as 2023-06"), "\(first.errors)")
    #expect(try CloseHistory(ledgerPath: company.ledger).entries.isEmpty)
    try company.acceptAll(Self.june)
    let second = try close()
    #expect(second.status == 0, "\(second.errors)")
  }

  @Test func `a first close says which earlier month it leaves open`() throws {
    let company = try company()
    func close(_ options: String = "") throws -> CommandLineRun {
      try CommandLineRun(
        in: company.folder, through: "close 2023-07 --by ann --as-of 2023-09-01" + options)
    }
    let said = "2023-06, which has sales reports, can no longer be closed"
    let first = try close()
    #expect(first.status == 0 && first.errors.contains(said), "\(first.errors)")
    #expect(first.errors.contains("tieout close 2023-07 --with-earlier"))
    // What it says can be done.
    try company.reopen(Self.july)
    try company.acceptAll(Self.june)
    let second = try close(" --with-earlier")
    #expect(second.status == 0 && !second.errors.contains(said), "\(second.errors)")
  }

  @Test func `a first close says what it takes for granted`() throws {
    let company = try company()
    let said = try company.reconcile(Self.june).notes.map(\.english)
    #expect(said.contains { $0.contains("no opening_receivable") })
    try company.acceptAll(Self.june)
    let next = try company.reconcile(Self.july)
    #expect(
      next.notes.map(\.english).contains(
        "opening receivable from Apple before 2023-07: closing balance of close no. 1"))
    #expect(next.receivable.map(\.own.opening.micros) == [2 * 4_130_000])
    #expect(next.receivable.map(\.own.closing.micros) == [4 * 4_130_000])
  }

  @Test func `the command prints a closed month as it was closed`() throws {
    let company = try company()
    let folder = company.folder
    func run(_ arguments: String) throws -> CommandLineRun {
      try CommandLineRun(in: folder, through: arguments + " --as-of 2023-09-01")
    }
    let refused = try run("close 2023-06 --by ann")
    #expect(refused.status == 1)
    #expect(refused.output.contains("not-in-report"))
    let json = try run("reconcile --period 2023-06 --format json").output
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let findings = try #require(root["findings"] as? [[String: Any]])
    let ids = findings.compactMap { $0["id"] as? String }
    let accepted = ids.map { "--accept \($0)" }.joined(separator: " ")
    let closed = try run("close 2023-06 --by ann \(accepted) --reason known --out j.xlsx")
    #expect(closed.status == 0, "\(closed.errors)")
    try company.importSales("06", day: 5, units: 9, name: "restated.txt")
    let again = try run("reconcile --period 2023-06 --format json --out again.xlsx")
    #expect(again.output == json)
    #expect(again.errors.contains("closed"))
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder.path + "/j.xlsx", andPath: folder.path + "/again.xlsx"))
    #expect(try run("closes").output.contains("accepted not-in-report \(ids[0]): known"))
    #expect(try run("closes 2023-06 --print reconciliation.json").output == json)
    #expect(try run("reopen 2023-06 --reason restated --by bob").status == 0)
    #expect(try run("reconcile --period 2023-06 --format json").output != json)
  }

  /// What Apple settled would be compared with nothing.
  @Test func `a fiscal month whose sales reports are missing is refused`() throws {
    let inputs = try SimulatedInputs(SettledRun.parameters(seed: 5, orders: 300))
    for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path)
    where name.hasPrefix("S_D_") && name.contains("_2023061") {
      try FileManager.default.removeItem(atPath: inputs.path + "/" + name)
    }
    let ledger = inputs.folder.path + "/ledger.sqlite"
    _ = try importFiles(
      ImportRequest(
        paths: [inputs.path], ledgerPath: ledger, importedAt: Instant(seconds: 1_692_000_000)))
    let month = ReconcileRequest(
      ledgerPath: ledger, period: Period("FY2023-P09")!, settings: Settings(),
      asOf: Day("2023-09-20")!)
    func close(_ accepted: [(id: String, reason: String)]) throws -> CloseOutcome {
      try Workflow.close(
        CloseRequest(
          reconcile: month, accepted: accepted, by: "ann", at: Instant(seconds: 1_695_000_000),
          version: "test"))
    }
    guard case .refused(let open) = try close([]) else {
      Issue.record("closed without reports")
      return
    }
    #expect(open.count { $0.code == .reportMissing } == 10)
    guard case .closed = try close(open.map { (id: $0.id, reason: "lost") }) else {
      Issue.record("not closed though all is accepted")
      return
    }
  }
}
