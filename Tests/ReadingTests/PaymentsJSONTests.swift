import Billing
import Testing

@testable import Reading

/// The JSON behind the payments page, made for these tests: the fiscal month June 2022 with 28
/// regions, rates and amounts as its columns go.
enum PaymentsJSON {
  /// Code, currency, units, earned, printed rate, proceeds.
  static let regions = """
    AE AED 1 8.90 0.26517 2.36
    AU AUD 13 32.35 0.67728 21.91
    BG BGN 1 3.18 0.51258 1.63
    BR BRL 2 28.74 0.18302 5.26
    CA CAD 14 33.86 0.75665 25.62
    CH CHF 8 12.64 1.01266 12.80
    CL CLP 4 6286.00 0.00107 6.70
    CN CNY 4 50.54 0.14424 7.29
    CZ CZK 2 89.92 0.04081 3.67
    EU EUR 87 128.02 1.00000 128.02
    GB GBP 7 9.69 1.17441 11.38
    HK HKD 3 38.25 0.12418 4.75
    ID IDR 2 26802.00 0.00007 1.77
    IL ILS 1 9.30 0.28387 2.64
    IN INR 3 211.86 0.01232 2.61
    JP JPY 6 2118 0.00719 15.23
    KR KRW 1 1800.00 0.00074 1.34
    MX MXN 2 58.62 0.04794 2.81
    NO NOK 3 62.40 0.09984 6.23
    NZ NZD 2 6.08 0.60855 3.70
    PL PLN 2 17.08 0.21077 3.60
    RU RUB 1 53.08 0.01583 0.84
    SE SEK 4 61.60 0.09464 5.83
    TW TWD 1 54.81 0.02664 1.46
    US USD 134 245.16 0.97438 238.88
    LL USD 1 1.69 0.97633 1.65
    WW USD 3 5.44 0.97426 5.30
    AP USD 2 10.00 0.97300 9.73
    """

  static func region(_ line: Substring) -> String {
    let words = line.split(separator: " ")
    return """
      {"regionCurrency": {"regionId": 1, "regionCode": "\(words[0])", "regionName": "\(words[0])",
        "currencyCode": "\(words[1])"}, "financialReportType": "D", "unitsSold": \(words[2]),
        "beginBalance": "", "earned": "\(words[3])", "total": "\(words[3])", "taxesAndFees": "0",
        "withHoldingTax": "0", "withHoldingTaxAndAdjustment": "0.00", "inputTax": "0",
        "inputTaxDetails": [], "adjustmentAmount": "0", "totalOwed": "\(words[3])",
        "exchangeRate": "\(words[4])", "proceeds": "\(words[5])",
        "availableReportTypes": [{"name": "APP_STORE_REPORT"}]}
      """
  }

  static func summary(_ regions: some Sequence<Substring>, amount: String) -> String {
    """
    {"status": "PAID", "returnMessage": null, "amount": "\(amount)", "currency": "EUR",
      "bankName": "A BANK", "maskedBankAccount": "****1234", "isPaymentExpected": false,
      "paidOrExpectingPaymentDate": "2022-07-28T12:00:00Z", "proceedsByRegion": [
    \(regions.map(region).joined(separator: ",\n"))]}
    """
  }

  static func file(_ summaries: String) -> String {
    """
    {"vendorName": "A Company", "sapVendorNumber": 12345678, "lastSoldUnit": 0,
      "reportDate": "2022-06-01T00:00:00Z", "updatedDate": "2022-07-27T00:00:00Z",
      "reportSummaries": [\(summaries)]}

    """
  }

  static let june = file(summary(regions.split(separator: "\n"), amount: "535.01"))
}

@Suite struct PaymentsJSONTests {
  @Test func aSummaryOf28RegionsSumsToItsPayout() throws {
    let outcome = try read(PaymentsJSON.june)
    let reading = outcome.reading
    #expect(reading.kind == .payments && reading.vendor == "12345678")
    #expect(reading.begin == Day("2022-05-29") && reading.end == Day("2022-06-25"))
    #expect(reading.rows == 28 && reading.footers == 1)
    #expect(reading.warnings.isEmpty && reading.diagnostics.isEmpty)
    let (lines, payouts) = (outcome.payments.lines, outcome.payments.payouts)
    #expect(lines.reduce(0) { $0 + ($1.proceeds ?? 0) } == payouts[0].amount)
    #expect(payouts[0].day == Day("2022-07-28") && payouts[0].account == "A BANK-****1234")
    #expect(payouts[0].isPaid && payouts[0].currency == Currency("EUR"))
    let dollars = lines.filter { $0.currency == Currency("USD") }
    #expect(dollars.map(\.region) == ["US", "LL", "WW", "AP"])
    #expect(dollars.map(\.printedRate) == [974_380, 976_330, 974_260, 973_000])
    let rupiah = try #require(lines.first { $0.region == "ID" })
    #expect(rupiah.owed == 26_802_000_000 && rupiah.proceeds == 1_770_000)
    #expect(lines[0].line == 6 && lines[1].line == 13)
  }

