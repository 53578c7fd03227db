/// How the company values coins that it sold, and when they become revenue: its own choices, which
/// no rule of an accounting standard makes for it.
package struct CoinPolicy: Hashable, Sendable {
  /// Whether revenue is what customers pay or what a channel pays out.
  package enum Presentation: String, Hashable, Sendable, CaseIterable {
    /// Prices without tax; the channel's commission is a cost.
    case principal
    /// Prices without tax and commission.
    case agent
  }

  /// What a coin that is used stands for.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    /// The price of its own sale, the oldest of a user's first.
    case lot
    /// The month's mean over all channels.
    case average
    /// The month's mean of its channel.
    case channelAverage = "channel-average"
  }

  /// Which coins of a user are used first, where movements do not say.
  package enum FreeCoins: String, Hashable, Sendable, CaseIterable {
    case first, last, proportion
  }

  /// When coins that nobody will use become revenue.
  package enum Breakage: Hashable, Sendable {
    /// Never.
    case none
    /// With the others' use, of so many millionths that are expected to stay unused.
    case proportion(Int64)
    /// Once their user has not come for ``CoinPolicy/remoteMonths``.
    case remote
  }

  /// What becomes of the commission on coins that are not used yet.
  package enum ContractCost: String, Hashable, Sendable, CaseIterable {
    case deferred, expensed
  }

  /// Nil where nobody chose; nothing is valued then.
  package var presentation: Presentation?
  package var valuation: Method?
  package var freeCoins = FreeCoins.first
  package var breakage = Breakage.none
  /// Months without a movement after which nobody is expected to come back; nil where not told.
  package var remoteMonths: Int?
  package var contractCost = ContractCost.expensed

  package init() {}

  /// The keys of `[coins]` that the configuration lacks, and without which nothing is valued.
  package var missingKeys: [String] {
    (presentation == nil ? ["presentation"] : []) + (valuation == nil ? ["valuation"] : [])
      + (breakage == .remote && remoteMonths == nil ? ["remote_months"] : [])
  }

  /// Whether this policy can defer sales whose revenue is booked so: both have revenue as an agent,
  /// or neither.
  package func agrees(with revenue: Settings.Revenue) -> Bool {
    (revenue == .agent) == (presentation == .agent)
  }

  /// Whether this policy can be followed only where movements name users.
  package var needsUsers: Bool { valuation == .lot || breakage == .remote }

  /// The share of coins that is expected to stay unused, in millionths; 0 where the policy expects
  /// none.
  package var expectedBreakage: Int64 {
    if case .proportion(let share) = breakage { share } else { 0 }
  }
}
