import Billing
import Testing

@testable import Pricing

/// Combinations of commission and tax that explain proceeds which the rule does not.
@Suite struct ProceedsFitTests {
  private func fits(
    _ storefront: String, _ currency: String, _ price: Int64, _ proceeds: Int64
  ) -> [ProceedsFit] {
    PriceBook(developerCountry: Storefront("CN")!).fits(
      storefront: Storefront(storefront)!, platform: nil, currency: Currency(currency)!,
      price: price * 10_000, proceeds: proceeds * 10_000, day: Day("2023-06-24")!)
  }

  @Test func aReducedCommissionWithoutTaxIsFound() {
    #expect(fits("DE", "EUR", 2399, 2039) == [ProceedsFit(commission: 150_000, tax: 0)])
  }

  @Test func aReducedCommissionWithTheCountryTaxIsFound() {
    // 23.99 ÷ 1.19 × 0.85
    #expect(fits("DE", "EUR", 2399, 1714) == [ProceedsFit(commission: 150_000, tax: 190_000)])
  }

  @Test func whatNoDocumentHasIsNotFound() {
    #expect(fits("DE", "EUR", 2399, 1600).isEmpty)
    #expect(fits("KR", "KRW", 1_500_000, 1_020_000).isEmpty)
  }
}
