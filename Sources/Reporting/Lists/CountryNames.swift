import Billing
import Languages
import Pricing

extension Cell {
  /// A storefront by its code and name: `HK Hong Kong`; a region's code alone.
  static func place(_ storefront: Storefront?) -> Cell {
    .text(ifAny: storefront?.placeInWords)
  }

  /// One of Apple's financial regions by its code and name; its label where it has no code.
  static func region(_ code: String) -> Cell {
    FinanceRegionTable.builtIn.name(of: code).map { .text("\(code) \(say($0))") }
      ?? .text(ifAny: code)
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
