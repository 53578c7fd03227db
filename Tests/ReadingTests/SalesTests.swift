import Billing
import Testing

@testable import Reading

/// A sales report: a header of the first `columns` columns, and rows with fields that differ from
/// an ordinary one.
func salesReport(columns: Int = 28, _ rows: [[String: String]], separator: String = "\t") -> String
{
  let header = currentHeader.prefix(columns)
  var text = header.joined(separator: separator) + "\n"
  for row in rows {
    text += header.map { row[$0] ?? ordinaryRow[$0] ?? "" }.joined(separator: separator) + "\n"
  }
  return text
}

let currentHeader = [
  "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
  "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
  "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
  "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category", "CMB",
  "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client", "Order Type",
]

let ordinaryRow = [
  "Provider": "APPLE", "Provider Country": "US", "SKU": "com.example.gems.60", "Developer": " ",
  "Title": "60 Gems", "Version": " ", "Product Type Identifier": "IA1", "Units": "2",
  "Developer Proceeds": "4.12", "Begin Date": "06/19/2023", "End Date": "06/19/2023",
  "Customer Currency": "CNY", "Country Code": "CN", "Currency of Proceeds": "CNY",
  "Apple Identifier": "1234567890", "Customer Price": "6.00", "Promo Code": " ",
  "Parent Identifier": "com.example.game", "Category": "Games", "Device": "iPhone",
  "Supported Platforms": "iOS",
]

