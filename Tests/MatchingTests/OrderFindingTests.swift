import Billing
import Matching
import Support
import Testing

/// One case of a table: a world, and the findings of level 1 that it must raise.
struct OrderCase: Sendable, CustomTestStringConvertible {
  let name: String
  let build: @Sendable (inout World) -> Void
  let expected: [String]
  var testDescription: String { name }

  init(
    _ name: String, _ expected: String..., build: @escaping @Sendable (inout World) -> Void
  ) {
    self.name = name
    self.expected = expected.sorted()
    self.build = build
  }
}

struct OrderFindingTests {
  @Test(arguments: statusCases + identityCases + termsCases + nameCases + timeCases + chainCases)
  func raisesJustThat(_ example: OrderCase) {
    let world = World(example.build)
    #expect(world.orderLines() == example.expected)
    var random = SplitMix64(seed: 7)
    #expect(world.shuffled(&random).orderLines() == example.expected)
  }

  static let statusCases: [OrderCase] = [
    OrderCase("a pair raises nothing") { $0.pair("1") },
    OrderCase(
      "a transaction that nothing claims",
      "transaction-without-order CN CNY 2023-06-10 gems 2 60.00 | T1"
    ) { $0.transaction("T1", quantity: 2) },
    OrderCase("a trial without an order") {
      $0.transaction("T1", sku: "monthly", price: "0", trial: true)
    },
    OrderCase("a Sandbox purchase without an order") { $0.transaction("T1", sandbox: true) },
    OrderCase("a family-shared one without an order") { $0.transaction("T1", family: true) },
    OrderCase("another app's without an order") {
      $0.settings.bundleIDs = ["ours"]
      $0.transaction("T1", bundle: "theirs")
    },
    OrderCase("one of another month") { $0.transaction("T1", at: "2023-05-31T23:59:59") },
    OrderCase(
      "charged, and still created",
      "charged-not-fulfilled CN CNY 2023-06-10 gems 1 30.00 | O1 T1"
    ) { $0.pair("1", status: .created) },
    OrderCase(
      "charged, and cancelled", "charged-not-fulfilled CN CNY 2023-06-10 gems 3 90.00 | O1 T1"
    ) { $0.pair("1", quantity: 3, status: .cancelled) },
    OrderCase("cancelled, and refunded by Apple") {
      $0.pair("1", revoked: "2023-06-12T00:00:00", status: .cancelled)
    },
    OrderCase(
      "cancelled, and only upgraded",
      "charged-not-fulfilled CN CNY 2023-06-10 monthly 1 30.00 | O1 T1"
    ) {
      $0.order("O1", sku: "monthly", .cancelled, transaction: "T1")
      $0.transaction("T1", sku: "monthly", revoked: "2023-06-12T00:00:00", upgraded: true)
    },
    OrderCase("paid is not unfulfilled") { $0.pair("1", status: .paid) },
    OrderCase(
      "paid without a transaction",
      "order-without-transaction CN CNY 2023-06-10 gems 2 -60.00 | O1"
    ) { $0.order("O1", .paid, quantity: 2) },
    OrderCase(
      "naming a transaction that is not there",
      "order-without-transaction CN CNY 2023-06-10 gems 1 -30.00 | O1"
    ) { $0.order("O1", transaction: "T9") },
    OrderCase(
      "without a price it is the tier's",
      "order-without-transaction CN CNY 2023-06-10 gems 1 -30.00 | O1"
    ) { $0.order("O1", price: nil, currency: nil) },
    OrderCase("abandoned orders owe nothing") {
      $0.order("O1", .created)
      $0.order("O2", .cancelled)
      $0.order("O3", .refunded)
    },
    OrderCase("orders of another channel") { $0.order("O1", channel: "google") },
    OrderCase(
      "apple's channel by name", "order-without-transaction CN CNY 2023-06-10 gems 1 -30.00 | O1"
    ) { $0.order("O1", channel: "apple") },
    OrderCase(
      "refunded by Apple, still fulfilled",
      "refund-not-reversed CN CNY 2023-06-12 gems 1 -30.00 | O1 T1"
    ) { $0.pair("1", revoked: "2023-06-12T00:00:00", status: .fulfilled) },
    OrderCase(
      "bought before the period, refunded in it",
      "refund-not-reversed CN CNY 2023-06-12 gems 1 -30.00 | O1 T1"
    ) {
      $0.pair(
        "1", at: "2023-04-12T00:00:00", revoked: "2023-06-12T00:00:00", status: .paid)
    },
    OrderCase("refunded by both") { $0.pair("1", revoked: "2023-06-12T00:00:00") },
    OrderCase("upgraded is no refund") {
      $0.order("O1", sku: "monthly", transaction: "T1")
      $0.transaction("T1", sku: "monthly", revoked: "2023-06-12T00:00:00", upgraded: true)
    },
    OrderCase(
      "refunded by the company alone", "refunded-not-by-apple CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) { $0.pair("1", status: .refunded) },
  ]

  static let identityCases: [OrderCase] = [
    OrderCase(
      "one transaction for two orders",
      "transaction-reused CN CNY 2023-06-10 gems 1 -30.00 | O1 O2 T1"
    ) {
      $0.pair("1")
      $0.order("O2", at: "2023-06-11T12:00:00", transaction: "T1")
    },
    OrderCase(
      "the earliest placed keeps it and is judged",
      "charged-not-fulfilled CN CNY 2023-06-10 gems 1 30.00 | O1 T1",
      "transaction-reused CN CNY 2023-06-10 gems 1 -60.00 | O1 O2 O3 T1"
    ) {
      $0.order("O2", sku: "chest", at: "2023-06-10T12:00:01", transaction: "T1", quantity: 7)
      $0.order("O3", at: "2023-06-10T12:00:02", .paid, transaction: "T1")
      $0.order("O1", .created, transaction: "T1")
      $0.transaction("T1")
    },
    OrderCase(
      "the others cost nothing while they are created",
      "transaction-reused CN CNY 2023-06-10 gems 1 - | O1 O2 T1"
    ) {
      $0.pair("1")
      $0.order("O2", at: "2023-06-11T12:00:00", .created, transaction: "T1")
    },
    OrderCase(
      "a replay whose own transaction names it",
      "transaction-reused CN CNY 2023-06-10 gems 1 - | O1 O2 T1"
    ) {
      $0.pair("1")
      $0.order("O2", at: "2023-06-11T12:00:00", transaction: "T1")
      $0.transaction("T2", at: "2023-06-11T12:00:30", order: "O2")
    },
    OrderCase(
      "the reused transaction names the later order: nothing more to say",
      "transaction-reused CN CNY 2023-06-10 gems 1 -30.00 | O1 O2 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.order("O2", at: "2023-06-10T12:01:00", transaction: "T1")
      $0.transaction("T1", at: "2023-06-10T12:00:30", order: "O2")
    },
    OrderCase(
      "a Sandbox transaction fulfilled it", "sandbox-fulfilled CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", price: "68.00", sandbox: true)
    },
    OrderCase("Sandbox, and nothing delivered") {
      $0.order("O1", .created, transaction: "T1")
      $0.transaction("T1", sandbox: true)
    },
    OrderCase("Sandbox by an allowed user") {
      $0.settings.sandboxUsers = ["tester"]
      $0.order("O1", transaction: "T1", user: "tester")
      $0.transaction("T1", sandbox: true)
      $0.order("O2", transaction: "T2")
      $0.transaction("T2", user: "tester", sandbox: true)
    },
    OrderCase("Sandbox during App Review") {
      $0.settings.sandboxWindows = [
        .init(
          from: Instant(seconds: Int64(seconds("2023-06-10T12:00:30"))),
          to: Instant(seconds: Int64(seconds("2023-06-10T12:00:30"))))
      ]
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", sandbox: true)
    },
    OrderCase(
      "another app's receipt", "bundle-mismatch CN CNY 2023-06-10 chest 1 - | O1 T1"
    ) {
      $0.settings.bundleIDs = ["ours"]
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", sku: "chest", price: "68.00", bundle: "theirs")
    },
    OrderCase(
      "one of our apps, but not the order's",
      "bundle-mismatch CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.settings.bundleIDs = ["ours", "other"]
      $0.order("O1", transaction: "T1", bundle: "ours")
      $0.transaction("T1", bundle: "other")
    },
    OrderCase("bundles that are the same, or not told") {
      $0.settings.bundleIDs = ["ours"]
      $0.order("O1", transaction: "T1", bundle: "ours")
      $0.transaction("T1", bundle: "ours")
      $0.order("O2", transaction: "T2", bundle: "ours")
      $0.transaction("T2")
      $0.order("O3", transaction: "T3")
      $0.transaction("T3", bundle: "ours")
    },
    OrderCase(
      "fulfilled by a family-shared transaction",
      "family-shared-fulfilled CN CNY 2023-06-10 noads 1 - | O1 T1"
    ) {
      $0.order("O1", sku: "noads", transaction: "T1")
      $0.transaction("T1", sku: "noads", family: true)
    },
    OrderCase("family-shared, and nothing delivered") {
      $0.order("O1", sku: "noads", .created, transaction: "T1")
      $0.transaction("T1", sku: "noads", family: true)
    },
    OrderCase(
      "two rows tell different times and prices",
      "sources-contradict CN CNY 2023-06-10 gems 1 - | T1"
    ) {
      $0.pair("1")
      $0.transaction("T1", at: "2023-06-10T12:07:30", price: "68.00")
    },
    OrderCase("two rows tell the same, each a part") {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", price: nil, currency: nil, storefront: nil)
      $0.transaction("T1", order: "O1")
    },
    OrderCase(
      "the order names the transaction, that names another order",
      "order-without-transaction CN CNY 2023-06-10 gems 1 -30.00 | O2",
      "sources-contradict CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.order("O2")
      $0.transaction("T1", order: "O2")
    },
    OrderCase(
      "the transaction names the order, that names a transaction that is not there",
      "sources-contradict CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.order("O1", transaction: "T9")
      $0.transaction("T1", order: "O1")
    },
    OrderCase("the same order in two files: the furthest status counts") {
      $0.order("O1", .created, transaction: "T1", fulfilledAfter: nil)
      $0.order("O1", transaction: "T1")
      $0.transaction("T1")
    },
    OrderCase("a revocation once seen stays") {
      $0.order("O1", .refunded, transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00")
      $0.transaction("T1")
    },
  ]

  static let termsCases: [OrderCase] = [
    OrderCase("another SKU", "product-mismatch CN CNY 2023-06-10 chest 1 38.00 | O1 T1") {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", sku: "chest", price: "68.00")
    },
    OrderCase(
      "another quantity", "quantity-mismatch CN CNY 2023-06-10 gems 1 -60.00 | O1 T1"
    ) {
      $0.order("O1", transaction: "T1", quantity: 3, coins: 180)
      $0.transaction("T1", quantity: 1)
    },
    OrderCase("another price", "price-mismatch CN CNY 2023-06-10 gems 2 -76.00 | O1 T1") {
      $0.order("O1", transaction: "T1", price: "68.00", quantity: 2)
      $0.transaction("T1", quantity: 2)
    },
    OrderCase("another currency", "price-mismatch CN USD 2023-06-10 gems 1 - | O1 T1") {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", currency: "USD")
    },
    OrderCase("not the tier's", "price-mismatch CN CNY 2023-06-10 gems 1 5.00 | O1 T1") {
      $0.order("O1", transaction: "T1", price: "25.00")
      $0.transaction("T1", price: nil, currency: nil, storefront: nil)
    },
    OrderCase("without a tier there is no check") {
      $0.pair("1", sku: "loose", price: "12.34")
    },
    OrderCase("an introductory price is no tier's") {
      $0.order("O1", sku: "monthly", transaction: "T1", price: "6.00")
      $0.transaction("T1", sku: "monthly", price: "6.00", intro: true)
    },
    OrderCase("a trial has no price to compare") {
      $0.order("O1", sku: "monthly", transaction: "T1")
      $0.transaction("T1", sku: "monthly", price: "0", trial: true)
    },
    OrderCase("a derived price raises nothing") {
      $0.order("O1", transaction: "T1", price: nil, currency: nil)
      $0.transaction("T1", price: nil, currency: nil)
    },
    OrderCase("other coins", "coins-mismatch CN CNY 2023-06-10 gems 1 - | O1 T1") {
      $0.order("O1", transaction: "T1", coins: 61)
      $0.transaction("T1")
    },
    OrderCase("coins of two") {
      $0.order("O1", transaction: "T1", quantity: 2, coins: 120)
      $0.transaction("T1", quantity: 2)
    },
  ]

  /// Names of the company's own say nothing of what was delivered, as long as they are one to one.
  static let nameCases: [OrderCase] = [
    OrderCase(
      "own SKUs are one finding", "product-mismatch - - 2023-06-10 - 3 - | O1 O2 O3 T1 T2 T3"
    ) { world in for number in 1...3 { world.named("\(number)", "GOLD", "gems") } },
    OrderCase(
      "letter case alone", "product-mismatch - - 2023-06-10 - 3 - | O1 O2 O3 T1 T2 T3"
    ) { world in for number in 1...3 { world.named("\(number)", "Gems", "gems") } },
    OrderCase(
      "all else is judged as of any pair",
      "price-mismatch CN CNY 2023-06-10 gems 1 5.00 | O4 T4",
      "product-mismatch - - 2023-06-10 - 4 - | O1 O2 O3 O4 T1 T2 T3 T4"
    ) { world in
      for number in 1...3 { world.named("\(number)", "GOLD", "gems") }
      world.named("4", "GOLD", "gems", price: "25.00")
    },
    OrderCase(
      "an own SKU beside another product stands out",
      "product-mismatch - - 2023-06-10 - 10 - "
        + "| O1 O10 O2 O3 O4 O5 O6 O7 O8 O9 T1 T10 T2 T3 T4 T5 T6 T7 T8 T9",
      "product-mismatch CN CNY 2023-06-10 chest 1 - | O11 T11"
    ) { world in
      for number in 1...10 { world.named("\(number)", "GOLD", "gems") }
      world.named("11", "GOLD", "chest")
    },
    OrderCase(
      "two products under one SKU of Apple's",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O1 T1",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O2 T2",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O3 T3",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O4 T4",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O5 T5",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O6 T6"
    ) { world in
      for number in 1...6 { world.named("\(number)", number > 3 ? "BOX" : "GOLD", "gems") }
    },
    OrderCase(
      "a product of Apple's that is always another",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O1 T1",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O2 T2",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O3 T3"
    ) { world in for number in 1...3 { world.named("\(number)", "loose", "gems") } },
    OrderCase(
      "an app's own name is one finding",
      "bundle-mismatch - - 2023-06-10 - 3 - | O1 O2 O3 T1 T2 T3"
    ) { world in
      world.settings.bundleIDs = ["ours"]
      for number in 1...3 { world.named("\(number)", of: "game", in: "ours") }
    },
    OrderCase(
      "receipts of an app that is not ours, whatever the orders call theirs",
      "bundle-mismatch CN CNY 2023-06-10 gems 1 - | O1 T1",
      "bundle-mismatch CN CNY 2023-06-10 gems 1 - | O2 T2",
      "bundle-mismatch CN CNY 2023-06-10 gems 1 - | O3 T3"
    ) { world in
      world.settings.bundleIDs = ["ours"]
      for number in 1...3 { world.named("\(number)", of: "game", in: "theirs") }
    },
  ]

  static let timeCases: [OrderCase] = [
    OrderCase(
      "bought before the order", "purchase-before-order CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.order("O1", at: "2023-06-10T12:05:31", transaction: "T1")
      $0.transaction("T1", at: "2023-06-10T12:00:30")
    },
    OrderCase("clocks five minutes apart") {
      $0.order("O1", at: "2023-06-10T12:05:30", transaction: "T1")
      $0.transaction("T1", at: "2023-06-10T12:00:30")
    },
    OrderCase("fulfilled late", "late-fulfilment CN CNY 2023-06-10 gems 1 - | O1 T1") {
      $0.order("O1", transaction: "T1", fulfilledAfter: 3631)
      $0.transaction("T1")
    },
    OrderCase("fulfilled just in time") {
      $0.order("O1", transaction: "T1", fulfilledAfter: 3630)
      $0.transaction("T1")
    },
    OrderCase(
      "the accounting day is the company's",
      "transaction-without-order CN CNY 2023-06-01 gems 1 30.00 | T1"
    ) {
      $0.settings.businessZone = Zones.named("Asia/Shanghai")
      $0.transaction("T1", at: "2023-05-31T16:00:00")
      $0.transaction("T2", at: "2023-05-31T15:59:59")
      $0.transaction("T3", at: "2023-06-30T16:00:00")
    },
  ]

  @Test func aRefundedRenewalTellsItsPeriod() {
    func words(_ build: (inout World) -> Void) -> [String] {
      let world = World(build)
      return world.tieOut().orders.map(\.explanation.english)
    }
    #expect(
      words {
        $0.subscription("1", renewals: 1, revoked: "2023-06-20T00:00:00")
      } == [
        """
        Apple refunded the full price of the renewal paid from 2023-06-08T00:00:30Z to \
        2023-06-15T00:00:30Z at 2023-06-20T00:00:00Z for a reason other than an issue in the app; \
        renewals have no order; the subscription's first is fulfilled (source: your transactions \
        table)
        """
      ])
    #expect(
      words {
        $0.transaction(
          "T2", sku: "monthly", original: "T1", revoked: "2023-06-20T00:00:00", reason: "1")
      } == [
        """
        Apple refunded the full price of the renewal paid from 2023-06-10T12:00:30Z at \
        2023-06-20T00:00:00Z because of an issue in the app; renewals have no order, and the \
        subscription's first is not loaded (source: your transactions table)
        """
      ])
  }

  static let chainCases: [OrderCase] = [
    OrderCase("a renewal needs no order of its own") {
      $0.subscription("1", renewals: 2)
    },
    OrderCase("a renewal whose original is long gone") {
      $0.transaction("T2", sku: "monthly", original: "T1")
    },
    OrderCase(
      "a renewal refunded, the order stands",
      "renewal-refunded CN CNY 2023-06-20 monthly 1 -30.00 | O1 T1-1"
    ) {
      $0.subscription("1", at: "2023-05-15T00:00:00", renewals: 1, revoked: "2023-06-20T00:00:00")
    },
    OrderCase(
      "a renewal refunded that has an order of its own",
      "refund-not-reversed CN CNY 2023-06-20 monthly 1 -30.00 | O2 T1-1"
    ) {
      $0.subscription("1", at: "2023-05-15T00:00:00", renewals: 1, revoked: "2023-06-20T00:00:00")
      $0.order("O2", sku: "monthly", at: "2023-05-22T00:00:00", transaction: "T1-1")
    },
    OrderCase(
      "a renewal refunded whose first order is not loaded",
      "renewal-refunded CN CNY 2023-06-20 monthly 1 -30.00 | T2"
    ) {
      $0.transaction("T2", sku: "monthly", original: "T1", revoked: "2023-06-20T00:00:00")
    },
    OrderCase(
      "a renewal upgraded, Apple gave nothing back"
    ) {
      $0.transaction(
        "T2", sku: "monthly", original: "T1", revoked: "2023-06-20T00:00:00", upgraded: true)
    },
    OrderCase(
      "the first period refunded by both, the second by Apple alone",
      "renewal-refunded CN CNY 2023-06-20 monthly 1 -30.00 | O1 T1-1"
    ) {
      $0.order("O1", sku: "monthly", at: "2023-06-01T00:00:00", .refunded, transaction: "T1")
      for (id, at, revoked) in [("T1", "01", "02"), ("T1-1", "08", "20")] {
        $0.transaction(
          id, sku: "monthly", at: "2023-06-\(at)T00:00:30", original: "T1",
          revoked: "2023-06-\(revoked)T00:00:00")
      }
    },
    OrderCase("a renewal refunded by both") {
      $0.subscription("1", renewals: 1, revoked: "2023-06-20T00:00:00", .refunded)
    },
    OrderCase(
      "the order is refunded, nothing of its chain is: once",
      "refunded-not-by-apple CN CNY 2023-06-01 monthly 1 - | O1 T1"
    ) { $0.subscription("1", renewals: 2, .refunded) },
    OrderCase("price, product, quantity and times of renewals are not judged") {
      $0.order("O1", sku: "monthly", at: "2023-06-01T00:00:00", transaction: "T1")
      $0.transaction("T1", sku: "monthly", at: "2023-06-01T00:00:30")
      $0.transaction(
        "T2", sku: "yearly", at: "2023-06-20T00:00:30", price: "68.00", quantity: 2, original: "T1")
    },
    OrderCase("a restored subscription is the earlier transaction again") {
      $0.subscription("1", renewals: 1)
      $0.transaction(
        "T9", sku: "monthly", at: "2023-06-05T00:00:00", original: "T1", item: "item-1-0")
    },
    OrderCase("a restored non-consumable, claimed by its order") {
      $0.order("O1", sku: "noads", transaction: "T2")
      $0.transaction("T1", sku: "noads", at: "2023-06-10T11:59:00")
      $0.transaction("T2", sku: "noads", at: "2023-06-10T12:00:10", original: "T1")
    },
    OrderCase(
      "one subscription, two users",
      "subscription-shared CN CNY 2023-06-18 monthly 2 - | O1 T1 T1-1 T1-2"
    ) {
      $0.subscription("1", renewals: 1, user: "anna")
      $0.transaction(
        "T1-2", sku: "monthly", at: "2023-06-18T00:00:30", original: "T1", user: "ben")
    },
    OrderCase("the user of the order is the same") {
      $0.order("O1", sku: "monthly", at: "2023-06-01T00:00:00", transaction: "T1", user: "anna")
      $0.transaction("T1", sku: "monthly", at: "2023-06-01T00:00:30")
      $0.transaction("T2", sku: "monthly", at: "2023-06-21T00:00:30", original: "T1", user: "anna")
    },
    OrderCase(
      "users known from the orders only",
      "subscription-shared CN CNY 2023-06-21 monthly 2 - | O1 O2 T1 T2"
    ) {
      $0.order("O1", sku: "monthly", at: "2023-06-01T00:00:00", transaction: "T1", user: "anna")
      $0.transaction("T1", sku: "monthly", at: "2023-06-01T00:00:30")
      $0.order("O2", sku: "monthly", at: "2023-06-21T00:00:00", transaction: "T2", user: "ben")
      $0.transaction("T2", sku: "monthly", at: "2023-06-21T00:00:30", original: "T1")
    },
    OrderCase("two months are missing", "renewal-gap CN CNY 2023-06-15 monthly 2 - | T1 T2") {
      $0.transaction(
        "T1", sku: "monthly", at: "2023-03-15T08:00:00", expires: "2023-04-15T08:00:00")
      $0.transaction(
        "T2", sku: "monthly", at: "2023-06-15T07:58:00", original: "T1",
        expires: "2023-07-15T08:00:00")
      $0.order("O1", sku: "monthly", at: "2023-03-15T07:59:00", transaction: "T1")
    },
    OrderCase(
      "a month after a trial is missing", "renewal-gap CN CNY 2023-06-22 monthly 1 - | T1 T2"
    ) {
      $0.order("O1", sku: "monthly", at: "2023-05-15T07:59:00", transaction: "T1", price: "0")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-05-15T08:00:00", price: "0", expires: "2023-05-22T08:00:00",
        trial: true)
      $0.transaction(
        "T2", sku: "monthly", at: "2023-06-22T08:00:00", original: "T1",
        expires: "2023-07-22T08:00:00")
    },
    OrderCase("a lapse ends at any moment") {
      $0.order("O1", sku: "monthly", at: "2023-04-15T07:59:00", transaction: "T1")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-04-15T08:00:00", expires: "2023-05-15T08:00:00")
      $0.transaction("T2", sku: "monthly", at: "2023-06-02T08:00:00", original: "T1")
    },
    OrderCase("a refund ends a chain") {
      $0.order("O1", sku: "monthly", at: "2023-04-15T07:59:00", .refunded, transaction: "T1")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-04-15T08:00:00", expires: "2023-05-15T08:00:00",
        revoked: "2023-04-20T00:00:00")
      $0.transaction("T2", sku: "monthly", at: "2023-06-15T08:00:00", original: "T1")
    },
    OrderCase(
      "a trial twice in a group", "offer-reused CN CNY 2023-06-10 yearly 1 - | O2 T1 T2"
    ) {
      $0.order("O1", sku: "monthly", at: "2023-06-01T00:00:00", transaction: "T1", price: "0")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-06-01T00:00:30", price: "0", user: "anna", trial: true)
      $0.order("O2", sku: "yearly", transaction: "T2", price: "0", user: "anna")
      $0.transaction("T2", sku: "yearly", price: "0", trial: true)
    },
    OrderCase("trials of two users") {
      for (name, user) in [("1", "anna"), ("2", "ben")] {
        $0.order("O" + name, sku: "monthly", transaction: "T" + name, price: "0", user: user)
        $0.transaction("T" + name, sku: "monthly", price: "0", user: user, trial: true)
      }
    },
    OrderCase("an introduction that spans renewals") {
      $0.order("O1", sku: "monthly", at: "2023-06-01T00:00:00", transaction: "T1", price: "6.00")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-06-01T00:00:30", price: "6.00", user: "anna", intro: true)
      $0.transaction(
        "T2", sku: "monthly", at: "2023-06-08T00:00:30", price: "6.00", original: "T1",
        user: "anna", intro: true)
    },
  ]
}

