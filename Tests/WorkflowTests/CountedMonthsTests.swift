import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
import Workflow

@testable import Matching

/// Goal: a month whose plain purchases were counted elsewhere comes out as the month with all of
/// its rows. Method: simulated months, once as they are and once parted into counts and rows, first
/// without and then with the rows that were asked for; both documents are compared whole.
@Suite struct CountedMonthsTests {
  private func document(_ run: SimulatedRun) throws -> Data {
    var bytes: [UInt8] = []
    writeJSON(of: run.result) { bytes += $0 }
    func stripped(_ value: Any) -> Any {
      switch value {
      case let object as [String: Any]:
        object.filter { !["inputs", "sources"].contains($0.key) }.mapValues(stripped)
      case let array as [Any]: array.map(stripped)
      default: value
      }
    }
    let object = try JSONSerialization.jsonObject(with: Data(bytes))
    return try JSONSerialization.data(withJSONObject: stripped(object), options: [.sortedKeys])
  }

  private static let others: Set<String> = [
    "com.lumen.orbit.vip.monthly", "com.lumen.orbit.vip.plus.monthly",
    "com.lumen.orbit.remove.ads", "com.lumen.orbit.season.pass",
  ]

  @Test(arguments: [
    (orders: 3000, faults: 0, dayRule: "pacific"), (3000, 1, "mixed"), (5000, 4, "territory"),
  ])
  func `counts and the other rows give the same figures`(
    orders: Int, faults: Int, dayRule: String
  ) throws {
    var parameters = SimulationParameters()
    parameters.orders = orders
    parameters.seed = UInt64(orders + faults)
    parameters.shuffle = true
    if faults > 0 { parameters.faults = SimulationParameters.everyFault(faults) }
    parameters.dayRule = try #require(DayRule(rawValue: dayRule))
    let whole = try SimulatedInputs(parameters)
    let expected = try document(SimulatedRun(whole))
    var asked = RowsAsked()
    var purchases = 0
    for round in 1...2 {
      let tables = try CountedTables(
        whole.path, parameters.period, others: Self.others, asked: asked)
      #expect(tables.counted > orders / 4)
      let counted = try SimulatedInputs(parameters)
      try tables.replaceTables(in: counted.path)
      let run = try SimulatedRun(counted)
      let missing = run.result.basis.absences.filter { $0.kind == .countedRows }
      asked = run.result.rowsAsked
      if round == 1 {
        purchases = tables.counted
        #expect(missing.first.map { Int64($0.count) } ?? 0 == asked.purchases)
        #expect((asked.purchases == 0) == (faults == 0))
      } else {
        #expect(tables.counted >= purchases - purchases / 4)
        #expect(missing.isEmpty && asked.isEmpty)
        let found = try document(run)
        #expect(found == expected)
      }
    }
  }

  /// Less than half of the orders is not the most of them, although many of the others are counted.
  @Test func `orders of other channels are held against counted ones, too`() throws {
    var parameters = SimulationParameters()
    parameters.orders = 600
    let whole = try SimulatedInputs(parameters)
    let path = whole.path + "/orders.csv"
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = lines[0]
    func place(_ column: String) throws -> Int { try #require(header.firstIndex(of: column)) }
    let (id, channel, placed) = (
      try place("order_id"), try place("channel"), try place("placed_at")
    )
    let (transaction, token) = (try place("transaction_id"), try place("app_account_token"))
    // Nobody names Apple's channel.
    for line in lines.indices.dropFirst() { lines[line][channel] = "" }
    try FileManager.default.removeItem(atPath: whole.path + "/orders-before.csv")
    let others = lines.dropFirst().filter { $0[placed].hasPrefix("2023-06") }.prefix(450)
      .map { row in
        var row = row
        (row[id], row[channel]) = ("W" + row[id], "google")
        (row[transaction], row[token]) = ("", "")
        return row
      }
    #expect(others.count == 450)
    try (lines + others).map { $0.joined(separator: ",") + "\n" }.joined()
      .write(toFile: path, atomically: true, encoding: .utf8)
    let expected = try SimulatedRun(whole)
    #expect(!expected.result.basis.absences.contains { $0.kind == .otherChannels })
    let tables = try CountedTables(
      whole.path, parameters.period, others: Self.others, asked: RowsAsked())
    #expect(tables.counted > 250)
    let counted = try SimulatedInputs(parameters)
    try tables.replaceTables(in: counted.path)
    // Of the rows beside the counts most are the other channel's.
    let run = try SimulatedRun(counted, warnings: ["channel"])
    #expect(try document(run) == document(expected))
  }

  /// Japan has no orders, so that its purchases say nothing one by one; Britain's purchases are all
  /// counted but three, whose orders lack: these are faults.
  @Test func `a storefront whose orders are counted has orders`() throws {
    var parameters = SimulationParameters()
    parameters.orders = 3000
    let whole = try SimulatedInputs(parameters)
    let plain = try CountedTables(
      whole.path, parameters.period, others: Self.others, asked: RowsAsked()
    ).countedIDs
    var seen = 0
    try keepLines(of: "orders", in: whole.path) { id, storefront in
      if storefront == "JP" { return false }
      if storefront != "GB" { return true }
      guard plain.orders.contains(id) else { return false }
      // In the middle of the month.
      seen += 1
      return !(50..<53).contains(seen)
    }
    #expect(seen > 100)
    try keepLines(of: "transactions", in: whole.path) { id, storefront in
      storefront != "GB" || plain.transactions.contains(id)
    }
    let expected = try SimulatedRun(whole)
    let sides = try #require(expected.result.basis.absences.first { $0.kind == .sides })
    #expect(sides.names == ["JP"])
    let alone = expected.result.findings.filter { $0.code == .transactionWithoutOrder }
    #expect(alone.count { $0.storefront?.code == "GB" } == 3)
    let tables = try CountedTables(
      whole.path, parameters.period, others: Self.others, asked: expected.result.rowsAsked)
    let counted = try SimulatedInputs(parameters)
    try tables.replaceTables(in: counted.path)
    let found = try SimulatedRun(counted).result
    #expect(found.basis.absences.first { $0.kind == .sides }?.names == ["JP"])
    #expect(
      found.findings.count {
        $0.code == .transactionWithoutOrder && $0.storefront?.code == "GB"
      } == 3)
  }

