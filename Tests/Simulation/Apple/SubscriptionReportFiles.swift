import Billing
import Support

/// Apple's three subscription reports of each report day, from what was sold.
struct SubscriptionReportFiles {
  /// What the names of all three begin with.
  static let fileName = "Subscri"

  private struct SoldPeriod {
    var record: TransactionRecord
    var proceeds: Int64
    var device: UInt8
    var afterOneYear: Bool
  }

  /// A product in a storefront on a day.
  private struct Cell: Hashable {
    var market: Int
    var item: Int
    var day: Day
  }

  private struct Event: Hashable {
    var name: String
    var cell: Cell
    var device: UInt8
    var offer = ""
    var product: String?
  }

  private struct Sale {
    var cell: Cell
    var chain: UInt64
    var price: Int64
    var proceeds: Int64
    var isRefund = false
    var bought: Day
    var device: UInt8
    var afterOneYear: Bool
  }

  private let store: Store
  private var chains: [UInt64: [SoldPeriod]] = [:]
  private var events: [Event] = []
  private var sales: [Sale] = []
  private var active: [Cell: Int] = [:]
  private var missing: Set<Day> = []
  private var taken: Set<Cell> = []
  /// Where something happens so near midnight that Apple may count it on either day.
  private var unclear: Set<Cell> = []
  private var random: RandomNumbers
  private(set) var expected: [ExpectedFinding] = []
  private(set) var leftOut: [LeftOutFaults] = []

  init(store: Store) {
    self.store = store
    random = RandomNumbers(seed: store.parameters.seed ^ 0x5B5)
  }

  /// Takes what Apple sold, and what it sold before the store's reports begin.
  mutating func take(_ record: TransactionRecord, proceeds: Int64, _ terms: SaleTerms?) {
    guard store.stock.items[record.item].isSubscription, record.isBillable,
      terms != nil || record.purchased < store.opens
    else { return }
    chains[record.original, default: []].append(
      SoldPeriod(
        record: record, proceeds: proceeds, device: terms?.device ?? 0,
        afterOneYear: terms?.afterOneYear ?? false))
  }

  /// Puts all together, with the faults, and writes it where there is a directory.
  mutating func finish(_ directory: String?) throws {
    for (_, periods) in chains.sorted(by: { $0.key < $1.key }) { add(chain: periods) }
    let period = store.parameters.period
    for fault in SubscriptionFault.allCases {
      let asked = store.parameters.subscriptionFaults[fault] ?? 0
      let made = (0..<asked).count { _ in make(fault, in: period) }
      if made < asked {
        leftOut.append(LeftOutFaults(kind: fault.rawValue, asked: asked, made: made))
      }
    }
    guard let directory else { return }
    for day in store.reportDays { try write(day, to: directory) }
  }

  // MARK: - What happened

  private func cell(_ record: TransactionRecord, _ moment: Int64) -> Cell {
    Cell(
      market: record.market, item: record.item, day: store.calendars[record.market].day(of: moment))
  }

  private mutating func add(chain periods: [SoldPeriod]) {
    let ordered = periods.sorted { $0.record.purchased < $1.record.purchased }
    for (index, period) in ordered.enumerated() {
      let record = period.record
      let before = index > 0 ? ordered[index - 1].record : nil
      let isOffer = record.isTrial || record.isIntro
      let name =
        isOffer && !(before.map { $0.isTrial || $0.isIntro } ?? false)
        ? "Start Introductory Offer"
        : before.map { furtherName(record, after: $0) } ?? "Subscribe"
      book(
        Event(
          name: name, cell: cell(record, record.purchased), device: period.device,
          offer: record.isTrial ? "Free Trial" : record.isIntro ? "Pay as you go" : ""))
      sell(period, isRefund: false)
      if record.isRefunded {
        book(Event(name: "Refund", cell: cell(record, record.revoked), device: period.device))
        sell(period, isRefund: true)
      }
      let next = index + 1 < ordered.count ? ordered[index + 1].record.purchased : .max
      let end = record.revoked != 0 ? record.revoked : record.expires
      if record.revoked == 0, next > end + 3600 {
        // Most turn the renewal off, the others' money fails; messages tell only of the first.
        let isTold = store.parameters.asksApple
        let name = isTold || random.chance(700) ? "Cancel" : "Billing Retry from Paid Subscription"
        book(Event(name: name, cell: cell(record, end), device: period.device))
      }
      count(record, until: min(end, next))
      for moment in [record.purchased, end] {
        for shifted in [moment - 2_400, moment, moment + 2_400] {
          let other = self.cell(record, shifted)
          if other.day != self.cell(record, moment).day {
            unclear.formUnion([other, self.cell(record, moment)])
          }
        }
      }
    }
  }

