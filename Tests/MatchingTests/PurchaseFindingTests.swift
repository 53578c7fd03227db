import Billing
import Conclusions
import Matching
import Pricing
import Support
import Testing

/// One transaction from many sources: what counts, what contradicts, and what an order claims.
struct PurchaseFindingTests {
  @Test(
    arguments: mergeCases + revocationCases + proofCases + receiptCases + appCases + refundCases
      + chainCases)
  func raisesJustThat(_ example: OrderCase) {
    let world = World(example.build)
    #expect(world.orderLines() == example.expected)
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      #expect(world.shuffled(&random).orderLines() == example.expected)
    }
  }

  static let mergeCases: [OrderCase] = [
    OrderCase("a receipt adds nothing to a table that tells all") {
      $0.pair("1")
      $0.receipt("T1", order: "O1")
    },
    OrderCase("a receipt is cut to the second, the table rounds") {
      $0.pair("1")
      $0.receipt("T1", at: "2023-06-10T12:00:31")
    },
    OrderCase(
      "the signed time counts",
      "sources-contradict CN CNY 2023-06-09 gems 1 - | T1",
      "transaction-without-order CN CNY 2023-06-09 gems 1 30.00 | T1"
    ) {
      $0.transaction("T1", at: "2023-06-10T12:00:30")
      $0.transaction("T1", at: "2023-06-09T12:00:30", told: "2023-06-09T12:00:31") {
        $0.factSource = .signed
      }
    },
    OrderCase(
      "the receipt's SKU counts before the notification's and the table's",
      "product-mismatch CN CNY 2023-06-10 chest 1 - | O1 T1",
      "sources-contradict CN CNY 2023-06-10 chest 1 - | T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", price: nil)
      $0.transaction("T1", told: "2023-06-11T00:00:00") { $0.factSource = .notificationV1 }
      $0.receipt("T1", sku: "chest")
    },
    OrderCase(
      "a price in the table that is not the signed one",
      "sources-contradict CN CNY 2023-06-10 gems 1 - | T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", price: "25.00")
      $0.transaction("T1", told: "2023-06-11T00:00:00") { $0.factSource = .signed }
    },
    OrderCase(
      "Sandbox by Apple, whatever the table says",
      "sandbox-fulfilled CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.pair("1")
      $0.receipt("T1") { $0.environment = .sandbox }
    },
    OrderCase(
      "a later receipt does not know the revocation that an earlier one told",
      "refund-not-reversed CN CNY 2023-06-12 gems 1 -30.00 | O1 T1"
    ) {
      $0.order("O1")
      $0.receipt("T1", order: "O1", revoked: "2023-06-12T00:00:00")
      $0.receipt("T1", order: "O1", told: "2023-06-20T00:00:00")
    },
  ]

  static let revocationCases: [OrderCase] = [
    OrderCase(
      "the strongest witness dates a refund",
      "refund-not-reversed CN CNY 2023-06-12 gems 1 -30.00 | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", revoked: "2023-05-31T00:00:00")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00", told: "2023-06-12T00:00:01") {
        $0.factSource = .signed
      }
    },
    OrderCase(
      "a weaker source makes no upgrade of a refund",
      "refund-not-reversed CN CNY 2023-06-12 monthly 1 -30.00 | O1 T1"
    ) {
      $0.order("O1", sku: "monthly", transaction: "T1")
      $0.transaction("T1", sku: "monthly", revoked: "2023-06-12T00:00:00", upgraded: true)
      $0.transaction(
        "T1", sku: "monthly", revoked: "2023-06-12T00:00:00", told: "2023-06-12T00:00:01"
      ) { ($0.factSource, $0.revocationType) = (.signed, .full) }
    },
    OrderCase(
      "refunded again after a reversal",
      "refund-not-reversed CN CNY 2023-06-20 gems 1 -30.00 | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      for (told, revoked, isReversed) in [
        ("2023-06-12T00:00:01", "2023-06-12T00:00:00", false), ("2023-06-15T00:00:00", nil, true),
        ("2023-06-20T00:00:01", "2023-06-20T00:00:00", false),
      ] as [(String, String?, Bool)] {
        $0.transaction("T1", revoked: revoked, told: told) {
          ($0.factSource, $0.isRefundReversed) = (.signed, isReversed)
        }
      }
    },
    OrderCase(
      "a refund that is told of a restore is one of what was restored",
      "refund-not-reversed CN CNY 2023-06-20 monthly 1 -30.00 | O1 T1"
    ) {
      $0.order("O1", sku: "monthly", transaction: "T1")
      $0.transaction(
        "T1", sku: "monthly", original: "T1", item: "77", expires: "2023-07-10T12:00:30")
      $0.receipt(
        "T9", sku: "monthly", at: "2023-06-15T12:00:00", told: "2023-06-21T00:00:00",
        original: "T1", item: "77", expires: "2023-07-10T12:00:30", revoked: "2023-06-20T00:00:00")
    },
    OrderCase(
      "what was bought in the Sandbox restores nothing",
      "transaction-without-order CN CNY 2023-06-15 monthly 1 30.00 | T9"
    ) {
      $0.transaction(
        "T1", sku: "monthly", item: "77", expires: "2023-07-10T12:00:30", sandbox: true)
      $0.transaction(
        "T9", sku: "monthly", at: "2023-06-15T12:00:00", item: "77",
        expires: "2023-07-15T12:00:30")
    },
    OrderCase("a part without a type is a part") {
      $0.order("O1", .refunded, transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00") { $0.revocationPercentage = 50_000 }
    },
  ]

  /// A purchase that Apple signed, and what nobody signed tells against it.
  static let proofCases: [OrderCase] = [
    OrderCase(
      "an unsigned refund takes no signed purchase back",
      "sources-contradict CN CNY 2023-06-10 gems 1 - | T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.signed("T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00", told: "2023-06-12T00:00:01") {
        $0.factSource = .unsigned
      }
    },
    OrderCase(
      "nor does the company's own table, until a signed source tells it",
      "sources-contradict CN CNY 2023-06-10 gems 1 - | T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.signed("T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00")
    },
    OrderCase(
      "a signed source confirms the refund",
      "refund-not-reversed CN CNY 2023-06-12 gems 1 -30.00 | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.signed("T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00")
      $0.signed("T1", revoked: "2023-06-12T00:00:00", told: "2023-06-12T00:00:01")
    },
    OrderCase(
      "a purchase of an earlier month is told on the day of the refund",
      "sources-contradict CN CNY 2023-06-12 gems 1 - | T1"
    ) {
      $0.order("O1", at: "2023-05-20T12:00:00", transaction: "T1")
      $0.signed("T1", at: "2023-05-20T12:00:30")
      $0.transaction("T1", at: "2023-05-20T12:00:30", revoked: "2023-06-12T00:00:00")
    },
    OrderCase(
      "an unsigned restore takes no signed purchase back",
      "sources-contradict CN CNY 2023-06-10 monthly 1 - | T1 T9"
    ) {
      $0.order("O1", sku: "monthly", transaction: "T1")
      $0.transaction(
        "T1", sku: "monthly", original: "T1", item: "77", expires: "2023-07-10T12:00:30",
        told: "2023-06-10T12:00:31"
      ) { $0.factSource = .signed }
      $0.receipt(
        "T9", sku: "monthly", at: "2023-06-15T12:00:00", told: "2023-06-21T00:00:00",
        original: "T1", item: "77", expires: "2023-07-10T12:00:30", revoked: "2023-06-20T00:00:00")
    },
    OrderCase("an unsigned record moves no signed transaction to another chain") {
      $0.order("O1", sku: "monthly", transaction: "T7")
      $0.transaction(
        "T7", sku: "monthly", original: "T7", item: "77", expires: "2023-07-10T12:00:30",
        told: "2023-06-10T12:00:31"
      ) { $0.factSource = .signed }
      $0.transaction(
        "T7", sku: "monthly", original: "T1", item: "11", told: "2023-06-11T00:00:00"
      ) { $0.factSource = .unsigned }
    },
    OrderCase(
      "an unsigned transaction alone counts, unless signatures are required",
      "transaction-without-order CN CNY 2023-06-10 gems 1 9999.00 | T1"
    ) {
      $0.transaction("T1", price: "9999.00", told: "2023-06-11T00:00:00") {
        $0.factSource = .unsigned
      }
    },
    OrderCase("where signatures are required it is no sale") {
      $0.settings.requireSigned = true
      $0.transaction("T1", price: "9999.00", told: "2023-06-11T00:00:00") {
        $0.factSource = .unsigned
      }
      $0.receipt("T2")
    },
    OrderCase(
      "and its order stands without a payment",
      "order-without-transaction CN CNY 2023-06-10 gems 1 -30.00 | O1 T1"
    ) {
      $0.settings.requireSigned = true
      $0.order("O1")
      $0.receipt("T1", order: "O1")
    },
    OrderCase("the company's table stays the company's word, which no unsigned record changes") {
      $0.settings.requireSigned = true
      $0.pair("1")
      $0.transaction("T1", sku: "chest", price: "1.00", told: "2023-06-11T00:00:00") {
        $0.factSource = .unsigned
      }
      $0.receipt("T1", revoked: "2023-06-12T00:00:00")
    },
    OrderCase("a receipt still tells which order it came in with") {
      $0.settings.requireSigned = true
      $0.order("O1")
      $0.signed("T1")
      $0.receipt("T1", sku: "chest", order: "O1")
    },
  ]

  @Test func `each finding names its strongest source`() {
    let world = World {
      $0.order("O1", .created, transaction: "T1")
      $0.transaction("T1")
      $0.signed("T1")
      $0.transaction("T2", told: "2023-06-11T00:00:00") { $0.factSource = .unsigned }
      $0.transaction("T3")
    }
    let (book, details) = world.claims()
    let said = OrderTieOut.findings(book, details: details, context: world.context)
      .map(\.explanation.english)
    #expect(said.count == 3)
    for source in [
      "(source: the signed payload)", "(source: your transactions table)",
      "(source: the unsigned payload, no proof on its own)",
    ] { #expect(said.count { $0.hasSuffix(source) } == 1, "\(source)") }
  }

  @Test func `what only unsigned words take back counts as sold`() {
    let world = World {
      $0.signed("T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00") { $0.factSource = .unsigned }
    }
    let (book, _) = world.claims()
    let kept = book.transactions.indices.filter { book.orderOf[$0] != .merged }
    #expect(kept.map { book.transactions[$0].revokedAt } == [0])
  }

  static let receiptCases: [OrderCase] = [
    OrderCase("a receipt's only transaction belongs to its order") {
      $0.order("O1")
      $0.receipt("T1", order: "O1")
    },
    OrderCase(
      "whatever its SKU", "product-mismatch CN CNY 2023-06-10 chest 1 38.00 | O1 T1"
    ) {
      $0.order("O1")
      $0.receipt("T1", sku: "chest", order: "O1")
    },
    OrderCase("of many the latest of the SKU that was bought before") {
      $0.order("O0", at: "2023-06-09T12:00:00", transaction: "T0")
      $0.order("O1")
      $0.order("O2", at: "2023-06-10T18:00:00", transaction: "T2")
      for (id, sku, time) in [
        ("T0", "gems", "2023-06-09T12:00:30"), ("T1", "gems", "2023-06-10T12:00:30"),
        ("T2", "gems", "2023-06-10T18:00:30"), ("T3", "chest", "2023-06-10T12:00:45"),
      ] {
        $0.receipt(id, sku: sku, at: time, order: "O1", of: 4)
      }
      $0.order("O3", sku: "chest", transaction: "T3", price: nil)
    },
    OrderCase(
      "a receipt of many without the SKU claims nothing",
      "order-without-transaction CN CNY 2023-06-10 gems 1 -30.00 | O1",
      "transaction-without-order - - 2023-06-10 chest 1 - | T1"
    ) {
      $0.order("O1")
      $0.receipt("T1", sku: "chest", order: "O1", of: 2)
    },
    OrderCase("the earliest receipt that has one counts") {
      $0.order("O1")
      $0.receipt("T1", order: "O1", of: 1, told: "2023-06-10T12:01:00")
      $0.receipt("T1", order: "O1", of: 2, told: "2023-06-11T12:01:00")
      $0.receipt("T2", at: "2023-06-11T12:00:00", order: "O1", of: 2, told: "2023-06-11T12:01:00")
      $0.order("O2", at: "2023-06-11T11:59:00", transaction: "T2")
    },
    OrderCase(
      "a replayed receipt", "transaction-reused CN CNY 2023-06-10 gems 1 -30.00 | O1 O2 T1"
    ) {
      $0.order("O1")
      $0.order("O2", at: "2023-06-14T12:00:00", fulfilledAfter: 60)
      $0.receipt("T1", order: "O1")
      $0.receipt("T1", order: "O2", told: "2023-06-14T12:00:30")
    },
    OrderCase(
      "a replayed receipt takes nothing from an order that got a transaction of its own",
      "transaction-reused CN CNY 2023-06-10 gems 1 -30.00 | O1 O2 O3 T1"
    ) {
      $0.pair("1")
      $0.order("O2", at: "2023-06-11T12:00:00", transaction: "T1")
      $0.transaction("T2", at: "2023-06-11T12:00:30", order: "O2")
      $0.order("O3", at: "2023-06-14T12:00:00", fulfilledAfter: 60)
      $0.receipt("T1", order: "O3", told: "2023-06-14T12:00:30")
    },
    OrderCase("a receipt of which nobody told when it came") {
      $0.order("O1")
      $0.receipt("T1", order: "O1", of: 2, told: nil)
    },
    OrderCase("a receipt read again later: the order bought what the renewal renews") {
      $0.order("O1", sku: "monthly")
      for (id, time, expires) in [
        ("T1", "2023-06-10T12:00:30", "2023-06-17T12:00:30"),
        ("T2", "2023-06-17T12:00:30", "2023-06-24T12:00:30"),
      ] {
        $0.receipt(
          id, sku: "monthly", at: time, order: "O1", of: 2, told: "2023-06-20T00:00:00",
          original: "T1", item: "W" + id, expires: expires)
      }
    },
    OrderCase(
      "the same SKU of another app",
      "product-mismatch CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.facts.products = $0.facts.products.map { product in
        var product = product
        if product.sku == "gems" { product.appleIdentifier = "1001" }
        return product
      }
      $0.order("O1")
      $0.receipt("T1", order: "O1") { $0.itemID = "2002" }
      $0.order("O2", at: "2023-06-10T15:00:00")
      $0.receipt("T2", at: "2023-06-10T15:00:30", order: "O2", told: "2023-06-10T15:01:00") {
        $0.itemID = "1001"
      }
    },
  ]

  static let appCases: [OrderCase] = [
    OrderCase(
      "one receipt in thirty is another app's", "bundle-mismatch CN CNY 2023-06-10 gems 1 - | O7 T7"
    ) { world in
      for number in 0..<30 {
        let time = "2023-06-10T10:\(number + 10):00"
        world.order("O\(number)", at: time, transaction: "T\(number)")
        world.receipt("T\(number)", at: later(time, 30)) {
          $0.bundleID = "com.example"
          $0.appItemID = number == 7 ? "9999" : "1234"
        }
      }
    },
    OrderCase("two apps share a bundle's name too often to tell which is the other") { world in
      for number in 0..<10 {
        let time = "2023-06-10T10:\(number + 10):00"
        world.order("O\(number)", at: time, transaction: "T\(number)")
        world.receipt("T\(number)", at: later(time, 30)) {
          $0.bundleID = "com.example"
          $0.appItemID = number < 2 ? "9999" : "1234"
        }
      }
    },
  ]

  static let refundCases: [OrderCase] = [
    OrderCase(
      "half is given back", "refund-not-reversed CN CNY 2023-06-12 gems 1 -15.00 | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00") {
        ($0.revocationType, $0.revocationPercentage) = (.prorated, 50_000)
      }
    },
    OrderCase(
      "a third, rounded to the fen", "refund-not-reversed CN CNY 2023-06-12 gems 1 -10.00 | O1 T1"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00") {
        ($0.revocationType, $0.revocationPercentage) = (.prorated, 33_333)
      }
    },
    OrderCase("a refund that was reversed") {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00", told: "2023-06-12T00:00:01") {
        $0.factSource = .signed
      }
      $0.transaction("T1", told: "2023-06-20T00:00:00") {
        ($0.factSource, $0.isRefundReversed) = (.signed, true)
      }
    },
    OrderCase(
      "reversed, and the order still refunded",
      "refunded-not-by-apple CN CNY 2023-06-10 gems 1 - | O1 T1"
    ) {
      $0.order("O1", .refunded, transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00") { $0.isRefundReversed = true }
    },
    OrderCase("Family Sharing ended") {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", revoked: "2023-06-12T00:00:00") { $0.revocationType = .family }
    },
  ]

  static let chainCases: [OrderCase] = [
    OrderCase(
      "a month is missing, and nobody tells why",
      "renewal-gap CN CNY 2023-06-15 monthly 1 - | T1 T2"
    ) { gap(&$0) },
    OrderCase("a month without payment, while the charge was tried again") {
      gap(&$0)
      $0.renewal(
        of: "T1", told: "2023-05-15T12:00:00",
        RenewalTerms(factSource: .receipt, isInBillingRetry: true))
    },
    OrderCase("a month without payment, because the customer had cancelled") {
      gap(&$0)
      $0.renewal(
        of: "T1", told: "2023-05-15T00:00:00",
        RenewalTerms(factSource: .signed, willRenew: false, expirationIntent: 1))
    },
    OrderCase(
      "what was told of another chain, or long before, explains nothing",
      "renewal-gap CN CNY 2023-06-15 monthly 1 - | T1 T2"
    ) {
      gap(&$0)
      $0.renewal(
        of: "T9", told: "2023-05-15T12:00:00",
        RenewalTerms(factSource: .receipt, isInBillingRetry: true))
      $0.renewal(
        of: "T1", told: "2023-04-20T12:00:00", RenewalTerms(factSource: .receipt, willRenew: false))
    },
    OrderCase(
      "one subscription in the receipts of two users",
      "subscription-shared CN CNY 2023-06-10 monthly 2 - | O1 T1"
    ) {
      $0.order("O1", sku: "monthly", user: "ann")
      $0.receipt(
        "T1", sku: "monthly", order: "O1", item: "W1", expires: "2023-07-10T12:00:30", user: "ann")
      $0.receipt(
        "T1", sku: "monthly", told: "2023-06-15T00:00:00", item: "W1",
        expires: "2023-07-10T12:00:30", user: "bob")
    },
    OrderCase(
      "a promotional offer may be taken again",
      "offer-reused CN CNY 2023-06-20 monthly 1 - | O2 T1 T2"
    ) {
      for (id, day, offer) in [
        ("1", 10, OfferKind.introductory), ("2", 20, .introductory), ("3", 25, .promotional),
      ] {
        let time = "2023-06-\(day)T12:00:00"
        $0.order("O" + id, sku: "monthly", at: time, transaction: "T" + id, price: "0", user: "ann")
        $0.transaction(
          "T" + id, sku: "monthly", at: later(time, 30), price: "0", expires: later(time, 259_200),
          trial: true
        ) { $0.offer = offer }
      }
    },
  ]

  /// A monthly subscription whose second period is missing.
  private static func gap(_ world: inout World) {
    world.order("O1", sku: "monthly", at: "2023-04-15T12:00:00", transaction: "T1")
    world.transaction(
      "T1", sku: "monthly", at: "2023-04-15T12:00:30", original: "T1", item: "W1",
      expires: "2023-05-15T12:00:30")
    world.transaction(
      "T2", sku: "monthly", at: "2023-06-15T12:00:30", original: "T1", item: "W2",
      expires: "2023-07-15T12:00:30")
  }
}

