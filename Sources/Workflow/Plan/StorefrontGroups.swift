package import Billing
import Pricing

/// Storefronts that are to get one rate, as the caller wrote them: `CN`, `DE+FR+IT`, `EUR` (every
/// storefront with that currency) or `all`.
package struct StorefrontGroup: Hashable, Sendable {
  package var name: String
  package var storefronts: [Storefront]
  /// Whether storefronts without a price are left out silently: nobody named them.
  package var isOpen: Bool

  /// The storefronts that a text names; nil for one that names none.
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

  /// One storefront alone.
  init(_ storefront: Storefront) {
    name = storefront.code
    storefronts = [storefront]
    isOpen = false
  }
}

extension [StorefrontGroup] {
  /// The groups with each storefront in the first one only that names it, without empty ones.
  func withoutRepeats() -> [StorefrontGroup] {
    var seen: Set<Storefront> = []
    return map { group in
      var group = group
      group.storefronts = group.storefronts.filter { seen.insert($0).inserted }
      return group
    }.filter { !$0.storefronts.isEmpty }
  }
}
