package import Billing

/// Sums of a file in one currency.
package struct ReadingTotal: Hashable, Sendable {
  /// Nil for rows that name no currency.
  package var currency: Currency?
  /// Apple's reports: units as printed. Orders and transactions: quantities of rows that have a
  /// price.
  package var units: Int64
  /// Customer prices times units, refunds negative; micro-units. Payments: what Apple owes.
  package var gross: Int64
  /// Apple's reports: what the developer gets, refunds negative; micro-units. Payments: what it
  /// paid, in the bank's currency.
  package var proceeds: Int64
  /// Of the units, those that cost nothing.
  package var free: Int64 = 0
}

/// How many of a file's records, or of what they hold, are of one sort: `transactions`, `receipts
/// with status 21007: a Sandbox receipt`.
package struct Tally: Hashable, Sendable {
  /// As several are called.
  package var what: Wording
  /// As one is called; nil where it is called the same.
  package var one: Wording?
  package var count: Int
}

/// What a reader's rows add up to.
struct RowSummary {
  var begin: Day?
  var end: Day?
  var totals: [ReadingTotal] = []
  var tallies: [Tally] = []
  /// Of orders and transactions.
  var rowsWithoutStorefront = 0
  /// The period of counted purchases that the rows are of; empty for none.
  var countedPeriod = ""
  /// What tells rows apart from those that the same bytes are of another day or product; empty for
  /// nothing.
  var identity = ""
  /// Of a product's own price list; nil for all else.
  var product: String?
  /// Of answers of App Store Connect.
  var pages: [ConnectPage] = []
  /// Rows that a mapping leaves out.
  var selectedOut = 0
}

/// Sums per currency, exact; an amount that leaves 64 bits is the file's fault.
struct TotalsByCurrency {
  private struct Sums {
    var units: Int128 = 0
    var free: Int128 = 0
    var gross: Int128 = 0
    var proceeds: Int128 = 0
    /// Of gross and proceeds, signs left out: later they are added up apart.
    var magnitude: Int128 = 0
  }
  private var sums: [UInt16: Sums] = [:]
  /// What a file may add up to, so that many files can be added: 1.15 million million.
  private static let most: Int64 = 1 << 60

  /// Adds units that each have a customer price (micro-units); those that cost nothing are added up
  /// apart too.
  mutating func add(_ currency: Currency?, units: Int64, price: Int64) {
    let key = currency?.packed ?? 0
    sums[key, default: Sums()].units += Int128(units)
    if price == 0 { sums[key, default: Sums()].free += Int128(units) }
    let gross = Int128(units) * Int128(price)
    sums[key, default: Sums()].gross += gross
    sums[key, default: Sums()].magnitude += Int128(gross.magnitude)
  }

  /// Adds what the developer gets for units, each of which brings `proceeds` micro-units.
  mutating func add(_ currency: Currency?, units: Int64, proceeds: Int64) {
    add(currency, proceeds: Int128(units) * Int128(proceeds))
  }

  /// Adds an amount (micro-units) that the developer gets or Apple paid.
  mutating func add(_ currency: Currency?, proceeds: Int128) {
    sums[currency?.packed ?? 0, default: Sums()].proceeds += proceeds
    sums[currency?.packed ?? 0, default: Sums()].magnitude += Int128(proceeds.magnitude)
  }

  /// Adds units and what Apple owes for all of them together, in micro-units.
  mutating func add(_ currency: Currency, units: Int64, owed: Int64) {
    sums[currency.packed, default: Sums()].units += Int128(units)
    sums[currency.packed, default: Sums()].gross += Int128(owed)
    sums[currency.packed, default: Sums()].magnitude += Int128(owed.magnitude)
  }

  /// The sums, a total per currency, the one without a name first; throws a diagnostic when they
  /// are too large.
  func totals(file: String) throws -> [ReadingTotal] {
    try sums.sorted { $0.key < $1.key }.map { key, sum in
      guard let units = Int64(exactly: sum.units), let free = Int64(exactly: sum.free),
        let gross = Int64(exactly: sum.gross),
        let proceeds = Int64(exactly: sum.proceeds), sum.magnitude <= Int128(Self.most)
      else {
        throw Diagnostic(
          topic: "amount", at: SourceLocation(file: file),
          "@row.amounts-of-the-file-add",
          help: "@row.price-or-a-count")
      }
      return ReadingTotal(
        currency: Currency(packed: key), units: units, gross: gross, proceeds: proceeds,
        free: free)
    }
  }
}

/// First and last of the times seen.
struct TimeSpan {
  private(set) var first = Int64.max
  private(set) var last = Int64.min

  /// Adds a time in seconds since 1970.
  @inline(__always)
  mutating func add(_ seconds: Int64) {
    if seconds < first { first = seconds }
    if seconds > last { last = seconds }
  }

  /// The first day (UTC); nil without times.
  var begin: Day? { first <= last ? Instant(seconds: first).day() : nil }
  /// The last day (UTC); nil without times.
  var end: Day? { first <= last ? Instant(seconds: last).day() : nil }
}
