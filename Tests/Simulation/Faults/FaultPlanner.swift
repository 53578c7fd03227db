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
    planner.plan.termsChanges = store.parameters.termsChanges
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

  /// Whether a fault of orders, transactions or sales reports leads to `code`, in a month that is
  /// asked for all of them; a refunded renewal is made where it is asked for by name, and times,
  /// amounts and taxes that cannot be are made nowhere.
  static func injects(_ code: FindingCode) -> Bool {
    let others: Set<FindingCode> = [
      .footerMismatch, .deductionChanged, .priceDiffers, .renewalRefunded, .datedAhead,
      .amountImpossible, .taxDiffers, .clockOff, .rateStale, .inputsInsufficient,
      .timingUnproven, .termsChanged, .termsNotAsConfigured, .proceedsTolerated,
    ]
    return code.level <= 2 && !others.contains(code)
  }

  /// Injects the `number`th fault that leads to `code`.
  private mutating func inject(_ code: FindingCode, _ number: Int) {
    switch code {
    case _ where Self.spoiling.contains(code): spoil(code, number)
    case .transactionWithoutOrder: loseOrder()
    case .orderWithoutTransaction: forgeOrder(number, at: places.take(margin: 0))
    case .transactionReused: replay(at: places.take(margin: 0))
    case .sourcesContradict: contradictSources()
    case .subscriptionShared: shareSubscription()
    case .renewalGap: loseRenewal()
    case .renewalRefunded: refundRenewal()
    case .offerReused: reuseTrial()
    case .notInLedger: loseFromLedger()
    case .notInReport: loseFromReport()
    case .refundNotInLedger: loseRefundFromLedger()
    case .refundNotInReport: loseRefundFromReport()
    case .timing: bookOnNextDay(number)
    case .unknownSKU: sellUnknownProduct(number)
    case .priceNotInTier: chargeOtherPrice()
    case .proceedsUnexpected: payOtherProceeds(keeping: 850_000, code: code)
    case .proceedsOffRule: payOtherProceeds(taking: 10_000, code: code)
    case .currencyUnexpected: chargeOtherCurrency()
    case .partialRefund: refundInPart()
    case .reportMissing: plan.missingDays.insert(takeReport(around: 1, code))
    case .reportRestated: plan.restatedDays.insert(takeReport(around: 0, code))
    case .deductionChanged: break
    default: preconditionFailure("no fault of sales and orders leads to \(code.rawValue)")
    }
  }

  /// An ordinary purchase at `place` by someone who does nothing else.
  func pair(_ place: FaultPlace, at instant: Int64? = nil) -> Purchase {
    store.purchase(
      at: instant ?? place.instant, market: place.market, item: place.item, user: store.newUser())
  }

  /// The first period of a chain, so many months before `place`.
  func subscription(_ place: FaultPlace, months: Int = 0) -> Purchase {
    store.subscription(
      at: adding(months: -months, to: place.instant), market: place.market, item: place.item)
  }

  mutating func add(
    _ orders: [OrderRecord], _ transactions: [TransactionRecord], sold: Bool = true
  ) {
    deposit(orders, transactions.map { ($0, sold ? store.saleTerms() : nil) })
  }

  /// A subscription's order and periods: the first is new, the others renew.
  mutating func add(
    _ orders: [OrderRecord], chain: [TransactionRecord], messages: [SimulatedMessage] = []
  ) {
    let sales = chain.map { period in
      (period, Optional(store.saleTerms(standing: period.isOriginal ? .new : .renewal)))
    }
    deposit(orders, sales, messages: messages)
  }

  mutating func deposit(
    _ orders: [OrderRecord] = [], _ sales: [(TransactionRecord, SaleTerms?)] = [],
    bookings: [Booking] = [], rows: [TransactionRecord] = [], messages: [SimulatedMessage] = []
  ) {
    plan.deposits.append(
      Deposit(
        orders: orders, transactions: sales.map { (record: $0.0, sold: $0.1) },
        bookings: bookings, rows: rows, messages: messages))
  }

  /// - Parameter day: nil is the business day of the place's moment.
  mutating func expect(
    _ code: FindingCode, _ place: FaultPlace, on day: Day? = nil, units: Int? = nil,
    amount: Int64? = nil, currency: Currency? = nil, orders: [OrderRecord] = [],
    transactions: [TransactionRecord] = []
  ) {
    let market = store.markets[place.market]
    plan.expected.append(
      ExpectedFinding(
        code: code, storefront: market.storefront,
        date: day ?? Instant(seconds: place.instant).day(),
        sku: store.stock.items[place.item].sku, units: units.map(Int64.init), amount: amount,
        currency: currency ?? market.currency,
        orderIDs: orders.map { Names.order($0.number).string },
        transactionIDs: transactions.map { "\($0.number)" }))
  }

  /// The ledger has `units` more of it than Apple's report.
  mutating func surplus(_ units: Int, _ place: FaultPlace, on day: Day, isRefund: Bool = false) {
    let key = UnitKey(day: day, market: place.market, item: place.item, isRefund: isRefund)
    plan.residual[key, default: 0] += units
  }
}
