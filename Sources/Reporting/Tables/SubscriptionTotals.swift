import Billing
import Languages
import Conclusions

/// A product's chains of renewals by their state.
struct ProductChains {
  var sku: String
  var counts: [SubscriptionCount]

  /// How many chains of the product are in a state.
  func chains(_ state: SubscriptionState) -> Int {
    counts.filter { $0.state == state }.reduce(0) { $0 + $1.chains }
  }
}

extension WorkbookContents {
  /// The rows below the list of chains: how many there are by product and state.
  func subscriptionTotals() -> PlacedRows {
    var below = PlacedRows(below: .pages(subscriptionPages))
    let counts = reconciliation.subscriptionCounts
    guard !counts.isEmpty else { return below }
    let list = subscriptionCountList
    let products = Dictionary(grouping: counts, by: \.sku).sorted { $0.key < $1.key }
      .map { ProductChains(sku: $0.key, counts: $0.value) }
    if let remark = unlistedRemark { below.add([.words(remark)], .aside) }
    below.add([.words("@sheet.chains-by-product-and-state")], .section)
    below.add(list.header)
    let body = below.add(products, of: list)
    below.addTotalOfAll(products, of: list, at: body)
    return below
  }

  /// The remark on how many chains are in the totals and not listed; nil where all are listed.
  var unlistedRemark: Wording? {
    let count =
      reconciliation.unlistedSubscriptions + reconciliation.subscriptions.count - listedChains.count
    guard count > 0 else { return nil }
    return counted(count, "@sheet.1-chain-that-no-finding") {
      "@sheet.chains-that-no-finding-is \($0)"
    }
  }

  /// The place of the row that adds up all chains; nil without any.
  var subscriptionTotalsPlace: Place? {
    reconciliation.subscriptionCounts.isEmpty
      ? nil : subscriptionPages.totalPlace(row: subscriptionTotals().last)
  }

  /// The columns of how many chains a product has in each state that there is.
  var subscriptionCountList: List<ProductChains> {
    let counts = reconciliation.subscriptionCounts
    let states = SubscriptionState.allCases.filter { state in
      counts.contains { $0.state == state }
    }
    return List(
      [Column(.text("@shared.sku")) { .text(ifAny: $0.sku) }, Column(.text("")) { _ in .blank }]
        + states.map { state in
          Column("\(state)", .number(state.wording), totals: [.all]) { product in
            let chains = product.chains(state)
            return chains == 0 ? .blank : .integer(Int64(chains))
          }
        } + [
          Column("total", .number("@shared.total"), totals: [.all]) { product in
            .formula(
              "SUM({\(states[0])}:{\(states[states.count - 1])})",
              .integer(Int64(product.counts.reduce(0) { $0 + $1.chains })))
          },
          .gap,
          Column("ending", .number("@shared.known-not-to-renew"), totals: [.all]) {
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

extension List<SubscriptionReportLine> {
  /// The columns of Apple's subscription reports beside the chains, a line per storefront and
  /// product.
  static var subscriptionReports: List {
    let counts: [(String, Wording, Wording, @Sendable (SubscriptionReportLine) -> ComparedCount?)] =
      [
        ("starts", "@sheet.started-apple", "@sheet.started-ledger", { $0.starts }),
        ("renewals", "@sheet.renewed-apple", "@sheet.renewed-ledger", { $0.renewals }),
        (
          "cancellations", "@sheet.cancelled-apple", "@sheet.cancelled-ledger", { $0.cancellations }
        ),
        ("refunds", "@sheet.refunded-apple", "@sheet.refunded-ledger", { $0.refunds }),
        ("active", "@sheet.active-apple", "@sheet.active-ledger", { $0.active }),
        ("subscribers", "@sheet.subscriber-rows", "@sheet.their-transactions", { $0.subscribers }),
      ]
    var columns: [Column<SubscriptionReportLine>] = [
      Column("sku", .text("@shared.sku")) { .text($0.sku) },
      Column(.text("")) { _ in .blank },
      Column("storefront", .text("@shared.storefront")) { .place($0.storefront) }
        .coded { $0.storefront?.code },
      Column("days", .number("@sheet.days-with-events")) { .integer(Int64($0.days)) },
    ]
    var sums: [ExpectedSum<SubscriptionReportLine>] = []
    for (name, apple, ledger, figure) in counts {
      columns.append(
        Column("\(name)_apple", .number(apple), totals: [.all]) {
          .integer(ifAny: figure($0)?.apple)
        })
      columns.append(
        Column("\(name)_ledger", .number(ledger), totals: [.all]) {
          .integer(ifAny: figure($0)?.ledger)
        })
      sums.append(ExpectedSum("\(name)_apple") { figure($0)?.apple })
      sums.append(ExpectedSum("\(name)_ledger") { figure($0)?.ledger })
    }
    columns += [
      Column("moved", .number("@sheet.on-the-neighbouring-day"), totals: [.all]) {
        .integer($0.moved)
      },
      Column("unexplained", .number("@sheet.in-findings"), totals: [.all]) {
        .integer($0.unexplained)
      }
      .tinted { $0.unexplained == 0 ? nil : .warning },
      Column("proceeds", .text("@shared.proceeds", 10...30)) { line in
        .text(ifAny: line.paid.joined(separator: ", "))
      }.listed(\.paid),
    ]
    sums += [
      ExpectedSum("moved") { $0.moved }, ExpectedSum("unexplained") { $0.unexplained },
    ]
    return List(columns, sums: sums)
  }
}

extension SubscriptionReportLine {
  /// The proceeds with their currencies, as texts.
  fileprivate var paid: [String] { proceeds.map { "\(grouped($0)) \($0.currency)" } }
}

extension WorkbookContents {
  /// Adds Apple's subscription reports beside the chains, below the subscriptions.
  func addSubscriptionReports(to below: inout PlacedRows) {
    let lines = reconciliation.subscriptionReports
    guard !lines.isEmpty else { return }
    let list = List.subscriptionReports
    let body = below.addTable("@sheet.apple-subscription-reports", lines, of: list)
    below.addTotalOfAll(lines, of: list, at: body)
  }
}
