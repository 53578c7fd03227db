import Billing
package import Conclusions

extension SalesTieOut {
  /// The bridges of the period: the summary in base currency where rates are loaded, then one per
  /// storefront and currency.
  ///
  /// - Parameter settlement: level 3, where the period is a fiscal month whose reports are loaded.
  package func bridges(rates: RateBook, settlement: SettlementTieOut? = nil) -> [Bridge] {
    let (sold, settled) = (bridge.sums, settlement?.bridge.sums ?? [:])
    var bridges: [Bridge] = []
    for key in Set(sold.keys).union(settled.keys).sorted(by: BridgeSteps.isOrderedBefore) {
      let sums = (sold[key] ?? [:]).merging(settled[key] ?? [:]) { first, _ in first }
      let isSettled =
        key.storefront.map { settlement?.covers($0, key.currency) ?? false } ?? false
      let steps = steps(of: sums, key.currency, isSettled: isSettled)
      guard steps.contains(where: { !$0.amount.isZero || ($0.units ?? 0) != 0 }) else { continue }
      bridges.append(
        Bridge(
          storefront: key.storefront?.code ?? "??", currency: key.currency, steps: steps))
    }
    let all = Bridge.summary(
      of: bridges, in: context.settings.baseCurrency, rates: rates, on: context.period.last)
    if let all { bridges.insert(all, at: 0) }
    return bridges
  }

  /// Causes of the steps from the ledger to Apple's sales at the customer price.
  private static let toGross: [BridgeCause] = [
    .dayBoundary, .timing, .inputsInsufficient, .reportMissing, .notInLedger, .notInReport,
    .refundNotInLedger,
    .refundNotInReport, .unknownSKU, .apps, .price, .partialRefund,
  ]
  /// Causes of the steps from there to Apple's proceeds.
  private static let toProceeds: [BridgeCause] = [
    .tax, .commission, .proceedsDifference, .exchange,
  ]

  /// Causes of the steps from proceeds to what Apple settled.
  private static let toSettled: [BridgeCause] = [
    .settlementCarryIn, .settlementCarryOut, .settlementDifference,
  ]

  /// The steps of one storefront and currency in the order of the bridge, with what is unexplained
  /// before each total.
  ///
  /// - Parameter isSettled: whether it goes on to what Apple settled.
  private func steps(
    of sums: [BridgeCause: BridgeSteps.Sum], _ currency: Currency, isSettled: Bool
  ) -> [BridgeStep] {
    /// What the step of a cause comes to here.
    func sum(_ cause: BridgeCause) -> BridgeSteps.Sum { sums[cause] ?? BridgeSteps.Sum() }
    /// The step of a cause with units and money.
    func step(_ cause: BridgeCause, _ sum: BridgeSteps.Sum) -> BridgeStep {
      BridgeStep(
        cause: cause, units: sum.units, amount: Money(micros: sum.amount, currency),
        open: Money(micros: sum.open, currency))
    }
    /// The step of a cause with money alone, in micro-units.
    func step(_ cause: BridgeCause, amount: Int64) -> BridgeStep {
      BridgeStep(cause: cause, units: nil, amount: Money(micros: amount, currency))
    }
    var steps = [step(.ledger, sum(.ledger))]
    // Without reports the bridge ends where the ledger does.
    guard days.hasReports else { return steps }
    var running = sum(.ledger)
    for cause in Self.toGross {
      if cause == .inputsInsufficient, sums[cause] == nil { continue }
      steps.append(step(cause, sum(cause)))
      running.units += sum(cause).units
      running.amount += sum(cause).amount
    }
    let gross = sum(.reportedGross)
    steps.append(
      step(
        .unexplained,
        .init(units: gross.units - running.units, amount: gross.amount - running.amount)))
    steps.append(step(.reportedGross, gross))
    var money = gross.amount
    for cause in Self.toProceeds {
      if cause == .exchange, sums[.exchange] == nil { continue }
      steps.append(step(cause, amount: sum(cause).amount))
      money += sum(cause).amount
    }
    let proceeds = sum(.reportedProceeds)
    steps.append(step(.unexplained, amount: proceeds.amount - money))
    steps.append(step(.reportedProceeds, proceeds))
    guard isSettled else { return steps }
    for cause in Self.toSettled { steps.append(step(cause, sum(cause))) }
    let settled = sum(.settled)
    let named = Self.toSettled.reduce(proceeds.amount) { $0 + sum($1).amount }
    steps.append(step(.unexplained, amount: settled.amount - named))
    steps.append(step(.settled, settled))
    return steps
  }
}
