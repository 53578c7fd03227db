import Billing
import Support
import Testing

@testable import Reading

/// A report of these columns, its rows by column; columns that a row does not name are blank.
private func report(_ header: [String], _ rows: [[String: String]]) -> String {
  ([header] + rows.map { row in header.map { row[$0] ?? " " } })
    .map { $0.joined(separator: "\t") + "\n" }.joined()
}

private let product = [
  "App Name": "Äpp", "App Apple ID": "1", "Subscription Name": "pro", "Subscription Apple ID": "2",
  "Subscription Group ID": "3", "Standard Subscription Duration": "1 Month",
]
private let productNames = [
  "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
  "Subscription Group ID", "Standard Subscription Duration",
]
private let told = SubscriptionProduct(
  appName: "Äpp", appID: "1", name: "pro", id: "2", groupID: "3", duration: "1 Month")

@Suite struct SubscriptionTests {
  static let figures = [
    "Active Standard Price Subscriptions", "Active Free Trial Introductory Offer Subscriptions",
    "Active Pay Up Front Introductory Offer Subscriptions",
    "Active Pay As You Go Introductory Offer Subscriptions",
    "Free Trial Promotional Offer Subscriptions", "Pay Up Front Promotional Offer Subscriptions",
    "Pay As You Go Promotional Offer Subscriptions", "Free Trial Offer Code Subscriptions",
    "Pay Up Front Offer Code Subscriptions", "Pay As You Go Offer Code Subscriptions",
    "Marketing Opt-Ins", "Billing Retry", "Grace Period", "Subscribers",
    "Free Trial Win-back Offers", "Pay Up Front Win-back Offers", "Pay As You Go Win-back Offers",
  ]

