import Billing
import Conclusions
import Foundation
import GRDB
import Matching
import Simulation
import Support
import Synchronization
import Testing

@testable import Ledger
@testable import Workflow

/// Findings that were recorded are used again while nothing that they follow from has changed, and
/// not once longer.
@Suite struct RecordedUseTests {
  /// How often something was reconciled.
  private final class Phases: Sendable {
    private let told = Mutex(0)
    var count: Int { told.withLock { $0 } }
    func tell() { told.withLock { $0 += 1 } }
  }

  private static let june = Period("2023-06")!
  private let inputs: SimulatedInputs
  private var ledger: String { inputs.folder.ledger }
  private var settings = Settings()

  init() throws {
    var parameters = SimulationParameters()
    parameters.orders = 400
    parameters.faults = SimulationParameters.everyFault()
    inputs = try SimulatedInputs(parameters)
    settings.bundleIDs = ["com.lumen.orbit"]
    // Some findings reach it.
    settings.material = [Currency("CNY")!: 50_000_000]
    try add([inputs.path])
  }

  private func add(_ paths: [String], noSales: [Day] = []) throws {
    var request = ImportRequest(
      paths: paths, ledgerPath: ledger, importedAt: Instant(seconds: 1_688_500_000))
    request.roots = inputs.roots.certificates
    request.leftOut = inputs.roots.paths
    (request.noSales, request.vendor) = (noSales, noSales.isEmpty ? nil : "85127269")
    request.isForced = true
    _ = try importFiles(request)
  }

  private func request(version: String? = "1", _ change: (inout Settings) -> Void = { _ in })
    -> ReconcileRequest
  {
    var settings = settings
    change(&settings)
    var request = ReconcileRequest(
      ledgerPath: ledger, period: Self.june, settings: settings, asOf: Day("2023-07-05")!)
    request.version = version
    return request
  }

  private func export(_ request: ReconcileRequest) throws -> (rows: [UInt8], phases: Int) {
    let phases = Phases()
    var wanted = ExportRequest(
      .findings, ledgerPath: ledger, settings: request.settings, asOf: request.asOf,
      isJSONLines: true)
    (wanted.period, wanted.version) = (Self.june, request.version)
    wanted.phase = { _ in phases.tell() }
    let rows = Mutex<[UInt8]>([])
    try Workflow.export(wanted) { bytes in rows.withLock { $0 += bytes } }
    return (rows.withLock { $0 }, phases.count)
  }

  private func record(_ request: ReconcileRequest) throws {
    #expect(recordFindings(of: try reconcile(request), in: ledger) == nil)
  }

  @Test func `an export prints what was recorded, to the byte`() throws {
    let before = try export(request())
    #expect(before.phases > 0)
    try record(request())
    let again = try export(request())
    #expect(again.phases == 0)
    #expect(again.rows == before.rows)
    #expect(String(decoding: again.rows, as: UTF8.self).contains("\"material\":true"))
    // What is said of a finding is no part of what it follows from, and is printed.
    let id = try #require(try reconcile(request()).findings.first { $0.severity == .error }).id
    _ = try remark(
      RemarkRequest(
        ledgerPath: ledger, action: .assign, findings: [id], assignee: "bob", reason: "", by: "ann",
        at: Instant(seconds: 1_688_600_000)))
    let said = try export(request())
    #expect(said.phases == 0)
    #expect(said.rows != before.rows)
    #expect(said.rows == (try export(request(version: nil))).rows)
  }

  @Test func `nothing is used again once anything has changed`() throws {
    try record(request())
    #expect(try export(request()).phases == 0)
    #expect(try export(request(version: "2")).phases > 0)
    #expect(try export(request(version: nil)).phases > 0)
    #expect(try export(request { $0.tolerance += 1 }).phases > 0)
    #expect(try export(request { $0.sandboxUsers = ["one", "two"] }).phases > 0)
    var later = request()
    later.asOf = Day("2023-07-06")!
    #expect(try export(later).phases > 0)
    // A day without sales, a file, and the file forgotten again.
    let missing = try #require(inputs.truth.expected.first { $0.code == .reportMissing }?.date)
    try add([inputs.path + "/products.csv"], noSales: [missing])
    #expect(try export(request()).phases > 0)
    try record(request())
    #expect(try export(request()).phases == 0)
    try inputs.folder.write("rates-2.csv", "date,base,quote,rate\n2023-06-30,USD,CNY,7.3\n")
    try add([inputs.folder.path + "/rates-2.csv"])
    let changed = try export(request())
    #expect(changed.phases > 0)
    #expect(changed.rows == (try export(request(version: nil))).rows)
  }

