/// How long ago coins were granted that are not spent yet.
package enum CoinAge: Int, Hashable, Sendable, CaseIterable {
  /// The ages in days: 0 to 30, 31 to 90, 91 to 180, 181 to 365, and more.
  case month, quarter, halfYear, year, older

  /// The first and the last day of the age, counted from the grant, both included; `to` is nil
  /// where the age has no end.
  package var days: (from: Int, to: Int?) {
    switch self {
    case .month: (0, 30)
    case .quarter: (31, 90)
    case .halfYear: (91, 180)
    case .year: (181, 365)
    case .older: (366, nil)
    }
  }

  /// The age's days, for column names and scripts: `0-30`, for the oldest `366+`.
  package var name: String {
    let (from, to) = days
    return to.map { "\(from)-\($0)" } ?? "\(from)+"
  }

  /// The age of coins that were granted so many days ago.
  package init(days: Int) { self = Self.allCases.first { days <= $0.days.to ?? .max }! }
}
