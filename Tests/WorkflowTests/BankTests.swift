import Billing
import Conclusions
import Ledger
import Reporting
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// Level 5: payouts against the bank statement.
@Suite struct BankTests {
  private static let month = FiscalMonth(year: 2023, number: 9)!

  /// A settled world, with a statement whose first line is the payout of June.
  private func run(_ statement: (String) -> String) throws -> (SettledRun, TruePayout) {
    let run = try SettledRun.withoutStatement()
    let payout = try #require(run.truth.settlement?.first).payout
    let amount = decimalText(micros: payout.amount, minimumDigits: 2)
    try run.inputs.folder.write("bank/statement.csv", statement(amount))
    let summary = try run.inputs.folder.importing("bank") { $0.ledgerPath = run.ledger }
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    #expect(summary.files.map(\.kind) == [.bank])
    return (run, payout)
  }

  private func bankFindings(_ result: Reconciliation) -> [Finding] {
    result.findings.filter { $0.code.level == 5 }
  }

  private static let header = "date,amount,currency,reference\n"

  @Test func `a credit of the payout's amount gives its day`() throws {
    let (run, payout) = try run { amount in
      Self.header + "2023-07-20,\(amount),USD,other\n2023-08-01,12.00,CNY,rent\n"
        + "2023-08-02,\(amount),CNY,SWIFT 77\n2023-08-20,-3.00,CNY,fee\n"
    }
    let result = try run.reconcile(Self.month.period)
    #expect(bankFindings(result) == [])
    let settlement = try #require(result.settlement)
    let bank = try #require(settlement.payouts.first)
    #expect(bank.received?.micros == payout.amount && bank.day == Day("2023-08-02"))
    #expect(!bank.isDayEstimated)
    // The day of payment of each region is the bank's.
    let days = Set(settlement.payments.compactMap(\.paidOn))
    #expect(days == [Day("2023-08-02")!])
    #expect(
      reconciliationSummary(result, workbook: nil).contains("received by the bank on 2023-08-02\n"))
  }

  /// A statement that ends before the payout says nothing of it: that Apple's word alone stands is
  /// to be told.
  @Test(arguments: [("2023-07-25", true), ("2023-08-02", true), ("2023-08-20", false)])
  func `a payout after the last line is told by Apple alone`(last: String, isUnseen: Bool) throws {
    let (run, payout) = try run { _ in
      Self.header + "2023-07-03,7.00,CNY,rent\n\(last),12.00,CNY,rent\n"
    }
    let ledger = try Ledger(path: run.ledger, mode: .snapshot())
    var facts = SettlementFacts()
    let days = Self.month.first...Day("2023-08-31")!
    facts.payments = try ledger.payments(of: days)
    facts.bank = try ledger.bank(of: days)
    let unseen = facts.unseenPayouts(Settings(), asOf: Day("2023-08-31")!)
    #expect(unseen.map(\.month) == (isUnseen ? [Self.month] : []))
    #expect(unseen.allSatisfy { $0.amount.micros == payout.amount })
    // Not before it was due, and not where nobody imports statements.
    #expect(facts.unseenPayouts(Settings(), asOf: Day("2023-07-20")!).isEmpty)
    facts.bank = BankFacts()
    #expect(facts.unseenPayouts(Settings(), asOf: Day("2023-08-31")!).isEmpty)
  }

  /// A payout in several credits; `#` and `~` are two parts of it. What is left over is no bank's
  /// charge on one of them.
  @Test(arguments: [
    ("2023-08-02,#,CNY,APPLE\n2023-08-02,~,CNY,APPLE", "0 2 2023-08-02"),
    ("2023-08-02,#,CNY,APPLE\n2023-08-04,~,CNY,APPLE\n2023-08-02,9,CNY,APPLE", "0 2 2023-08-04"),
    ("2023-08-02,#,CNY,APPLE\n2023-08-02,~,CNY,rent", "2000 1 2023-08-02"),
    ("2023-08-02,#,CNY,APPLE\n2023-08-02,1999.00,CNY,APPLE", "1 2 2023-08-02"),
    ("2023-08-02,#,CNY,APPLE\n2023-08-02,2001.00,CNY,APPLE", "2000 1 2023-08-02"),
    ("2023-08-02,#,CNY,APPLE\n2023-08-05,1999.00,CNY,APPLE", "2000 1 2023-08-02"),
  ])
  func `several credits may be one payout`(lines: String, standing: String) throws {
    let (run, payout) = try run { amount in
      let cents = Int64(amount.replacing(".", with: ""))! - 200_000
      let rest = decimalText(micros: cents * 10_000, minimumDigits: 2)
      return Self.header + lines.replacing("#", with: rest).replacing("~", with: "2000.00") + "\n"
    }
    let result = try run.reconcile(Self.month.period)
    let bank = try #require(result.settlement?.payouts.first)
    let short = payout.amount - (try #require(bank.received)).micros
    #expect(
      "\(decimalText(micros: short)) \(bank.creditCount) \(bank.day)" == standing)
    #expect(bankFindings(result).map(\.code) == (short == 0 ? [] : [.bankDiffers]))
    #expect(bankFindings(result).allSatisfy { $0.sources.count == bank.creditCount + 1 })
  }

  @Test func `another amount with Apple's name differs`() throws {
    let (run, payout) = try run { _ in
      Self.header + "2023-08-03,100.00,CNY,APPLE DISTRIBUTION\n2023-08-04,7.00,CNY,rent\n"
    }
    let result = try run.reconcile(Self.month.period)
    let found = bankFindings(result)
    #expect(found.map(\.code) == [.bankDiffers])
    let finding = try #require(found.first)
    #expect(finding.amount == payout.amount - 100_000_000 && finding.severity == .error)
    #expect(finding.sources.contains { $0.file.hasSuffix("statement.csv") && $0.line == 2 })
    #expect(result.settlement?.payouts.first?.received?.micros == 100_000_000)
  }

  /// What Apple's payout becomes by the lines below its credit of 2 August; a line that moves it on
  /// takes nothing back.
  @Test(arguments: [
    ("2023-08-07,-#,CNY,RETURN APPLE DISTRIBUTION", "returned 2023-08-02 2023-08-07"),
    ("2023-08-02,-#,CNY,APPLE DISTRIBUTION", "returned 2023-08-02 2023-08-02"),
    ("2023-08-03,-#,CNY,APPLE\n2023-08-09,#,CNY,APPLE", "received 2023-08-09"),
    ("2023-08-03,-#,CNY,APPLE\n2023-08-02,#,CNY,APPLE", "received 2023-08-02"),
    ("2023-08-03,-#,CNY,to savings", "received 2023-08-02"),
    ("2023-08-03,-1.00,CNY,APPLE", "received 2023-08-02"),
    ("2023-08-03,-#,USD,APPLE", "received 2023-08-02"),
    ("2023-08-01,-#,CNY,APPLE", "received 2023-08-02"),
    ("2023-09-05,-#,CNY,APPLE", "received 2023-08-02"),
  ])
  func `a credit that is taken back is no receipt`(lines: String, standing: String) throws {
    let (run, payout) = try run { amount in
      Self.header + "2023-08-02,\(amount),CNY,APPLE DISTRIBUTION\n"
        + lines.replacing("#", with: amount) + "\n2023-09-06,2.00,CNY,rent\n"
    }
    let result = try run.reconcile(Self.month.period)
    let bank = try #require(result.settlement?.payouts.first)
    let days = bank.returned.map { "returned \($0.lowerBound) \($0.upperBound)" }
    #expect(days ?? "received \(bank.day)" == standing)
    #expect((bank.received == nil) == (days != nil))
    let found = bankFindings(result)
    #expect(found.map(\.code) == (days == nil ? [] : [.payoutNotReceived]))
    let lines = found.flatMap(\.sources).filter { $0.file.hasSuffix("statement.csv") }
    #expect(Set(lines.map(\.line)) == (days == nil ? [] : [2, 3]))
    #expect(found.allSatisfy { $0.amount == payout.amount })
  }

  @Test func `a payout that the statement lacks is not received, once it is late`() throws {
    let (run, payout) = try run { _ in
      Self.header + "2023-07-20,1.00,CNY,rent\n2023-08-31,2.00,CNY,rent\n"
    }
    // FY2023-P09 ends on 1 July and is paid on 3 August.
    #expect(bankFindings(try run.reconcile(Self.month.period, asOf: "2023-08-07")) == [])
    let found = bankFindings(try run.reconcile(Self.month.period, asOf: "2023-08-08"))
    #expect(found.map(\.code) == [.payoutNotReceived])
    #expect(found.first?.amount == payout.amount)
    // The next month's payout is due after the statement ends: nobody knows.
    #expect(bankFindings(try run.reconcile(Self.month.next.period, asOf: "2023-10-20")) == [])
  }

  @Test func `without a statement the day may be configured`() throws {
    let run = try SettledRun.withoutStatement()
    var request = run.request(Self.month.period)
    request.settings.paymentDays = [Self.month: Day("2023-08-01")!]
    let payout = try #require(try reconcile(request).settlement?.payouts.first)
    #expect(payout.day == Day("2023-08-01") && !payout.isDayEstimated && payout.received == nil)
  }

  @Test func `overlapping statements and JSON lines tell a credit once`() throws {
    let (run, payout) = try run { amount in
      Self.header + "2023-08-02,\(amount),CNY,a\n2023-08-03,5.00,CNY,b\n"
    }
    let amount = decimalText(micros: payout.amount, minimumDigits: 2)
    try run.inputs.folder.write(
      "again/more.jsonl",
      "{\"date\":\"2023-08-02\",\"amount\":\"\(amount)\",\"currency\":\"CNY\","
        + "\"reference\":\"a\"}\n"
        + "{\"date\":\"2023-09-30\",\"amount\":\"6.00\",\"currency\":\"CNY\"}\n")
    _ = try run.inputs.folder.importing("again") { $0.ledgerPath = run.ledger }
    let july = try run.reconcile(Self.month.next.period, asOf: "2023-10-20")
    // The repeated credit is not July's payout too.
    #expect(bankFindings(july).map(\.code) == [.payoutNotReceived])
    #expect(bankFindings(try run.reconcile(Self.month.period)) == [])
  }
}
