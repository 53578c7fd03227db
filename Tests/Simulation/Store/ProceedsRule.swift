import Billing

/// What Apple pays for a price in a simulated world: price × (1 − w) ÷ (1 + v) × (1 − c), rounded
/// half up once. Written apart from Pricing, so that one checks the other.
struct ProceedsRule: Sendable {
  /// Parts of a million.
  struct Rates: Sendable {
    var tax: Int128
    var deduction: Int128 = 0
    /// What of the commission is taken off as a tax besides, as all of China's is.
    var share: Int128 = 0
    var commission: Int128
  }

  /// - Parameters:
  ///   - changedTax: stands in for the storefront's tax on prices in its own currency.
  ///   - device: an index of ``SalesReportFiles/devices``.
  ///   - changedDeduction: stands in for what is deducted beside the tax.
  ///   - changedCommission: stands in for what everybody knows.
  static func proceeds(
    _ price: Int64, in market: Market, on day: Day, afterOneYear: Bool, device: UInt8 = 0,
    currency: Currency? = nil, changedTax: Int64? = nil, changedDeduction: Int64? = nil,
    changedCommission: Int64? = nil
  ) -> Int64 {
    var rates = rates(
      market.storefront.code, on: day, afterOneYear: afterOneYear, device: device)
    if let changedCommission { rates.commission = Int128(changedCommission) }
    if let changedTax, currency == nil { rates.tax = Int128(changedTax) }
    if let changedDeduction { (rates.deduction, rates.share) = (Int128(changedDeduction), 0) }
    let currency = currency ?? market.currency
    var base = price
    if market.currency.code == "USD", rates.commission == 300_000, price % 100_000 == 90_000 {
      base += 10_000
    }
    let million: Int128 = 1_000_000
    let onCommission = rates.share * rates.commission / million
    return roundedHalfUp(
      Int128(base) * (million - rates.deduction) * (million - rates.commission) * million,
      dividedBy: (million + rates.tax) * (million + onCommission) * million,
      toMultipleOf: currency.minorUnit)
  }

  static func rates(_ storefront: String, on day: Day, afterOneYear: Bool, device: UInt8 = 0)
    -> Rates
  {
    let name = SalesReportFiles.name(ofDevice: device)
    var rates = Rates(tax: 0, commission: afterOneYear ? 150_000 : 300_000)
    switch storefront {
    case "FR": rates.tax = european.parts(on: day)
    case "GB":
      rates.tax = european.parts(on: day)
      rates.share = british.parts(on: day)
    case "IT":
      rates.tax = 220_000
      rates.share = italian.parts(on: day)
    case "ES":
      rates.tax = 210_000
      rates.share = spanish.parts(on: day)
    case "MY": rates.tax = malaysian.parts(on: day)
    case "BA": rates.tax = 170_000
    case "DE": rates.tax = german.parts(on: day)
    case "ID": rates.tax = indonesian.parts(on: day)
    case "AU", "KR": rates.tax = 100_000
    case "TW":
      rates.tax = taiwanese.parts(on: day)
      rates.deduction = taiwaneseDeduction.parts(on: day)
    case "CN":
      // The Mac, the television and the headset stay at what everybody paid before.
      let isReduced = day >= chineseReduction && ["iPhone", "iPad", "iPod touch"].contains(name)
      let told = day < chineseReduction || isReduced ? day : chineseReduction.advanced(by: -1)
      rates.tax = (afterOneYear ? chineseAfterOneYear : chinese).parts(on: told)
      if isReduced { rates.commission = afterOneYear ? 120_000 : 250_000 }
    case "JP":
      rates.tax = japanese.parts(on: day)
      let isPhone = ["iPhone", "iPod touch"].contains(name)
      if day >= japaneseReduction, !afterOneYear, isPhone { rates.commission = 260_000 }
    case "US", "HK", "PA", "MO", "JO", "RS": break
    default:
      guard var small = SmallMarkets.rates(storefront) else {
        preconditionFailure("a storefront without a tax")
      }
      small.commission = rates.commission
      return small
    }
    return rates
  }

  /// What was in force since when, the earliest first; 0 before.
  private struct Steps {
    let values: [(since: Day, parts: Int128)]

    init(_ values: (day: String, parts: Int128)...) {
      self.values = values.map { (Day($0.day)!, $0.parts) }
    }

    func parts(on day: Day) -> Int128 { values.last { $0.since <= day }?.parts ?? 0 }
  }

  /// Whether what was kept of a price is near what the rule keeps: in whole per cent, 1.5 points on
  /// either side, never less than the commission.
  static func isNear(
    _ proceeds: Int64, rule: Int64, of price: Int64, in market: Market, on day: Day,
    afterOneYear: Bool, device: UInt8
  ) -> Bool {
    let commission = Int64(
      rates(market.storefront.code, on: day, afterOneYear: afterOneYear, device: device).commission)
    let taken = roundedHalfUp(
      Int128(price - rule) * 1_000_000, dividedBy: Int128(price), toMultipleOf: 1)
    let lower = max(commission, (taken - 15_000) / 10_000 * 10_000)
    let upper = (max(taken, commission) + 24_999) / 10_000 * 10_000
    let kept = (price - proceeds) * 1_000_000
    return lower * price <= kept && kept <= upper * price
  }

  private static let always = "1970-01-01"
  private static let european = Steps((always, 150_000), ("2015-01-01", 200_000))
  private static let british = Steps(("2020-09-01", 20_000))
  private static let italian = Steps(("2020-09-01", 30_000))
  private static let spanish = Steps(("2023-05-31", 15_000))
  private static let malaysian = Steps(("2024-03-01", 80_000))
  private static let german = Steps(
    (always, 150_000), ("2015-01-01", 190_000), ("2020-07-01", 160_000), ("2021-01-01", 190_000))
  private static let indonesian = Steps(("2020-08-01", 100_000), ("2022-06-01", 110_000))
  private static let taiwanese = Steps(("2017-01-01", 50_000))
  private static let taiwaneseDeduction = Steps(("2019-03-08", 9_000), ("2019-10-01", 30_000))
  private static let chinese = Steps(
    ("2015-09-30", 20_300), ("2021-09-01", 18_000), ("2026-03-15", 15_000))
  private static let chineseAfterOneYear = Steps(
    ("2015-09-30", 20_300), ("2021-09-01", 9_000), ("2026-03-15", 7_200))
  private static let chineseReduction = Day("2026-03-15")!
  private static let japanese = Steps(("2025-04-01", 100_000))
  private static let japaneseReduction = Day("2025-12-18")!
}
