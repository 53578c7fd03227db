package import Billing

/// How Apple cuts its days in a simulated world.
package enum DayRule: String, Hashable, Sendable, CaseIterable {
  /// Every storefront by Pacific Time.
  case pacific
  /// Pacific for the Americas, Central European for Europe, Japan for Asia, Western Australia
  /// for Australia.
  case territory
  /// As `territory`, but Asia outside Japan by Central European Time.
  case territoryOld = "territory-old"
  /// Each storefront by its own zone.
  case local
  /// One of the above or UTC, drawn for each storefront.
  case mixed
}

/// What a simulated month is made from; the same parameters give the same bytes.
package struct SimulationParameters: Hashable, Sendable {
  package var seed: UInt64 = 1
  package var period = Period("2023-06")!
  /// Orders that are placed from two days before the period to two days after it, abandoned ones
  /// and those that began before among them; about as many transactions follow.
  package var orders = 2000
  /// The storefronts, out of the nine of ``SimulationParameters/everyStorefront``.
  package var storefronts = SimulationParameters.everyStorefront
  package var dayRule = DayRule.pacific
  /// How often each fault is injected; empty is a clean month.
  package var faults: [FindingCode: Int] = [:]
  /// Days whose report has its header in a gzip member of its own; that is no fault.
  package var multiMemberDays = 2
  /// Rows stand in random order in every file. Holds each file in memory.
  package var shuffle = false
  /// Orders and transactions in one file per day instead of one file each.
  package var split = false
  /// Sales reports are gzip, as Apple sends them.
  package var gzip = true
  /// Further consumables beside the built-in catalogue; more SKUs give more sales rows.
  package var furtherProducts = 0
  /// A paid app is sold beside the in-app purchases.
  package var paidApp = false

  package init() {}

  /// China first and largest.
  package static let everyStorefront = Market.all.map(\.storefront)

  /// Every kind of fault, `count` times each. Footers do not occur in sales reports and company
  /// tables, so `footer-mismatch` is not among them.
  package static func everyFault(_ count: Int = 1) -> [FindingCode: Int] {
    var faults: [FindingCode: Int] = [:]
    for code in FindingCode.allCases where code != .footerMismatch { faults[code] = count }
    return faults
  }

  /// The month that `samples/` holds.
  package static let sample: SimulationParameters = {
    var parameters = SimulationParameters()
    parameters.seed = 2023
    parameters.dayRule = .territory
    parameters.faults = everyFault()
    return parameters
  }()
}
