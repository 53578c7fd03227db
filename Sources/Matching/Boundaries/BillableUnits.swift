package import Billing

/// A SKU in a storefront, which is nil for transactions whose storefront no source tells.
package struct ProductKey: Hashable, Sendable {
  package var storefront: Storefront?
  package var sku: String
}

/// What a unit of several seats cost, in micro-units of the storefront's currency.
struct SeatPrice: Hashable {
  var sku: String
  var storefront: Storefront
  var price: Int64
}

/// The ledger's billable units, classed by what they are sold for.
///
/// Transactions with the same storefront, SKU, currency, price and quantity share a class; classes
/// of one SKU in one storefront share a product, whose sales stand together with their quarter
/// hours.
package struct BillableUnits: Sendable {
  let grid: QuarterGrid
  private(set) var classes: [EffectiveTerms] = []
  /// Index into `products` per class.
  private(set) var productOf: [Int32] = []
  private(set) var products: [ProductKey] = []
  /// Index into `skus` per product.
  private(set) var skuOf: [Int32] = []
  private(set) var skus: [String] = []
  /// Per transaction its class, or -1 when it is not billable or another's row or restore.
  private(set) var classOf: [Int32] = []
  /// Per purchases that Spark counted their class, or -1 when they are not billable.
  private(set) var classOfCounted: [Int32] = []
  /// Whether a revocation of the transaction's terms is a refund, per terms.
  private(set) var refunds: [Bool] = []
  /// SKUs whose units are put together over their apps.
  private(set) var joinedSKUs: Set<String> = []
  /// Units of one transaction, per class.
  private(set) var quantities: [Int64] = []
  /// Sales by class, those of a product's classes together: product p has those from
  /// `eventStarts[p]` on.
  private var events: [Event] = []
  private var eventStarts: [Int32] = []
  private var eventsOfClass: [Range<Int32>] = []
  /// Classes by product; those that only Apple knows have none, and may not be in it.
  private var classesOf: Grouped<Int32>?
  /// Storefronts of which most units only stand there because no source tells theirs.
  private(set) var assumedStorefronts: Set<Storefront> = []
  /// Whether that is so of most units there are.
  private(set) var isMostlyAssumed = false
  /// The quarter hours in which the first and the last unit were bought.
  private(set) var span: ClosedRange<Int>?

  private var skuNumbers: [String: Int32] = [:]
  private var productNumbers = NumberTable<ProductCode>()
  private var classNumbers = NumberTable<ClassCode>()
  package let money: MoneyNumbers

  /// A product with the number of its SKU.
  private struct ProductCode: CodeKey {
    let code: UInt64

    /// The code of an SKU, given as its index in `skus`, in a storefront.
    init(_ sku: Int32, _ storefront: Storefront?) {
      code = UInt64(sku) << 16 | UInt64(storefront?.packed ?? 0)
    }

    var mixed: UInt64 { mix(code, 0) }
  }

  /// The terms of a class, by the number of their product.
  private struct ClassCode: CodeKey {
    let price: Int64
    let product: Int32
    let quantity: Int32
    /// The currency, what was told, and whether a price is known.
    let rest: UInt32

    /// The code of the class that has these terms.
    ///
    /// - Parameter product: index into `products`.
    init(_ terms: EffectiveTerms, product: Int32) {
      price = terms.unitPrice ?? 0
      (self.product, quantity) = (product, terms.quantity)
      rest =
        UInt32(terms.currency?.packed ?? 0) << 16 | UInt32(terms.told.rawValue) << 1
        | (terms.unitPrice == nil ? 0 : 1)
    }

    var mixed: UInt64 {
      mix(
        UInt64(bitPattern: price) ^ UInt64(rest) << 32,
        UInt64(UInt32(bitPattern: product)) << 32 | UInt64(UInt32(bitPattern: quantity)))
    }
  }

  /// Units that one transaction sold in a quarter hour.
  struct Event {
    var quarter: Int32
    var quantity: Int32
  }

  /// Transactions whose terms leave something for their orders to tell.
  private var pending: [Int32] = []

  /// Puts the billable transactions whose own terms have all of product and money into classes; the
  /// others wait for ``finish(_:seasons:context:)``.
  package init(beginning book: MatchTable, context: MatchingContext) {
    grid = QuarterGrid(context.period)
    let billable = book.transactionTerms.map(context.isBillable)
    let incomplete = book.transactionTerms.map { EffectiveTerms.needsMore($0, context) }
    refunds = book.transactionTerms.map(\.revocationCountsUnits)
    money = MoneyNumbers(book)
    // Where nothing is left to tell, money decides of the class.
    var known = [Int32](repeating: -1, count: money.count)
    classOf = Array(repeating: -1, count: book.transactions.count)
    for index in book.transactions.indices {
      let entry = book.transactions[index]
      let terms = Int(entry.terms)
      guard billable[terms], book.orderOf[index] != .merged,
        book.chains.role(of: index) != .restore
      else { continue }
      if incomplete[terms] {
        pending.append(Int32(index))
      } else {
        let number = Int(money.transactions[terms])
        if known[number] < 0 { known[number] = add(EffectiveTerms(index, in: book, context)) }
        classOf[index] = known[number]
      }
    }
    classOfCounted = book.counts.sold.map { sold in
      let terms = Int(sold.transaction)
      guard billable[terms] else { return -1 }
      let number = Int(money.transactions[terms])
      if !incomplete[terms], known[number] >= 0 { return known[number] }
      let made = add(
        EffectiveTerms(
          book.transactionTerms[terms], order: book.orderTerms[Int(sold.order)],
          day: context.businessDay(sold.at), context))
      if !incomplete[terms] { known[number] = made }
      return made
    }
  }

  /// Puts the transactions whose own terms were incomplete into classes, now that their orders are
  /// known, and arranges all sales by product, class and quarter hour.
  ///
  /// - Precondition: all of `book` is matched, and it has the transactions it began with.
  mutating func finish(_ book: MatchTable, seasons: Seasons, context: MatchingContext) {
    precondition(classOf.count == book.transactions.count)
    var completed = CompletedClasses(grid, context.settings.businessZone, seasons)
    for transaction in pending {
      let index = Int(transaction)
      guard let place = completed.place(of: index, book, money) else {
        classOf[index] = add(EffectiveTerms(index, in: book, context))
        continue
      }
      if completed.classes[place] < 0 {
        completed.classes[place] = add(EffectiveTerms(index, in: book, context))
      }
      classOf[index] = completed.classes[place]
    }
    pending = []
    joinApps(context.catalogue.shared)
    arrangeSales(book)
  }

  /// The index of the class that has these terms, adding it when it is new.
  private mutating func add(_ terms: EffectiveTerms) -> Int32 {
    let product = product(sku(terms.sku), in: terms.storefront)
    let number = classNumbers.number(of: ClassCode(terms, product: product))
    if number == classes.count {
      classes.append(terms)
      quantities.append(Int64(terms.quantity))
      productOf.append(product)
    }
    return Int32(number)
  }

  /// The number of an SKU, adding it when it is new.
  mutating func sku(_ sku: String) -> Int32 {
    if let known = skuNumbers[sku] { return known }
    let number = Int32(skus.count)
    skuNumbers[sku] = number
    skus.append(sku)
    return number
  }

  /// The index of a product, adding it when it is new.
  mutating func product(_ sku: Int32, in storefront: Storefront?) -> Int32 {
    let number = productNumbers.number(of: ProductCode(sku, storefront))
    if number == products.count {
      products.append(ProductKey(storefront: storefront, sku: skus[Int(sku)]))
      skuOf.append(sku)
    }
    return Int32(number)
  }

  /// The index of a product; nil where there is none.
  func product(_ key: ProductKey) -> Int32? {
    skuNumbers[key.sku].flatMap { productNumbers.known(ProductCode($0, key.storefront)) }
      .map(Int32.init)
  }

  /// Puts units of an SKU's apps together where no source tells of which app some are, or which of
  /// the company's apps is which of Apple's.
  private mutating func joinApps(_ shared: SharedSKUs) {
    if shared.isEmpty { return }
    joinedSKUs = shared.unlinked.union(classes.map(\.sku).filter(shared.contains))
    if joinedSKUs.isEmpty { return }
    for place in classes.indices {
      classes[place].sku = joined(classes[place].sku)
      productOf[place] = product(sku(classes[place].sku), in: classes[place].storefront)
    }
  }

  /// The product's name, or its SKU alone where units of its apps are put together.
  func joined(_ name: String) -> String {
    if joinedSKUs.isEmpty { return name }
    let sku = AppProduct(name).sku
    return joinedSKUs.contains(sku) ? sku : name
  }

  /// Arranges all sales by product and class, and finds out from when to when they were made and
  /// which storefronts are mostly assumed.
  private mutating func arrangeSales(_ book: MatchTable) {
    classesOf = Grouped(
      numbers: products.count, count: classes.count, number: { [productOf] in productOf[$0] },
      element: { Int32($0) })
    var (first, last) = (Int.max, -1)
    var counts = [Int32](repeating: 0, count: classes.count)
    for index in book.transactions.indices where classOf[index] >= 0 {
      guard let quarter = grid.quarter(book.transactions[index].purchasedAt) else { continue }
      counts[Int(classOf[index])] += 1
      first = min(first, quarter)
      last = max(last, quarter)
    }
    for (sold, counted) in countedQuarters(book) {
      counts[sold] += 1
      first = min(first, counted.quarter)
      last = max(last, counted.quarter)
    }
    guard last >= 0 else { return }
    span = first...last
    findAssumed(book)
    var next = placeEvents(counts)
    events = Array(
      repeating: Event(quarter: 0, quantity: 0), count: Int(eventStarts[products.count]))
    for index in book.transactions.indices where classOf[index] >= 0 {
      guard let quarter = grid.quarter(book.transactions[index].purchasedAt) else { continue }
      let sold = Int(classOf[index])
      events[Int(next[sold])] = Event(quarter: Int32(quarter), quantity: Int32(quantities[sold]))
      next[sold] += 1
    }
    for (sold, counted) in countedQuarters(book) {
      events[Int(next[sold])] = Event(
        quarter: Int32(counted.quarter), quantity: Int32(quantities[sold] * counted.count))
      next[sold] += 1
    }
  }

  /// Finds out where the events of products and classes stand, and returns where those of each
  /// class begin.
  ///
  /// - Parameter counts: events by class.
  private mutating func placeEvents(_ counts: [Int32]) -> [Int32] {
    eventStarts = Array(repeating: 0, count: products.count + 1)
    for (sold, count) in counts.enumerated() { eventStarts[Int(productOf[sold]) + 1] += count }
    for product in products.indices { eventStarts[product + 1] += eventStarts[product] }
    var next = eventStarts
    eventsOfClass = zip(productOf, counts).map { product, count in
      defer { next[Int(product)] += count }
      return next[Int(product)]..<next[Int(product)] + count
    }
    return eventsOfClass.map(\.lowerBound)
  }

  /// The class, quarter hour and number of the billable purchases that Spark counted, as far as the
  /// grid has them.
  func countedQuarters(_ book: MatchTable) -> [(sold: Int, (quarter: Int, count: Int64))] {
    zip(book.counts.sold, classOfCounted).compactMap { counted, sold in
      guard sold >= 0, let quarter = grid.quarter(counted.at) else { return nil }
      return (Int(sold), (quarter, counted.count))
    }
  }

  /// Finds the storefronts of which most units only stand there because no source tells theirs, and
  /// whether that is so of most units there are.
  private mutating func findAssumed(_ book: MatchTable) {
    let isSure = classes.map { $0.told.contains(.storefront) }
    if isSure.allSatisfy(\.self) { return }
    var counts = [Int64](repeating: 0, count: classes.count)
    for sold in classOf where sold >= 0 { counts[Int(sold)] += quantities[Int(sold)] }
    for (counted, sold) in zip(book.counts.sold, classOfCounted) where sold >= 0 {
      counts[Int(sold)] += quantities[Int(sold)] * counted.count
    }
    var units: [Storefront: (all: Int64, assumed: Int64)] = [:]
    let assumed = zip(counts, isSure).reduce(0) { $0 + ($1.1 ? 0 : $1.0) }
    isMostlyAssumed = 2 * assumed > counts.reduce(0, +)
    for (sold, count) in counts.enumerated() {
      guard let storefront = classes[sold].storefront else { continue }
      units[storefront, default: (0, 0)].all += count
      if !isSure[sold] { units[storefront]!.assumed += count }
    }
    assumedStorefronts = Set(units.filter { 2 * $0.value.assumed > $0.value.all }.keys)
  }

  /// Gives up the moments of sales, once it is known where days begin.
  mutating func giveUpEvents() {
    (events, eventStarts, eventsOfClass, classesOf) = ([], [], [], nil)
  }

  /// Prices at which the ledger has purchases of several seats: they are no tier's.
  func seatPrices(_ context: MatchingContext) -> Set<SeatPrice> {
    Set(
      classes.compactMap { sold in
        guard sold.told.contains(.price), let storefront = sold.storefront,
          let price = sold.unitPrice, context.isOfSeats(nil, sold.sku, sold.quantity)
        else { return nil }
        return SeatPrice(sku: sold.sku, storefront: storefront, price: price)
      })
  }

  /// The classes of a product, ascending.
  func classes(of product: Int) -> ArraySlice<Int32> {
    classesOf.flatMap { product < $0.numbers ? $0[product] : nil } ?? []
  }

  /// The sales of a class, in no order.
  func events(ofClass sold: Int) -> ArraySlice<Event> {
    guard sold < eventsOfClass.count else { return [] }
    return events[Int(eventsOfClass[sold].lowerBound)..<Int(eventsOfClass[sold].upperBound)]
  }

  /// The sales of a product, in no order.
  func events(of product: Int) -> ArraySlice<Event> {
    guard product + 1 < eventStarts.count else { return [] }
    return events[Int(eventStarts[product])..<Int(eventStarts[product + 1])]
  }
}

