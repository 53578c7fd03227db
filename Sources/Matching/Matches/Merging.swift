package import Billing

extension MatchTable {
  /// Merges further rows of the same order or transaction, and makes every exact match: by an
  /// order's `transaction_id` first, then by a transaction's own `order_id`, then by its receipt's.
  ///
  /// - Parameters:
  ///   - requiresSigned: whether what claims to be Apple's word counts only where it is signed.
  ///   - facts: their orders and transactions are given up.
  ///   - order: of the facts by their keys, where that is known; given up, too. Orders that wait
  ///     are put in step.
  ///   - keepsRows: whether rows can be had as they were read, orders in step, and the facts' order
  ///     is kept.
  ///   - repeatedIDs: as `known` of ``takeRepeatedIDs(from:known:)``.
  package init(
    taking facts: inout MonthFacts, catalogue: CatalogueBook, requiresSigned: Bool = false,
    order given: inout KeyOrder?, keepsRows: Bool, repeatedIDs: Set<IDKey>? = nil
  ) {
    var order = given.take() ?? KeyOrder(facts)
    self.init(taking: &facts, requiresSigned: requiresSigned, keepsChanges: keepsRows)
    merge(facts, catalogue, &order)
    if keepsRows { given = order }
    _ = consume order
    matchByTransactionID(repeated: repeatedIDs)
    matchByOrderID()
    matchByReceipts()
    // Nothing is looked up by key any more.
    ordersByKey = []
    transactionsByKey = []
  }

  /// Merges rows and makes every exact match, of facts that stay as they are: their rows are
  /// copied, and can be had as they were read. Parameters are those of the initializer that takes
  /// facts over, `init(taking:catalogue:…)`.
  package init(
    _ facts: MonthFacts, catalogue: CatalogueBook, requiresSigned: Bool = false,
    order: KeyOrder? = nil, repeatedIDs: Set<IDKey>? = nil
  ) {
    var (facts, order) = (facts, order)
    self.init(
      taking: &facts, catalogue: catalogue, requiresSigned: requiresSigned, order: &order,
      keepsRows: true, repeatedIDs: repeatedIDs)
  }

  /// Merges rows of the same order or transaction, sorts orders that wait for it by the
  /// transactions that they name, and finds chains and revocations.
  private mutating func merge(
    _ facts: MonthFacts, _ catalogue: CatalogueBook, _ order: inout KeyOrder
  ) {
    transactionsByKey = order.transactions
    if order.waits && !tellsSeveralApps {
      // Neither side needs the other yet.
      let waiting = MovedValue((order.move(), orders))
      orders = []
      (_, (order, orders)) = inTwoThreads(
        { mergeTransactions(facts, catalogue) },
        {
          var (order, orders) = waiting.take()
          order.sortByTransaction(&orders)
          return (order, orders)
        })
      ordersByKey = order.orders
    } else {
      order.sortByTransaction(&orders)
      ordersByKey = order.orders
      if tellsSeveralApps, tellOrdersOfAppsApart() {
        let orders = orders
        ordersByKey = sortedByKey(count: orders.count) { orders[$0].key.raw }
      }
      mergeTransactions(facts, catalogue)
    }
    named = order.named
    mergeOrders()
    isApple = orderTerms.map(\.isApple)
    carryRevocationsOfRestores()
  }

  /// Notes when rows were observed, merges rows of the same transaction, and finds the chains.
  private mutating func mergeTransactions(_ facts: MonthFacts, _ catalogue: CatalogueBook) {
    observedAt = takeObservations(facts.observations)
    mergeTransactions()
    chains = Chains(details: facts.chainDetails, of: self, catalogue: catalogue)
    keptOf = []
  }

  /// Merges rows of the same order into the one with the furthest status.
  private mutating func mergeOrders() {
    var merged: [(row: OrderRow.ID, kept: Int32)] = []
    for run in runs(of: ordersByKey) {
      let ranked = run.map { Int(ordersByKey[$0].index) }.sorted { isFurther($0, $1) }
      let kept = ranked[0]
      for other in ranked.dropFirst() {
        fill(order: kept, from: other)
        markMerged(order: other)
        merged.append((orders[other].row, Int32(kept)))
      }
    }
    mergedOrders = FurtherRows(merged, of: orders.count)
  }

