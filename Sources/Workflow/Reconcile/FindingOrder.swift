import Billing

/// Puts findings into the order of every output, as `Finding.isOrderedBefore` says it, by numbers
/// alone.
struct FindingOrder {
  /// What decides where a finding stands: taken from it while it is at hand.
  struct Mark: Sendable {
    /// The storefront and the day.
    fileprivate var place: UInt64
    fileprivate var sku: String
    fileprivate var code: Int32
    /// What the finding's id writes.
    fileprivate var digest: UInt64

    /// Keeps what decides where the finding stands.
    ///
    /// - Parameter digest: the number that the finding's id writes in hexadecimal digits.
    init(_ finding: Finding, _ digest: UInt64) {
      let day = UInt32(bitPattern: finding.date?.number ?? .min) ^ 0x8000_0000
      place = UInt64(finding.storefront?.packed ?? 0) << 32 | UInt64(day)
      sku = finding.sku ?? ""
      code = FindingOrder.ranks[finding.code]!
      self.digest = digest
    }
  }

  private struct Key: Comparable {
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
  private var seen: Set<UInt64>
  private var skus: [String: Int32] = [:]

  /// An order without findings yet.
  ///
  /// - Parameter count: of findings at most.
  init(room count: Int) {
    keys.reserveCapacity(count)
    seen = Set(minimumCapacity: count)
  }

  /// Adds a finding, unless one with its digest is there already.
  ///
  /// - Parameter place: its index among all findings.
  mutating func add(_ mark: Mark, at place: Int) {
    guard seen.insert(mark.digest).inserted else { return }
    let skuNumber = skus[mark.sku] ?? Int32(skus.count)
    if skuNumber == skus.count { skus[mark.sku] = skuNumber }
    keys.append(
      Key(place: mark.place, sku: skuNumber, code: mark.code, digest: mark.digest, index: place))
  }

  /// The indices of the findings that were added, in the order of every output.
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
