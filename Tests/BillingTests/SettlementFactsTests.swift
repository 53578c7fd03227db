import Billing
import Testing

struct SettlementFactsTests {
  private func line(_ label: String, _ region: String) -> PaymentLine {
    PaymentLine(
      line: 1, block: 0, region: region, label: label, currency: Currency("USD")!, units: 1,
      balance: nil, earned: 0, preTaxSubtotal: nil, inputTax: 0, adjustments: 0, withholding: 0,
      owed: 0, printedRate: nil, proceeds: nil, bankCurrency: nil)
  }

  /// What the company says of a label holds where the page's language is not known, and never
  /// against a region that is.
  @Test func anUnknownLabelTakesTheRegionThatIsConfigured() {
    var facts = SettlementFacts()
    facts.payments = [
      PaymentSummary(
        file: "zahlungen.csv", vendor: "", month: FiscalMonth("FY2023-P09")!,
        lines: [line("Übrige Länder", ""), line("Europa", "EU"), line("Mond", "")], payouts: [],
        rejected: 0)
    ]
    let named = facts.naming(["übrige länder": "WW", "europa": "US"])
    #expect(named.payments[0].lines.map(\.region) == ["WW", "EU", ""])
    #expect(facts.naming([:]).payments[0].lines.map(\.region) == ["", "EU", ""])
  }
}
