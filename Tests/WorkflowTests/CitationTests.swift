import Billing
import Conclusions
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// Goal: what is said of settlement, payment and bank names its strongest source, with file and
/// line, and whether that reports it. Method: settled worlds with faults, with and without detail,
/// with a region's report left out, and with a bank that has less than Apple paid.
@Suite struct CitationTests {
  private static let month = FiscalMonth(year: 2023, number: 9)!

  private func run(
    detail: Bool, seed: UInt64 = 63, leavingOut isLeftOut: (String) -> Bool = { _ in false }
  ) throws -> SettledRun {
    var parameters = SettledRun.parameters(seed: seed)
    parameters.settlement!.faults = 1
    parameters.settlement!.writesDetail = detail
    return try SettledRun(parameters, leavingOut: isLeftOut)
  }

  private struct Cited {
    var document: String
    var file: String?
    var line: Int?
    var state: String
  }

  private func cited(_ finding: Finding) throws -> Cited {
    let source =
      #/
      \(source:\ (?<document>[^,;]+)(?:,\ (?<file>[^,;]+))?(?:,\ line\ (?<line>\d+))?
      (?:,\ and\ .*)?;\ (?<state>reported|estimated:\ .+)\)$
      /#
    let match = try #require(
      finding.explanation.english.firstMatch(of: source), "\(finding.explanation)")
    return Cited(
      document: String(match.document), file: match.file.map(String.init),
      line: match.line.flatMap { Int($0) }, state: String(match.state))
  }

  @Test(arguments: [true, false]) func everyFindingNamesItsStrongestSource(hasDetail: Bool) throws {
    let run = try run(detail: hasDetail)
    var documents: Set<String> = []
    for month in try #require(run.truth.settlement).map(\.month) {
      let result = try run.reconcile(month.period)
      for finding in result.findings where finding.code.level >= 3 {
        let cited = try cited(finding)
        documents.insert(cited.document)
        if let file = cited.file {
          // The place is one of the finding's own, and is no other document's.
          let places = finding.sources.filter { $0.file.hasSuffix("/" + file) }
          #expect(cited.line == nil || places.contains { $0.line == cited.line }, "\(finding)")
        }
        switch finding.code {
        case .settlementUnits, .settlementProceeds:
          #expect(cited.line != nil, "\(finding.explanation)")
          #expect(cited.document.contains("financial report"))
          let isOfDetail = cited.file?.contains("_Z1") == true
          #expect(isOfDetail == cited.document.contains("detail"), "\(finding.explanation)")
        case .settlementCarry:
          #expect((cited.state == "reported") == hasDetail, "\(finding.explanation)")
        case .fxRateUnexpected, .withholding, .adjustment, .carriedBalance:
          #expect(cited.document == "Apple's payments summary" && cited.line != nil)
        default: break
        }
      }
    }
    #expect(documents.isSuperset(of: ["Apple's payments summary", "Apple's sales report"]))
    #expect(documents.contains("Apple's detail of the financial report") == hasDetail)
    #expect(hasDetail || documents.contains("Apple's financial report"))
  }

  /// The nearest to the money that has anything of the region.
  @Test(arguments: [
    (true, false, "Apple's detail of the financial report", "reported"),
    (false, false, "Apple's payments summary", "reported"),
    (false, true, "Apple's sales report", "estimated: no financial report is loaded"),
  ])
  func aMissingRegionNamesWhoTellsOfIt(
    hasDetail: Bool, lacksSummary: Bool, document: String, state: String
  ) throws {
    let run = try run(detail: hasDetail, seed: 71) {
      $0.contains("_0623_EU") || lacksSummary && $0.hasPrefix("financial_report-0623")
    }
    let finding = try #require(
      try run.reconcile(Self.month.period).findings.first {
        $0.code == .regionReportMissing && $0.storefront?.code == "EU"
      })
    let cited = try cited(finding)
    #expect(cited.document == document && cited.state == state, "\(finding.explanation)")
    #expect((cited.line != nil) == (document != "Apple's sales report"))
  }

  @Test func theBankStatementStandsOverApplesWord() throws {
    let run = try run(detail: true)
    let payout = try #require(run.truth.settlement?.first).payout.amount
    try run.inputs.folder.write(
      "bank/statement.csv",
      """
      date,amount,currency,reference
      2023-07-01,1.00,CNY,rent
      2023-07-20,\(decimalText(micros: payout - 5_000_000, minimumDigits: 2)),CNY,APPLE
      2023-08-31,1.00,CNY,rent

      """)
    _ = try run.inputs.folder.importing("bank") { $0.ledgerPath = run.ledger }
    let finding = try #require(
      try run.reconcile(Self.month.period).findings.first { $0.code == .bankDiffers })
    let cited = try cited(finding)
    #expect(cited.document == "the bank statement" && cited.state == "reported")
    #expect(cited.file == "statement.csv" && cited.line == 3)
  }

  /// A day that no document tells makes what rests on it an estimate.
  @Test func aPayoutOfAnUntoldDayIsLateByAnEstimate() throws {
    let run = try run(detail: true)
    try run.inputs.folder.write(
      "bank/statement.csv",
      "date,amount,currency,reference\n2023-07-01,1.00,CNY,rent\n2023-09-19,1.00,CNY,rent\n")
    _ = try run.inputs.folder.importing("bank") { $0.ledgerPath = run.ledger }
    let finding = try #require(
      try run.reconcile(Self.month.period).findings.first { $0.code == .payoutNotReceived })
    let cited = try cited(finding)
    #expect(cited.document == "Apple's payments summary" && cited.state.hasPrefix("estimated: "))
  }
}
