package import Billing

/// One amount of a fiscal month that changes what Apple owes, or that came with a payment.
package struct SettledAmount: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case settlementDifference = "settlement-difference"
    case paymentDifference = "payment-difference"
    case adjustment
    case inputTax = "input-tax"
    case withholding
    /// What a payment was owed for, with what the bank got for it.
    case collected
    /// A payout less the proceeds of its regions, which moves no receivable.
    case payoutDifference = "payout-difference"
    /// The part of a payment's or a payout's difference that a person accepted as set off against
    /// invoices of commission, which moves no receivable; positive.
    case offset
  }

  /// What the same thing is recognised by when it is told again.
  package struct Key: Hashable, Sendable {
    package var month: FiscalMonth
    package var kind: Kind
    /// Apple's region; of a settlement difference the storefront, of a payout difference the
    /// account.
    package var place: String
    package var currency: Currency
    package var bankCurrency: Currency?
  }

  package var key: Key
  /// Of `key.currency`, as it adds to the receivable; what is collected is positive too.
  package var micros: Int64
  /// Of `key.bankCurrency`; 0 where there is none.
  package var received: Int64
  /// The payout's, where one is told; of an offset the invoices.
  package var account: String
  /// When it happened: the day of the payment, else the fiscal month's last.
  package var day: Day
  package var isDayEstimated: Bool
  /// Where it stands in the journal: the same day, or the nearest of the month that books it.
  package private(set) var bookedOn: Day

  package init(
    _ kind: Kind, of month: FiscalMonth, in place: String, _ amount: Money,
    received: Money? = nil, account: String = "", on day: Day, isDayEstimated: Bool = false
  ) {
    key = Key(
      month: month, kind: kind, place: place, currency: amount.currency,
      bankCurrency: received?.currency)
    micros = amount.micros
    self.received = received?.micros ?? 0
    self.account = account
    self.day = day
    self.isDayEstimated = isDayEstimated
    bookedOn = day
  }

  package var amount: Money { Money(micros: micros, key.currency) }

  /// Whether there is nothing to book.
  private var isZero: Bool { micros == 0 && received == 0 }

  /// What is to be booked so that what was booked becomes what is known now, on days of `period`;
  /// in the order of day, fiscal month, account, kind and place.
  package static func changes(
    from booked: [SettledAmount], to now: [SettledAmount], in period: Period
  ) -> [SettledAmount] {
    var sums: [Key: SettledAmount] = [:]
    /// Adds an amount with a sign to the sum of its key.
    func add(_ amount: SettledAmount, _ sign: Int64) {
      guard var sum = sums[amount.key] else {
        sums[amount.key] = amount
        sums[amount.key]!.micros *= sign
        sums[amount.key]!.received *= sign
        return
      }
      sum.micros += sign * amount.micros
      sum.received += sign * amount.received
      sums[amount.key] = sum
    }
    // Those of now first: their account and day stand.
    for amount in now { add(amount, 1) }
    for amount in booked { add(amount, -1) }
    return sums.values.filter { !$0.isZero }.map { amount in
      var amount = amount
      amount.bookedOn = min(max(amount.day, period.first), period.last)
      return amount
    }.sorted()
  }
}

extension SettledAmount: Comparable {
  /// The place of its kind in the order of kinds.
  private var rank: Int { Kind.allCases.firstIndex(of: key.kind) ?? 0 }

  package static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.key, right.key)
    if left.bookedOn != right.bookedOn { return left.bookedOn < right.bookedOn }
    if a.month != b.month { return a.month < b.month }
    if left.account != right.account { return left.account < right.account }
    if left.rank != right.rank { return left.rank < right.rank }
    return (a.place, a.currency, a.bankCurrency?.code ?? "")
      < (b.place, b.currency, b.bankCurrency?.code ?? "")
  }
}

// MARK: - What Apple's payments summaries tell

extension PaymentSummary {
  /// The day of a block's payment, and whether it is only the usual one; nil where the block is not
  /// paid by the end of `day`: without a payout line, with one that Apple does not call paid, or
  /// with a later day.
  ///
  /// - Parameter told: days of payment that the company says, where the file does not.
  package func payment(
    ofBlock block: Int32, by day: Day, told: [FiscalMonth: Day]
  ) -> (payout: Payout, day: Day, isEstimated: Bool)? {
    guard let payout = payouts.first(where: { $0.block == block }), payout.isPaid,
      payout.amount != nil
    else { return nil }
    let paid = payout.day ?? told[month] ?? month.paymentDay
    return paid <= day ? (payout, paid, payout.day == nil && told[month] == nil) : nil
  }

  /// The deductions and payments that the summary tells until the end of `day`.
  ///
  /// - Parameter told: days of payment that the company says, where the file does not.
  package func settledAmounts(
    through day: Day, told: [FiscalMonth: Day]
  ) -> [SettledAmount] {
    var amounts: [SettledAmount] = []
    for line in lines {
      let payment = payment(ofBlock: line.block, by: day, told: told)
      let place = line.region.isEmpty ? line.label : line.region
      let (account, booked) = (payment?.payout.account ?? "", payment?.day ?? month.last)
      /// Adds an amount of the line, in micro-units of its currency.
      func add(_ kind: SettledAmount.Kind, _ micros: Int64, received: Money? = nil) {
        let amount = SettledAmount(
          kind, of: month, in: place, Money(micros: micros, line.currency), received: received,
          account: account, on: booked, isDayEstimated: payment?.isEstimated ?? false)
        amounts.append(amount)
      }
      add(.adjustment, line.adjustments)
      add(.inputTax, line.inputTax)
      add(.withholding, line.withholding)
      guard payment != nil, let proceeds = line.proceeds, let bank = line.bankCurrency else {
        continue
      }
      add(.collected, line.owed, received: Money(micros: proceeds, bank))
    }
    for payout in payouts {
      guard let payment = payment(ofBlock: payout.block, by: day, told: told),
        let amount = payout.amount,
        let currency = payout.currency
      else { continue }
      let regions = lines.filter { $0.block == payout.block && $0.bankCurrency == currency }
        .reduce(Int64(0)) { $0 + ($1.proceeds ?? 0) }
      amounts.append(
        SettledAmount(
          .payoutDifference, of: month, in: payout.account,
          Money(micros: amount - regions, currency), account: payout.account, on: payment.day,
          isDayEstimated: payment.isEstimated))
    }
    return amounts
  }
}
