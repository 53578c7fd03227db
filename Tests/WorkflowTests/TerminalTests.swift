import Support
import Testing

/// Goal: on a terminal nothing is cut, lost or scrolled away, and off one nothing changes. Method:
/// terminals of several sizes, against what the same calls write to a pipe.
@Suite struct TerminalTests {
  /// Columns that a line takes up, counted otherwise than the sources do.
  private func width(_ line: Substring) -> Int {
    line.unicodeScalars.reduce(0) {
      $0 + ((0x1100..<0x1160).contains($1.value) || $1.value >= 0x2E80 ? 2 : 1)
    }
  }

  /// Every word of a text with how often it stands there.
  private func words(_ text: String) -> [Substring: Int] {
    text.split(whereSeparator: \.isWhitespace).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Tables with numbers of every length, names in wide letters, and the largest amounts.
  private static let calls = [
    "price --tier 5 --date 2023-06-19", "price --tier 87 --date 2023-06-19 --lang zh",
    "price --price 999999999.00 --storefront ID --date 2023-06-19", "price questions.csv",
    "status --as-of 2023-07-05", "status --as-of 2023-07-05 --lang zh",
    "reconcile 2023-06 --as-of 2023-07-05 --lang zh", "explain order-without-transaction --lang zh",
    "sql --views", "explain O1",
    "plan rate --storefronts CN,JP,ID --prices 30,68 --channel-rate 100",
  ]

  private func company() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let sku = "金币礼包限时特惠首充双倍返利超值装六千四百八十枚.com.example.game.pack-of-coins"
    try folder.write(
      "orders.csv",
      Inputs.orders(0..<3) + "O9,\(sku),paid,1685577600,999999999.99,CNY,CN\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    try folder.write(
      "questions.csv",
      """
      storefront,price,date,sku
      ID,999999999.00,2023-06-19,\(sku)
      CN,999999999.99,2023-06-19,\(sku)

      """)
    _ = try folder.importing("orders.csv", Inputs.salesName(day: 1))
    return folder
  }

