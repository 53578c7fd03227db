import Billing
import Conclusions
import Ledger
import Matching

extension Explainer {
  /// The coin and the day that `COIN/DAY` names; `coins/DAY` where the only coin has no name. Nil
  /// where the id is no such text, or no movement has the coin.
  func coinDay() throws -> (coin: String, day: Day)? {
    let parts = request.id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let day = Day(parts[1]) else { return nil }
    let known = try ledger.coinNames()
    let name = String(parts[0])
    if known.contains(name) { return (name, day) }
    return name == "coins" && known.contains("") ? ("", day) : nil
  }

  /// Explains a coin on a business day: what it began with, what happened and what was left.
  func explanation(coin: String, _ day: Day) throws -> Explanation {
    let history = try coinHistory(coin: coin, days: day...day)
    var explanation = Explanation(
      .coins, request.id, "@explain.coins-on-a-day \(request.id)")
    explanation.coins = history.map(words)
    if history.isEmpty { explanation.coins = ["@explain.no-movement-until-then"] }
    return explanation
  }

  /// What a user has of each coin; empty where no movement names the user.
  func coins(ofUser id: String) throws -> [Wording] {
    // Days from 1970 on, further than any movement may be.
    let all = Day(number: 0)...Day(number: 60_000)
    let history = try coinHistory(user: IDKey(id), days: all)
    return history.flatMap { line in
      [words(line)]
        + line.last.map { last in
          """
          @explain.coin-movement \(last.moment) \(last.terms.movement.wording) \
          \(grouped(Int(last.coins)))
          """
        }
    }
  }

  /// The movements of coins on these days and what stood before them, added up for each coin; of
  /// one user or one coin where these are given.
  private func coinHistory(
    user: IDKey? = nil, coin: String? = nil, days: ClosedRange<Day>
  ) throws -> [CoinHistory.Line] {
    guard let times = try ledger.coinMovementTimes() else { return [] }
    let zone = request.settings.businessZone
    /// When the company's day begins, in seconds since 1970.
    func start(_ day: Day) -> Int64 { zone.start(of: day).seconds }
    let end = min(times.upperBound, start(days.upperBound) + 2 * 86_400)
    guard times.lowerBound <= end else { return [] }
    let begin =
      try ledger.lastOpening(until: user == nil ? start(days.lowerBound) + 86_399 : end) {
        $1 ? start(Day(number: Int32(clamping: $0 / 86_400))) : $0
      } ?? Int64.min
    var history: CoinHistory?
    try ledger.forEachCoinMovement(
      in: times.lowerBound...end,
      begin: {
        history = CoinHistory($0, user: user, coin: coin, days: days, begin: begin, zone)
      }, movement: { history?.add($0) })
    return history?.byCoin ?? []
  }

  /// One line on a coin: what it began with, what its movements came to, and what is left.
  private func words(_ line: CoinHistory.Line) -> Wording {
    let flow = line.flow
    let parts: [(Wording, Int64)] = [
      (CoinMovement.opening.wording, line.before + flow.opening),
      (CoinMovement.granted.wording, flow.granted), (CoinMovement.spent.wording, flow.spent),
      (CoinMovement.expired.wording, flow.expired),
      (CoinMovement.takenBack.wording, flow.takenBack),
      (CoinMovement.adjusted.wording, flow.adjusted),
    ]
    let figures = parts.filter { $0.1 != 0 }.map { "\($0.0) \(grouped(Int($0.1)))" as Wording }
    let all = figures.joined(separator: ", ")
    let text: Wording =
      line.untold == 0
      ? """
      @explain.coins-left-of-parts \(all) \(grouped(Int(line.left))) \
      \(grouped(Int(line.paid))) \(grouped(Int(line.free)))
      """ : "@explain.coins-left \(all) \(grouped(Int(line.left)))"
    return line.coin.isEmpty ? text : "@summary.named \(line.coin) \(text)"
  }
}
