import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
@testable import Matching

/// What goes wrong for one reason in a month that was clean, told by its tables alone.
enum FaultCause: String, CaseIterable, Sendable {
  /// Orders are lost, or never delivered, for some hours.
  case outage, queue
  /// Orders of two hours of every night are not delivered.
  case nightly
  /// One user's orders are not delivered; eight users have orders that nobody paid.
  case user, ring
  /// A version states wrong prices; a kind of device delivers nothing.
  case version, device
  /// Orders of a storefront come late; a product has a wrong price from the middle of the month.
  case storefront, product
  /// A second server grants wrong coins, and exports its orders into a file of its own.
  case server
  /// From a day on ever more orders are not delivered.
  case gradual
  /// From a day on Apple reports a product under another SKU.
  case renamed

  /// How the pattern that names it is told.
  var dimension: Pattern.Dimension {
    switch self {
    case .outage, .queue, .gradual: .time
    case .nightly: .hours
    case .user: .user
    case .ring: .ring
    case .version: .appVersion
    case .device: .device
    case .storefront: .storefront
    case .product: .product
    case .server: .file
    case .renamed: .renamed
    }
  }

  var code: FindingCode {
    switch self {
    case .outage: .transactionWithoutOrder
    case .queue, .nightly, .user, .device, .gradual: .chargedNotFulfilled
    case .ring: .orderWithoutTransaction
    case .version, .product: .priceMismatch
    case .storefront: .lateFulfilment
    case .server: .coinsMismatch
    case .renamed: .unknownSKU
    }
  }
}

/// A clean simulated month of which a cause spoils some orders, and no cause others.
struct CausedMonth {
  let inputs: SimulatedInputs
  /// What the pattern is to name; empty where days or a span tell it.
  private(set) var value = ""
  /// Tenths of the orders that are a second cause's, and what its pattern is to name.
  private let tenths: UInt64
  private(set) var otherValue = ""
  /// The moments of the cause's first and last order.
  private(set) var span = ("", "")
  /// The hour at which a nightly cause begins.
  private(set) var hour = 0
  /// Faults of the cause, and all of the same kind.
  private(set) var faults = 0
  private(set) var all = 0
  private var random: SplitMix64
  private var orders: EditedTable
  private var transactions: EditedTable
  private var rowOfTransaction: [String: Int] = [:]
  private var made = 0

  /// - Parameters:
  ///   - other: a second cause of as many faults of the same code, among six tenths of the orders.
  ///   - share: faults of the cause in a hundred; without a cause all are scattered.
  init(
    _ cause: FaultCause?, and other: FaultCause? = nil, share: Int, orders count: Int,
    seed: UInt64, like: FaultCause? = nil
  ) throws {
    tenths = other == nil ? 1 : 6
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = count
    parameters.tellsApps = true
    parameters.gzip = false
    inputs = try SimulatedInputs(parameters)
    orders = try EditedTable(inputs.path + "/orders.csv")
    transactions = try EditedTable(inputs.path + "/transactions.csv")
    random = SplitMix64(seed: seed &+ 77)
    for row in transactions.rows.indices {
      rowOfTransaction[transactions[row, "transaction_id"]] = row
    }
    let wanted = max(36, count / 500)
    guard let cause else {
      spoil(some(eligible(), wanted), like!)
      try write()
      return
    }
    let group = cohort(eligible())
    let all = eligible().filter { !group.contains($0) || cause != .user }
    let chosen = try choose(cause, all, group, wanted)
    faults = chosen.count
    span = (
      chosen.map { orders[$0, "placed_at"] }.min()!, chosen.map { orders[$0, "placed_at"] }.max()!
    )
    let taken = Set(chosen)
    if let other {
      let first = value
      let free = all.filter { !taken.contains($0) }
      let others = try choose(other, free, group.subtracting(taken), wanted)
      spoil(others, other)
      (value, otherValue) = (first, value)
    }
    let scattered = some(all.filter { !taken.contains($0) }, faults * (100 - share) / share)
    self.all = faults + scattered.count
    if cause == .ring {
      forge(chosen, by: (0..<8).map { "ring-\($0)" })
      forge(scattered, by: scattered.map { "forger-\($0)" })
    } else if cause != .renamed {
      spoil(chosen + scattered, cause)
    }
    try write()
    if cause == .server { try moveServer() }
    if cause == .renamed { try rename(from: Day("2023-06-14")!) }
  }

  /// Delivered, single, priced, and tied by an id to a purchase that states its price.
  private func eligible() -> [Int] {
    orders.rows.indices.filter { row in
      guard orders[row, "status"] == "fulfilled", orders[row, "quantity"] == "1",
        orders[row, "sku"].contains(".gems."), orders[row, "coins"] != "",
        orders[row, "unit_price"] != "", orders[row, "placed_at"] > "2023-06-03",
        orders[row, "placed_at"] < "2023-06-29",
        let bought = rowOfTransaction[orders[row, "transaction_id"]]
      else { return false }
      return transactions[bought, "unit_price"] != "" && transactions[bought, "revoked_at"] == ""
        && transactions[bought, "environment"] == "Production"
    }.sorted { orders[$0, "placed_at"] < orders[$1, "placed_at"] }
  }

