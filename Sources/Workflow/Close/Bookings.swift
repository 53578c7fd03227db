import Billing
import Conclusions
import Ledger
import Matching

/// What later imports changed of closed periods, to be booked in the earliest open one.
struct Bookings {
  struct Prior {
    let close: CloseRecord
    /// How the period comes out now.
    let now: Reconciliation
    /// How it came out when it was closed, or when its changes were booked last.
    let before: PeriodFigures
  }

  /// Those that come out otherwise.
  private(set) var priors: [Prior] = []
  /// Of closed periods that were looked at again, in order: what they rest on now.
  private(set) var changes: [ClosedInputs.Change] = []
  private let inputs: ClosedInputs

  /// Reconciles anew each closed period whose later changes the request's period books, where
  /// something that was imported since may have changed it.
  init(_ request: ReconcileRequest, _ ledger: Ledger) throws {
    let book = try CloseBook(ledger)
    inputs = try ClosedInputs(book, ledger, carryMax: request.settings.carryMax)
    for close in book.booksInto(request.period) {
      guard let change = try inputs.change(of: close) else { continue }
      changes.append(change)
      let before = try PeriodFigures(of: close, booking: book.lastBooking(of: close), ledger)
      var earlier = request
      earlier.period = close.period
      let now = try reconcileFacts(earlier, ledger, onlyFigures: true)
      if !PeriodFigures(now).isSame(as: before) {
        priors.append(Prior(close: close, now: now, before: before))
      }
    }
  }

  /// Digests that a close of this period keeps: of what it, and each closed period that was looked
  /// at again, rests on now.
  func basis(of own: Period) throws -> [KeptBasis] {
    try changes.map { KeptBasis(period: $0.close.period.description, digests: $0.now) }
      + [KeptBasis(period: own.description, digests: inputs.digests(of: own))]
  }

  /// Figures that a close of this period keeps: what each earlier period whose changes it books
  /// comes to now, and what its own came to without them.
  func figures(of own: Reconciliation) throws -> [KeptFigures] {
    try (priors.map(\.now) + [own]).map { try PeriodFigures($0).kept(for: $0.period) }
  }
}

// MARK: - Adding them

extension Reconciliation {
  /// The reconciliation with what changed of closed periods, and what Apple owes after that.
  func booking(
    _ bookings: Bookings, _ request: ReconcileRequest, _ ledger: Ledger
  ) throws -> Reconciliation {
    var copy = self
    let rates = RateBook(try ledger.rates(request.period.days))
    copy.book(bookings, rates: rates)
    try copy.compareWithClosed(ledger)
    if period.fiscalMonth != nil {
      try copy.rollReceivable(request, ledger, rates)
    } else if period.isCalendarMonth {
      try copy.openBooks(request, ledger)
    }
    try copy.addBookFindings(request.settings, rates, ledger)
    return copy
  }

  /// Takes the proceeds of the period before as its close stated them, where it is closed: what
  /// came later is in this period's.
  private mutating func compareWithClosed(_ ledger: Ledger) throws {
    let (book, before) = (try CloseBook(ledger), period.previous)
    guard let close = book.close(of: before) else { return }
    let rates = RateBook(try ledger.rates(before.last...before.last))
    previousProceeds = try PeriodFigures.statedProceeds(of: close, book, ledger)
      .sorted { $0.key.rawValue < $1.key.rawValue }.map { key, kept in
        ProceedsLine(key, kept, in: baseCurrency, rates, on: before.last)
      }
  }

  /// Books what changed of closed periods: their changed steps are added to this period's bridges,
  /// their new findings join its findings.
  private mutating func book(_ bookings: Bookings, rates: RateBook) {
    for change in bookings.changes where change.hasOtherRates {
      notes.append(
        """
        @close.exchange-rates-of-changed-after \(change.close.period) \(change.close.number) \
        \(baseCurrency)
        """)
    }
    guard !bookings.priors.isEmpty else { return }
    bridges.removeAll { $0.storefront == "ALL" }
    for prior in bookings.priors { book(prior, rates) }
    bridges.sort { ($0.storefront, $0.currency.code) < ($1.storefront, $1.currency.code) }
    let all = Bridge.summary(of: bridges, in: baseCurrency, rates: rates, on: period.last)
    if let all { bridges.insert(all, at: 0) }
    proceeds.sort {
      ($0.storefront.code, $0.currency.code, $0.proceedsCurrency.code)
        < ($1.storefront.code, $1.currency.code, $1.proceedsCurrency.code)
    }
    findings.sort(by: Finding.isOrderedBefore)
  }

