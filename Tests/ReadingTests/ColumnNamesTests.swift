import Billing
import Testing

@testable import Reading

/// What a company's columns are by the words of their names and by their first rows: proposed
/// before anything is imported, whatever the words' order, tense and spelling.
@Suite struct ColumnNamesTests {
  private func setting(_ text: String) -> String { stop(text)?.setting ?? "" }

  @Test(arguments: [
    "create_at", "created_at", "create_time", "order_date", "ordered_at", "purchase_ts",
    "insert_time", "gmt_create", "createdAt", "OrderDate", "date_placed", "placed_on",
    "creation_timestamp", "下单日期", "InsertedAt", "bookingdate",
  ])
  func `when an order was placed`(_ name: String) {
    let told = setting("id,user_id,product_id,status,\(name)\n1,u1,com.a.b,paid,2023-06-01\n")
    #expect(told.contains("placed_at = \"\(name)\""), "\(told)")
    #expect(told.hasPrefix("import.orders.columns = "))
  }

  @Test(arguments: ["updated_at", "birth_date", "due_time", "shipped_at", "expires_at"])
  func `what is another time`(_ name: String) {
    let told = setting("id,user_id,product_id,status,\(name)\n1,u1,com.a.b,paid,2023-06-01\n")
    #expect(!told.contains("placed_at = \"\(name)\""), "\(told)")
  }

  /// Kinds are told by what they require and by signs; where these do not decide, both are named.
  @Test(arguments: [
    ("id,user_id,product_id,status,create_at,transaction_id", "orders"),
    ("number,state,payment_state,user_id,sku,quantity,price,channel,created_at", "orders"),
    ("order_no,customer,goods,state,order_date,total", "orders"),
    ("OrderID,CustomerID,OrderDate,ShippedDate,ShipCountry", "orders"),
    ("id,original_transaction_id,product_id,purchase_date,expires_date,ownership", "transactions"),
    ("transaction_id,product_id,purchase_date,environment,user_id,order_id", "transactions"),
    ("id,user_id,product_id,transaction_id,create_at", "both"),
    ("id,account,item_id,txn_id,purchased_at", "both"),
  ])
  func `orders and transactions`(_ header: String, _ kind: String) {
    let told = stop(header + "\n1,2,3,4,5,6,7,8,9\n")
    if kind == "both" {
      #expect(told?.help.english.contains("--as orders") == true, "\(told?.message.english ?? "")")
      #expect(told?.help.english.contains("--as transactions") == true)
    } else {
      #expect(told?.setting?.hasPrefix("import.\(kind).columns") == true, "\(told?.setting ?? "")")
    }
  }

  /// BigQuery writes a RECORD as an object, Mongo an id and a time: a proposal that names one would
  /// have all rows refused.
  @Test(arguments: [
    (
      #""price":{"amount":"4.99","currency_code":"USD"},"product_id":"com.a.b","#
        + #""purchase_date":"2024-01-31 09:00:00 UTC""#,
      "import.transactions.columns = { sku = \"product_id\", purchased_at = \"purchase_date\" }"
    ),
    (
      #""user":["x"],"product":"com.a.b","purchase_date":{"$date":"2024-01-31T09:00:00Z"}"#,
      "import.transactions.columns = { sku = \"product\", purchased_at = \"…\" }"
    ),
  ])
  func `objects and lists are no columns`(_ members: String, _ proposal: String) {
    let row =
      #"{"transaction_id":"420001700000000",\#(members),"quantity":"1","order_id":"S1","#
      + #""environment":"Production"}"#
    #expect(setting(row + "\n" + row + "\n") == proposal)
  }

  /// German, French and Spanish exports of Apple's transactions, their columns in one order.
  @Test(arguments: [
    "Transaktionsnummer;Ursprung;Bestellnummer;Produkt;Einzelpreis;Währung;Land;Kaufzeit;"
      + "Storniert am;Umgebung",
    "Numéro de transaction;Transaction d'origine;Numéro de commande;Produit;Prix unitaire;Devise;"
      + "Pays;Date d'achat;Annulé le;Environnement",
    "Número de transacción;Transacción original;Número de pedido;Producto;Precio unitario;Moneda;"
      + "País;Fecha de compra;Cancelado el;Entorno",
  ])
  func `transactions in other languages`(_ header: String) {
    let rows = (1...3).map { row in
      "40000000000010\(row);40000000000010\(row);D-50\(row)7;com.a.gems.\(row % 2);0.99;EUR;DE;"
        + "2023-06-0\(row) 10:00:00;;Production"
    }
    let told = setting(header + "\n" + rows.joined(separator: "\n") + "\n")
    #expect(told.hasPrefix("import.transactions.columns = "), "\(told)")
    let columns = [
      "transaction_id", "original_transaction_id", "order_id", "sku", "unit_price", "currency",
      "storefront", "purchased_at", "revoked_at", "environment",
    ]
    for (column, source) in zip(columns, header.split(separator: ";")) {
      #expect(told.contains("\(column) = \"\(source)\""), "\(column): \(told)")
    }
  }

