/// The system of the device that a purchase was made on: Apple's commission may depend on it.
package enum Platform: String, Hashable, Sendable, CaseIterable, Comparable {
  case ios, ipados, mac, tvos, watchos, visionos

  /// The platform of a device as the column `Device` of Apple's reports names it; nil where that is
  /// blank or a word that is not known.
  package init?(device: String) {
    switch device {
    case "iPhone", "iPod touch": self = .ios
    case "iPad": self = .ipados
    case "Desktop", "Mac": self = .mac
    case "Apple TV": self = .tvos
    case "Apple Watch": self = .watchos
    case "Apple Vision", "Apple Vision Pro": self = .visionos
    default: return nil
    }
  }

  /// The name that Apple writes.
  package var name: String {
    switch self {
    case .ios: "iOS"
    case .ipados: "iPadOS"
    case .mac: "macOS"
    case .tvos: "tvOS"
    case .watchos: "watchOS"
    case .visionos: "visionOS"
    }
  }

  package static func < (left: Platform, right: Platform) -> Bool {
    left.place < right.place
  }

  /// The index of this platform among all, which orders them.
  private var place: Int { Self.allCases.firstIndex(of: self)! }
}

/// Names of groups of storefronts that terms are written for.
package enum TermsArea: String, Hashable, Sendable, CaseIterable {
  /// The member states of the European Union as of 2020-02-01; no overseas territory has a
  /// storefront of its own among them.
  case europeanUnion = "EU"

  /// The storefronts that the name stands for.
  package var storefronts: Set<Storefront> {
    switch self {
    case .europeanUnion: Self.union
    }
  }

  private static let union = Set(
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
      .split(separator: " ").compactMap { Storefront($0) })
}
