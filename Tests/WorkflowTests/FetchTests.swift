import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: what lands is right, what failed is said, nothing is half-written. Method: a stand-in for
/// Apple on loopback, which verifies tokens on its own, on good days and bad ones.
@Suite struct FetchTests {
  /// Reports of days of June 2023; a day's units are its number.
  private func reports(_ days: Set<Int>) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for day in days {
      files[Inputs.salesName(day: day)] = Array(Inputs.sales(day: day, units: day).utf8)
    }
    return files
  }

  private func outcomes(_ summary: FetchSummary) -> [String: AppleAnswer.Outcome] {
    Dictionary(
      summary.answers.compactMap { answer in answer.outcome.map { (answer.item, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private func messages(_ summary: FetchSummary) -> [String] {
    summary.diagnostics.map { $0.message.english }
  }

  // MARK: - A month

  @Test func `a month lands under Apple's names, and days without sales are recorded`() throws {
    let standIn = try AppleStandIn(data: reports(Set(1...30).subtracting([18])))
    let summary = try standIn.june(1...30)
    #expect(summary.answers.count == 30)
    #expect(outcomes(summary)["2023-06-18"] == .nothing)
    #expect(outcomes(summary).values.count { $0 == .rows } == 29)
    #expect(!summary.lacksAnswers)
    #expect(standIn.fetched.count == 29)
    #expect(standIn.fetched.first == "S_D_85012345_20230601.txt.gz")
    let status = try ledgerStatus(of: standIn.folder.ledger, asOf: Day("2023-07-03")!)
    let vendor = try #require(status.vendors.first)
    #expect(vendor.reports == 29 && vendor.noSalesDays == 1 && vendor.missing.isEmpty)
    #expect(status.link.map(\.requests) == [30] && status.link.map(\.failures) == [0])
    #expect(try standIn.asked().allSatisfy { $0.status == 200 || $0.day == "2023-06-18" })
    #expect(Set(try standIn.asked().map(\.token)).count == 1, "one token for all")
  }

  /// The same figures, whoever brought the files.
  @Test func `a ledger filled by fetch is the one that an import of the files makes`() throws {
    let standIn = try AppleStandIn(data: reports([1, 2, 3, 5, 8]))
    try standIn.folder.write("orders.csv", Inputs.orders(0..<200))
    _ = try standIn.june(1...8)
    _ = try standIn.folder.importing("orders.csv")
    let other = try TemporaryFolder()
    try other.write("orders.csv", Inputs.orders(0..<200))
    var request = ImportRequest(
      paths: [standIn.folder.path + "/apple", standIn.folder.path + "/orders.csv"],
      ledgerPath: other.ledger, importedAt: Instant(seconds: 1_688_000_000))
    request.noSales = [4, 6, 7].map(AppleStandIn.day)
    _ = try importFiles(request)
    func figures(_ ledger: String) throws -> [UInt8] {
      var bytes: [UInt8] = []
      let result = try reconcile(
        ReconcileRequest(
          ledgerPath: ledger, period: Period("2023-06-01..2023-06-08")!, settings: Settings(),
          asOf: Day("2023-07-05")!))
      writeJSON(of: result) { bytes += $0 }
      return bytes
    }
    let fetched = try figures(standIn.folder.ledger)
    #expect(try fetched == figures(other.ledger))
    #expect(fetched.count > 1000)
  }

  @Test func `what is known is not asked for again, but for the newest two days`() throws {
    let standIn = try AppleStandIn(
      data: reports([1, 2, 4, 5, 6]), faults: "[]", "--not-after", "2023-06-05")
    _ = try standIn.june(1...2)
    // On the 7th at 20:00 UTC the 6th may be there.
    let first = try standIn.fetching(.lacking, at: "2023-06-07") {
      $0.access.bundleID = ""
      $0.access.purchases = AppleAccess.Key()
    }
    #expect(
      outcomes(first).filter { $0.key.hasPrefix("2023") } == [
        "2023-06-03": .nothing, "2023-06-04": .rows, "2023-06-05": .rows, "2023-06-06": .notYet,
      ])
    #expect(!first.lacksAnswers, "not yet is no failure")
    let second = try standIn.fetching(.lacking, at: "2023-06-07") {
      $0.access.bundleID = ""
      $0.access.purchases = AppleAccess.Key()
    }
    #expect(second.answers.map(\.item).sorted() == ["2023-06-05", "2023-06-06"])
    #expect(second.answers.first { $0.item == "2023-06-05" }?.isUnchanged == true)
    let status = try ledgerStatus(of: standIn.folder.ledger, asOf: Day("2023-06-08")!)
    #expect(status.vendors.first?.noSalesDays == 1, "not yet is no zero")
  }

  /// Apple says "no sales" of a day that has only begun, too.
  @Test func `no sales of a day that is not due is no fact`() throws {
    let standIn = try AppleStandIn()
    let early = Instant(seconds: Day("2023-06-07")!.startUTC.seconds + 15 * 3600)
    let wish = FetchWish.sales([.sales], .daily, from: AppleStandIn.day(5), to: AppleStandIn.day(6))
    let summary = try standIn.fetching(wish) { $0.now = early }
    #expect(outcomes(summary) == ["2023-06-05": .nothing, "2023-06-06": .notYet])
    let monthly = try standIn.fetching(
      .sales([.sales], .monthly, from: AppleStandIn.day(1), to: AppleStandIn.day(1)))
    #expect(outcomes(monthly) == ["2023-06": .notYet], "of a month it may only not be made")
  }

  @Test func `a report that Apple made anew replaces the older one, which is kept aside`() throws {
    let standIn = try AppleStandIn(data: reports([1]))
    _ = try standIn.june(1...1)
    try standIn.folder.write("data/" + Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    let summary = try standIn.june(1...1)
    #expect(summary.imported?.files.first?.supersedes != nil)
    #expect(standIn.fetched == [".superseded", "S_D_85012345_20230601.txt.gz"])
    let kept = standIn.folder.path + "/apple/.superseded/S_D_85012345_20230601.txt.gz.1"
    #expect(FileManager.default.fileExists(atPath: kept))
    let third = try standIn.june(1...1)
    #expect(third.answers.first?.isUnchanged == true && third.imported == nil)
  }

  @Test func `what was fetched without import is imported by the next fetch`() throws {
    let standIn = try AppleStandIn(data: reports([1, 2]))
    let first = try standIn.june(1...3) { $0.imports = false }
    #expect(first.imported == nil && standIn.fetched.count == 2)
    let ledger = try Ledger(path: standIn.folder.ledger, mode: .readWrite)
    #expect(try ledger.files().isEmpty)
    #expect(try ledger.noSales().isEmpty)
    let second = try standIn.june(3...3)
    #expect(second.imported?.count(.imported) == 2)
    #expect(try ledger.noSales().map(\.day) == [AppleStandIn.day(3)])
  }

  /// A week of which a day is there by itself does not count: its other days are to come.
  @Test func `the days of a report that does not count are asked for`() throws {
    let standIn = try AppleStandIn()
    try standIn.folder.write(Inputs.salesName(day: 5), Inputs.sales(day: 5, units: 1))
    try standIn.folder.write(
      "S_W_85012345_20230611.txt",
      Inputs.sales(day: 5, units: 9).replacing(
        "06/05/2023\t06/05/2023", with: "06/05/2023\t06/11/2023"))
    _ = try standIn.folder.importing(Inputs.salesName(day: 5), "S_W_85012345_20230611.txt")
    let summary = try standIn.june(4...12) { $0.isDryRun = true }
    #expect(
      summary.answers.map(\.item)
        == [4, 6, 7, 8, 9, 10, 11, 12].map { "\(AppleStandIn.day($0))" })
  }

  @Test func `a dry run asks nothing and makes nothing`() throws {
    let standIn = try AppleStandIn(data: reports([1]))
    let summary = try standIn.june(1...3) {
      $0.isDryRun = true
      $0.access.team.keyFile = "/nowhere"
    }
    #expect(summary.answers.map(\.item) == ["2023-06-01", "2023-06-02", "2023-06-03"])
    #expect(summary.text.hasSuffix("would request 3 items\n"))
    #expect(Set(standIn.folder.names).isDisjoint(with: ["tieout.sqlite", "apple"]))
    #expect(!standIn.folder.names.contains("log"), "nothing was asked")
  }

  // MARK: - Bad days

  @Test(arguments: [
    #"{"match": "06-01", "do": "429", "retry_after": 0}"#, #"{"match": "06-01", "do": "429"}"#,
    #"{"match": "06-01", "do": "retry-in-ms", "seconds": 0.2}"#,
    #"{"match": "06-01", "do": "retry-at", "seconds": 1}"#,
    #"{"match": "06-01", "do": "500"}"#, #"{"match": "06-01", "do": "503"}"#,
    #"{"match": "06-01", "do": "cut"}"#,
    #"{"match": "06-01", "do": "cut", "is_silent_about_length": true}"#,
    #"{"match": "06-01", "do": "hang-up"}"#, #"{"match": "06-01", "do": "empty"}"#,
    #"{"match": "06-01", "do": "401"}"#,
  ])
  func `what passes is asked for again, and lands whole`(fault: String) throws {
    let standIn = try AppleStandIn(data: reports([1, 2]), faults: "[\(fault)]")
    let summary = try standIn.june(1...2)
    #expect(outcomes(summary) == ["2023-06-01": .rows, "2023-06-02": .rows])
    #expect(summary.answers.first { $0.item == "2023-06-01" }?.attempts == 2)
    #expect(summary.imported?.count(.imported) == 2)
    #expect(standIn.fetched.count == 2)
    let status = try ledgerStatus(of: standIn.folder.ledger, asOf: Day("2023-07-03")!)
    #expect(status.link.reduce(0) { $0 + $1.requests } == 3)
    let isOfKey = fault.contains("401")
    #expect(status.link.reduce(0) { $0 + $1.failures } == (isOfKey ? 0 : 1))
  }

  @Test func `a slow answer is waited for, a silent one given up`() throws {
    let standIn = try AppleStandIn(
      data: reports([1]),
      faults: #"[{"match": "06-01", "do": "slow", "seconds": 2}]"#)
    #expect(outcomes(try standIn.june(1...1)) == ["2023-06-01": .rows])
    let silent = try AppleStandIn(
      data: reports([1]),
      faults: #"[{"match": "06-01", "do": "slow", "seconds": 4, "times": 9}]"#)
    let summary = try silent.june(1...1) {
      $0.limits.silence = 1
      $0.limits.attempts = 2
    }
    #expect(outcomes(summary) == ["2023-06-01": .failed])
    #expect(messages(summary) == ["the host stopped answering"])
    #expect(silent.fetched.isEmpty)
  }

  @Test func `an empty gzip member before others is part of a whole file`() throws {
    let standIn = try AppleStandIn(
      data: reports([1]), faults: #"[{"match": "06-01", "do": "empty-member"}]"#)
    let summary = try standIn.june(1...1)
    #expect(summary.imported?.count(.imported) == 1 && summary.imported?.files.first?.rows == 1)
    #expect(try standIn.asked().count == 1)
  }

  /// What does not pass: asked for so often, said with what to do, nothing left behind.
  @Test(arguments: [
    (
      #""do": "404", "text": "No such path.""#, AppleAnswer.Outcome.refused, 1,
      "Apple refuses it (404): No such path."
    ),
    (#""do": "410", "text": "Report is no longer available.""#, .gone, 1, ""),
    (
      #""do": "403", "text": "This role cannot.""#, .refused, 1,
      "Apple refuses the key (403): This role cannot."
    ),
    (#""do": "401", "text": "Bad token.""#, .refused, 2, "Apple refuses the key (401): Bad token."),
    (#""do": "429", "retry_after": 0"#, .failed, 3, "Apple could not answer in time (429)"),
    (#""do": "500""#, .failed, 3, "Apple could not answer in time (500)"),
    (#""do": "cut""#, .failed, 3, "the connection broke off before the answer was whole"),
    (#""do": "empty""#, .failed, 3, "the file that was received is empty"),
    (#""do": "hang-up""#, .failed, 3, ""),
    (
      #""do": "redirect", "to": "http://localhost:PORT/v1/elsewhere""#, .refused, 1,
      "the host redirects elsewhere (302), which is not followed"
    ),
    (#""do": "huge""#, .failed, 1, "the answer is longer than any report"),
  ])
  func `what stays bad is said, and leaves no file`(
    fault: String, outcome: AppleAnswer.Outcome, requests: Int, message: String
  ) throws {
    let standIn = try AppleStandIn(
      data: reports([1]), faults: #"[{"match": "06-01", "times": 99, \#(fault)}]"#)
    let summary = try standIn.june(1...1)
    let answer = try #require(summary.answers.first)
    #expect(answer.outcome == outcome && answer.attempts == requests)
    #expect(try standIn.asked().count == requests)
    #expect(summary.lacksAnswers == (outcome != .gone))
    #expect(message.isEmpty || messages(summary).joined().contains(message))
    #expect(summary.diagnostics.isEmpty == (outcome == .gone))
    #expect(standIn.fetched.isEmpty && summary.imported == nil)
    // Nothing of it is a fact, and the next day's good answer is asked for and comes.
    let ledger = try Ledger(path: standIn.folder.ledger, mode: .readWrite)
    #expect(try ledger.files().isEmpty)
    #expect(try ledger.noSales().isEmpty)
  }

  @Test func `a key that is refused is not tried on every day`() throws {
    let standIn = try AppleStandIn(
      data: reports([1]), faults: #"[{"match": "sales", "times": 99, "do": "403"}]"#)
    let summary = try standIn.june(1...30)
    #expect(try standIn.asked().count <= 3, "those under way at the same time")
    #expect(summary.answers.count == 30 && summary.answers.count { $0.outcome == nil } >= 27)
    #expect(summary.lacksAnswers && summary.text.contains("not requested"))
  }

  @Test func `one day that is redirected stops no other, two in a row do`() throws {
    let to = "http://localhost:PORT/v1/elsewhere"
    func fault(_ match: String) -> String {
      #"[{"match": "\#(match)", "times": 99, "do": "redirect", "to": "\#(to)"}]"#
    }
    let one = try AppleStandIn(data: reports(Set(1...9)), faults: fault("06-03"))
    let summary = try one.june(1...9)
    #expect(summary.answers.count { $0.outcome == .rows } == 8)
    #expect(messages(summary).joined().contains("redirects elsewhere"))
    let all = try AppleStandIn(data: reports(Set(1...9)), faults: fault("06-"))
    #expect(try all.june(1...9).answers.count { $0.outcome == nil } >= 4)
  }

  @Test func `a range asked for again asks for what is not here`() throws {
    let standIn = try AppleStandIn(
      data: reports(Set(1...9)), faults: #"[{"match": "06-05", "times": 3, "do": "500"}]"#)
    let first = try standIn.june(1...9)
    #expect(first.answers.count { $0.outcome == .rows } == 8)
    let before = try standIn.asked().count
    #expect(try standIn.june(1...9).answers.map(\.item) == ["2023-06-05"])
    #expect(try standIn.asked().count == before + 1)
    #expect(try standIn.june(3...3).answers.count == 1, "a day that is named is asked for")
  }

  @Test func `that a retired version has no sales is never a fact`() throws {
    // It names another version as the latest only when it is asked for one that never was.
    let standIn = try AppleStandIn(
      faults: #"[{"match": "1_4", "times": 99, "do": "404", "text": "There were no sales."}]"#,
      "--version", "1_5")
    let summary = try standIn.fetching(
      .sales([.subscription], .daily, from: AppleStandIn.day(1), to: AppleStandIn.day(2)))
    #expect(outcomes(summary).values.contains(.notYet) && summary.answers.count == 2)
    #expect(try standIn.asked().contains { $0.query["filter[version]"] == "0_0" })
  }

  @Test func `a wrong version is asked for again by the right one, once for all`() throws {
    let standIn = try AppleStandIn(faults: "[]", "--version", "1_5")
    let summary = try standIn.fetching(
      .sales([.subscription], .daily, from: AppleStandIn.day(1), to: AppleStandIn.day(9)))
    #expect(summary.answers.count == 9 && outcomes(summary).values.allSatisfy { $0 == .nothing })
    let asked = try standIn.asked()
    #expect(asked.count { $0.status == 400 } <= 3 && asked.count <= 12)
    #expect(asked.count { $0.query["filter[version]"] == "1_5" } == 9)
    let ledger = try Ledger(path: standIn.folder.ledger, mode: .readWrite)
    #expect(try ledger.noSales().isEmpty, "no subscriptions are no day without sales")
  }

  /// Tokens by this machine's clock are refused; Apple's own says by how much it is off.
  @Test(arguments: [600.0, -600, 5000])
  func `a clock that is off is allowed for, and recognised`(seconds: Double) throws {
    let standIn = try AppleStandIn(data: reports([1, 2]), faults: "[]", "--clock", "\(seconds)")
    let summary = try standIn.june(1...2)
    #expect(outcomes(summary) == ["2023-06-01": .rows, "2023-06-02": .rows])
    let refused = try standIn.asked().filter { $0.status == 401 }
    #expect(refused.allSatisfy { $0.why == (seconds > 0 ? "expired" : "not begun") })
    #expect(refused.isEmpty == (seconds == 600), "15 minutes outlast ten")
  }

  @Test func `another's key is refused, and the sentence says so`() throws {
    let standIn = try AppleStandIn(data: reports([1]), faults: "[]", "--issuer", "another")
    let summary = try standIn.june(1...3)
    #expect(outcomes(summary).values.allSatisfy { $0 == .refused })
    #expect(messages(summary).first?.hasPrefix("Apple refuses the key (401): Provide") == true)
    #expect(try standIn.asked().allSatisfy { $0.why == "iss" })
  }

  @Test func `an unreachable host ends the run soon`() throws {
    let standIn = try AppleStandIn()
    let summary = try standIn.june(1...30) {
      $0.access.addresses[.connect] = HostAddress("http://127.0.0.1:1")
    }
    #expect(summary.answers.count == 30 && summary.lacksAnswers)
    #expect(messages(summary).first?.hasPrefix("the host cannot be reached") == true)
    #expect(summary.answers.reduce(0) { $0 + $1.attempts } <= 9)
  }

  @Test func `time that is up ends the run, and the next goes on`() throws {
    let standIn = try AppleStandIn(
      data: reports([1, 2, 3]),
      faults: #"[{"match": "06-02", "do": "429", "retry_after": 60}]"#)
    let first = try standIn.june(1...3, stop: StopSignal(after: .seconds(2)))
    #expect(first.lacksAnswers && outcomes(first)["2023-06-01"] == .rows)
    let second = try standIn.june(1...3)
    #expect(outcomes(second).values.allSatisfy { $0 == .rows } && !second.lacksAnswers)
  }

  @Test func `two fetches do not run at the same time`() throws {
    let standIn = try AppleStandIn(
      data: reports([1]), faults: #"[{"match": "06-01", "do": "slow", "seconds": 3}]"#)
    let (first, second) = inTwoThreads(
      { Result { try standIn.june(1...1) } },
      { () -> String in
        while standIn.fetched.isEmpty && (try? standIn.asked())?.isEmpty != false {
          Thread.sleep(forTimeInterval: 0.05)
          if FileManager.default.fileExists(atPath: standIn.folder.ledger + "-fetch") { break }
        }
        do {
          _ = try standIn.june(1...1)
          return ""
        } catch { return (error as? Stop)?.message.english ?? "\(error)" }
      })
    #expect(try outcomes(first.get()) == ["2023-06-01": .rows])
    #expect(second.hasPrefix("another fetch into"))
  }
}
