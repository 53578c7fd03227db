import Billing
import Foundation

/// The company's order and transaction tables: one file each or one per day, and one each for what
/// began before.
final class PurchaseFiles {
  private let directory: String
  private let parameters: SimulationParameters
  private let skus: [[UInt8]]
  private let kinds: [[UInt8]]
  private let currencies: [[UInt8]]
  private let digits: [Int]
  private let storefronts: [[UInt8]]
  private var random: RandomNumbers
  private var open: [String: RowFile] = [:]
  private var names: [String] = []
  private var orders: RowFile?
  private var transactions: RowFile?
  /// Rows of orders and of transactions, over all files.
  private(set) var orderRows = 0
  private(set) var transactionRows = 0

  private static let orderHeader =
    "order_id,user_id,sku,status,placed_at,quantity,unit_price,currency,storefront,paid_at,"
    + "fulfilled_at,transaction_id,app_account_token,bundle_id,channel,coins"
  private let orderHeader: String
  private static let transactionHeader =
    "transaction_id,original_transaction_id,web_order_line_item_id,order_id,sku,bundle_id,kind,"
    + "quantity,unit_price,currency,storefront,purchased_at,expires_at,revoked_at,"
    + "revocation_reason,is_trial,is_intro,is_upgraded,ownership,environment,app_account_token,"
    + "user_id\n"

  init(directory: String, parameters: SimulationParameters, markets: [Market], shelf: Shelf) {
    self.directory = directory
    self.parameters = parameters
    orderHeader = Self.orderHeader + (parameters.tellsApps ? ",app_version,device\n" : "\n")
    skus = shelf.items.map { Array($0.sku.utf8) }
    kinds = shelf.items.map { Array($0.kind.name.utf8) }
    currencies = markets.map { Array($0.currency.code.utf8) }
    digits = markets.map { $0.currency.minorDigits }
    storefronts = markets.map { Array($0.storefront.code.utf8) }
    random = RandomNumbers(seed: parameters.seed ^ 0x0DD5)
  }

  /// From here on rows go to the files of `day`, where there is one per day.
  func begin(_ day: Day) throws {
    guard parameters.split || orders == nil else { return }
    try close(orders)
    try close(transactions)
    let suffix =
      parameters.split ? "-\(day.description.filter { $0 != "-" })" : ""
    orders = try file("orders\(suffix).csv", orderHeader, kept: false)
    transactions = try file("transactions\(suffix).csv", Self.transactionHeader, kept: false)
  }

  func write(_ order: OrderRecord, before: Bool) throws {
    let file = before ? try self.file("orders-before.csv", orderHeader) : orders!
    orderRows += 1
    put(order, into: &file.text)
    try file.endRow()
  }

  func write(_ transaction: TransactionRecord, before: Bool) throws {
    let file =
      before ? try self.file("transactions-before.csv", Self.transactionHeader) : transactions!
    transactionRows += 1
    put(transaction, into: &file.text)
    try file.endRow()
  }

  /// What a second export says of transactions that the first has too.
  func writeAgain(_ transaction: TransactionRecord) throws {
    let file = try self.file("transactions-second-export.csv", Self.transactionHeader)
    transactionRows += 1
    put(transaction, into: &file.text)
    try file.endRow()
  }

  func close() throws {
    try close(orders)
    try close(transactions)
    for name in names { try close(open[name]) }
    open = [:]
  }

  private func close(_ file: RowFile?) throws { try file?.close(random: &random) }

  private func file(_ name: String, _ header: String, kept: Bool = true) throws -> RowFile {
    if let file = open[name] { return file }
    let file = try RowFile(
      path: "\(directory)/\(name)", header: header, shuffles: parameters.shuffle)
    if kept {
      open[name] = file
      names.append(name)
    }
    return file
  }
}

extension PurchaseFiles {
  private static let statuses = OrderStatus.allCases.map { Array($0.name.utf8) }
  private static let bundle = Array(Shelf.bundle.utf8)
  private static let foreignBundle = Array(Shelf.foreignBundle.utf8)
  private static let purchased = Array("PURCHASED".utf8)
  private static let familyShared = Array("FAMILY_SHARED".utf8)
  private static let production = Array("Production".utf8)
  private static let sandbox = Array("Sandbox".utf8)
  private static let yes = Array("true".utf8)

