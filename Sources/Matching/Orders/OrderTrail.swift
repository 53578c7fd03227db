import Billing

/// Open orders by SKU and user, in the order of placing, searched backwards from a moment.
struct OrderTrail {
  /// What the searcher thinks of a candidate. `taken` is for good.
  enum Verdict { case fits, unfit, taken, tooEarly }

  private struct Path: Hashable {
    var sku: String
    var user: IDKey?
  }

  /// One list of candidates; `step[i]` leads from a taken candidate towards an earlier open one.
  private struct Track {
    var orders: [Int] = []
    var placedAt: [UInt32] = []
    var step: [Int] = []

    mutating func append(_ order: Int, _ placedAt: UInt32) {
      step.append(orders.count)
      orders.append(order)
      self.placedAt.append(placedAt)
    }

    /// The candidate at `position` or before that was not yet found taken, or -1.
    mutating func open(from position: Int) -> Int {
      var root = position
      while root >= 0, step[root] != root { root = step[root] }
      var walker = position
      while walker >= 0, step[walker] != root, walker != root {
        let next = step[walker]
        step[walker] = root
        walker = next
      }
      return root
    }

    mutating func search(notAfter moment: UInt32, _ judge: (Int) -> Verdict) -> Int? {
      var low = 0
      var high = placedAt.count
      while low < high {
        let middle = (low + high) / 2
        if placedAt[middle] <= moment { low = middle + 1 } else { high = middle }
      }
      var position = low - 1
      while position >= 0 {
        position = open(from: position)
        guard position >= 0 else { return nil }
        switch judge(orders[position]) {
        case .fits: return position
        case .tooEarly: return nil
        case .unfit: position -= 1
        case .taken:
          step[position] = position - 1
          position -= 1
        }
      }
      return nil
    }
  }

  private var tracks: [Path: Track] = [:]

  /// Appends an open order; orders come in the order of placing.
  mutating func append(_ order: Int, placedAt: UInt32, sku: String, user: IDKey) {
    tracks[Path(sku: sku, user: user), default: Track()].append(order, placedAt)
    tracks[Path(sku: sku, user: nil), default: Track()].append(order, placedAt)
  }

  /// The latest order that fits: for a known user one of that user's or of nobody's, else any.
  mutating func latest(
    sku: String, user: IDKey, notAfter moment: UInt32, _ judge: (Int) -> Verdict
  ) -> Int? {
    let users: [IDKey?] = user.isNone ? [nil] : [user, IDKey.none]
    var best: (order: Int, placedAt: UInt32)?
    for user in users {
      let path = Path(sku: sku, user: user)
      guard let position = tracks[path]?.search(notAfter: moment, judge), let track = tracks[path]
      else { continue }
      if best.map({ track.placedAt[position] > $0.placedAt }) ?? true {
        best = (track.orders[position], track.placedAt[position])
      }
    }
    return best?.order
  }
}
