package import Billing

/// A place in a bridge: its cause, and, because `unexplained` stands before each total, how many
/// steps of the cause stand before it.
package struct BridgePlace: Hashable, Sendable {
  package var cause: BridgeCause
  package var ordinal: Int

  /// - Parameter ordinal: steps of the cause before it.
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

  /// The causes of the steps in their order; some stand before several totals.
  private static let order: [BridgeCause] = [
    .ledger, .dayBoundary, .timing, .inputsInsufficient, .reportMissing, .notInLedger, .notInReport,
    .refundNotInLedger, .refundNotInReport, .unknownSKU, .apps, .price, .partialRefund, .rounding,
    .unexplained,
    .reportedGross, .tax, .commission, .proceedsDifference, .exchange, .rounding, .unexplained,
    .reportedProceeds, .settlementCarryIn, .settlementCarryOut, .settlementDifference, .rounding,
    .unexplained, .settled,
  ]
}

extension Bridge {
  /// The bridge's steps by their places.
  package var places: [BridgePlace: BridgeStep] {
    var places: [BridgePlace: BridgeStep] = [:]
    for step in steps {
      var place = BridgePlace(step.cause)
      while places[place] != nil { place.ordinal += 1 }
      places[place] = step
    }
    return places
  }

  /// A bridge of the steps, in the order in which it prints them.
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
  ///
  /// Each amount is converted, and rounded to the minor unit, by itself, as it is wherever else it
  /// is shown in base currency. What that adds to each total and to its parts is the step
  /// `rounding`; what a total differs by beyond it is unexplained.
  package static func summary(
    of bridges: [Bridge], in base: Currency, rates: RateBook, on day: Day
  ) -> Bridge? {
    guard !bridges.isEmpty else { return nil }
    let isSettled = bridges.allSatisfy { $0.steps.last?.cause == .settled }
    let end = BridgePlace.inOrder.firstIndex(of: BridgePlace(.reportedProceeds))!
    let places = isSettled ? BridgePlace.inOrder : Array(BridgePlace.inOrder[...end])
    var totals: [BridgePlace: BridgeStep] = [:]
    var roundings: [BridgePlace: Int128] = [:]
    for bridge in bridges {
      guard let rate = rates.rate(from: bridge.currency, to: base, on: day) else { return nil }
      let steps = bridge.places
      for place in places {
        guard let step = steps[place] else { continue }
        var total =
          totals[place] ?? BridgeStep(cause: step.cause, units: nil, amount: .zero(base))
        if let units = step.units { total.units = (total.units ?? 0) + units }
        let converted = step.amount.converted(at: rate, to: base)
        total.amount += converted
        total.open += step.open.converted(at: rate, to: base)
        totals[place] = total
        let exact = rate.value.amount(step.amount.micros, scale: 1_000_000)
        roundings[place, default: 0] += Int128(converted.micros) * 1_000_000 - exact
      }
    }
    nameRounding(&totals, roundings, base)
    return Bridge(
      storefront: "ALL", currency: base, steps: BridgePlace.inOrder.compactMap { totals[$0] })
  }

  /// Puts two steps before each total but the first: by how much rounding makes the total differ
  /// from the sum of its parts, and by how much it differs beyond that, unexplained.
  ///
  /// - Parameter roundings: what rounding added to each step, in millionths of a micro-unit.
  private static func nameRounding(
    _ totals: inout [BridgePlace: BridgeStep], _ roundings: [BridgePlace: Int128], _ base: Currency
  ) {
    var (running, rounding) = (Money.zero(base), Int128(0))
    var before: [BridgeCause: BridgePlace] = [:]
    for place in BridgePlace.inOrder {
      before[place.cause] = place
      guard let step = totals[place] else { continue }
      let own = roundings[place] ?? 0
      guard step.isTotal else {
        running += step.amount
        rounding -= own
        continue
      }
      if place != BridgePlace.inOrder.first {
        let rounded = Money(
          micros: roundedHalfUp(
            rounding + own, dividedBy: 1_000_000, toMultipleOf: base.minorUnit), base)
        add(rounded, .rounding, &totals, before)
        add(step.amount - running - rounded, .unexplained, &totals, before)
      }
      (running, rounding) = (step.amount, -own)
    }
  }

  /// Adds an amount to a cause's step before the total at hand; nothing for zero.
  ///
  /// - Parameter places: the last place of each cause up to that total.
  private static func add(
    _ amount: Money, _ cause: BridgeCause, _ totals: inout [BridgePlace: BridgeStep],
    _ places: [BridgeCause: BridgePlace]
  ) {
    guard !amount.isZero, let place = places[cause] else { return }
    totals[place, default: BridgeStep(cause: cause, units: nil, amount: .zero(amount.currency))]
      .amount += amount
  }
}