  private func furtherName(_ record: TransactionRecord, after before: TransactionRecord) -> String {
    if record.item != before.item { return "Upgrade" }
    if record.purchased > before.expires + 3600 { return "Reactivate" }
    return before.isTrial || before.isIntro ? "Paid Subscription from Introductory Offer" : "Renew"
  }

  private mutating func book(_ event: Event) {
    if store.reportDays.contains(event.cell.day) { events.append(event) }
  }

  private mutating func sell(_ period: SoldPeriod, isRefund: Bool) {
    let record = period.record
    let cell = cell(record, isRefund ? record.revoked : record.purchased)
    guard store.reportDays.contains(cell.day) else { return }
    sales.append(
      Sale(
        cell: cell, chain: record.original, price: record.price, proceeds: period.proceeds,
        isRefund: isRefund, bought: self.cell(record, record.purchased).day,
        device: period.device, afterOneYear: period.afterOneYear))
  }

  /// Active at the end of each day that the period spans.
  private mutating func count(_ record: TransactionRecord, until end: Int64) {
    let calendar = store.calendars[record.market]
    for day in store.reportDays {
      let midnight = calendar.start(of: day.advanced(by: 1))
      guard record.purchased < midnight, midnight <= end else { continue }
      active[Cell(market: record.market, item: record.item, day: day), default: 0] += 1
    }
  }

  // MARK: - Faults

  /// Whether a cell's neighbourhood is free; it is not any more then.
  private mutating func reserve(_ cell: Cell) -> Bool {
    let period = store.parameters.period
    guard cell.day > period.first.advanced(by: 2), cell.day < period.last.advanced(by: -2) else {
      return false
    }
    let around = (-3...3).map { distance in
      Cell(market: cell.market, item: cell.item, day: cell.day.advanced(by: distance))
    }
    guard taken.isDisjoint(with: around), !unclear.contains(cell),
      !around.contains(where: { missing.contains($0.day) })
    else { return false }
    taken.formUnion(around)
    return true
  }

  private mutating func expect(_ code: FindingCode, _ cell: Cell) {
    expected.append(
      ExpectedFinding(
        code: code, storefront: store.markets[cell.market].storefront, date: cell.day,
        sku: store.stock.items[cell.item].sku, units: 1))
  }

  private mutating func place(_ cells: [Cell]) -> Int? {
    for _ in 0..<min(200, cells.count) {
      let index = random.below(cells.count)
      if reserve(cells[index]) { return index }
    }
    return nil
  }

  private mutating func make(_ fault: SubscriptionFault, in period: Period) -> Bool {
    switch fault {
    case .missingReport: return loseReport(in: period)
    case .unknownProduct:
      let days = [Day](period.first.advanced(by: 3)...period.last.advanced(by: -3))
      let day = random.pick(days)
      guard !missing.contains(day), !expected.contains(where: { $0.code == .subscriptionUnknown })
      else { return false }
      events.append(
        Event(
          name: "Subscribe", cell: Cell(market: 0, item: Stock.monthly, day: day), device: 0,
          product: "Orbit vip weekly"))
      expected.append(
        ExpectedFinding(
          code: .subscriptionUnknown, storefront: nil, date: day, sku: "Orbit vip weekly",
          units: 1))
      return true
    case .extraActive:
      guard let index = place(events.map(\.cell)) else { return false }
      let cell = events[index].cell
      for day in cell.day...store.reportDays.upperBound {
        active[Cell(market: cell.market, item: cell.item, day: day), default: 0] += 1
      }
      expect(.subscriptionsDiffer, cell)
      return true
    case .lostEvent, .extraEvent, .shiftedEvent, .extraRefund: return changeEvent(fault)
    case .lostSubscriber, .extraSubscriber, .otherPrice: return changeSale(fault)
    }
  }

