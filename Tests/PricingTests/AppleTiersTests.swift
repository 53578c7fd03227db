import Billing
import Foundation
import Pricing
import Support
import Testing

/// Goal: the rules give what Apple's own tables of 2012 to 2019 say. Method: each row of them, at
/// statutory rates, nothing fitted.
struct AppleTiersTests {
  struct Count {
    var rows = 0
    var exact = 0
    var withinOne = 0
  }

  @Test func rulesGiveApplesOwnTables() throws {
    guard let path = sharedData("tiers/tiers_2012_2015_2016_2019.csv") else { return }
    let lines = try String(contentsOfFile: path, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
    var vintages: [String: Count] = [:]
    var misses = ""
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let found = plainBook.expectation(
        storefront: shop(cells[1] == "EU" ? "DE" : cells[1]), currency: money(cells[2]),
        price: amount(cells[5]), day: day(cells[0].count == 7 ? cells[0] + "-15" : cells[0]))
      let actual = amount(cells[6])
      let difference = abs(found.proceeds - actual) / found.currency.minorUnit
      vintages[cells[0], default: Count()].rows += 1
      if difference == 0 { vintages[cells[0]]?.exact += 1 }
      if difference <= 1 { vintages[cells[0]]?.withinOne += 1 }
      if difference != 0 {
        misses +=
          "\(cells[0]) \(cells[1]) tier \(cells[3]): \(cells[5]) brings \(cells[6]), "
          + "the rule gives \(Money(micros: found.proceeds, found.currency).text)\n"
      }
    }
    let rows = vintages.values.reduce(0) { $0 + $1.rows }
    let exact = vintages.values.reduce(0) { $0 + $1.exact }
    let withinOne = vintages.values.reduce(0) { $0 + $1.withinOne }
    let summary = vintages.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.exact) of \($0.value.rows)" }
    #expect(exact * 1000 >= rows * 998, "\(summary)\n\(misses)")
    #expect(withinOne == rows, "\(misses)")
    #expect(
      summary == [
        "2012-10-26: 2112 of 2112", "2015-02-05: 4136 of 4136", "2016-03: 4559 of 4560",
        "2019-01-22: 7512 of 7520",
      ], "\(misses)")
  }
}
