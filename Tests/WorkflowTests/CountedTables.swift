import Billing
import Foundation
import Support

/// A company's tables of orders and transactions, parted as the script of `spark` parts them: plain
/// purchases counted, all other rows as they are. Written anew from what the guide says is plain,
/// so that each checks the other.
struct CountedTables {
  private struct Table {
    var columns: [String] = []
    var rows: [[String]] = []

    init(_ folder: String, named prefix: String) throws {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      for file in files where file.hasPrefix(prefix) && file.hasSuffix(".csv") {
        let lines = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
          .split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
          }
        columns = lines[0]
        rows += lines.dropFirst()
      }
    }

    func value(_ row: [String], _ column: String) -> String {
      columns.firstIndex(of: column).map { row[$0] } ?? ""
    }

    /// Of a time such as 2023-06-05T16:56:47Z.
    func seconds(_ row: [String], _ column: String) -> Int64? {
      let text = value(row, column)
      let clock = text.dropFirst(11).dropLast().split(separator: ":").compactMap { Int64($0) }
      guard let day = Day(text.prefix(10)), clock.count == 3 else { return nil }
      return day.startUTC.seconds + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
  }

  private let period: Period
  private let orders: Table
  private let transactions: Table
  /// Places of orders and their transactions.
  private var plain: [(order: Int, transaction: Int)] = []
  private(set) var counted = 0
  /// Ids of the orders and of the transactions that are counted.
  var countedIDs: (orders: Set<String>, transactions: Set<String>) {
    (
      Set(plain.map { orders.value(orders.rows[$0.order], "order_id") }),
      Set(plain.map { transactions.value(transactions.rows[$0.transaction], "transaction_id") })
    )
  }

  /// - Parameters:
  ///   - folder: where the company's files are.
  ///   - others: SKUs of what is no consumable.
  init(_ folder: String, _ period: Period, others: Set<String>, asked: RowsAsked) throws {
    self.period = period
    orders = try Table(folder, named: "orders")
    transactions = try Table(folder, named: "transactions")
    var ownOrders: [String: [Int]] = [:]
    for (place, row) in orders.rows.enumerated() {
      ownOrders[orders.value(row, "order_id"), default: []].append(place)
    }
    var (own, namedBy, ordersNamed): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
    for row in transactions.rows {
      let id = transactions.value(row, "transaction_id")
      own[id, default: 0] += 1
      ordersNamed[transactions.value(row, "order_id"), default: 0] += 1
      let original = transactions.value(row, "original_transaction_id")
      if original != id { namedBy[original, default: 0] += 2 }
    }
    var naming: [String: Int] = [:]
    for (place, row) in orders.rows.enumerated() {
      namedBy[orders.value(row, "transaction_id"), default: 0] += 1
      naming[orders.value(row, "transaction_id")] = place
    }
    for (place, row) in transactions.rows.enumerated() {
      let (id, order) = (
        transactions.value(row, "transaction_id"), transactions.value(row, "order_id")
      )
      guard own[id] == 1, namedBy[id, default: 0] <= 1, isPlain(row, others, asked) else {
        continue
      }
      let found = namedBy[id] == 1 ? naming[id] : ownOrders[order]?.first
      guard let found, isPlain(orders.rows[found], with: row) else { continue }
      let ours = orders.rows[found]
      let orderID = orders.value(ours, "order_id")
      let named = orders.value(ours, "transaction_id")
      guard ownOrders[orderID]?.count == 1, order.isEmpty || order == orderID,
        named.isEmpty || named == id, !(order.isEmpty && named.isEmpty),
        ordersNamed[orderID, default: 0] == (order.isEmpty ? 0 : 1)
      else { continue }
      plain.append((found, place))
    }
    counted = plain.count
  }

  private var window: ClosedRange<Int64> {
    let days = period.first.advanced(by: -3)...period.last.advanced(by: 4)
    return days.lowerBound.startUTC.seconds...days.upperBound.startUTC.seconds
  }

  private func isPlain(_ row: [String], _ others: Set<String>, _ asked: RowsAsked) -> Bool {
    func value(_ column: String) -> String { transactions.value(row, column) }
    let absent = ["revoked_at", "revocation_reason", "expires_at", "web_order_line_item_id"]
    guard let bought = transactions.seconds(row, "purchased_at"), window.contains(bought),
      absent.allSatisfy({ value($0).isEmpty }), !others.contains(value("sku")),
      ["", "consumable"].contains(value("kind")),
      ["", "Production"].contains(value("environment")),
      ["", "PURCHASED"].contains(value("ownership")),
      ["is_trial", "is_intro", "is_upgraded"].allSatisfy({ ["", "false"].contains(value($0)) }),
      ["", value("transaction_id")].contains(value("original_transaction_id")),
      ["storefront", "currency", "unit_price", "quantity"].allSatisfy({ !value($0).isEmpty })
    else { return false }
    return !asked.spans.contains {
      $0.storefront.code == value("storefront") && $0.sku == value("sku")
        && $0.begin <= bought && bought < $0.end
    }
  }

