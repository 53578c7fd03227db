import Billing
import Conclusions

/// What the ledger has and what Apple reports, in one currency, at customer prices.
struct BothSides: Hashable, Sendable {
  /// Nil where no transaction is loaded.
  var ledger: Money?
  /// Nil where no report is loaded.
  var apple: Money?
  private let parts: DifferenceParts

  /// The currency of all amounts.
  var currency: Currency { parts.open.currency }
  /// Apple's total less the ledger's; nil where a side is absent.
  var difference: Money? {
    guard let ledger, let apple else { return nil }
    return apple - ledger
  }
  /// What is proven; nil where a side is absent, because then nothing is explained.
  var explained: Money? { difference == nil ? nil : parts.explained }
  /// What findings locate and nothing proves.
  var open: Money? { difference == nil ? nil : parts.open }
  /// What no cause explains.
  var unexplained: Money? { difference == nil ? nil : parts.unexplained }

  /// What of `open` adds to the ledger's total, and what takes away from it.
  private let openAbove: Money
  private let openBelow: Money

  /// Whether nothing is open or unexplained, even where it adds up to nothing.
  let isExplained: Bool

  /// What is open in words; where amounts of both signs mostly set each other off, with these.
  ///
  /// - Parameter said: an amount in words.
  func openWording(_ said: (Money) -> Wording) -> Wording {
    parts.open.magnitude.micros >= min(openAbove.micros, -openBelow.micros)
      ? said(parts.open)
      : "@summary.open-of-both-signs \(said(parts.open)) \(said(openAbove)) \(said(-openBelow))"
  }

  /// Adds up bridges of one currency as far as Apple's gross.
  ///
  /// - Precondition: the bridges are in one currency.
  fileprivate init(_ bridges: [Bridge], _ currency: Currency, hasTransactions: Bool) {
    var (ledger, apple) = (Money.zero(currency), Money.zero(currency))
    var parts = DifferenceParts(currency)
    var (above, below) = (Money.zero(currency), Money.zero(currency))
    for bridge in bridges {
      let places = bridge.places
      ledger += places[BridgePlace(.ledger)]?.amount ?? .zero(currency)
      apple += places[BridgePlace(.reportedGross)]?.amount ?? .zero(currency)
      parts += bridge.parts(to: .reportedGross)
      for step in bridge.steps.prefix(while: { $0.cause != .reportedGross }) {
        if step.open.micros > 0 { above += step.open } else { below += step.open }
      }
    }
    (openAbove, openBelow) = (above, below)
    isExplained = bridges.allSatisfy { $0.isExplained(to: .reportedGross) }
    self.ledger = hasTransactions ? ledger : nil
    self.apple = bridges.contains(where: \.reachesApple) ? apple : nil
    self.parts = parts
  }
}

extension Bridge {
  /// Whether the bridge goes on from the ledger's total to Apple's.
  var reachesApple: Bool { steps.contains { $0.cause == .reportedGross } }
}

extension Reconciliation {
  /// Both sides in base currency; where a currency has no rate, in each currency, the largest
  /// number of units first.
  var bothSides: [BothSides] {
    if let sides = sidesInBase { return [sides] }
    let byCurrency = Dictionary(grouping: bridges, by: \.currency)
    /// How many units the ledger's totals have.
    func units(_ bridges: [Bridge]) -> Int64 {
      bridges.reduce(0) { $0 + abs($1.steps.first?.units ?? 0) }
    }
    return byCurrency.sorted {
      (units($1.value), $0.key.code) < (units($0.value), $1.key.code)
    }
    .map { BothSides($0.value, $0.key, hasTransactions: hasTransactions) }
  }

  /// Both sides in base currency; nil where a currency has no rate, or there is no bridge.
  var sidesInBase: BothSides? {
    bridges.first(where: \.isSummary).map {
      BothSides([$0], $0.currency, hasTransactions: hasTransactions)
    }
  }

  /// Whether anything of Apple's and anything of the ledger's is there to be compared.
  var hasBothSides: Bool { hasTransactions && bridges.contains(where: \.reachesApple) }

  /// Whether any transaction of the period is loaded.
  var hasTransactions: Bool {
    !basis.absences.contains { $0.kind == .transactions && $0.count == $0.total }
  }

  /// The ledger's money by age in base currency; where a currency has no rate, of all ages in each
  /// currency, in the order of ``bothSides``.
  var clearedMoney: [AgedMoney] {
    if hasAllRates { return clearedInBase }
    var sums: [Currency: AgedMoney] = [:]
    for money in basis.money {
      var sum = sums[money.currency] ?? AgedMoney(from: 0, to: nil, money.currency)
      sum.add(money) { $0 }
      sums[money.currency] = sum
    }
    return bothSides.compactMap { sums[$0.currency] }
  }

  /// The ledger's money by age in base currency; every currency must have a rate.
  private var clearedInBase: [AgedMoney] {
    var sums: [AgedMoney] = []
    for money in basis.money {
      if sums.last?.from != money.from {
        sums.append(AgedMoney(from: money.from, to: money.to, baseCurrency))
      }
      sums[sums.count - 1].add(money) { inBase($0)! }
    }
    return sums
  }
}

extension AgedMoney {
  /// Adds money of another currency.
  ///
  /// - Parameter converted: gives an amount in this one's currency.
  fileprivate mutating func add(_ other: AgedMoney, _ converted: (Money) -> Money) {
    ledger += converted(other.ledger)
    timely += converted(other.timely)
    complete += converted(other.complete)
    cleared += converted(other.cleared)
  }
}
