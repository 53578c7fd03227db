import Billing
import Conclusions
import Matching
import Support
import Testing

@testable import Workflow

/// Goal: what a bridge calls a day boundary can be traced. Method: of the sample's closed and
/// fiscal months each purchase is named with two days of which the period has one, and they come to
/// the bridge's step in every country.
@Suite struct MovedUnitsTests {
  @Test(arguments: ["2023-06", "2023-07", "FY2023-P09", "FY2023-P10"])
  func theListComesToTheBridge(month: String) throws {
    let folder = try TemporaryFolder()
    let sample = checkout + "/samples/two-months"
    let imported = try CommandLineRun(
      ["import", "--quiet", sample, "--config", sample + "/tieout.toml"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.vendorNumbers = ["85127269"]
    settings.defaultStorefront = Storefront("CN")
    let period = Period(month)!
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: period, settings: settings, asOf: Day("2023-09-20")!))
    var units: [String: Int64] = [:]
    var amounts: [String: Int64] = [:]
    for moved in result.movedUnits {
      let place = "\(moved.storefront?.code ?? "??") \(moved.currency)"
      units[place, default: 0] += moved.units
      amounts[place, default: 0] += moved.amount.micros
      #expect(!moved.transactionID.isEmpty && moved.orderID != nil)
      #expect(period.contains(moved.ourDay) != period.contains(moved.appleDay), "\(moved)")
    }
    #expect(!result.movedUnits.isEmpty)
    for bridge in result.bridges where bridge.storefront != "ALL" {
      let place = "\(bridge.storefront) \(bridge.currency)"
      for step in bridge.steps where step.cause == .dayBoundary {
        #expect(units[place] ?? 0 == step.units && amounts[place] ?? 0 == step.amount.micros)
      }
    }
  }
}
