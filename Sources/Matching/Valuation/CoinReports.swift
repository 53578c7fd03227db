package import Billing
package import Conclusions

/// What Apple's reports have of products with coins, month after month, beside what orders and
/// transactions have of them.
package struct CoinReports {
  /// Of the last month that was added.
  private var products: [ProductProceeds] = []
  /// Refunds until the month before that reports do not have, by currency; micro-units.
  private var unreported: [Currency: Int64] = [:]
  private var kinds: Set<RevenueKind> = []

  package init() {}

  /// Adds the reports of the next month, and carries on the refunds that reports did not have yet.
  ///
  /// - Parameters:
  ///   - all: what the reports have, by product.
  ///   - rolls: the roll-forwards of the month before; empty where that was not added.
  package mutating func add(
    _ all: [ProductProceeds], _ context: MatchingContext, after rolls: [CoinRoll],
    _ policy: CoinPolicy
  ) {
    unreported = Dictionary(
      uniqueKeysWithValues: ties(rolls.map(\.rounded), policy).map {
        ($0.currency, $0.refundsClosing.micros)
      })
    products = all.filter { context.sellsCoins($0.sku) }
    kinds.formUnion(products.map(\.kind))
  }

  /// The kind of revenue of all products with coins; consumables, where they are of several kinds.
  var revenue: RevenueKind { kinds.count == 1 ? kinds.first! : .consumable }

  /// The month's sales and refunds of coins by orders beside those of Apple's reports: a tie for
  /// each currency, ascending by it.
  ///
  /// - Parameter rolls: the month's roll-forwards, rounded to the minor unit.
  func ties(_ rolls: [CoinRoll], _ policy: CoinPolicy) -> [CoinStatement.Tie] {
    var ties: [Currency: CoinStatement.Tie] = [:]
    /// Changes the currency's entry in `ties`, which begins at zero.
    func change(_ currency: Currency, _ change: (inout CoinStatement.Tie) -> Void) {
      let zero = Money.zero(currency)
      let none = CoinStatement.Tie(
        reported: zero, ofApple: zero, ofOthers: zero, refundsOpening: zero, refunded: zero,
        reportedRefunds: zero)
      change(&ties[currency, default: none])
    }
    /// What is owed for a part of a product's sales: without tax, and as an agent without
    /// commission.
    func amount(_ part: ProductProceeds.Part) -> Money {
      policy.presentation == .principal ? part.gross - part.tax : part.expectedProceeds
    }
    for (currency, micros) in unreported where micros != 0 {
      change(currency) { $0.refundsOpening.micros = micros }
    }
    for product in products {
      change(product.currency) {
        $0.reported += amount(product.sold)
        $0.reportedRefunds -= amount(product.refunded)
      }
    }
    for roll in rolls {
      let sold = Money(micros: roll.sold.amount, roll.currency)
      let isApple = roll.isApple
      change(roll.currency) {
        if isApple { $0.ofApple += sold } else { $0.ofOthers += sold }
        if isApple { $0.refunded.micros += roll.allRefunded.amount + roll.reversed.amount }
      }
    }
    return ties.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension MatchingContext {
  /// Whether a product of Apple's reports sells coins, other than by subscription.
  fileprivate func sellsCoins(_ sku: String) -> Bool {
    catalogue.product(sku, on: period.last)?.coins != nil && catalogue.kind(sku) != .autoRenewable
  }
}