/// What the period's subscriptions were at its end.
struct SubscriptionSurveyTests {
  @Test func eachStateIsKnown() throws {
    let world = World { world in
      func buy(
        _ id: String, _ expires: String?, revoked: String? = nil,
        _ more: (inout TransactionTerms) -> Void = { _ in }
      ) {
        world.transaction(
          id, sku: "monthly", at: "2023-06-01T12:00:00", item: "W" + id, expires: expires,
          revoked: revoked, more)
      }
      buy("active", "2023-07-01T12:00:00")
      buy("endless", nil)
      buy("trial", "2023-07-01T12:00:00") { $0.saysTrial = true }
      buy("intro", "2023-07-01T12:00:00") { $0.saysIntro = true }
      buy("over", "2023-06-08T12:00:00")
      buy("grace", "2023-06-28T12:00:00")
      buy("retry", "2023-06-28T12:00:00")
      buy("refunded", "2023-07-01T12:00:00", revoked: "2023-06-03T00:00:00")
      buy("reversed", "2023-07-01T12:00:00", revoked: "2023-06-03T00:00:00") {
        $0.isRefundReversed = true
      }
      buy("later", "2023-07-01T12:00:00", revoked: "2023-07-03T00:00:00")
      world.transaction("gems", sku: "gems")
      world.renewal(
        of: "grace", told: "2023-06-28T12:00:05",
        RenewalTerms(factSource: .signed, isInBillingRetry: true), grace: "2023-07-14T12:00:00")
      world.renewal(
        of: "retry", told: "2023-06-28T12:00:05",
        RenewalTerms(factSource: .signed, isInBillingRetry: true))
      world.renewal(
        of: "active", told: "2023-06-20T12:00:05",
        RenewalTerms(factSource: .signed, nextSKU: "yearly", willRenew: false))
      world.renewal(
        of: "active", told: "2023-07-02T12:00:05",
        RenewalTerms(factSource: .signed, willRenew: true))
    }
    let survey = world.survey()
    let states = Dictionary(
      uniqueKeysWithValues: survey.chains().map {
        (world.transactionNames[Int($0.transactions[0].number) - 1], $0.line)
      })
    #expect(
      states.mapValues { $0.state.wording.english } == [
        "active": "active", "endless": "active", "trial": "free trial",
        "intro": "introductory price", "over": "expired", "grace": "grace period",
        "retry": "billing retry", "refunded": "refunded", "reversed": "active", "later": "active",
      ])
    #expect(states["active"]?.willRenew == false && states["active"]?.nextSKU == "yearly")
    #expect(states["refunded"]?.amount == 0 && states["active"]?.amount == 30_000_000)
    #expect(survey.counts.reduce(0) { $0 + $1.chains } == 10)
    #expect(survey.counts.first { $0.state == .active }?.ending == 1)
    // Of many chains those are listed that began with some transactions.
    let one = try #require(survey.chains().first { $0.line.state == .trial })
    let listed = survey.chains(of: [IDKey("trial"), IDKey("gems")])
    #expect(listed.map(\.transactions) == [one.transactions] && survey.chainCount == 10)
  }

  @Test func theLatestPeriodOfAChainDecides() {
    let world = World { world in
      world.order("O1", sku: "monthly", at: "2023-05-01T12:00:00", transaction: "T1", user: "ann")
      world.transaction(
        "T1", sku: "monthly", at: "2023-05-01T12:00:30", original: "T1", item: "W1",
        expires: "2023-06-01T12:00:30")
      world.transaction(
        "T2", sku: "monthly", at: "2023-06-01T12:00:30", price: "68.00", original: "T1",
        item: "W2", expires: "2023-07-01T12:00:30", revoked: "2023-06-11T12:00:00",
        upgraded: true)
      world.transaction(
        "T3", sku: "yearly", at: "2023-06-11T12:00:00", price: "68.00", original: "T1",
        item: "W3", expires: "2024-06-11T12:00:00")
      world.transaction(
        "T4", sku: "monthly", at: "2023-05-30T12:00:00", item: "W9",
        expires: "2023-06-30T12:00:00")
    }
    let survey = world.survey()
    #expect(survey.chains().count == 1)
    let line = survey.chains()[0].line
    #expect(line.sku == "yearly" && line.state == .active && line.boughtInPeriod == 2)
    #expect(line.firstBoughtOn == Day("2023-05-01") && line.lastBoughtOn == Day("2023-06-11"))
    #expect(line.amount == 136_000_000 && line.subscriptionGroup == "vip")
  }

  @Test func refundsAreListed() {
    let world = World { world in
      world.reports()
      world.pair("1", revoked: "2023-06-12T10:00:00", status: .fulfilled)
      world.sale(units: -1, price: "30.00")
      world.pair("2", at: "2023-05-20T12:00:00", revoked: "2023-06-14T10:00:00")
      world.transaction("T3", revoked: "2023-06-13T00:00:00", upgraded: true)
      world.transaction("T4", at: "2023-06-12T09:00:00", revoked: "2023-06-12T11:00:00") {
        ($0.revocationType, $0.revocationPercentage) = (.prorated, 25_000)
      }
      world.sale("gems", on: "2023-06-12", units: -1)
    }
    let refunds = world.tieOut().sales.refunds()
    let lines = refunds.map { finding in
      let name = world.transactionNames[Int(finding.transactions[0].number) - 1]
      return "\(name) \(finding.line.refundedOn) "
        + "\(finding.line.age) \(finding.line.amount ?? 0) \(finding.line.reportDay) "
        + "\(finding.line.isReported.map(String.init) ?? "-") \(finding.line.isDeliveredAndKept)"
    }
    #expect(
      lines == [
        "T1 2023-06-12 2 30000000 2023-06-12 true true",
        "T4 2023-06-12 0 7500000 2023-06-12 - false",
        "T2 2023-06-14 25 30000000 2023-06-14 false false",
      ])
  }
}
