internal import Billing

/// Tables that other programs write, each known by a column that only it has: what its columns are
/// to Tieout, and what none of them says. It is proposed, and never read so by itself.
struct KnownExport {
  let kind: InputKind
  /// Squeezed names of which any tells it.
  private let signs: Set<String>
  /// Per column of the table the squeezed names of theirs, the likeliest first: `price` may be in
  /// another currency than the one that stands beside it.
  private let columns: [String: [String]]
  /// What all of its rows have in common.
  let constants: [(column: String, value: String)]
  /// The values of rows that are purchases, of which the first is always one, and squeezed names of
  /// the column with them.
  let rows: (columns: [String], values: [String])?
  /// The clock of its times, which have no offset.
  let zone: String?

  /// The known table that a header is of; nil for any other.
  static func of(_ header: Header) -> KnownExport? {
    let names = Set(header.printed.map(squeezedName))
    return all.first { !$0.signs.isDisjoint(with: names) }
  }

  /// What the file calls a column of the table; nil where it is none of `sources`.
  func source(of column: String, among sources: [String]) -> String? {
    for name in columns[column] ?? [] {
      if let source = sources.first(where: { squeezedName($0) == name }) { return source }
    }
    return nil
  }

  /// The value of a column that all rows have in common; nil for any other column.
  func constant(_ column: String) -> String? {
    constants.first { $0.column == column }?.value
  }

  private static let all: [KnownExport] = [
    // The balance, its itemized report and the payments, as the dashboard or a connector has them:
    // payments of another channel, never Apple's.
    KnownExport(
      kind: .orders, signs: ["availableon", "availableonutc", "sellermessage"],
      columns: [
        "order_id": ["source", "sourceid", "id"], "sku": ["description"],
        "placed_at": ["createdutc", "created", "createddateutc"],
        "unit_price": ["amount", "gross"],
        "user_id": ["customerid"],
      ],
      constants: [("channel", "stripe"), ("status", "paid")],
      rows: (["type", "reportingcategory"], ["charge", "payment"]), zone: "UTC"),
    // WeChat Pay's bill for merchants.
    KnownExport(
      kind: .orders, signs: ["微信订单号"],
      columns: [
        "order_id": ["商户订单号"], "sku": ["商品名称"], "placed_at": ["交易时间"],
        "unit_price": ["订单金额", "总金额"], "currency": ["货币种类"], "user_id": ["用户标识"],
      ],
      constants: [("channel", "wechat"), ("status", "paid")],
      rows: (["交易状态"], ["SUCCESS"]), zone: "Asia/Shanghai"),
    // Alipay's account of a merchant.
    KnownExport(
      kind: .bank, signs: ["账务流水号"],
      columns: [
        "date": ["发生时间", "入账时间"], "amount": ["收入金额元", "收入元"], "reference": ["备注"],
        "payer": ["对方账号", "对方名称"],
      ],
      constants: [("currency", "CNY")], rows: nil, zone: nil),
    // RevenueCat's transactions, whose times are UTC and whose `price` is in US dollars. A refund
    // makes the price 0; what was paid remains in a column of its own, which older layouts lack.
    KnownExport(
      kind: .transactions, signs: ["rcoriginalappuserid", "rclastseenappuseridalias"],
      columns: [
        "transaction_id": ["storetransactionid"],
        "original_transaction_id": ["originalstoretransactionid"],
        "unit_price": ["purchasepriceinpurchasedcurrency", "priceinpurchasedcurrency"],
      ],
      constants: [], rows: nil, zone: "UTC"),
  ]
}
