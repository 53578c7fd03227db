import Billing
import Conclusions

/// An entry before it has values in base currency.
struct JournalDraft {
  /// How an entry's postings get their values.
  enum Rating {
    /// At the mean rate of the month.
    case average
    /// At the rate of the entry's day.
    case day
    /// At the rate of the day before the month.
    case dayBefore
    /// As what it takes off an account stood in the books.
    case cost(of: AccountRole)
  }

  let day: Day
  let narration: Wording
  let rating: Rating
  /// Which figure of the receivable it belongs to.
  let movement: WritableKeyPath<ReceivableMovement, Money>?
  /// In each currency they come to zero.
  let postings: [Posting]
  /// Where it is a payment.
  var collected: [SettledAmount] = []

  /// An entry before it has values in base currency.
  ///
  /// - Parameters:
  ///   - rating: by which rate its postings get values.
  ///   - movement: the figure of the receivable that it belongs to; nil for none.
  init(
    _ day: Day, _ narration: Wording, at rating: Rating,
    moving movement: WritableKeyPath<ReceivableMovement, Money>? = nil, _ postings: [Posting]
  ) {
    self.day = day
    self.narration = narration
    self.rating = rating
    self.movement = movement
    self.postings = postings
  }
}
