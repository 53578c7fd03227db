import Billing

extension FinanceTerms: TableValue {
  static let tableName = "finance_terms"
  static let blank = FinanceTerms(
    storefront: .blank, sku: "", type: ProductType(""), isReturn: false, share: 0, currency: .blank,
    customerPrice: 0, customerCurrency: nil)

  mutating func values(_ column: inout some ValueVisitor) {
    column("storefront", &storefront)
    column("sku", &sku)
    column("apple_identifier", &appleIdentifier)
    column("type", &type)
    column("title", &title)
    column("is_return", &isReturn)
    column("share", &share)
    column("currency", &currency)
    column("customer_price", &customerPrice)
    column("customer_currency", &customerCurrency)
    column("promo_code", &promoCode)
    column("order_type", &orderType)
  }
}

extension FinanceRow: BlockRow {
  static let tableName = "finance_row"
  static let blank = FinanceRow(line: 0, quantity: 0, extended: 0, terms: 0)

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("quantity", &quantity)
    column("extended", &extended)
    column("transaction_day", &transactionDay)
    column("settlement_day", &settlementDay)
    column("line", &line)
  }
}

/// A footer as its columns; which of them say something depends on what it is about.
private struct FooterColumns {
  var what = ""
  var storefront: Storefront?
  var currency: Currency?
  var count: Int64?
  var amount: Int64?

  /// Takes a footer apart into the columns that say something of it.
  init(_ footer: FinanceFooter) {
    switch footer {
    case .rows(let rows): (what, count) = ("rows", rows)
    case .units(let units): (what, count) = ("units", units)
    case .amount(let total, let named): (what, amount, currency) = ("amount", total, named)
    case .storefront(let place, let named, let quantity, let extended):
      (what, storefront, currency, count, amount) = (
        "storefront", place, named, quantity, extended
      )
    }
  }

  /// The footer that the columns make.
  var footer: FinanceFooter {
    switch what {
    case "rows": .rows(count!)
    case "units": .units(count!)
    case "amount": .amount(amount!, currency)
    default: .storefront(storefront!, currency!, quantity: count!, extended: amount!)
    }
  }
}

extension FinanceFooterLine: TableValue {
  static let tableName = "finance_footer"
  static let blank = FinanceFooterLine(line: 0, footer: .rows(0))

  mutating func values(_ column: inout some ValueVisitor) {
    var columns = FooterColumns(footer)
    column("line", &line)
    column("what", &columns.what)
    column("storefront", &columns.storefront)
    column("currency", &columns.currency)
    column("count", &columns.count)
    column("amount", &columns.amount)
    footer = columns.footer
  }
}

extension PaymentLine: TableValue {
  static let tableName = "payment_line"
  static let blank = PaymentLine(
    line: 0, block: 0, region: "", label: "", currency: .blank, units: 0, balance: nil, earned: 0,
    preTaxSubtotal: nil, inputTax: 0, adjustments: 0, withholding: 0, owed: 0, printedRate: nil,
    proceeds: nil, bankCurrency: nil)

  mutating func values(_ column: inout some ValueVisitor) {
    column("line", &line)
    column("block", &block)
    column("region", &region)
    column("label", &label)
    column("currency", &currency)
    column("units", &units)
    column("balance", &balance)
    column("earned", &earned)
    column("pre_tax_subtotal", &preTaxSubtotal)
    column("input_tax", &inputTax)
    column("adjustments", &adjustments)
    column("withholding", &withholding)
    column("owed", &owed)
    column("printed_rate", &printedRate)
    column("proceeds", &proceeds)
    column("bank_currency", &bankCurrency)
  }
}

extension Payout: TableValue {
  static let tableName = "payout"
  static let blank = Payout(
    line: 0, block: 0, amount: nil, currency: nil, account: "", day: nil, isPaid: false)

  mutating func values(_ column: inout some ValueVisitor) {
    column("line", &line)
    column("block", &block)
    column("amount", &amount)
    column("currency", &currency)
    column("account", &account)
    column("day", &day)
    column("is_paid", &isPaid)
  }
}
