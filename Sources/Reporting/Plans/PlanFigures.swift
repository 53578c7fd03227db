import Billing
import Languages
import Pricing

extension Fraction {
  /// The number as decimal text with this many places, at most six, rounded half up.
  func text(places: Int) -> String {
    var step: Int64 = 1
    for _ in places..<6 { step *= 10 }
    return decimalText(micros: micros(toMultipleOf: step), minimumDigits: places)
  }

  /// An amount as text, rounded half up to the minor unit, with thousands apart.
  func amountText(_ currency: Currency) -> String {
    grouped(Money(micros: micros(toMultipleOf: currency.minorUnit), currency))
  }
}

extension RatePlan.Row {
  /// What the rule takes of the price, millionths; nil at price zero.
  var deduction: Int64? { terms.share.map { (Fraction.one - $0).micros } }

  /// What a thousand coins net in base currency where one purchase has so many; nil without coins
  /// or a rate of exchange.
  func netPerThousand(_ coins: Int64?, _ plan: RatePlan) -> Fraction? {
    guard let coins, coins > 0, let worth, let base = plan.channel.worth else { return nil }
    return Fraction(micros: terms.proceeds) * worth.value * base.value
      * Fraction(1_000, over: Int128(coins))
  }
}

extension RatePlan.Observation {
  /// What Apple took of the price; nil where nothing was paid.
  var deduction: Fraction? {
    gross > 0 ? Fraction.one - Fraction(Int128(proceeds), over: Int128(gross)) : nil
  }
}

/// A number of coins in words, given in millionths: `1 coin`, `10.5 coins`.
func coins(_ rate: Int64) -> Wording {
  rate == 1_000_000 ? "@plan.1-coin" : "@plan.coins-2 \(decimalText(micros: rate))"
}

extension ChannelTerms {
  /// What a thousand coins net on the channel, in base currency; nil where no rate is loaded.
  var netPerThousand: Fraction? {
    worth.map { netPerCoin * $0.value * Fraction(1_000) }
  }
}

extension RatePlan.Group {
  /// The group's name for a reader; the one of all rows has no name of its own.
  var title: Wording { name == "all" ? "@shared.all-storefronts" : Wording(verbatim: name) }
}

extension PlanTarget {
  /// What a rate has to reach, in words.
  var wording: Wording {
    switch self {
    case .equalNet: "@plan.equal-net"
    case .margin(let deduction): "@plan.margin-for-a-deduction \(percent(deduction))"
    }
  }
}

extension PlanRounding {
  /// How a rate is rounded, in words.
  ///
  /// - Parameter currency: the channel's money.
  func wording(_ currency: Currency) -> Wording {
    let text: Wording =
      step == 1 ? "@plan.rounded-down-to-whole-coins" : "@plan.rounded-down-to-multiples \(step)"
    guard let floor else { return text }
    return "@plan.never-below-per \(text) \(decimalText(micros: floor)) \(currency)"
  }
}

/// The money that a rate is for: `CNY`, or `100 JPY` where it is for more than one unit.
func unitWords(_ unit: Int64, _ currency: Currency) -> String {
  unit == 1 ? currency.code : "\(grouped(unit)) \(currency)"
}
