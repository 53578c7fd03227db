import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: lists that come in pages are whole, come once, and go on where they broke off. Method: the
/// stand-in with payloads of its own and answers that lie in its data.
@Suite struct FetchPurchasesTests {
  /// A payload of no signature, as the decoded ones of tests are: never imported here.
  private func payload(_ number: Int, _ type: String) -> String {
    let body = Data(#"{"notificationType":"\#(type)","notificationUUID":"\#(number)"}"#.utf8)
    let part = body.base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
      .replacing("/", with: "_")
    return "eyJhbGciOiJFUzI1NiJ9.\(part).c2ln"
  }

  /// One notification every `step` seconds from the begin of a day on.
  private func notifications(_ count: Int, from day: String, step: Int64) -> [UInt8] {
    let begin = Day(day)!.startUTC.seconds
    let lines = (0..<count).map { number in
      let type = number % 5 == 0 ? "REFUND" : "DID_RENEW"
      return "\((begin + Int64(number) * step) * 1000)\t\(payload(number, type))\n"
    }
    return Array(lines.joined().utf8)
  }

  private func standIn(
    notifications bytes: [UInt8], faults: String = "[]"
  ) throws -> AppleStandIn {
    let folder = try TemporaryFolder()
    let path = try folder.write("notifications.tsv", bytes)
    return try AppleStandIn(faults: faults, "--notifications", path)
  }

  private func wish(_ from: String, _ to: String, _ types: [String] = []) -> FetchWish {
    .notifications(
      from: Day(from)!.startUTC, to: Day(to)!.startUTC, types: types)
  }

  /// Payloads in the files that were fetched, each as often as it stands there.
  private func payloads(_ standIn: AppleStandIn) throws -> [String] {
    struct Line: Decodable {
      struct Item: Decodable { var signedPayload: String }
      struct Page: Decodable { var notificationHistory: [Item] }
      var notificationHistory: [Item]?
      var body: Page?
    }
    return try standIn.fetched.filter { $0.hasSuffix(".jsonl") }.flatMap { name in
      try String(decoding: standIn.folder.bytes("apple/" + name), as: UTF8.self)
        .split(separator: "\n").flatMap { line in
          let page = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
          return (page.notificationHistory ?? page.body?.notificationHistory ?? [])
            .map(\.signedPayload)
        }
    }
  }

  @Test func `notifications come by day and page, each once, and later only what is new`() throws {
    // 130 over two days and a bit: 87 a day.
    let standIn = try standIn(notifications: notifications(230, from: "2023-06-01", step: 990))
    let all = { (change: inout FetchRequest) in change.imports = false }
    let first = try standIn.fetching(wish("2023-06-01", "2023-06-03"), change: all)
    #expect(first.answers.map(\.outcome) == [.rows, .rows])
    let ids = try payloads(standIn)
    #expect(ids.count == 175 && Set(ids).count == 175)
    #expect(try standIn.asked().count == 10, "five pages a day")
    let before = try standIn.asked().count
    let second = try standIn.fetching(wish("2023-06-01", "2023-06-05"), change: all)
    #expect(
      second.answers.sorted { $0.item < $1.item }.map(\.outcome) == [.rows, .nothing],
      "threads answer in any order")
    let all230 = try payloads(standIn)
    #expect(all230.count == 230 && Set(all230).count == 230)
    #expect(try standIn.asked().count - before == 4)
    #expect(try standIn.fetching(wish("2023-06-01", "2023-06-05"), change: all).answers.isEmpty)
    let typed = try standIn.fetching(wish("2023-06-01", "2023-06-03", ["REFUND"]), change: all)
    #expect(typed.answers.isEmpty, "those of all kinds have them")
    let bodies = Set(try standIn.asked().compactMap(\.body))
    #expect(bodies.contains(#"{"startDate":1685577600000,"endDate":1685664000000}"#))
    #expect(bodies.count == 4, "a body for each day")
  }

