package import Billing

/// A place in a bridge: its cause, and, because `unexplained` stands before each total, how many
/// steps of the cause stand before it.
package struct BridgePlace: Hashable, Sendable {
  package var cause: BridgeCause
  package var ordinal: Int

  package init(_ cause: BridgeCause, _ ordinal: Int = 0) {
    self.cause = cause
    self.ordinal = ordinal
  }

  /// All places, in the order in which the bridge prints them.
  package static let inOrder: [BridgePlace] = {
    var seen: [BridgeCause: Int] = [:]
    return order.map { cause in
      defer { seen[cause, default: 0] += 1 }
      return BridgePlace(cause, seen[cause, default: 0])
    }
  }()

  private static let order: [BridgeCause] = [
    .ledger, .dayBoundary, .timing, .reportMissing, .notInLedger, .notInReport, .refundNotInLedger,
    .refundNotInReport, .unknownSKU, .apps, .price, .partialRefund, .unexplained, .reportedGross,
    .tax, .commission, .proceedsDifference, .exchange, .unexplained, .reportedProceeds,
    .settlementCarryIn, .settlementCarryOut, .settlementDifference, .unexplained, .settled,
  ]
}

extension Bridge {
  /// The steps by their places.
  package var places: [BridgePlace: BridgeStep] {
    var places: [BridgePlace: BridgeStep] = [:]
    for step in steps {
      var place = BridgePlace(step.cause)
      while places[place] != nil { place.ordinal += 1 }
      places[place] = step
    }
    return places
  }

  /// A bridge of the steps in their order.
  package init(
    storefront: String, currency: Currency, places: [BridgePlace: BridgeStep]
  ) {
    self.init(
      storefront: storefront, currency: currency,
      steps: BridgePlace.inOrder.compactMap { places[$0] })
  }

  /// All bridges in one currency, each step converted at the last rate on or before `day`; nil
  /// where a currency has no rate, or there is nothing to add up. It ends where not every bridge
  /// goes on: a sum of what some storefronts settled would say nothing.
  package static func summary(
    of bridges: [Bridge], in base: Currency, rates: RateBook, on day: Day
  ) -> Bridge? {
    guard !bridges.isEmpty else { return nil }
    let isSettled = bridges.allSatisfy { $0.steps.last?.cause == .settled }
    let end = BridgePlace.inOrder.firstIndex(of: BridgePlace(.reportedProceeds))!
    let places = isSettled ? BridgePlace.inOrder : Array(BridgePlace.inOrder[...end])
    var totals: [BridgePlace: BridgeStep] = [:]
    for bridge in bridges {
      guard let rate = rates.rate(from: bridge.currency, to: base, on: day) else { return nil }
      let steps = bridge.places
      for place in places {
        guard let step = steps[place] else { continue }
        var total =
          totals[place] ?? BridgeStep(cause: step.cause, units: nil, amount: .zero(base))
        if let units = step.units { total.units = (total.units ?? 0) + units }
        total.amount += exact(step.amount, rate, base)
        totals[place] = total
      }
    }
    return Bridge(
      storefront: "ALL", currency: base,
      steps: rounded(places.compactMap { totals[$0] }, base))
  }

  /// An amount at a rate, to the micro-unit.
  private static func exact(_ amount: Money, _ rate: Int64, _ base: Currency) -> Money {
    let micros = roundedHalfUp(
      Int128(amount.micros) * Int128(rate), dividedBy: 1_000_000, toMultipleOf: 1)
    return Money(micros: micros, base)
  }

  /// Rounds steps to the minor unit so that the totals still add up: totals are sums of what stands
  /// before them, and no step is unexplained that was not before.
  private static func rounded(_ steps: [BridgeStep], _ base: Currency) -> [BridgeStep] {
    var running = Money.zero(base)
    return steps.map { step in
      var step = step
      if step.isTotal, step.cause != .ledger {
        step.amount = running
      } else {
        step.amount.micros = roundedHalfUp(
          Int128(step.amount.micros), dividedBy: 1, toMultipleOf: base.minorUnit)
        running += step.amount
      }
      return step
    }
  }
}
