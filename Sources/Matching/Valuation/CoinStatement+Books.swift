package import Billing
package import Conclusions

extension CoinStatement {
  /// Puts the statement of a month together.
  ///
  /// - Parameters:
  ///   - rolls: of the month, not rounded.
  ///   - books: that the rolls are of.
  ///   - flow: what movements come to by themselves.
  ///   - reports: what Apple's reports have of coins.
  package init(
    _ policy: CoinPolicy, _ rolls: [CoinRoll], _ books: CoinBooks, flow: CoinFlow,
    _ reports: CoinReports
  ) {
    self.init(policy, rounded: rolls.map(\.rounded), books.coins)
    for place in coins.indices {
      coins[place].left = flow.totals.first { $0.coin == coins[place].coin }?.closing
    }
    unpriced = books.unpriced
    before = books.before
    ties = reports.ties(self.rolls, policy)
    for place in ties.indices {
      ties[place].refundsAhead = books.refundsAhead[ties[place].currency] ?? 0
    }
    revenue = reports.revenue
  }
}
