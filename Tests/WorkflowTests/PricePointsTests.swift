import Foundation
import Support
import Testing

/// Goal: prices that the App Store Connect API answered, saved as they came, are prices with
/// Apple's proceeds, and pages that lack others say which. Method: the commands, on pages made here
/// in the real layout; proceeds by hand.
@Suite struct PricePointsTests {
  private typealias Point = PricePages.Point
  private static let currencies = [("USA", "USD"), ("FRA", "EUR"), ("DEU", "EUR"), ("CHE", "CHF")]
  private static let included = PricePages.territories(currencies)
  /// 30%, and 15% after a year: France 20% VAT, Germany 19%.
  private static let standard = [
    Point(territory: "USA", number: 10010, price: "0.99", proceeds: "0.7", second: "0.84"),
    Point(territory: "USA", number: 49, price: "24.49", proceeds: "17.14", second: "20.82"),
    Point(territory: "FRA", number: 10060, price: "8.0", proceeds: "4.67", second: "5.67"),
    Point(territory: "DEU", number: 10060, price: "8.0", proceeds: "4.71", second: "5.71"),
  ]
  /// The Small Business Program: both are 15%.
  private static let small = [
    Point(territory: "USA", number: 10060, price: "7.0", proceeds: "5.95", second: "5.95"),
    Point(territory: "FRA", number: 10060, price: "8.0", proceeds: "5.67", second: "5.67"),
    Point(territory: "DEU", number: 10060, price: "8.0", proceeds: "5.71", second: "5.71"),
  ]

  private func elements(_ points: [Point], isSubscription: Bool) -> [String] {
    points.map { PricePages.point($0, of: "6446671421", isSubscription: isSubscription) }
  }

  private func tiers(in folder: TemporaryFolder) throws -> String {
    let query = """
      SELECT "table" t, tier, storefront, price, proceeds, commission, effective_from FROM v_tier
      ORDER BY storefront, price, tier
      """
    return try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
      .replacing("\r\n", with: "\n")
  }

  @Test func `a subscription's price points are tiers, at both commissions`() throws {
    let folder = try TemporaryFolder()
    let page = PricePages.page(
      "/v1/subscriptions/6446671421/pricePoints",
      elements(Self.standard, isSubscription: true), included: Self.included)
    try folder.write("pricePoints.json", page)
    let imported = try CommandLineRun(
      ["import", "pricePoints.json", "--date", "2026-03-01"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      imported.output.contains(
        "4  price points, proceeds after 30% commission, and after 15% once a subscriber"),
      "\(imported.output)")
    #expect(!imported.errors.contains("missing"), "\(imported.errors)")
    #expect(
      try tiers(in: folder).hasPrefix(
        """
        t,tier,storefront,price,proceeds,commission,effective_from
        subscription,Apple price point 10060,DE,8.0,4.71,0.3,2026-03-01
        subscription,Apple price point 10060 after one year,DE,8.0,5.71,0.15,2026-03-01

        """))
    #expect(try CommandLineRun(["verify"], in: folder).status == 0)
    // Apple's own 17.14, where the rule for prices of .x9 would give 17.15.
    let price = try CommandLineRun(
      [
        "price", "--price", "24.49", "--currency", "USD", "--storefront", "US", "--date",
        "2026-03-02",
      ], in: folder)
    #expect(price.output.contains("17.14"), "\(price.output) \(price.errors)")
    #expect(price.output.contains("Apple price point 49"), "\(price.output)")
  }

