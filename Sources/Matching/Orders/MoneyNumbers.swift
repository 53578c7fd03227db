import Billing

/// What terms say of what was sold and for how much; versions and devices make many terms of few.
private struct ToldMoney: Hashable {
  let sku: String
  let storefront: Storefront?
  let currency: Currency?
  let unitPrice: Int64?
  let saidQuantity: Int32
  let isTrial: Bool
}

/// Numbers of what terms say of money: whatever is concluded from that alone is concluded once.
package struct MoneyNumbers: Sendable {
  /// Per transaction terms and per order terms.
  let transactions: [Int32]
  let orders: [Int32]
  /// How many there are.
  let count: Int

  init(_ table: MatchTable) {
    var numbers: [ToldMoney: Int32] = [:]
    func number(_ money: ToldMoney) -> Int32 {
      if let known = numbers[money] { return known }
      let next = Int32(numbers.count)
      numbers[money] = next
      return next
    }
    transactions = table.transactionTerms.indices.map { place in
      number(
        ToldMoney(
          sku: table.transactionTerms[place].sku,
          storefront: table.transactionTerms[place].storefront,
          currency: table.transactionTerms[place].currency,
          unitPrice: table.transactionTerms[place].unitPrice,
          saidQuantity: table.transactionTerms[place].saidQuantity,
          isTrial: table.transactionTerms[place].isTrial))
    }
    orders = table.orderTerms.indices.map { place in
      number(
        ToldMoney(
          sku: table.orderTerms[place].sku, storefront: table.orderTerms[place].storefront,
          currency: table.orderTerms[place].currency,
          unitPrice: table.orderTerms[place].unitPrice,
          saidQuantity: table.orderTerms[place].saidQuantity, isTrial: false))
    }
    count = numbers.count
  }
}
