import Billing
import Foundation
import Support
import Testing

@testable import Reading

/// Files that Apple wrote, where they lie beside the checkout.
@Suite struct SharedDataTests {
  static func folder(_ name: String) -> URL? {
    sharedData(name).map { URL(fileURLWithPath: $0) }
  }

  private func files(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = Self.folder(name) else { return [] }
    let urls = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try urls.sorted { $0.path < $1.path }.map {
      ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
    }
  }

  @Test func realSalesReportsReadWithoutComplaint() throws {
    var rows: [Int] = []
    for file in try files("apple/sales") {
      let outcome = try read(file.bytes, name: file.name)
      #expect((outcome.reading.diagnostics + outcome.reading.warnings).map(describe) == [])
      let lines = file.bytes.split(separator: 0x0A).count
      #expect(outcome.reading.rows == lines - 1)
      rows.append(outcome.reading.rows)
      if file.name.hasPrefix("matisiekpl") {
        let partial = outcome.sales.filter { $0.row.units == 0 }
        #expect(partial.map(\.terms.customerPrice) == [-85_430_000])
        #expect(outcome.reading.begin == Day("2020-10-05"))
      }
    }
    #expect(rows.isEmpty || rows.count == 3)
  }

  /// Vendor, region, fiscal month, rows, totals (rows, amount, units), and the sum of the shares.
  @Test func realFinancialReportsReadExactly() throws {
    let expected = [
      "1212_80134819_1212_AU.txt": "80134819 AU FY2013-P03 2 2 13.97 11 13.97",
      "1212_80134819_1212_CH.txt": "80134819 CH FY2013-P03 4 4 33.15 29 33.15",
      "1212_80134819_1212_DK.txt": "80134819 DK FY2013-P03 1 1 23.73 3 23.73",
      "1212_80134819_1212_IN.txt": "80134819 IN FY2013-P03 1 1 77 1 77",
      "1212_80134819_1212_JP.txt": "80134819 JP FY2013-P03 2 2 179 2 179",
      "1212_80134819_1212_MX.txt": "80134819 MX FY2013-P03 1 1 18.2 1 18.2",
      "example_45545510_0914_CH.txt": "45545510 CH FY2014-P12 4 4 33.15 29 33.15",
      // Its rows were edited: they have 19 units.
      "example_45545510_0914_EU.txt": "45545510 EU FY2014-P12 6 6 206.89 20 206.89",
      "example_45545510_0914_JP.txt": "45545510 JP FY2014-P12 2 2 179 2 179",
      "stubs_reports_finances_financial.tsv": " US FY2022-P01 2 2 34.65 6 34.65",
    ]
    for file in try files("apple/finance") {
      let outcome = try read(file.bytes, name: file.name)
      let reading = outcome.reading
      let told = (reading.diagnostics + reading.warnings).map(\.message.english)
      let contradiction = "Total_Units is 20, its rows come to 19"
      #expect(told == (file.name.contains("0914_EU") ? [contradiction] : []), "\(file.name)")
      #expect(reading.kind == .finance && reading.footers == 3)
      var totals = ["?", "?", "?"]
      for footer in outcome.footers {
        switch footer {
        case .rows(let rows): totals[0] = "\(rows)"
        case .amount(let amount, nil): totals[1] = decimalText(micros: amount)
        case .units(let units): totals[2] = "\(units)"
        default: totals.append("\(footer)")
        }
      }
      let shares = outcome.finance.reduce(0) { $0 + $1.row.extended }
      let month = try FiscalMonth(containing: #require(reading.end))
      let found =
        "\(reading.vendor) \(reading.region) \(month) \(reading.rows) "
        + totals.joined(separator: " ") + " " + decimalText(micros: shares)
      let key = try #require(expected.keys.first { file.name.hasSuffix($0) }, "\(file.name)")
      #expect(found == expected[key])
      if key.contains("0914_EU") {
        #expect(outcome.finance.reduce(0) { $0 + $1.row.quantity } == 19)
        #expect(outcome.finance[0].terms.isReturn && outcome.finance[0].terms.share == 12_170_000)
      }
    }
  }

  @Test func realDetailReadsWhole() throws {
    for file in try files("apple/finance_detail") {
      let outcome = try read(file.bytes, name: file.name)
      let reading = outcome.reading
      #expect((reading.diagnostics + reading.warnings).map(describe) == [])
      #expect(reading.kind == .financeDetail && reading.region == "Z1" && reading.rows == 76)
      #expect(reading.begin == Day("2025-11-02") && reading.end == Day("2025-11-29"))
      let rows = outcome.finance
      #expect(rows.allSatisfy { $0.row.settlementDay.map { $0 >= Day("2025-11-02")! } == true })
      let early = rows.filter { $0.row.transactionDay.map { $0 < Day("2025-11-02")! } == true }
      #expect(early.compactMap(\.row.transactionDay?.description).sorted().first == "2025-10-26")
      let partial = rows.filter { $0.row.quantity == -1 }.map(\.terms.share).sorted()
      #expect(partial.first == 11_340_000 && partial.contains(14_210_000))
      let totals = Dictionary(
        uniqueKeysWithValues: reading.totals.map {
          ($0.currency?.code ?? "", decimalText(micros: $0.proceeds))
        })
      #expect(totals["AUD"] == "50.98" && totals["BRL"] == "14.78")
    }
  }

  /// Month, lines, sum of what was earned, sum of the proceeds, and the payout.
  @Test func realPaymentsSumToTheirPayouts() throws {
    let expected = [
      "1212_factors.txt": "FY2013-P03 15 347.96",
      "example_financial_report.csv": "FY2014-P12 3 234.58 = 234.58 EUR FICTIONAL BANK -****1299",
      "financial_report_2015-07.csv": "FY2015-P10 8 46.42 = 46.42 EUR FANTASY BANK-****1234",
    ]
    for file in try files("apple/payments") {
      let outcome = try read(
        file.bytes, name: file.name, hints: ReadingHints(date: Day("2012-12-15")))
      #expect(outcome.reading.diagnostics.isEmpty)
      let payments = outcome.payments
      let month = try FiscalMonth(containing: #require(outcome.reading.end))
      let sum = payments.lines.reduce(0) { $0 + ($1.proceeds ?? 0) }
      var found = "\(month) \(payments.lines.count) \(decimalText(micros: sum))"
      for payout in payments.payouts {
        found += " = \(decimalText(micros: payout.amount ?? 0)) "
        found += "\(payout.currency?.code ?? "-") \(payout.account)"
      }
      let key = try #require(expected.keys.first { file.name.hasSuffix($0) }, "\(file.name)")
      #expect(found == expected[key])
      let regions = payments.lines.map(\.region)
      switch key {
      case "example_financial_report.csv": #expect(regions == ["CH", "EU", "JP"])
      case "1212_factors.txt":
        #expect(regions.count(where: \.isEmpty) == 1)
        #expect(payments.lines[6].withholding == -37_000_000)
      default: #expect(regions == ["AU", "CA", "CN", "EU", "GB", "NO", "SE", "US"])
      }
    }
  }

  @Test func realSubscriptionReportsRead() throws {
    let expected: [String: (InputKind, Int, [String])] = [
      "subscribers.tsv": (.subscriber, 48, []),
      "subscriptions-events.tsv": (
        .subscriptionEvent, 49,
        [
          "Billing Retry from Introductory Offer 4", "Billing Retry from Paid Subscription 6",
          "Cancel 14", "Canceled from Billing Retry 21", "Renew 24",
          "Renewal from Billing Retry 2", "Start Introductory Offer 46", "Subscribe 2",
          "Upgrade 1",
        ]
      ),
      "subscriptions.tsv": (
        .subscription, 49, ["active subscriptions 292", "subscriptions in billing retry 112"]
      ),
    ]
    for file in try files("apple/subscription") {
      let name = String(file.name.split(separator: "_").last ?? "")
      let outcome = try read(
        file.bytes, name: file.name, hints: ReadingHints(date: Day("2020-10-05")))
      let reading = outcome.reading
      #expect((reading.diagnostics + reading.warnings).map(describe) == [], "\(file.name)")
      let (kind, rows, tallies) = try #require(expected[name], "\(file.name)")
      #expect(reading.kind == kind && reading.rows == rows && outcome.tallies == tallies)
      #expect(reading.begin == Day("2020-10-05"))
    }
  }

  @Test func receiptsOfPublicProjectsRead() throws {
    var found: [String: (kind: InputKind, transactions: Int, renewals: Int, sandbox: Int)] = [:]
    for folder in ["receipts", "notifications_v1"] {
      for file in try files("purchases/\(folder)") {
        let outcome = try read(file.bytes, name: file.name)
        #expect(outcome.reading.diagnostics.map(describe) == [], "\(file.name)")
        #expect(outcome.reading.rows == 1)
        let ids = outcome.transactions.map { $0.text($0.row.transactionID) }
        #expect(Set(ids).count == ids.count, "\(file.name)")
        let name = file.name.split(separator: "_").suffix(2).joined(separator: "_")
        found[name] = (
          outcome.reading.kind, ids.count, outcome.renewals.count,
          outcome.transactions.filter(\.terms.isSandbox).count
        )
      }
    }
    let expected: [String: (kind: InputKind, transactions: Int, renewals: Int, sandbox: Int)] = [
      "receipt_response.json": (.receipts, 43, 1, 43),
      "receipt_info.json": (.receipts, 5, 0, 5),
      "autorenew_subscription.json": (.receipts, 2, 0, 2),
      "subscription_expired.json": (.receipts, 2, 0, 2),
      "json_invalid.json": (.receipts, 0, 0, 0), "json_offline.json": (.receipts, 0, 0, 0),
      "json_sandboxed.json": (.receipts, 1, 0, 1), "json_valid.json": (.receipts, 1, 0, 0),
      "valid_application.json": (.receipts, 2, 0, 2),
      "fixtures_server-notification.json": (.notifications, 54, 1, 0),
    ]
    for (name, file) in found {
      #expect(expected[name].map { $0 == file } == true, "\(name): \(file)")
    }
  }

  /// What each file comes to: its transactions, or why it is refused.
  @Test func signedPayloadsOfPublicProjectsAreJudged() throws {
    guard
      let root = sharedData(
        "purchases/certificates/apple__app-store-server-library-swift__testCA.der")
    else { return }
    let older = try Data(contentsOf: URL(fileURLWithPath: root))
    var hints = ReadingHints(roots: [[UInt8](older)], bundleIDs: ["com.example"])
    if let pem = sharedData(
      "purchases/certificates/apple__app-store-server-library-java__testCA.pem")
    {
      let text = try String(contentsOfFile: pem, encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
      hints.roots.append([UInt8](Data(base64Encoded: lines) ?? Data()))
    }
    let expected = [
      "missingX5CHeaderClaim": "chain", "renewalInfo": "unknown", "testNotification": "TEST",
      "transactionInfo": "unknown", "wrongBundleId": "expired", "legacyTransaction": "kind",
      "getNotificationHistoryResponse": "form", "getRefundHistoryResponse": "form",
      "signedConsumptionRequestNotification": "CONSUMPTION_REQUEST",
      "signedNotification": "SUBSCRIBED",
      "signedRenewalInfo": "renewal", "signedSummaryNotification": "RENEWAL_EXTENSION",
      "signedTransaction": "transaction", "signedTransactionWithRevocation": "transaction",
      "transactionHistoryResponse": "form", "test-notification-signed-payload": "TEST",
    ]
    for file in try files("purchases/signed") {
      let last = file.name.split(separator: "_").last.map(String.init) ?? ""
      let name = last.replacing(".json", with: "")
      let found: String
      do {
        let outcome = try read(file.bytes, name: file.name, hints: hints)
        found = outcome.messages.first?.terms.type ?? outcome.reading.diagnostics[0].topic
      } catch let diagnostic as Diagnostic {
        found = diagnostic.topic
      }
      #expect(found == expected[name], "\(file.name)")
    }
  }

  @Test func notificationSignedByAppleIsTaken() throws {
    for file in try files("purchases/signed") where file.name.hasPrefix("imdhemy") {
      let outcome = try read(file.bytes, name: file.name)
      #expect(outcome.reading.diagnostics.map(describe) == [])
      #expect(outcome.messages.map(\.terms.type) == ["TEST"])
      #expect(outcome.messages.map(\.terms.factSource) == [.signed])
    }
  }

  @Test func decodedModelsAreRead() throws {
    for file in try files("purchases/signed")
    where file.name.hasSuffix("signedTransactionWithRevocation.json") {
      let outcome = try read(file.bytes, name: file.name)
      let (row, terms, text) = try #require(outcome.transactions.first)
      #expect(
        terms
          == TransactionTerms(
            factSource: .unsigned, sku: "com.example.product", bundleID: "com.example",
            kind: .autoRenewable, unitPrice: 10_990_000, currency: Currency("USD"),
            storefront: Storefront("US"), isTrial: false, isIntro: true, isUpgraded: true,
            ownership: .purchased, environment: .sandbox, revocationReason: "1",
            revocationType: .prorated, revocationPercentage: 50_000, offer: .introductory,
            subscriptionGroup: "55555"))
      #expect(row.revokedAt?.seconds == 1_698_148_950 && text(row.transactionID) == "23456")
      #expect(outcome.tallies.contains("unsigned payloads 1"))
    }
  }
}
