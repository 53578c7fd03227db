import Billing
import Conclusions
import Foundation
import Matching
import Simulation
import Support
import Testing
import Workflow

/// A fault whose rows are known, and the finding that tells it.
struct KnownFault {
  /// The code that the planner made it for, or what befell a row of the tables.
  let kind: String
  let finding: Finding
  /// The rows behind it, of which one is to be named first.
  let orders: [String]
  let transactions: [String]
}

/// What befalls single rows of a month's tables, beside the faults of its planner.
enum TableFault: String, CaseIterable {
  /// The transaction is lost, and its order names it, or has lost its id too.
  case lostReceipt = "lost-receipt"
  case lostReceiptAndID = "lost-receipt-and-id"
  /// The company's table says Sandbox of a sale.
  case toldAsSandbox = "told-as-sandbox"
  /// The company's table has a sale without an order that Apple never made.
  case madeUp = "made-up-transaction"
  /// The order of a sale is lost.
  case lostOrder = "lost-order"
  /// The transaction of a refunded order has lost its refund.
  case lostRefund = "lost-refund"

  var code: FindingCode {
    switch self {
    case .lostReceipt, .lostReceiptAndID, .toldAsSandbox: .notInLedger
    case .madeUp: .notInReport
    case .lostOrder: .transactionWithoutOrder
    case .lostRefund: .refundNotInLedger
    }
  }
}

/// A simulated month with faults of every kind, imported, reconciled and recorded.
struct ExplainedMonth {
  let run: SimulatedRun
  /// One of each kind in turn.
  private(set) var faults: [KnownFault] = []
  /// Faults that no finding answers to, by kind.
  private(set) var unfound: [String: Int] = [:]

  /// - Parameter each: faults of each kind.
  init(orders count: Int, each: Int, seed: UInt64) throws {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = count
    parameters.spreadsFaults = true
    parameters.faults = SimulationParameters.everyFault(each)
    var month = try SpoiledTables(parameters)
    try month.edit(each)
    run = try SimulatedRun(month.inputs)
    try #require(recordFindings(of: run.result, in: run.ledger) == nil)
    var kinds: [String: [KnownFault]] = [:]
    for fault in known(month) { kinds[fault.kind, default: []].append(fault) }
    for turn in 0..<(kinds.values.map(\.count).max() ?? 0) {
      faults += kinds.keys.sorted().compactMap { kind in
        kinds[kind]!.indices.contains(turn) ? kinds[kind]![turn] : nil
      }
    }
  }

  func story(of id: String) throws -> Explanation {
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.sandboxUsers = ["tester-1", "tester-2"]
    var request = ExplainRequest(
      ledgerPath: run.ledger, id: id, settings: settings, asOf: Day("2023-07-05")!)
    request.kind = .finding
    return try explain(request)[0]
  }

  // MARK: What is known

  /// What is wrong with a chain is so of all its purchases, of which none is the first.
  private static let chains: [FindingCode] = [.subscriptionShared, .renewalGap, .offerReused]

  private mutating func known(_ month: SpoiledTables) -> [KnownFault] {
    var found: [KnownFault] = []
    for expected in month.inputs.truth.expected
    where !expected.orderIDs.isEmpty || !expected.transactionIDs.isEmpty {
      if Self.chains.contains(expected.code) { continue }
      let finding = run.result.findings.first { finding in
        finding.code == expected.code && finding.sku == expected.sku
          && finding.storefront == expected.storefront
          && Set(expected.orderIDs).isSubset(of: finding.orderIDs)
          && Set(expected.transactionIDs).isSubset(of: finding.transactionIDs)
      }
      add(
        expected.code.rawValue, finding, expected.orderIDs, expected.transactionIDs, to: &found)
    }
    for told in month.made {
      let finding = run.result.findings.first { finding in
        guard finding.code == told.fault.code else { return false }
        if told.fault == .lostOrder { return finding.transactionIDs.contains(told.transaction) }
        return finding.storefront?.code == told.storefront && finding.sku == told.sku
          && finding.date == told.day
      }
      let isLost = told.fault == .lostReceipt || told.fault == .lostReceiptAndID
      add(
        told.fault.rawValue, finding, isLost ? [told.order!] : [],
        isLost ? [] : [told.transaction], to: &found)
    }
    return found
  }

  private mutating func add(
    _ kind: String, _ finding: Finding?, _ orders: [String], _ transactions: [String],
    to found: inout [KnownFault]
  ) {
    guard let finding else {
      unfound[kind, default: 0] += 1
      return
    }
    found.append(
      KnownFault(kind: kind, finding: finding, orders: orders, transactions: transactions))
  }
}

