import Billing
import Conclusions
import Testing

@testable import Matching

/// Goal: what a payment lacks is held against invoices of commission that come to as much, and
/// never against others. Method: shortfalls beside open invoices, with the parts left out in turn.
struct InvoiceOffsetTests {
  private func invoice(
    _ number: String, _ total: String, _ currency: String = "EUR", month: String = "2026-10",
    due: String = "2026-12-15", app: String = ""
  ) -> CommissionInvoice {
    let period = Period(month)!
    return CommissionInvoice(
      number: number, first: period.first, last: period.last, app: app,
      currency: Currency(currency)!, amount: amount(total), tax: 0, total: amount(total),
      due: Day(due)!)
  }

  private func taken(
    _ invoices: [CommissionInvoice], _ lack: String, _ currency: String = "EUR",
    on day: String = "2026-12-03", rates: [ExchangeRate] = []
  ) -> [String] {
    var book = InvoiceOffsets(invoices, rates: RateBook(rates), tolerance: 10_000)
    return book.take(
      InvoiceOffsets.Shortfall(
        amount: Money(micros: amount(lack), Currency(currency)!), day: Day(day)!, words: "",
        region: nil, source: nil)
    ).map(\.key.number)
  }

  @Test func anEqualAmountIsTaken() {
    let open = [invoice("A", "7.00"), invoice("B", "9.00")]
    #expect(taken(open, "9.00") == ["B"])
    #expect(taken(open, "9.01") == [])
    #expect(taken(open, "9.00", "USD") == [])
    #expect(taken([], "9.00") == [])
  }

  @Test func theLinesOfAnInvoiceAreOne() {
    let open = [invoice("A", "7.00", app: "x"), invoice("A", "2.00", app: "y")]
    #expect(taken(open, "9.00") == ["A"])
    #expect(taken(open, "7.00") == [])
  }

  @Test func theOldestAreTakenTogether() {
    let open = [
      invoice("C", "5.00", due: "2026-12-16"), invoice("A", "7.00", due: "2026-11-15"),
      invoice("B", "9.00", due: "2026-11-20"),
    ]
    #expect(taken(open, "16.00") == ["A", "B"])
    #expect(taken(open, "21.00") == ["A", "B", "C"])
    #expect(taken(open, "14.00") == [])
  }

  @Test func whatIsBilledAfterThePaymentIsNotSetOff() {
    #expect(taken([invoice("A", "7.00", month: "2026-12")], "7.00") == [])
    #expect(taken([invoice("A", "7.00", month: "2026-11")], "7.00") == ["A"])
  }

  @Test func anotherCurrencyNeedsARate() {
    let open = [invoice("A", "10.00", "USD")]
    #expect(taken(open, "9.05") == [])
    let rate = ExchangeRate(
      date: Day("2026-12-02")!, base: Currency("USD")!, quote: Currency("EUR")!,
      rate: DecimalRate(micros: 900_000))
    #expect(taken(open, "9.05", rates: [rate]) == ["A"])
    #expect(taken(open, "9.50", rates: [rate]) == [])
  }

  @Test func anInvoiceIsSetOffOnce() {
    var book = InvoiceOffsets([invoice("A", "7.00")], rates: RateBook([]), tolerance: 0)
    let lack = InvoiceOffsets.Shortfall(
      amount: Money(micros: amount("7.00"), Currency("EUR")!), day: Day("2026-12-03")!, words: "",
      region: nil, source: nil)
    #expect(book.take(lack).count == 1)
    #expect(book.take(lack).isEmpty)
  }
}
