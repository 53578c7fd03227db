import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// Months whose truth is known, through files, ledger and matching: every injected fault is found
/// with its code and key, and nothing that was not injected.
@Suite struct SimulatedMonthsTests {
  struct World: CustomTestStringConvertible, Sendable {
    var seed: UInt64
    var orders: Int
    var rule: DayRule
    var faults = true
    var split = false
    /// The share of transactions that only Apple tells.
    var appleShare = 0.0
    var testDescription: String {
      "seed \(seed), \(orders) orders, \(rule.rawValue)\(faults ? "" : ", clean"), "
        + "\(appleShare) told by Apple"
    }
  }

  static let worlds: [World] =
    [DayRule.pacific, .territory, .local, .mixed].flatMap { rule in
      [
        World(seed: 12, orders: 2000, rule: rule),
        World(seed: 13, orders: 8000, rule: rule, split: true),
      ]
    } + [
      // With 200 orders most storefronts are too small to speak for themselves; where all of them
      // follow one kind of rule, they are still known by it.
      World(seed: 11, orders: 200, rule: .pacific), World(seed: 14, orders: 200, rule: .territory),
      World(seed: 15, orders: 200, rule: .local),
      World(seed: 21, orders: 3000, rule: .pacific, faults: false),
      World(seed: 22, orders: 3000, rule: .local, faults: false),
      World(seed: 23, orders: 200_000, rule: .territory),
      // Receipts, notifications and history instead of the company's table.
      World(seed: 41, orders: 2000, rule: .pacific, appleShare: 0.5),
      World(seed: 42, orders: 8000, rule: .local, split: true, appleShare: 0.5),
      World(seed: 43, orders: 2000, rule: .territory, appleShare: 1),
      World(seed: 44, orders: 3000, rule: .local, faults: false, appleShare: 0.5),
    ]

  @Test(arguments: worlds) func everyFaultIsFoundAndNothingElse(_ world: World) throws {
    var parameters = SimulationParameters()
    parameters.seed = world.seed
    parameters.orders = world.orders
    parameters.dayRule = world.rule
    parameters.split = world.split
    parameters.paidApp = world.seed % 2 == 0
    parameters.appleShare = world.appleShare
    if world.faults {
      parameters.faults = SimulationParameters.everyFault()
      parameters.faults[.renewalRefunded] = 2
      parameters.appleFaults = world.appleShare > 0 ? SimulationParameters.everyAppleFault(2) : [:]
    }
    let run = try SimulatedRun(SimulatedInputs(parameters))
    expectTruth(run)
  }

  private func expectTruth(_ run: SimulatedRun) {
    #expect(run.missed == [])
    #expect(run.unexpected == [])
    #expect(run.wrongBoundaries == [])
    #expect(run.wrongProceeds == [])
    #expect(run.wrongLedgerTotals == [])
    #expect(journalDifferences(run.result) == [])
    for bridge in run.result.bridges {
      #expect(bridge.unexplained.isZero, "\(bridge.storefront) \(bridge.currency)")
    }
  }

  /// Refunds that Apple took back in each form, a small storefront with a rule of its own, a rule
  /// that changes in the month, and a server's log of two apps, all at once and with all else.
  @Test(
    arguments: [(71, .pacific, .territory), (72, .local, .pacific)]
      as [(UInt64, DayRule, DayRule)])
  func whatOnlySomeServersAndStorefrontsHaveIsTold(
    seed: UInt64, rule: DayRule, next: DayRule
  ) throws {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (seed, 6000)
    parameters.storefronts = SimulationParameters.settledStorefronts
    (parameters.dayRule, parameters.ruleChange) = (rule, RuleChange(next, from: Day("2023-06-16")!))
    parameters.ownRules = [Storefront("JO")!: .local]
    parameters.appleShare = 0.5
    parameters.faults = SimulationParameters.everyFault()
    parameters.appleFaults = SimulationParameters.everyAppleFault()
    (parameters.appleFaults[.refundReversed], parameters.appleFaults[.otherApp]) = (6, 6)
    let run = try SimulatedRun(SimulatedInputs(parameters))
    expectTruth(run)
  }

