/// A region's line in Apple's payments summary; all amounts in micro-units of `currency` but
/// `proceeds`.
///
/// Owed = earned + balance + input tax + adjustments + withholding; a blank column is zero.
package struct PaymentLine: Hashable, Sendable {
  package var line: Int32
  /// Which of the summary's blocks it stands in, from 0.
  package var block: Int32
  /// Apple's code (`EU`, `LL`, `CN`); empty where the label is none that is known.
  package var region: String
  /// As printed, without the currency: `Country or Region` in the page's language.
  package var label: String
  package var currency: Currency
  package var units: Int64
  /// Carried over from months that were not paid; nil where there is no such column.
  package var balance: Int64?
  package var earned: Int64
  /// Nil where there is no such column.
  package var preTaxSubtotal: Int64?
  package var inputTax: Int64
  package var adjustments: Int64
  /// Negative where tax is withheld.
  package var withholding: Int64
  package var owed: Int64
  /// As printed, rounded by Apple to five places; micro-units. Nothing is computed from it.
  package var printedRate: Int64?
  /// Micro-units of `bankCurrency`; nil while it is not paid.
  package var proceeds: Int64?
  package var bankCurrency: Currency?

  package init(
    line: Int32, block: Int32, region: String, label: String, currency: Currency, units: Int64,
    balance: Int64?, earned: Int64, preTaxSubtotal: Int64?, inputTax: Int64, adjustments: Int64,
    withholding: Int64, owed: Int64, printedRate: Int64?, proceeds: Int64?, bankCurrency: Currency?
  ) {
    self.line = line
    self.block = block
    self.region = region
    self.label = label
    self.currency = currency
    self.units = units
    self.balance = balance
    self.earned = earned
    self.preTaxSubtotal = preTaxSubtotal
    self.inputTax = inputTax
    self.adjustments = adjustments
    self.withholding = withholding
    self.owed = owed
    self.printedRate = printedRate
    self.proceeds = proceeds
    self.bankCurrency = bankCurrency
  }
}

/// What stands below a block's lines: the money that reached, or will reach, the bank.
package struct Payout: Hashable, Sendable {
  package var line: Int32
  package var block: Int32
  /// Micro-units; nil where the block names none: below the payment threshold, or not yet known.
  package var amount: Int64?
  package var currency: Currency?
  /// As printed: `BANK-****1234`.
  package var account: String
  /// Nil where the file does not tell; the summary's CSV never does.
  package var day: Day?
  /// Whether Apple says that it was paid; a block with a payout line was.
  package var isPaid: Bool

  package init(
    line: Int32, block: Int32, amount: Int64?, currency: Currency?, account: String, day: Day?,
    isPaid: Bool
  ) {
    self.line = line
    self.block = block
    self.amount = amount
    self.currency = currency
    self.account = account
    self.day = day
    self.isPaid = isPaid
  }
}

/// Lines of one payments summary, and the payouts that stand below them.
package struct PaymentRows: Hashable, Sendable {
  package var lines: [PaymentLine]
  package var payouts: [Payout]

  package init(lines: [PaymentLine] = [], payouts: [Payout] = []) {
    self.lines = lines
    self.payouts = payouts
  }
}

/// Apple's payments summary of one fiscal month.
package struct PaymentSummary: Sendable {
  /// As given to `import`.
  package var file: String
  /// Empty when unknown.
  package var vendor: String
  package var month: FiscalMonth
  package var lines: [PaymentLine]
  /// One per block.
  package var payouts: [Payout]
  /// Rows that could not be understood.
  package var rejected: Int

  package init(
    file: String, vendor: String, month: FiscalMonth, lines: [PaymentLine], payouts: [Payout],
    rejected: Int
  ) {
    self.file = file
    self.vendor = vendor
    self.month = month
    self.lines = lines
    self.payouts = payouts
    self.rejected = rejected
  }
}
