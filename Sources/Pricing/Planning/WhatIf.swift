package import Billing

/// What changes of commission, tax, exchange rate or tier would do to a month's proceeds and to
/// what a coin leaves.
package struct WhatIf: Sendable {
  package var day: Day
  package var baseCurrency: Currency
  /// The reports that the volumes come from; nil: one unit of each.
  package var period: Period?
  package var changes: [Change]
  package var rows: [Row] = []
  /// As things are.
  package var before = Sum()
  /// One per change, each alone.
  package var alone: [Sum] = []
  package var together = Sum()
  /// The prices that products whose tier changes could have, where they are sold.
  package var tierChoices: [TierChoice] = []
  package var notes: [Wording] = []

  package init(day: Day, baseCurrency: Currency, period: Period?, changes: [Change]) {
    self.day = day
    self.baseCurrency = baseCurrency
    self.period = period
    self.changes = changes
  }
}

extension WhatIf {
  /// One thing that may become different.
  package struct Change: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// Millionths; of one storefront, or of all.
      case commission(Int64, Storefront?)
      /// The part of subscriptions' units at the reduced commission, millionths.
      case afterOneYear(Int64)
      /// The whole factor, price = net × (1 + rate), millionths.
      case tax(Int64, Storefront)
      /// Base currency for one unit.
      case worth(CurrencyRate, Currency)
      /// The same by a part of what it is, millionths.
      case worthShift(Int64, Currency)
      case tier(sku: String, tier: String)
    }

    package var kind: Kind
    /// As the caller wrote it: `commission CN=0.25`.
    package var name: Wording
    /// The day from which it would hold, where that was said.
    package var from: Day?

    package var isTier: Bool { if case .tier = kind { true } else { false } }

    package init(_ kind: Kind, name: Wording, from: Day? = nil) {
      self.kind = kind
      self.name = name
      self.from = from
    }
  }

  /// What a unit leaves.
  package struct Terms: Hashable, Sendable {
    /// At the plain commission.
    package var plain: ProceedsTerms
    /// At the commission of a subscription's second year; nil where the product is none.
    package var reduced: ProceedsTerms?
    /// The part of the units at the reduced commission.
    package var reducedShare: Fraction
    /// Base currency for one unit of money.
    package var worth: Fraction
    /// Which change each figure comes from, as an index into `changes`.
    package var origins = Origins()

    /// What so many units leave, in micro-units of base currency.
    package func proceeds(of units: Int64) -> Int64 {
      let second = Fraction(Int128(reduced?.proceeds ?? 0)) * reducedShare
      let first = Fraction(Int128(plain.proceeds)) * (Fraction.one - reducedShare)
      let all = (first + second) * worth
      return all.micros(of: units)
    }
  }

  /// Where changed figures come from; nil: as things are.
  package struct Origins: Hashable, Sendable {
    package var price: Int?
    package var tax: Int?
    package var commission: Int?
    package var share: Int?
    package var worth: Int?

    package init() {}
  }

  /// A tier in a storefront.
  package struct TierChoice: Hashable, Sendable {
    package var storefront: Storefront
    package var table: TierTable
    package var tier: String
    package var price: Money
    /// What its list says of proceeds at 30 %, micro-units.
    package var listed: Int64?
  }

  /// A product at one price in one storefront.
  package struct Row: Hashable, Sendable {
    package var storefront: Storefront
    package var sku: String
    /// Where its tier stands.
    package var table: TierTable
    package var units: Int64
    /// Of these, at the reduced commission.
    package var reducedUnits: Int64
    /// Coins of one unit.
    package var coins: Int64?
    /// Base currency for one unit of money, as it is.
    package var worth: CurrencyRate
    /// The changes that move its product to another tier, whether that has a price here or not.
    package var moves: [Int]
    package var before: Terms
    /// One per change; equal to `before` where it changes nothing here.
    package var alone: [Terms]
    package var together: Terms
  }

  /// What all rows come to, micro-units of base currency.
  package struct Sum: Hashable, Sendable {
    package var proceeds: Int64 = 0
    /// Of products that have coins.
    package var coinProceeds: Int64 = 0
    package var coins: Int64 = 0

    package init() {}

    /// Adds proceeds of some units, in micro-units of base currency, and the coins that they have;
    /// nil or zero for products without coins.
    package mutating func add(_ amount: Int64, coins more: Int64?) {
      proceeds += amount
      guard let more, more > 0 else { return }
      coinProceeds += amount
      coins += more
    }

    /// What a thousand coins leave, in units of base currency; nil where nothing has coins.
    package var netPerThousand: Fraction? {
      coins > 0 ? Fraction(Int128(coinProceeds), over: 1_000 * Int128(coins)) : nil
    }
  }

  /// Indexes of the changes by the size of what each alone does to proceeds, largest first.
  package var ranking: [Int] {
    changes.indices.sorted {
      let (left, right) = (effect(alone[$0]).magnitude, effect(alone[$1]).magnitude)
      return left != right ? left > right : $0 < $1
    }
  }

  /// By how much a sum's proceeds exceed those without any change, in micro-units of base currency.
  package func effect(_ sum: Sum) -> Int64 { sum.proceeds - before.proceeds }
}
