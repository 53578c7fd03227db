import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing

@testable import Workflow

/// Goal: whatever a fetch breaks off in, the next one goes on with, and asks for nothing twice.
/// Method: the stand-in with bad days that pass, and processes that end between two steps.
@Suite struct FetchGoesOnTests {
  /// Purchases alone.
  private func withoutReports(_ request: inout FetchRequest) {
    request.access.team = AppleAccess.Key()
    request.access.vendorNumber = ""
  }

  // MARK: - Lists in pages

  /// A page as Apple answers: of refunds it does not name the app.
  private func page(
    _ id: Int, next: String, more: Bool, of list: PurchaseList = .history,
    environment: String = "Production"
  ) -> [String: Any] {
    let moment = 1_686_000_000_000
    var row: [String: Any] = [
      "transactionId": "\(id)", "appTransactionId": "7", "productId": "gems.60",
      "bundleId": "com.example.game", "environment": environment, "purchaseDate": moment,
      "originalPurchaseDate": moment, "signedDate": moment + id, "quantity": 1,
      "type": "Consumable",
    ]
    if list == .refunds { row["revocationDate"] = moment + 1000 }
    var page: [String: Any] = ["revision": next, "hasMore": more, "signedTransactions": [row]]
    if list == .history {
      page["bundleId"] = "com.example.game"
      page["environment"] = environment
    }
    return page
  }

  private func json(_ object: Any) throws -> [UInt8] {
    Array(try JSONSerialization.data(withJSONObject: object, options: .sortedKeys))
  }

  private func pages(of list: PurchaseList) -> [[String: Any]] {
    (1...3).map { page($0, next: "r\($0)", more: $0 < 3, of: list) }
  }

  private func unfinished(_ standIn: AppleStandIn) throws -> Int {
    let status = try ledgerStatus(of: standIn.folder.ledger, asOf: Day("2023-07-06")!)
    return status.text.split(separator: "\n").count { $0.hasPrefix("incomplete ") }
  }

  @Test(arguments: [PurchaseList.history, .refunds])
  func `a history that breaks off twice is gone on with by a fetch of what lacks`(
    list: PurchaseList
  ) throws {
    let standIn = try AppleStandIn(
      faults: #"[{"match": "revision=r1", "do": "503", "times": 6}]"#)
    try standIn.folder.write("data/\(list.rawValue)_1.json", json(pages(of: list)))
    let wish = FetchWish.purchases(list, ids: ["1"], file: nil, findingsOf: nil)
    let first = try standIn.fetching(wish)
    #expect(first.answers.map(\.outcome) == [.open] && first.lacksAnswers)
    #expect(try unfinished(standIn) == 1)
    func lists(_ summary: FetchSummary) -> [FetchedAnswer] {
      summary.answers.filter { $0.list == list.rawValue }
    }
    let second = try standIn.fetching(.lacking, change: withoutReports)
    #expect(lists(second).map(\.outcome) == [.open], "nothing came, and it is begun as before")
    #expect(second.lacksAnswers)
    let third = try standIn.fetching(.lacking, change: withoutReports)
    #expect(lists(third).map(\.outcome) == [.rows])
    #expect(try unfinished(standIn) == 0)
    let fourth = try standIn.fetching(.lacking, change: withoutReports)
    #expect(lists(fourth).isEmpty)
    let revisions = try standIn.asked().filter { $0.path.hasSuffix("/1") }
      .map { $0.query["revision"] ?? "" }
    #expect(revisions == [""] + Array(repeating: "r1", count: 7) + ["r2"])
  }

  /// Whatever the first request of the next call comes to.
  @Test(arguments: [
    ("401", 2), ("403", 1), ("429", 3), ("500", 3), ("hang-up", 3), ("unreachable", 0),
  ])
  func `a list that was begun stays begun`(fault: String, times: Int) throws {
    let notes = try TemporaryFolder()
    let begin = Day("2023-06-01")!.startUTC.seconds * 1000
    let faults = ["revision=r1", "paginationToken=p20"].flatMap { match in
      [("503", 3), (fault, times)].map {
        #"{"match": "\#(match)", "do": "\#($0)", "times": \#($1), "retry_after": 0}"#
      }
    }
    let standIn = try AppleStandIn(
      faults: "[\(faults.joined(separator: ", "))]", "--notifications",
      notes.write("notifications.tsv", (0..<50).map { "\(begin + Int64($0))\tn\($0)\n" }.joined()))
    try standIn.folder.write("data/history_1.json", json(pages(of: .history)))
    let wishes: [FetchWish] = [
      .purchases(.history, ids: ["1"], file: nil, findingsOf: nil),
      .notifications(
        from: Day("2023-06-01")!.startUTC, to: Day("2023-06-02")!.startUTC, types: []),
    ]
    for wish in wishes {
      let outcomes = try [1, 2, 3].map { run in
        try standIn.fetching(wish) {
          $0.imports = false
          if run == 2, fault == "unreachable" {
            $0.access.addresses[.purchases] = HostAddress("http://127.0.0.1:1")
          }
        }.answers.map(\.outcome)
      }
      #expect(outcomes == [[.open], [.open], [.rows]])
    }
    let asked = try standIn.asked().filter { $0.status == 200 }
    #expect(
      asked.map { $0.query["revision"] ?? $0.query["paginationToken"] ?? "" }
        == ["", "r1", "r2", "", "p20", "p40"], "each page once")
  }

