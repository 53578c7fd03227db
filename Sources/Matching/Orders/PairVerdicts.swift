import Billing
import Pricing

/// Verdicts by pair of what terms say, each reached once; by day only where the catalogue or a tier
/// changes in the period.
struct PairVerdicts {
  private let context: MatchingContext
  private let orders: AlikeTerms<OrderMarks>
  private let transactions: AlikeTerms<TransactionMarks>
  private let dayCount: Int
  private var steady: SteadyTerms
  private var pairs = PairTable()
  private var verdicts: [PairVerdict] = []
  /// Per verdict the first terms that it was reached on, and how many pairs of the period have it.
  private(set) var judged: [(order: Int32, transaction: Int32)] = []
  private(set) var counts: [Int] = []
  /// Where the days of a pair begin in `byDay`, or -1 where its verdict holds on all of them.
  private var places: [Int32] = []
  private var byDay: [PairVerdict?] = []

  /// Prepares the terms of a table; each verdict is reached when it is first asked for.
  init(_ table: MatchTable, _ context: MatchingContext) {
    self.context = context
    var texts = TextNumbers()
    orders = AlikeTerms(table.orderTerms.lazy.map { OrderMarks($0, &texts) })
    let otherApps = table.termsOfOtherApps()
    transactions = AlikeTerms(
      zip(table.transactionTerms, otherApps).lazy.map {
        TransactionMarks($0, isOtherApp: $1, &texts, context)
      })
    dayCount = context.period.dayCount
    steady = SteadyTerms(context, orderTerms: table.orderTerms.count)
  }

  /// What the terms of an order and its transaction say about each other on a day.
  ///
  /// - Parameters:
  ///   - orderTerms, transactionTerms: indexes of the terms.
  ///   - day: of the purchase, counted in the period from 0; -1 where prices and coins do not
  ///     matter.
  mutating func verdict(
    _ orderTerms: Int32, _ transactionTerms: Int32, day: Int, in table: MatchTable
  ) -> PairVerdict {
    let number = pairs.number(
      orders.place(of: orderTerms), transactions.place(of: transactionTerms))
    if number == verdicts.count { judge(orderTerms, transactionTerms, in: table) }
    if day < 0 { return verdicts[number].subtracting([.offTier, .coinsDiffer]) }
    counts[number] += 1
    if places[number] < 0 { return verdicts[number] }
    let place = Int(places[number]) + day
    if let known = byDay[place] { return known }
    var verdict = verdicts[number]
    let order = table.orderTerms[Int(orderTerms)]
    let date = context.period.first.advanced(by: day)
    if verdict.contains(.tierComparable),
      context.tierUnlike(order, table.transactionTerms[Int(transactionTerms)], on: date) != nil
    {
      verdict.insert(.offTier)
    }
    if verdict.contains(.coinsComparable), context.coinsUnlike(order, on: date) != nil {
      verdict.insert(.coinsDiffer)
    }
    byDay[place] = verdict
    return verdict
  }

  /// Reaches and stores the verdict on a pair of terms, by their indexes, that was not met before;
  /// where the catalogue or a tier changes, with room for one of each day.
  private mutating func judge(_ orderTerms: Int32, _ transactionTerms: Int32, in table: MatchTable)
  {
    let (order, transaction) = (
      orders.marks(of: orderTerms), transactions.marks(of: transactionTerms)
    )
    var verdict = PairVerdict(order, transaction)
    var isSteady = true
    if verdict.contains(.tierComparable) {
      switch steady.tier(
        sku: order.sku == transaction.plainSKU
          ? (transaction.sku, table.transactionTerms[Int(transactionTerms)].sku)
          : (order.sku, table.orderTerms[Int(orderTerms)].sku),
        transaction.storefront ?? order.storefront)
      {
      case .none: break
      case .price(let price, let currency):
        if price != order.unitPrice || (order.currency != nil && order.currency != currency) {
          verdict.insert(.offTier)
        }
      case .changing: isSteady = false
      }
    }
    if verdict.contains(.coinsComparable) {
      switch steady.coins(of: orderTerms, in: table) {
      case .fit: break
      case .differ: verdict.insert(.coinsDiffer)
      default: isSteady = false
      }
    }
    if !isSteady { verdict.subtract([.offTier, .coinsDiffer]) }
    verdicts.append(verdict)
    judged.append((orderTerms, transactionTerms))
    counts.append(0)
    places.append(isSteady ? -1 : Int32(byDay.count))
    if !isSteady { byDay += Array(repeating: nil, count: dayCount) }
  }
}

