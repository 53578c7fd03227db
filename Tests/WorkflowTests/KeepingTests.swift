import Billing
import Foundation
import Support
import Testing

/// What keeps a ledger whole, and what is in it to those that may see it.
@Suite struct KeepingTests {
  private let company: Company
  private var folder: TemporaryFolder { company.folder }

  init() throws {
    company = try Company()
    try company.importJune()
  }

  private func run(_ arguments: String) throws -> CommandLineRun {
    try CommandLineRun(in: folder, through: arguments)
  }

  private func printed() throws -> [String] {
    try ["reconcile --period 2023-06 --format json", "export orders", "export transactions"].map {
      try run($0 + " --as-of 2023-09-01").output
    }
  }

  @Test func `a file that is forgotten leaves nothing, and can come again`() throws {
    let before = try printed()
    let bad = Inputs.orders(0..<900).replacing("O", with: "BAD")
    try folder.write("bad.csv", bad)
    try folder.write("more.csv", Inputs.transactions(0..<5))
    for _ in 0..<2 {
      #expect(try run("import bad.csv more.csv").status == 0)
      #expect(try printed() != before)
      #expect(try run("forget more.csv").output == "removed more.csv: transactions, 5 rows\n")
      let digest = try run("sql --format csv \"SELECT sha256 FROM v_file WHERE file = 'bad.csv'\"")
      let sha = digest.output.split(separator: "\n")[1]
      let forgotten = try run("forget \(sha.prefix(12)) --format json")
      #expect(forgotten.status == 0 && forgotten.output.contains("\"rows\": 900"))
      #expect(try printed() == before)
      #expect(try run("explain BAD3").status == 2)
    }
    #expect(try run("forget bad.csv").errors.contains("no imported file has the name"))
  }

  @Test func `a report counts again when the one over it is forgotten`() throws {
    // The list of inputs shows superseded reports too: only figures are compared.
    func printed() throws -> [String] {
      try ["findings", "proceeds"].map {
        try run("export \($0) --period 2023-06 --as-of 2023-09-01").output
      }
    }
    let before = try printed()
    for units in [5, 6] {
      try folder.write("v\(units).txt", Inputs.sales(day: 5, units: units))
      #expect(try run("import v\(units).txt --vendor 85012345").status == 0)
    }
    #expect(try printed() != before)
    // The one in the middle first: the newest still counts.
    let six = try printed()[1]
    #expect(try run("forget v5.txt").output == "removed v5.txt: sales, 1 row\n")
    let (findings, proceeds) = (try printed()[0], try printed()[1])
    #expect(proceeds == six)
    #expect(findings.contains("v6.txt replaced ") && !findings.contains("v5.txt"))
    #expect(try run("forget v6.txt").output.contains("counts again in its place"))
    #expect(try printed() == before)
  }

  @Test func `what a close in force was made with stays`() throws {
    try company.acceptAll(Period("2023-06")!)
    let kept = try run("closes 2023-06 --print reconciliation.json").output
    let bytes = folder.ledgerBytes
    let refused = try run("forget \(folder.path)/orders-600.csv")
    #expect(refused.status == 2 && refused.errors.contains("it was used to close a month"))
    #expect(folder.ledgerBytes == bytes)
    try folder.write("late.csv", Inputs.orders(0..<3))
    #expect(try run("import late.csv").status == 0)
    #expect(try run("forget late.csv").status == 0)
    #expect(try run("closes 2023-06 --print reconciliation.json").output == kept)
    try company.reopen(Period("2023-06")!)
    #expect(try run("forget \(folder.path)/orders-600.csv").status == 0)
  }

  @Test func `a backup is the ledger, and replaces nothing of worth`() throws {
    #expect(try run("backup copy.sqlite").status == 0)
    #expect(try Array(folder.bytes("copy.sqlite")) == folder.ledgerBytes)
    for name in ["tieout.sqlite", "orders-600.csv"] {
      #expect(try run("backup \(name)").status == 2)
    }
    let modes = ["copy.sqlite", "tieout.sqlite"].map { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      return attributes?[.posixPermissions] as? Int
    }
    #expect(modes == [0o600, 0o600])
  }

