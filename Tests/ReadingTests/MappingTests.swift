import Billing
import Testing

@testable import Reading

/// The same three orders as shops export them: each export with its mapping reads as the plain
/// table does, but for the lines on which its rows stand.
@Suite struct MappingTests {
  private static let plain = """
    order_id,sku,status,placed_at,unit_price,currency,storefront,user_id
    1001,gems60,fulfilled,2023-06-12T02:00:00Z,6.00,CNY,CN,u1
    1002,gems300,paid,2023-06-12T02:05:30Z,1030.50,CNY,CN,
    1003,gems60,cancelled,2023-06-12T15:59:59Z,6.00,CNY,CN,u3

    """

  struct Export: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var change: @Sendable (inout TableMapping) -> Void = { _ in }
    /// Without a mapping too: the names alone differ.
    var isPlain = false
  }

  private static let shanghai = Zone(name: "Asia/Shanghai", firstOffset: 8 * 3600)

  static let exports: [Export] = [
    Export(
      testDescription: "names written another way",
      text: """
        Order ID,SKU,Status,placedAt,unit-price,CURRENCY,Storefront,User Id
        1001,gems60,Fulfilled,2023-06-12T02:00:00Z,6.00,CNY,CN,u1
        1002,gems300,PAID,2023-06-12T02:05:30Z,1030.50,CNY,CN,
        1003,gems60,cancelled,2023-06-12T15:59:59Z,6.00,CNY,CN,u3
        """, isPlain: true),
    Export(
      testDescription: "objects with camelCase keys and epoch microseconds",
      text: """
        {"orderId":1001,"sku":"gems60","status":"FULFILLED","placedAt":1686535200000000,\
        "unitPrice":6,"currency":"CNY","storefront":"CN","userId":"u1"}
        {"orderId":"1002","sku":"gems300","status":"paid","placedAt":1686535530000000,\
        "unitPrice":1030.5,"currency":"CNY","storefront":"CN","userId":null}
        {"orderId":"1003","sku":"gems60","status":"cancelled","placedAt":1686585599000000,\
        "unitPrice":6.00,"currency":"CNY","storefront":"CN","userId":"u3"}
        """, isPlain: true),
    Export(
      testDescription: "objects under one key",
      text: """
        {"count": 3, "orders": [
        {"order_id":1001,"sku":"gems60","status":"fulfilled","placed_at":"2023-06-12T02:00:00Z",
         "unit_price":6,"currency":"CNY","storefront":"CN","user_id":"u1"},
        {"order_id":1002,"sku":"gems300","status":"paid","placed_at":"2023-06-12T02:05:30Z",
         "unit_price":1030.5,"currency":"CNY","storefront":"CN"},
        {"order_id":"1003","sku":"gems60","status":"cancelled","placed_at":"2023-06-12T15:59:59Z",
         "unit_price":6,"currency":"CNY","storefront":"CN","user_id":"u3"}
        ], "next": null}
        """, isPlain: true),
    Export(
      testDescription: "MySQL in batch mode",
      text: """
        id\tproduct\tstate\tcreated\tamount\tuid
        1001\tgems60\tDONE\t2023-06-12 10:00:00\t600\tu1
        1002\tgems300\tPAID\t2023-06-12 10:05:30\t103050\tNULL
        1003\tgems60\tVOID\t2023-06-12 23:59:59\t600\tu3
        """,
      change: {
        $0.columns = [
          "order_id": "id", "sku": "product", "status": "state", "placed_at": "created",
          "unit_price": "amount", "user_id": "uid",
        ]
        $0.constants = ["currency": "CNY", "storefront": "CN"]
        $0.words = ["status": ["fulfilled": ["DONE"], "cancelled": ["VOID"]]]
        $0.zone = shanghai
        $0.unit = .cents
        $0.nulls = ["NULL"]
      }),
    Export(
      testDescription: "a spreadsheet in German",
      text: """
        Bestellungen Juni;;;;;;;
        ;;;;;;;
        Nummer;Artikel;Zustand;Datum;Preis;Land;Kunde;Wagen
        1001;gems60;erfüllt;12.06.2023 04:00;6,00 €;China;u1;1
        1002;gems300;bezahlt;12.6.2023 4:05:30;1.030,50 €;China;;2
        1003;gems60;storniert;12.06.2023 17:59:59;6 €;China;u3;3
        Summe;;;;1.042,50 €
        erstellt am 1.7.2023
        """,
      change: {
        $0.columns = [
          "order_id": "Nummer", "sku": "Artikel", "status": "Zustand", "placed_at": "Datum",
          "unit_price": "Preis", "storefront": "Land", "user_id": "Kunde",
        ]
        $0.constants = ["currency": "CNY"]
        $0.words = [
          "status": ["fulfilled": ["erfüllt"], "paid": ["bezahlt"], "cancelled": ["storniert"]],
          "storefront": ["CN": ["China"]],
        ]
        $0.dates = .dmy
        $0.zone = Zone(
          name: "Europe/Berlin", firstOffset: 3600,
          transitions: [.init(at: 1_679_792_400, offset: 7200)])
        $0.decimal = ","
        $0.signs = ["€"]
        $0.skipTop = 2
        $0.stopAt = "Summe"
      }),
    Export(
      testDescription: "American times and divided thousands",
      text: """
        Order,Item,State,When,Each,Ccy,Region,Who
        1001,gems60,fulfilled,"6/12/2023, 2:00 AM",¥6.00,CNY,CN,u1
        1002,gems300,paid,6/12/2023 2:05:30 AM,"¥1,030.50",CNY,CN,-
        1003,gems60,cancelled,6/12/2023 3:59:59 PM,¥6,CNY,CN,u3
        """,
      change: {
        $0.columns = [
          "order_id": "Order", "sku": "Item", "status": "State", "placed_at": "When",
          "unit_price": "Each", "currency": "Ccy", "storefront": "Region", "user_id": "Who",
        ]
        $0.dates = .mdy
        $0.zone = .utc
        $0.decimal = "."
        $0.signs = ["¥"]
        $0.nulls = ["-"]
      }),
  ]

  @Test(arguments: exports) func `an export reads as the plain table does`(_ export: Export) throws
  {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    export.change(&mapping)
    let expected = try values(read(Self.plain))
    let outcome = try read(export.text, hints: ReadingHints(mappings: [mapping]))
    #expect(try values(outcome) == expected)
    #expect(outcome.reading.mapping == mapping)
    if export.isPlain { #expect(try values(read(export.text)) == expected) }
  }

  /// What was read, without the lines on which the rows stand.
  private func values(_ outcome: Outcome) throws -> [String] {
    #expect(outcome.reading.diagnostics.isEmpty)
    return outcome.dump.split(separator: "\n").filter { !$0.contains("warning[") }
      .map { String($0.drop(while: \.isNumber)) }
  }

  @Test func `amounts move exactly`() throws {
    func price(_ text: String, _ change: (inout TableMapping) -> Void) throws -> String {
      var mapping = TableMapping(.orders, name: "[import.orders]")
      change(&mapping)
      let outcome = try read(
        "order_id,sku,status,placed_at,unit_price\n1,a,paid,2023-06-12T02:00:00Z,\"\(text)\"\n",
        hints: ReadingHints(mappings: [mapping]))
      guard let terms = outcome.orders.first?.terms else {
        return outcome.reading.diagnostics.first?.message.english ?? "nothing"
      }
      return terms.unitPrice.map { decimalText(micros: $0) } ?? "none"
    }
    let cases: [(text: String, unit: TableMapping.Unit, decimal: String?, price: String)] = [
      ("5", .cents, nil, "0.05"), ("0", .cents, nil, "0"), ("1200", .cents, nil, "12"),
      ("1", .millionths, nil, "0.000001"), ("4990000", .millionths, nil, "4.99"),
      ("12990", .thousandths, nil, "12.99"), ("1,234,567.5", .whole, ".", "1234567.5"),
      ("1.234.567,5", .whole, ",", "1234567.5"), ("1 234,5", .whole, ",", "1234.5"),
      ("1'234.50", .whole, ".", "1234.5"), ("12,90", .whole, ",", "12.9"),
      ("12.340000", .cents, nil, "0.1234"),
      // What the mapping's way of writing does not give is refused, never read in the other way.
      ("12.90", .whole, ",", "unit_price is not a decimal number: \"12.90\""),
      ("12,90", .whole, ".", "unit_price is not a decimal number: \"12,90\""),
      ("1,23,456", .whole, ".", "unit_price is not a decimal number: \"1,23,456\""),
      ("1,234 567", .whole, ".", "unit_price is not a decimal number: \"1,234 567\""),
      ("1234,567", .whole, ".", "unit_price is not a decimal number: \"1234,567\""),
      (",567", .whole, ".", "unit_price is not a decimal number: \",567\""),
      ("5.", .whole, ".", "unit_price is not a decimal number: \"5.\""),
    ]
    for (text, unit, decimal, expected) in cases {
      let found = try price(text) {
        $0.unit = unit
        $0.decimal = decimal
      }
      #expect(found == expected, "\(text) \(unit) \(decimal ?? "-")")
    }
  }

  @Test func `times that clocks show twice or skip are said`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    // Central Europe in the autumn of 2023, and the spring after.
    mapping.zone = Zone(
      name: "Europe/Berlin", firstOffset: 7200,
      transitions: [
        .init(at: 1_698_541_200, offset: 3600), .init(at: 1_711_846_800, offset: 7200),
      ])
    let outcome = try read(
      """
      order_id,sku,status,placed_at
      1,a,paid,2023-10-29 01:59:59
      2,a,paid,2023-10-29 02:30:00
      3,a,paid,2023-10-29 03:00:00
      4,a,paid,2024-03-31 02:30:00
      5,a,paid,2024-03-31 03:00:00+02:00
      6,a,paid,2023-10-30 00:00:00
      """, hints: ReadingHints(mappings: [mapping]))
    #expect(
      outcome.orders.map(\.row.placedAt.description) == [
        "2023-10-28T23:59:59Z", "2023-10-29T00:30:00Z", "2023-10-29T02:00:00Z",
        "2024-03-31T01:30:00Z", "2024-03-31T01:00:00Z", "2023-10-29T23:00:00Z",
      ])
    #expect(
      outcome.reading.warnings.map(\.message.english) == [
        "2 times lie in an hour that clocks show twice or skip"
      ])
  }

  @Test func `a time without a zone is refused with advice`() throws {
    let outcome = try read("order_id,sku,status,placed_at\n1,a,paid,2023-06-12 10:00:00\n")
    let diagnostic = try #require(outcome.reading.diagnostics.first)
    #expect(diagnostic.location.description == "file.txt:2:10")
    #expect(diagnostic.help.english.contains("import.zone"))
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.dates = .dmy
    let mapped = try read(
      "order_id,sku,status,placed_at\n1,a,paid,12.06.2023 10:00\n",
      hints: ReadingHints(mappings: [mapping]))
    #expect(
      mapped.reading.diagnostics.map(describe) == [
        "file.txt:2:10: error[date]: placed_at has no offset: \"12.06.2023 10:00\""
      ])
  }

  @Test func `a mapping for a file must fit it`() throws {
    var mapping = TableMapping(.orders, name: "[[import.orders]] 2")
    mapping.files = ["shop-b-*.csv"]
    mapping.columns = ["order_id": "Order No", "placed_at": "created"]
    let text = "Order No,sku,status,placed\n1,a,paid,2023-06-12T10:00:00Z\n"
    #expect(throws: Diagnostic.self) {
      try read(text, name: "in/shop-b-1.csv", hints: ReadingHints(mappings: [mapping]))
    }
    mapping.columns["placed_at"] = "placed"
    let outcome = try read(text, name: "in/shop-b-1.csv", hints: ReadingHints(mappings: [mapping]))
    #expect(outcome.orders.count == 1 && outcome.reading.mapping == mapping)
    // Another file's columns are their own.
    #expect(throws: Diagnostic.self) {
      try read(text, name: "shop-a.csv", hints: ReadingHints(mappings: [mapping]))
    }
  }

  @Test(arguments: [
    ("a*c", "abc", true), ("a*c", "ac", true), ("a*c", "acb", false), ("*", "", true),
    ("?b", "ab", true), ("?b", "b", false), ("a*b*c", "a-b-b-c", true), ("a", "A", false),
  ])
  func `patterns of names`(_ pattern: String, _ name: String, _ fits: Bool) {
    var mapping = TableMapping(.orders, name: "")
    mapping.files = [pattern]
    #expect(mapping.isFor(file: "folder/" + name) == fits)
  }

  @Test func `an unknown table gets advice`() {
    let diagnostic = stop("Order No,商品编号,Order Status,created_at\n")
    #expect(
      diagnostic?.message.english
        == "the file looks like orders, but has no order_id, sku, status, placed_at")
    #expect(
      diagnostic?.help.english.contains(
        """
        import.orders.columns = { order_id = "Order No", sku = "商品编号", \
        status = "Order Status", placed_at = "created_at" }
        """) == true)
    let near = stop("transaction_id,sku,purchase_date,quantity\n")
    #expect(near?.message.english == "the column purchased_at is missing")
    #expect(near?.help.english.contains("purchased_at = \"purchase_date\"") == true)
    #expect(stop("a,b,c\n1,2,3\n")?.message.english.contains("not recognised") == true)
  }

  @Test func `rows behind more than plain values are not passed over`() {
    let rows =
      #"{"orders":[{"order_id":"1","sku":"a","status":"paid","placed_at":1686535200}]"#
    #expect(stop(rows + #", "more": 1}"#) == nil)
    #expect(stop(rows + #", "refunds": [{"order_id":"1"}]}"#) != nil)
    #expect(stop(rows)?.message.english == "the file ends before the JSON array does")
    #expect(stop(rows + "} x") != nil)
  }

  /// What a mapping does that does not fit is never to be passed over.
  @Test(arguments: [
    ("order_id,sku,status,placed_at,unit_price\n1,a,paid,1686535200,150\n", 0),
    ("{\"sku\":\"a\",\"status\":\"paid\",\"placed_at\":1686535200,\"order_id\":1}\n", 0),
    ("order_id,sku,status,placed_at,unit_price\n1,a,paid,1686535200,150\n", 50),
    ("order_id,sku,status,placed_at,unit_price\n1,a,paid,1686535200,150\n", 1),
  ])
  func `a mapping that does not fit is no silence`(_ text: String, _ skipTop: Int) {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.columns = skipTop == 0 ? ["order_id": "number"] : [:]
    mapping.unit = .cents
    mapping.skipTop = skipTop
    #expect(throws: Diagnostic.self) {
      try read(text, hints: ReadingHints(mappings: [mapping]))
    }
    // Another kind's mapping has nothing to say here.
    mapping.kind = .bank
    mapping.columns = skipTop == 0 ? ["reference": "number"] : [:]
    #expect(throws: Never.self) { try read(text, hints: ReadingHints(mappings: [mapping])) }
  }

  @Test func `a column is never taken for another one`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.columns = ["unit_price": "Amount (€)", "order_id": "#"]
    let text = "Amount ($),%,sku,status,placed_at,Amount (€),#,\n5,9,a,paid,1686535200,6,7,\n"
    let right = try read(text, hints: ReadingHints(mappings: [mapping]))
    #expect(right.orders.first?.terms.unitPrice == 6_000_000)
    #expect(throws: Diagnostic.self) {
      try read(
        text.replacing("(€)", with: "(£)"), hints: ReadingHints(mappings: [mapping]))
    }
    // A key that is another column's source is no longer its own.
    mapping.columns = ["transaction_id": "user_id"]
    let json = try read(
      #"{"order_id":1,"sku":"a","status":"paid","placed_at":1686535200,"user_id":"43"}"#,
      hints: ReadingHints(mappings: [mapping]))
    let row = try #require(json.orders.first)
    #expect(row.text(row.row.transactionID) == "43" && row.text(row.row.userID) == "")
    // Its own name goes before what is merely like it, with a mapping or without.
    mapping.columns = [:]
    let twice = "orderId,sku,status,placed_at,order_id\n1,a,paid,1686535200,2\n"
    for hints in [ReadingHints(), ReadingHints(mappings: [mapping])] {
      let order = try #require(try read(twice, hints: hints).orders.first)
      #expect(order.text(order.row.orderID) == "2")
    }
  }

  @Test func `thousands of a number that begins with 0 are not divided`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.decimal = ","
    let outcome = try read(
      "order_id,sku,status,placed_at,unit_price\n1,a,paid,1686535200,0.500\n",
      hints: ReadingHints(mappings: [mapping]))
    #expect(outcome.orders.isEmpty && outcome.reading.rejected == 1)
  }

  @Test func `a number has a point and a text the mapping's comma`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.decimal = ","
    let fixed = "\"sku\":\"a\",\"status\":\"paid\",\"placed_at\":1686535200"
    let outcome = try read(
      """
      {"order_id":1,\(fixed),"unit_price":"1.030,50","app_version":2.3}
      {"order_id":2,\(fixed),"unit_price":1030.50,"app_version":"2.3"}
      {"order_id":3,\(fixed),"unit_price":1030,"app_version":"2,3"}
      {"order_id":4,\(fixed),"unit_price":"1030.50"}
      """, hints: ReadingHints(mappings: [mapping]))
    #expect(
      outcome.orders.map(\.terms.unitPrice) == [1_030_500_000, 1_030_500_000, 1_030_000_000])
    #expect(outcome.orders.map(\.terms.appVersion) == ["2.3", "2.3", "2,3"])
    #expect(outcome.reading.rejected == 1)
  }

  @Test func `two columns may be read from one`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.columns = ["placed_at": "t", "paid_at": "t", "user_id": "n", "order_id": "n"]
    mapping.zone = Self.shanghai
    mapping.nulls = ["-"]
    let outcome = try read(
      "t,n,sku,status\n2023-06-12 10:00:00,1,a,paid\n2023-06-12 10:00:01,-,a,paid\n",
      hints: ReadingHints(mappings: [mapping]))
    let row = try #require(outcome.orders.first)
    #expect(row.row.placedAt == row.row.paidAt && row.text(row.row.userID) == "1")
    #expect(
      outcome.reading.diagnostics.map(describe) == [
        "file.txt:3:21: error[value]: order_id is blank"
      ])
  }

  /// `订单号` and two orders of `张` in GBK, the end of each window at each place in turn.
  @Test(arguments: [64, 65, 66, 67, 1 << 20]) func `text in another encoding`(_ block: Int) throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.files = ["shop*"]
    mapping.encoding = "GBK"
    mapping.columns = ["order_id": "订单号", "user_id": "用户"]
    let zhang: [UInt8] = [0xD5, 0xC5]
    let head: [UInt8] = [0xB6, 0xA9, 0xB5, 0xA5, 0xBA, 0xC5] + Array(",sku,status,placed_at,".utf8)
    let user: [UInt8] = [0xD3, 0xC3, 0xBB, 0xA7, 0x0A]
    var rows: [UInt8] = []
    for order in 1...9 { rows += Array("\(order),a,paid,1686535200,".utf8) + zhang + [0x0A] }
    var limits = ReadingLimits()
    limits.blockSize = block
    let outcome = try read(
      head + user + rows, name: "shop.csv", hints: ReadingHints(mappings: [mapping]),
      limits: limits)
    #expect(outcome.orders.map { $0.text($0.row.userID) } == Array(repeating: "张", count: 9))
    // UTF-8 stays UTF-8, and what is neither is refused.
    let text = "订单号,sku,status,placed_at,用户\n1,a,paid,1686535200,张\n"
    let plain = try read(text, name: "shop.csv", hints: ReadingHints(mappings: [mapping]))
    #expect(plain.orders.map { $0.text($0.row.userID) } == ["张"])
    for bad: [UInt8] in [[0xFF, 0xFF], [0xD5]] {
      #expect(throws: Diagnostic.self) {
        try read(
          head + user + Array("1,a,paid,1686535200,".utf8) + bad, name: "shop.csv",
          hints: ReadingHints(mappings: [mapping]), limits: limits)
      }
    }
  }

  @Test func `only what stands behind the end of a table may be short`() throws {
    var mapping = TableMapping(.orders, name: "[import.orders]")
    mapping.stopAt = "Total"
    let head = "order_id,sku,status,placed_at,unit_price\n"
    let whole = try read(
      head + "1,a,paid,1686535200,6\nTotal,6\nprinted on Monday\n",
      hints: ReadingHints(mappings: [mapping]))
    #expect(whole.orders.count == 1 && whole.reading.rejected == 0)
    #expect(whole.reading.footers == 2)
    #expect(whole.reading.warnings.map(\.topic) == ["rows"])
    let cut = try read(
      head + "1,a,paid,1686535200\n2,a,paid,1686535200,6\nTotal,6\n",
      hints: ReadingHints(mappings: [mapping]))
    #expect(cut.orders.count == 1 && cut.reading.rejected == 1)
  }

  @Test func `columns are told on request`() throws {
    var hints = ReadingHints()
    hints.tellsColumns = true
    let outcome = try read("Order Id,sku,status,placed_at\n7,a,PAID,1686535200\n", hints: hints)
    #expect(
      outcome.reading.columns.prefix(5).map { "\($0.name) \($0.source ?? "-") \($0.first)" } == [
        "order_id Order Id 7", "sku sku a", "status status PAID", "placed_at placed_at 1686535200",
        "quantity - ",
      ])
    #expect(outcome.reading.mapping == nil && outcome.orders.count == 1)
  }
}
