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
      #expect(try run("forget more.csv").output == "forgot more.csv: transactions, 5 rows\n")
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
    #expect(try run("forget v5.txt").output == "forgot v5.txt: sales, 1 row\n")
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
    #expect(refused.status == 2 && refused.errors.contains("a month was closed"))
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
        + "U3,gems.60,paid,never,secret-ann,US,0.99,USD\n")
    try folder.write("tieout.toml", "mask_users = true\n")
    var digests: Set<String> = []
    for ledger in ["tieout.sqlite", "other.sqlite"] {
      let imported = try run("import users.csv bad.csv --keep-good-rows --ledger \(ledger)")
      #expect(imported.status == 2 && imported.errors.contains("bad.csv:3:"))
      #expect(!imported.errors.contains("secret-ann") && !imported.output.contains("secret-ann"))
      let exported = try run("export orders --since 2023-06-30 --ledger \(ledger)").output
      #expect(!exported.contains("secret-ann"))
      digests.insert(String(try #require(exported.firstMatch(of: /user-[0-9a-f]{12}/)).0))
      for query in ["v_reject", "reject", "ledger_secret", "v_order", "order_row"] {
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
    #expect(waited.status == 0 && waited.errors.contains("waiting up to 60 seconds"))
    #expect(try run("import more.csv --wait -1").status == 64)
  }

  @Test func `a ledger whose first import runs is empty, not damaged`() throws {
    try folder.write("new.sqlite", "")
    let status = try run("status --ledger new.sqlite")
    #expect(status.status == 2 && status.errors.contains("nothing is imported into the ledger yet"))
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
    #expect(refused.status == 3 && refused.errors.contains("journal.csv of close 1 was changed"))
    #expect(try run("closes 2023-06 --print summary.txt").status == 0)
  }
}
