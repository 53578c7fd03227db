package import Billing

/// What the figures of a period rest on: what is absent, and how much of the ledger's money Apple's
/// reports have.
package struct Basis: Hashable, Sendable {
  /// What is absent, the worst first.
  package var absences: [Absence] = []
  /// By age, the youngest first, storefront and currency.
  package var money: [AgedMoney] = []

  package init() {}
}

/// Something without which the figures of a period are not whole.
package struct Absence: Hashable, Sendable {
  /// Scripts rely on the raw values.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Purchases and orders without their other side, of all: matching failed as a whole, or a side
    /// is not loaded.
    case matching
    /// The same of storefronts and days of which the other side has no row.
    case sides
    /// Days of the period that no sales report covers, and that were due.
    case salesReports = "sales-reports"
    /// Days of the period whose sales reports were not due yet.
    case salesReportsNotDue = "sales-reports-not-due"
    /// Days on which the ledger has no transaction though Apple reports units.
    case transactions
    /// Days on which the ledger has no order though there were purchases.
    case orders
    /// Pages of answers that say that more follows, which is not there.
    case pages
    /// Rows that could not be read, of files that came in without them.
    case rejectedRows = "rejected-rows"
    /// Files of which nothing came in, because they could not be read.
    case rejectedFiles = "rejected-files"
    /// Units whose storefront no source tells, where Apple reports some of them elsewhere.
    case storefronts
    // Columns that no order or transaction tells, by findings that follow from it.
    case quantities
    case ownPrices = "own-prices"
    case revocations
    case originals
    /// Purchases without an order that may be renewals: neither their rows nor a catalogue tell
    /// what is bought.
    case kinds
    case environments
    case users
    case offers
    case channels
    /// Orders of other channels, where one may be Apple's under another name, or none is Apple's.
    case otherChannels = "other-channels"
    /// Units that stand on other days than Apple's, where the company's clock may be off and
    /// nothing tells how far.
    case clocks
    /// Purchases that were counted elsewhere and have to be handed over as rows.
    case countedRows = "counted-rows"
    /// Rows that were handed over beside counts, and those that are loaded.
    case handedRows = "handed-rows"
    /// Apple's messages that were imported after counts, which may hold the same purchases.
    case laterMessages = "later-messages"
    /// Orders that were traced back, where most are: no id ties them to their transactions.
    case ids
    /// Currencies without a rate to the base currency.
    case rates
    /// A catalogue of products.
    case catalogue
    /// Storefronts of rows whose product has a tier, without a price of the tier on their day.
    case tierPrices = "tier-prices"
    /// Prices of billable units, which no source tells.
    case prices
    /// SKUs of several apps whose units are compared over all of them.
    case apps
    /// Financial reports of regions that have sales.
    case regionReports = "region-reports"

    /// The place of the kind in the order in which kinds are told.
    package var rank: Int { Self.allCases.firstIndex(of: self)! }
  }

  package var kind: Kind
  /// Days, currencies, units, orders, findings, storefronts, regions or pages.
  package var count: Int
  /// Of how many, where `count` is a part: days of the period, units, matched orders.
  package var total: Int?
  package var days: [Day] = []
  /// Currencies, storefronts, regions, places of pages, or columns that would tell it.
  package var names: [String] = []
  /// What has it, though not for certain; nil where nothing does.
  package var standIn: StandIn?

  /// Where a value stands that no source gives for a purchase itself.
  package enum StandIn: Hashable, Sendable {
    /// In orders, of which none is matched for certain.
    case orders
    /// In `default_storefront`.
    case settings
  }

  package init(_ kind: Kind, count: Int, of total: Int? = nil) {
    self.kind = kind
    self.count = count
    self.total = total
  }

  package init(_ kind: Kind, days: [Day], of total: Int) {
    self.init(kind, count: days.count, of: total)
    self.days = days
  }

  /// Whether it leaves the most out of what is compared: it is told before all others.
  package var comesFirst: Bool { kind == .otherChannels && 2 * count > total ?? .max }

  package init(_ kind: Kind, names: [String]) {
    self.init(kind, count: names.count)
    self.names = names
  }
}

/// The ledger's sales and refunds of some days, at customer prices and without signs.
package struct AgedMoney: Hashable, Sendable {
  /// Days from Apple's day to the day that ages are counted to; without an upper bound the oldest.
  package var from: Int
  package var to: Int?
  /// Nil where nobody told it, and of a sum of several.
  package var storefront: Storefront?
  package var ledger: Money
  /// Of days whose report is here, or was not due yet.
  package var timely: Money
  /// Of days whose report is here.
  package var complete: Money
  /// What Apple's report has too, at the same price.
  package var cleared: Money
  package var currency: Currency { ledger.currency }

  package init(from: Int, to: Int?, _ currency: Currency, of storefront: Storefront? = nil) {
    (self.from, self.to, self.storefront) = (from, to, storefront)
    ledger = .zero(currency)
    (timely, complete, cleared) = (ledger, ledger, ledger)
  }
}
