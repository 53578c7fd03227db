import Billing
import Matching
import Pricing
import Foundation
import Support
import Testing
import Workflow

/// Goal: the commands plan what the figures of a small world ask for. Method: runs of the program
/// over inputs with marked figures.
@Suite struct PlanTests {
  /// A catalogue, tiers in two storefronts, rates, two days of reports, and orders of a web shop.
  static func world() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "in/products.csv",
      """
      sku,kind,tier,coins
      gems.60,consumable,1,60
      gems.300,consumable,5,300

      """)
    try folder.write(
      "in/tiers.csv",
      """
      table,tier,storefront,currency,price,proceeds
      iap,1,CN,CNY,6.00,4.13
      iap,2,CN,CNY,12.00,8.25
      iap,5,CN,CNY,30.00,20.63
      iap,1,US,USD,0.99,0.70
      iap,2,US,USD,1.99,1.40
      iap,5,US,USD,4.99,3.50

      """)
    try folder.write("in/rates.csv", "date,base,quote,rate\n2023-05-31,USD,CNY,7.1\n")
    try folder.write("in/" + Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 70))
    try folder.write("in/" + Inputs.salesName(day: 2), Inputs.sales(day: 2, units: 30))
    let web = (0..<5).map {
      "W\($0),gems.60,\($0 == 4 ? "cancelled" : "fulfilled"),2023-06-0\($0 + 1)T08:00:00Z,6.00,CNY,"
        + "web,\($0 == 0 ? "64" : "")\n"
    }
    try folder.write(
      "in/web.csv",
      "order_id,sku,status,placed_at,unit_price,currency,channel,coins\n" + web.joined())
    #expect(try CommandLineRun("import", "in", in: folder).status == 0)
    return folder
  }

  private func json(_ run: CommandLineRun) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func thirtyYuanWithoutALedger() throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(
      "plan", "rate", "--storefronts", "CN", "--prices", "30", "--channel-rate", "100", "--date",
      "2023-06-30", in: folder)
    #expect(run.status == 0)
    for text in ["68.7667", "20.63", "31.23%", "66 leaves headroom", "33.00%"] {
      #expect(run.output.contains(text), "\(text)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.ledger))
    let margin = try CommandLineRun(
      "plan", "rate", "--storefronts", "CN", "--prices", "30", "--channel-rate", "100", "--date",
      "2023-06-30", "--target", "margin=0.33", "--format", "json", in: folder)
    let rates = try #require(try json(margin)["rates"] as? [[String: Any]])
    #expect(rates[0]["planned"] as? Int == 66)
    #expect(rates[0]["equal_net"] as? String == "67")
  }

  /// Blanks on either side of a comma say nothing.
  @Test func blanksBesideCommasAreLeftOut() throws {
    let folder = try TemporaryFolder()
    func plan(_ prices: String) throws -> CommandLineRun {
      try CommandLineRun(
        "plan", "rate", "--storefronts", "CN", "--prices", prices, "--channel-rate", "100",
        "--date", "2023-06-30", in: folder)
    }
    let plain = try plan("6,30")
    #expect(plain.status == 0 && plain.output.contains("20.63"))
    for prices in ["6 ,30", "6, 30", "6 , 30 "] {
      #expect(try plan(prices).output == plain.output, "\(prices)")
    }
    #expect(try plan("6, ,30").status == 64)
  }

  @Test func theOrdersTellTheChannelsRate() throws {
    let folder = try Self.world()
    let run = try CommandLineRun(
      "plan", "rate", "--period", "2023-06", "--format", "json", in: folder)
    #expect(run.status == 0)
    let plan = try json(run)
    let channel = try #require(plan["channel"] as? [String: Any])
    // 64 + 3 × 60 coins for 4 × 6.00.
    #expect(channel["rate"] as? String == "10.166667")
    #expect(channel["source"] as? String == "orders" && channel["name"] as? String == "web")
    let rates = try #require(plan["rates"] as? [[String: Any]])
    #expect(rates.map { $0["product"] as? String } == ["gems.60", "gems.300"])
    let observed = try #require(rates[0]["observed"] as? [String: Any])
    #expect(observed["units"] as? Int == 100 && observed["gross"] as? String == "600.00")
    #expect(rates[1]["observed"] is NSNull)
    let notes = try #require(plan["notes"] as? [String])
    #expect(notes.contains { $0.contains("2 of 30 days") })
  }

  @Test func workbooksAreSaved() throws {
    let folder = try Self.world()
    let rate = try CommandLineRun(
      "plan", "rate", "--period", "2023-06", "--storefronts", "CN,US", "--channel-rate", "10",
      "--out", "plan.xlsx", in: folder)
    #expect(rate.status == 0 && rate.output.hasSuffix("Workbook: plan.xlsx\n"))
    let whatIf = try CommandLineRun(
      "plan", "what-if", "--period", "2023-06", "--commission", "0.15", "--out", "if.xlsx",
      in: folder)
    #expect(whatIf.status == 0)
    for name in ["plan.xlsx", "if.xlsx"] {
      let bytes = try #require(FileManager.default.contents(atPath: folder.path + "/" + name))
      #expect(bytes.starts(with: Array("PK".utf8)))
    }
  }

  @Test func wantedPricesFindTheirTiers() throws {
    let folder = try Self.world()
    let run = try CommandLineRun(
      "plan", "price", "--wanted", "9.00,40", "--storefronts", "CN,US", "--channel-rate", "10",
      "--date", "2023-06-30", "--format", "json", in: folder)
    #expect(run.status == 0)
    let prices = try #require(try json(run)["prices"] as? [[String: Any]])
    #expect(prices.count == 4)
    // The built-in price points of mainland China have 9.00.
    #expect(prices[0]["below"] as? NSObject == prices[0]["above"] as? NSObject)
    // 9.00 CNY are 1.27 USD, 40.00 are 5.63; Apple's price points have 1.29 and 5.59.
    #expect(prices[1]["wanted"] as? String == "1.27" && prices[1]["nearest"] as? String == "above")
    #expect(prices[3]["wanted"] as? String == "5.63" && prices[3]["nearest"] as? String == "below")
  }

  /// 30 CNY at 7.25 are 4.1379…: between 4.09 and 4.19, and nearer to the first.
  @Test func aTieIsOneOnlyWhereItIsExact() throws {
    let folder = try Self.world()
    try folder.write("later.csv", "date,base,quote,rate\n2023-06-29,USD,CNY,7.25\n")
    _ = try CommandLineRun("import", "later.csv", in: folder)
    let command = [
      "plan", "price", "--wanted", "30", "--storefronts", "US", "--channel-rate", "10", "--date",
      "2023-06-30",
    ]
    let prices = try #require(
      try json(CommandLineRun(command + ["--format", "json"], in: folder))["prices"]
        as? [[String: Any]])
    #expect(prices[0]["wanted"] as? String == "4.14")
    #expect(prices[0]["wanted_exact"] as? String == "4.137931034")
    #expect(prices[0]["is_tie"] as? Bool == false && prices[0]["nearest"] as? String == "below")
    let below = try #require(prices[0]["below"] as? [String: Any])
    #expect(below["difference"] as? String == "-0.05")
    #expect(below["difference_exact"] as? String == "-0.04793103448")
    let text = try CommandLineRun(command, in: folder).output
    #expect(text.contains("4.1379") && text.contains("-0.0479") && !text.contains("*tie"))
  }

  @Test(arguments: ["plan price --wanted 30", "plan rate --prices 30"])
  func whatRoundingTakesIsSaid(command: String) throws {
    let folder = try TemporaryFolder()
    func notes(_ rate: String) throws -> [String] {
      let arguments = (command + " --storefronts CN --date 2023-06-30 --channel-rate \(rate)")
        .split(separator: " ").map(String.init)
      return try #require(
        try json(CommandLineRun(arguments + ["--format", "json"], in: folder))["notes"] as? [String]
      )
    }
    #expect(
      try notes("10").contains(
        "CN: rounding lowers the rate from 6.876666667 to 6 per CNY: the net per coin is 14.61% "
          + "higher"
      ))
    #expect(try !notes("100").contains { $0.contains("rounding lowers") })
  }

  @Test(arguments: ["plan price --wanted 30", "plan rate --prices 30"])
  func anotherCommissionThanThirtyPerCentIsSaid(command: String) throws {
    let folder = try TemporaryFolder()
    func notes(_ more: String) throws -> [String] {
      let arguments = (command + " --storefronts CN --channel-rate 100 " + more)
        .split(separator: " ").map(String.init)
      return try #require(
        try json(CommandLineRun(arguments + ["--format", "json"], in: folder))["notes"] as? [String]
      )
    }
    let text = "Apple's commission has been 25% since 2026-03-15, not 30%"
    #expect(
      try notes("--date 2026-03-15").contains(
        "CN: \(text); at 30%, the rate would be 68 instead of 73"))
    #expect(try !notes("--date 2026-03-14").contains { $0.contains("not 30%") })
    #expect(try !notes("--date 2026-03-15 --commission 0.25").contains { $0.contains("not 30%") })
    #expect(
      try notes("--date 2026-03-15 --target margin=0.33").contains(
        "CN: \(text); at 30%, the rate would be the same"))
  }

  /// Of 9.99 EUR with 19% tax Apple pays 5.88 at 30%, and 6.21 at the 26% of an agreement that
  /// nobody says was accepted.
  @Test(arguments: [
    "rate --prices 9.99 --channel-rate 100", "price --wanted 9.99 --channel-rate 100",
    "what-if --prices 9.99 --fx USD=7",
  ])
  func anOpenAgreementIsSaid(command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("tieout.toml", "base_currency = \"EUR\"\n")
    let tiers = ["DE", "FR"].map { "iap,10,\($0),EUR,9.99\n" }.joined()
    try folder.write("tiers.csv", "table,tier,storefront,currency,price\n" + tiers)
    _ = try CommandLineRun("import", "tiers.csv", in: folder)
    func notes(_ more: String) throws -> [String] {
      let run = try CommandLineRun(
        in: folder, through: "plan \(command) --storefronts DE,FR --format json \(more)")
      return try #require(try json(run)["notes"] as? [String]).filter { $0.contains("EU-2026") }
    }
    let told = try notes("--date 2026-10-02")
    #expect(told.count == 1 && told[0].hasPrefix("DE, FR: whether agreement EU-2026 was accepted"))
    let both = "In DE, Apple deducts 41.14% (commission 30%), and 37.84% (26%) if accepted"
    #expect(told.first?.contains(both) ?? false, "\(told)")
    #expect(try notes("--date 2026-09-30").isEmpty)
    try folder.write(
      "tieout.toml",
      "base_currency = \"EUR\"\nagreements = [{ name = \"EU-2026\", accepted = 2026-10-01 }]\n")
    #expect(try notes("--date 2026-10-02").isEmpty)
  }

  @Test func aFileOfWantedPricesIsReadRowByRow() throws {
    let folder = try Self.world()
    try folder.write("wanted.csv", "storefront,price,name\nUS,1.54,starter\nUS,2.00\n")
    let run = try CommandLineRun(
      "plan", "price", "--wanted", "wanted.csv", "--channel-rate", "10", "--date", "2023-06-30",
      "--format", "json", in: folder)
    #expect(run.status == 2)
    #expect(run.errors.contains(#""line": 3,"column": 8,"message": "the row has 2 fields"#))
    let prices = try #require(try json(run)["prices"] as? [[String: Any]])
    #expect(prices.map { $0["name"] as? String } == ["starter"])
    #expect(prices[0]["is_tie"] as? Bool == true && prices[0]["nearest"] as? String == "above")
  }

  @Test func changesAreCalculated() throws {
    let folder = try Self.world()
    let run = try CommandLineRun(
      "plan", "what-if", "--period", "2023-06", "--commission", "0.15", "--tier", "gems.60=2",
      "--format", "json", in: folder)
    #expect(run.status == 0)
    let plan = try json(run)
    let before = try #require(plan["before"] as? [String: Any])
    #expect(before["proceeds"] as? String == "413.00")
    let changes = try #require(plan["changes"] as? [[String: Any]])
    #expect(changes.map { $0["effect"] as? String } == ["412.00", "92.00"])
    let together = try #require(plan["together"] as? [String: Any])
    #expect(together["proceeds"] as? String == "1011.00")
  }

  /// The largest figures that options take are counted or refused, and end no run.
  @Test(arguments: [
    "plan rate --prices 999999999.99,0.01 --channel-rate 999999.999999 --channel-fee 0.899999",
    "plan rate --prices 999999999.99 --channel-rate 0.000001 --floor 999999 --round 999999",
    "plan rate --tiers 1,5 --channel-rate 999999.9 --channel-currency USD --target margin=0.999999",
    "plan price --wanted 999999999.99,0.01 --channel-rate 987654.321 --channel-fee 0.876543",
    "plan what-if --prices 999999999.99,0.01 --fx USD=999999.999999 --commission 0.999999",
    "plan what-if --tiers 1 --fx USD=+99.9999% --tax CN=0.999999 --after-one-year 0.333333",
  ])
  func extremesAreCounted(arguments: String) throws {
    let folder = try Self.world()
    let run = try CommandLineRun(
      in: folder, through: arguments + " --storefronts CN,US --date 2023-06-30")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: [
    ("plan rate --channel-fee 1", "--channel-fee"), ("plan rate --target half", "margin=0.33"),
    ("plan rate --storefronts XX", "XX"),
    ("plan rate --prices 0.005", "30.00"), ("plan rate --prices 5 --tiers 1", "--tiers"),
    ("plan what-if", "--commission"), ("plan what-if --fx USD", "USD=7.0"),
    ("plan price", "--wanted"), ("plan price --wanted 0", "30.00"),
  ])
  func wrongUsageIsToldAndIs64(arguments: String, named: String) throws {
    let folder = try TemporaryFolder()
    let wrong = try CommandLineRun(in: folder, through: arguments)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains(named), "\(wrong.errors)")
  }

  @Test func whatIsMissingIsSaid() throws {
    let folder = try Self.world()
    let noRate = try CommandLineRun("plan", "rate", "--date", "2023-06-30", in: folder)
    #expect(noRate.status == 2 && noRate.errors.contains("--channel-rate"))
    let noTier = try CommandLineRun(
      "plan", "rate", "--date", "2023-06-30", "--channel-rate", "10", "--tiers", "777", in: folder)
    #expect(noTier.status == 2 && noTier.errors.contains("tier 777"))
    let noLedger = try CommandLineRun(
      "plan", "rate", "--channel-rate", "10", "--ledger", "none.sqlite", in: folder)
    #expect(noLedger.status == 2)
    #expect(noLedger.errors.contains("--prices 30,68") && noLedger.errors.contains("--tiers"))
  }

  /// Days without reports are no reason where no product has a tier: the catalogue is.
  @Test(arguments: [
    ("rate --storefronts CN", ""), ("packs --storefronts CN", ""),
    ("rate --tiers 777 --storefronts CN", ": CN: not planned, because tier 777"),
    ("price --wanted 5 --storefronts JP", ": JP: no exchange rate USD to JPY"),
  ])
  func theReasonForNothingIsNoOtherRemark(command: String, reason: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("in/products.csv", "sku,kind,coins\ngems.60,consumable,60\n")
    try folder.write("in/" + Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 70))
    #expect(try CommandLineRun("import", "in", in: folder).status == 0)
    try folder.write("tieout.toml", "base_currency = \"USD\"\n")
    let run = try CommandLineRun(
      in: folder, through: "plan \(command) --channel-rate 10 --period 2023-06")
    let told = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.status == 2 && told.contains("there is nothing to plan\(reason)"), "\(told)")
    #expect(told.contains("nothing to plan:") == !reason.isEmpty, "\(told)")
  }

  /// A channel takes what `channels` says: of 100.00 for 1,000 coins 80.00 are left of tax, and
  /// 64.00 of the fee. A fee that the caller names goes before. The only channel need not be named;
  /// where none is chosen of those that are configured, it is told that nothing is taken.
  @Test(arguments: [
    ("", "", "0.2", "0.25", "64", 10), ("", "--channel web", "0.2", "0.25", "64", 10),
    ("", "--channel-fee 0", "0", "0.25", "80", 8), ("", "--channel shop", "0", "0", "100", 6),
    (", { name = \"google\", fee = 0.15 }", "", "0", "0", "100", 6),
    (", { name = \"google\", fee = 0.15 }", "--channel-fee 0.2", "0.2", "0", "80", 8),
  ])
  func feeAndTaxOfTheChannelCount(
    further: String, option: String, fee: String, tax: String, net: String, planned: Int
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "tieout.toml", "channels = [{ name = \"web\", fee = 0.20, tax = 0.25 }\(further)]\n")
    let line =
      "plan rate --prices 30 --storefronts CN --channel-rate 10 --date 2023-06-30 --format json "
    let plan = try json(CommandLineRun(in: folder, through: line + option))
    let channel = try #require(plan["channel"] as? [String: Any])
    #expect(channel["fee"] as? String == fee && channel["tax"] as? String == tax)
    #expect(channel["net_per_thousand_coins"] as? String == net)
    let rates = try #require(plan["rates"] as? [[String: Any]])
    #expect(rates[0]["planned"] as? Int == planned)
    let notes = try #require(plan["notes"] as? [String])
    let isTold = notes.contains { $0.contains("fee and tax are taken as 0") }
    #expect(isTold == (fee == "0" && tax == "0"))
  }

  /// Wanted prices and packs that the caller names have the costs of the only channel too.
  @Test func pricesAndPacksHaveTheChannelsCosts() throws {
    let folder = try Self.world()
    try folder.write("tieout.toml", "channels = [{ name = \"web\", fee = 0.20, tax = 0.25 }]\n")
    for line in [
      "plan price --wanted 30 --channel-rate 10",
      "plan packs --channel-packs gems.60=6/60,gems.300=30/330",
    ] {
      let run = try CommandLineRun(
        in: folder, through: line + " --storefronts CN --date 2023-06-30 --format json")
      let channel = try #require(try json(run)["channel"] as? [String: Any])
      #expect(channel["fee"] as? String == "0.2" && channel["tax"] as? String == "0.25", "\(line)")
    }
  }

  /// What a rate of today is worth against break-even: of 30.00 USD Apple leaves 21.00 at 30%.
  @Test func theRateOfTodayIsHeldAgainstBreakEven() throws {
    let folder = try TemporaryFolder()
    func run(_ format: String) throws -> String {
      try CommandLineRun(
        in: folder,
        through: "plan rate --channel-rate 100 --current 66 --prices 30 --storefronts US"
          + " --channel-currency USD --date 2023-06-30 --format \(format)"
      ).output
    }
    let text = try run("text")
    #expect(text.contains("Today: 66 coins per USD, breaks even at a deduction of 34.00%\n"))
    #expect(text.contains("  US     30.00%     70.0000                +6.06%\n"), "\(text)")
    #expect(try run("json").contains("\"break_even_deduction\": \"0.34\""))
  }

  /// Of 9.99 EUR Apple leaves 5.88: 58.8589 of 100 coins break even, however plans are rounded.
  @Test(arguments: [
    ("56", "56 coins can stay", "58 is the most"),
    ("81", "81 coins are too many", "58 is the most"),
    ("58.5", "58.5 coins can stay", "58.8589 is the most"),
  ])
  func theMostThatBreaksEvenIsNotRounded(current: String, verdict: String, most: String) throws {
    let run = try CommandLineRun(
      in: try TemporaryFolder(),
      through: "plan rate --channel-rate 100 --current \(current) --prices 9.99 --storefronts DE"
        + " --channel-currency EUR --date 2026-03-20 --round 10")
    let told = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(told.contains(verdict) && told.contains(most), "\(told)")
  }
}
