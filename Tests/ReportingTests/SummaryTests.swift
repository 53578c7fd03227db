import Billing
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
