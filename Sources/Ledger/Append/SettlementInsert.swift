import Billing
import GRDB

extension FinanceTerms: DictionaryEntry {
  static let table = "finance_terms"
  static let columns = [
    "storefront", "sku", "apple_identifier", "type", "title", "is_return", "share", "currency",
    "customer_price", "customer_currency", "promo_code", "order_type",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(storefront.code, at: 2)
    statement.bind(sku, at: 3)
    statement.bind(appleIdentifier, at: 4)
    statement.bind(type.code, at: 5)
    statement.bind(title, at: 6)
    statement.bind(isReturn, at: 7)
    statement.bind(share, at: 8)
    statement.bind(currency.code, at: 9)
    statement.bind(customerPrice, at: 10)
    statement.bind(customerCurrency?.code, at: 11)
    statement.bind(promoCode, at: 12)
    statement.bind(orderType, at: 13)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      storefront: row.storefront(1)!, sku: row.text(2), appleIdentifier: row.text(3),
      type: ProductType(row.text(4)), title: row.text(5), isReturn: row.int64(6) == 1,
      share: row.int64(7), currency: row.currency(8)!, customerPrice: row.int64(9),
      customerCurrency: row.currency(10), promoCode: row.text(11), orderType: row.text(12))
  }
}

extension FileAppender {
  func insert(_ footers: [FinanceFooterLine]) throws {
    if footers.isEmpty { return }
    let insert = try RawStatement(
      db,
      """
      INSERT INTO finance_footer (source_id, line, what, storefront, currency, count, amount)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    for footer in footers {
      insert.bind(sourceID, at: 1)
      insert.bind(footer.line, at: 2)
      footer.footer.bind(to: insert)
      try insert.run()
    }
  }

  func insert(_ rows: PaymentRows) throws -> Int {
    let insert = try RawStatement(
      db, "INSERT INTO payment_line VALUES (NULL\(String(repeating: ", ?", count: 17)))")
    for line in rows.lines {
      insert.bind(sourceID, at: 1)
      line.bind(to: insert)
      try insert.run()
    }
    let payout = try RawStatement(
      db, "INSERT INTO payout VALUES (NULL\(String(repeating: ", ?", count: 8)))")
    for row in rows.payouts {
      payout.bind(sourceID, at: 1)
      row.bind(to: payout)
      try payout.run()
    }
    return rows.lines.count
  }
}

extension FinanceFooter {
  fileprivate func bind(to statement: borrowing RawStatement) {
    let what: String
    var storefront: Storefront?
    var currency: Currency?
    var count: Int64?
    var amount: Int64?
    switch self {
    case .rows(let rows): (what, count) = ("rows", rows)
    case .units(let units): (what, count) = ("units", units)
    case .amount(let total, let named): (what, amount, currency) = ("amount", total, named)
    case .storefront(let place, let named, let quantity, let extended):
      (what, storefront, currency, count, amount) = (
        "storefront", place, named, quantity, extended
      )
    }
    statement.bind(what, at: 3)
    statement.bind(storefront?.code, at: 4)
    statement.bind(currency?.code, at: 5)
    statement.bind(count, at: 6)
    statement.bind(amount, at: 7)
  }

  /// Reads `what, storefront, currency, count, amount` from `column` on.
  init(reading row: borrowing RawStatement, from column: Int32) {
    let (count, amount) = (row.int64(column + 3), row.int64(column + 4))
    switch row.text(column) {
    case "rows": self = .rows(count)
    case "units": self = .units(count)
    case "amount": self = .amount(amount, row.currency(column + 2))
    default:
      self = .storefront(
        row.storefront(column + 1)!, row.currency(column + 2)!, quantity: count, extended: amount)
    }
  }
}

extension PaymentLine {
  /// The columns of `payment_line` after `id` and `source_id`.
  static let columns = """
    line, block, region, label, currency, units, balance, earned, pre_tax_subtotal, input_tax,
    adjustments, withholding, owed, printed_rate, proceeds, bank_currency
    """

  fileprivate func bind(to statement: borrowing RawStatement) {
    statement.bind(line, at: 2)
    statement.bind(block, at: 3)
    statement.bind(region, at: 4)
    statement.bind(label, at: 5)
    statement.bind(currency.code, at: 6)
    statement.bind(units, at: 7)
    statement.bind(balance, at: 8)
    statement.bind(earned, at: 9)
    statement.bind(preTaxSubtotal, at: 10)
    statement.bind(inputTax, at: 11)
    statement.bind(adjustments, at: 12)
    statement.bind(withholding, at: 13)
    statement.bind(owed, at: 14)
    statement.bind(printedRate, at: 15)
    statement.bind(proceeds, at: 16)
    statement.bind(bankCurrency?.code, at: 17)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      line: row.int32(0), block: row.int32(1), region: row.text(2), label: row.text(3),
      currency: row.currency(4)!, units: row.int64(5), balance: row.optionalInt64(6),
      earned: row.int64(7), preTaxSubtotal: row.optionalInt64(8), inputTax: row.int64(9),
      adjustments: row.int64(10), withholding: row.int64(11), owed: row.int64(12),
      printedRate: row.optionalInt64(13), proceeds: row.optionalInt64(14),
      bankCurrency: row.currency(15))
  }
}

extension Payout {
  /// The columns of `payout` after `id` and `source_id`.
  static let columns = "line, block, amount, currency, account, day, is_paid"

  fileprivate func bind(to statement: borrowing RawStatement) {
    statement.bind(line, at: 2)
    statement.bind(block, at: 3)
    statement.bind(amount, at: 4)
    statement.bind(currency?.code, at: 5)
    statement.bind(account, at: 6)
    statement.bind(day, at: 7)
    statement.bind(isPaid, at: 8)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      line: row.int32(0), block: row.int32(1), amount: row.optionalInt64(2),
      currency: row.currency(3), account: row.text(4), day: row.optionalDay(5),
      isPaid: row.int64(6) == 1)
  }
}
