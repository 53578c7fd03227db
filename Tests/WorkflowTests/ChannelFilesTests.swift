import Foundation
import Support
import Testing

/// Goal: a bank's table, a purse's bill, a payment service's and a subscription service's export go
/// in by the mapping that the first message proposes, with what came in alone. Method: the command,
/// on files made here in layouts that stand in public repositories, each with an Apple payer.
@Suite struct ChannelFilesTests {
  /// What a message proposes, ready to paste.
  private func proposal(_ errors: String) -> String {
    let lines = errors.split(separator: "\n").filter { $0.hasPrefix("    import.") }
    if !lines.isEmpty { return lines.map { $0.dropFirst(4) + "\n" }.joined() }
    guard let begin = errors.firstRange(of: "import.bank = {") else { return "" }
    let line = errors[begin.lowerBound...].prefix { $0 != "\n" }
    let end = line.firstRange(of: "; bank may")?.lowerBound ?? line.endIndex
    return line[..<end] + "\n"
  }

  /// Imports a file, once what is proposed was pasted; what only a person knows is filled in.
  private func pasted(
    _ name: String, _ bytes: [UInt8], knowing known: [String: String] = [:],
    in folder: TemporaryFolder
  ) throws -> CommandLineRun {
    try folder.write(name, bytes)
    let refused = try CommandLineRun("import", name, in: folder)
    #expect(refused.status == 2, "\(refused.output)")
    var lines = proposal(refused.errors)
    for (before, after) in known { lines = lines.replacing(before, with: after) }
    try folder.write("tieout.toml", lines)
    let imported = try CommandLineRun("import", name, in: folder)
    #expect(imported.status == 0, "\(lines) \(imported.errors)")
    return imported
  }

  private func rows(_ view: String, _ columns: String, in folder: TemporaryFolder) throws -> String
  {
    try CommandLineRun(
      ["sql", "SELECT \(columns) FROM \(view) ORDER BY 1, 2", "--format", "csv"], in: folder
    ).output.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst()
      .joined(separator: "\n")
  }

  @Test(
    arguments: [
      // Volksbank and Sparkasse: days that end with the year, of two digits in the second.
      (
        "Buchungstag;Valutadatum;Name Zahlungsbeteiligter;Verwendungszweck;Betrag;Waehrung;Saldo\n"
          + "30.01.2023;31.01.2023;Musterfirma;Eine Zahlung;-12,34;EUR;1.222,22\n"
          + "29.01.2023;30.01.2023;Apple Distribution Int;85127269;1.234,56;EUR;1.234,56\n",
        [:], "2023-01-29,1234.56,EUR,Apple Distribution Int\n2023-01-30,-12.34,EUR,Musterfirma"
      ),
      (
        "\"Buchungstag\";\"Verwendungszweck\";\"Beguenstigter/Zahlungspflichtiger\";\"Betrag\";"
          + "\"Waehrung\"\n\"05.01.23\";\"x\";\"APPLE DISTRIBUTION\";\"245,50\";\"EUR\"\n",
        [:], "2023-01-05,245.50,EUR,APPLE DISTRIBUTION"
      ),
      // ING: lines above the header, and a header of its own words.
      (
        "Umsatzanzeige;Datei erstellt am: 01.01.2023 08:00\n\nIBAN;DE11\nKunde;E\n\nBuchung;"
          + "Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;"
          + "Betrag;Währung\n03.08.2023;03.08.2023;APPLE DISTRIBUTION INT;Gutschrift;85127269;"
          + "1.245,50;245,50;EUR\n",
        [:], "2023-08-03,245.50,EUR,APPLE DISTRIBUTION INT"
      ),
      // Bank of Communications: a column tells in from out, and amounts have no sign.
      (
        "序号,交易日期,交易类型,借贷,交易金额,余额,对方户名,摘要\n1,2023-01-01,利息,贷 Cr,1.23,9.00,利息户,\n"
          + "2,2023-01-02,还款,借 Dr,3.21,6.00,哈哈,\n3,2023-01-03,转账,贷 Cr,10.00,16.00,苹果电子,x\n",
        ["\"…\"": "\"CNY\""], "2023-01-01,1.23,CNY,利息户\n2023-01-03,10.00,CNY,苹果电子"
      ),
      // Agricultural Bank of China: a plus before what came in, days without marks.
      (
        "交易日期,交易时间,交易摘要,交易金额,本次余额,对手信息,交易附言\n20230101,123456,转存,+10000.00,11000.00,"
          + "Apple,转账\n20230102,132324,财付通,-10.00,11000.00,微信,x\n",
        ["\"…\"": "\"CNY\""], "2023-01-01,10000.00,CNY,Apple\n2023-01-02,-10.00,CNY,微信"
      ),
      // HSBC: names with more words than the table's, days before months, tabs behind amounts.
      (
        "Transaction date,Post date,Description,Billing amount,Billing currency,Merchant name,"
          + "Credit / Debit\n19/04/2023,20/04/2023,QR,\"-1,099.14\"\t,CNY,SHOP,DEBIT\n"
          + "31/03/2023,01/04/2023,REF,\"25.00\"\t\t,CNY,APPLE DISTRIBUTION,CREDIT\n",
        [:], "2023-03-31,25.00,CNY,APPLE DISTRIBUTION\n2023-04-19,-1099.14,CNY,SHOP"
      ),
    ] as [(String, [String: String], String)])
  func `a bank's table goes in by the mapping that is proposed`(
    text: String, known: [String: String], wanted: String
  ) throws {
    let folder = try TemporaryFolder()
    let imported = try pasted("statement.csv", Array(text.utf8), knowing: known, in: folder)
    #expect(try rows("v_bank", "date, amount_text, currency, payer", in: folder) == wanted)
    #expect(imported.output.contains("statement.csv"))
  }

