import Support
import Testing

/// Goal: the prices that App Store Connect exports of a product are its prices, with Apple's
/// proceeds at the account's commission. Method: the commands, on lists made here; the proceeds are
/// calculated by hand.
@Suite struct PriceListTests {
  /// France has 20% VAT inside, Germany 19%, Switzerland 8.1%, Australia 10%, Korea 10%.
  private static let smallBusiness = """
    France,EUR,8.0,5.67
    Germany,EUR,8.0,5.71
    "Korea, Republic of",KRW,11000,8500
    Australia,AUD,11.0,8.50
    Switzerland,CHF,8.0,6.29
    Hong Kong,HKD,50.0,42.5000
    United States,USD,7.0,5.95
    """
  private static let standard = """
    France,EUR,8.0,4.67
    Germany,EUR,8.0,4.71
    "Korea, Republic of",KRW,11000,7000
    Switzerland,CHF,8.0,5.18
    Hong Kong,HKD,50.0,35
    United States,USD,7.0,4.9
    """

  private func list(_ rows: String) -> String {
    "\u{FEFF}Countries or Regions,Currency Code,Price,Proceeds,May Adjust Automatically\r\n"
      + rows.split(separator: "\n").map { "\($0),Y\r\n" }.joined()
  }

  private func prices(in folder: TemporaryFolder) throws -> String {
    let query = "SELECT storefront, price, proceeds, commission FROM v_tier ORDER BY storefront"
    return try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
      .replacing("\r\n", with: "\n")
  }

