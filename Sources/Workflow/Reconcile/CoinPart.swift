import Billing
import Ledger
import Matching

/// Movements and balances of coins held against the period's orders; nil where no movement of the
/// period is loaded.
func coinTieOut(
  _ ledger: Ledger, _ table: MatchTable, _ context: MatchingContext
) throws -> CoinTieOut? {
  let (zone, period) = (context.settings.businessZone, context.period)
  /// When the company's day begins, in seconds since 1970.
  func start(_ day: Day) -> Int64 { zone.start(of: day).seconds }
  let end = start(period.last.advanced(by: 1)) + Int64(Rules.daysAfter) * 86_400
  guard let times = try ledger.coinMovementTimes(), times.lowerBound < end,
    times.upperBound >= start(period.first) - 86_400
  else { return nil }
  let begin = try ledger.lastOpening(until: start(period.first.advanced(by: 1)) - 1) {
    $1 ? start(Day(number: Int32(clamping: $0 / 86_400))) : $0
  }
  // A day alone may begin before or after the same day of UTC.
  let from = begin.map { max(times.lowerBound, $0 - 86_400) } ?? times.lowerBound
  let range = min(from, end)...end
  var balances = CoinBalances()
  try ledger.forEachCoinBalance(on: period.balanceDays) { balances.add($0) }
  var survey: CoinSurvey?
  try ledger.forEachCoinMovement(
    in: range,
    begin: { survey = CoinSurvey($0, table, balances, begin: begin ?? .min, context) },
    movement: { survey?.add($0) })
  guard let survey, survey.isOfPeriod else { return nil }
  let parts = CoinOverdrafts.parts(of: survey)
  let overdrafts = try (0..<parts).map { part in
    var overdrafts = CoinOverdrafts(survey, part: part, of: parts)
    try ledger.forEachCoinMovement(in: range, begin: { _ in }, movement: { overdrafts.add($0) })
    return overdrafts
  }
  let asked = survey.asked
  let window = purchaseWindow(period)
  let known = (
    orders: Set(
      try ledger.orders(keys: asked.orders, claiming: [], outside: window).map(\.key)),
    transactions: Set(
      try ledger.transactions(keys: asked.transactions, claiming: [], outside: window).map(\.key))
  )
  return CoinTieOut(survey, overdrafts, known: known)
}

extension Period {
  /// The days whose balances of coins a conclusion reads, from 31 days before the period on: a
  /// difference that was there before is none of the period's.
  var balanceDays: ClosedRange<Day> { first.advanced(by: -31)...last }
}
