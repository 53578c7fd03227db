import Billing
import Foundation
import Support
import Testing

@testable import Pricing

/// Goal: the rules give what Apple's own tables of 2012 to 2019 say, but for exceptions that are
/// listed with their reasons. Method: each row of them, at statutory rates, nothing fitted.
struct AppleTiersTests {
  struct Count {
    var rows = 0
    var byRule = 0
    var excepted = 0
  }

  @Test func rulesAndExceptionsGiveApplesOwnTables() throws {
    guard let path = sharedData("tiers/tiers_2012_2015_2016_2019.csv") else { return }
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
    var vintages: [String: Count] = [:]
    var used: Set<ExceptionTable.Row> = []
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let found = plainBook.expectation(
        storefront: shop(cells[1] == "EU" ? "DE" : cells[1]), currency: money(cells[2]),
        price: amount(cells[5]), day: day(cells[0].count == 7 ? cells[0] + "-15" : cells[0]))
      vintages[cells[0], default: Count()].rows += 1
      #expect(found.proceeds == amount(cells[6]), "\(line): \(found.rule.english)")
      guard case .listed(let byRule) = found.basis.method else {
        vintages[cells[0]]?.byRule += 1
        continue
      }
      #expect(abs(found.proceeds - byRule) == found.currency.minorUnit, "\(line)")
      vintages[cells[0]]?.excepted += 1
      used.insert(
        try #require(
          ExceptionTable.builtIn.row(
            storefront: found.storefront, currency: found.currency, price: found.price,
            day: found.day)))
    }
    let summary = vintages.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.byRule) and \($0.value.excepted) of \($0.value.rows)" }
    #expect(
      summary == [
        "2012-10-26: 2112 and 0 of 2112", "2015-02-05: 4136 and 0 of 4136",
        "2016-03: 4559 and 1 of 4560", "2019-01-22: 7512 and 8 of 7520",
      ])
    #expect(used == Set(ExceptionTable.builtIn.rows), "an exception that no table needs")
  }

  @Test func anExceptionHoldsOnItsDaysAndAtThirtyPercentOnly() {
    func found(_ date: String, _ rate: Int64, _ overrides: [TaxOverride] = []) -> PriceExpectation {
      PriceBook(developerCountry: shop("CN"), overrides: overrides).expectation(
        storefront: shop("IN"), currency: money("INR"), price: amount("12500"), day: day(date),
        commissionRate: rate)
    }
    #expect(found("2019-01-22", 300_000).proceeds == amount("7415.26"))
    #expect(
      found("2019-01-22", 300_000).rule.english
        == "7415.26 INR as Apple's list has it, where 12500.00 ÷ 1.18 × 0.70 = 7415.25: "
        + "tax 18 % in the price, commission 30 %")
    #expect(found("2019-01-21", 300_000).proceeds == amount("7415.25"))
    #expect(found("2023-06-19", 300_000).proceeds == amount("7415.25"))
    #expect(found("2019-01-22", 150_000).proceeds == amount("9004.24"))
    let own = TaxOverride(
      storefront: shop("IN"), rate: 180_000, effectiveFrom: nil, effectiveTo: nil)
    #expect(found("2019-01-22", 300_000, [own]).proceeds == amount("7415.25"))
  }
}