  /// More faults than the month has places for: kinds take turns, what has no room is told, and
  /// each that was made is found.
  @Test func manyFaultsOfEachKindAreFound() throws {
    var parameters = SimulationParameters()
    parameters.seed = 61
    parameters.orders = 6000
    parameters.faults = SimulationParameters.everyFault(20)
    let run = try SimulatedRun(SimulatedInputs(parameters))
    let made = Dictionary(run.truth.leftOut.map { ($0.kind, $0.made) }) { $1 }
    // A third of thirty days: three for each report that is missing.
    #expect(made["report-missing"] == 2 && made["report-restated"] == 4)
    for code in parameters.faults.keys {
      let expected = run.truth.expected.count { $0.code == code }
      #expect(expected >= made[code.rawValue] ?? 20, "\(code.rawValue): \(expected)")
      #expect(expected > 0, "\(code.rawValue)")
    }
    #expect(run.missed == [])
    #expect(run.unexpected == [])
  }

  /// Nothing has room in ten days of forty orders, and nothing traps.
  @Test func aMonthWithoutRoomSaysSo() {
    var parameters = SimulationParameters()
    parameters.period = Period(first: Day("2023-06-01")!, last: Day("2023-06-10")!)
    parameters.orders = 40
    parameters.faults = SimulationParameters.everyFault(2)
    parameters.appleFaults = SimulationParameters.everyAppleFault()
    parameters.patterns = [.forger]
    let truth = SimulatedMonth(parameters).truth
    let asked = parameters.faults.count + parameters.appleFaults.count + 1
    #expect(truth.expected == [] && truth.patterns == [])
    #expect(truth.leftOut.count == asked)
    #expect(truth.leftOut.allSatisfy { $0.made == 0 && $0.asked > 0 })
    #expect(truth.json.contains("\"left_out\""))
  }

  /// The order in which files are imported decides nothing but what supersedes what.
  @Test func orderOfImportChangesNothing() throws {
    var parameters = SimulationParameters.sample
    parameters.faults[.reportRestated] = nil
    let inputs = try SimulatedInputs(parameters)
    let texts = try [0, 1, 2].map { shuffle in
      var text: [UInt8] = []
      writeJSON(of: try SimulatedRun(inputs, shuffle: UInt64(shuffle)).result) { text += $0 }
      return text
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0] == texts[2])
  }
}

/// The files of a simulated month, beside its truth.
struct SimulatedInputs {
  let folder: TemporaryFolder
  let parameters: SimulationParameters
  let truth: Truth
  private(set) var roots = TrustRoots()
  var path: String { folder.path + "/month" }

  init(_ parameters: SimulationParameters) throws {
    folder = try TemporaryFolder()
    self.parameters = parameters
    truth = try SimulatedMonth(parameters).write(to: folder.path + "/month")
    for name in ["truth.json", "tieout.toml"] {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    for name in files where name.hasSuffix(".pem") { try roots.add(path: path + "/" + name) }
  }

  /// An empty folder for a month whose files a ledger has already.
  init(_ parameters: SimulationParameters, imported truth: Truth) throws {
    folder = try TemporaryFolder()
    (self.parameters, self.truth) = (parameters, truth)
  }
}

/// A simulated month, imported and reconciled, beside its truth.
struct SimulatedRun {
  let truth: Truth
  let result: Reconciliation
  let ledger: String
  /// Which holds them.
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - shuffle: zero imports the folder as a user would; else files come in an order drawn from
  ///     it.
  ///   - period: what is reconciled, where that is not all that was simulated.
  ///   - warnings: what the import warns of beside a payload of another app.
  ///   - change: what is configured beside the company's app and testers.
  init(
    _ simulated: SimulatedInputs, shuffle: UInt64 = 0, period: Period? = nil,
    asOf: Day = Day("2023-07-05")!, warnings: Set<String> = [],
    settings change: (inout Settings) -> Void = { _ in }
  ) throws {
    truth = simulated.truth
    folder = simulated.folder
    let parameters = simulated.parameters
    let inputs = simulated.path
    ledger = simulated.folder.path + "/ledger-\(shuffle).sqlite"
    var paths = [inputs]
    if shuffle > 0 {
      paths = try FileManager.default.contentsOfDirectory(atPath: inputs).sorted()
        .map { inputs + "/" + $0 }
      paths.sort { Self.hash($0, shuffle) < Self.hash($1, shuffle) }
    }
    var request = ImportRequest(
      paths: paths.filter { !simulated.roots.paths.contains($0) }, ledgerPath: ledger,
      importedAt: Instant(seconds: 1_688_500_000))
    request.roots = simulated.roots.certificates
    request.leftOut = simulated.roots.paths
    request.bundleIDs = ["com.lumen.orbit"]
    let summary = try importFiles(request)
    #expect(summary.errorCount == 0)
    let warned = Set(summary.files.flatMap(\.diagnostics).map(\.topic))
    let hasOtherApp = (parameters.appleFaults[.otherApp] ?? 0) > 0
    #expect(warned == warnings.union(hasOtherApp ? ["bundle"] : []))
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.sandboxUsers = ["tester-1", "tester-2"]
    change(&settings)
    var result = try reconcile(
      ReconcileRequest(
        ledgerPath: ledger, period: period ?? parameters.period, settings: settings, asOf: asOf))
    // The folder's name differs from one month to the next.
    result = result.renamingFiles { $0.replacingOccurrences(of: inputs, with: "month") }
    self.result = result
  }

