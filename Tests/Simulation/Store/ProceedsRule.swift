import Billing

/// What Apple pays for a price in a simulated world: price × (1 − w) ÷ (1 + v) × (1 − c), rounded
/// half up once. Written apart from Pricing, so that one checks the other.
struct ProceedsRule: Sendable {
  /// Parts of a million.
  struct Rates: Sendable {
    var tax: Int128
    var deduction: Int128 = 0
    var commission: Int128
  }

  /// - Parameter changedTax: stands in for the storefront's tax on prices in its own currency.
  static func proceeds(
    _ price: Int64, in market: Market, on day: Day, afterOneYear: Bool, currency: Currency? = nil,
    changedTax: Int64? = nil
  ) -> Int64 {
    var rates = rates(market.storefront.code, on: day, afterOneYear: afterOneYear)
    if let changedTax, currency == nil { rates.tax = Int128(changedTax) }
    let currency = currency ?? market.currency
    var base = price
    if market.currency.code == "USD", rates.commission == 300_000, price % 100_000 == 90_000 {
      base += 10_000
    }
    let million: Int128 = 1_000_000
    return roundedHalfUp(
      Int128(base) * (million - rates.deduction) * (million - rates.commission),
      dividedBy: (million + rates.tax) * million, toMultipleOf: currency.minorUnit)
  }

  static func rates(_ storefront: String, on day: Day, afterOneYear: Bool) -> Rates {
    let commission: Int128 = afterOneYear ? 150_000 : 300_000
    func since(_ year: Int, _ month: Int, _ number: Int) -> Bool {
      day >= Day(year: year, month: month, day: number)!
    }
    switch storefront {
    case "FR":
      return Rates(
        tax: since(2015, 1, 1) ? 200_000 : 150_000, deduction: since(2020, 9, 1) ? 30_000 : 0,
        commission: commission)
    case "ID":
      return Rates(
        tax: since(2022, 6, 1) ? 110_000 : since(2020, 8, 1) ? 100_000 : 0, commission: commission)
    case "CN" where since(2026, 3, 15):
      return Rates(
        tax: afterOneYear ? 7_200 : 15_000, commission: afterOneYear ? 120_000 : 250_000)
    case "CN" where since(2021, 9, 1):
      return Rates(tax: afterOneYear ? 9_000 : 18_000, commission: commission)
    case "CN":
      return Rates(tax: since(2015, 9, 30) ? 20_300 : 0, commission: commission)
    case "JP":
      return Rates(
        tax: since(2025, 4, 1) ? 100_000 : 0,
        commission: since(2025, 12, 18) && !afterOneYear ? 260_000 : commission)
    case "DE" where since(2020, 7, 1) && !since(2021, 1, 1):
      return Rates(tax: 160_000, commission: commission)
    case "DE": return Rates(tax: since(2015, 1, 1) ? 190_000 : 150_000, commission: commission)
    case "GB":
      return Rates(
        tax: since(2015, 1, 1) ? 200_000 : 150_000, deduction: since(2020, 9, 1) ? 20_000 : 0,
        commission: commission)
    case "AU", "KR": return Rates(tax: 100_000, commission: commission)
    case "TW":
      return Rates(
        tax: since(2017, 1, 1) ? 50_000 : 0,
        deduction: since(2019, 10, 1) ? 30_000 : since(2019, 3, 8) ? 9_000 : 0,
        commission: commission)
    default:
      precondition(
        ["US", "HK", "PA", "MO", "JO"].contains(storefront), "a storefront without a tax")
      return Rates(tax: 0, commission: commission)
    }
  }
}
