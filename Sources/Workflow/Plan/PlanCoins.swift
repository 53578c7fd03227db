import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// Another rate of coins, or coins that are given for nothing.
package struct CoinChange: Hashable, Sendable {
  /// Coins for the same money, as millionths of today's.
  package var rate: Int64
  /// Coins given for nothing.
  package var free: Int64

  package init(rate: Int64, free: Int64) {
    self.rate = rate
    self.free = free
  }

  /// Whether nothing changes.
  package var isNothing: Bool { rate == 1_000_000 && free == 0 }
}

/// Remarks on what a change of coins does to what is owed for them and to revenue, by the last
/// closed month that valued coins; one line that says so where none did.
func coinRemarks(_ change: CoinChange, _ scope: PlanScope) throws -> [Wording] {
  if change.isNothing { return [] }
  guard let closed = try lastValuedCoins(scope) else { return ["@plan.no-close-values-coins"] }
  return closed.remarks(rate: { _ in change.rate }, free: change.free, scope)
}

/// Remarks on what planned rates of Apple's channel do to what is owed for coins and to revenue;
/// empty where no close valued coins.
///
/// A bare price has no coins today: what Apple sold in the plan's period tells how many its money
/// buys.
func coinRemarks(_ rows: [RatePlan.Row], _ facts: PlanFacts, _ scope: PlanScope) throws
  -> [Wording]
{
  struct Key: Hashable {
    var coin: String
    var currency: Currency
  }
  let products = Dictionary(
    facts.products.map { ($0.sku, $0) }, uniquingKeysWith: { first, _ in first })
  guard let closed = try lastValuedCoins(scope) else { return [] }
  // Where there is one coin, the catalogue need not name it.
  let hasOne = Set(closed.rolls.map(\.coin)).count == 1
  /// The key of a coin and a currency; of the coin no name where there is only one.
  func key(_ coin: String, _ currency: Currency) -> Key {
    Key(coin: hasOne ? "" : coin, currency: currency)
  }
  var sums: [Key: (now: Int128, then: Int128)] = [:]
  /// Adds a sale's units to the coins of today and of the plan, in the row's currency.
  ///
  /// - Parameters:
  ///   - now: coins of one unit today.
  ///   - then: coins of one unit as planned.
  func add(_ coin: String, _ row: RatePlan.Row, now: Int64, then: Int64, units: Int64) {
    let key = key(coin, row.terms.currency)
    let sum = sums[key] ?? (0, 0)
    sums[key] = (sum.now + Int128(now) * Int128(units), sum.then + Int128(then) * Int128(units))
  }
  for row in rows {
    if let product = products[row.product] {
      guard let now = row.presentCoins, now > 0, let then = row.plannedCoins, then > 0 else {
        continue
      }
      add(product.coin, row, now: now, then: then, units: max(1, row.observed?.units ?? 1))
    } else if let rate = row.rate?.planned {
      for sale in facts.observed?.sales ?? []
      where sale.storefront == row.storefront && sale.currency == row.terms.currency
        && sale.units > 0
      {
        guard let product = products[sale.sku], let now = product.coins, now > 0 else { continue }
        let then = row.coins(for: sale.price, at: rate)
        add(product.coin, row, now: now, then: then, units: sale.units)
      }
    }
  }
  if sums.isEmpty { return ["@plan.coins-owed-not-known"] }
  return closed.remarks(
    rate: { roll in
      guard roll.isApple, let sum = sums[key(roll.coin, roll.currency)] else {
        return 1_000_000
      }
      return roundedHalfUp(sum.then * 1_000_000, dividedBy: sum.now, toMultipleOf: 1)
    }, free: 0, scope)
}

/// How coins rolled in a closed month.
private struct ValuedCoins {
  var period: Period
  var rolls: [CoinRoll]

  /// A remark for each coin and channel on what would be owed and what revenue be after a month, as
  /// it is and changed.
  ///
  /// - Parameters:
  ///   - rate: how many coins the same money buys after the change, in millionths of those that it
  ///     buys today, for the coin and channel of a roll.
  ///   - free: coins that are given to users for nothing besides.
  func remarks(rate: (CoinRoll) -> Int64, free: Int64, _ scope: PlanScope) -> [Wording] {
    let all = CoinOutlook.outlooks(rolls, rate: rate, free: free, scope.settings.coins)
    return all.filter { $0.changed != $0.asItIs }.map { outlook in
      let coin: Wording =
        outlook.coin.isEmpty ? "@list.coins-without-a-name" : Wording(verbatim: outlook.coin)
      let (now, then) = (outlook.asItIs, outlook.changed)
      return """
        @plan.coins-owed-after-a-month \(period) \(coin) \(outlook.channel) \
        \(now.owed.currency) \(grouped(then.owed)) \(grouped(now.owed)) \
        \(grouped(then.revenue)) \(grouped(now.revenue))
        """
    }
  }
}

/// How coins rolled in the last closed calendar month that valued them; nil where there is none.
private func lastValuedCoins(_ scope: PlanScope) throws -> ValuedCoins? {
  guard identity(of: scope.ledgerPath) != nil else { return nil }
  return try Ledger.reading(scope.ledgerPath) { ledger in
    for close in try CloseBook(ledger).closed.reversed() where close.period.fiscalMonth == nil {
      if let rolls = try ledger.coinRolls(ofClose: close) {
        return ValuedCoins(period: close.period, rolls: rolls)
      }
    }
    return nil
  }
}
