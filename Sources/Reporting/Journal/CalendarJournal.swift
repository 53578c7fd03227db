import Billing
import Conclusions

/// What Apple reports of a month: revenue, what is taken off it, and what Apple owes for it.
struct CalendarJournal {
  private let reconciliation: Reconciliation
  private let revenue: Settings.Revenue
  private let revenueRate: Settings.RevenueRate

  /// Takes from the settings what revenue is in the books, and at which rate it counts.
  init(_ reconciliation: Reconciliation, _ settings: Settings) {
    self.reconciliation = reconciliation
    revenue = settings.revenue
    revenueRate = settings.revenueRate
  }

  /// The entries of the month before they have values: sales, deferrals, coins, changes of closed
  /// months.
  var drafts: [JournalDraft] {
    sales
      + deferrals(reconciliation.deferral, .deferred, as: Self.deferred) { .revenue($0) }
      + deferrals(
        reconciliation.deferredCommission, .deferredCommission, as: Self.deferredCommission
      ) { _ in .commission }
      + CoinJournal(reconciliation).drafts + prior
  }

  /// The last day of the period.
  private var day: Day { reconciliation.period.last }

  // MARK: - Sales

  /// The entries of sales and refunds, one per storefront and currency of customers: of the month,
  /// or of each day.
  private var sales: [JournalDraft] {
    switch revenueRate {
    case .month: sales(reconciliation.products, on: day, at: .average)
    case .day:
      Dictionary(grouping: reconciliation.dayProceeds, by: \.day).sorted { $0.key < $1.key }
        .flatMap { sales($0.value.map(\.proceeds), on: $0.key, at: .day) }
    }
  }

  /// Entries of these products' sales and refunds, one per storefront and currency of customers.
  private func sales(
    _ products: [ProductProceeds], on day: Day, at rating: JournalDraft.Rating
  ) -> [JournalDraft] {
    struct Key: Hashable, Comparable {
      var storefront: Storefront
      var currency: Currency
      static func < (left: Self, right: Self) -> Bool {
        (left.storefront, left.currency) < (right.storefront, right.currency)
      }
    }
    let groups = Dictionary(grouping: products) {
      Key(storefront: $0.storefront, currency: $0.currency)
    }
    return groups.sorted { $0.key < $1.key }.map { key, products in
      JournalDraft(
        day,
        """
        @journal.apple-sales-and-refunds \(key.storefront) \(reconciliation.period) \
        \(key.currency)
        """, at: rating, moving: \.proceeds, products.flatMap(postings))
    }
  }

  /// The postings of a product's sales and refunds, by what revenue is in the books.
  private func postings(_ product: ProductProceeds) -> [Posting] {
    let net = product.net
    let receivable = Posting(.receivable, debit: net.proceeds)
    switch revenue {
    case .agent:
      return [
        Posting(.revenue(product.kind), credit: product.sold.proceeds),
        Posting(.refunds, credit: product.refunded.proceeds), receivable,
      ]
    case .principal:
      return [
        Posting(.revenue(product.kind), credit: product.sold.gross - product.sold.tax),
        Posting(.refunds, credit: product.refunded.gross - product.refunded.tax),
        Posting(.commission, debit: net.commission), receivable,
      ] + expectedAgainstActual(product)
    case .grossOfTax:
      return [
        Posting(.revenue(product.kind), credit: product.sold.gross),
        Posting(.refunds, credit: product.refunded.gross),
        Posting(.tax, debit: net.tax), Posting(.commission, debit: net.commission), receivable,
      ] + expectedAgainstActual(product)
    }
  }

  /// The postings of the difference between the proceeds by the rule and those that Apple pays;
  /// where these are of two currencies, of the exchange.
  private func expectedAgainstActual(_ product: ProductProceeds) -> [Posting] {
    if let difference = product.proceedsDifference {
      return [Posting(.proceedsDifference, credit: difference)]
    }
    return [
      Posting(.realisedExchange, debit: product.net.expectedProceeds),
      Posting(.realisedExchange, credit: product.net.proceeds),
    ]
  }

  // MARK: - What is delivered later

  /// What the entries of a deferral are called.
  private struct DeferralWords {
    var opening: Wording
    var changed: Wording
    var added: Wording
    var recognised: Wording
    var released: Wording
  }

  private static let deferred = DeferralWords(
    opening: "@journal.subscriptions-sold-before-the-first",
    changed: "@journal.changes-in-deferred-subscriptions-sold",
    added: "@journal.subscriptions-sold-deferred",
    recognised: "@journal.subscription-revenue-recognised",
    released: "@journal.subscriptions-refunded-before-recognition")

