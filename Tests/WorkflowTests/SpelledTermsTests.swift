import Support
import Testing

/// What means the same is stored once, in however many ways a table spells it.
@Suite struct SpelledTermsTests {
  @Test func oneValueInManySpellings() throws {
    let folder = try TemporaryFolder()
    let spellings = [
      "6.00,CNY,CN", "6,CNY,CN", " 6.0 ,CNY ,CHN", "6.000000,CNY, CN", "06.00,CNY,143465",
    ]
    let rows = spellings.enumerated().map { number, spelling in
      "O\(number),gems.60,paid,2023-06-01T0\(number):00:00Z,\(spelling)\n"
    }
    try folder.write(
      "orders.csv",
      "order_id,sku,status,placed_at,unit_price,currency,storefront\n" + rows.joined())
    let read = try CommandLineRun("import", "orders.csv", in: folder)
    #expect(read.status == 0, "\(read.errors)")
    #expect(read.output.contains("30.00"), "\(read.output)")
    let terms = try CommandLineRun(
      "sql", "SELECT count(*), count(DISTINCT terms_id) FROM order_row", "--format", "csv",
      in: folder)
    #expect(terms.output.contains("5,1"), "\(terms.output)")
  }

  @Test func oneSaleInManySpellings() throws {
    let folder = try TemporaryFolder()
    let spellings = [("6.00", "CN"), ("6", "CHN"), (" 6.0 ", "143465")]
    let rows = spellings.map { price, country in
      "APPLE\tUS\tgems.60\tAcme\tGems\t1.0\tIA1\t2\t4.20\t06/01/2023\t06/01/2023\tCNY\t"
        + "\(country)\tCNY\t1234\t\(price)\n"
    }
    let header =
      "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\t"
      + "Units\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t"
      + "Currency of Proceeds\tApple Identifier\tCustomer Price\n"
    try folder.write("S_D_80000000_20230601.txt", header + rows.joined())
    let read = try CommandLineRun("import", "S_D_80000000_20230601.txt", in: folder)
    #expect(read.status == 0, "\(read.errors)")
    let rowsOfTerms = try CommandLineRun(
      "sql", "SELECT count(*), count(DISTINCT terms_id), sum(units) FROM sales_row", "--format",
      "csv", in: folder)
    #expect(rowsOfTerms.output.contains("3,1,6"), "\(rowsOfTerms.output)")
  }
}
