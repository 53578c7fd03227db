import Billing

/// Which id of which table a run finds again.
enum IDColumn: String, CaseIterable, Sendable {
  case order
  case orderTransaction = "order.transaction"
  case transaction
  case transactionOrder = "transaction.order"
  /// The original of a transaction that may belong to a chain, its own id where it is the first.
  case chain = "transaction.chain"
  case eventOrder = "event.order"
  case eventTransaction = "event.transaction"
}

/// A column of ids of the rows of one table.
struct IDIndex<Table> {
  let column: IDColumn
  private init(_ column: IDColumn) { self.column = column }
}

extension IDIndex<OrderRow> {
  static var order: Self { Self(.order) }
  static var orderTransaction: Self { Self(.orderTransaction) }
}

extension IDIndex<TransactionRow> {
  static var transaction: Self { Self(.transaction) }
  static var transactionOrder: Self { Self(.transactionOrder) }
  static var chain: Self { Self(.chain) }
}

extension IDIndex<PurchaseEventRow> {
  static var eventOrder: Self { Self(.eventOrder) }
  static var eventTransaction: Self { Self(.eventTransaction) }
}

/// An id's key and the row that has it.
struct IDEntry: Equatable, Sendable {
  /// `IDKey.raw`, never 0.
  var key: UInt64
  /// The row's number within the column's table.
  var row: Int32
}

/// Sorts by key; equal keys keep their order. Least significant digit first, 11 bits at a time;
/// digits that are the same everywhere (Apple's ids share their upper half) cost nothing.
func radixSort(_ entries: inout [IDEntry]) {
  let digits = 6
  let width = 11
  let buckets = 1 << width
  var isSorted = true
  var counts = [Int32](repeating: 0, count: digits * buckets)
  var previous: UInt64 = 0
  for entry in entries {
    isSorted = isSorted && previous <= entry.key
    previous = entry.key
    for digit in 0..<digits {
      counts[
        digit * buckets + Int(truncatingIfNeeded: entry.key >> (digit * width)) & (buckets - 1)] +=
        1
    }
  }
  if isSorted { return }
  var scratch = [IDEntry](repeating: IDEntry(key: 0, row: 0), count: entries.count)
  for digit in 0..<digits {
    let range = digit * buckets..<(digit + 1) * buckets
    if counts[range].contains(Int32(entries.count)) { continue }
    var next: Int32 = 0
    for bucket in range {
      let count = counts[bucket]
      counts[bucket] = next
      next += count
    }
    for entry in entries {
      let bucket =
        digit * buckets + Int(truncatingIfNeeded: entry.key >> (digit * width)) & (buckets - 1)
      scratch[Int(counts[bucket])] = entry
      counts[bucket] += 1
    }
    swap(&entries, &scratch)
  }
}
