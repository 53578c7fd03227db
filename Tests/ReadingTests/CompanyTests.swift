import Billing
import Testing

@testable import Reading

@Suite struct CompanyTests {
  @Test func ordersRead() throws {
    let outcome = try read(
      """
      placed_at,order_id,sku,status,quantity,unit_price,currency,storefront,user_id,paid_at,\
      fulfilled_at,transaction_id,app_account_token,bundle_id,channel,coins
      2023-06-01T12:34:56Z,O1,gems,fulfilled,2,6.00,CNY,CHN,u1,1685622900,1685622960000,\
      1000000001,t-1,com.example,apple,60
      2023-06-02T00:00:00+08:00,O2,gems,created,,,,,,,,,,,android,
      """)
    #expect(outcome.reading.kind == .orders && outcome.reading.rows == 2)
    #expect(outcome.reading.begin == Day("2023-06-01") && outcome.reading.end == Day("2023-06-01"))
    let order = outcome.orders[0]
    #expect(
      order.terms
        == OrderTerms(
          sku: "gems", status: .fulfilled, quantity: 2, unitPrice: 6_000_000,
          currency: Currency("CNY"), storefront: Storefront("CN"), bundleID: "com.example",
          channel: "apple", coins: 60))
    #expect(order.text(order.row.orderID) == "O1" && order.text(order.row.userID) == "u1")
    #expect(order.text(order.row.transactionID) == "1000000001")
    #expect(order.row.placedAt.description == "2023-06-01T12:34:56Z")
    #expect(order.row.paidAt?.seconds == 1_685_622_900)
    #expect(order.row.fulfilledAt?.seconds == 1_685_622_960)
    let second = outcome.orders[1]
    #expect(second.row.placedAt.description == "2023-06-01T16:00:00Z")
    #expect(second.terms.quantity == 1 && second.terms.unitPrice == nil && !second.terms.isApple)
    #expect(second.text(second.row.userID) == "" && second.row.paidAt == nil)
    #expect(
      outcome.reading.totals == [
        ReadingTotal(currency: Currency("CNY"), units: 2, gross: 12_000_000, proceeds: 0)
      ])
  }

  @Test func transactionsRead() throws {
    let outcome = try read(
      """
      transaction_id,sku,purchased_at,original_transaction_id,kind,ownership,environment,is_trial,\
      is_intro,is_upgraded,revoked_at,revocation_reason,expires_at,\
      web_order_line_item_id,order_id,user_id
      1,a,2011-02-17 06:20:57 Etc/GMT,1,auto_renewable,PURCHASED,PROD,true,0,yes,\
      2011-03-01T00:00:00.999Z,1,1300000000,77,O1,u
      2,b,2023-06-01 00:00:00Z,,consumable,FAMILY_SHARED,sandbox,no,,,,,,,,
      """)
    #expect(outcome.reading.kind == .transactions && outcome.reading.rejected == 0)
    let (row, terms, text) = outcome.transactions[0]
    #expect(row.purchasedAt.description == "2011-02-17T06:20:57Z")
    #expect(row.revokedAt?.description == "2011-03-01T00:00:00Z")
    #expect(terms.isTrial && !terms.isIntro && terms.isUpgraded && terms.revocationReason == "1")
    #expect(terms.kind == .autoRenewable && terms.environment == .production)
    #expect(text(row.webOrderLineItemID) == "77" && text(row.orderID) == "O1")
    let other = outcome.transactions[1].terms
    #expect(other.ownership == .familyShared && other.environment == .sandbox)
  }

  @Test func jsonLinesRead() throws {
    let outcome = try read(
      """
      {"transaction_id": 1000000001, "sku": "a", "purchased_at": 1685577600000, "quantity": 1, \
      "unit_price": 6, "currency": "CNY", "is_trial": false, "expires_at": null}
      {"transaction_id": "1000000002", "sku": "a", "purchased_at": "2023-06-01T00:00:00Z"}
      """)
    #expect(outcome.reading.rows == 2)
    let (row, terms, text) = outcome.transactions[0]
    #expect(text(row.transactionID) == "1000000001" && row.expiresAt == nil)
    #expect(terms.unitPrice == 6_000_000 && !terms.isTrial)
  }

  @Test func quotedTablesRead() throws {
    let outcome = try read(
      "\"order_id\",\"sku\",\"status\",\"placed_at\",\"user_id\"\r\n"
        + "\"O,1\",\"g\"\"60\"\"\",paid,2023-06-01T00:00:00Z,\"two\r\nlines\"\r\n"
        + "O2,5\" gem,paid,2023-06-01T00:00:00Z,\r\n")
    #expect(outcome.reading.rows == 2)
    let (row, terms, text) = outcome.orders[0]
    #expect(text(row.orderID) == "O,1" && terms.sku == "g\"60\"")
    #expect(text(row.userID) == "two\r\nlines")
    #expect(outcome.orders[1].row.line == 4 && outcome.orders[1].terms.sku == "5\" gem")
  }

  @Test func smallTablesRead() throws {
    let products = try read("kind,sku,coins,tier,effective_from\nconsumable,a,60,1,2023-01-01\n")
    guard case .products(let rows) = products.blocks[0].rows else { return }
    #expect(
      rows[0].1
        == Product(
          sku: "a", kind: .consumable, tier: "1", coins: 60, effectiveFrom: Day("2023-01-01")))
    let taxes = try read("storefront,rate,effective_from,effective_to\nCN,0.018,2023-01-01,\n")
    guard case .taxes(let overrides) = taxes.blocks[0].rows else { return }
    #expect(overrides[0].1.rate == 18_000 && overrides[0].1.effectiveTo == nil)
    let rates = try read("date,base,quote,rate\n2023-06-01,USD,CNY,7.1\n2023-06-03,USD,CNY,7.2\n")
    #expect(rates.reading.kind == .rates && rates.reading.end == Day("2023-06-03"))
  }

  @Test func bankRatesRead() throws {
    let history = try read("Date,USD,CNY,ISK,\n2026-09-17,1.1,7.85,N/A,\n2026-09-16,1.2,,140,\n")
    #expect(history.reading.kind == .rates && history.reading.rows == 4)
    #expect(history.reading.begin == Day("2026-09-16"))
    let daily = try read("Date, USD, CNY, \n17 September 2026, 1.1, 7.85, \n")
    guard case .rates(let rows) = daily.blocks[0].rows else { return }
    #expect(
      rows.map(\.1) == [
        ExchangeRate(
          date: Day("2026-09-17")!, base: Currency("EUR")!, quote: Currency("USD")!,
          rate: DecimalRate(micros: 1_100_000)),
        ExchangeRate(
          date: Day("2026-09-17")!, base: Currency("EUR")!, quote: Currency("CNY")!,
          rate: DecimalRate(micros: 7_850_000)),
      ])
    let bad = try read("Date,USD,CNY\n2026-09-17,1.1,x\n2026-02-30,1,1\n")
    #expect(bad.reading.rows == 0 && bad.reading.diagnostics.map(\.topic) == ["amount", "date"])
  }

  @Test(arguments: [
    ("0.00043987", "0.00043987"), ("7.1000", "7.1"),
    ("3.5714285714285716e-05", "0.000035714285714285716"),
    ("0.0000610331447", "0.0000610331447"),
  ])
  func ratesAreKeptAsGiven(text: String, expected: String) throws {
    let rates = try read("date,base,quote,rate\n2023-06-30,IDR,CNY,\(text)\n")
    guard case .rates(let rows) = rates.blocks[0].rows else { return }
    #expect(rows.map { $0.1.rate.text() } == [expected])
  }

  @Test(arguments: [
    ("0", "rate", "rate is not above zero: \"0\""),
    ("-7.1", "rate", "rate is not above zero: \"-7.1\""),
    ("0.1273885350318471337612", "rate", "rate has too many digits: \"0.1273885350318471337612\""),
    ("1000000001", "amount", "rate is larger than a billion: \"1000000001\""),
    ("7,1", "amount", "rate is not a decimal number: \"7,1\""),
    ("7.1.2", "amount", "rate is not a decimal number: \"7.1.2\""),
  ])
  func ratesThatAreNone(text: String, topic: String, message: String) throws {
    let bad = try read("date,base,quote,rate\n2023-06-30,IDR,CNY,\"\(text)\"\n")
    #expect(bad.reading.diagnostics.map(\.topic) == [topic])
    #expect(bad.reading.diagnostics.map(\.message.english) == [message])
  }

  /// Banks price a hundred yen and a thousand rupiah, and say so in a column of many names.
  @Test(arguments: [
    ("units", "100,4.83", "0.0483"), ("Amount", "1000,1.312", "0.001312"),
    ("Nominal", "1,24.885", "24.885"), ("单位", "100,723.50", "7.235"),
    ("Unit", "100.0,5.5E-05", "0.00000055"), ("units", ",4.83", "4.83"),
    ("unit", "yen,14.123", "14.123"), ("UNIT_MULT", "0,1.0852", "1.0852"), ("Units", "60,7.2", nil),
    ("UNIT_MULT", "2,7.2", nil), ("nominal", "-100,7.2", nil), ("units", "10000000000,7.2", nil),
  ])
  func ratesForSeveralUnits(column: String, values: String, expected: String?) throws {
    var mapping = TableMapping(.rates, name: "import.rates")
    mapping.columns = ["base": "Code", "rate": "Kurz"]
    mapping.constants = ["quote": "CZK"]
    let cells = values.split(separator: ",", omittingEmptySubsequences: false)
    let object = "{\"date\":\"2026-03-31\",\"base\":\"JPY\",\"quote\":\"CZK\","
    for outcome in [
      try read("date,base,quote,\(column),rate\n2026-03-31,JPY,CZK,\(values)\n"),
      try read("\(object)\"\(column)\":\"\(cells[0])\",\"rate\":\"\(cells[1])\"}\n"),
      try read(
        "Date,Country,\(column),Code,Kurz\n2026-03-31,Japan,\(cells[0]),JPY,\(cells[1])\n",
        hints: ReadingHints(mappings: [mapping])),
    ] {
      let rates = outcome.blocks.flatMap { block -> [ExchangeRate] in
        if case .rates(let rows) = block.rows { rows.map(\.1) } else { [] }
      }
      #expect(rates.map { $0.rate.text() } == (expected.map { [$0] } ?? []))
      #expect(outcome.reading.diagnostics.map(\.topic) == (expected == nil ? ["rate"] : []))
    }
  }

  /// Of a series in multiples nobody knows whether units or amounts are multiplied.
  @Test(arguments: [("0", 1), ("", 1), ("2", 0)])
  func seriesInMultiplesAreRefused(multiplier: String, rows: Int) throws {
    let outcome = try read(
      "FREQ,CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE,UNIT_MULT\n"
        + "D,JPY,EUR,2026-03-31,163.01,\(multiplier)\n")
    #expect(outcome.reading.rows == rows && outcome.reading.rejected == 1 - rows)
  }

  /// A column that counts no units is passed over where the mapping says what the rates are for.
  @Test func amountsBesideRatesAreNoUnits() throws {
    let text = "date,base,quote,rate,amount\n2026-03-31,USD,EUR,0.92,1500\n"
    #expect(try read(text).reading.rejected == 1)
    var mapping = TableMapping(.rates, name: "import.rates")
    mapping.constants = ["units": "1"]
    let told = try read(text, hints: ReadingHints(mappings: [mapping]))
    guard case .rates(let rows) = told.blocks[0].rows else { return }
    #expect(rows.map { $0.1.rate.text() } == ["0.92"])
  }

  /// The same rate twice is one; another for the same day and pair cannot be right beside it.
  @Test func twoRatesOfADayAreNamed() throws {
    let own = try read(
      """
      date,base,quote,rate
      2023-06-30,USD,CNY,7.25
      2023-06-30,USD,CNY,7.250
      2023-06-30,CNY,USD,0.14
      2023-06-30,USD,CNY,7.26

      """)
    #expect(own.reading.rows == 3)
    #expect(
      own.reading.diagnostics.map { "\($0.location.line) \($0.message.english)" } == [
        "5 1 USD is 7.26 CNY on 2023-06-30 here and 7.25 on line 2"
      ])
    let bank = try read(
      "Date,USD,CNY,\n2026-09-17,1.1,7.85,\n2026-09-16,1.1,7.8,\n2026-09-17,1.1,7.86,\n")
    #expect(
      bank.reading.diagnostics.map { "\($0.location.line) \($0.message.english)" } == [
        "4 1 EUR is 7.86 CNY on 2026-09-17 here and 7.85 on line 2"
      ])
  }

  @Test func overlappingTiersNameBothLines() throws {
    let head = "table,tier,storefront,currency,price,proceeds,effective_from,effective_to\n"
    let bad = try read(
      head + "iap,5,CN,CNY,30,20.63,2022-01-01,2022-12-31\niap,5,CN,CNY,28,,2022-12-31,\n")
    let diagnostic = try #require(bad.reading.diagnostics.first)
    #expect(
      diagnostic.message.english.contains("on line 2")
        && diagnostic.help.english.contains("2 and 3"))
    let good = try read(
      head + "iap,5,CN,CNY,30,,,2022-12-31\niap,5,CN,CNY,28,,2023-01-01,\niap,5,US,USD,4.99,,,\n"
        + "subscription,5,CN,CNY,1,,,\niap,5,US,USD,4.99,,,\n")
    #expect(good.reading.rejected == 0)
  }

  /// A tier by another spelling is the same tier: neither two prices nor two currencies at once.
  @Test(arguments: [
    ("5", "Tier 5", "CNY,28"), ("Alternate Tier A", "A", "CNY,28"), ("Alt 1", "550", "USD,30"),
  ])
  func spellingsOfOneTierMayNotContradict(first: String, second: String, other: String) throws {
    let head = "table,tier,storefront,currency,price,effective_from,effective_to\n"
    let rows = "iap,\(first),CN,CNY,30,,\niap,x,CN,CNY,1,,\niap,\(second),CN,\(other),2023-06-01,\n"
    let bad = try read(head + rows, name: "tiers.csv")
    let diagnostic = try #require(bad.reading.diagnostics.first)
    #expect(diagnostic.location.description.hasPrefix("tiers.csv:4:"))
    #expect(
      diagnostic.message.english.contains("on line 2")
        && diagnostic.help.english.contains("2 and 4"))
  }

  /// `import --columns` and `template` show them: one without a meaning would stop the program.
  @Test(arguments: CompanyTable.made.map(\.kind))
  func eachColumnHasAMeaning(kind: InputKind) {
    #expect(!kind.columns.isEmpty)
    for column in kind.columns { #expect(!column.meaning.isEmpty, "\(column.name)") }
  }

  @Test func columnsAreChecked() throws {
    let missing = stop("order_id,sku,status\n1,a,paid\n")
    #expect(missing?.message.english == "the column placed_at is missing")
    #expect(missing?.location.line == 1)
    let noID = stop("sku,purchased_at,environment\na,1,Production\n")
    #expect(noID?.message.english == "the column transaction_id is missing")
    #expect(
      stop("table,tier,storefront,currency\n")?.message.english == "the column price is missing")
    let twice = stop("order_id,sku,status,placed_at,SKU\n1,a,paid,1,a\n")
    #expect(twice?.message.english == "the column SKU occurs twice")
    let unknown = try read("order_id,note,sku,status,placed_at,x\n1,n,a,paid,1685577600,\n")
    #expect(
      unknown.reading.warnings.map(\.message.english) == ["unknown columns left out: note, x"])
    #expect(unknown.reading.rows == 1)
  }

  static let orderHead =
    "order_id,sku,status,placed_at,quantity,unit_price,currency,storefront,coins"

  @Test(arguments: [
    ("O1,a,paid,1685577600,1,⟦\"1,54\"⟧,CNY,CN,", "unit_price is not a decimal number: \"1,54\""),
    ("O1,a,paid,1685577600,1,⟦-1⟧,CNY,CN,", "unit_price is negative: \"-1\""),
    ("O1,a,paid,1685577600,⟦0⟧,1,CNY,CN,", "quantity is not a whole number of at least 1: \"0\""),
    (
      "O1,a,paid,⟦2023-02-30T00:00:00Z⟧,1,1,CNY,CN,",
      "placed_at is not a time: \"2023-02-30T00:00:00Z\""
    ),
    (
      "O1,a,paid,⟦2023-06-01T00:00:00⟧,1,1,CNY,CN,",
      "placed_at is not a time: \"2023-06-01T00:00:00\""
    ),
    (
      "O1,a,paid,⟦2023-06-01T24:00:00Z⟧,1,1,CNY,CN,",
      "placed_at is not a time: \"2023-06-01T24:00:00Z\""
    ),
    ("O1,a,paid,⟦⟧,1,1,CNY,CN,", "placed_at is blank"),
    (
      "O1,a,paid,⟦0000000001⟧,1,1,CNY,CN,",
      "placed_at lies outside the years 2000 to 2099: \"0000000001\""
    ),
    ("O1,a,⟦Payed⟧,1685577600,1,1,CNY,CN,", "status is not a known value: \"Payed\""),
    ("O1,a,paid,1685577600,1,1,⟦cn⟧,CN,", "currency is not a currency: \"cn\""),
    ("O1,a,paid,1685577600,1,1,CNY,⟦ZZ⟧,", "storefront is not one of Apple's storefronts: \"ZZ\""),
    ("O1,a,paid,1685577600,1,1,CNY,CN,⟦6.5⟧", "coins is not a whole number of at least 0: \"6.5\""),
    ("⟦⟧,a,paid,1685577600,1,1,CNY,CN,", "order_id is blank"),
    (
      "⟦1.00E+15⟧,a,paid,1685577600,1,1,CNY,CN,",
      "order_id was turned into a rounded number: \"1.00E+15\""
    ),
    ("O1,⟦⟧,paid,1685577600,1,1,CNY,CN,", "sku is blank"),
    ("O1,a,paid,1685577600,1,1,CNY,CN,,⟦x⟧", "the row has 10 fields where the header has 9"),
    ("O1,a,paid,1685577600,1,1,CNY⟦⟧", "the row has 7 fields where the header has 9"),
    ("\"O1\"⟦x⟧,a,paid,1685577600,1,1,CNY,CN,", "there is text after a closing quotation mark"),
    (
      "O1,a,paid,1685577600,1,⟦9999999999⟧,CNY,CN,",
      "unit_price is larger than a billion: \"9999999999\""
    ),
    (
      "O1,a,paid,1685577600,1,⟦1.0000001⟧,CNY,CN,",
      "unit_price is not a decimal number: \"1.0000001\""
    ),
  ])
  func badRowsAreNamed(row: String, message: String) throws {
    let good = "O,a,paid,1685577600,1,1.00,CNY,CN,5"
    let marked = MarkedText([Self.orderHead, good, row, good].joined(separator: "\n"))
    let outcome = try read(marked.text)
    #expect(outcome.reading.rows == 2 && outcome.reading.rejected == 1)
    let diagnostic = try #require(outcome.reading.diagnostics.first)
    #expect(diagnostic.message.english == message)
    #expect(diagnostic.location == marked.places[0])
    #expect(!diagnostic.help.isEmpty)
  }

  @Test func theCaretStandsUnderTheField() throws {
    let name = String(repeating: "宝", count: 100)
    let text = Self.orderHead + "\n\(name),a,paid,1685577600,1,\"1,54\",CNY,CN,\n"
    let diagnostic = try #require(try read(text).reading.diagnostics.first)
    let excerpt = try #require(diagnostic.excerpt)
    let caret = try #require(diagnostic.caret)
    #expect(excerpt.utf8.count <= 200)
    #expect(excerpt.dropFirst(caret).hasPrefix("\"1,54\""))
    #expect(diagnostic.help.english.hasSuffix("in tieout.toml: import.orders.decimal = \",\""))
  }

  @Test func rowsWithOneCauseAreOneDiagnostic() throws {
    let rows = String(repeating: "O1,a,nope,1685577600,1,1,CNY,CN,\n", count: 10_500)
    let outcome = try read(Self.orderHead + "\n" + rows + "O1,a,paid,1685577600,1,1,CNY,CN,\n")
    let told = try #require(outcome.reading.diagnostics.first)
    #expect(outcome.reading.diagnostics.count == 1 && told.rows == 10_500)
    #expect(told.message.english.hasSuffix("\"nope\" (and 10,499 more like it)"))
    #expect(outcome.reading.diagnosticCount == 10_500 && outcome.reading.rejected == 10_500)
    #expect(outcome.reading.rows == 1 && outcome.rejects.count == 10_500)
    #expect(outcome.blocks.allSatisfy { $0.rejects.count <= 4096 })
  }

  @Test func openQuotesStop() {
    #expect(stop(Self.orderHead + "\nO1,\"a,paid\nO2,b,paid,1,1,1,CNY,CN,\n")?.topic == "quotes")
  }

  @Test(arguments: [
    ("2023-06-01T12:34:56Z", 1_685_622_896), ("2023-06-01 12:34:56Z", 1_685_622_896),
    ("2023-06-01T12:34:56.789Z", 1_685_622_896), ("2023-06-01T20:34:56+08:00", 1_685_622_896),
    ("2023-06-01T20:34:56+0800", 1_685_622_896), ("2023-06-01T20:34:56.5+08", 1_685_622_896),
    ("2023-06-01T05:04:56-07:30", 1_685_622_896), ("1685622896", 1_685_622_896),
    ("1685622896123", 1_685_622_896), ("2023-06-01T12:34Z", 1_685_622_840),
    ("2023-06-01 12:34:56 Etc/GMT", 1_685_622_896),
    ("2023-06-01 20:34:56.789 +0800 CST", 1_685_622_896),
    ("2023-06-01 20:34:56 +0800 +08", 1_685_622_896), ("2000-02-29T00:00:00z", 951_782_400),
  ])
  func timesRead(text: String, seconds: Int64) {
    var reader = InstantReader()
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeBytes {
      #expect(reader.read(UnsafeRawBufferPointer(rebasing: $0[..<text.utf8.count])) == seconds)
    }
  }

  @Test(arguments: [
    "2023-06-01", "2023-6-1T00:00:00Z", "2023-06-01T12:34:56", "2023-06-01T12:60:00Z",
    "2023-06-01T12:34:60Z", "2023-06-01T1a:34:56Z", "2023-06-01T12-34-56Z", "168562289", "",
    "2023-06-01T12:34:56.Z", "2023-06-01T12:34:56+8", "2023-06-01T12:34:56 Asia/Shanghai",
    "2023-13-01T12:34:56Z", "2023-06-01T12:34:56+25:00",
    "2023-06-01 20:34:56 +0800 CST m=+0.1", "2023-06-01 20:34:56 CST",
  ])
  func otherTextsAreNoTimes(text: String) {
    var reader = InstantReader()
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeBytes {
      #expect(reader.read(UnsafeRawBufferPointer(rebasing: $0[..<text.utf8.count])) == nil)
    }
  }
}
