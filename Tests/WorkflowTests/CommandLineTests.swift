import Billing
import Foundation
import Support
import Testing

@Suite struct CommandLineTests {
  /// What is wrong with a command line, and what the message must name.
  @Test(arguments: [
    ("imprt", "imprt"), ("import", "--no-sales"), ("reconcile", "name the period"),
    ("reconcile --period 2023-13", "2023-13"), ("status --as-of 2023-02-30", "2023-02-30"),
    ("status --fail-on bad", "bad"), ("status --format xml", "xml"),
    ("status --lang fr", "en, zh-Hans"),
    ("status --quiet --verbose", "--quiet"), ("status --ledgr x", "did you mean --ledger?"),
    ("import --everything x", "options: --columns, --dry-run"),
    ("finding acept a1", "did you mean accept?"), ("plan rat", "did you mean rate?"),
    ("config inti", "did you mean init?"), ("import --columns ordres", "did you mean orders?"),
    ("template sales", "expected one of"),
    ("reconcile 2023-06 --out a.pdf", "ends with .xlsx"),
    ("close 2023-06 --out a.csv", "ends with .xlsx"),
    ("plan rate --out a.numbers", "ends with .xlsx"),
    ("export orders --out a.xlsx", "CSV or JSON lines"),
    ("import --vendor a5 x", "a5"), ("import --date 06/01/2023 x", "06/01/2023"),
    ("close 2023-13", "months are 01 to 12"), ("close 2023", "2023-01"),
    ("reconcile 2023-06-15..2023-06-01", "write 2023-06-01..2023-06-15"),
    ("reconcile 6/2023", "write 2023-06"), ("reconcile 202306", "write 2023-06"),
    ("price --storefront US --price '$4.99'", "write the amount alone: 4.99"),
    ("price --storefront US --price -5", "a price is not negative"),
    ("price --storefront DE --price 4,99", "write a decimal point: 4.99"),
    ("price --storefront DE --price '4,5 €'", "write the amount alone: 4.5"),
    ("price --storefront US --price 1.234,50", "such as 1234.50"),
    ("price --storefront US --price 1,234", "such as 1234.50"),
    ("price --storefront US --price 1e2", "such as 1234.50"),
    ("price --storefront US --price 5.99-6.99", "such as 1234.50"),
    ("price --storefront US --price 30-", "such as 1234.50"),
    ("plan rate --prices '(30)'", "such as 1234.50"),
    ("import --force x", "--no-sales"), ("forget", "--no-sales"),
    ("close 2023-06 --accept a1", "--reason"),
    ("finding accept a1", "--reason"), ("finding accept a1 --reason=", "--reason"),
    ("reopen 2023-06", "reason"),
  ])
  func `wrong usage is 64 and says what`(arguments: String, named: String) throws {
    let folder = try TemporaryFolder()
    let wrong = try CommandLineRun(in: folder, through: arguments)
    #expect(wrong.status == 64)
    let told = wrong.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(told.contains(named), "\(told)")
    #expect(wrong.output.isEmpty)
  }

