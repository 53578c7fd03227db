import Billing
import Foundation
import Testing

@testable import Reading

/// The same content in the forms in which services and databases hand it out.
@Suite struct FormsTests {
  // MARK: - Any spelling, inside any objects

  private static let names = [
    "SKU", "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
    "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
    "Customer Price", "CMB",
  ]
  private static let values = [
    "\"com.turn.gems\"", "\"IA1\"", "3", "4.20", "\"06/19/2023\"", "\"06/19/2023\"", "\"USD\"",
    "\"US\"", "\"USD\"", "6700000009", "6.00", "\"\"",
  ]

  private static func row(_ spelling: (String) -> String, asText: Bool = false) -> String {
    let members = zip(names, values).map { name, value in
      "\"\(spelling(name))\": \(asText && value.first != "\"" ? "\"\(value)\"" : value)"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func joined(
    _ mark: String, _ change: @escaping (String) -> String = { $0.lowercased() }
  )
    -> (String) -> String
  { { change($0).replacing(" ", with: mark) } }

  private static func camel(_ name: String) -> String {
    let words = name.split(separator: " ").map(\.capitalized)
    return words[0].lowercased() + words.dropFirst().joined()
  }

  private static let forms: [(String, String)] = [
    ("titles", "[\(row { $0 })]"), ("lines", row { $0 } + "\n"),
    ("camel", "[\(row(camel))]"),
    ("pascal", "[\(row { $0.split(separator: " ").map(\.capitalized).joined() })]"),
    ("snake", "[\(row(joined("_")))]"), ("kebab", "[\(row(joined("-")))]"),
    ("screaming", row(joined("_") { $0.uppercased() })),
    ("numbers as text", "[\(row({ $0 }, asText: true))]"),
    ("wrapped", "{\"rows\": [\(row { $0 })], \"next\": null}"),
    (
      "wrapped twice",
      "{\"code\": 0, \"errors\": null, \"data\": {\"report\": [\n\(row(camel))\n]}}"
    ),
    (
      "wrapped thrice",
      "{\"a\": {\"t\": [\"x\"], \"b\": {\"c\": [\(row { $0 })], \"n\": {}}}, \"ok\": true}"
    ),
  ]

  @Test(arguments: forms.map(\.0)) func `a sales row in any spelling is the same row`(
    _ name: String
  ) throws {
    let text = try #require(Self.forms.first { $0.0 == name }?.1)
    let outcome = try read(text)
    #expect(outcome.reading.kind == .sales && outcome.reading.diagnostics.isEmpty)
    let sale = try #require(outcome.sales.first)
    #expect(outcome.sales.count == 1 && sale.row.units == 3 && sale.product.sku == "com.turn.gems")
    #expect(sale.terms.customerPrice == 6_000_000 && sale.terms.proceeds == 4_200_000)
    #expect(sale.product.appleIdentifier == "6700000009")
  }

  @Test(arguments: ["[{\"sku\": \"a\", \"units\": 1}]", "SKU,Units\na,1\n", "a,b,c\n1,2,3\n"])
  func `who says that it is sales hears what is missing`(_ text: String) {
    var hints = ReadingHints()
    hints.kind = .sales
    let wrong = #expect(throws: Diagnostic.self) { try read(text, hints: hints) }
    let message = wrong?.message.english ?? ""
    #expect(message.contains("product type identifier") && message.contains("are missing"))
  }

  private static let order =
    #"{"orderId": "A1", "sku": "a.b", "status": "paid", "placedAt": 1686528000000}"#

  @Test(arguments: [
    #"{"code": 0, "data": {"orders": [ORDER]}}"#, #"{"code": 0, "data": [ORDER]}"#,
    #"{"result": {"page": {"n": 1}, "content": [ORDER], "sort": {"by": ["id"]}}, "ms": 3}"#,
    #"{"status": "ok", "message": "a [{ \" }]", "data": {"list": [ORDER]}, "errorCode": null}"#,
  ]) func `orders inside objects are read`(_ text: String) throws {
    let outcome = try read(text.replacing("ORDER", with: "\(Self.order),\n\(Self.order)"))
    #expect(outcome.reading.kind == .orders && outcome.reading.rows == 2)
    #expect(outcome.orders.map { $0.text($0.row.orderID) } == ["A1", "A1"])
  }

