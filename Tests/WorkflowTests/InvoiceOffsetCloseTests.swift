import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// Goal: what Apple took off a payment for its own invoices is booked against them once a person
/// says so, and never before. Method: a settled world whose payout of June is short by what an
/// invoice comes to, at the bank or in Apple's summary, over the closes of June, July and August.
@Suite struct InvoiceOffsetCloseTests {
  enum Place: String, CaseIterable, Sendable { case bank, summary }

  private static let month = FiscalMonth(year: 2023, number: 9)!
  private static let short = "137.50"

  @Test(arguments: Place.allCases, [true, false])
  func anAcceptedOffsetIsBookedInTheNextClose(place: Place, isAccepted: Bool) throws {
    let world = try World(place)
    let offset = try #require(try world.offsets().first)
    #expect(try world.offsets().count == 1)
    #expect(offset.severity != .error && offset.amount == nil)
    #expect(offset.explanation.english.contains("invoice I-7 of 137.50 CNY, due on 2023-07-31"))
    #expect(offset.explanation.english.contains("probably"))
    for period in [Self.month.period, Period("2023-06")!, Period("2023-07")!] {
      try world.close(period)
    }
    // Until then it is a difference of the payment.
    #expect(try world.booked(.commissionPayable, "2023-07").isEmpty)
    #expect(try world.booked(.paymentDifference, "2023-07").map(\.amount) == [137_500_000])
    if isAccepted { try world.say(.accept, offset) }
    try world.close(Period("2023-08")!)
    let august = try world.booked(.commissionPayable, "2023-08")
    let reversed = try world.booked(.paymentDifference, "2023-08")
    #expect(august.map(\.amount) == (isAccepted ? [137_500_000] : []))
    #expect(reversed.map(\.amount) == (isAccepted ? [-137_500_000] : []))
    #expect(august.allSatisfy { $0.day == "2023-08-01" && $0.narration.hasSuffix("invoices I-7") })
    let kinds = try world.rows("settled.csv", Period("2023-08")!).map { $0["kind"]! }
    #expect(kinds.contains("offset") == isAccepted)
    try world.checkReceivable(["2023-06", "2023-07", "2023-08"])
  }

  @Test(arguments: Place.allCases) func whatIsAcceptedBeforeIsBookedAtOnce(place: Place) throws {
    let world = try World(place)
    let offset = try #require(try world.offsets().first)
    try world.say(.accept, offset)
    try world.close(Self.month.period)
    for month in ["2023-06", "2023-07"] { try world.close(Period(month)!) }
    #expect(try world.booked(.commissionPayable, "2023-07").map(\.amount) == [137_500_000])
    // Both on the day of the difference: together they come to nothing.
    let sum = try world.booked(.paymentDifference, "2023-07").reduce(0) { $0 + $1.amount }
    #expect(sum == 0)
    // Who takes it back has it reversed in the next close.
    try world.say(.reopen, offset)
    try world.close(Period("2023-08")!)
    #expect(try world.booked(.commissionPayable, "2023-08").map(\.amount) == [-137_500_000])
    try world.checkReceivable(["2023-06", "2023-07", "2023-08"])
  }

  /// The facts that were accepted are the amount and the invoices.
  @Test func anotherInvoiceIsNotWhatWasAccepted() throws {
    let world = try World(.bank)
    let offset = try #require(try world.offsets().first)
    try world.say(.accept, offset)
    try world.importInvoices("I-8", "2023-07-15")
    let other = try #require(try world.offsets().first)
    #expect(other.explanation.english.contains("invoice I-8 of 137.50 CNY"))
    #expect(other.id != offset.id)
    try world.close(Self.month.period)
    for month in ["2023-06", "2023-07"] { try world.close(Period(month)!) }
    #expect(try world.booked(.commissionPayable, "2023-07").isEmpty)
  }

  /// What was said of June's proposal when a later payment is looked at.
  enum Said: CaseIterable, Sendable { case nothing, closed, accepted }

