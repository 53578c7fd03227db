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

  /// Notes whether movements of the month name users, for a coin and channel. The month's first
  /// note replaces what earlier months said, later ones can only turn it to true.
  ///
  /// - Parameters:
  ///   - channel: by its number; nil for movements that name no channel.
  ///   - names: whether any movement with the same terms names a user.
  mutating func note(_ coin: String, _ channel: Int32?, _ names: Bool) {
    let isFirst = fresh.insert(Place(coin: coin, channel: channel)).inserted
    let before = isFirst ? false : known[coin]?[channel] ?? false
    known[coin, default: [:]].updateValue(before || names, forKey: channel)
  }

  /// Whether movements of a coin name the users who buy in a channel, so that sales there can be
  /// booked by user; true where no movement of the coin is known.
  ///
  /// - Parameter channel: by its number; 0 is Apple's.
  func names(_ coin: String, _ channel: Int32?) -> Bool {
    guard let own = known[coin] else { return true }
    // Apple's movements may leave the channel out.
    return own[channel] ?? (channel == 0 ? own[Int32?.none] : nil)
      ?? own.values.contains(true)
  }
}
