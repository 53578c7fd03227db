import Billing
import Ledger
import Matching

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

  package var isNothing: Bool { rate == 1_000_000 && free == 0 }
}

/// What a change of coins does to what is owed for them and to revenue, by the last closed month
/// that valued coins; a line that says so where none did.
func coinRemarks(_ change: CoinChange, _ scope: PlanScope) throws -> [Wording] {
  if change.isNothing { return [] }
  let kept = try Ledger.reading(scope.ledgerPath) { ledger -> (Period, [CoinRoll])? in
    for close in try CloseBook(ledger).closed.reversed() where close.period.fiscalMonth == nil {
      if let rolls = try ledger.coinRolls(ofClose: close) { return (close.period, rolls) }
    }
    return nil
  }
  guard let (period, rolls) = kept else { return ["@plan.no-close-values-coins"] }
  let outlooks = CoinOutlook.outlooks(
    rolls, rate: change.rate, free: change.free, scope.settings.coins.freeCoins)
  return outlooks.map { outlook in
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