  @Test(arguments: [
    (
      #"{"result": {"rows": [{"transactionId": "1", "sku": "a", "purchasedAt": 1686528000}]}}"#,
      InputKind.transactions
    ),
    (#"{"data": {"events": [{"at": 1686528000, "stage": "pay", "outcome": "ok"}]}}"#, .events),
    (
      #"{"total": 1, "list": [{"date": "2023-06-01", "amount": "1.00", "currency": "CNY"}]}"#,
      .bank
    ),
  ]) func `other tables inside objects are read`(_ text: String, _ kind: InputKind) throws {
    let outcome = try read(text)
    #expect(outcome.reading.kind == kind && outcome.reading.rows == 1)
  }

  @Test(arguments: [
    "entry,date,account,amount,currency,base_amount,rate,narration,rate_day\n"
      + "1,2023-07-31,A,1.00,CNY,1.00,1,x,2023-07-31\n",
    "id,code,severity,date,amount,currency,explanation\n1,x,error,2023-06-01,1.00,CNY,y\n",
  ]) func `what Tieout wrote is no bank statement`(_ text: String) {
    #expect(stop(text)?.message.english == "this list was written by Tieout and is no input")
  }

  @Test func `a second list of objects is never passed over`() {
    let text = "{\"orders\": [\(Self.order)], \"more\": {\"orders\": [\(Self.order)]}}"
    #expect(stop(text)?.message.english == "other content follows the array of rows")
    // An order is one, whatever lies in it.
    let nested = Self.order.dropLast() + ", \"items\": [{\"sku\": \"x\"}]}"
    #expect((try? read(String(nested)))?.reading.rows == 1)
  }

  @Test func `a catalogue may be JSON`() throws {
    let outcome = try read(
      #"{"data": {"items": [{"sku": "a", "kind": "consumable", "coins": 5}]}}"#)
    #expect(outcome.reading.kind == .products && outcome.reading.rows == 1)
  }

  @Test(arguments: [
    "{\"data\": SUMMARY, \"messages\": {\"warn\": null}, \"statusCode\": \"SUCCESS\"}",
    "{\"data\": {\"data\": SUMMARY}}", "[SUMMARY]", "{\"data\": [SUMMARY]}",
  ]) func `the answer of the payments page may be wrapped`(_ text: String) throws {
    let regions = PaymentsJSON.regions.split(separator: "\n").prefix(2)
    let summary = """
      {"sapVendorNumber": "80000001", "report_date": "2022-06-01T00:00:00Z",
      "ReportSummaries": [\(PaymentsJSON.summary(regions, amount: "24.27"))]}
      """
    let outcome = try read(text.replacing("SUMMARY", with: summary))
    #expect(outcome.reading.kind == .payments && outcome.payments.lines.count == 2)
    #expect(outcome.reading.vendor == "80000001" && outcome.payments.payouts.count == 1)
  }

  // MARK: - Words for nothing

  private static let head = "order_id,sku,status,placed_at,transaction_id,coins,channel,user_id\n"

  @Test(arguments: [
    "NULL", "\\N", "null", "None", "nil", "NaN", "<NA>", "(null)", "[NULL]", "N/A", "#N/A",
    "undefined", "Undefined", "nULL", " NULL ", "None ",
  ]) func `a word for nothing is blank and counted`(_ word: String) throws {
    let outcome = try read(
      Self.head + "A1,a,paid,2023-06-18T02:00:00Z,\(word),\(word),\(word),\(word)\n"
        + "A2,a,paid,2023-06-18T02:00:00Z,12,60,apple,Nadia\n")
    let (first, second) = (outcome.orders[0], outcome.orders[1])
    #expect(first.row.transactionID == .none && first.row.userID == .none)
    #expect(first.terms.coins == nil && first.terms.channel.isEmpty)
    #expect(second.text(second.row.userID) == "Nadia" && second.terms.coins == 60)
    #expect(outcome.reading.tallies.map(\.count) == [4])
    let shown = word.lowercased().replacing(" ", with: "")
    #expect(outcome.reading.tallies[0].what.english.contains(shown))
  }

  @Test func `words for nothing in times, codes and JSON`() throws {
    let text = """
      {"order_id":"A1","sku":"a","status":"paid","placed_at":1686528000,"paid_at":"None",\
      "storefront":"N/A","unit_price":"nan","currency":"NULL","transaction_id":"undefined"}
      """
    let outcome = try read(text)
    #expect(outcome.reading.rejected == 0 && outcome.reading.tallies.map(\.count) == [5])
    #expect(outcome.orders[0].terms.storefront == nil && outcome.orders[0].row.paidAt == nil)
  }

  /// A refund does not make a purchase free.
  @Test(arguments: [
    ("0", "2023-06-20T00:00:00Z", "", false), ("0.00", "2023-06-20T00:00:00Z", "false", false),
    ("0", "", "", true), ("0", "NULL", "", true), ("0", "2023-06-20T00:00:00Z", "TRUE", true),
    ("5.99", "2023-06-20T00:00:00Z", "", true),
  ]) func `a price of 0 of a refunded purchase is not known`(
    _ price: String, _ revoked: String, _ trial: String, _ isKnown: Bool
  ) throws {
    let row = "38,a,2023-06-18T02:00:00Z,\(price),\(revoked),\(trial)\n"
    let plain = "transaction_id,sku,purchased_at,unit_price,revoked_at,is_trial\n" + row
    var mapping = TableMapping(.transactions, name: "[import.transactions]")
    mapping.columns = ["unit_price": "price"]
    let other = plain.replacing("unit_price", with: "price")
    for (text, mappings) in [(plain, []), (other, [mapping])] {
      let outcome = try read(text, hints: ReadingHints(mappings: mappings))
      let terms = try #require(outcome.transactions.first).terms
      #expect((terms.unitPrice != nil) == isKnown)
      #expect(outcome.reading.tallies.contains { $0.what.english.contains("refunded") } != isKnown)
    }
  }

  @Test func `Namibia, names and remarks stay`() throws {
    // The tests' own table of storefronts does not have it, so that the word is seen.
    let order = try read(
      "order_id,sku,status,placed_at,storefront\nA1,a,paid,2023-06-18T02:00:00Z,NA\n")
    #expect(order.reading.tallies.isEmpty && order.dump.contains("\"NA\""))
    let products = try read("sku,kind,name,tier\na,consumable,None,NULL\n")
    guard case .products(let rows) = products.blocks.first?.rows else {
      return #expect(Bool(false))
    }
    #expect(rows[0].1.name == "None" && rows[0].1.tier.isEmpty)
    let bank = try read("date,amount,currency,reference\n2023-06-18,1.00,CNY,null\n")
    #expect(bank.dump.contains("null"))
  }

  @Test func `nulls says what is nothing`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.nulls = []
    let text = Self.head + "A1,a,paid,2023-06-18T02:00:00Z,None,60,apple,u1\n"
    let kept = try read(text, hints: ReadingHints(mappings: [mapping])).orders[0]
    #expect(kept.text(kept.row.transactionID) == "None")
    mapping.nulls = nil
    mapping.unit = .cents
    let cents = try read(
      "order_id,sku,status,placed_at,unit_price\nA1,a,paid,2023-06-18T02:00:00Z,NULL\n",
      hints: ReadingHints(mappings: [mapping]))
    #expect(cents.orders[0].terms.unitPrice == nil && cents.reading.rejected == 0)
  }

  @Test func `an id that was made a number is refused`() throws {
    let outcome = try read(
      Self.head + "A1,a,paid,2023-06-18T02:00:00Z,380001000000008.0,60,apple,u1\n")
    #expect(outcome.reading.diagnostics.map(\.topic) == ["id"])
  }

  @Test(arguments: [
    ("380001000000008.0", "is written with a fraction"),
    (" 380001000000008.0 ", "is written with a fraction"),
    ("3.8E+14", "was turned into a rounded number"),
    ("3.8e+14", "was turned into a rounded number"),
  ]) func `an id that is a number is refused in all tables`(_ id: String, _ words: String) throws {
    for text in [
      Self.head + "A1,a,paid,2023-06-18T02:00:00Z,\(id),60,apple,u1\n",
      "transaction_id,sku,purchased_at\n\(id),a,2023-06-18T02:00:00Z\n",
      "at,stage,outcome,transaction_id\n2023-06-18T02:00:00Z,pay,ok,\(id)\n",
      "date,movement,coins,transaction_id\n2023-06-18,granted,5,\(id)\n",
    ] {
      let diagnostics = try read(text).reading.diagnostics
      #expect(diagnostics.map(\.topic) == ["id"], "\(text)")
      #expect(diagnostics.first?.message.english.contains(words) == true, "\(diagnostics)")
    }
  }

  // MARK: - What spreadsheets leave around ids

  @Test(arguments: [
    "'380001000000008", "'380001000000008'", "\"=\"\"380001000000008\"\"\"",
    "\u{A0}380001000000008", "380001000000008\u{A0}", "\u{FEFF}380001000000008 \u{202C}",
    "\u{3000}'380001000000008", "\"=\"\"\u{A0}380001000000008\"\"\"",
  ]) func `what stands around an id is taken off and told`(_ id: String) throws {
    let orders = try read(Self.head + "\(id),a,paid,2023-06-18T02:00:00Z,\(id),60,apple,\(id)\n")
    let row = try #require(orders.orders.first)
    for slice in [row.row.orderID, row.row.transactionID, row.row.userID] {
      #expect(row.text(slice) == "380001000000008")
    }
    #expect(orders.reading.tallies.map(\.count) == [3])
    let transactions = try read(
      "transaction_id,sku,purchased_at\n\(id),a,2023-06-18T02:00:00Z\n")
    let sold = try #require(transactions.transactions.first)
    #expect(sold.text(sold.row.transactionID) == "380001000000008")
    let coins = try read(
      "date,movement,coins,transaction_id\n2023-06-18,granted,5,\(id)\n")
    let moved = try #require(coins.coinMovements.first)
    #expect(moved.text(moved.row.transactionID) == "380001000000008")
    #expect(coins.reading.tallies.map(\.count) == [1])
  }

  @Test(arguments: ["'", "O'Neil", "=1", "小王", "a\u{A0}b", "1'"])
  func `what belongs to an id stays`(_ id: String) throws {
    let outcome = try read(Self.head + "A1,a,paid,2023-06-18T02:00:00Z,1,60,apple,\(id)\n")
    let row = try #require(outcome.orders.first)
    #expect(row.text(row.row.userID) == id && outcome.reading.tallies.isEmpty)
  }

  @Test func `an id that a mapping reads is bare too`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.columns = ["transaction_id": "Apple"]
    mapping.zone = Zone(name: "Asia/Shanghai", firstOffset: 8 * 3600)
    let outcome = try read(
      "order_id,sku,status,placed_at,Apple\nA1,a,paid,2023-06-18 02:00:00,'38\n",
      hints: ReadingHints(mappings: [mapping]))
    let row = try #require(outcome.orders.first)
    #expect(row.text(row.row.transactionID) == "38")
  }