extension World {
  /// A weekly chain of a first purchase and renewals; the last one may be revoked.
  mutating func subscription(
    _ number: String, at start: String = "2023-06-01T00:00:00", renewals: Int,
    revoked: String? = nil, _ status: OrderStatus = .fulfilled, user: String = ""
  ) {
    order(
      "O" + number, sku: "monthly", at: start, status, transaction: "T" + number, user: user)
    let week: Int64 = 7 * 86_400
    for index in 0...renewals {
      transaction(
        index == 0 ? "T" + number : "T\(number)-\(index)", sku: "monthly",
        at: later(start, 30 + Int64(index) * week), original: "T" + number,
        item: "item-\(number)-\(index)", expires: later(start, 30 + Int64(index + 1) * week),
        revoked: index == renewals ? revoked : nil, user: user)
    }
  }

  /// A price that is exactly that of all units is told as such, beside Apple's or the tier's.
  @Test(arguments: [
    ("60.00", 2, "30.00", true), ("90.00", 3, nil, true), ("60.00", 3, "30.00", false),
    ("60.00", 1, "30.00", false), ("45.00", 2, "30.00", false),
  ])
  func aTotalIsNoUnitPrice(price: String, quantity: Int32, paid: String?, isTotal: Bool) {
    let world = World {
      $0.order("O1", transaction: "T1", price: price, quantity: quantity)
      if let paid {
        $0.transaction("T1", price: paid, quantity: quantity)
      } else {
        $0.transaction("T1", price: nil, currency: nil, storefront: nil, quantity: quantity)
      }
    }
    let words = world.tieOut().orders.map(\.explanation.english)
    #expect(words.count == 1)
    #expect(words.first?.contains("the column may have line totals") == isTotal, "\(words)")
  }
}