  /// The month after, and one whose reach June is not in.
  enum Later: String, CaseIterable, Sendable {
    case next = "FY2023-P10"
    case beyond = "FY2024-P03"
    var month: FiscalMonth { FiscalMonth(rawValue)! }
  }

  /// While June is open, its proposal holds the invoice; a close that nobody accepted it in lets it
  /// go, and one that accepted it keeps it for good.
  @Test(arguments: Said.allCases, Later.allCases)
  func aLaterPaymentIsHeldAgainstWhatIsOpen(said: Said, later: Later) throws {
    let world = try World(.bank)
    let offset = try #require(try world.offsets().first)
    try world.shorten(later)
    if said == .accepted { try world.say(.accept, offset) }
    if said != .nothing { try world.close(Self.month.period) }
    let proposed = try world.offsets(in: later.month, asOf: "2024-03-20")
    let open = [["137.50 CNY", "I-7 137.50 CNY"]]
    #expect(proposed.map(\.documents) == (said == .closed ? open : []))
    // June itself says what it said.
    if said == .nothing { #expect(try world.offsets().map(\.id) == [offset.id]) }
  }

  /// A number that stands on invoices of two currencies names two invoices.
  @Test func theSameNumberInAnotherCurrencyIsAnotherInvoice() throws {
    let world = try World(.bank)
    let offset = try #require(try world.offsets().first)
    try world.say(.accept, offset)
    try world.close(Self.month.period)
    try world.importInvoices("I-7", "2023-08-31", total: "20.00", "USD", file: "dollars")
    try world.run.inputs.folder.write(
      "more/rates.csv", "date,base,quote,rate\n2023-09-07,USD,CNY,6.875\n")
    let rates = try world.run.inputs.folder.importing("more") { $0.ledgerPath = world.run.ledger }
    #expect(rates.errorCount == 0, "\(rates.allDiagnostics)")
    try world.shorten(.next)
    let proposed = try world.offsets(in: Later.next.month, asOf: "2023-09-20")
    #expect(proposed.map(\.documents) == [["137.50 CNY", "I-7 20.00 USD"]])
    #expect(try world.offsets().map(\.id) == [offset.id])
  }

  /// Nobody pays an invoice twice: of two acceptances the earlier month's is booked.
  @Test func whatIsAcceptedTwiceIsBookedOnce() throws {
    let world = try World(.bank)
    let first = try #require(try world.offsets().first)
    try world.shorten(.next)
    try world.close(Self.month.period)
    let second = try #require(
      try world.offsets(in: Later.next.month, asOf: "2023-09-20").first)
    try world.close(Later.next.month.period)
    for month in ["2023-06", "2023-07", "2023-08"] { try world.close(Period(month)!) }
    try world.say(.accept, second)
    try world.say(.accept, first)
    let result = try world.run.reconcile(Period("2023-09")!)
    let booked = try #require(result.books).settled.filter { $0.key.kind == .offset }
    #expect(booked.map(\.micros) == [137_500_000])
    #expect(booked.map(\.key.month) == [Self.month])
    #expect(
      result.notes.contains {
        $0.english.contains("invoices I-7 are accepted as set off more than once")
      })
  }

  /// An invoice that was accepted beside one that is set off already stays open.
  @Test func whatIsRefusedHoldsNoOtherInvoice() throws {
    let world = try World(.bank)
    try world.importInvoices("I-8", "2023-08-31", total: "20.00")
    let first = try #require(try world.offsets().first)
    try world.shorten(.next, by: "157.50")
    try world.close(Self.month.period)
    let second = try #require(
      try world.offsets(in: Later.next.month, asOf: "2023-09-20").first)
    #expect(second.documents == ["157.50 CNY", "I-7 137.50 CNY", "I-8 20.00 CNY"])
    try world.close(Later.next.month.period)
    for month in ["2023-06", "2023-07", "2023-08"] { try world.close(Period(month)!) }
    try world.say(.accept, second)
    try world.say(.accept, first)
    let result = try world.run.reconcile(Period("2023-09")!)
    let booked = try #require(result.books).settled.filter { $0.key.kind == .offset }
    #expect(booked.map(\.key.month) == [Self.month])
    let told = result.notes.map(\.english).filter { $0.contains("set off more than once") }
    #expect(told.count == 1 && told[0].contains("invoices I-7 are accepted"), "\(told)")
    try world.shorten(.beyond, by: "20.00")
    let proposed = try world.offsets(in: Later.beyond.month, asOf: "2024-03-20")
    #expect(proposed.map(\.documents) == [["20.00 CNY", "I-8 20.00 CNY"]])
  }

  /// A month before the first close can be closed no more: what it proposes holds nothing.
  @Test func aMonthBeforeTheFirstCloseHoldsNoInvoice() throws {
    let world = try World(.bank)
    #expect(try world.offsets().count == 1)
    try world.shorten(.beyond)
    #expect(try world.offsets(in: Later.beyond.month, asOf: "2024-03-20").isEmpty)
    try world.close(Later.next.month.period)
    let proposed = try world.offsets(in: Later.beyond.month, asOf: "2024-03-20")
    #expect(proposed.map(\.documents) == [["137.50 CNY", "I-7 137.50 CNY"]])
  }

  /// Without an invoice nobody proposes anything.
  @Test func withoutAnInvoiceItIsOnlyADifference() throws {
    let world = try World(.bank, hasInvoice: false)
    #expect(try world.offsets().isEmpty)
  }

  private struct World {
    struct Booked {
      var day: String
      var narration: String
      var amount: Int64
    }

    let run: SettledRun

    init(_ place: Place, hasInvoice: Bool = true) throws {
      run = try SettledRun(SettledRun.parameters(seed: 72, orders: 1500))
      let folder = run.inputs.folder
      let short = try #require(micros(decimal: InvoiceOffsetCloseTests.short))
      let payout = try #require(run.truth.settlement?.first).payout.amount
      let paid = decimalText(micros: payout - short, minimumDigits: 2)
      try folder.write(
        "bank/statement.csv",
        "date,amount,currency,reference\n2023-07-20,\(paid),CNY,APPLE\n2023-08-31,1.00,CNY,rent\n")
      _ = try folder.importing("bank") { $0.ledgerPath = run.ledger }
      if place == .summary {
        let name = "financial_report-0623.csv"
        let text = try String(
          contentsOfFile: "\(run.inputs.path)/finance/\(name)", encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
          Self.lowered(String($0), by: short)
        }
        try folder.write("again/\(name)", lines.joined(separator: "\n"))
        let summary = try folder.importing("again") { $0.ledgerPath = run.ledger }
        #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
      }
      if hasInvoice { try importInvoices("I-7", "2023-07-31") }
    }

    /// What mainland China is owed and paid, and the payout, less an amount.
    private static func lowered(_ line: String, by short: Int64) -> String {
      var fields = line.components(separatedBy: ",")
      func lower(_ place: Int) {
        let digits = fields[place].filter { "-.0123456789".contains($0) }
        let rest = decimalText(micros: micros(decimal: digits)! - short, minimumDigits: 2)
        fields[place] = fields[place].replacing(digits, with: rest)
      }
      if line.hasPrefix(",,,,,,,,,,\"") { lower(10) }
      if line.contains("(CNY)") {
        lower(7)
        lower(9)
      }
      return fields.joined(separator: ",")
    }

    func importInvoices(
      _ number: String, _ due: String, total: String = InvoiceOffsetCloseTests.short,
      _ currency: String = "CNY", file: String? = nil
    ) throws {
      let name = "invoices/\(file ?? number).csv"
      try run.inputs.folder.write(
        name,
        """
        invoice_number,billing_period,app,currency,amount,tax,total,due
        \(number),2023-05,Orbit,\(currency),\(total),0,\(total),\(due)

        """)
      let summary = try run.inputs.folder.importing(name) {
        $0.ledgerPath = run.ledger
      }
      #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    }

    /// Lets the bank have less of the next payment, or Apple pay less of one half a year later.
    func shorten(_ later: Later, by amount: String = InvoiceOffsetCloseTests.short) throws {
      let folder = run.inputs.folder
      let short = try #require(micros(decimal: amount))
      switch later {
      case .next:
        let payout = try #require(run.truth.settlement?.last).payout.amount
        let paid = decimalText(micros: payout - short, minimumDigits: 2)
        try folder.write(
          "later-\(later.rawValue)/statement.csv",
          "date,amount,currency,reference\n2023-09-01,1.00,CNY,rent\n"
            + "2023-09-07,\(paid),CNY,APPLE\n")
      case .beyond:
        let text = try String(
          contentsOfFile: "\(run.inputs.path)/finance/financial_report-0623.csv", encoding: .utf8)
        let lines = text.replacing("(June, 2023)", with: "(December, 2023)")
          .split(separator: "\n", omittingEmptySubsequences: false)
          .map { Self.lowered(String($0), by: short) }
        try folder.write(
          "later-\(later.rawValue)/financial_report-1223.csv", lines.joined(separator: "\n"))
      }
      let summary = try folder.importing("later-\(later.rawValue)") { $0.ledgerPath = run.ledger }
      #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    }

    func offsets(
      in month: FiscalMonth = InvoiceOffsetCloseTests.month, asOf: String = "2023-09-20"
    ) throws -> [Finding] {
      let result = try run.reconcile(month.period, asOf: asOf)
      #expect(recordFindings(of: result, in: run.ledger) == nil)
      return result.findings.filter { $0.code == .offset }
    }

    func say(_ action: Remark.Action, _ finding: Finding) throws {
      _ = try remark(
        RemarkRequest(
          ledgerPath: run.ledger, action: action, findings: [finding.id], assignee: "",
          reason: "Apple wrote so", by: "ann", at: Instant(seconds: 1_695_000_000)))
    }

    func close(_ period: Period) throws {
      let errors = try run.reconcile(period).findings.filter { $0.severity == .error }
      let outcome = try Workflow.close(
        CloseRequest(
          reconcile: run.request(period),
          accepted: errors.map { (id: $0.id, reason: "known") }, by: "ann",
          at: Instant(seconds: 1_695_100_000), version: "test"))
      guard case .closed = outcome else {
        Issue.record("\(period) is not closed: \(outcome)")
        return
      }
    }

    func rows(_ name: String, _ period: Period) throws -> [[String: String]] {
      try closedRows(name, period, ledger: run.ledger)
    }

    /// In Chinese yuan.
    func booked(_ role: AccountRole, _ month: String) throws -> [Booked] {
      try rows("journal.csv", Period(month)!).filter {
        $0["account"] == Accounts()[role] && $0["currency"] == "CNY"
      }.map {
        Booked(
          day: $0["date"]!, narration: $0["narration"]!,
          amount: try #require(micros(decimal: $0["amount"]!)))
      }
    }

    /// The last roll-forward ends with what the accounts of all closes come to, and the journals
    /// are such as other programs accept.
    func checkReceivable(_ months: [String]) throws {
      var sums: [String: Int64] = [:]
      for month in months {
        for row in try rows("journal.csv", Period(month)!)
        where row["account"] == Accounts()[.receivable] {
          sums[row["currency"]!, default: 0] += try #require(micros(decimal: row["amount"]!))
        }
        let text = String(
          decoding: try closeDocument(
            "journal.hledger", of: Period(month)!, number: nil, ledgerPath: run.ledger),
          as: UTF8.self)
        let said = try complaint(of: ["hledger", "check", "--strict", "-f"], about: text)
        #expect(said == nil, "\(said ?? "")")
      }
      let table = try rows("receivable.csv", Period(months.last!)!)
        .filter { $0["currency"] == $0["in"] }
      #expect(!table.isEmpty)
      for row in table {
        #expect(micros(decimal: row["closing"]!) == sums[row["currency"]!] ?? 0, "\(row)")
      }
    }
  }
}
