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
/// Rows are made one by one: most findings have a few, and a list of them would cost more. Those of
/// a finding that has many are better had in one list.
struct EvidenceRows {
  private let listed: ListedFinding
  private let kinds: [String: InputKind]
  /// Sources by what they show.
  private let orders: Int
  private let transactions: Int
  private let others: Int
  let count: Int

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
    count =
      Self.count(listed.finding.orderIDs, orders)
      + Self.count(listed.finding.transactionIDs, transactions) + others
  }

  /// One of the rows; it costs as much as there are sources.
  func row(at index: Int) -> EvidenceRow { row(at: index) { source($0, $1) } }

  /// All of them.
  var list: [EvidenceRow] {
    let byWhat = Dictionary(grouping: listed.finding.sources) {
      EvidenceRow.What(kinds[$0.file])
    }
    return (0..<count).map { row(at: $0) { byWhat[$0]![$1] } }
  }

  private func row(
    at index: Int, _ source: (EvidenceRow.What, Int) -> Source
  ) -> EvidenceRow {
    let first = Self.count(listed.finding.orderIDs, orders)
    if index < first {
      return Self.row(.order, listed.finding.orderIDs, orders, at: index, source)
    }
    let second = first + Self.count(listed.finding.transactionIDs, transactions)
    if index < second {
      return Self.row(
        .transaction, listed.finding.transactionIDs, transactions, at: index - first, source)
    }
    return EvidenceRow(what: .row, id: nil, source: source(.row, index - second))
  }

  private static func count(_ ids: [String], _ sources: Int) -> Int {
    ids.count == sources ? sources : ids.count + sources
  }

  private static func row(
    _ what: EvidenceRow.What, _ ids: [String], _ sources: Int, at index: Int,
    _ source: (EvidenceRow.What, Int) -> Source
  ) -> EvidenceRow {
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
