import Billing
@testable import Conclusions

/// What Apple took in the sample month and the one before: as the rule has it, off it, changed,
/// hidden by an exchange, and of a storefront that no table has.
extension SampleMonth {
  private static let taxes: [String: Int64] = [
    "AU": 100_000, "CN": 18_000, "DE": 190_000, "GB": 224_490, "HK": 0, "JP": 0, "KR": 100_000,
    "TR": 290_323, "US": 0,
  ]

  static var deductions: [DeductionLine] {
    var lines: [DeductionLine] = []
    for (code, _, _, sold, _, _, _) in markets {
      lines.append(line(code, "2023-05-01", "2023-05-31", sold * 9 / 10))
      if code == "VN" {
        // The finding of the sample month is of the 22nd.
        lines.append(line(code, "2023-06-01", "2023-06-21", sold * 7 / 10, tax: 100_000))
        var since = line(code, "2023-06-22", "2023-06-30", sold * 3 / 10, tax: 80_000)
        since.taxBefore = 100_000
        lines.append(since)
      } else {
        lines.append(line(code, "2023-06-01", "2023-06-30", sold))
      }
    }
    var renewals = line("CN", "2023-06-01", "2023-06-30", 210, commission: 150_000, tax: 9_000)
    renewals.kind = .autoRenewable
    renewals.commissionClass = "after-one-year"
    renewals.ruleTax = 9_000
    renewals.ruleProceeds = renewals.proceeds
    var reform = line("DE", "2023-06-03", "2023-06-28", 40, tax: 70_000)
    reform.kind = nil
    reform.explainedUnits = 31
    var halved = line("KR", "2023-06-02", "2023-06-30", 12, tax: -94_118)
    halved.kind = .nonRenewing
    return lines + [renewals, reform, halved]
  }

  /// - Parameter tax: what the rows have; nil is the rule's.
  private static func line(
    _ code: String, _ first: String, _ last: String, _ units: Int64, commission: Int64 = 300_000,
    tax: Int64? = nil
  ) -> DeductionLine {
    let market = markets.first { $0.0 == code }!
    let (currency, paid) = (Currency(market.1)!, Currency(market.2)!)
    let rule = taxes[code]
    func proceeds(_ tax: Int64) -> Int64 {
      units
        * roundedHalfUp(
          Int128(market.5) * Int128(1_000_000 - commission), dividedBy: Int128(1_000_000 + tax),
          toMultipleOf: currency.minorUnit)
    }
    let isForeign = currency != paid
    let found = tax ?? rule ?? 100_000
    var line = DeductionLine(
      storefront: Storefront(code)!, kind: .consumable,
      commissionClass: "standard", month: Day(first.prefix(8) + "01")!, firstDay: Day(first)!,
      lastDay: Day(last)!, gross: Money(micros: units * market.5, currency),
      proceeds: .zero(paid), ruleProceeds: Money(micros: proceeds(rule ?? 0), currency),
      commission: commission, ruleTax: rule)
    line.units = units
    line.proceeds.micros =
      isForeign ? proceeds(found) / 27 / 10_000 * 10_000 : proceeds(found)
    line.foundTax = isForeign ? nil : found
    line.ordinaryUnits = isForeign ? 0 : units
    line.explainedUnits = line.ordinaryUnits
    line.prices = 1 + Int(units % 7)
    return line
  }
}
