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
      #expect((outcome.reading.objections + outcome.reading.warnings).map(describe) == [])
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

  @Test(arguments: ["finance", "finance_detail", "payments", "subscription"])
  func reportsOfLaterVersionsAreNamed(folder: String) throws {
    for file in try files("apple/\(folder)") {
      let objection = stop(file.bytes, name: file.name)
      #expect(objection?.topic == "kind", "\(file.name)")
    }
  }

  @Test func receiptsOfPublicProjectsRead() throws {
    var found: [String: (kind: InputKind, transactions: Int, renewals: Int, sandbox: Int)] = [:]
    for folder in ["receipts", "notifications_v1"] {
      for file in try files("purchases/\(folder)") {
        let outcome = try read(file.bytes, name: file.name)
        #expect(outcome.reading.objections.map(describe) == [], "\(file.name)")
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
      "transactionInfo": "unknown", "wrongBundleId": "bundle", "legacyTransaction": "kind",
      "getNotificationHistoryResponse": "form", "getRefundHistoryResponse": "form",
      "signedConsumptionRequestNotification": "CONSUMPTION_REQUEST",
      "signedNotification": "SUBSCRIBED",
      "signedRenewalInfo": "renewal", "signedSummaryNotification": "RENEWAL_EXTENSION",
      "signedTransaction": "transaction", "signedTransactionWithRevocation": "transaction",
      "transactionHistoryResponse": "form", "test-notification-signed-payload": "bundle",
    ]
    for file in try files("purchases/signed") {
      let last = file.name.split(separator: "_").last.map(String.init) ?? ""
      let name = last.replacing(".json", with: "")
      let found: String
      do {
        let outcome = try read(file.bytes, name: file.name, hints: hints)
        found = outcome.messages.first?.terms.type ?? outcome.reading.objections[0].topic
      } catch let objection as Objection {
        found = objection.topic
      }
      #expect(found == expected[name], "\(file.name)")
    }
  }

  @Test func notificationSignedByAppleIsTaken() throws {
    for file in try files("purchases/signed") where file.name.hasPrefix("imdhemy") {
      let outcome = try read(file.bytes, name: file.name)
      #expect(outcome.reading.objections.map(describe) == [])
      #expect(outcome.messages.map(\.terms.type) == ["TEST"])
      #expect(outcome.messages.map(\.terms.witness) == [.signed])
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
            witness: .unsigned, sku: "com.example.product", bundleID: "com.example",
            kind: .autoRenewable, unitPrice: 10_990_000, currency: Currency("USD"),
            storefront: Storefront("US"), isTrial: false, isIntro: true, isUpgraded: true,
            ownership: .purchased, environment: .sandbox, revocationReason: "1",
            revocationType: .prorated, revocationPercentage: 50_000, offer: .introductory,
            subscriptionGroup: "55555"))
      #expect(row.revokedAt?.seconds == 1_698_148_950 && text(row.transactionID) == "23456")
      #expect(outcome.tallies.contains("not signed 1"))
    }
  }
}