  @Test func `help tells commands, options and every exit status`() throws {
    let folder = try TemporaryFolder()
    let help = try CommandLineRun("--help", in: folder)
    #expect(help.status == 0)
    for text in ["import", "reconcile", "status", "tieout help options"] {
      #expect(help.output.contains(text), "\(text)")
    }
    let expected = [
      "-l, --ledger", "--config", "--format", "-q, --quiet", "-v, --verbose", "--lang", "--as-of",
      "--fail-on", "  0 ", "  1 ", "  2 ", "  3 ", "  64 ",
    ]
    let options = try CommandLineRun("help", "options", in: folder)
    #expect(options.status == 0)
    for text in expected { #expect(options.output.contains(text), "\(text)") }
    for command in ["import", "reconcile", "status"] {
      #expect(try CommandLineRun(command, "--help", in: folder).status == 0)
    }
  }

  @Test func `imports, imports again, and tells the status`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/orders.csv", Inputs.orders(0..<3))
    try folder.write("in/" + Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    let first = try CommandLineRun("import", "in", in: folder)
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    #expect(first.output.hasSuffix("next: tieout reconcile 2023-06\n"))
    let again = try CommandLineRun("import", "in", in: folder)
    #expect(again.status == 0)
    #expect(again.output.hasSuffix("imported 0 files, 0 rows; 2 already known\n"))
    let status = try CommandLineRun("status", "--as-of", "2023-06-03", in: folder)
    #expect(status.status == 0)
    #expect(status.output.hasPrefix("./tieout.sqlite, as of 2023-06-03: 2 files\n"))
  }

  @Test func `shared options stand before the command or after it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    let before = try CommandLineRun("--ledger", "a.sqlite", "import", "orders.csv", in: folder)
    let after = try CommandLineRun("import", "orders.csv", "--ledger", "b.sqlite", in: folder)
    #expect(before.output == after.output)
    for ledger in ["a.sqlite", "b.sqlite"] {
      #expect(FileManager.default.fileExists(atPath: folder.path + "/" + ledger))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.ledger))
  }

  @Test func `bad input is 2, with place and remedy, and JSON is one document`() throws {
    let folder = try TemporaryFolder()
    try folder.write("good.csv", Inputs.orders(0..<3))
    try folder.write("bad.csv", Inputs.orderHeader + "O1,a,paid,1685577600,\"1,54\",CNY,CN\n")
    let text = try CommandLineRun("import", "bad.csv", in: folder)
    #expect(text.status == 2)
    #expect(text.errors.hasPrefix("bad.csv:2:22: error[amount]: "))
    #expect(text.errors.contains("\n 2 | O1,a,paid,1685577600,\"1,54\",CNY,CN\n"))
    #expect(text.errors.contains("\n  help: "))
    let run = try CommandLineRun("import", "bad.csv", "good.csv", "--format", "json", in: folder)
    #expect(run.status == 2)
    let error = try #require(Self.object(run.errors))
    #expect(error["file"] as? String == "bad.csv" && error["line"] as? Int == 2)
    #expect(error["topic"] as? String == "amount" && error["severity"] as? String == "error")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let files = try #require(json["files"] as? [[String: Any]])
    #expect(files.map { $0["status"] as? String } == ["rejected", "imported"])
    #expect((json["objections"] as? [Any])?.count == 1)
  }

  /// The one JSON object that a text is, on one line.
  private static func object(_ text: String) -> [String: Any]? {
    guard text.hasSuffix("\n"), text.count(where: { $0 == "\n" }) == 1 else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  /// What ends a call before it has a result, with its status.
  @Test(arguments: [
    ("status", Int32(2)), ("status --ledgr x", 64), ("imprt", 64), ("reconcile", 64),
    ("status --config nowhere.toml", 2),
  ])
  func `with JSON errors are JSON`(arguments: String, status: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(in: folder, through: arguments + " --format json")
    #expect(run.status == status && run.output.isEmpty)
    let error = try #require(Self.object(run.errors), "\(run.errors)")
    #expect(error["severity"] as? String == "error")
    #expect((error["message"] as? String)?.isEmpty == false)
    #expect((error["help"] as? String)?.isEmpty == false)
    if error["file"] == nil { #expect(error["status"] as? Int == Int(status)) }
  }

  @Test func `the root's help fits a screen, and each option is told in one place`() throws {
    let folder = try TemporaryFolder()
    for language in ["en", "zh"] {
      let root = try CommandLineRun("--help", "--lang", language, in: folder).output
      #expect(root.split(separator: "\n", omittingEmptySubsequences: false).count <= 41, "\(root)")
      let help = try CommandLineRun("reconcile", "--help", "--lang", language, in: folder).output
      #expect(help.contains("  -o, --out <") && !help.contains("--ledger"), "\(help)")
      #expect(
        help == (try CommandLineRun("help", "reconcile", "--lang", language, in: folder).output))
    }
  }

  @Test func `short options are the long ones`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    #expect(
      try CommandLineRun("import", "orders.csv", "-q", "-l", "a.sqlite", in: folder).status == 0)
    #expect(try CommandLineRun("status", "-l", "a.sqlite", in: folder).status == 0)
    #expect(try CommandLineRun("-V", in: folder).output.contains("."))
  }

  @Test(arguments: [
    ("status --foo", "no option --foo", "options: "),
    // Two letters of three are another word.
    ("reconcile 2023-06 --foo", "no option --foo", "options: "),
    ("import x --foo", "no option --foo", "options: "),
    ("status --ledgr x", "no option --ledgr", "did you mean --ledger?"),
    ("status --format jsn", "--format: expected one of", "did you mean json?"),
    ("reconcile 2023-13", "<period>: expected 2023-06", "tieout help reconcile"),
    ("status x", "<period>: expected 2023-06", "tieout help status"),
    ("export", "name what to export, or --to FILE.sqlite", "tieout help export"),
    ("reconcile --out", "--out <file.xlsx> needs a value", "tieout help reconcile"),
  ])
  func `wrong usage is told as any error`(line: String, message: String, help: String) throws {
    let run = try CommandLineRun(in: try TemporaryFolder(), through: line)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("tieout: error: \(message)"), "\(run.errors)")
    #expect(run.errors.contains("\n  help: ") && run.errors.contains(help), "\(run.errors)")
  }

  @Test func `with verbose a reconciliation tells its phases`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try folder.importing("orders.csv", Inputs.salesName(day: 1))
    let run = try CommandLineRun(
      "reconcile", "2023-06", "--verbose", "--out", "a.xlsx", in: folder)
    let phases = run.errors.split(separator: "\n").filter { $0.hasPrefix("2023-06: ") }
    #expect(
      phases.map { String($0.dropFirst(9)) } == [
        "reading orders, transactions and reports", "matching orders and transactions",
        "tying units and money out", "tying settlement and payment out",
        "putting findings and lists together", "writing a.xlsx",
      ])
  }

  @Test(arguments: [60, 100]) func `text breaks between words at the terminal's width`(
    columns: Int
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.csv", "Order No,sku,status,placed_at\nO1,a,paid,2023-06-01T00:00:00Z\n")
    let text = try TerminalRun(
      """
      tieout import shop.csv --quiet
      tieout explain timing
      tieout reconcile --help
      """, columns: columns, in: folder
    ).text
    let lines = text.split(separator: "\n")
    for expected in ["help:", "To do", "Usage:"] {
      #expect(lines.contains { $0.contains(expected) }, "\(text)")
    }
    #expect(lines.contains { $0.count > columns - 12 })
    for line in lines { #expect(line.count <= columns || !line.contains(" "), "\(line)") }
  }

  @Test func `a ledger that cannot be used is 3, a missing one 2`() throws {
    let folder = try TemporaryFolder()
    try folder.write("junk.sqlite", String(repeating: "no ledger\n", count: 500))
    try folder.write("orders.csv", Inputs.orders(0..<3))
    #expect(try CommandLineRun("status", "--ledger", "junk.sqlite", in: folder).status == 3)
    let run = try CommandLineRun("import", "orders.csv", "--ledger", "junk.sqlite", in: folder)
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("tieout: error: "))
    #expect(try CommandLineRun("status", in: folder).status == 2)
  }

  @Test func `the severity that fails is met or not`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try folder.importing(Inputs.salesName(day: 1))
    for (asOf, expected) in [("2023-06-04", Int32(0)), ("2023-06-05", 1)] {
      let run = try CommandLineRun(
        "status", "--as-of", asOf, "--fail-on", "error", in: folder)
      #expect(run.status == expected)
    }
  }

  @Test func `a reader that goes away is no failure, a full disk is one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    _ = try folder.importing("orders.csv")
    let pipe = try CommandLineRun(
      "status", "--format", "json", in: folder, through: "| true; exit ${PIPESTATUS[0]}")
    #expect(pipe.status == 0)
    let full = try CommandLineRun("status", in: folder, through: "> /dev/full")
    #expect(full.status == 2)
    #expect(full.errors.contains("standard output cannot be written"))
  }

  @Test func `a period without facts and a place without a folder are bad input`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    _ = try folder.importing("orders.csv")
    let period = try CommandLineRun("reconcile", "--period", "2024-01", in: folder)
    #expect(period.status == 2)
    #expect(
      period.errors.hasPrefix(
        "tieout: error: no sales reports or transactions are loaded for 2024-01\n  help: "))
    let out = try CommandLineRun(
      "reconcile", "--period", "2023-06", "--out", "no/such/x.xlsx", in: folder)
    #expect(out.status == 2)
    #expect(out.errors.contains("no/such/x.xlsx cannot be written: no such file or folder"))
  }
}
