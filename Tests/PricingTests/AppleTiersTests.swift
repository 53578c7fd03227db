import Billing
import Foundation
import Support
import Testing

@testable import Pricing

/// Goal: the rules give what Apple's own tables of 2012 to 2019 say, where four
/// lists have a factor rounded up. Method: each row of them, at statutory rates, nothing fitted.
struct AppleTiersTests {
  struct Count {
    var rows = 0
    var byRule = 0
    var byFactor = 0
  }

  @Test func rulesAndFactorsGiveApplesOwnTables() throws {
    guard let path = sharedData("tiers/tiers_2012_2015_2016_2019.csv") else { return }
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
    var vintages: [String: Count] = [:]
    // Rows of each list that only its factor gives.
    var needed: [Storefront: Int] = [:]
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let found = plainBook.expectation(
        storefront: shop(cells[1] == "EU" ? "DE" : cells[1]), currency: money(cells[2]),
        price: amount(cells[5]), day: day(cells[0].count == 7 ? cells[0] + "-15" : cells[0]))
      vintages[cells[0], default: Count()].rows += 1
      #expect(found.proceeds == amount(cells[6]), "\(line): \(found.rule.english)")
      guard case .factor = found.basis.method else {
        vintages[cells[0]]?.byRule += 1
        continue
      }
      vintages[cells[0]]?.byFactor += 1
      let exact = found.basis.proceeds(of: found.price, unit: found.currency.minorUnit)
      if exact != found.proceeds { needed[found.storefront, default: 0] += 1 }
    }
    let summary = vintages.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.byRule) and \($0.value.byFactor) of \($0.value.rows)" }
    #expect(
      summary == [
        "2012-10-26: 2112 and 0 of 2112", "2015-02-05: 4136 and 0 of 4136",
        "2016-03: 4465 and 95 of 4560", "2019-01-22: 7332 and 188 of 7520",
      ])
    // Colombia's factor is of lists that are not among these.
    #expect(needed == [shop("ZA"): 1, shop("EG"): 1, shop("IN"): 7])
  }

  @Test(arguments: [
    ("CO", "COP", "2019-05-08", "0.5882353"), ("CO", "COP", "2019-10-03", "0.5882353"),
    ("IN", "INR", "2019-01-22", "0.5932204"), ("EG", "EGP", "2019-01-22", "0.6194691"),
    ("ZA", "ZAR", "2016-03-15", "0.6140351"),
  ])
  func aListOfItsTimeHasItsFactor(code: String, currency: String, date: String, factor: String) {
    let found = plainBook.expectation(
      storefront: shop(code), currency: money(currency), price: amount("100000"), day: day(date))
    #expect(found.basis.method == .factor(factor))
    // Exactly 100,000 times seven places.
    let digits = factor.dropFirst(2)
    let text = Money(micros: found.proceeds, found.currency).text
    #expect(text == "\(digits.prefix(5)).\(digits.suffix(2))")
  }

  @Test func aFactorHoldsOnItsDaysAndAtThirtyPercentOnly() {
    func found(_ date: String, _ rate: Int64, _ overrides: [TaxOverride] = []) -> PriceExpectation {
      PriceBook(developerCountry: shop("CN"), overrides: overrides).expectation(
        storefront: shop("IN"), currency: money("INR"), price: amount("12500"), day: day(date),
        commissionRate: rate)
    }
    #expect(found("2019-01-22", 300_000).proceeds == amount("7415.26"))
    #expect(
      found("2019-01-22", 300_000).rule.english
        == "12,500.00 × 0.5932204 = 7,415.26 INR, the factor 1 ÷ 1.18 × 0.70 rounded up at seven "
        + "places as in Apple's list: tax 18% in the price, commission 30%")
    #expect(found("2019-01-21", 300_000).proceeds == amount("7415.25"))
    // The levy of 2% of the commission came and went in between.
    #expect(found("2023-06-19", 300_000).proceeds == amount("7371.03"))
    #expect(found("2025-06-19", 300_000).proceeds == amount("7415.25"))
    #expect(found("2019-01-22", 150_000).proceeds == amount("9004.24"))
    let own = TaxOverride(
      storefront: shop("IN"), rate: 180_000, effectiveFrom: nil, effectiveTo: nil)
    #expect(found("2019-01-22", 300_000, [own]).proceeds == amount("7415.25"))
  }
}
