import Billing
import Testing

@testable import Reading

/// Goal: notifications of version 1 say what Apple said, a refund is told from an upgrade and from
/// a change of renewal, and the shared secret goes nowhere. Method: small notifications.
@Suite struct NotificationV1Tests {
  private func notification(
    _ type: String, _ more: String = "", info: [String] = [ReceiptTests.transaction()]
  ) -> String {
    "{\"notification_type\":\"\(type)\",\"bid\":\"com.example\",\"unified_receipt\":{\"status\":0,"
      + "\"latest_receipt_info\":[\(info.joined(separator: ","))]}"
      + (more.isEmpty ? "" : ",\(more)") + "}"
  }

  @Test func refundIsRead() throws {
    let outcome = try read(
      """
      {"notification_type":"REFUND","password":"hush","environment":"PROD","bid":"com.example",\
      "latest_receipt_info":{"cancellation_reason":"1","cancellation_date_ms":"1595916053000",\
      "purchase_date_ms":"1595836723000","item_id":"1146327846","app_item_id":"774384491",\
      "product_id":"gems","transaction_id":"9","quantity":"1"},"unified_receipt":{"status":0,\
      "environment":"Production","latest_receipt_info":[{"product_id":"gems","transaction_id":"9",\
      "original_transaction_id":"9","purchase_date":"2020-07-27 07:58:43 Etc/GMT",\
      "cancellation_date_ms":"1595916053000","cancellation_reason":"0"}]}}
      """)
    #expect(outcome.reading.kind == .notifications && outcome.reading.rows == 1)
    let (row, terms, _) = try #require(outcome.transactions.first)
    #expect(outcome.transactions.count == 1 && row.revokedAt?.seconds == 1_595_916_053)
    #expect(
      terms
        == TransactionTerms(
          factSource: .notificationV1, sku: "gems", bundleID: "com.example",
          environment: .production, revocationReason: "0", itemID: "1146327846",
          appItemID: "774384491"))
    #expect(
      outcome.messages.map(\.terms) == [
        MessageTerms(
          factSource: .notificationV1, type: "REFUND", environment: .production,
          bundleID: "com.example")
      ])
    #expect(outcome.tallies == ["notifications REFUND 1", "transactions 1"])
    #expect(!outcome.blocks.contains { $0.text.elementsEqual("hush".utf8) })
  }

  @Test(arguments: [
    "INITIAL_BUY", "CANCEL", "RENEWAL", "INTERACTIVE_RENEWAL", "DID_RECOVER", "DID_RENEW",
    "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW",
    "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE", "CONSUMPTION_REQUEST", "A_LATER_ONE",
  ])
  func everyTypeIsTaken(type: String) throws {
    let dated =
      "\"cancellation_date_ms\":\"1687163500000\",\"original_transaction_id\":\"1\","
      + "\"auto_renew_status\":\"false\""
    let outcome = try read(
      notification(
        type, dated,
        info: [ReceiptTests.transaction("1", "\"original_transaction_id\":\"1\"")]))
    #expect(outcome.messages.map(\.terms.type) == [type])
    let revokes = ["CANCEL", "REFUND", "REVOKE"].contains(type)
    #expect(outcome.transactions.map { $0.row.revokedAt != nil } == [revokes])
    #expect(outcome.renewals.map(\.terms.willRenew) == [false])
  }

  /// Three periods of one chain, bought a day after each other.
  private let periods = (1...3).map {
    "{\"transaction_id\":\"\($0)\",\"original_transaction_id\":\"1\",\"product_id\":\"month\","
      + "\"web_order_line_item_id\":\"\($0)0\",\"purchase_date_ms\":168716\($0)400000}"
  }

  @Test(arguments: [
    ("\"web_order_line_item_id\":\"20\"", [2]), ("\"transaction_id\":\"1\"", [1]),
    ("\"original_transaction_id\":1", [2]),
    ("\"web_order_line_item_id\":20,\"original_transaction_id\":\"1\"", [2]),
  ])
  func cancellationFindsItsTransaction(ids: String, cancelled: [Int]) throws {
    let text = notification(
      "CANCEL", "\"cancellation_date\":\"2023-06-19 08:13:21 Etc/GMT\",\(ids)", info: periods)
    let outcome = try read(text)
    #expect(outcome.reading.diagnostics.map(describe) == [])
    let found = outcome.transactions.filter { $0.row.revokedAt != nil }
    #expect(found.map { Int($0.text($0.row.transactionID)) } == cancelled)
    #expect(found.allSatisfy { $0.row.revokedAt?.description == "2023-06-19T08:13:21Z" })
  }

  @Test(arguments: [
    "\"web_order_line_item_id\":\"99\"", "\"transaction_id\":\"9\"",
    "\"original_transaction_id\":\"9\"", "\"bvrs\":\"1\"",
    "\"web_order_line_item_id\":\"99\",\"original_transaction_id\":\"1\"",
  ])
  func cancellationOfNothingIsRejected(ids: String) throws {
    let marked = MarkedText(
      notification("CANCEL", "\(ids),\"cancellation_date_ms\":⟦1687163500000⟧", info: periods))
    let outcome = try read(marked.text)
    #expect(
      outcome.reading.diagnostics.map(\.message.english) == [
        "the notification cancels a transaction that it does not contain"
      ])
    #expect(outcome.reading.diagnostics.map(\.location) == marked.places)
    #expect(outcome.transactions.isEmpty)
  }

  @Test func ownCancellationStays() throws {
    let own = ReceiptTests.transaction(
      "1", "\"original_transaction_id\":\"1\",\"cancellation_date_ms\":\"1687163450000\"")
    let text = notification(
      "CANCEL", "\"cancellation_date_ms\":1687163500000,\"transaction_id\":\"1\"", info: [own])
    #expect(try read(text).transactions.map(\.row.revokedAt?.seconds) == [1_687_163_450])
  }

  @Test func upgradeIsNoRefund() throws {
    let new =
      "{\"transaction_id\":\"2\",\"original_transaction_id\":\"1\",\"product_id\":\"year\","
      + "\"purchase_date_ms\":1687163500000}"
    let old = ReceiptTests.transaction("1", "\"original_transaction_id\":\"1\"")
    let text = notification(
      "CANCEL", "\"cancellation_date_ms\":1687163501000,\"transaction_id\":\"1\"",
      info: [new, old])
    let outcome = try read(text)
    #expect(outcome.transactions.map(\.terms.isUpgraded) == [false, true])
    #expect(outcome.transactions.map { $0.row.revokedAt != nil } == [false, true])
  }

  @Test func deprecatedFieldsAreAFallback() throws {
    let text = """
      {"notification_type":"CANCEL","environment":"Sandbox","cancellation_date_ms":"1566487449000",\
      "web_order_line_item_id":"5","latest_expired_receipt_info":{"transaction_id":"3",\
      "product_id":"month","bid":"com.example","expires_date":"1566573849000",\
      "purchase_date":"2019-08-20 15:24:09 Etc/GMT","web_order_line_item_id":"5"}}
      """
    let outcome = try read(text)
    let (row, terms, _) = try #require(outcome.transactions.first)
    #expect(row.revokedAt?.seconds == 1_566_487_449 && row.expiresAt?.seconds == 1_566_573_849)
    #expect(terms.environment == .sandbox && terms.bundleID == "com.example")
    #expect(row.observedAt?.seconds == 1_566_487_449)
  }

  @Test(arguments: [
    ("\"environment\":\"PROD\"", "", StoreEnvironment.production),
    ("\"environment\":\"Sandbox\"", "", .sandbox),
    ("\"environment\":\"Production\"", "\"environment\":\"Sandbox\"", .sandbox), ("", "", nil),
  ])
  func environmentGoesByRank(around: String, own: String, environment: StoreEnvironment?) throws {
    let text = notification("DID_RENEW", around, info: [ReceiptTests.transaction("1", own)])
    #expect(try read(text).transactions.map(\.terms.environment) == [environment])
  }

  @Test func wrappersAreTaken() throws {
    let plain = notification("DID_RENEW")
    let escaped = plain.replacing("\"", with: "\\\"")
    for text in [
      "{\"received_at\":1687163999,\"body\":\(plain)}",
      "{\"received_at\":\"1687163999000\",\"body\":\"\(escaped)\"}",
    ] {
      let outcome = try read(text)
      #expect(outcome.reading.kind == .notifications && outcome.transactions.count == 1)
      #expect(outcome.transactions.map(\.row.observedAt?.seconds) == [1_687_163_999])
    }
  }

  @Test(arguments: [
    "{\"notification_type\":\"X\",\"password\":\"hush\",\"unified_receipt\":{\"status\":\"x\"}}",
    "{\"notification_type\":\"X\", \"password\" : \"hush\", oops}",
    "{\"notification_type\":\"X\",\"password\":\"hu\\\"sh hush\", oops}",
    "[{\"notification_type\":\"X\",\"password\":\"hush\", oops}]",
    "{\"received_at\":1,\"body\":\"{\\\"notification_type\\\":\\\"X\\\","
      + "\\\"password\\\":\\\"hush\\\"}\"}",
    "{\"notification_type\":\"X\",\"Password\":hush}", "{\"password\":\"hush",
    "{\"notification_type\":\"X\",\"password\":\"hush",
  ])
  func passwordGoesNowhere(text: String) {
    let texts: [String]
    do {
      let outcome = try read(text)
      texts = [outcome.dump] + outcome.reading.diagnostics.map { "\($0)" }
      #expect(outcome.reading.rejected == 1)
    } catch {
      texts = ["\(error)"]
    }
    #expect(texts.allSatisfy { !$0.contains("hush") }, "\(texts)")
  }
}
