// Columns that several of the company's tables have.

extension CompanyColumn {
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

  static func quantity(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "quantity", value, "@company.how-many-units-were-bought", "1",
      called: [
        "qty", "num", "buy_num", "units", "count", "lineitem_quantity", "product_quantity",
        "item_quantity", "数量",
        "Menge", "Quantité", "Anzahl",
      ])
  }

  static func unitPrice(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "unit_price", value, "@company.what-the-customer-pays",
      "30.00",
      called: [
        "price", "product_price", "sku_price", "price_in_purchased_currency", "amount",
        "lineitem_price", "unit_amount", "amount_cents", "price_cents",
        "amount_minor", "price_minor", "amount_in_cents", "price_in_cents", "unit_price_cents",
        "total", "total_price", "total_amount", "order_amount", "pay_amount", "item_price", "金额",
        "单价", "价格", "Preis", "Einzelpreis", "Betrag", "Prix", "Prix_unitaire", "Precio",
        "Precio_unitario", "金額", "単価",
      ])
  }

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

  static func bundleID(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn("bundle_id", value, "@company.app-that-sold", "com.example.app")
  }

  static func kind(_ value: ColumnValue<Row>, required: Bool = false, view: Wording? = nil)
    -> CompanyColumn
  {
    CompanyColumn(
      "kind", value, required: required,
      "@shared.consumable-non-consumable-auto-renewable", "consumable",
      called: ["type", "product_type", "类型", "Art"], view: view)
  }

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

  static func rate(_ value: ColumnValue<Row>, _ meaning: Wording, _ example: String)
    -> CompanyColumn
  {
    CompanyColumn(
      "rate", value, required: true, meaning, example,
      called: ["exchange_rate", "value", "汇率", "Kurs", "税率"])
  }

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

  static func effectiveFrom(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "effective_from", value,
      "@company.first-day", "2023-01-01")
  }

  static func effectiveTo(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "effective_to", value, "@company.last-day")
  }

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

  static var appAccountToken: CompanyColumn {
    CompanyColumn(
      "app_account_token", .own(.code), "@company.uuid-that-your-app-gave",
      "7e3fb204-2c1e-4b0c-9d6a-0b6f5b1f8a11", called: ["account_token"])
  }
}
