import Billing
import Conclusions

extension List<RegionPayment> {
  /// The columns from what Apple settled to what reached the bank.
  static var paymentBridge: List { List(columns) }

  /// The columns of what changed of payments of closed months.
  static var paymentChanges: List {
    List([Column("month") { .text(ifAny: $0.month?.description) }] + columns)
  }

  /// The columns of a region's payment and its steps.
  private static var columns: [Column<RegionPayment>] {
    [
      Column("region") { .text($0.region) },
      Column("currency") { .text($0.currency.code) },
      Column(
        "steps",
        script: .json { json, payment in
          json.array(of: payment.steps) { json, step in
            json.object {
              // Only the exchange has a rate.
              $0.members(step, of: step.cause == "exchange" ? .exchangeSteps : .steps)
            }
          }
        }),
      Column("unexplained") { .money($0.unexplained.magnitude) },
    ]
  }
}

extension List<RegionPayment.Step> {
  /// The columns of a payment's steps.
  fileprivate static var steps: List { List(columns) }

  /// The columns of the step of exchange, which alone has a rate.
  fileprivate static var exchangeSteps: List {
    List(columns + [Column("rate") { $0.rate.map(Cell.exchange) ?? .blank }])
  }

  /// The columns that all steps have.
  private static var columns: [Column<Line>] {
    [
      Column("cause") { .text($0.cause) },
      Column("units") { _ in .blank },
      Column("amount") { .money(ifAny: $0.amount) },
      Column("currency") { .text($0.currency.code) },
      Column("total", script: .bool { $0.isTotal }),
    ]
  }
}
