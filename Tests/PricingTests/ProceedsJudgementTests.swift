import Billing
import Pricing
import Testing

/// Goal: each row of a report is judged as a person with the rules would. Method: one case a line:
/// storefront currency price proceeds day sale|refund reason → judgement and expected proceeds.
struct ProceedsJudgementTests {
  static let cases = """
    CN CNY 30 20.63 2023-06-19 sale - asExpected 20.63
    CN CNY 30 20.62 2023-06-19 sale - asExpected 20.63
    CN CNY 30 20.64 2023-06-19 sale - asExpected 20.63
    CN CNY 30 20.61 2023-06-19 sale - offRule 20.63
    CN CNY 30 21.00 2023-06-19 sale - offRule 20.63
    CN CNY 30 20.10 2023-06-19 sale - offRule 20.63
    CN CNY 30 21.01 2023-06-19 sale - unexpected 20.63
    CN CNY 30 20.09 2023-06-19 sale - unexpected 20.63
    CN CNY 30 25.27 2023-06-19 sale - unexpected 20.63
    CN CNY 30 25.27 2023-06-19 sale year asExpected 25.27
    CN CNY 30 20.63 2023-06-19 sale year offRule 25.27
    CN CNY -30 20.63 2023-06-19 refund - asExpected 20.63
    CN CNY -30 20.58 2021-09-20 refund - asExpected 20.58
    CN CNY 30 20.58 2021-09-20 sale - offRule 20.63
    CN CNY -30 20.58 2021-12-29 refund - asExpected 20.58
    CN CNY -30 20.58 2021-12-30 refund - offRule 20.63
    CN CNY -30 20.63 2026-04-10 refund - asExpected 20.63
    CN CNY 30 20.63 2026-04-10 sale - offRule 22.17
    JP JPY 120 80 2025-12-20 sale - asExpected 81
    JP JPY 120 79 2025-12-20 sale - unexpected 81
    US USD 0 0 2023-06-19 sale - asExpected 0
    US USD 0 0.70 2023-06-19 sale - unexpected 0
    CN CNY 30 -20.63 2023-06-19 sale - unexpected 20.63
    """

  @Test func rowsAreJudgedByTheRuleThenByTheBand() {
    for line in Self.cases.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let row = ReportedProceeds(
        storefront: shop(words[0]), currency: money(words[1]), price: amount(words[2]),
        proceeds: amount(words[3]), day: day(words[4]),
        proceedsReason: words[6] == "year" ? "Rate After One Year" : "",
        isRefund: words[5] == "refund")
      let judgement = plainBook.judge(row, tolerance: 1, expectedDeduction: 300_000...330_000)
      #expect(Self.name(judgement) == words[7], "\(line)")
      #expect(judgement.expectation.proceeds == amount(words[8]), "\(line)")
    }
  }

  static func name(_ judgement: ProceedsJudgement) -> String {
    switch judgement {
    case .asExpected: "asExpected"
    case .offRule: "offRule"
    case .notAsConfigured: "notAsConfigured"
    case .unexpected: "unexpected"
    }
  }

  @Test func dollarsMayBeACentOffEvenWithoutTolerance() {
    func judge(_ code: String, _ currency: String, _ price: String, _ proceeds: String) -> String {
      let row = ReportedProceeds(
        storefront: shop(code), currency: money(currency), price: amount(price),
        proceeds: amount(proceeds), day: day("2023-06-19"))
      return Self.name(plainBook.judge(row, tolerance: 0, expectedDeduction: 300_000...330_000))
    }
    #expect(judge("US", "USD", "24.99", "17.49") == "asExpected")
    #expect(judge("US", "USD", "24.99", "17.51") == "asExpected")
    #expect(judge("US", "USD", "24.99", "17.48") == "offRule")
    #expect(judge("CN", "CNY", "30", "20.62") == "offRule")
  }

  @Test func aReportOfManyDaysMayBeUnderEachOfTheirRules() {
    func judge(_ proceeds: String, from: String) -> String {
      let row = ReportedProceeds(
        storefront: shop("CN"), currency: money("CNY"), price: amount("30"),
        proceeds: amount(proceeds), day: day("2026-03-28"), firstDay: day(from))
      return Self.name(plainBook.judge(row, tolerance: 1, expectedDeduction: 300_000...330_000))
    }
    #expect(judge("22.17", from: "2026-03-01") == "asExpected")
    #expect(judge("20.63", from: "2026-03-01") == "asExpected")
    #expect(judge("20.63", from: "2026-03-14") == "asExpected")
    #expect(judge("20.63", from: "2026-03-15") == "offRule")
  }

  @Test func theSmallBusinessProgramHoldsForAllRowsOfItsSpans() {
    let book = PriceBook(
      developerCountry: shop("CN"),
      smallBusiness: [.init(from: day("2023-01-01"), to: day("2023-05-31"))])
    func judge(_ proceeds: String, _ date: String, refund: Bool = false, reason: String = "")
      -> String
    {
      let row = ReportedProceeds(
        storefront: shop("CN"), currency: money("CNY"), price: amount("30"),
        proceeds: amount(proceeds), day: day(date), proceedsReason: reason, isRefund: refund)
      return Self.name(book.judge(row, tolerance: 1, expectedDeduction: 300_000...330_000))
    }
    #expect(judge("25.27", "2023-05-31") == "asExpected")
    #expect(judge("25.27", "2023-05-31", reason: "Rate After One Year") == "asExpected")
    #expect(judge("20.63", "2023-05-31") == "offRule")
    #expect(judge("25.27", "2023-06-01") == "unexpected")
    #expect(judge("25.27", "2023-06-01", refund: true) == "asExpected")
    #expect(judge("20.63", "2023-01-10", refund: true) == "asExpected")
  }
}
