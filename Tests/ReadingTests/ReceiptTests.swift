import Billing
import Testing

@testable import Reading

/// Goal: each response of verifyReceipt becomes its transactions, each once, with all that it says.
/// Method: small responses of both styles with one trait each.
@Suite struct ReceiptTests {
  /// One transaction of iOS 7 style with further members.
  static func transaction(_ id: String = "1", _ more: String = "") -> String {
    "{\"transaction_id\":\"\(id)\",\"product_id\":\"gems\",\"purchase_date_ms\":\"1687163400000\""
      + (more.isEmpty ? "" : ",\(more)") + "}"
  }

  static func response(inApp: [String] = [], latest: [String] = [], _ more: String = "") -> String {
    "{\"status\":0,\"receipt\":{\"bundle_id\":\"com.example\",\"in_app\":["
      + inApp.joined(separator: ",") + "]}"
      + ",\"latest_receipt_info\":[\(latest.joined(separator: ","))]"
      + (more.isEmpty ? "" : ",\(more)") + "}"
  }

  /// The one transaction of a text.
  private func only(
    _ text: String
  ) throws -> (row: TransactionRow, terms: TransactionTerms, text: (TextSlice) -> String) {
    let outcome = try read(text)
    #expect(outcome.reading.diagnostics.map(describe) == [])
    #expect(outcome.transactions.count == 1)
    return try #require(outcome.transactions.first)
  }

