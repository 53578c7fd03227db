package import Billing

/// What a month's opening receivable rests on.
package enum OpeningBasis: String, Hashable, Sendable {
  /// What the close of the month before ended with.
  case close
  /// `opening_receivable`.
  case configuration
  /// Earlier months that are loaded and not closed.
  case loaded
  /// The same, of which something is not loaded, or only estimated.
  case loadedInPart = "loaded-in-part"
  /// Nothing says what was owed.
  case assumedZero = "assumed-zero"
  /// An earlier month has to be closed first: the balance is only what the month brings.
  case monthOnly = "month-only"

  /// What a reader of the balance must know; nil where it is taken from a close or stated.
  package var assumption: Wording? {
    switch self {
    case .close, .configuration, .monthOnly: nil
    case .loaded: "@payment.opening-balance-computed-from-earlier"
    case .loadedInPart:
      "@payment.opening-balance-computed"
    case .assumedZero:
      "@payment.opening-balance-taken-as-zero-no"
    }
  }
}
