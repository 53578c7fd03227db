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

/// Another rule of Apple's days, from a day on.
package struct RuleChange: Hashable, Sendable {
  package var day: Day
  package var rule: DayRule

  package init(_ rule: DayRule, from day: Day) { (self.rule, self.day) = (rule, day) }
}

/// What a simulated month is made from; the same parameters give the same bytes, but for the
/// signatures of Apple's messages.
package struct SimulationParameters: Hashable, Sendable {
  package var seed: UInt64 = 1
  package var period = Period("2023-06")!
  /// Orders that are placed from two days before the period to two days after it, abandoned ones
  /// and those that began before among them; about as many transactions follow.
  package var orders = 2000
  /// The storefronts, out of the nine of ``SimulationParameters/everyStorefront``.
  package var storefronts = SimulationParameters.everyStorefront
  package var dayRule = DayRule.pacific
  /// From a day on all storefronts follow another rule.
  package var ruleChange: RuleChange?
  /// Storefronts that follow a rule of their own, all month.
  package var ownRules: [Storefront: DayRule] = [:]
  /// How often each fault is injected; empty is a clean month.
  package var faults: [FindingCode: Int] = [:]
  /// Taxes that become others in the period, beside those that ``faults`` may draw.
  package var taxChanges: [TaxChange] = []
  /// What Apple really takes in storefronts of which everybody believes something else.
  package var trueRates: [TrueRates] = []
  /// Storefronts in which all but subscriptions cost a fifth more, from midnight of their own day.
  package var priceRises: [Storefront: Day] = [:]
  /// Terms that become others in the period, for devices and products.
  package var termsChanges: [TermsChange] = []
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
  /// Few of the further consumables sell most: each sells less than the one before it. Else all
  /// sell alike.
  package var hasBestsellers = false
  /// A paid app is sold beside the in-app purchases.
  package var paidApp = false
  /// The part of the transactions, from 0 to 1, that the company's table does not have: receipts,
  /// they stand in receipts, notifications and answers of Apple's server. The truth is the same for
  /// every share. Signatures, and certificates with them, differ from run to run.
  package var appleShare = 0.0
  /// What stands behind many findings at once, beside ``faults``; each once per mention.
  package var patterns: [SimulatedPattern] = []
  /// Single faults lie in the middle twelve hours of Apple's days instead of around noon: faults
  /// around noon have the hour in common.
  package var spreadsFaults = false
  /// Orders have the version of the app and the device.
  package var tellsApps = false
  /// The company's log of each order's steps; nil leaves it out.
  package var events: EventParameters?
  /// A game's coins, which some products are packs of, and a second channel; nil leaves them out.
  package var coins: CoinParameters?
  /// How often each fault between sources is injected, beside ``faults``.
  package var appleFaults: [AppleFault: Int] = [:]

  /// Whether Apple's three subscription reports are written.
  package var subscriptionReports = false
  /// How often each fault of theirs is made.
  package var subscriptionFaults: [SubscriptionFault: Int] = [:]

  /// Nil leaves out Apple's financial reports and payments; a settled world needs a fiscal month
  /// wholly inside its period.
  package var settlement: SettlementParameters?

  package init() {}

  /// Whether anything but the company's table has transactions.
  var asksApple: Bool { appleShare > 0 || appleFaults.contains { $0.value > 0 } }

  /// China first and largest.
  package static let everyStorefront = Market.all.map(\.storefront)

  /// The nine, and storefronts of Apple's regions that the nine leave out.
  package static let settledStorefronts = (Market.all + Market.further).map(\.storefront)

  /// Those that Apple's messages name here.
  package static let namedStorefronts = (Market.all + Market.further + Market.taxed)
    .map(\.storefront)

  /// The SKUs that every catalogue has.
  package static let fewestSKUs = Stock.catalogued

  /// So many of Apple's 175 storefronts, the larger first; nil where there are fewer.
  package static func largest(_ count: Int) -> [Storefront]? {
    let all = Market.all + Market.further + Market.taxed + Market.small
    return (1...all.count).contains(count) ? all.prefix(count).map(\.storefront) : nil
  }

  /// China, and storefronts whose taxes no list of Apple's tells.
  package static let taxedStorefronts =
    (Market.all + Market.further).filter {
      ["CN", "US", "DE", "GB", "FR"].contains($0.storefront.code)
    }
    .map(\.storefront) + Market.taxed.map(\.storefront)

  /// Every kind of fault of levels 1 and 2, `count` times each. Footers do not occur in sales
  /// reports and company tables, so `footer-mismatch` is not among them.
  package static func everyFault(_ count: Int = 1) -> [FindingCode: Int] {
    var faults: [FindingCode: Int] = [:]
    for code in FindingCode.allCases where FaultPlanner.injects(code) { faults[code] = count }
    return faults
  }

  /// Every kind of fault between sources, `count` times each.
  package static func everyAppleFault(_ count: Int = 1) -> [AppleFault: Int] {
    Dictionary(uniqueKeysWithValues: AppleFault.allCases.map { ($0, count) })
  }

  /// The month that `samples/` holds.
  package static let sample: SimulationParameters = {
    var parameters = SimulationParameters()
    parameters.seed = 2023
    parameters.dayRule = .territory
    parameters.faults = everyFault()
    parameters.appleShare = 0.02
    // Its files are shown in documents: what came later is left out.
    parameters.appleFaults = everyAppleFault()
    for fault in [
      AppleFault.instalmentMissing, .instalmentsEnd, .instalmentsPaid, .taxTold, .taxRight,
      .otherApp,
    ] {
      parameters.appleFaults[fault] = nil
    }
    return parameters
  }()
}
