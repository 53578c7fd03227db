import Billing
import Conclusions
import Reporting
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// What is converted names its rate and the rate's day, and an old one is found.
@Suite struct RatesUsedTests {
  private static let july = Period("2023-07")!

  /// A settled world's rates are far apart: July has none of its own.
  @Test func `a rate older than a week is found for each currency, until a newer one is loaded`()
    throws
  {
    let run = try SettledRun.withoutStatement()
    func stale(_ result: Reconciliation) -> [Finding] {
      result.findings.filter { $0.code == .rateStale }
    }
    let old = try run.reconcile(Self.july)
    let converted = Set(old.proceeds.map(\.proceedsCurrency)).subtracting([Currency("CNY")!])
    let currencies = Set(stale(old).compactMap(\.currency))
    #expect(stale(old).count == currencies.count, "one per currency")
    #expect(currencies.isSuperset(of: converted) && !converted.isEmpty)
    #expect(stale(old).allSatisfy { $0.severity == .warning && $0.amount == nil })
    for finding in stale(old) where converted.contains(finding.currency!) {
      let text = finding.explanation.english
      #expect(text.hasSuffix(" of 2023-06-15, 46 days before 2023-07-31"), "\(text)")
    }
    #expect(
      reconciliationSummary(old, workbook: nil).contains("in CNY at the rates of 2023-06-15\n"))
    // What is booked on 1 July needs a rate of then, the rest one of the end of the month.
    let rates = ["2023-06-30", "2023-07-28"].flatMap { day in
      currencies.sorted().map { "\(day),\($0),CNY,\($0 == Currency("USD") ? "7.25" : "1.5")\n" }
    }
    try run.inputs.folder.write("more/rates.csv", "date,base,quote,rate\n" + rates.joined())
    _ = try run.inputs.folder.importing("more") { $0.ledgerPath = run.ledger }
    let new = try run.reconcile(Self.july)
    #expect(stale(new) == [])
    #expect(converted.allSatisfy { new.rateDays[$0] == Day("2023-07-28") })
    let note = try #require(
      new.notes.map(\.english).first { $0.hasPrefix("totals in CNY at these rates: ") })
    #expect(note.contains("USD 7.25 of 2023-07-28"), "\(note)")
    let json = reconciliationJSON(new)
    #expect(json.contains("\"rates\""))
    #expect(
      json.filter { !$0.isWhitespace }.contains(
        "{\"currency\":\"USD\",\"rate\":\"7.25\",\"date\":\"2023-07-28\",\"quotes\":\"7.25\"}"))
    let journal = Journal(new, settings: Settings())
    #expect(
      journal.entries.contains { $0.narration.hasSuffix("in USD, valued at 7.25 of 2023-07-28") })
  }
}
