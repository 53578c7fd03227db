import Billing
import Conclusions

/// What a close says of coins.
struct CloseCoins: Sendable {
  let statement: CoinStatement?
  /// What the journal leaves in the accounts that go on for coins.
  let balances: [AccountBalance]
  /// Why nothing is valued, and what of closed months changed.
  let remarks: [Wording]

  /// Takes from a month and its journal what they have of coins.
  init(_ reconciliation: Reconciliation, _ journal: Journal) {
    statement = reconciliation.coinStatement
    balances = journal.closing.filter { $0.account.isOfCoins }
    remarks = reconciliation.coinRemarks + (statement?.remarks ?? [])
  }

  /// Whether a close has nothing to say of coins.
  var isNothing: Bool { statement == nil && balances.isEmpty && remarks.isEmpty }
}
