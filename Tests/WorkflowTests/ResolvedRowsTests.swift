import Billing
import Testing

@testable import Ledger
@testable import Workflow

/// Goal: a row is found by its number. Method: all of lists short and long; one that is not there;
/// rows that do not ascend.
@Suite struct ResolvedRowsTests {
  @Test func eachRowIsFoundByItsNumber() {
    for count in [1, 2, 3, 1000] {
      let all = (0..<count).map { row(Int64(7 * $0 + 3)) }
      let rows = ResolvedRows(all)
      for row in all { #expect(rows[row.row] == row) }
    }
  }

  @Test func aRowThatWasNotLookedUpIsAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = ResolvedRows<OrderRow>()[RowID(1)] }
    await #expect(processExitsWith: .failure) { _ = ResolvedRows([row(3), row(5)])[RowID(4)] }
  }

  @Test func rowsThatDoNotAscendAreAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = ResolvedRows([row(5), row(3)]) }
    await #expect(processExitsWith: .failure) { _ = ResolvedRows([row(3), row(3)]) }
  }
}

private func row(_ number: Int64) -> ResolvedRow<OrderRow> {
  ResolvedRow(
    row: RowID(number), id: "O\(number)", user: "",
    source: Source(file: "orders.csv", line: Int(number)))
}
