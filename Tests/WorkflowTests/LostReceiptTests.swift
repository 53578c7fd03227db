import Billing
import Foundation
import Matching
import Simulation
import Support
import Testing
import Workflow

/// Goal: who lost his receipt is told from who never paid, in findings and in `explain`, and a day
/// is told by the figures of the reconciliation. Method: simulated months from whose tables single
/// transactions are taken away, and months whose storefronts only orders tell.
@Suite struct LostReceiptTests {
  /// Takes transactions away that their orders name, of single units sold and never refunded.
  private static func loseReceipts(
    _ inputs: SimulatedInputs, every: Int
  ) throws -> (orders: Set<String>, transactions: Set<String>) {
    let orders = try Table(inputs.path + "/orders.csv")
    var standing: [String: String] = [:]
    for row in orders.rows
    where row["status"] == "fulfilled" && row["quantity"] == "1" && row["unit_price"] != "" {
      standing[row["transaction_id"]!] = row["order_id"]
    }
    var table = try Table(inputs.path + "/transactions.csv")
    var lost: (orders: Set<String>, transactions: Set<String>) = ([], [])
    var number = 0
    table.lines = zip(table.lines, table.rows).filter { _, row in
      guard let order = standing[row["transaction_id"]!], row["kind"] == "consumable",
        row["revoked_at"] == "", row["purchased_at"]! > "2023-06-04",
        row["purchased_at"]! < "2023-06-27", row["environment"] == "Production"
      else { return true }
      number += 1
      guard number % every == 0 else { return true }
      lost.orders.insert(order)
      lost.transactions.insert(row["transaction_id"]!)
      return false
    }.map(\.0)
    try table.write()
    return lost
  }

  @Test(arguments: [31, 32, 33] as [UInt64]) func nobodyWhoPaidIsAskedForHisGoods(_ seed: UInt64)
    throws
  {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = 4000
    parameters.faults = [.orderWithoutTransaction: 12]
    let inputs = try SimulatedInputs(parameters)
    let lost = try Self.loseReceipts(inputs, every: 29)
    try #require(lost.orders.count > 30)
    let run = try SimulatedRun(inputs)
    let ledger = inputs.folder.path + "/ledger-0.sqlite"
    #expect(recordFindings(of: run.result, in: ledger) == nil)
    let findings = run.result.findings.filter { $0.code == .orderWithoutTransaction }
    var (kept, first, asked) = (0, 0, 0)
    for finding in findings {
      let isKept = finding.action.english.hasPrefix("take nothing back")
      if lost.orders.isDisjoint(with: finding.orderIDs) { continue }
      #expect(isKept, "\(finding.explanation)")
      kept += 1
      let story = try explain(
        ExplainRequest(
          ledgerPath: ledger, id: finding.id, settings: Settings(), asOf: Day("2023-07-05")!))[0]
      #expect(story.next[0] == finding.action)
      let report = try #require(story.related.first { $0.code == .notInLedger })
      #expect(finding.amount == nil && story.cost?.text.english.contains(report.id) == true)
      guard asked < 20 else { continue }
      asked += 1
      let cell = try explain(
        ExplainRequest(
          ledgerPath: ledger, id: report.id, settings: Settings(), asOf: Day("2023-07-05")!))[0]
      if let order = cell.attribution?.candidates.first?.order, lost.orders.contains(order) {
        first += 1
      }
    }
    #expect(kept == lost.orders.count)
    #expect(20 * first >= 19 * asked, "\(first) of \(asked)")
    // Those that nobody paid stay what they are, but where a unit is missing beside them.
    let forged = findings.filter { lost.orders.isDisjoint(with: $0.orderIDs) }
    #expect(forged.count == 12)
    #expect(forged.count { $0.action.english.hasPrefix("take nothing back") } <= 2)
    // One cause, one amount.
    let sum = run.result.findings.reduce(into: [Currency: Int64]()) { sums, finding in
      if let money = finding.money { sums[money.currency, default: 0] += abs(money.micros) }
    }
    #expect(!sum.isEmpty)
  }

  /// The units of a day by `explain` are those of the reconciliation, though only orders, which are
  /// found by receipt, token, chain or likeness, tell the storefront.
  @Test(arguments: [0.0, 0.6]) func aDayHasTheFiguresOfTheReconciliation(_ appleShare: Double)
    throws
  {
    var parameters = SimulationParameters()
    parameters.seed = 77
    parameters.orders = 2500
    parameters.appleShare = appleShare
    let inputs = try SimulatedInputs(parameters)
    var table = try Table(inputs.path + "/transactions.csv")
    table.blank("storefront")
    try table.write()
    let run = try SimulatedRun(inputs, settings: { $0.defaultStorefront = Storefront("CN") })
    let ledger = inputs.folder.path + "/ledger-0.sqlite"
    #expect(recordFindings(of: run.result, in: ledger) == nil)
    #expect(run.unexpected == [])
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.defaultStorefront = Storefront("CN")
    var differing: [String] = []
    for storefront in ["CN", "JP", "US", "DE"] {
      for day in [6, 11, 16, 21, 26] {
        for sku in ["gems.60", "gems.300"] {
          let id = "\(storefront)/com.lumen.orbit.\(sku)/2023-06-\(padded(day, 2))"
          let story = try explain(
            ExplainRequest(
              ledgerPath: ledger, id: id, settings: settings, asOf: Day("2023-07-05")!))[0]
          let sales = try #require(story.cell).account.sales
          // A clean month ties out: Apple's figure is the reconciliation's of the ledger, but for
          // units beside a boundary.
          if sales.reported != sales.counted { differing.append(id) }
        }
      }
    }
    #expect(differing == [])
  }
}

/// A table of the company's, changed row by row.
private struct Table {
  private let path: String
  private let columns: [String]
  var lines: [String]

  init(_ path: String) throws {
    self.path = path
    let all = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    columns = all[0].split(separator: ",").map(String.init)
    lines = Array(all.dropFirst())
  }

  var rows: [[String: String]] {
    lines.map { line in
      Dictionary(
        uniqueKeysWithValues: zip(
          columns, line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)))
    }
  }

  mutating func blank(_ column: String) {
    let place = columns.firstIndex(of: column)!
    lines = lines.map { line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      cells[place] = ""
      return cells.joined(separator: ",")
    }
  }

  func write() throws {
    let text = ([columns.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
