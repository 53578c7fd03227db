import Billing
import Conclusions

/// Red, green and blue, one byte each.
struct Colour: Hashable, Sendable {
  var rgb: UInt32
  /// A colour as `0xRRGGBB`.
  init(_ rgb: UInt32) { self.rgb = rgb }
}

/// What steps of a bridge have in common; one colour each, the same in every sheet and chart.
enum CauseFamily: String, Hashable, Sendable, CaseIterable {
  case total, time, missing, refund, product, price, tax, commission, proceeds, exchange
  case settlement, unexplained

  /// The family of a bridge step, by its cause.
  init(_ cause: BridgeCause) {
    self =
      switch cause {
      case .ledger, .reportedGross, .reportedProceeds, .settled: .total
      case .dayBoundary, .timing: .time
      case .inputsInsufficient, .reportMissing, .notInLedger, .notInReport: .missing
      case .refundNotInLedger, .refundNotInReport, .partialRefund: .refund
      case .unknownSKU, .apps: .product
      case .price: .price
      case .tax: .tax
      case .commission: .commission
      case .proceedsDifference: .proceeds
      case .exchange, .rounding: .exchange
      case .settlementCarryIn, .settlementCarryOut, .settlementDifference: .settlement
      case .unexplained: .unexplained
      }
  }

  /// The family's colour: those of Okabe and Ito, which people with any colour vision tell apart,
  /// and three greys.
  var colour: Colour {
    switch self {
    case .total: Colour(0x3B4A5A)
    case .time: Colour(0x56B4E9)
    case .missing: Colour(0xE69F00)
    case .refund: Colour(0xCC79A7)
    case .product: Colour(0xF0E442)
    case .price: Colour(0x009E73)
    case .tax: Colour(0x999999)
    case .commission: Colour(0x0072B2)
    case .proceeds: Colour(0xD55E00)
    case .exchange: Colour(0xC9C9C9)
    case .settlement: Colour(0x7B5EA7)
    case .unexplained: Colour(0x000000)
    }
  }

  /// The colour of letters on ``colour``.
  var ink: Colour {
    switch self {
    case .total, .unexplained, .commission, .price, .proceeds, .settlement: Colour(0xFFFFFF)
    default: Colour(0x000000)
    }
  }

  /// The family's name for a reader.
  var wording: Wording {
    switch self {
    case .total: "@shared.total"
    case .time: "@workbook.time"
    case .missing: "@workbook.missing"
    case .refund: "@workbook.refund"
    case .product: "@shared.product"
    case .price: "@shared.price"
    case .tax: "@shared.tax"
    case .commission: "@shared.commission"
    case .proceeds: "@shared.proceeds"
    case .exchange: "@shared.exchange"
    case .settlement: "@shared.settlement"
    case .unexplained: "@shared.unexplained"
    }
  }

  /// What the colour stands for, in words.
  var meaning: Wording {
    switch self {
    case .total: "@workbook.totals-ledger-apple-gross-apple"
    case .time: "@workbook.time-day-boundary-and-proven"
    case .missing: "@workbook.sales-that-only-one-side"
    case .refund: "@workbook.refunds-that-only-one-side"
    case .product: "@workbook.products-unknown-skus-sales"
    case .price: "@workbook.customer-prices-that-differ"
    case .tax: "@workbook.tax-by-the-rule"
    case .commission: "@workbook.commission-by-the-rule"
    case .proceeds: "@workbook.proceeds-that-differ"
    case .exchange: "@workbook.exchange-between-customer-currency"
    case .settlement: "@workbook.settled-in-another-fiscal-month"
    case .unexplained: "@shared.what-no-cause-explains"
    }
  }
}

extension Severity {
  /// The colour of a cell that shows a finding of this severity.
  var ground: Colour {
    switch self {
    case .error: Colour(0xF8D3C8)
    case .warning: Colour(0xFFEFC2)
    case .info: Colour(0xD9ECF8)
    }
  }

  /// The colour of letters on ``ground``.
  var ink: Colour {
    switch self {
    case .error: Colour(0x8A2B00)
    case .warning: Colour(0x6B4A00)
    case .info: Colour(0x0B4A6F)
    }
  }
}

/// The colours that carry no meaning of their own.
enum House {
  static let header = Colour(0x3B4A5A)
  static let headerInk = Colour(0xFFFFFF)
  static let line = Colour(0xB8C0C8)
  static let quietInk = Colour(0x6A7580)
  static let linkInk = Colour(0x0B5CAD)
  static let totalGround = Colour(0xEEF1F4)
}
