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
  /// Which coin ``coins`` are; empty is the only one.
  package var coin: String

  package init(
    sku: String, status: OrderStatus, quantity: Int32 = 1, unitPrice: Int64? = nil,
    currency: Currency? = nil, storefront: Storefront? = nil, bundleID: String = "",
    channel: String = "", coins: Int64? = nil, appVersion: String = "", device: String = "",
    coin: String = ""
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
    self.coin = coin
  }

  /// Units; 1 where nobody said.
  package var quantity: Int32 { max(saidQuantity, 1) }
  /// Whether the order belongs to Apple's channel.
  package var isApple: Bool { channel.isEmpty || channel.lowercased() == "apple" }
  /// Whether the name of another channel looks like one for Apple's In-App Purchase.
  package static func mayBeApples(_ channel: String) -> Bool {
    let name = channel.lowercased().filter { $0.isLetter || $0.isNumber }
    return ["apple", "ios", "iap", "itunes", "appstore", "苹果"].contains { name.contains($0) }
      && !name.contains("applepay")
  }
}

extension OrderTerms: OfProduct {
  package var appMarks: [AppMark] { [.bundle(bundleID)] }
}

extension OrderTerms: ListedRow {
  package static let blank = OrderTerms(sku: "", status: .created)

  package static let columns: [CompanyColumn<Self>] = [
    .orderID("@company.order-id-in-your-shop", required: true),
    .sku(.code(\.sku)),
    CompanyColumn(
      "status", .status(\.status), required: true,
      "@company.created-paid-fulfilled-refunded", "fulfilled",
      called: [
        "state", "order_status", "order_state", "financial_status", "pay_status", "状态", "订单状态",
        "Zustand", "État", "注文ステータス", "ステータス", "状態",
      ], view: "@view.created-paid-fulfilled-refunded"),
    CompanyColumn(
      "placed_at", .own(.time), required: true,
      "@company.when-the-customer-placed", "2023-06-12T02:00:00Z",
      called: [
        "created_at", "create_at", "created", "date_created", "date_created_gmt", "create_time",
        "gmt_create", "creation_time", "order_time", "ordered_at", "order_date", "datetime",
        "timestamp",
        "下单时间", "创建时间", "订单时间", "Datum", "Bestelldatum", "Erstellt", "Erstellt_am",
        "Bestellt_am", "注文日時",
      ], view: "@view.when-it-was-placed-utc"),
    .quantity(.quantity(\.saidQuantity)),
    .unitPrice(.price(.ifSaid(\.unitPrice))),
    .currency(.currency(.ifSaid(\.currency))),
    .storefront(.storefront(.ifSaid(\.storefront))),
    .bundleID(.code(\.bundleID)),
    CompanyColumn(
      "channel", .code(\.channel),
      "@company.where-it-was-paid",
      "apple",
      called: [
        "payment_method", "pay_channel", "payment_channel", "payment_gateway", "sales_channel",
        "渠道",
        "Vertriebsweg", "Kanal",
      ],
      view: "@view.empty-or-apple"),
    .coins(
      .count(\.coins), "@company.virtual-currency-that-the-order", view: "@view.what-was-granted"),
    .userID,
    CompanyColumn(
      "paid_at", .own(.time), "@company.when-the-order-was-paid", "2023-06-12T02:00:10Z",
      called: [
        "paid", "date_paid", "date_paid_gmt", "processed_at", "pay_time", "payment_time", "支付时间",
        "付款时间", "Bezahlt", "支払日時",
      ], view: "@view.when-it-was-paid-utc"),
    CompanyColumn(
      "fulfilled_at", .own(.time), "@company.when-it-was-delivered", "2023-06-12T02:00:15Z",
      called: [
        "date_completed", "date_completed_gmt", "completed_at", "delivered_at", "delivered",
        "shipped_at", "deliver_time", "delivery_time", "发货时间", "Geliefert", "Geliefert_am",
      ], view: "@view.when-it-was-fulfilled-utc"),
    .transactionID(
      "@company.apple-transaction", view: "@view.apple-transaction-that-the-order"),
    .appAccountToken,
    CompanyColumn(
      "app_version", .code(\.appVersion), "@company.version-of-the-app-that-placed", "2.3.1",
      view: "@view.version-of-the-app-that-placed"),
    CompanyColumn(
      "device", .text(\.device), "@company.device-that-placed-the-order", "iPhone14,5",
      view: "@view.device-that-placed"),
    .coin(.code(\.coin)),
  ]
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

  @inlinable @inline(__always) package init(
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
