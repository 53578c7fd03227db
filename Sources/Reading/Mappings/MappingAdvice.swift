internal import Billing

/// What a person may write in the configuration, so that a table that nobody recognises is read.
struct MappingAdvice {
  let table: CompanyTable
  /// Required columns that the header does not have by a name of theirs.
  let missing: [String]
  /// For some of these, what the file may call them.
  let guesses: [(column: String, source: String)]
  /// The same for columns that need not be there, by the names that are usual for them.
  private let further: [(column: String, source: String)]
  private let present: Int

  private init(_ table: CompanyTable, _ header: Header) {
    self.table = table
    let names = Set(header.names)
    missing = table.required.filter { !names.contains($0) }
    present = table.names.count(where: names.contains)
    let own = Set(CompanyTable.made.flatMap(\.names))
    var free = zip(header.names, header.printed).filter { !own.contains($0.0) && !$0.0.isEmpty }
      .map(\.1)
    var guesses: [(column: String, source: String)] = []
    for column in missing {
      guard let source = Self.guess(column, among: free) else { continue }
      guesses.append((column, source))
      free.removeAll { $0 == source }
    }
    self.guesses = guesses
    var further: [(column: String, source: String)] = []
    for column in table.shownNames.dropFirst(table.requiredCount) where !names.contains(column) {
      let words = Set((Self.usualNames[column] ?? []).map(squeezedName))
      guard let source = free.first(where: { words.contains(squeezedName($0)) }) else { continue }
      further.append((column, source))
      free.removeAll { $0 == source }
    }
    self.further = further
  }

  /// Of the table that somebody says it is; nil where the company has no such table.
  init?(_ kind: InputKind, _ header: Header) {
    guard let table = CompanyTable.all.first(where: { $0.kind == kind }) else { return nil }
    self.init(table, header)
  }

  /// The table that a header comes nearest to; nil where it is near none.
  static func best(for header: Header) -> MappingAdvice? {
    let near = CompanyTable.made.map { MappingAdvice($0, header) }.filter(\.isNear)
    return near.max { left, right in left.rank < right.rank }
  }

  /// The kinds of purchases that a table may hold under usual names, although its header has all
  /// that tables of other kinds require: a transactions table with a column `kind` is no catalogue.
  static func purchases(in header: Header, beside kinds: [InputKind]) -> [InputKind] {
    guard kinds.allSatisfy({ ![.orders, .transactions, .events, .unitCounts].contains($0) }) else {
      return []
    }
    return [CompanyTable.transactions, .orders].filter { table in
      let advice = MappingAdvice(table, header)
      let isWhole =
        advice.guesses.count == advice.missing.count
        && advice.guesses.allSatisfy { isUsual($0.source, for: $0.column) }
      // A catalogue has ids, statuses and times too, and no customers.
      let told = Set(header.names).union(advice.further.map(\.column))
      return isWhole && (table.kind == .transactions || !told.isDisjoint(with: customers))
    }.map(\.kind)
  }

  private static let customers: Set<String> = ["user_id", "transaction_id", "quantity"]

  private static func isUsual(_ source: String, for column: String) -> Bool {
    (usualNames[column] ?? []).contains { squeezedName($0) == squeezedName(source) }
  }

  /// Two of its columns and most of what it requires, or a guess for all that it requires.
  private var isNear: Bool {
    if present >= 2, missing.count <= 2, present > missing.count { return true }
    return guesses.count == missing.count && table.required.count >= 3
  }

  private var rank: (Int, Int) {
    let unknown = missing.count - guesses.count
    return (present + guesses.count - unknown, -missing.count)
  }

  private static func guess(_ column: String, among sources: [String]) -> String? {
    let words = Set((Self.usualNames[column] ?? []).map(squeezedName))
    return sources.first { words.contains(squeezedName($0)) } ?? nearest(to: column, among: sources)
  }