  /// GB18030's bytes of a text, by the system's own program.
  private func chinese(_ text: String, in folder: TemporaryFolder) throws -> [UInt8] {
    try folder.write("utf8", text)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/iconv")
    process.arguments = ["-f", "UTF-8", "-t", "GB18030", "-o", "gb18030", "utf8"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    return Array(try folder.bytes("gb18030"))
  }

  private static let wechat = """
    微信支付账单明细,,,,,,,,
    微信昵称：[测试],,,,,,,,
    ----------------------微信支付账单明细列表--------------------,,,,,,,,
    交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号
    2023-06-01 12:00:00,商户消费,商户,商品,支出,SIGN1.00,零钱,支付成功,1
    2023-06-01 13:00:00,转账,苹果,60 宝石,收入,SIGN6.00,/,已收钱,2
    2023-06-02 13:00:00,零钱提现,银行,/,/,SIGN100.10,银行,提现已到账,3
    2023-06-03 13:00:00,微信红包-退款,玩家,/,收入,SIGN2.50,/,已全额退款,4

    """

  @Test(arguments: ["¥", ""])
  func `WeChat Pay's bills with and without a sign`(_ sign: String) throws {
    let folder = try TemporaryFolder()
    let text = Self.wechat.replacing("SIGN", with: sign)
    _ = try pasted("bill.csv", Array(text.utf8), in: folder)
    #expect(
      try rows("v_bank", "date, amount_text, currency, payer", in: folder)
        == "2023-06-01,6.00,CNY,苹果\n2023-06-03,2.50,CNY,玩家")
  }

