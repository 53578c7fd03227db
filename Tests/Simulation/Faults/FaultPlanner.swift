import Billing

/// Makes the faults that were asked for, each in its own place.
struct FaultPlanner {
  let store: Store
  var places: Places
  var plan = FaultPlan()

  static func plan(_ store: Store) -> FaultPlan {
    var planner = FaultPlanner(store: store, places: Places(store: store))
    let faults = store.parameters.faults
    // A changed tax is in every row of its storefront.
    for change in store.parameters.taxChanges { planner.expect(change) }
    for _ in 0..<(faults[.deductionChanged] ?? 0) { planner.changeTax() }
    // Those that need most room first: whole days, then days that none may touch.
    let days: [FindingCode] = [.reportMissing, .reportRestated]
    let rest = FindingCode.allCases.filter { !days.contains($0) }
    for code in days + rest.filter({ $0.level == 2 }) + rest.filter({ $0.level == 1 }) {
      for number in 0..<(faults[code] ?? 0) { planner.inject(code, number) }
    }
    for pattern in store.parameters.patterns where pattern == .forger { planner.forge() }
    planner.addCuriosities()
    planner.injectAppleFaults()
    planner.plan.deposits.sort { $0.instant < $1.instant }
    return planner.plan
  }

  /// Whether a fault of orders, transactions or sales reports leads to `code`.
  static func injects(_ code: FindingCode) -> Bool {
    code.level <= 2 && code != .footerMismatch && code != .deductionChanged
  }

  /// Injects the `number`th fault that leads to `code`.
  private mutating func inject(_ code: FindingCode, _ number: Int) {
    switch code {
    case .transactionWithoutOrder: loseOrder()
    case .chargedNotFulfilled: leaveUnfulfilled(number)
    case .orderWithoutTransaction: forgeOrder(number)
    case .transactionReused: reuseTransaction()
    case .sandboxFulfilled: fulfilFromSandbox()
    case .bundleMismatch: fulfilFromForeignBundle()
    case .productMismatch: fulfilOtherProduct()
    case .quantityMismatch: fulfilOtherQuantity()
    case .refundNotReversed: keepRefundedOrder()
    case .sourcesContradict: contradictSources()
    case .priceMismatch: orderAtOtherPrice()
    case .coinsMismatch: grantOtherCoins()
    case .purchaseBeforeOrder: placeAfterPurchase()
    case .refundedNotByApple: refundWithoutApple()
    case .familySharedFulfilled: fulfilFromFamily()
    case .lateFulfilment: fulfilLate()
    case .subscriptionShared: shareSubscription()
    case .renewalGap: loseRenewal()
    case .offerReused: reuseTrial()
    case .notInLedger: loseFromLedger()
    case .notInReport: loseFromReport()
    case .refundNotInLedger: loseRefundFromLedger()
    case .refundNotInReport: loseRefundFromReport()
    case .timing: bookOnNextDay(number)
    case .unknownSKU: sellUnknownProduct(number)
    case .priceNotInTier: chargeOtherPrice()
    case .proceedsUnexpected: payOtherProceeds(keeping: 850_000, code: .proceedsUnexpected)
    case .proceedsOffRule: payOtherProceeds(keeping: 680_000, code: .proceedsOffRule)
    case .currencyUnexpected: chargeOtherCurrency()
    case .partialRefund: refundInPart()
    case .reportMissing: loseReport()
    case .reportRestated: restateReport()
    case .deductionChanged: break
    default: preconditionFailure("no fault of sales and orders leads to \(code.rawValue)")
    }
  }

  /// An ordinary purchase at `place` by someone who does nothing else.
  mutating func pair(
    _ place: Place, quantity: Int = 1
  ) -> (order: OrderRecord, transaction: TransactionRecord) {
    store.purchase(
      at: place.instant, market: place.market, item: place.item, quantity: quantity,
      user: store.newUser())
  }

  mutating func add(
    _ orders: [OrderRecord], _ transactions: [TransactionRecord], sold: Bool = true
  ) {
    let sales = transactions.map { (record: $0, sold: sold ? store.saleTerms() : nil) }
    plan.deposits.append(Deposit(orders: orders, transactions: sales))
  }

  mutating func expect(
    _ code: FindingCode, _ place: Place, on day: Day, units: Int? = nil, amount: Int64? = nil,
    currency: Currency? = nil, orders: [OrderRecord] = [], transactions: [TransactionRecord] = []
  ) {
    let market = store.markets[place.market]
    plan.expected.append(
      ExpectedFinding(
        code: code, storefront: market.storefront, date: day,
        sku: store.shelf.items[place.item].sku, units: units.map(Int64.init), amount: amount,
        currency: currency ?? market.currency, orderIDs: orders.map { Names.order($0.number) },
        transactionIDs: transactions.map { Names.transaction($0.number) }))
  }

  /// The ledger has `units` more of it than Apple's report.
  mutating func surplus(_ units: Int, _ place: Place, on day: Day, isRefund: Bool = false) {
    let key = UnitKey(day: day, market: place.market, item: place.item, isRefund: isRefund)
    plan.residual[key, default: 0] += units
  }

  func businessDay(_ instant: Int64) -> Day { Instant(seconds: instant).day() }
}
