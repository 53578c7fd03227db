import Billing
import Conclusions
import Ledger
import Matching

extension Reconciliation {
  /// Adds what is owed for coins, where movements of the period are loaded and the configuration
  /// says how they are valued; else says in one line what lacks.
  ///
  /// Everything since the first movement is valued again: what a later import changed of a closed
  /// month is the difference to what its close left.
  ///
  /// - Parameter table: the period's matches.
  mutating func valueCoins(
    _ request: ReconcileRequest, _ ledger: Ledger, _ table: MatchTable, _ context: MatchingContext
  ) throws {
    guard period.isCalendarMonth else { return }
    let policy = request.settings.coins
    if let lack = try lack(of: policy, request.settings, ledger) {
      notes.append(lack)
      coinRemarks.append(lack)
      return
    }
    guard let coins else { return }
    guard let first = try firstDayOfCoins(ledger, request.settings.businessZone) else { return }
    var books = CoinBooks(
      try ledger.coinMovementTerms(), try ledger.gameItems(), policy, from: first)
    let zone = request.settings.businessZone
    if books.asksForTakenBack, let times = try ledger.coinMovementTimes() {
      try ledger.forEachCoinMovement(
        in: times, begin: { _ in }, movement: { books.noteTakenBack($0, zone) })
    }
    var reports = CoinReports()
    var rolls: [CoinRoll] = []
    for month in calendarMonths(from: first, through: period) {
      if month.first == period.first {
        reports.add(products, context, after: rolls, policy)
        rolls = try rollForward(month, &books, ledger, table, context)
      } else {
        var earlier = request
        (earlier.period, earlier.recording) = (month, nil)
        let alone = try MonthAlone(earlier, ledger)
        reports.add(alone.products, alone.context, after: rolls, policy)
        rolls = try rollForward(month, &books, ledger, alone.table, alone.context)
      }
    }
    coinStatement = CoinStatement(policy, rolls, books, flow: coins, reports)
    let days = reportDays(period)
    inputs = try inputFiles(ledger, of: min(first, days.lowerBound)...days.upperBound)
  }

  /// Why coins cannot be valued, as a line for people; nil where they can, or there are none.
  private func lack(
    of policy: CoinPolicy, _ settings: Settings, _ ledger: Ledger
  ) throws -> Wording? {
    let missing = policy.missingKeys
    guard let coins else {
      // What is owed from before stays in the books, and nobody sees what was used of it.
      let first = try missing.isEmpty ? firstDayOfCoins(ledger, settings.businessZone) : nil
      return first.map { $0 <= period.last } == true
        ? "@coins.not-valued-without-movements \(period)" : nil
    }
    if !missing.isEmpty {
      return "@coins.not-valued-keys-lack \(missing.joined(separator: ", "))"
    }
    if policy.needsUsers, coins.totals.contains(where: { $0.users == nil }) {
      return policy.valuation == .lot
        ? "@coins.not-valued-by-lot-without-users" : "@coins.not-valued-remote-without-users"
    }
    if !policy.agrees(with: settings.revenue) {
      return "@coins.not-valued-revenue-differs \(settings.revenue.rawValue)"
    }
    return nil
  }

  /// The day of the first movement of coins that is loaded, in UTC or in the zone, whichever is
  /// earlier; nil without movements.
  private func firstDayOfCoins(_ ledger: Ledger, _ zone: Zone) throws -> Day? {
    try ledger.coinMovementTimes().map { times in
      let start = Instant(seconds: times.lowerBound)
      return min(start.day(), zone.day(of: start))
    }
  }

  /// Adds a month's matched orders and movements of coins to the books, and returns the month's
  /// roll-forwards, from what was owed before it to what is owed after it.
  private func rollForward(
    _ month: Period, _ books: inout CoinBooks, _ ledger: Ledger, _ table: MatchTable,
    _ context: MatchingContext
  ) throws -> [CoinRoll] {
    try books.begin(table, context) { try ledger.users(ofOrders: $0) }
    let zone = context.settings.businessZone
    // A day alone is the start of the same day of UTC.
    let start = min(zone.start(of: month.first).seconds, month.first.startUTC.seconds)
    let next = month.last.advanced(by: 1)
    let end = max(zone.start(of: next).seconds, next.startUTC.seconds)
    try ledger.forEachCoinMovement(
      in: start...end, begin: { _ in }, movement: { books.add($0) })
    return books.end()
  }
}

/// The calendar months from the one that has the day until `last`, ascending.
private func calendarMonths(from first: Day, through last: Period) -> [Period] {
  var months: [Period] = [last]
  while let earliest = months.last, earliest.first > first {
    let end = earliest.first.advanced(by: -1)
    let (year, month, day) = end.parts
    months.append(
      Period(
        first: end.advanced(by: 1 - day), last: end,
        description: "\(padded(year, 4))-\(padded(month, 2))"))
  }
  return months.reversed()
}
