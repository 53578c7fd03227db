import Billing

/// Orders without a transaction, in the order of placing, searched backwards from a moment.
///
/// Orders on one path that say the same of storefront and currency share a track, so that a search
/// meets only orders that fit, and each order that was taken is passed over once.
struct OrderTrail {
  /// What orders are found by: a SKU with a user or token, or with any (nil).
  struct Path: Hashable {
    var sku: String
    var id: IDKey?
  }

  /// Where an order was placed; what it does not say contradicts nothing.
  struct Place: Hashable {
    var storefront: Storefront?
    var currency: Currency?
    static let any = Place()

    func contradicts(_ other: Place) -> Bool {
      differ(storefront, other.storefront) || differ(currency, other.currency)
    }

    private func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      guard let left, let right else { return false }
      return left != right
    }
  }

  private var tracks: [Track] = []
  private var tracksOf: [Path: [Int]] = [:]
  var isEmpty: Bool { tracks.isEmpty }

  /// Appends an order; orders come in the order of placing.
  mutating func append(_ order: Int, _ entry: OrderEntry, _ path: Path, _ place: Place) {
    if let known = tracksOf[path]?.first(where: { tracks[$0].place == place }) {
      tracks[known].append(order, entry)
      return
    }
    tracksOf[path, default: []].append(tracks.count)
    tracks.append(Track(place: place))
    tracks[tracks.count - 1].append(order, entry)
  }

  /// The latest open order on the paths, placed at most `within` seconds before `moment`.
  mutating func latest(
    on paths: [Path], _ place: Place, notAfter moment: Int64, within seconds: Int64,
    isOpen: (Int) -> Bool
  ) -> Int? {
    var best: (order: Int, placedAt: UInt32, key: IDKey)?
    for track in paths.flatMap({ tracksOf[$0] ?? [] })
    where !tracks[track].place.contradicts(place) {
      guard let position = tracks[track].latest(notAfter: moment, isOpen) else { continue }
      let (placedAt, key) = (tracks[track].placedAt[position], tracks[track].keys[position])
      guard moment - Int64(placedAt) <= seconds else { continue }
      if let best, (best.placedAt, key) > (placedAt, best.key) { continue }
      best = (tracks[track].orders[position], placedAt, key)
    }
    return best?.order
  }

  /// One list of candidates; `step[i]` leads from a taken candidate towards an earlier open one.
  private struct Track {
    let place: Place
    var orders: [Int] = []
    var keys: [IDKey] = []
    var placedAt: [UInt32] = []
    var step: [Int] = []

    init(place: Place) { self.place = place }

    mutating func append(_ order: Int, _ entry: OrderEntry) {
      step.append(orders.count)
      orders.append(order)
      keys.append(entry.key)
      placedAt.append(entry.placedAt)
    }

    mutating func latest(notAfter moment: Int64, _ isOpen: (Int) -> Bool) -> Int? {
      var low = 0
      var high = placedAt.count
      while low < high {
        let middle = (low + high) / 2
        if Int64(placedAt[middle]) <= moment { low = middle + 1 } else { high = middle }
      }
      var position = open(from: low - 1)
      while position >= 0, !isOpen(orders[position]) {
        step[position] = position - 1
        position = open(from: position)
      }
      return position < 0 ? nil : position
    }

    /// The candidate at `position` or before that was not yet found taken, or -1.
    private mutating func open(from position: Int) -> Int {
      var root = position
      while root >= 0, step[root] != root { root = step[root] }
      var walker = position
      while walker > root {
        let next = step[walker]
        step[walker] = root
        walker = next
      }
      return root
    }
  }
}