  private mutating func loseReport(in period: Period) -> Bool {
    let day = random.pick([Day](period.first.advanced(by: 3)...period.last.advanced(by: -3)))
    guard missing.isEmpty, !taken.contains(where: { abs($0.day.distance(to: day)) < 2 }) else {
      return missing.isEmpty ? loseReportAnywhere(in: period) : false
    }
    lose(day)
    return true
  }

  private mutating func loseReportAnywhere(in period: Period) -> Bool {
    let free = [Day](period.first.advanced(by: 3)...period.last.advanced(by: -3)).first { day in
      !taken.contains { abs($0.day.distance(to: day)) < 2 }
    }
    guard let free else { return false }
    lose(free)
    return true
  }

  private mutating func lose(_ day: Day) {
    missing.insert(day)
    expected.append(
      ExpectedFinding(
        code: .subscriptionReportMissing, storefront: nil, date: day, sku: nil, units: 1))
  }

  private mutating func changeEvent(_ fault: SubscriptionFault) -> Bool {
    let renewals = events.indices.filter { events[$0].name == "Renew" }
    guard let found = place(renewals.map { events[$0].cell }) else { return false }
    let index = renewals[found]
    let cell = events[index].cell
    switch fault {
    case .lostEvent: events.remove(at: index)
    case .extraEvent: events.append(events[index])
    case .shiftedEvent: events[index].cell.day = cell.day.advanced(by: 1)
    default: events.append(Event(name: "Refund", cell: cell, device: 0))
    }
    expect(.subscriptionEventsDiffer, cell)
    return true
  }

  private mutating func changeSale(_ fault: SubscriptionFault) -> Bool {
    let paid = sales.indices.filter { !sales[$0].isRefund && sales[$0].price > 0 }
    guard let found = place(paid.map { sales[$0].cell }) else { return false }
    let index = paid[found]
    let cell = sales[index].cell
    switch fault {
    case .lostSubscriber: sales.remove(at: index)
    case .extraSubscriber: sales.append(sales[index])
    default: sales[index].price += 1_000_000
    }
    expect(.subscriberDiffers, cell)
    return true
  }

  // MARK: - Files

  private static let product = [
    "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
    "Subscription Group ID", "Standard Subscription Duration",
  ]
  private static let subscriptionHeader =
    product + [
      "Subscription Offer Name", "Promotional Offer ID", "Customer Price", "Customer Currency",
      "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client",
      "Device", "State", "Country", "Active Standard Price Subscriptions",
      "Active Free Trial Introductory Offer Subscriptions",
      "Active Pay Up Front Introductory Offer Subscriptions",
      "Active Pay As You Go Introductory Offer Subscriptions",
      "Free Trial Promotional Offer Subscriptions", "Pay Up Front Promotional Offer Subscriptions",
      "Pay As You Go Promotional Offer Subscriptions", "Free Trial Offer Code Subscriptions",
      "Pay Up Front Offer Code Subscriptions", "Pay As You Go Offer Code Subscriptions",
      "Marketing Opt-Ins", "Billing Retry", "Grace Period", "Subscribers",
    ]
  private static let eventHeader =
    ["Event Date", "Event"] + product + [
      "Subscription Offer Type", "Subscription Offer Duration", "Marketing Opt-In",
      "Marketing Opt-In Duration", "Preserved Pricing", "Proceeds Reason",
      "Subscription Offer Name", "Promotional Offer ID", "Consecutive Paid Periods",
      "Original Start Date", "Device", "Client", "State", "Country", "Previous Subscription Name",
      "Previous Subscription Apple ID", "Days Before Canceling", "Cancellation Reason",
      "Days Canceled", "Quantity", "Paid Service Days Recovered",
    ]
  private static let subscriberHeader =
    ["Event Date"] + product + [
      "Subscription Offer Name", "Promotional Offer ID", "Subscription Offer Type",
      "Subscription Offer Duration", "Marketing Opt-In Duration", "Customer Price",
      "Customer Currency", "Developer Proceeds", "Proceeds Currency", "Preserved Pricing",
      "Proceeds Reason", "Client", "Device", "Country", "Subscriber ID", "Subscriber ID Reset",
      "Refund", "Purchase Date", "Units",
    ]

  private func write(_ day: Day, to directory: String) throws {
    try write(rowsOfSubscriptions(day), "Subscription", day, directory)
    if !missing.contains(day) {
      try write(rowsOfEvents(day), "Subscription_Event", day, directory)
    }
    try write(rowsOfSales(day), "Subscriber", day, directory)
  }