@Suite struct SalesTests {
  @Test(arguments: [18, 20, 22, 24, 26, 27, 28])
  func everyLayoutReads(columns: Int) throws {
    let outcome = try read(
      salesReport(columns: columns, [[:], ["Units": "-1", "Customer Price": "-6.00"]]),
      name: "data/S_D_85127269_20230619.txt")
    #expect(outcome.reading.rows == 2)
    #expect(outcome.reading.warnings.isEmpty)
    #expect(outcome.reading.vendor == "85127269")
    #expect(outcome.reading.begin == Day("2023-06-19"))
    #expect(
      outcome.reading.totals == [
        ReadingTotal(
          currency: Currency("CNY"), units: 1, gross: 6_000_000, proceeds: 4_120_000)
      ])
    let sale = outcome.sales[0]
    #expect(sale.product.sku == "com.example.gems.60")
    #expect(sale.product.type == ProductType("IA1"))
    #expect(sale.product.version == "")
    #expect(sale.product.parent == "com.example.game")
    #expect(sale.terms.customerPrice == 6_000_000)
    #expect(sale.condition.device == (columns >= 24 ? "iPhone" : ""))
    #expect(outcome.sales[1].row.units == -1)
    #expect(outcome.sales[1].row.line == 3)
  }

  @Test func columnsAreFoundByName() throws {
    let text = salesReport([["Order Type": "x", "Units": "12.00", "Developer Proceeds": ".70"]])
    let reversed = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).reversed()
        .joined(separator: "\t")
    }.joined(separator: "\r\n")
    let sale = try read(reversed).sales[0]
    #expect(sale.row.units == 12)
    #expect(sale.terms.proceeds == 700_000)
    #expect(sale.condition.orderType == "x")
    #expect(sale.product.title == "60 Gems")
  }

  @Test func namesAreNormalised() {
    #expect(Header.normalised("  Artist /  Show ") == "artist/show")
    #expect(Header.normalised("Label/Studio/Network") == "label/studio/network")
    #expect(Header.normalised("Product  Type Identifier") == "product type identifier")
  }

  @Test func musicHeaderReads() throws {
    let header = [
      "Provider", "Provider Country", "Vendor Identifier", "UPC", "ISRC", "Artist / Show",
      "Title / Episode / Season", "Label/Studio/Network", "Product Type Identifier", "Units",
      "Royalty Price", "Begin Date", "End Date", "Customer Currency", "Country Code",
      "Royalty Currency", "Preorder", "Season Pass", "ISAN", "Apple Identifier", "Customer Price",
      "CMA", "Asset/Content Flavor", "Vendor Offer Code", "Grid", "Promo Code",
      "Parent Identifier",
    ]
    let row = [
      "APPLE", "US", "S1", " ", " ", "Dev", "Game", " ", "1", "3", "0.70", "08/31/2009",
      "08/31/2009", "USD", "US", "USD", " ", " ", " ", "312716560", "0.99", " ", " ", " ", " ",
      "GP", "P1",
    ]
    for count in [26, 27] {
      let text = [header, row].map { $0.prefix(count).joined(separator: "\t") }
        .joined(separator: "\n")
      let outcome = try read(text)
      #expect(outcome.reading.warnings.isEmpty)
      let sale = outcome.sales[0]
      #expect(sale.product.sku == "S1" && sale.product.developer == "Dev")
      #expect(sale.product.title == "Game" && sale.condition.promoCode == "GP")
      #expect(sale.terms.proceeds == 700_000)
      #expect(sale.product.parent == (count == 27 ? "P1" : ""))
    }
  }

  @Test func quotationMarksAreData() throws {
    let sku = "'a.b', 'c\"d'"
    let sale = try read(salesReport([["SKU": sku, "Title": "\"Gems\""]])).sales[0]
    #expect(sale.product.sku == sku)
    #expect(sale.product.title == "\"Gems\"")
  }

  @Test func shortAndSurplusRowsRead() throws {
    let lines = salesReport([[:], ["Order Type": "offer"]]).split(separator: "\n")
    let short = lines[1].split(separator: "\t", omittingEmptySubsequences: false).prefix(20)
      .joined(separator: "\t")
    let text = [String(lines[0]), short, lines[2] + "\t \t", "", "\t\t \t"].joined(separator: "\n")
    let outcome = try read(text)
    #expect(outcome.reading.rows == 2)
    #expect(outcome.sales[0].product.parent == "com.example.game")
    #expect(outcome.sales[0].condition.device == "")
    #expect(outcome.sales[1].condition.orderType == "offer")
    let bad = try read([String(lines[0]), lines[2] + "\tx"].joined(separator: "\n"))
    #expect(bad.reading.diagnostics.map(\.topic) == ["fields"])
  }

  @Test func zeroUnitsAndBlankCurrenciesRead() throws {
    let outcome = try read(
      salesReport([
        ["Units": "0", "Customer Price": "-85.43", "Developer Proceeds": "59.80"],
        ["Currency of Proceeds": " ", "Customer Price": "0.00", "Developer Proceeds": "0.00"],
      ]))
    #expect(outcome.reading.rows == 2)
    #expect(outcome.sales[0].row.units == 0 && outcome.sales[0].terms.customerPrice == -85_430_000)
    #expect(outcome.sales[1].terms.proceedsCurrency == nil)
  }

  @Test func valuesAreEqualHoweverTheyAreSpelled() throws {
    let outcome = try read(
      salesReport([
        ["Developer Proceeds": "0.70"], ["Developer Proceeds": ".70"],
        ["Developer Proceeds": "0.7", "Version": ""],
      ]))
    let block = outcome.blocks[0]
    // Each spelling has a code of its own, and means the same: the ledger stores it once.
    #expect(block.newSalesTerms.count == 3 && Set(block.newSalesTerms).count == 1)
    #expect(block.newSalesProducts.count == 2 && Set(block.newSalesProducts).count == 1)
    #expect(block.newSalesConditions.count == 1)
    #expect(outcome.sales.map(\.row.terms) == [0, 1, 2])
    #expect(outcome.sales.allSatisfy { $0.terms == outcome.sales[0].terms })
  }

  @Test func beginAndEndSpanTheRows() throws {
    let reading = try read(
      salesReport([
        ["Begin Date": "06/12/2023", "End Date": "06/18/2023"],
        ["Begin Date": "06/10/2023", "End Date": "06/11/2023"],
      ])
    ).reading
    #expect(reading.begin == Day("2023-06-10") && reading.end == Day("2023-06-18"))
  }

  @Test(arguments: [
    ("S_D_85127269_20230619.txt.gz", "2023-06-19", "2023-06-19"),
    ("in/S_W_85127269_20230618 (1).txt", "2023-06-12", "2023-06-18"),
    ("S_M_85127269_202302", "2023-02-01", "2023-02-28"),
    ("S_Y_85127269_2023.txt", "2023-01-01", "2023-12-31"),
  ])
  func reportWithoutRowsHasTheDayOfItsName(name: String, begin: String, end: String) throws {
    let reading = try read(salesReport([]), name: name).reading
    #expect(reading.begin == Day(begin) && reading.end == Day(end) && reading.rows == 0)
    #expect(reading.vendor == "85127269")
  }

  /// Names, days of the rows, and what is said of the two; nil where they fit.
  @Test(
    arguments: [
      ("S_D_85127269_20230612.txt", ["12/06/2023"], "2023-06-12 2023-12-06"),
      ("S_D_85127269_20230612.txt", ["06/13/2023"], "2023-06-12 2023-06-13"),
      (
        "S_D_85127269_20230612.txt", ["06/12/2023", "06/13/2023"],
        "2023-06-12 2023-06-12..2023-06-13"
      ),
      ("S_D_85127269_20230606.txt", ["06/06/2023"], nil),
      ("S_W_85127269_20230618.txt", ["06/12/2023", "06/18/2023"], nil),
      (
        "S_W_85127269_20230611.txt", ["05/06/2023", "11/06/2023"],
        "2023-06-05..2023-06-11 2023-05-06..2023-11-06"
      ),
      ("S_M_85127269_202306.txt", ["07/01/2023"], "2023-06-01..2023-06-30 2023-07-01"),
      ("S_Y_85127269_2023.txt", ["07/01/2023"], nil), ("sales.txt", ["12/06/2023"], nil),
    ] as [(String, [String], String?)])
  func aNameThatContradictsTheRowsIsRefused(name: String, days: [String], said: String?) throws {
    let text = salesReport(days.map { ["Begin Date": $0, "End Date": $0] })
    guard let said else {
      #expect(try read(text, name: name).reading.rows == days.count)
      return
    }
    let parts = said.split(separator: " ")
    #expect(
      stop(text, name: name)?.message.english
        == "the name says \(parts[0]), the rows are of \(parts[1])")
  }

  @Test(arguments: [
    "S_D_85127269_20230230", "S_X_1_20230101", "S_D__20230101", "sales.txt", "S_D_85a_20230101",
  ])
  func otherNamesTellNothing(name: String) {
    #expect(SalesReportName(path: name) == nil)
  }

  @Test func hintsFillWhatNothingElseTells() throws {
    let hints = ReadingHints(vendor: "80000000", date: Day("2023-06-01"))
    let reading = try read(salesReport([]), name: "renamed.txt", hints: hints).reading
    #expect(reading.vendor == "80000000" && reading.begin == Day("2023-06-01"))
    #expect(stop(salesReport([]), name: "renamed.txt")?.topic == "date")
    let named = try read(salesReport([[:]]), name: "S_D_1234_20230619", hints: hints).reading
    #expect(named.vendor == "1234")
  }

  @Test func resavedReportIsReadWithAWarning() throws {
    for separator in [",", ";"] {
      let text = salesReport([["Title": "\"60\(separator) \"\"Gems\"\"\""]], separator: separator)
      let outcome = try read(text)
      #expect(outcome.sales[0].product.title == "60\(separator) \"Gems\"")
      #expect(outcome.reading.warnings.map(\.topic) == ["separator"])
    }
  }

  @Test func storefrontsOfEverySpelling() throws {
    let rows = ["CN", "CHN", "143465", "143465-19,29"].map { ["Country Code": $0] }
    let outcome = try read(salesReport(rows))
    #expect(outcome.sales.allSatisfy { $0.terms.storefront == Storefront("CN") })
    let terms = outcome.blocks[0].newSalesTerms
    #expect(terms.count == 4 && Set(terms).count == 1)
  }

  @Test func unknownTypesAreKeptWithOneWarning() throws {
    let outcome = try read(
      salesReport([
        ["Product Type Identifier": "ZZ9"], ["Product Type Identifier": "ZZ9", "Title": "b"],
      ]))
    #expect(outcome.reading.rows == 2)
    #expect(
      outcome.reading.warnings.map(\.message.english) == [
        "1 value is not known: Product Type Identifier \"ZZ9\""
      ])
  }

  @Test func aNewStorefrontIsKeptAndSaid() throws {
    let outcome = try read(salesReport([["Country Code": "AW"], [:], ["Country Code": "AW"]]))
    #expect(outcome.reading.rows == 3 && outcome.reading.rejected == 0)
    #expect(outcome.sales.map(\.terms.storefront).filter { $0 == Storefront("AW") }.count == 2)
    #expect(
      outcome.reading.warnings.map(describe) == [
        "file.txt: warning[storefront]: no storefront of Apple's is known in AW"
      ])
  }

  @Test(arguments: [
    ("Units", "1.5", "units", "units is not a whole number: \"1.5\""),
    ("Units", "", "units", "units is not a whole number: \"\""),
    ("Units", "99999999999", "units", "units is not a whole number: \"99999999999\""),
    (
      "Customer Price", "6,00", "amount", "customer price is not a decimal number: \"6,00\""
    ),
    ("Customer Price", "", "value", "customer price is blank"),
    (
      "Developer Proceeds", "4.1x", "amount", "developer proceeds is not a decimal number: \"4.1x\""
    ),
    ("Begin Date", "02/30/2023", "date", "begin date is not a date: \"02/30/2023\""),
    ("End Date", "19.06.2023", "date", "end date is not a date: \"19.06.2023\""),
    ("End Date", "06/18/2023", "date", "end date \"06/18/2023\" comes before the begin date"),
    ("Country Code", "QQ", "storefront", "country code is not one of Apple's storefronts: \"QQ\""),
    ("Customer Currency", "Yuan", "currency", "customer currency is not a currency: \"Yuan\""),
    ("Product Type Identifier", " ", "value", "product type identifier is blank"),
  ])
  func badFieldsAreNamed(column: String, value: String, topic: String, message: String) throws {
    let marked = MarkedText(salesReport([[:], [column: "⟦\(value)⟧"], [:]]))
    let outcome = try read(marked.text)
    #expect(outcome.reading.rows == 2 && outcome.reading.rejected == 1)
    let diagnostic = try #require(outcome.reading.diagnostics.first)
    #expect(diagnostic.location == marked.places[0])
    #expect(diagnostic.topic == topic && diagnostic.message.english == message)
    #expect(outcome.rejects[0].rawText.hasPrefix("APPLE\tUS"))
  }
}
