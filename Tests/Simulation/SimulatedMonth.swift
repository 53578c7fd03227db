import Billing
import Foundation

/// A month, or a longer period, of a company that sells in the App Store: its tables, Apple's
/// reports of it, and the truth about both.
package struct SimulatedMonth: Sendable {
  package let parameters: SimulationParameters

  /// The folder, inside the month's, for reports that Apple later replaced: import it first.
  package static let firstDownloads = "0-first-download"

  /// Faults for which the parameters leave no room are left out, and ``Truth/leftOut`` says so.
  package init(_ parameters: SimulationParameters) { self.parameters = parameters }

  /// What a reconciliation has to find. Lives through the whole period, so keep it.
  package var truth: Truth {
    do {
      return try live(in: nil)
    } catch {
      preconditionFailure("a world without files cannot fail: \(error)")
    }
  }

  /// Writes everything that `tieout` imports, `tieout.toml` and `truth.json` into `directory`,
  /// which is made where it is absent. Files of an earlier month there are replaced; others stay.
  ///
  /// - Returns: what a reconciliation has to find.
  /// - Throws: ``SimulationError`` or Foundation's error where a file cannot be written.
  @discardableResult
  package func write(to directory: String) throws -> Truth {
    try makeFolder(directory)
    try removeEarlierMonth(in: directory)
    if (parameters.faults[.reportRestated] ?? 0) > 0 || parameters.coins?.restatesDay == true {
      try makeFolder("\(directory)/\(Self.firstDownloads)")
    }
    let truth = try live(in: directory)
    try Simulation.write(truth.json, to: "\(directory)/truth.json")
    return truth
  }

  /// Reports and tables of an earlier run must not stay beside this one's, which may lack some.
  private func removeEarlierMonth(in directory: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    for name in names {
      let isTable =
        name.hasSuffix(".csv")
        && (["orders", "transactions", "events"] + GameFiles.names)
          .contains(where: name.hasPrefix)
      let isApples =
        AppleFiles.names.contains(where: name.hasPrefix) || name == PayloadSigner.rootFile
      guard
        isTable || isApples || name.hasPrefix(SalesReportFiles.fileName)
          || name.hasPrefix(SubscriptionReportFiles.fileName)
          || name == Self.firstDownloads
          || name == SettlementRecorder.folder
      else { continue }
      try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
  }

  /// Lets the store trade, day by day.
  private func live(in directory: String?) throws -> Truth {
    let store = Store(parameters)
    let plan = FaultPlanner.plan(store)
    let incidents = Incidents(store)
    let recorder = try Recorder(
      store: store, plan: plan, incidents: incidents, directory: directory)
    var trade = Trade(store: store, recorder: recorder, incidents: incidents)
    if let directory { try CompanyTables(store: store).write(to: directory) }
    var deposits = plan.deposits[...]
    for index in 0..<parameters.period.dayCount + 4 {
      let day = parameters.period.first.advanced(by: index - 2)
      try recorder.begin(day)
      // Sales of this day by UTC can be booked on the day before.
      try recorder.closeReports(before: day.advanced(by: -2))
      while let deposit = deposits.first, deposit.instant < day.startUTC.seconds + 86_400 {
        try take(deposit, into: recorder)
        deposits.removeFirst()
      }
      for slot in trade.slots(index) {
        try trade.take(slot)
        try recorder.endVisit()
      }
      for order in recorder.game?.androidOrders(on: day) ?? [] {
        try recorder.order(order)
        try recorder.endVisit()
      }
    }
    precondition(deposits.isEmpty, "a fault after the store closed")
    try recorder.finish()
    return recorder.truth
  }

  private func take(_ deposit: Deposit, into recorder: Recorder) throws {
    for order in deposit.orders { try recorder.order(order) }
    for (transaction, terms) in deposit.transactions {
      try recorder.transaction(transaction, sold: terms)
    }
    for transaction in deposit.again { try recorder.again(transaction) }
    for (units, key, day) in deposit.bookings { recorder.book(units, key, on: day) }
    recorder.announce(deposit.messages, rows: deposit.rows)
    try recorder.endVisit()
  }
}
