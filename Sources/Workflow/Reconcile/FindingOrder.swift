import Billing

/// Puts findings into the order of every output, as `Finding.isOrderedBefore` says it, by numbers
/// alone.
struct FindingOrder {
  private struct Key: Comparable {
    /// The storefront and the day.
    var place: UInt64
    /// The number of the SKU, in the order of first use; later its rank.
    var sku: Int32
    var code: Int32
    var digest: UInt64
    /// Where the finding stands.
    var index: Int

    static func < (left: Key, right: Key) -> Bool {
      if left.place != right.place { return left.place < right.place }
      if left.sku != right.sku { return left.sku < right.sku }
      if left.code != right.code { return left.code < right.code }
      return left.digest < right.digest
    }
  }

  private var keys: [Key] = []
  private var seen: Set<UInt64> = []
  private var skus: [String: Int32] = [:]

  /// Adds a finding, unless one with its id is there already.
  ///
  /// - Parameters:
  ///   - digest: what the finding's id writes.
  ///   - place: where it stands.
  mutating func add(_ finding: Finding, _ digest: UInt64, at place: Int) {
    guard seen.insert(digest).inserted else { return }
    let sku = finding.sku ?? ""
    let number = skus[sku] ?? Int32(skus.count)
    skus[sku] = number
    let day = UInt32(bitPattern: finding.date?.number ?? .min) ^ 0x8000_0000
    keys.append(
      Key(
        place: UInt64(finding.storefront?.packed ?? 0) << 32 | UInt64(day), sku: number,
        code: Self.ranks[finding.code]!, digest: digest, index: place))
  }

  /// Where the findings stand that were added, in their order.
  func places() -> [Int] {
    let sorted = skus.sorted { $0.key < $1.key }
    var ranks = [Int32](repeating: 0, count: sorted.count)
    for (rank, entry) in sorted.enumerated() { ranks[Int(entry.value)] = Int32(rank) }
    var keys = keys
    for index in keys.indices { keys[index].sku = ranks[Int(keys[index].sku)] }
    return keys.sorted().map(\.index)
  }

  /// Codes in the order of their texts.
  private static let ranks = Dictionary(
    uniqueKeysWithValues: FindingCode.allCases.sorted { $0.rawValue < $1.rawValue }.enumerated()
      .map { ($1, Int32($0)) })
}
