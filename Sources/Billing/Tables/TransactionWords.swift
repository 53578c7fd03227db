/// What a product is; the words of the company's tables.
package enum ProductKind: UInt8, Hashable, NamedWord {
  case consumable, nonConsumable, autoRenewable, nonRenewing

  package var name: String {
    switch self {
    case .consumable: "consumable"
    case .nonConsumable: "non_consumable"
    case .autoRenewable: "auto_renewable"
    case .nonRenewing: "non_renewing"
    }
  }

  /// The kind in words for people.
  package var wording: Wording {
    switch self {
    case .consumable: "@shared.consumable"
    case .nonConsumable: "@shared.non-consumable"
    case .autoRenewable: "@shared.auto-renewable"
    case .nonRenewing: "@shared.non-renewing"
    }
  }
}

/// How a customer came by a transaction, by Apple's `inAppOwnershipType`.
package enum Ownership: UInt8, Hashable, Sendable {
  case purchased, familyShared
  /// A seat that an organisation or a group bought and gave to a member (App Store Server API 1.22,
  /// October 2026): the buyer's transaction has the money.
  case assigned
  /// A word of Apple's that is not known.
  case other
}

/// Which of Apple's environments a transaction was made in.
package enum StoreEnvironment: UInt8, Hashable, Sendable {
  case production, sandbox
  /// A word of Apple's that is not known: no production.
  case other
}

/// Where the facts of a transaction come from, the weakest source first: of two that contradict,
/// the stronger counts.
package enum FactSource: UInt8, Hashable, NamedWord, Comparable {
  /// The company's own table.
  case company
  /// Apple's fields without a signature that could be verified: payloads saved decoded.
  case unsigned
  /// A server notification of version 1, which is not signed.
  case notificationV1
  /// A verifyReceipt response.
  case receipt
  /// A payload whose signature and certificate chain were verified.
  case signed

  package var name: String {
    switch self {
    case .company: "company"
    case .unsigned: "unsigned"
    case .notificationV1: "notification_v1"
    case .receipt: "receipt"
    case .signed: "signed"
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Whether it claims to be Apple's word and has no signature that proves it.
  package var isUnprovenClaim: Bool { self != .company && self != .signed }

  /// The source in words for people, as who or what tells something.
  package var wording: Wording {
    switch self {
    case .company: "@facts.company-table"
    case .unsigned: "@facts.unsigned-payload"
    case .notificationV1: "@facts.notification"
    case .receipt: "@facts.receipt"
    case .signed: "@facts.signed-payload"
    }
  }
}

/// What made a subscription's period cheaper; the numbers are Apple's `offerType`.
package enum OfferKind: UInt8, Hashable, Sendable, CaseIterable {
  case introductory = 1, promotional, code, winBack
}

/// How Apple revoked a transaction; the names are Apple's `revocationType`.
package enum RevocationType: String, Hashable, Sendable, CaseIterable {
  case full = "REFUND_FULL"
  case prorated = "REFUND_PRORATED"
  /// Family Sharing ended: no money moves.
  case family = "FAMILY_REVOKE"
}
