import Billing
import Conclusions
import Matching
import Pricing
import Simulation
import Testing
import Workflow

/// Months in the middle of which Apple pays by other terms, on days of their own by platform and
/// product group, of which no input says anything: each change is named once with its day, and
/// nothing else is found.
@Suite struct TermsMonthsTests {
  private static func parameters(_ seed: UInt64, faults: Bool = false) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = 12_000
    parameters.period = Period("2026-10")!
    if faults { parameters.faults = SimulationParameters.everyFault() }
    return parameters
  }

  private static func change(
    _ day: String, _ devices: Set<String>, _ commission: Int64, products: String = ""
  ) -> TermsChange {
    TermsChange(
      storefront: Storefront("DE")!, day: Day(day)!, devices: devices, products: products,
      commission: commission)
  }

  @Test(arguments: [(101, false), (102, true), (103, true)] as [(UInt64, Bool)])
  func theChangesAreNamedWithTheirDays(seed: UInt64, faults: Bool) throws {
    var parameters = Self.parameters(seed, faults: faults)
    parameters.termsChanges = [
      Self.change("2026-10-09", ["iPhone", "iPod touch"], 260_000),
      Self.change("2026-10-14", ["iPad"], 260_000),
      Self.change("2026-10-20", ["iPhone", "iPod touch"], 150_000, products: ".gems"),
    ]
    let run = try SimulatedRun(
      SimulatedInputs(parameters), asOf: parameters.period.last.advanced(by: 5))
    #expect(run.missed == [])
    let others = run.unexpected.filter { !$0.hasPrefix("proceeds-tolerated ") }
    #expect(others.filter { !$0.contains("terms-changed") } == [])
    let found = run.result.findings.filter { $0.code == .termsChanged }
    #expect(found.map(\.storefront) == Array(repeating: Storefront("DE"), count: 3))
    // Where no row of a day tells it, the finding says which days are as likely.
    for (finding, change) in zip(found, parameters.termsChanges) {
      let text = finding.explanation.english
      if let days = text.firstMatch(of: #/from a day between (\S+) and (\S+), /#) {
        let (first, last) = try (#require(Day(days.1)), #require(Day(days.2)))
        #expect(first <= change.day && change.day <= last && last == finding.date, "\(text)")
      } else {
        #expect(finding.date == change.day, "\(text)")
      }
    }
    for bridge in run.result.bridges { #expect(bridge.unexplained.isZero) }
  }

  @Test(arguments: [false, true]) func aMonthWithoutAChangeNamesNone(faults: Bool) throws {
    let parameters = Self.parameters(104, faults: faults)
    let run = try SimulatedRun(
      SimulatedInputs(parameters), asOf: parameters.period.last.advanced(by: 5))
    #expect(run.missed == [])
    #expect(run.unexpected.filter { !$0.hasPrefix("proceeds-tolerated ") } == [])
    // Japan's iPhones and mainland China's iOS and iPadOS pay less than the Mac.
    let rates = Set(
      run.result.terms.filter { !$0.isAfterOneYear }.map {
        "\($0.storefront) \($0.platform?.rawValue ?? "-") \($0.terms.rate)"
      })
    #expect(rates.isSuperset(of: ["CN ios 250000", "CN mac 300000", "JP ios 260000"]))
    #expect(!rates.contains("CN mac 250000"))
  }
}
