import Foundation
import Support
import Testing
import Workflow

/// What the program says of itself to somebody who has a file and nothing else.
@Suite struct FirstContactTests {
  private static let kinds = [
    ("orders", "orders"), ("transactions", "transactions"), ("products", "catalogue"),
    ("tiers", "tiers"), ("rates", "rates"), ("taxes", "tax rates"), ("bank", "bank statement"),
  ]

  @Test(arguments: kinds) func `a template with its example can be imported`(
    kind: String, name: String
  ) throws {
    let folder = try TemporaryFolder()
    let template = try CommandLineRun("template", kind, "--example", in: folder)
    try folder.write("\(kind).csv", template.output)
    let run = try CommandLineRun("import", "\(kind).csv", in: folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.contains("\(name)  1 row"), "\(run.output)")
    let empty = try CommandLineRun("template", kind, in: folder).output
    #expect(template.output.hasPrefix(empty) && empty.filter { $0 == "\n" }.count == 1)
    // The guide has the same columns.
    let guide = try CommandLineRun("import", "--columns", kind, in: folder).output
    for column in empty.dropLast().split(separator: ",") {
      #expect(guide.contains("\n  \(column) "), "\(column)")
    }
    let json = try CommandLineRun("import", "--columns", kind, "--format", "json", in: folder)
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
  }

  /// Whoever fills a table in takes its example at its word.
  @Test func `the example of a product agrees with itself`() throws {
    let lines = try CommandLineRun("template", "products", "--example", in: try TemporaryFolder())
      .output.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    let row = Dictionary(zip(lines[0], lines[1])) { first, _ in first }
    #expect(row["sku"]?.hasSuffix(".300") == true && row["name"] == "300 Gems", "\(row)")
  }

