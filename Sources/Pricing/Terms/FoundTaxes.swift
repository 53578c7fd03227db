package import Billing

/// Taxes that Apple's rows agree on where they are others than the table has: by storefront and
/// currency, over some days, at a commission.
package struct FoundTaxes: Hashable, Sendable {
  package struct Place: Hashable, Sendable, Comparable {
    package var storefront: Storefront
    package var currency: Currency

    package init(_ storefront: Storefront, _ currency: Currency) {
      (self.storefront, self.currency) = (storefront, currency)
    }

    package static func < (left: Self, right: Self) -> Bool {
      (left.storefront, left.currency) < (right.storefront, right.currency)
    }
  }

  /// What is taken off before the commission. Rates are millionths.
  package struct Tax: Hashable, Sendable {
    package var from: Day
    package var to: Day
    /// The commission at which the rows have it.
    package var commission: Int64
    /// Whether the rows of the days are all at that commission, so that it stands for others too.
    package var isForAll: Bool
    /// Tax inside the price, of the net price.
    package var inside: Int64
    /// Further deduction, of the price; below zero where rows bring more than the table's tax.
    package var deducted: Int64

    package init(
      from: Day, to: Day, commission: Int64, isForAll: Bool, inside: Int64, deducted: Int64
    ) {
      self.from = from
      self.to = to
      self.commission = commission
      self.isForAll = isForAll
      self.inside = inside
      self.deducted = deducted
    }
  }

  package private(set) var taxes: [Place: [Tax]] = [:]

  /// No rows, nothing found.
  package init() {}

  /// Adds a tax that the rows of a storefront and currency agree on.
  package mutating func add(_ tax: Tax, of place: Place) { taxes[place, default: []].append(tax) }

  /// The taxes that an earlier reconciliation recorded.
  package init(_ recorded: [RecordedTax]) {
    for tax in recorded {
      add(
        Tax(
          from: tax.from, to: tax.to, commission: tax.commission, isForAll: tax.isForAll,
          inside: tax.inside, deducted: tax.deducted),
        of: Place(tax.storefront, tax.currency))
    }
  }

  /// The taxes as the ledger records them, ascending by storefront and currency.
  package var recorded: [RecordedTax] {
    taxes.sorted { $0.key < $1.key }
      .flatMap { place, taxes in
        taxes.map { tax in
          RecordedTax(
            storefront: place.storefront, currency: place.currency, from: tax.from, to: tax.to,
            commission: tax.commission, isForAll: tax.isForAll, inside: tax.inside,
            deducted: tax.deducted)
        }
      }
  }

  /// The same taxes, except that those in force on `last` stay in force until the table changes its
  /// tax.
  package func goingOn(after last: Day, by book: PriceBook) -> FoundTaxes {
    var found = self
    for (place, taxes) in taxes {
      let change = book.taxes.rules(concerning: place.storefront)
        .filter { $0.currency == place.currency }.flatMap(\.days.eves)
        .filter { $0 >= last.number }.min()
      found.taxes[place] = taxes.map { tax in
        var tax = tax
        if tax.to >= last { tax.to = Day(number: change ?? .max - 1) }
        return tax
      }
    }
    return found
  }

  /// The same taxes as they are known on a day: none reaches beyond it.
  package func known(until last: Day) -> FoundTaxes {
    var known = self
    known.taxes = taxes.mapValues { taxes in
      taxes.map { tax in
        var tax = tax
        tax.to = min(tax.to, last)
        return tax
      }
    }
    return known
  }

  /// Adds all taxes that were found elsewhere.
  package mutating func add(_ other: FoundTaxes) { taxes.merge(other.taxes, uniquingKeysWith: +) }

  /// The tax that the rows of a day agree on at a commission in millionths, where it differs from
  /// the table's; nil where there is none. A tax found at another commission is taken where all
  /// rows of its days had that one.
  package func tax(
    _ storefront: Storefront, _ currency: Currency, on day: Day, commission: Int64
  ) -> Tax? {
    guard !taxes.isEmpty else { return nil }
    let ofDay = (taxes[Place(storefront, currency)] ?? []).filter {
      $0.from <= day && day <= $0.to
    }
    return ofDay.first { $0.commission == commission } ?? ofDay.first(where: \.isForAll)
  }

  /// Whether a tax that rows show in a storefront begins on a day.
  package func begins(on day: Day, in storefront: Storefront) -> Bool {
    taxes.contains { $0.key.storefront == storefront && $0.value.contains { $0.from == day } }
  }

  /// The first day of each span, and the one after its last.
  package var changeDays: [Day] {
    taxes.values.joined().flatMap { [$0.from, $0.to.advanced(by: 1)] }
  }
}

/// A tax that held before: subscriptions go on at the proceeds of their last renewal or price.
package struct OlderTax: Hashable, Sendable {
  /// The last day on which it held for every sale.
  package let until: Day
  /// Millionths: tax inside the price, a further deduction, a share of the commission.
  package let inside: Int64
  package let deducted: Int64
  package let commissionShare: Int64
}

extension PriceBook {
  /// The same book without what rows show of taxes: the tables alone.
  package var byTable: PriceBook {
    var book = self
    book.found = FoundTaxes()
    return book
  }

  /// What is taken off a price before the commission, and whether rows, the company or the table
  /// say so.
  ///
  /// - Parameter commission: millionths; some taxes depend on it.
  package func tax(_ place: FoundTaxes.Place, on day: Day, commission: Int64) -> PriceBasis {
    taxBasis(
      storefront: place.storefront, currency: place.currency, day: day, commission: commission)
  }

  /// Every commission that documents have, or had, for sales of a storefront, millionths.
  package func documentedRates(_ storefront: Storefront) -> Set<Int64> {
    Set(documented.rules(concerning: storefront).map(\.rate))
  }

  /// Taxes that held in a storefront before a day, by the tables and by what rows agreed on, the
  /// latest first.
  package func olderTaxes(_ storefront: Storefront, _ currency: Currency, before day: Day)
    -> [OlderTax]
  {
    let eves = Set(taxes.rules(concerning: storefront).flatMap(\.days.eves))
    let documented = eves.filter { $0 < day.number }.compactMap { eve -> OlderTax? in
      let eve = Day(number: eve)
      return taxRule(storefront: storefront, currency: currency, day: eve).map { rule in
        OlderTax(
          until: eve, inside: rule.inside, deducted: rule.deducted,
          commissionShare: rule.commissionShare)
      }
    }
    let shown = (found.taxes[FoundTaxes.Place(storefront, currency)] ?? []).filter { $0.to < day }
      .map {
        OlderTax(until: $0.to, inside: $0.inside, deducted: $0.deducted, commissionShare: 0)
      }
    return (documented + shown).sorted { $0.until > $1.until }
  }

  /// What one unit at `price` brings at an older tax, at a commission in millionths.
  package func expectation(
    of storefront: Storefront, currency: Currency, price: Int64, day: Day, commissionRate: Int64,
    by tax: OlderTax
  ) -> PriceExpectation {
    var basis = PriceBasis(commission: commissionRate)
    basis.taxOrigin = .table
    basis.inside =
      tax.inside + taxOnCommission(commissionRate, share: tax.commissionShare, beside: tax.inside)
    (basis.vat, basis.deducted) = (tax.inside, tax.deducted)
    basis.commissionShare = tax.commissionShare
    let unit = currency.minorUnit
    return PriceExpectation(
      storefront: storefront, currency: currency, day: day, price: price,
      net: basis.net(of: price, unit: unit), proceeds: basis.proceeds(of: price, unit: unit),
      basis: basis)
  }
}
