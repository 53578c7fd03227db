/// How far an order got; later cases are further.
package enum OrderStatus: UInt8, Hashable, Sendable, CaseIterable, Comparable {
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

  /// The status for a reader.
  package var wording: Wording {
    switch self {
    case .created: "created"
    case .paid: "paid"
    case .fulfilled: "fulfilled"
    case .refunded: "refunded"
    case .cancelled: "cancelled"
    }
  }

  package init?(name: some StringProtocol) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What an order says besides its ids and times; orders with the same terms share one value.
package struct OrderTerms: Hashable, Sendable {
  package var sku: String
  package var status: OrderStatus
  /// Units as they were said; 0 is "not said".
  package var saidQuantity: Int32
  /// Per unit, in micro-units; nil when the company did not say.
  package var unitPrice: Int64?
  package var currency: Currency?
  package var storefront: Storefront?
  /// Empty when not said.
  package var bundleID: String
  /// Empty when not said; anything but `apple` serves planning only.
  package var channel: String
  package var coins: Int64?
  /// Of the app that placed the order, as the company spells it; empty when not said.
  package var appVersion: String
  /// The customer's device or its kind; empty when not said.
  package var device: String

  package init(
    sku: String, status: OrderStatus, quantity: Int32 = 1, unitPrice: Int64? = nil,
    currency: Currency? = nil, storefront: Storefront? = nil, bundleID: String = "",
    channel: String = "", coins: Int64? = nil, appVersion: String = "", device: String = ""
  ) {
    self.sku = sku
    self.status = status
    saidQuantity = quantity
    self.unitPrice = unitPrice
    self.currency = currency
    self.storefront = storefront
    self.bundleID = bundleID
    self.channel = channel
    self.coins = coins
    self.appVersion = appVersion
    self.device = device
  }

  /// Units; 1 where nobody said.
  package var quantity: Int32 { max(saidQuantity, 1) }
  /// Whether the order belongs to Apple's channel.
  package var isApple: Bool { channel.isEmpty || channel == "apple" }
}

/// One row of the company's order table, with ids as slices of its block's text.
package struct OrderRow: Sendable {
  package var line: Int32
  package var terms: Int32
  package var orderID: TextSlice
  package var userID: TextSlice
  package var transactionID: TextSlice
  package var appAccountToken: TextSlice
  package var placedAt: Instant
  package var paidAt: Instant?
  package var fulfilledAt: Instant?

  package init(
    line: Int32, terms: Int32, orderID: TextSlice, userID: TextSlice, transactionID: TextSlice,
    appAccountToken: TextSlice, placedAt: Instant, paidAt: Instant?, fulfilledAt: Instant?
  ) {
    self.line = line
    self.terms = terms
    self.orderID = orderID
    self.userID = userID
    self.transactionID = transactionID
    self.appAccountToken = appAccountToken
    self.placedAt = placedAt
    self.paidAt = paidAt
    self.fulfilledAt = fulfilledAt
  }
}