  private static let deferredCommission = DeferralWords(
    opening: "@journal.commission-on-subscriptions-sold-before",
    changed: "@journal.changes-in-commission-on-subscriptions",
    added: "@journal.commission-on-subscriptions-sold-deferred",
    recognised: "@journal.commission-on-subscriptions-recognised",
    released: "@journal.commission-on-subscriptions-refunded-before")

  /// The entries of what is deferred, by currency. What is sold and not yet delivered leaves
  /// revenue, what is delivered comes back to it; the commission likewise. What was deferred at the
  /// month's beginning is made what it is known to be now.
  ///
  /// - Parameters:
  ///   - account: a liability for revenue, an asset for commission.
  ///   - source: the account that amounts leave when they are deferred, by the kind of product.
  private func deferrals(
    _ all: [DeferralLine], _ account: AccountRole, as words: DeferralWords,
    from source: (RevenueKind) -> AccountRole
  ) -> [JournalDraft] {
    let sign: Int64 = account == .deferred ? 1 : -1
    let groups = Dictionary(grouping: all, by: \.currency)
    var booked: [Currency: Int64] = [:]
    for balance in reconciliation.books?.opening ?? [] where balance.account == account {
      booked[balance.amount.currency, default: 0] -= sign * balance.amount.micros
    }
    return Set(groups.keys).union(booked.keys).sorted().flatMap { currency in
      let lines = groups[currency] ?? []
      /// An entry that moves an amount of each of the currency's lines from the account of its kind
      /// of product (`source`) to the deferral's; back where the amount is below zero.
      func entry(
        _ words: Wording, _ rating: JournalDraft.Rating, _ amount: (DeferralLine) -> Money
      ) -> JournalDraft {
        JournalDraft(
          day, "@journal.apple \(reconciliation.period) \(words) \(currency)", at: rating,
          lines.flatMap { line in
            let micros = sign * amount(line).micros
            return [
              Posting(source(line.kind), debit: micros, currency),
              Posting(account, credit: micros, currency),
            ]
          })
      }
      let cost = JournalDraft.Rating.cost(of: account)
      var drafts = [
        entry(words.added, .average, \.added), entry(words.recognised, cost) { -$0.recognised },
        entry(words.released, cost) { -$0.released },
      ]
      if let books = reconciliation.books {
        let change =
          sign * (lines.sum(in: currency, \.start).micros - (booked[currency] ?? 0))
        let other = books.isFirst ? AccountRole.opening : .priorPeriod
        let text = books.isFirst ? words.opening : words.changed
        drafts.insert(
          JournalDraft(
            reconciliation.period.first,
            "@journal.apple \(reconciliation.period) \(text) \(currency)",
            at: .dayBefore,
            [Posting(other, debit: change, currency), Posting(account, credit: change, currency)]),
          at: 0)
      }
      return drafts
    }
  }

  // MARK: - Changes of closed months

  /// The entries of changes of closed months, one per month and storefront.
  private var prior: [JournalDraft] {
    struct Key: Hashable {
      var period: String
      var storefront: String
    }
    let groups = Dictionary(grouping: reconciliation.booked.filter { $0.storefront != "ALL" }) {
      Key(period: $0.period, storefront: $0.storefront)
    }
    let keys = groups.keys.sorted { ($0.period, $0.storefront) < ($1.period, $1.storefront) }
    return keys.map { key in
      JournalDraft(
        day,
        """
        @journal.apple-changes-of-closed-before \(reconciliation.period) \(key.period) \
        \(key.storefront)
        """, at: .average, moving: \.proceeds, (groups[key] ?? []).flatMap(postings))
    }
  }

  /// The postings of a change of a closed month, by its cause; none where it changes no account.
  private func postings(_ change: BookedChange) -> [Posting] {
    let amount = change.amount
    if change.cause == .reportedProceeds {
      let receivable = Posting(.receivable, debit: amount)
      return revenue == .agent
        ? [Posting(.priorPeriod, credit: amount), receivable] : [receivable]
    }
    if revenue == .agent { return [] }
    switch change.cause {
    case .reportedGross: return [Posting(.priorPeriod, credit: amount)]
    case .tax:
      return [Posting(revenue == .principal ? .priorPeriod : .tax, credit: amount)]
    case .commission: return [Posting(.commission, credit: amount)]
    case .proceedsDifference: return [Posting(.proceedsDifference, credit: amount)]
    case .exchange: return [Posting(.realisedExchange, credit: amount)]
    default: return []
    }
  }
}
