/// Of which coins and channels movements name users. Where they name none, all who buy there are
/// one pool: what is used of it has no user either.
struct CoinUserNaming {
  /// By coin and channel, as the last month with movements of them has it; a movement without a
  /// channel is nil.
  private var known: [String: [Int32?: Bool]] = [:]
  /// Noted since the month began.
  private var fresh: Set<Place> = []

  private struct Place: Hashable {
    var coin: String
    var channel: Int32?
  }

  /// Begins a month, of which nothing is noted yet.
  mutating func begin() { fresh = [] }

  /// Notes for a coin and channel that movements of the month name users, or that they do not; what
  /// months before had of them no longer counts.
  ///
  /// - Parameter names: whether any movement of one kind names a user.
  mutating func note(_ coin: String, _ channel: Int32?, _ names: Bool) {
    let isFirst = fresh.insert(Place(coin: coin, channel: channel)).inserted
    let before = isFirst ? false : known[coin]?[channel] ?? false
    known[coin, default: [:]].updateValue(before || names, forKey: channel)
  }

  /// Whether the users of a channel's sales are those of movements, too; where no movement is
  /// known, they are.
  func names(_ coin: String, _ channel: Int32?) -> Bool {
    guard let own = known[coin] else { return true }
    // Apple's movements may leave the channel out.
    return own[channel] ?? (channel == 0 ? own[Int32?.none] : nil)
      ?? own.values.contains(true)
  }
}
