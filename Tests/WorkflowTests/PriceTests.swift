import Billing
import Foundation
import Support
import Testing
import Workflow

/// Goal: `tieout price` answers as its interface says. Method: the command line as a user runs it.
@Suite struct PriceTests {
  /// The entries of a JSON answer.
  func prices(_ run: CommandLineRun) throws -> [[String: String?]] {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(Array(json.keys) == ["prices"])
    return try #require(json["prices"] as? [[String: Any]]).map { $0.mapValues { $0 as? String } }
  }

  func proceeds(_ run: CommandLineRun) throws -> [String?] {
    try prices(run).map { $0["proceeds"] ?? nil }
  }

  @Test func `one price has one answer with every member`() throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(
      "price", "--storefront", "CN", "--price", "30.00", "--date", "2023-06-19", "--format", "json",
      in: folder)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      try prices(run) == [
        [
          "storefront": "CN", "currency": "CNY", "price": "30.00", "date": "2023-06-19",
          "tax": "0.53", "deduction": "0.312333", "commission": "8.84", "proceeds": "20.63",
          "rule": "30.00 ÷ 1.018 × 0.70 = 20.63 CNY: tax 1.8% in the price "
            + "(6% of the commission), commission 30%",
          "tax_evidence": "measured",
        ]
      ])
  }

  @Test func `a person sees what goes where, at each commission, and how it is known`() throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(
      "price", "--storefront", "143465", "--price", "30", "--date", "2023-06-19", "--verbose",
      in: folder)
    #expect(
      run.output.hasPrefix(
        """
        30.00 CNY in CN (China) on 2023-06-19

          customer price     30.00  CNY
          tax                -0.53       1.8%
          commission         -8.84       30%
          proceeds           20.63  CNY
          total deductions  31.23%

        At each commission
                                                                tax  commission  proceeds  deduction
          30%  standard *                                      0.53        8.84     20.63     31.23%
          15%  subscriptions after one year, small businesses  0.27        4.46     25.27     15.77%

        Rule: 30.00 ÷ 1.018 × 0.70 = 20.63 CNY: tax 1.8% in the price (6% of the commission), \
        commission 30%
        Evidence of the tax: measured

        By the tables
          tax         taxes.csv:37  2021-09-01..  measured: 30.00 gives 20.63 at 30%
        """))
  }

  @Test func `a file is answered row by row, whatever its columns' order`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "q.csv",
      """
      note,date,price,storefront,commission,currency
      a,2023-06-19,30,CN,,
      b,2019-01-22,0.99,GB,,GBP
      c,2023-06-19,30,CN,0.15,
      d,2023-06-19,30,CN,,

      """)
    let run = try CommandLineRun("price", "q.csv", "--format", "json", in: folder)
    #expect(run.status == 0)
    #expect(try proceeds(run) == ["20.63", "0.58", "25.27", "20.63"])
    #expect(
      run.errors.contains(#""line": 1,"column": 0,"message": "unknown column left out: note""#))
    let csv = try CommandLineRun("price", "q.csv", "--format", "csv", "--quiet", in: folder)
    let lines = csv.output.split(separator: "\n")
    #expect(csv.errors.isEmpty && lines.count == 5)
    #expect(lines[0] == "storefront,currency,price,date,tax,deduction,commission,proceeds,rule")
    #expect(
      lines[2] == "GB,GBP,0.99,2019-01-22,0.16,0.414141,0.25,0.58,"
        + "\"0.99 ÷ 1.20 × 0.70 = 0.58 GBP: tax 20% in the price, commission 30%\"")
    let text = try CommandLineRun("price", "q.csv", "--quiet", in: folder)
    #expect(text.output.split(separator: "\n").count == 5)
  }

  @Test func `bad rows are named and left out, and the call ends with 2`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "q.csv",
      "storefront,price,date,tier\nCN,30,2023-06-19,\nUK,30,2023-06-19,\nJP,,2023-06-19,5\n"
        + "CN,,2023-06-19,5\nCN,31,2023-06-19,5\n")
    let run = try CommandLineRun("price", "q.csv", "--format", "json", in: folder)
    #expect(run.status == 2)
    #expect(try proceeds(run) == ["20.63", "20.63", "21.32"])
    #expect(run.errors.contains(#""topic": "storefront","file": "q.csv","line": 3,"column": 1,"#))
    #expect(run.errors.contains("did you mean GB (United Kingdom)?"))
    #expect(
      run.errors.contains(
        #""line": 4,"column": 16,"message": "tier 5 has no price in JP on 2023-06"#))
    #expect(
      run.errors.contains(
        #""line": 6,"column": 0,"message": "tier 5 in CN is 30.00 CNY, not 31.00"#))
  }

  @Test func `a file without its columns prints nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("q.csv", "storefront,price\nCN,30\n")
    for name in ["q.csv", "missing.csv"] {
      let run = try CommandLineRun("price", name, "--format", "json", in: folder)
      #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("\"file\": \"\(name)\""))
    }
  }

  /// A file that ends inside a quoted value: what came before is answered in a whole document.
  @Test func `a document that has begun is ended`() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<70_000).map { "CN,\($0),2023-06-19\n" }.joined()
    try folder.write("q.csv", "storefront,price,date\n" + rows + "CN,\"1")
    let run = try CommandLineRun("price", "q.csv", "--format", "json", in: folder)
    #expect(
      run.status == 2 && run.errors.contains(#""topic": "quotes","file": "q.csv","line": 70002,"#))
    #expect(try prices(run).count == 65_536)
  }

  @Test func `a tier is answered wherever it has a price`() throws {
    let folder = try TemporaryFolder()
    let builtIn = try CommandLineRun(
      "price", "--tier", "Tier 60", "--date", "2023-06-19", "--format", "json", in: folder)
    #expect(try prices(builtIn).map { $0["price"] ?? nil } == ["648.00"])
    try folder.write(
      "tiers.csv",
      "table,tier,storefront,currency,price,proceeds\niap,Tier 60,TW,TWD,1990,1234\n"
        + "iap,60,CN,CNY,650,\n")
    try folder.write(
      "products.csv", "sku,kind,tier\ngems.6480,consumable,60\nplus,auto_renewable,10016\n")
    _ = try folder.importing("tiers.csv", "products.csv")
    let everywhere = try CommandLineRun(
      "price", "--tier", "60", "--date", "2023-06-19", "--format", "json", in: folder)
    #expect(try prices(everywhere).map { $0["storefront"] ?? nil } == ["CN", "TW"])
    #expect(try proceeds(everywhere) == ["446.95", "1234"])
    let sku = try CommandLineRun(
      "price", "--sku", "gems.6480", "--date", "2023-06-19", "--storefront", "TW", "--format",
      "json", in: folder)
    #expect(try proceeds(sku) == ["1234"])
    let plus = try CommandLineRun(
      "price", "--sku", "plus", "--date", "2023-06-19", "--storefront", "CN", "--all-rates",
      "--format", "json", in: folder)
    #expect(try proceeds(plus) == ["4.13", "5.05"])
    let text = try CommandLineRun("price", "--tier", "60", "--date", "2023-06-19", in: folder)
    #expect(text.output.split(separator: "\n").count == 3)
  }

  @Test func `the configuration decides about programmes and home`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "tieout.toml",
      "developer_country = \"JP\"\nsmall_business = [{ from = 2023-01-01, to = 2023-12-31 }]\n")
    try folder.write(
      "q.csv", "storefront,price,date\nCN,30,2023-06-19\nCN,30,2024-06-19\nJP,120,2025-06-01\n")
    let run = try CommandLineRun("price", "q.csv", "--format", "json", in: folder)
    #expect(try proceeds(run) == ["25.27", "20.63", "84"])
  }

  /// What is wrong with a command line, and what the message must name.
  @Test(arguments: [
    ("price", "--price"), ("price --price 30", "--storefront"),
    ("price --storefront CN", "--tier"), ("price x.csv --tier 5", "leave out"),
    ("price --storefront Chnia --price 1", "did you mean CN (China)?"),
    ("price --storefront UK --price 1", "did you mean GB (United Kingdom)?"),
    ("price --storefront CN --price 1,5", "1,5"), ("price --storefront CN --price=-1", "-1"),
    ("price --storefront CN --price 1 --commission 30", "0.15 for 15%"),
    ("price --storefront CN --price 1 --date 2023-02-30", "2023-02-30"),
    ("price --tier 5 --table sub", "subscription"), ("status --format csv", "text, json"),
  ])
  func `wrong usage is 64 and says what`(arguments: String, named: String) throws {
    let folder = try TemporaryFolder()
    let wrong = try CommandLineRun(in: folder, through: arguments)
    #expect(wrong.status == 64 && wrong.output.isEmpty)
    // Lines break at the terminal's width.
    let words = wrong.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(named), "\(wrong.errors)")
  }

  @Test func `what has no answer is 2 and names the option`() throws {
    let folder = try TemporaryFolder()
    for (arguments, place) in [
      ("--tier 5 --storefront JP", "--tier: error[tier]: tier 5 has no price in JP on 2023-06-19"),
      ("--tier gems", "--tier: error[tier]: no table has a tier \"gems\""),
      ("--sku gems", "--sku: error[sku]: no catalogue has the SKU \"gems\""),
      ("--tier 5 --ledger none.sqlite", "tieout: error: "),
    ] {
      let run = try CommandLineRun(in: folder, through: "price --date 2023-06-19 " + arguments)
      #expect(run.status == 2 && run.output.isEmpty)
      #expect(run.errors.hasPrefix(place), "\(run.errors)")
    }
  }
}
