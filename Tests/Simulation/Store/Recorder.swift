import Billing

/// Where everything that happens in the store is written down: the company's tables, Apple's
/// reports, and the truth about both.
final class Recorder {
  let store: Store
  let plan: FaultPlan
  private let incidents: Incidents
  private let files: PurchaseFiles?
  /// Nil where the company's table has everything.
  private let apple: AppleFiles?
  private var planner: MessagePlanner
  /// Nil where nothing is settled.
  private let settlement: SettlementRecorder?
  /// Nil where no log is kept.
  private let events: EventFile?
  /// Nil where no coins are told.
  let game: CoinGame?
  private var visit = Visit()
  /// Transactions that the company's table does not have.
  private var onlyApple = 0
  private let directory: String?
  private var reports: SalesReportFiles
  /// Nil where none are written.
  private var subscriptions: SubscriptionReportFiles?
  private var nextToClose: Day
  private let multiMemberDays: Set<Day>
  /// Units of transactions less those of reports; what is not zero in the end is
  /// exactly what the faults made.
  private var residual: [UnitKey: Int] = [:]
  /// Units that the incidents move from one report to another.
  private var movedUnits: [UnitKey: Int] = [:]
  private var ledger: [ProceedsPlace: Int64] = [:]
  private var sums: [ProceedsPlace: TrueProceeds] = [:]
  private var units: [Int]
  /// Proceeds of everything booked, less those of all rows: zero when the last report is closed.
  private var proceedsToWrite: Int64 = 0
  private(set) var truth: Truth

  /// - Throws: an error where files cannot be written.
  init(store: Store, plan: FaultPlan, incidents: Incidents, directory: String?) throws {
    let parameters = store.parameters
    self.store = store
    self.plan = plan
    self.incidents = incidents
    self.directory = directory
    files = directory.map { PurchaseFiles(directory: $0, store: store) }
    apple = parameters.asksApple ? try AppleFiles(directory: directory, store: store) : nil
    planner = MessagePlanner(store: store)
    settlement = try parameters.settlement.map {
      try SettlementRecorder(store: store, settlement: $0, directory: directory)
    }
    events = try parameters.events.map {
      try EventFile(directory: directory, store: store, $0)
    }
    game = try parameters.coins.map {
      try CoinGame(store: store, directory: directory, $0)
    }
    reports = SalesReportFiles(store: store)
    subscriptions = parameters.subscriptionReports ? SubscriptionReportFiles(store: store) : nil
    nextToClose = store.reportDays.lowerBound
    units = Array(repeating: 0, count: store.markets.count)
    truth = Truth(
      period: parameters.period, dayRule: parameters.dayRule, seed: parameters.seed,
      expected: plan.expected, leftOut: plan.leftOut)
    let first = parameters.period.first
    multiMemberDays = Set(
      (0..<parameters.multiMemberDays).map { first.advanced(by: 2 + $0 * 7) })
  }

  func begin(_ day: Day) throws {
    try files?.begin(day)
    try apple?.begin(day)
    try game?.begin(day)
  }

  func order(_ order: OrderRecord) throws {
    truth.counts.orders += 1
    if apple != nil { visit.orders.append(order) }
    try events?.take(order, fails: incidents.failed.contains(order.number))
    game?.take(order)
    try files?.write(order, before: order.placed < store.opens)
  }

  /// Writes a transaction that Apple reports as `terms` say, or does not report.
  func transaction(_ transaction: TransactionRecord, sold terms: SaleTerms?) throws {
    if apple == nil { try row(transaction) } else { visit.transactions.append(transaction) }
    game?.take(transaction)
    if transaction.isBillable { count(transaction) }
    guard let terms else {
      subscriptions?.take(transaction, proceeds: 0, nil)
      return
    }
    let calendar = store.calendars[transaction.market]
    let day = incidents.reportDay(transaction, calendar)
    move(transaction, from: calendar.day(of: transaction.purchased), to: day)
    var key = saleKey(transaction, terms, on: day)
    subscriptions?.take(transaction, proceeds: key.proceeds, terms)
    book(transaction.quantity, key, on: day)
    if transaction.isRefunded {
      key.isRefund = true
      book(-transaction.quantity, key, on: calendar.day(of: transaction.revoked))
    }
  }

  /// What a moved day boundary brings from one report to another.
  private func move(_ transaction: TransactionRecord, from: Day, to: Day) {
    guard from != to else { return }
    for (day, units) in [(from, transaction.quantity), (to, -transaction.quantity)]
    where store.reportDays.contains(day) {
      let key = UnitKey(
        day: day, market: transaction.market, item: transaction.item, isRefund: false)
      movedUnits[key, default: 0] += units
    }
  }

