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
func evidence(of finding: Finding, kinds: [String: InputKind]) -> [EvidenceRow] {
  var orders: [Source] = []
  var transactions: [Source] = []
  var others: [Source] = []
  for source in finding.sources {
    switch kinds[source.file] {
    case .orders: orders.append(source)
    case .transactions, .receipts, .notifications, .history: transactions.append(source)
    default: others.append(source)
    }
  }
  return pairs(.order, finding.orderIDs, orders)
    + pairs(.transaction, finding.transactionIDs, transactions)
    + others.map { EvidenceRow(what: .row, id: nil, source: $0) }
}

private func pairs(_ what: EvidenceRow.What, _ ids: [String], _ sources: [Source])
  -> [EvidenceRow]
{
  if ids.count == sources.count {
    return zip(ids, sources).map { EvidenceRow(what: what, id: $0, source: $1) }
  }
  return ids.map { EvidenceRow(what: what, id: $0, source: nil) }
    + sources.map { EvidenceRow(what: what, id: nil, source: $0) }
}