  @Test func `in the Small Business Program the first year is inferred as the second`() throws {
    let folder = try TemporaryFolder()
    let page = PricePages.page(
      "/v1/subscriptions/6446671421/pricePoints", elements(Self.small, isSubscription: true),
      included: Self.included)
    try folder.write("pages 2026-03-01.json", page)
    let imported = try CommandLineRun(["import", "pages 2026-03-01.json"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      imported.output.contains("3  price points, proceeds after 15% commission\n"),
      "\(imported.output)")
    #expect(try tiers(in: folder).contains(",FR,8.0,5.67,0.15,"))
  }

  @Test func `equalizations of a point are the prices of the product that is named`() throws {
    let folder = try TemporaryFolder()
    let points = Self.small.dropFirst().map { point in
      var point = point
      point.second = nil
      return point
    }
    let page = PricePages.page(
      "/v1/inAppPurchasePricePoints/eyJz/equalizations", elements(points, isSubscription: false),
      included: Self.included)
    try folder.write("gems.60 2026-03-01.json", page)
    let imported = try CommandLineRun(["import", "gems.60 2026-03-01.json"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      imported.output.contains("2  prices of gems.60, proceeds after 15% commission"),
      "\(imported.output)")
    #expect(try tiers(in: folder).contains("iap,gems.60@Apple,FR,8.0,5.67,0.15,2026-03-01\n"))
    #expect(try CommandLineRun(["verify"], in: folder).status == 0)
    let price = try CommandLineRun(
      ["price", "--sku", "gems.60", "--storefront", "FR", "--date", "2026-03-02"], in: folder)
    #expect(price.output.contains("gems.60@Apple"), "\(price.output) \(price.errors)")
  }

  @Test func `prices that a product has begin on their own day, and kept ones are left out`() throws
  {
    let folder = try TemporaryFolder()
    func price(_ point: Point, start: String?, preserved: Bool) -> String {
      let id = PricePages.id(point, of: "6446671421")
      return """
        {"type":"subscriptionPrices","id":"\(point.territory)\(start ?? "")","attributes":\
        {"startDate":\(start.map { "\"\($0)\"" } ?? "null"),"preserved":\(preserved)},\
        "relationships":{"territory":{"data":{"type":"territories","id":"\(point.territory)"}},\
        "subscriptionPricePoint":{"data":{"type":"subscriptionPricePoints","id":"\(id)"}}}}
        """
    }
    let points = Self.small
    let page = PricePages.page(
      "/v1/subscriptions/6446671421/prices",
      [
        price(points[0], start: nil, preserved: false),
        price(points[1], start: "2026-04-01", preserved: false),
        price(points[2], start: "2025-01-01", preserved: true),
      ],
      included: Self.included + ","
        + points.map {
          PricePages.point(
            $0, of: "6446671421", isSubscription: true, namesTerritory: false)
        }.joined(separator: ","))
    try folder.write("vip.monthly 2026-03-01.json", page)
    let imported = try CommandLineRun(["import", "vip.monthly 2026-03-01.json"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let read = try tiers(in: folder)
    #expect(read.contains("vip.monthly@Apple,FR,8.0,5.67,0.15,2026-04-01\n"), "\(read)")
    #expect(read.contains("vip.monthly@Apple,US,7.0,5.95,0.15,2026-03-01\n"), "\(read)")
    #expect(!read.contains(",DE,"), "\(read)")
  }

  @Test func `a page without those that follow says which are missing`() throws {
    let folder = try TemporaryFolder()
    let all = elements(Self.standard, isSubscription: true)
    let path = "/v1/subscriptions/6446671421/pricePoints"
    func page(_ number: Int) -> String {
      PricePages.page(
        path, Array(all[number * 2..<number * 2 + 2]), included: Self.included,
        from: number * 2, total: 4, limit: 2, isLast: number == 1)
    }
    try folder.write("one.json", page(0))
    let first = try CommandLineRun(["import", "one.json", "--date", "2026-03-01"], in: folder)
    #expect(first.status == 0, "\(first.errors)")
    #expect(
      first.errors.contains("page 2 of 2 is missing, with all that follows: prices here: 2 of 4"),
      "\(first.errors)")
    try folder.write("two.json", page(1))
    let second = try CommandLineRun(["import", "two.json", "--date", "2026-03-01"], in: folder)
    #expect(second.errors.contains("page 1 of 2 is missing"), "\(second.errors)")
    let both = try CommandLineRun(
      ["import", "one.json", "two.json", "--date", "2026-03-01"], in: folder)
    #expect(!both.errors.contains("missing"), "\(both.errors)")
    #expect(try tiers(in: folder).contains("Apple price point 10010,US,0.99,0.7,0.3"))
  }

  @Test func `pages that were saved while the list changed are told apart`() throws {
    let folder = try TemporaryFolder()
    let all = elements(Self.standard, isSubscription: true)
    let path = "/v1/subscriptions/6446671421/pricePoints"
    let pages = [
      PricePages.page(
        path, Array(all[..<2]), included: Self.included, total: 4, limit: 2, isLast: false),
      PricePages.page(
        path, Array(all[2...]), included: Self.included, from: 2, total: 5, limit: 2),
    ]
    try folder.write("pages 2026-03-01.jsonl", pages.joined(separator: "\n") + "\n")
    let imported = try CommandLineRun(["import", "pages 2026-03-01.jsonl"], in: folder)
    #expect(imported.errors.contains("different numbers of prices: 4, 5"), "\(imported.errors)")
  }

  @Test func `prices of no known day are stored and judge nothing`() throws {
    let folder = try TemporaryFolder()
    let page = PricePages.page(
      "/v2/inAppPurchases/6446671421/pricePoints", elements(Self.small, isSubscription: false),
      included: Self.included)
    try folder.write("pricePoints.json", page)
    let imported = try CommandLineRun(["import", "pricePoints.json"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.errors.contains("first day of these prices is unknown"), "\(imported.errors)")
    let dated = try CommandLineRun(
      ["import", "pricePoints.json", "--date", "2026-03-01"], in: folder)
    #expect(dated.output.contains("price points"), "the same bytes, of a day: \(dated.output)")
    #expect(try tiers(in: folder).contains("2026-03-01"))
  }

  @Test(arguments: [
    (
      #"{"data":[{"type":"subscriptionPricePoints","id":"x"}],"links":{"self":"/pricePoints"}}"#,
      "names no storefront"
    ),
    (
      #"{"data":[{"type":"apps","id":"x"}],"links":{"self":"/pricePoints"}}"#,
      "is no price but apps"
    ),
  ]) func `what is no price is refused, with what to ask for`(_ page: String, _ reason: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("pages.json", page)
    let refused = try CommandLineRun(["import", "pages.json", "--date", "2026-03-01"], in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors.contains(reason), "\(refused.errors)")
  }

  @Test func `two products at one price have a list each`() throws {
    let folder = try TemporaryFolder()
    let list = "Countries or Regions,Currency Code,Price,Proceeds\nFrance,EUR,8.0,5.67\n"
    for sku in ["gems.60", "gems.61"] { try folder.write("\(sku) 2026-03-01.csv", list) }
    let imported = try CommandLineRun(
      ["import", "gems.60 2026-03-01.csv", "gems.61 2026-03-01.csv"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let read = try tiers(in: folder)
    #expect(read.contains("gems.60@Apple") && read.contains("gems.61@Apple"), "\(read)")
    #expect(try CommandLineRun(["verify"], in: folder).status == 0)
  }

  /// One SKU in two apps: the list is refused until it names the app, and then is that app's.
  @Test func `a price list of an SKU that two apps have names its app`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "products.csv",
      """
      sku,kind,tier,bundle_id,apple_identifier
      gems.60,consumable,,com.example.one,1600000001
      gems.60,consumable,,com.example.two,1600000002

      """)
    try folder.write(
      "gems.60 2026-03-01.csv",
      "Countries or Regions,Currency Code,Price,Proceeds\nFrance,EUR,8.0,5.67\n")
    #expect(try CommandLineRun(["import", "products.csv"], in: folder).status == 0)
    let refused = try CommandLineRun(["import", "gems.60 2026-03-01.csv"], in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("product of several apps"), "\(refused.errors)")
    #expect(refused.errors.contains("--product"), "\(refused.errors)")
    let named = try CommandLineRun(
      [
        "import", "gems.60 2026-03-01.csv", "--product", "gems.60 (com.example.two)", "--date",
        "2026-03-01",
      ], in: folder)
    #expect(named.status == 0, "\(named.errors)")
    func price(_ app: String) throws -> CommandLineRun {
      try CommandLineRun(
        [
          "price", "--sku", "gems.60 (\(app))", "--storefront", "FR", "--date", "2026-03-02",
        ], in: folder)
    }
    let two = try price("com.example.two")
    #expect(two.status == 0 && two.output.contains("5.67"), "\(two.output) \(two.errors)")
    #expect(try price("com.example.one").status == 2)
  }
}