  /// - Parameter skipTop: lines above the header, where the configuration has to say so.
  func diagnostic(_ header: Header, skipTop: Int = 0) -> Diagnostic {
    let list = missing.joined(separator: ", ")
    let message: Wording =
      if skipTop > 0 {
        counted(
          skipTop,
          """
          after 1 line that does not belong to the table, the file looks like \
          \(table.kind.rawValue)
          """
        ) {
          """
          after \($0) lines that do not belong to the table, the file looks like \
          \(table.kind.rawValue)
          """
        }
      } else if present < 2 {
        "the file looks like \(table.kind.rawValue), but nothing in it is named \(list)"
      } else if missing.count == 1 {
        "the column \(list) is missing"
      } else {
        "the columns \(list) are missing"
      }
    let printed = header.printed.filter { !$0.isEmpty }.joined(separator: ", ")
    let known = table.shownNames.joined(separator: ", ")
    let unknown = missing.filter { column in !guesses.contains { $0.column == column } }
    let pairs =
      (guesses + further).map { "\($0.column) = \"\($0.source)\"" }
      + unknown.map { "\($0) = \"…\"" }
    let columns = "{ \(pairs.joined(separator: ", ")) }"
    let key = "import.\(table.kind.rawValue)"
    let top = ["skip_top", "=", "\(skipTop)"].joined(separator: " ")
    let setting =
      if skipTop == 0 {
        ([["\(key).columns", "=", columns].joined(separator: " ")] + units.map { "\(key).\($0)" })
          .joined(separator: "\n")
      } else if pairs.isEmpty {
        "\(key).\(top)"
      } else {
        [
          key, "=", "{",
          ([top] + units + [["columns", "=", columns].joined(separator: " ")])
            .joined(separator: ", "), "}",
        ].joined(separator: " ")
      }
    let shown = setting.replacing("\n", with: "; ")
    guard !guesses.isEmpty else {
      var diagnostic = header.diagnostic(
        message,
        help: """
          the header has: \(printed); say in tieout.toml which column is meant: \(shown); \
          \(table.kind.rawValue) may have: \(known)
          """)
      diagnostic.setting = setting
      return diagnostic
    }
    let sources = guesses.map { "\"\($0.source)\"" }.joined(separator: ", ")
    var diagnostic = header.diagnostic(
      message,
      help: """
        did you mean \(sources)? Say so in tieout.toml: \(shown); \
        \(table.kind.rawValue) may have: \(known)
        """)
    diagnostic.setting = setting
    return diagnostic
  }

  /// What 1 in a column of amounts counts, by the name that a file has for it.
  private var units: [String] {
    let amounts = (guesses + further).filter {
      ["unit_price", "price", "amount"].contains($0.column)
    }
    return amounts.contains { Self.countsCents($0.source) }
      ? [["unit", "=", "\"cents\""].joined(separator: " ")] : []
  }

  private static func countsCents(_ name: String) -> Bool {
    let name = squeezedName(name)
    return ["cents", "cent", "minor", "minorunits", "fen"].contains(where: name.hasSuffix)
  }

  /// Columns of a table that is known by its own names which usual names give; nil for none.
  var furtherSetting: String? {
    guard missing.isEmpty, !further.isEmpty else { return nil }
    let pairs = further.map { "\($0.column) = \"\($0.source)\"" }.joined(separator: ", ")
    let key = "import.\(table.kind.rawValue)"
    return
      ([["\(key).columns", "=", "{", pairs, "}"].joined(separator: " ")]
      + units.map { "\(key).\($0)" })
      .joined(separator: "\n")
  }

