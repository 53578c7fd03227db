import Billing
import Matching

extension WorkbookContents {
  /// Below the list: what it leaves out, then the chains by product and state.
  func subscriptionTotals() -> [Row] {
    let counts = reconciliation.subscriptionCounts
    guard !counts.isEmpty else { return [] }
    let chains = counts.reduce(0) { $0 + $1.chains }
    let listed = reconciliation.subscriptions.count
    var rows: [Row] = []
    if listed < chains {
      let rest = grouped(String(chains - listed))
      let text: Wording =
        listed == 0
        ? "No chain is listed; all \(rest) are only counted"
        : """
        \(grouped(String(listed))) of \(grouped(String(chains))) chains are listed, those that are \
        more than plainly active or expired; the other \(rest) are only counted
        """
      rows += [Row(cells: [.words(text)], style: .subtitle), Row(cells: [])]
    }
    let states = SubscriptionState.allCases.filter { state in counts.contains { $0.state == state }
    }
    rows.append(Row(cells: [.words("Chains by product and state")], style: .section))
    rows.append(
      Row.tableHeader(["sku"], numbers: states.map(\.wording) + ["total", "known not to renew"]))
    let first = subscriptionPages.totalPlace(rows.count).row
    let products = Dictionary(grouping: counts, by: \.sku).sorted { $0.key < $1.key }
    for (index, product) in products.enumerated() {
      rows.append(row(of: product.key, product.value, states, at: first + index))
    }
    rows.append(rowOfAll(counts, states, first...(first + products.count - 1)))
    return rows
  }

  /// Where the totals of all chains stand; nil without any.
  var subscriptionTotalsPlace: Place? {
    let count = subscriptionTotals().count
    return count == 0 ? nil : subscriptionPages.totalPlace(count - 1)
  }

  private func row(
    of sku: String, _ counts: [SubscriptionCount], _ states: [SubscriptionState], at row: Int
  ) -> Row {
    let cells = states.map { state in
      let chains = counts.filter { $0.state == state }.reduce(0) { $0 + $1.chains }
      return chains == 0 ? Cell.blank : .integer(Int64(chains))
    }
    let last = columnLetters(states.count)
    return Row(
      cells: [.text(ifAny: sku)] + cells + [
        .formula(
          "SUM(B\(row):\(last)\(row))", .integer(Int64(counts.reduce(0) { $0 + $1.chains }))),
        .integer(Int64(counts.reduce(0) { $0 + $1.ending })),
      ])
  }

  private func rowOfAll(
    _ counts: [SubscriptionCount], _ states: [SubscriptionState], _ rows: ClosedRange<Int>
  ) -> Row {
    let sums =
      states.map { state in
        counts.filter { $0.state == state }.reduce(0) { $0 + $1.chains }
      } + [counts.reduce(0) { $0 + $1.chains }, counts.reduce(0) { $0 + $1.ending }]
    return Row(
      cells: [.words("all")]
        + sums.enumerated().map { index, sum in
          let letter = columnLetters(index + 1)
          return .formula(
            "SUM(\(letter)\(rows.lowerBound):\(letter)\(rows.upperBound))", .integer(Int64(sum)))
        }, style: .total)
  }
}
