import Billing
import Ledger
import Testing

@testable import Workflow

/// Goal: a row is found by its number. Method: all of lists short and long; one that is not there.
@Suite struct ResolvedRowsTests {
  @Test func eachRowIsFoundByItsNumber() {
    for count in [1, 2, 3, 1000] {
      let all = (0..<count).map { place in
        ResolvedRow<OrderRow>(
          row: RowID(Int64(7 * place + 3)), id: "O\(place)", user: "",
          source: Source(file: "orders.csv", line: place))
      }
      let rows = ResolvedRows(all)
      for row in all { #expect(rows[row.row] == row) }
    }
  }

  @Test func aRowThatWasNotLookedUpIsAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = ResolvedRows<OrderRow>()[RowID(1)] }
  }
}
