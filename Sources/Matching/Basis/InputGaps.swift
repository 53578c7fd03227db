import Billing
import Conclusions

/// What no order and no transaction tells, and the findings that only follow from it: they are told
/// as one, because nothing says which of them are faults.
package struct InputGaps {
  private let table: MatchTable
  private let details: MatchDetails
  private let context: MatchingContext
  /// Findings that follow from each gap.
  private var found: [Gap: Followers] = [:]
  private var unmet = UnmetSides()

  /// In the order in which they are told.
  private enum Gap: CaseIterable {
    case sides, quantities, prices, revocations, originals, environments, users, offers
  }

  /// Findings of one gap: of level 1, and of level 2 with what they are in the bridge.
  private struct Followers {
    var orders: [Int] = []
    var sales: [Int] = []
    var count: Int { orders.count + sales.count }
  }

  package init(_ table: MatchTable, _ details: MatchDetails, _ context: MatchingContext) {
    self.table = table
    self.details = details
    self.context = context
  }

  /// Takes the findings that follow from a gap out of both levels, and puts one in their place.
  ///
  /// - Parameters:
  ///   - orders: findings of level 1.
  ///   - sales: level 2 with its findings.
  package mutating func group(_ orders: inout [UnresolvedFinding], _ sales: inout SalesTieOut) {
    find(orders, sales)
    let unknown = countOfNoKind(orders)
    for gap in Gap.allCases {
      guard let followers = found[gap], isMany(followers, gap, sales) else {
        found[gap] = nil
        continue
      }
      var finding = finding(gap, followers, orders, sales)
      if gap == .sides { finding.action = AdviceByFact.standsAlone }
      for index in followers.sales { sales.moveStep(of: sales.findings[index]) }
      sales.untoldFindings.append(finding)
      sales.untoldAbsences.append(absence(gap))
    }
    let (mine, theirs) = (
      Set(found.values.flatMap(\.orders)), Set(found.values.flatMap(\.sales))
    )
    if !mine.isEmpty { orders = orders.indices.filter { !mine.contains($0) }.map { orders[$0] } }
    sales.replaceFindings(theirs)
    addPlainAbsences(orders, &sales)
    if unknown >= Rules.gapFindings {
      var absence = Absence(.kinds, count: unknown)
      absence.names = ["kind"]
      sales.untoldAbsences.append(absence)
    }
  }

  /// How many purchases without an order there are of which nothing tells whether a subscription
  /// renewed by itself.
  private func countOfNoKind(_ orders: [UnresolvedFinding]) -> Int {
    if table.orders.isEmpty, table.counts.isEmpty { return 0 }
    return orders.count { finding in
      guard finding.code == .transactionWithoutOrder, let transaction = finding.transaction else {
        return false
      }
      let terms = table.terms(ofTransaction: transaction)
      return terms.kind == nil && context.catalogue.kind(terms.sku) == nil
    }
  }

  /// Whether enough findings follow from a gap to show that it is behind them: a few may be
  /// anything. Purchases of several units come on many days, an outage on few.
  private func isMany(_ followers: Followers, _ gap: Gap, _ sales: SalesTieOut) -> Bool {
    guard followers.count >= Rules.gapFindings else { return false }
    guard gap == .quantities else { return true }
    return Set(followers.sales.map { sales.findings[$0].day }).count >= Rules.gapFindings
  }

  // MARK: Which findings follow from which gap

  /// Finds which findings of both levels follow from which gap; nothing where they are few.
  private mutating func find(_ orders: [UnresolvedFinding], _ sales: SalesTieOut) {
    let candidates: Set<FindingCode> = [
      .transactionWithoutOrder, .refundedNotByApple, .sandboxFulfilled, .priceMismatch,
      .refundNotInLedger, .notInReport, .notInLedger, .priceDiffers, .orderWithoutTransaction,
    ]
    let mine = orders.indices.filter { candidates.contains(orders[$0].code) }
    let theirs = sales.findings.indices.filter { candidates.contains(sales.findings[$0].code) }
    guard mine.count + theirs.count >= Rules.gapFindings else { return }
    unmet = UnmetSides(orders, table, context)
    if unmet.isWhole { unmet.hasUsersApart = haveUsersApart }
    let told = ToldColumns(table)
    let products = ToldOfProducts(sales)
    var unreported: Set<TransactionRow.ID> = []
    for index in theirs {
      let finding = sales.findings[index]
      guard let gap = gap(finding, sales, told, products) else { continue }
      found[gap, default: Followers()].sales.append(index)
      if gap == .environments { unreported.formUnion(finding.transactions) }
    }
    for index in mine {
      guard let gap = gap(orders[index], told, unreported) else { continue }
      found[gap, default: Followers()].orders.append(index)
    }
  }

  /// Whether orders and transactions without a counterpart name users, and hardly any of both.
  private var haveUsersApart: Bool {
    var cursor = 0
    var buyers: Set<IDKey> = []
    for index in table.orders.indices where table.isOpen(order: index) {
      buyers.insert(table.detail(ofOrder: index, details, near: &cursor)?.user ?? .none)
    }
    buyers.remove(.none)
    guard buyers.count >= Rules.gapFindings else { return false }
    cursor = 0
    var customers: Set<IDKey> = []
    for index in table.transactions.indices where table.isOpen(transaction: index) {
      customers.insert(
        table.detail(ofTransaction: index, details, near: &cursor)?.user ?? .none)
    }
    customers.remove(.none)
    // Testers may have the same name everywhere.
    let common = buyers.intersection(customers).count
    let fewer = min(buyers.count, customers.count)
    return fewer >= Rules.gapFindings && common * 50 < fewer
  }

  /// Whether any order tells a quantity: then transactions lack it because they have no order.
  private var haveOrdersQuantities: Bool { table.orderTerms.contains { $0.saidQuantity != 0 } }

  /// The gap that a finding of level 2 follows from; nil for none.
  ///
  /// - Parameters:
  ///   - told: columns that any row of the company's table tells.
  ///   - products: SKUs of which quantities and prices are told.
  private func gap(
    _ finding: UnresolvedFinding, _ sales: SalesTieOut, _ told: ToldColumns,
    _ products: ToldOfProducts
  ) -> Gap? {
    guard let sku = finding.sku, let day = finding.day,
      let product = sales.units.product(ProductKey(storefront: finding.storefront, sku: sku))
    else { return nil }
    switch finding.code {
    case .refundNotInLedger: return told.revocations ? nil : .revocations
    case .notInReport:
      if !told.originals, let kind = context.catalogue.kind(sku), kind != .consumable {
        return .originals
      }
      return told.environments && told.ownership ? nil : .environments
    case .notInLedger:
      let cell = SalesTieOut.CellKey(
        product: product, slot: sales.days.slot(of: day), isRefund: false)
      return products.quantities.contains(sku) || (sales.cells[cell]?.countedUnits ?? 0) == 0
        ? nil : .quantities
    case .priceDiffers: return products.prices.contains(sku) ? nil : .prices
    default: return nil
    }
  }

  /// The gap that a finding of level 1 follows from; nil for none.
  ///
  /// - Parameters:
  ///   - told: columns that any row of the company's table tells.
  ///   - unreported: transactions of findings of level 2 that follow from missing environments.
  private func gap(
    _ finding: UnresolvedFinding, _ told: ToldColumns, _ unreported: Set<TransactionRow.ID>
  ) -> Gap? {
    if unmet.covers(finding, table) { return .sides }
    guard let transaction = finding.transaction else { return nil }
    let terms = table.terms(ofTransaction: transaction)
    let kind = terms.kind ?? context.catalogue.kind(terms.sku)
    switch finding.code {
    case .refundedNotByApple: return told.revocations ? nil : .revocations
    case .transactionWithoutOrder:
      if let kind, kind != .consumable, !told.originals { return .originals }
      return unreported.contains(table.transactions[transaction].row) ? .environments : nil
    case .sandboxFulfilled:
      guard !context.settings.sandboxUsers.isEmpty, let order = finding.order else { return nil }
      let users = [
        table.detail(ofOrder: order, details)?.user,
        table.detail(ofTransaction: transaction, details)?.user,
      ]
      return users.allSatisfy { $0?.isNone ?? true } ? .users : nil
    case .priceMismatch:
      guard kind == .autoRenewable, !told.offers, let order = finding.order else { return nil }
      // What Apple itself charged: only the tier speaks against it.
      let isCharged =
        terms.unitPrice == nil || terms.unitPrice == table.terms(ofOrder: order).unitPrice
      return isCharged ? .offers : nil
    default: return nil
    }
  }

  // MARK: What is said of it

  /// The one finding that stands for those that follow from a gap.
  ///
  /// - Parameter orders: all findings of level 1.
  private func finding(
    _ gap: Gap, _ followers: Followers, _ orders: [UnresolvedFinding], _ sales: SalesTieOut
  ) -> UnresolvedFinding {
    let mine = followers.orders.map { orders[$0] }
    let theirs = followers.sales.map { sales.findings[$0] }
    // Both levels may speak of the same purchases: their money counts once.
    let counted = theirs.isEmpty ? mine : theirs
    let units = counted.reduce(0) { $0 + abs($1.units ?? 0) }
    let all = mine + theirs
    /// The rows that `part` takes from all findings that this one stands for, ascending, each once,
    /// as many as a finding may name.
    func rows<Row: Hashable & Comparable>(_ part: (UnresolvedFinding) -> [Row]) -> [Row] {
      Array(Set(all.flatMap(part)).sorted().prefix(Rules.namedRows))
    }
    var finding = UnresolvedFinding(
      .inputsInsufficient, units: units, orders: rows(\.orders), transactions: rows(\.transactions),
      sales: rows(\.sales), explanation: explanation(gap, units, all.count))
    finding.parts = parts(of: counted)
    return finding
  }

  /// What findings come to by storefront and currency.
  private func parts(of findings: [UnresolvedFinding]) -> [StorefrontMoney] {
    var steps = BridgeSteps()
    for finding in findings {
      guard let amount = finding.amount, let currency = finding.currency else { continue }
      steps.add(.inputsInsufficient, finding.storefront, currency, units: 0, amount: amount)
    }
    return steps.parts(of: .inputsInsufficient)
  }

  /// Says what the inputs leave out, and what follows from that.
  ///
  /// - Parameters:
  ///   - units: of the findings that follow.
  ///   - count: of these findings.
  private func explanation(_ gap: Gap, _ units: Int64, _ count: Int) -> Wording {
    let places = counted(count, "@basis.1-place") { "@basis.places \($0)" }
    let findings = counted(count, "@basis.1-finding") { "@basis.findings \($0)" }
    return switch gap {
    case .sides: unmet.words
    case .quantities:
      haveOrdersQuantities
        ? "@basis.no-matched-order-gives-a-quantity \(spoken(units: units)) \(places)"
        : "@basis.no-order-or-transaction-gives-a-quantity \(spoken(units: units)) \(places)"
    case .prices:
      "@basis.no-order-or-transaction-gives \(places)"
    case .revocations:
      "@basis.no-transaction-says \(spoken(units: units))"
    case .originals:
      "@basis.no-transaction-names-another \(findings)"
    case .environments:
      """
      @basis.no-transaction-gives-may-come \
      \(storeColumns.map { Wording(verbatim: $0) }.joined(separator: ", ")) \(findings)
      """
    case .users:
      counted(
        count,
        "@basis.1-sandbox-purchase-names-no"
      ) {
        "@basis.sandbox-purchases-name-no-user \($0)"
      }
    case .offers:
      counted(
        count,
        "@basis.no-transaction-says-whether"
      ) {
        "@basis.no-transaction-says-whether-its-price \($0)"
      }
    }
  }

  /// Which of the columns `environment` and `ownership` no row tells.
  private var storeColumns: [String] {
    let told = ToldColumns(table)
    return (told.environments ? [] : ["environment"]) + (told.ownership ? [] : ["ownership"])
  }

  /// What a gap leaves out, for the list of what figures rest on.
  private func absence(_ gap: Gap) -> Absence {
    if gap == .sides { return unmet.absence }
    let (kind, columns): (Absence.Kind, [String]) =
      switch gap {
      case .sides: (.matching, [])
      case .quantities: (.quantities, ["quantity"])
      case .prices: (.ownPrices, ["unit_price", "currency"])
      case .revocations: (.revocations, ["revoked_at", "revocation_reason"])
      case .originals: (.originals, ["original_transaction_id"])
      case .environments: (.environments, storeColumns)
      case .users: (.users, ["user_id"])
      case .offers: (.offers, ["is_intro"])
      }
    var absence = Absence(kind, count: found[gap]?.count ?? 0)
    absence.names = columns
    if gap == .quantities, haveOrdersQuantities { absence.standIn = .orders }
    return absence
  }

  /// Whether any order of the period names its channel; those of other files may.
  private var hasChannels: Bool {
    let named = table.orderTerms.map { !$0.channel.isEmpty }
    guard named.contains(true) else { return false }
    let days = BusinessDays(context)
    return table.orders.contains { named[Int($0.terms)] && days.index($0.placedAt) >= 0 }
      || table.counts.sold.contains { named[Int($0.order)] && days.index($0.at) >= 0 }
  }

  /// Orders of the period that are not held against Apple, by their channels, where one of these
  /// may be Apple's, or where they are the most and none names Apple's; else nil.
  private var otherChannels: Absence? {
    let isOther = table.orderTerms.map { !$0.isApple }
    guard isOther.contains(true) else { return nil }
    let days = BusinessDays(context)
    var counts: [String: Int] = [:]
    // Counted ones are Apple's, each ordered and bought on one day.
    var all = table.counts.sold.reduce(0) { $0 + (days.index($1.at) >= 0 ? Int($1.count) : 0) }
    for order in table.orders where days.index(order.placedAt) >= 0 {
      all += 1
      let terms = Int(order.terms)
      if isOther[terms] { counts[table.orderTerms[terms].channel, default: 0] += 1 }
    }
    let others = counts.values.reduce(0, +)
    let namesApple = table.orderTerms.contains { $0.isApple && !$0.channel.isEmpty }
    let areMost = 2 * others > all && !namesApple
    guard others > 0,
      others == all || areMost || counts.keys.contains(where: OrderTerms.mayBeApples)
    else { return nil }
    var absence = Absence(.otherChannels, count: others, of: all)
    absence.names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) (\(grouped($0.value)))" }
    return absence
  }

  /// Adds to the list of what figures rest on what the inputs leave out without a finding of its
  /// own (storefronts, channels, ids to match by), but what changes how much findings are worth.
  ///
  /// - Parameter orders: findings of level 1.
  private func addPlainAbsences(_ orders: [UnresolvedFinding], _ sales: inout SalesTieOut) {
    let untold = sales.untold
    if untold.finding != nil {
      var absence = Absence(.storefronts, count: Int(untold.units), of: Int(untold.all))
      absence.names = ["storefront"]
      if table.orderTerms.contains(where: { $0.storefront != nil }) {
        absence.standIn = .orders
      } else if context.settings.defaultStorefront != nil {
        absence.standIn = .settings
      }
      sales.untoldAbsences.append(absence)
    }
    let unpaid = orders.indices.count { orders[$0].code == .orderWithoutTransaction }
    if unpaid >= Rules.gapFindings, !hasChannels {
      var absence = Absence(.channels, count: unpaid)
      absence.names = ["channel"]
      sales.untoldAbsences.append(absence)
    }
    if let absence = otherChannels { sales.untoldAbsences.append(absence) }
    let matched = table.orderOf.count { $0.isMatched } + Int(table.counts.count)
    let traced = matched == 0 ? 0 : table.transactions.indices.count(where: table.isFoundByTracing)
    if 2 * traced > matched {
      var absence = Absence(.ids, count: traced, of: matched)
      absence.names = ["transaction_id", "order_id", "app_account_token"]
      sales.untoldAbsences.append(absence)
    }
  }
}

