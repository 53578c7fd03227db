import Billing
import Foundation
import Support
import Testing
import Workflow

/// Goal: a plan of packs becomes the catalogue by being imported, and says what it does not count.
/// Method: runs of the program over the small world of plans.
@Suite struct PlanPacksTests {
  private func json(_ run: CommandLineRun) throws -> [String: Any] {
    #expect(run.status == 0, "\(run.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func packs(_ line: String, in folder: TemporaryFolder) throws -> [[String: Any]] {
    let run = try CommandLineRun(in: folder, through: "plan packs --format json " + line)
    let plan = try json(run)
    return try #require(plan["packs"] as? [[String: Any]])
  }

  private func side(_ pack: [String: Any], _ name: String) throws -> [String: Any] {
    try #require(pack[name] as? [String: Any])
  }

  /// Web orders tell their packs: three of four have 60 coins for 6.00, one has 64.
  @Test func ordersTellTheCounterparts() throws {
    let folder = try PlanTests.world()
    let run = try CommandLineRun(
      "plan", "packs", "--period", "2023-06", "--format", "json", in: folder)
    let plan = try json(run)
    let channel = try #require(plan["channel"] as? [String: Any])
    let web = try #require(channel["packs"] as? [[String: Any]])
    // Nobody bought gems.300 there: the rate of all orders, 244 coins for 24.00.
    #expect(web.map { $0["source"] as? String } == ["rate", "orders"])
    #expect(web[1]["coins"] as? Int == 60 && web[1]["price"] as? String == "6.00")
    let packs = try #require(plan["packs"] as? [[String: Any]])
    #expect(packs.map { $0["product"] as? String } == ["gems.60", "gems.300"])
    #expect(try side(packs[0], "now")["units"] as? Int == 100)
    #expect(try side(packs[0], "proposed")["coins"] as? Int == 40)
    let notes = try #require(plan["notes"] as? [String])
    #expect(notes.contains { $0.contains("gems.60: 1 order of the other channel has") })
    let total = try #require(plan["total"] as? [String: Any])
    #expect(total["proceeds"] as? String == "413.00" && total["difference"] as? String == "0.00")
    // 4.13 less 60 coins at 0.1, a hundred times; then less 40.
    #expect(total["against_channel"] as? String == "-187.00")
    #expect(total["proposed_against_channel"] as? String == "13.00")
  }

  /// What was proposed is what stands after the saved tables are imported, from its day on.
  @Test(arguments: ["", "--keep-coins"])
  func savedTablesAreImported(goal: String) throws {
    let folder = try PlanTests.world()
    let line =
      "--storefronts CN+US --channel-packs gems.60=6/60,gems.300=30/330 --date 2023-07-01 " + goal
    let before = try packs(line, in: folder)
    let saved = try CommandLineRun(
      in: folder,
      through: "plan packs \(line) --save-products new.csv --save-tiers points.csv --out p.xlsx")
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(saved.output.contains("new.csv, points.csv"))
    #expect(try CommandLineRun("import", "new.csv", "points.csv", in: folder).status == 0)
    let after = try packs(line, in: folder)
    #expect(after.count == 4 && before.count == 4)
    for (old, new) in zip(before, after) {
      let (proposed, now) = (try side(old, "proposed"), try side(new, "now"))
      for figure in ["coins", "price", "proceeds"] {
        #expect(proposed[figure] as? NSObject == now[figure] as? NSObject, "\(figure)")
      }
    }
    // The days before keep what they had.
    let earlier = try packs(
      line.replacing("2023-07-01", with: "2023-06-30"), in: folder)
    for (old, new) in zip(before, earlier) {
      #expect(try side(old, "now")["coins"] as? Int == side(new, "now")["coins"] as? Int)
      #expect(try side(old, "now")["price"] as? String == side(new, "now")["price"] as? String)
    }
  }

  /// A storefront that is not planned keeps its own price under the new tier.
  @Test func otherStorefrontsKeepTheirPrices() throws {
    let folder = try PlanTests.world()
    let line = "--channel-packs gems.60=6/60,gems.300=30/330 --date 2023-07-01 --keep-coins"
    let saved = try CommandLineRun(
      in: folder,
      through: "plan packs --storefronts CN \(line) --save-products a.csv --save-tiers b.csv")
    #expect(saved.status == 0, "\(saved.errors)")
    let before = try packs("--storefronts US " + line, in: folder)
    #expect(try CommandLineRun("import", "a.csv", "b.csv", in: folder).status == 0)
    let after = try packs("--storefronts US " + line, in: folder)
    for (old, new) in zip(before, after) {
      #expect(try side(old, "now")["price"] as? String == side(new, "now")["price"] as? String)
    }
  }

  /// A product has one number of coins.
  @Test func differentCoinsAreNoCatalogue() throws {
    let folder = try PlanTests.world()
    let run = try CommandLineRun(
      in: folder,
      through: "plan packs --storefronts CN,US --channel-rate 10 --date 2023-06-30 "
        + "--save-products new.csv")
    #expect(run.status == 2)
    #expect(run.errors.contains("gems.300 gets different numbers of coins"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/new.csv"))
  }

