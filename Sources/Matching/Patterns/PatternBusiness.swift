import Billing
import Conclusions

/// All business of the period, counted where a pattern asks for it.
struct PatternBusiness {
  let table: MatchTable
  private let reports: SalesReports
  let context: MatchingContext
  private let orderFiles: [RowFile<OrderRow>]
  private let transactionFiles: [RowFile<TransactionRow>]
  /// Of the rows beside those that were counted elsewhere.
  private let countedFiles: [InputKind: String]
  /// What the company's log says; nil where none is loaded.
  private(set) var events: EventBusiness?
  /// Orders of the period by user.
  var ordersByUser: [String: Int] = [:]

  /// What causes found before lie in, of each base.
  var leftOut: [Pattern.Base: LeftOut] = [:]
  /// Orders, refunds and transactions, without what is left out and with it.
  private var countsOfBase: [Pattern.Base: BusinessCounts] = [:]
  private var whole: [Pattern.Base: BusinessCounts] = [:]
  private var sales: ReportCounts?
  private var refunds: ReportCounts?
  private var hasDevices = false
  /// Rows by value, and all rows that tell one.
  private var told: [Told: (counts: [String: Int], total: Int)] = [:]
  /// Whether orders tell versions; else the receipts of their transactions do.
  private let ordersTellVersions: Bool

  private struct Told: Hashable {
    var dimension: Pattern.Dimension
    var base: Pattern.Base
  }

  /// Prepares to look at the period's business; nothing of it is gone through before it is asked
  /// for.
  ///
  /// - Parameters:
  ///   - orderFiles: ascending by first row, as the files of transactions.
  ///   - countedFiles: by kind, the files that purchases which Spark counted are added to; empty
  ///     where it counted none.
  ///   - events: what the company's log says; nil where none is loaded.
  init(
    _ table: MatchTable, _ reports: SalesReports, orderFiles: [RowFile<OrderRow>],
    transactionFiles: [RowFile<TransactionRow>], countedFiles: [InputKind: String],
    events: EventBusiness?, _ context: MatchingContext
  ) {
    self.countedFiles = countedFiles
    self.events = events
    self.table = table
    self.reports = reports
    self.context = context
    self.orderFiles = orderFiles
    self.transactionFiles = transactionFiles
    ordersTellVersions = table.orderTerms.contains { !$0.appVersion.isEmpty }
  }

  /// How the orders, the refunds or, for any other base, the transactions of the period divide,
  /// without what is left out.
  mutating func counts(of base: Pattern.Base) -> BusinessCounts {
    let side = base == .orders || base == .refunds ? base : .transactions
    if let known = countsOfBase[side] { return known }
    let counts = leftOut[side].map { count(side, leaving: $0, of: whole(side)) } ?? whole(side)
    countsOfBase[side] = counts
    return counts
  }

  /// How the orders, the refunds or, for any other side, the transactions of the period divide if
  /// nothing is left out.
  private mutating func whole(_ side: Pattern.Base) -> BusinessCounts {
    let counts = whole[side] ?? count(side, leaving: LeftOut(), of: nil)
    whole[side] = counts
    return counts
  }

  /// How the orders, the refunds or, for any other side, the transactions of the period divide,
  /// without what is left out.
  ///
  /// - Parameter whole: how they divide if nothing is left out; nil where nothing is.
  private func count(
    _ side: Pattern.Base, leaving leftOut: LeftOut, of whole: BusinessCounts?
  ) -> BusinessCounts {
    switch side {
    case .orders:
      BusinessCounts(
        orders: table, files: orderFiles, countedFile: countedFiles[.orders], leaving: leftOut,
        of: whole, context)
    case .refunds:
      BusinessCounts(
        refunds: table, files: transactionFiles, leaving: leftOut, of: whole, context)
    default:
      BusinessCounts(
        transactions: table, files: transactionFiles, countedFile: countedFiles[.transactions],
        leaving: leftOut, of: whole, context)
    }
  }

  /// How the units that Apple reports divide, sales or refunds, whichever a code is about.
  mutating func reported(_ code: FindingCode) -> ReportCounts {
    if code == .refundNotInLedger || code == .refundNotInReport {
      let counts = refunds ?? ReportCounts(reports, refunds: true)
      refunds = counts
      return counts
    }
    let counts = sales ?? ReportCounts(reports, refunds: false)
    sales = counts
    return counts
  }

  /// The part of all orders without findings that some users placed; nil where it is not known how
  /// many one of them placed.
  ///
  /// - Parameters:
  ///   - hits: findings of theirs, of `all`.
  ///   - base: what the findings are about: unless that is orders, no order is left out for having
  ///     one.
  mutating func share(
    ofUsers users: [String], hits: Int, of all: Int, _ base: Pattern.Base
  ) -> Double? {
    var rows = 0
    for user in users {
      guard let placed = ordersByUser[user] else { return nil }
      rows += placed
    }
    let isAmongOrders = base == .orders
    return counts(of: .orders).share(
      rows, without: isAmongOrders ? hits : 0, of: isAmongOrders ? all : 0)
  }

  /// How many orders the period has, and so how many users at most.
  mutating func orderCount() -> Int { counts(of: .orders).total }

