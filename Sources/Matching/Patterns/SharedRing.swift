import Billing
import Conclusions

/// Several users who have more of some findings than chance gives to as many: a ring that shares
/// receipts, or a tool that goes from hand to hand.
struct SharedRing {
  /// The cases of each user who has some on several days, ascending, and how many days. What a user
  /// does in one sitting, an outage spoils at once.
  private var casesOfUser: [String: [Int]] = [:]
  private var daysOfUser: [String: Int] = [:]
  /// The first user and the day of each of these cases: cases of one draw are not independent.
  private var draws: [Int: Draw] = [:]
  /// Draws, with cases that another pattern explains.
  private let allDraws: Int
  private let all: Int
  private let fewest: Int

  private struct Draw: Hashable {
    var user: String
    var day: Day?
  }

  /// The days of one user's cases; most users have one.
  private struct Days {
    let first: Day
    private var others: Set<Day> = []
    var count: Int { 1 + others.count }

    /// The day of a user's first case.
    init(first: Day) { self.first = first }

    /// Adds the day of another case, which may be one that is there.
    mutating func add(_ day: Day) {
      if day != first { others.insert(day) }
    }
  }

  /// Finds the users who have cases on several days.
  ///
  /// - Parameters:
  ///   - members: the users and the day of each case; without a day it says nothing of a ring.
  ///   - all: cases with those that another pattern explains.
  ///   - fewest: cases that the ring has to have.
  init(_ members: [(index: Int, users: [String], day: Day?)], of all: Int, fewest: Int) {
    var days: [String: Days] = [:]
    var drawn: Set<Draw> = []
    var withoutUser = 0
    for (_, users, day) in members {
      let named = Self.named(users)
      guard let first = named.min() else {
        withoutUser += 1
        continue
      }
      drawn.insert(Draw(user: first, day: day))
      guard let day else { continue }
      for user in named { days[user, default: Days(first: day)].add(day) }
    }
    daysOfUser = days.mapValues(\.count).filter { $0.value > 1 }
    allDraws = max(all - members.count, 0) + drawn.count + withoutUser
    // Few users have some on several days, and only their cases are asked for.
    for (index, users, day) in members where day != nil && !daysOfUser.isEmpty {
      let named = Self.named(users)
      for user in named where daysOfUser[user] != nil {
        casesOfUser[user, default: []].append(index)
        draws[index] = Draw(user: named.min()!, day: day)
      }
    }
    self.all = all
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// The users of a case without blank ones, each once.
  private static func named(_ users: [String]) -> [String] {
    // Most cases have one, for which a set would be made in vain.
    if users.count == 1 { return users[0].isEmpty ? [] : users }
    return Array(Set(users).subtracting([""]))
  }

  /// Users who may be of a ring, ascending.
  var candidates: [String] {
    casesOfUser.count < Rules.ringUsers ? [] : casesOfUser.keys.sorted()
  }

  /// The users who may be a ring: of the sets of users with cases on at least so many days each (2,
  /// 3 and so on), the one that is the least likely to have as many cases by chance. Nil where no
  /// set has half as many again as its orders bring.
  ///
  /// - Parameters:
  ///   - orders: how many orders the period has, and so how many users at most.
  ///   - share: the part of all orders that users have, for the users, and their cases of all; nil
  ///     where it is not known.
  func trait(
    orders: Int, _ share: (_ users: [String], _ hits: Int, _ all: Int) -> Double?
  ) -> SharedTrait? {
    var best: SharedTrait?
    for count in Set(daysOfUser.values).sorted() {
      let users = daysOfUser.filter { $0.value >= count }.keys.sorted()
      guard users.count >= Rules.ringUsers, users.count <= orders else { break }
      let cases = Set(users.flatMap { casesOfUser[$0]! }).sorted()
      let hits = Set(cases.map { draws[$0]! }).count
      guard cases.count >= fewest, let share = share(users, cases.count, all),
        Double(hits) >= Rules.patternExcess * share * Double(allDraws)
      else { continue }
      // Any as many users could have been the ring.
      let ways =
        Chance.logFactorial(orders) - Chance.logFactorial(users.count)
        - Chance.logFactorial(orders - users.count)
      let chance = Chance.logTail(hits: hits, of: allDraws, share: share) + ways
      guard chance < best?.chance ?? 0 else { continue }
      best = SharedTrait(
        dimension: .ring, value: users.joined(separator: ", "), users: users, cases: cases,
        share: share, chance: chance)
    }
    return best
  }
}
