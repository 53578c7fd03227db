import Billing

/// The currencies of the storefronts that have had more than one. Where a change is not dated, the
/// spans of both currencies cover the time in question.
struct CurrencyHistory: Sendable {
  private let spans: [Storefront: [Span]]

  private struct Span {
    let currency: Currency
    let days: DayRange
  }

  /// Reads the bytes of `currencies.csv`.
  init(bytes: some Collection<UInt8>) {
    let table = FactTable(
      "currencies.csv", columns: ["storefront", "currency", "from", "to", "evidence"], bytes: bytes)
    spans = Dictionary(grouping: table.rows) { $0.storefront(0) }
      .mapValues { $0.map { Span(currency: $0.currency(1), days: $0.days(2)) } }
  }

  /// Days on which a span begins or has just ended.
  var changeDays: [Day] {
    spans.values.joined().flatMap(\.days.eves).map { Day(number: $0 + 1) }
  }

  /// The currency of a storefront on `day`, the first of the table where several hold; nil where
  /// none does.
  func currency(of storefront: Storefront, on day: Day) -> Currency? {
    spans[storefront]?.first { $0.days.contains(day) }?.currency
  }

  /// Whether a currency may have been a storefront's on `day`; nil where the storefront has had one
  /// currency only.
  func accepts(_ currency: Currency, storefront: Storefront, on day: Day) -> Bool? {
    spans[storefront]?.contains { $0.currency == currency && $0.days.contains(day) }
  }
}
