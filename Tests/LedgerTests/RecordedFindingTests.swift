import Billing
import Dispatch
import GRDB
import Support
import Testing

@testable import Ledger

/// What a reconciliation found is kept for look-up until the period's next one.
struct RecordedFindingTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }
  private let june = RecordedRun(
    period: Period("2023-06")!, asOf: Day("2023-07-05")!, matchedUnits: 40, unmatchedUnits: 2)
  private let july = RecordedRun(
    period: Period("2023-07")!, asOf: Day("2023-08-05")!, matchedUnits: 41, unmatchedUnits: 0)

  private func finding(
    _ id: String, _ code: FindingCode = .transactionWithoutOrder, orders: [String] = [],
    transactions: [String] = [], sources: [Source] = []
  ) -> Finding {
    Finding(
      code: code, severity: code.severity, storefront: Storefront("CN"), currency: Currency("CNY"),
      date: Day("2023-06-19"), sku: "gems.60", units: 1, amount: -6_000_000, orderIDs: orders,
      transactionIDs: transactions, sources: sources,
      explanation: "said \"so\" in \\ two\nlines \u{1} \("钻石")", action: "look", id: id)
  }

  @Test func `what was recorded comes back as it was`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var bare = finding("b", .reportMissing)
    (bare.storefront, bare.currency, bare.date, bare.sku, bare.units, bare.amount) =
      (nil, nil, nil, nil, nil, nil)
    let full = finding(
      "a", orders: ["O1", "O2"], transactions: ["9", "37"].sorted(),
      sources: [Source(file: "z.csv", line: 3), Source(file: "a.csv", line: 9)])
    try ledger.record([full, bare], of: june)
    #expect(try ledger.recordedFindings(june.period) == [full, bare])
    #expect(try ledger.recordedRun(june.period) == june)
    #expect(
      try ledger.recordedFinding(id: "b")
        == RecordedFinding(finding: bare, period: june.period, asOf: june.asOf))
    #expect(try ledger.recordedFinding(id: "c") == nil)
    #expect(try ledger.recordedFindings(july.period) == nil)
  }

  @Test(arguments: [
    "", "x", "37", "[", "\"a\"", "[\"a", "[[]]", "[[[\"a\"]]]", "[\"\\u00zz\"]", "[\"\\", "[1]",
    "[\"a\"]x",
    String(repeating: "[", count: 100_000),
  ])
  func `a text that nobody wrote is refused`(_ text: String) throws {
    #expect(StoredWording.wording(text) == nil)
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.record([finding("a")], of: june)
    try ledger.write { db in
      try db.execute(sql: "UPDATE finding_action SET wording = ?", arguments: [text])
      return .commit
    }
    #expect(throws: LedgerError.corrupt(path: scratch.ledger, detail: StrangeValue(text).text)) {
      try ledger.recordedFindings(june.period)
    }
  }

  @Test(arguments: ["code = 'no-code'", "severity = 'grave'"])
  func `a word that nobody wrote is refused`(_ change: String) throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.record([finding("a")], of: june)
    try ledger.write { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1")
      try db.execute(sql: "UPDATE finding SET \(change)")
      return .commit
    }
    #expect(throws: LedgerError.self) { try ledger.recordedFindings(june.period) }
  }

  @Test func `texts come back with their values`() throws {
    let amount: Wording = "an unknown price"
    let texts: [Wording] = [
      "", "plain", Wording(verbatim: "37"), "\(37)", "Apple charged \(amount) at \("2023")",
      "Apple charged \(Wording(verbatim: "30.00 CNY") + ", less than " + amount) twice",
      "\(Wording(parts: []))", Wording(verbatim: "a") + "b" + Wording(verbatim: "\"[]\\,\""),
    ]
    for text in texts {
      #expect(StoredWording.wording(StoredWording.json(of: text))?.english == text.english)
    }
    #expect(
      StoredWording.json(of: "at \(12) \(amount)")
        == #"[["at {1} {2}","12",[["an unknown price"]]]]"#)
  }

  @Test func `what the last run found from the same is not recorded again`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var (run, other) = (june, july)
    (run.basis, other.basis) = ("same", "same")
    func isWritten(by record: () throws -> Void) throws -> Bool {
      let before = scratch.ledgerBytes
      try record()
      return scratch.ledgerBytes != before
    }
    #expect(try isWritten { try ledger.record([finding("a")], of: run) })
    #expect(try !isWritten { try ledger.record([finding("a")], of: run) })
    #expect(try ledger.recordedFindings(june.period) == [finding("a")])
    // More than before, and lists that were not asked for before.
    #expect(try isWritten { try ledger.record([finding("a"), finding("b")], of: run) })
    run.flow = ["{}"]
    #expect(try isWritten { try ledger.record([finding("a"), finding("b")], of: run) })
    // What tells of the newest run goes by the last that was recorded.
    #expect(try isWritten { try ledger.record([finding("a")], of: other) })
    #expect(try isWritten { try ledger.record([finding("a"), finding("b")], of: run) })
    #expect(try !isWritten { try ledger.record([finding("a"), finding("b")], of: run) })
    // Nobody knows what a run without a basis follows from.
    run.basis = nil
    #expect(try isWritten { try ledger.record([finding("a"), finding("b")], of: run) })
    #expect(try isWritten { try ledger.record([finding("a"), finding("b")], of: run) })
  }

  @Test func `a later run replaces its own period's findings only`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let source = Source(file: "orders.csv", line: 2)
    try ledger.record([finding("a", orders: ["O1"], sources: [source])], of: june)
    try ledger.record([finding("b", orders: ["O1"], transactions: ["37"])], of: july)
    try ledger.record([finding("c", orders: ["O1"]), finding("d", transactions: ["37"])], of: june)
    #expect(try ledger.recordedFinding(id: "a") == nil)
    #expect(
      try ledger.findings(touchingOrders: ["O1"], transactions: ["37"]).map(\.finding.id)
        == ["c", "d", "b"])
    #expect(try ledger.findings(touchingOrders: [], transactions: ["O1"]).isEmpty)
    try ledger.record([], of: june)
    #expect(try ledger.recordedFindings(june.period) == [])
    #expect(
      try ledger.findings(touchingOrders: ["O1"], transactions: []).map(\.finding.id) == ["b"])
  }

  @Test func `a ledger in use is told, and stays as it was`() throws {
    let first = try Ledger(path: scratch.ledger, mode: .readWrite)
    try first.record([finding("a")], of: june)
    let second = try Ledger(path: scratch.ledger, mode: .readWrite)
    try first.write { _ in
      #expect(throws: LedgerError.locked(path: scratch.ledger)) {
        try second.record([finding("b")], of: june)
      }
      return .rollback
    }
    #expect(try second.recordedFindings(june.period)?.map(\.id) == ["a"])
  }

  /// Rows that two periods have are those of the last run, whichever rows lie between.
  @Test func `sales of another period are replaced where both have them`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    func record(_ rows: [Int32], of run: RecordedRun) throws {
      var run = run
      run.sales = ResolvedSales(
        rows: rows.map {
          ResolvedSale(
            row: TransactionRow.ID($0), order: $0 % 2 == 0 ? nil : OrderRow.ID($0 + 1), terms: 0)
        },
        terms: [ResolvedTerms(rule: "exact")])
      try ledger.record([], of: run)
    }
    func recorded() throws -> [Int: Set<String>] {
      let rows = try scratch.rows("SELECT source_id, id, ifnull(sale_order, '-') FROM finding_sale")
      return Dictionary(grouping: rows.map { $0.split(separator: "|") }, by: { Int($0[0])! })
        .mapValues { Set($0.map { "\($0[1]) \($0[2])" }) }
    }
    try record([1, 3, 6, 90], of: june)
    try record([3, 4, 6, 7], of: july)
    #expect(
      try recorded() == [1: ["1 2", "90 -"], 2: ["3 4", "4 -", "6 -", "7 8"]])
    // More than are copied at once, behind those and before them.
    let many = (Int32(100)...200_000).filter { $0 % 3 > 0 }
    try record(many, of: july)
    try record([1, 3, 201_000], of: june)
    #expect(try recorded()[2]?.count == many.count)
    #expect(try recorded()[3] == ["1 2", "3 4", "201000 -"])
    #expect(try recorded().count == 2)
  }

  /// What comes part by part while others read is what comes at once, and without its end nothing.
  @Test func `a run is recorded while the ledger is read`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.record([finding("old")], of: june)
    let findings = (0..<300).map { finding("\($0)", orders: ["O\($0)"]) }
    var run = june
    run.sales = ResolvedSales(
      rows: [ResolvedSale(row: TransactionRow.ID(7), order: OrderRow.ID(3), terms: 0)],
      terms: [ResolvedTerms(rule: "exact")])
    run.flow = ["{}"]
    let tables = [
      "finding", "finding_order", "finding_sale", "finding_sale_terms", "finding_flow",
      "finding_run",
    ]
    func recorded() throws -> [[String]] {
      try tables.map { try scratch.rows("SELECT * FROM \($0)") }
    }
    let before = try recorded()
    for isWhole in [false, true] {
      let (written, readToEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let (seen, ended) = inTwoThreads(
        {
          Result {
            try Ledger.reading(scratch.ledger) { reader in
              written.wait()
              defer { readToEnd.signal() }
              return try reader.recordedFindings(june.period)?.map(\.id)
            }
          }
        },
        { [run] in
          Result {
            var parts = 0
            return try ledger.record(run.period) {
              parts += 1
              switch parts {
              case 1: return .findings(findings)
              case 2: return .sales(run.sales)
              default:
                // Findings and sales are written, and somebody reads.
                written.signal()
                readToEnd.wait()
                return isWhole ? .run(run) : nil
              }
            }
          }
        })
      #expect(try seen.get() == ["old"])
      #expect(try ended.get() == isWhole)
      if !isWhole { #expect(try recorded() == before) }
    }
    let ahead = try recorded()
    try ledger.record(findings, of: run)
    #expect(try recorded() == ahead)
    #expect(try ledger.recordedFindings(june.period) == findings)
  }

  @Test func `a month with very many findings is recorded again`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let findings = (0..<10_000).map { index in
      finding(
        "\(index)", orders: ["O\(index)"], transactions: ["\(2_000_000_000 + index)"],
        sources: [Source(file: "orders.csv", line: index + 2)])
    }
    try ledger.record(findings, of: june)
    try ledger.record(findings, of: june)
    #expect(try ledger.recordedFindings(june.period)?.count == 10_000)
  }

  @Test func `patterns and flow are looked up by their columns, users masked`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var run = june
    run.patterns = [
      """
      {"codes":["late-fulfilment","timing"],"dimension":"user","value":"ann","findings":7,\
      "base_share":"0.0012","amounts":["CNY=42.00"],"text":"All concern user ann."}
      """,
      #"{"dimension":"product","value":"gems.60","findings":4,"text":"All concern gems.60."}"#,
    ]
    run.flow = [
      #"{"date":"2023-06-19","orders":12,"unfulfilled_share":"0.25","marks":["orders","refunds"]}"#
    ]
    try ledger.record([], of: run)
    let patterns = """
      SELECT period, codes, dimension, value, findings, base_share, amounts, text, as_of
      FROM v_pattern ORDER BY findings DESC
      """
    #expect(
      try scratch.rows(patterns) == [
        "2023-06|late-fulfilment timing|user|ann|7|0.0012|CNY=42.00|All concern user ann.|"
          + "2023-07-05",
        "2023-06|null|product|gems.60|4|null|null|All concern gems.60.|2023-07-05",
      ])
    let masked = try scratch.rows(patterns, mask: { "<\($0)>" })
    #expect(
      masked[0] == "2023-06|late-fulfilment timing|user|null|7|0.0012|CNY=42.00|null|2023-07-05")
    let figures = try scratch.rows("SELECT user_figures FROM finding_pattern", mask: { $0 })
    #expect(figures == ["null", "null"])
    let flow = """
      SELECT period, date, orders, marks, as_of FROM v_flow WHERE unfulfilled_share > 0.2
      """
    #expect(try scratch.rows(flow) == ["2023-06|2023-06-19|12|orders refunds|2023-07-05"])
    try ledger.record([], of: june)
    #expect(try scratch.rows(patterns).isEmpty && scratch.rows(flow).isEmpty)
  }

  /// Who looks after a finding decides nothing: what may stand goes on standing.
  @Test func `an assignment keeps an acceptance`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let found = finding("a")
    try ledger.record([found], of: june)
    func say(_ action: Remark.Action, to assignee: String = "") throws -> [String] {
      try ledger.add([
        Remark(
          action, of: found, period: "2023-06", at: Instant(seconds: 0), by: "ann",
          assignee: assignee, reason: "")
      ])
      let open = try ledger.openFindings().count
      return try scratch.rows("SELECT state, assignee FROM v_finding").map { "\($0) \(open)" }
    }
    #expect(try say(.assign, to: "bob") == ["assigned|bob 1"])
    #expect(try say(.accept) == ["accepted|bob 0"])
    #expect(try say(.assign, to: "carol") == ["accepted|carol 0"])
    #expect(try say(.comment) == ["accepted|carol 0"])
    #expect(try say(.reopen) == ["reopened|carol 1"])
    #expect(try say(.assign, to: "dan") == ["assigned|dan 1"])
  }

  /// Goal: what another program changes of a recorded finding is never told. Method: each table
  /// that has a part of it.
  @Test(arguments: [
    "UPDATE finding SET units = 9", "UPDATE finding SET amount = amount + 1",
    "UPDATE finding SET severity = 'info'", "UPDATE finding_order SET order_id = 'O3'",
    "DELETE FROM finding_transaction", "UPDATE finding_source SET line = line + 1",
    "UPDATE finding_file SET file = 'y.csv'",
  ])
  func `a changed finding is refused`(_ change: String) throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let found = finding(
      "a", orders: ["O1"], transactions: ["37"], sources: [Source(file: "z.csv", line: 3)])
    try ledger.record([found], of: june)
    #expect(try ledger.recordedFinding(id: "a") != nil && ledger.check().problems.isEmpty)
    try DatabaseQueue(path: scratch.ledger).writeWithoutTransaction { try $0.execute(sql: change) }
    #expect(throws: LedgerError.damaged(path: scratch.ledger)) {
      _ = try ledger.recordedFinding(id: "a")
    }
    #expect(try !ledger.check().problems.isEmpty)
  }

  @Test func `people read it by a view`() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let found = finding(
      "a", orders: ["O1", "O2"], transactions: ["37"],
      sources: [Source(file: "z.csv", line: 3), Source(file: "a.csv", line: 9)])
    try ledger.record([found], of: june)
    let lines = try scratch.rows(
      """
      SELECT period, id, code, severity, storefront, currency, date, sku, units, amount,
        order_ids, transaction_ids, sources, as_of FROM v_finding
      """)
    #expect(
      lines == [
        """
        2023-06|a|transaction-without-order|error|CN|CNY|2023-06-19|gems.60|1|-6.0|O1 O2|37|\
        z.csv:3 a.csv:9|2023-07-05
        """
      ])
  }
}