  /// A spreadsheet keeps 15 digits of a number.
  @Test func `ids that a spreadsheet rounded are told`() throws {
    func rows(_ count: Int, _ last: String, of column: String) -> String {
      column + ",sku,status,placed_at\n"
        + (0..<count).map { "2000000812\(10_000 + $0)\(last),a,paid,2023-06-18T02:00:00Z\n" }
        .joined()
    }
    #expect(try read(rows(20, "0", of: "order_id")).reading.warnings.map(\.topic) == ["id"])
    #expect(try read(rows(19, "0", of: "order_id")).reading.warnings.isEmpty)
    #expect(try read(rows(20, "7", of: "order_id")).reading.warnings.isEmpty)
    let sold = rows(20, "0", of: "transaction_id")
      .replacing("status,placed_at", with: "user_id,purchased_at")
    #expect(stop(sold)?.topic == "id")
    #expect(stop(sold)?.message.english.hasPrefix("transaction_id: all IDs") == true)
    let other = sold + "2000000812100011,a,u,2023-06-18T02:00:00Z\n"
    #expect(try read(other).reading.rows == 21)
  }

  // MARK: - Kinds are told by all columns

  private static let zones = [InputKind.products, .orders, .transactions, .bank].map { kind in
    var mapping = TableMapping(kind, name: "import.zone")
    mapping.zone = Zone(name: "Asia/Shanghai", firstOffset: 8 * 3600)
    return mapping
  }

