import Billing

/// Names that the company's orders have for what Apple's transactions name otherwise, one to one:
/// that is a matter of names, and says nothing of what was delivered.
struct OwnNames {
  /// What orders and transactions both name.
  enum Subject { case product, app }

  /// A name of the orders, with Apple's.
  struct Pair: Hashable {
    var ours: String
    var theirs: String
  }

  /// How many purchases of the period have both names, by pair; only of the company's own names.
  private(set) var purchases: [Pair: Int]

  /// Finds the names of the orders that no name of Apple's is and that nearly always stand beside
  /// the same name of Apple's, as this stands beside them.
  ///
  /// - Parameters:
  ///   - met: how many purchases have both names, of all pairs of the period.
  ///   - known: Apple's names that are no own ones, wherever they stand.
  init(_ met: [Pair: Int], known: Set<String>) {
    var (ours, theirs): ([String: Int], [String: Int]) = ([:], [:])
    for (pair, count) in met {
      ours[pair.ours, default: 0] += count
      theirs[pair.theirs, default: 0] += count
    }
    purchases = met.filter { pair, count in
      let others = max(ours[pair.ours]!, theirs[pair.theirs]!) - count
      return !known.contains(pair.ours) && count >= Rules.fewestOfName
        && others * Rules.mostOfName <= count
    }
  }

  /// The own names with Apple's and the count of each, the most frequent first; of many the first.
  var wording: Wording {
    let sorted = purchases.sorted {
      ($1.value, $0.key.ours) < ($0.value, $1.key.ours)
    }
    let told = sorted.prefix(Rules.namedNames).map { pair, count in
      """
      @order.own-name \(Wording(verbatim: pair.ours)) \(Wording(verbatim: pair.theirs)) \(count)
      """ as Wording
    }.joined(separator: "@shared.list-mark")
    let more = sorted.count - Rules.namedNames
    return more > 0 ? "@shared.and-more-2 \(told) \(more)" : told
  }
}

extension OrderTieOut {
  /// Judges pairs whose names differ: those with names of the company's own in one finding, and all
  /// else in them as of any pair; the others one by one.
  ///
  /// - Parameters:
  ///   - pairs: in the order of their transactions.
  ///   - verdicts: with all pairs of the period.
  mutating func judgeUnlikeNames(_ pairs: [Pair], _ verdicts: PairVerdicts) {
    if pairs.isEmpty { return }
    let skus = verdicts.met(in: table, .product)
    let products = OwnNames(skus, known: appleSKUs(skus))
    let apps = OwnNames(verdicts.met(in: table, .app), known: appleApps)
    var (ofProducts, ofApps): ([Pair], [Pair]) = ([], [])
    for pair in pairs {
      var pair = pair
      if pair.verdict.contains(.skuDiffers),
        products.purchases[names(of: pair, .product)] != nil
      {
        ofProducts.append(pair)
        pair.verdict.remove(.skuDiffers)
      }
      if pair.verdict.contains(.orderOfOtherBundle), !pair.verdict.contains(.bundleDiffers),
        apps.purchases[names(of: pair, .app)] != nil
      {
        ofApps.append(pair)
        pair.verdict.remove(.orderOfOtherBundle)
      }
      judgeSale(pair)
    }
    addOwnNames(.productMismatch, ofProducts, products)
    addOwnNames(.bundleMismatch, ofApps, apps)
  }

  /// What order and transaction of a pair call their product or their app.
  private func names(of pair: Pair, _ subject: OwnNames.Subject) -> OwnNames.Pair {
    subject.names(
      table.orderTerms[Int(table.orders[pair.order].terms)],
      table.transactionTerms[Int(table.transactions[pair.transaction].terms)])
  }

  /// SKUs that are Apple's: those of transactions and reports, and those of the catalogue, unless
  /// this has only the company's own name of a product.
  ///
  /// - Parameter met: pairs of names of the period.
  private func appleSKUs(_ met: [OwnNames.Pair: Int]) -> Set<String> {
    var known = Set(table.transactionTerms.map { AppProduct($0.sku).sku })
    known.formUnion((reports?.facts.salesProducts ?? []).map { AppProduct($0.sku).sku })
    for pair in met.keys
    where context.catalogue.contains(pair.ours) && context.catalogue.contains(pair.theirs) {
      known.insert(pair.ours)
    }
    return known
  }

  /// Bundles that are Apple's names of apps: those of transactions, and the company's own.
  private var appleApps: Set<String> {
    Set(table.transactionTerms.map(\.bundleID)).union(context.settings.bundleIDs)
      .union(context.catalogue.bundleIDs)
  }

  /// Adds one finding of all purchases whose order has a name of the company's own.
  private mutating func addOwnNames(_ code: FindingCode, _ pairs: [Pair], _ names: OwnNames) {
    guard let first = names.purchases.keys.min(by: { $0.ours < $1.ours }), !pairs.isEmpty
    else { return }
    let named = pairs.prefix(Rules.namedRows)
    let isProduct = code == .productMismatch
    var finding = UnresolvedFinding(
      code,
      day: pairs.compactMap { dayInPeriod(table.transactions[$0.transaction].purchasedAt) }
        .min(),
      units: pairs.reduce(0) { $0 + Int64(effective($1.transaction).quantity) },
      orders: named.flatMap { table.rows(ofOrder: $0.order) }.sorted(),
      transactions: named.flatMap { table.rows(ofTransaction: $0.transaction) }.sorted(),
      explanation: isProduct
        ? "@product-mismatch.own-names \(pairs.count) \(names.wording)"
        : "@bundle-mismatch.own-names \(pairs.count) \(names.wording)")
    let (ours, theirs) = (Wording(verbatim: first.ours), Wording(verbatim: first.theirs))
    finding.action =
      isProduct
      ? "@product-mismatch.map-own-names \(theirs) \(ours)"
      : "@bundle-mismatch.map-own-names \(theirs) \(ours)"
    finding.severity = .warning
    add(finding)
  }
}

extension OwnNames.Subject {
  /// What the terms of an order and of a transaction call it.
  func names(_ order: OrderTerms, _ transaction: TransactionTerms) -> OwnNames.Pair {
    switch self {
    case .product:
      OwnNames.Pair(ours: AppProduct(order.sku).sku, theirs: AppProduct(transaction.sku).sku)
    case .app: OwnNames.Pair(ours: order.bundleID, theirs: transaction.bundleID)
    }
  }
}

extension PairVerdicts {
  /// How many purchases have both names, of the period and of those that were counted elsewhere;
  /// without those of which a side tells none.
  func met(in table: MatchTable, _ subject: OwnNames.Subject) -> [OwnNames.Pair: Int] {
    var met: [OwnNames.Pair: Int] = [:]
    /// Adds so many purchases with the terms at these indexes.
    func add(_ order: Int32, _ transaction: Int32, _ count: Int) {
      let pair = subject.names(
        table.orderTerms[Int(order)], table.transactionTerms[Int(transaction)])
      if !pair.ours.isEmpty, !pair.theirs.isEmpty { met[pair, default: 0] += count }
    }
    for (terms, count) in zip(judged, counts) where count > 0 {
      add(terms.order, terms.transaction, count)
    }
    for sold in table.counts.sold { add(sold.order, sold.transaction, Int(sold.count)) }
    return met
  }
}