  private func put(_ order: OrderRecord, into text: inout RowText) {
    put(orderID: order.number, into: &text)
    text.comma()
    put(user: order.user, into: &text)
    text.comma()
    text.put(skus[order.item])
    text.comma()
    text.put(Self.statuses[Int(order.status.rawValue)])
    text.comma()
    text.put(time: order.placed)
    text.comma()
    text.put(number: UInt64(order.quantity))
    text.comma()
    put(order.price, order.currency, market: order.market, into: &text)
    text.comma()
    text.put(storefronts[order.market])
    text.comma()
    text.put(time: order.paid)
    text.comma()
    text.put(time: order.fulfilled)
    text.comma()
    if order.transaction != 0 { text.put(number: order.transaction) }
    text.comma()
    text.put(token: order.token)
    text.comma()
    text.comma()
    switch order.channel {
    case .blank: break
    case .apple: text.put("apple")
    case .web: text.put("web")
    }
    text.comma()
    if let coins = order.coins { text.put(number: UInt64(coins)) }
    guard parameters.tellsApps else { return }
    text.comma()
    text.put(parameters.appVersion(of: order.user, at: order.placed))
    text.comma()
    text.put(parameters.device(of: order.user))
  }

  private func put(_ transaction: TransactionRecord, into text: inout RowText) {
    text.put(number: transaction.number)
    text.comma()
    text.put(number: transaction.original)
    text.comma()
    if transaction.webOrderLineItem != 0 { text.put(number: transaction.webOrderLineItem) }
    text.comma()
    put(orderID: transaction.order, into: &text)
    text.comma()
    text.put(skus[transaction.item])
    text.comma()
    text.put(transaction.isForeign ? Self.foreignBundle : Self.bundle)
    text.comma()
    text.put(kinds[transaction.item])
    text.comma()
    text.put(number: UInt64(transaction.quantity))
    text.comma()
    let told = transaction.tellsPrice ? transaction.price : nil
    put(told, transaction.currency, market: transaction.market, into: &text)
    text.comma()
    if transaction.tellsPrice { text.put(storefronts[transaction.market]) }
    text.comma()
    text.put(time: transaction.purchased)
    text.comma()
    text.put(time: transaction.expires)
    text.comma()
    text.put(time: transaction.revoked)
    text.comma()
    if transaction.isRefunded { text.put(byte: 0x30) }
    text.comma()
    if transaction.isTrial { text.put(Self.yes) }
    text.comma()
    if transaction.isIntro { text.put(Self.yes) }
    text.comma()
    if transaction.isUpgraded { text.put(Self.yes) }
    text.comma()
    text.put(transaction.isFamilyShared ? Self.familyShared : Self.purchased)
    text.comma()
    text.put(transaction.isSandbox ? Self.sandbox : Self.production)
    text.comma()
    text.put(token: transaction.token)
    text.comma()
    put(user: transaction.user, into: &text)
  }

  /// Price, comma, currency.
  private func put(
    _ price: Int64?, _ currency: Currency?, market: Int, into text: inout RowText
  ) {
    guard let price else {
      text.comma()
      return
    }
    text.put(micros: price, digits: currency?.minorDigits ?? digits[market])
    text.comma()
    if let currency { text.put(currency.code) } else { text.put(currencies[market]) }
  }

  private func put(orderID number: UInt64, into text: inout RowText) {
    guard number != 0 else { return }
    text.put(byte: 0x4F)
    text.put(number: number, width: 10)
  }

  private func put(user number: UInt32, into text: inout RowText) {
    guard number != 0 else { return }
    if number >= Names.firstTester {
      text.put(Names.user(number))
    } else {
      text.put(byte: 0x75)
      text.put(number: UInt64(number), width: 8)
    }
  }
}

/// Ids as text.
enum Names {
  /// Users from here on are the company's own testers.
  static let firstTester: UInt32 = 4_000_000_000

  static func order(_ number: UInt64) -> String { "O\(padded(Int(number), 10))" }
  static func transaction(_ number: UInt64) -> String { String(number) }
  static func user(_ number: UInt32) -> String {
    number >= firstTester ? "tester-\(number - firstTester + 1)" : "u\(padded(Int(number), 8))"
  }
}
