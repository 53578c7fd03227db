package import Billing
package import Fetching

/// Reports that `fetch sales` asks for.
package enum ReportType: String, Hashable, Sendable, CaseIterable {
  case sales = "SALES"
  case subscription = "SUBSCRIPTION"
  case subscriptionEvent = "SUBSCRIPTION_EVENT"
  case subscriber = "SUBSCRIBER"
}

package enum ReportFrequency: String, Hashable, Sendable, CaseIterable {
  case daily, weekly, monthly
}

/// Lists of the App Store Server API that are asked for by transaction.
package enum PurchaseList: String, Hashable, Sendable, CaseIterable {
  case history, refunds, statuses
}

/// A product whose prices Apple is asked for.
package struct PricedProduct: Hashable, Sendable {
  package var sku: String
  /// Apple's number of it, by which App Store Connect knows it.
  package var appleID: String
  package var isSubscription: Bool

  package init(sku: String, appleID: String, isSubscription: Bool) {
    (self.sku, self.appleID, self.isSubscription) = (sku, appleID, isSubscription)
  }

  /// Whether a file can be named by the SKU: letters, digits, dots, underscores and hyphens.
  package var isNameable: Bool {
    !sku.isEmpty && !sku.hasPrefix(".")
      && sku.utf8.allSatisfy {
        $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D
      }
  }
}

/// Which prices of products Apple is asked for.
package enum PriceChoice: Hashable, Sendable {
  /// Those that they have.
  case own
  /// All that they may have, in these storefronts; in all where none is named.
  case points([Storefront])
}

/// What `fetch` is asked for.
package enum FetchWish: Sendable {
  /// What the ledger lacks.
  case lacking
  case sales([ReportType], ReportFrequency, from: Day?, to: Day?)
  /// No month: those that the ledger lacks.
  case finance(FiscalMonth?, regions: [String])
  case notifications(from: Instant?, to: Instant?, types: [String])
  /// By transactions: named, in a file, or those that findings of a period name.
  case purchases(PurchaseList, ids: [String], file: String?, findingsOf: Period?)
  case orders([String])
  /// Of no product: of those that the ledger knows.
  case prices([PricedProduct], PriceChoice)
  /// A file with receipts.
  case receipts(String)
}

/// What `fetch` is asked to do.
package struct FetchRequest: Sendable {
  package var wish: FetchWish
  package var access: AppleAccess
  /// How the files are imported, and into which ledger; its paths are filled in.
  package var importing: ImportRequest
  /// The folder that the files go to.
  package var folder = "./apple"
  package var imports = true
  /// Say which requests would be made.
  package var isDryRun = false
  package var limits = AppleClientLimits()
  package var now: Instant

  package init(_ wish: FetchWish, access: AppleAccess, importing: ImportRequest, now: Instant) {
    self.wish = wish
    self.access = access
    self.importing = importing
    self.now = now
  }
}

/// How far a fetch is.
package struct FetchProgress: Sendable {
  /// What was asked last: list and item.
  package var question: String
  package var done: Int
  package var count: Int
}
