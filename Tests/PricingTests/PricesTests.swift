import Billing
import Pricing
import Support
import Testing

/// Goal: prices whose proceeds are known give exactly those. Method: the published pairs of
/// price and proceeds, one a line, and the whole expectation of each in a golden file.
struct PricesTests {
  /// storefront currency price day class proceeds
  static let known = """
    CN CNY 6 2012-10-26 standard 4.20
    CN CNY 6 2016-03-15 standard 4.12
    CN CNY 30 2019-01-22 standard 20.58
    CN CNY 648 2019-01-22 standard 444.58
    CN CNY 3 2017-02-15 after-one-year 2.50
    CN CNY 6 2023-06-19 standard 4.13
    CN CNY 30 2023-06-19 standard 20.63
    CN CNY 68 2023-06-19 standard 46.76
    CN CNY 648 2023-06-19 standard 445.58
    CN CNY 1 2023-04-01 small-business 0.84
    CN CNY 6 2023-06-19 small-business 5.05
    CN CNY 30 2023-06-19 after-one-year 25.27
    CN CNY 30 2026-03-14 standard 20.63
    CN CNY 30 2026-03-15 standard 22.17
    CN CNY 30 2026-03-15 after-one-year 26.21
    CN CNY 30 2026-03-15 small-business 26.21
    US USD 0.99 2023-06-19 standard 0.70
    US USD 9.99 2023-06-19 standard 7.00
    US USD 0.29 2023-06-19 standard 0.21
    US USD 0.39 2023-06-19 standard 0.28
    US USD 2.99 2023-06-19 standard 2.10
    US USD 0.99 2023-06-19 small-business 0.84
    US USD 2.99 2023-06-19 after-one-year 2.54
    US USD 0.29 2023-06-19 after-one-year 0.25
    US USD 9.95 2023-06-19 standard 6.97
    AR USD 0.99 2019-01-22 standard 0.70
    IS USD 1.23 2019-01-22 standard 0.70
    AL USD 1.19 2019-01-22 standard 0.70
    KR USD 1.09 2016-03-15 standard 0.77
    CA CAD 0.99 2012-10-26 standard 0.70
    CA CAD 0.99 2016-03-15 standard 0.69
    GB GBP 0.79 2015-02-05 standard 0.46
    GB GBP 0.99 2019-01-22 standard 0.58
    GB GBP 0.99 2023-06-19 standard 0.57
    JP JPY 100 2019-01-22 standard 70
    JP JPY 120 2019-01-22 standard 84
    JP JPY 120 2025-12-17 standard 76
    JP JPY 120 2025-12-18 standard 81
    IN INR 10 2017-02-15 standard 6.09
    IN INR 30 2017-02-15 standard 18.26
    DE EUR 0.79 2012-10-26 standard 0.48
    DE EUR 0.99 2019-01-22 standard 0.58
    AR USD 0 2019-01-22 standard 0
    """

  @Test func knownPricesBringWhatIsKnown() throws {
    var table = ""
    for line in Self.known.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let expectation = plainBook.expectation(
        storefront: shop(words[0]), currency: money(words[1]), price: amount(words[2]),
        day: day(words[3]), commission: try #require(CommissionClass(rawValue: words[4])))
      #expect(expectation.proceeds == amount(words[5]), "\(line): \(expectation.rule.english)")
      table += Self.describe(expectation)
    }
    #expect(try differenceFromGolden(table, named: "prices.txt") == nil)
  }

  static func describe(_ expectation: PriceExpectation) -> String {
    let currency = expectation.currency
    let parts = [expectation.price, expectation.tax, expectation.commission, expectation.proceeds]
      .map { Money(micros: $0, currency).text }.joined(separator: " ")
    let deduction = expectation.deduction.map { decimalText(micros: $0) } ?? "-"
    let rule = expectation.rule.english
    return "\(expectation.storefront) \(expectation.day) \(parts) \(deduction) | \(rule)\n"
  }

