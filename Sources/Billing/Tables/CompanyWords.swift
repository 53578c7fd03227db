/// How far an order got; later cases are further.
package enum OrderStatus: UInt8, Hashable, NamedWord, Comparable {
  case created, paid, fulfilled, refunded, cancelled

  package var name: String {
    switch self {
    case .created: "created"
    case .paid: "paid"
    case .fulfilled: "fulfilled"
    case .refunded: "refunded"
    case .cancelled: "cancelled"
    }
  }

  /// The status in words for people.
  package var wording: Wording {
    switch self {
    case .created: "@facts.created"
    case .paid: "@shared.paid"
    case .fulfilled: "@shared.fulfilled"
    case .refunded: "@shared.refunded"
    case .cancelled: "@shared.cancelled"
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// How a step of a purchase ended, as the company's app or server logged it.
package enum EventOutcome: UInt8, Hashable, NamedWord {
  case ok, failed
  /// The customer left: no fault of anybody's.
  case cancelled

  package var name: String {
    switch self {
    case .ok: "ok"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

/// Which of Apple's two price matrices a tier belongs to.
package enum TierTable: UInt8, Hashable, NamedWord {
  case iap, subscription

  /// As the tier tables name it.
  package var name: String { self == .iap ? "iap" : "subscription" }
}

/// What happened to coins; the movement gives the direction of its number.
package enum CoinMovement: UInt8, Hashable, NamedWord {
  /// Given to a customer, for money or free.
  case granted
  /// Used, for an item or anything else.
  case spent
  /// Gone because their time was over.
  case expired
  /// Taken away again, as after a refund.
  case takenBack
  /// Set right by hand; below zero where coins went away.
  case adjusted
  /// What was there before the first movement of the day.
  case opening

  package var name: String {
    switch self {
    case .granted: "granted"
    case .spent: "spent"
    case .expired: "expired"
    case .takenBack: "taken_back"
    case .adjusted: "adjusted"
    case .opening: "opening"
    }
  }

  /// The movement in words for people.
  package var wording: Wording {
    switch self {
    case .granted: "@facts.coins-granted"
    case .spent: "@facts.coins-spent"
    case .expired: "@facts.coins-expired"
    case .takenBack: "@facts.coins-taken-back"
    case .adjusted: "@facts.coins-adjusted"
    case .opening: "@facts.coins-opening"
    }
  }

  /// Whether its number may be below zero.
  package var mayBeNegative: Bool { self == .adjusted || self == .opening }
  /// What one of its coins does to a balance: 1 adds it, -1 takes it away.
  package var sign: Int64 {
    switch self {
    case .granted, .adjusted, .opening: 1
    case .spent, .expired, .takenBack: -1
    }
  }
}

/// Whether coins were paid for.
package enum CoinOrigin: UInt8, Hashable, NamedWord {
  case paid, free

  package var name: String { self == .paid ? "paid" : "free" }
}

/// How long what coins buy is of use.
package enum GameItemKind: UInt8, Hashable, NamedWord {
  /// Used up at once.
  case consumable
  /// Of use for some time, or as long as the game is played.
  case durable

  package var name: String { self == .consumable ? "consumable" : "durable" }
}

/// A word of a fixed list, as the company's tables and the ledger write it.
package protocol NamedWord: CaseIterable, Sendable {
  var name: String { get }
}

extension NamedWord {
  package init?(name: some StringProtocol) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
