import Testing

/// Goal: what payment and subscription services export goes in by the mapping that the first
/// message proposes, none of it as Apple's that is not. Method: the command, on files made here in
/// layouts of the services' own descriptions and of public test data.
@Suite struct FoundChannelTests {
  /// WeChat Pay's bill for merchants: a mark before each value, totals below.
  @Test func `a merchant's bill of WeChat Pay`() throws {
    let rows = [
      "2023-06-01 10:00:00,wx1,1900000001,0,,4200001,S2023060101,o1,NATIVE,SUCCESS,OTHERS,CNY,"
        + "9.90,0.00,0,0,0.00,0.00,,,60 宝石,,0.05940,0.60%,9.90,0.00,",
      "2023-06-01 23:59:59,wx1,1900000001,0,,4200002,S2023060102,o2,APP,SUCCESS,CMB_DEBIT,CNY,"
        + "12.00,0.34,0,0,0.00,0.00,,,月卡,,0.07000,0.60%,12.34,0.00,",
      "2023-06-02 11:00:00,wx1,1900000001,0,,4200002,S2023060102,o2,APP,REFUND,CMB_DEBIT,CNY,0.00,"
        + "0.00,500001,R1,12.00,0.34,ORIGINAL,SUCCESS,月卡,,-0.07000,0.60%,0.00,12.34,",
    ].map { "`" + $0.replacing(",", with: ",`") + "\r\n" }
    let text: String =
      "\u{FEFF}交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,"
      + "货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,"
      + "商户数据包,手续费,费率,订单金额,申请退款金额,费率备注\r\n" + rows.joined()
      + "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\r\n"
      + "`3,`21.90,`12.00,`0.34,`0.05940,`22.24,`12.34\r\n"
    let file = try PastedImport("trade.csv", text)
    #expect(
      try file.rows(
        "v_order", "order_id, sku, status, placed_at, unit_price_text, currency, user_id, channel")
        == [
          "S2023060101,60 宝石,paid,2023-06-01T02:00:00Z,9.90,CNY,o1,wechat",
          "S2023060102,月卡,paid,2023-06-01T15:59:59Z,12.34,CNY,o2,wechat",
        ], "\(file.lines)")
    #expect(file.imported.output.contains("1  row left out by where or skip"))
  }

  /// Alipay's account of a merchant: remarks above and below, zeros for nothing, tabs at ends.
  @Test func `a merchant's account of Alipay`() throws {
    let text = """
      #支付宝账务明细查询
      #账号：[20881234567890120156]
      #起始日期：[2023年08月01日 00:00:00]   终止日期：[2023年09月01日 00:00:00]
      #-----------------------------------------账务明细列表----------------------------------------
      账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,\
      业务类型,备注
      2023080311010001\t,2023080322001\t,S1\t,60 宝石\t,2023-08-03 10:00:00\t,玩家(abc***@qq.com)\t,\
      6.00,0.00,106.00,支付宝,在线支付,宝石
      2023080311010002\t,2023080322001\t,S1\t,\t,2023-08-03 10:00:00\t,\t,0.00,-0.04,105.96,支付宝,\
      收费,服务费
      2023080311010003\t,2023080322002\t,\t,\t,2023-08-04 12:00:00\t,Apple(app***@apple.com)\t,\
      1200.50,0.00,1306.46,支付宝,转账,85127269
      #-----------------------------------------账务明细列表结束------------------------------------
      #支出合计：1笔，共-0.04元
      #收入合计：2笔，共1206.50元

      """
    let file = try PastedImport(
      "account.csv", text.replacing("\n", with: "\r\n"), encoding: "GB18030")
    #expect(
      try file.rows("v_bank", "date, amount_text, currency, payer, reference") == [
        "2023-08-03,6.00,CNY,玩家(abc***@qq.com),宝石",
        "2023-08-04,1200.50,CNY,Apple(app***@apple.com),85127269",
      ], "\(file.lines)")
    #expect(file.imported.output.contains("1  row left out by where or skip"))
  }

  private static func table(_ rows: [[(String, String)]]) -> String {
    ([rows[0].map(\.0)] + rows.map { $0.map(\.1) }).map { $0.joined(separator: ",") + "\n" }
      .joined()
  }

  /// RevenueCat's transactions of version 7: Mac purchases are Apple's too, and rows of other
  /// stores are so many that few IDs of the column look like Apple's.
  @Test func `RevenueCat's newest layout with purchases of five stores`() throws {
    func row(_ store: String, _ id: String, _ original: String = "") -> [(String, String)] {
      [
        ("rc_original_app_user_id", "$RCAnonymousID:1"), ("rc_last_seen_app_user_id_alias", "u1"),
        ("country", "DE"), ("product_identifier", "pro_monthly"),
        ("start_time", "2023-06-02 12:00:00"), ("end_time", "2023-07-02 12:00:00"),
        ("effective_end_time", "2023-07-02 12:00:00"), ("store", store), ("is_sandbox", "false"),
        ("price_in_usd", "9.99"), ("store_transaction_id", id),
        ("original_store_transaction_id", original), ("refunded_at", ""),
        ("purchased_currency", "EUR"), ("price_in_purchased_currency", "8.99"),
        ("ownership_type", "PURCHASED"),
        ("enrolled_experiments_by_layer", "\"{\"\"default\"\": [{\"\"variant\"\": \"\"a\"\"}]}\""),
      ]
    }
    let file = try PastedImport(
      "transactions_1.csv",
      Self.table([
        row("app_store", "440001234567801", "440001234567801"),
        row("mac_app_store", "440001234567802", "440001234567802"),
        row("app_store", "440001234567803", "440001234567801"),
        row("play_store", "GPA.3300-1111-2222-33333..0"), row("rc_billing", "rc_1abc"),
        row("promotional", ""),
      ]))
    #expect(
      try file.rows(
        "v_transaction",
        "transaction_id, original_transaction_id, purchased_at, environment, unit_price_text, "
          + "currency")
        == [
          "440001234567801,440001234567801,2023-06-02T12:00:00Z,Production,8.99,EUR",
          "440001234567802,440001234567802,2023-06-02T12:00:00Z,Production,8.99,EUR",
          "440001234567803,440001234567801,2023-06-02T12:00:00Z,Production,8.99,EUR",
        ], "\(file.lines)")
    #expect(file.imported.output.contains("3  rows left out by where or skip"))
  }

  /// Version 3: `t` and `f`, and a price in US dollars beside the one in the customer's currency.
  @Test func `RevenueCat's old layout with letters for yes and no`() throws {
    func row(_ store: String, _ id: String, _ isSandbox: String) -> [(String, String)] {
      [
        ("rc_original_app_user_id", "$RCAnonymousID:1"), ("rc_last_seen_app_user_id_alias", "u1"),
        ("country", "DE"), ("product_identifier", "pro_monthly"),
        ("start_time", "2023-06-02 12:00:00"), ("store", store), ("is_trial_period", "f"),
        ("is_sandbox", isSandbox), ("price", "9.99"), ("store_transaction_id", id),
        ("refunded_at", ""), ("purchased_currency", "EUR"),
        ("price_in_purchased_currency", "8.99"), ("entitlement_identifiers", "{pro}"),
      ]
    }
    let file = try PastedImport(
      "transactions_2.csv",
      Self.table([
        row("app_store", "440001234567801", "f"), row("app_store", "2000000001234567", "t"),
        row("play_store", "GPA.3300-1111-2222-33333", "f"),
      ]))
    #expect(
      try file.rows(
        "v_transaction",
        "transaction_id, purchased_at, environment, is_trial, unit_price_text, currency") == [
          "440001234567801,2023-06-02T12:00:00Z,Production,0,8.99,EUR",
          "2000000001234567,2023-06-02T12:00:00Z,Sandbox,0,8.99,EUR",
        ], "\(file.lines)")
    #expect(file.imported.output.contains("1  row left out by where or skip"))
  }

  /// Stripe's balance as its dashboard exports it: thousands divided, times without seconds.
  @Test func `the balance that Stripe's dashboard exports`() throws {
    let text: String =
      "\u{FEFF}" + """
        id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description,Transfer
        txn_1,charge,ch_1,"1,050.00",30.75,"1,019.25",usd,2023-06-01 10:13,2023-06-03 00:00,gems,po
        txn_2,refund,re_1,-20.00,0.00,-20.00,usd,2023-06-02 14:03,2023-06-02 14:03,REFUND,po_1
        txn_3,payout,po_1,-999.25,0.00,-999.25,usd,2023-06-05 06:00,2023-06-05 00:00,PAYOUT,
        txn_4,stripe_fee,,-2.00,0.00,-2.00,usd,2023-06-06 14:03,2023-06-06 00:00,Billing fee,
        txn_5,charge,ch_2,97.00,3.07,93.93,usd,2023-06-07 09:00,2023-06-09 00:00,pass,

        """
    let file = try PastedImport("balance.csv", text)
    #expect(
      try file.rows(
        "v_order", "order_id, sku, status, placed_at, unit_price_text, currency, channel") == [
          "ch_1,gems,paid,2023-06-01T10:13:00Z,1050.00,USD,stripe",
          "ch_2,pass,paid,2023-06-07T09:00:00Z,97.00,USD,stripe",
        ], "\(file.lines)")
    #expect(file.imported.output.contains("3  rows left out by where or skip"))
  }

  /// Stripe's payments: without a channel they would be held against Apple's.
  @Test func `the payments that Stripe's dashboard exports`() throws {
    let text = """
      id,Description,Seller Message,Created (UTC),Amount,Amount Refunded,Currency,Fee,Mode,Status,\
      Customer ID,Captured
      ch_1,gems,Payment complete.,2023-06-01 10:13:22,"1,050.00",0.00,usd,30.75,Live,Paid,cus_1,TRUE
      ch_2,pass,Payment complete.,2023-06-02 09:00:00,89.00,89.00,eur,3.07,Live,Refunded,cus_2,TRUE
      ch_3,gems,The bank declined.,2023-06-03 09:00:00,1050.00,0.00,usd,0.00,Live,Failed,cus_1,FALSE

      """
    let file = try PastedImport("payments.csv", text)
    #expect(
      try file.rows(
        "v_order", "order_id, sku, status, unit_price_text, currency, user_id, channel") == [
          "ch_1,gems,paid,1050.00,USD,cus_1,stripe", "ch_2,pass,refunded,89.00,EUR,cus_2,stripe",
          "ch_3,gems,cancelled,1050.00,USD,cus_1,stripe",
        ], "\(file.lines)")
  }
}
