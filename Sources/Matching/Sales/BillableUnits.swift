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
  /// Sale units per product and quarter hour; empty where there are none.
  private(set) var sales: [[Int64]] = []
  /// The quarter hours in which the first and the last unit were bought.
  private(set) var span: ClosedRange<Int>?

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
    var completed = CompletedClasses(grid, context.settings.businessZone)
    classOf = Array(repeating: -1, count: book.transactions.count)
    for index in book.transactions.indices {
      let entry = book.transactions[index]
      let terms = Int(entry.terms)
      guard billable[terms], book.orderOf[index] != ClaimBook.merged,
        book.chains.role(of: index) != .restore
      else { continue }
      if incomplete[terms] {
        classOf[index] = completed.find(index, book) {
          add(EffectiveTerms(index, in: book, context))
        }
      } else {
        if known[terms] < 0 { known[terms] = add(EffectiveTerms(index, in: book, context)) }
        classOf[index] = known[terms]
      }
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
    var (first, last) = (Int.max, -1)
    for index in book.transactions.indices where classOf[index] >= 0 {
      let sold = Int(classOf[index])
      guard let quarter = grid.quarter(book.transactions[index].purchasedAt) else { continue }
      let product = Int(productOf[sold])
      if sales[product].isEmpty { sales[product] = Array(repeating: 0, count: grid.count) }
      sales[product][quarter] += Int64(classes[sold].quantity)
      first = min(first, quarter)
      last = max(last, quarter)
    }
    if last >= 0 { span = first...last }
  }
}

/// Classes of transactions that leave something for others to tell: by their terms, their order's
/// terms and the accounting day, for all of which the same is told.
private struct CompletedClasses {
  private let grid: QuarterGrid
  private let days: [Int]
  private let dayCount: Int
  private var pairs = PairTable()
  private var classes: [Int32] = []

  init(_ grid: QuarterGrid, _ zone: Zone) {
    self.grid = grid
    let numbers = (0..<grid.count).map { Int(zone.day(of: grid.moment($0)).number) }
    days = numbers.map { $0 - numbers[0] }
    dayCount = days[days.count - 1] + 1
  }

  mutating func find(_ transaction: Int, _ book: ClaimBook, make: () -> Int32) -> Int32 {
    let entry = book.transactions[transaction]
    guard let quarter = grid.quarter(entry.purchasedAt) else { return make() }
    let order = book.owningOrder(of: transaction).map { book.orders[$0].terms + 1 } ?? 0
    let number = pairs.number(entry.terms, book.renewsOffer(transaction) ? -1 - order : order)
    if number * dayCount == classes.count {
      classes += Array(repeating: -1, count: dayCount)
    }
    let place = number * dayCount + days[quarter]
    if classes[place] < 0 { classes[place] = make() }
    return classes[place]
  }
}