  /// Whether one row of an order is kept rather than another, by position: descending by status,
  /// then by facts only, so that the order of import decides nothing.
  private func isFurther(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (orders[left], orders[right])
    let (s, t) = (orderTerms[Int(a.terms)], orderTerms[Int(b.terms)])
    if s.status != t.status { return s.status > t.status }
    if a.fulfilledAt != b.fulfilledAt { return a.fulfilledAt > b.fulfilledAt }
    if a.transaction != b.transaction { return a.transaction > b.transaction }
    if a.placedAt != b.placedAt { return a.placedAt < b.placedAt }
    return t.precedes(s)
  }

  /// Fills what the kept row of an order lacks with what another row of it says.
  private mutating func fill(order kept: Int, from other: Int) {
    let read = orders[kept]
    defer { note(read, at: kept) }
    if orders[kept].transaction.isNone, !orders[other].transaction.isNone {
      orders[kept].transaction = orders[other].transaction
    }
    if orders[kept].fulfilledAt == 0 { orders[kept].fulfilledAt = orders[other].fulfilledAt }
    if orders[kept].terms == orders[other].terms { return }
    var terms = orderTerms[Int(orders[kept].terms)]
    let more = orderTerms[Int(orders[other].terms)]
    let before = terms
    if terms.unitPrice == nil, more.unitPrice != nil {
      terms.unitPrice = more.unitPrice
      terms.currency = terms.currency ?? more.currency
    }
    terms.storefront = terms.storefront ?? more.storefront
    if terms.saidQuantity == 0 { terms.saidQuantity = more.saidQuantity }
    terms.coins = terms.coins ?? more.coins
    if terms.bundleID.isEmpty { terms.bundleID = more.bundleID }
    if AppProduct(more.sku).sku == terms.sku { terms.sku = more.sku }
    if terms.channel.isEmpty { terms.channel = more.channel }
    if terms.coin.isEmpty { terms.coin = more.coin }
    if terms.appVersion.isEmpty { terms.appVersion = more.appVersion }
    if terms.device.isEmpty { terms.device = more.device }
    if terms != before { orders[kept].terms = Self.code(of: terms, in: &orderTerms) }
  }

  /// Returns when each transaction was observed, empty where Apple told none; the orders that
  /// receipts name become offers, which match by another rule than a transaction's own order.
  private mutating func takeObservations(_ observations: [TransactionObservation]) -> [UInt32] {
    if observations.isEmpty { return [] }
    let (observedAt, offered) = observed(observations)
    offers = offered
    // Only now that nothing else holds the list, which would be copied.
    for offer in offers {
      let position = Int(offer.transaction)
      let before = transactions[position]
      transactions[position].order = .none
      note(before, at: position)
    }
    return observedAt
  }

  /// For each transaction when it was observed, in seconds since 1970, 0 where not told; and the
  /// orders that receipts name.
  private func observed(
    _ observations: [TransactionObservation]
  ) -> (at: [UInt32], offers: [ReceiptOffer]) {
    var observedAt = [UInt32](repeating: 0, count: transactions.count)
    var offers: [ReceiptOffer] = []
    offers.reserveCapacity(observations.count)
    var rows = RowPositions(transactions)
    for observation in observations {
      guard let position = rows.position(of: observation.row) else { continue }
      observedAt[position] = observation.at
      if observation.receiptSize > 0, !transactions[position].order.isNone {
        offers.append(
          ReceiptOffer(
            transaction: Int32(position), order: transactions[position].order,
            receivedAt: observation.at, receiptSize: observation.receiptSize))
      }
    }
    return (observedAt, offers)
  }