  /// Adds one closed period's changes to this period's bridges, proceeds, payments, units, findings
  /// and notes.
  private mutating func book(_ prior: Bookings.Prior, _ rates: RateBook) {
    let now = PeriodFigures(prior.now)
    let name = prior.close.period.description
    bookSteps(now, prior.before, name)
    bookProceeds(now, prior.before, rates)
    bookPayments(now, prior.before, prior.close.period)
    matchedUnits += now.matchedUnits - prior.before.matchedUnits
    unmatchedUnits += now.unmatchedUnits - prior.before.unmatchedUnits
    let known = Set(findings.map(\.id))
    let before = Set(prior.before.findings)
    var gone = before.subtracting(now.findings)
    var new = 0
    for finding in prior.now.findings
    where !before.contains(finding.id) && !known.contains(finding.id)
      && period.closingLevels.contains(finding.code.level)
    {
      var finding = finding
      let words = finding.explanation
      finding.explanation = "@close.it-belongs-to-which-is \(words) \(name) \(period)"
      let sum = PeriodFigures.RowSum(finding)
      if let sum, let sums = prior.before.sums,
        let less = gone.sorted().first(where: { sums[$0]?.isOfSameRows(as: sum) == true })
      {
        // The close had the other rows of the sum.
        gone.remove(less)
        guard finding.subtract(sums[less]!) else { continue }
        let rest = finding.money.map { spoken($0) } ?? spoken(units: finding.units ?? 0)
        finding.explanation = "@close.it-belongs-to-and-of-it \(words) \(name) \(rest) \(period)"
      }
      findings.append(finding)
      new += 1
    }
    notes.append(bookedNote(prior.close, new: new, gone: gone))
  }

  /// The note that says how many findings of a closed period are new, and which are gone.
  private func bookedNote(_ close: CloseRecord, new: Int, gone: Set<String>) -> Wording {
    let new = counted(new, "@close.1-new-finding") { "@close.new-findings \($0)" }
    var settled = counted(gone.count, "@close.1-finding-resolved") {
      "@close.findings-resolved \($0)"
    }
    if !gone.isEmpty { settled = "\(settled) (\(gone.sorted().prefix(20).asList))" }
    return "@close.changes-to-after-its-close \(close.period) \(close.number) \(new) \(settled)"
  }

  /// Adds to the bridges what each step of a closed period's bridges changed, and notes it in
  /// `booked`.
  ///
  /// - Parameter month: the closed period's name.
  private mutating func bookSteps(_ now: PeriodFigures, _ before: PeriodFigures, _ month: String) {
    let (new, old) = (Self.bridges(now), Self.bridges(before))
    for key in Set(new.keys).union(old.keys).sorted() {
      let own = bridges.first { $0.storefront == key.storefront && $0.currency == key.currency }
      // Only as far as all three go: a total that one of them lacks has nothing to be added to.
      let end =
        [new[key]?.keys.map(\.self), old[key]?.keys.map(\.self), own?.places.keys.map(\.self)]
        .compactMap { $0.flatMap(Self.lastTotal) }.min() ?? 0
      var changes: [BridgePlace: PeriodFigures.Sum] = [:]
      for place in BridgePlace.inOrder[...end] {
        let (now, before) = (new[key]?[place], old[key]?[place])
        guard now != nil || before != nil else { continue }
        let hasUnits = now?.units != nil || before?.units != nil
        changes[place] = PeriodFigures.Sum(
          units: hasUnits ? (now?.units ?? 0) - (before?.units ?? 0) : nil,
          amount: (now?.amount ?? 0) - (before?.amount ?? 0))
      }
      let moved = BridgePlace.inOrder.filter { place in
        changes[place].map { $0.amount != 0 || $0.units ?? 0 != 0 } ?? false
      }
      if moved.isEmpty { continue }
      add(changes, to: key)
      booked += moved.map { place in
        BookedChange(
          period: month, storefront: key.storefront, cause: place.cause,
          units: changes[place]!.units ?? 0,
          amount: Money(micros: changes[place]!.amount, key.currency))
      }
    }
  }

  /// The steps of a closed period's bridges with their sums, by storefront and currency.
  private static func bridges(
    _ figures: PeriodFigures
  ) -> [BridgeKey: [BridgePlace: PeriodFigures.Sum]] {
    var bridges: [BridgeKey: [BridgePlace: PeriodFigures.Sum]] = [:]
    for (step, sum) in figures.steps {
      let key = BridgeKey(storefront: step.storefront, currency: step.currency)
      bridges[key, default: [:]][BridgePlace(step.cause, step.ordinal)] = sum
    }
    return bridges
  }

  /// How far a bridge with these steps goes: the index in `BridgePlace.inOrder` of its last total;
  /// nil without one.
  private static func lastTotal(_ places: [BridgePlace]) -> Int? {
    BridgePlace.inOrder.lastIndex { $0.cause.isTotal && places.contains($0) }
  }

  private struct BridgeKey: Hashable, Comparable {
    var storefront: String
    var currency: Currency
    static func < (left: Self, right: Self) -> Bool {
      (left.storefront, left.currency.code) < (right.storefront, right.currency.code)
    }
  }

  /// Adds these sums to the steps of a bridge, or makes a bridge of them.
  private mutating func add(_ steps: [BridgePlace: PeriodFigures.Sum], to key: BridgeKey) {
    let index = bridges.firstIndex {
      $0.storefront == key.storefront && $0.currency == key.currency
    }
    var places = index.map { bridges[$0].places } ?? [:]
    for (place, sum) in steps {
      var step =
        places[place]
        ?? BridgeStep(cause: place.cause, units: nil, amount: .zero(key.currency))
      if let units = sum.units { step.units = (step.units ?? 0) + units }
      step.amount.micros += sum.amount
      // What a close kept does not say whether it was proven.
      if [.asProven, .open].contains(place.cause.standing) { step.open.micros += sum.amount }
      places[place] = step
    }
    let bridge = Bridge(storefront: key.storefront, currency: key.currency, places: places)
    if let index { bridges[index] = bridge } else { bridges.append(bridge) }
  }

