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
    planner.plan.trueRates = store.parameters.trueRates
    planner.plan.termsChanges = store.parameters.termsChanges
    // Those that need most room first: whole days, then days that none may touch.
    let days: [FindingCode] = [.reportMissing, .reportRestated]
    let rest = FindingCode.allCases.filter { !days.contains($0) && $0 != .deductionChanged }
    let levels = rest.filter { $0.level == 2 } + rest.filter { $0.level == 1 }
    for codes in [[.deductionChanged], days, levels] {
      planner.inTurn(codes) {
        faults[$0] ?? 0
      } make: { planner, code, number throws(NoRoom) in
        try planner.inject(code, number)
      }
    }
    let forgers = store.parameters.patterns.filter { $0 == .forger }.count
    planner.inTurn([SimulatedPattern.forger]) { _ in
      forgers
    } make: { planner, _, _ throws(NoRoom) in
      try planner.forge()
    }
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
      .timingUnproven, .termsChanged, .termsNotAsConfigured, .proceedsTolerated, .taxAsReported,
      .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers, .subscriptionUnknown,
      .subscriptionReportMissing, .receivableNegative, .reportsDisagree, .wordUnknown,
      .idRepeated,
    ]
    return code.level <= 2 && !others.contains(code)
  }

  /// Makes `count` of each kind, one of each in turn, so that none takes the room of all others; a
  /// kind that finds no more room is left out from there on.
  mutating func inTurn<Kind: RawRepresentable<String>>(
    _ kinds: [Kind], count: (Kind) -> Int,
    make: (inout FaultPlanner, Kind, Int) throws(NoRoom) -> Void
  ) {
    var left = kinds.filter { count($0) > 0 }
    var number = 0
    while !left.isEmpty {
      left = left.filter { kind in
        do throws(NoRoom) {
          try make(&self, kind, number)
          return number + 1 < count(kind)
        } catch {
          plan.leftOut.append(
            LeftOutFaults(kind: kind.rawValue, asked: count(kind), made: number))
          return false
        }
      }
      number += 1
    }
  }

  /// Injects the `number`th fault that leads to `code`.
  private mutating func inject(_ code: FindingCode, _ number: Int) throws(NoRoom) {
    switch code {
    case _ where Self.spoiling.contains(code): try spoil(code, number)
    case .transactionWithoutOrder: try loseOrder()
    case .orderWithoutTransaction: try forgeOrder(number, at: places.take(margin: 0))
    case .transactionReused: try replay(at: places.take(margin: 0))
    case .sourcesContradict: try contradictSources()
    case .subscriptionShared: try shareSubscription()
    case .renewalGap: try loseRenewal()
    case .renewalRefunded: try refundRenewal()
    case .offerReused: try reuseTrial()
    case .notInLedger: try loseFromLedger()
    case .notInReport: try loseFromReport()
    case .refundNotInLedger: try loseRefundFromLedger()
    case .refundNotInReport: try loseRefundFromReport()
    case .timing: try bookOnNextDay(number)
    case .unknownSKU: try sellUnknownProduct(number)
    case .priceNotInTier: try chargeOtherPrice()
    case .proceedsUnexpected:
      // No two shares alike: equal ones show a commission, which is one finding.
      try payOtherProceeds(keeping: 850_000 + Int128(number % 40) * 3_000, code: code)
    case .proceedsOffRule: try payOtherProceeds(taking: 10_000, code: code)
    case .currencyUnexpected: try chargeOtherCurrency()
    case .partialRefund: try refundInPart()
    case .reportMissing: plan.missingDays.insert(try takeReport(around: 1, code))
    case .reportRestated: plan.restatedDays.insert(try takeReport(around: 0, code))
    case .deductionChanged: try changeTax()
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
