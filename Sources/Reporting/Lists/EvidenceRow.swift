import Billing

/// One order, transaction or row that shows a finding.
struct EvidenceRow: Hashable, Sendable {
  enum What: Hashable, Sendable {
    case order, transaction, row

    var wording: Wording {
      switch self {
      case .order: "order"
      case .transaction: "transaction"
      case .row: "row"
      }
    }
  }
  var what: What
  var id: String?
  var source: Source?
}

/// A finding's ids, each with the row of the file that it stands in.
///
/// An id and a source are put together only where the kinds of the files leave no doubt: as many
/// sources in order files as there are order ids, and the same for transactions, in their order;
/// what Apple told of a transaction is evidence of it as the company's table is. Otherwise ids and
/// sources stand in rows of their own.
///
/// Rows are made one by one: most findings have a few, and a list of them would cost more.
struct EvidenceRows: RandomAccessCollection {
  private let listed: ListedFinding
  private let kinds: [String: InputKind]
  private let orders: Int
  private let transactions: Int
  private let others: Int

  /// - Parameter kinds: of the files, by their names.
  init(_ listed: ListedFinding, kinds: [String: InputKind]) {
    (self.listed, self.kinds) = (listed, kinds)
    var counts = (orders: 0, transactions: 0, others: 0)
    for place in listed.finding.sources.indices {
      switch EvidenceRow.What(kinds[listed.finding.sources[place].file]) {
      case .order: counts.orders += 1
      case .transaction: counts.transactions += 1
      case .row: counts.others += 1
      }
    }
    (orders, transactions, others) = counts
  }

  var startIndex: Int { 0 }
  var endIndex: Int {
    Self.count(listed.finding.orderIDs, orders)
      + Self.count(listed.finding.transactionIDs, transactions) + others
  }

  subscript(index: Int) -> EvidenceRow {
    let first = Self.count(listed.finding.orderIDs, orders)
    if index < first { return row(.order, listed.finding.orderIDs, orders, index) }
    let second = first + Self.count(listed.finding.transactionIDs, transactions)
    if index < second {
      return row(.transaction, listed.finding.transactionIDs, transactions, index - first)
    }
    return EvidenceRow(what: .row, id: nil, source: source(.row, index - second))
  }

  private static func count(_ ids: [String], _ sources: Int) -> Int {
    ids.count == sources ? sources : ids.count + sources
  }

  private func row(_ what: EvidenceRow.What, _ ids: [String], _ sources: Int, _ index: Int)
    -> EvidenceRow
  {
    if ids.count == sources {
      return EvidenceRow(what: what, id: ids[index], source: source(what, index))
    }
    if index < ids.count { return EvidenceRow(what: what, id: ids[index], source: nil) }
    return EvidenceRow(what: what, id: nil, source: source(what, index - ids.count))
  }

  /// The source that has `index` of its kind before it.
  private func source(_ what: EvidenceRow.What, _ index: Int) -> Source {
    var left = index
    for place in listed.finding.sources.indices
    where EvidenceRow.What(kinds[listed.finding.sources[place].file]) == what {
      if left == 0 { return listed.finding.sources[place] }
      left -= 1
    }
    preconditionFailure("a finding has fewer sources than were counted")
  }
}

extension EvidenceRow.What {
  /// What a source in a file of this kind shows.
  fileprivate init(_ kind: InputKind?) {
    switch kind {
    case .orders: self = .order
    case .transactions, .receipts, .notifications, .history: self = .transaction
    default: self = .row
    }
  }
}
