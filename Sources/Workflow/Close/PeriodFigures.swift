import Billing
import Foundation
import Matching

/// The figures of a reconciliation that a later import may change, by what they are about: as it
/// is now, or as a close kept it.
struct PeriodFigures: Equatable {
  struct Step: Hashable {
    var storefront: String
    var currency: Currency
    var cause: BridgeCause
    /// Steps of the same cause before it: `unexplained` stands before each total.
    var ordinal: Int
  }

  struct Sum: Equatable {
    var units: Int64?
    var amount: Int64 = 0
  }

  struct Line: Hashable {
    var storefront: Storefront
    var currency: Currency
    var proceedsCurrency: Currency
  }

  /// Sold, refunded, gross, tax, commission, proceeds.
  typealias Money = [Int64]

  struct Region: Hashable {
    var region: String
    var currency: Currency
    var bankCurrency: Currency?
  }

  var steps: [Step: Sum] = [:]
  var proceeds: [Line: Money] = [:]
  /// By cause of `payment_bridge`.
  var payments: [Region: [String: Int64]] = [:]
  var findings: Set<String> = []
  var matchedUnits: Int64 = 0
  var unmatchedUnits: Int64 = 0

  init(_ result: Reconciliation) {
    for bridge in result.bridges where bridge.storefront != "ALL" {
      var seen: [BridgeCause: Int] = [:]
      for step in bridge.steps {
        let key = Step(
          storefront: bridge.storefront, currency: bridge.currency, cause: step.cause,
          ordinal: seen[step.cause, default: 0])
        seen[step.cause, default: 0] += 1
        steps[key] = Sum(units: step.units, amount: step.amount.micros)
      }
    }
    for line in result.proceeds {
      let key = Line(
        storefront: line.storefront, currency: line.currency,
        proceedsCurrency: line.proceedsCurrency)
      proceeds[key] = [
        line.unitsSold, line.unitsRefunded, line.gross, line.tax, line.commission ?? 0,
        line.proceeds,
      ]
    }
    for payment in result.settlement?.payments ?? [] {
      let key = Region(
        region: payment.region, currency: payment.currency, bankCurrency: payment.bankCurrency)
      payments[key] = Dictionary(
        payment.steps.map { ($0.cause, $0.amount ?? 0) }, uniquingKeysWith: +)
    }
    findings = Set(result.findings.map(\.id))
    matchedUnits = result.matchedUnits
    unmatchedUnits = result.unmatchedUnits
  }
}

// MARK: - What a close kept

extension PeriodFigures {
  /// Reads what `reconcile --format json` printed; nil for anything else.
  init?(json: [UInt8]) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any],
      let bridges = root["bridge"] as? [[String: Any]],
      let lines = root["proceeds"] as? [[String: Any]],
      let regions = root["payment_bridge"] as? [[String: Any]],
      let findings = root["findings"] as? [[String: Any]],
      let totals = root["totals"] as? [String: Any],
      let matched = totals["matched_units"] as? Int64,
      let unmatched = totals["unmatched_units"] as? Int64
    else { return nil }
    for bridge in bridges { guard readBridge(bridge) else { return nil } }
    for line in lines { guard readLine(line) else { return nil } }
    for region in regions { guard readRegion(region) else { return nil } }
    self.findings = Set(findings.compactMap { $0["id"] as? String })
    matchedUnits = matched
    unmatchedUnits = unmatched
  }

  private mutating func readBridge(_ bridge: [String: Any]) -> Bool {
    guard let storefront = bridge["storefront"] as? String,
      let currency = (bridge["currency"] as? String).flatMap({ Currency($0) }),
      let steps = bridge["steps"] as? [[String: Any]]
    else { return false }
    if storefront == "ALL" { return true }
    var seen: [BridgeCause: Int] = [:]
    for step in steps {
      guard let cause = (step["cause"] as? String).flatMap(BridgeCause.init(rawValue:)) else {
        return false
      }
      let key = Step(
        storefront: storefront, currency: currency, cause: cause,
        ordinal: seen[cause, default: 0])
      seen[cause, default: 0] += 1
      self.steps[key] = Sum(units: step["units"] as? Int64, amount: amount(step["amount"]))
    }
    return true
  }

  private mutating func readLine(_ line: [String: Any]) -> Bool {
    func currency(_ key: String) -> Currency? { (line[key] as? String).flatMap { Currency($0) } }
    guard let storefront = (line["storefront"] as? String).flatMap({ Storefront($0) }),
      let paid = currency("proceeds_currency"), let price = currency("currency"),
      let sold = line["units_sold"] as? Int64, let refunded = line["units_refunded"] as? Int64
    else { return false }
    let key = Line(storefront: storefront, currency: price, proceedsCurrency: paid)
    proceeds[key] =
      [sold, refunded] + ["gross", "tax", "commission", "proceeds"].map { amount(line[$0]) }
    return true
  }

  private mutating func readRegion(_ region: [String: Any]) -> Bool {
    guard let name = region["region"] as? String,
      let currency = (region["currency"] as? String).flatMap({ Currency($0) }),
      let steps = region["steps"] as? [[String: Any]]
    else { return false }
    var amounts: [String: Int64] = [:]
    var bank: Currency?
    for step in steps {
      guard let cause = step["cause"] as? String else { return false }
      amounts[cause, default: 0] += amount(step["amount"])
      if cause == "paid" { bank = (step["currency"] as? String).flatMap { Currency($0) } }
    }
    payments[Region(region: name, currency: currency, bankCurrency: bank)] = amounts
    return true
  }

  private func amount(_ value: Any?) -> Int64 {
    (value as? String).flatMap { micros(decimal: $0) } ?? 0
  }
}
