import Billing

/// What the company has and what Apple has of what a finding is about.
struct BothValues: Hashable {
  /// Of an order, the ledger or a table of rules; empty where the other side stands alone.
  var company: Wording
  var apple: Wording
}

extension Finding {
  /// The two values that the finding's explanation compares; nil where it compares none.
  var bothValues: BothValues? { explanation.bothValues }
}

extension Wording {
  /// Which values of an explanation are the company's and Apple's, counted from 1, by its key
  /// without the mark; nil where that side has nothing.
  static let sides: [String: (company: Int?, apple: Int?)] = [
    "adjustment.apple-adjusted-by": (nil, 2),
    "bank-differs.payout-of-is-the-bank": (3, 2),
    "bundle-mismatch.transaction-belongs-to-the-order": (2, 1),
    "carried-balance.of-earlier-months-is-owed": (nil, 1),
    "carried-balance.owed-for-in-is-not": (1, nil),
    "charged-not-fulfilled.apple-charged-the-order-status-is": (2, 1),
    "charged-not-fulfilled.apple-charged-was-fulfilled-at": (2, 1),
    "currency-unexpected.customer-currency-is-the-storefront": (2, 1),
    "deduction.beside-a-tax-of-apple": (5, 2),
    "fx-rate-unexpected.apple-paid": (7, 6),
    "not-in-ledger.units-refunded-apple-reports": (2, 1),
    "not-in-ledger.units-sold-apple-reports": (2, 1),
    "not-in-report.units-refunded-the-ledger-has": (1, 2),
    "not-in-report.units-sold-the-ledger-has": (1, 2),
    "order-without-transaction.order-is": (2, nil),
    "order-without-transaction.order-is-for-only-has": (2, nil),
    "order.apple-charged": (nil, 1),
    "order.order-is-for-apple-sold": (1, 2),
    "partial-refund.1-row-without-units": (nil, 1),
    "partial-refund.apple-refunded-of-per-unit": (2, 1),
    "partial-refund.rows-without-units-a-credit": (nil, 2),
    "payment-differs.payout-of-is-the-proceeds": (3, 2),
    "payout-not-received.payout-of-was-due": (nil, 2),
    "payout-not-received.payout-was-returned": (nil, 2),
    "price-differs.ledger-has-no-price": (nil, 2),
    "price-mismatch.order-price-is": (1, 4),
    "price-mismatch.order-price-is-apple": (1, 2),
    "price-not-in-tier.sold-at-tier-is": (3, 1),
    "product-mismatch.order-names": (1, 2),
    "product-mismatch.receipt-item-is-which-is": (2, 1),
    "refund-not-reversed.apple-refunded-at-the-order": (4, 1),
    "report-missing.no-sales-report-covers": (3, nil),
    "report-missing.no-sales-report-of-vendor": (3, nil),
    "report-missing.sales-report-of-is-not": (3, nil),
    "sales.apple-pays-of-a-deduction": (4, 1),
    "sales.apple-pays-of-the-rule": (3, 1),
    "sales.at-by-apple-report": (3, 2),
    "settlement.of-sold-from-to-not": (3, nil),
    "settlement.of-sold-on-not": (3, nil),
    "settlement.settles-of-sold": (4, 4),
    "terms-not-as-configured.from-on-apple-pays-by": (4, 3),
    "unknown-sku.apple-reports-and-the-ledger": (2, 1),
    "withholding.tax-of-was-withheld": (nil, 1),
  ]

  /// The words that say what a value that is a number alone counts (`3 refunded`), by the same
  /// keys.
  private static let numberWords: [String: @Sendable (Wording) -> Wording] = [
    "not-in-ledger.units-refunded-apple-reports": { "@sheet.so-many-refunded \($0)" },
    "not-in-ledger.units-sold-apple-reports": { "@sheet.so-many-sold \($0)" },
    "not-in-report.units-refunded-the-ledger-has": { "@sheet.so-many-refunded \($0)" },
    "not-in-report.units-sold-the-ledger-has": { "@sheet.so-many-sold \($0)" },
  ]

  /// The two values that the outermost explanation compares, in the first piece that has one; nil
  /// where none compares two.
  fileprivate var bothValues: BothValues? {
    for part in parts {
      guard case .phrase(let key, let values) = part else { continue }
      let name = String(key.dropFirst())
      if let sides = Self.sides[name] {
        /// The value at a place of the explanation, counted from 1; `none` without a place.
        func side(_ place: Int?) -> Wording {
          guard let place else { return "@shared.none" }
          return Self.numberWords[name]?(values[place - 1]) ?? values[place - 1]
        }
        return BothValues(company: side(sides.company), apple: side(sides.apple))
      }
      if let inner = values.lazy.compactMap(\.bothValues).first { return inner }
    }
    return nil
  }
}
