import Billing
import Support
import Testing

@testable import Reading

/// Goal: what the App Store signed is taken with all that it says, what does not verify is refused
/// for its reason, and what was saved decoded is told apart. Method: an authority made on the spot.
@Suite struct PayloadTests {
  private static let authority = Authority()
  private static let time = Authority.moment.seconds * 1000

  private func hints(_ bundles: Set<String> = []) throws -> ReadingHints {
    ReadingHints(roots: [try Self.authority.root()], bundleIDs: bundles)
  }

  private func jws(_ payload: String, by authority: Authority = Self.authority) throws -> String {
    try Compact(payload, chain: authority.chain(), key: authority.leafKey).text
  }

  private static func transaction(_ more: String = "") -> String {
    "{\"transactionId\":\"1\",\"originalTransactionId\":\"1\",\"bundleId\":\"com.example\","
      + "\"productId\":\"gems\",\"purchaseDate\":\(time),\"signedDate\":\(time)"
      + (more.isEmpty ? "" : ",\(more)") + "}"
  }

  private static func renewal(_ more: String = "") -> String {
    "{\"originalTransactionId\":\"1\",\"productId\":\"month\",\"autoRenewProductId\":\"year\","
      + "\"autoRenewStatus\":1,\"isInBillingRetryPeriod\":true,\"expirationIntent\":2,"
      + "\"gracePeriodExpiresDate\":\(time),\"signedDate\":\(time)"
      + (more.isEmpty ? "" : ",\(more)") + "}"
  }

  private static func notification(_ data: String, type: String = "DID_RENEW") -> String {
    "{\"notificationType\":\"\(type)\",\"subtype\":\"BILLING_RECOVERY\","
      + "\"notificationUUID\":\"N-1\",\"version\":\"2.0\","
      + "\"signedDate\":\(time),\"data\":{\"appAppleId\":774384491,"
      + "\"bundleId\":\"com.example\",\"environment\":\"Production\"\(data)}}"
  }

