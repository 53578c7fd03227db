package import Billing
package import Matching

/// The whole explanation of one thing in the ledger, for a person who holds its id.
package struct Explanation: Sendable {
  /// What an id may be.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case finding, order, transaction
    /// The transaction that a subscription's chain began with.
    case originalTransaction = "original_transaction"
    case user
    /// A product in a storefront on one of Apple's report days.
    case cell
    /// A coin on a business day.
    case coins
  }

  package var kind: Kind
  package var id: String
  /// What it is, in one sentence.
  package var headline: Wording
  package var finding: Finding?
  package var certainty: Certainty?
  package var cost: Cost?
  /// Both sides' units, of a cell and of findings about one.
  package var cell: CellFigures?
  /// What became of coins, of a user or on a day; empty where no movement is loaded.
  package var coins: [Wording] = []
  package var timeline: [TimelineEvent] = []
  /// Orders and transactions whose events are not told, because they are too many.
  package var untold = 0
  package var decisions: [MatchDecision] = []
  package var prices: [PriceCheck] = []
  package var attribution: AttributionSection?
  package var evidence: [FactRow] = []
  /// Rows of evidence beyond those shown.
  package var furtherEvidence = 0
  /// Other findings that touch the same rows.
  package var related: [Finding] = []
  package var furtherRelated = 0
  package var next: [Wording] = []
  package var notes: [Wording] = []

  init(_ kind: Kind, _ id: String, _ headline: Wording) {
    self.kind = kind
    self.id = id
    self.headline = headline
  }
}

/// What a finding costs.
package struct Cost: Hashable, Sendable {
  /// Apple's side less ours, or what is at stake.
  package var amount: Money? = nil
  /// The same in base currency; nil where no rate is loaded.
  package var base: Money? = nil
  /// Base currency for one of the amount's.
  package var rate: CurrencyRate? = nil
  /// Whether the amount is only at stake: nothing differs by it yet.
  package var isAtStake: Bool
  package var text: Wording
}

/// Something that happened, with its place and how it was read.
package struct TimelineEvent: Hashable, Sendable {
  package enum What: String, Hashable, Sendable, CaseIterable {
    case placed, paid, charged, told, logged, refused, fulfilled, refunded, reported, settled
  }

  /// A moment, or a day of Apple's.
  package enum When: Hashable, Sendable, CustomStringConvertible {
    case moment(Instant)
    case day(Day)
    case month(FiscalMonth)

    package var description: String {
      switch self {
      case .moment(let moment): "\(moment)"
      case .day(let day): "\(day)"
      case .month(let month): "\(month)"
      }
    }
  }

  package var what: What
  package var when: When
  package var text: Wording
  /// Nil where the ledger has nothing for it.
  package var source: Source?
  /// What the source is.
  package var kind: InputKind?
  package var factSource: FactSource?
  /// What events are sorted by, seconds since 1970: a moment, or the end of Apple's day or month,
  /// when its report may come; never before what caused it.
  package var order: Int64
  /// Of what the company logged, the place of the step among the steps of a purchase.
  package var step = 0
}

/// How the matcher decided about an order or a transaction.
package struct MatchDecision: Hashable, Sendable {
  /// An order or a transaction that was considered and refused.
  package struct Candidate: Hashable, Sendable {
    package var kind: Explanation.Kind
    package var id: String
    package var at: Instant
    package var source: Source
    package var why: Wording
  }

  package var order: String?
  package var transaction: String?
  /// Nil where the two sides did not come together.
  package var rule: MatchRule?
  package var text: Wording
  /// The likeliest first.
  package var refused: [Candidate] = []
  package var furtherRefused = 0
}

/// A price against its tier, and what Apple should pay for it.
package struct PriceCheck: Hashable, Sendable {
  package var storefront: Storefront
  package var currency: Currency
  package var sku: String
  package var day: Day
  /// Per unit, micro-units, as all amounts.
  package var price: Int64
  /// Whether a source told the price; else it is the tier's.
  package var isTold: Bool
  /// Nil where no table has the product's tier then.
  package var tier: TierPrice?
  package var tax: Int64
  package var commission: Int64
  package var proceeds: Int64
  /// Millionths of the price.
  package var deduction: Int64?
  /// As `tieout price` gives it.
  package var rule: Wording
  package var verdict: Wording
}

/// Both sides of a product in a storefront on one of Apple's days.
package struct CellFigures: Sendable {
  package var account: CellAccount
  /// How Apple's day was cut; nil where nothing was found out.
  package var boundary: ReportDayBoundary?
  /// What the day came to.
  package var text: [Wording]
}

/// What may be behind a difference, with ids.
package struct AttributionSection: Sendable {
  package struct Candidate: Hashable, Sendable {
    package var order: String?
    package var transaction: String?
    package var at: Instant
    package var units: Int64
    package var amount: Money?
    package var source: Source
    package var reasons: [Wording]
  }

  package var difference: Attribution.Difference
  package var candidates: [Candidate]
  package var furtherCandidates: Int
  /// Places in `candidates` of a set that accounts for the whole difference; empty where none does.
  package var combination: [Int]
  /// How many sets do; nil where they are too many to go through.
  package var combinationCount: Int?
  package var text: Wording
}
