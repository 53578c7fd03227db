// Columns that several of the company's tables have.

extension CompanyColumn {
  /// The column `sku`, whose value a row has at `value`.
  static func sku(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "sku", value, required: true, "@company.product-id-in-app-store",
      "com.example.gems.300",
      called: [
        "product_id", "product_sku", "product", "product_code", "item", "item_id", "goods_id",
        "lineitem_sku", "product_identifier", "product_sku_code", "sku_code", "商品编号", "商品id", "商品",
        "Artikelnummer", "Artikel", "商品コード",
      ])
  }

  /// The column `quantity`, whose value a row has at `value`.
  static func quantity(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "quantity", value, "@company.how-many-units-were-bought", "1",
      called: [
        "qty", "num", "buy_num", "units", "count", "lineitem_quantity", "product_quantity",
        "item_quantity", "数量",
        "Menge", "Quantité", "Anzahl",
      ])
  }

  /// The column `unit_price`, whose value a row has at `value`.
  static func unitPrice(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "unit_price", value, "@company.what-the-customer-pays",
      "30.00",
      called: [
        "price", "product_price", "sku_price", "purchase_price_in_purchased_currency",
        "price_in_purchased_currency", "amount",
        "lineitem_price", "unit_amount", "amount_cents", "price_cents",
        "amount_minor", "price_minor", "amount_in_cents", "price_in_cents", "unit_price_cents",
        "total", "total_price", "total_amount", "order_amount", "pay_amount", "item_price", "金额",
        "单价", "价格", "Preis", "Einzelpreis", "Betrag", "Prix", "Prix_unitaire", "Precio",
        "Precio_unitario", "金額", "単価",
      ])
  }

  /// The column `currency`, whose value a row has at `value`; its meaning and example are those of
  /// a price's currency where the table names none.
  static func currency(
    _ value: ColumnValue<Row>, required: Bool = false,
    _ meaning: Wording = "@company.currency-of-the-price-by",
    _ example: String = "CNY"
  ) -> CompanyColumn {
    CompanyColumn(
      "currency", value, required: required, meaning, example,
      called: [
        "ccy", "currency_code", "fee_type", "iso_currency", "purchased_currency", "记账币种", "币种",
        "币别", "货币",
        "Währung", "Waehrung", "Devise", "通貨",
      ])
  }

  /// The column `storefront`, whose value a row has at `value`; its meaning and example are those
  /// of a customer's storefront where the table names none.
  static func storefront(
    _ value: ColumnValue<Row>, required: Bool = false,
    _ meaning: Wording = "@company.customer-country-in-the-app",
    _ example: String = "CN"
  ) -> CompanyColumn {
    CompanyColumn(
      "storefront", value, required: required, meaning, example,
      called: [
        "country", "country_code", "region", "territory", "billing_country", "国家", "地区", "Land",
        "Pays", "国",
      ])
  }

  /// The column `bundle_id`, whose value a row has at `value`.
  static func bundleID(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn("bundle_id", value, "@company.app-that-sold", "com.example.app")
  }

  /// The column `kind` of a product, whose value a row has at `value`.
  ///
  /// - Parameter view: what it means in the ledger's view; nil where that is the same in all.
  static func kind(_ value: ColumnValue<Row>, required: Bool = false, view: Wording? = nil)
    -> CompanyColumn
  {
    CompanyColumn(
      "kind", value, required: required,
      "@shared.consumable-non-consumable-auto-renewable", "consumable",
      called: ["type", "product_type", "类型", "Art"], view: view)
  }

  /// The column `coins`, whose value a row has at `value`.
  static func coins(_ value: ColumnValue<Row>, _ meaning: Wording, view: Wording? = nil)
    -> CompanyColumn
  {
    CompanyColumn(
      "coins", value, meaning, "300",
      called: [
        "gold", "gems", "points", "diamonds", "credits", "coin", "coin_amount", "coin_count",
        "coins_granted", "gems_granted", "virtual_currency", "金币", "钻石",
      ], view: view)
  }

  /// The column `amount` of money received or owed, whose value a row has at `value`.
  static func amount(_ value: ColumnValue<Row>, _ meaning: Wording, _ example: String)
    -> CompanyColumn
  {
    CompanyColumn(
      "amount", value, required: true, meaning, example,
      called: [
        "money_in", "paid_in", "amount_in", "deposits", "deposit", "credit", "credit_amount",
        "sum", "value", "betrag", "haben", "gutschrift", "记账金额(收入)", "交易金额(收入)", "贷方金额",
        "收入金额", "收入", "交易金额", "金额(元)", "金额",
      ])
  }

  /// The column `rate`, whose value a row has at `value`: of exchange, tax or commission.
  static func rate(_ value: ColumnValue<Row>, _ meaning: Wording, _ example: String)
    -> CompanyColumn
  {
    CompanyColumn(
      "rate", value, required: true, meaning, example,
      called: ["exchange_rate", "value", "汇率", "Kurs", "税率"])
  }

  /// The column `date`, which the ledger stores as `day`; a row has its value at `value`.
  static func date(_ value: ColumnValue<Row>, _ meaning: Wording, _ example: String)
    -> CompanyColumn
  {
    CompanyColumn(
      "date", value, required: true, meaning, example,
      called: [
        "booking_date", "posting_date", "transaction_date", "day", "value_date", "记账日期", "入账日期",
        "交易日期", "交易时间", "日期", "arrival_date", "Buchungstag", "Datum", "Valuta",
      ],
      stored: "day")
  }

  /// The column `effective_from`: the first day on which a row holds.
  static func effectiveFrom(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "effective_from", value,
      "@company.first-day", "2023-01-01")
  }

  /// The column `effective_to`: the last day on which a row holds.
  static func effectiveTo(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "effective_to", value, "@company.last-day")
  }

  /// The column `order_id`, which each table's own reader reads.
  static func orderID(_ meaning: Wording, required: Bool = false, view: Wording? = nil)
    -> CompanyColumn
  {
    CompanyColumn(
      "order_id", .own(.code), required: required, meaning, "O0000000001",
      called: [
        "order_key", "increment_id", "order_no", "order_number", "order_sn", "order_code", "id",
        "name", "out_trade_no", "trade_no", "订单号", "订单编号", "Bestellnummer", "Auftragsnummer",
        "注文番号",
      ], view: view)
  }

  /// The column `transaction_id`, which each table's own reader reads.
  static func transactionID(
    _ meaning: Wording, required: Bool = false, view: Wording? = nil
  ) -> CompanyColumn {
    CompanyColumn(
      "transaction_id", .own(.code), required: required, meaning, "400000000000001",
      called: [
        "apple_transaction_id", "store_transaction_id", "txn_id", "apple_txn", "Apple取引ID", "取引ID",
        "transaction_no",
        "transaction_number", "receipt_id", "original_purchase_id", "交易号", "交易编号", "流水号",
        "Transaktionsnummer", "Apple_Transaktion", "Transaktion",
      ], view: view)
  }

  /// The column `user_id`, which each table's own reader reads.
  static var userID: CompanyColumn {
    CompanyColumn(
      "user_id", .own(.code), "@company.customer-in-your-system", "u00000001",
      called: [
        "uid", "user", "user_key", "rc_last_seen_app_user_id_alias", "customer", "customer_id",
        "member_id", "player_id",
        "account_id", "用户", "用户id", "Kunde", "Kundennummer", "KundenID", "KundeID", "Client",
        "会員ID",
      ])
  }

  /// The column `app_account_token`, which each table's own reader reads.
  static var appAccountToken: CompanyColumn {
    CompanyColumn(
      "app_account_token", .own(.code), "@company.uuid-that-your-app-gave",
      "7e3fb204-2c1e-4b0c-9d6a-0b6f5b1f8a11", called: ["account_token"])
  }
}
