import Billing

/// What terms say of what was sold and for how much; versions and devices make many terms of few.
private struct ToldMoney: CodeKey {
  let sku: Int32
  let saidQuantity: Int32
  let unitPrice: Int64
  /// The storefront, the currency, and whether a price is told and a trial.
  let rest: UInt64

  /// Packs what terms of an order or a transaction say of money.
  ///
  /// - Parameters:
  ///   - sku: its number.
  ///   - unitPrice: micro-units; nil where it is not told.
  ///   - saidQuantity: 0 is "not said".
  init(
    _ sku: Int32, _ storefront: Storefront?, _ currency: Currency?, _ unitPrice: Int64?,
    _ saidQuantity: Int32, isTrial: Bool
  ) {
    self.sku = sku
    self.saidQuantity = saidQuantity
    self.unitPrice = unitPrice ?? 0
    rest =
      UInt64(storefront?.packed ?? 0) << 32 | UInt64(currency?.packed ?? 0) << 8
      | (unitPrice == nil ? 0 : 2) | (isTrial ? 1 : 0)
  }

  /// All that the key says, mixed as ``CodeKey`` asks.
  var mixed: UInt64 {
    let product = UInt64(UInt32(bitPattern: sku)) << 32 | UInt64(UInt32(bitPattern: saidQuantity))
    return mix(mix(product, rest), UInt64(bitPattern: unitPrice))
  }
}

/// Numbers of what terms say of money: whatever is concluded from that alone is concluded once.
package struct MoneyNumbers: Sendable {
  /// Per transaction terms and per order terms.
  let transactions: [Int32]
  let orders: [Int32]
  /// How many there are.
  let count: Int

  /// Numbers all terms of a table, those that say the same of money alike.
  init(_ table: MatchTable) {
    var numbers = NumberTable<ToldMoney>()
    var skus: [String: Int32] = [:]
    /// The number of a SKU; a new one gets the next.
    func number(of sku: String) -> Int32 {
      if let known = skus[sku] { return known }
      let next = Int32(skus.count)
      skus[sku] = next
      return next
    }
    transactions = table.transactionTerms.indices.map { place in
      Int32(
        numbers.number(
          of: ToldMoney(
            number(of: table.transactionTerms[place].sku),
            table.transactionTerms[place].storefront, table.transactionTerms[place].currency,
            table.transactionTerms[place].unitPrice, table.transactionTerms[place].saidQuantity,
            isTrial: table.transactionTerms[place].isTrial)))
    }
    orders = table.orderTerms.indices.map { place in
      Int32(
        numbers.number(
          of: ToldMoney(
            number(of: table.orderTerms[place].sku), table.orderTerms[place].storefront,
            table.orderTerms[place].currency, table.orderTerms[place].unitPrice,
            table.orderTerms[place].saidQuantity, isTrial: false)))
    }
    count = numbers.keys.count
  }
}
