import Billing
import Pricing
import Reading

extension StorefrontLookup {
  /// Apple's storefronts, as the built-in table has them.
  static let builtIn: StorefrontLookup = {
    let entries = StorefrontTable.builtIn.entries
    return StorefrontLookup(
      alpha3: Dictionary(entries.map { ($0.alpha3, $0.storefront) }) { first, _ in first },
      appleID: Dictionary(entries.map { ($0.appleID, $0.storefront) }) { first, _ in first },
      known: Set(entries.map(\.storefront)))
  }()
}
