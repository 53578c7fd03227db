import Billing
import Support
import Testing
import Workflow

/// Goal: one payment that two vendors' summaries have is told, because both count. Method:
/// summaries of a month as the page's JSON has them.
@Suite struct SharedPaymentTests {
  private func summary(_ vendor: String, amount: String, month: String = "2022-06") -> String {
    """
    {"sapVendorNumber":"\(vendor)","reportDate":"\(month)-01T00:00:00Z","reportSummaries":[
    {"status":"PAID","amount":"\(amount)","currency":"EUR","bankName":"A BANK",
    "maskedBankAccount":"****1234","isPaymentExpected":false,
    "paidOrExpectingPaymentDate":"2022-07-28T12:00:00Z","proceedsByRegion":[
    {"regionCurrency":{"regionCode":"AE","regionName":"AE","currencyCode":"AED"},"unitsSold":"1",
    "beginBalance":"","earned":"8.90","total":"8.90","taxesAndFees":"0","withHoldingTax":"0",
    "inputTax":"0","adjustmentAmount":"0","totalOwed":"8.90","exchangeRate":"0.26517",
    "proceeds":"\(amount)"}]}]}
    """
  }

  @Test(arguments: [
    ("80000002", "2.36", "2022-06", 1), ("80000002", "2.37", "2022-06", 0),
    ("80000002", "2.36", "2022-07", 0), ("80000001", "2.36", "2022-06", 0),
  ]) func `the same payment under two vendor numbers is told`(
    _ vendor: String, _ amount: String, _ month: String, _ count: Int
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.json", summary("80000001", amount: "2.36"))
    #expect(try folder.importing("in/a.json").errorCount == 0)
    try folder.write("in/b.json", summary(vendor, amount: amount, month: month) + "\n")
    let second = try folder.importing("in/b.json")
    let told = second.allDiagnostics.filter { $0.topic == "vendor" }
    #expect(second.errorCount == 0 && told.count == count, "\(second.text)")
    guard let warning = told.first else { return }
    #expect(warning.message.english.contains("2.36 EUR is also in"))
    #expect(warning.message.english.contains("under vendor 80000001"))
  }
}
