import Billing
import Languages
import Pricing

extension Cell {
  /// The cell with a storefront, or the region of a finding about a settlement, by its code and
  /// name: `HK Hong Kong`, `LL Latin America and the Caribbean`. Blank without one.
  static func place(_ storefront: Storefront?) -> Cell {
    .text(ifAny: storefront?.placeInWords)
  }

  /// The cell with one of Apple's financial regions by its code and name; its label where it has no
  /// code.
  static func region(_ code: String) -> Cell {
    FinanceRegionTable.builtIn.name(of: code).map { .text("\(code) \(say($0))") }
      ?? .text(ifAny: code)
  }

  /// The cell with a storefront's name; its code where it has none.
  static func country(_ storefront: Storefront) -> Cell {
    .text(storefront.nameInWords ?? storefront.code)
  }
}

extension Storefront {
  /// The storefront by its code and name: `HK Hong Kong`; its code where it has no name.
  var placeInWords: String { nameInWords.map { "\(code) \($0)" } ?? code }

  /// The storefront's name in the reader's language; nil where no table names it. A code that is no
  /// country's may be one of Apple's financial regions.
  fileprivate var nameInWords: String? {
    (StorefrontTable.builtIn.name(of: self) ?? FinanceRegionTable.builtIn.name(of: code)).map(say)
  }
}