  /// Its coins would change where nobody planned them; what is sold nowhere else may be saved.
  @Test(arguments: [("US", false), ("CN", true), ("CN+US", true)])
  func coinsThatOtherStorefrontsWouldGetAreNotSaved(storefronts: String, isSaved: Bool) throws {
    let folder = try PlanTests.world()
    let run = try CommandLineRun(
      in: folder,
      through: "plan packs --storefronts \(storefronts) --channel-packs gems.60=6/60,"
        + "gems.300=30/330 --date 2023-07-01 --save-products new.csv")
    #expect(run.status == (isSaved ? 0 : 2), "\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/new.csv") == isSaved)
    if !isSaved {
      #expect(
        run.errors.contains(
          "the new coins of gems.60 would also hold where it is sold but not planned: CN"))
    }
  }

  /// A storefront without a price on the day cannot be planned; the others are.
  @Test func storefrontsWithoutAPriceAreNamedAndLeftOut() throws {
    let folder = try PlanTests.world()
    try folder.write(
      Inputs.salesName(day: 3),
      Inputs.sales(day: 3, units: 5).replacing("\tCNY\tCN\tCNY\t", with: "\tEUR\tDE\tEUR\t"))
    #expect(try CommandLineRun("import", Inputs.salesName(day: 3), in: folder).status == 0)
    let run = try CommandLineRun(
      in: folder,
      through: "plan packs --storefronts CN+US+DE --channel-packs gems.60=6/60,gems.300=30/330 "
        + "--date 2023-07-01 --save-products new.csv")
    #expect(run.status == 0, "\(run.errors)")
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for note in [
      "DE: not planned, because these have no tier price there on 2023-07-01: gems.300, gems.60",
      "gems.60 was sold in DE in the year before 2023-07-01 and has no tier price there",
    ] {
      #expect(text.contains(note), "\(text)")
    }
    #expect(FileManager.default.fileExists(atPath: folder.path + "/new.csv"))
  }

  /// Where a pack sells follows from sales reports: without any, nobody knows.
  @Test func packsThatNoReportHasAreNamed() throws {
    let folder = try PlanTests.world()
    func text(_ more: String) throws -> String {
      let run = try CommandLineRun(
        in: folder, through: "plan packs --storefronts CN+US --channel-rate 10 " + more)
      #expect(run.status == 0, "\(run.errors)")
      return run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let one = try text("--date 2023-07-01")
    #expect(
      one.contains(
        "pack without sales in the year before 2023-07-01: gems.300; storefronts that sell it"),
      "\(one)")
    let both = try text("--date 2024-12-01")
    #expect(both.contains(": gems.300, gems.60; storefronts that sell them"), "\(both)")
    #expect(try !text("--date 2023-07-01 --keep-coins").contains("without sales"))
  }

  /// Coins that stay as they are hold elsewhere already.
  @Test func coinsThatStayAreSaved() throws {
    let folder = try PlanTests.world()
    let line = "--storefronts US --channel-packs gems.60=6/60,gems.300=30/330 --date 2023-07-01"
    let rows = try packs(line, in: folder).map { pack in
      let sku = try #require(pack["product"] as? String)
      let coins = try #require(try side(pack, "proposed")["coins"] as? Int)
      return "\(sku),consumable,\(sku == "gems.60" ? 1 : 5),\(coins)\n"
    }
    #expect(rows.count == 2)
    try folder.write("same.csv", "sku,kind,tier,coins\n" + rows.joined())
    #expect(try CommandLineRun("import", "same.csv", in: folder).status == 0)
    let run = try CommandLineRun(
      in: folder, through: "plan packs \(line) --save-products new.csv")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func whatIsNotCountedIsSaid() throws {
    let folder = try PlanTests.world()
    let run = try CommandLineRun(
      in: folder,
      through: "plan packs --storefronts US --channel-rate 10 --period 2023-06 --date 2023-07-15")
    #expect(run.status == 0)
    #expect(run.output.contains("100 units of these packs in 2023-06 are not in the plan: CN"))
    #expect(run.output.contains("the exchange rate USD to CNY is from 2023-05-31"))
    let noChannel = try CommandLineRun(
      "plan", "packs", "--storefronts", "CN", "--date", "2023-06-30", in: folder)
    #expect(noChannel.status == 2 && noChannel.errors.contains("--channel-rate"))
    let noMoney = try CommandLineRun(
      in: folder,
      through: "plan packs --storefronts CN --channel-rate 1 --channel-currency KRW "
        + "--date 2023-06-30")
    #expect(noMoney.status == 2 && noMoney.errors.contains("KRW"))
  }

  @Test(arguments: [
    "plan packs --channel-rate 987654.321987 --channel-fee 0.899999 --target margin=0.999999",
    "plan packs --channel-rate 0.000001 --channel-fee 0.123457 --elasticity -9.999999 --keep-coins",
    "plan packs --channel-packs gems.60=999999999.99/1,gems.300=0.01/999999999 --round 999999",
    "plan packs --channel-rate 3.333333 --channel-currency USD --commission 0.123457 --keep-coins",
  ])
  func extremesAreCounted(arguments: String) throws {
    let folder = try PlanTests.world()
    let run = try CommandLineRun(
      in: folder, through: arguments + " --storefronts CN,US --period 2023-06")
    #expect(run.status == 0 || run.errors.contains("nothing to plan"), "\(run.errors)")
  }

  @Test(arguments: [
    ("--elasticity 1.2", "-1.2"), ("--channel-packs gems.60=6", "gems.60=6.00/60"),
    ("--round 0", "expected whole"),
  ])
  func wrongUsageIsToldAndIs64(arguments: String, named: String) throws {
    let folder = try TemporaryFolder()
    let wrong = try CommandLineRun(in: folder, through: "plan packs " + arguments)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains(named), "\(wrong.errors)")
  }
}