  /// The part of all business without findings that has a value; of storefronts and products at
  /// least an even share of all values. Nil where nothing tells it.
  ///
  /// - Parameters:
  ///   - code: the code of the findings.
  ///   - base: what the findings are about.
  ///   - hits: findings that have the value, of `all`; zero where they are not known.
  mutating func share(
    _ dimension: Pattern.Dimension, _ value: String, of code: FindingCode, _ base: Pattern.Base,
    hits: Int = 0, of all: Int = 0
  ) -> Double? {
    if code.level == 2 { return reportedShare(dimension, value, of: code) }
    if value == EventBusiness.unfailed { return nil }
    let key = Told(dimension: dimension, base: side(dimension, base))
    if told[key] == nil { told[key] = count(key) }
    let known = told[key]!
    guard known.total > 0 else { return nil }
    let share =
      Double(max((known.counts[value] ?? 0) - hits, 0) + 1) / Double(max(known.total - all, 0) + 1)
    // Errors may fall on storefronts and products evenly instead of by their sales.
    let isEven = dimension == .storefront || dimension == .product
    return isEven ? max(share, 1 / Double(known.counts.count)) : share
  }

  /// The part of all business without findings that has a value, as it is told. Unlike `share` it
  /// may be zero, and less than an even share of all values; nil where nothing tells it.
  ///
  /// - Parameters:
  ///   - base: what the findings are about.
  ///   - hits: findings that have the value, of `all`.
  mutating func toldShare(
    _ dimension: Pattern.Dimension, _ value: String, of code: FindingCode, _ base: Pattern.Base,
    hits: Int = 0, of all: Int = 0
  ) -> Double? {
    if code.level == 2 {
      let counts = reported(code)
      let rows = base == .rows
      return switch dimension {
      case .storefront: ReportCounts.part(of: value, in: counts.storefronts, rows: rows)
      case .product: ReportCounts.part(of: value, in: counts.products, rows: rows)
      case .device: ReportCounts.part(of: value, in: counts.devices, rows: rows)
      default: nil
      }
    }
    let key = Told(dimension: dimension, base: side(dimension, base))
    if told[key] == nil { told[key] = count(key) }
    let known = told[key]!
    guard known.total > all else { return nil }
    return Double(max((known.counts[value] ?? 0) - hits, 0)) / Double(known.total - all)
  }

  /// How the rows of a base divide over the values of a dimension: rows by value, and how many tell
  /// any.
  private mutating func count(_ key: Told) -> (counts: [String: Int], total: Int) {
    if key.base == .ordersWithEvents || key.base == .transactionsWithEvents {
      let counts = events?.counts(key.dimension, key.base) ?? EventBusiness.Counts()
      return (counts.counts, counts.total)
    }
    let counts = counts(of: key.base)
    let byValue =
      key.dimension == .file
      ? counts.byFile
      : counts.counts(texts(key.dimension, key.base))
    return (byValue, byValue.values.reduce(0, +))
  }

  /// What the terms of a base tell of a dimension, by the number of the terms.
  func texts(_ dimension: Pattern.Dimension, _ base: Pattern.Base) -> [String] {
    base == .orders
      ? table.orderTerms.map { Self.text(dimension, $0) }
      : table.transactionTerms.map { Self.text(dimension, $0) }
  }

  /// Forgets how a base divides, so that it is found again where it is asked for next.
  mutating func forgetCounts(of base: Pattern.Base) {
    told = told.filter { $0.key.base != base }
    countsOfBase[base == .orders || base == .refunds ? base : .transactions] = nil
  }

  /// The part of Apple's reported units or rows that has a value; nil where reports do not tell the
  /// dimension.
  private mutating func reportedShare(
    _ dimension: Pattern.Dimension, _ value: String, of code: FindingCode
  ) -> Double? {
    var counts = reported(code)
    switch dimension {
    case .storefront:
      return counts.share(counts.storefronts[value], among: counts.storefronts.count)
    case .product: return counts.share(counts.products[value], among: counts.products.count)
    case .device:
      if !hasDevices {
        counts.countDevices()
        sales = counts
        hasDevices = true
      }
      return counts.share(counts.devices[value], among: counts.devices.count)
    default: return nil
    }
  }

  /// What a finding's order, or else its transaction, tells of a dimension; empty for nothing.
  func text(
    _ dimension: Pattern.Dimension, order: Int?, transaction: Int?, _ base: Pattern.Base
  ) -> String {
    if side(dimension, base) == .orders {
      guard let order else { return "" }
      return Self.text(dimension, table.orderTerms[Int(table.orders[order].terms)])
    }
    guard let transaction else { return "" }
    return Self.text(
      dimension, table.transactionTerms[Int(table.transactions[transaction].terms)])
  }

  /// Which rows tell a dimension for findings about `base`: where only the company's log tells it,
  /// those with events; else mostly rows of `base` itself.
  func side(_ dimension: Pattern.Dimension, _ base: Pattern.Base) -> Pattern.Base {
    if events?.tells(dimension) == true, base == .orders || base == .transactions {
      return base == .orders ? .ordersWithEvents : .transactionsWithEvents
    }
    return switch dimension {
    case .appVersion where !ordersTellVersions: base == .orders ? .transactions : base
    // How many rows users have is counted among orders.
    case .user, .ring: .orders
    case .appVersion, .device: base == .refunds ? .orders : base
    default: base
    }
  }

  /// What the terms of an order tell of a dimension; empty for nothing.
  private static func text(_ dimension: Pattern.Dimension, _ terms: OrderTerms) -> String {
    switch dimension {
    case .appVersion: terms.appVersion
    case .device: terms.device
    case .storefront: terms.storefront?.code ?? ""
    case .product: terms.sku
    default: ""
    }
  }

  /// What the terms of a transaction tell of a dimension; empty for nothing.
  private static func text(_ dimension: Pattern.Dimension, _ terms: TransactionTerms) -> String {
    switch dimension {
    case .appVersion: terms.appVersion
    case .storefront: terms.storefront?.code ?? ""
    case .product: terms.sku
    default: ""
    }
  }
}
