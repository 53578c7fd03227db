import Billing
import Foundation
import Support
import Testing
import Workflow

/// What an import says of files that add less than they seem.
@Suite struct RepeatedContentTests {
  private static let header = "order_id,sku,status,placed_at,quantity,unit_price,currency\n"

  private func order(_ id: String, _ status: String = "paid", quantity: Int = 1, at: Int = 0)
    -> String
  {
    "\(id),gems.60,\(status),\(1_685_577_600 + at),\(quantity),6.00,CNY\n"
  }

  private func tallies(_ file: ImportedFile) -> [String] {
    file.tallies.map { tally in
      let what = tally.count == 1 ? tally.one ?? tally.what : tally.what
      return "\(tally.count) \(what.english)"
    }
  }

  private func objections(_ summary: ImportSummary, in folder: TemporaryFolder) -> [String] {
    summary.allDiagnostics.map {
      folder.relative("\($0.severity.rawValue) \($0.location): \($0.message.english)")
    }
  }

  @Test func `a header alone is said to be one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orderHeader)
    try folder.write("rates.csv", "date,base,quote,rate\n")
    try folder.write(
      Inputs.salesName(day: 2), String(Inputs.sales(day: 2, units: 1).prefix { $0 != "\n" }) + "\n")
    let summary = try folder.importing("orders.csv", "rates.csv", Inputs.salesName(day: 2))
    #expect(
      objections(summary, in: folder) == [
        "warning orders.csv: the file has no rows; it adds nothing",
        "warning rates.csv: the file has no rows; it adds nothing",
        """
        warning S_D_85012345_20230602.txt: the report has no rows: Apple's side of 2023-06-02 \
        counts as nothing
        """,
      ])
    #expect(summary.files.map(\.status) == [.imported, .imported, .imported])
    #expect(summary.json.contains("\"the file has no rows; it adds nothing\""))
  }

  @Test(arguments: [false, true])
  func `an order that is told with other content is named, in one file or two`(
    inTwo: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let first = order("O1") + order("O2") + order("O3")
    let second = order("O1", "refunded") + order("O2", quantity: 2) + order("O4") + order("O3")
    let files: [(String, String)] =
      inTwo ? [("a.csv", first), ("b.csv", second)] : [("a.csv", first + second)]
    for (name, text) in files { try folder.write(name, Self.header + text) }
    let summaries = try files.map { try folder.importing($0.0) }
    let last = try #require(summaries.last)
    #expect(
      tallies(last.files[0]) == [
        "1 row already in the ledger, unchanged",
        "1 order already in the ledger, now with more detail",
        "1 order already in the ledger with different content",
      ])
    #expect(
      objections(last, in: folder) == [
        inTwo
          ? "warning b.csv:3: order O2 differs from its row in a.csv:3: quantity"
          : "warning a.csv:6: order O2 differs from its row in a.csv:3: quantity"
      ])
    if inTwo { #expect(tallies(summaries[0].files[0]).isEmpty) }
  }

  @Test func `of many such orders a few are named and the others counted`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Self.header + (0..<400).map { order("A\($0)", at: $0) }.joined())
    try folder.write(
      "b.csv", Self.header + (0..<400).map { order("A\($0)", quantity: 2, at: $0) }.joined())
    _ = try folder.importing("a.csv")
    let summary = try folder.importing("b.csv") { $0.isDryRun = true }
    #expect(
      tallies(summary.files[0]) == ["400 orders already in the ledger with different content"])
    #expect(summary.warningCount == 6)
    #expect(
      objections(summary, in: folder).last
        == "warning b.csv: other orders that differ from earlier rows: 395")
  }

  @Test func `a file whose every row was there is said to add nothing`() throws {
    let folder = try TemporaryFolder()
    let rates = "date,base,quote,rate\n2023-06-01,EUR,CNY,7.6\n2023-06-02,EUR,CNY,7.7\n"
    try folder.write("orders.csv", Inputs.orders(0..<50))
    try folder.write("transactions.csv", Inputs.transactions(0..<50))
    try folder.write("rates.csv", rates)
    let first = try folder.importing("orders.csv", "transactions.csv", "rates.csv")
    #expect(objections(first, in: folder).isEmpty)
    try folder.write("again-orders.csv", Inputs.orders(10..<30))
    try folder.write("again-transactions.csv", Inputs.transactions(0..<49))
    try folder.write("again-rates.csv", rates + "2023-06-02,EUR,CNY,7.7\n")
    try folder.write("more-orders.csv", Inputs.orders(40..<60))
    try folder.write("more-rates.csv", rates + "2023-06-03,EUR,CNY,7.7\n")
    let again = try folder.importing(
      "again-orders.csv", "again-transactions.csv", "again-rates.csv", "more-orders.csv",
      "more-rates.csv")
    #expect(
      objections(again, in: folder)
        == ["again-orders.csv", "again-transactions.csv", "again-rates.csv"].map {
          "warning \($0): every row of the file was already in the ledger; it adds nothing"
        })
    #expect(tallies(again.files[3]) == ["10 rows already in the ledger, unchanged"])
  }

  /// A shop whose numbers begin again, or an order that is told anew months later.
  @Test(arguments: [false, true]) func `an id of another month is named, however far apart`(
    inOneCall: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Self.header + order("O1") + order("O2", at: 1))
    try folder.write(
      "b.csv",
      Self.header + order("O1", quantity: 2, at: 90 * 86_400) + order("O3", at: 90 * 86_400 + 1))
    let summary: ImportSummary
    if inOneCall {
      summary = try folder.importing("a.csv", "b.csv")
    } else {
      _ = try folder.importing("a.csv")
      summary = try folder.importing("b.csv")
    }
    #expect(
      objections(summary, in: folder) == [
        "warning b.csv:2: order O1 differs from its row in a.csv:2: quantity, placed_at"
      ])
    #expect(tallies(summary.files.last!) == ["1 order with a known ID, at a very different time"])
    // What was said once is not said of the next file.
    try folder.write("c.csv", Self.header + order("O4", at: 200 * 86_400))
    #expect(objections(try folder.importing("c.csv"), in: folder).isEmpty)
  }

  @Test func `of many far ids each is found once`() throws {
    let folder = try TemporaryFolder()
    for month in 0..<3 {
      let rows = (0..<900).map { number in
        order("R\(number % (month == 1 ? 900 : 450) * 7)", at: month * 40 * 86_400 + number)
      }
      try folder.write("\(month).csv", Self.header + rows.prefix(month == 1 ? 900 : 450).joined())
    }
    _ = try folder.importing("0.csv")
    let summary = try folder.importing("1.csv", "2.csv")
    #expect(
      summary.files.map(tallies) == [
        ["450 orders with known IDs, at very different times"],
        ["450 orders with known IDs, at very different times"],
      ])
  }

  /// Two new files that say the same, in other bytes.
  @Test(arguments: [false, true]) func `a dry run says what its own files repeat`(
    hasLedger: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("old.csv", Inputs.orders(500..<501))
    if hasLedger { _ = try folder.importing("old.csv") }
    try folder.write("a.csv", Inputs.orders(0..<20))
    try folder.write("b.csv", Inputs.orders(5..<15))
    try folder.write("c.csv", Inputs.orders(0..<20))
    let dry = try folder.importing("a.csv", "b.csv", "c.csv") { $0.isDryRun = true }
    #expect(
      objections(dry, in: folder) == [
        "warning b.csv: every row of the file was already in the ledger; it adds nothing"
      ])
    #expect(dry.files.map(\.status) == [.imported, .imported, .skipped])
    let real = try folder.importing("a.csv", "b.csv", "c.csv")
    #expect(objections(real, in: folder) == objections(dry, in: folder), "nothing was kept")
    #expect(real.files.map(\.status) == dry.files.map(\.status))
  }

  /// Apple's words that say nothing new, in a file of their own.
  @Test func `a file of known payloads is said to add nothing`() throws {
    func payload(_ id: Int, _ more: String = "") -> String {
      "{\"transactionId\":\"\(id)\",\"productId\":\"gems.60\",\"purchaseDate\":1686000000000,"
        + "\"signedDate\":1686000060000\(more)}\n"
    }
    let folder = try TemporaryFolder()
    try folder.write("a.jsonl", payload(1) + payload(2) + payload(3))
    try folder.write("b.jsonl", payload(2) + payload(3))
    try folder.write("c.jsonl", payload(3) + payload(2, ",\"revocationDate\":1686000050000"))
    _ = try folder.importing("a.jsonl")
    let summary = try folder.importing("b.jsonl", "c.jsonl")
    #expect(
      objections(summary, in: folder) == [
        "warning b.jsonl: every row of the file was already in the ledger; it adds nothing"
      ])
  }
}
