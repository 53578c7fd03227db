import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// A settled world, imported.
struct SettledRun {
  let inputs: SimulatedInputs
  let ledger: String
  var truth: Truth { inputs.truth }

  /// - Parameter leaveOut: which of Apple's settlement files are not imported, by name.
  init(_ parameters: SimulationParameters, leavingOut leaveOut: (String) -> Bool = { _ in false })
    throws
  {
    inputs = try SimulatedInputs(parameters)
    ledger = inputs.folder.path + "/ledger.sqlite"
    let finance = inputs.path + "/finance"
    for name in try FileManager.default.contentsOfDirectory(atPath: finance) where leaveOut(name) {
      try FileManager.default.removeItem(atPath: finance + "/" + name)
    }
    let summary = try importFiles(
      ImportRequest(
        paths: [inputs.path], ledgerPath: ledger, importedAt: Instant(seconds: 1_692_000_000)))
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
  }

  /// A month that many tests add a bank statement to: simulated and imported once, and then copied.
  static func withoutStatement() throws -> SettledRun {
    let (parameters, truth, bytes) = try imported.get()
    return try SettledRun(SimulatedInputs(parameters, imported: truth), ledger: bytes)
  }

  private static let imported = Result {
    let run = try SettledRun(parameters(seed: 72, orders: 1500))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: run.ledger))
    return (run.inputs.parameters, run.truth, bytes)
  }

  private init(_ inputs: SimulatedInputs, ledger bytes: Data) throws {
    self.inputs = inputs
    ledger = inputs.folder.path + "/ledger.sqlite"
    try bytes.write(to: URL(fileURLWithPath: ledger))
  }

  /// June to the end of the fiscal month that settles July.
  static func parameters(seed: UInt64, orders: Int = 3000) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = orders
    parameters.period = Period("2023-06-01..2023-08-05")!
    parameters.storefronts = SimulationParameters.settledStorefronts
    parameters.settlement = SettlementParameters()
    return parameters
  }

  func request(_ period: Period, asOf: String = "2023-09-20") -> ReconcileRequest {
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.sandboxUsers = ["tester-1", "tester-2"]
    return ReconcileRequest(
      ledgerPath: ledger, period: period, settings: settings, asOf: Day(asOf)!)
  }

  func reconcile(_ period: Period, asOf: String = "2023-09-20") throws -> Reconciliation {
    try Workflow.reconcile(request(period, asOf: asOf))
  }
}