  @Test(arguments: [
    ("bezahlt", "paid"), ("ausgeliefert", "fulfilled"), ("Storniert", "cancelled"),
    ("payé", "paid"), ("livré", "fulfilled"), ("annulé", "cancelled"),
    ("Pagado", "paid"), ("entregado", "fulfilled"), ("cancelado", "cancelled"),
  ])
  func `words of a status in other languages`(_ theirs: String, _ ours: String) {
    let lines = MappingHint.word(theirs, column: "status").lines(.orders, isDraft: true)
    #expect(lines == ["import.orders.words.status = { \(ours) = [\"\(theirs)\"] }"], "\(lines)")
  }

  @Test func `values decide between names`() {
    let rows = (1...5).map { row in
      "\(row),O50\(row)7,\(row % 2),10\(row),com.a.gems.\(row),paid,2023-06-01 10:00:00,"
        + "40000000000010\(row)"
    }.joined(separator: "\n")
    let told = setting(
      "id,number,user_id,product_id,apple_product_id,status,created_at,response_code\n\(rows)\n")
    #expect(told.contains("sku = \"apple_product_id\""), "\(told)")
    #expect(told.contains("order_id = \"number\""))
    #expect(told.contains("transaction_id = \"response_code\""))
  }

  @Test func `a row's own number is no order of a transaction`() {
    let told = setting("id,transaction_id,product_id,purchase_date\n1,2,a,b\n")
    #expect(told.hasPrefix("import.transactions.columns") && !told.contains("order_id"), "\(told)")
  }

  /// An amount beside quantities may be that of all units.
  @Test(arguments: [
    ("quantity,amount", "3,29.97", nil), ("qty,amount", "2,29.97", nil), ("数量,金额", "3,29.97", nil),
    ("quantity,amount", "1,9.99", "amount"), ("colour,amount", "3,9.99", "amount"),
    ("quantity,unit_amount", "3,9.99", "unit_amount"), ("quantity,price", "3,9.99", "price"),
    ("amount,price,quantity", "29.97,9.99,3", "price"),
  ])
  func `a price is that of one unit`(_ header: String, _ values: String, _ price: String?) {
    let lines = setting(
      "order_no,sku,status,placed_at,\(header)\nA1,com.x.y,paid,2023-06-12T10:00:00Z,\(values)\n")
    #expect(lines.contains("order_id = \"order_no\""), "\(lines)")
    #expect(lines.contains("unit_price") == (price != nil), "\(lines)")
    #expect(price == nil || lines.contains("unit_price = \"\(price ?? "")\""), "\(lines)")
  }

  /// What was paid, and not what a refund left of it.
  @Test(arguments: [
    ("price,price_in_purchased_currency,purchase_price_in_purchased_currency", "purchase_price"),
    ("price,price_in_purchased_currency", "price"),
  ])
  func `the price of RevenueCat's transactions`(_ prices: String, _ price: String) {
    let lines = setting(
      "rc_original_app_user_id,product_identifier,start_time,store_transaction_id,refunded_at,"
        + "purchased_currency,\(prices)\n")
    #expect(lines.contains("unit_price = \"\(price)_in_purchased_currency\""), "\(lines)")
  }