  /// Keeps lines of a table's files by the id in their first column and their storefront.
  private func keepLines(
    of table: String, in folder: String, where isKept: (String, String) -> Bool
  ) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where file.hasPrefix(table) && file.hasSuffix(".csv") {
      let path = "\(folder)/\(file)"
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      func cells(_ line: Substring) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let storefront = try #require(cells(lines[0]).firstIndex(of: "storefront"))
      let kept = lines.dropFirst().filter { isKept(cells($0)[0], cells($0)[storefront]) }
      try ([lines[0]] + kept).map { $0 + "\n" }.joined()
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  /// Rows of another run beside the counts would be counted twice: that is said.
  @Test func `rows that do not belong to the counts are told`() throws {
    var parameters = SimulationParameters()
    parameters.orders = 600
    let whole = try SimulatedInputs(parameters)
    let counted = try SimulatedInputs(parameters)
    let tables = try CountedTables(
      whole.path, parameters.period, others: Self.others, asked: RowsAsked())
    try tables.replaceTables(in: counted.path)
    try FileManager.default.copyItem(
      atPath: whole.path + "/orders.csv", toPath: counted.path + "/more-orders.csv")
    let run = try SimulatedRun(counted)
    let absence = try #require(run.result.basis.absences.first { $0.kind == .handedRows })
    #expect(absence.count > absence.total ?? 0)
  }

  @Test func `rows without their counts are told`() throws {
    var parameters = SimulationParameters()
    parameters.orders = 600
    let counted = try SimulatedInputs(parameters)
    let tables = try CountedTables(
      counted.path, parameters.period, others: Self.others, asked: RowsAsked())
    try tables.replaceTables(in: counted.path)
    try FileManager.default.removeItem(atPath: counted.path + "/unit_counts.csv")
    let run = try SimulatedRun(counted)
    let absence = try #require(run.result.basis.absences.first { $0.kind == .handedRows })
    #expect(absence.count > 0 && absence.total == 0)
  }

  /// A message of a purchase that was counted would stand for a second one.
  @Test func `messages that came after the counts are told`() throws {
    var parameters = SimulationParameters()
    parameters.orders = 600
    let counted = try SimulatedInputs(parameters)
    let tables = try CountedTables(
      counted.path, parameters.period, others: Self.others, asked: RowsAsked())
    try tables.replaceTables(in: counted.path)
    let run = try SimulatedRun(counted)
    #expect(!run.result.basis.absences.contains { $0.kind == .laterMessages })
    let receipt = try counted.folder.write(
      "later.jsonl",
      """
      {"order_id":"O1","response":{"status":0,"environment":"Production","receipt":\
      {"bundle_id":"com.lumen.orbit","in_app":[{"quantity":"1","product_id":"gems.60",\
      "transaction_id":"1000000001","original_transaction_id":"1000000001",\
      "purchase_date_ms":"1686000000000"}]}}}

      """)
    _ = try importFiles(
      ImportRequest(
        paths: [receipt], ledgerPath: run.ledger, importedAt: Instant(seconds: 1_688_600_000)))
    let again = try reconcile(
      ReconcileRequest(
        ledgerPath: run.ledger, period: parameters.period, settings: Settings(),
        asOf: Day("2023-07-05")!))
    #expect(again.basis.absences.contains { $0.kind == .laterMessages })
  }
}