  @Test(arguments: [PurchaseList.history, .refunds])
  func `a page that was imported by hand is gone on with from its end`(
    list: PurchaseList
  ) throws {
    let standIn = try AppleStandIn(
      faults: #"[{"match": "revision=r1", "do": "503", "times": 3}]"#)
    let pages = pages(of: list)
    try standIn.folder.write("data/\(list.rawValue)_1.json", json(pages))
    // Of the Sandbox nothing is sold, and nothing is asked for by itself.
    try standIn.folder.write(
      "sandbox.json", json(page(5, next: "s1", more: true, of: list, environment: "Sandbox")))
    try standIn.folder.write("first.json", json(pages[0]))
    _ = try standIn.folder.importing("first.json", "sandbox.json")
    #expect(try unfinished(standIn) == 2)
    func lists(_ summary: FetchSummary) -> [FetchedAnswer] {
      summary.answers.filter { $0.list == list.rawValue }
    }
    let planned = try standIn.fetching(.lacking) {
      withoutReports(&$0)
      $0.isDryRun = true
    }
    #expect(lists(planned).map(\.item) == ["1"])
    let first = try standIn.fetching(.lacking, change: withoutReports)
    #expect(lists(first).map(\.outcome) == [.open], "Apple was busy")
    let second = try standIn.fetching(.lacking, change: withoutReports)
    #expect(lists(second).map(\.outcome) == [.rows])
    #expect(try unfinished(standIn) == 1, "the Sandbox's")
    let fourth = try standIn.fetching(.lacking, change: withoutReports)
    #expect(lists(fourth).isEmpty)
    #expect(
      try standIn.asked().filter { $0.path.hasSuffix("/1") }.map { $0.query["revision"] }
        == ["r1", "r1", "r1", "r1", "r2"], "never from the begin")
    let ids = try CommandLineRun(
      "sql", "SELECT transaction_id FROM v_transaction ORDER BY 1", in: standIn.folder)
    for id in 1...3 { #expect(ids.output.contains("\(id)\n"), "\(ids.output)\(ids.errors)") }
  }

  @Test(arguments: [1, 2])
  func `an empty last page ends the list`(pageCount: Int) throws {
    let standIn = try AppleStandIn()
    // Each page says that more follows; behind the last the stand-in answers with an empty one.
    let pages = (1...pageCount).map { page($0, next: "r\($0)", more: true) }
    try standIn.folder.write("data/history_1.json", json(pages))
    let wish = FetchWish.purchases(.history, ids: ["1"], file: nil, findingsOf: nil)
    #expect(try standIn.fetching(wish).answers.map(\.outcome) == [.rows])
    #expect(try unfinished(standIn) == 0)
    let second = try standIn.fetching(wish, at: "2023-07-06")
    #expect(second.answers.map(\.outcome) == [.nothing] && second.imported == nil)
    #expect(try unfinished(standIn) == 0)
  }

  @Test func `a list that Apple does not know is no list that was begun`() throws {
    let standIn = try AppleStandIn()
    try standIn.folder.write("first.json", json(page(4, next: "r1", more: true)))
    _ = try standIn.folder.importing("first.json")
    let first = try standIn.fetching(.lacking, change: withoutReports)
    #expect(first.answers.first { $0.list == "history" }?.outcome == .refused)
    let second = try standIn.fetching(.lacking, change: withoutReports)
    #expect(!second.answers.contains { $0.list == "history" }, "asked in vain every night")
  }

  // MARK: - By findings

  @Test func `the transactions of a month's findings are asked about, each once`() throws {
    let standIn = try AppleStandIn()
    let folder = standIn.folder
    try folder.write("products.csv", "sku,kind\ngems.60,consumable\n")
    try folder.write("orders.csv", Inputs.orders(0..<4))
    // Two transactions have no order.
    try folder.write("transactions.csv", Inputs.transactions(0..<6))
    for id in 7000..<7006 {
      try folder.write(
        "data/refunds_\(id).json", json([page(id, next: "r", more: false, of: .refunds)]))
    }
    _ = try folder.importing("products.csv", "orders.csv", "transactions.csv")
    let wish = FetchWish.purchases(.refunds, ids: [], file: nil, findingsOf: Period("2023-06"))
    let refused = #expect(throws: Stop.self) { try standIn.fetching(wish) }
    #expect(refused?.message.english == "no reconciliation of 2023-06 is recorded")
    let run = try CommandLineRun(
      "reconcile", "--period", "2023-06", "--as-of", "2023-07-05", "--format", "json", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let result = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let findings = try #require(result["findings"] as? [[String: Any]])
    let named = Set(findings.flatMap { $0["transaction_ids"] as? [String] ?? [] })
    #expect(named.isSuperset(of: ["7004", "7005"]))
    let summary = try standIn.fetching(wish)
    #expect(Set(summary.answers.map(\.item)) == named)
    #expect(summary.answers.count == named.count)
    #expect(summary.answers.allSatisfy { $0.outcome == .rows })
    #expect(try standIn.asked().count == named.count)
    let command = try CommandLineRun(
      "fetch", "history", "--of-findings", "2023-06", "--dry-run", in: folder)
    #expect(command.output.hasSuffix("would request \(named.count) items\n"), "\(command.errors)")
  }

  // MARK: - Receipts

  private let receipts = (1...25).map { "UkVDRUlQVC0\($0)" + String(repeating: "QUJD", count: 10) }

  private func answerName(_ receipt: String) -> String {
    "receipt_\(sha256Hex(receipt).prefix(16)).json"
  }

  private func receiptFile(_ standIn: AppleStandIn, _ count: Int = 5) throws -> String {
    for (index, receipt) in receipts.enumerated() {
      try standIn.folder.write(
        "data/" + answerName(receipt),
        #"{"status": 0, "environment": "Production", "number": \#(index)}"#)
    }
    return try standIn.folder.write(
      "receipts.txt", receipts.prefix(count).map { $0 + "\n" }.joined())
  }

  /// Numbers of the receipts whose answers landed, in order.
  private func landed(_ standIn: AppleStandIn) throws -> [Int] {
    try standIn.fetched.filter { $0.hasPrefix("receipts_") }.flatMap { name in
      try String(decoding: standIn.folder.bytes("apple/" + name), as: UTF8.self)
        .split(separator: "\n").map { line in
          let text = try #require(line.firstMatch(of: #/"number": (\d+)/#))
          return Int(text.1)!
        }
    }
  }

  @Test func `receipts go on where they broke off, and begin anew after their end`() throws {
    let standIn = try AppleStandIn(
      faults: #"[{"match": "UkVDRUlQVC03", "do": "503", "times": 3}]"#)
    let file = try receiptFile(standIn)
    let first = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(first.answers.map(\.outcome) == [.open] && first.lacksAnswers)
    #expect(try landed(standIn) == [0, 1])
    #expect(try standIn.asked().count == 5)
    let second = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(second.answers.map(\.outcome) == [.rows] && !second.lacksAnswers)
    #expect(try landed(standIn) == [0, 1, 2, 3, 4])
    #expect(try standIn.asked().count == 8)
    // Who asks again wants to know how they are now; another list is another.
    _ = try standIn.fetching(.receipts(file), at: "2023-08-05") { $0.imports = false }
    #expect(try standIn.asked().count == 13)
    _ = try standIn.fetching(.receipts(receiptFile(standIn, 4))) { $0.imports = false }
    #expect(try standIn.asked().count == 17)
  }

  @Test func `receipts whose time is up, or that somebody stops, go on`() throws {
    let standIn = try AppleStandIn(
      faults: #"[{"match": "UkVDRUlQVC04", "do": "429", "retry_after": 600, "times": 1}]"#)
    let file = try receiptFile(standIn)
    let stopped = StopSignal()
    stopped.raise()
    let none = try standIn.fetching(.receipts(file), stop: stopped) { $0.imports = false }
    #expect(none.answers.map(\.outcome) == [nil] && none.lacksAnswers, "nothing is begun")
    let first = try standIn.fetching(.receipts(file), stop: StopSignal(after: .seconds(60))) {
      $0.imports = false
    }
    #expect(first.answers.map(\.outcome) == [.open])
    #expect(try landed(standIn) == [0, 1, 2])
    let second = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(second.answers.map(\.outcome) == [.rows])
    #expect(try landed(standIn) == [0, 1, 2, 3, 4])
  }

  /// Apple cannot answer one of them; each of the others is asked for.
  @Test func `a receipt without an answer is named by its line`() throws {
    let standIn = try AppleStandIn()
    let file = try receiptFile(standIn)
    try standIn.folder.write(
      "data/" + answerName(receipts[1]), #"{"status": 21104, "is-retryable": true}"#)
    try FileManager.default.removeItem(
      atPath: standIn.folder.path + "/data/" + answerName(receipts[3]))
    let summary = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(summary.answers.map(\.outcome) == [.failed] && summary.lacksAnswers)
    #expect(try landed(standIn) == [0, 2, 4])
    #expect(
      summary.diagnostics.map { standIn.folder.relative("\($0.location): \($0.message.english)") }
        == [
          "receipts.txt:2: Apple could not answer in time (21104)",
          "receipts.txt:4: Production and the Sandbox both refer it to the Sandbox",
        ])
  }

  @Test(arguments: [true, false])
  func `an error of Apple's own on one receipt keeps no other away`(isOfHTTP: Bool) throws {
    let standIn = try AppleStandIn(
      faults: isOfHTTP ? #"[{"match": "UkVDRUlQVC02", "do": "500", "times": 99}]"# : "[]")
    let file = try receiptFile(standIn)
    if !isOfHTTP {
      try standIn.folder.write("data/" + answerName(receipts[1]), #"{"status": 21009}"#)
    }
    let summary = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(summary.answers.map(\.outcome) == [.failed] && summary.lacksAnswers)
    #expect(try landed(standIn) == [0, 2, 3, 4])
    #expect(
      summary.diagnostics.map { standIn.folder.relative("\($0.location)") } == [
        "receipts.txt:2"
      ])
  }

  /// Ten errors in a row: the rest waits for the next call, which goes on behind them.
  @Test func `a host that has nothing but errors is not asked for each receipt`() throws {
    let standIn = try AppleStandIn(
      faults: #"[{"match": "UkVDRUlQVC0", "do": "500", "times": 30}]"#)
    let file = try receiptFile(standIn, 25)
    let first = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(first.answers.map(\.outcome) == [.open] && first.lacksAnswers)
    #expect(try standIn.asked().count == 30, "three times each")
    let second = try standIn.fetching(.receipts(file)) { $0.imports = false }
    #expect(second.answers.map(\.outcome) == [.failed] && second.lacksAnswers)
    #expect(try landed(standIn) == Array(10..<25))
    let third = try standIn.fetching(.receipts(file), at: "2023-07-06") { $0.imports = false }
    #expect(third.answers.map(\.outcome) == [.rows] && !third.lacksAnswers)
    #expect(try landed(standIn).sorted() == (Array(0..<25) + Array(10..<25)).sorted())
  }

  @Test func `a file without a receipt is refused`() throws {
    let standIn = try AppleStandIn()
    let file = try standIn.folder.write("empty.txt", "\n\n")
    let refused = #expect(throws: Stop.self) { try standIn.fetching(.receipts(file)) }
    #expect(refused?.message.english.hasSuffix("empty.txt has no receipt") == true)
  }

  // MARK: - Between a file and the ledger

  /// A process may end after a file has landed and before the ledger knows of it; and a ledger may
  /// be begun anew beside a folder of files.
  @Test func `a file that is there and was never imported is imported`() throws {
    let sales = [Inputs.salesName(day: 1): Array(Inputs.sales(day: 1, units: 7).utf8)]
    let standIn = try AppleStandIn(data: sales)
    _ = try standIn.june(1...1)
    for name in standIn.folder.names where name.hasPrefix("tieout.sqlite") {
      try FileManager.default.removeItem(atPath: standIn.folder.path + "/" + name)
    }
    let second = try standIn.june(1...1)
    #expect(second.answers.map(\.isUnchanged) == [true])
    #expect(second.imported?.count(.imported) == 1)
    let third = try standIn.june(1...1)
    #expect(third.answers.map(\.isUnchanged) == [true] && third.imported == nil)
  }

  // MARK: - While it imports

  private func reports(_ days: ClosedRange<Int>) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for day in days {
      files[Inputs.salesName(day: day)] = Array(Inputs.sales(day: day, units: day).utf8)
    }
    return files
  }

  @Test func `a stop while it imports takes the file under way back, and the next goes on`() throws
  {
    let standIn = try AppleStandIn(data: reports(1...5))
    let stop = StopSignal()
    let days = FetchWish.sales(
      [.sales], .daily, from: AppleStandIn.day(1), to: AppleStandIn.day(5))
    let first = try standIn.fetching(
      days, stop: stop,
      importing: { progress in
        if progress.filesDone == 2, progress.rows > 2 { stop.raise() }
      })
    #expect(first.answers.allSatisfy { $0.outcome == .rows })
    #expect(first.imported?.count(.imported) == 2 && first.imported?.filesLeft == 3)
    #expect(first.text.hasSuffix("stopped: 3 files are left for the next call\n"))
    let ledger = try Ledger(path: standIn.folder.ledger, mode: .readWrite)
    #expect(try ledger.files().count == 2)
    #expect(try ledger.unimportedFiles().count == 3)
    let second = try standIn.fetching(days)
    #expect(second.answers.allSatisfy { $0.isUnchanged })
    #expect(second.imported?.count(.imported) == 3)
    #expect(try ledger.files().count == 5)
  }

  /// The import waits for another, of which nobody knows when it ends.
  @Test func `Ctrl-C while it imports ends it soon`() throws {
    let standIn = try AppleStandIn(data: reports(1...2))
    let folder = standIn.folder
    let script = """
      import os, signal, subprocess, sys, time
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      signal.signal(signal.SIGINT, signal.SIG_DFL)
      run = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
      for _ in range(1200):
          if os.path.exists(sys.argv[1]): break
          time.sleep(0.1)
      run.send_signal(signal.SIGINT)
      sys.stdout.buffer.write(run.communicate(timeout=600)[0])
      sys.exit(run.returncode)
      """
    try folder.write("interrupt.py", script)
    let lock = try ImportLock(ledgerPath: folder.ledger)
    let process = Process()
    let output = Pipe()
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "interrupt.py", "apple/S_D_85012345_20230602.txt.gz", CommandLineRun.executable,
      "fetch", "sales", "--from", "2023-06-01", "--to", "2023-06-02",
    ]
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    withExtendedLifetime(lock) {}
    // An import that had waited for its half minute would say that the other one is still there.
    #expect(process.terminationStatus == 4, "\(said)")
    #expect(said.contains("left for the next call\n"), "\(said)")
    let ledger = try Ledger(path: folder.ledger, mode: .readWrite)
    #expect(try ledger.files().isEmpty)
  }
}