  @Test func notificationIsReadWithWhatItHolds() throws {
    let transaction = try jws(
      Self.transaction(
        """
        "webOrderLineItemId":"7","subscriptionGroupIdentifier":"55","expiresDate":\
        \(Self.time + 2_678_400_000),"quantity":1,"type":"Auto-Renewable Subscription",\
        "appAccountToken":"7E3FB20B-4CDB","inAppOwnershipType":"PURCHASED",\
        "environment":"Production","storefront":"CHN","storefrontId":"143465",\
        "price":30000,"currency":"CNY",\
        "transactionReason":"RENEWAL","anotherField":{"a":[1]}
        """))
    let renewal = try jws(Self.renewal())
    let body = Self.notification(
      ",\"signedTransactionInfo\":\"\(transaction)\",\"signedRenewalInfo\":\"\(renewal)\"")
    let text = "{\"signedPayload\":\"\(try jws(body))\"}"
    let escaped = text.replacing("\"", with: "\\\"")
    for form in [
      text, "{\"received_at\":1,\"body\":\(text)}", "{\"received_at\":1,\"body\":\"\(escaped)\"}",
      "[\(text)]", "{\"notificationHistory\":[\(text.dropLast()),\"sendAttempts\":[]}]}",
    ] {
      let outcome = try read(
        form.replacing("received_at\":1", with: "received_at\":1687163400"),
        hints: hints(["com.example"]))
      #expect(outcome.reading.diagnostics.map(describe) == [])
      let (row, terms, text) = try #require(outcome.transactions.first)
      #expect(
        terms
          == TransactionTerms(
            factSource: .signed, sku: "gems", bundleID: "com.example", kind: .autoRenewable,
            unitPrice: 30_000_000, currency: Currency("CNY"), storefront: Storefront("CN"),
            isTrial: false, isIntro: false, ownership: .purchased, environment: .production,
            appItemID: "774384491", subscriptionGroup: "55"))
      #expect(row.observedAt == Authority.moment && row.purchasedAt == Authority.moment)
      #expect(text(row.appAccountToken) == "7e3fb20b-4cdb" && text(row.webOrderLineItemID) == "7")
      let message = try #require(outcome.messages.first)
      #expect(
        message.terms
          == MessageTerms(
            factSource: .signed, type: "DID_RENEW", subtype: "BILLING_RECOVERY",
            environment: .production, bundleID: "com.example"))
      #expect(message.text(message.row.uuid) == "N-1" && message.row.observedAt == Authority.moment)
      #expect(
        outcome.renewals.map(\.terms) == [
          RenewalTerms(
            factSource: .signed, sku: "month", nextSKU: "year", willRenew: true,
            expirationIntent: 2,
            isInBillingRetry: true)
        ])
      #expect(outcome.renewals[0].row.graceExpiresAt == Authority.moment)
      #expect(
        outcome.tallies == [
          "notifications DID_RENEW/BILLING_RECOVERY 1", "renewals 1",
          "signed payloads 3", "transactions 1",
        ])
      #expect(
        outcome.reading.totals == [
          ReadingTotal(currency: Currency("CNY"), units: 1, gross: 30_000_000, proceeds: 0)
        ])
    }
  }

  @Test(arguments: [
    ("JWS", "transaction", 1), ("JWS\nJWS2\n", "transaction", 2),
    ("[\"JWS\",\"JWS2\"]", "transaction", 2),
    ("\"JWS\"\n\"JWS2\"", "transaction", 2),
    ("{\"signedTransactionInfo\":\"JWS\"}", "transaction", 1),
    (
      "{\"revision\":\"r\",\"bundleId\":\"com.example\",\"signedTransactions\":[\"JWS\",\"JWS2\"]}",
      "history", 2
    ),
    ("{\"signedTransactions\":[]}", "history", 0),
    ("{\"signedTransactionInfo\":\"JWS\",\"signedRenewalInfo\":\"RENEWAL\"}", "transaction", 1),
    ("{\"signedRenewalInfo\":\"RENEWAL\"}", "renewal", 0), ("RENEWAL", "renewal", 0),
    (
      "{\"environment\":\"Production\",\"bundleId\":\"com.example\",\"data\":["
        + "{\"lastTransactions\":[{\"status\":1,\"signedTransactionInfo\":\"JWS\","
        + "\"signedRenewalInfo\":\"RENEWAL\"}]}]}",
      "statuses", 1
    ),
    ("{\"lastTransactions\":[{\"signedTransactionInfo\":\"JWS\"}]}", "statuses", 1),
    ("APP", "app-transaction", 0), ("OTHER", "unknown", 0), ("NULL", "empty", 0),
    ("{\"signedTransactionInfo\":\"JWS\",\"signedRenewalInfo\":\"NULL\"}", "transaction", 1),
    ("{\"signedRenewalInfo\":null,\"signedTransactionInfo\":\"JWS\"}", "transaction", 1),
  ])
  func waysOfSavingAreRead(form: String, type: String, transactions: Int) throws {
    let words = [
      "JWS2": try jws(Self.transaction("\"quantity\":2")), "JWS": try jws(Self.transaction()),
      "RENEWAL": try jws(Self.renewal()),
      "APP": try jws(
        "{\"receiptType\":\"Production\",\"bundleId\":\"com.example\",\"receiptCreationDate\":"
          + "\(Self.time)}"),
      "OTHER": try jws("{\"signedDate\":\(Self.time),\"news\":1}"), "NULL": try jws("null"),
    ]
    // In one go: a signature may have one of the words in it.
    let text = form.replacing(#/JWS2|JWS|RENEWAL|APP|OTHER|NULL/#) { words[String($0.output)]! }
    let outcome = try read(text, hints: hints(["com.example"]))
    #expect(outcome.reading.kind == .history && outcome.reading.diagnostics.map(describe) == [])
    #expect(Set(outcome.messages.map(\.terms.type)) == [type])
    #expect(outcome.transactions.count == transactions)
    #expect(outcome.transactions.allSatisfy { $0.terms.factSource == .signed })
    if type != "empty" {
      let isHollow = transactions == 0 && type == "history"
      #expect(
        outcome.messages.allSatisfy { $0.terms.factSource == (isHollow ? .unsigned : .signed) })
    }
    for (index, row) in outcome.messages.map(\.row).enumerated() {
      #expect(row.line == (text.hasPrefix("[") || text.hasPrefix("{") ? 1 : Int32(index + 1)))
    }
  }

  @Test(arguments: [
    ("\"price\":1990,\"currency\":\"AUD\"", 1, Int64(1_990_000)),
    ("\"price\":0,\"currency\":\"USD\"", 1, 0),
    ("\"price\":500000,\"currency\":\"JPY\"", 1, 500_000_000),
    ("\"price\":3000.0,\"currency\":\"USD\",\"quantity\":3", 3, 1_000_000),
    ("\"price\":1,\"quantity\":3", 3, nil), ("\"quantity\":2", 2, nil),
  ])
  func priceIsForTheWholeQuantity(more: String, quantity: Int32, unitPrice: Int64?) throws {
    let outcome = try read(jws(Self.transaction(more)), hints: hints())
    #expect(outcome.transactions.map(\.terms.unitPrice) == [unitPrice])
    #expect(outcome.transactions.map(\.terms.quantity) == [quantity])
    #expect(outcome.reading.warnings.count == (more.contains("\"price\":1,") ? 1 : 0))
  }

  @Test(
    arguments: [
      ("", nil, false, false),
      ("\"offerType\":1,\"offerDiscountType\":\"FREE_TRIAL\"", OfferKind.introductory, true, false),
      ("\"offerType\":1,\"offerDiscountType\":\"PAY_AS_YOU_GO\"", .introductory, false, true),
      ("\"offerType\":1", .introductory, nil, true),
      ("\"offerType\":2,\"offerDiscountType\":\"FREE_TRIAL\"", .promotional, true, false),
      ("\"offerType\":3,\"offerDiscountType\":\"PAY_UP_FRONT\"", .code, false, false),
      ("\"offerType\":4,\"offerDiscountType\":\"ONE_TIME\"", .winBack, false, false),
      ("\"offerType\":9,\"offerDiscountType\":\"NEW\"", nil, false, false),
    ] as [(String, OfferKind?, Bool?, Bool?)])
  func offersAreTold(more: String, offer: OfferKind?, trial: Bool?, intro: Bool?) throws {
    let terms = try #require(
      read(jws(Self.transaction(more)), hints: hints()).transactions.first?.terms)
    #expect(terms.offer == offer && terms.saysTrial == trial && terms.saysIntro == intro)
  }

  @Test(arguments: [
    ("Consumable", ProductKind.consumable), ("Non-Consumable", .nonConsumable),
    ("Non-Renewing Subscription", .nonRenewing), ("Something", nil),
  ])
  func typesAreRead(type: String, kind: ProductKind?) throws {
    let text = try jws(Self.transaction("\"type\":\"\(type)\",\"inAppOwnershipType\":\"NEW\""))
    #expect(try read(text, hints: hints()).transactions.map(\.terms.kind) == [kind])
  }

  @Test func refundsAreTold() throws {
    let refunded = Self.transaction(
      """
      "revocationDate":\(Self.time + 1999),"revocationReason":1,"revocationPercentage":50000,\
      "revocationType":"REFUND_PRORATED","isUpgraded":true
      """)
    let (row, terms, _) = try #require(
      read(jws(refunded), hints: hints()).transactions.first)
    #expect(row.revokedAt?.seconds == Authority.moment.seconds + 1)
    #expect(terms.revocationReason == "1" && terms.revocationType == .prorated)
    #expect(terms.revocationPercentage == 50_000 && terms.isUpgraded && !terms.isRefundReversed)
    let inner = try jws(Self.transaction())
    let reversed = Self.notification(
      ",\"signedTransactionInfo\":\"\(inner)\"", type: "REFUND_REVERSED")
    let outcome = try read("{\"signedPayload\":\"\(jws(reversed))\"}", hints: hints())
    #expect(outcome.transactions.map(\.terms.isRefundReversed) == [true])
  }

  @Test(arguments: [
    ("chain", "{\"signedPayload\":\"STRANGE\"}"), ("oid", "UNMARKED"), ("expired", "LATE"),
    ("expired", "UNDATED"), ("signature", "FORGED"), ("algorithm", "NONE"), ("xcode", "XCODE"),
    ("form", "eyJ.a.b\nx"), ("form", "{\"signedPayload\":\"signed_payload\"}"),
    ("form", "TEXT"), ("form", "{\"signedTransactions\":[5]}"),
    ("chain", "INNER"), ("xcode", "LOCAL"), ("date", "EARLY"),
    ("form", "{\"notificationType\":\"TEST\",\"data\":{\"signedTransactionInfo\":\"va.lu.e\"}}"),
  ])
  func whatDoesNotVerifyIsRejected(topic: String, form: String) throws {
    let stranger = Authority(rootKey: Authority.key(9))
    var unmarked = Authority()
    unmarked.leafMark = nil
    var forged = try Compact(jws(Self.transaction()))
    forged.payload = base64url(Self.transaction("\"quantity\":9").utf8)
    let none = try Compact(
      Self.transaction(), headerText: Compact.headerText(Self.authority.chain(), algorithm: "none"),
      key: Self.authority.leafKey)
    let inner = Self.notification(
      ",\"signedTransactionInfo\":\"\(try jws(Self.transaction(), by: stranger))\"")
    let texts = [
      "STRANGE": try jws(Self.transaction(), by: stranger),
      "UNMARKED": try jws(Self.transaction(), by: unmarked),
      "LATE": try jws(Self.transaction().replacing("\(Self.time)", with: "1735689600000")),
      "UNDATED": try jws(Self.transaction().replacing("signedDate", with: "date")),
      "EARLY": try jws(Self.transaction().replacing("\"signedDate\":1", with: "\"signedDate\":9")),
      "FORGED": forged.text, "NONE": none.text, "TEXT": try jws("[]"),
      "XCODE": try jws(Self.transaction("\"environment\":\"Xcode\"")),
      "LOCAL": try jws(
        Self.notification("").replacing("\"Production\"", with: "\"LocalTesting\"")),
      "INNER": try jws(inner),
    ]
    let text = texts.reduce(form) { $0.replacing($1.key, with: $1.value) }
    let good = try jws(Self.transaction())
    let outcome = try read(good + "\n" + text + "\n" + good, hints: hints(["com.example"]))
    #expect(Set(outcome.reading.diagnostics.map(\.topic)) == [topic], "\(outcome.dump)")
    #expect(outcome.reading.diagnostics.allSatisfy { !$0.message.isEmpty && !$0.help.isEmpty })
    #expect(outcome.reading.rows == 2 && outcome.transactions.count == 2)
    #expect(outcome.reading.diagnostics[0].location.line == 2)
    #expect(outcome.reading.diagnostics[0].location.column > 0)
    #expect(
      outcome.tallies == [
        "signed payloads 2", "transaction messages 2", "transactions 2",
      ])
  }

  /// The outer signature is of the inner payload's bytes too; where nobody signed them, the inner
  /// one proves itself.
  @Test func whatStandsInAProvenPayloadIsCovered() throws {
    var unsigned = try Compact(jws(Self.transaction()))
    unsigned.signature = base64url([UInt8](repeating: 1, count: 64))
    let around = Self.notification(",\"signedTransactionInfo\":\"\(unsigned.text)\"")
    let covered = try read("{\"signedPayload\":\"\(jws(around))\"}", hints: hints())
    #expect(covered.reading.diagnostics.isEmpty && covered.transactions.count == 1)
    let alone = try read(around, hints: hints())
    #expect(alone.reading.diagnostics.map(\.topic) == ["signature"])
  }

  /// A server of several apps writes one log: what is another app's is kept with its app.
  @Test func whatIsAboutAnotherAppIsSetAside() throws {
    let good = try jws(Self.transaction())
    let inner = try jws(Self.transaction().replacing("com.example", with: "com.other"))
    let other = try jws(
      Self.notification(",\"signedTransactionInfo\":\"\(inner)\"")
        .replacing("com.example", with: "com.other"))
    let outcome = try read(good + "\n" + other + "\n" + good, hints: hints(["com.example"]))
    #expect(outcome.reading.diagnostics.map(describe) == [])
    #expect(outcome.reading.rows == 3)
    #expect(
      outcome.transactions.map(\.terms.bundleID) == ["com.example", "com.other", "com.example"])
    #expect(outcome.reading.warnings.map { "\($0.topic) \($0.location.line)" } == ["bundle 2"])
    #expect(
      outcome.reading.warnings.first?.message.english
        == "1 record is about another app: \"com.other\"")
    #expect(outcome.tallies.contains("records of other apps 1"))
    // Nobody said which apps are the company's.
    let all = try read(good + "\n" + other, hints: hints([]))
    #expect(all.reading.warnings.isEmpty)
  }

  @Test func decodedPayloadsAreToldApart() throws {
    let body = Self.notification(
      ",\"signedTransactionInfo\":\(Self.transaction()),\"signedRenewalInfo\":\(Self.renewal())")
    let outcome = try read(body, hints: hints(["com.other"]))
    #expect(outcome.reading.kind == .notifications)
    #expect(outcome.transactions.map(\.terms.factSource) == [.unsigned])
    #expect(outcome.messages.map(\.terms.factSource) == [.unsigned] && outcome.renewals.count == 1)
    #expect(outcome.tallies.contains("unsigned payloads 3"))
    let xcode = Self.transaction("\"environment\":\"Xcode\"").replacing(
      "\"purchaseDate\":\(Self.time)", with: "\"purchaseDate\":1697679936049.7297")
    let local = try read(xcode)
    #expect(local.transactions.map(\.row.purchasedAt.seconds) == [1_697_679_936])
    #expect(local.transactions.map(\.terms.environment) == [.sandbox])
    let mixed = Self.notification(",\"signedTransactionInfo\":\"\(try jws(Self.transaction()))\"")
    let half = try read(mixed, hints: hints())
    #expect(half.transactions.map(\.terms.factSource) == [.signed])
    #expect(half.messages.map(\.terms.factSource) == [.unsigned])
  }

  @Test(arguments: [
    ("\"currency\":\"dollars\"", "currency"),
    ("\"price\":-1", "amount"), ("\"price\":1.5", "amount"), ("\"quantity\":0", "value"),
    ("\"isUpgraded\":\"perhaps\"", "value"), ("\"expiresDate\":\"later\"", "date"),
    ("\"price\":1,\"price\":2", "key"), ("\"productId\":\"b\"", "key"),
  ])
  func valuesAtFaultAreRejected(more: String, topic: String) throws {
    let text = try jws(Self.transaction(more))
    let outcome = try read("{\"signedPayload\":\"\(text)\"}", hints: hints())
    #expect(outcome.reading.diagnostics.map(\.topic) == [topic])
    #expect(outcome.reading.diagnostics.map(\.location.column) == [18])
    #expect(outcome.blocks.allSatisfy { $0.newTransactionTerms.isEmpty && $0.text.isEmpty })
  }

  /// Forms of forged and damaged payloads, each with what is said of it.
  @Test(arguments: [
    ("ONE", "chain", "expected three certificates in x5c, found 1"),
    ("FOUR", "form", "expected three segments with a point between each, found 4"),
    ("TWO", "form", "expected three segments with a point between each, found 2"),
    ("UNSIGNED", "algorithm", "found \"none\""),
    ("DEEP", "form", "no more than 64 objects and arrays inside each other was expected"),
    ("HALF", "form", "the other half of a character (a surrogate pair) was expected at byte 6"),
    ("CUT", "form", "the signed payload is not JSON: it ends too early"),
    ("BYTES", "form", "the text is not well-formed UTF-8"),
    ("NUMBER", "form", "the signed payload is not a JSON object"),
    ("FORGEDNULL", "signature", "the signature is not that of this payload"),
    ("STRANGENULL", "chain", "the root certificate in x5c is not trusted"),
    ("UNDATED", "signature", "the signature is not that of this payload"),
  ])
  func eachForgedFormHasItsReason(form: String, topic: String, message: String) throws {
    let good = try jws(Self.transaction())
    let chain = try Self.authority.chain()
    func changed(_ text: String, to payload: String) throws -> String {
      var forged = try Compact(jws(text))
      forged.payload = base64url(payload.utf8)
      return forged.text
    }
    var bytes = try Compact(jws("{}"))
    bytes.payload = base64url(Array("{\"n\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8))
    var unsigned = Compact(good)
    unsigned.header = base64url(Compact.headerText(chain, algorithm: "none").utf8)
    unsigned.signature = ""
    let undated = Self.transaction().replacing("signedDate", with: "date")
    let texts = [
      "ONE": try Compact(Self.transaction(), chain: [chain[0]], key: Self.authority.leafKey).text,
      "FOUR": good + ".e30", "TWO": String(good[..<good.lastIndex(of: ".")!]),
      "UNSIGNED": unsigned.text,
      "DEEP": try jws("{\"n\":\(String(repeating: "[", count: 100))"),
      "HALF": try jws("{\"n\":\"\\ud800\"}"), "CUT": try jws("{\"n\":1"), "BYTES": bytes.text,
      "NUMBER": try jws("5"), "FORGEDNULL": try changed("null", to: " null"),
      "STRANGENULL": try jws("null", by: Authority(rootKey: Authority.key(9))),
      "UNDATED": try changed(undated, to: undated + " "),
    ]
    let text = try #require(texts[form])
    for file in [
      text, "\"\(text)\"\n\(good)", "[\"\(text)\"]", "{\"signedPayload\":\"\(text)\"}",
      "{\"signedTransactions\":[\"\(text)\"]}",
    ] {
      let outcome = try read(file, hints: hints())
      #expect(outcome.reading.diagnostics.map(\.topic) == [topic])
      let found = outcome.reading.diagnostics.first?.message.english
      #expect(found?.contains(message) == true, "\(found ?? "")")
    }
  }

  @Test func whatIsSaidBesideIsKept() throws {
    let transaction = try jws(
      Self.transaction(
        """
        "appTransactionId":"70","transactionReason":"RENEWAL","offerType":4,\
        "offerIdentifier":"back","offerDiscountType":"PAY_AS_YOU_GO","offerPeriod":"P1M",\
        "billingPlanType":"MONTHLY","commitmentInfo":{"billingPeriodNumber":3,\
        "commitmentExpiresDate":\(Self.time),"commitmentPrice":96000,"totalBillingPeriods":12},\
        "advancedCommerceInfo":{"taxCode":"S01","taxRate":"0.2","estimatedTax":1333,\
        "taxExclusivePrice":6667,"requestReferenceId":"R-1","items":[]}
        """))
    let renewal = try jws(
      Self.renewal(
        """
        "renewalPrice":8000,"currency":"EUR","renewalDate":\(Self.time),"offerType":2,\
        "offerIdentifier":"stay","offerDiscountType":"PAY_UP_FRONT","offerPeriod":"P1Y"
        """))
    let body = Self.notification(
      ",\"status\":3,\"consumptionRequestReason\":\"LEGAL\",\"signedTransactionInfo\":"
        + "\"\(transaction)\",\"signedRenewalInfo\":\"\(renewal)\"")
    let token =
      "{\"notificationType\":\"EXTERNAL_PURCHASE_TOKEN\",\"subtype\":\"UNREPORTED\","
      + "\"notificationUUID\":\"N-2\",\"signedDate\":\(Self.time),\"externalPurchaseToken\":{"
      + "\"externalPurchaseId\":\"X-1\",\"tokenCreationDate\":\(Self.time),"
      + "\"bundleId\":\"com.example\"}}"
    let texts = try [Self.transaction("\"price\":1000"), body, token].map {
      "{\"signedPayload\":\"\(try jws($0))\"}"
    }
    let outcome = try read(texts.joined(separator: "\n"), hints: hints(["com.example"]))
    #expect(outcome.reading.diagnostics.map(describe) == [])
    let (rows, text) = try #require(outcome.purchases.first)
    // Only who says something has a row beside it.
    #expect(rows.transactions.map(\.extra) == [0, 1] && rows.extras.count == 1)
    var terms = ExtraTerms()
    (terms.reason, terms.offerID) = ("RENEWAL", "back")
    (terms.offerDiscount, terms.offerPeriod) = ("PAY_AS_YOU_GO", "P1M")
    (terms.billingPlan, terms.billingPeriod, terms.billingPeriods) = ("MONTHLY", 3, 12)
    (terms.commitmentPrice, terms.taxCode, terms.taxRate) = (96_000_000, "S01", "0.2")
    (terms.estimatedTax, terms.priceWithoutTax) = (1_333_000, 6_667_000)
    #expect(outcome.blocks.flatMap(\.newExtraTerms) == [terms])
    #expect(text(rows.extras[0].appTransactionID) == "70")
    #expect(text(rows.extras[0].requestReference) == "R-1")
    #expect(rows.extras[0].commitmentEndsAt == Authority.moment)
    let word = try #require(outcome.renewals.first)
    #expect(word.terms.status == .billingRetry && word.terms.renewalPrice == 8_000_000)
    #expect(word.terms.currency == Currency("EUR") && word.row.renewsAt == Authority.moment)
    #expect(word.terms.offer == .promotional && word.terms.offerID == "stay")
    #expect([word.terms.offerDiscount, word.terms.offerPeriod] == ["PAY_UP_FRONT", "P1Y"])
    #expect(outcome.messages.map(\.terms.requestReason) == ["", "LEGAL", ""])
    let last = try #require(outcome.messages.last)
    #expect(last.text(last.row.externalPurchaseID) == "X-1")
    #expect(last.row.tokenCreatedAt == Authority.moment)
  }

  /// What an item cost, and what was given back of it, stays with its transaction.
  @Test func itemsAreKept() throws {
    func transaction(_ id: Int, _ items: String) throws -> String {
      let more = "\"appTransactionId\":\"7\(id)\",\"advancedCommerceInfo\":{\(items)}"
      return try jws(Self.transaction(more))
    }
    let one = """
      "items":[{"SKU":"book","displayName":"A book","price":4000,"offer":{"price":3000},\
      "refunds":[{"refundAmount":1500,"refundDate":\(Self.time),"refundReason":"OTHER",\
      "refundType":"PRORATED"},{"refundAmount":10,"refundType":"CUSTOM"}]},\
      {"SKU":"film","price":6000,"revocationDate":\(Self.time)}]
      """
    let text = try """
    {"signedTransactions":["\(transaction(0, "\"taxCode\":\"S\""))","\(transaction(1, one))"]}
    """
    let outcome = try read(text, hints: hints())
    #expect(outcome.reading.diagnostics.map(describe) == [])
    let (rows, _) = try #require(outcome.purchases.first)
    #expect(rows.transactions.map(\.extra) == [1, 2])
    #expect(rows.items.map(\.extra) == [2, 2] && rows.items.map(\.place) == [1, 2])
    #expect(rows.items.map(\.sku) == ["book", "film"] && rows.items.map(\.name) == ["A book", ""])
    #expect(rows.items.map(\.price) == [4_000_000, 6_000_000])
    #expect(rows.items.map(\.offerPrice) == [3_000_000, nil])
    #expect(rows.items.map(\.revokedAt) == [nil, Authority.moment])
    #expect(rows.itemRefunds.map(\.place) == [1, 1])
    #expect(rows.itemRefunds.map(\.amount) == [1_500_000, 10_000])
    #expect(rows.itemRefunds.map(\.refundedAt) == [Authority.moment, nil])
    #expect(rows.itemRefunds.map(\.type) == ["PRORATED", "CUSTOM"])
    // A record at fault leaves no item.
    let spoiled = try "{\"signedTransactions\":[\"\(transaction(1, one))\",\"x\"]}\n\(text)"
    let kept = try read(spoiled, hints: hints())
    #expect(kept.reading.rejected == 1 && kept.purchases.flatMap(\.rows.items).count == 2)
    for items in ["\"items\":{}", "\"items\":[{\"SKU\":\"a\",\"price\":\"x\"}]"] {
      #expect(try read(transaction(1, items), hints: hints()).reading.rejected == 1, "\(items)")
    }
  }

  /// A status is kept where no renewal stands beside it, under the ids and the time of what does.
  @Test func aStatusWithoutARenewalIsKept() throws {
    let transaction = try jws(Self.transaction())
    let beside = ",\"status\":2,\"signedTransactionInfo\":\"\(transaction)\""
    let item = "{\"originalTransactionId\":\"1\"\(beside)}"
    let group = "{\"subscriptionGroupIdentifier\":\"5\",\"lastTransactions\":[\(item)]}"
    for text in [
      "{\"signedPayload\":\"\(try jws(Self.notification(beside, type: "EXPIRED")))\"}",
      "{\"environment\":\"Production\",\"data\":[\(group)]}",
      "{\"lastTransactions\":[\(item.dropLast()),\"signedRenewalInfo\":null}]}",
    ] {
      let outcome = try read(text, hints: hints(["com.example"]))
      #expect(outcome.reading.diagnostics.map(describe) == [])
      var terms = RenewalTerms(factSource: .signed)
      terms.status = .expired
      #expect(outcome.renewals.map(\.terms) == [terms])
      #expect(outcome.renewals.map(\.row.observedAt) == [Authority.moment])
    }
    // Nothing but the answer itself: by when it was received, or not at all, and then it is said.
    let alone = "{\"lastTransactions\":[{\"originalTransactionId\":\"1\",\"status\":3}]}"
    let received = try read("{\"received_at\":1687163400,\"body\":\(alone)}", hints: hints())
    #expect(received.renewals.map(\.terms.status) == [.billingRetry])
    #expect(received.renewals.map(\.terms.factSource) == [.unsigned])
    let untimed = try read(alone, hints: hints())
    #expect(untimed.renewals.isEmpty && untimed.reading.warnings.map(\.topic) == ["form"])
    #expect(untimed.tallies.contains("statuses without a time 1"))
  }

  @Test func whatIsNotOfProductionIsToldApart() throws {
    let strange = Self.transaction("\"environment\":\"Staging\"")
    for text in [try jws(strange), strange] {
      let outcome = try read(text, hints: hints())
      #expect(outcome.transactions.map(\.terms.environment) == [.other])
      #expect(outcome.transactions.map(\.terms.isSandbox) == [true])
      #expect(outcome.reading.warnings.map(\.topic) == ["word"])
    }
    let outer = Self.notification(",\"signedTransactionInfo\":\"\(try jws(Self.transaction()))\"")
      .replacing("\"Production\"", with: "\"Staging\"")
    let inherited = try read("{\"signedPayload\":\"\(jws(outer))\"}", hints: hints())
    #expect(inherited.transactions.map(\.terms.environment) == [.other])
    #expect(inherited.reading.warnings.map(\.topic) == ["word"])
  }

  @Test(arguments: [
    ("ABW", "AW", 1), ("AW", "AW", 1), ("XXX", "ZZ", 1), ("199999", "ZZ", 1), ("CHN", "CN", 0),
  ])
  func newStorefrontsRejectNothing(name: String, code: String, warnings: Int) throws {
    let text = try jws(Self.transaction("\"storefront\":\"\(name)\""))
    let outcome = try read(text, hints: hints())
    #expect(outcome.reading.diagnostics.isEmpty)
    #expect(outcome.transactions.map(\.terms.storefront) == [Storefront(code)])
    #expect(
      outcome.reading.warnings.map(\.topic) == Array(repeating: "storefront", count: warnings))
  }

  @Test func oneBadPayloadRejectsItsRecord() throws {
    let good = try jws(Self.transaction())
    let outcome = try read(
      "{\"signedTransactions\":[\"\(good)\",\"\(good)x\"]}\n{\"signedTransactions\":[\"\(good)\"]}",
      hints: hints())
    #expect(outcome.reading.rows == 1 && outcome.reading.rejected == 1)
    #expect(outcome.transactions.count == 1 && outcome.tallies.contains("signed payloads 1"))
  }

  @Test func unreadableRootIsNamed() {
    #expect(throws: Diagnostic.self) {
      try read("{\"signedPayload\":\"x\"}", hints: ReadingHints(roots: [[1, 2, 3]]))
    }
  }

  @Test func bordersOfBlocksChangeNothing() throws {
    let lines = try (0..<30).map { index in
      index % 9 == 8
        ? "eyJ.bad.\(index)"
        : try jws(
          Self.transaction("\"quantity\":\(index % 4 + 1),\"price\":\(index % 3 * 12000)"))
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let whole = try read(bytes, hints: hints())
    #expect(whole.reading.rows == 27)
    for rows in [1, 2, 5] {
      var limits = ReadingLimits()
      limits.rowsPerBlock = rows
      limits.blockSize = 100
      #expect(try read(bytes, hints: hints(), chunk: 31, limits: limits).dump == whole.dump)
    }
  }
}
