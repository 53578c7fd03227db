import Billing
import Languages
import Pricing

extension Cell {
  /// A storefront by its code and name: `HK Hong Kong`; a region's code alone.
  static func place(_ storefront: Storefront?) -> Cell {
    .text(ifAny: storefront?.placeInWords)
  }

  /// A storefront's name; its code where it has none.
  static func country(_ storefront: Storefront) -> Cell {
    .text(storefront.nameInWords ?? storefront.code)
  }
}

extension Storefront {
  /// By its code and name: `HK Hong Kong`.
  var placeInWords: String { nameInWords.map { "\(code) \($0)" } ?? code }

  /// In the reader's language; nil where no table names it.
  fileprivate var nameInWords: String? { StorefrontTable.builtIn.name(of: self).map(say) }
}
