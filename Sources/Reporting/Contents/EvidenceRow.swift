import Billing

/// An order and the transaction that a finding has beside it, or one of them.
struct EvidenceRow: Hashable, Sendable {
  /// An id and the row of the file that it stands in, or one of them; neither where that side of
  /// the finding has no more.
  struct Side: Hashable, Sendable {
    var id: String?
    var source: Source?
  }

  /// An order.
  var order = Side()
  /// A transaction, or a row of another file that shows the finding.
  var transaction = Side()
}

/// A finding's ids, each with the row of the file that it stands in.
///
/// An id and a source are put together only where the kinds of the files leave no doubt: as many
/// sources in order files as there are order ids, in their order, or a single id, which all of them
/// show; and the same for transactions. What Apple told of a transaction is evidence of it as the
/// company's table is. Otherwise ids and sources stand in rows of their own.
///
/// One order and one transaction stand side by side. Of several a finding does not say which belong
/// together: each has rows of its own, orders first.
///
/// Rows are made one by one: most findings have one, and a list of them would cost more. Those of
/// a finding that has many are better had in one list.
struct EvidenceRows {
  /// What a source shows, by the kind of its file.
  fileprivate enum What: Hashable { case order, transaction, other }

  private let orderIDs: [String]
  private let transactionIDs: [String]
  private let sources: [Source]
  private let kinds: [String: InputKind]
  /// How many sources show orders, transactions and other things.
  private let orders: Int
  private let transactions: Int
  private let others: Int
  /// Rows before those of transactions.
  private let ordersBefore: Int
  let count: Int

  /// Finds how many evidence rows a finding has.
  ///
  /// - Parameters:
  ///   - number: of the finding, which is looked at where it stands: a copy would cost more than
  ///     its rows.
  ///   - kinds: of the files, by their names.
  init(_ findings: [Finding], at number: Int, kinds: [String: InputKind]) {
    self.kinds = kinds
    (orderIDs, transactionIDs, sources) = findings.withUnsafeBufferPointer {
      ($0[number].orderIDs, $0[number].transactionIDs, $0[number].sources)
    }
    var counts = (orders: 0, transactions: 0, others: 0)
    for place in sources.indices {
      switch What(kinds[sources[place].file]) {
      case .order: counts.orders += 1
      case .transaction: counts.transactions += 1
      case .other: counts.others += 1
      }
    }
    (orders, transactions, others) = counts
    let rowsOfOrders = Self.rowCount(orderIDs.count, orders)
    ordersBefore = orderIDs.count == 1 && transactionIDs.count == 1 ? 0 : rowsOfOrders
    count = max(
      rowsOfOrders, ordersBefore + Self.rowCount(transactionIDs.count, transactions) + others)
  }

  /// The evidence row at an index, from 0; it costs as much as there are sources.
  func row(at index: Int) -> EvidenceRow { row(at: index) { source($0, $1) } }

  /// All evidence rows in order.
  var list: [EvidenceRow] {
    let byWhat = Dictionary(grouping: sources) { What(kinds[$0.file]) }
    return (0..<count).map { row(at: $0) { byWhat[$0]![$1] } }
  }

  /// The evidence row at an index.
  ///
  /// - Parameter source: gives, of the sources that show one kind of thing (orders, transactions,
  ///   others), the one at an index from 0.
  private func row(at index: Int, _ source: (What, Int) -> Source) -> EvidenceRow {
    let firstOther = ordersBefore + Self.rowCount(transactionIDs.count, transactions)
    let isOther = (firstOther..<firstOther + others).contains(index)
    return EvidenceRow(
      order: Self.side(orderIDs, orders, at: index) { source(.order, $0) },
      transaction: isOther
        ? EvidenceRow.Side(source: source(.other, index - firstOther))
        : Self.side(transactionIDs, transactions, at: index - ordersBefore) {
          source(.transaction, $0)
        })
  }

  /// How many evidence rows one side (orders or transactions) takes up, by the numbers of its ids
  /// and of the sources that show it.
  private static func rowCount(_ ids: Int, _ sources: Int) -> Int {
    areTogether(ids, sources) ? sources : ids + sources
  }

  /// Whether ids and sources share rows: there are as many of both, or one id that all sources
  /// show.
  private static func areTogether(_ ids: Int, _ sources: Int) -> Bool {
    ids == sources || ids == 1 && sources > 0
  }

  /// What stands at one side (orders or transactions) of the evidence row at an index: an id, the
  /// source that shows it, or both; empty where that side has no more rows.
  ///
  /// - Parameters:
  ///   - ids: of the side's orders or transactions.
  ///   - sources: how many sources show them.
  ///   - source: gives, of these sources, the one at an index from 0.
  private static func side(
    _ ids: [String], _ sources: Int, at index: Int, _ source: (Int) -> Source
  ) -> EvidenceRow.Side {
    guard 0..<rowCount(ids.count, sources) ~= index else { return EvidenceRow.Side() }
    if areTogether(ids.count, sources) {
      return EvidenceRow.Side(id: ids[ids.count == 1 ? 0 : index], source: source(index))
    }
    if index < ids.count { return EvidenceRow.Side(id: ids[index]) }
    return EvidenceRow.Side(source: source(index - ids.count))
  }

  /// Of the finding's sources that show one kind of thing, the one at an index from 0.
  private func source(_ what: What, _ index: Int) -> Source {
    var remaining = index
    for place in sources.indices
    where What(kinds[sources[place].file]) == what {
      if remaining == 0 { return sources[place] }
      remaining -= 1
    }
    preconditionFailure("a finding has fewer sources than were counted")
  }
}

extension EvidenceRows.What {
  /// What a source in a file of this kind shows.
  fileprivate init(_ kind: InputKind?) {
    switch kind {
    case .orders: self = .order
    case .transactions, .receipts, .notifications, .history: self = .transaction
    default: self = .other
    }
  }
}
