import Billing
import Conclusions

/// Holds what payments lack against open invoices of commission on external purchases.
///
/// Apple may set unpaid invoices off against proceeds of any region, and no document of a payment
/// says so: an equal amount and a fitting day make it likely, and no more.
struct InvoiceOffsets {
  /// Lines of one invoice together.
  struct Open: Hashable {
    var key: CommissionInvoice.Key
    var last: Day
    var due: Day
    var total: Money
  }

  /// What one of the payment's documents has less than it should.
  struct Shortfall {
    var amount: Money
    /// Of the payment.
    var day: Day
    var words: Wording
    var region: Storefront?
    var source: Source?
    /// Where the difference is booked: the region of a line, else the account of a payout.
    var place = ""
    /// The day on which it is.
    var bookedOn: Day?
    /// Nil where it is the line of the payments summary that `source` names.
    var citation: Citation?
  }

  static let isUntold: Wording = "@payment.no-document-says-what"

  private var open: [Open]
  private let rates: RateBook
  private let tolerance: Int64

  /// Puts the lines of each invoice together, those that are due first in front.
  ///
  /// - Parameter tolerance: millionths by which an exchanged amount may differ.
  init(_ invoices: [CommissionInvoice], rates: RateBook, tolerance: Int64) {
    var sums: [Open] = []
    var places: [CommissionInvoice.Key: Int] = [:]
    for line in invoices {
      if let place = places[line.key] {
        sums[place].total.micros += line.total
        sums[place].due = min(sums[place].due, line.due)
      } else {
        places[line.key] = sums.count
        sums.append(
          Open(
            key: line.key, last: line.last, due: line.due,
            total: Money(micros: line.total, line.currency)))
      }
    }
    open = sums.sorted { ($0.due, $0.key) < ($1.due, $1.key) }
    self.rates = rates
    self.tolerance = tolerance
  }

  /// Finds the invoices that come to a shortfall, one alone or else the oldest ones together, and
  /// takes them off the open ones. Empty where none do.
  mutating func take(_ shortfall: Shortfall) -> [Open] {
    let billed = open.indices.filter { open[$0].last < shortfall.day }
    if let one = billed.first(where: { comes(to: shortfall, [open[$0]]) }) {
      return [open.remove(at: one)]
    }
    for count in billed.indices.dropFirst(2) + (billed.count >= 2 ? [billed.count] : []) {
      let oldest = billed.prefix(count).map { open[$0] }
      guard comes(to: shortfall, oldest) else { continue }
      open.removeAll { oldest.contains($0) }
      return oldest
    }
    return []
  }

  /// Whether invoices together are a shortfall: to the cent in its currency, else within the
  /// tolerance at the rates of its day.
  private func comes(to shortfall: Shortfall, _ invoices: [Open]) -> Bool {
    let currency = shortfall.amount.currency
    if invoices.allSatisfy({ $0.total.currency == currency }) {
      return invoices.sum(in: currency, \.total) == shortfall.amount
    }
    var sum: Int64 = 0
    for invoice in invoices {
      guard let dated = rates.dated(from: invoice.total.currency, to: currency, on: shortfall.day)
      else { return false }
      sum += dated.rate.value.micros(of: invoice.total.micros)
    }
    let allowed = roundedHalfUp(
      Int128(sum.magnitude) * Int128(tolerance), dividedBy: 1_000_000, toMultipleOf: 1)
    return (sum - shortfall.amount.micros).magnitude <= (allowed + currency.minorUnit).magnitude
  }
}

/// An amount with its currency, `1230.00 CNY`.
private func spelled(_ money: Money) -> String { "\(money.text) \(money.currency)" }

extension PaymentTieOut {
  /// Adds a finding for each shortfall that open invoices come to. It has no amount: what is
  /// missing is told, and booked, as a difference of the payment until a person knows better.
  mutating func addOffsets(
    _ invoices: [CommissionInvoice], _ shortfalls: [InvoiceOffsets.Shortfall]
  ) {
    var book = InvoiceOffsets(invoices, rates: rates, tolerance: context.settings.fxTolerance)
    for shortfall in shortfalls {
      let found = book.take(shortfall)
      guard !found.isEmpty else { continue }
      let names = found.map { invoice -> Wording in
        """
        @payment.invoice-of-due \(invoice.key.number) \(spoken(invoice.total)) \(invoice.due)
        """
      }.joined(separator: ", ")
      var finding = UnresolvedFinding(
        .offset, storefront: shortfall.region, currency: shortfall.amount.currency,
        day: month.last,
        explanation: "@offset.it-is-likely-that-apple \(shortfall.words) \(names)")
      finding.places = [shortfall.source].compactMap(\.self)
      finding.citation =
        shortfall.citation
        ?? Citation(.paymentsSummary, places: finding.places, estimate: InvoiceOffsets.isUntold)
      let offset = InvoiceOffset(
        place: shortfall.place, amount: shortfall.amount, day: shortfall.bookedOn ?? month.last,
        invoices: found.map(\.key),
        documents: [spelled(shortfall.amount)]
          + found.map { "\($0.key.number) \(spelled($0.total))" })
      finding.documents = offset.documents
      add(offset, finding)
    }
  }
}