  @Test func `what only a person can add is said`() {
    let orders = stop("InvoiceId,CustomerId,InvoiceDate,Total\n1,2,2009-01-01,3\n")
    #expect(orders?.help.english.contains("export both joined") == true)
    #expect(orders?.setting?.contains("import.orders.constants = { status = \"…\" }") == true)
    let mapped = ReadingHints(mappings: [
      {
        var mapping = TableMapping(.orders, name: "[import.orders]")
        mapping.columns = ["order_id": "id", "sku": "…", "placed_at": "created"]
        return mapping
      }()
    ])
    #expect {
      try read("id,created,status,thing\n1,2,paid,x\n", hints: mapped)
    } throws: { error in
      (error as? Diagnostic)?.message.english.contains("names \"…\"") == true
    }
  }

  @Test(arguments: [
    ("Buchungstag;Betrag (EUR);Auftraggeber\n01.08.2023;5,00;Apple\n", "EUR"),
    ("Kontostand\nWährung: CHF\n\nBuchungstag;Betrag;Auftraggeber\n01.08.2023;5,00;Apple\n", "CHF"),
    ("Buchungstag;Betrag;Auftraggeber\n01.08.2023;5,00;Apple\n", "…"),
  ])
  func `the currency of a bank's table`(_ text: String, _ currency: String) {
    let told = stop(text)
    #expect(told?.setting?.contains("currency = \"\(currency)\"") == true, "\(told?.setting ?? "")")
    #expect(told?.help.english.contains("no currency in a column") == (currency == "…"))
  }

  private static let revolut = """
    Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
    TRANSFER,Current,2014-10-30 10:00:00,,From APPLE,234.58,0.00,EUR,REVERTED,

    """

  /// Rows of a bank's table that never came are no credits, and the day is that of booking; what an
  /// amount was before it was exchanged is not its currency.
  @Test(arguments: [
    (
      revolut + "TRANSFER,Current,2014-10-30 10:00:00,2014-10-31 10:00:00,x,1,0,EUR,COMPLETED,\n",
      ["date = \"Completed Date\"", "bank.where = { \"State\" = [\"COMPLETED\"] }"]
    ),
    (revolut, ["date = \"Completed Date\"", "{ \"State\" = [\"…\"] }  # \"REVERTED\""]),
    (
      "Buchungstag;Saldo;Betrag;Waehrung;Verwendungszweck;Info\n"
        + "30.10.14;1;2,00;EUR;x;Umsatz vorgemerkt\n30.10.14;1;-2,00;EUR;x;Umsatz gebucht\n"
        + "30.10.14;1;-2,00;EUR;x;\n",
      ["bank.where = { \"Info\" = [\"Umsatz gebucht\", \"\"] }"]
    ),
    (
      "交易日期,金额,借贷标志,币种,对方户名,状态\n2014-10-30,2.00,贷,CNY,a,已冲正\n"
        + "2014-10-30,2.00,借,CNY,b,交易成功\n2014-10-30,2.00,借,CNY,b,X\n",
      ["bank.where = { \"借贷标志\" = [\"贷\"], \"状态\" = [\"交易成功\"] }  # \"X\""]
    ),
    (
      "Date,Payee,Amount (EUR),Amount (Foreign Currency),Type Foreign Currency\n"
        + "2014-10-30,APPLE,234.58,297.52,USD\n",
      ["columns = { amount = \"Amount (EUR)\", payer", "constants = { currency = \"EUR\" }"]
    ),
    (
      "Posted Date,Amount,Currency,Description,Payee Name,Payer Name,Balance\n"
        + "2014-10-30,234.58,EUR,x,,APPLE,1\n", ["payer = \"Payer Name\""]
    ),
  ])
  func `a bank's table is proposed without what never came`(_ text: String, _ lines: [String]) {
    let told = stop(text)
    for line in lines {
      #expect(told?.setting?.contains(line) == true, "\(line): \(told?.setting ?? "")")
    }
    let isOpen = told?.setting?.contains("[\"…\"]") == true
    #expect(told?.help.english.contains("no row shows by which word") == isOpen)
  }

  /// A table of our own names, or of a mapping that does not say so, may have such rows too.
  @Test func `rows that never came are refused until a mapping says which did`() throws {
    let head = "date,amount,currency,payer,status\n2014-10-30,2.00,EUR,x,"
    let told = stop(head + "pending\n2014-10-30,3.00,EUR,x,booked\n")
    #expect(
      told?.message.english
        == "column status: rows with \"pending\" are not booked, so that they are no receipts")
    #expect(told?.setting == "import.bank.where = { \"status\" = [\"booked\"] }")
    #expect(try read(head + "booked\n").reading.rows == 1)
    #expect(try read(head + "urgent\n").reading.rows == 1)
    var mapping = TableMapping(.bank, name: "[import.bank]")
    mapping.columns = ["amount": "value"]
    let mapped = head.replacing("amount", with: "value") + "failed\n2014-10-30,3.00,EUR,x,booked\n"
    #expect(throws: Diagnostic.self) {
      try read(mapped, hints: ReadingHints(mappings: [mapping]))
    }
    mapping.kept = ["status": ["booked"]]
    #expect(try read(mapped, hints: ReadingHints(mappings: [mapping])).reading.rows == 1)
  }

  /// Another column of the file may show what the booking days do not.
  @Test(arguments: [
    ("01/08/2023,02/08/2023", "\"…\"  # \"mdy\": 2023-01-08, \"dmy\": 2023-08-01"),
    ("01/08/2023,13/08/2023", "\"dmy\""), ("08/01/2023,08/13/2023", "\"mdy\""),
  ])
  func `the order of days of a bank's table`(_ days: String, _ order: String) {
    let text = "Booking Date,Value Date,Money In,Description\n\(days),5.00,Apple\n"
    let lines = setting(text).split(separator: "\n")
    #expect(lines.contains { $0 == "import.bank.dates = \(order)" }, "\(lines)")
  }

  /// What is no UTF-8 is refused with the line that says its encoding.
  @Test func `the encoding of a table is proposed`() {
    let chinese: [UInt8] = [0xBD, 0xBB, 0xD2, 0xD7, 0xCA, 0xB1, 0xBC, 0xE4, 0xBD, 0xF0, 0xB6, 0xEE]
    let alipay = Array("---\n".utf8) + chinese + chinese + [0x2C] + chinese + [0x0A]
    let german = Array("Buchungstag;Beg".utf8) + [0xFC] + Array("nstigter;Betrag\n".utf8)
    for (bytes, encoding) in [(chinese + alipay, "GB18030"), (german, "WINDOWS-1252")] {
      let told = stop(bytes, name: "bill.csv")
      let lines = told?.setting ?? ""
      #expect(lines.contains("import.bank.encoding = \"\(encoding)\""), "\(lines)")
      #expect(lines.contains("import.bank.files = \"bill.csv\""))
      #expect(told?.help.english.contains("the lines below") == true)
    }
  }

  /// Databases quote nothing between tabs.
  @Test func `quotation marks between tabs are text`() throws {
    let outcome = try read(
      """
      order_id\tuser_id\tsku\tstatus\tplaced_at
      1\t"Bob\ta\tpaid\t1686535200
      2\tx\ta\tpaid\t1686535200
      3\tAl"\ta\tpaid\t1686535200
      4\t"VIP" gold\ta\tpaid\t1686535200

      """)
    #expect(
      outcome.orders.map { $0.text($0.row.userID) } == ["\"Bob", "x", "Al\"", "\"VIP\" gold"])
    #expect(Set(outcome.orders.map(\.terms.sku)) == ["a"])
  }

  @Test func `what databases print beside their rows`() throws {
    let counted = try read("order_id,sku,status,placed_at\n1,a,paid,1686535200\n(1 row)\n")
    #expect(counted.orders.count == 1 && counted.reading.rejected == 0)
    let bars = try read("order_id|sku|status|placed_at\n1|a|paid|1686535200\n")
    #expect(bars.orders.count == 1)
    #expect(stop("SQLite format 3\u{0}\n")?.message.english.contains("database") == true)
    #expect(stop("/*M!999999 enable */\nCREATE\n")?.message.english.contains("SQL") == true)
    #expect(stop("<?xml version=\"1.0\"?>\n<resultset>\n")?.message.english.contains("XML") == true)
    let json =
      #"{"order_id":"1","sku":"a","status":"paid","placed_at":1686535200,"#
      + #""transaction_id":2.00000041234568e+15}"#
    #expect(try read(json).reading.rejected == 1)
  }

  @Test func `a where that fits no row shows what there is`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.kept = ["store": ["app_store"]]
    let text = "order_id,sku,status,placed_at,store\n1,a,paid,1686535200,0\n"
    let outcome = try read(text, hints: ReadingHints(mappings: [mapping]))
    #expect(
      outcome.reading.warnings.map(\.message.english).contains {
        $0.contains("leaves out each row (1)") && $0.contains("\"0\" (1)")
      }, "\(outcome.reading.warnings.map(\.message.english))")
  }
}
