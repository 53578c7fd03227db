/// A finding as the last reconciliation of its period recorded it: a copy for look-up, which no
/// reconciliation reads.
package struct RecordedFinding: Hashable, Sendable {
  package var finding: Finding
  package var period: Period
  /// The day that the reconciliation counted ages to.
  package var asOf: Day

  package init(finding: Finding, period: Period, asOf: Day) {
    self.finding = finding
    self.period = period
    self.asOf = asOf
  }
}

/// What the last reconciliation of a period came to.
package struct RecordedRun: Hashable, Sendable {
  package var period: Period
  /// The day that the reconciliation counted ages to.
  package var asOf: Day
  /// Of level 2, as a reconciliation tells them.
  package var matchedUnits: Int64
  package var unmatchedUnits: Int64
  /// How Apple's days were cut; empty where the run was looked up.
  package var dayBoundaries: [ReportDayBoundary] = []
  /// The terms that Apple's rows showed.
  package var terms: [RecordedTerms] = []
  /// Taxes that they agreed on beside the table; empty where the run was looked up.
  package var taxes: [RecordedTax] = []
  /// Of a fiscal month: what was sold and is not settled. Empty where the run was looked up.
  package var unsettled: [DatedAmount] = []
  /// Clocks that were taken for wrong; empty where the run was looked up.
  package var clocks: [ClockRule] = []
  /// Patterns and days of the flow, each as an object of JSON with the columns of its list; empty
  /// where the run was looked up.
  package var patterns: [String] = []
  package var flow: [String] = []
  /// What transactions of the period do not say themselves; empty where the run was looked up.
  package var sales = ResolvedSales()
  /// A digest of all that it follows from; nil where that is not known.
  package var basis: String?

  package init(period: Period, asOf: Day, matchedUnits: Int64, unmatchedUnits: Int64) {
    self.period = period
    self.asOf = asOf
    self.matchedUnits = matchedUnits
    self.unmatchedUnits = unmatchedUnits
  }
}

/// A part of a run that is recorded while the rest is still being put together.
package enum RunPart: Sendable {
  /// In output order.
  case findings([Finding])
  /// Those of the run, which come before it.
  case sales(ResolvedSales)
  /// The last part: all but findings and sales.
  case run(RecordedRun)
}

/// What rows of transactions do not say themselves.
package struct ResolvedSales: Hashable, Sendable {
  /// Ascending by row, each once.
  package var rows: [ResolvedSale]
  /// What rows have in common, which they name by its index.
  package var terms: [ResolvedTerms]

  package init(rows: [ResolvedSale] = [], terms: [ResolvedTerms] = []) {
    self.rows = rows
    self.terms = terms
  }
}

/// A row of a transaction, its order, and what was found out of it.
package struct ResolvedSale: Hashable, Sendable {
  package let row: TransactionRow.ID
  /// The order that it is matched with.
  package let order: OrderRow.ID?
  package let terms: Int32

  package init(row: TransactionRow.ID, order: OrderRow.ID?, terms: Int32) {
    self.row = row
    self.order = order
    self.terms = terms
  }
}

extension ResolvedSale: Keyed {
  @usableFromInline package var key: UInt64 { row.key }
}

/// What a row of a transaction does not say, and where it was taken from.
package struct ResolvedTerms: Hashable, Sendable {
  /// Who told something of a transaction, the strongest first. Scripts rely on the raw values.
  package enum Teller: String, Hashable, Sendable {
    /// Another row of the same transaction, or it is no price at all: a trial.
    case transaction
    case order
    /// What the subscription began with.
    case subscription
    /// The price tier at the purchase date.
    case tier
    /// The configuration's default storefront.
    case `default`
  }

  /// The rule by which the order was found.
  package var rule: String?
  /// Nil where nobody told any.
  package var storefront: Storefront?
  package var storefrontTeller: Teller?
  package var currency: Currency?
  /// Per unit, in micro-units.
  package var unitPrice: Int64?
  package var priceTeller: Teller?

  package init(rule: String?) { self.rule = rule }
}

/// An amount that is open since a day.
package struct DatedAmount: Hashable, Sendable {
  package var day: Day
  package var amount: Money

  package init(_ amount: Money, since day: Day) {
    self.day = day
    self.amount = amount
  }
}

/// A finding that was recorded and is not accepted, as far as it has to be counted.
package struct OpenFinding: Hashable, Sendable {
  /// Whose last reconciliation recorded it.
  package var period: Period
  package var code: FindingCode
  package var severity: Severity
  /// The finding's day, else the last of the period that was reconciled.
  package var day: Day
  /// What it comes to, by currency; empty where no money differs.
  package var amounts: [Money]

  package init(
    period: Period, code: FindingCode, severity: Severity, day: Day, amounts: [Money]
  ) {
    self.period = period
    self.code = code
    self.severity = severity
    self.day = day
    self.amounts = amounts
  }
}

extension Finding {
  /// What the finding is about, whatever it came to: it stays when units, amounts or evidence
  /// change and the id does not. A scope such as `not-in-ledger CN CNY 2023-06-12 gems.60` above
  /// level 1, and the transaction, else the order, on it.
  package var subject: String {
    guard code.level == 1 else {
      return [
        code.rawValue, storefront?.code ?? "-", currency?.code ?? "-", date?.description ?? "-",
        sku ?? "-",
      ].joined(separator: " ")
    }
    let rows =
      code.isAboutSeveral
      ? transactionIDs
      : Array((Self.oldest(transactionIDs) ?? Self.oldest(orderIDs)).map { [$0] } ?? [])
    return ([code.rawValue] + rows).joined(separator: " ")
  }

  /// The id of the fewest digits, of these the lowest; nil of none. Apple's ids grow, so that a
  /// longer list keeps its first one.
  private static func oldest(_ ids: [String]) -> String? {
    ids.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}