  @Test func `digests of users are a ledger's own, and rows with users are hidden`() throws {
    try folder.write(
      "users.csv",
      "order_id,sku,status,placed_at,user_id,storefront,unit_price,currency\n"
        + "U1,gems.60,paid,2023-06-30T23:59:59Z,secret-ann,US,0.99,USD\n")
    try folder.write(
      "bad.csv",
      "order_id,sku,status,placed_at,user_id,storefront,unit_price,currency\n"
        + "U2,gems.60,paid,2023-06-30T23:59:59Z,secret-ann,US,0.99,USD\n"
        + "U3,gems.60,paid,never,secret-ann,US,0.99,USD\n"
        + "U4,gems.60,paid,2023-06-30T23:59:59Z,,US,secret-ann,USD\n")
    try folder.write("tieout.toml", "mask_users = true\n")
    var digests: Set<String> = []
    for ledger in ["tieout.sqlite", "other.sqlite"] {
      let imported = try run("import users.csv bad.csv --keep-good-rows --ledger \(ledger)")
      #expect(imported.status == 2 && imported.errors.contains("bad.csv:3:"))
      #expect(!imported.errors.contains("secret-ann") && !imported.output.contains("secret-ann"))
      let exported = try run("export orders --since 2023-06-30 --ledger \(ledger)").output
      #expect(!exported.contains("secret-ann"))
      digests.insert(String(try #require(exported.firstMatch(of: /user-[0-9a-f]{12}/)).0))
      for query in [
        "v_reject", "reject", "ledger_secret", "v_order", "order_row", "order_block",
        "unmasked_v_order",
      ] {
        let rows = try run("sql --format json \"SELECT * FROM \(query)\" --ledger \(ledger)")
        #expect(rows.status == 0 && !rows.output.contains("secret-ann"))
        #expect(query != "ledger_secret" || rows.output.contains("\"bytes\":null"))
      }
    }
    #expect(digests.count == 2)
  }

  @Test func `an import waits for another as long as it is told`() throws {
    try folder.write("more.csv", Inputs.orders(0..<3))
    let lock = "--version > /dev/null; flock tieout.sqlite-import sleep 2 & sleep 0.5; \"$0\""
    let refused = try run("\(lock) import more.csv --wait 0; s=$?; wait; exit $s")
    #expect(refused.status == 3)
    let waited = try run("\(lock) import more.csv --wait 60; s=$?; wait; exit $s")
    #expect(waited.status == 0 && waited.errors.contains("waiting up to 60 s"))
    #expect(try run("import more.csv --wait -1").status == 64)
  }

  @Test func `a ledger whose first import runs is empty, not damaged`() throws {
    try folder.write("new.sqlite", "")
    let status = try run("status --ledger new.sqlite")
    #expect(status.status == 2 && status.errors.contains("the ledger is empty"))
  }

  @Test func `a document of a close that was changed is refused`() throws {
    try company.acceptAll(Period("2023-06")!)
    var bytes = folder.ledgerBytes
    let title = Array("date,entry,account,currency".utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: title) }
    #expect(!places.isEmpty)
    for place in places { bytes[place] = UInt8(ascii: "D") }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.ledger))
    let refused = try run("closes 2023-06 --print journal.csv")
    let words = "journal.csv of close no. 1 was changed"
    #expect(refused.status == 3 && refused.errors.contains(words), "\(refused.errors)")
    let verified = try run("verify")
    #expect(verified.status == 3 && verified.output.contains("damaged: "), "\(verified.output)")
  }

  /// With each kind of file that the samples have: a catalogue whose rows are fewer than the names
  /// in Apple's reports, settlement, payments.
  @Test(arguments: ["2023-06", "two-months", "exports", "json"])
  func `a sample's ledger is sound`(sample: String) throws {
    let month = checkout + "samples/" + sample
    let config = month + "/tieout.toml"
    var options = ["--ledger", folder.path + "/sample.sqlite"]
    if FileManager.default.fileExists(atPath: config) { options += ["--config", config] }
    // One of the exports is refused for want of a library; the others are in.
    _ = try CommandLineRun(["import", month] + options, in: folder)
    let verified = try CommandLineRun(["verify"] + options, in: folder)
    #expect(verified.output.contains("the ledger is sound"), "\(verified.output)")
  }

  @Test func `verify reads the files again where they still are`() throws {
    func json() throws -> String { try run("verify --format json").output }
    let all = try json()
    #expect(all.contains("\"damaged\": false") && all.contains("\"seals\": true"), "\(all)")
    #expect(all.contains("\"missing\": []") && all.contains("\"changed\": []"))
    let count = try #require(all.firstMatch(of: /"compared": (\d+)/)?.1)
    #expect(all.contains("\"files\": \(count),") && count != "0")
    // From another folder too, as paths begin where the ledger lies.
    let away = try run(
      "--version > /dev/null; mkdir away; cd away; \"$0\" verify --ledger ../tieout.sqlite")
    #expect(away.status == 0 && !away.output.contains("no longer where it was"), "\(away.output)")
    // A folder that was moved is one line; one that was entered is found by what is in it.
    for first in [20, 30, 40] {
      try folder.write("in/june/\(first).csv", Inputs.orders(first..<first + 5))
    }
    #expect(try run("import in").status == 0)
    let entered = try run(
      "--version > /dev/null; cd in/june; \"$0\" verify --ledger ../../tieout.sqlite")
    #expect(!entered.output.contains("not there"), "\(entered.output)")
    try FileManager.default.moveItem(atPath: folder.path + "/in", toPath: folder.path + "/out")
    #expect(try run("verify").output.contains("\n3 files of in/june are not there"))
    try FileManager.default.moveItem(atPath: folder.path + "/out", toPath: folder.path + "/in")
    try folder.write("one.csv", Inputs.orders(0..<5))
    try folder.write("two.csv", Inputs.orders(5..<9))
    #expect(try run("import one.csv two.csv").status == 0)
    try folder.write("one.csv", Inputs.orders(0..<6))
    try FileManager.default.removeItem(atPath: folder.path + "/two.csv")
    let some = try run("verify")
    #expect(some.status == 0 && some.output.contains("no longer read as it was: one.csv\n"))
    #expect(some.output.contains("no longer where it was: two.csv\n"))
    #expect(some.output.hasSuffix("the ledger is sound\n"))
    #expect(try run("backup copy.sqlite").status == 0)
    #expect(try run("verify --ledger copy.sqlite").output.contains("all checksums match"))
    let changed = try run(
      """
      --version > /dev/null; sqlite3 tieout.sqlite \
      'UPDATE order_terms SET quantity = 5 WHERE id = 1'
      """)
    #expect(changed.status == 0)
    let found = try run("verify")
    #expect(
      found.status == 3 && found.output.contains("a row of order_terms is not what was written"),
      "\(found.output)")
    #expect(folder.names.filter { $0.hasPrefix(".tieout") } == [])
  }

  @Test func `verify tells another reading from damage`() throws {
    let rows = Inputs.orderHeader + "O1,gems.60,paid,2023-06-05 10:00:00,6.00,CNY,CN\n"
    try folder.write("shop.csv", rows)
    try folder.write("west.toml", "[import.orders]\nzone = \"Asia/Shanghai\"\n")
    try folder.write("east.toml", "[import.orders]\nzone = \"Europe/Berlin\"\n")
    let ledger = "--ledger shop.sqlite"
    #expect(try run("import shop.csv \(ledger) --config west.toml").status == 0)
    #expect(try !run("verify \(ledger) --config west.toml").output.contains("differently"))
    let changed = try run("verify \(ledger) --config east.toml")
    #expect(changed.status == 0, "\(changed.output) \(changed.errors)")
    #expect(changed.output.contains("shop.csv would be read differently today"))
    #expect(changed.output.hasSuffix("the ledger is sound\n"))
  }

  @Test func `files of one archive are read again as each was imported`() throws {
    let bad = Inputs.orders(10..<12) + "O9,gems.60,paid,never,6.00,CNY,CN\n"
    let archive = zipArchive([
      ("a.csv", Array(Inputs.orders(0..<3).utf8)), ("b.csv", Array(bad.utf8)),
    ])
    try Data(archive).write(to: URL(fileURLWithPath: folder.path + "/a.zip"))
    let imported = try run("import a.zip --keep-good-rows --ledger zip.sqlite")
    #expect(imported.status == 2 && imported.errors.contains("b.csv"), "\(imported.errors)")
    let verified = try run("verify --ledger zip.sqlite --format json")
    #expect(verified.status == 0 && verified.output.contains("\"compared\": 2,"))
    #expect(verified.output.contains("\"changed\": []"), "\(verified.output)")
  }

  @Test func `what another program writes into the ledger is refused`() throws {
    let changed = try run(
      """
      --version > /dev/null; sqlite3 tieout.sqlite \
      'UPDATE order_block SET content = zeroblob(length(content))'
      """)
    #expect(changed.status == 0, "\(changed.errors)")
    for command in ["export orders", "verify", "sql 'SELECT * FROM order_row'"] {
      #expect(try run(command).status == 3)
    }
  }

  @Test func `a reader that pauses keeps no import waiting`() throws {
    try folder.write("many.csv", Inputs.orders(2000..<6000))
    #expect(try run("import many.csv").status == 0)
    try folder.write("more.csv", Inputs.orders(0..<3))
    for reader in ["export orders", "sql 'SELECT * FROM v_order' --format csv"] {
      let told = try run(
        """
        \(reader) | (sleep 3; cat) > paused.txt & sleep 1; "$0" import more.csv > /dev/null; \
        s=$?; stat -c %s paused.txt; wait; exit $s
        """)
      // It ended before anything was read beyond what the pipe holds, and all came out.
      #expect(told.status == 0 && told.output == "0\n", "\(told.output) \(told.errors)")
      #expect(try folder.bytes("paused.txt").filter { $0 == 0x0A }.count > 4000)
      #expect(try run("forget more.csv").status == 0)
    }
  }

  @Test func `a query ends when its time or its memory does`() throws {
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    let long = try run("sql --time-limit 1 '\(endless) SELECT count(*) FROM n'")
    #expect(long.status == 2 && long.errors.contains("the query was stopped after 1 second\n"))
    let large = try run("sql --memory-limit 20 '\(endless) SELECT i FROM n ORDER BY -i'")
    #expect(large.status == 2 && large.errors.contains("more than 20 MB of memory"))
    #expect(try run("sql --time-limit -1 'SELECT 1'").status == 64)
    #expect(try run("sql --time-limit 0 --memory-limit 0 'SELECT 1'").status == 0)
  }

  @Test func `names that are no text are names of files`() throws {
    try folder.write("more.csv", Inputs.orders(0..<3))
    try folder.write("inside/other.csv", Inputs.orders(3..<5))
    let name = "$'caf\\xe9.csv'"
    func shell(_ command: String) throws -> CommandLineRun {
      try run("--version > /dev/null; \(command)")
    }
    _ = try shell("mv more.csv \(name); mv inside/other.csv inside/\(name)")
    let imported = try shell("\"$0\" import \(name) inside")
    #expect(imported.status == 0 && imported.output.contains("caf\\xE9.csv"), "\(imported)")
    #expect(imported.output.contains("inside/caf\\xE9.csv"))
    // It is found again by its bytes, and is another file than one of that text.
    let verified = try run("verify").output
    #expect(verified.contains("the ledger is sound") && !verified.contains("caf"), "\(verified)")
    #expect(try run("forget 'caf\\xE9.csv'").status == 2)
    #expect(try shell("\"$0\" forget \(name)").output == "removed caf\\xE9.csv: orders, 3 rows\n")
    for command in ["status --ledger \(name)", "export orders --out \(name)"] {
      let refused = try shell("\"$0\" \(command)")
      #expect(refused.status == 64 && refused.errors.contains("expected text in UTF-8"))
    }
  }

  @Test func `what a killed run left is gone after the next`() throws {
    let left = ".tieout-left.scratch"
    try folder.write(left + "/trial.sqlite", "x")
    try folder.write("more.csv", Inputs.orders(0..<3))
    #expect(try run("import more.csv --dry-run --ledger new.sqlite").status == 0)
    #expect(!folder.names.contains(left) && !folder.names.contains("new.sqlite"))
  }
}