  @Test func `kinds are asked for by name, with their subtype`() throws {
    let standIn = try standIn(notifications: notifications(40, from: "2023-06-01", step: 60))
    _ = try standIn.fetching(wish("2023-06-01", "2023-06-02", ["REFUND", "EXPIRED/VOLUNTARY"])) {
      $0.imports = false
    }
    #expect(try payloads(standIn).count == 8)
    let bodies = Set(try standIn.asked().compactMap(\.body))
    #expect(
      bodies == [
        #"{"startDate":1685577600000,"endDate":1685664000000,"notificationType":"REFUND"}"#,
        #"{"startDate":1685577600000,"endDate":1685664000000,"notificationType":"EXPIRED","#
          + #""notificationSubtype":"VOLUNTARY"}"#,
      ])
  }

  @Test func `a list that breaks off keeps its pages, and goes on with the next token`() throws {
    let standIn = try standIn(
      notifications: notifications(100, from: "2023-06-01", step: 60),
      faults: #"[{"match": "paginationToken=p60", "do": "503", "times": 3}]"#)
    let first = try standIn.fetching(wish("2023-06-01", "2023-06-02")) { $0.imports = false }
    #expect(first.answers.map(\.outcome) == [.open] && first.lacksAnswers)
    #expect(try payloads(standIn).count == 60)
    #expect(
      first.diagnostics.map { $0.message.english }.first?.hasSuffix("; what came before is kept")
        == true)
    let before = try standIn.asked().count
    let second = try standIn.fetching(wish("2023-06-01", "2023-06-02")) { $0.imports = false }
    #expect(second.answers.map(\.outcome) == [.rows])
    let ids = try payloads(standIn)
    #expect(ids.count == 100 && Set(ids).count == 100)
    #expect(try standIn.asked().count - before == 2)
    #expect(
      standIn.fetched == [
        "notifications_com.example.game_20230601T000000Z_20230602T000000Z.jsonl",
        "notifications_com.example.game_20230601T000000Z_20230602T000000Z_2.jsonl",
      ])
  }

  @Test func `a page token that expired begins the list anew`() throws {
    let standIn = try standIn(
      notifications: notifications(50, from: "2023-06-01", step: 60),
      faults: #"[{"match": "paginationToken=p40", "do": "400", "error_code": 4000017}]"#)
    let summary = try standIn.fetching(wish("2023-06-01", "2023-06-02")) { $0.imports = false }
    #expect(summary.answers.map(\.outcome) == [.rows])
    #expect(Set(try payloads(standIn)).count == 50)
  }

  // MARK: - By transaction

  private func page(_ revision: String, _ ids: [Int], more: Bool) -> [String: Any] {
    [
      "revision": revision, "hasMore": more, "bundleId": "com.example.game",
      "environment": "Production", "signedTransactions": ids.map { payload($0, "x") },
    ]
  }

  private func json(_ object: Any) throws -> [UInt8] {
    Array(try JSONSerialization.data(withJSONObject: object))
  }

  @Test(arguments: [PurchaseList.history, .refunds])
  func `a history goes on from its last revision`(list: PurchaseList) throws {
    let pages = [page("r1", [1, 2], more: true), page("r2", [3], more: false)]
    let name = "data/\(list.rawValue)_7001.json"
    let standIn = try AppleStandIn()
    try standIn.folder.write(name, json(pages))
    let wish = FetchWish.purchases(list, ids: ["7001", "7001"], file: nil, findingsOf: nil)
    let first = try standIn.fetching(wish) { $0.imports = false }
    #expect(first.answers.map(\.outcome) == [.rows])
    let file = try #require(standIn.fetched.first)
    let lines = String(decoding: try standIn.folder.bytes("apple/" + file), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasPrefix(#"{"revision":"r1","body":{"#))
    let second = try standIn.fetching(wish, at: "2023-07-06") { $0.imports = false }
    #expect(second.answers.map(\.outcome) == [.nothing], "nothing is new")
    var more = pages
    more[1]["hasMore"] = true
    try standIn.folder.write(name, json(more + [page("r3", [4], more: false)]))
    let third = try standIn.fetching(wish, at: "2023-07-07") { $0.imports = false }
    #expect(third.answers.map(\.outcome) == [.rows])
    #expect(try standIn.asked().map { $0.query["revision"] } == [nil, "r1", "r2", "r2"])
  }

  @Test func `a transaction of Sandbox is asked for there, once`() throws {
    let standIn = try AppleStandIn()
    let wish = FetchWish.purchases(.history, ids: ["9001"], file: nil, findingsOf: nil)
    let summary = try standIn.fetching(wish)
    #expect(summary.answers.map(\.outcome) == [.refused])
    #expect(try standIn.asked().count == 2)
  }

  @Test func `statuses and order numbers come in one piece, and unknown ones are none`() throws {
    let standIn = try AppleStandIn()
    try standIn.folder.write(
      "data/statuses_7001.json",
      json(["bundleId": "com.example.game", "environment": "Production", "data": [["a": 1]]]))
    try standIn.folder.write("data/order_MK5TTTVWJH.json", json(["status": 1]))
    let statuses = try standIn.fetching(
      .purchases(.statuses, ids: ["7001", "7002"], file: nil, findingsOf: nil)
    ) { $0.imports = false }
    #expect(Set(statuses.answers.map(\.outcome)) == [.rows, .refused])
    let order = try standIn.fetching(.orders(["MK5TTTVWJH"]))
    #expect(order.answers.map(\.outcome) == [.nothing])
    #expect(throws: Stop.self) { try standIn.fetching(.orders(["../../x"])) }
  }

  @Test func `ids come from a file and from findings`() throws {
    let standIn = try AppleStandIn()
    let file = try standIn.folder.write("ids.csv", "transaction_id,sku\n7001,a\n7002,b\n\n7001,a\n")
    let wish = FetchWish.purchases(.refunds, ids: [], file: file, findingsOf: nil)
    let summary = try standIn.fetching(wish) { $0.isDryRun = true }
    #expect(summary.answers.map(\.item) == ["7001", "7002"])
    let findings = FetchWish.purchases(
      .refunds, ids: [], file: nil, findingsOf: Period("2023-06"))
    #expect(throws: Stop.self) { try standIn.fetching(findings) { $0.isDryRun = true } }
  }

  // MARK: - Receipts

  @Test func `receipts are verified in Production first, in Sandbox once, and stay secret`() throws
  {
    let receipts = (1...3).map { "UkVDRUlQVC0\($0)" + String(repeating: "QUJD", count: 10) }
    let standIn = try AppleStandIn()
    // The first is Production's, the second Sandbox's, of the third both say Sandbox.
    func name(_ index: Int) -> String {
      let hash = sha256Hex(receipts[index]).prefix(16)
      return "receipt_\(hash).json"
    }
    try standIn.folder.write("data/" + name(0), #"{"status": 0, "environment": "Production"}"#)
    let file = try standIn.folder.write(
      "receipts.jsonl",
      """
      {"order_id":"O1","user_id":"u1","receipt_data":"\(receipts[0])"}
      \(receipts[1])

      {"order_id":"O3","response":{"status":0,"latest_receipt":"\(receipts[2])"}}
      """)
    let summary = try standIn.fetching(.receipts(file)) {
      $0.imports = false
      $0.access.sharedSecret = "a-shared-secret"
    }
    #expect(summary.lacksAnswers, "two have no answer")
    #expect(try standIn.asked().count == 5)
    #expect(try standIn.asked().allSatisfy { $0.secret == true })
    let lines = String(
      decoding: try standIn.folder.bytes("apple/" + #require(standIn.fetched.first)), as: UTF8.self)
    #expect(
      lines == """
        {"order_id":"O1","user_id":"u1","received_at":"2023-07-05T20:00:00Z","response":\
        {"status": 0, "environment": "Production"}}

        """)
    let ledger = String(decoding: standIn.folder.ledgerBytes, as: UTF8.self)
    #expect(!ledger.contains("UkVDRUlQVC0") && !ledger.contains("a-shared-secret"))
    #expect(!summary.json.contains("UkVDRUlQVC0"))
  }
}