  @Test func theCompanysOwnFactorGoesBeforeTheTable() throws {
    let book = PriceBook(
      developerCountry: shop("CN"),
      overrides: [
        TaxOverride(
          storefront: shop("CN"), rate: 20_300, effectiveFrom: day("2023-01-01"),
          effectiveTo: day("2023-06-30")),
        TaxOverride(
          storefront: shop("CN"), rate: 0, effectiveFrom: day("2023-06-01"),
          effectiveTo: day("2023-06-30")),
        TaxOverride(storefront: shop("GB"), rate: 200_000, effectiveFrom: nil, effectiveTo: nil),
        TaxOverride(storefront: shop("US"), rate: 0, effectiveFrom: nil, effectiveTo: nil),
        TaxOverride(storefront: shop("IS"), rate: 250_000, effectiveFrom: nil, effectiveTo: nil),
      ])
    func proceeds(_ code: String, _ currency: String, _ price: String, _ date: String) -> String {
      let found = book.expectation(
        storefront: shop(code), currency: money(currency), price: amount(price), day: day(date))
      return Money(micros: found.proceeds, found.currency).text
    }
    #expect(proceeds("CN", "CNY", "30", "2022-12-31") == "20.63")
    #expect(proceeds("CN", "CNY", "30", "2023-01-01") == "20.58")
    #expect(proceeds("CN", "CNY", "30", "2023-05-31") == "20.58")
    #expect(proceeds("CN", "CNY", "30", "2023-06-30") == "21.00")
    #expect(proceeds("CN", "CNY", "30", "2023-07-01") == "20.63")
    #expect(proceeds("GB", "GBP", "0.99", "2023-06-19") == "0.58")
    #expect(proceeds("US", "USD", "0.99", "2023-06-19") == "0.70")
    #expect(proceeds("IS", "USD", "1.23", "2023-06-19") == "0.69")
    let small = book.expectation(
      storefront: shop("CN"), currency: money("CNY"), price: amount("30"), day: day("2023-02-01"),
      commission: .smallBusiness)
    #expect(
      small.rule.english == "30.00 ÷ 1.0203 × 0.85 = 24.99 CNY: tax 2.03% in the price "
        + "by the company's table, commission 15% for a small business")
  }

  @Test(arguments: [
    ("JP", "JPY", "2025-06-01", "US", "100000"), ("JP", "JPY", "2025-06-01", "JP", "0"),
    ("KR", "KRW", "2022-06-01", "US", "100000"), ("KR", "KRW", "2022-06-01", "KR", "0"),
    ("KR", "KRW", "2023-06-01", "KR", "100000"), ("ID", "IDR", "2021-01-01", "ID", "0"),
    ("ID", "IDR", "2021-01-01", "CN", "100000"), ("ID", "IDR", "2024-01-01", "CN", "110000"),
  ])
  func taxMayDependOnWhereTheDeveloperIs(
    code: String, currency: String, date: String, home: String, inside: String
  ) {
    let book = PriceBook(developerCountry: shop(home))
    let found = book.expectation(
      storefront: shop(code), currency: money(currency), price: amount("1000"), day: day(date))
    #expect(found.basis.inside == Int64(inside))
  }

  @Test func whatNoTableKnowsIsSaidToBeUnknown() {
    let found = plainBook.expectation(
      storefront: shop("RS"), currency: money("EUR"), price: amount("0.99"), day: day("2023-06-19"))
    #expect(found.tax == 0)
    #expect(found.basis.taxOrigin == .unknown)
    #expect(
      found.rule.english == "0.99 × 0.70 = 0.69 EUR: no tax known in RS for EUR, none taken off, "
        + "commission 30%")
  }

  @Test func aNamedCommissionIsTaken() {
    let found = plainBook.expectation(
      storefront: shop("CN"), currency: money("CNY"), price: amount("30"), day: day("2023-06-19"),
      commissionRate: 250_000)
    #expect(found.basis.inside == 15_000)
    #expect(found.proceeds == amount("22.17"))
  }

  @Test func aNegativePriceIsAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) {
      _ = PriceBook(developerCountry: Storefront("CN")!).expectation(
        storefront: Storefront("CN")!, currency: Currency("CNY")!, price: -1, day: Day(number: 0))
    }
  }
}
