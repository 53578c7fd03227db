import Billing
import Testing

@testable import Reading

@Suite struct IdentifyTests {
  @Test(arguments: [
    ("", "the file is empty"), ("\u{FEFF}\n \n", "the file is empty"),
    ("hello world\n", "not recognised"),
    ("a,b,c\n1,2,3\n", "not recognised"),
    ("MIIT2wYJKoZIhvcNAQcCoIITzDCCE8gCAQExCzAJBgUrDgMCGgUAMI", "an app receipt"),
    ("ewoicHVyY2hhc2UtaW5mbyIgPSAiZXdvaQ==", "from an iOS 6 app"),
    ("PK\u{3}\u{4}rest", "a workbook or a zip archive"),
    ("a\u{0}b\u{0}", "not text"),
    ("<!DOCTYPE html><html>", "a web page"),
    (
      "{\"errors\":[{\"status\":\"404\",\"detail\":\"none\"}]}",
      "an error answer of Apple's service"
    ),
    ("{\"errorCode\":4040010,\"errorMessage\":\"x\"}", "an error answer of Apple's service"),
    ("Vendor Name\tACME\n", "no line of column names"),
    ("Vendor Identifier\tExtended Partner Share\n", "the columns product type identifier"),
    ("Name\tEligible for Win-Back Offers\n", "report on win-back offers"),
    ("Event Date\tEvent\tQuantity\tSubscription Apple ID\n", "the column country"),
    ("Event Date\tSubscriber ID\n", "the columns subscription apple id"),
    ("App Name\tActive Standard Price Subscriptions\n", "the columns subscription apple id"),
    ("SKU\tCumulative Ordered\n", "pre-order report"),
    ("Date\tOffer Code\tRedemptions\n", "offer code redemption report"),
    ("order_id,sku,status,placed_at,transaction_id,purchased_at\n", "more than one kind"),
    ("Country,Currency,2025,2024\nEuro Zone,Euro,0.886,0.924\n", "not recognised"),
    ("O1,100,6.00,2023\nO2,100,6.00,2024\n", "the first line is a row"),
    ("{\"status\":\"paid\",\"id\":1}", "not recognised"),
    ("{\"status\":1,\"id\":1}", "not recognised"),
    (
      "{\"transaction_id\":\"1\",\"product_id\":\"a\",\"purchase_date\":1}",
      "looks like transactions"
    ),
    ("{\"data\":[],\"id\":1}", "not recognised"), ("{\"body\":\"x\",\"id\":1}", "not recognised"),
  ])
  func otherContentIsRefusedByName(text: String, message: String) {
    let diagnostic = stop(text)
    #expect(
      diagnostic?.message.english.contains(message) == true,
      "\(diagnostic?.message.english ?? "read")")
    #expect(diagnostic?.topic == "kind" || diagnostic?.topic == "column")
    #expect(diagnostic?.help.isEmpty == false)
  }

  private static let noSales = """
    {"errors": [{"id": "x", "status": "404", "code": "NOT_FOUND", "title": "The specified \
    resource does not exist", "detail": "There were no sales for the date specified."}]}
    """
  private static let late = """
    {"errors": [{"status": "404", "code": "NOT_FOUND", "title": "The request expected results \
    but none were found", "detail": "Report is not available yet."}]}
    """

  /// Apple's answers on a day's report, saved under the report's name.
  @Test(arguments: [
    (
      "S_D_80000001_20260306.txt", noSales,
      "Apple had no sales: tieout import --no-sales 2026-03-06 --vendor 80000001; then"
    ),
    ("answer.json", noSales, "Apple had no sales: tieout import --no-sales DATE; then"),
    ("S_W_80000001_20260308.txt", noSales, "request the report again"),
    ("S_D_80000001_20260306.txt", late, "request the report again"),
  ])
  func whatAppleSaysOfADayIsToldFromAnError(name: String, text: String, help: String) {
    #expect(stop(text, name: name)?.help.english.contains(help) == true)
  }

  @Test func binaryReceiptIsRefused() {
    #expect(stop([0x30, 0x82, 0x10, 0x00, 0x06])?.message.english.contains("app receipt") == true)
  }

  @Test(arguments: [
    ("order_id,sku,status,placed_at\n", InputKind.orders),
    ("transaction_id,sku,purchased_at,order_id,kind\n", .transactions),
    ("transaction_id,sku,purchased_at,order_id,status,kind\n", .transactions),
    ("order_id,sku,status,placed_at,transaction_id,kind\n", .orders),
    ("sku,kind\n", .products), ("kind,sku,tier,apple_identifier,name\n", .products),
    ("table,tier,storefront,currency,price,proceeds,effective_from,effective_to\n", .tiers),
    ("date,base,quote,rate\n", .rates), ("Date,USD,JPY,\n", .rates),
    ("date,amount,currency,reference\n", .bank), ("Currency,Date,Amount\n", .bank),
    ("storefront,rate\n", .taxes), ("\u{FEFF}Storefront , RATE \n", .taxes),
    ("\n\norder_id,sku,status,placed_at\n", .orders),
    ("order_id;sku;status;placed_at\n", .orders), ("order_id\tsku\tstatus\tplaced_at\n", .orders),
  ])
  func headersAreRecognised(text: String, kind: InputKind) throws {
    let reading = try read(text).reading
    #expect(reading.kind == kind && reading.rows == 0)
  }

  @Test(arguments: [
    ("{\"signedPayload\":\"eyJ\"}", InputKind.notifications),
    ("{\"notification_type\":\"CANCEL\"}", .notifications),
    ("{\"notificationType\":\"TEST\",\"version\":\"2.0\"}", .notifications),
    ("{\"received_at\":1,\"body\":{\"signedPayload\":\"x\"}}", .notifications),
    ("{\"received_at\":1,\"body\":\"{}\"}", .notifications),
    ("{\"revision\":\"x\",\"signedTransactions\":[\"eyJ\"]}", .history),
    ("{\"status\":0,\"signedTransactions\":[]}", .history),
    ("{\"signedTransactionInfo\":\"x\"}", .history), ("{\"notificationHistory\":[]}", .history),
    ("{\"environment\":\"Sandbox\",\"bundleId\":\"a\",\"data\":[]}", .history),
    ("{\"transactionId\":\"1\",\"productId\":\"a\"}", .history),
    ("{\"originalTransactionId\":\"1\",\"autoRenewStatus\":1}", .history),
    ("{\"bundleId\":\"a\",\"originalApplicationVersion\":\"1\"}", .history),
    ("[\"eyJhbGciOiJFUzI1NiJ9.e30.x\"]", .history), ("eyJhbGciOiJFUzI1NiJ9.e30.c2ln\n", .history),
    ("\n \"eyJhbGciOiJFUzI1NiJ9.e30.c2ln\"\n", .history),
    ("{\"status\":0,\"receipt\":{\"in_app\":[]}}", .receipts), ("{\"status\":21005}", .receipts),
    ("[{\"status\":21005,\"is_retryable\":true}]", .receipts),
    ("{\"order_id\":\"1\",\"user_id\":\"u\",\"received_at\":1,\"response\":{}}", .receipts),
    ("{\"latest_receipt_info\":[]}", .receipts),
    ("{\"order_id\":\"1\",\"sku\":\"a\",\"status\":\"paid\",\"receipt\":\"MII\"}", .orders),
    (
      "{\"transaction_id\":\"1\",\"product_id\":\"a\",\"purchase_date_ms\":1,\"bvrs\":\"1\"}",
      .receipts
    ),
    (
      "{\"order_id\":\"1\",\"sku\":\"a\",\"status\":1,\"placed_at\":1,\"response\":{},\"body\":1}",
      .orders
    ),
    (
      "{\"transaction_id\":\"1\",\"sku\":\"a\",\"purchased_at\":1,\"receipt\":{},\"data\":[]}",
      .transactions
    ),
  ])
  func objectsAreRecognised(text: String, kind: InputKind) throws {
    #expect(try read(text).reading.kind == kind)
  }

  /// Whose cover is no table hears of the sheets behind it.
  @Test(arguments: [nil, InputKind.transactions])
  func sheetsThatWereNotLookedAtAreTold(kind: InputKind?) {
    var hints = ReadingHints.whole
    (hints.kind, hints.sheet, hints.unreadSheets) = (kind, "説明", ["受注", "商品"])
    let title = "売上管理表 2024年2月\n\n受注番号,商品コード,受注日時\nA1,com.a.b,2024-02-01\n"
    let wrong = #expect(throws: Diagnostic.self) {
      try read(title, name: "受注一覧.xlsx", hints: hints)
    }
    let help = wrong?.help.english ?? ""
    #expect(
      help.hasPrefix(
        "only the sheet 説明 was looked at, and the workbook also has 受注, 商品: if the table is on "
          + "one of these, name it in tieout.toml: "
          + "import.\(kind == nil ? "orders" : "transactions").sheet = \"受注\". Else: "), "\(help)")
    #expect(wrong?.leftOut == nil)
    hints.mappings = [TableMapping(.transactions, name: "t")]
    hints.mappings[0].sheet = "説明"
    let named = #expect(throws: Diagnostic.self) {
      try read(title, name: "受注一覧.xlsx", hints: hints)
    }
    #expect(named?.help.english.hasPrefix("only the sheet") == false)
  }

  @Test func aCarriageReturnInAHeaderBelowTitlesIsToldWithItsLine() {
    let found = stop(
      "Orders of June\nexported 2023-07-01\norder_id,sku,status\rplaced_at\n1,a,paid,1685577600\n")
    #expect(found?.location.line == 3, "\(found.map(describe) ?? "nothing")")
  }

  @Test func lineNumbersCountBlankLines() throws {
    let outcome = try read("\n\norder_id,sku,status,placed_at\n\n1,a,paid,1685577600\n")
    #expect(outcome.orders[0].row.line == 5)
  }
}
