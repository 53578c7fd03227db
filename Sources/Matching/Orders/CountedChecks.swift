package import Billing
import Pricing

/// Judges purchases that were counted elsewhere by the rules that rows are judged by: whether they
/// are as plain as counting takes for granted.
struct CountedChecks {
  private let table: MatchTable
  private let context: MatchingContext
  private let days: BusinessDays
  private var verdicts: PairVerdicts
  /// Per terms, whether nothing in them asks for more than a count.
  private let arePlain: (orders: [Bool], transactions: [Bool])

  /// Finds out which terms of a table are plain: nothing in them asks for more than a count.
  init(_ table: MatchTable, _ context: MatchingContext) {
    self.table = table
    self.context = context
    days = BusinessDays(context)
    verdicts = PairVerdicts(table, context)
    let orders = table.orderTerms.map { terms in
      terms.isApple && terms.status == .fulfilled
        && amountFault(terms.unitPrice, terms.quantity, terms.currency) == nil
    }
    let transactions = table.transactionTerms.map { terms in
      context.isBillable(terms) && !terms.isTrial && !terms.isIntroductoryOffer
        && !EffectiveTerms.needsMore(terms, context)
        && (terms.kind ?? context.catalogue.kind(terms.sku)) == .consumable
        && amountFault(terms.unitPrice, terms.quantity, terms.currency) == nil
    }
    arePlain = (orders, transactions)
  }

  /// Whether a rule may have something to say of purchases that were counted: their terms are not
  /// plain, they lie after the day as of which everything is judged, or order and transaction
  /// disagree.
  mutating func needsRows(_ sold: PurchaseCounts.Sold) -> Bool {
    guard arePlain.orders[Int(sold.order)], arePlain.transactions[Int(sold.transaction)],
      context.businessDay(sold.at) <= context.asOf
    else { return true }
    let verdict = verdicts.verdict(
      sold.order, sold.transaction, day: days.index(sold.at), in: table)
    return !verdict.isSubset(of: .agreeing)
  }
}

extension SalesTieOut {
  /// How many purchases were counted elsewhere.
  package var countedPurchases: Int64 { book.counts.count }

  /// What of the purchases that were counted elsewhere is to be handed over as rows, so that every
  /// rule sees them and findings can name them.
  ///
  /// - Parameter areClocksRight: where a clock is off, times are corrected row by row.
  package func rowsAsked(areClocksRight: Bool) -> RowsAsked {
    var asked = RowsAsked()
    if book.counts.isEmpty { return asked }
    var checks = CountedChecks(book, context)
    var quarters: [ProductKey: Set<Int64>] = [:]
    for (index, sold) in book.counts.sold.enumerated()
    where !areClocksRight || askedCounts.contains(index) || checks.needsRows(sold) {
      let terms = book.transactionTerms[Int(sold.transaction)]
      asked.purchases += sold.count
      // Spark knows SKUs.
      let sku = AppProduct(terms.sku).sku
      quarters[ProductKey(storefront: terms.storefront, sku: sku), default: []]
        .insert(Int64(sold.at))
    }
    for (product, moments) in quarters {
      guard let storefront = product.storefront else { continue }
      for moment in moments.sorted() {
        if let last = asked.spans.last, last.storefront == storefront, last.sku == product.sku,
          moment - last.end <= Rules.askedTogether
        {
          asked.spans[asked.spans.count - 1].end = moment + 900
        } else {
          asked.spans.append(
            RowsAsked.Span(
              storefront: storefront, sku: product.sku, begin: moment, end: moment + 900))
        }
      }
    }
    asked.spans.sort { ($0.storefront, $0.sku, $0.begin) < ($1.storefront, $1.sku, $1.begin) }
    return asked
  }
}

extension MonthFacts {
  /// How many rows of the company's were handed over beside counts of the period (`told`), and how
  /// many are here (`found`); nil where nothing was counted.
  package var handedOver: (told: Int, found: Int)? {
    if counts.isEmpty { return nil }
    let told = (counts.handedOrders + counts.handedTransactions).lazy
      .filter { self.purchases.contains($0.at) }.reduce(0) { $0 + Int($1.count) }
    let isCompany = transactionTerms.map { $0.factSource == .company }
    let found =
      orders.count { purchases.contains($0.placedAt) }
      + transactions.count {
        isCompany[Int($0.terms)] && purchases.contains($0.purchasedAt)
      }
    return (told, found)
  }
}
