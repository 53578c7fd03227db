import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: prices come from Apple whole or not at all, and become the products' own. Method: the
/// stand-in with lists that it answers in pages, on good days and on bad ones.
@Suite struct FetchPricesTests {
  private static let currencies = [("USA", "USD"), ("FRA", "EUR"), ("DEU", "EUR")]
  private static let points = [
    PricePages.Point(territory: "USA", number: 60, price: "7.0", proceeds: "5.95"),
    PricePages.Point(territory: "FRA", number: 60, price: "8.0", proceeds: "5.67"),
    PricePages.Point(territory: "DEU", number: 60, price: "8.0", proceeds: "5.71"),
    PricePages.Point(territory: "FRA", number: 61, price: "8.5", proceeds: "6.02"),
    PricePages.Point(territory: "DEU", number: 61, price: "8.5", proceeds: "6.07"),
  ]
  private let product = PricedProduct(sku: "gems.60", appleID: "6446671421", isSubscription: false)
  private let wish = FetchWish.prices(
    [PricedProduct(sku: "gems.60", appleID: "6446671421", isSubscription: false)], .points([]))

  private func list(_ elements: [String], points: [String] = [], limit: Int) -> [UInt8] {
    let included = ([PricePages.territories(Self.currencies)] + points).joined(separator: ",")
    return Array(
      #"{"data":[\#(elements.joined(separator: ","))],"included":[\#(included)],"limit":\#(limit)}"#
        .utf8)
  }

  private var menu: [UInt8] {
    list(
      Self.points.map { PricePages.point($0, of: "6446671421", isSubscription: false) }, limit: 2)
  }

  private func own(_ points: [PricePages.Point]) -> [UInt8] {
    list(
      points.map { point in
        """
        {"type":"inAppPurchasePrices","id":"\(point.territory)-\(point.number)",\
        "attributes":{"startDate":null,"endDate":null,"manual":false},"relationships":\
        {"territory":{"data":{"type":"territories","id":"\(point.territory)"}},\
        "inAppPurchasePricePoint":{"data":{"type":"inAppPurchasePricePoints",\
        "id":"\(PricePages.id(point, of: "6446671421"))"}}}}
        """
      },
      points: points.map {
        PricePages.point($0, of: "6446671421", isSubscription: false, namesTerritory: false)
      }, limit: 2)
  }

  private func standIn(faults: String = "[]") throws -> AppleStandIn {
    try AppleStandIn(
      data: [
        "6446671421_pricePoints.json": menu,
        "6446671421_manualPrices.json": own(Array(Self.points[..<1])),
        "6446671421_automaticPrices.json": own(Array(Self.points[1..<3])),
      ], faults: faults)
  }

  private func tiers(_ standIn: AppleStandIn) throws -> String {
    try CommandLineRun(
      [
        "sql", "SELECT tier, storefront, price, proceeds, commission FROM v_tier ORDER BY 1, 2, 3",
        "--format", "csv",
      ], in: standIn.folder
    ).output.replacing("\r\n", with: "\n")
  }

  private static let menuTiers = """
    tier,storefront,price,proceeds,commission
    Apple price point 60,DE,8.0,5.71,0.15
    Apple price point 60,FR,8.0,5.67,0.15
    Apple price point 60,US,7.0,5.95,0.15
    Apple price point 61,DE,8.5,6.07,0.15
    Apple price point 61,FR,8.5,6.02,0.15

    """

  @Test func `price points come page by page and are imported together`() throws {
    let standIn = try standIn()
    let summary = try standIn.fetching(wish)
    #expect(summary.answers.map(\.outcome) == [.rows] && !summary.lacksAnswers)
    #expect(standIn.fetched == ["price-points_gems.60 2023-07-05.jsonl"])
    let asked = try standIn.asked()
    #expect(asked.count == 3 && asked.allSatisfy { $0.status == 200 })
    #expect(asked.map { $0.query["cursor"] } == [nil, "Mg", "NA"])
    #expect(try tiers(standIn) == Self.menuTiers)
    #expect(summary.imported?.allDiagnostics.isEmpty == true, "\(summary.imported!.allDiagnostics)")
  }

