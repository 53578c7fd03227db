internal import Billing

/// What the rows of a company's table of purchases add up to, counted by the codes of their terms:
/// of terms it keeps only what is added up.
struct PurchaseTotals {
  private struct Terms {
    var currency: Currency?
    var quantity: Int32
    var price: Int64?
    var hasStorefront: Bool
    var rows: Int64 = 0
  }

  private var terms: [Terms] = []
  /// Of terms that were forgotten since.
  private var totals = TotalsByCurrency()
  private var rowsWithoutStorefront = 0

  /// Takes the terms of the next code.
  mutating func add(_ order: OrderTerms) {
    terms.append(
      Terms(
        currency: order.currency, quantity: order.quantity, price: order.unitPrice,
        hasStorefront: order.storefront != nil))
  }

  /// Takes the terms of the next code.
  mutating func add(_ transaction: TransactionTerms) {
    terms.append(
      Terms(
        currency: transaction.currency, quantity: transaction.quantity,
        price: transaction.isNoPurchase ? nil : transaction.unitPrice,
        hasStorefront: transaction.storefront != nil))
  }

  /// Counts a row.
  ///
  /// - Parameter code: of its terms, less the codes that were forgotten.
  @inline(__always)
  mutating func count(_ code: Int32) { terms[Int(code)].rows &+= 1 }

  /// Adds the rows up, after which codes are counted anew.
  mutating func forgetTerms() {
    for terms in terms {
      if !terms.hasStorefront { rowsWithoutStorefront += Int(terms.rows) }
      guard let price = terms.price else { continue }
      totals.add(terms.currency, units: terms.rows * Int64(terms.quantity), price: price)
    }
    terms = []
  }

  func summary(_ span: TimeSpan, of period: String, _ log: ReadingLog) throws -> RowSummary {
    var all = self
    all.forgetTerms()
    var summary = RowSummary(
      begin: span.begin, end: span.end, totals: try all.totals.totals(file: log.file))
    summary.rowsWithoutStorefront = all.rowsWithoutStorefront
    summary.countedPeriod = period
    return summary
  }
}