  /// Some tenths of the orders, by their ids alone.
  private func cohort(_ rows: [Int]) -> Set<Int> {
    Set(rows.filter { hash64(of: orders[$0, "order_id"]) % 10 < tenths })
  }

  private func hash64(of text: String) -> UInt64 {
    text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }

  private mutating func some(_ rows: [Int], _ count: Int) -> [Int] {
    Array(rows.shuffled(using: &random).prefix(count))
  }

  /// The orders that the cause spoils.
  private mutating func choose(
    _ cause: FaultCause, _ all: [Int], _ group: Set<Int>, _ wanted: Int
  ) throws -> [Int] {
    switch cause {
    case .outage, .queue:
      let first = Int.random(in: 0..<(all.count - wanted), using: &random)
      return Array(all[first..<first + wanted])
    case .nightly:
      var pool: [Int] = []
      while pool.count < wanted {
        hour = Int.random(in: 0..<22, using: &random)
        let hours = ["\(padded(hour, 2))", "\(padded(hour + 1, 2))"]
        pool = all.filter {
          hours.contains(String(orders[$0, "placed_at"].dropFirst(11).prefix(2)))
        }
      }
      return some(pool, wanted)
    case .user:
      value = "heavy-user"
      let own = some(all, wanted + wanted / 8)
      for row in own { give(row, to: value) }
      return Array(own.dropLast(wanted / 8))
    case .ring:
      value = (0..<8).map { "ring-\($0)" }.joined(separator: ", ")
      return some(all, wanted)
    case .version:
      value = "2.3.9"
      for row in group { orders[row, "app_version"] = value }
      return some(group.sorted(), wanted)
    case .device:
      value = "Vision"
      for row in group { orders[row, "device"] = value }
      return some(group.sorted(), wanted)
    case .storefront:
      value = "KR"
      return some(all.filter { orders[$0, "storefront"] == value }, wanted)
    case .product:
      value = "com.lumen.orbit.gems.180"
      return some(
        all.filter { orders[$0, "sku"] == value && orders[$0, "placed_at"] > "2023-06-15" }, wanted)
    case .server:
      value = inputs.path + "/orders-b.csv"
      return some(group.sorted(), wanted)
    case .gradual:
      // Of each four in a row from the 12th on the more, the later: none, one, two, three.
      let late = all.filter { orders[$0, "placed_at"] > "2023-06-12" }
      return late.indices.filter { 4 * ($0 % 8) < 16 * $0 / late.count }.map { late[$0] }
        .enumerated().filter { $0.offset % max(1, late.count / 6 / wanted) == 0 }.map(\.element)
    case .renamed:
      let old = "com.lumen.orbit.gems.300"
      value = "\(old) = \(old).v2"
      return all.filter { orders[$0, "sku"] == old && orders[$0, "placed_at"] > "2023-06-14" }
    }
  }

  private mutating func give(_ row: Int, to user: String) {
    orders[row, "user_id"] = user
    transactions[rowOfTransaction[orders[row, "transaction_id"]]!, "user_id"] = ""
  }

  private mutating func spoil(_ rows: [Int], _ cause: FaultCause) {
    for row in rows {
      switch cause.code {
      case .priceMismatch: orders[row, "unit_price"] = "1" + orders[row, "unit_price"]
      case .coinsMismatch: orders[row, "coins"] = "1" + orders[row, "coins"]
      case .lateFulfilment: orders[row, "fulfilled_at"] = "2023-07-04T00:00:00Z"
      case .chargedNotFulfilled:
        orders[row, "status"] = "created"
        for column in ["paid_at", "fulfilled_at", "coins"] { orders[row, column] = "" }
      default: break
      }
    }
    guard cause == .outage else { return }
    for row in rows {
      transactions[rowOfTransaction[orders[row, "transaction_id"]]!, "order_id"] = ""
    }
    orders.remove(Set(rows))
  }

  /// Orders like others that nobody paid.
  private mutating func forge(_ rows: [Int], by users: [String]) {
    for (number, row) in rows.enumerated() {
      made += 1
      orders.rows.append(orders.rows[row])
      let forged = orders.rows.count - 1
      orders[forged, "order_id"] = "FORGED-\(made)"
      orders[forged, "user_id"] = users[number % users.count]
      for column in ["transaction_id", "app_account_token"] { orders[forged, column] = "" }
    }
  }

  private func write() throws {
    try orders.write()
    try transactions.write()
  }

  private mutating func moveServer() throws {
    // By their ids, as before the coins were changed.
    let own = orders.rows.indices.filter { hash64(of: orders[$0, "order_id"]) % 10 == 0 }
    try orders.move(Set(own), to: "orders-b.csv")
    try orders.write()
  }

  private func rename(from first: Day) throws {
    let names = value.components(separatedBy: " = ")
    try rename(names[0], names[1], from: first)
  }

  /// Renames in Apple's reports alone what ends in `old`.
  func rename(_ old: String, _ new: String, from first: Day) throws {
    for day in Period("2023-06")!.days + [Day("2023-07-01")!] where day >= first {
      let name = "S_D_85127269_\(day.description.filter { $0 != "-" }).txt"
      let path = inputs.path + "/" + name
      guard var text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
      text = text.replacingOccurrences(of: "\(old)\t", with: "\(new)\t")
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
  }
}