  @Test func wrappedReceiptOfIOS7IsRead() throws {
    let outcome = try read(
      """
      {"order_id":"O1","user_id":"u1","received_at":"2023-06-19T08:31:00Z","response":{"status":0,\
      "environment":"Production","receipt":{"receipt_type":"Production","adam_id":0,\
      "app_item_id":774384491,"bundle_id":"com.example","request_date_ms":"1687163999000",\
      "in_app":[{"quantity":"2","product_id":"gems","transaction_id":"470001434498518",\
      "original_transaction_id":470001434498518,"purchase_date":"2023-06-19 08:30:00 Etc/GMT",\
      "purchase_date_ms":"1687163400000","purchase_date_pst":"2023-06-19 01:30:00 \
      America/Los_Angeles","original_purchase_date_ms":"1687163400000","is_trial_period":"false",\
      "in_app_ownership_type":"PURCHASED","app_account_token":"7E3FB20B-4CDB",\
      "item_id":"1146327846"}]},"latest_receipt":"TUlJ"}}
      """)
    #expect(outcome.reading.kind == .receipts && outcome.reading.rows == 1)
    #expect(outcome.reading.begin == Day("2023-06-19") && outcome.reading.end == Day("2023-06-19"))
    #expect(outcome.tallies == ["receipts with status 0: valid 1", "transactions 1"])
    let (row, terms, text) = try #require(outcome.transactions.first)
    #expect(text(row.transactionID) == "470001434498518")
    #expect(text(row.originalTransactionID) == "470001434498518")
    #expect(text(row.orderID) == "O1" && text(row.userID) == "u1")
    #expect(text(row.appAccountToken) == "7e3fb20b-4cdb")
    #expect(row.purchasedAt.description == "2023-06-19T08:30:00Z" && row.expiresAt == nil)
    #expect(row.observedAt?.description == "2023-06-19T08:31:00Z")
    #expect(
      terms
        == TransactionTerms(
          factSource: .receipt, sku: "gems", bundleID: "com.example", quantity: 2, isTrial: false,
          ownership: .purchased, environment: .production, itemID: "1146327846",
          appItemID: "774384491"))
    let message = try #require(outcome.messages.first)
    #expect(
      message.terms
        == MessageTerms(
          factSource: .receipt, type: "verifyReceipt", status: 0, environment: .production,
          bundleID: "com.example"))
    #expect(message.text(message.row.orderID) == "O1" && message.row.observedAt == row.observedAt)
  }

  @Test func receiptOfIOS6IsRead() throws {
    let outcome = try read(
      """
      {"auto_renew_status":1,"auto_renew_product_id":"year","expiration_intent":"1",\
      "is_in_billing_retry_period":"0","status":21006,"latest_expired_receipt_info":\
      {"original_transaction_id":"10","expires_date":"1517368991000","transaction_id":"12",\
      "product_id":"month","bid":"ab.bc","purchase_date":"2018-01-31 02:53:11 Etc/GMT",\
      "item_id":"5"},"receipt":{"original_transaction_id":"10","expires_date":"1517359990000",\
      "transaction_id":"11","quantity":"1","product_id":"month","bid":"ab.bc",\
      "purchase_date_pst":"2018-01-30 16:23:10 America/Los_Angeles"},"latest_receipt_info":{}}
      """)
    #expect(outcome.reading.diagnostics.isEmpty && outcome.reading.kind == .receipts)
    #expect(outcome.transactions.map { $0.text($0.row.transactionID) } == ["12", "11"])
    let times = outcome.transactions.map(\.row.purchasedAt.description)
    #expect(times == ["2018-01-31T02:53:11Z", "2018-01-31T00:23:10Z"])
    #expect(outcome.transactions[0].row.expiresAt?.seconds == 1_517_368_991)
    // Half an hour is a month of the sandbox.
    #expect(outcome.transactions.allSatisfy { $0.terms.bundleID == "ab.bc" && $0.terms.isSandbox })
    #expect(outcome.messages[0].terms.bundleID == "ab.bc")
    let renewal = try #require(outcome.renewals.first)
    #expect(
      renewal.terms
        == RenewalTerms(
          factSource: .receipt, sku: "month", nextSKU: "year", willRenew: true, expirationIntent: 1,
          isInBillingRetry: false))
    #expect(renewal.text(renewal.row.originalTransactionID) == "10")
    #expect(renewal.row.observedAt.description == "2018-01-31T02:53:11Z")
    let expired = "receipts with status 21006: valid, but the subscription has expired 1"
    #expect(outcome.tallies.contains(expired))
  }

  @Test func eachTransactionIsOneRow() throws {
    let inApp = Self.transaction(
      "1", "\"is_trial_period\":\"false\",\"web_order_line_item_id\":\"7\",\"quantity\":\"3\"")
    let cancelled = Self.transaction("2", "\"cancellation_date_ms\":\"1687163500000\"")
    let latest = Self.transaction(
      "1", "\"is_trial_period\":\"true\",\"expires_date_ms\":1687768200000")
    let outcome = try read(
      Self.response(inApp: [inApp, cancelled, inApp], latest: [latest, Self.transaction("2")]))
    #expect(outcome.transactions.map { $0.text($0.row.transactionID) } == ["1", "2"])
    let (row, terms, text) = outcome.transactions[0]
    #expect(terms.saysTrial == true && terms.quantity == 3 && terms.offer == .introductory)
    #expect(text(row.webOrderLineItemID) == "7" && row.expiresAt?.seconds == 1_687_768_200)
    #expect(outcome.transactions[1].row.revokedAt?.seconds == 1_687_163_500)
    let many = (1...300).map { Self.transaction(String($0)) }
    #expect(try read(Self.response(inApp: many, latest: many)).transactions.count == 300)
  }

  @Test(arguments: [
    ("\"is_in_intro_offer_period\":\"true\"", OfferKind.introductory),
    ("\"is_trial_period\":true", .introductory),
    ("\"promotional_offer_id\":\"p\",\"is_trial_period\":\"true\"", .promotional),
    ("\"offer_code_ref_name\":\"c\"", .code), ("\"is_trial_period\":\"false\"", nil),
  ])
  func offersAreTold(more: String, offer: OfferKind?) throws {
    #expect(try only(Self.response(latest: [Self.transaction("1", more)])).terms.offer == offer)
  }

  @Test func upgradesWithoutTheirFlagAreKnown() throws {
    func outcome(product: String, at second: Int, chain: String) throws -> [Bool] {
      let old = Self.transaction(
        "1", "\"original_transaction_id\":\"1\",\"cancellation_date_ms\":\"1687163500000\"")
      let new =
        "{\"transaction_id\":\"2\",\"product_id\":\"\(product)\",\"original_transaction_id\":"
        + "\"\(chain)\",\"purchase_date_ms\":\(second)000}"
      return try read(Self.response(latest: [old, new])).transactions.map(\.terms.isUpgraded)
    }
    #expect(try outcome(product: "year", at: 1_687_163_540, chain: "1") == [true, false])
    #expect(try outcome(product: "year", at: 1_687_163_561, chain: "1") == [false, false])
    #expect(try outcome(product: "gems", at: 1_687_163_500, chain: "1") == [false, false])
    #expect(try outcome(product: "year", at: 1_687_163_500, chain: "9") == [false, false])
    let flagged = Self.transaction("1", "\"is_upgraded\":\"true\"")
    #expect(try only(Self.response(latest: [flagged])).terms.isUpgraded)
  }

  @Test(arguments: [
    ("", "\"environment\":\"Production\"", 0, StoreEnvironment.production),
    ("\"environment\":\"Sandbox\"", "\"receipt_type\":\"Production\"", 0, .sandbox),
    ("", "\"receipt_type\":\"ProductionSandbox\",\"environment\":\"Production\"", 0, .sandbox),
    ("", "\"receipt_type\":\"ProductionVPPSandbox\"", 0, .sandbox),
    ("", "\"receipt_type\":\"ProductionVPP\"", 21007, .production),
    ("", "\"receipt_type\":\"Xcode\"", 0, .sandbox), ("", "", 21007, .sandbox),
    ("", "", 21008, .production), ("", "", 0, nil), ("", "\"environment\":\"Moon\"", 0, .other),
    ("\"expires_date_ms\":\"1687170600000\"", "", 0, .sandbox),
    ("\"expires_date_ms\":\"1687170601000\"", "", 0, nil),
    ("\"expires_date_ms\":\"1687163400000\"", "", 0, nil),
    ("\"expires_date_ms\":\"1687163700000\"", "\"environment\":\"Production\"", 0, .production),
  ])
  func environmentGoesByRank(
    own: String, around: String, status: Int, environment: StoreEnvironment?
  ) throws {
    let parts = around.split(separator: ",").map(String.init)
    let type = parts.filter { $0.hasPrefix("\"receipt_type") }.map { $0 + "," }.joined()
    let rest = parts.filter { !$0.hasPrefix("\"receipt_type") }.map { "," + $0 }.joined()
    let text =
      "{\"status\":\(status),\"receipt\":{\(type)\"in_app\":["
      + "\(Self.transaction("1", own))]}\(rest)}"
    #expect(try only(text).terms.environment == environment)
  }

  @Test(arguments: [
    ("\"received_at\":1687163401,", "2023-06-19T08:30:01Z"),
    ("\"received_at\":\"1687163402000\",", "2023-06-19T08:30:02Z"),
    ("\"received_at\":1687163403.75,", "2023-06-19T08:30:03Z"),
    ("\"received_at\":\"2023-06-19T16:30:04+08:00\",", "2023-06-19T08:30:04Z"),
    ("\"received_at\":null,", "2023-06-19T08:30:05Z"), ("", "2023-06-19T08:30:05Z"),
  ])
  func arrivalIsWhenItWasTold(member: String, time: String) throws {
    let receipt =
      "\"receipt\":{\"request_date\":\"2023-06-19 08:30:05 Etc/GMT\","
      + "\"receipt_creation_date_ms\":\"1687163406000\",\"in_app\":[\(Self.transaction())]}"
    let text = "{\(member)\"response\":{\"status\":0,\(receipt)}}"
    #expect(try only(text).row.observedAt?.description == time)
    let created = text.replacing("request_date", with: "other_date")
    if member.isEmpty {
      #expect(try only(created).row.observedAt?.description == "2023-06-19T08:30:06Z")
    }
  }

  @Test(arguments: [
    "{\"response\":RECEIPT}", "{\"user_id\":5,\"response\":TEXT}", "RECEIPT",
    "{\"receipt_type\":\"Production\",\"bundle_id\":\"com.example\",\"in_app\":[ONE]}",
    "[RECEIPT]", "{\"latest_receipt_info\":[ONE],\"status\":\"0\"}", "BARE",
    "{\"order_id\":\"O\",\"response\":BARE}",
  ])
  func formsAreTaken(form: String) throws {
    let one = Self.transaction("1", "\"quantity\":1")
    let bare = one.replacing("}", with: ",\"bid\":\"com.example\",\"bvrs\":\"1.0\"}")
    let receipt = Self.response(inApp: [one])
    let escaped =
      "\"" + receipt.replacing("\"", with: "\\\"") + "\""
    let text = form.replacing("RECEIPT", with: receipt).replacing("TEXT", with: escaped)
      .replacing("ONE", with: one).replacing("BARE", with: bare)
    let found = try only(text)
    #expect(found.terms.sku == "gems" && found.text(found.row.transactionID) == "1")
  }

  @Test(arguments: [
    ("{\"status\":21005}", "receipts with status 21005: the receipt service was not available 1"),
    (
      "{\"status\":21002,\"exception\":\"java.lang.X\"}",
      "receipts with status 21002: the receipt was malformed, or the service had a passing fault 1"
    ),
    ("{\"status\":21199,\"is_retryable\":true}", "receipts with status 21199: internal error"),
    (
      "{\"status\":21010,\"environment\":\"Production\"}",
      "receipts with status 21010: the account"
    ),
    (
      "{\"status\":21050}",
      "receipts with status 21050: an error of Apple's without a documented meaning 1"
    ),
    ("{\"status\":7}", "receipts with status 7: unknown 1"),
    ("{\"order_id\":\"1\",\"response\":{\"status\":-1}}", "receipts with status -1: unknown 1"),
    ("{\"response\":{\"receipt\":{}}}", "receipts without a status 1"),
  ])
  func everyStatusIsUnderstood(text: String, tally: String) throws {
    let outcome = try read(text)
    #expect(outcome.reading.kind == .receipts && outcome.reading.rows == 1)
    #expect(outcome.transactions.isEmpty && outcome.reading.diagnostics.isEmpty)
    #expect(outcome.tallies.count == 1 && outcome.tallies[0].hasPrefix(tally))
  }

  @Test func sandboxReceiptSentToProductionIsNoIncome() throws {
    let text = """
      {"receipt":{"item_id":"420862234", "bvrs":"1.0", "product_id":"p", \
      "purchase_date":"2011-02-17 06:20:57 Etc/GMT", "bid":"com.x", "transaction_id":"15"}, \
      "status":21007}
      """
    let found = try only(text)
    #expect(found.terms.isSandbox && found.row.purchasedAt.description == "2011-02-17T06:20:57Z")
  }

  @Test func pendingRenewalsAreRead() throws {
    let text = Self.response(
      latest: [Self.transaction("1", "\"original_transaction_id\":\"1\"")],
      """
      "auto_renew_status":1,"pending_renewal_info":[{"auto_renew_product_id":"year",\
      "product_id":"month","original_transaction_id":"1","auto_renew_status":"0",\
      "expiration_intent":"2","is_in_billing_retry_period":"1","grace_period_expires_date":\
      "2023-07-01 00:00:00 Etc/GMT"},{"product_id":"x","original_transaction_id":2}]
      """)
    let outcome = try read(text)
    #expect(outcome.renewals.map { $0.text($0.row.originalTransactionID) } == ["1", "2"])
    let (row, terms, _) = outcome.renewals[0]
    #expect(
      terms
        == RenewalTerms(
          factSource: .receipt, sku: "month", nextSKU: "year", willRenew: false,
          expirationIntent: 2,
          isInBillingRetry: true))
    #expect(row.graceExpiresAt == Day("2023-07-01")?.startUTC)
    #expect(row.observedAt.seconds == 1_687_163_400)
    #expect(outcome.tallies.contains("renewals 2"))
  }

  @Test(arguments: [
    ("{\"product_id\":\"a\",\"purchase_date_ms\":1687163400000}", "value", "no transaction_id"),
    ("{\"transaction_id\":\"\",\"product_id\":\"a\"}", "value", "no transaction_id"),
    ("{\"transaction_id\":\"1\",\"purchase_date_ms\":1687163400000}", "value", "no product_id"),
    ("{\"transaction_id\":\"1\",\"product_id\":\"a\"}", "value", "no purchase_date"),
    ("{\"transaction_id\":\"1.00E+15\",\"product_id\":\"a\"}", "id", "rounded"),
    ("{\"transaction_id\":{\"a\":1}}", "value", "not a plain value"),
    ("{\"transaction_id\":\"1\",\"transaction_id\":\"2\"}", "key", "twice"),
    ("5", "value", "a transaction was expected"),
    (
      "{\"transaction_id\":\"1\",\"product_id\":\"a\",\"purchase_date_ms\":\"soon\"}", "date",
      "purchase_date is not a time"
    ),
    (
      "{\"transaction_id\":\"1\",\"product_id\":\"a\",\"purchase_date_ms\":1243}", "date",
      "purchase_date is not a time"
    ),
    (
      "{\"transaction_id\":\"1\",\"product_id\":\"a\",\"purchase_date_ms\":1687163400000,"
        + "\"is_trial_period\":\"maybe\"}", "value", "neither true nor false"
    ),
    (
      "{\"transaction_id\":\"1\",\"product_id\":\"a\",\"purchase_date_ms\":1687163400000,"
        + "\"quantity\":\"0\"}", "value", "at least 1"
    ),
  ])
  func transactionAtFaultRejectsItsRecord(bad: String, topic: String, message: String) throws {
    let good = Self.response(inApp: [Self.transaction("77", "\"item_id\":\"9\"")])
    let text =
      good + "\n" + Self.response(inApp: [Self.transaction("8", "\"item_id\":\"8\""), bad])
    let outcome = try read(text + "\n" + good)
    #expect(outcome.reading.rows == 2 && outcome.reading.rejected == 1)
    #expect(outcome.reading.diagnostics.map(\.topic) == [topic])
    #expect(outcome.reading.diagnostics[0].message.english.contains(message), "\(outcome.dump)")
    #expect(outcome.reading.diagnostics[0].location.line == 2)
    #expect(outcome.transactions.map { $0.text($0.row.transactionID) } == ["77", "77"])
    #expect(outcome.blocks.flatMap(\.newTransactionTerms).map(\.itemID) == ["9"])
    #expect(outcome.tallies == ["receipts with status 0: valid 2", "transactions 2"])
  }

  @Test(arguments: [
    ("{\"status\":0,\"receipt\":{\"in_app\":[{\"transaction_id\":\"1\",\"product_id\":\"a\","
      + "\"purchase_date_ms\":⟦\"x\"⟧}]}}"),
    ("{\n \"status\":0,\n \"receipt\":{\n\"in_app\":[{\"transaction_id\":\"1\",\"product_id\":\"a\""
      + ",\"purchase_date_ms\":1687163400000,\n   \"quantity\": ⟦\"many\"⟧}]}}"),
    "{\"response\": ⟦5⟧}", "{\"status\":0,\"receipt\":⟦\"MIIT\"⟧}",
    "{\"receipt\":{},\"status\":⟦\"fine\"⟧}", "{\"received_at\":⟦\"today\"⟧,\"response\":{}}",
    "{\"response\":⟦\"{oops}\"⟧}", "{\"response\": {\"status\":0,⟦oops⟧}}",
  ])
  func placesAreOfTheValue(marked: String) throws {
    let text = MarkedText(marked)
    let outcome = try read(text.text)
    #expect(outcome.reading.diagnostics.map(\.location) == text.places, "\(outcome.dump)")
    #expect(outcome.reading.rows == 0 && outcome.reading.rejected == 1)
  }

  @Test func mixedRecordsOfOneFileAreRead() throws {
    let outcome = try read(
      [
        Self.response(inApp: [Self.transaction("1")]),
        "{\"notification_type\":\"DID_RENEW\",\"unified_receipt\":{\"latest_receipt_info\":["
          + Self.transaction("2") + "]}}",
        "{\"transactionId\":\"3\",\"productId\":\"gems\",\"purchaseDate\":1687163400000}",
        "{\"order_id\":\"1\",\"sku\":\"gems\"}",
      ].joined(separator: "\n"))
    #expect(outcome.reading.kind == .receipts && outcome.reading.rows == 3)
    #expect(outcome.transactions.map { $0.text($0.row.transactionID) } == ["1", "2", "3"])
    #expect(outcome.transactions.map(\.terms.factSource) == [.receipt, .notificationV1, .unsigned])
    #expect(outcome.reading.diagnostics.map(\.topic) == ["kind"])
  }

  @Test func bordersOfBlocksChangeNothing() throws {
    let lines = (0..<40).map { index in
      Self.response(
        inApp: [
          Self.transaction("\(index)", "\"item_id\":\"\(index % 3)\""),
          Self.transaction("\(index)0", "\"quantity\":\"\(index % 5 + 1)\""),
        ],
        index % 7 == 0
          ? "\"pending_renewal_info\":[{\"original_transaction_id\":\"\(index)\",\"product_id\":"
            + "\"a\(index % 2)\"}]" : index % 11 == 3 ? "\"status\":1" : "")
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let whole = try read(bytes)
    #expect(whole.reading.rows == 37 && whole.reading.rejected == 3)
    for rows in 1...5 {
      var limits = ReadingLimits()
      limits.rowsPerBlock = rows
      limits.blockSize = 64 * rows
      let parts = try read(bytes, chunk: 13, limits: limits)
      #expect(parts.dump == whole.dump)
      #expect(parts.blocks.count > 5)
    }
  }

  @Test func longReceiptsAreRead() throws {
    let text = Self.response(
      inApp: [Self.transaction()],
      "\"latest_receipt\":\"\(String(repeating: "A", count: 2_000_000))\""
    )
    #expect(try read("{\"response\":" + text + "}\n" + text).reading.rows == 2)
    var limits = ReadingLimits()
    limits.purchaseLength = 1_000_000
    #expect(throws: Diagnostic.self) { try read(Array(text.utf8), limits: limits) }
  }
}