  /// What shops call these columns; for advice only, nothing is read by them.
  private static let usualNames: [String: [String]] = [
    "order_id": [
      "order_key", "increment_id", "order_no", "order_number", "order_sn", "order_code", "id",
      "name", "out_trade_no",
      "trade_no", "订单号", "订单编号", "Bestellnummer", "Auftragsnummer", "注文番号",
    ],
    "sku": [
      "product_id", "product_sku", "product", "product_code", "item", "item_id", "goods_id",
      "lineitem_sku",
      "商品编号", "商品id", "商品", "Artikelnummer", "Artikel", "商品コード",
    ],
    "status": [
      "state", "order_status", "order_state", "financial_status", "pay_status", "状态", "订单状态",
      "Zustand", "État", "注文ステータス", "ステータス", "状態",
    ],
    "placed_at": [
      "created_at", "created", "date_created", "date_created_gmt", "create_time", "gmt_create",
      "creation_time", "order_time", "ordered_at",
      "order_date", "datetime", "timestamp", "下单时间", "创建时间", "订单时间", "Datum",
      "Bestelldatum", "Erstellt", "Erstellt_am", "Bestellt_am", "注文日時",
    ],
    "transaction_id": [
      "apple_transaction_id", "txn_id", "apple_txn", "Apple取引ID", "取引ID", "transaction_no",
      "transaction_number", "receipt_id",
      "original_purchase_id", "交易号", "交易编号", "流水号", "Transaktionsnummer",
      "Apple_Transaktion", "Transaktion",
    ],
    "purchased_at": [
      "purchase_date", "purchase_time", "buy_time", "bought_at", "pay_time", "charged_at",
      "purchase_date_ms", "purchased", "paid_at", "created_at",
      "购买时间", "支付时间", "Kaufdatum", "Gekauft", "Gekauft_am",
    ],
    "revoked_at": [
      "revocation_date", "revocation_date_ms", "cancellation_date", "refunded_at", "refund_time",
      "refund_date", "退款时间", "Erstattet_am",
    ],
    "date": ["day", "value_date", "booking_date", "日期", "Datum", "Buchungstag", "Valuta"],
    "amount": ["sum", "credit", "value", "betrag", "金额", "收入"],
    "currency": [
      "ccy", "currency_code", "iso_currency", "币种", "货币", "Währung", "Waehrung", "Devise", "通貨",
    ],
    "storefront": [
      "country", "country_code", "region", "territory", "billing_country", "国家", "地区", "Land",
      "Pays", "国",
    ],
    "user_id": [
      "uid", "user", "user_key", "customer", "customer_id", "member_id", "player_id", "account_id",
      "用户", "用户id", "Kunde", "Kundennummer", "Client", "会員ID",
    ],
    "quantity": ["qty", "units", "count", "lineitem_quantity", "数量", "Menge", "Quantité"],
    "unit_price": [
      "price", "amount", "lineitem_price", "unit_amount", "amount_cents", "price_cents",
      "amount_minor", "price_minor", "amount_in_cents", "price_in_cents", "unit_price_cents",
      "total", "total_price", "total_amount", "order_amount", "pay_amount", "item_price", "金额",
      "单价", "价格", "Preis", "Betrag", "Prix",
      "金額", "単価",
    ],
    "paid_at": [
      "paid", "date_paid", "date_paid_gmt", "processed_at", "pay_time", "payment_time", "支付时间",
      "付款时间",
      "Bezahlt", "支払日時",
    ],
    "fulfilled_at": [
      "date_completed", "date_completed_gmt", "completed_at", "delivered_at", "delivered",
      "shipped_at", "发货时间", "Geliefert",
    ],
    "coins": [
      "gold", "gems", "points", "diamonds", "credits", "coin", "coin_amount", "coin_count",
      "coins_granted", "gems_granted", "virtual_currency", "金币", "钻石",
    ],
    "expires_at": [
      "expires_date", "expires_date_ms", "expiration_date", "expiry_date", "expires", "到期时间",
    ],
    "ownership": ["in_app_ownership_type", "ownership_type"],
    "original_transaction_id": ["original_txn_id", "original_transaction"],
    "app_account_token": ["account_token"],
    "channel": ["payment_method", "pay_channel", "payment_channel", "payment_gateway", "渠道"],
    "price": ["customer_price", "amount", "价格", "Preis"],
    "kind": ["type", "product_type", "类型", "Art"],
    "rate": ["exchange_rate", "value", "汇率", "Kurs", "税率"],
    "base": ["from", "from_currency", "base_currency", "基准货币"],
    "quote": ["to", "to_currency", "quote_currency", "计价货币"],
    "at": ["time", "timestamp", "ts", "event_time", "logged_at", "created_at", "时间", "发生时间"],
    "stage": ["step", "event", "event_name", "phase", "action", "阶段", "环节", "步骤"],
    "outcome": ["result", "event_result", "success", "结果"],
    "duration_ms": ["duration", "elapsed", "elapsed_ms", "latency", "latency_ms", "耗时"],
    "server": ["host", "hostname", "node", "pod", "instance", "服务器"],
    "message": ["error", "error_message", "msg", "reason", "错误信息"],
  ]
}
