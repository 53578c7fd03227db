package import Billing

/// How a fiscal month's payment came about, region by region: from what customers paid to what
/// reached the bank. It puts side by side what was concluded of sales, settlement and payment, and
/// concludes nothing itself.
package struct PayoutStatement: Sendable {
  /// Ascending by region and currency.
  package var regions: [Region]
  package var payouts: [BankPayout]

  /// All amounts are of ``currency`` and signed as they add up, but what was paid.
  package struct Region: Hashable, Sendable {
    /// What the month's financial reports and its payments summary have of the region.
    package var payment: RegionPayment
    /// Whether its payments summary is loaded; else it ends at what was settled.
    package var hasPayment: Bool
    /// At customer prices, by the sales reports of the month's days; as the next four only where
    /// customers paid in the region's currency.
    package var sales: Money
    package var refunds: Money
    /// By the rule.
    package var tax: Money
    /// What is left between the price without tax and Apple's proceeds.
    package var commission: Money
    /// Proceeds of sales in other currencies, which Apple exchanged.
    package var exchanged: Money
    /// Changes of closed months that are booked in this one.
    package var booked: Money
    /// Sold in another fiscal month than settled: what came in less what went out.
    package var carried: Money
    /// What was settled otherwise than sold.
    package var difference: Money
    package var currency: Currency { payment.currency }

    /// What sales, refunds, tax, commission and the other parts come to.
    package var parts: Money {
      sales + refunds + tax + commission + exchanged + booked + carried + difference
    }

    /// Whether the parts come to what the financial reports add up to; false where none is loaded.
    package var isExplained: Bool { payment.settled == parts }

    /// A region with its payment, and zero for all parts.
    fileprivate init(_ payment: RegionPayment, hasPayment: Bool) {
      let zero = Money.zero(payment.currency)
      (self.payment, self.hasPayment) = (payment, hasPayment)
      (sales, refunds, tax, commission) = (zero, zero, zero, zero)
      (exchanged, booked, carried, difference) = (zero, zero, zero, zero)
    }
  }

  /// Puts the statement of a month together; nil where neither a financial report nor a payments
  /// summary of the month is loaded.
  ///
  /// - Parameters:
  ///   - settlement: the month's settlement and payments; nil where it has none.
  ///   - products: what each product sold in the month, without what is booked of closed months.
  package init?(_ settlement: Settlement?, products: [ProductProceeds]) {
    guard let settlement, !settlement.lines.isEmpty || !settlement.payments.isEmpty else {
      return nil
    }
    struct Key: Hashable {
      var region: String
      var currency: Currency
    }
    struct Market: Hashable {
      var storefront: Storefront
      var currency: Currency
    }
    var regions: [Key: Region] = [:]
    for payment in settlement.payments {
      regions[Key(region: payment.region, currency: payment.currency)] = Region(
        payment, hasPayment: true)
    }
    var places: [Market: Key] = [:]
    for line in settlement.lines {
      let key = Key(region: line.region, currency: line.currency)
      if regions[key] == nil {
        let none = RegionPayment(
          region: line.region, currency: line.currency, settled: .zero(line.currency))
        regions[key] = Region(none, hasPayment: false)
      }
      if !regions[key]!.hasPayment { regions[key]!.payment.settled! += line.settled }
      regions[key]!.booked += line.reported
      regions[key]!.carried += line.carryIn + line.carryOut
      regions[key]!.difference += line.difference
      places[Market(storefront: line.storefront, currency: line.currency)] = key
    }
    for product in products {
      let market = Market(storefront: product.storefront, currency: product.proceedsCurrency)
      if let key = places[market] { regions[key]!.add(product) }
    }
    self.regions = regions.values.sorted {
      ($0.payment.region, $0.currency) < ($1.payment.region, $1.currency)
    }
    payouts = settlement.payouts
  }
}

extension PayoutStatement.Region {
  /// Adds what a product sold to the region's parts. Its proceeds come off ``booked``, which begins
  /// with all reported proceeds and keeps those that no product has: changes of closed months.
  fileprivate mutating func add(_ product: ProductProceeds) {
    booked -= product.net.proceeds
    guard product.currency == product.proceedsCurrency else {
      exchanged += product.net.proceeds
      return
    }
    sales += product.sold.gross
    refunds += product.refunded.gross
    tax -= product.net.tax
    commission += product.net.proceeds + product.net.tax - product.net.gross
  }
}
