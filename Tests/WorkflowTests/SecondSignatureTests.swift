import Billing
import Conclusions
import Foundation
import Ledger
import Matching
import Support
import Testing

@testable import Reporting
@testable import Workflow

/// With `two_signatures` a close is complete only once another person has signed it.
@Suite struct SecondSignatureTests {
  private static let july = Period("2023-07")!
  private static let august = Period("2023-08")!
  private let company: Company

  /// July is without fault, and so is August.
  init() throws {
    company = try Company()
    try company.importJune()
    try company.importSales("08", day: 5, units: 2)
    try company.importRows("08", count: 2, from: 800)
    _ = try company.folder.importing("products.csv") { request in
      request.vendor = "85012345"
      request.noSales = Self.august.days.filter { $0.parts.day != 5 }
    }
  }

  private func confirm(_ name: String, asOf: String = "2023-09-03") throws -> CloseOutcome {
    try Workflow.confirm(
      ConfirmRequest(
        Self.july, ledgerPath: company.ledger, by: name, at: Instant(seconds: 1_693_700_000),
        asOf: Day(asOf)!, version: "test"))
  }

  private func names() throws -> [String] {
    try CloseHistory(ledgerPath: company.ledger).entries.last!.documents.map(\.name)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try company.document(name, Self.july), as: UTF8.self)
  }

  /// What the parts of a kept workbook hold.
  private func cells(_ name: String) throws -> String {
    try company.document(name, Self.july).withUnsafeBytes { bytes in
      var text: [UInt8] = []
      for part in try #require(BookArchive(bytes).parts()) {
        #expect(part.inflate { text += $0 }, "\(part.name)")
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  @Test func `one signature locks the month, withholds its journal and holds the next up`() throws {
    guard case .closed(let record, _, _) = try company.close(Self.july, twoSignatures: true) else {
      Issue.record("not closed")
      return
    }
    #expect(
      try names() == [
        "figures.csv", "reconciliation.json", "summary-awaiting.txt", "workbook-awaiting.xlsx",
      ])
    #expect(try text("summary-awaiting.txt").contains("AWAITING SECOND SIGNATURE 2023-07"))
    #expect(throws: Stop.self) { try company.document("journal.csv", Self.july) }
    let report = try CloseReport(
      .closedBefore(record), period: Self.july, ledgerPath: company.ledger,
      workbook: company.folder.path + "/j.xlsx")
    #expect(report.files == [company.folder.path + "/j.xlsx"])
    #expect(report.json.contains("\"closed\": false"))
    #expect(throws: Stop.self) { try company.close(Self.august, twoSignatures: true) }
    #expect(throws: Stop.self) { try company.close(Self.august) }
    let status = try ledgerStatus(of: company.ledger, asOf: Day("2023-09-03")!)
    #expect(status.awaitingCloses.map(\.number) == [record.number])
    // What is reconciled after it begins with what it ends with.
    #expect(try company.reconcile(Self.august).openingBasis == .close)
  }

  @Test func `another person completes it, and the book has both names and days`() throws {
    _ = try company.close(Self.july, twoSignatures: true)
    let open = try cells("workbook-awaiting.xlsx")
    #expect(open.contains("second signature awaited") && !open.contains("2023-09-03"))
    // What comes meanwhile changes nothing of what was signed.
    let figures = try company.document("reconciliation.json", Self.july)
    try company.importSales("07", day: 5, units: 3, name: "restated.txt")
    guard case .confirmed(_, let second) = try confirm("Bo & Co") else {
      Issue.record("not confirmed")
      return
    }
    #expect(second.by == "Bo & Co" && second.asOf == Day("2023-09-03"))
    let book = try cells("workbook.xlsx")
    for part in ["ann", "Bo &amp; Co", "2023-09-01", "2023-09-03", "CLOSED 2023-07"] {
      #expect(book.contains(">\(part)"), "\(part)")
    }
    #expect(!book.contains("awaited") && !book.contains("AWAITING"))
    #expect(try text("summary.txt").contains("confirmed 2023-09-03 by Bo & Co"))
    #expect(try names().contains("journal.csv"))
    #expect(try company.document("reconciliation.json", Self.july) == figures)
    guard case .closedBefore = try confirm("somebody else") else {
      Issue.record("signed a third time")
      return
    }
    // The next month is held up no more, but by what July brings it.
    guard case .refused = try company.close(Self.august) else {
      Issue.record("the restated sale is not looked at")
      return
    }
  }

  @Test(arguments: ["ann", "ANN", " a n n ", "ａｎｎ", "", " \u{3000}", "b\u{7}"])
  func `the same person, or nobody, is no second signature`(name: String) throws {
    _ = try company.close(Self.july, twoSignatures: true)
    #expect(throws: Stop.self) { try confirm(name) }
    #expect(throws: Stop.self) { try confirm("bob", asOf: "2023-08-31") }
    #expect(try CloseHistory(ledgerPath: company.ledger).entries[0].signatures == .awaited)
  }

  /// What was begun with two signatures takes two; closed with one it is complete.
  @Test func `the key counts when the month is closed`() throws {
    _ = try company.close(Self.july, twoSignatures: true)
    // Run again, without the key, it still awaits.
    guard case .closedBefore = try company.close(Self.july) else {
      Issue.record("closed twice")
      return
    }
    #expect(try CloseHistory(ledgerPath: company.ledger).entries.map(\.signatures) == [.awaited])
    try company.reopen(Self.july)
    #expect(throws: Stop.self) { try confirm("bob") }
    _ = try company.close(Self.july)
    #expect(throws: Stop.self) { try confirm("bob") }
    #expect(try names().contains("journal.csv"))
  }

  @Test func `reopening withdraws both signatures`() throws {
    _ = try company.close(Self.july, twoSignatures: true)
    _ = try confirm("bob")
    try company.reopen(Self.july)
    _ = try company.close(Self.july, twoSignatures: true)
    let entries = try CloseHistory(ledgerPath: company.ledger).entries
    #expect(entries.map(\.signatures.second?.by) == ["bob", nil, nil])
    #expect(entries.map(\.isInForce) == [false, false, true])
    #expect(entries.last?.signatures == .awaited)
  }

  @Test func `without a readable name nothing is locked`() throws {
    #expect(throws: Stop.self) { try company.close(Self.july, twoSignatures: true, by: " ") }
    #expect(try CloseHistory(ledgerPath: company.ledger).entries.isEmpty)
  }

  @Test func `the command tells what is awaited, and by whom it was confirmed`() throws {
    try company.folder.write("tieout.toml", "two_signatures = true\n")
    func run(_ arguments: String) throws -> CommandLineRun {
      try CommandLineRun(in: company.folder, through: arguments + " --as-of 2023-09-03")
    }
    let closed = try run("close 2023-07 --by ann --out j.xlsx --format json")
    #expect(closed.status == 0, "\(closed.errors)")
    #expect(closed.output.contains("\"awaiting_second_signature\": true"))
    #expect(try run("status").output.contains("2023-07 awaits its second signature"))
    #expect(try run("reconcile 2023-07").errors.contains("awaits its second signature"))
    let early = try run("close 2023-08 --by ann")
    #expect(early.status == 2 && early.errors.contains("tieout close confirm 2023-07"))
    let same = try run("close confirm 2023-07 --by Ann")
    #expect(same.status == 2 && same.errors.contains("another person"))
    let other = try run("close confirm 2023-07 --by bob --out j.xlsx")
    #expect(other.status == 0, "\(other.errors)")
    #expect(other.output.contains("confirmed by bob (2023-09-03)"))
    #expect(other.output.contains("wrote 9 files: j.*"))
    #expect(try run("closes").output.contains("confirmed by bob"))
    #expect(try run("verify").status == 0)
    #expect(try run("close confirm 2023-07 --accept 0 --reason x").status == 64)
    #expect(try run("close 2023-07 2023-08").status == 64)
  }
}