/// Classes of transactions that leave something for others to tell: by what they and their orders
/// say of money and the season of their accounting day, for all of which the same is told.
private struct CompletedClasses {
  private let grid: QuarterGrid
  private let seasonOf: [Int]
  private let seasonCount: Int
  private var pairs = PairTable()
  /// By place; -1 where none was found out yet.
  var classes: [Int32] = []

  /// Finds the season of each quarter hour; no class is known yet.
  ///
  /// - Parameter zone: that of accounting days.
  init(_ grid: QuarterGrid, _ zone: Zone, _ seasons: Seasons) {
    self.grid = grid
    seasonOf = (0..<grid.count).map { seasons.season(of: zone.day(of: grid.moment($0))) }
    seasonCount = seasons.count
  }

  /// The index in `classes` that a transaction shares with all that say the same of money, by
  /// themselves and by their orders, in the same season; nil where it was bought outside the grid.
  ///
  /// - Parameters:
  ///   - transaction: its index in the table.
  ///   - money: numbers for what terms say of money.
  mutating func place(
    of transaction: Int, _ book: MatchTable, _ money: MoneyNumbers
  ) -> Int? {
    let entry = book.transactions[transaction]
    guard let quarter = grid.quarter(entry.purchasedAt) else { return nil }
    let order = book.owningOrder(of: transaction).map {
      money.orders[Int(book.orders[$0].terms)] + 1
    }
    // Without an order what the chain began with is asked.
    let begun = book.chains.original(of: transaction).map {
      Int32.min + money.transactions[Int(book.transactions[$0].terms)]
    }
    let code = order.map { book.renewsOffer(transaction) ? -1 - $0 : $0 } ?? begun ?? 0
    // An order that was traced back tells the same with less certainty.
    let own = money.transactions[Int(entry.terms)]
    let terms = book.isTraced(transaction) ? -2 - own : own
    let number = pairs.number(terms, code)
    if number * seasonCount == classes.count {
      classes += Array(repeating: -1, count: seasonCount)
    }
    return number * seasonCount + seasonOf[quarter]
  }
}
