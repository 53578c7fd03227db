import Billing
import Ledger

/// Rows as findings show them, found by their numbers: a dictionary of large values would be half
/// empty.
struct ResolvedRows<Table>: Sendable {
  private var numbers: [RowID<Table>] = []
  private var rows: [ResolvedRow<Table>] = []

  /// Without any row.
  init() {}

  /// Keeps these rows.
  ///
  /// - Precondition: they ascend by their numbers, none twice.
  init(_ rows: [ResolvedRow<Table>]) {
    self.rows = rows
    numbers = rows.map(\.row)
    precondition(
      numbers.indices.dropFirst().allSatisfy { numbers[$0 - 1] < numbers[$0] },
      "each row is looked up once")
  }

  /// The row of this number.
  ///
  /// - Precondition: it is one of them.
  subscript(_ row: RowID<Table>) -> ResolvedRow<Table> {
    let index = numbers.partitioningIndex { $0 >= row }
    precondition(index < numbers.count && numbers[index] == row, "a row that was looked up")
    return rows[index]
  }
}
