package import Billing

/// A SKU in a storefront; a transaction whose storefront nobody told has none.
package struct ProductKey: Hashable, Sendable {
  package var storefront: Storefront?
  package var sku: String
}

/// The ledger's billable units, classed by what they are sold for.
///
/// Transactions with the same storefront, SKU, currency, price and quantity share a class; classes
/// of one SKU in one storefront share a product, whose units are counted by quarter hour.
struct BillableUnits {
  let grid: QuarterGrid
  private(set) var classes: [EffectiveTerms] = []
  /// Index into `products` per class.
  private(set) var productOf: [Int32] = []
  private(set) var products: [ProductKey] = []
  private(set) var productIndex: [ProductKey: Int32] = [:]
  /// Per transaction its class, or -1 when it is not billable or another's row or restore.
  private(set) var classOf: [Int32] = []
  /// Whether a revocation of the transaction's terms is a refund, per terms.
  private(set) var refunds: [Bool] = []
  /// Sale units per product and quarter hour.
  private(set) var sales: [[Int32]] = []

  private var classIndex: [EffectiveTerms: Int32] = [:]

  init(_ book: ClaimBook, context: MatchingContext) {
    grid = QuarterGrid(context.period)
    classify(book, context)
    count(book)
  }

  private mutating func classify(_ book: ClaimBook, _ context: MatchingContext) {
    let billable = book.transactionTerms.map(context.isBillable)
    let incomplete = book.transactionTerms.map(EffectiveTerms.needsMore)
    refunds = book.transactionTerms.map { !$0.isUpgraded }
    var known = [Int32](repeating: -1, count: book.transactionTerms.count)
    classOf = Array(repeating: -1, count: book.transactions.count)
    for index in book.transactions.indices {
      let entry = book.transactions[index]
      let terms = Int(entry.terms)
      guard billable[terms], book.orderOf[index] != ClaimBook.merged,
        book.chains.role(of: index) != .restore
      else { continue }
      if known[terms] >= 0 {
        classOf[index] = known[terms]
        continue
      }
      let order = incomplete[terms] ? book.owningOrder(of: index) : nil
      let effective = EffectiveTerms(
        book.transactionTerms[terms],
        order: order.map { book.orderTerms[Int(book.orders[$0].terms)] },
        day: context.businessDay(entry.purchasedAt), context)
      classOf[index] = add(effective)
      if !incomplete[terms] { known[terms] = classOf[index] }
    }
  }

  private mutating func add(_ terms: EffectiveTerms) -> Int32 {
    if let known = classIndex[terms] { return known }
    let index = Int32(classes.count)
    classIndex[terms] = index
    classes.append(terms)
    productOf.append(product(ProductKey(storefront: terms.storefront, sku: terms.sku)))
    return index
  }

  /// The index of a product, adding it when it is new.
  mutating func product(_ key: ProductKey) -> Int32 {
    if let known = productIndex[key] { return known }
    let index = Int32(products.count)
    productIndex[key] = index
    products.append(key)
    sales.append([])
    return index
  }

  private mutating func count(_ book: ClaimBook) {
    for index in book.transactions.indices where classOf[index] >= 0 {
      let sold = Int(classOf[index])
      guard let quarter = grid.quarter(book.transactions[index].purchasedAt) else { continue }
      let product = Int(productOf[sold])
      if sales[product].isEmpty { sales[product] = Array(repeating: 0, count: grid.count) }
      sales[product][quarter] += classes[sold].quantity
    }
  }
}

extension ClaimBook {
  /// The order that a transaction belongs to: its claimant, for a renewal its original's.
  func owningOrder(of transaction: Int) -> Int? {
    if orderOf[transaction] >= 0 { return Int(orderOf[transaction]) }
    guard chains.isRenewal(transaction), let original = chains.detail(of: transaction)?.original,
      let first = position(of: original), orderOf[first] >= 0
    else { return nil }
    return Int(orderOf[first])
  }
}