  private func write(
    _ rows: [[Field]], _ kind: String, _ day: Day, _ directory: String
  ) throws {
    var text = RowText()
    for row in rows { text.row(row, separator: 0x09) }
    let name = "\(directory)/\(kind)_\(SalesReportFiles.vendor)_\(day.compact)"
    if store.parameters.gzip {
      try Simulation.write(gzipMember(text.bytes), to: name + ".txt.gz")
    } else {
      try Simulation.write(text.bytes, to: name + ".txt")
    }
  }

  /// The app's name is another in each storefront; the ids are the same.
  private func product(_ item: Int, _ market: Int, named name: String? = nil) -> [Field] {
    let app = market % 2 == 0 ? "Lumen Orbit" : "Lumen Orbit \(store.markets[market].storefront)"
    return [
      .text(app), .number(Stock.appleIdentifier(Stock.app)),
      .text(name ?? store.stock.items[item].title),
      name == nil ? .number(Stock.appleIdentifier(item)) : "9999999999", "20500001", "1 Month",
    ]
  }

  private func rowsOfSubscriptions(_ day: Day) -> [[Field]] {
    var rows = [Self.subscriptionHeader.map { Field.text($0) }]
    let cells = active.keys.filter { $0.day == day && active[$0] != 0 }
      .sorted { ($0.market, $0.item) < ($1.market, $1.item) }
    for cell in cells {
      let market = store.markets[cell.market]
      let all = active[cell]!
      // Devices have rows of their own, and so have prices.
      for (device, count) in [("iPhone", all - all / 3), ("iPad", all / 3)] where count > 0 {
        let digits = market.currency.minorDigits
        let price = market.price(store.stock.items[cell.item].tier)
        let head: [Field] =
          product(cell.item, cell.market) + [
            " ", " ", .micros(price, digits: digits), .text(market.currency.code),
            .micros(price, digits: digits), .text(market.currency.code), " ", " ", " ",
            .text(device), " ", .text(market.storefront.code),
          ]
        let trials = count / 4
        rows.append(
          head + [.number(count - trials), .number(trials)]
            + Array(repeating: "0", count: 8) + ["0", "7", "2", " "])
      }
    }
    return rows
  }

  private func rowsOfEvents(_ day: Day) -> [[Field]] {
    var rows = [Self.eventHeader.map { Field.text($0) }]
    let grouped = Dictionary(grouping: events.filter { $0.cell.day == day }) { $0 }
    let keys = grouped.keys.sorted { left, right in
      (left.cell.market, left.cell.item, left.name, left.device, left.offer, left.product ?? "")
        < (
          right.cell.market, right.cell.item, right.name, right.device, right.offer,
          right.product ?? ""
        )
    }
    for event in keys {
      let market = store.markets[event.cell.market]
      let offer: [Field] = event.offer.isEmpty ? [" ", " "] : [.text(event.offer), "7 Days"]
      rows.append(
        [.text(day.description), .text(event.name)]
          + product(event.cell.item, event.cell.market, named: event.product) + offer
          + [" ", " ", " ", " ", " ", " ", "1", " "]
          + [
            .text(SalesReportFiles.name(ofDevice: event.device)), " ", " ",
            .text(market.storefront.code), " ", " ", " ", " ", " ",
            .number(grouped[event]!.count), " ",
          ])
    }
    return rows
  }

  private func rowsOfSales(_ day: Day) -> [[Field]] {
    var rows = [Self.subscriberHeader.map { Field.text($0) }]
    for sale in sales where sale.cell.day == day {
      let market = store.markets[sale.cell.market]
      let digits = market.currency.minorDigits
      rows.append(
        [.text(day.description)] + product(sale.cell.item, sale.cell.market)
          + [
            " ", " ", " ", " ", " ",
            .micros(sale.isRefund ? -sale.price : sale.price, digits: digits),
            .text(market.currency.code), .micros(sale.proceeds, digits: digits),
            .text(market.currency.code), " ", sale.afterOneYear ? "Rate After One Year" : " ", " ",
            .text(SalesReportFiles.name(ofDevice: sale.device)), .text(market.storefront.code),
            .number(mixed(sale.chain) >> 12), " ", sale.isRefund ? "Yes" : " ",
            .text(sale.bought.description), "1",
          ])
    }
    return rows
  }
}
