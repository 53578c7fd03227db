import Billing

/// Several users who have more of some findings than chance gives to as many: a ring that shares
/// receipts, or a tool that goes from hand to hand.
struct SharedRing {
  /// The cases of each user who has some on several days, ascending, and how many days. What a user
  /// does in one sitting, an outage spoils at once.
  private var casesOfUser: [String: [Int]] = [:]
  private var daysOfUser: [String: Int] = [:]
  /// The first user and the day of each case: cases of one draw are not independent.
  private var draws: [Int: Draw] = [:]
  /// Draws, with cases that another pattern explains.
  private let allDraws: Int
  private let all: Int
  private let fewest: Int

  private struct Draw: Hashable {
    var user: String
    var day: Day?
    /// Of a case that tells no user.
    var index: Int?
  }

  /// - Parameters:
  ///   - members: the users and the day of each case; without a day it says nothing of a ring.
  ///   - all: cases with those that another pattern explains.
  ///   - fewest: cases that the ring has to have.
  init(_ members: [(index: Int, users: [String], day: Day?)], of all: Int, fewest: Int) {
    var days: [String: Set<Day>] = [:]
    for (index, users, day) in members {
      let named = Set(users).filter { !$0.isEmpty }
      let first = named.min()
      draws[index] = Draw(user: first ?? "", day: day, index: first == nil ? index : nil)
      guard let day else { continue }
      for user in named {
        casesOfUser[user, default: []].append(index)
        days[user, default: []].insert(day)
      }
    }
    daysOfUser = days.mapValues(\.count).filter { $0.value > 1 }
    casesOfUser = casesOfUser.filter { days[$0.key]!.count > 1 }
    allDraws = max(all - members.count, 0) + Set(draws.values).count
    self.all = all
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// Users who may be of a ring.
  var candidates: [String] {
    casesOfUser.count < Rules.ringUsers ? [] : casesOfUser.keys.sorted()
  }

  /// The least likely of the sets of users that have so many findings each; nil for none.
  ///
  /// - Parameters:
  ///   - orders: users are at most as many.
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
