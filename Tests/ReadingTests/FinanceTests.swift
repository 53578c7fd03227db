import Billing
import Support
import Testing

@testable import Reading

let financeHeader = [
  "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share",
  "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
  "Artist/Show/Developer/Author", "Title", "Label/Studio/Network/Developer/Publisher", "Grid",
  "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag",
  "Promo Code", "Customer Price", "Customer Currency",
]

let financeRow = [
  "Start Date": "08/31/2014", "End Date": "09/27/2014", "Vendor Identifier": "gems.60",
  "Quantity": "2", "Partner Share": "4.12", "Extended Partner Share": "8.24",
  "Partner Share Currency": "CNY", "Sales or Return": "S", "Apple Identifier": "281153214",
  "Title": "60 Gems", "Product Type Identifier": "IA1", "Country Of Sale": "CN",
  "Customer Price": "6.00", "Customer Currency": "CNY",
]

/// A financial report: rows with fields that differ from an ordinary one, and what follows them.
func financeReport(_ rows: [[String: String]], below: String = "") -> String {
  var text = financeHeader.joined(separator: "\t") + "\n"
  for row in rows {
    text += financeHeader.map { row[$0] ?? financeRow[$0] ?? "" }.joined(separator: "\t") + "\n"
  }
  return text + below
}

let detailHeader = [
  "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name",
  "Product Type Identifier", "Country of Sale", "Quantity", "Partner Share",
  "Extended Partner Share", "Partner Share Currency", "Customer Price", "Customer Currency",
  "Sale or Return", "Promo Code", "Order Type", "Region",
]

let detailRow = [
  "Transaction Date": "10/28/2025", "Settlement Date": "11/07/2025", "SKU": "gems.60",
  "Apple Identifier": "6702026778", "Title": "60 Gems", "Product Type Identifier": "IA1",
  "Country of Sale": "CN", "Quantity": "1", "Partner Share": "18.53",
  "Extended Partner Share": "18.53", "Partner Share Currency": "CNY", "Customer Price": "22.000",
  "Customer Currency": "CNY", "Sale or Return": "S",
]

let detailPreamble = "Vendor Name\tACME\nStart Date\t11/02/2025\nEnd Date\t11/29/2025\n"

func financeDetail(
  _ rows: [[String: String]], preamble: String = detailPreamble, below: String = ""
) -> String {
  var text = preamble + detailHeader.joined(separator: "\t") + "\n"
  for row in rows {
    text += detailHeader.map { row[$0] ?? detailRow[$0] ?? "" }.joined(separator: "\t") + "\t\n"
  }
  return text + below
}

private let cny = Currency("CNY")!
private let storefrontTable =
  "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n"