  @Test(arguments: [60, 80, 100]) func `lines fit and no word is lost`(columns: Int) throws {
    let folder = try company()
    for call in Self.calls {
      let words = call.split(separator: " ").map(String.init)
      let piped = try CommandLineRun(words, in: folder)
      try #require(piped.status == 0, "\(call): \(piped.errors)")
      let shown = try TerminalRun("tieout \(call) 2> /dev/null", columns: columns, in: folder).text
      let left = self.words(shown)
      // Wide letters are broken anywhere; a word in others where a line has no room for it.
      for (word, count) in self.words(piped.output)
      where width(word) == word.count && word.count <= 20 {
        #expect(left[word, default: 0] >= count, "\(call): \(word) of \(count) in\n\(shown)")
      }
      for letter in Set(piped.output) where !letter.isWhitespace {
        let count = piped.output.count { $0 == letter }
        #expect(shown.count { $0 == letter } >= count, "\(call): \(letter) of \(count)")
      }
      for line in shown.split(separator: "\n") {
        #expect(
          width(line) <= columns || !line.trimmingPrefix(while: \.isWhitespace).contains(" "),
          "\(call): \(line)")
      }
    }
  }

  @Test func `what has no room stands beside the first columns again`() throws {
    let folder = try company()
    let shown = try TerminalRun("tieout price questions.csv", columns: 60, in: folder).text
    let lines = shown.split(separator: "\n").filter { $0.hasPrefix("  CN ") }
    #expect(lines.count > 1, "\(shown)")
    for line in lines { #expect(line.contains("2023-06-19")) }
    let heads = shown.split(separator: "\n").filter { $0.contains("date") }
    #expect(heads.count == lines.count)
  }

  @Test func `rows of a query that are wider than the terminal have a line for each column`() throws
  {
    let folder = try company()
    let query = "tieout sql \"select order_id, sku, unit_price from v_order where order_id='O9'\""
    let wide = try TerminalRun(query, columns: 160, in: folder).text
    #expect(wide.contains("order_id  sku") && wide.contains("---"))
    let narrow = try TerminalRun(query, columns: 60, in: folder).text
    #expect(narrow.contains("order_id    O9\nsku         金币"), "\(narrow)")
    #expect(!narrow.contains("---"))
  }

  // MARK: - The pager

  private func paged(
    _ call: String, by pager: String?, rows: Int = 3, _ more: [String: String] = [:],
    in given: TemporaryFolder? = nil
  ) throws -> String {
    let folder = try given ?? TemporaryFolder()
    var environment = more
    environment["TIEOUT_PAGER"] = pager
    return try TerminalRun(
      "tieout \(call); echo \"status $?\"", columns: 80, rows: rows, in: folder,
      environment: environment
    ).text
  }

  private static let long = "explain timing"
  private static let marking = "sed 's/^/| /'"

  @Test func `what is longer than the screen goes through the pager`() throws {
    let shown = try paged(Self.long, by: Self.marking)
    let lines = shown.split(separator: "\n")
    #expect(lines.count > 3 && lines.last == "status 0", "\(shown)")
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("| ") }, "\(shown)")
    let other = try paged(Self.long, by: nil, ["PAGER": Self.marking])
    #expect(other == shown)
    let both = try paged(Self.long, by: Self.marking, ["PAGER": "false"])
    #expect(both == shown)
  }

  /// What streams out of the ledger is kept until the ledger is free, and paged then.
  @Test func `rows of a query and of an export go through the pager`() throws {
    let folder = try company()
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) SELECT"
    for (call, text) in [
      ("sql '\(rows) i, i*i FROM n'", "3000  9000000"), ("export orders", "O9,"),
    ] {
      let shown = try paged(call, by: Self.marking, rows: 4, in: folder)
      let lines = shown.split(separator: "\n")
      #expect(lines.count > 4 && lines.last == "status 0", "\(call): \(shown.suffix(500))")
      #expect(lines.dropLast().allSatisfy { $0.hasPrefix("| ") }, "\(call): \(shown.suffix(500))")
      #expect(shown.contains(text), "\(call)")
      let whole = try paged(call, by: "", rows: 4, in: folder)
      #expect(whole == shown.replacing("| ", with: ""), "\(call)")
    }
    let failed = try paged("sql 'SELECT no_such_column FROM v_order'", by: Self.marking, in: folder)
    #expect(!failed.contains("| ") && failed.hasSuffix("status 2\n"), "\(failed)")
  }

  @Test func `nothing is paged that fits, is for a script, or is asked not to be`() throws {
    for (call, rows, pager, more) in [
      (Self.long, 60, Self.marking, [:]), (Self.long, 0, Self.marking, [:]),
      (Self.long + " --no-pager", 6, Self.marking, [:]),
      ("--no-pager " + Self.long, 6, Self.marking, [:]),
      (Self.long + " --format json", 2, Self.marking, [:]),
      (Self.long + " | cat", 6, Self.marking, [:]), (Self.long, 6, "", [:]),
      (Self.long, 6, "cat", [:]), (Self.long, 6, Self.marking, ["TERM": "dumb"]),
    ] as [(String, Int, String, [String: String])] {
      let shown = try paged(call, by: pager, rows: rows, more)
      #expect(!shown.contains("| ") && shown.hasSuffix("status 0\n"), "\(call): \(shown)")
      #expect(shown.contains("timing"), "\(call)")
    }
  }

  @Test func `a pager that is not there is done without`() throws {
    let shown = try paged(Self.long, by: "no-such-pager")
    #expect(shown.contains("not found") && shown.contains("To do"), "\(shown)")
    #expect(shown.hasSuffix("status 0\n"))
    // One that refuses to show anything is none either.
    let refused = try paged(Self.long, by: "false")
    #expect(refused.contains("To do") && refused.hasSuffix("status 0\n"), "\(refused)")
  }

  @Test func `a query without rows tells its columns`() throws {
    let shown = try TerminalRun(
      "tieout sql 'SELECT order_id, sku, storefront, currency, unit_price FROM v_order WHERE 0'",
      columns: 30, rows: 20, in: company()
    ).text
    #expect(shown.hasPrefix("order_id  sku  storefront"), "\(shown)")
  }

  @Test func `leaving the pager early, and an interrupt in it, are no failure`() throws {
    // More than a pipe holds: whoever writes it waits for a reader that goes away.
    let folder = try TemporaryFolder()
    let questions = String(repeating: "CN,30.00,2023-06-19\n", count: 2_000)
    try folder.write("many.csv", "storefront,price,date\n" + questions)
    let long = "price many.csv"
    let left = try paged(long, by: "head -n 1", in: folder)
    #expect(left.split(separator: "\n").count == 2 && left.hasSuffix("status 0\n"), "\(left)")
    let interrupted = try paged(long, by: "kill -INT $PPID; tail -n 1", in: folder)
    #expect(interrupted.hasSuffix("status 0\n"), "\(interrupted)")
  }

  @Test func `a pager leaves a call's status as it is, and ends by a signal of its own`() throws {
    let folder = try company()
    let shown = try TerminalRun(
      "tieout status --as-of 2023-07-05 --fail-on info; echo \"status $?\"", columns: 80, rows: 4,
      in: folder, environment: ["TIEOUT_PAGER": "kill -TERM $$"]
    ).text
    #expect(shown.hasSuffix("status 1\n"), "\(shown)")
  }
}