/// A simulated month, and what befell its tables.
private struct SpoiledTables {
  /// A fault of the tables, and the day of Apple's that it is told on.
  struct Made {
    var fault: TableFault
    var storefront: String
    var sku: String
    var day: Day
    var order: String?
    var transaction: String
  }

  let inputs: SimulatedInputs
  private(set) var made: [Made] = []
  private var random: SplitMix64
  /// Cells of Apple's report that a fault has, with the days beside.
  private var taken: Set<String> = []

  init(_ parameters: SimulationParameters) throws {
    inputs = try SimulatedInputs(parameters)
    random = SplitMix64(seed: parameters.seed)
    for fault in inputs.truth.expected {
      guard let storefront = fault.storefront, let sku = fault.sku, let day = fault.date else {
        continue
      }
      take(storefront.code, sku, day)
    }
  }

  mutating func edit(_ each: Int) throws {
    let reserved = inputs.truth.expected.filter { $0.sku == nil }.compactMap(\.date)
    var orders = try EditedTable(inputs.path + "/orders.csv")
    var transactions = try EditedTable(inputs.path + "/transactions.csv")
    let spoiled = Set(inputs.truth.expected.flatMap { $0.orderIDs + $0.transactionIDs })
    var orderOf: [String: Int] = [:]
    for row in orders.rows.indices {
      orderOf[orders[row, "order_id"]] = row
      if orders[row, "transaction_id"] != "" { orderOf[orders[row, "transaction_id"]] = row }
    }
    let rows = transactions.rows.indices.shuffled(using: &random)
    var lost: (orders: Set<Int>, transactions: Set<Int>) = ([], [])
    for fault in TableFault.allCases {
      var count = 0
      for row in rows where count < each {
        let id = transactions[row, "transaction_id"]
        let isRefund = fault == .lostRefund
        let moment = transactions[row, isRefund ? "revoked_at" : "purchased_at"]
        guard !lost.transactions.contains(row), moment != "",
          let order = orderOf[id] ?? orderOf[transactions[row, "order_id"]],
          orders[order, "status"] == (isRefund ? "refunded" : "fulfilled"),
          isRefund || transactions[row, "revoked_at"] == "",
          orders[order, "quantity"] == "1", orders[order, "unit_price"] != "",
          transactions[row, "kind"] == "consumable",
          transactions[row, "environment"] == "Production",
          !spoiled.contains(id), !spoiled.contains(orders[order, "order_id"])
        else { continue }
        let (storefront, sku) = (orders[order, "storefront"], orders[order, "sku"])
        let day = Self.pacificDay(moment)
        guard day >= Day("2023-06-04")!, day <= Day("2023-06-27")!,
          !reserved.contains(where: { abs($0.number - day.number) <= 1 }),
          !taken.contains(Self.key(storefront, sku, day))
        else { continue }
        take(storefront, sku, day)
        count += 1
        var told = Made(
          fault: fault, storefront: storefront, sku: sku, day: day,
          order: orders[order, "order_id"], transaction: id)
        switch fault {
        case .lostReceipt, .lostReceiptAndID:
          lost.transactions.insert(row)
          if fault == .lostReceiptAndID { orders[order, "transaction_id"] = "" }
        case .toldAsSandbox: transactions[row, "environment"] = "Sandbox"
        case .madeUp:
          transactions.rows.append(transactions.rows[row])
          let last = transactions.rows.count - 1
          told.transaction = "99000000000\(made.count)"
          told.order = nil
          transactions[last, "transaction_id"] = told.transaction
          transactions[last, "original_transaction_id"] = told.transaction
          for column in ["web_order_line_item_id", "order_id", "app_account_token", "user_id"] {
            transactions[last, column] = ""
          }
        case .lostOrder:
          lost.orders.insert(order)
          told.order = nil
        case .lostRefund:
          for column in ["revoked_at", "revocation_reason"] { transactions[row, column] = "" }
        }
        made.append(told)
      }
    }
    orders.remove(lost.orders)
    transactions.remove(lost.transactions)
    try orders.write()
    try transactions.write()
  }

  private mutating func take(_ storefront: String, _ sku: String, _ day: Day) {
    for distance in -1...1 {
      taken.insert(Self.key(storefront, sku, day.advanced(by: distance)))
    }
  }

  private static func key(_ storefront: String, _ sku: String, _ day: Day) -> String {
    "\(storefront)/\(sku)/\(day)"
  }

  /// Apple's day of a moment in June, which begins seven hours late.
  private static func pacificDay(_ moment: String) -> Day {
    let day = Day(moment.prefix(10))!
    return Int(moment.dropFirst(11).prefix(2))! < 7 ? day.advanced(by: -1) : day
  }
}
