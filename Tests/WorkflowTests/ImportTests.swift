import Billing
import Foundation
import Ledger
import Support
import Testing

@testable import Workflow

@Suite struct ImportTests {
  @Test func `says what each file was and what the kinds come to`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/orders.csv", Inputs.orders(0..<30))
    try folder.write("in/" + Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    try folder.write("in/transactions.csv", Inputs.transactions(0..<30))
    let run = try CommandLineRun("import", "in", in: folder)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        in/S_D_85012345_20230601.txt  sales report  1 row, 2023-06-01
        in/orders.csv                 orders  30 rows, 2023-06-01..2023-06-02
        in/transactions.csv           transactions  30 rows, 2023-06-01..2023-06-02
        sales report: 1 file, 1 row, 2023-06-01
          CNY  7 units, 42.00 gross, 28.91 proceeds
        orders: 1 file, 30 rows, 2023-06-01..2023-06-02
          CNY  30 units, 180.00
        transactions: 1 file, 30 rows, 2023-06-01..2023-06-02
          CNY  30 units, 180.00
        CNY assumed as base currency, the commonest of the orders; set base_currency in tieout.toml
        CN assumed as developer's country (affects tax in BR, ID, JP, KG, KH, KR, PH, SG, TH, TJ, \
        TW, UZ, VN, and the storefronts of plan); set developer_country in tieout.toml
        imported 3 files, 61 rows
        next: tieout reconcile 2023-06

        """)
  }

  @Test func `the same content is skipped and said to be, packed or not`() throws {
    let folder = try TemporaryFolder()
    let text = Inputs.sales(day: 1, units: 7)
    try folder.write("a.txt", text)
    _ = try folder.importing("a.txt")
    let before = folder.ledgerBytes
    try folder.write("b.txt.gz", gzipMember(text))
    let summary = try folder.importing("a.txt", "b.txt.gz")
    #expect(summary.files.map(\.status) == [.skipped, .skipped])
    #expect(summary.files.map { folder.relative($0.sameAs ?? "") } == ["a.txt", "a.txt"])
    #expect(summary.files[0].sha256 == summary.files[1].sha256)
    #expect(summary.kinds.isEmpty)
    #expect(!summary.hasBadInput)
    #expect(folder.ledgerBytes == before)
  }

  /// Above 64 KiB the content is looked up before anything is appended.
  @Test func `large content is known again, and told from what only begins alike`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3000))
    try folder.write("b.csv", Inputs.orders(0..<3000))
    try folder.write("c.csv", Inputs.orders(0..<3001))
    let summary = try folder.importing("a.csv", "b.csv", "c.csv")
    #expect(summary.files.map(\.status) == [.imported, .skipped, .imported])
    #expect(summary.files.map(\.rows) == [3000, 3000, 3001])
  }

  /// The second company's report, whose name says nothing, beside the first one's.
  @Test(arguments: [
    ("", 1, "vendor 85012345 assumed for gems.txt, which names none;"),
    ("", 3, "vendor 85012345 assumed for 3 reports that name none, the first gems.txt/S_D_2023"),
    ("--vendor 80000002", 1, nil), ("vendor_numbers", 1, nil),
  ])
  func `an assumed vendor is said`(_ told: String, _ days: Int, _ said: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write(Inputs.salesName(day: 9), Inputs.sales(day: 9, units: 7))
    try folder.write("gems.txt", (1...days).map { Inputs.sales(day: $0, units: 2) }.joined())
    if told == "vendor_numbers" {
      try folder.write("tieout.toml", "vendor_numbers = [\"85012345\"]\n")
    }
    _ = try CommandLineRun(["import", Inputs.salesName(day: 9)], in: folder)
    let options = told.hasPrefix("--") ? told.split(separator: " ").map(String.init) : []
    let run = try CommandLineRun(["import", "gems.txt"] + options, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("assumed for") == (said != nil))
    if let said { #expect(run.output.contains(said), "\(run.output)") }
  }

  @Test func `another version of a report supersedes the older one`() throws {
    let folder = try TemporaryFolder()
    let name = Inputs.salesName(day: 1)
    try folder.write("old/" + name, Inputs.sales(day: 1, units: 7))
    try folder.write("new/" + name, Inputs.sales(day: 1, units: 8))
    _ = try folder.importing("old")
    let summary = try folder.importing("new")
    #expect(summary.files.map(\.status) == [.imported])
    #expect(summary.files.first?.supersedes == folder.path + "/old/" + name)
    #expect(summary.text.contains("supersedes"))
  }

  /// Of a file that is rejected as a whole its name alone is kept, so that it counts as missing.
  @Test func `no row of a bad file is kept, the others are imported`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/orders.csv", Inputs.orders(0..<10))
    _ = try folder.importing("a")
    func rows() throws -> String {
      let query = "SELECT file, rows FROM v_file UNION ALL SELECT source, id FROM v_order_all"
      return try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
    }
    let before = try rows()
    let packed = gzipMember(Inputs.sales(day: 1, units: 7))
    try folder.write("b/truncated.txt.gz", Array(packed.prefix(packed.count / 2)))
    try folder.write(
      "b/orders.csv", Inputs.orders(10..<20) + "O20,gems.60,paid,1685577600,\"1,54\",CNY,CN\n")
    try folder.write("b/empty.csv", "")
    let bad = try folder.importing("b")
    #expect(bad.files.map(\.status) == [.rejected, .rejected, .rejected])
    #expect(bad.hasBadInput)
    #expect(try rows() == before && before.contains("orders.csv:11"))

    try folder.write("b/transactions.csv", Inputs.transactions(0..<10))
    let mixed = try folder.importing("b")
    #expect(mixed.count(.imported) == 1)
    #expect(mixed.count(.rejected) == 3)
    #expect(try ledgerStatus(of: folder.ledger, asOf: Day("2023-07-01")!).fileCount == 2)
  }

  @Test func `good rows are kept on demand, the bad ones beside them`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "orders.csv", Inputs.orders(0..<3) + "O3,gems.60,paid,2023-02-30T00:00:00Z,6.00,CNY,CN\n")
    let summary = try folder.importing("orders.csv") { $0.keepsGoodRows = true }
    #expect(summary.files.map(\.status) == [.partial])
    #expect(summary.files.map(\.rows) == [3])
    #expect(summary.files.map(\.rejected) == [1])
    #expect(summary.hasBadInput)
    let status = try ledgerStatus(of: folder.ledger, asOf: Day("2023-07-01")!)
    #expect(status.partial.map(\.rejected) == [1])
    #expect(status.worst == .warning)
  }

  @Test(arguments: [false, true])
  func `a dry run says what the real run does, and changes nothing`(keepsGoodRows: Bool) throws {
    let folder = try TemporaryFolder()
    let name = Inputs.salesName(day: 1)
    try folder.write("in/a/" + name, Inputs.sales(day: 1, units: 7))
    try folder.write("in/b/" + name, Inputs.sales(day: 1, units: 8))
    try folder.write("in/c/" + name, Inputs.sales(day: 1, units: 7))
    try folder.write("in/orders.csv", Inputs.orders(0..<5) + "O5,gems.60,paid,x,6.00,CNY,CN\n")
    try folder.write("in/tx.csv", Inputs.transactions(0..<5))
    func run(_ isDryRun: Bool) throws -> ImportSummary {
      try folder.importing("in") {
        $0.isDryRun = isDryRun
        $0.keepsGoodRows = keepsGoodRows
        $0.noSales = [Day("2023-06-02")!]
      }
    }
    let untouched = try run(true)
    #expect(!FileManager.default.fileExists(atPath: folder.ledger))
    try folder.write("before.csv", Inputs.orders(100..<101))
    _ = try folder.importing("before.csv")
    let before = folder.ledgerBytes
    let dry = try run(true)
    #expect(folder.ledgerBytes == before)
    let real = try run(false)
    func same(_ left: ImportSummary, _ right: ImportSummary) -> Bool {
      // A dry run alone tells what each column became, and the first rows.
      var told = left
      for index in told.files.indices {
        (told.files[index].columns, told.files[index].firstRows) = ([], FirstRows())
      }
      return told.json.replacing("\"dry_run\": true", with: "\"dry_run\": false") == right.json
    }
    #expect(same(dry, real))
    #expect(same(untouched, real))
    #expect(
      real.files.map(\.status.rawValue) == [
        "imported", "imported", "skipped", keepsGoodRows ? "partial" : "rejected", "imported",
      ])
  }

  @Test func `days without sales stand without paths and name their vendor`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try folder.importing(Inputs.salesName(day: 1))
    let summary = try folder.importing { $0.noSales = [Day("2023-06-02")!, Day("2023-06-01")!] }
    #expect(summary.noSales.map(\.vendor) == ["85012345", "85012345"])
    #expect(summary.diagnostics.map(\.topic) == ["no-sales"])
    #expect(!summary.hasBadInput)
    #expect(summary.text.hasPrefix("recorded: no sales on 2023-06-02 for vendor 85012345\n"))
  }

  /// Six purchases of 2023-06-01 and none of the day after.
  @Test func `a day with purchases is no day without sales, unless one insists`() throws {
    let folder = try TemporaryFolder()
    try folder.write("transactions.csv", Inputs.transactions(9..<15))
    func run(_ arguments: String) throws -> CommandLineRun {
      try CommandLineRun(in: folder, through: arguments)
    }
    #expect(try run("import transactions.csv").status == 0)
    let refused = try run("import --no-sales 2023-06-01 --no-sales 2023-05-20")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("6 purchases of 2023-06-01 in the ledger"), "\(refused.errors)")
    #expect(refused.output.contains("recorded: no sales on 2023-05-20"))
    #expect(try run("forget --no-sales 2023-06-01").status == 2, "nothing was recorded")
    #expect(try run("import --no-sales 2023-06-01 --force").status == 0)
    let taken = try run("forget --no-sales 2023-06-01")
    #expect(taken.status == 0)
    #expect(taken.output == "2023-06-01 is no longer recorded as a day without sales\n")
    #expect(try run("forget --no-sales 2023-06-01").status == 2)
    #expect(try run("status").output.contains("1 day recorded"))
  }

  @Test func `of several vendors the one without sales must be named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("S_D_85012345_20230601.txt", Inputs.sales(day: 1, units: 7))
    try folder.write("S_D_85012346_20230601.txt", Inputs.sales(day: 1, units: 9))
    let summary = try folder.importing("S_D_85012345_20230601.txt", "S_D_85012346_20230601.txt") {
      $0.noSales = [Day("2023-06-02")!]
      $0.vendorNumbers = ["85012345"]
    }
    #expect(summary.noSales.isEmpty)
    #expect(summary.allDiagnostics.map(\.severity) == [.warning, .error])
    #expect(
      summary.diagnostics.first?.help.english == "say with --vendor which of them had no sales")
    let named = try folder.importing {
      $0.noSales = [Day("2023-06-02")!]
      $0.vendor = "85012346"
    }
    #expect(named.noSales.map(\.vendor) == ["85012346"])
  }

  @Test func `the ledger and the configuration in an imported folder are no input`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    let config = try folder.write("ours.toml", "tolerance = 1\n")
    try folder.write("tieout.toml", "tolerance = 1\n")
    for status in [ImportedFile.Status.imported, .skipped] {
      let summary = try folder.importing("") { $0.leftOut = [config] }
      #expect(summary.files.map(\.status) == [status])
    }
  }

  @Test func `a second import at the same time is refused, a file left behind is not`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write("tx.csv", Inputs.transactions(0..<3))
    try folder.write("tieout.sqlite-import", "")
    var refused: Stop?
    let request = ImportRequest(
      paths: [folder.path + "/orders.csv"], ledgerPath: folder.ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    let summary = try importFiles(request) { _ in
      // Until the ledger is opened, another import may still come first.
      guard FileManager.default.fileExists(atPath: folder.ledger) else { return }
      do { _ = try folder.importing("tx.csv") } catch { refused = error as? Stop }
    }
    #expect(summary.count(.imported) == 1)
    #expect(refused?.status == .ledger)
    #expect(refused?.message.english.contains("in use by another process") == true)
    #expect(try folder.importing("tx.csv").count(.imported) == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.ledger + "-import"))
  }

  @Test func `progress tells files, rows and bytes`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3))
    try folder.write("b.csv", Inputs.transactions(0..<4))
    let request = ImportRequest(
      paths: [folder.path + "/a.csv", folder.path + "/b.csv"], ledgerPath: folder.ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    var told: [ImportProgress] = []
    _ = try importFiles(request) { told.append($0) }
    #expect(told.first?.rows == 0)
    #expect(told.map(\.filesDone) == told.map(\.filesDone).sorted())
    #expect(told.allSatisfy { $0.fileCount == 2 && $0.bytesRead <= max($0.byteCount, 0) })
    #expect(told.last?.rows == 7)
  }

  @Test func `the first word comes before the ledger is opened`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3))
    let request = ImportRequest(
      paths: [folder.path + "/a.csv"], ledgerPath: folder.ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    var hadLedger: [Bool] = []
    _ = try importFiles(request) { _ in
      hadLedger.append(FileManager.default.fileExists(atPath: folder.ledger))
    }
    #expect(hadLedger.first == false && hadLedger.last == true)
  }

  @Test func `files beside what is none are read in turn`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3))
    try folder.write("c.csv", Inputs.transactions(0..<5))
    try folder.write("d.csv", Inputs.orders(3..<7))
    let request = ImportRequest(
      paths: ["none", "a", "b", "c", "a", "d"].map { "\(folder.path)/\($0).csv" },
      ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_000_000))
    let summary = try importFiles(request)
    #expect(summary.files.map(\.rows) == [0, 3, 0, 5, 3, 4])
    #expect(
      summary.files.map(\.status) == [
        .rejected, .imported, .rejected, .imported, .skipped, .imported,
      ])
  }

  @Test func `a report of a vendor that is not ours is a warning`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    let summary = try folder.importing(Inputs.salesName(day: 1)) { $0.vendorNumbers = ["1"] }
    #expect(summary.allDiagnostics.map(\.topic) == ["vendor"])
    #expect(summary.files.map(\.status) == [.imported])
  }
}