  /// Adds to the lines of proceeds what a closed period's lines changed.
  private mutating func bookProceeds(
    _ now: PeriodFigures, _ before: PeriodFigures, _ rates: RateBook
  ) {
    for key in Set(now.proceeds.keys).union(before.proceeds.keys) {
      let none = PeriodFigures.Proceeds()
      let change = (now.proceeds[key] ?? none) - (before.proceeds[key] ?? none)
      guard change != none else { continue }
      let index = proceeds.firstIndex {
        $0.storefront == key.storefront && $0.currency == key.currency
          && $0.proceedsCurrency == key.proceedsCurrency
      }
      let known = index.map { PeriodFigures.Proceeds(proceeds[$0]) } ?? none
      let line = ProceedsLine(key, known + change, in: baseCurrency, rates, on: period.last)
      if let index { proceeds[index] = line } else { proceeds.append(line) }
    }
  }

  /// Adds to the settlement what changed of a closed fiscal month's payments.
  ///
  /// - Parameter period: the closed one.
  private mutating func bookPayments(
    _ now: PeriodFigures, _ before: PeriodFigures, _ period: Period
  ) {
    guard settlement != nil, let month = period.fiscalMonth else { return }
    // A payment that was only expected has no bank's currency.
    var changes: [PeriodFigures.Region: [String: Int64]] = [:]
    var banks: [PeriodFigures.Region: Currency] = [:]
    /// Adds the sums of payments, times `sign` (1 or -1), to those of their region in `changes`,
    /// and keeps the region's bank currency in `banks`.
    func add(_ payments: [PeriodFigures.Region: [String: Int64]], _ sign: Int64) {
      for (key, sums) in payments {
        var region = key
        region.bankCurrency = nil
        banks[region] = key.bankCurrency ?? banks[region]
        for (cause, amount) in sums {
          changes[region, default: [:]][cause, default: 0] += sign * amount
        }
      }
    }
    add(now.payments, 1)
    add(before.payments, -1)
    for (region, change) in changes.sorted(by: {
      ($0.key.region, $0.key.currency) < ($1.key.region, $1.key.currency)
    }) where change.contains(where: { $0.key != "expected" && $0.value != 0 }) {
      var key = region
      key.bankCurrency = banks[region]
      settlement!.changes.append(RegionPayment(change, key, of: month))
    }
  }
}

extension ProceedsLine {
  /// A line of figures, with what follows from them at the rates of a day.
  fileprivate init(
    _ key: PeriodFigures.Line, _ figures: PeriodFigures.Proceeds, in base: Currency,
    _ rates: RateBook, on day: Day
  ) {
    self.init(
      storefront: key.storefront, currency: key.currency, proceedsCurrency: key.proceedsCurrency)
    (unitsSold, unitsRefunded) = (figures.unitsSold, figures.unitsRefunded)
    (gross.micros, tax.micros) = (figures.gross, figures.tax)
    proceeds.micros = figures.proceeds
    complete(in: base, rates: rates, on: day)
  }
}

extension Finding {
  /// Takes the units and the amount of an earlier sum off this one; false where nothing is left.
  fileprivate mutating func subtract(_ earlier: PeriodFigures.RowSum) -> Bool {
    units = units.map { $0 - (earlier.units ?? 0) }
    let rest = (amount ?? 0) - (earlier.amount ?? 0)
    amount = rest == 0 ? nil : rest
    return rest != 0 || units ?? 0 != 0
  }
}

extension RegionPayment {
  /// The change of a closed fiscal month's payment in a region, in the form of a payment.
  ///
  /// - Parameters:
  ///   - change: how much each cause of `payment_bridge` went up or down, in micro-units.
  ///   - key: the region with its currency, and the bank's currency where something was paid.
  ///   - month: that the payment is for.
  fileprivate init(
    _ change: [String: Int64], _ key: PeriodFigures.Region, of month: FiscalMonth
  ) {
    /// The change of one cause, out of `change`; zero where it has none.
    func changed(_ cause: String, in currency: Currency) -> Money {
      Money(micros: change[cause, default: 0], currency)
    }
    let currency = key.currency
    let settled = changed("settled", in: currency)
    self.init(region: key.region, currency: currency, settled: settled)
    self.month = month
    difference = changed("payment-difference", in: currency)
    earned = settled + difference
    adjustment = changed("adjustment", in: currency)
    withholding = changed("withholding", in: currency)
    inputTax = changed("input-tax", in: currency)
    carriedBalance = changed("carried-balance", in: currency)
    owed = changed("owed", in: currency)
    if let bank = key.bankCurrency { paid = changed("paid", in: bank) }
  }
}
