import Billing

/// The company's order and transaction tables: one file each or one per day, and one each for what
/// began before.
final class PurchaseFiles {
  private let directory: String
  private let store: Store
  private var parameters: SimulationParameters { store.parameters }
  private var random: RandomNumbers
  /// Those that stay open to the end, in the order in which they were begun.
  private var kept: [(name: String, file: LineFile)] = []
  /// Orders and transactions, of the day where there is one file per day.
  private var current: (orders: LineFile, transactions: LineFile)?

  private let orderHeader: String
  private static let transactionHeader =
    "transaction_id,original_transaction_id,web_order_line_item_id,order_id,sku,bundle_id,kind,"
    + "quantity,unit_price,currency,storefront,purchased_at,expires_at,revoked_at,"
    + "revocation_reason,is_trial,is_intro,is_upgraded,ownership,environment,app_account_token,"
    + "user_id\n"

  init(directory: String, store: Store) {
    self.directory = directory
    self.store = store
    orderHeader =
      "order_id,user_id,sku,status,placed_at,quantity,unit_price,currency,storefront,paid_at,"
      + "fulfilled_at,transaction_id,app_account_token,bundle_id,channel,coins"
      + (store.parameters.coins != nil ? ",coin" : "")
      + (store.parameters.tellsApps ? ",app_version,device\n" : "\n")
    random = RandomNumbers(seed: store.parameters.seed ^ 0x0DD5)
  }

  /// From here on rows go to the files of `day`, where there is one per day.
  func begin(_ day: Day) throws {
    guard parameters.split || current == nil else { return }
    try closeCurrent()
    let suffix = parameters.split ? "-\(day.compact)" : ""
    current = (
      try file("orders\(suffix)", orderHeader),
      try file("transactions\(suffix)", Self.transactionHeader)
    )
  }

  func write(_ order: OrderRecord, before: Bool) throws {
    let file = before ? try keptFile("orders-before", orderHeader) : current!.orders
    try file.row(fields(order))
  }

  func write(_ transaction: TransactionRecord, before: Bool) throws {
    let file =
      before
      ? try keptFile("transactions-before", Self.transactionHeader) : current!.transactions
    try file.row(fields(transaction))
  }

  /// What a second export says of transactions that the first has too.
  func writeAgain(_ transaction: TransactionRecord) throws {
    let file = try keptFile("transactions-second-export", Self.transactionHeader)
    try file.row(fields(transaction))
  }

  func close() throws {
    try closeCurrent()
    for (_, file) in kept { try file.close(random: &random) }
  }

  private func closeCurrent() throws {
    try current?.orders.close(random: &random)
    try current?.transactions.close(random: &random)
  }

  private func keptFile(_ name: String, _ header: String) throws -> LineFile {
    if let file = kept.first(where: { $0.name == name })?.file { return file }
    kept.append((name, try file(name, header)))
    return kept[kept.count - 1].file
  }

  private func file(_ name: String, _ header: String) throws -> LineFile {
    try LineFile(path: "\(directory)/\(name).csv", header: header, shuffles: parameters.shuffle)
  }
}

extension PurchaseFiles {
  private func fields(_ order: OrderRecord) -> [Field] {
    let market = store.markets[order.market]
    let apps: [Field] =
      parameters.tellsApps
      ? [
        .text(parameters.appVersion(of: order.user, at: order.placed)),
        .text(parameters.device(of: order.user)),
      ] : []
    return [
      Names.order(order.number), Names.user(order.user), .text(store.stock.items[order.item].sku),
      .text(order.status.name), .time(order.placed), .number(order.quantity),
    ] + price(order.price, order.currency ?? market.currency) + [
      .text(market.storefront.code), .time(order.paid), .time(order.fulfilled),
      .unlessZero(order.transaction), .token(order.token), .blank, .text(order.channel.rawValue),
      order.coins.map { .number($0) } ?? .blank,
    ] + coin(order) + apps
  }

  /// The currency of an order's coins, in a world that tells coins apart.
  private func coin(_ order: OrderRecord) -> [Field] {
    guard parameters.coins != nil else { return [] }
    return [.text(store.stock.items[order.item].coin?.name ?? "")]
  }

  private func fields(_ transaction: TransactionRecord) -> [Field] {
    let market = store.markets[transaction.market]
    let item = store.stock.items[transaction.item]
    func mark(_ isSet: Bool) -> Field { isSet ? "true" : .blank }
    let statesPrice = transaction.statesPrice
    return [
      .number(transaction.number), .number(transaction.original),
      .unlessZero(transaction.webOrderLineItem), Names.order(transaction.order), .text(item.sku),
      .text(transaction.isForeign ? Stock.foreignBundle : Stock.bundle), .text(item.kind.name),
      .number(transaction.quantity),
    ] + price(statesPrice ? transaction.price : nil, transaction.currency ?? market.currency) + [
      statesPrice ? .text(market.storefront.code) : .blank, .time(transaction.purchased),
      .time(transaction.expires), .time(transaction.revoked),
      transaction.isRefunded ? "0" : .blank, mark(transaction.isTrial), mark(transaction.isIntro),
      mark(transaction.isUpgraded), transaction.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED",
      transaction.isSandbox ? "Sandbox" : "Production", .token(transaction.token),
      Names.user(transaction.user),
    ]
  }

  /// Price and currency.
  private func price(_ price: Int64?, _ currency: Currency) -> [Field] {
    guard let price else { return [.blank, .blank] }
    return [.micros(price, digits: currency.minorDigits), .text(currency.code)]
  }
}

/// Ids as the files print them; blank for 0.
enum Names {
  /// Users from here on are the company's own testers.
  static let firstTester: UInt32 = 4_000_000_000

  static func order(_ number: UInt64) -> Field {
    number == 0 ? .blank : .digits(number, width: 10, prefix: "O")
  }

  static func user(_ number: UInt32) -> Field {
    number >= firstTester
      ? .digits(UInt64(number - firstTester + 1), width: 1, prefix: "tester-")
      : number == 0 ? .blank : .digits(UInt64(number), width: 8, prefix: "u")
  }
}

extension Field {
  /// Alone, as text.
  var string: String {
    var text = RowText()
    text.put(self)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

extension Day {
  /// `20230601`
  var compact: String { description.filter { $0 != "-" } }

  /// `06/01/2023`, as Apple's reports write days.
  var slashed: String {
    let (year, month, number) = parts
    return "\(padded(month, 2))/\(padded(number, 2))/\(padded(year, 4))"
  }
}
