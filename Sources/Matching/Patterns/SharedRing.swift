import Billing

/// Several users who have more of some findings than chance gives to as many: a ring that shares
/// receipts, or a tool that goes from hand to hand.
struct SharedRing {
  /// The cases of each user who has several, ascending.
  private var casesOfUser: [String: [Int]] = [:]
  private let all: Int
  private let fewest: Int

  /// - Parameters:
  ///   - members: the users of each case.
  ///   - all: cases with those that another pattern explains.
  ///   - fewest: cases that the ring has to have.
  init(_ members: [(index: Int, users: [String])], of all: Int, fewest: Int) {
    for (index, users) in members {
      for user in Set(users) where !user.isEmpty { casesOfUser[user, default: []].append(index) }
    }
    casesOfUser = casesOfUser.filter { $0.value.count > 1 }
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
    for count in Set(casesOfUser.values.map(\.count)).sorted() {
      let users = casesOfUser.filter { $0.value.count >= count }.keys.sorted()
      guard users.count >= Rules.ringUsers, users.count <= orders else { break }
      let cases = Set(users.flatMap { casesOfUser[$0]! }).sorted()
      guard cases.count >= fewest, let share = share(users, cases.count, all),
        Double(cases.count) >= Rules.patternExcess * share * Double(all)
      else { continue }
      // Any as many users could have been the ring.
      let ways =
        Chance.logFactorial(orders) - Chance.logFactorial(users.count)
        - Chance.logFactorial(orders - users.count)
      let chance = Chance.logTail(hits: cases.count, of: all, share: share) + ways
      guard chance < best?.chance ?? 0 else { continue }
      best = SharedTrait(
        dimension: .ring, value: users.joined(separator: ", "), cases: cases, share: share,
        chance: chance)
    }
    return best
  }
}