  @Test func `a list named by product and day has the account's commission`() throws {
    let folder = try TemporaryFolder()
    try folder.write("gems.60 2026-03-01.csv", list(Self.smallBusiness))
    let imported = try CommandLineRun(["import", "gems.60 2026-03-01.csv"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let told = "7  prices of gems.60 from 2026-03-01, proceeds after 15% commission"
    #expect(imported.output.contains(told), "\(imported.output)")
    #expect(
      try prices(in: folder) == """
        storefront,price,proceeds,commission
        AU,11.0,8.5,0.15
        CH,8.0,6.29,0.15
        DE,8.0,5.71,0.15
        FR,8.0,5.67,0.15
        HK,50.0,42.5,0.15
        KR,11000.0,8500.0,0.15
        US,7.0,5.95,0.15

        """)
    let again = try CommandLineRun(["verify"], in: folder)
    #expect(again.status == 0, "\(again.output) \(again.errors)")
  }

  @Test func `the standard commission is seen, too, and a row that fits none is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("list.csv", list(Self.standard + "\nCanada,CAD,10.0,3.33"))
    let imported = try CommandLineRun(
      ["import", "list.csv", "--product", "gems.60", "--date", "2026-03-01"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.contains("proceeds after 30% commission"), "\(imported.output)")
    #expect(imported.errors.contains("CA 10 → 3.33"), "\(imported.errors)")
    #expect(try CommandLineRun(["verify"], in: folder).status == 0)
  }

  @Test(arguments: [
    (["import", "list.csv"], "without a day"),
    (["import", "list.csv", "--date", "2026-03-01"], "without a product"),
    (["import", "list.csv", "--product", "gems.60"], "without a day"),
  ]) func `without product or day it is refused`(_ call: [String], _ reason: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("list.csv", list(Self.smallBusiness))
    let refused = try CommandLineRun(call, in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors.contains(reason), "\(refused.errors)")
    #expect(refused.errors.contains("--product"))
  }

  @Test func `proceeds that no commission explains are not taken`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "gems.60 2026-03-01.csv", list("France,EUR,8.0,1.11\nGermany,EUR,8,2.22\nJapan,JPY,500,3"))
    let imported = try CommandLineRun(["import", "gems.60 2026-03-01.csv"], in: folder)
    #expect(imported.errors.contains("commission of the proceeds unknown"), "\(imported.errors)")
    #expect(try prices(in: folder).contains("FR,8.0,,\n"))
  }

  @Test func `price and plan take Apple's proceeds before calculated ones, and say so`() throws {
    let folder = try TemporaryFolder()
    // Apple pays a cent more here than the rule gives.
    try folder.write(
      "gems.60 2026-03-01.csv", list(Self.smallBusiness.replacing("8.0,5.67", with: "8.0,5.68")))
    try folder.write(
      "tieout.toml",
      """
      base_currency = "CNY"
      developer_country = "CN"
      small_business = [{ from = 2021-01-01 }]
      """)
    #expect(try CommandLineRun(["import", "gems.60 2026-03-01.csv"], in: folder).status == 0)
    let price = try CommandLineRun(
      ["price", "--sku", "gems.60", "--storefront", "FR", "--date", "2026-03-02"], in: folder)
    #expect(price.status == 0, "\(price.errors)")
    #expect(price.output.contains("5.68"), "\(price.output)")
    #expect(price.output.contains("tier gems.60@Apple"), "\(price.output)")
    let before = try CommandLineRun(
      ["price", "--sku", "gems.60", "--storefront", "FR", "--date", "2026-02-28"], in: folder)
    #expect(before.status == 2, "\(before.output)")
    try folder.write(
      "rates.csv", "date,base,quote,rate\n2026-03-01,EUR,CNY,8\n2026-03-01,USD,CNY,7\n")
    #expect(try CommandLineRun(["import", "rates.csv"], in: folder).status == 0)
    let plan = try CommandLineRun(
      [
        "plan", "packs", "--date", "2026-03-02", "--storefronts", "FR,US", "--channel-packs",
        "gems.60=6.00/60", "--format", "json",
      ], in: folder)
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.filter { $0 != " " }.contains(#""proceeds":"5.68""#), "\(plan.output)")
  }

  @Test func `storefronts are understood by their English names in any table`() throws {
    let folder = try TemporaryFolder()
    let names = [
      ("Congo, Republic of the", "CG"), ("\"Congo, Democratic Republic of the\"", "CD"),
      ("Côte d’Ivoire", "CI"), ("China mainland", "CN"), ("St. Kitts and Nevis", "KN"),
      ("british virgin islands", "VG"), ("Türkiye", "TR"), ("Namibia", "NA"),
      ("Dominican Republic", "DO"), ("Dominica", "DM"), ("Czech Republic", "CZ"),
    ]
    let rows = names.enumerated().map { index, name in
      let written = name.0.contains("\"") ? name.0 : "\"\(name.0)\""
      return "O\(index),gems.60,paid,2026-03-0\(1 + index % 9)T00:00:00Z,\(written)\n"
    }
    try folder.write(
      "orders.csv", "order_id,sku,status,placed_at,storefront\n" + rows.joined())
    let imported = try CommandLineRun(["import", "orders.csv"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let query = "SELECT order_id, storefront FROM v_order ORDER BY CAST(substr(order_id, 2) AS INT)"
    let read = try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
    let codes = read.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst().map {
      String($0.suffix(2))
    }
    #expect(codes == names.map(\.1))
  }

  @Test func `a rate from one day to another holds on each of them`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "rates.csv",
      """
      Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date
      Eurozone,Euro,EUR,1.1564,01/07/2026,31/07/2026
      Ecuador,Dollar,USD,1.3404,01/07/2026,31/07/2026
      USA,Dollar,USD,1.3404,01/07/2026,31/07/2026
      Japan,Yen,JPY,214.8908,2026-07-01,2026-07-31

      """)
    let imported = try CommandLineRun(["import", "rates.csv"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let query =
      "SELECT quote, count(DISTINCT date) n, min(date), max(date), base FROM v_rate GROUP BY quote"
    let read = try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
      .replacing("\r\n", with: "\n")
    #expect(read.contains("EUR,31,2026-07-01,2026-07-31,GBP\n"), "\(read)")
    #expect(read.contains("JPY,31,") && read.contains("USD,31,"), "\(read)")
  }
}