  @Test func `the help of template names the kinds`() throws {
    let folder = try TemporaryFolder()
    let wrong = try CommandLineRun("template", in: folder)
    #expect(wrong.status == 64 && wrong.errors.contains("see tieout help template"))
    let help = try CommandLineRun("help", "template", in: folder).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("Kind of table: orders, transactions, products, "), "\(help)")
  }

  @Test func `a draft names the files that nothing recognises`() throws {
    let folder = try TemporaryFolder()
    try folder.write("odd.csv", "colour,size,weight\nred,1,2\n")
    let draft = try CommandLineRun("config", "init", "odd.csv", in: folder)
    #expect(draft.status == 2 && draft.errors.contains("odd.csv"), "\(draft.errors)")
    let text = try String(contentsOfFile: folder.path + "/tieout.toml", encoding: .utf8)
    #expect(text.contains("\n# odd.csv: file type not recognised"), "\(text)")
  }

  @Test func `each code is explained without a ledger`() throws {
    let folder = try TemporaryFolder()
    let english = try CommandLineRun("explain", "not-in-report", in: folder)
    #expect(english.status == 0)
    #expect(
      english.output.hasPrefix(
        "not-in-report: the ledger has more units sold than Apple reports\nWhy "))
    let chinese = try CommandLineRun("explain", "not-in-report", "--lang", "zh", in: folder)
    #expect(chinese.output.contains("\n原因") && chinese.output.contains(#/\p{Han}{6}/#))
    let json = try CommandLineRun("explain", "timing", "--format", "json", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["code"] as? String == "timing" && object?["level"] as? Int == 2)
  }

  private static let shop = """
    Order No,Product,State,Created,Price
    1001,gems60,PAID,2023-06-12T02:00:00Z,6.00

    """

  @Test func `a first configuration makes an unknown table readable`() throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.csv", Self.shop)
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    #expect(try CommandLineRun("import", "shop.csv", in: folder).status == 2)
    let printed = try CommandLineRun(
      "config", "init", "shop.csv", Inputs.salesName(day: 1), "--print", in: folder)
    #expect(printed.status == 0 && !folder.names.contains("tieout.toml"))
    let made = try CommandLineRun(
      "config", "init", "shop.csv", Inputs.salesName(day: 1), in: folder)
    let told = """
      written: ./tieout.toml
      fill in the lines that begin with #: company, base_currency, bundle_ids, \
      developer_country, default_storefront, business_zone

      """
    #expect(made.status == 0 && made.output == told, "\(made.output)")
    let text = String(decoding: try folder.bytes("tieout.toml"), as: UTF8.self)
    #expect(text == printed.output)
    #expect(text.contains("\nvendor_numbers = [\"85012345\"]\n"), "\(text)")
    #expect(text.contains("\nimport.orders.columns = { order_id = \"Order No\""), "\(text)")
    let imported = try CommandLineRun("import", "shop.csv", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    // What somebody wrote is never replaced.
    let again = try CommandLineRun("config", "init", "shop.csv", in: folder)
    #expect(again.status == 2 && again.errors.contains("tieout.toml already exists"))
    #expect(String(decoding: try folder.bytes("tieout.toml"), as: UTF8.self) == text)
  }

  /// Orders or Apple's transactions: nothing in it tells which.
  private static let either = """
    id,account,item_id,txn_id,purchased_at
    1,u1,gems60,400000000000001,2023-06-12T02:00:00Z

    """

  @Test func `a table that may be orders or transactions takes no other's mapping away`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Self.either)
    try folder.write("shop.csv", Self.shop)
    let run = try CommandLineRun("config", "init", ".", "--print", in: folder)
    #expect(run.status == 2 && run.errors.contains("could be those of orders or"), "\(run.errors)")
    let draft = run.output
    #expect(draft.contains("\nimport.orders.columns = { order_id = \"Order No\""), "\(draft)")
    #expect(draft.contains("\n# ./a.csv: the columns could be those of orders or"), "\(draft)")
    for kind in ["orders", "transactions"] {
      #expect(draft.contains("\n# tieout config init --as \(kind) ./a.csv --print\n"), "\(draft)")
    }
    #expect(!draft.contains("\"item_id\""), "\(draft)")
    // Who says which it is gets its mapping.
    let said = try CommandLineRun(
      "config", "init", "--as", "transactions", "a.csv", "--print", in: folder)
    #expect(said.output.contains("\nimport.transactions.columns = { "), "\(said.output)")
  }

  /// A shop's German table: cents, local times, words of its own, Apple's ids under another name.
  private static let german =
    "Bestell-Nr;KundeID;Artikel;Status;Erstellt;Preis_ct;Waehrung;Vertriebsweg;Beleg;Notiz\n"
    + (1...4).map {
      "A-\($0);u\($0);gems.60;SHIPPED;2023-06-01 10:0\($0):00;600;CNY;iOS-IAP;"
        + "35000000000000\($0);x\n"
    }.joined()

  @Test func `one draft maps a shop's own table beside Apple's reports`() throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.csv", Self.german)
    try folder.write("notes.txt", "call Anna\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    for arguments in [
      ["config", "init", ".", "--as", "orders", "--print"], ["config", "init", "."],
    ] {
      let run = try CommandLineRun(arguments, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let draft =
        arguments.last == "--print"
        ? run.output : String(decoding: try folder.bytes("tieout.toml"), as: UTF8.self)
      for part in [
        "order_id = \"Bestell-Nr\"", "unit_price = \"Preis_ct\"", "user_id = \"KundeID\"",
        "channel = \"Vertriebsweg\"", "transaction_id = \"Beleg\"",
        "\nimport.orders.unit = \"cents\"\n",
        "\n# import.zone = \"…\"\n", "\n# ./shop.csv: not mapped: Notiz\n",
        "import.orders.words.channel = { apple = [\"iOS-IAP\"] }", "fulfilled = [\"SHIPPED\"]",
        "vendor_numbers = [\"85012345\"]",
      ] {
        #expect(draft.contains(part), "\(part)\n\(draft)")
      }
      #expect(!draft.contains("notes.txt"))
      // One remark stands above all the lines that one thing asks for.
      let remarks = draft.split(separator: "\n").filter { $0.hasPrefix("# ./shop.csv: ") }
      #expect(Set(remarks).count == remarks.count, "\(draft)")
    }
    let text = String(decoding: try folder.bytes("tieout.toml"), as: UTF8.self)
    try folder.write(
      "tieout.toml",
      text.replacing("# import.zone = \"…\"", with: "import.zone = \"Asia/Shanghai\""))
    let imported = try CommandLineRun("import", ".", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.contains("next: tieout reconcile"), "\(imported.output)")
  }

  @Test func `a first configuration tells what the ledger has`() throws {
    let folder = try TemporaryFolder()
    #expect(try CommandLineRun("config", "init", in: folder).status == 2)
    try folder.write(
      "t.csv",
      """
      transaction_id,sku,purchased_at,bundle_id,storefront,currency
      1,a,2023-06-12T02:00:00Z,com.example.b,DE,EUR
      2,a,2023-06-12T02:00:00Z,com.example.b,,
      3,a,2023-06-12T02:00:00Z,com.example.c,CN,CNY
      4,a,2023-06-12T02:00:00Z,com.example.b,DE,EUR

      """)
    let imported = try folder.importing("t.csv")
    #expect(imported.text.contains("1 transaction names no storefront, and default_storefront"))
    let text = try CommandLineRun("config", "init", "--print", in: folder).output
    #expect(text.contains("\nbundle_ids = [\"com.example.b\", \"com.example.c\"]\n"), "\(text)")
    #expect(text.contains("(1 of them)") && text.contains("\n# default_storefront = \"DE\"\n"))
    #expect(text.contains("storefronts: DE, CN."))
  }

  @Test func `what is taken for granted is said`() throws {
    let folder = try TemporaryFolder()
    try folder.write("tieout.toml", "default_storefront = \"JP\"\n")
    let sold = Inputs.sales(day: 1, units: 7)
    let updates = sold.split(separator: "\n")[1].replacing("\tIA1\t", with: "\t7\t") + "\n"
    try folder.write(Inputs.salesName(day: 1), sold + updates)
    try folder.write(
      "t.csv",
      "transaction_id,sku,purchased_at\n1,a,2023-06-12T02:00:00Z\n2,a,2023-06-12T02:00:00Z\n")
    let run = try CommandLineRun("import", ".", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains(
        "2 transactions without a storefront, counted under JP (default_storefront)\n"
      ))
    let first = try CommandLineRun("import", "--dry-run", ".", in: folder).output
    #expect(run.output.contains("  7  updates, re-downloads and restores (not sales)\n"))
    #expect(run.output.contains(" 7 units") && !run.output.contains("14 units"), "\(first)")
  }

  @Test func `two sheets of one workbook are two tables`() throws {
    let folder = try TemporaryFolder()
    let export = checkout + "/samples/exports/14-two-sheets"
    for file in ["shop.xlsx", "tieout.toml"] {
      try FileManager.default.copyItem(
        atPath: "\(export)/\(file)", toPath: "\(folder.path)/\(file)")
    }
    let run = try CommandLineRun("import", "shop.xlsx", in: folder)
    #expect(run.status == 0 && run.output.contains("shop.xlsx/Orders  orders  60 rows"))
    #expect(run.output.contains("shop.xlsx/Apple   transactions  82 rows"), "\(run.output)")
    #expect(run.errors.contains("the sheet Orders is read, and these are not: Notes"))
    #expect(run.errors.split(separator: "\n").filter { $0.contains("warning") }.count == 1)
    let again = try CommandLineRun("import", "shop.xlsx", in: folder)
    #expect(again.output.contains("2 already known"))
  }
}
