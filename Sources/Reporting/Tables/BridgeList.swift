import Billing
import Conclusions

extension List<Bridge> {
  /// The columns of bridges from the ledger's total to Apple's, as scripts get them.
  static var bridges: List {
    List([
      Column("storefront") { .text($0.storefront) },
      Column("currency") { .text($0.currency.code) },
      Column("steps", script: .json { $0.lines($1.steps, of: .steps) }),
      Column("unexplained") { .money($0.unexplained) },
      Column("explained") { .money($0.explained) },
      Column("open") { .money($0.open) },
    ])
  }
}

extension List<BridgeStep> {
  /// The columns of a bridge's steps, as scripts get them.
  fileprivate static var steps: List {
    List([
      Column("cause") { .text($0.cause.rawValue) },
      Column("units") { .integer(ifAny: $0.units) },
      Column("amount") { .money($0.amount) },
      Column("currency") { .text($0.currency.code) },
      Column("total", script: .bool { $0.isTotal }),
      Column("open") { $0.isTotal ? .blank : .money($0.open) },
    ])
  }
}

extension Bridge {
  /// The number of each step among all that a bridge may have, from 1.
  var stepNumbers: [Int] {
    var last = 0
    return steps.map { step in
      // What a cause is the step of is told by the total before it.
      guard let place = BridgePlace.inOrder[last...].firstIndex(where: { $0.cause == step.cause })
      else { preconditionFailure("a bridge has a step where its shape has none") }
      last = place + 1
      return last
    }
  }
}

extension BridgeCause {
  /// What the step holds, in words for a reader of the workbook.
  var meaning: Wording {
    switch self {
    case .ledger: "@sheet.billable-transactions-less-refunds"
    case .dayBoundary: "@sheet.purchases-that-apple-day-puts"
    case .timing: "@sheet.units-booked-on-the-other"
    case .inputsInsufficient: "@sheet.what-only-follows-from-columns"
    case .reportMissing: "@sheet.days-without-a-report"
    case .notInLedger: "@sheet.sales-that-apple-reports"
    case .notInReport: "@sheet.sales-of-the-ledger"
    case .refundNotInLedger: "@sheet.refunds-that-apple-reports"
    case .refundNotInReport: "@sheet.refunds-of-the-ledger"
    case .unknownSKU: "@sheet.skus-not-in-the-catalogue"
    case .apps: "@sheet.sales-of-apps"
    case .price: "@sheet.same-units-at-other-prices"
    case .partialRefund: "@sheet.zero-unit-and-prorated-refund"
    case .rounding: "@sheet.what-rounding-each-storefront-amounts"
    case .unexplained: "@shared.what-no-cause-explains"
    case .reportedGross: "@sheet.what-customers-paid-by-apple"
    case .tax: "@sheet.tax-inside-the-price-by"
    case .commission: "@sheet.apple-commission-by-the-rule"
    case .proceedsDifference: "@sheet.actual-proceeds-less-those-by"
    case .exchange: "@sheet.proceeds-that-have-another-currency"
    case .reportedProceeds: "@sheet.proceeds-by-apple-sales-reports"
    case .settlementCarryIn: "@sheet.sold-in-earlier-fiscal-months"
    case .settlementCarryOut: "@sheet.sold-in-this-fiscal-month"
    case .settlementDifference: "@sheet.settled-differently-from-the-sales"
    case .settled: "@sheet.proceeds-by-apple-financial-reports"
    }
  }
}
