import Foundation
import Support
import Testing
import Workflow

/// What the configuration says of the company's own exports, from the file to the ledger.
@Suite struct MappedImportTests {
  private static let shop = """
    Report June

    id\tproduct\tstate\tcreated\tamount\tuid
    1001\tgems60\tDONE\t2023-06-12 10:00:00\t600\tu1
    1002\tgems300\tPAID\t2023-06-12 10:05:30\t103050\tNULL

    """

  private static let configuration = """
    business_zone = "Asia/Shanghai"
    [import]
    zone = "business_zone"
    [import.orders]
    columns = { order_id = "id", sku = "product", status = "state", placed_at = "created", \
    unit_price = "amount", user_id = "uid" }
    constants = { currency = "CNY", storefront = "CN" }
    words.status = { fulfilled = "DONE" }
    unit = "cents"
    nulls = ["NULL"]
    skip_top = 2

    """

  @Test func `a shop's export goes in by its mapping`() throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.txt", Self.shop)
    let refused = try CommandLineRun("import", "shop.txt", in: folder)
    #expect(refused.status == 2 && refused.errors.contains("skip_top"))
    try folder.write("tieout.toml", Self.configuration)
    let rehearsed = try CommandLineRun("import", "--dry-run", "shop.txt", in: folder)
    #expect(rehearsed.status == 0)
    for line in [
      "shop.txt  orders  2 rows, 2023-06-12, by [import.orders], times in Asia/Shanghai\n",
      "  known by [import.orders], which fits its columns\n",
      "  order_id    <- id          1001  ", "  sku         <- product     gems60  ",
      "  status      <- state       fulfilled  ", "  unit_price  <- amount      6",
      "  currency    <- (constant)  CNY", "  user_id     <- uid         u1",
      "  not in the file: quantity, bundle_id, channel, coins, paid_at, fulfilled_at, "
        + "transaction_id, app_account_token, app_version, device, coin\n",
      "orders: 1 file, 2 rows, 2023-06-12\n  CNY  2 units, 1,036.50\nwould import 1 file, 2 rows\n",
    ] { #expect(rehearsed.output.contains(line), "\(line) \(rehearsed.output)") }
    let imported = try CommandLineRun("import", "shop.txt", in: folder)
    #expect(imported.status == 0 && imported.errors.isEmpty)
    let exported = try CommandLineRun("export", "orders", in: folder)
    #expect(
      exported.output.contains("\n1002,paid,gems300,1,1030.50,CNY,CN,,,,2023-06-12T02:05:30Z"))
  }

  @Test func `what config prints is read as it was`() throws {
    let folder = try TemporaryFolder()
    try folder.write("tieout.toml", Self.configuration)
    let first = try CommandLineRun("config", in: folder)
    try folder.write("tieout.toml", first.output)
    let second = try CommandLineRun("config", in: folder)
    func line(_ run: CommandLineRun) -> Substring? {
      run.output.split(separator: "\n").first { $0.hasPrefix("import = ") }
    }
    #expect(line(first) == line(second))
    #expect(line(first)?.contains("skip_top = 2") == true)
  }

  @Test(arguments: [
    ("unit = \"cents\"", "unit = \"cent\"", "unit: one of \"whole\", \"cents\""),
    ("skip_top = 2", "skip_topp = 2", "did you mean skip_top?"),
    ("order_id = ", "orderid = ", "did you mean order_id?"),
    ("[import.orders]", "[import.order]", "did you mean orders?"),
    ("zone = \"business_zone\"", "zone = \"Asia/Shangai\"", "did you mean \"Asia/Shanghai\"?"),
    ("nulls = [\"NULL\"]", "nulls = \"NULL\"", "nulls: a list of texts in quotes"),
    ("unit = \"cents\"", "decimal = \";\"", "decimal: \".\" or \",\""),
    ("words.status = { fulfilled = \"DONE\" }", "words.status = 1", "words such as"),
    ("{ fulfilled = \"DONE\" }", "{ fulfiled = \"DONE\" }", "did you mean fulfilled?"),
    ("currency = \"CNY\"", "currency = \"Yuan\"", "constants.currency: a currency's three"),
    ("storefront = \"CN\"", "storefront = \"QQ\"", "constants.storefront: a storefront's"),
    ("storefront = \"CN\"", "unit_price = 600", "together with unit = \"cents\""),
    ("skip_top = 2", "encoding = \"GBK\"", "files together with encoding"),
    ("skip_top = 2", "files = \"*\"\nencoding = \"GKB2\"", "an encoding of iconv"),
  ])
  func `a wrong mapping is refused with advice`(
    _ right: String, _ wrong: String, _ advice: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.txt", Self.shop)
    try folder.write("tieout.toml", Self.configuration.replacing(right, with: wrong))
    let run = try CommandLineRun("import", "shop.txt", in: folder)
    #expect(run.status == 2 && run.errors.contains(advice), "\(run.errors)")
  }
}

