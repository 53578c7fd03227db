/// A product of an SKU that stands in several apps, and the name by which facts go that are of it:
/// `gems.60 (com.example.second)`, with a no-break space, which stands in no SKU.
package struct AppProduct: Hashable, Sendable {
  package let sku: String
  /// The app's bundle, else Apple's identifier of the product, else the SKU of the app; nil where
  /// the SKU stands in one app, or nobody told in which.
  package let app: String?

  private static let opening = "\u{A0}("

  package init(_ sku: String, in app: String) {
    self.sku = sku
    self.app = app
  }

  /// Reads a name as ``name`` writes it: an SKU, with the app behind it where it has one.
  package init(_ name: String) {
    guard name.utf8.contains(0xC2), name.hasSuffix(")"),
      let opening = name.firstRange(of: Self.opening)
    else {
      (sku, app) = (name, nil)
      return
    }
    sku = String(name[..<opening.lowerBound])
    app = String(name[opening.upperBound...].dropLast())
  }

  /// The product's name that a person meant who wrote it with an ordinary space before the app:
  /// `gems.60 (com.example.second)`. Text without an app stays as it is.
  package static func written(_ text: String) -> String {
    guard text.hasSuffix(")"), let space = text.firstRange(of: " (") else { return text }
    return text[..<space.lowerBound] + opening + text[space.upperBound...]
  }

  /// The SKU, with the app where there is one.
  package var name: String { app.map { "\(sku)\(Self.opening)\($0))" } ?? sku }

  /// Whether two names may be of one product: they are equal, or one is the SKU of the other and
  /// names no app, so that it may be any app's.
  package static func mayBeSame(_ left: String, _ right: String) -> Bool {
    if left == right { return true }
    return AppProduct(left).sku == right || left == AppProduct(right).sku
  }
}

/// What says of which product it is, by an SKU and by what tells the app.
package protocol OfProduct {
  var sku: String { get set }
  /// What tells the app, the surest first.
  var appMarks: [AppMark] { get }
}

extension OfProduct {
  /// Its app's bundle; empty where it has none.
  var bundle: String { appMarks.first(where: \.isBundle)?.text ?? "" }
  /// Apple's identifier of the product; empty where it has none.
  var item: String { appMarks.first(where: \.isItem)?.text ?? "" }
  /// Its app's own SKU; empty where it has none.
  var parent: String { appMarks.first(where: \.isParent)?.text ?? "" }
}

/// What tells the app of a product.
package enum AppMark: Hashable, Sendable {
  case bundle(String)
  /// Apple's identifier of the product, which is another one in each app.
  case item(String)
  /// The app's own SKU.
  case parent(String)

  /// The bundle, identifier or SKU itself.
  package var text: String { rank.1 }

  /// What marks are sorted by: their kind from the surest, 0, to 2, then their text. An app is
  /// named by the first of its marks.
  package var rank: (Int, String) {
    switch self {
    case .bundle(let text): (0, text)
    case .item(let text): (1, text)
    case .parent(let text): (2, text)
    }
  }

  package var isBundle: Bool { rank.0 == 0 }
  package var isItem: Bool { rank.0 == 1 }
  package var isParent: Bool { rank.0 == 2 }
}
