package import Billing

/// What many findings of a code have in common, and how little of all business has it.
package struct Pattern: Hashable, Sendable {
  /// What the findings share. Scripts rely on the raw values.
  package enum Dimension: String, Hashable, Sendable, CaseIterable {
    /// A span of time: an outage, a release that was taken back.
    case time
    /// Hours of the company's day on many days: a nightly job, a shift.
    case hours
    case user
    /// Several users, each of whom has some of the findings.
    case ring = "user-ring"
    case appVersion = "app-version"
    case device, storefront, product
    /// An event of the purchase failed, by the company's log: at a step, on a server at a step, or
    /// with a message at a step.
    case stage, server, message
    /// A file of an import.
    case file
    /// Days of Apple's reports.
    case day
    /// Units of a storefront that are missing on one report day and found on the next, or the
    /// other way round.
    case boundary
    /// A product that Apple reports under another SKU than the ledger has it: one Apple Identifier
    /// is of both.
    case renamed = "renamed-product"
  }

  /// The codes that it is told of; several where a day boundary makes differences of both signs.
  package var codes: [FindingCode]
  package var dimension: Dimension
  /// The user, version, device, storefront, SKU, file, step, server or message; the hours, as
  /// `02:00-04:15` by the company's clock; the users of a ring, or all SKUs of a product. Empty
  /// where `span` or `days` alone tells.
  package var value: String = ""
  /// The users of `value`, one by one; empty where it tells none.
  package var users: [String] = []
  /// When the first and the last of the findings happened.
  package var span: ClosedRange<Instant>?
  /// Report days; of what `value` tells, the days of the first and the last finding where so many
  /// would hardly fall between them by chance: the onset of the cause, and its end.
  package var days: ClosedRange<Day>?
  /// Findings of the codes that share it, and findings of the codes in all.
  package var count: Int
  package var total: Int
  /// Ids of the findings that share it, in the order of the findings.
  package var findingIDs: [String] = []
  /// The part of all orders, transactions and refunds without findings of the codes, or of all
  /// reported units, that shares it, in millionths, rounded up; of a boundary, how often
  /// neighbouring days would differ so by chance.
  package var baseShare: Int64
  /// Which business `baseShare` is a part of.
  package var base: Base
  /// Powers of ten: as many findings share it by chance less often than once in 10 to this, all
  /// places that were looked at accounted for.
  package var rarity: Int
  /// What the findings come to: units without sign, and amounts by currency, ascending.
  package var units: Int64 = 0
  package var amounts: [Money] = []

  package init(
    codes: [FindingCode], dimension: Dimension, value: String = "", users: [String] = [],
    span: ClosedRange<Instant>? = nil, days: ClosedRange<Day>? = nil, count: Int, total: Int,
    findingIDs: [String] = [], baseShare: Int64, base: Base, rarity: Int, units: Int64 = 0,
    amounts: [Money] = []
  ) {
    self.codes = codes
    self.dimension = dimension
    self.value = value
    self.users = users
    self.span = span
    self.days = days
    self.count = count
    self.total = total
    self.findingIDs = findingIDs
    self.baseShare = baseShare
    self.base = base
    self.rarity = rarity
    self.units = units
    self.amounts = amounts
  }

  package enum Base: String, Hashable, Sendable {
    case orders, transactions, refunds, units, rows, days
    /// Those that the company's log has events of.
    case ordersWithEvents = "orders-with-events"
    case transactionsWithEvents = "transactions-with-events"
  }
}
