import Billing
import Testing

@testable import Reading

/// Goal: a word of Apple's that is not known is kept as it was written, named once, and never taken
/// for a known one. Method: each closed vocabulary with such a word, in every sort of file.
@Suite struct UnknownWordTests {
  private static func payload(_ more: String) -> String {
    """
    {"transactionId":"7001","originalTransactionId":"7001","bundleId":"com.example",\
    "productId":"gems.60","purchaseDate":1687163400000,"quantity":1,"signedDate":1687163401000,\
    "storefront":"USA","price":990,"currency":"USD",\(more)}
    """
  }

  private static func receipt(_ more: String, type: String = "Production") -> String {
    """
    {"status":0,"environment":"\(type)","receipt":{"receipt_type":"\(type)",\
    "bundle_id":"com.example","in_app":[{"quantity":"1","product_id":"gems.60",\
    "transaction_id":"7001","purchase_date_ms":"1687163400000",\(more)}]}}
    """
  }

  private static func company(_ column: String, _ value: String) -> String {
    "transaction_id,sku,purchased_at,\(column)\n7001,gems.60,1687163400,\(value)\n"
  }

  private static let texts: [(String, String)] = [
    (payload(#""type":"Subscription Bundle""#), #"type "Subscription Bundle""#),
    (payload(#""inAppOwnershipType":"LENT""#), #"inAppOwnershipType "LENT""#),
    (payload(#""environment":"Staging""#), #"environment "Staging""#),
    (payload(#""revocationType":"REFUND_COINS""#), #"revocationType "REFUND_COINS""#),
    (payload(#""offerType":11"#), #"offerType "11""#),
    (receipt(#""in_app_ownership_type":"LENT""#), #"inAppOwnershipType "LENT""#),
    (receipt(#""is_trial_period":"false""#, type: "Moon"), #"environment "Moon""#),
    (company("ownership", "LENT"), #"ownership "LENT""#),
  ]

  @Test(arguments: texts) func `a word that is not known is kept`(
    text: String, words: String
  ) throws {
    let outcome = try read(text)
    #expect(outcome.reading.rejected == 0)
    #expect(outcome.transactions.map(\.terms.unknownWords) == [words])
    #expect(
      outcome.reading.warnings.filter { $0.topic == "word" }.map(\.message.english)
        == ["1 value is not known: \(words)"])
  }

  /// Codes of currencies as files have them, what they are taken for, and what is said of them.
  @Test(arguments: [
    ("CNY", "CNY", []), ("RMB", "CNY", []), ("rmb", "CNY", []), ("人民币", "CNY", []),
    ("cny", "CNY", []), ("CNH", "CNH", ["CNH is not a currency in ISO 4217"]),
    ("XXQ", "XXQ", ["XXQ is not a currency in ISO 4217"]),
  ])
  func `a currency that is not known is said at import`(
    code: String, currency: String, said: [String]
  ) throws {
    let order = "order_id,sku,status,unit_price,currency,placed_at\nA,gems,paid,6.00,\(code),"
    let transaction = "transaction_id,sku,unit_price,currency,purchased_at\n7,gems,6.00,\(code),"
    let credit = "date,amount,currency,payer\n2023-07-27,100.00,\(code),APPLE\n"
    for text in [order + "1687163400\n", transaction + "1687163400\n", credit] {
      let outcome = try read(text)
      #expect(outcome.reading.rejected == 0)
      var currencies = outcome.reading.totals.compactMap(\.currency)
      for block in outcome.blocks {
        if case .bank(let rows) = block.rows { currencies += rows.map(\.1.currency) }
      }
      #expect(currencies.map(\.code) == [currency])
      #expect(
        outcome.reading.warnings.filter { $0.topic == "currency" }.map(\.message.english) == said)
    }
  }

  @Test(arguments: [
    payload(#""inAppOwnershipType":"ASSIGNED""#), receipt(#""in_app_ownership_type":"ASSIGNED""#),
    company("ownership", "ASSIGNED"),
  ])
  func `a seat that was assigned is known`(text: String) throws {
    let outcome = try read(text)
    #expect(outcome.transactions.map(\.terms.ownership) == [.assigned])
    #expect(outcome.reading.totals.isEmpty)
    #expect(outcome.transactions.map(\.terms.unknownWords) == [""])
  }

  private static let parts: [(String, Bool)] = [
    (payload(#""bundleTransactionId":"7000""#), true),
    (payload(#""bundleTransactionID":"7000""#), true),
    (payload(#""bundleTransactionId":"7001""#), false),
    (payload(#""bundleProductId":"all""#), false),
    (receipt(#""bundle_transaction_id":"7000""#), true),
  ]

  @Test(arguments: parts) func `a part of a bundle is known by the bundle's transaction`(
    text: String, isComponent: Bool
  ) throws {
    #expect(try read(text).transactions.map(\.terms.isComponent) == [isComponent])
  }

  @Test func `notifications of an unknown type are kept and named`() throws {
    let first = """
      {"notification_type":"DID_SLEEP","environment":"PROD","bid":"com.example",\
      "unified_receipt":{"environment":"Production","status":0}}
      """
    let second = """
      {"notificationType":"MOVED","notificationUUID":"u1","signedDate":1687163401000,\
      "data":{"bundleId":"com.example","environment":"Production"}}
      """
    let outcome = try read([first, second, first].joined(separator: "\n") + "\n")
    #expect(outcome.messages.map(\.terms.type) == ["DID_SLEEP", "MOVED", "DID_SLEEP"])
    #expect(
      outcome.reading.warnings.filter { $0.topic == "word" }.map(\.message.english) == [
        #"2 values are not known: notificationType "DID_SLEEP", notificationType "MOVED""#
      ])
  }

  @Test func `a status that is not known is kept`() throws {
    let text = """
      {"received_at":1687163400,"body":{"lastTransactions":[{"originalTransactionId":"1",\
      "status":9}]}}
      """
    let outcome = try read(text)
    #expect(outcome.renewals.map(\.terms.unknownWords) == [#"status "9""#])
    #expect(outcome.renewals.map(\.terms.status) == [nil])
  }

  @Test func `reports name what they have that is not known in one line`() throws {
    let sales = salesReport([
      ["Product Type Identifier": "IAB", "Proceeds Reason": "Moon"],
      ["Product Type Identifier": "8F"], ["Order Type": "Spring offer"],
      ["Order Type": "Pay As You Go Intro Offer", "Proceeds Reason": "Rate After One Year"],
    ])
    let outcome = try read(sales)
    let words = [
      #"Product Type Identifier "IAB""#, #"Proceeds Reason "Moon""#,
      #"Product Type Identifier "8F""#,
    ]
    #expect(outcome.reading.warnings.count == 1)
    let told = outcome.reading.warnings.first?.message.english ?? ""
    #expect(told.hasPrefix("3 values are not known: ") && words.allSatisfy(told.contains))
    #expect(outcome.tallies == ["order types that are no words of Apple's (offers by name) 1"])
    #expect(outcome.sales.allSatisfy { $0.product.type.isCovered })
    let finance = try read(financeReport([["Product Type Identifier": "8F"]]))
    #expect(
      finance.reading.warnings.map(\.message.english)
        == [#"1 value is not known: Product Type Identifier "8F""#])
  }
}
