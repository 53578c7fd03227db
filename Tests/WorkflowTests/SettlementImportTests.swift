import Billing
import Support
import Testing
import Workflow

/// Financial reports and payments, from files to what the commands tell of them.
@Suite struct SettlementImportTests {
  private static let header = [
    "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share",
    "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
    "Artist/Show/Developer/Author", "Title", "Label/Studio/Network/Developer/Publisher", "Grid",
    "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag",
    "Promo Code", "Customer Price", "Customer Currency",
  ].joined(separator: "\t")

  private func report(_ quantity: Int, storefronts: [String] = ["CN"]) -> String {
    var text = Self.header + "\n"
    for storefront in storefronts {
      text += "08/31/2014\t09/27/2014\t\t\tgems\t\(quantity)\t4.12\t"
      text += "\(quantity * 4).\(quantity * 12)\tCNY\tS\t1\t\tGems\t\t\tIA1\t\t\(storefront)\t\t\t"
      text += "6.00\tCNY\n"
    }
    let (count, units) = (storefronts.count, quantity * storefronts.count)
    let cents = 412 * units
    text += "Total_Rows\t\(count)\nTotal_Amount\t\(cents / 100).\(cents % 100)\n"
    return text + "Total_Units\t\(units)\n"
  }

  private let payments = """
    "iTunes Connect - Payments and Financial Reports\t(September, 2014)",,,,,,,,,,,,
    Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,\
    Total Owed,Exchange Rate,Proceeds,Bank Account Currency,
    China (CNY),"2","8.24","8.24","0","0","0","8.24","0.13690","1.13","EUR",
    ,,,,,,,,,,"1.13" EUR,,

    """

  @Test func `tells the fiscal month and the region`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/80134819_0914_CN.txt", report(2))
    try folder.write("in/financial_report.csv", payments)
    let summary = try folder.importing("in")
    #expect(
      folder.relative(summary.text) == """
        in/80134819_0914_CN.txt  financial report  1 row, FY2014-P12 CN
        in/financial_report.csv  payments summary  1 row, FY2014-P12
        financial report: 1 file, 1 row, FY2014-P12
          CNY  2 units, 12.00 gross, 8.24 proceeds
        payments summary: 1 file, 1 row, FY2014-P12
          CNY  2 units, 8.24 owed
          EUR  1.13 paid
        imported 2 files, 2 rows

        """)
    #expect(summary.json.contains("\"region\": \"CN\""))
    #expect(summary.json.contains("\"fiscal_months\": \"FY2014-P12\""))
    let status = try ledgerStatus(of: folder.ledger, asOf: Day("2014-11-01")!)
    #expect(status.text.contains("  financial report     1      1  FY2014-P12\n"))
    #expect(status.json.contains("\"fiscal_months\": \"FY2014-P12\""))
  }

  @Test func `another version of a region's report replaces it, a dry run says so`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/80134819_0914_CN.txt", report(2))
    _ = try folder.importing("in")
    try folder.write("again/80134819_0914_CN.txt", report(1))
    try folder.write("again/80134819_0914_US.txt", report(1) + "\n")
    for isDryRun in [true, false] {
      let summary = try folder.importing("again") { $0.isDryRun = isDryRun }
      #expect(
        summary.files.map(\.supersedes) == [folder.path + "/in/80134819_0914_CN.txt", nil])
    }
  }

  @Test func `a region that nothing tells is asked for`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/report.txt", report(2, storefronts: ["CN", "AU"]))
    let refused = try folder.importing("in")
    #expect(refused.files.map(\.status) == [.rejected])
    #expect(refused.allDiagnostics.map(\.topic) == ["region"])
    let told = try folder.importing("in") { $0.region = "ZZ" }
    #expect(told.files.map(\.region) == ["ZZ"])
  }

  @Test(arguments: [("eu", "EU"), ("ZZ", "ZZ"), ("Z1", "Z1"), ("QQ", nil), ("", nil)])
  func `regions are Apple's codes`(text: String, region: String?) {
    #expect(knownFinanceRegion(text) == region)
  }
}