  /// Merges the rows of each transaction: the strongest source counts, of equal ones the latest;
  /// the others add what it lacks, a revocation once seen stays unless it is told against a signed
  /// row by unsigned ones alone, and what they tell differently is a contradiction.
  private mutating func mergeTransactions() {
    var filled = FilledTermsBook()
    let strengths = transactionTerms.map { strength($0.factSource) }
    let tellRevocations = transactionTerms.map { Revocation.isTold(by: $0) }
    var ranked: [Int] = []
    for run in runs(of: transactionsByKey) {
      // Room that is not used costs nothing, and a list that grows is written twice.
      if mergedInto.isEmpty { mergedInto.reserveCapacity(transactions.count) }
      rank(run, strengths, &ranked)
      let kept = ranked[0]
      let before = transactions[kept]
      var differing: Contradicted = []
      // Most runs have none.
      let tellsRevocation = ranked.contains {
        transactions[$0].revokedAt != 0 || tellRevocations[Int(transactions[$0].terms)]
      }
      let revocation = tellsRevocation ? Revocation(told: ranked, self) : nil
      for other in ranked.dropFirst() {
        if adds(other, to: kept) {
          differing.formUnion(fill(transaction: kept, from: other, &filled))
        } else if transactions[kept].order.isNone {
          // Which order it came in with is the company's own word.
          transactions[kept].order = transactions[other].order
        }
        markMerged(transaction: other)
        mergedInto.append((Int32(other), Int32(kept)))
      }
      if let revocation { put(revocation, on: kept) }
      note(before, at: kept)
      if let refused = revocation?.refused { addRefused(refused, on: kept, ranked) }
      if !differing.isEmpty {
        contradictions.append(
          Contradiction(
            transaction: Int32(kept), orders: [], rows: ranked.map { transactions[$0].row },
            what: """
              @match.its-sources-disagree \(differing.wordings.joined(separator: ", ")) \
              \(factSource(of: kept).wording)
              """))
      }
    }
    if mergedInto.isEmpty { return }
    mergedTransactions = FurtherRows(
      mergedInto.map { (transactions[Int($0.other)].row, $0.kept) }, of: transactions.count)
    keptOf = keptPositions()
    for index in offers.indices {
      offers[index].transaction = keptOf[Int(offers[index].transaction)]
    }
  }

  /// For each row of a transaction the position of the row that is kept of it.
  private func keptPositions() -> [Int32] {
    var kept = [Int32](repeating: 0, count: transactions.count)
    for position in kept.indices { kept[position] = Int32(position) }
    for merged in mergedInto { kept[Int(merged.other)] = merged.kept }
    return kept
  }

  /// The source of the row that is kept of a transaction.
  package func factSource(of transaction: Int) -> FactSource {
    transactionTerms[Int(transactions[transaction].terms)].factSource
  }

  /// How strong a source is, as a number that is greater for a stronger one; where signatures are
  /// required, what only claims to be Apple's word is weaker than the company's own.
  package func strength(_ source: FactSource) -> UInt8 {
    requiresSigned && source.isUnprovenClaim
      ? source.rawValue : source.rawValue + UInt8(FactSource.allCases.count)
  }

  /// Whether a row may add to the one that is kept, by their positions: where signatures are
  /// required, an unproven claim adds to nothing but another one.
  func adds(_ other: Int, to kept: Int) -> Bool {
    !requiresSigned || factSource(of: kept).isUnprovenClaim
      || !factSource(of: other).isUnprovenClaim
  }

  /// Notes the contradiction that unsigned rows alone say that a signed transaction was revoked.
  ///
  /// - Parameters:
  ///   - refused: the position of the unsigned row that says so.
  ///   - kept: the position of the transaction's kept row.
  ///   - positions: of rows that tell of the transaction.
  mutating func addRefused(_ refused: Int, on kept: Int, _ positions: [Int]) {
    let revokedAt = transactions[refused].revokedAt
    let source = factSource(of: refused)
    contradictions.append(
      Contradiction(
        transaction: Int32(kept), orders: [], rows: positions.map { transactions[$0].row },
        what: """
          @match.says-that-apple-revoked \(source.wording) \(Instant(seconds: Int64(revokedAt)))
          """, revokedAt: revokedAt, refusedSource: source))
  }

