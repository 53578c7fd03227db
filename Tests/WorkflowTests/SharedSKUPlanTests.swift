import Billing
import Conclusions
import Foundation
import Support
import Testing
import Workflow
@testable import Matching

/// Goal: plans of packs, settlement by product and purchases that Spark counted part the apps of an
/// SKU as all else does. Method: months of a few purchases of apps that share an SKU.
@Suite struct SharedSKUPlanTests {
  private static let both = [
    "gems.2,consumable,2,15,com.first,20,,", "gems.2,consumable,10,16,com.second,110,,",
  ]

  private func month() throws -> AppsMonth {
    let month = try AppsMonth()
    try month.products(Self.both)
    try month.report("80000001", [.first, .second, .second])
    try month.table("rates.csv", "date,base,quote,rate", ["2023-06-30,USD,CNY,7.1"])
    return month
  }

  // MARK: - Packs

  private func packs(_ line: String, _ month: AppsMonth) throws -> [[String: Any]] {
    let run = try CommandLineRun(
      in: month.folder,
      through: "plan packs --period 2023-06 --storefronts US --channel-currency USD "
        + "--format json " + line)
    #expect(run.status == 0, "\(run.errors)")
    let plan = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    return try #require(plan["packs"] as? [[String: Any]])
  }

  private func shown(_ packs: [[String: Any]], _ figure: String) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: packs.map { pack in
        let now = pack["now"] as? [String: Any] ?? [:]
        return ("\(pack["product"] ?? "") \(pack["app"] ?? "")", "\(now[figure] ?? "")")
      })
  }

  @Test func `each app's pack has its own units, coins, price and counterpart`() throws {
    let month = try month()
    let packs = try packs("--channel-packs gems.2=2/20", month)
    #expect(
      shown(packs, "units") == ["gems.2 com.first": "1", "gems.2 com.second": "2"], "\(packs)")
    #expect(shown(packs, "coins") == ["gems.2 com.first": "20", "gems.2 com.second": "110"])
    #expect(
      shown(packs, "price") == ["gems.2 com.first": "1.99", "gems.2 com.second": "9.99"])
  }

  @Test func `saved packs become the catalogue of each app`() throws {
    let month = try month()
    let saved = try CommandLineRun(
      in: month.folder,
      through: "plan packs --period 2023-06 --storefronts US --channel-currency USD "
        + "--date 2023-07-01 --save-products new.csv --channel-packs gems.2=2/30")
    #expect(saved.status == 0, "\(saved.errors)")
    let text = try String(contentsOfFile: month.folder.path + "/new.csv", encoding: .utf8)
    #expect(text.contains(",com.first,") && text.contains(",com.second,"), "\(text)")
    #expect(!text.contains("\u{A0}"))
    _ = try month.folder.importing("new.csv")
    let after = try packs("--channel-packs gems.2=2/30 --date 2023-07-01", month)
    #expect(Set(shown(after, "coins").keys) == ["gems.2 com.first", "gems.2 com.second"])
    #expect(Set(shown(after, "coins").values).count == 2, "\(after)")
  }

  // MARK: - Settlement

  private static let fiscal = FiscalMonth(year: 2023, number: 9)!

  /// Apple's financial report of the fiscal month; units of each app.
  private func settle(_ month: AppsMonth, first: Int, second: Int) throws {
    let header = [
      "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity",
      "Partner Share", "Extended Partner Share", "Partner Share Currency", "Sales or Return",
      "Apple Identifier", "Artist/Show/Developer/Author", "Title",
      "Label/Studio/Network/Developer/Publisher", "Grid", "Product Type Identifier",
      "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag", "Promo Code",
      "Customer Price", "Customer Currency",
    ]
    let rows = [("15", first, "1.40", "1.99"), ("16", second, "7.00", "9.99")]
      .filter { $0.1 > 0 }
      .map { item, units, share, price in
        let sum = decimalText(micros: micros(decimal: share)! * Int64(units), minimumDigits: 2)
        return [
          "06/04/2023", "07/01/2023", "", "", "gems.2", "\(units)", share, sum, "USD", "S", item,
          "", "Gems", "", "", "IA1", "", "US", "", "", price, "USD",
        ].joined(separator: "\t") + "\n"
      }
    let amount = Int64(first) * 1_400_000 + Int64(second) * 7_000_000
    try month.folder.write(
      "80000001_0623_US.txt",
      header.joined(separator: "\t") + "\n" + rows.joined()
        + "Total_Rows\t\(rows.count)\n"
        + "Total_Amount\t\(decimalText(micros: amount, minimumDigits: 2))\n"
        + "Total_Units\t\(first + second)\n")
    _ = try month.folder.importing("80000001_0623_US.txt")
  }

  private func settlement(_ month: AppsMonth) throws -> [String] {
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: month.folder.ledger, period: Self.fiscal.period, settings: month.settings,
        asOf: Day("2023-09-01")!))
    return result.findings.filter { $0.code.rawValue.hasPrefix("settlement-") }
      .map { "\($0.code.rawValue) \($0.sku ?? "")".replacing("\u{A0}", with: " ") }.sorted()
  }

  @Test func `units settle in their own app`() throws {
    let month = try month()
    try settle(month, first: 1, second: 2)
    #expect(try settlement(month) == [])
  }

  /// As many units as were sold, of the wrong app.
  @Test func `a unit of one app does not settle another's`() throws {
    let month = try month()
    try settle(month, first: 2, second: 1)
    #expect(
      try settlement(month) == [
        "settlement-carry gems.2 (com.second)", "settlement-units gems.2 (com.first)",
      ])
  }

  // MARK: - Spark

  /// Counts of one purchase per app, as the script makes them.
  private func count(_ month: AppsMonth, price: String = "9.99", named: Bool = true) throws {
    func sold(_ bundle: String, _ price: String) -> String {
      let terms = "gems.2,1,\(price),USD,US"
      let order = "fulfilled,\(named ? bundle : ""),\(terms)"
      return "2023-06,sold,1686600000,1,,\(order),consumable,\(bundle),\(terms)"
    }
    try month.table(
      "unit_counts.csv",
      """
      counted_period,counted,at,count,seconds,order_status,order_bundle_id,order_sku,\
      order_quantity,order_unit_price,order_currency,order_storefront,transaction_kind,\
      transaction_bundle_id,transaction_sku,transaction_quantity,transaction_unit_price,\
      transaction_currency,transaction_storefront
      """,
      [
        sold("com.first", "1.99"), sold("com.second", price),
        "2023-06,placed,1686599987,2,,,,,,,,,,,,,,,",
        "2023-06,bought,1686600000,2,,,,,,,,,,,,,,,",
        "2023-06,fulfilled,1686599987,2,30,,,,,,,,,,,,,,",
      ])
  }

  @Test(arguments: [true, false])
  func `counted purchases stand in their own app`(ordersNameIt: Bool) throws {
    let month = try AppsMonth()
    try month.products(Self.both)
    try month.report("80000001", [.first, .second])
    try count(month, named: ordersNameIt)
    #expect(try month.complaints() == [])
    let result = try month.reconcile()
    #expect(result.matchedUnits == 2 && result.unmatchedUnits == 0 && result.rowsAsked.isEmpty)
  }

  @Test func `counted units of one app do not stand for another's`() throws {
    let month = try AppsMonth()
    try month.products(Self.both)
    try month.report("80000001", [.second, .second])
    try count(month)
    #expect(
      try month.complaints() == [
        "not-in-ledger gems.2 (com.second)", "not-in-report gems.2 (com.first)",
      ])
  }

  /// Spark knows SKUs and no apps: rows are asked for by the SKU alone.
  @Test func `a wrong price asks Spark for the rows of the SKU`() throws {
    let month = try AppsMonth()
    try month.products(Self.both)
    var wrong = AppsMonth.Sale.second
    (wrong.price, wrong.proceeds) = ("1.99", "1.40")
    try month.report("80000001", [.first, wrong])
    try count(month, price: "1.99")
    let asked = try month.reconcile().rowsAsked
    #expect(Set(asked.spans.map(\.sku)) == ["gems.2"])
  }
}
