import Billing
import Languages
import Testing

@testable import Conclusions
@testable import Reporting

/// Findings as lines of the screen.
@Suite struct FindingScreenTests {
  private static let base = Currency("CNY")!

  private static func finding(
    _ id: String, _ code: FindingCode, units: Int64? = nil, amount: Int64? = nil
  ) -> Finding {
    Finding(
      code: code, severity: code.severity, storefront: Storefront("CN"), currency: base,
      date: Day("2023-06-14"), sku: "gems.60", units: units,
      amount: amount.map { $0 * 1_000_000 }, orderIDs: [], transactionIDs: [], sources: [],
      explanation: "", action: "", id: id + "0123456789abcdef".suffix(16 - id.count))
  }

  private static func screen(_ findings: [Finding], limit: Int? = nil) -> FindingScreen {
    FindingScreen(findings, limit: limit, in: base) { findings[$0].money }
  }

  /// Errors come before warnings, large amounts before small ones, amounts before units.
  @Test(arguments: [nil, 7]) func whatMattersComesFirst(limit: Int?) {
    let findings = [
      Self.finding("1", .timing, units: 9), Self.finding("2", .priceMismatch, amount: 900),
      Self.finding("3", .notInReport, units: 1, amount: -5),
      Self.finding("4", .bundleMismatch, units: 3), Self.finding("5", .bundleMismatch, units: 8),
      Self.finding("6", .notInLedger, amount: 700), Self.finding("7", .sourcesContradict),
    ]
    let screen = Self.screen(findings, limit: limit)
    #expect(screen.lines.map(\.id.first) == ["6", "3", "5", "4", "7", "2", "1"])
    #expect(
      screen.lines.map(\.amount) == [
        "700.00", "-5.00", "8 units", "3 units", "-", "900.00", "9 units",
      ])
    #expect(screen.rest == 0)
  }

  @Test func ofManyTheFirstAreShownAndTheOthersCounted() {
    let findings =
      (1...5).map { Self.finding("\($0)", .notInLedger, amount: Int64($0)) }
      + [Self.finding("a", .priceMismatch, amount: 90)]
    let screen = Self.screen(findings, limit: 2)
    #expect(screen.lines.map(\.id.first) == ["5", "4"])
    // A warning is worth more than what is shown: it is named.
    #expect(
      screen.text.hasPrefix(
        "2 of 5 errors, Apple less ledger in CNY; details: tieout explain \(screen.lines[0].id)\n5")
    )
    #expect(
      screen.text.hasSuffix(
        "\nnot shown: 3 errors, 1 warning; largest: price-mismatch 90.00 (--all)\n"))
    #expect(
      Self.screen(Array(findings.prefix(5)), limit: 2).text.hasSuffix(
        "\nnot shown: 3 errors (--all); details: tieout explain \(screen.lines[0].id)\n"))
    #expect(Self.screen(findings, limit: 0).text.isEmpty)
  }

  @Test func whatWasAcceptedIsNoLine() {
    var accepted = Self.finding("1", .notInLedger, amount: 1)
    accepted.work = FindingWork(
      [
        Remark(
          .accept, of: accepted, period: "2023-06", at: Day("2023-07-01")!.startUTC, by: "ann",
          assignee: "", reason: "known")
      ], of: accepted)
    #expect(Self.screen([accepted]).isEmpty)
  }

  /// A line of any code takes at most 80 columns; Chinese letters take two.
  @Test(arguments: Language.allCases) func eachCodeHasItsLine(language: Language) {
    Translation.$current.withValue(Translation(language)) {
      for code in FindingCode.allCases {
        let text = Self.screen([Self.finding("1", code, units: 1, amount: -123_456)]).text
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3, "\(text)")
        #expect(lines.allSatisfy { displayWidth(String($0)) <= 80 }, "\(text)")
        #expect(displayWidth(say(code.brief)) <= 22, "\(code)")
      }
    }
  }
}