  private func isPlain(_ order: [String], with transaction: [String]) -> Bool {
    guard orders.value(order, "status") == "fulfilled",
      ["", "apple"].contains(orders.value(order, "channel")),
      let placed = orders.seconds(order, "placed_at"), window.contains(placed),
      let fulfilled = orders.seconds(order, "fulfilled_at"),
      let bought = transactions.seconds(transaction, "purchased_at")
    else { return false }
    return placed <= bought && placed >= bought - 600 && fulfilled <= bought + 3600
      && placed / 86_400 == bought / 86_400
  }

  /// Puts counts and other rows in the place of the tables.
  func replaceTables(in folder: String) throws {
    let files = FileManager.default
    for file in try files.contentsOfDirectory(atPath: folder)
    where file.hasSuffix(".csv")
      && ["orders", "transactions", "unit_counts"].contains(where: file.hasPrefix)
    {
      try files.removeItem(atPath: "\(folder)/\(file)")
    }
    let gone = (orders: Set(plain.map(\.order)), transactions: Set(plain.map(\.transaction)))
    try write(orders, without: gone.orders, to: "\(folder)/orders.csv")
    try write(transactions, without: gone.transactions, to: "\(folder)/transactions.csv")
    try counts(gone).write(toFile: "\(folder)/unit_counts.csv", atomically: true, encoding: .utf8)
  }

  private func write(_ table: Table, without gone: Set<Int>, to path: String) throws {
    let rows = table.rows.enumerated().filter { !gone.contains($0.offset) }.map {
      ($0.element + [period.description]).joined(separator: ",")
    }
    let header = (table.columns + ["counted_period"]).joined(separator: ",")
    try ([header] + rows).map { $0 + "\n" }.joined()
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func counts(_ gone: (orders: Set<Int>, transactions: Set<Int>)) -> String {
    let ids = ["order_id", "transaction_id", "user_id", "app_account_token"]
    let sold = (
      orders.columns.filter { !ids.contains($0) && !$0.hasSuffix("_at") },
      transactions.columns.filter {
        !ids.contains($0) && !$0.hasSuffix("_at") && !$0.hasSuffix("_id") || $0 == "bundle_id"
      }
    )
    var counts: [String: Int] = [:]
    func add(_ thing: String, _ at: Int64, _ seconds: Int64?, _ terms: [String]) {
      let delay = seconds.map { "\($0)" } ?? ""
      let key = ([period.description, thing, "\(at)", delay] + terms).joined(separator: ",")
      counts[key, default: 0] += 1
    }
    let none = Array(repeating: "", count: sold.0.count + sold.1.count)
    for (order, transaction) in plain {
      let (ours, theirs) = (orders.rows[order], transactions.rows[transaction])
      let placed = orders.seconds(ours, "placed_at")!
      let bought = transactions.seconds(theirs, "purchased_at")!
      let fulfilled = orders.seconds(ours, "fulfilled_at")!
      let terms =
        sold.0.map { orders.value(ours, $0) } + sold.1.map { transactions.value(theirs, $0) }
      add("sold", bought - bought % 900, nil, terms)
      add("placed", placed - placed % 60, nil, none)
      add("bought", bought - bought % 60, nil, none)
      add("fulfilled", bought - bought % 86_400, fulfilled - bought, none)
    }
    func addRows(_ table: Table, _ gone: Set<Int>, _ thing: String, _ column: String) {
      for (place, row) in table.rows.enumerated() where !gone.contains(place) {
        guard let at = table.seconds(row, column), window.contains(at) else { continue }
        add(thing, at - at % 60, nil, none)
      }
    }
    addRows(orders, gone.orders, "orders", "placed_at")
    addRows(transactions, gone.transactions, "transactions", "purchased_at")
    let columns =
      ["counted_period", "counted", "at", "seconds"] + sold.0.map { "order_\($0)" }
      + sold.1.map { "transaction_\($0)" } + ["count"]
    let lines = counts.sorted { $0.key < $1.key }.map { "\($0.key),\($0.value)" }
    return ([columns.joined(separator: ",")] + lines).map { $0 + "\n" }.joined()
  }
}
