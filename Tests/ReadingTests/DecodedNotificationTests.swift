import Billing
import Testing

@testable import Reading

/// Goal: what a program saved of Apple's messages after decoding them counts as far as it goes, and
/// what it lost is said. Method: small notifications, decoded.
@Suite struct DecodedNotificationTests {
  private static let moment: Int64 = 1_687_163_400_000

  private static func transaction(_ more: String = "") -> String {
    """
    {"transactionId":"7001","originalTransactionId":"7001","bundleId":"com.example",\
    "productId":"gems.60","purchaseDate":\(moment),"quantity":1,"price":5990,\
    "currency":"EUR"\(more)}
    """
  }

  private static func notification(
    _ type: String, data: String = "", beside: String = ""
  ) -> String {
    """
    {"notificationType":"\(type)","notificationUUID":"N-1","version":"2.0",\
    "signedDate":\(moment),"data":{"bundleId":"com.example","environment":"Production"\(data)}\
    \(beside)}
    """
  }

  private static let refunded = transaction(",\"revocationDate\":\(moment + 1000)")

  private static let places: [String] = [
    notification("REFUND", data: ",\"transactionInfo\":\(refunded)"),
    notification("REFUND", data: ",\"signedTransactionInfo\":null,\"transactionInfo\":\(refunded)"),
    notification("REFUND", beside: ",\"transactionInfo\":\(refunded)"),
    notification("REFUND", beside: ",\"signedTransactionInfo\":\(refunded)"),
  ]

  @Test(arguments: places)
  func `a transaction is found where programs put it`(text: String) throws {
    let outcome = try read(text)
    #expect(outcome.reading.diagnostics.isEmpty && outcome.reading.warnings.isEmpty)
    #expect(outcome.transactions.map(\.row.revokedAt?.seconds) == [Self.moment / 1000 + 1])
    #expect(outcome.transactions.map(\.terms.factSource) == [.unsigned])
  }

  private static let losses: [String] = [
    notification("REFUND"), notification("REFUND", data: ",\"signedTransactionInfo\":null"),
    notification("REFUND", data: ",\"transaction\":\(refunded)"),
    notification("REFUND", data: ",\"signedTransactionInfo\":\(transaction())"),
    notification(
      "REFUND", data: ",\"signedTransactionInfo\":\(transaction(",\"revocationDate\":0"))"),
    "{\"notificationType\":\"REFUND\",\"signedDate\":\(moment)}",
    """
    {"notification_type":"REFUND","notification_uuid":"N-1","signed_date":\(moment),\
    "data":{"transaction_info":\(refunded)}}
    """,
    """
    {"notification_type":"REFUND","bid":"com.example","unified_receipt":{"status":0,\
    "latest_receipt_info":[{"transaction_id":"1","product_id":"gems.60",\
    "purchase_date_ms":"\(moment)"}]}}
    """,
  ]

  @Test(arguments: losses)
  func `a refund that its notification lost is said`(text: String) throws {
    let outcome = try read(text)
    #expect(outcome.reading.diagnostics.isEmpty && outcome.messages.count == 1)
    #expect(outcome.transactions.allSatisfy { $0.row.revokedAt == nil })
    #expect(
      outcome.reading.warnings.map(describe) == [
        "file.txt:1: warning[form]: 1 notification lacks its transaction, or the date of its "
          + "refund: \"REFUND\""
      ])
  }

  private static let whole: [String] = [
    notification("TEST"),
    notification("SUBSCRIBED", data: ",\"signedTransactionInfo\":\(transaction())"),
    """
    {"notificationType":"RENEWAL_EXTENSION","subtype":"SUMMARY","signedDate":\(moment),\
    "summary":{"bundleId":"com.example"}}
    """,
  ]

  @Test(arguments: whole)
  func `a notification that lost nothing is read without a word`(text: String) throws {
    #expect(try read(text).reading.warnings.isEmpty)
  }

  @Test func `the warning counts and names the types`() throws {
    let lost = ["REFUND", "DID_RENEW", "REFUND"].map { Self.notification($0) }
    let outcome = try read(lost.joined(separator: "\n"))
    #expect(
      outcome.reading.warnings.map(\.message.english) == [
        "3 notifications lack their transaction, or the date of its refund: \"DID_RENEW\", "
          + "\"REFUND\""
      ])
  }

  /// Go's time.Time is written as its first day, or as milliseconds before 1970.
  @Test(arguments: [
    "0", "0.0", "\"0\"", "\"0001-01-01T00:00:00Z\"", "-62135596800000", "-62135596800",
  ])
  func `a time that stands for none is none`(zero: String) throws {
    for key in ["revocationDate", "expiresDate"] {
      let outcome = try read(Self.transaction(",\"\(key)\":\(zero),\"revocationReason\":0"))
      #expect(outcome.reading.diagnostics.map(describe) == [])
      let row = try #require(outcome.transactions.first?.row)
      #expect(row.revokedAt == nil && row.expiresAt == nil)
      #expect(outcome.tallies.count { $0.hasPrefix("times read as blank") } == 1)
    }
    let receipt = try read(
      """
      {"status":0,"receipt":{"bundle_id":"com.example","in_app":[{"product_id":"gems.60",\
      "transaction_id":"7001","purchase_date_ms":"\(Self.moment)","cancellation_date":\(zero)}]}}
      """)
    #expect(receipt.reading.diagnostics.map(describe) == [])
    #expect(receipt.transactions.map { $0.row.revokedAt == nil } == [true])
    let undated = Self.transaction().replacing("\(Self.moment)", with: zero)
    #expect(
      try read(undated).reading.diagnostics.map(\.message.english)
        == ["the transaction has no purchaseDate"])
  }

  @Test func `a price of nothing in no currency is no price`() throws {
    let price = "\"price\":5990,\"currency\":\"EUR\""
    let zero = "\"price\":0,\"currency\":\"\""
    let outcome = try read(Self.transaction().replacing(price, with: zero))
    #expect(outcome.transactions.map(\.terms.unitPrice) == [nil])
    #expect(outcome.reading.totals.isEmpty)
    let free = try read(Self.transaction().replacing("5990", with: "0"))
    #expect(free.transactions.map(\.terms.unitPrice) == [0])
    let table = try read(
      """
      transaction_id,sku,purchased_at,unit_price,currency
      7001,gems.60,1687163400,0,
      7002,gems.60,1687163400,0.00,EUR

      """)
    #expect(table.transactions.map(\.terms.unitPrice) == [nil, 0])
  }

  /// Apple repeats a notification until it is answered, and tells of one purchase many times.
  @Test func `a purchase that several messages tell of counts once`() throws {
    let bought = Self.notification(
      "ONE_TIME_CHARGE", data: ",\"signedTransactionInfo\":\(Self.transaction())")
    let returned = Self.notification(
      "REFUND", data: ",\"signedTransactionInfo\":\(Self.refunded)")
    let other = bought.replacing("7001", with: "7002")
    let outcome = try read([bought, bought, returned, other].joined(separator: "\n"))
    #expect(outcome.transactions.count == 4)
    #expect(outcome.reading.totals.map(\.units) == [2])
    #expect(outcome.reading.totals.map(\.gross) == [11_980_000])
  }
}
