import Billing
import Conclusions
import Foundation
import Support
import Testing
import Workflow
@testable import Matching

/// Real financial reports and payments, from the file to the bank.
@Suite struct RealSettlementTests {
  /// Imports files of the shared data whose names contain one of the words; nil where there are
  /// none.
  private func settle(
    _ period: String, _ folders: [String], naming words: [String]
  ) throws -> Reconciliation? {
    var paths: [String] = []
    for folder in folders {
      guard let path = sharedData("apple/" + folder) else { return nil }
      paths += try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        .filter { name in words.contains { name.contains($0) } }.map { path + "/" + $0 }
    }
    let folder = try TemporaryFolder()
    let summary = try importFiles(
      ImportRequest(
        paths: paths, ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_700_000_000)))
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    return try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period(period)!, settings: Settings(),
        asOf: Day("2026-06-01")!))
  }

  /// Region totals are what the payments summary has as earned, the footer that does not fit is
  /// found, the bank's amount is met to the cent.
  @Test func september2014() throws {
    guard
      let result = try settle(
        "FY2014-P12", ["finance", "payments"], naming: ["0914", "example_financial"])
    else { return }
    let settlement = try #require(result.settlement)
    #expect(settlement.payments.map(\.region) == ["CH", "EU", "JP"])
    #expect(settlement.payments.allSatisfy { $0.settled == $0.earned && $0.unexplained.isZero })
    #expect(settlement.payments.map(\.paid?.micros) == [26_530_000, 206_890_000, 1_160_000])
    let payout = try #require(settlement.payouts.first)
    #expect(payout.amount.micros == 234_580_000 && payout.regions == payout.amount)
    let found = result.findings.filter { $0.code != .reportMissing }
    #expect(found.map(\.code) == [.footerMismatch, .withholding])
    #expect(found.first?.storefront?.code == "EU" && found.first?.units == 1)
  }

  @Test func december2012() throws {
    guard let result = try settle("FY2013-P03", ["finance"], naming: ["1212"]) else { return }
    let lines = try #require(result.settlement?.lines)
    #expect(lines.map(\.currency.code) == ["AUD", "CHF", "DKK", "INR", "JPY", "MXN"])
    #expect(result.findings.allSatisfy { $0.code == .reportMissing }, "all footers fit")
  }

  /// The detail reads whole: sales of before the month are carried in.
  @Test func november2025() throws {
    guard let result = try settle("FY2026-P02", ["finance_detail"], naming: ["z1"]) else { return }
    let lines = try #require(result.settlement?.lines)
    #expect(lines.map(\.currency.code) == ["AUD", "BRL", "CAD", "CHF", "CNY"])
    #expect(
      lines.map(\.settled.micros) == [50_980_000, 14_780_000, 8_480_000, 15_730_000, 2_664_060_000])
    #expect(lines.map(\.carryIn.micros) == [2_310_000, 0, 4_240_000, 0, 240_900_000])
  }
}