  /// Sets `ranked` to the positions of the rows of one transaction id, the strongest first. Most
  /// have so few that `sort` with its closure would cost more than insertion.
  ///
  /// - Parameters:
  ///   - run: their places in `transactionsByKey`.
  ///   - strengths: per transaction terms.
  private func rank(_ run: Range<Int>, _ strengths: [UInt8], _ ranked: inout [Int]) {
    ranked.removeAll(keepingCapacity: true)
    for place in run { ranked.append(Int(transactionsByKey[place].index)) }
    if run.count > 8 { return ranked.sort { isStronger($0, $1, strengths) } }
    for place in ranked.indices.dropFirst() {
      var hole = place
      while hole > 0, isStronger(ranked[hole], ranked[hole - 1], strengths) {
        ranked.swapAt(hole, hole - 1)
        hole -= 1
      }
    }
  }

  /// Whether one row of a transaction is kept rather than another, by position: descending by
  /// strength and time of observation, then by facts only, so that the order of import decides
  /// nothing.
  ///
  /// - Parameter strengths: of sources, per transaction terms.
  private func isStronger(_ left: Int, _ right: Int, _ strengths: [UInt8]) -> Bool {
    let (a, b) = (transactions[left], transactions[right])
    let (s, t) = (strengths[Int(a.terms)], strengths[Int(b.terms)])
    if s != t { return s > t }
    if !observedAt.isEmpty, observedAt[left] != observedAt[right] {
      return observedAt[left] > observedAt[right]
    }
    if a.purchasedAt != b.purchasedAt { return a.purchasedAt < b.purchasedAt }
    if a.order != b.order { return a.order > b.order }
    if a.revokedAt != b.revokedAt {
      return a.revokedAt != 0 && (b.revokedAt == 0 || a.revokedAt < b.revokedAt)
    }
    return a.terms != b.terms
      && transactionTerms[Int(a.terms)].precedes(transactionTerms[Int(b.terms)])
  }

  /// Fills what the kept row of a transaction lacks with what another row says; returns what the
  /// two tell differently.
  ///
  /// - Parameter filled: what each pair of terms became; a pair that is new is added.
  private mutating func fill(
    transaction kept: Int, from other: Int, _ filled: inout FilledTermsBook
  ) -> Contradicted {
    var differing: Contradicted = []
    let (mine, theirs) = (transactions[kept], transactions[other])
    if abs(Int64(mine.purchasedAt) - Int64(theirs.purchasedAt)) > Rules.roundingOfTimes {
      differing.insert(.purchaseTimes)
    }
    if mine.order.isNone {
      transactions[kept].order = theirs.order
    } else if !theirs.order.isNone, theirs.order != mine.order {
      differing.insert(.orders)
    }
    if mine.terms == theirs.terms { return differing }
    let known = filled.terms(mine.terms, filledFrom: theirs.terms, in: &transactionTerms)
    transactions[kept].terms = known.terms
    return differing.union(known.differing)
  }

  /// The index of a merged row's terms among all, to which they are added where they are not among
  /// the last 64. Merged rows of one export lack the same columns, so their terms are often the
  /// last that were added.
  static func code<Terms: Equatable>(of terms: Terms, in all: inout [Terms]) -> Int32 {
    if let known = all.suffix(64).lastIndex(of: terms) { return Int32(known) }
    all.append(terms)
    return Int32(all.count - 1)
  }
}

/// What pairs of terms become when the one fills the other. Each pair is filled once, and what
/// several pairs become is one: there are as many pairs as versions and sources, and what they come
/// to is what the company's own rows say.
struct FilledTermsBook: Sendable {
  private var pairs = PairTable()
  private var filled: [FilledTerms] = []
  /// By their hashes, or the next free number, where filled terms stand: they are large.
  private var codes: [Int: Int32] = [:]

