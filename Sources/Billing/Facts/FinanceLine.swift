/// What a row of Apple's financial report or its detail says; rows with the same terms share one
/// value (App Store Connect help, "Financial report fields").
package struct FinanceTerms: Hashable, Sendable {
  package var storefront: Storefront
  /// `Vendor Identifier` in the report, `SKU` in the detail.
  package var sku: String
  package var appleIdentifier: String
  package var type: ProductType
  package var title: String
  /// `R`: a return. Its quantity is negative, its share positive.
  package var isReturn: Bool
  /// `Partner Share` per unit as printed, in micro-units: positive on returns too.
  package var share: Int64
  package var currency: Currency
  /// Per unit as printed, in micro-units: tax inside, negative on returns.
  package var customerPrice: Int64
  package var customerCurrency: Currency?
  /// `CR` and others; blank is empty.
  package var promoCode: String
  /// Of the detail only.
  package var orderType: String

  package init(
    storefront: Storefront, sku: String, appleIdentifier: String = "", type: ProductType,
    title: String = "", isReturn: Bool, share: Int64, currency: Currency, customerPrice: Int64,
    customerCurrency: Currency?, promoCode: String = "", orderType: String = ""
  ) {
    self.storefront = storefront
    self.sku = sku
    self.appleIdentifier = appleIdentifier
    self.type = type
    self.title = title
    self.isReturn = isReturn
    self.share = share
    self.currency = currency
    self.customerPrice = customerPrice
    self.customerCurrency = customerCurrency
    self.promoCode = promoCode
    self.orderType = orderType
  }
}

extension FinanceTerms: OfProduct {
  package var appMarks: [AppMark] { [.item(appleIdentifier)] }
}

/// One row of a financial report or its detail.
package struct FinanceRow: Sendable {
  package var line: Int32
  /// As printed: negative on returns.
  package var quantity: Int32
  /// `Extended Partner Share` as printed, in micro-units: quantity times share, signed.
  package var extended: Int64
  /// Code of the file's `FinanceTerms`.
  package var terms: Int32
  /// Of the detail: the day of the sale, which may lie before the fiscal month. Nil in the report.
  package var transactionDay: Day?
  /// Of the detail: the day of settlement, which lies in the fiscal month. Nil in the report.
  package var settlementDay: Day?

  package init(
    line: Int32, quantity: Int32, extended: Int64, terms: Int32, transactionDay: Day? = nil,
    settlementDay: Day? = nil
  ) {
    self.line = line
    self.quantity = quantity
    self.extended = extended
    self.terms = terms
    self.transactionDay = transactionDay
    self.settlementDay = settlementDay
  }
}

/// What a financial report says of itself below its rows: its own totals, to be checked against
/// them.
package enum FinanceFooter: Hashable, Sendable {
  /// `Total_Rows`.
  case rows(Int64)
  /// `Total_Amount`, micro-units; a currency where the footer names one.
  case amount(Int64, Currency?)
  /// `Total_Units`.
  case units(Int64)
  /// A line of the second table: one storefront's rows in one currency.
  case storefront(Storefront, Currency, quantity: Int64, extended: Int64)
}

/// A footer with its place.
package struct FinanceFooterLine: Hashable, Sendable {
  package var line: Int32
  package var footer: FinanceFooter
  package init(line: Int32, footer: FinanceFooter) {
    self.line = line
    self.footer = footer
  }
}

/// A row as settlement is tied out by it.
package struct FinanceEntry: Sendable {
  package var row: FinanceRow.ID
  /// Index into `SettlementFacts.terms`.
  package var terms: Int32
  package var quantity: Int64
  package var extended: Int64
  package var transactionDay: Day?
  package var settlementDay: Day?

  package init(
    row: FinanceRow.ID, terms: Int32, quantity: Int64, extended: Int64, transactionDay: Day?,
    settlementDay: Day?
  ) {
    self.row = row
    self.terms = terms
    self.quantity = quantity
    self.extended = extended
    self.transactionDay = transactionDay
    self.settlementDay = settlementDay
  }
}

/// A current financial report or detail.
package struct FinanceReport: Sendable {
  /// As given to `import`.
  package var file: String
  package var isDetail: Bool
  /// Empty when unknown.
  package var vendor: String
  /// Apple's code: `EU`, `US`, `WW`; `ZZ` where one file holds all regions, `Z1` for the detail.
  package var region: String
  /// The fiscal month, by the file's own dates.
  package var begin: Day
  package var end: Day
  package var rows: [FinanceEntry]
  package var footers: [FinanceFooterLine]
  /// Rows that could not be understood.
  package var rejected: Int

  package init(
    file: String, isDetail: Bool, vendor: String, region: String, begin: Day, end: Day,
    rows: [FinanceEntry], footers: [FinanceFooterLine], rejected: Int
  ) {
    self.file = file
    self.isDetail = isDetail
    self.vendor = vendor
    self.region = region
    self.begin = begin
    self.end = end
    self.rows = rows
    self.footers = footers
    self.rejected = rejected
  }

  /// The fiscal month that the report is of.
  package var month: FiscalMonth { FiscalMonth(containing: end) }
}

/// What Apple settled and paid in some fiscal months.
package struct SettlementFacts: Sendable {
  package var terms: [FinanceTerms] = []
  /// SKUs that stand in several apps; what is of one goes by the name of its product.
  package var shared = SharedSKUs.none
  package var reports: [FinanceReport] = []
  package var payments: [PaymentSummary] = []
  package var bank = BankFacts()
  /// Lines of invoices of commission, ascending by due day, number and app.
  package var invoices: [CommissionInvoice] = []

  package init() {}
  /// The same facts, with a region for lines of payments summaries that have none and whose label
  /// the company names.
  ///
  /// - Parameter regions: Apple's code of a region by label; case does not matter.
  package func naming(_ regions: [String: String]) -> SettlementFacts {
    guard !regions.isEmpty else { return self }
    let named = Dictionary(regions.map { ($0.lowercased(), $1) }) { first, _ in first }
    var facts = self
    for summary in facts.payments.indices {
      for line in facts.payments[summary].lines.indices
      where facts.payments[summary].lines[line].region.isEmpty {
        let label = facts.payments[summary].lines[line].label.lowercased()
        if let region = named[label] { facts.payments[summary].lines[line].region = region }
      }
    }
    return facts
  }
}
