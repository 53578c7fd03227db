package import Billing
package import Conclusions

/// The movements of one coin on a day, or of all coins of a user, added up.
package struct CoinHistory {
  package struct Line {
    package var coin: String
    /// Before the first day that is asked for.
    package var before: Int64 = 0
    /// Of the days that are asked for.
    package var flow: CoinDay
    package var paid: Int64 = 0
    package var free: Int64 = 0
    package var untold: Int64 = 0
    /// The last movements, in the order in which they were read.
    package var last: [(moment: Instant, terms: CoinMovementTerms, coins: Int64)] = []

    /// Coins that are there after the days that are asked for.
    package var left: Int64 { before + flow.change }
  }

  private let terms: [CoinMovementTerms]
  private let user: IDKey?
  private let coin: String?
  private let days: ClosedRange<Day>
  private let begin: Int64
  private var calendar: CoinCalendar
  private var lines: [String: Line] = [:]

  private static let shownMovements = 5

  /// Begins without any movement.
  ///
  /// - Parameters:
  ///   - terms: what movements point into.
  ///   - user: nil for all users.
  ///   - coin: nil for all coins.
  ///   - days: those whose movements are added up by kind; all before them comes to one number.
  ///   - begin: the moment from which on movements are looked at, in seconds since 1970.
  package init(
    _ terms: [CoinMovementTerms], user: IDKey? = nil, coin: String? = nil,
    days: ClosedRange<Day>, begin: Int64, _ zone: Zone
  ) {
    self.terms = terms
    (self.user, self.coin, self.days, self.begin) = (user, coin, days, begin)
    calendar = CoinCalendar(zone)
  }

  /// Adds a movement to the line of its coin, if it is of the user, the coin and the time that are
  /// asked for.
  package mutating func add(_ entry: CoinMovementEntry) {
    let terms = terms[Int(entry.terms)]
    guard user.map({ $0 == entry.user }) ?? true, coin.map({ $0 == terms.coin }) ?? true else {
      return
    }
    let day = Day(number: calendar.day(entry))
    let change = entry.coins * terms.movement.sign
    let moment = calendar.moment(entry, comes: terms.movement == .opening || change >= 0)
    guard moment >= begin, day <= days.upperBound else { return }
    var line =
      lines[terms.coin]
      ?? Line(
        coin: terms.coin, flow: CoinDay(day: days.lowerBound, coin: terms.coin, channel: nil))
    switch terms.origin {
    case .paid: line.paid += change
    case .free: line.free += change
    case nil: line.untold += change
    }
    if day < days.lowerBound {
      line.before += change
    } else {
      line.flow.add(entry.coins, terms.movement)
      line.last.append((Instant(seconds: moment), terms, entry.coins))
      if line.last.count > Self.shownMovements { line.last.removeFirst() }
    }
    lines[terms.coin] = line
  }

  /// A line for each coin that moved, ascending by its name.
  package var byCoin: [Line] { lines.values.sorted { $0.coin < $1.coin } }
}