  @Test func `the prices that a product has, manual and automatic, are its own list`() throws {
    let standIn = try standIn()
    let summary = try standIn.fetching(.prices([product], .own))
    #expect(summary.answers.map(\.outcome) == [.rows])
    #expect(standIn.fetched == ["gems.60 2023-07-05.jsonl"])
    #expect(
      try tiers(standIn) == """
        tier,storefront,price,proceeds,commission
        gems.60@Apple,DE,8.0,5.71,0.15
        gems.60@Apple,FR,8.0,5.67,0.15
        gems.60@Apple,US,7.0,5.95,0.15

        """)
  }

  @Test func `too many requests wait as Apple says, and an expired token is renewed once`() throws {
    let standIn = try standIn(
      faults: """
        [{"match": "cursor=Mg", "do": "429", "retry_after": 1, "times": 1},
         {"match": "cursor=NA", "do": "401", "times": 1}]
        """)
    let summary = try standIn.fetching(wish)
    #expect(summary.answers.map(\.outcome) == [.rows])
    let asked = try standIn.asked()
    #expect(asked.map(\.status) == [200, 429, 200, 401, 200])
    #expect(asked[2].at - asked[1].at >= 0.9, "Retry-After is heeded")
    #expect(try tiers(standIn) == Self.menuTiers)
  }

  @Test(arguments: ["other-total", "shifted"])
  func `a list that changes between two pages is asked for anew`(_ fault: String) throws {
    let standIn = try standIn(faults: #"[{"match": "cursor=Mg", "do": "\#(fault)", "times": 1}]"#)
    let summary = try standIn.fetching(wish)
    #expect(summary.answers.map(\.outcome) == [.rows])
    #expect(try standIn.asked().map { $0.query["cursor"] } == [nil, "Mg", nil, "Mg", "NA"])
    #expect(try tiers(standIn) == Self.menuTiers)
  }

  @Test(arguments: ["other-total", "shifted"])
  func `a list that goes on changing leaves nothing`(_ fault: String) throws {
    let standIn = try standIn(faults: #"[{"match": "cursor=Mg", "do": "\#(fault)", "times": 9}]"#)
    let summary = try standIn.fetching(wish)
    #expect(summary.answers.map(\.outcome) == [.failed] && summary.lacksAnswers)
    #expect(standIn.fetched.isEmpty)
    #expect("\(summary.diagnostics)".contains("list-changed-between-pages"))
    #expect(summary.imported == nil)
  }

  @Test func `a list that breaks off leaves nothing, and comes whole the next time`() throws {
    let standIn = try standIn(faults: #"[{"match": "cursor=NA", "do": "503", "times": 3}]"#)
    #expect(try standIn.fetching(wish).lacksAnswers)
    #expect(standIn.fetched.isEmpty)
    #expect(!(try standIn.fetching(wish).lacksAnswers))
    #expect(try tiers(standIn) == Self.menuTiers)
  }

  @Test func `products are those of Apple's reports, each asked for once a day`() throws {
    let standIn = try standIn()
    try standIn.folder.write(
      "products.csv",
      "sku,kind,apple_identifier\ngems.60,consumable,6446671421\nold,consumable,6446671499\n")
    #expect(try CommandLineRun(["import", "products.csv"], in: standIn.folder).status == 0)
    let first = try standIn.fetching(.prices([], .own))
    // They come in any order.
    let outcomes = first.answers.map { ($0.item, $0.outcome) }.sorted { $0.0 < $1.0 }
    #expect(outcomes.map(\.0) == ["gems.60", "old"] && outcomes.map(\.1) == [.rows, .refused])
    let again = try standIn.fetching(.prices([], .own))
    #expect(again.answers.map(\.item) == ["old"], "what came today is not asked for again")
    let tomorrow = try standIn.fetching(.prices([], .own), at: "2023-07-06")
    #expect(tomorrow.answers.map(\.item).sorted() == ["gems.60", "old"])
  }

  @Test func `the command asks for products by name`() throws {
    let standIn = try standIn()
    let run = try CommandLineRun(
      ["fetch", "prices", "gems.60=6446671421", "--dry-run"], in: standIn.folder)
    #expect(run.output.contains("prices gems.60"), "\(run.output) \(run.errors)")
    let wrong = try CommandLineRun(["fetch", "prices", "gems.60"], in: standIn.folder)
    #expect(wrong.status == 64 && wrong.errors.contains("expected a SKU"), "\(wrong.errors)")
    let none = try CommandLineRun(["fetch", "prices"], in: standIn.folder)
    #expect(none.status == 2 && none.errors.contains("no product"), "\(none.errors)")
  }
}
