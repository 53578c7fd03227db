import Billing
import Testing

@testable import Reading

/// The company's log of purchases, from text to rows.
@Suite struct EventTests {
  private func events(_ outcome: Outcome) -> [(row: PurchaseEventRow, terms: PurchaseEventTerms)] {
    let terms = outcome.blocks.flatMap(\.newEventTerms)
    return outcome.blocks.flatMap { block -> [PurchaseEventRow] in
      if case .events(let rows) = block.rows { rows } else { [] }
    }.map { ($0, terms[Int($0.terms)]) }
  }

  @Test func eventsRead() throws {
    let outcome = try read(
      """
      at,stage,outcome,duration_ms,http_status,order_id,user_id,transaction_id,app_version,device,\
      server,message
      2023-06-01T12:34:56.789Z,Verify,FAILED,1250,503,O1,u1,1000000001,2.3.1,iPhone,pay-03,timeout
      1685622900,fulfil,ok,12.5,,,,,,,,
      2023-06-02T00:00:00+08:00,Gift wrap,cancelled,,,,,,,,,
      """)
    #expect(outcome.reading.kind == .events && outcome.reading.rows == 3)
    #expect(outcome.reading.begin == Day("2023-06-01") && outcome.reading.end == Day("2023-06-01"))
    let found = events(outcome)
    #expect(
      found.map(\.terms) == [
        PurchaseEventTerms(
          stage: "verify", outcome: .failed, httpStatus: 503, appVersion: "2.3.1",
          device: "iPhone", server: "pay-03", message: "timeout"),
        PurchaseEventTerms(stage: "fulfil", outcome: .ok),
        PurchaseEventTerms(stage: "Gift wrap", outcome: .cancelled),
      ])
    #expect(found.map(\.row.duration) == [1250, 13, nil])
    #expect(found[0].row.at.description == "2023-06-01T12:34:56Z")
    #expect(found.map(\.row.orderID.count) == [2, 0, 0])
    #expect(found[0].row.transactionID.count == 10 && found[0].row.userID.count == 2)
  }

  @Test func jsonLinesRead() throws {
    let outcome = try read(
      """
      {"at":"2023-06-01T12:34:56Z","stage":"pay","outcome":"ok","duration_ms":7,"order_id":"O1"}
      {"at":"2023-06-01T12:34:57Z","stage":"pay","outcome":"ok","server":"s"}
      """)
    #expect(outcome.reading.kind == .events && outcome.reading.rows == 2)
    #expect(events(outcome).map(\.row.duration) == [7, nil])
  }

  /// A row that cannot be understood has its place and its reason, the others are read.
  @Test(
    arguments: [
      ("2023-06-01T12:34:56Z,,ok,1", "stage is blank", 22),
      ("2023-06-01T12:34:56Z,pay,,1", "outcome is blank", 26),
      ("2023-06-01T12:34:56Z,pay,done,1", "outcome is not a known value: \"done\"", 26),
      (",pay,ok,1", "at is blank", 1),
      ("2023-06-01,pay,ok,1", "at is not a time: \"2023-06-01\"", 1),
      (
        "2023-06-01T12:34:56Z,pay,ok,-1",
        "duration_ms is not a possible duration of a step: \"-1\"", 29
      ),
      (
        "2023-06-01T12:34:56Z,pay,ok,3 s",
        "duration_ms is not a possible duration of a step: \"3 s\"", 29
      ),
      (
        "2023-06-01T12:34:56Z,pay,ok,9999999999",
        "duration_ms is not a possible duration of a step: \"9999999999\"", 29
      ),
    ] as [(String, String, Int)])
  func badRows(row: String, message: String, column: Int) throws {
    let outcome = try read(
      "at,stage,outcome,duration_ms\n2023-06-01T00:00:00Z,pay,ok,1\n\(row)\n")
    #expect(outcome.reading.rows == 1 && outcome.rejects.count == 1)
    let reject = try #require(outcome.rejects.first).diagnostic
    #expect(reject.message.english == message)
    #expect(reject.location.line == 3 && reject.location.column == column)
  }

  /// Orders that have a column of the log's stay orders.
  @Test func otherTablesStay() throws {
    let orders = try read(
      "order_id,sku,status,placed_at,server,message\nO1,gems,paid,2023-06-01T00:00:00Z,s,m\n")
    #expect(orders.reading.kind == .orders)
  }
}
