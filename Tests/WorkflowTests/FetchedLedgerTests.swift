import Billing
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: who brought the files changes nothing: sales, financial reports with their detail,
/// notifications in pages and histories, fetched one after another, make the ledger that an import
/// of the same files makes. Method: the sample's two months from the stand-in, and all that leaves
/// either ledger held byte against byte.
@Suite struct FetchedLedgerTests {
  private static let vendor = "85127269"
  private static let app = "com.lumen.orbit"
  private static let samples = checkout + "/samples/"
  private static let moment = Instant(seconds: Day("2023-09-20")!.startUTC.seconds + 20 * 3600)
  /// Days whose reports are left out: Apple says that it had no sales on them.
  private static let withoutSales = [18, 25].map(AppleStandIn.day)

  /// What Apple has: reports under its own names, and the answers of the App Store Server API.
  private static func data() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for folder in ["two-months", "two-months/finance"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: samples + folder)
      where name.hasSuffix(".gz") {
        let path = URL(fileURLWithPath: samples + folder + "/" + name)
        files[name] = Array(try Data(contentsOf: path))
      }
    }
    for day in withoutSales {
      let digits = "\(day)".filter { $0 != "-" }
      #expect(files.removeValue(forKey: "S_D_\(vendor)_\(digits).txt.gz") != nil)
    }
    let history = try Data(contentsOf: URL(fileURLWithPath: samples + "2023-06/history.json"))
    let pages = try JSONSerialization.jsonObject(with: history) as? [[String: Any]] ?? []
    for (id, page) in zip(histories, pages) {
      files["history_\(id).json"] = Array(try JSONSerialization.data(withJSONObject: [page]))
    }
    return files
  }

  /// A transaction of each of the sample's two customers.
  private static let histories = ["350005000000065", "350000000002140"]

  /// The sample's notifications, sent one a second: two pages on a day.
  private static func notifications() throws -> String {
    let path = URL(fileURLWithPath: samples + "2023-06/notifications-v2.jsonl")
    let begin = Day("2023-06-20")!.startUTC.seconds * 1000
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").enumerated()
      .map { index, line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let body = object?["body"] as? [String: Any] ?? object
        let payload = try #require(body?["signedPayload"] as? String)
        return "\(begin + Int64(index) * 1000)\t\(payload)\n"
      }.joined()
  }

  private static func root() throws -> [UInt8] {
    let text = try String(contentsOfFile: samples + "2023-06/apple-test-root.pem", encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    return Array(try #require(Data(base64Encoded: lines.joined())))
  }

  private func company() throws -> [String] {
    let folder = Self.samples + "two-months/"
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".csv") }.sorted().map { folder + $0 }
  }

  /// Asks for each kind by itself, notifications and later days first.
  private func fetchAll(_ standIn: AppleStandIn) throws {
    let root = try Self.root()
    func fetching(_ wish: FetchWish) throws {
      let summary = try standIn.fetching(wish, at: "2023-09-20") {
        $0.access.vendorNumber = Self.vendor
        $0.access.bundleID = Self.app
        $0.importing.roots = [root]
        $0.importing.bundleIDs = [Self.app]
        $0.importing.vendorNumbers = [Self.vendor]
      }
      #expect(summary.diagnostics.isEmpty && summary.imported?.errorCount == 0)
      #expect(summary.imported?.count(.rejected) == 0)
    }
    try fetching(
      .notifications(
        from: Day("2023-06-20")!.startUTC, to: Day("2023-06-21")!.startUTC, types: []))
    try fetching(
      .sales([.sales], .daily, from: Day("2023-07-01")!, to: Day("2023-08-06")!))
    let regions = ["AP", "AU", "CN", "EU", "GB", "HK", "ID", "JP", "KR", "LL", "TW", "US", "Z1"]
    for month in [9, 10] {
      let month = try #require(FiscalMonth(year: 2023, number: month))
      try fetching(.finance(month, regions: regions + (month.number == 10 ? ["WW"] : [])))
    }
    try fetching(.purchases(.history, ids: Self.histories, file: nil, findingsOf: nil))
    try fetching(
      .sales([.sales], .daily, from: Day("2023-05-31")!, to: Day("2023-06-30")!))
  }

  @Test func `all that leaves a fetched ledger is what leaves an imported one`() throws {
    let notes = try TemporaryFolder()
    let standIn = try AppleStandIn(
      data: Self.data(), faults: #"[{"match": "06-12", "do": "cut"}]"#, "--vendor", Self.vendor,
      "--bundle", Self.app, "--notifications",
      notes.write("notifications.tsv", Self.notifications()))
    let folder = standIn.folder
    try fetchAll(standIn)
    let kinds = ["FINANCE_DETAIL", "FINANCIAL", "SALES", "history", "notifications"]
    var request = ImportRequest(
      paths: try company(), ledgerPath: folder.ledger, importedAt: Self.moment)
    (request.roots, request.bundleIDs) = ([try Self.root()], [Self.app])
    request.vendorNumbers = [Self.vendor]
    _ = try importFiles(request)
    let ledger = try Ledger(path: folder.ledger, mode: .readWrite)
    let fetched = try ledger.files()
    let lists = try ledger.answers().map { String($0.list.prefix { $0 != " " }) }
    #expect(Set(lists).sorted() == kinds)
    // The same files, found in a folder, and the days without sales as a person records them.
    let other = folder.path + "/other.sqlite"
    (request.paths, request.ledgerPath) = (try company() + [folder.path + "/apple"], other)
    // Apple answered that there were none, on days with purchases too.
    (request.noSales, request.isForced) = (try ledger.noSales().map(\.day), true)
    #expect(request.noSales.filter { $0 <= Day("2023-08-05")! } == Self.withoutSales)
    request.vendor = Self.vendor
    let imported = try importFiles(request)
    #expect(imported.errorCount == 0 && imported.count(.imported) == fetched.count)
    for kind in [InputKind.sales, .finance, .financeDetail, .history] {
      #expect(imported.files.contains { $0.kind == kind && $0.rows > 0 }, "\(kind)")
    }
    for command in [
      "reconcile --period 2023-06 --out NAME.xlsx",
      "reconcile --period FY2023-P09 --out NAME-9.xlsx", "export transactions", "export orders",
      "export findings --period 2023-06", "export proceeds --period 2023-06",
      "export journal --period 2023-06",
    ] {
      let format = command.hasPrefix("export") ? "jsonl" : "json"
      let runs = try ["tieout", "other"].map { name -> CommandLineRun in
        let options = "--format \(format) --as-of 2023-09-20 --ledger \(name).sqlite"
        let words = "\(command.replacing("NAME", with: name)) \(options)".split(separator: " ")
        return try CommandLineRun(words.map { String($0) }, in: folder)
      }
      #expect(runs.allSatisfy { $0.status == 0 }, "\(runs[0].errors)\(runs[1].errors)")
      // Rows as they were imported stand in the order in which they came.
      let isByOrder = ["export transactions", "export orders"].contains(command)
      let lines = runs.map { run in
        let lines = run.output.split(separator: "\n")
        return isByOrder ? lines.sorted() : lines
      }
      #expect(lines[0].count > 1, "\(command)")
      let other = zip(lines[0] + [""], lines[1] + [""]).first { $0 != $1 }
      #expect(other.map { "\(command): \($0) and \($1)" } == nil)
    }
    for suffix in ["", "-9"] {
      let books = try ["tieout", "other"].map { try folder.bytes($0 + suffix + ".xlsx") }
      let areSame = books[0] == books[1]
      #expect(areSame && books[0].count > 5000)
    }
    try expectSameViews(in: folder)
  }

  /// Each view that a person can ask, row for row; only the numbers that rows have in a ledger
  /// follow the order in which they came.
  private func expectSameViews(in folder: TemporaryFolder) throws {
    func rows(_ query: String, _ ledger: String) throws -> [Substring] {
      let run = try CommandLineRun(
        "sql", query, "--format", "csv", "--ledger", ledger + ".sqlite", in: folder)
      #expect(run.status == 0, "\(query): \(run.errors)")
      return run.output.split(separator: "\n")
    }
    let views = try rows("SELECT name FROM sqlite_temp_master WHERE type = 'view'", "tieout")
      .dropFirst()
      .filter { $0.hasPrefix("v_") }
    #expect(views.count > 10)
    var total = 0
    for view in views {
      let both = try ["tieout", "other"].map { ledger in
        let rows = try rows("SELECT * FROM \(view)", ledger)
        let isNumbered = rows.first?.hasPrefix("id,") == true
        return rows.map { isNumbered ? $0.drop { $0 != "," } : $0 }.sorted()
      }
      let other = zip(both[0] + [""], both[1] + [""]).first { $0 != $1 }
      #expect(other.map { "\(view): \($0) and \($1)" } == nil)
      total += both[0].count
    }
    #expect(total > 2000)
  }
}
