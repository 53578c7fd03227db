package import Billing

extension SalesTieOut {
  /// The bridges of the period: the summary in base currency where rates are loaded, then one per
  /// storefront and currency.
  package func bridges(rates: RateBook) -> [Bridge] {
    let own = bridge.sums.map { key, sums in (key, steps(of: sums, key.currency)) }
      .filter { _, steps in steps.contains { $0.amount != 0 || ($0.units ?? 0) != 0 } }
      .sorted {
        ($0.0.storefront?.code ?? "", $0.0.currency.code)
          < ($1.0.storefront?.code ?? "", $1.0.currency.code)
      }
    var bridges = own.map {
      Bridge(storefront: $0.0.storefront?.code ?? "??", currency: $0.0.currency, steps: $0.1)
    }
    if let all = summary(bridges, rates) { bridges.insert(all, at: 0) }
    return bridges
  }

  private static let toGross: [BridgeCause] = [
    .dayBoundary, .timing, .reportMissing, .notInLedger, .notInReport, .refundNotInLedger,
    .refundNotInReport, .unknownSKU, .apps, .price, .partialRefund,
  ]
  private static let toProceeds: [BridgeCause] = [
    .tax, .commission, .proceedsDifference, .exchange,
  ]

  private func steps(of sums: [BridgeCause: BridgeSteps.Sum], _ currency: Currency) -> [BridgeStep]
  {
    func sum(_ cause: BridgeCause) -> BridgeSteps.Sum { sums[cause] ?? BridgeSteps.Sum() }
    func step(_ cause: BridgeCause, _ sum: BridgeSteps.Sum) -> BridgeStep {
      BridgeStep(cause: cause, units: sum.units, amount: sum.amount, currency: currency)
    }
    var steps = [step(.ledger, sum(.ledger))]
    // Without reports the bridge ends where the ledger does.
    guard days.hasReports else { return steps }
    var running = sum(.ledger)
    for cause in Self.toGross {
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
      steps.append(
        BridgeStep(cause: cause, units: nil, amount: sum(cause).amount, currency: currency))
      money += sum(cause).amount
    }
    let proceeds = sum(.reportedProceeds)
    steps.append(
      BridgeStep(
        cause: .unexplained, units: nil, amount: proceeds.amount - money, currency: currency))
    steps.append(step(.reportedProceeds, proceeds))
    return steps
  }

  /// All bridges in base currency, each step converted at the period's last rate; nil where a
  /// currency has no rate.
  private func summary(_ bridges: [Bridge], _ rates: RateBook) -> Bridge? {
    let base = context.settings.baseCurrency
    guard let first = bridges.first else { return nil }
    var shape = first.steps
    for bridge in bridges where bridge.steps.count > shape.count { shape = bridge.steps }
    var totals = shape.map {
      BridgeStep(cause: $0.cause, units: $0.units == nil ? nil : 0, amount: 0, currency: base)
    }
    for bridge in bridges {
      guard let rate = rates.rate(from: bridge.currency, to: base, on: context.period.last) else {
        return nil
      }
      var seen = 0
      for step in bridge.steps {
        // Steps come in the same order; a bridge without exchange just lacks that step.
        while totals[seen].cause != step.cause { seen += 1 }
        if let units = step.units { totals[seen].units! += units }
        totals[seen].amount! += exact(step.amount ?? 0, rate)
        seen += 1
      }
    }
    return Bridge(storefront: "ALL", currency: base, steps: rounded(totals, base))
  }

  /// An amount at a rate, to the micro-unit.
  private func exact(_ micros: Int64, _ rate: Int64) -> Int64 {
    roundedHalfUp(Int128(micros) * Int128(rate), dividedBy: 1_000_000, toMultipleOf: 1)
  }

  /// Rounds steps to the minor unit so that the totals still add up: totals are sums of what stands
  /// before them, and no step is unexplained that was not before.
  private func rounded(_ steps: [BridgeStep], _ base: Currency) -> [BridgeStep] {
    var running: Int64 = 0
    return steps.map { step in
      var step = step
      if step.isTotal, step.cause != .ledger {
        step.amount = running
      } else {
        step.amount = roundedHalfUp(
          Int128(step.amount ?? 0), dividedBy: 1, toMultipleOf: base.minorUnit)
        running += step.amount!
      }
      return step
    }
  }
}
