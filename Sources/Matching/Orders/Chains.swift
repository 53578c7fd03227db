package import Billing

/// What each transaction is in its chain: a purchase of its own, a renewal, or an earlier
/// transaction restored.
package struct Chains: Sendable {
  package enum Role: UInt8, Sendable { case original, renewal, restore }

  private var roles: [Role] = []
  /// Positions of transactions with details, ascending, beside their details.
  package private(set) var positions: [Int32] = []
  package private(set) var details: [TransactionDetail] = []
  private var earlier: [Int32: Int32] = [:]
  private var restored: Set<Int32> = []

  init() {}

  /// - Parameter details: ascending by row, for each transaction that may belong to a chain.
  init(
    details all: [TransactionDetail], transactions: [TransactionEntry], terms: [TransactionTerms],
    catalogue: CatalogueBook, byKey: [KeyedIndex], isMerged: (Int) -> Bool
  ) {
    roles = Array(repeating: .original, count: transactions.count)
    guard !all.isEmpty else { return }
    place(all, among: transactions)
    let kinds = terms.map { $0.kind ?? catalogue.kind($0.sku) }
    var byWebItem: [IDKey: [Int32]] = [:]
    var byOriginal: [IDKey: [Int32]] = [:]
    for (position, detail) in zip(positions, details) where !isMerged(Int(position)) {
      let transaction = transactions[Int(position)]
      switch kinds[Int(transaction.terms)] {
      case .autoRenewable:
        if !detail.original.isNone, detail.original != transaction.key {
          roles[Int(position)] = .renewal
        }
        if !detail.webOrderLineItem.isNone {
          byWebItem[detail.webOrderLineItem, default: []].append(position)
        }
      case .nonConsumable, .nonRenewing:
        let original = detail.original.isNone ? transaction.key : detail.original
        byOriginal[original, default: []].append(position)
      case .consumable, nil: break
      }
    }
    for group in [byWebItem, byOriginal] {
      for members in group.values where members.count > 1 { markRestores(members, transactions) }
    }
  }

  private mutating func place(_ all: [TransactionDetail], among transactions: [TransactionEntry]) {
    let byRow = sortedByKey(count: transactions.count) { UInt64(transactions[$0].row) }
    var next = 0
    var placed: [(Int32, TransactionDetail)] = []
    placed.reserveCapacity(all.count)
    for detail in all {
      while next < byRow.count, byRow[next].key < UInt64(detail.row) { next += 1 }
      guard next < byRow.count, byRow[next].key == UInt64(detail.row) else { continue }
      placed.append((Int32(byRow[next].index), detail))
    }
    placed.sort { $0.0 < $1.0 }
    positions = placed.map(\.0)
    details = placed.map(\.1)
  }

  /// The earliest purchase stays, the others are it again.
  private mutating func markRestores(_ members: [Int32], _ transactions: [TransactionEntry]) {
    let ranked = members.sorted { left, right in
      let (a, b) = (transactions[Int(left)], transactions[Int(right)])
      return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
    }
    for other in ranked.dropFirst() {
      roles[Int(other)] = .restore
      earlier[other] = ranked[0]
      restored.insert(ranked[0])
    }
  }

  package func role(of transaction: Int) -> Role {
    transaction < roles.count ? roles[transaction] : .original
  }

  package func isRenewal(_ transaction: Int) -> Bool { role(of: transaction) == .renewal }

  /// The transaction that this one restores.
  func earlier(of transaction: Int) -> Int? { earlier[Int32(transaction)].map(Int.init) }

  func hasRestores(_ transaction: Int) -> Bool { restored.contains(Int32(transaction)) }

  /// The details of a transaction, where it may belong to a chain.
  package func detail(of transaction: Int) -> TransactionDetail? {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < Int32(transaction) { low = middle + 1 } else { high = middle }
    }
    return low < positions.count && positions[low] == Int32(transaction) ? details[low] : nil
  }
}
