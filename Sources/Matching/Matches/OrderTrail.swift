import Billing

/// Orders without a transaction, in the order of placing, searched backwards from a moment.
///
/// Orders on one path that say the same of storefront and currency share a track, so that a search
/// meets only orders that fit, and each order that was taken is passed over once.
struct OrderTrail {
  /// What orders are found by: a SKU's number with a user or token, or with any.
  struct Path: Equatable {
    let sku: Int32
    let id: IDKey

    /// Orders of a SKU's number, and of a user or token.
    init(sku: Int32, id: IDKey) { (self.sku, self.id) = (sku, id) }

    /// Orders of a SKU's number, whoever placed them.
    init(anyOf sku: Int32) { (self.sku, id) = (~sku, .none) }
  }

  /// Orders on one path whose storefront and currency are the same.
  private struct Track {
    let place: SalePlace
    /// The path's track before, or -1.
    let next: Int32
    /// Its orders' places in `orders`, once sealed.
    var start: Int32 = 0
    var count: Int32 = 0
  }

  /// An order found on a path.
  struct Found {
    let order: Int32
    let placedAt: UInt32
    let key: IDKey
  }

  private let entries: [OrderEntry]
  private var paths: PathTable
  /// Per path its last track.
  private var tracksOf: [Int32] = []
  private var tracks: [Track] = []
  private var appended: [(order: Int32, track: Int32)] = []
  private var orders: [Int32] = []
  /// Beside each order: itself, or where a taken one leads to an earlier one; -1 before the first.
  private var step: [Int32] = []

  /// A trail without orders.
  ///
  /// - Parameters:
  ///   - entries: all orders, by position.
  ///   - room: for as many orders it has room.
  init(_ entries: [OrderEntry], room: Int) {
    self.entries = entries
    paths = PathTable(room: room)
    tracksOf.reserveCapacity(room)
    tracks.reserveCapacity(room)
    appended.reserveCapacity(room)
  }

  var isEmpty: Bool { appended.isEmpty && orders.isEmpty }

  /// Appends the order at a position to those of its path (SKU with user or token) that have its
  /// place, storefront and currency; orders come in the order of placing.
  mutating func append(_ order: Int32, _ path: Path, _ place: SalePlace) {
    let number = paths.number(path)
    if number == tracksOf.count { tracksOf.append(-1) }
    var track = tracksOf[number]
    while track >= 0, tracks[Int(track)].place != place { track = tracks[Int(track)].next }
    if track < 0 {
      track = Int32(tracks.count)
      tracks.append(Track(place: place, next: tracksOf[number]))
      tracksOf[number] = track
    }
    tracks[Int(track)].count += 1
    appended.append((order, track))
  }

  /// Puts each track's orders beside each other; nothing is appended after.
  mutating func seal() {
    var start: Int32 = 0
    for track in tracks.indices {
      tracks[track].start = start
      start += tracks[track].count
      tracks[track].count = 0
    }
    orders = Array(repeating: 0, count: appended.count)
    for (order, track) in appended {
      let known = tracks[Int(track)]
      orders[Int(known.start + known.count)] = order
      tracks[Int(track)].count += 1
    }
    step = orders.indices.map { Int32($0) }
    appended = []
  }

  /// The latest open order on a path (SKU with user or token) whose storefront and currency do not
  /// contradict `place`, placed at most `seconds` before `moment`, or `other` where that is later;
  /// of those placed together the one with the smaller id. Nil where there is none.
  ///
  /// - Parameters:
  ///   - moment: seconds since 1970.
  ///   - isOpen: whether the order at a position still has no transaction.
  mutating func latest(
    on path: Path, _ place: SalePlace, notAfter moment: Int64, within seconds: Int64,
    or other: Found? = nil, isOpen: (Int) -> Bool
  ) -> Found? {
    guard let number = paths.find(path) else { return other }
    var best = other
    var track = tracksOf[number]
    while track >= 0 {
      let known = tracks[Int(track)]
      track = known.next
      guard !known.place.contradicts(place),
        let order = latest(of: known, notAfter: moment, isOpen)
      else { continue }
      let entry = entries[Int(order)]
      guard moment - Int64(entry.placedAt) <= seconds else { continue }
      if let best, (best.placedAt, entry.key) > (entry.placedAt, best.key) { continue }
      best = Found(order: order, placedAt: entry.placedAt, key: entry.key)
    }
    return best
  }

  /// The position in `entries` of the latest open order of a track that was placed at `moment`
  /// (seconds since 1970) or before; nil where there is none. Orders found taken are passed over
  /// from now on.
  ///
  /// - Parameter isOpen: whether the order at a position still has no transaction.
  private mutating func latest(of track: Track, notAfter moment: Int64, _ isOpen: (Int) -> Bool)
    -> Int32?
  {
    let first = Int(track.start)
    let later = (first..<first + Int(track.count))
      .partitioningIndex { Int64(entries[Int(orders[$0])].placedAt) > moment }
    var position = lastOpen(from: later - 1, notBefore: first)
    while position >= first, !isOpen(Int(orders[position])) {
      step[position] = Int32(position - 1)
      position = lastOpen(from: position, notBefore: first)
    }
    return position < first ? nil : orders[position]
  }

  /// The last place in `orders`, at `position` or before, whose order was not yet found taken; less
  /// than `first` where there is none. Shortens the way for the next search.
  private mutating func lastOpen(from position: Int, notBefore first: Int) -> Int {
    var root = position
    while root >= first, Int(step[root]) != root { root = Int(step[root]) }
    var walker = position
    while walker > root {
      let next = Int(step[walker])
      step[walker] = Int32(root)
      walker = next
    }
    return root
  }
}

/// Numbers paths in the order of first use.
private struct PathTable {
  private var slots: [Int32]
  private var paths: [OrderTrail.Path] = []

  /// A table with room for so many paths: one that grows puts all its paths in their places again.
  init(room: Int) {
    let bits = Int.bitWidth - (2 * room).leadingZeroBitCount
    slots = Array(repeating: -1, count: max(1024, 1 << bits))
    paths.reserveCapacity(room)
  }

  /// The number of a path; nil where it has none.
  func find(_ path: OrderTrail.Path) -> Int? {
    let number = slots[slot(of: path)]
    return number < 0 ? nil : Int(number)
  }

  /// The number of a path; a new one gets the next.
  mutating func number(_ path: OrderTrail.Path) -> Int {
    let place = slot(of: path)
    if slots[place] >= 0 { return Int(slots[place]) }
    slots[place] = Int32(paths.count)
    paths.append(path)
    if 2 * paths.count > slots.count { grow() }
    return paths.count - 1
  }

  /// The slot that the path has, or would get.
  private func slot(of path: OrderTrail.Path) -> Int {
    var hash = path.id.raw ^ UInt64(UInt32(bitPattern: path.sku)) &* 0xA076_1D64_78BD_642F
    hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    var place = Int(truncatingIfNeeded: hash >> 24) & (slots.count - 1)
    while slots[place] >= 0, paths[Int(slots[place])] != path {
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  /// Doubles the slots and puts all paths in their places again.
  private mutating func grow() {
    slots = Array(repeating: -1, count: 2 * slots.count)
    for (number, path) in paths.enumerated() { slots[slot(of: path)] = Int32(number) }
  }
}