  /// Of each kind: the whole reads, and no cut inside its last row.
  @Test(arguments: [
    ["Active Standard Price Subscriptions", "Billing Retry", "Grace Period"],
    ["Event Date", "Event", "Quantity", "Cancellation Reason"],
    ["Event Date", "Subscriber ID", "Refund", "Purchase Date", "Units", "Subscriber ID Reset"],
  ])
  func aReportThatIsCutIsRefused(own: [String]) {
    let header =
      productNames + [
        "Subscription Offer Name", "Promotional Offer ID", "Customer Price", "Customer Currency",
        "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason",
        "Client", "Device", "State", "Country",
      ] + own
    let row = product.merging([
      "Country": "CN", "Device": "iPhone", "Event Date": "2023-06-01", "Event": "Renew",
      "Quantity": "1", "Active Standard Price Subscriptions": "5", "Subscriber ID": "77",
      "Purchase Date": "2023-06-01", "Units": "1",
    ]) { $1 }
    let text = report(header, [row, row])
    func topic(_ text: some StringProtocol) -> String? {
      do {
        _ = try read(String(text), name: "Subscription_1_20230601.txt", hints: ReadingHints())
        return nil
      } catch {
        return (error as? Diagnostic)?.topic
      }
    }
    #expect(topic(text) == nil)
    for cut in [1, 2, 3, 4, 12] { #expect(topic(text.dropLast(cut)) == "cut", "\(cut)") }
    #expect(topic(text.dropLast(4) + "\n") == "cut")
  }

  /// Version, name of the offer's column, and which of the figures it has.
  @Test(arguments: [
    ("1_4", "Subscription Offer Name", Array(0..<17)),
    ("1_3", "Subscription Offer Name", Array(0..<14)),
    ("1_2", "Promotional Offer Name", [0, 1, 2, 3, 4, 5, 6, 10, 11, 12]),
  ])
  func everyVersionReads(version: String, offer: String, columns: [Int]) throws {
    let header =
      productNames + [
        offer, "Promotional Offer ID", "Customer Price", "Customer Currency",
        "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason",
        "Client", "Device", "State", "Country",
      ] + columns.map { Self.figures[$0] }
    #expect(header.count == ["1_4": 35, "1_3": 32, "1_2": 28][version])
    var row = product.merging([
      offer: "Spring", "Promotional Offer ID": "spring", "Customer Price": "25.00",
      "Customer Currency": "CNY", "Developer Proceeds": "17.18", "Proceeds Currency": "CNY",
      "Preserved Pricing": "Yes", "Proceeds Reason": "Rate After One Year", "Device": "iPhone",
      "State": "广西", "Country": "CN",
    ]) { $1 }
    for column in columns where column != 13 { row[Self.figures[column]] = "\(column + 1)" }
    let outcome = try read(report(header, [row, row]), name: "Subscription_85127269_20260218.txt")
    let reading = outcome.reading
    #expect(reading.kind == .subscription && reading.vendor == "85127269" && reading.rows == 2)
    #expect(reading.begin == Day("2026-02-18") && reading.end == Day("2026-02-18"))
    #expect(reading.warnings.isEmpty && reading.diagnostics.isEmpty)
    guard case .subscriptions(let rows) = outcome.blocks[0].rows else {
      Issue.record("no rows of a subscription report")
      return
    }
    let expected = SubscriptionFigure.allCases.map { figure -> Int32? in
      let index = figure.rawValue
      return columns.contains(index) && index != 13 ? Int32(index + 1) : nil
    }
    #expect(rows[1].counts == expected && rows[1].line == 3 && rows[1].terms == 0)
    #expect(
      outcome.blocks[0].newSubscriptionTerms == [
        SubscriptionTerms(
          product: told, offer: SubscriptionOffer(name: "Spring", promotionalID: "spring"),
          price: SubscriptionPrice(
            customerPrice: 25_000_000, customerCurrency: Currency("CNY"), proceeds: 17_180_000,
            proceedsCurrency: Currency("CNY")),
          circumstance: SubscriptionCircumstance(
            preservedPricing: "Yes", proceedsReason: "Rate After One Year", device: "iPhone",
            state: "广西", storefront: Storefront("CN")))
      ])
    let active = 2 * columns.filter { $0 < 10 || $0 > 13 }.reduce(0) { $0 + $1 + 1 }
    #expect(
      outcome.tallies == [
        "active subscriptions \(active)", "subscriptions in billing retry 24",
        "subscriptions in their grace period 26",
      ])
  }

  @Test func aDayThatNothingTellsIsAskedFor() throws {
    let header =
      productNames + ["Customer Price", "Developer Proceeds", "Country", Self.figures[0]]
    let text = report(header, [product.merging(["Country": "CN"]) { $1 }])
    #expect(stop(text)?.help.english.contains("--date") == true)
    let reading = try read(text, hints: ReadingHints(vendor: "7", date: Day("2026-02-18"))).reading
    #expect(reading.begin == Day("2026-02-18") && reading.vendor == "7")
  }

  @Test func eventsRead() throws {
    let header =
      ["Event Date", "Event"] + productNames + [
        "Subscription Offer Type", "Subscription Offer Duration", "Marketing Opt-In",
        "Marketing Opt-In Duration", "Preserved Pricing", "Proceeds Reason",
        "Subscription Offer Name", "Promotional Offer ID", "Consecutive Paid Periods",
        "Original Start Date", "Device", "Client", "State", "Country",
        "Previous Subscription Name", "Previous Subscription Apple ID", "Days Before Canceling",
        "Cancellation Reason", "Days Canceled", "Quantity", "Paid Service Days Recovered",
      ]
    #expect(header.count == 29)
    let row = product.merging([
      "Event Date": "2026-02-18", "Event": "Reactivate with Upgrade",
      "Subscription Offer Type": "Pay as you go", "Subscription Offer Duration": "2 Weeks",
      "Marketing Opt-In": "Yes", "Marketing Opt-In Duration": "1 Month",
      "Subscription Offer Name": "Spring", "Promotional Offer ID": "spring",
      "Consecutive Paid Periods": "11", "Original Start Date": "2025-03-18", "Country": "CHN",
      "Previous Subscription Name": "basic", "Previous Subscription Apple ID": "9",
      "Days Before Canceling": "4", "Cancellation Reason": "Billing issue", "Days Canceled": "3",
      "Quantity": "42", "Paid Service Days Recovered": "5",
    ]) { $1 }
    var late = row
    late["Event Date"] = "2026-02-19"
    let outcome = try read(report(header, [row, row, late]))
    #expect(
      outcome.reading.kind == .subscriptionEvent && outcome.reading.begin == Day("2026-02-18"))
    #expect(outcome.tallies == ["Reactivate with Upgrade 126"])
    guard case .subscriptionEvents(let rows) = outcome.blocks[0].rows else {
      Issue.record("no rows of a subscription event report")
      return
    }
    #expect(rows.map(\.day.description) == ["2026-02-18", "2026-02-18", "2026-02-19"])
    #expect(rows[0].quantity == 42 && rows[0].originalStart == Day("2025-03-18"))
    #expect(rows[0].consecutivePaidPeriods == 11 && rows[0].daysBeforeCanceling == 4)
    #expect(rows[0].daysCanceled == 3 && rows[0].paidServiceDaysRecovered == 5)
    #expect(
      outcome.blocks[0].newSubscriptionEventTerms == [
        SubscriptionEventTerms(
          event: "Reactivate with Upgrade", product: told,
          offer: SubscriptionOffer(
            name: "Spring", promotionalID: "spring", type: "Pay as you go", duration: "2 Weeks"),
          marketingOptIn: "Yes", marketingOptInDuration: "1 Month",
          circumstance: SubscriptionCircumstance(storefront: Storefront("CN")),
          previousName: "basic", previousID: "9", cancellationReason: "Billing issue")
      ])
  }

  /// The columns of 2017.
  @Test func eventsOfTheFirstVersionRead() throws {
    let header = [
      "Event Date", "Event", "App Name", "App Apple ID", "Subscription Name",
      "Subscription Apple ID", "Subscription Group ID", "Subscription Duration", "Trial",
      "Trial Duration", "Country", "Quantity",
    ]
    let row = [
      "Event Date": "2017-02-18", "Event": "Start Free Trial", "Subscription Apple ID": "2",
      "Subscription Duration": "1 Month", "Trial": "Yes", "Trial Duration": "7 Days",
      "Country": "USA", "Quantity": "1",
    ]
    let outcome = try read(report(header, [row]), name: "Subscription_Event_8_20170217.txt.gz")
    #expect(outcome.reading.begin == Day("2017-02-17") && outcome.reading.vendor == "8")
    let terms = try #require(outcome.blocks[0].newSubscriptionEventTerms.first)
    #expect(terms.product.duration == "1 Month" && terms.offer.type == "Yes")
    #expect(terms.offer.duration == "7 Days")
    #expect(terms.circumstance.storefront == Storefront("US"))
  }

  private static let subscriberHeader =
    ["Event Date"] + productNames + [
      "Subscription Offer Name", "Promotional Offer ID", "Subscription Offer Type",
      "Subscription Offer Duration", "Marketing Opt-In Duration", "Customer Price",
      "Customer Currency", "Developer Proceeds", "Proceeds Currency", "Preserved Pricing",
      "Proceeds Reason", "Client", "Device", "Country", "Subscriber ID", "Subscriber ID Reset",
      "Refund", "Purchase Date", "Units",
    ]
  private static let subscriberRow = product.merging([
    "Event Date": "2020-10-05", "Customer Price": "299.00", "Customer Currency": "RUB",
    "Developer Proceeds": "209.30", "Proceeds Currency": "RUB", "Country": "RU",
    "Subscriber ID": "1234567890001", "Units": "1",
  ]) { $1 }

  @Test func subscribersRead() throws {
    #expect(Self.subscriberHeader.count == 26)
    var refund = Self.subscriberRow
    refund["Customer Price"] = "-299.00"
    refund["Refund"] = "Yes"
    refund["Subscriber ID Reset"] = "Yes"
    refund["Purchase Date"] = "2020-09-30"
    var partial = refund
    partial["Units"] = "0"
    let rows = [Self.subscriberRow, Self.subscriberRow, refund, partial]
    let outcome = try read(report(Self.subscriberHeader, rows), name: "Subscriber_8_20201006.txt")
    #expect(outcome.reading.kind == .subscriber && outcome.reading.begin == Day("2020-10-06"))
    #expect(
      outcome.reading.totals == [
        ReadingTotal(
          currency: Currency("RUB"), units: 1, gross: 299_000_000, proceeds: 209_300_000)
      ])
    guard case .subscribers(let found) = outcome.blocks[0].rows else {
      Issue.record("no rows of a subscriber report")
      return
    }
    #expect(found.map(\.terms) == [0, 0, 1, 1] && found.map(\.units) == [1, 1, 1, 0])
    #expect(found[2].purchaseDay == Day("2020-09-30") && found[0].purchaseDay == nil)
    #expect(found[0].subscriber == "1234567890001" && found[0].day == Day("2020-10-05"))
    let terms = outcome.blocks[0].newSubscriberTerms
    #expect(terms.map(\.isRefund) == [false, true] && terms.map(\.isReset) == [false, true])
    #expect(terms[1].price.customerPrice == -299_000_000 && terms[0].product == told)
  }

  @Test(arguments: [
    ("Event Date", "10/05/2020", "date"), ("Event Date", "", "value"), ("Units", "", "value"),
    ("Units", "1.5", "units"), ("Units", "99999999999", "units"), ("Subscriber ID", "", "value"),
    ("Customer Price", "x", "amount"), ("Customer Currency", "", "value"),
    ("Proceeds Currency", "rouble", "currency"), ("Country", "QQ", "storefront"),
    ("Refund", "perhaps", "value"), ("Purchase Date", "yesterday", "date"),
  ])
  func faultsOfRowsAreNamed(column: String, value: String, topic: String) throws {
    var bad = Self.subscriberRow
    bad[column] = value
    let outcome = try read(report(Self.subscriberHeader, [Self.subscriberRow, bad]))
    #expect(outcome.reading.diagnostics.map(\.topic) == [topic] && outcome.reading.rows == 1)
  }

  @Test func columnsAreFoundByNameAndUnknownOnesNamed() throws {
    let header = Array(Self.subscriberHeader.reversed()) + ["New Column"]
    let outcome = try read(report(header, [Self.subscriberRow]))
    #expect(outcome.reading.warnings.map(\.topic) == ["column"] && outcome.reading.rows == 1)
    let missing = Self.subscriberHeader.filter { $0 != "Country" }
    #expect(stop(report(missing, []))?.message.english == "the column country is missing")
  }

  @Test(arguments: [
    ("Subscription_85127269_20260218.txt.gz", "85127269", "2026-02-18"),
    ("a/Subscription_Event_8_20170217 (1).txt", "8", "2017-02-17"),
    ("Subscriber_8_20201006", "8", "2020-10-06"), ("Subscriber_x_20201006", nil, nil),
    ("Subscriber_8_20201306", nil, nil), ("S_D_8_20201006", nil, nil),
  ])
  func namesTell(path: String, vendor: String?, day: String?) {
    let name = SubscriptionReportName(path: path)
    #expect(name?.vendor == vendor && name?.day.description == day)
  }

  @Test func aNameOfAnotherDayIsAWarning() throws {
    let text = report(Self.subscriberHeader, [Self.subscriberRow])
    let day = try #require(try read(text).reading.begin)
    func name(_ day: Day) -> String {
      "Subscriber_8_\(day.description.filter { $0 != "-" }).txt"
    }
    #expect(try read(text, name: name(day)).reading.warnings.isEmpty)
    let next = day.advanced(by: 1)
    #expect(
      try read(text, name: name(next)).reading.warnings.map(\.message.english)
        == ["the name says \(next), the rows are of \(day)"])
  }

  @Test func damageIsSurvived() throws {
    let bytes = Array(report(Self.subscriberHeader, [Self.subscriberRow]).utf8)
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? read(Array(damaged.prefix(Int(random.next() % UInt64(bytes.count + 1)))))
      _ = try? read(damaged)
    }
  }
}