  /// What terms become when others fill what they lack, both given by index in `all`.
  ///
  /// - Parameter all: of the table; filled terms that are new are appended.
  fileprivate mutating func terms(
    _ kept: Int32, filledFrom other: Int32, in all: inout [TransactionTerms]
  ) -> FilledTerms {
    let number = pairs.number(kept, other)
    if number < filled.count { return filled[number] }
    var terms = all[Int(kept)]
    let differing = terms.fill(from: all[Int(other)])
    var code = kept
    if terms != all[Int(kept)] { code = self.code(of: terms, in: &all) }
    filled.append(FilledTerms(terms: code, differing: differing))
    return filled[number]
  }

  /// The index of filled terms among all, to which they are added where they are new.
  private mutating func code(
    of terms: TransactionTerms, in all: inout [TransactionTerms]
  ) -> Int32 {
    var hash = terms.hashValue
    while let known = codes[hash] {
      if all[Int(known)] == terms { return known }
      hash &+= 1
    }
    codes[hash] = Int32(all.count)
    all.append(terms)
    return Int32(all.count - 1)
  }
}

/// What the kept terms are with what the others add, and what the two tell differently.
struct FilledTerms: Sendable {
  fileprivate var terms: Int32
  fileprivate var differing: Contradicted
}

/// What sources may tell differently of one transaction.
private struct Contradicted: OptionSet {
  let rawValue: UInt8
  static let skus = Contradicted(rawValue: 1)
  static let bundles = Contradicted(rawValue: 2)
  static let orders = Contradicted(rawValue: 4)
  static let prices = Contradicted(rawValue: 8)
  static let purchaseTimes = Contradicted(rawValue: 16)

  /// What differs, in the order of their English names.
  var wordings: [Wording] {
    let all: [(Contradicted, Wording)] = [
      (.skus, "@match.skus"), (.bundles, "@match.bundles"), (.orders, "@shared.orders"),
      (.prices, "@shared.prices"),
      (.purchaseTimes, "@match.purchase-times"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

extension TransactionTerms {
  /// Fills what these terms lack with what others say; returns what the two tell differently.
  fileprivate mutating func fill(from more: TransactionTerms) -> Contradicted {
    var differing: Contradicted = []
    if !AppProduct.mayBeSame(sku, more.sku) { differing.insert(.skus) }
    if AppProduct(more.sku).sku == sku { sku = more.sku }
    // A word comes with the field that it stands in.
    if unknownWords.isEmpty, ownership == nil || environment == nil || kind == nil {
      unknownWords = more.unknownWords
    }
    isComponent = isComponent || more.isComponent
    if bundleID.isEmpty {
      bundleID = more.bundleID
    } else if !more.bundleID.isEmpty, more.bundleID != bundleID {
      differing.insert(.bundles)
    }
    if unitPrice == nil {
      unitPrice = more.unitPrice
      currency = currency ?? more.currency
    } else if let price = more.unitPrice,
      price != unitPrice || (more.currency ?? currency) != (currency ?? more.currency)
    {
      differing.insert(.prices)
    }
    currency = currency ?? more.currency
    storefront = storefront ?? more.storefront
    if saidQuantity == 0 { saidQuantity = more.saidQuantity }
    kind = kind ?? more.kind
    saysTrial = saysTrial ?? more.saysTrial
    saysIntro = saysIntro ?? more.saysIntro
    offer = offer ?? more.offer
    ownership = ownership ?? more.ownership
    environment = environment ?? more.environment
    if itemID.isEmpty { itemID = more.itemID }
    if appItemID.isEmpty { appItemID = more.appItemID }
    if subscriptionGroup.isEmpty { subscriptionGroup = more.subscriptionGroup }
    if appVersion.isEmpty { appVersion = more.appVersion }
    return differing
  }
}

/// Ranges of items that share a key, where there are at least two.
///
/// - Parameter items: ascending by key.
func runs(of items: [KeyedIndex]) -> some Sequence<Range<Int>> {
  sequence(state: 0) { next -> Range<Int>? in
    while next < items.count {
      let start = next
      repeat { next += 1 } while next < items.count && items[next].key == items[start].key
      if next - start > 1 { return start..<next }
    }
    return nil
  }
}
