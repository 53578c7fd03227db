import Billing
import Languages
import Pricing

extension Cell {
  /// A storefront by its code and name: `HK Hong Kong`; a region's code alone.
  static func place(_ storefront: Storefront?) -> Cell {
    guard let storefront else { return .blank }
    guard let name = storefront.nameInWords else { return .text(storefront.code) }
    return .text("\(storefront.code) \(name)")
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
  /// In the reader's language; nil where no table names it.
  fileprivate var nameInWords: String? { StorefrontTable.builtIn.name(of: self).map(say) }
}
