import Billing
import Testing

@testable import Pricing

@Suite struct FinanceRegionTests {
  private let table = FinanceRegionTable.builtIn

  @Test func regionsAreApples() {
    #expect(table.codes.count == 48 && table.codes == table.codes.sorted())
    #expect(Set(["EU", "US", "LL", "AP", "WW", "CN"]).isSubset(of: table.codes))
    #expect(!table.codes.contains("ZZ") && !table.codes.contains("Z1"))
    #expect(table.currency(of: "WW") == Currency("USD") && table.currency(of: "QQ") == nil)
    #expect(table.name(of: "EU") == "Euro-Zone" && table.name(of: "QQ") == nil)
    #expect(Set(table.codes.compactMap(table.currency)).count == 48 - 5)
  }

  /// Every storefront has a region in its own currency; Kosovo's is in dollars.
  @Test func everyStorefrontHasARegion() {
    for entry in StorefrontTable.builtIn.entries {
      let currency = entry.storefront == Storefront("XK") ? Currency("USD")! : entry.currency
      let region = table.region(of: entry.storefront, currency: currency)
      #expect(region != nil, "\(entry.storefront) in \(entry.currency)")
    }
  }

  /// A country under its own code and in a group's is told by the currency.
  @Test(arguments: [
    ("CZ", "CZK", "CZ"), ("CZ", "EUR", "EU"), ("EG", "EGP", "EG"), ("EG", "USD", "WW"),
    ("CL", "CLP", "CL"), ("CL", "USD", "LL"), ("BG", "BGN", "BG"), ("BG", "EUR", "BG"),
    ("HR", "EUR", "HR"), ("HR", "USD", "WW"), ("VN", "VND", "VN"), ("VN", "USD", "WW"),
    ("DE", "EUR", "EU"), ("US", "USD", "US"), ("AR", "USD", "LL"), ("CN", "CNY", "CN"),
    ("CN", "USD", nil),
  ])
  func theCurrencyTells(storefront: String, currency: String, region: String?) {
    #expect(
      table.region(of: Storefront(storefront)!, currency: Currency(currency)!) == region)
  }

  @Test func copiesWithoutLabelsAreToldByTheCurrency() {
    #expect(table.region(label: "", currency: Currency("EUR")!) == "EU")
    #expect(table.region(label: "", currency: Currency("USD")!) == nil)
    #expect(table.region(label: "", currency: Currency("JPY")!) == "JP")
    #expect(table.region(label: "Kenya", currency: Currency("KES")!) == nil)
  }
}