@Suite struct FinanceTests {
  @Test func aReportOfOneRegionReads() throws {
    let text = financeReport(
      [
        [:],
        [
          "Quantity": "-1", "Extended Partner Share": "-4.12", "Sales or Return": "R",
          "Customer Price": "-6.00",
        ],
        [
          "Quantity": "3", "Partner Share": "0.00", "Extended Partner Share": "0.00",
          "Promo Code": "CR", "Customer Price": "0.00",
        ],
      ], below: "Total_Rows\t3\nTotal_Amount\t4.12\nTotal_Units\t4\n")
    let outcome = try read(text, name: "in/80134819_0914_CN.txt")
    let reading = outcome.reading
    #expect(reading.kind == .finance && reading.vendor == "80134819" && reading.region == "CN")
    #expect(reading.begin == Day("2014-08-31") && reading.end == Day("2014-09-27"))
    #expect(reading.rows == 3 && reading.footers == 3 && reading.warnings.isEmpty)
    #expect(
      reading.totals == [
        ReadingTotal(currency: cny, units: 4, gross: 6_000_000, proceeds: 4_120_000, free: 3)
      ])
    #expect(outcome.footers == [.rows(3), .amount(4_120_000, nil), .units(4)])
    #expect(
      outcome.finance[1].terms
        == FinanceTerms(
          storefront: Storefront("CN")!, sku: "gems.60", appleIdentifier: "281153214",
          type: ProductType("IA1"), title: "60 Gems", isReturn: true, share: 4_120_000,
          currency: cny, customerPrice: -6_000_000, customerCurrency: cny))
    #expect(outcome.finance[1].row.quantity == -1 && outcome.finance[1].row.extended == -4_120_000)
    #expect(outcome.finance[2].terms.promoCode == "CR")
    #expect(outcome.finance.map(\.row.line) == [2, 3, 4])
    #expect(outcome.finance.allSatisfy { $0.row.settlementDay == nil })
  }

  /// Totals as Apple wrote them over the years, and as people save them again.
  @Test(arguments: [
    (
      "Total_Rows\t1\nTotal_Amount\t1,234,567.8\nTotal_Units\t1,234\n",
      [
        FinanceFooter.rows(1), .amount(1_234_567_800_000, nil), .units(1234),
      ]
    ),
    (
      "Total_Rows:1\nTotal_Amount:32.68\nTotal_Units:2\n",
      [
        .rows(1), .amount(32_680_000, nil), .units(2),
      ]
    ),
    ("\t\t\t\t\t\tTotal\t32.68 AUD\t\t\t\n", [.amount(32_680_000, Currency("AUD"))]),
    ("Total\t32.68 AUD\n", [.amount(32_680_000, Currency("AUD"))]),
    ("Total_Amount:\t-77\r\n", [.amount(-77_000_000, nil)]),
    ("\t\t\t\t\t\t\t\n\nTotal_Amount\t77\n", [.amount(77_000_000, nil)]),
    ("Total_Amount\t77\tCNY\n", [.amount(77_000_000, cny)]),
  ])
  func footersOfAllVintagesRead(below: String, footers: [FinanceFooter]) throws {
    let outcome = try read(financeReport([[:]], below: below))
    #expect(outcome.footers == footers)
    #expect(outcome.reading.footers == footers.count && outcome.reading.rejected == 0)
  }

  @Test(arguments: [
    "Total_Rows\tmany\n", "Total_Amount\t\n", "Total_Tax\t1.00\n", "Total\t1.00 yen\n", "Total\n",
    "Total_Amount\t1\t2\t3\n", "Sum\t1\n", "AU\tAUD\t1\t1.00\n",
  ])
  func otherLinesBelowAreRejected(below: String) throws {
    let outcome = try read(financeReport([[:]], below: below))
    #expect(outcome.reading.rejected == 1 && outcome.reading.rows == 1)
  }

  @Test func allRegionsInOneFileRead() throws {
    let rows = [
      [:], ["Country Of Sale": "AU", "Partner Share Currency": "AUD"],
      ["Country Of Sale": "DE", "Partner Share Currency": "EUR"],
    ]
    let below =
      "Total_Rows\t3\n\t\t\t\n" + storefrontTable + "AU\tAUD\t2\t8.24\nCN\tCNY\t2\t8.24\n"
      + "DE\tEUR\t1,002\t1,008.24\n"
    let outcome = try read(financeReport(rows, below: below))
    #expect(outcome.reading.region == "ZZ" && outcome.reading.rows == 3)
    #expect(outcome.reading.footers == 4)
    #expect(
      outcome.footers.last
        == .storefront(
          Storefront("DE")!, Currency("EUR")!, quantity: 1002, extended: 1_008_240_000))
    let bad = try read(financeReport(rows, below: storefrontTable + "AU\tAUD\tx\t8.24\n"))
    #expect(bad.reading.rejected == 1 && bad.reading.diagnostics[0].topic == "units")
  }

  /// Storefronts and currencies, and the region that they are of.
  @Test(arguments: [
    ([("CN", "CNY")], "CN"), ([("DE", "EUR"), ("FR", "EUR")], "EU"),
    ([("DE", "EUR"), ("CZ", "EUR")], "EU"), ([("CZ", "CZK")], "CZ"), ([("EG", "USD")], "WW"),
    ([("AR", "USD")], "LL"), ([("AR", "USD"), ("US", "USD")], "US"),
    ([("DZ", "USD"), ("UA", "USD")], "WW"),
  ])
  func theRowsTellTheRegion(rows: [(String, String)], region: String) throws {
    let text = financeReport(
      rows.map { ["Country Of Sale": $0.0, "Partner Share Currency": $0.1] })
    #expect(try read(text).reading.region == region)
  }

  @Test func aRegionThatNothingTellsIsAskedFor() throws {
    let text = financeReport([[:], ["Country Of Sale": "AU", "Partner Share Currency": "AUD"]])
    let diagnostic = stop(text)
    #expect(diagnostic?.topic == "region" && diagnostic?.help.english.contains("--region") == true)
    var hints = ReadingHints.whole
    hints.region = "ZZ"
    #expect(try read(text, hints: hints).reading.region == "ZZ")
    #expect(try read(text, name: "80134819_0914_ZZ.txt").reading.region == "ZZ")
    #expect(stop(text, name: "80134819_0914_QX.txt")?.topic == "region")
  }

  @Test func aNameOfAnotherMonthIsRefused() throws {
    let text = financeReport([[:]])
    #expect(try read(text, name: "80134819_0914_CN.txt").reading.warnings.isEmpty)
    #expect(
      stop(text, name: "80134819_1014_CN.txt")?.message.english
        == "the name says 2014-09-28..2014-11-01, the rows are of 2014-08-31..2014-09-27")
    let detail = financeDetail([[:]])
    #expect(try read(detail, name: "80134819_1125_Z1.txt").reading.rows == 1)
    #expect(stop(detail, name: "80134819_1225_Z1.txt")?.topic == "date")
    // A spreadsheet wrote the day first: 1 October to 4 November.
    let swapped = financeReport([["Start Date": "01/10/2023", "End Date": "04/11/2023"]])
    #expect(stop(swapped, name: "80134819_1023_CN.txt")?.topic == "date")
  }

  /// Regions of names, and what is said of a report whose rows are of China mainland and the US.
  @Test(arguments: [
    ("ZZ", []), ("US", ["the name has region US; rows in CN CNY are of region CN"]),
    ("CN", ["the name has region CN; rows in US USD are of region US"]),
  ])
  func aNameOfAnotherRegionIsAWarning(region: String, said: [String]) throws {
    let text = financeReport([[:], ["Country Of Sale": "US", "Partner Share Currency": "USD"]])
    let outcome = try read(text, name: "80134819_0914_\(region).txt")
    #expect(outcome.reading.region == region)
    #expect(outcome.reading.warnings.map(\.message.english) == said)
  }

  @Test func aReportWithoutRowsNeedsItsName() throws {
    let text = financeReport([], below: "Total_Rows\t0\nTotal_Amount\t0\nTotal_Units\t0\n")
    let reading = try read(text, name: "80134819_1212_CN.txt").reading
    #expect(reading.begin == Day("2012-12-02") && reading.end == Day("2012-12-29"))
    #expect(reading.rows == 0 && reading.footers == 3 && reading.vendor == "80134819")
    #expect(stop(text)?.topic == "region")
    let hinted = ReadingHints(vendor: "1", region: "EU", date: Day("2015-07-15"))
    let hintedReading = try read(text, hints: hinted).reading
    #expect(hintedReading.begin == Day("2015-06-28") && hintedReading.vendor == "1")
    var undated = hinted
    undated.date = nil
    #expect(throws: Diagnostic.self) { try read(text, hints: undated) }
  }

  @Test(arguments: [
    ("80134819_1212_AU.txt", "80134819", "AU", "FY2013-P03"),
    ("a/x__80134819_0914_Z1.txt.gz", "80134819", "Z1", "FY2014-P12"),
    ("85012345_1023_ZZ (1).txt", "85012345", "ZZ", "FY2024-P01"),
  ])
  func namesTell(path: String, vendor: String, region: String, month: String) {
    let name = FinanceReportName(path: path)
    #expect(name?.vendor == vendor && name?.region == region)
    #expect(name?.month.description == month)
  }

  @Test(arguments: ["80134819_1312_AU.txt", "x_1212_AU.txt", "80134819_1212_AUS.txt", "AU.txt"])
  func otherNamesTellNothing(path: String) { #expect(FinanceReportName(path: path) == nil) }

  @Test(arguments: [
    ("Quantity", "1.5", "units"), ("Quantity", "", "value"), ("Quantity", "99999999999", "units"),
    ("Start Date", "2014-08-31", "date"), ("Start Date", "", "value"), ("End Date", "x", "date"),
    ("End Date", "08/30/2014", "date"), ("Partner Share", "", "value"),
    ("Partner Share", "1,5", "amount"), ("Extended Partner Share", "x", "amount"),
    ("Extended Partner Share", "9999999999999", "amount"), ("Country Of Sale", "QQ", "storefront"),
    ("Partner Share Currency", "yen", "currency"), ("Partner Share Currency", "", "value"),
    ("Sales or Return", "X", "value"), ("Customer Currency", "", "value"),
    ("Vendor Identifier", " ", nil),
  ])
  func faultsOfRowsAreNamed(column: String, value: String, topic: String?) throws {
    let outcome = try read(financeReport([[:], [column: value]]))
    #expect(outcome.reading.diagnostics.map(\.topic) == (topic.map { [$0] } ?? []))
    #expect(outcome.reading.diagnostics.allSatisfy { $0.location.line == 3 })
  }

  @Test func rowsOfAnotherMonthAreRejected() throws {
    let row = ["Start Date": "09/28/2014", "End Date": "11/01/2014"]
    let outcome = try read(financeReport([[:], row]))
    #expect(outcome.reading.diagnostics.map(\.topic) == ["date"])
  }

  @Test func aWrongProductIsAWarning() throws {
    let near = ["Extended Partner Share": "8.25"]
    let far = ["Extended Partner Share": "8.26"]
    let outcome = try read(financeReport([[:], near, far, far]))
    #expect(outcome.reading.rows == 4)
    #expect(
      outcome.reading.warnings.map(describe) == [
        "file.txt:4: warning[amount]: extended partner share is not quantity × partner share in "
          + "2 rows, first 8.26 where 8.24 was expected"
      ])
  }

  @Test func theDetailReads() throws {
    let text = financeDetail(
      [
        [:],
        [
          "Quantity": "-1", "Partner Share": "14.21", "Extended Partner Share": "-14.21",
          "Customer Price": "-16.870", "Sale or Return": "R", "Settlement Date": "11/29/2025",
          "Order Type": "x", "Region": "AB",
        ],
      ], below: storefrontTable + "CN\tCNY\t0\t4.32\n")
    let outcome = try read(text)
    #expect(outcome.reading.kind == .financeDetail && outcome.reading.region == "Z1")
    #expect(outcome.reading.begin == Day("2025-11-02") && outcome.reading.end == Day("2025-11-29"))
    #expect(outcome.reading.warnings.isEmpty && outcome.reading.footers == 1)
    let (row, terms) = outcome.finance[1]
    #expect(row.line == 6 && row.extended == -14_210_000)
    #expect(row.transactionDay == Day("2025-10-28") && row.settlementDay == Day("2025-11-29"))
    #expect(terms.isReturn && terms.customerPrice == -16_870_000 && terms.orderType == "x")
  }

  @Test func theDetailReadsWithoutItsPreamble() throws {
    let outcome = try read(financeDetail([[:]], preamble: ""))
    #expect(outcome.reading.begin == Day("2025-11-02") && outcome.reading.end == Day("2025-11-29"))
    let late = try read(financeDetail([["Settlement Date": "11/30/2025"]]))
    #expect(late.reading.warnings.map(\.topic) == ["date"])
    #expect(late.reading.begin == Day("2025-11-02"))
    #expect(try read(financeDetail([])).reading.end == Day("2025-11-29"))
    #expect(stop(financeDetail([], preamble: ""))?.topic == "date")
    #expect(stop(detailPreamble)?.topic == "kind")
  }

  @Test func spreadsheetsAreReadWithAWarning() throws {
    let text = financeReport([[:]], below: "Total_Amount\t8.24\n").replacing("\t", with: ",")
    let outcome = try read(text)
    #expect(outcome.reading.warnings.map(\.topic) == ["separator"] && outcome.reading.footers == 1)
    let detail = try read(financeDetail([[:]]).replacing("\t", with: ";"))
    #expect(detail.reading.rows == 1 && detail.reading.begin == Day("2025-11-02"))
  }

  /// Whole, cut anywhere and with any byte flipped: an outcome or a diagnostic, never a crash.
  @Test func damageIsSurvived() throws {
    let report = financeReport(
      [[:], ["Quantity": "-1"]], below: "Total_Rows:2\n" + storefrontTable + "CN\tCNY\t1\t4.12\n")
    var random = SplitMix64(seed: 7)
    for text in [report, financeDetail([[:], [:]], below: storefrontTable)] {
      let bytes = Array(text.utf8)
      for _ in 0..<400 {
        var damaged = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
        _ = try? read(damaged)
        damaged = bytes
        for _ in 0..<3 {
          damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(
            truncatingIfNeeded: random.next())
        }
        if let outcome = try? read(damaged, chunk: 64) {
          #expect(outcome.reading.rows == outcome.finance.count)
        }
      }
    }
  }
}
