import Billing
import Testing

@testable import Pricing

/// Goal: a question about a price has one answer, or says which part of it is at fault. Method:
/// questions, and what comes of each.
struct PriceQuoteTests {
  let book = PriceBook(
    developerCountry: shop("CN"),
    smallBusiness: [Settings.Span(from: day("2024-01-01"), to: day("2024-12-31"))],
    tiers: [
      TierBookTests.tier(.iap, "5", "CN", "30", proceeds: "20.58", to: "2023-12-31"),
      TierBookTests.tier(.iap, "5", "TW", "33"),
    ],
    standIns: .builtIn)

  func question(
    _ code: String, _ price: String?, _ date: String = "2023-06-19", tier: String = "",
    currency: String? = nil, commission: NamedCommission? = nil
  ) -> PriceQuestion {
    PriceQuestion(
      storefront: shop(code), currency: currency.map(money), price: price.map(amount),
      day: day(date), commission: commission, tier: tier)
  }

  func proceeds(_ question: PriceQuestion) throws -> String {
    let found = try book.quote(question).expectation
    return Money(micros: found.proceeds, found.currency).text
  }

  @Test func thirtyYuanBringTwentySixtyThree() throws {
    let quote = try book.quote(question("CN", "30"))
    #expect(quote.expectation.proceeds == amount("20.63") && quote.tierPrice == nil)
    #expect(quote.expectation.tax == amount("0.53"))
    #expect(quote.expectation.commission == amount("8.84"))
    #expect(quote.expectation.deduction == 312_333)
  }

  @Test func theCommissionIsTheDaysUnlessItIsNamed() throws {
    #expect(try proceeds(question("CN", "30", "2024-06-01")) == "25.27")
    let standard = NamedCommission.programme(.standard)
    #expect(try proceeds(question("CN", "30", "2024-06-01", commission: standard)) == "20.63")
    #expect(try proceeds(question("CN", "30", "2026-04-01")) == "22.17")
    #expect(try proceeds(question("CN", "30", commission: .rate(250_000))) == "22.17")
  }

  @Test func aNamedTierGivesPriceAndProceeds() throws {
    #expect(try proceeds(question("CN", nil, tier: "Tier 5")) == "20.58")
    #expect(try proceeds(question("CN", "30", tier: "5")) == "20.58")
    #expect(try proceeds(question("CN", "30", tier: "5", commission: .rate(300_000))) == "20.58")
    #expect(try proceeds(question("CN", nil, tier: "5", commission: .rate(150_000))) == "25.27")
    #expect(try proceeds(question("CN", "30")) == "20.63")
    // The built-in tiers have no proceeds: the rules do.
    #expect(try proceeds(question("CN", nil, tier: "60")) == "445.58")
  }

  @Test func theCurrencyIsTheStorefrontsThen() throws {
    func currency(_ code: String, _ date: String) throws -> String {
      try book.quote(question(code, "1", date)).expectation.currency.code
    }
    #expect(try currency("CN", "2023-06-19") == "CNY")
    #expect(try currency("HR", "2022-12-31") == "HRK")
    #expect(try currency("HR", "2023-01-01") == "EUR")
    #expect(try currency("KR", "2012-10-26") == "USD")
    #expect(try currency("KR", "2023-06-19") == "KRW")
  }

  @Test func whatCannotBeAnsweredNamesItsPart() {
    func doubt(_ question: PriceQuestion) -> PriceDoubt? {
      do throws(PriceDoubt) {
        _ = try book.quote(question)
        return nil
      } catch { return error }
    }
    #expect(doubt(question("CN", nil))?.part == .price)
    #expect(
      doubt(question("JP", nil, tier: "5"))?.message.english
        == "tier 5 has no price in JP on 2023-06-19")
    #expect(
      doubt(question("JP", nil, tier: "gold"))?.message.english
        == "no table has a tier \"gold\" in JP")
    #expect(
      doubt(question("CN", nil, "2024-06-01", tier: "5"))?.help.english
        == "its tables have one for ..2023-12-31; import a table of tiers that has it for the day, "
        + "or give the price")
    #expect(doubt(question("CN", nil, tier: "5", currency: "USD"))?.part == .currency)
    #expect(doubt(question("ZZ", "1"))?.part == .storefront)
    // A thousand euros as a German table has them, half a yen, and a tenth of a cent.
    for (code, price) in [("DE", "1.099"), ("JP", "160.5"), ("US", "4.999")] {
      #expect(
        doubt(question(code, price))?.message.english.hasPrefix("\(price) has more decimals")
          == true)
    }
    for (code, price) in [("DE", "1.090"), ("JP", "160.00"), ("KR", "1500")] {
      #expect(doubt(question(code, price)) == nil)
    }
  }

  @Test(
    arguments: [
      ("CN", "30", "5", nil, nil), ("CN", "30", "", nil, nil),
      ("CN", "31", "5", nil, PriceQuestion.Part.price), ("JP", "31", "5", nil, .tier),
      ("CN", "30", "", "USD", .currency), ("BA", "1", "", "USD", nil),
    ] as [(String, String, String, String?, PriceQuestion.Part?)])
  func whatIsOddIsSaid(
    code: String, price: String, tier: String, currency: String?, part: PriceQuestion.Part?
  ) throws {
    let question = question(code, price, tier: tier, currency: currency)
    #expect(book.doubt(of: try book.quote(question), to: question)?.part == part)
  }

  @Test func eachCommissionIsComparedOnce() throws {
    func rates(_ question: PriceQuestion) throws -> [String] {
      try book.everyRate(question).map { rated in
        let classes = rated.payers.map(\.commissionClass.rawValue).joined(separator: " ")
        let found = rated.quote.expectation
        return "\(found.basis.commission / 10_000) \(classes) "
          + "\(Money(micros: found.proceeds, found.currency).text)\(rated.holds ? " holds" : "")"
      }
    }
    #expect(
      try rates(question("CN", "30")) == [
        "30 standard 20.63 holds", "15 after-one-year small-business 25.27",
      ])
    #expect(
      try rates(question("CN", "30", "2024-06-01")) == [
        "30 standard 20.63", "15 after-one-year small-business 25.27 holds",
      ])
    #expect(
      try rates(question("CN", "30", "2026-04-01", commission: .rate(170_000))) == [
        "30  20.63", "25 standard 22.17", "17  24.65 holds", "15  25.27",
        "12 after-one-year small-business 26.21",
      ])
  }

  @Test func eachFigureHasItsRow() throws {
    func places(_ question: PriceQuestion) throws -> [String] {
      book.sources(of: try book.quote(question)).map { "\($0.figure.rawValue) \($0.place.english)" }
    }
    #expect(
      try places(question("CN", nil, tier: "60")) == [
        "price tiers.csv:62", "tax taxes.csv:37", "commission terms.csv:2",
      ])
    #expect(
      try places(question("CN", nil, tier: "5")) == [
        "price the imported tiers", "tax taxes.csv:37", "commission terms.csv:2",
        "proceeds the imported tiers",
      ])
    #expect(
      try places(question("IN", "12500", "2019-01-22", commission: .rate(300_000))).last
        == "proceeds factors.csv:4")
    #expect(try places(question("AL", "1.19")).last == "proceeds us_copies.csv:3")
    let source = try #require(book.sources(of: try book.quote(question("CN", "30"))).first)
    #expect(source.from == day("2021-09-01") && source.to == nil)
    #expect(source.evidence.english.hasPrefix("measured: 30.00 gives 20.63"))
  }
}