  @Test(arguments: [true, false]) func `a transactions table with a kind is no catalogue`(
    _ hasZone: Bool
  ) throws {
    let text = """
      transaction_id,sku,kind,purchased_at
      400000000000001,a,consumable,2023-06-18T06:07:52Z
      """
    let hints = ReadingHints(mappings: hasZone ? Self.zones : [])
    #expect(try read(text, hints: hints).reading.kind == .transactions)
  }

  @Test(
    arguments: [
      ("txn_id,sku,kind,purchase_date", "products, transactions"),
      ("id,sku,kind,state,created_at,uid", "products, orders"),
      ("order_id,sku,status,placed_at,transaction_id,purchased_at", "orders, transactions"),
      ("order_no,sku,state,create_time,date,amount,currency,uid", "bank, orders"),
    ], [true, false]) func `where two kinds fit, both are named with the flag`(
      _ header: (String, String), _ hasZone: Bool
    ) throws
  {
    let hints = ReadingHints(mappings: hasZone ? Self.zones : [])
    let wrong = #expect(throws: Diagnostic.self) {
      try read(header.0 + "\n1,2,3,4\n", hints: hints)
    }
    let kinds = header.1.split(separator: ", ")
    #expect(
      wrong?.message.english
        == "the header fits more than one kind of table: \(header.1)")
    for kind in kinds { #expect(wrong?.help.english.contains("--as \(kind)") ?? false) }
  }

  @Test func `the flag decides`() throws {
    var hints = ReadingHints(mappings: Self.zones)
    hints.kind = .orders
    let text = """
      order_id,sku,status,placed_at,transaction_id,purchased_at
      A1,a,paid,2023-06-18 06:07:52,1,2023-06-18 06:07:52
      """
    #expect(try read(text, hints: hints).reading.kind == .orders)
  }

  /// A clock of the company's own, whose zone is asked for, and known once it is said.
  @Test(arguments: [
    "2023年06月18日 14:07:52", "2023年6月18日 14:07:52", "2023/6/18 14:07:52", "2023-06-18 14:07:52",
  ]) func `a time without an offset is the company's`(_ time: String) throws {
    let text = "order_id,sku,status,placed_at\nA1,a,paid,\(time)\n"
    let told = try #require(try read(text).reading.diagnostics.first)
    #expect(told.setting == "import.zone = \"…\"", "\(told.message.english)")
    let outcome = try read(text, hints: ReadingHints(mappings: Self.zones))
    #expect(outcome.orders.map(\.row.placedAt.description) == ["2023-06-18T06:07:52Z"])
  }

  // MARK: - Hints that can be copied

  @Test(arguments: [true, false]) func `a zone that was said is not asked for`(_ hasZone: Bool)
    throws
  {
    let outcome = try read(
      "order_id,sku,status,placed_at\nA1,a,paid,18.06.2023 14:07:52\n",
      hints: ReadingHints(mappings: hasZone ? Self.zones : []))
    let told = try #require(outcome.reading.diagnostics.first)
    let dates = "import.orders.dates = \"dmy\""
    #expect(told.setting == (hasZone ? "" : "import.zone = \"…\"\n") + dates)
  }

  /// What the days of a file show of their order, and that neither is advised where they show
  /// nothing, or both.
  @Test(arguments: [
    (
      ["06/01/2023 10:00", "6/2/2023 10:00"],
      "\"…\"  # \"mdy\": 2023-06-01, \"dmy\": 2023-01-06"
    ),
    (
      ["06/06/2023 10:00", "06-07-2023 10:00"],
      "\"…\"  # \"mdy\": 2023-06-07, \"dmy\": 2023-07-06"
    ),
    (["06/01/2023 10:00", "06/13/2023 10:00", "06/02/2023 10:00"], "\"mdy\""),
    (["6/1/23 10:00", "6/13/23, 10:00 PM"], "\"mdy\""),
    (["01/06/2023 10:00", "13/06/2023 10:00"], "\"dmy\""),
    (["01.06.2023 10:00"], "\"dmy\""),
    (["13/06/2023 10:00", "06/13/2023 10:00"], nil),
  ]) func `an order of days is advised where the file shows it`(
    _ times: [String], _ dates: String?
  ) throws {
    let rows = times.map { "A1,a,paid,\"\($0)\"\n" }.joined()
    let diagnostics = try read(
      "order_id,sku,status,placed_at\n" + rows, hints: ReadingHints(mappings: Self.zones)
    ).reading.diagnostics
    #expect(diagnostics.count == times.count)
    for told in diagnostics {
      #expect(told.setting == dates.map { "import.orders.dates = \($0)" })
      #expect(told.help.english.contains("others the day") == (dates == nil))
      #expect(
        told.help.english.contains("no date here shows") == dates?.contains("…") ?? false)
    }
  }

  @Test(arguments: [
    ("06/05/2023", "06/06/2023", "\"…\"  # \"mdy\": 2023-06-05, \"dmy\": 2023-05-06"),
    ("06/05/2023", "06/30/2023", "\"mdy\""),
    ("30/05/2023", "06/30/2023", nil),
  ]) func `so it is with days`(_ first: String, _ second: String, _ dates: String?) throws {
    let rows = [first, second].map { "\($0),USD,CNY,7.1\n" }.joined()
    let diagnostics = try read("date,base,quote,rate\n" + rows).reading.diagnostics
    let setting = dates.map { "import.rates.dates = \($0)" }
    #expect(diagnostics.map(\.setting) == [setting, setting])
  }

  @Test func `a hint names the table at hand and all its words`() throws {
    let words = ["PAID", "PAID", "DONE", "odd", "VOID", "PAID", "DONE"]
    let rows = (words + words).map { "A,a,\($0),2023-06-18T02:00:00Z\n" }.joined()
    let outcome = try read("order_id,sku,status,placed_at\n" + rows)
    let told = try #require(outcome.reading.diagnostics.first)
    #expect(outcome.reading.diagnostics.count == 1 && told.rows == 8)
    #expect(
      told.setting
        == "import.orders.words.status = { created = [], paid = [], fulfilled = [\"DONE\"], "
        + "refunded = [], cancelled = [\"VOID\"] }  # \"odd\"")
  }

  @Test(arguments: [
    (["10", "30", "0"], [], ["10", "30", "0"]), (["DONE", "30"], ["fulfilled"], ["30"]),
    (["shipped", "VOID"], ["cancelled", "fulfilled"], []), (["wc-completed"], ["fulfilled"], []),
  ]) func `a word that nobody knows is proposed under no meaning`(
    _ words: [String], _ known: [String], _ open: [String]
  ) throws {
    let rows = words.map { "A,a,\($0),2023-06-18T02:00:00Z\n" }.joined()
    let outcome = try read("order_id,sku,status,placed_at\n" + rows)
    let told = try #require(outcome.reading.diagnostics.first)
    let setting = try #require(told.setting)
    for word in words {
      #expect(told.message.english.contains("\"\(word)\""))
      #expect(setting.contains("[\"\(word)\"") != open.contains(word))
    }
    let named = ["created", "paid", "fulfilled", "refunded", "cancelled"].filter {
      setting.contains("\($0) = [\"")
    }
    #expect(named.sorted() == known)
    #expect(setting.contains(#" }  # "#) != open.isEmpty)
  }

  @Test(arguments: [
    ("7.500,00", true), ("7,500.00", true), ("7,50", false), ("7,500", false),
  ]) func `two marks tell which is the decimal one`(_ amount: String, _ isSure: Bool) throws {
    let outcome = try read(
      "order_id,sku,status,placed_at,unit_price\nA1,a,paid,1686528000,\"\(amount)\"\n")
    let help = try #require(outcome.reading.diagnostics.first).help.english
    #expect(help.contains("a comma may be a decimal mark or a separator") != isSure, "\(help)")
    #expect(help.contains("the last of its two marks is the decimal one") == isSure, "\(help)")
    let mark = amount.hasSuffix(",00") ? "," : "."
    #expect(!isSure || help.hasSuffix("import.orders.decimal = \"\(mark)\""), "\(help)")
  }

  @Test(arguments: [
    ("1,54", ".decimal = \",\""), ("1,234.50", ".decimal = \".\""),
    ("1.234,50", ".decimal = \",\""),
    ("$4.99", ".signs = [\"$\"]"),
  ]) func `a bank's amount is answered for the bank`(_ amount: String, _ key: String) throws {
    let outcome = try read("date,amount,currency\n2023-06-18,\"\(amount)\",CNY\n")
    #expect(outcome.reading.diagnostics.first?.setting == "import.bank\(key)")
  }

  /// What is proposed lets the amount be read, in one step; what would not is not proposed.
  @Test(arguments: [
    ("1'990.50", ["decimal = \".\""]), ("1\u{A0}990,50", ["decimal = \",\""]),
    ("$1,234.50", ["signs = [\"$\"]", "decimal = \".\""]),
    ("1.234,50 €", ["signs = [\"€\"]", "decimal = \",\""]), ("6.00元", ["signs = [\"元\"]"]),
    ("(1.99)", []), ("$1,234", []), ("1'99.50", []), ("US$ 5 USD", []), ("-$5", []),
  ]) func `what is proposed for an amount lets it be read`(_ amount: String, _ lines: [String])
    throws
  {
    let text = "date,amount,currency\n2023-06-18,\"\(amount)\",CNY\n"
    let told = try #require(try read(text).reading.diagnostics.first)
    let setting = lines.map { "import.bank." + $0 }.joined(separator: "\n")
    #expect(told.setting ?? "" == setting)
    guard !lines.isEmpty else { return }
    var mapping = TableMapping(.bank, name: "[import.bank]")
    mapping.signs = ["¥"]
    let hints = ReadingHints(mappings: [mapping])
    let mapped = try #require(try read(text, hints: hints).reading.diagnostics.first)
    #expect(
      mapped.setting == setting.replacing("signs = [", with: "signs = [\"¥\", "))
    #expect(!mapped.help.english.contains("the mapping says"))
    mapping.signs = ["¥", "$", "€", "元"]
    mapping.decimal = lines.last { $0.hasPrefix("decimal") }.map { String($0.dropLast().suffix(1)) }
    #expect(try read(text, hints: ReadingHints(mappings: [mapping])).reading.rejected == 0)
  }

  @Test(arguments: [
    "2023-06-12T24:00:00Z", "2023-06-12 10:00:00 PDT", "06/13/2023 24:00", "2023-06-12 10:00 m=+1",
  ]) func `no zone is proposed where it would not help`(_ time: String) throws {
    let told = try #require(
      try read("order_id,sku,status,placed_at\nA1,a,paid,\(time)\n").reading.diagnostics.first)
    #expect(told.setting == nil && !told.help.english.contains("the zone of the clock"))
  }
}
