package import Billing
import Pricing

/// Storefronts that are to get one rate, as the caller wrote them: `CN`, `DE+FR+IT`, `EUR` (every
/// storefront with that currency) or `all`.
package struct StorefrontGroup: Hashable, Sendable {
  package var name: String
  package var storefronts: [Storefront]
  /// Whether storefronts without a price are left out silently: nobody named them.
  package var isOpen: Bool

  /// Nil for what names no storefront.
  package init?(_ text: String) {
    name = text
    let table = StorefrontTable.builtIn
    if text == "all" {
      isOpen = true
      storefronts = table.entries.map(\.storefront)
      return
    }
    let named = text.split(separator: "+", omittingEmptySubsequences: false)
      .map { table.storefront(String($0)) }
    if !named.contains(nil) {
      isOpen = false
      storefronts = named.compactMap(\.self)
      return
    }
    isOpen = true
    storefronts = table.entries.filter { $0.currency.code == text }.map(\.storefront)
    if storefronts.isEmpty { return nil }
  }

  init(_ storefront: Storefront) {
    name = storefront.code
    storefronts = [storefront]
    isOpen = false
  }
}

extension [StorefrontGroup] {
  /// Each storefront in the first group that names it.
  func withoutRepeats() -> [StorefrontGroup] {
    var seen: Set<Storefront> = []
    return map { group in
      var group = group
      group.storefronts = group.storefronts.filter { seen.insert($0).inserted }
      return group
    }.filter { !$0.storefronts.isEmpty }
  }
}
