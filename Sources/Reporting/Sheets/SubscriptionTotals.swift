import Billing
import Matching

/// A product's chains by their state.
struct ProductChains {
  var sku: String
  var counts: [SubscriptionCount]

  func chains(_ state: SubscriptionState) -> Int {
    counts.filter { $0.state == state }.reduce(0) { $0 + $1.chains }
  }
}

extension WorkbookContents {
  /// Below the list: the chains by product and state.
  func subscriptionTotals() -> [Row] {
    let counts = reconciliation.subscriptionCounts
    guard !counts.isEmpty else { return [] }
    let list = subscriptionCountList
    let products = Dictionary(grouping: counts, by: \.sku).sorted { $0.key < $1.key }
      .map { ProductChains(sku: $0.key, counts: $0.value) }
    let heads = [Row(cells: [.words("Chains by product and state")], style: .section), list.header]
    let body = ListBody.table(
      from: subscriptionPages.totalPlace(heads.count).row, count: products.count)
    return heads + list.rows(products, from: body.rows.lowerBound)
      + [list.totalOfAll(products, body, at: body.firstTotal)]
  }

  /// Where the totals of all chains stand; nil without any.
  var subscriptionTotalsPlace: Place? {
    let count = subscriptionTotals().count
    return count == 0 ? nil : subscriptionPages.totalPlace(count - 1)
  }

  /// How many chains a product has in each state that there is.
  var subscriptionCountList: List<ProductChains> {
    let counts = reconciliation.subscriptionCounts
    let states = SubscriptionState.allCases.filter { state in
      counts.contains { $0.state == state }
    }
    return List(
      [Column(.text("sku")) { .text(ifAny: $0.sku) }]
        + states.map { state in
          Column("\(state)", .number(state.wording), totals: [.all]) { product in
            let chains = product.chains(state)
            return chains == 0 ? .blank : .integer(Int64(chains))
          }
        } + [
          Column("total", .number("total"), totals: [.all]) { product in
            .formula(
              "SUM({\(states[0])}:{\(states[states.count - 1])})",
              .integer(Int64(product.counts.reduce(0) { $0 + $1.chains })))
          },
          Column("ending", .number("known not to renew"), totals: [.all]) {
            .integer(Int64($0.counts.reduce(0) { $0 + $1.ending }))
          },
        ],
      sums: states.map { state in
        ExpectedSum(
          "\(state)",
          all: counts.reduce(0) { $0 + ($1.state == state ? Int64($1.chains) : 0) })
      } + [
        ExpectedSum("total", all: counts.reduce(0) { $0 + Int64($1.chains) }),
        ExpectedSum("ending", all: counts.reduce(0) { $0 + Int64($1.ending) }),
      ])
  }
}
