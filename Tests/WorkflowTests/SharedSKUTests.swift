import Billing
import Conclusions
import Foundation
import Ledger
import Matching
import Support
import Testing
import Workflow

/// Goal: a product is an SKU within an app, wherever prices, coins, units and findings hang on it.
/// Method: months of a few purchases of apps that share an SKU.
@Suite struct SharedSKUTests {
  private static let both = [
    "gems.2,consumable,2,15,com.first,,,", "gems.2,consumable,10,16,com.second,,,",
  ]

  private func month(
    _ products: [String], _ sales: [AppsMonth.Sale] = [.first, .second],
    _ purchases: [AppsMonth.Purchase] = [.first, .second]
  ) throws -> AppsMonth {
    let month = try AppsMonth()
    if !products.isEmpty { try month.products(products) }
    try month.report("80000001", sales)
    try month.purchases(purchases)
    return month
  }

  @Test func `each app has its own tier`() throws {
    let month = try month(Self.both)
    #expect(try month.complaints() == [])
    let result = try month.reconcile()
    #expect(result.matchedUnits == 2 && result.unmatchedUnits == 0)
    #expect(
      result.products.map { "\(AppProduct($0.sku).sku) \($0.app)" }.sorted()
        == ["gems.2 com.first", "gems.2 com.second"])
  }

  @Test func `two vendors, each with its app`() throws {
    let month = try AppsMonth()
    try month.products(Self.both)
    try month.report("80000001", [.first])
    try month.report("80000002", [.second])
    try month.purchases([.first, .second])
    #expect(try month.complaints() == [])
  }

  @Test func `a wrong price is found in the app that has it`() throws {
    var wrong = AppsMonth.Sale.first
    (wrong.price, wrong.proceeds) = ("9.99", "7.00")
    var purchase = AppsMonth.Purchase.first
    purchase.price = "9.99"
    let month = try month(Self.both, [wrong, .second], [purchase, .second])
    #expect(
      try month.complaints() == [
        "price-mismatch gems.2 (com.first)", "price-not-in-tier gems.2 (com.first)",
      ])
  }

  @Test func `units of one app do not stand for those of another`() throws {
    // Apple has two units of the first app, the ledger one of each.
    let month = try month(Self.both, [.first, .first])
    #expect(
      try month.complaints() == [
        "not-in-ledger gems.2 (com.first)", "not-in-report gems.2 (com.second)",
      ])
  }

  @Test func `three apps, one of them known by Apple's identifier alone`() throws {
    let third = AppsMonth.Sale(item: "17", parent: "third", price: "4.99", proceeds: "3.50")
    var month = try month(
      Self.both + ["gems.2,consumable,5,17,,,,"], [.first, .second, third],
      [.first, .second, .init(id: 3, bundle: "com.third", price: "4.99")])
    month.settings.bundleIDs = ["com.first", "com.second", "com.third"]
    // No table says that the bundle is the one of Apple's identifier 17.
    let result = try month.reconcile()
    #expect(try month.complaints() == [])
    #expect(result.matchedUnits == 3)
    let untold = try #require(result.basis.absences.first { $0.kind == .apps })
    #expect(untold.names == ["gems.2"])
  }

  @Test func `an SKU that is a coin in one app and a subscription in another`() throws {
    let sale = AppsMonth.Sale(
      item: "16", parent: "com.second", price: "2.99", proceeds: "2.10", type: "IAY")
    var bought = AppsMonth.Purchase.second
    (bought.price, bought.kind) = ("2.99", "auto_renewable")
    let month = try month(
      ["gems.2,consumable,2,15,com.first,,,", "gems.2,auto_renewable,2,16,com.second,,vip,"],
      [.first, sale], [.first, bought])
    #expect(try month.complaints() == [])
  }

  @Test func `coins and days of a change are each app's own`() throws {
    let products = [
      "gems.2,consumable,10,15,com.first,60,,", "gems.2,consumable,2,15,com.first,20,,2023-06-10",
      "gems.2,consumable,2,16,com.second,20,,", "gems.2,consumable,10,16,com.second,99,,2023-06-11",
    ]
    var (first, second) = (AppsMonth.Purchase.first, AppsMonth.Purchase.second)
    (first.coins, second.coins) = ("20", "99")
    #expect(try month(products, [.first, .second], [first, second]).complaints() == [])
    second.coins = "20"
    #expect(
      try month(products, [.first, .second], [first, second]).complaints()
        == ["coins-mismatch gems.2 (com.second)"])
  }

  @Test func `a row without a bundle is of the app that has none of its own`() throws {
    var month = try month([
      "gems.2,consumable,2,,,,,", "gems.2,consumable,10,16,com.second,,,",
    ])
    month.settings.bundleIDs = ["com.first", "com.second"]
    #expect(try month.complaints() == [])
  }

  @Test func `orders need not tell the app where transactions do`() throws {
    var (first, second) = (AppsMonth.Purchase.first, AppsMonth.Purchase.second)
    (first.orderBundle, second.orderBundle) = ("", "")
    #expect(try month(Self.both, [.first, .second], [first, second]).complaints() == [])
    second.price = "1.99"
    #expect(
      try month(Self.both, [.first, .second], [first, second]).complaints()
        == [
          "price-differs gems.2 (com.second)", "price-mismatch gems.2 (com.second)",
        ])
  }

  @Test func `transactions need not tell the app where orders do`() throws {
    var (first, second) = (AppsMonth.Purchase.first, AppsMonth.Purchase.second)
    (first.orderBundle, second.orderBundle) = (first.bundle, second.bundle)
    (first.bundle, second.bundle) = ("", "")
    let month = try month(Self.both, [.first, .second], [first, second])
    #expect(try month.complaints() == [])
    #expect(try month.reconcile().basis.absences.allSatisfy { $0.kind != .apps })
  }

  @Test func `where nobody tells the app, units are compared over all, and it is said`() throws {
    var (first, second) = (AppsMonth.Purchase.first, AppsMonth.Purchase.second)
    (first.bundle, second.bundle) = ("", "")
    let month = try month(Self.both, [.first, .second], [first, second])
    #expect(try month.complaints() == [])
    #expect(try month.reconcile().basis.absences.contains { $0.kind == .apps })
  }

  @Test func `without a catalogue, Apple's rows tell the apps`() throws {
    let month = try month([])
    #expect(try month.complaints() == [])
    #expect(try month.reconcile().products.count == 2)
  }

  @Test func `a catalogue without identifiers leads to Apple's rows by the app's SKU`() throws {
    let month = try month([
      "gems.2,consumable,2,,com.first,,,", "gems.2,consumable,10,,com.second,,,",
    ])
    #expect(try month.complaints() == [])
    #expect(try month.reconcile().basis.absences.allSatisfy { $0.kind != .apps })
  }

  @Test func `one of the apps alone is reconciled`() throws {
    var month = try month(Self.both, [.first])
    month.settings.bundleIDs = ["com.first"]
    #expect(try month.complaints() == ["bundle-mismatch gems.2 (com.second)"])
  }

  @Test func `what was accepted stays accepted when a second app comes`() throws {
    let month = try AppsMonth()
    try month.products([Self.both[0]])
    try month.report("80000001", [.first, .first])
    try month.purchases([.first])
    let before = try month.reconcile()
    #expect(recordFindings(of: before, in: month.folder.ledger) == nil)
    let finding = try #require(before.findings.first { $0.code == .notInLedger })
    #expect(finding.sku == "gems.2" && finding.formerID == nil)
    _ = try remark(
      RemarkRequest(
        ledgerPath: month.folder.ledger, action: .accept, findings: [finding.id], assignee: "",
        reason: "known", by: "ann", at: Day("2023-07-06")!.startUTC))
    try month.products([Self.both[1]], name: "second.csv")
    try month.report("80000002", [.second, .second])
    try month.purchases([.second], name: "2")
    let after = try month.reconcile()
    let open = after.findings.filter { $0.code == .notInLedger }
    #expect(
      open.map { "\(AppProduct($0.sku!).app!) \($0.isAccepted)" }.sorted()
        == ["com.first true", "com.second false"])
    let kept = try #require(open.first { $0.isAccepted })
    #expect(kept.id != finding.id && kept.formerID == finding.id && kept.work?.change == nil)
    #expect(recordFindings(of: after, in: month.folder.ledger) == nil)
    let said = try findingsUnderWork(ledgerPath: month.folder.ledger, period: nil)
    #expect(said.map(\.id) == [kept.id] && said[0].state == .accepted)
    let counted = try Ledger.reading(month.folder.ledger) { try $0.openFindings() }
    #expect(counted.filter { $0.code == .notInLedger }.count == 1)
    // It was the first app's: the second's is another finding, even of the same figures.
    #expect(open.first { !$0.isAccepted }?.work == nil)
  }

  @Test func `facts that changed meanwhile bring the first app's finding back`() throws {
    let month = try AppsMonth()
    try month.products([Self.both[0]])
    try month.report("80000001", [.first, .first])
    try month.purchases([.first])
    let before = try month.reconcile()
    #expect(recordFindings(of: before, in: month.folder.ledger) == nil)
    let finding = try #require(before.findings.first { $0.code == .notInLedger })
    _ = try remark(
      RemarkRequest(
        ledgerPath: month.folder.ledger, action: .accept, findings: [finding.id], assignee: "",
        reason: "known", by: "ann", at: Day("2023-07-06")!.startUTC))
    try month.products([Self.both[1]], name: "second.csv")
    try month.report("80000001", [.first, .first, .first, .second, .second])
    try month.purchases([.second], name: "2")
    let open = try month.reconcile().findings.filter { $0.code == .notInLedger }
    #expect(
      open.map { "\(AppProduct($0.sku!).app!) \($0.work?.state.rawValue ?? "-")" }.sorted()
        == ["com.first reopened", "com.second -"])
  }

  @Test func `explain shows the apps of an SKU apart`() throws {
    let month = try month(Self.both, [.first, .first, .second])
    func cells(_ id: String) throws -> [String] {
      try explain(
        ExplainRequest(
          ledgerPath: month.folder.ledger, id: id, settings: month.settings,
          asOf: Day("2023-09-01")!)
      ).compactMap(\.cell?.account).map {
        "\(AppProduct($0.sku).app ?? "-") \($0.sales.reported) \($0.sales.counted)"
      }
    }
    #expect(try cells("US/gems.2/2023-06-12") == ["com.first 2 1", "com.second 1 1"])
    #expect(try cells("US/gems.2 (com.second)/2023-06-12") == ["com.second 1 1"])
  }

  @Test func `an offer in Apple's row is the price of the day`() throws {
    let products = ["gems.2,auto_renewable,5,15,com.first,,vip,"]
    func complaints(_ offer: String, order: String = "2.50") throws -> [String] {
      let sale = AppsMonth.Sale(
        item: "15", parent: "com.first", price: "2.50", proceeds: "1.75", type: "IAY",
        offer: offer)
      var bought = AppsMonth.Purchase.first
      (bought.price, bought.kind) = (order, "auto_renewable")
      return try month(products, [sale], [bought]).complaints()
    }
    #expect(try complaints("Win-back Offer") == [])
    #expect(try complaints("CODE-2023") == [])
    #expect(try complaints("") == ["price-mismatch gems.2", "price-not-in-tier gems.2"])
    // Another price than the offer's has no row that names one.
    #expect(
      try complaints("Win-back Offer", order: "2.00")
        == ["price-differs gems.2", "price-mismatch gems.2"])
  }
}
