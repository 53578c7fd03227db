package import Billing

/// The exchange rates to CNY that the company loaded: around the period, and for each day on which
/// Apple pays.
package struct LoadedRates {
  private static let worth: [(code: String, rate: String)] = [
    ("USD", "7.1"), ("JPY", "0.0506"), ("EUR", "7.7"), ("GBP", "8.9"), ("AUD", "4.7"),
    ("TWD", "0.231"), ("HKD", "0.9065"), ("KRW", "0.0055"), ("CAD", "5.3"),
  ]
  /// Of the regions that a settled world has beside.
  private static let further: [(code: String, rate: String)] = [
    ("IDR", "0.000478"), ("BRL", "1.4632"),
  ]

  /// About what one unit of `currency` is worth in CNY, in millionths.
  package static func worth(of currency: Currency) -> Int64 {
    (worth + further).first { $0.code == currency.code }.flatMap { micros(decimal: $0.rate) }
      ?? 1_000_000
  }

  static let currencies = ["CNY"] + worth.map(\.code)

  /// By day; rates in millionths.
  let days: [(day: Day, worth: [(currency: String, rate: Int64)])]

  init(_ parameters: SimulationParameters) {
    let period = parameters.period
    let isSettled = parameters.settlement != nil
    let paid = isSettled ? parameters.fiscalMonths.map(\.paid) : []
    let days = [period.first.advanced(by: -1), period.middle, period.last] + paid
    let all = Self.worth + (isSettled ? Self.further : []) + Self.small(parameters.storefronts)
    // Each day's rates are one percent above those of the day before.
    let moved = days.enumerated().map { index, day in
      (
        day: day,
        worth: all.map {
          (currency: $0.code, rate: micros(decimal: $0.rate)! * Int64(100 + index) / 100)
        }
      )
    }
    // Where a payment falls on a day of the period's own, its rates are those of the payment.
    self.days = moved.enumerated()
      .filter { index, day in !moved[(index + 1)...].contains { $0.day == day.day } }
      .map(\.element).sorted { $0.day < $1.day }
  }

  /// Of storefronts beside those of every world.
  private static func small(_ storefronts: [Storefront]) -> [(code: String, rate: String)] {
    guard storefronts.contains(where: { SmallMarkets.rates($0.code) != nil }) else { return [] }
    var worth = ["IDR": "0.000478", "MYR": "1.53"]
    for own in SmallMarkets.all where !currencies.contains(own.currency) {
      worth[own.currency] = decimalText(micros: 7_100_000 / Int64(own.dollar))
    }
    return worth.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// What one unit of `currency` was worth in CNY on `day`, in millionths; nil where no rate was
  /// loaded for that day.
  func worth(of currency: Currency, on day: Day) -> Int64? {
    if currency.code == "CNY" { return 1_000_000 }
    return days.first { $0.day == day }?.worth.first { $0.currency == currency.code }?.rate
  }
}
