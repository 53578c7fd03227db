package import Billing

/// An earlier transaction of a chain that goes on in the period.
package struct ChainLink: Sendable {
  package var row: TransactionRow.ID
  /// Of other sources of the same transaction.
  package var others: [TransactionRow.ID]
  /// Index into the transaction terms.
  package var terms: Int32
  package var original: IDKey
  package var webOrderLineItem: IDKey
  package var user: IDKey
  package var purchasedAt: UInt32
  /// 0 where not said.
  package var expiresAt: UInt32
  /// 0 where not revoked.
  package var revokedAt: UInt32

  package init(
    row: TransactionRow.ID, terms: Int32, original: IDKey, webOrderLineItem: IDKey, user: IDKey,
    purchasedAt: UInt32, expiresAt: UInt32, revokedAt: UInt32, others: [TransactionRow.ID] = []
  ) {
    self.row = row
    self.others = others
    self.terms = terms
    self.original = original
    self.webOrderLineItem = webOrderLineItem
    self.user = user
    self.purchasedAt = purchasedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
  }
}

/// What came before, for chains that began before the facts that were read.
package struct ChainHistory: Sendable {
  /// Ascending by original, then by purchase.
  private let links: [ChainLink]
  /// The original of each of the links, which are large.
  private let originals: [IDKey]

  /// Sorts earlier transactions by chain and purchase.
  package init(_ links: [ChainLink]) {
    var keyed = sortedByKey(count: links.count) { links[$0].original.raw }
    for run in Array(runs(of: keyed)) {
      keyed[run].sort {
        let (left, right) = (links[Int($0.index)], links[Int($1.index)])
        return (left.purchasedAt, left.row) < (right.purchasedAt, right.row)
      }
    }
    var ascending: [ChainLink] = []
    ascending.reserveCapacity(keyed.count)
    for item in keyed { ascending.append(links[Int(item.index)]) }
    self.links = ascending
    originals = keyed.map { IDKey(raw: $0.key) }
  }

  var isEmpty: Bool { links.isEmpty }

  /// The links of a chain, earliest first.
  func links(of original: IDKey) -> ArraySlice<ChainLink> {
    var first = originals.partitioningIndex { $0 >= original }
    return links(of: original, near: &first)
  }

  /// The links of a chain, earliest first, for originals that are asked for in ascending order.
  ///
  /// - Parameter place: where those of the original before ended; 0 for the first.
  func links(of original: IDKey, near place: inout Int) -> ArraySlice<ChainLink> {
    while place < originals.count, originals[place] < original { place += 1 }
    let first = place
    while place < originals.count, originals[place] == original { place += 1 }
    return links[first..<place]
  }

  /// Those of some originals of which there is no link.
  ///
  /// - Parameter originals: keys of transactions that chains began with, ascending.
  package static func unknown(among originals: [IDKey], in links: [ChainLink]) -> [IDKey] {
    let known = sortedByKey(count: links.count) { links[$0].original.raw }
    var next = 0
    return originals.filter { original in
      while next < known.count, known[next].key < original.raw { next += 1 }
      return next == known.count || known[next].key != original.raw
    }
  }
}

extension MatchTable {
  /// Rows of earlier transactions that ones of the period restore, ascending: the same period of
  /// the same chain was sold then.
  package func restored(by history: ChainHistory, _ context: MatchingContext) -> [TransactionRow.ID]
  {
    if history.isEmpty { return [] }
    let days = BusinessDays(context)
    var rows: Set<TransactionRow.ID> = []
    for (place, position) in chains.positions.enumerated() {
      let detail = chains.details[place]
      guard !detail.webOrderLineItem.isNone, chains.role(of: Int(position)) == .renewal,
        days.index(transactions[Int(position)].purchasedAt) >= 0
      else { continue }
      for link in history.links(of: detail.original)
      where link.webOrderLineItem == detail.webOrderLineItem { rows.insert(link.row) }
    }
    return rows.sorted()
  }

  /// The originals, ascending, of chains that renewed in the period and began before the purchases
  /// of the table. Of a few the original may be in the table, because it was looked up; what came
  /// between was not.
  package func chainsBegunEarlier(_ context: MatchingContext) -> [IDKey] {
    let days = BusinessDays(context)
    let start = UInt32(clamping: context.period.first.startUTC.seconds - Rules.begunEarlier)
    var originals: [IDKey] = []
    for (place, position) in chains.positions.enumerated() {
      let transaction = Int(position)
      guard chains.role(of: transaction) == .renewal,
        days.index(transactions[transaction].purchasedAt) >= 0,
        chains.original(of: transaction).map({ transactions[$0].purchasedAt < start }) ?? true
      else { continue }
      originals.append(chains.details[place].original)
    }
    // A set of as many would cost more than to put them in order.
    var ascending: [IDKey] = []
    for item in sortedByKey(count: originals.count, { originals[$0].raw })
    where ascending.last?.raw != item.key { ascending.append(IDKey(raw: item.key)) }
    return ascending
  }
}
