import Billing
import Conclusions
import Simulation
import Testing
import Workflow
@testable import Matching
@testable import Reporting

/// Four fiscal months without Apple's detail, after months of which sales are loaded and no
/// financial report: what is carried is estimated, and the estimate is held against the truth.
@Suite struct CarriedEstimateTests {
  struct World: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var maxLag: Int
    var orders = 12_000
    var testDescription: String { "seed \(seed), lag \(maxLag), \(orders) orders" }
  }

  private struct Carried {
    var found: Int64 = 0
    var truth: Int64 = 0

    mutating func add(_ found: Int64, _ truth: Int64, at rate: Int64 = 1_000_000) {
      self.found += abs(found) * rate / 1_000_000
      self.truth += abs(truth) * rate / 1_000_000
    }

    func isWithin(_ hundredths: Int64) -> Bool { abs(found - truth) * 100 <= truth * hundredths }
  }

  @Test(arguments: [
    World(seed: 81, maxLag: 10), World(seed: 82, maxLag: 3), World(seed: 83, maxLag: 0),
    World(seed: 85, maxLag: 10), World(seed: 87, maxLag: 5, orders: 4000),
  ]) func `comes near the truth, in each region and in all`(_ world: World) throws {
    var parameters = SettledRun.parameters(seed: world.seed, orders: world.orders)
    parameters.period = Period("2023-04-02..2023-09-02")!
    parameters.settlement!.writesDetail = false
    parameters.settlement!.maxLag = world.maxLag
    // Of the first fiscal month only the sales are loaded.
    let run = try SettledRun(parameters) { $0.contains("0423") }
    let truths = try #require(run.truth.settlement).dropFirst()
    #expect(truths.count == 4)
    var regions: [String: Carried] = [:]
    for truth in truths {
      let result = try run.reconcile(truth.month.period, asOf: "2023-11-01")
      let settlement = try #require(result.settlement)
      #expect(settlement.isEstimated)
      #expect(result.findings.allSatisfy { $0.code != .settlementUnits })
      var all = Carried()
      for line in settlement.lines {
        let known = truth.storefronts.first {
          $0.storefront == line.storefront && $0.currency == line.currency
        }
        let carried = [
          (line.carryIn.micros, known?.carryIn ?? 0), (line.carryOut.micros, known?.carryOut ?? 0),
        ]
        for (found, truth) in carried {
          regions[line.region, default: Carried()].add(found, truth)
          all.add(found, truth, at: LoadedRates.worth(of: line.currency))
        }
      }
      #expect(all.isWithin(10), "\(truth.month): \(all)")
      #expect(world.maxLag == 0 || all.truth > 0)
    }
    #expect(regions.count > 10)
    for (region, carried) in regions {
      #expect(carried.isWithin(25), "\(region): \(carried)")
    }
  }

  /// The detail of the last month is not there yet: the months before tell how far the estimate is
  /// off, and by how much is told beside it.
  @Test(arguments: [81, 84] as [UInt64]) func `tells its error in past months`(seed: UInt64) throws
  {
    var parameters = SettledRun.parameters(seed: seed, orders: 6000)
    parameters.period = Period("2023-04-02..2023-08-05")!
    let run = try SettledRun(parameters) { $0.contains("_0723_Z1") }
    let truths = try #require(run.truth.settlement)
    let result = try run.reconcile(Period("FY2023-P10")!)
    let settlement = try #require(result.settlement)
    #expect(settlement.isEstimated)
    #expect(
      settlement.carryTrials.map(\.month.description) == ["FY2023-P08", "FY2023-P09"])
    for trial in settlement.carryTrials {
      let truth = try #require(truths.first { $0.month == trial.month })
      // By the detail it is the truth, whatever is estimated.
      var told: [Currency: Int64] = [:]
      for line in truth.storefronts {
        told[line.currency, default: 0] += abs(line.carryIn) + abs(line.carryOut)
      }
      let known = Dictionary(uniqueKeysWithValues: trial.told.map { ($0.currency, $0.micros) })
      #expect(known.filter { $0.value != 0 } == told.filter { $0.value != 0 }, "\(trial.month)")
      #expect(trial.estimated.contains { $0.micros != 0 })
    }
    let errors = try #require(result.carryErrors)
    #expect(errors.count == 2)
    let wording = try #require(result.carryErrorWording).english
    for error in errors {
      let share = try #require(error.share)
      #expect(abs(share) < 500_000, "\(error)")
      #expect(wording.contains("% \(error.month)"))
    }
    let text = reconciliationSummary(result, workbook: nil).replacing(#/\s+/#, with: " ")
    #expect(text.contains(wording.replacing(#/\s+/#, with: " ")), "\(text)")
    #expect(reconciliationJSON(result).contains("\"carry_estimate\": ["))
  }

  @Test func `is said to be estimated, wherever it stands`() throws {
    var parameters = SettledRun.parameters(seed: 68)
    parameters.settlement!.writesDetail = false
    let run = try SettledRun(parameters)
    let result = try run.reconcile(Period("FY2023-P10")!)
    let text = reconciliationSummary(result, workbook: nil)
    #expect(text.contains("  carried in and out are estimated: no detail is loaded\n"))
    #expect(text.contains("error of the estimate not known: no past month with detail is loaded"))
    #expect(result.notes.contains { $0.english.contains("carry is estimated") })
    let carries = result.findings.filter { $0.code == .settlementCarry }
    #expect(!carries.isEmpty)
    #expect(carries.allSatisfy { $0.explanation.english.contains("estimate") })
  }
}