  @Test func `sets say the same in any order`() {
    for _ in 0..<20 {
      var (first, second) = (Settings(), Settings())
      first.sandboxUsers = Set((0..<40).map { "user \($0)" })
      second.sandboxUsers = Set((0..<40).reversed().map { "user \($0)" })
      #expect(stableText(of: first) == stableText(of: second))
      second.sandboxUsers.remove("user 7")
      #expect(stableText(of: first) != stableText(of: second))
    }
    #expect(stableText(of: ["a,b"]) != stableText(of: ["a", "b"]))
    #expect(stableText(of: String?.none as Any) != stableText(of: "nil"))
  }

  @Test func `a refused close reconciles nothing, and refuses the same`() throws {
    func refusal(_ version: String?) throws -> (open: [Finding], phases: Int) {
      let phases = Phases()
      var wanted = request(version: version)
      wanted.phase = { _ in phases.tell() }
      let outcome = try close(
        CloseRequest(
          reconcile: wanted, accepted: [], by: "ann", at: Instant(seconds: 1_688_600_000),
          version: "1"))
      guard case .refused(let open) = outcome else {
        Issue.record("closed over open errors")
        return ([], 0)
      }
      return (open, phases.count)
    }
    let first = try refusal("1")
    #expect(first.phases > 0 && !first.open.isEmpty)
    // The refusal itself recorded them.
    let second = try refusal("1")
    #expect(second.phases == 0)
    #expect(second.open == first.open)
  }

  /// A table that is new has to be looked at: conclusions that rest on it need it in the digest.
  @Test func `each table is one that conclusions rest on, or follows from one`() throws {
    let followsFromFiles =
      [
        "reject", "id_run", "id_page", "sales_product", "sales_terms", "sales_condition",
        "order_terms", "transaction_terms", "finance_terms", "extra_terms", "subscription_terms",
        "subscription_event_terms", "subscriber_terms", "message_terms", "renewal_terms",
        "event_terms", "answer_page_block", "bank_credit_block", "commission_block",
        "coin_balance_block", "coin_movement_block", "coin_movement_terms",
        "commission_invoice_block", "event_block", "extra_block", "finance_block",
        "finance_footer_block", "finding_sale_block", "game_item_block",
        "item_block", "item_refund_block",
        "message_block", "order_block", "payment_line_block", "payout_block", "product_block",
        "rate_block", "renewal_block", "sales_block", "subscriber_block",
        "subscription_event_block", "subscription_block", "tax_block", "tier_block",
        "transaction_block", "unit_count_block", "ledger", "table_digest",
      ]
    let saidOfConclusions = [
      "finding_run", "finding_action", "finding_file", "finding", "finding_order",
      "finding_transaction", "finding_source", "finding_part", "finding_cutoff", "finding_terms",
      "finding_tax", "finding_unsettled", "finding_clock", "finding_pattern",
      "finding_flow", "finding_sale_terms", "finding_former", "finding_user",
      "finding_remark",
    ]
    let ofACloseOrNoFact = [
      "close_input", "close_acceptance", "close_document", "close_booked", "close_figures",
      "close_basis", "close_withheld", "close_signature", "apple_answer", "apple_file",
      "apple_request", "ledger_secret", "output",
    ]
    let known = Ledger.basisTables + followsFromFiles + saidOfConclusions + ofACloseOrNoFact
    let tables = try DatabaseQueue(path: ledger).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }
    #expect(Set(tables).subtracting(known) == [])
  }
}
