package import Billing

/// What a reconciliation of a simulated month has to find.
package struct Truth: Hashable, Sendable {
  package var period: Period
  package var dayRule: DayRule
  package var seed: UInt64
  /// In the order of storefront, date, SKU and code. The differences that a moved day boundary
  /// makes are not among them: which of them timing explains depends on the whole month.
  package var expected: [ExpectedFinding] = []
  /// What was asked for, and had no room in the month.
  package var leftOut: [LeftOutFaults] = []
  package var patterns: [ExpectedPattern] = []
  package var boundaries: [TrueBoundary] = []
  /// Apple's in-app rows of the period, and the paid app's.
  package var proceeds: [TrueProceeds] = []
  /// Billable transactions less refunds, at their prices, by business day in UTC.
  package var ledger: [TrueLedgerTotal] = []
  /// Units of app downloads in Apple's reports of the period, paid ones among them.
  package var appUnits: [Storefront: Int] = [:]
  package var counts = TrueCounts()
  /// The steps of orders by the company's log, by day in UTC and step; empty without it.
  package var stages: [TrueStageDay] = []
  /// Nil where no coins are told.
  package var coins: TrueCoins?
  /// Nil where nothing is settled; else one per fiscal month, in order.
  package var settlement: [TrueSettlement]?
}

/// Faults of one kind that found no place of their own.
package struct LeftOutFaults: Hashable, Sendable {
  /// As `--faults`, `--apple-faults` and `--pattern` name it; of `--settlement-faults` the code of
  /// the finding.
  package var kind: String
  package var asked: Int
  /// Less than `asked`.
  package var made: Int
}

/// What a reconciliation has to name as behind many of its findings.
package struct ExpectedPattern: Hashable, Sendable {
  /// What the findings share, by the name that the tool gives it.
  package enum Dimension: String, Hashable, Sendable {
    case time, user, boundary, server
    case appVersion = "app-version"
  }

  package var code: FindingCode
  package var dimension: Dimension
  /// The user, version or storefront; empty for a span of time.
  package var value = ""
  /// Of a span of time.
  package var span: ClosedRange<Instant>?
  /// Findings that follow from it; nil where that is left open.
  package var findings: Int?
}

/// A finding that follows from an injected fault. What is nil or empty is left open, except that
/// `storefront`, `date` and `sku` are nil where the finding has none.
package struct ExpectedFinding: Hashable, Sendable {
  package var code: FindingCode
  package var storefront: Storefront?
  package var date: Day?
  package var sku: String?
  /// Without sign.
  package var units: Int64?
  /// Micro-units of `currency`, Apple's side minus ours.
  package var amount: Int64?
  package var currency: Currency?
  /// Ids that the finding has to name; it may name more candidates.
  package var orderIDs: [String] = []
  package var transactionIDs: [String] = []

  static func isOrderedBefore(_ left: Self, _ right: Self) -> Bool {
    let leftPlace = (left.storefront?.code ?? "", left.date?.number ?? .min, left.sku ?? "")
    let rightPlace = (right.storefront?.code ?? "", right.date?.number ?? .min, right.sku ?? "")
    if leftPlace != rightPlace { return leftPlace < rightPlace }
    if left.code != right.code { return left.code.rawValue < right.code.rawValue }
    let leftIDs = left.orderIDs + left.transactionIDs
    return leftIDs.lexicographicallyPrecedes(right.orderIDs + right.transactionIDs)
  }
}

/// How Apple cuts a storefront's days.
package struct TrueBoundary: Hashable, Sendable {
  package var storefront: Storefront
  /// Billable units that the ledger has on the period's report days.
  package var units: Int
  /// `pacific`, `central-european`, `japan`, `western-australia`, `local:ZONE` or `utc`.
  package var rule: String
  /// IANA name.
  package var zone: String
  /// On the period's middle day.
  package var utcOffsetMinutes: Int
}

package struct TrueProceeds: Hashable, Sendable {
  package var storefront: Storefront
  package var currency: Currency
  package var proceedsCurrency: Currency
  package var unitsSold = 0
  package var unitsRefunded = 0
  /// Net of refunds and of partial refunds, micro-units of `currency`.
  package var gross: Int64 = 0
  /// Net of refunds and of partial refunds, micro-units of `proceedsCurrency`.
  package var proceeds: Int64 = 0
  /// How much of `gross` zero-unit rows took back, negative.
  package var partialRefundGross: Int64 = 0
  package var partialRefundProceeds: Int64 = 0
}

package struct TrueLedgerTotal: Hashable, Sendable {
  package var storefront: Storefront
  package var currency: Currency
  /// Micro-units.
  package var gross: Int64
}

/// Rows as written.
package struct TrueCounts: Hashable, Sendable {
  package var orders = 0
  package var transactions = 0
  package var salesRows = 0
  package var salesReports = 0
  /// Nil where nothing but the company's table has transactions.
  package var apple: TrueAppleCounts?
}

/// Records of Apple's that have transactions.
package struct TrueAppleCounts: Hashable, Sendable {
  package var receipts = 0
  package var notificationsV1 = 0
  package var notificationsV2 = 0
  /// Signed transactions in answers of the server.
  package var historyTransactions = 0
  /// Transactions that the company's table does not have.
  package var transactionsOnlyHere = 0
}
