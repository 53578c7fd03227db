package import Billing

/// Looks again at users whose coins may have gone below zero, with their movements in the order of
/// time: of one moment, coins come before they go.
package struct CoinOverdrafts {
  /// A user's coins below zero, from when on and how far.
  struct Overdraft {
    var coin: Int
    var moment: Int64
    var day: Int32
    /// What lacked at most; above zero.
    var lack: Int64
    /// The movement that went below zero first.
    var row: CoinMovementRow.ID
  }

  private struct Step {
    var moment: Int64
    var day: Int32
    var change: Int64
    var origin: CoinOrigin?
    var row: CoinMovementRow.ID
  }

  private let frame: CoinSurvey.Frame
  private let suspects: [Set<UInt64>]
  private let part: Int
  private let parts: Int
  private var calendar: CoinCalendar
  private var steps: [[UInt64: [Step]]]

  /// How many parts a survey's suspects are divided into, so that each has room.
  package static func parts(of survey: CoinSurvey) -> Int {
    let count = survey.suspects.reduce(0) { $0 + $1.count }
    return (count + Rules.suspectsAtOnce - 1) / Rules.suspectsAtOnce
  }

  /// Prepares to look at one part of the users whose coins may have gone below zero.
  ///
  /// - Parameters:
  ///   - part: which one, from 0.
  ///   - parts: into how many parts these users are divided, by their keys.
  package init(_ survey: CoinSurvey, part: Int, of parts: Int) {
    frame = survey.frame
    suspects = survey.suspects
    (self.part, self.parts) = (part, parts)
    calendar = CoinCalendar(frame.context.settings.businessZone)
    steps = suspects.map { _ in [:] }
  }

  /// Keeps a movement, if its user's coins may have gone below zero and the user is of the part
  /// that is looked at.
  package mutating func add(_ entry: CoinMovementEntry) {
    if entry.user.isNone { return }
    let kind = frame.kinds[Int(entry.terms)]
    let key = CoinAccounts.key(entry.user)
    guard Int(key >> 33) % parts == part, suspects[kind.coin].contains(key) else { return }
    let change = entry.coins * kind.movement.sign
    let day = calendar.day(entry)
    let moment = calendar.moment(entry, comes: kind.movement == .opening || change >= 0)
    guard moment >= frame.begin, day <= frame.last else { return }
    steps[kind.coin][key, default: []].append(
      Step(moment: moment, day: day, change: change, origin: kind.origin, row: entry.row))
  }

  /// The overdrafts that began in the period, in the order of coin and row.
  func overdrafts() -> [Overdraft] {
    var found: [Overdraft] = []
    for (coin, users) in steps.enumerated() {
      let own = users.values.compactMap { overdraft(ofSteps: $0, coin) }
        .filter { (frame.first...frame.last).contains($0.day) }
      found += own.sorted { $0.row < $1.row }
    }
    return found
  }

  /// The overdraft of a user of one coin, whose movements are put in the order of time first; nil
  /// where the user never had less than none.
  private func overdraft(ofSteps steps: [Step], _ coin: Int) -> Overdraft? {
    let sorted = steps.sorted {
      ($0.moment, $0.change < 0 ? 1 : 0, $0.row) < ($1.moment, $1.change < 0 ? 1 : 0, $1.row)
    }
    let tellsOrigins = steps.allSatisfy { $0.origin != nil }
    var (total, paid, free): (Int64, Int64, Int64) = (0, 0, 0)
    var found: Overdraft?
    for step in sorted {
      total += step.change
      if step.origin == .paid { paid += step.change } else { free += step.change }
      let least = tellsOrigins ? min(total, paid, free) : total
      if least >= 0 { continue }
      if found == nil {
        found = Overdraft(
          coin: coin, moment: step.moment, day: step.day, lack: -least, row: step.row)
      } else {
        found!.lack = max(found!.lack, -least)
      }
    }
    return found
  }
}