  /// A row of the company's table.
  private func row(_ transaction: TransactionRecord) throws {
    truth.counts.transactions += 1
    try files?.write(transaction, before: transaction.purchased < store.opens)
  }

  /// The rows and messages of a deposit that has its own.
  func announce(_ messages: [SimulatedMessage], rows: [TransactionRecord]) {
    visit.messages += messages
    visit.rows += rows
  }

  /// Now all is known that belongs together: the company's table and Apple's messages get their
  /// parts of it.
  func endVisit() throws {
    guard let apple else { return }
    let (rows, messages) = planner.divide(visit)
    for transaction in rows { try row(transaction) }
    apple.take(messages)
    let inTable = Set(rows.map(\.number))
    onlyApple += visit.transactions.count { !inTable.contains($0.number) }
    visit = Visit()
  }

  func again(_ transaction: TransactionRecord) throws {
    truth.counts.transactions += 1
    try files?.writeAgain(transaction)
  }

  private func saleKey(
    _ transaction: TransactionRecord, _ terms: SaleTerms, on day: Day
  ) -> SaleKey {
    SaleKey(
      market: transaction.market, item: transaction.item, price: transaction.price,
      proceeds: plan.proceeds(
        transaction.price, store.markets[transaction.market], on: day,
        sku: store.stock.items[transaction.item].sku, afterOneYear: terms.afterOneYear,
        device: terms.device, currency: transaction.currency),
      terms: terms, currency: transaction.currency)
  }

  /// Lets Apple report units, whatever the ledger says.
  func book(_ units: Int, _ key: SaleKey, on day: Day) {
    guard store.reportDays.contains(day) else { return }
    precondition(day >= nextToClose, "a report that is out takes no more units")
    reports.book(units, key, on: day)
    let credit = key.isPartialRefund ? -1 : Int64(units)
    proceedsToWrite += key.proceeds * credit
    guard !key.isWithoutMoney, !store.stock.items[key.item].isApp else { return }
    let unitKey = UnitKey(
      day: day, market: key.market, item: key.item, isRefund: units < 0)
    residual[unitKey, default: 0] -= abs(units)
  }

  /// Closes the reports of the days before `day`.
  func closeReports(before day: Day) throws {
    while nextToClose < day, nextToClose <= store.reportDays.upperBound {
      bookApps(on: nextToClose)
      try close(nextToClose)
      try settlement?.close(through: nextToClose)
      nextToClose = nextToClose.advanced(by: 1)
    }
  }

  func finish() throws {
    try closeReports(before: .init(number: .max))
    try files?.close()
    try apple?.close()
    try subscriptions?.finish(directory)
    truth.stages = try events?.finish() ?? []
    truth.coins = try game?.finish()
    truth.expected += subscriptions?.expected ?? []
    truth.leftOut += subscriptions?.leftOut ?? []
    truth.counts.apple = apple?.counts
    truth.counts.apple?.transactionsOnlyHere = onlyApple
    truth.settlement = settlement?.truth
    truth.leftOut += settlement?.leftOut ?? []
    precondition(proceedsToWrite == 0, "rows differ from what was booked")
    let left = residual.filter { $0.value != 0 && !plan.missingDays.contains($0.key.day) }
    let due = plan.residual.merging(movedUnits, uniquingKeysWith: +)
      .filter { $0.value != 0 && !plan.missingDays.contains($0.key.day) }
    precondition(left == due, "ledger and reports differ by more than the faults")
    conclude()
  }
}

extension Recorder {
  private func count(_ transaction: TransactionRecord) {
    let calendar = store.calendars[transaction.market]
    let currency = transaction.currency ?? store.markets[transaction.market].currency
    let sum = ProceedsPlace(market: transaction.market, currency: currency)
    let amount = transaction.price * Int64(transaction.quantity)
    let period = store.parameters.period
    func count(_ instant: Int64, isRefund: Bool) {
      let day = calendar.day(of: instant)
      if store.reportDays.contains(day) {
        let key = UnitKey(
          day: day, market: transaction.market, item: transaction.item, isRefund: isRefund)
        residual[key, default: 0] += transaction.quantity
      }
      if period.contains(Instant(seconds: instant).day()) {
        ledger[sum, default: 0] += isRefund ? -amount : amount
      }
    }
    count(transaction.purchased, isRefund: false)
    if period.contains(calendar.day(of: transaction.purchased)) {
      units[transaction.market] += transaction.quantity
    }
    if transaction.isRefunded { count(transaction.revoked, isRefund: true) }
  }

