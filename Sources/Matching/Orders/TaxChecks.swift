import Billing
import Pricing

extension OrderTieOut {
  /// Adds findings where the tax that payloads tell of single sales is not the tax table's, or does
  /// not fit their own prices: one for all sales of a storefront that are off in the same way.
  ///
  /// Where the table has no tax inside of prices, customers pay it on top, and nothing is judged.
  mutating func judgeTaxes(_ told: [ToldTax]) {
    var sales: [IDKey: ToldTax] = [:]
    for tax in told where billable[Int(tax.terms)] {
      // Of several sources the strongest, and of those that say different things the higher tax.
      sales[tax.key] = sales[tax.key].map { isStronger(tax, than: $0) ? tax : $0 } ?? tax
    }
    var off: [TaxFault: [OffTax]] = [:]
    for tax in sales.values {
      guard let day = dayInPeriod(tax.purchasedAt), let (fault, sale) = fault(tax, on: day) else {
        continue
      }
      off[fault, default: []].append(sale)
    }
    for fault in off.keys.sorted() { add(off[fault]!, fault) }
  }

  /// Whether one source's tax of a sale is judged rather than another's: that of the stronger
  /// source, then the higher tax.
  private func isStronger(_ tax: ToldTax, than other: ToldTax) -> Bool {
    /// What two taxes of a sale are compared by, in turn; the one with the greater rank is judged.
    func rank(_ tax: ToldTax) -> (FactSource, Int64, Int64, TransactionRow.ID) {
      let source = table.transactionTerms[Int(tax.terms)].factSource
      return (source, tax.tax ?? -1, tax.priceWithoutTax ?? -1, tax.row)
    }
    return rank(tax) > rank(other)
  }

  /// How the tax that a payload tells of a sale on a day is off, and the sale with the amount by
  /// which the tax is off; nil where it is right, or nothing says what it should be.
  private func fault(_ told: ToldTax, on day: Day) -> (TaxFault, OffTax)? {
    let terms = table.transactionTerms[Int(told.terms)]
    guard let storefront = terms.storefront, let currency = terms.currency else { return nil }
    // The storefront's day may be another than the company's.
    let rates = Set(
      (-1...1).compactMap {
        context.priceBook.taxInside(
          storefront: storefront, currency: currency, day: day.advanced(by: $0))
      })
    guard let rate = rates.max() else { return nil }
    let price = terms.unitPrice.map { $0.multipliedExactly(by: Int64(terms.quantity)) }
    guard let net = told.priceWithoutTax ?? zip(price, told.tax).map({ $0 - $1 }),
      let tax = told.tax ?? zip(price, told.priceWithoutTax).map({ $0 - $1 })
    else { return nil }
    // Each unit may have been rounded.
    let tolerance = currency.minorUnit.multipliedExactly(by: Int64(terms.quantity))
    var fault = TaxFault(
      storefront: storefront, currency: currency, source: terms.factSource, taxCode: told.taxCode,
      rate: rate, addsUp: true)
    var sale = OffTax(
      day: day, row: told.row, sku: terms.sku, units: Int64(terms.quantity), tax: tax, net: net,
      amount: 0)
    if let price, abs(price - net - tax) > tolerance {
      fault.addsUp = false
      sale.amount = net + tax - price
      return (fault, sale)
    }

    /// The tax in micro-units on the sale's price without tax (`net`), at a rate in millionths.
    func expected(_ rate: Int64) -> Int64 {
      roundedHalfUp(
        Int128(net) * Int128(rate), dividedBy: 1_000_000, toMultipleOf: currency.smallestAmount)
    }
    if rates.contains(where: { abs(tax - expected($0)) <= tolerance }) { return nil }
    sale.amount = tax - expected(rate)
    return (fault, sale)
  }

  /// Adds one finding for all sales that are off in the same way.
  private mutating func add(_ sales: [OffTax], _ fault: TaxFault) {
    let units = sales.reduce(0) { $0 + $1.units }
    let amount = sales.reduce(0) { $0 + $1.amount }
    let count: Wording = sales.count == 1 ? "@order.1-sale" : "@order.sales \(sales.count)"
    let source = fault.source.wording
    let what: Wording
    if fault.addsUp {
      let (tax, net) = sales.reduce((Int64(0), Int64(0))) { ($0.0 + $1.tax, $0.1 + $1.net) }
      // To a tenth of a percent, as rates are.
      let told = roundedHalfUp(
        Int128(tax) * 1_000_000, dividedBy: Int128(max(net, 1)), toMultipleOf: 1_000)
      what = """
        @order.gives-a-tax \(source) \(percent(told)) \(count) \(percent(fault.rate)) \
        \(fault.storefront)
        """
    } else {
      what = "@order.gives-a-tax-and-a-price \(source) \(count)"
    }
    add(
      UnresolvedFinding(
        .taxDiffers, storefront: fault.storefront, currency: fault.currency,
        day: sales.map(\.day).min(), sku: Set(sales.map(\.sku)).count == 1 ? sales[0].sku : nil,
        units: units, amount: amount,
        transactions: Array(sales.map(\.row).sorted().prefix(Rules.namedRows)),
        explanation: fault.taxCode.isEmpty ? what : "@tax-differs.tax-code \(what) \(fault.taxCode)"
      ))
  }
}

/// A sale whose tax is off, by what.
private struct OffTax {
  var day: Day
  var row: TransactionRow.ID
  var sku: String
  var units: Int64
  /// As told.
  var tax: Int64
  var net: Int64
  /// The told tax less the expected one, or the told parts less the price.
  var amount: Int64
}

/// How taxes are off; of many sales the same.
private struct TaxFault: Hashable, Comparable {
  var storefront: Storefront
  var currency: Currency
  var source: FactSource
  var taxCode: String
  /// By the table, millionths of the price without tax.
  var rate: Int64
  /// Whether tax and price without it are the price.
  var addsUp: Bool

  /// Rates that are not the table's go before taxes that do not add up; then by the other fields.
  static func < (left: Self, right: Self) -> Bool {
    /// What faults of the same kind are sorted by, in turn.
    func key(_ fault: Self) -> (String, String, String, FactSource, Int64) {
      (fault.storefront.code, fault.currency.code, fault.taxCode, fault.source, fault.rate)
    }
    return left.addsUp == right.addsUp ? key(left) < key(right) : left.addsUp
  }
}

/// Both values, where both are there; else nil.
private func zip(_ left: Int64?, _ right: Int64?) -> (Int64, Int64)? {
  guard let left, let right else { return nil }
  return (left, right)
}