  @Test func unpaidSummariesAreBlocksOfTheirOwn() throws {
    let open = PaymentsJSON.summary(["NO NOK 3 62.40 0.1 1.00"], amount: "")
      .replacing("PAID", with: "BELOW_THRESHOLD").replacing("2022-07-28T12:00:00Z", with: "")
    let paid = PaymentsJSON.summary(["AE AED 1 8.90 0.26517 2.36"], amount: "2.36")
    let text = PaymentsJSON.file(paid + "," + unrated(open))
    let payments = try read(text).payments
    #expect(payments.lines.map(\.block) == [0, 1])
    #expect(payments.lines.map(\.proceeds) == [2_360_000, nil])
    #expect(payments.payouts.map(\.amount) == [2_360_000, nil])
    #expect(payments.payouts.map(\.isPaid) == [true, false])
    #expect(payments.payouts.map(\.day) == [Day("2022-07-28"), nil])
  }

  /// What a payment that is to come will bring is not paid.
  @Test(arguments: [("PENDING", 2_360_000), ("PAID", 4_360_000)] as [(String, Int64)])
  func onlyWhatWasPaidIsAddedUp(status: String, paid: Int64) throws {
    let paidSummary = PaymentsJSON.summary(["AE AED 1 8.90 0.26517 2.36"], amount: "2.36")
    let next = PaymentsJSON.summary(["PL PLN 1 8.90 0.22472 2.00"], amount: "2.00")
      .replacing("\"PAID\"", with: "\"\(status)\"")
    let totals = try read(PaymentsJSON.file(next + "," + paidSummary)).reading.totals
    #expect(totals.map(\.proceeds) == [0, paid, 0])
    #expect(totals.map(\.gross) == [8_900_000, 0, 8_900_000])
  }

  @Test(arguments: [
    ("ON_HOLD", "2.36", false, 1), ("NOT_PAID", "-2.36", false, 1), ("PAID", "2.36", false, 0),
    ("PENDING", "2.36", true, 0), ("BELOW_THRESHOLD", "0", false, 0), ("", "2.36", false, 1),
  ]) func `a payment that was neither made nor is expected is told`(
    _ status: String, _ amount: String, _ isExpected: Bool, _ count: Int
  ) throws {
    let summary = PaymentsJSON.summary(["AE AED 1 8.90 0.26517 2.36"], amount: amount)
      .replacing("\"PAID\"", with: "\"\(status)\"")
      .replacing("Expected\": false", with: "Expected\": \(isExpected)")
    let warnings = try read(PaymentsJSON.file(summary)).reading.warnings
    #expect(warnings.count == count)
    guard let warning = warnings.first else { return }
    #expect(
      "\(warning.message.english)".contains("\(amount) EUR was not made and is not expected"))
  }

  /// The region without a rate and proceeds.
  private func unrated(_ summary: String) -> String {
    summary.replacing("\"exchangeRate\": \"0.1\"", with: "\"exchangeRate\": \"\"")
      .replacing("\"proceeds\": \"1.00\"", with: "\"proceeds\": \"\"")
  }

  @Test(arguments: [
    ("\"reportDate\": \"2022-06-01", "\"reportDate\": \"June", "date"),
    ("\"earned\": \"8.90\"", "\"earned\": \"x\"", "amount"),
    ("\"earned\": \"8.90\"", "\"earned\": \"\"", "value"),
    ("\"unitsSold\": 1,", "\"unitsSold\": 1.5,", "units"),
    ("\"amount\": \"535.01\"", "\"amount\": \"much\"", "amount"),
    ("\"currencyCode\": \"AED\"", "\"currencyCode\": \"dirham\"", "currency"),
  ])
  func faultsAreNamed(old: String, new: String, topic: String) throws {
    // The month is missing where the one record is bad: only the first diagnostic counts.
    var found: [String] = []
    do {
      let outcome = try read(
        PaymentsJSON.june.replacing(old, with: new), hints: ReadingHints(date: Day("2022-06-15")))
      found = outcome.reading.diagnostics.map(\.topic)
    } catch let diagnostic as Diagnostic {
      found = [diagnostic.topic]
    }
    #expect(found == [topic])
  }

  @Test func monthsAreNotMixed() throws {
    let july = PaymentsJSON.file("").replacing("2022-06-01", with: "2022-07-01")
    let outcome = try read("[" + PaymentsJSON.june + "," + july + "]")
    #expect(outcome.reading.diagnostics.map(\.topic) == ["date"])
    #expect(outcome.reading.rows == 28)
  }
}