/// Traps of the first hour: what was imported by a wrong mapping is found, and read anew.
@Suite struct ReadAnewTests {
  private static let header = "order_id,sku,status,placed_at,channel\n"

  private func orders(_ channels: [String]) -> String {
    Self.header
      + channels.enumerated().map { "O\($0),gems.60,paid,1685577600,\($1)\n" }.joined()
  }

  @Test func `a file is forgotten by any way to write its name`() throws {
    let folder = try TemporaryFolder()
    for name in ["in/shop.csv", "b/other.csv", "c/other.csv"] {
      try folder.write(name, orders([name]))
    }
    #expect(try CommandLineRun("import", "./in", "b", "c", in: folder).status == 0)
    let near = try CommandLineRun("forget", "shp.csv", in: folder)
    #expect(
      near.status == 2 && near.errors.contains("did you mean ./in/shop.csv?"), "\(near.errors)")
    let several = try CommandLineRun("forget", "other.csv", in: folder)
    #expect(several.status == 2 && several.errors.contains("b/other.csv, c/other.csv"))
    let bare = try CommandLineRun("forget", "shop.csv", in: folder)
    #expect(bare.status == 0 && bare.output.contains("./in/shop.csv"), "\(bare.errors)")
    #expect(try CommandLineRun("forget", "./b/other.csv", in: folder).status == 0)
  }

  @Test func `a mapping that was changed since is said`() throws {
    let folder = try TemporaryFolder()
    try folder.write("shop file.csv", orders(["", "1"]))
    #expect(try CommandLineRun("import", ".", in: folder).status == 0)
    #expect(try CommandLineRun("import", ".", in: folder).errors.isEmpty)
    try folder.write("tieout.toml", "import.orders.words.channel = { apple = [\"1\"] }\n")
    let again = try CommandLineRun("import", ".", in: folder)
    #expect(again.status == 0 && again.errors.contains("warning[mapping]"), "\(again.errors)")
    let commands =
      "tieout forget './shop file.csv' && tieout import './shop file.csv'\n"
    #expect(again.output.hasSuffix("next: read by the new mapping: " + commands), "\(again.output)")
    #expect(try CommandLineRun("forget", "shop file.csv", in: folder).status == 0)
    #expect(try CommandLineRun("import", ".", in: folder).errors.isEmpty)
    #expect(try CommandLineRun("import", ".", in: folder).errors.isEmpty)
  }

  @Test func `a zone changes nothing of tables that have days`() throws {
    let folder = try TemporaryFolder()
    try folder.write("rates.csv", "date,base,quote,rate\n2023-06-01,USD,CNY,7.1\n")
    #expect(try CommandLineRun("import", "rates.csv", in: folder).status == 0)
    try folder.write("tieout.toml", "import.zone = \"UTC\"\n")
    let again = try CommandLineRun("import", "rates.csv", in: folder)
    #expect(again.status == 0 && !again.errors.contains("[mapping]"), "\(again.errors)")
  }

  @Test func `channels that most orders fall out by come first, whatever their word`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", orders(["1", "1", "1", "2", ""]))
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    try folder.write(
      "t.csv", "transaction_id,sku,purchased_at\n400000000000001,gems.60,1685577600\n")
    let run = try CommandLineRun("import", ".", in: folder)
    let counts = "orders not compared with Apple: 4 of 5, by channel 1 (3), 2 (1)"
    #expect(run.output.contains("\n./orders.csv: \(counts)\nnext: correct in tieout.toml first: "))
    #expect(
      run.output.contains("import.orders.words.channel = { apple = [\"…\"] }; then tieout forget"))
    let told = try CommandLineRun("reconcile", "2023-06", "--as-of", "2023-07-05", in: folder)
      .output
    #expect(told.ranges(of: counts).count == 2, "\(told)")
    let lines = told.split(separator: "\n")
    let missing = try #require(lines.firstIndex { $0.hasPrefix("Missing") })
    #expect(lines[missing + 1].contains(counts), "\(told)")
    let draft = try CommandLineRun("config", "init", "orders.csv", "--print", in: folder).output
    #expect(
      draft.contains(
        "\n# import.orders.words.channel = { apple = [\"…\"] }  # \"1\" (3), \"2\" (1)\n"),
      "\(draft)")
    // Who names Apple's channel means the others.
    let other = try TemporaryFolder()
    try other.write("orders.csv", orders(["1", "1", "1", "2", "apple"]))
    #expect(try CommandLineRun("import", ".", in: other).errors.isEmpty)
  }

  @Test func `rows that a mapping leaves out are said where they are the most`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", orders(["1", "1", "1", "2", ""]))
    try folder.write("tieout.toml", "import.orders.skip = { channel = [\"1\"] }\n")
    let run = try CommandLineRun("import", ".", in: folder)
    #expect(
      run.output.contains("rows left out by where and skip of [import.orders]: 3 of 5\n"),
      "\(run.output)")
  }
}

