import Billing
import Languages
import Matching

extension WorkbookContents {
  /// What the sheets of refunds and subscriptions come to, with the way to their totals.
  func listsTable() -> [Line] {
    let lines = refundLines() + subscriptionLines()
    guard !lines.isEmpty else { return [] }
    let gap = reconciliation.previousProceeds.isEmpty ? [] : [Line(cells: [])]
    return gap + [
      Line(cells: [.words("Refunds and subscriptions")], style: .section),
      Line(
        cells: [.words(""), .words("number"), .blank, .blank, .blank], style: .tableHeader),
    ] + lines
  }

  private func refundLines() -> [Line] {
    guard let place = refundTotalsPlace, !reconciliation.refunds.isEmpty else { return [] }
    let all = allRefunds
    func line(_ name: Cell, _ letter: String, _ count: (RefundTotal) -> Int64) -> Line {
      let formula = "\(quoted(sheet: place.sheet))!\(letter)\(place.row)"
      return Line(cells: [name, .formula(formula, .integer(all.reduce(0) { $0 + count($1) }))])
    }
    return [
      line(.link(place, say("refunds")), "G", \.refunds),
      line(.words("beyond the customer's window"), "H", \.beyondWindow),
      line(.words("delivered, not taken back"), "K", \.notTakenBack),
    ]
  }

  private func subscriptionLines() -> [Line] {
    guard let place = subscriptionTotalsPlace else { return [] }
    let counts = reconciliation.subscriptionCounts
    let states = Set(counts.map(\.state)).count
    func line(_ name: Cell, _ column: Int, _ count: Int) -> Line {
      let formula = "\(quoted(sheet: place.sheet))!\(columnLetters(column))\(place.row)"
      return Line(cells: [name, .formula(formula, .integer(Int64(count)))])
    }
    return [
      line(.link(place, say("subscriptions")), states + 1, counts.reduce(0) { $0 + $1.chains }),
      line(.words("known not to renew"), states + 2, counts.reduce(0) { $0 + $1.ending }),
    ]
  }
}
