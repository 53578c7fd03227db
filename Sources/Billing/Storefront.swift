/// A country's App Store, as ISO 3166 alpha-2 (Kosovo is XK), packed into 16 bits.
package struct Storefront: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Base-26 packing of the two letters, plus one; zero is never a storefront.
  package let packed: UInt16

  /// The storefront with this two-letter upper-case code. Whether Apple has such a store is
  /// decided by the storefront table in Pricing.
  package init?(_ code: some StringProtocol) {
    guard let packed = packLetters(code.utf8, count: 2) else { return nil }
    self.packed = packed
  }

  /// The storefront that `packed` came from; nil for a number that none has.
  package init?(packed: UInt16) {
    guard packed != 0, packed < Self.limit else { return nil }
    self.packed = packed
  }

  /// More than any `packed`: room for a value by storefront, and at 0 for one without.
  package static let limit = 677

  package var code: String { unpackLetters(packed, count: 2) }
  package var description: String { code }
  package static func < (left: Storefront, right: Storefront) -> Bool { left.packed < right.packed }
}

/// A set of storefronts that is fast to ask, for each of very many rows.
package struct StorefrontSet: Sendable {
  private var isMember = [Bool](repeating: false, count: Storefront.limit)

  package init(_ storefronts: some Sequence<Storefront>) {
    for storefront in storefronts { isMember[Int(storefront.packed)] = true }
  }

  package func contains(_ storefront: Storefront) -> Bool { isMember[Int(storefront.packed)] }
}
