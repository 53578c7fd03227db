import Billing
import Foundation
@testable import Simulation
import Testing

/// Goal: months of which Apple's messages have a part are the same months, and the messages are
/// well-formed and agree. Method: the files are read back with Foundation alone and compared with
/// the company's complete table of the same seed.
@Suite struct AppleMessagesTests {
  static func parameters(share: Double, faults: Int = 0) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = 31
    parameters.orders = 1000
    parameters.dayRule = .territory
    parameters.faults = SimulationParameters.everyFault()
    parameters.appleShare = share
    parameters.appleFaults = SimulationParameters.everyAppleFault(faults)
    return parameters
  }

  /// Truth, orders and Apple's reports do not depend on where transactions can be read.
  @Test(arguments: [0.1, 0.5, 1]) func theTruthIsTheSame(share: Double) throws {
    let complete = try WrittenMonth(Self.parameters(share: 0))
    let month = try WrittenMonth(Self.parameters(share: share))
    var truth = month.truth
    let counts = try #require(truth.counts.apple)
    #expect(
      truth.counts.transactions + counts.transactionsOnlyHere == complete.truth.counts.transactions)
    truth.counts = complete.truth.counts
    #expect(truth == complete.truth)
    for name in complete.names where name.hasPrefix("S_D") || name.hasPrefix("orders") {
      #expect(try month.bytes(name) == complete.bytes(name), "\(name)")
    }
    #expect(SimulatedMonth(Self.parameters(share: share)).truth == month.truth)
  }

  @Test(arguments: [0.3, 1]) func everyTransactionIsObservedSomewhere(share: Double) throws {
    let complete = try WrittenMonth(Self.parameters(share: 0)).rows
    let month = try WrittenMonth(Self.parameters(share: share))
    let rows = Set(try month.rows.keys)
    let observed = Set(try month.observed.map(\.id))
    #expect(rows.union(observed) == Set(complete.keys))
    let part = Double(observed.subtracting(rows).count) / Double(complete.count)
    #expect(abs(part - share) < 0.04)
    #expect(!rows.intersection(observed).isEmpty || share == 1)
  }

  /// Whatever is observed of a transaction, wherever and how often, is what the complete table
  /// says.
  @Test func observationsAgree() throws {
    let complete = try WrittenMonth(Self.parameters(share: 0)).rows
    let month = try WrittenMonth(Self.parameters(share: 0.6))
    var priced: Set<String> = []
    for observed in try month.observed {
      let row = try #require(complete[observed.id])
      for (name, value) in observed.fields {
        let said = row[name] ?? ""
        // The company lacks some prices, and a state was observed before what changed it.
        if said.isEmpty, ["unit_price", "currency", "storefront"].contains(name) { continue }
        #expect(said == value, "\(name) of \(observed.id)")
      }
      for name in ["is_trial", "is_intro", "expires_at", "web_order_line_item_id"] {
        #expect(row[name] == observed.fields[name, default: ""], "\(name) of \(observed.id)")
      }
      if observed.isSigned { priced.insert(observed.id) }
    }
    #expect(priced.count > 120)
    // A revocation is observed in the end, where the company's table does not have it.
    let rows = try month.rows
    let revoked = Set(try month.observed.filter { $0.fields["revoked_at"] != nil }.map(\.id))
    for (id, row) in complete where row["revoked_at"] != "" && rows[id] == nil {
      #expect(revoked.contains(id))
    }
  }

  @Test func messagesRepeatAndFail() throws {
    let month = try WrittenMonth(Self.parameters(share: 1, faults: 2))
    let payloads = try month.notificationsV2.map { try SignedText($0).object }
    let uuids = payloads.compactMap { $0["notificationUUID"] as? String }
    #expect(Set(uuids).count < uuids.count)
    let nulls = try month.signed.filter { try SignedText($0).payload == Data("null".utf8) }
    #expect(nulls.count == 1)
    let responses = try month.objects("receipts").map { $0["response"] as? [String: Any] ?? $0 }
    let statuses = Set(responses.compactMap { $0["status"] as? Int })
    #expect(statuses.isSuperset(of: [0, 21007]))
    #expect(!statuses.isDisjoint(with: [21002, 21005, 21003, 21199]))
    #expect(responses.contains { ($0["receipt"] as? [String: Any])?["in_app"] != nil })
    #expect(responses.contains { ($0["receipt"] as? [String: Any])?["bid"] != nil })
    let wrapped = try month.objects("receipts").filter { $0["response"] != nil }
    #expect(wrapped.contains { $0["order_id"] is String && $0["user_id"] is String })
    let types = Set(payloads.compactMap { $0["notificationType"] as? String })
    #expect(types.isSuperset(of: ["SUBSCRIBED", "DID_RENEW", "ONE_TIME_CHARGE", "REFUND"]))
    let first = try month.objects("notifications-v1").map { $0["body"] as? [String: Any] ?? $0 }
    let old = Set(first.compactMap { $0["notification_type"] as? String })
    #expect(old.isSuperset(of: ["INITIAL_BUY", "DID_RENEW", "REFUND"]))
    let pages = try month.answers.map { ($0["signedTransactions"] as? [String] ?? []).count }
    #expect(pages.allSatisfy((1...20).contains) && pages.contains(20))
  }

  /// A receipt that names its order carries the order's transaction, the latest of its SKU.
  @Test func receiptsNameTheOrderOfTheirLatest() throws {
    let complete = try WrittenMonth(Self.parameters(share: 0)).rows
    let month = try WrittenMonth(Self.parameters(share: 1))
    var named = 0
    for line in try month.objects("receipts") {
      guard let order = line["order_id"] as? String,
        let response = line["response"] as? [String: Any]
      else { continue }
      let observed = try WrittenMonth.elements(of: response)
        .map { try ReadBackTransaction(receipt: $0) }
      guard !observed.isEmpty else { continue }
      let owner = try #require(observed.first { complete[$0.id]?["order_id"] == order })
      let same = observed.filter { $0.fields["sku"] == owner.fields["sku"] }
      let latest = same.compactMap { $0.fields["purchased_at"] }.max()
      #expect(owner.fields["purchased_at"] == latest)
      let arrival = try #require(line["received_at"] as? String)
      #expect(arrival >= latest ?? "")
      named += 1
    }
    #expect(named > 50)
  }

  @Test func filesOfOneDayEach() throws {
    var parameters = Self.parameters(share: 0.3, faults: 1)
    parameters.split = true
    let names = try WrittenMonth(parameters).names
    for name in ["receipts-2023-06-01.jsonl", "history-2023-06-10.json", "apple-test-root.pem"] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(!names.contains("receipts.jsonl"))
    #expect(names.contains { $0.hasPrefix("notifications-v2-2023-06-") })
  }

  @Test func faultsBetweenSourcesAddTheirFindings() throws {
    let base = try WrittenMonth(Self.parameters(share: 0.2))
    let month = try WrittenMonth(Self.parameters(share: 0.2, faults: 2))
    let more = month.truth.expected.filter { !base.truth.expected.contains($0) }
    #expect(base.truth.expected.allSatisfy(month.truth.expected.contains))
    let codes = Dictionary(grouping: more, by: \.code).mapValues(\.count)
    #expect(
      codes == [
        .sourcesContradict: 2, .refundNotReversed: 2, .productMismatch: 2, .subscriptionShared: 2,
        .renewalGap: 6, .taxDiffers: 2, .bundleMismatch: 1,
      ])
    let observed = Set(try month.observed.map(\.id))
    #expect(more.flatMap(\.transactionIDs).allSatisfy(observed.contains))
    let responses = try month.objects("receipts").map { $0["response"] as? [String: Any] ?? $0 }
    let items = responses.compactMap { ($0["receipt"] as? [String: Any])?["item_id"] as? String }
    #expect(items.count { $0 == "1987654321" } == 2)
    let pending = responses.flatMap { $0["pending_renewal_info"] as? [[String: Any]] ?? [] }
    #expect(pending.contains { $0["is_in_billing_retry_period"] as? String == "1" })
    let types = try month.notificationsV2.compactMap {
      try SignedText($0).object["notificationType"] as? String
    }
    #expect(types.count { $0 == "REFUND_REVERSED" } == 2)
    #expect(types.contains("DID_FAIL_TO_RENEW"))
  }
}
