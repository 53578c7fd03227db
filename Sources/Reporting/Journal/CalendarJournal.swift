import Billing
import Matching

/// What Apple reports of a month: revenue, what is taken off it, and what Apple owes for it.
struct CalendarJournal {
  let reconciliation: Reconciliation
  let revenue: Settings.Revenue

  init(_ reconciliation: Reconciliation, _ revenue: Settings.Revenue) {
    self.reconciliation = reconciliation
    self.revenue = revenue
  }

  var entries: [JournalEntry] { sales + deferrals + prior }

  private var day: Day { reconciliation.period.last }

  /// One entry per storefront and currency of customers.
  private var sales: [JournalEntry] {
    struct Key: Hashable, Comparable {
      var storefront: Storefront
      var currency: Currency
      static func < (left: Self, right: Self) -> Bool {
        (left.storefront, left.currency) < (right.storefront, right.currency)
      }
    }
    let groups = Dictionary(grouping: reconciliation.products) {
      Key(storefront: $0.storefront, currency: $0.currency)
    }
    return groups.sorted { $0.key < $1.key }.map { key, products in
      JournalEntry(
        day: day,
        narration: """
          Apple \(key.storefront) \(reconciliation.period): sales and refunds in \(key.currency)
          """,
        products.flatMap(revenue == .gross ? grossPostings : netPostings))
    }
  }

  private func grossPostings(_ product: ProductProceeds) -> [Posting] {
    let net = product.net
    return [
      Posting(.revenue(product.kind), credit: product.sold.gross),
      Posting(.refunds, credit: product.refunded.gross),
      Posting(.tax, debit: net.tax), Posting(.commission, debit: net.commission),
      Posting(.receivable, debit: net.proceeds),
    ] + expectedAgainstActual(product)
  }

  /// What the rule gives and what Apple pays differ, or are of two currencies.
  private func expectedAgainstActual(_ product: ProductProceeds) -> [Posting] {
    if let difference = product.proceedsDifference {
      return [Posting(.proceedsDifference, credit: difference)]
    }
    return [
      Posting(.conversion, debit: product.net.expectedProceeds),
      Posting(.conversion, credit: product.net.proceeds),
    ]
  }

  private func netPostings(_ product: ProductProceeds) -> [Posting] {
    [
      Posting(.revenue(product.kind), credit: product.sold.proceeds),
      Posting(.refunds, credit: product.refunded.proceeds),
      Posting(.receivable, debit: product.net.proceeds),
    ]
  }

  /// What is sold and not yet delivered leaves revenue, what is delivered comes back to it.
  private var deferrals: [JournalEntry] {
    let groups = Dictionary(grouping: reconciliation.deferral, by: \.currency)
    return groups.sorted { $0.key < $1.key }.flatMap { currency, lines in
      func entry(_ words: Wording, _ amount: (DeferralLine) -> Money) -> JournalEntry {
        JournalEntry(
          day: day, narration: "Apple \(reconciliation.period): \(words) in \(currency)",
          lines.flatMap { line in
            [
              Posting(.revenue(line.kind), debit: amount(line)),
              Posting(.deferred, credit: amount(line)),
            ]
          })
      }
      return [
        entry("subscriptions sold, to be delivered", \.added),
        entry("subscriptions delivered") { -$0.recognised },
        entry("subscriptions refunded before they were delivered") { -$0.released },
      ]
    }
  }

  /// Changes of closed months, one entry per month and storefront.
  private var prior: [JournalEntry] {
    priorEntries(reconciliation, booked: "Apple \(reconciliation.period)") { change in
      let amount = change.amount
      switch (change.cause, revenue) {
      case (.reportedGross, .gross): return [Posting(.priorPeriod, credit: amount)]
      case (.tax, .gross): return [Posting(.tax, credit: amount)]
      case (.commission, .gross): return [Posting(.commission, credit: amount)]
      case (.proceedsDifference, .gross): return [Posting(.proceedsDifference, credit: amount)]
      case (.exchange, .gross): return [Posting(.conversion, credit: amount)]
      case (.reportedProceeds, .gross): return [Posting(.receivable, debit: amount)]
      case (.reportedProceeds, .net):
        return [
          Posting(.priorPeriod, credit: amount),
          Posting(.receivable, debit: amount),
        ]
      default: return []
      }
    }
  }
}

/// Entries for what changed in closed periods, in the order of period and storefront.
///
/// - Parameter booked: where the entries stand, as the narration says it.
func priorEntries(
  _ reconciliation: Reconciliation, booked: Wording, _ postings: (BookedChange) -> [Posting]
) -> [JournalEntry] {
  struct Key: Hashable {
    var period: String
    var storefront: String
  }
  let groups = Dictionary(grouping: reconciliation.booked.filter { $0.storefront != "ALL" }) {
    Key(period: $0.period, storefront: $0.storefront)
  }
  let keys = groups.keys.sorted { ($0.period, $0.storefront) < ($1.period, $1.storefront) }
  return keys.map { key in
    JournalEntry(
      day: reconciliation.period.last,
      narration: "\(booked): changes of \(key.period), closed before, in \(key.storefront)",
      (groups[key] ?? []).flatMap(postings))
  }
}
