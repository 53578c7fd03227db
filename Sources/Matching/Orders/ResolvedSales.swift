package import Billing

extension MatchTable {
  /// What rows of the period's transactions do not say themselves, as matching took it from other
  /// rows; a line for each row that lacks a storefront, a price or a user, or that tells of a
  /// transaction together with other rows.
  ///
  /// - Parameters:
  ///   - unnamed: rows that name no user, ascending.
  ///   - money: numbers of what the table's terms say of money.
  ///   - reports: of the period; they know between which days no price changes.
  /// - Precondition: all of the table is matched.
  package func resolvedSales(
    without unnamed: [TransactionRow.ID], _ money: MoneyNumbers, reports: SalesReports,
    _ context: MatchingContext
  ) -> ResolvedSales {
    let days = BusinessDays(context)
    let seasons = (0..<days.count).map { Int32(reports.seasons.season(of: days.day($0))) }
    let lacks = transactionTerms.map { EffectiveTerms.needsMore($0, context) }
    let lacksUser = marks(of: unnamed)
    var resolved = ResolvedSales()
    // As many as there can be: room that is not used costs nothing.
    resolved.rows.reserveCapacity(transactions.count)
    var findings = FoundTerms(money)
    for index in transactions.indices where orderOf[index] != .merged {
      let entry = transactions[index]
      let day = days.index(entry.purchasedAt)
      guard day >= 0 else { continue }
      let further = mergedTransactions[index]
      let owner = owner(of: index)
      guard
        !further.isEmpty || lacks[Int(entry.terms)] || (owner != nil && lacksUser[index])
      else { continue }
      let code = findings.code(of: index, owner, seasons[day], in: self, context)
      let order = owner.map { orders[$0.order].row }
      resolved.rows.append(ResolvedSale(row: entry.row, order: order, terms: code))
      for row in further {
        resolved.rows.append(ResolvedSale(row: row, order: order, terms: code))
      }
    }
    resolved.terms = findings.all
    resolved.rows.withUnsafeMutableBufferPointer { sortByKey($0) }
    return resolved
  }

  /// For each transaction whether its row is among some.
  ///
  /// - Parameter rows: ascending.
  private func marks(of rows: [TransactionRow.ID]) -> [Bool] {
    var marks = [Bool](repeating: false, count: transactions.count)
    var positions = RowPositions(transactions)
    for row in rows {
      if let position = positions.position(of: row) { marks[position] = true }
    }
    return marks
  }

  /// What matching found out of the transaction at a position: storefront, currency, price, and who
  /// told them. `isSteady` says whether that would be the same on any day: it is not where no
  /// source told the price, as that of a tier depends on the day.
  ///
  /// - Parameter owner: the position of the order that it belongs to, and by which rule; nil for
  ///   none.
  fileprivate func resolvedTerms(
    _ index: Int, _ owner: (order: Int, rule: MatchRule)?, _ context: MatchingContext
  ) -> (terms: ResolvedTerms, isSteady: Bool) {
    var resolved = ResolvedTerms(rule: owner?.rule.rawValue)
    let terms = transactionTerms[Int(transactions[index].terms)]
    let sold = EffectiveTerms(index, in: self, context)
    let order = owner.map { orderTerms[Int(orders[$0.order].terms)] }
    (resolved.storefront, resolved.currency, resolved.unitPrice) =
      (sold.storefront, sold.currency, sold.unitPrice)
    if sold.storefront != nil {
      resolved.storefrontTeller =
        terms.storefront != nil
        ? .transaction
        : order?.storefront != nil
          ? .order : sold.told.contains(.storefront) ? .subscription : .default
    }
    if sold.unitPrice != nil {
      resolved.priceTeller =
        terms.unitPrice != nil || terms.isTrial
        ? .transaction : sold.told.contains(.price) ? .order : .tier
    }
    return (resolved, sold.told.contains(.price))
  }
}

/// What is found out of transactions, each thing once: there are as many terms as versions and
/// devices, and few of them tell anything else of the money.
private struct FoundTerms {
  private(set) var all: [ResolvedTerms] = []
  private var codes: [ResolvedTerms: Int32] = [:]
  private var kinds = NumberTable<SaleKind>()
  /// By the number of each kind.
  private var known: [Int32] = []
  private let transactionMoney: [Int32]
  private let orderMoney: [Int32]

  /// Of a kind that was not met before, or is told anew for each season.
  private static let unknown: Int32 = -1

  init(_ money: MoneyNumbers) {
    (transactionMoney, orderMoney) = (money.transactions, money.orders)
  }

  /// The index in `all` of what matching found out of the transaction at a position: storefront,
  /// currency, price, and who told them. It is worked out once for each kind of sale.
  ///
  /// - Parameters:
  ///   - owner: the position of the order that it belongs to, and by which rule; nil for none.
  ///   - season: number of the days around the purchase between which no price changes.
  mutating func code(
    of transaction: Int, _ owner: (order: Int, rule: MatchRule)?, _ season: Int32,
    in table: borrowing MatchTable, _ context: MatchingContext
  ) -> Int32 {
    var kind = SaleKind(
      money: transactionMoney[Int(table.transactions[transaction].terms)],
      orderMoney: owner.map { orderMoney[Int(table.orders[$0.order].terms)] } ?? -1,
      begunMoney: -1, rule: owner?.rule, isTraced: table.isTraced(transaction),
      renewsOffer: table.renewsOffer(transaction))
    if owner == nil, let begun = table.chains.original(of: transaction) {
      kind.begunMoney = transactionMoney[Int(table.transactions[begun].terms)]
    }
    let undated = placeInKnown(of: kind)
    if known[undated] != Self.unknown { return known[undated] }
    kind.season = season
    let dated = placeInKnown(of: kind)
    if known[dated] != Self.unknown { return known[dated] }
    let (terms, isSteady) = table.resolvedTerms(transaction, owner, context)
    let next = Int32(all.count)
    let code = codes[terms, setDefault: next]
    if code == next { all.append(terms) }
    known[isSteady ? undated : dated] = code
    return code
  }

  /// Where in `known` a kind stands; a new one gets the next place.
  private mutating func placeInKnown(of kind: SaleKind) -> Int {
    let place = kinds.number(of: kind)
    if place == known.count { known.append(Self.unknown) }
    return place
  }
}

/// What decides what is found out of a transaction.
private struct SaleKind: CodeKey {
  let money: Int32
  /// Of the order, and of what the chain began with; -1 for none.
  let orderMoney: Int32
  var begunMoney: Int32
  let rule: MatchRule?
  let isTraced: Bool
  let renewsOffer: Bool
  /// Days between which no price changes; -1 where it does not matter.
  var season: Int32 = -1

  /// All that the key says but the rule, mixed as ``CodeKey`` asks.
  var mixed: UInt64 {
    let flags: UInt64 = (isTraced ? 1 : 0) | (renewsOffer ? 2 : 0)
    return mix(
      UInt64(UInt32(bitPattern: money)) << 32 | UInt64(UInt32(bitPattern: orderMoney)),
      mix(
        UInt64(UInt32(bitPattern: begunMoney)), UInt64(UInt32(bitPattern: season)) << 2 | flags))
  }
}

extension Dictionary {
  /// The value of a key, which is `value` from now on where there was none.
  fileprivate subscript(key: Key, setDefault value: Value) -> Value {
    mutating get {
      if let known = self[key] { return known }
      self[key] = value
      return value
    }
  }
}
