import Billing
import Dispatch
import Synchronization

/// Collects and sorts the ids of a file's blocks on a thread of its own, while SQLite inserts the
/// rows.
final class IDRunBuilder: Sendable {
  private let work = DispatchQueue(label: "tieout.ledger.ids")
  /// Blocks that may wait for their turn: what bounds the memory when sorting falls behind.
  private let room = DispatchSemaphore(value: 2)
  private let open = Mutex(OpenRuns())
  private let finished = Mutex<[IDRun]>([])

  /// The runs that blocks are still added to.
  fileprivate struct OpenRuns {
    var columns: [IDColumn: [IDEntry]] = [:]
    var span: ClosedRange<Int64>?
    var rowCount = 0
  }

  /// Hands a block of orders, transactions or events to the builder's thread, which collects its
  /// ids; waits while two blocks are waiting.
  ///
  /// - Parameters:
  ///   - firstRow: the number that the block's first row has in the ledger.
  ///   - span: the smallest and largest time of its rows, in seconds since 1970.
  func add(_ block: FactBlock, firstRow: Int32, span: ClosedRange<Int64>) {
    room.wait()
    work.async { [self] in
      defer { room.signal() }
      open.withLock { open in
        open.collect(block, firstRow: firstRow)
        let known = open.span ?? span
        open.span =
          min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
        open.rowCount += block.rowCount
        if open.rowCount + FactBlock.rowLimit > IDRun.rowLimit { finishRuns(of: &open) }
      }
    }
  }

  /// Returns the runs that were finished since the last call.
  func takeFinished() -> [IDRun] {
    finished.withLock { runs in
      defer { runs = [] }
      return runs
    }
  }

  /// Returns the runs that are left, after the file's last block.
  func finish() -> [IDRun] {
    work.sync { open.withLock { finishRuns(of: &$0) } }
    return takeFinished()
  }

  /// Sorts what was collected into a finished run for each column of ids, and begins anew.
  private func finishRuns(of collected: inout OpenRuns) {
    let span = collected.span
    for column in IDColumn.allCases {
      guard var entries = collected.columns.removeValue(forKey: column), !entries.isEmpty, let span
      else { continue }
      entries.withUnsafeMutableBufferPointer { sortByKey($0) }
      let run = IDRun(column: column, span: span, entries: entries)
      finished.withLock { $0.append(run) }
    }
    collected = OpenRuns()
  }
}

extension IDRunBuilder.OpenRuns {
  /// Collects all ids of a block by which its rows are looked up; its first row has the number
  /// `firstRow`.
  fileprivate mutating func collect(_ block: FactBlock, firstRow: Int32) {
    switch block.rows {
    case .orders(let rows):
      collect(.order, rows, block.text, firstRow) { $0.orderID }
      collect(.orderTransaction, rows, block.text, firstRow) { $0.transactionID }
    case .transactions(let rows):
      collect(.transaction, rows, block.text, firstRow) { $0.transactionID }
      collect(.transactionOrder, rows, block.text, firstRow) { $0.orderID }
      collect(.chain, rows, block.text, firstRow) { $0.chainID }
    case .events(let rows):
      collect(.eventOrder, rows, block.text, firstRow) { $0.orderID }
      collect(.eventTransaction, rows, block.text, firstRow) { $0.transactionID }
    case .sales, .finance, .payments, .subscriptions, .subscriptionEvents, .subscribers, .purchases,
      .products, .tiers, .rates, .taxes, .commissions, .bank,
      .commissionInvoices, .unitCounts, .coinMovements, .coinBalances, .items:
      preconditionFailure("only orders, transactions and events are looked up by id")
    }
  }

  /// Adds the ids of one column to those collected, each with its row's number.
  ///
  /// - Parameters:
  ///   - text: the block's, which ids are slices of.
  ///   - firstRow: the number of the first of `rows`.
  ///   - id: a row's id; rows whose id is empty are left out.
  private mutating func collect<FactRow>(
    _ column: IDColumn, _ rows: [FactRow], _ text: [UInt8], _ firstRow: Int32,
    id: (FactRow) -> TextSlice
  ) {
    // Taken out of the dictionary while it grows, so that it is not copied.
    var entries = columns.removeValue(forKey: column) ?? []
    if entries.isEmpty {
      // After a full block others follow: room for all of them, which takes none until it is used.
      entries.reserveCapacity(rows.count < FactBlock.rowLimit ? rows.count : IDRun.rowLimit)
    }
    text.withUnsafeBytes { text in
      for (index, row) in rows.enumerated() {
        let id = id(row)
        guard id.count > 0 else { continue }
        let bytes = UnsafeRawBufferPointer(rebasing: text[Int(id.start)..<Int(id.start + id.count)])
        entries.append(IDEntry(key: IDKey(text: bytes).raw, row: firstRow + Int32(index)))
      }
    }
    columns[column] = entries
  }
}

extension TransactionRow {
  /// The id that all transactions of the row's chain share; none where it belongs to no chain.
  fileprivate var chainID: TextSlice {
    guard webOrderLineItemID.count > 0 || expiresAt != nil else { return .none }
    return originalTransactionID.count > 0 ? originalTransactionID : transactionID
  }
}