  /// Downloads and updates of the app, which no ledger knows.
  private func bookApps(on day: Day) {
    var random = RandomNumbers(seed: store.parameters.seed ^ mixed(UInt64(day.number)))
    for (index, market) in store.markets.enumerated() {
      let downloads = SaleKey(market: index, item: Stock.app, price: 0, proceeds: 0)
      book(random.within(5...40), downloads, on: day)
      var updates = downloads
      updates.isWithoutMoney = true
      updates.terms.device = 1
      book(random.within(50...400), updates, on: day)
      guard store.parameters.paidApp else { continue }
      let price = market.price(store.stock.items[Stock.paidApp].tier)
      let paid = SaleKey(
        market: index, item: Stock.paidApp, price: price,
        proceeds: plan.proceeds(
          price, market, on: day, sku: store.stock.items[Stock.paidApp].sku))
      book(random.within(1...3), paid, on: day)
    }
  }

  private func close(_ day: Day) throws {
    var rows = reports.close(day)
    for row in rows {
      proceedsToWrite -= row.key.proceeds * (row.key.isPartialRefund ? -1 : Int64(row.units))
    }
    guard !plan.missingDays.contains(day) else { return }
    settlement?.take(rows, on: day)
    if store.parameters.period.contains(day) {
      rows.forEach(add)
      let found = rows.compactMap { plan.expected($0.key, $0.units, on: day, store) }
      truth.expected += Set(found)
    }
    truth.counts.salesRows += rows.count
    truth.counts.salesReports += 1
    if store.parameters.shuffle {
      var random = RandomNumbers(seed: store.parameters.seed ^ UInt64(day.number))
      random.shuffle(&rows)
    }
    guard let directory else { return }
    let suffix = store.parameters.gzip ? ".txt.gz" : ".txt"
    let name = SalesReportFiles.fileName + day.compact + suffix
    let bytes = reports.file(day, rows: rows, splitsMembers: multiMemberDays.contains(day))
    try write(bytes, to: "\(directory)/\(name)")
    guard plan.restatedDays.contains(day) else { return }
    precondition(rows.count > 1, "a day without trade cannot be restated")
    let first = reports.file(day, rows: Array(rows.dropFirst()))
    try write(first, to: "\(directory)/\(SimulatedMonth.firstDownloads)/\(name)")
  }

  private func add(_ row: (key: SaleKey, units: Int)) {
    let (key, units) = row
    guard !key.isWithoutMoney else { return }
    let market = store.markets[key.market]
    let isApp = store.stock.items[key.item].isApp
    if isApp { truth.appUnits[market.storefront, default: 0] += units }
    guard !isApp || key.price != 0 else { return }
    let place = ProceedsPlace(market: key.market, currency: key.currency ?? market.currency)
    var sum =
      sums[place]
      ?? TrueProceeds(
        storefront: market.storefront, currency: place.currency, proceedsCurrency: place.currency)
    if key.isPartialRefund {
      sum.partialRefundGross -= key.price
      sum.partialRefundProceeds -= key.proceeds
    } else {
      if units > 0 { sum.unitsSold += units }
      if !isApp, units < 0 { sum.unitsRefunded -= units }
    }
    let times = key.isPartialRefund ? -1 : Int64(units)
    sum.gross += key.price * times
    sum.proceeds += key.proceeds * times
    sums[place] = sum
  }

  private func conclude() {
    truth.expected += incidents.expected
    truth.patterns = plan.patterns + incidents.patterns
    truth.expected.sort(by: ExpectedFinding.isOrderedBefore)
    let middle = store.parameters.period.middle
    truth.boundaries = store.markets.indices.map { market in
      let zone = store.calendars[market].zone
      let noon = Instant(seconds: middle.startUTC.seconds + 43_200)
      return TrueBoundary(
        storefront: store.markets[market].storefront, units: units[market],
        rule: store.calendars[market].rule, zone: zone.name,
        utcOffsetMinutes: Int(zone.offset(at: noon)) / 60)
    }.sorted { $0.storefront < $1.storefront }
    truth.proceeds = sums.values.sorted {
      ($0.storefront, $0.currency) < ($1.storefront, $1.currency)
    }
    truth.ledger = ledger.map {
      TrueLedgerTotal(
        storefront: store.markets[$0.key.market].storefront, currency: $0.key.currency,
        gross: $0.value)
    }.sorted { ($0.storefront, $0.currency) < ($1.storefront, $1.currency) }
  }
}
