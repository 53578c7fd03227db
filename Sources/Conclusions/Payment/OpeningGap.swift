package import Billing

/// What a first close leaves out of a fiscal month that Apple had not paid by then, because neither
/// all its sales reports nor its payment or settlement are loaded.
package struct OpeningGap: Hashable, Sendable {
  package enum Part: String, Sendable {
    /// Sold on loaded days before the close: it is not in the opening balance, and no payment of
    /// the month is deducted.
    case leftOut = "left-out"
    /// Sold on days of the closed month itself: owed until the payment is loaded.
    case owed
  }

  package var month: FiscalMonth
  package var part: Part
  /// Nil where nothing of the month is loaded.
  package var amount: Money?

  package init(month: FiscalMonth, part: Part = .leftOut, amount: Money? = nil) {
    (self.month, self.part, self.amount) = (month, part, amount)
  }
}

extension [OpeningGap] {
  /// What a reader of the opening balance must know; the months of which nothing is loaded are not
  /// named.
  ///
  /// - Parameters:
  ///   - most: how many amounts a list names before it counts the rest; nil for all.
  ///   - inBase: what an amount is worth in base currency; nil where that is not known.
  package func remarks(
    _ period: Period, most: Int? = nil, _ inBase: (Money) -> Money? = { _ in nil }
  ) -> [Wording] {
    Set(map(\.month)).sorted().flatMap { (month: FiscalMonth) -> [Wording] in
      let remarks: [Wording?] = [
        amounts(month, .leftOut, most, inBase).map {
          "@payment.left-out-sold-on-loaded \($0) \(month)"
        },
        amounts(month, .owed, most, inBase).map {
          "@payment.sold-in-from-on-stays \($0) \(month) \(period.first)"
        },
      ]
      return remarks.compactMap(\.self)
    }
  }

  /// What one part of a month leaves out, as a list of amounts, with their sum in base currency
  /// where there are several; nil where there is none.
  ///
  /// - Parameter most: how many amounts are named before the rest is only a number; nil for all.
  private func amounts(
    _ month: FiscalMonth, _ part: OpeningGap.Part, _ most: Int?, _ inBase: (Money) -> Money?
  ) -> Wording? {
    let amounts = filter { $0.month == month && $0.part == part }.compactMap(\.amount)
    if let most, amounts.count > most + 1 {
      let (named, more) = (listed(amounts.prefix(most).map(\.self)), amounts.count - most)
      return "@shared.and-more-2 \(named) \(more)"
    }
    let converted = amounts.compactMap(inBase)
    guard let first = converted.first, converted.count == amounts.count, amounts.count > 1 else {
      return amounts.isEmpty ? nil : listed(amounts)
    }
    let all = converted.sum(in: first.currency, \.self)
    return "@payment.together-about \(listed(amounts)) \(spoken(all))"
  }
}

/// Amounts as a list: `1,230.00 CNY, 4.10 USD`.
package func listed(_ amounts: [Money]) -> Wording {
  amounts.map { "\(grouped($0)) \($0.currency)" }.asList
}
