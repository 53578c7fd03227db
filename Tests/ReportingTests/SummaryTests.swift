import Billing
import Languages
import Testing

@testable import Reporting
@testable import Conclusions

@Suite struct SummaryTests {
  @Test func richMonth() throws {
    try expectGolden(
      reconciliationSummary(SampleMonth.reconciliation, workbook: "Reports/2023-06.xlsx"),
      "rich.summary.txt")
  }

  @Test func monthWithoutRates() throws {
    try expectGolden(
      reconciliationSummary(SampleMonth.withoutRates, workbook: nil), "without-rates.text.txt")
  }

  @Test func emptyMonth() {
    #expect(
      reconciliationSummary(SampleMonth.empty, workbook: nil) == """
        2023-06 (2023-06-01 to 2023-06-30), as of 2023-07-05
        not compared: a side is missing

        """)
  }

  /// A month of one bridge, with steps from a total of 100.00 to Apple's sales and its proceeds.
  private static func month(
    _ toSales: [(BridgeCause, Int64)], _ toProceeds: [(BridgeCause, Int64)] = []
  ) -> Reconciliation {
    var total: Int64 = 100_000_000
    /// The step of a cause; a total is what all before it come to.
    func step(_ cause: BridgeCause, _ amount: Int64 = 0) -> BridgeStep {
      total += amount
      let money = Money(micros: cause.isTotal ? total : amount, SampleMonth.base)
      return BridgeStep(cause: cause, units: nil, amount: money)
    }
    var month = SampleMonth.reconciliation
    (month.findings, month.patterns, month.basis) = ([], [], Basis())
    let sales = [step(.ledger)] + toSales.map { step($0.0, $0.1) } + [step(.reportedGross)]
    let proceeds = toProceeds.map { step($0.0, $0.1) } + [step(.reportedProceeds)]
    month.bridges = [
      Bridge(storefront: "ALL", currency: SampleMonth.base, steps: sales + proceeds)
    ]
    return month
  }

  /// The verdict, its figures and the page's verdict never contradict each other.
  @Test func theVerdictSaysWhatIsOpen() {
    let tied = Self.month([])
    #expect(say(tied.verdict) == "ties: difference 0.00 CNY, all explained")
    #expect(reportPage(of: tied, workbook: nil).contains("Ledger and Apple agree: 100.00 CNY"))
    let beyond = Self.month([], [(.commission, -30_000_000), (.proceedsDifference, -550_000)])
    #expect(
      say(beyond.verdict) == "sales tie: difference 0.00 CNY, all explained; "
        + "0.55 CNY of proceeds or settlement not explained")
    let setOff = Self.month([(.notInLedger, 21_000_000), (.notInReport, -20_000_000)])
    #expect(
      say(setOff.verdict) == "does not tie: no errors, difference 1.00 CNY, not all explained")
    let text = reconciliationSummary(setOff, workbook: nil)
    #expect(
      text.contains("0.00 explained, 1.00 (21.00 less 20.00) open, 0.00 unexplained"), "\(text)")
    let even = reportPage(
      of: Self.month([(.notInLedger, 20_000_000), (.notInReport, -20_000_000)]), workbook: nil)
    #expect(!even.contains("Ledger and Apple agree"))
    #expect(even.contains("0.00 CNY (20.00 CNY less 20.00 CNY) open"))
    let oneSided = Self.month([(.notInLedger, 20_000_000)])
    #expect(
      reconciliationSummary(oneSided, workbook: nil)
        .contains("0.00 explained, 20.00 open, 0.00 unexplained"))
  }

  /// Where no transaction is loaded, none was matched in vain, and no message tells of one.
  @Test func nothingFailsWithoutTransactions() {
    var month = SampleMonth.empty
    month.basis.absences = [
      Absence(.matching, count: 300, of: 300), Absence(.transactions, count: 30, of: 30),
    ]
    let alone = reconciliationSummary(month, workbook: nil)
    #expect(!alone.contains("matching failed") && !alone.contains("Apple's messages"), "\(alone)")
    #expect(alone.contains("no transactions of the period are loaded"), "\(alone)")
    month.basis.absences.removeLast()
    let messages = reconciliationSummary(month, workbook: nil)
    #expect(
      messages.contains("matching failed") && messages.contains("only Apple's messages"))
  }

  @Test(arguments: [
    ("0", "0"), ("999", "999"), ("1000", "1,000"), ("-1234567.50", "-1,234,567.50"),
    ("-100", "-100"),
  ])
  func thousandsAreGrouped(text: String, expected: String) {
    #expect(grouped(decimal: text) == expected)
  }

  @Test(
    arguments: [
      (1_000_000, "100.00%"), (312_345, "31.23%"), (5, "0.00%"), (50, "0.01%"),
      (-12_500, "-1.25%"),
    ] as [(Int64, String)])
  func sharesAreInPerCent(millionths: Int64, text: String) {
    #expect(percent(millionths) == text)
  }

  @Test func aRateConvertsAndRoundsHalfUp() {
    #expect(
      Money(micros: 1_490_000, Currency("USD")!).converted(
        at: Fraction(micros: 4_790_000), to: SampleMonth.base
      )
      .micros == 7_140_000)
    #expect(
      Money(micros: -1_000_000, Currency("USD")!).converted(
        at: Fraction(micros: 5_000), to: SampleMonth.base
      )
      .micros == -10_000)
    #expect(ratio(1, of: 3) == 333_333)
    #expect(ratio(1, of: 0) == nil)
    #expect(ratio(-1, of: -3) == 333_333)
  }
}
