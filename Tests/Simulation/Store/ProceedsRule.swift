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
    /// What was in force on `day`: the last of `values` that had begun.
    func since(_ values: [(day: String, parts: Int128)]) -> Int128 {
      values.last { Day($0.day)! <= day }?.parts ?? 0
    }
    func rates(_ tax: Int128, deduction: Int128 = 0) -> Rates {
      Rates(tax: tax, deduction: deduction, commission: commission)
    }
    let always = "1970-01-01"
    let european = [(always, Int128(150_000)), ("2015-01-01", 200_000)]
    switch storefront {
    case "FR": return rates(since(european), deduction: since([("2020-09-01", 30_000)]))
    case "GB": return rates(since(european), deduction: since([("2020-09-01", 20_000)]))
    case "DE":
      return rates(
        since([
          (always, 150_000), ("2015-01-01", 190_000), ("2020-07-01", 160_000),
          ("2021-01-01", 190_000),
        ]))
    case "ID": return rates(since([("2020-08-01", 100_000), ("2022-06-01", 110_000)]))
    case "AU", "KR": return rates(100_000)
    case "TW":
      return rates(
        since([("2017-01-01", 50_000)]),
        deduction: since([("2019-03-08", 9_000), ("2019-10-01", 30_000)]))
    case "CN" where day >= Day("2026-03-15")!:
      return Rates(
        tax: afterOneYear ? 7_200 : 15_000, commission: afterOneYear ? 120_000 : 250_000)
    case "CN":
      return rates(
        since([("2015-09-30", 20_300), ("2021-09-01", afterOneYear ? 9_000 : 18_000)]))
    case "JP":
      var japanese = rates(since([("2025-04-01", 100_000)]))
      if day >= Day("2025-12-18")!, !afterOneYear { japanese.commission = 260_000 }
      return japanese
    default:
      precondition(
        ["US", "HK", "PA", "MO", "JO"].contains(storefront), "a storefront without a tax")
      return rates(0)
    }
  }
}
