import Billing
import Conclusions
import Foundation
import Ledger
import Matching
import Reporting
import Support
import Testing

@testable import Workflow

/// Closes that version 0.2.0 made of two months and of a fiscal month (`Fixtures/old-closes`) are
/// printed as it printed them, and what changed since is booked as it booked it.
struct OldClosesTests {
  private static let fixture = checkout + "/Tests/WorkflowTests/Fixtures/old-closes/"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("old.sqlite", Self.unzipped("ledger.sqlite.gz"))
    for name in ["restated", "tieout.toml"] {
      try FileManager.default.copyItem(
        atPath: Self.fixture + name, toPath: folder.path + "/" + name)
    }
    let refused = try CommandLineRun(["status", "--ledger", "old.sqlite"], in: folder)
    #expect(refused.status == 3 && refused.errors.contains("tieout upgrade"), "\(refused.errors)")
    let upgraded = try CommandLineRun(["upgrade", "old.sqlite", "tieout.sqlite"], in: folder)
    #expect(upgraded.status == 0, "\(upgraded.errors)")
    let verified = try CommandLineRun(["verify"], in: folder)
    #expect(verified.output.contains("the ledger is sound"), "\(verified.output)")
  }

  private static func unzipped(_ name: String) throws -> [UInt8] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc", fixture + name]
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(bytes)
  }

  private func run(_ command: String) throws -> String {
    let words = (command + " --as-of 2023-09-20").split(separator: " ").map(String.init)
    let run = try CommandLineRun(words, in: folder)
    #expect(run.status == 0, "\(command): \(run.errors)")
    return run.output
  }

  private func expect(_ found: String, _ name: String) throws {
    let expected = String(
      decoding: name.hasSuffix(".gz")
        ? try Self.unzipped(name)
        : Array(try Data(contentsOf: URL(fileURLWithPath: Self.fixture + name))), as: UTF8.self)
    if let difference = firstDifference(expected, found) { Issue.record("\(name) \(difference)") }
  }

  /// As the fixture's configuration has them.
  private static let settings = {
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.vendorNumbers = ["85127269"]
    settings.defaultStorefront = Storefront("CN")
    settings.sandboxUsers = ["tester-1", "tester-2"]
    return settings
  }()

  @Test func whatWasClosedIsPrintedAsItWas() throws {
    try expect(run("closes"), "closes.txt")
    let history = try CloseHistory(ledgerPath: folder.ledger)
    for entry in history.entries {
      for (name, sha256) in entry.documents {
        let bytes = try closeDocument(
          name, of: entry.record.period, number: entry.record.number, ledgerPath: folder.ledger)
        #expect(CloseDocument(name, bytes).sha256 == sha256, "\(entry.record.period) \(name)")
      }
    }
    #expect(history.entries.map(\.documents.count) == [7, 7, 7])
  }

  /// A sales report of June, whose first changes July's close booked, and the payments of FY P09.
  /// What the old fiscal close has booked of payments is not booked again by the calendar.
  @Test func whatChangesLaterIsBookedAfterIt() throws {
    _ = try run("import restated")
    for period in ["2023-08", "FY2023-P10"] {
      try expect(run("reconcile --period \(period)"), "\(period).txt")
      try expect(run("reconcile --period \(period) --format json"), "\(period).json.gz")
    }
    try expect(run("export journal --period 2023-08"), "2023-08.journal.csv")
  }

  @Test func aCloseOnTopOfThemKeepsFigures() throws {
    _ = try run("import restated")
    let month = Period("2023-08")!
    let request = ReconcileRequest(
      ledgerPath: folder.ledger, period: month, settings: Self.settings, asOf: Day("2023-09-20")!)
    let errors = try reconcile(request).findings.filter { $0.severity == .error }
    let outcome = try close(
      CloseRequest(
        reconcile: request, accepted: errors.map { (id: $0.id, reason: "known") }, by: "ann",
        at: Instant(seconds: 1_695_000_000), version: "test"))
    guard case .closed(let record, _, _) = outcome else {
      Issue.record("not closed")
      return
    }
    let entries = try CloseHistory(ledgerPath: folder.ledger).entries
    #expect(entries.last?.record == record)
    // Of July only tax and commission are parted otherwise, by what Apple's British and French
    // rows show: no entry comes of it.
    #expect(entries.last?.booked == ["2023-06", "2023-07"])
    let figures = try closeDocument(
      "figures.csv", of: month, number: nil, ledgerPath: folder.ledger)
    let statement = CloseStatement(
      ofCSV: String(decoding: figures, as: UTF8.self), period: month)
    #expect(statement?.comparison == .noFigures, "July was closed by version 0.2.0")
    var next = request
    next.period = Period("2023-09")!
    #expect(try reconcile(next).booked == [], "what August booked is not booked again")
  }

  /// Closes of version 0.2.0 kept no digests. Reading them by this version changes nothing; a
  /// product without a day holds in every month, so each is looked at once by the next close.
  @Test func aProductWithoutADayIsLookedAtOnce() throws {
    func changed() throws -> [String] {
      try ledgerStatus(of: folder.ledger, asOf: Day("2023-09-20")!, settings: Self.settings)
        .changedCloses.map(\.record.period.description)
    }
    #expect(try changed() == ["FY2023-P09"], "a report of June came after that close")
    try folder.write("new.csv", "sku,kind,tier\ngems.never.sold,consumable,1\n")
    _ = try run("import new.csv")
    #expect(try Set(changed()) == ["2023-06", "2023-07", "FY2023-P09"])
    try acceptAndClose("2023-08")
    #expect(
      try CloseHistory(ledgerPath: folder.ledger).entries.last?.booked == ["2023-06", "2023-07"],
      "tax and commission are parted by what British and French rows show")
    #expect(try changed() == ["FY2023-P09"], "the next fiscal month looks at its own kind")
    try folder.write("again.csv", "sku,kind,tier\ngems.never.sold,consumable,2\n")
    _ = try run("import again.csv")
    #expect(try Set(changed()).isSuperset(of: ["2023-06", "2023-07", "2023-08"]))
  }

  private func acceptAndClose(_ period: String) throws {
    let request = ReconcileRequest(
      ledgerPath: folder.ledger, period: Period(period)!, settings: Self.settings,
      asOf: Day("2023-09-20")!)
    let errors = try reconcile(request).findings.filter { $0.severity == .error }
    let outcome = try Workflow.close(
      CloseRequest(
        reconcile: request, accepted: errors.map { (id: $0.id, reason: "known") }, by: "ann",
        at: Instant(seconds: 1_695_000_000), version: "test"))
    guard case .closed = outcome else {
      Issue.record("\(period) is not closed")
      return
    }
  }

  @Test func figuresAreReadAsTheyWereKept() throws {
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("FY2023-P10")!, settings: Self.settings,
        asOf: Day("2023-09-20")!))
    let figures = PeriodFigures(result)
    #expect(!figures.steps.isEmpty && !figures.proceeds.isEmpty && !figures.payments.isEmpty)
    let kept = try figures.kept(for: result.period)
    #expect(try PeriodFigures(kept) == figures)
    #expect(try PeriodFigures(kept).kept(for: result.period) == kept)
    #expect(figures.isSame(as: try PrintedReconciliation(json(of: result)).figures()))
    var newer = kept
    newer.version += 1
    #expect(throws: DecodingError.self) { try PeriodFigures(newer) }
  }

  /// What cannot be read is an error, and never an amount of nothing.
  @Test(arguments: [
    (#""gross": "1.00""#, #""gross": "one""#), (#""gross": "1.00""#, #""gross": null"#),
    (#""gross": "1.00", "#, ""), (#""amount": "3.00", "#, ""),
    (#""amount": "3.00""#, #""amount": 3"#), (#""cause": "ledger""#, #""cause": "leger""#),
    (#""amount": "7.00""#, #""amount": null"#), (#""amount": "3.00""#, #""amount": null"#),
    (#""amount": "0.00""#, #""amount": null"#), (#""currency": "CNY""#, #""currency": "Yuan""#),
  ])
  func whatIsUnreadableIsAnError(_ text: String, _ unreadable: String) throws {
    let printed = """
      {"bridge": [{"storefront": "CN", "currency": "CNY", "steps": [
        {"cause": "ledger", "units": 1, "amount": "3.00", "currency": "CNY"},
        {"cause": "unexplained", "units": null, "amount": "0.00", "currency": "CNY"}]}],
      "proceeds": [{"storefront": "CN", "currency": "CNY", "proceeds_currency": "CNY",
        "units_sold": 1, "units_refunded": 0, "gross": "1.00", "tax": "0.00", "commission": null,
        "proceeds": "1.00"}],
      "payment_bridge": [{"region": "CN", "currency": "CNY", "steps": [
        {"cause": "settled", "units": null, "amount": "7.00", "currency": "CNY"}]}],
      "findings": [], "totals": {"matched_units": 1, "unmatched_units": 0}}
      """
    let figures = try PrintedReconciliation(Array(printed.utf8)).figures()
    #expect(figures.steps.values.map(\.amount).sorted() == [0, 3_000_000])
    #expect(figures.payments.values.first == ["settled": 7_000_000])
    #expect(throws: DecodingError.self) {
      try PrintedReconciliation(Array(printed.replacing(text, with: unreadable).utf8)).figures()
    }
  }
}
