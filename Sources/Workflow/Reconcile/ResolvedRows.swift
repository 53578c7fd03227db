import Billing
import Ledger

/// Rows as findings show them, found by their numbers: a dictionary of large values would be half
/// empty.
struct ResolvedRows<Table>: Sendable {
  private var numbers: [RowID<Table>] = []
  private var rows: [ResolvedRow<Table>] = []

  /// None.
  init() {}

  /// - Precondition: they ascend by their numbers, none twice.
  init(_ rows: [ResolvedRow<Table>]) {
    self.rows = rows
    numbers = rows.map(\.row)
    precondition(
      numbers.indices.dropFirst().allSatisfy { numbers[$0 - 1] < numbers[$0] },
      "each row is looked up once")
  }

  /// - Precondition: it is one of them.
  subscript(_ row: RowID<Table>) -> ResolvedRow<Table> {
    let place = numbers.partitioningIndex { $0 >= row }
    precondition(place < numbers.count && numbers[place] == row, "a row that was looked up")
    return rows[place]
  }
}
