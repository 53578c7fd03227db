import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing

@testable import Workflow

/// Goal: what was fetched is imported some time, from wherever the next fetch runs, or is said to
/// be lost. Method: files that processes left, that were forgotten, moved or deleted.
@Suite struct FetchedFilesTests {
  private func reports(_ days: ClosedRange<Int>) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for day in days {
      files[Inputs.salesName(day: day)] = Array(Inputs.sales(day: day, units: day).utf8)
    }
    return files
  }

  private func reportPath(_ standIn: AppleStandIn, day: Int, in folder: String = "apple") -> String
  {
    "\(standIn.folder.path)/\(folder)/S_D_85012345_202306\(padded(day, 2)).txt.gz"
  }

  private func units(_ folder: TemporaryFolder) throws -> String {
    try CommandLineRun(
      "sql", "SELECT begin, units FROM v_report_row ORDER BY 1, 2", "--format", "csv", in: folder
    ).output
  }

  // MARK: - Files that are there already

  /// A file stands where the report lands, as Apple has it by now; the ledger has an older one of
  /// the same name.
  @Test func `a report that was replaced when the process ended is imported`() throws {
    let standIn = try AppleStandIn(data: reports(1...1))
    _ = try standIn.june(1...1)
    let anew = Inputs.sales(day: 1, units: 7)
    try standIn.folder.write("data/" + Inputs.salesName(day: 1), anew)
    try standIn.folder.write("apple/S_D_85012345_20230601.txt.gz", gzipMember(anew))
    let second = try standIn.june(1...1)
    #expect(second.answers.map(\.isUnchanged) == [true])
    #expect(second.imported?.files.map { $0.supersedes != nil } == [true])
    #expect(try units(standIn.folder).contains("2023-06-01,7\n"))
    let third = try standIn.june(1...1)
    #expect(third.answers.map(\.isUnchanged) == [true] && third.imported == nil)
  }

  @Test(arguments: [true, false])
  func `a report that was forgotten is imported by the next fetch`(isSameDay: Bool) throws {
    let standIn = try AppleStandIn(data: reports(1...3))
    _ = try standIn.june(1...2)
    let forgotten = try CommandLineRun(
      "forget", reportPath(standIn, day: 1), in: standIn.folder)
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    #expect(forgotten.output.hasSuffix("the next fetch imports it again\n"))
    #expect(try !units(standIn.folder).contains("2023-06-01"))
    let second = try isSameDay ? standIn.june(1...1) : standIn.june(3...3)
    #expect(second.answers.map(\.isUnchanged) == [isSameDay])
    #expect(second.imported?.count(.imported) == (isSameDay ? 1 : 2))
    #expect(try units(standIn.folder).contains("2023-06-01,1\n"))
  }

  @Test func `what was imported by hand and forgotten stays away`() throws {
    let standIn = try AppleStandIn(data: reports(1...1))
    try standIn.folder.write("orders.csv", Inputs.orders(0..<4))
    _ = try standIn.folder.importing("orders.csv")
    let forgotten = try CommandLineRun(
      "forget", standIn.folder.path + "/orders.csv", in: standIn.folder)
    #expect(forgotten.status == 0 && !forgotten.output.contains("fetch"), "\(forgotten.errors)")
    #expect(try standIn.june(1...1).imported?.files.count == 1)
  }

  // MARK: - From another folder

  /// As a person fetches by hand, and cron from its own folder.
  @Test func `what one folder fetched, a fetch in another imports`() throws {
    let standIn = try AppleStandIn(data: reports(1...3))
    func fetch(_ day: Int, _ options: String..., in folder: TemporaryFolder) throws {
      let date = "2023-06-\(padded(day, 2))"
      let run = try CommandLineRun(
        ["fetch", "sales", "--from", date, "--to", date] + options, in: folder)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
    try fetch(1, "--no-import", in: standIn.folder)
    try fetch(2, "--no-import", "--into", "./apple/", in: standIn.folder)
    let elsewhere = try TemporaryFolder()
    try fetch(3, "--ledger", standIn.folder.ledger, in: elsewhere)
    #expect(elsewhere.names.contains("apple"))
    let lines = try units(standIn.folder).split(separator: "\n").dropFirst()
    #expect(lines == ["2023-06-01,1", "2023-06-02,2", "2023-06-03,3"])
    let files = try Ledger(path: standIn.folder.ledger, mode: .readWrite).files()
    #expect(files.allSatisfy { $0.input.file.hasPrefix("/") && !$0.input.file.contains("/./") })
    // Who is where it was fetched names it as ever.
    let name = "./apple/S_D_85012345_20230601.txt.gz"
    let forgotten = try CommandLineRun("forget", name, in: standIn.folder)
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    try fetch(3, in: standIn.folder)
    #expect(try units(standIn.folder).contains("2023-06-01,1\n"))
  }

  @Test func `a path is told from the root on`() {
    let here = FileManager.default.currentDirectoryPath
    for (path, whole) in [
      ("a", here + "/a"), ("./a//b/./c", here + "/a/b/./c"), ("../a", here + "/../a"), (".", here),
      ("/a/b", "/a/b"),
    ] { #expect(absolutePath(path) == whole) }
  }

  // MARK: - Files that are gone

  private func lost(_ summary: FetchSummary) -> [String] {
    summary.diagnostics.filter {
      $0.message.english == "was fetched, but was gone before it could be imported"
    }.map(\.location.file)
  }

  @Test func `a file that is gone before its import is told of until it is back`() throws {
    let standIn = try AppleStandIn(data: reports(1...3))
    _ = try standIn.june(1...2) { $0.imports = false }
    let path = reportPath(standIn, day: 1)
    try FileManager.default.removeItem(atPath: path)
    let first = try standIn.june(2...2)
    #expect(first.lacksAnswers && lost(first) == [path] && first.diagnostics.count == 1)
    #expect(first.imported?.count(.imported) == 1, "the other is there")
    let command = try CommandLineRun(
      "fetch", "sales", "--from", "2023-06-03", "--to", "2023-06-03", in: standIn.folder)
    #expect(command.status == 4)
    #expect(
      command.errors.contains("\(path): error[apple]: was fetched, but was gone"),
      "\(command.errors)")
    #expect(command.errors.contains("tieout forget"))
    let back = try standIn.june(1...1)
    #expect(!back.lacksAnswers && lost(back).isEmpty && back.imported?.count(.imported) == 1)
  }

  @Test func `a newer version that is lost is told of, though the older one is here`() throws {
    let standIn = try AppleStandIn(data: reports(1...1))
    _ = try standIn.june(1...1)
    try standIn.folder.write("data/" + Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try standIn.june(1...1) { $0.imports = false }
    try FileManager.default.removeItem(atPath: reportPath(standIn, day: 1))
    let summary = try standIn.june(2...2)
    #expect(summary.lacksAnswers && lost(summary) == [reportPath(standIn, day: 1)])
    _ = try standIn.june(1...1)
    #expect(try units(standIn.folder).contains("2023-06-01,7\n"))
  }

  @Test func `a report that came again elsewhere is not missed`() throws {
    let standIn = try AppleStandIn(data: reports(1...1))
    _ = try standIn.june(1...1) { $0.imports = false }
    try FileManager.default.removeItem(atPath: reportPath(standIn, day: 1))
    for expected in [1, nil] {
      let summary = try standIn.june(1...1) { $0.folder = standIn.folder.path + "/again" }
      #expect(!summary.lacksAnswers && lost(summary).isEmpty)
      #expect(summary.imported?.count(.imported) == expected)
    }
  }

  /// Nobody asks twice for notifications that came once: only who gives the file up.
  @Test func `notifications that are lost are asked for again once they are forgotten`() throws {
    let notes = try TemporaryFolder()
    let begin = Day("2023-06-01")!.startUTC.seconds * 1000
    let standIn = try AppleStandIn(
      faults: "[]", "--notifications",
      notes.write("notifications.tsv", (0..<30).map { "\(begin + Int64($0))\tn\($0)\n" }.joined()))
    let wish = FetchWish.notifications(
      from: Day("2023-06-01")!.startUTC, to: Day("2023-06-03")!.startUTC, types: [])
    _ = try standIn.fetching(wish) { $0.imports = false }
    let name = "notifications_com.example.game_20230601T000000Z_20230602T000000Z.jsonl"
    #expect(standIn.fetched == [name])
    let path = standIn.folder.path + "/apple/" + name
    try FileManager.default.removeItem(atPath: path)
    let before = try standIn.asked().count
    for _ in 1...2 {
      let summary = try standIn.fetching(wish)
      #expect(summary.answers.isEmpty && summary.lacksAnswers && lost(summary) == [path])
      #expect(summary.text.isEmpty, "nothing was asked, and not all is here")
    }
    #expect(try standIn.asked().count == before)
    let forgotten = try CommandLineRun("forget", path, in: standIn.folder)
    #expect(forgotten.output == "\(path) no longer waits to be imported\n", "\(forgotten.errors)")
    let again = try CommandLineRun("forget", path, in: standIn.folder)
    #expect(again.status == 2)
    let anew = try standIn.fetching(wish) { $0.imports = false }
    #expect(anew.answers.map(\.outcome) == [.rows], "the other day had none, and is known")
    #expect(standIn.fetched == [name] && !anew.lacksAnswers)
    #expect(try standIn.asked().count == before + 2)
  }

  @Test func `a file is told by its name from those of other questions`() {
    let moment = Instant(seconds: Day("2023-07-05")!.startUTC.seconds)
    let later = Instant(seconds: moment.seconds + 7)
    func answer(_ question: FetchQuestion) -> AppleAnswer {
      AppleAnswer(list: question.list, item: question.item, .rows, status: 200, at: later)
    }
    let types: [String?] = [nil, "REFUND", "EXPIRED/VOLUNTARY"]
    var questions = types.map { type in
      FetchQuestion.notifications(
        type, from: moment, to: later, bundleID: "com.example-2.game", next: nil)
    }
    for (list, id) in [
      (PurchaseList.history, "700"), (.refunds, "700"), (.statuses, "700"), (.history, "70"),
      (.history, "7001"),
    ] { questions.append(.purchases(list, of: id, at: moment, next: nil)) }
    questions.append(.order("M7", at: moment))
    questions.append(.receipts([], from: ReceiptPlace(), secret: nil, at: moment))
    for question in questions {
      for ending in [".jsonl", "_2.jsonl", "_31.jsonl"] {
        let name = Substring(question.name + ending)
        let found = questions.filter { answer($0).isOfFile(name) }
        #expect(found.map(\.name) == [question.name], "\(name)")
      }
      #expect(!answer(question).isOfFile(Substring(question.name + "_2.txt")))
    }
    #expect(answer(questions[5]).isOfFile("statuses_700_20230705T000000Z.json"))
  }
}