/// Which columns any row of the company's own table tells.
private struct ToldColumns {
  let revocations: Bool
  let originals: Bool
  let environments: Bool
  let ownership: Bool
  let offers: Bool

  /// Finds which columns have a value in any row. Revocations and originals may come from whatever
  /// source; environment, ownership and offers from the company's own table, and where it has no
  /// rows these three pass as told.
  init(_ table: MatchTable) {
    let own = table.transactionTerms.lazy.filter { $0.factSource == .company }
    environments = own.isEmpty || own.contains { $0.environment != nil }
    ownership = own.isEmpty || own.contains { $0.ownership != nil }
    offers = own.isEmpty || own.contains { $0.saysIntro != nil }
    revocations = table.transactions.contains { $0.revokedAt != 0 }
    originals = zip(table.chains.positions, table.chains.details).contains { position, detail in
      !detail.original.isNone && detail.original != table.transactions[Int(position)].key
    }
  }
}

/// SKUs of which any order or transaction tells the quantity, or a price that is not zero.
private struct ToldOfProducts {
  private(set) var quantities: Set<String> = []
  private(set) var prices: Set<String> = []

  /// Collects the SKUs of the ledger's units whose quantity, or whose price, some source tells.
  init(_ sales: SalesTieOut) {
    for sold in sales.units.classes {
      if sold.told.contains(.quantity) { quantities.insert(sold.sku) }
      if sold.told.contains(.price), sold.unitPrice != 0 { prices.insert(sold.sku) }
    }
  }
}

extension SalesTieOut {
  /// Moves what a finding is worth in the bridge to the step of what the inputs leave out.
  fileprivate mutating func moveStep(of finding: UnresolvedFinding) {
    guard let currency = finding.currency else { return }
    let (cause, sign): (BridgeCause, Int64) =
      switch finding.code {
      case .notInLedger: (.notInLedger, 1)
      case .notInReport: (.notInReport, -1)
      case .refundNotInLedger: (.refundNotInLedger, -1)
      default: (.price, 0)
      }
    let (units, amount) = (sign * (finding.units ?? 0), finding.amount ?? 0)
    bridge.add(cause, finding.storefront, currency, units: -units, amount: -amount)
    bridge.add(.inputsInsufficient, finding.storefront, currency, units: units, amount: amount)
  }

  /// Takes findings out, by their positions, and adds those that were put in their place.
  fileprivate mutating func replaceFindings(_ positions: Set<Int>) {
    findings =
      findings.indices.filter { !positions.contains($0) }.map { findings[$0] } + untoldFindings
    untoldFindings = []
  }
}
