import Billing
import Conclusions
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// Two months that Apple settles and pays: every bridge closes, every carried unit is found again,
/// a fault is found at its level and nowhere else.
@Suite struct SettledWorldsTests {
  struct World: CustomTestStringConvertible, Sendable {
    var seed: UInt64
    var orders = 3000
    var maxLag = 10
    var faults = 0
    var isSingleFile = false
    var writesDetail = true
    var payments = PaymentsLayout.english
    var testDescription: String {
      "seed \(seed), lag \(maxLag), \(faults) faults, "
        + "\(isSingleFile ? "one file" : "by region")\(writesDetail ? "" : ", no detail"), "
        + payments.rawValue
    }
  }

  static let worlds = [
    World(seed: 61), World(seed: 62, maxLag: 0), World(seed: 63, faults: 1),
    World(seed: 64, orders: 8000, faults: 2), World(seed: 65, faults: 1, isSingleFile: true),
    World(seed: 66, payments: .chinese), World(seed: 67, faults: 1, payments: .json),
    World(seed: 68, writesDetail: false), World(seed: 69, maxLag: 3, writesDetail: false),
  ]

  @Test(arguments: worlds) func settlesAndIsPaid(_ world: World) throws {
    var parameters = SettledRun.parameters(seed: world.seed, orders: world.orders)
    parameters.paidApp = world.seed % 2 == 0
    var settlement = SettlementParameters()
    settlement.maxLag = world.maxLag
    settlement.faults = world.faults
    settlement.isSingleFile = world.isSingleFile
    settlement.writesDetail = world.writesDetail
    settlement.payments = world.payments
    parameters.settlement = settlement
    let run = try SettledRun(parameters)
    let truths = try #require(run.truth.settlement)
    #expect(truths.map(\.month.description) == ["FY2023-P09", "FY2023-P10"])
    for truth in truths {
      let result = try run.reconcile(truth.month.period)
      check(result, truth, isEstimated: !world.writesDetail)
    }
  }

  private func check(_ result: Reconciliation, _ truth: TrueSettlement, isEstimated: Bool) {
    let name = truth.month.description
    #expect(result.findings.filter { $0.code.level < 3 && $0.severity == .error } == [], "\(name)")
    for bridge in result.bridges {
      #expect(bridge.unexplained.isZero, "\(name) \(bridge.storefront) \(bridge.currency)")
    }
    guard let settlement = result.settlement else {
      Issue.record("\(name) is not settled")
      return
    }
    #expect(settlement.payments.allSatisfy { $0.unexplained.isZero })
    let regions = Set(
      settlement.payments.filter { !$0.owed.isZero || !$0.earned.isZero }.map(\.told))
    let trueRegions = Set(
      truth.regions.filter { $0.owed != 0 || $0.earned != 0 }.map(\.told))
    #expect(regions.symmetricDifference(trueRegions).sorted() == [], "\(name)")
    let payouts = settlement.payouts.reduce(Int64(0)) { $0 + $1.amount.micros }
    #expect(payouts == truth.payout.amount)
    guard !isEstimated else {
      checkTotals(settlement, truth)
      return
    }
    let lines = Set(settlement.lines.map(\.told))
    let trueLines = Set(truth.storefronts.filter { !$0.isEmpty }.map(\.told))
    #expect(lines.symmetricDifference(trueLines).sorted() == [], "\(name)")
    // A fault that never settles stays open in the next month, and is said to.
    let found = result.findings.filter { finding in
      let stays =
        finding.code == .settlementCarry && finding.date! < truth.month.first
        && finding.explanation.english.contains("not settled for")
      // A sale and its return that were carried together move no money.
      return (finding.code.level >= 3 && !stays && finding.units != 0)
        || finding.code == .footerMismatch
    }
    var rest = found
    var missed: [String] = []
    for expected in truth.findings {
      if let index = rest.firstIndex(where: { $0.answers(expected) }) {
        rest.remove(at: index)
      } else {
        missed.append("\(expected)")
      }
    }
    #expect(missed == [], "\(name): missed")
    #expect(rest.map(\.told) == [], "\(name): unexpected")
  }

  /// Without the detail only the totals are certain: what was reported, and what was settled.
  private func checkTotals(_ settlement: Settlement, _ truth: TrueSettlement) {
    for line in settlement.lines {
      let known = truth.storefronts.first {
        $0.storefront == line.storefront && $0.currency == line.currency
      }
      #expect(known?.settled == line.settled.micros, "\(line.storefront) \(line.currency)")
      #expect(
        known?.reportedProceeds == line.reported.micros, "\(line.storefront) \(line.currency)")
      #expect(
        line.settled == line.reported + line.carryIn + line.carryOut + line.difference,
        "\(line.storefront) \(line.currency)")
    }
  }
}

extension SettlementLine {
  fileprivate var told: String {
    "\(storefront) \(currency) "
      + [reported, carryIn, carryOut, difference, settled].map { "\($0.micros)" }
      .joined(separator: " ")
  }
}

extension TrueStorefrontSettlement {
  fileprivate var told: String {
    "\(storefront) \(currency) \(reportedProceeds) \(carryIn) \(carryOut) \(difference) \(settled)"
  }

  fileprivate var isEmpty: Bool {
    reportedProceeds == 0 && carryIn == 0 && carryOut == 0 && settled == 0
  }
}

extension RegionPayment {
  fileprivate var told: String {
    ([region, currency.code]
      + [settled ?? earned, earned, adjustment, withholding, inputTax, carriedBalance, owed]
      .map { "\($0.micros)" } + [paid.map { "\($0.micros)" } ?? "unpaid"]).joined(separator: " ")
  }
}

extension TrueRegionPayment {
  fileprivate var told: String {
    "\(region) \(currency) \(settled) \(earned) \(adjustment) \(withholding) \(inputTax) "
      + "\(carriedBalance) \(owed) \(proceeds.map(String.init) ?? "unpaid")"
  }
}

extension Finding {
  fileprivate func answers(_ expected: TrueSettlementFinding) -> Bool {
    code.rawValue == expected.code
      && (storefront?.code == expected.place || expected.place == "ZZ")
      && date == expected.date && sku == expected.sku
      && (expected.units ?? 0 == 0 || units == expected.units)
      && (expected.amount == nil || amount == expected.amount && currency == expected.currency)
  }

  fileprivate var told: String {
    [
      code.rawValue, storefront?.code ?? "-", currency?.code ?? "-", date?.description ?? "-",
      sku ?? "-", units.map(String.init) ?? "-", amount.map(String.init) ?? "-",
    ].joined(separator: " ")
  }
}