/// Terms by what they say in a pair: versions and devices make many terms of few.
private struct AlikeTerms<Marks: Hashable> {
  /// Per terms their place in `marks`, which those that say the same share.
  private var places: [Int32] = []
  private var marks: [Marks] = []

  /// Puts terms that say the same together.
  ///
  /// - Parameter all: what each terms say, by their index.
  init(_ all: some Sequence<Marks>) {
    let count = all.underestimatedCount
    places.reserveCapacity(count)
    var known: [Marks: Int32] = Dictionary(minimumCapacity: count)
    for one in all {
      let next = Int32(marks.count)
      let place = known[one] ?? next
      if place == next {
        known[one] = next
        marks.append(one)
      }
      places.append(place)
    }
  }

  /// The place in `marks` of the terms at an index.
  func place(of terms: Int32) -> Int32 { places[Int(terms)] }

  /// What the terms at an index say in a pair.
  func marks(of terms: Int32) -> Marks { marks[Int(place(of: terms))] }
}

/// What the catalogue and the tiers say on every day of the period and its neighbours, looked up
/// once.
struct SteadyTerms {
  /// A tier's price; `changing` where it is not the same on all days.
  enum Tier {
    case none
    case price(Int64, Currency)
    case changing
  }

  /// Whether an order's coins are the catalogue's; `changing` where not the same holds on all days.
  enum Coins: UInt8 { case unknown, fit, differ, changing }

  private let context: MatchingContext
  private let days: ClosedRange<Day>
  private var alike = AlikeSKUs()
  /// Numbers of SKUs that the catalogue has alike, by the SKU's own.
  private var alikeOf: [Int32: Int32] = [:]
  private var products = PairTable()
  private var tiers: [Tier] = []
  /// Per order terms.
  private var coins: [Coins]

  /// Prepares lookups over the period and a day on either side; nothing is looked up yet.
  ///
  /// - Parameter orderTerms: how many terms of orders there are.
  init(_ context: MatchingContext, orderTerms: Int) {
    self.context = context
    // A tier is compared on the day before and the day after a purchase too.
    days = context.period.first.advanced(by: -1)...context.period.last.advanced(by: 1)
    coins = Array(repeating: .unknown, count: orderTerms)
  }

  /// The one price that a SKU's tier has in a storefront on all days of the period; `changing`
  /// where it has several, `none` without a storefront or a tier. Looked up once for all SKUs that
  /// the catalogue has alike.
  ///
  /// - Parameter sku: its number among the SKUs of terms, and its text.
  mutating func tier(sku: (number: Int32, text: String), _ storefront: Storefront?) -> Tier {
    guard let storefront else { return .none }
    let own = alikeOf[sku.number] ?? alike.number(of: sku.text, context)
    alikeOf[sku.number] = own
    let number = products.number(own, Int32(storefront.packed))
    if number == tiers.count { tiers.append(find(sku.text, storefront)) }
    return tiers[number]
  }

  /// Looks up the price of a SKU's tier in a storefront; `changing` where it is not the same on
  /// every day.
  private func find(_ sku: String, _ storefront: Storefront) -> Tier {
    guard context.catalogue.isSteady(sku, over: days) else { return .changing }
    guard let product = context.catalogue.product(sku, on: days.lowerBound) else { return .none }
    guard context.tiers.isSteady(product, in: storefront, over: days) else { return .changing }
    return context.tierPrice(sku: sku, storefront: storefront, on: days.lowerBound)
      .map { .price($0.price, $0.currency) } ?? .none
  }

  /// Whether the coins of the order terms at an index are the catalogue's on every day; looked up
  /// once.
  mutating func coins(of order: Int32, in table: MatchTable) -> Coins {
    if coins[Int(order)] == .unknown {
      let terms = table.orderTerms[Int(order)]
      coins[Int(order)] =
        !context.catalogue.isSteady(terms.sku, over: days)
        ? .changing : context.coinsUnlike(terms, on: days.lowerBound) == nil ? .fit : .differ
    }
    return coins[Int(order)]
  }
}
