import Billing
import Conclusions
import Foundation
import Support
import Workflow
@testable import Matching

/// A company with one product that sells two units a month.
struct Company {
  let folder: TemporaryFolder
  var ledger: String { folder.ledger }
  var settings = Settings()
  /// Of a unit that Apple reports.
  var proceeds = "4.13"

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter left: a day of June of which nothing is said.
  func importJune(julyReports: Bool = true, leavingOut left: Int? = nil) throws {
    try folder.write("products.csv", "sku,kind\ngems.60,consumable\n")
    _ = try folder.importing("products.csv")
    // The ledger has three units on 5 June, Apple reports two.
    try importSales("06", day: 5, units: 2)
    try importRows("06", count: 3, from: 600)
    try importRows("07", count: 2, from: 700)
    try recordNoSales("06", leavingOut: left)
    guard julyReports else { return }
    try importSales("07", day: 5, units: 2)
    try recordNoSales("07")
  }

  func importSales(_ month: String, day: Int, units: Int, name: String? = nil) throws {
    let text = Inputs.sales(day: day, units: units).replacing("06/", with: "\(month)/")
      .replacing("4.13", with: proceeds)
    let file = "S_D_85012345_2023\(month)\(padded(day, 2)).txt"
    let path = name.map { "\($0)/\(file)" } ?? file
    try folder.write(path, text)
    _ = try folder.importing(path)
  }

  /// Orders with their transactions, at noon of the fifth.
  func importRows(_ month: String, count: Int, from first: Int) throws {
    let rows = first..<first + count
    let time = "2023-\(month)-05T19:00:00Z"
    try folder.write(
      "orders-\(first).csv",
      Inputs.orderHeader
        + rows.map { "O\($0),gems.60,fulfilled,\(time),6.00,CNY,CN\n" }.joined())
    try folder.write(
      "transactions-\(first).csv",
      "transaction_id,sku,purchased_at,order_id,unit_price,currency,storefront\n"
        + rows.map { "\(7000 + $0),gems.60,\(time),O\($0),6.00,CNY,CN\n" }.joined())
    _ = try folder.importing("orders-\(first).csv", "transactions-\(first).csv")
  }

  /// - Parameter left: a day of which nothing is said.
  private func recordNoSales(_ month: String, leavingOut left: Int? = nil) throws {
    let period = Period("2023-\(month)")!
    _ = try folder.importing("products.csv") { request in
      request.vendor = "85012345"
      request.noSales = period.days.filter { $0.parts.day != 5 && $0.parts.day != left }
    }
  }

  private func request(
    _ period: Period, asOf: String, twoSignatures: Bool = false
  ) -> ReconcileRequest {
    var settings = settings
    settings.twoSignatures = twoSignatures
    return ReconcileRequest(
      ledgerPath: ledger, period: period, settings: settings, asOf: Day(asOf)!)
  }

  func reconcile(_ period: Period) throws -> Reconciliation {
    try Workflow.reconcile(request(period, asOf: "2023-09-01"))
  }

  @discardableResult
  func close(
    _ period: Period, accepting accepted: [(id: String, reason: String)] = [],
    asOf: String = "2023-09-01", twoSignatures: Bool = false, by name: String = "ann"
  ) throws -> CloseOutcome {
    try Workflow.close(
      CloseRequest(
        reconcile: request(period, asOf: asOf, twoSignatures: twoSignatures), accepted: accepted,
        by: name,
        at: Instant(seconds: 1_693_000_000), version: "test"))
  }

  /// Closes whatever errors are open.
  func acceptAll(_ period: Period) throws {
    let errors = try reconcile(period).findings.filter { $0.severity == .error }
    guard case .closed = try close(period, accepting: errors.map { (id: $0.id, reason: "known") })
    else { throw Stop(.badInput, "not closed", help: "") }
  }

  @discardableResult
  func reopen(_ period: Period) throws -> CloseRecord {
    try Workflow.reopen(
      period, ledgerPath: ledger, reason: "Apple restated 5 June", by: "bob",
      at: Instant(seconds: 1_693_100_000), asOf: Day("2023-09-01")!, version: "test")
  }

  func document(_ name: String, _ period: Period, number: Int64? = nil) throws -> [UInt8] {
    try closeDocument(name, of: period, number: number, ledgerPath: ledger)
  }
}