  @Test func `Alipay's bill in its own encoding, in one go`() throws {
    let folder = try TemporaryFolder()
    let text = """
      ------------------------------------------------------------------------------------
      导出信息：
      支付宝账户：xx@example.com
      共4笔记录

      ------------------------支付宝（中国）网络技术有限公司  电子客户回单------------------------
      交易时间  ,交易分类      ,交易对方      ,收/支       ,金额        ,
      2023-02-12 21:32:14 ,亲友代付      ,某人          ,支出        ,49.74       ,
      2023-02-04 18:21:04 ,退款          ,商户          ,不计收支    ,16.03       ,
      2023-01-18 10:17:29 ,转账红包      ,苹果          ,收入        ,222228.50   ,

      """
    let bytes = try chinese(text, in: folder)
    let imported = try pasted(
      "alipay.csv", bytes, knowing: ["\"…\"": "\"CNY\""], in: folder)
    #expect(
      try rows("v_bank", "date, amount_text, currency, payer", in: folder)
        == "2023-01-18,222228.50,CNY,苹果", "\(imported.errors)")
  }

  /// Both layouts of RevenueCat's transactions: words in capitals or not, columns in other orders.
  @Test(arguments: [
    "store,product_identifier,start_time,store_transaction_id,is_sandbox,refunded_at,country",
    "country,is_sandbox,store_transaction_id,refunded_at,start_time,product_identifier,store",
  ])
  func `RevenueCat's rows of other stores and of the Sandbox are none of Apple's`(
    _ header: String
  ) throws {
    let folder = try TemporaryFolder()
    let isFirst = header.hasPrefix("store")
    func row(_ store: String, _ id: String, _ isSandbox: Bool, _ refunded: String = "") -> String {
      let values = [
        "store": store, "product_identifier": "pro_monthly", "start_time": "2023-06-02 12:00:00",
        "store_transaction_id": id,
        "is_sandbox": isFirst ? "\(isSandbox)" : "\(isSandbox)".uppercased(),
        "refunded_at": refunded, "country": "US",
      ]
      return header.split(separator: ",").map { values[String($0)]! }.joined(separator: ",")
    }
    let lines = [
      header, row("app_store", "440001234567801", false),
      row("app_store", "440001234567803", false, "2023-06-03 12:00:00"),
      row("app_store", "2000000001234567", true), row("play_store", "GPA.3300-1111-2222", false),
      row("stripe", "in_1Abc", false),
    ]
    try folder.write("transactions.csv", lines.map { $0 + "\n" }.joined())
    let refused = try CommandLineRun("import", "transactions.csv", in: folder)
    #expect(refused.status == 2)
    try folder.write("tieout.toml", proposal(refused.errors) + "import.zone = \"UTC\"\n")
    let imported = try CommandLineRun("import", "transactions.csv", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      try rows("v_transaction", "transaction_id, environment, revoked_at", in: folder)
        == "2000000001234567,Sandbox,\n440001234567801,Production,\n"
        + "440001234567803,Production,2023-06-03T12:00:00Z")
    #expect(imported.output.contains("2  rows left out by where or skip"), "\(imported.output)")
  }

  /// Stripe's balance as a connector copies it from the API, in cents, and as its own report is.
  @Test(arguments: [
    (
      "id,amount,available_on,created,currency,description,fee,net,source,status,type\n"
        + "txn_1,600,2023-06-03 00:00:00,2023-06-01 10:00:00,usd,gem,2,598,ch_1,available,charge\n"
        + "txn_2,-6,2023-06-03 00:00:00,2023-06-02 10:00:00,usd,gem,0,-6,re_1,available,refund\n",
      "6"
    ),
    (
      "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,"
        + "reporting_category,source_id,description\n"
        + "txn_1,2023-06-01 10:00:00,2023-06-03 00:00:00,usd,600.00,8.70,591.30,charge,ch_1,gems\n"
        + "txn_2,2023-06-02 10:00:00,2023-06-03 00:00:00,usd,-20.00,0,-20.00,refund,re_1,gems\n",
      "600"
    ),
  ])
  func `Stripe's charges are orders of another channel`(text: String, price: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("balance.csv", text)
    let refused = try CommandLineRun("import", "balance.csv", "--as", "orders", in: folder)
    let lines = proposal(refused.errors)
    #expect(lines.contains("channel = \"stripe\""), "\(refused.errors)")
    #expect(lines.contains(" = [\"charge\"]"), "\(lines)")
    #expect(lines.contains("unit = \"minor\"") == (price == "6"), "\(lines)")
    let columns =
      price == "6"
      ? String(lines.split(separator: "\n")[0]).replacing("\"…\"", with: "\"description\"")
      : "import.orders.columns = { order_id = \"source_id\", placed_at = \"created_utc\", "
        + "sku = \"description\", unit_price = \"gross\" }"
    let rest = lines.split(separator: "\n").dropFirst().map {
      String($0).replacing(
        "{ channel = \"stripe\"\(price == "6" ? "" : ", status = \"…\"") }",
        with: "{ channel = \"stripe\"\(price == "6" ? "" : ", status = \"paid\"") }")
    }
    let known = ([columns] + rest).map { $0 + "\n" }.joined()
    try folder.write(
      "tieout.toml",
      known + """
        import.orders.words = { currency = { USD = ["usd"] }, status = { paid = ["available"] } }
        import.zone = "UTC"

        """)
    let imported = try CommandLineRun("import", "balance.csv", in: folder)
    #expect(imported.status == 0, "\(known) \(imported.errors)")
    #expect(
      try rows("v_order", "channel, count(*)", in: folder) == "stripe,1", "\(imported.output)")
  }
}
