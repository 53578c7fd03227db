import Billing
import Conclusions
import GRDB
import Matching
import Simulation
import Support
import Testing

@testable import Ledger
@testable import Workflow

/// What is recorded while a month is still being reconciled is what would be recorded at its end.
///
/// Taken for granted elsewhere, and broken here: that nothing is added to the findings afterwards,
/// that the reconciliation ends, that the ledger takes it, and that it was not recorded before.
@Suite struct RecordingAheadTests {
  private static let june = Period("2023-06")!
  private let inputs: SimulatedInputs
  private var ledger: String { inputs.folder.ledger }

  init() throws {
    var parameters = SimulationParameters()
    parameters.orders = 300
    parameters.faults = SimulationParameters.everyFault()
    inputs = try SimulatedInputs(parameters)
    try inputs.importing()
  }

  private func request(_ recording: RecordingAhead? = nil) -> ReconcileRequest {
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    // Some findings reach it.
    settings.material = [Currency("CNY")!: 50_000_000]
    var request = ReconcileRequest(
      ledgerPath: ledger, period: Self.june, settings: settings, asOf: Day("2023-07-05")!)
    request.version = "1"
    request.resolvesSales = true
    request.recording = recording
    return request
  }

  /// Everything that runs leave in the ledger.
  private func recorded() throws -> [String] {
    try DatabaseQueue(path: ledger).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'finding%'"
      ).flatMap { table in
        try [table] + Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\($0)" }.sorted()
      }
    }
  }

  private func recordAhead(
    _ conclude: (RecordingAhead) throws -> Reconciliation?
  ) throws -> Wording? {
    let recording = RecordingAhead(of: Self.june, in: ledger)
    let (ended, refusal) = inTwoThreads(
      {
        Result {
          defer { recording.finish(nil) }
          if let result = try conclude(recording) { recording.finish(result) }
        }
      },
      { recording.run() })
    try ended.get()
    return refusal
  }

  @Test func `ahead or at the end, the same is recorded`() throws {
    #expect(try recordAhead { try reconcile(request($0)) } == nil)
    let ahead = try recorded()
    #expect(ahead.count > 300)
    // Nothing that the run follows from has changed: the ledger stays as it is.
    let bytes = inputs.folder.ledgerBytes
    #expect(try recordAhead { try reconcile(request($0)) } == nil)
    #expect(inputs.folder.ledgerBytes == bytes)
    // At the end, in place of what was recorded from something else.
    var other = request()
    other.version = "2"
    #expect(recordFindings(of: try reconcile(other), in: ledger) == nil)
    #expect(recordFindings(of: try reconcile(request()), in: ledger) == nil)
    #expect(try recorded() == ahead)
  }

  /// Many findings are recorded without their indexes, which are made anew.
  @Test func `many are recorded as few are`() throws {
    func indexes() throws -> [String] {
      try DatabaseQueue(path: ledger).read { db in
        #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
        return try String.fetchAll(
          db,
          sql: """
            SELECT sql FROM sqlite_schema WHERE type = 'index' AND name LIKE 'finding%'
            ORDER BY name
            """)
      }
    }
    let before = try indexes()
    var result = try reconcile(request())
    let few = result.findings
    result.findings = (0..<4096).map { few[$0 % few.count] }
    #expect(recordFindings(of: result, in: ledger) == nil)
    #expect(try indexes() == before)
    #expect(try Ledger.reading(ledger) { try $0.recordedFindings(Self.june) } == result.findings)
    // Few are added to the indexes as they are.
    result.findings = few
    #expect(recordFindings(of: result, in: ledger) == nil)
    #expect(try indexes() == before)
    #expect(try Ledger.reading(ledger) { try $0.recordedFindings(Self.june) } == few)
  }

  @Test func `what was added or changed after that is recorded too`() throws {
    let result = try reconcile(request())
    #expect(recordFindings(of: result, in: ledger) == nil)
    let expected = try recorded()
    var other = request()
    other.version = "2"
    for change in 0..<4 {
      #expect(recordFindings(of: try reconcile(other), in: ledger) == nil)
      var (begun, sales) = (result.findings, result.sales)
      switch change {
      case 0: begun.removeLast(2)
      case 1: begun[7].amount = 1
      case 2: begun.swapAt(3, 4)
      default: sales.rows.removeLast()
      }
      let refusal = try recordAhead { [begun, sales] recording in
        recording.begin(sales, findings: begun.count)
        recording.add(begun)
        return result
      }
      #expect(refusal == nil)
      #expect(try recorded() == expected, "\(change)")
    }
  }

  @Test func `without an end nothing is recorded`() throws {
    let result = try reconcile(request())
    let bytes = inputs.folder.ledgerBytes
    for given in 0...3 {
      let refusal = try recordAhead { recording in
        if given & 1 != 0 { recording.begin(result.sales, findings: result.findings.count) }
        if given & 2 != 0 { recording.add(result.findings) }
        return nil
      }
      #expect(refusal == nil)
      #expect(inputs.folder.ledgerBytes == bytes)
    }
    // More than is held ready: all of it at the end.
    var many = result
    many.findings = (0..<250_001).map { _ in result.findings[0] }
    let before = try recorded()
    for known in [many.findings.count, 1] {
      let refusal = try recordAhead { [many] recording in
        recording.begin(many.sales, findings: known)
        recording.add(many.findings)
        return nil
      }
      #expect(refusal == nil)
      #expect(try recorded() == before)
    }
    let refusal = try recordAhead { [many] recording in
      recording.begin(many.sales, findings: 1)
      recording.add(many.findings)
      return result
    }
    #expect(refusal == nil)
    #expect(try Ledger.reading(ledger) { try $0.recordedFindings(Self.june) } == result.findings)
  }

  /// An import goes first, and is told of; it keeps nobody from reading the result.
  @Test func `a ledger in use is told`() throws {
    let result = try reconcile(request())
    let writer = try Ledger(path: ledger, mode: .readWrite)
    var refusal: Wording?
    try writer.write { _ in
      refusal = try recordAhead { recording in
        recording.begin(result.sales, findings: result.findings.count)
        recording.add(result.findings)
        return result
      }
      return .rollback
    }
    #expect(refusal == LedgerError.locked(path: ledger).message)
    #expect(try Ledger.reading(ledger) { try $0.recordedRun(Self.june) } == nil)
  }
}