  private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
    var text = (text as NSString).lastPathComponent
    return text.withUTF8 { hash64(UnsafeRawBufferPointer($0), seed: seed) }
  }

  /// Injected faults that no finding answers to.
  var missed: [String] { matching.missed.map { "\($0)" } }
  /// Findings that no injected fault explains.
  var unexpected: [String] { matching.unexpected.map(Self.words) }

  static func words(_ finding: Finding) -> String {
    "\(finding.code.rawValue) \(finding.storefront?.code ?? "-") "
      + "\(finding.date?.description ?? "-") \(finding.sku ?? "-") \(finding.units ?? 0): "
      + finding.explanation.english
  }

  var matching: (missed: [ExpectedFinding], unexpected: [Finding]) {
    var rest = result.findings
    var missed: [ExpectedFinding] = []
    for expected in truth.expected {
      if let index = rest.firstIndex(where: { answers($0, expected) }) {
        rest.remove(at: index)
      } else {
        missed.append(expected)
      }
    }
    return (missed, rest)
  }

  private func answers(_ finding: Finding, _ expected: ExpectedFinding) -> Bool {
    finding.code == expected.code && finding.storefront == expected.storefront
      && finding.date == expected.date && finding.sku == expected.sku
      && (expected.units == nil || finding.units.map(abs) == expected.units)
      && (expected.amount == nil || finding.amount == expected.amount)
      && (expected.amount == nil || finding.currency == expected.currency)
      && Set(expected.orderIDs).isSubset(of: finding.orderIDs)
      && Set(expected.transactionIDs).isSubset(of: finding.transactionIDs)
  }

  /// Storefronts with 200 units or more whose day begins elsewhere than it does.
  var wrongBoundaries: [String] {
    truth.boundaries.filter { $0.units >= 200 }.compactMap { boundary in
      let found = result.dayBoundaries.first { $0.storefront == boundary.storefront }
      return found?.utcOffsetMinutes == boundary.utcOffsetMinutes
        ? nil : "\(boundary), found \(found.map { "\($0)" } ?? "none")"
    }
  }

  var wrongProceeds: [String] {
    let told = truth.proceeds.map {
      "\($0.storefront) \($0.currency) \($0.proceedsCurrency) \($0.unitsSold) \($0.unitsRefunded) "
        + "\($0.gross) \($0.proceeds)"
    }
    let found = result.proceeds.map {
      "\($0.storefront) \($0.currency) \($0.proceedsCurrency) \($0.unitsSold) \($0.unitsRefunded) "
        + "\($0.gross.micros) \($0.proceeds.micros)"
    }
    return Set(told).symmetricDifference(found).sorted()
  }

  var wrongLedgerTotals: [String] {
    truth.ledger.compactMap { total in
      let bridge = result.bridges.first {
        $0.storefront == total.storefront.code && $0.currency == total.currency
      }
      return bridge?.steps.first?.amount.micros == total.gross
        ? nil : "\(total), found \(bridge?.steps.first?.amount.text ?? "none")"
    }
  }
}

extension Reconciliation {
  fileprivate func renamingFiles(_ rename: (String) -> String) -> Reconciliation {
    var copy = self
    for index in copy.inputs.indices { copy.inputs[index].file = rename(copy.inputs[index].file) }
    for index in copy.findings.indices {
      for source in copy.findings[index].sources.indices {
        let file = copy.findings[index].sources[source].file
        copy.findings[index].sources[source].file = rename(file)
      }
      copy.findings[index].explanation = Wording(
        verbatim: rename(copy.findings[index].explanation.english))
    }
    return copy
  }
}
