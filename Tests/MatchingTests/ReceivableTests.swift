import Billing
import Conclusions
@testable import Matching
import Support
import Testing

/// What Apple owes, from one fiscal month's end to the next.
struct ReceivableTests {
  private static let month = FiscalMonth(year: 2023, number: 9)!
  private static let (cny, usd, eur) = (Currency("CNY")!, Currency("USD")!, Currency("EUR")!)

  private static let rates = RateBook([
    rate("2023-06-02", "USD", "7.00"), rate("2023-06-15", "USD", "7.10"),
    rate("2023-07-01", "USD", "7.25"), rate("2023-07-02", "USD", "9.99"),
    rate("2023-05-31", "EUR", "7.60"), rate("2023-06-30", "EUR", "7.90"),
  ])

  private static func rate(_ day: String, _ currency: String, _ rate: String) -> ExchangeRate {
    ExchangeRate(
      date: Day(day)!, base: Currency(currency)!, quote: cny,
      rate: DecimalRate(decimal: rate)!)
  }

  private static func money(_ text: String, _ currency: Currency = cny) -> Money {
    Money(micros: amount(text), currency)
  }

  private func proceeds(_ storefront: String, _ currency: Currency, _ text: String) -> ProceedsLine
  {
    var line = ProceedsLine(
      storefront: Storefront(storefront)!, currency: currency, proceedsCurrency: currency)
    line.unitsSold = 1
    line.proceeds = Self.money(text, currency)
    return line
  }

  private func payment(
    _ currency: Currency, owed: String, paid: String?, in bank: Currency = cny,
    adjustment: String = "0", withholding: String = "0"
  ) -> RegionPayment {
    var payment = RegionPayment(region: "WW", currency: currency, settled: nil)
    payment.adjustment = Self.money(adjustment, currency)
    payment.withholding = Self.money(withholding, currency)
    payment.owed = Self.money(owed, currency)
    payment.paid = paid.map { Self.money($0, bank) }
    payment.paidOn = paid == nil ? nil : Day("2023-06-15")
    return payment
  }

  private func text(_ lines: [ReceivableLine]) -> [String] {
    lines.map { line in
      ([line.own] + (line.base.map { [$0] } ?? [])).map { movement in
        [
          movement.opening, movement.proceeds, movement.adjustment, movement.withholding,
          movement.paid, movement.exchange, movement.closing,
        ].map { decimalText(micros: $0.micros) }.joined(separator: " ")
      }.joined(separator: " | ")
    }
  }

  @Test func closingIsRevaluedAndTheGainStandsApart() {
    var settlement = Settlement(month: Self.month)
    settlement.paidInMonth = [
      payment(Self.usd, owed: "98.00", paid: "690.00", withholding: "-2.00")
    ]
    let receivable = Receivable(
      Self.month, base: Self.cny,
      opening: [ReceivableBalance(amount: Self.money("100.00", Self.usd), base: nil)],
      rates: Self.rates)
    let lines = receivable.lines(
      proceeds: [proceeds("US", Self.usd, "30.00"), proceeds("HK", Self.usd, "20.00")],
      settlement: settlement, booked: [])
    // 700 at the beginning, 362.50 sold, 14.50 withheld, 690 got: 358 in the books, 362.50 worth.
    #expect(
      text(lines) == ["100 50 0 -2 98 0 50 | 700 362.5 0 -14.5 690 4.5 362.5"])
  }

  @Test func whatTheBooksHadGoesBeforeTheRate() {
    let receivable = Receivable(
      Self.month, base: Self.cny,
      opening: [
        ReceivableBalance(amount: Self.money("10.00", Self.eur), base: Self.money("77.00")),
        ReceivableBalance(amount: Self.money("5.00"), base: Self.money("5.00")),
        ReceivableBalance(amount: Self.money("1.00", Currency("BRL")!), base: nil),
      ], rates: Self.rates)
    let lines = receivable.lines(proceeds: [], settlement: nil, booked: [])
    #expect(
      text(lines) == [
        "1 0 0 0 0 0 1", "5 0 0 0 0 0 5 | 5 0 0 0 0 0 5", "10 0 0 0 0 0 10 | 77 0 0 0 0 2 79",
      ])
  }

  @Test func whatIsNotPaidChangesWhatIsOwedAtOnce() {
    var settlement = Settlement(
      month: Self.month, payments: [payment(Self.usd, owed: "7.00", paid: nil, adjustment: "1.00")])
    settlement.lines = [
      SettlementLine(
        region: "WW", storefront: Storefront("HK")!, reported: .zero(Self.usd),
        carryIn: .zero(Self.usd), carryOut: .zero(Self.usd),
        difference: Self.money("-3.00", Self.usd), settled: .zero(Self.usd), units: 0)
    ]
    let booked = BookedChange(
      period: "FY2023-P08", storefront: "HK", cause: .settlementDifference, units: 1,
      amount: Self.money("0.50", Self.usd))
    let receivable = Receivable(Self.month, base: Self.cny, opening: [], rates: Self.rates)
    let lines = receivable.lines(proceeds: [], settlement: settlement, booked: [booked])
    #expect(lines.map(\.own.settlementDifference) == [Self.money("-2.50", Self.usd)])
    #expect(text(lines) == ["0 0 1 0 0 0 -1.5 | 0 0 7.25 0 0 0 -10.88"])
  }

  /// Whatever happened, both sides add up, and the books' end is what the amount is worth.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func randomMonths(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func some() -> String {
      decimalText(micros: Int64.random(in: -99_999...999_999, using: &random) * 10_000)
    }
    var settlement = Settlement(month: Self.month)
    let currencies = [Self.cny, Self.usd, Self.eur]
    settlement.paidInMonth = (0..<4).map { _ in
      payment(
        currencies.randomElement(using: &random)!, owed: some(), paid: some(),
        in: currencies.randomElement(using: &random)!, adjustment: some(), withholding: some())
    }
    let lines = Receivable(
      Self.month, base: Self.cny,
      opening: currencies.map {
        ReceivableBalance(amount: Self.money(some(), $0), base: nil)
      }, rates: Self.rates
    ).lines(
      proceeds: currencies.map { proceeds("HK", $0, some()) }, settlement: settlement, booked: [])
    #expect(lines.map(\.currency) == currencies.sorted())
    for line in lines {
      #expect(line.own.exchange.isZero)
      let rate = line.rate ?? .one
      #expect(line.base?.closing == line.own.closing.converted(at: rate, to: Self.cny))
    }
  }
}