/// Files inside of others, and what only lies beside them.
@Suite struct ContainedFilesTests {
  @Test func `a workbook of another program goes in by its first sheet`() throws {
    let folder = try TemporaryFolder()
    let fixture = checkout + "/Tests/WorkflowTests/Fixtures/orders.xlsx"
    try FileManager.default.copyItem(atPath: fixture, toPath: folder.path + "/orders.xlsx")
    try folder.write(
      "tieout.toml",
      """
      [import.orders]
      columns = { order_id = "Order No", sku = "Product", status = "State", \
      placed_at = "Created", unit_price = "Price", storefront = "Country", user_id = "User" }
      zone = "Asia/Shanghai"
      """)
    let run = try CommandLineRun("import", "orders.xlsx", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("the sheet Orders is read, and these are not: Notes"))
    let rows = try CommandLineRun("export", "orders", in: folder).output.split(separator: "\n")
    #expect(
      rows.dropFirst() == [
        "1001,paid,gems60,1,6.00,CNY,CN,u1,,,2023-06-12T02:00:00Z,,,,,,,,,orders.xlsx,2",
        """
        1002,fulfilled,gems300,1,1030.50,CNY,CN,"a, ""b"" & <c>",,,2023-06-12T02:05:30Z,,,,,,,,,\
        orders.xlsx,3
        """,
        """
        100000000000000003,cancelled,gems60,1,5.99,CNY,CN,,,,2023-06-12T15:59:59Z,,,,,,,,,\
        orders.xlsx,4
        """,
      ])
  }

  @Test func `an archive is what its files are`() throws {
    let plain = try TemporaryFolder()
    let packed = try TemporaryFolder()
    let files = [
      (Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7)),
      ("in/orders.csv", Inputs.orders(0..<5)), ("in/.hidden", "x"), ("README.md", "x"),
      ("keys/AuthKey.p8", "x"),
    ]
    for (name, text) in files { try plain.write("all/" + name, text) }
    let archive = zipArchive(
      files.map { ($0.0, Array($0.1.utf8)) } + [("in/", []), ("__MACOSX/._x", [1])])
    try packed.write("all.zip", archive)
    let left = try plain.importing("all")
    let right = try packed.importing("all.zip")
    func digests(_ summary: ImportSummary) -> Set<String?> { Set(summary.files.map(\.sha256)) }
    #expect(digests(left) == digests(right))
    #expect(left.files.count == 2 && !left.hasBadInput && !right.hasBadInput)
    #expect(left.leftOut.count == 2 && right.leftOut.count == 2)
    #expect(
      right.text.contains("left out, 2 files that are no inputs by their names: "))
    // The same files packed again are known.
    try packed.write(
      "again.zip", zipArchive(files.prefix(2).map { ($0.0, Array($0.1.utf8)) }))
    #expect(
      try packed.importing("again.zip").files.map(\.status.rawValue) == ["skipped", "skipped"])
  }

  @Test func `a named file that is no input is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("README.md", "# Notes\n")
    #expect(try folder.importing("README.md").hasBadInput)
    #expect(try folder.importing(".").leftOut.count == 1)
  }
}
