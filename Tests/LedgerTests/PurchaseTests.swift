import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// What Apple told, from blocks into the ledger and back.
struct PurchaseTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }
  private let june = Day("2023-06-01")!.startUTC.seconds

  private func block(
    _ transactions: [TransactionFact], as kind: InputKind = .receipts,
    messages: [(type: String, uuid: String)] = [("verifyReceipt", "")],
    renewals: [(original: String, at: Int64, terms: RenewalTerms)] = []
  ) -> FactBlock {
    var maker = BlockMaker()
    let inner = maker.block(transactions)
    guard case .transactions(var rows) = inner.rows else { preconditionFailure() }
    for index in rows.indices {
      rows[index].observedAt = transactions[index].told.map(Instant.init)
      rows[index].line = transactions[index].line
    }
    var text = inner.text
    func slice(_ id: String) -> TextSlice {
      if id.isEmpty { return .none }
      defer { text += Array(id.utf8) }
      return TextSlice(start: UInt32(text.count), count: UInt32(id.utf8.count))
    }
    let told = PurchaseRows(
      messages: messages.enumerated().map { index, message in
        MessageRow(
          line: Int32(index + 1), terms: Int32(index), uuid: slice(message.uuid), orderID: .none,
          userID: .none, observedAt: Instant(seconds: june))
      },
      transactions: rows,
      renewals: renewals.enumerated().map { index, renewal in
        RenewalRow(
          line: 1, terms: Int32(index), originalTransactionID: slice(renewal.original),
          observedAt: Instant(seconds: renewal.at), graceExpiresAt: Instant(seconds: renewal.at + 9)
        )
      })
    var block = FactBlock(rows: .purchases(kind, told))
    block.text = text
    block.newTransactionTerms = inner.newTransactionTerms
    block.newMessageTerms = messages.map { MessageTerms(factSource: .receipt, type: $0.type) }
    block.newRenewalTerms = renewals.map(\.terms)
    return block
  }

  @Test func rowsComeBackAsTheyWereTold() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let full = TransactionTerms(
      factSource: .signed, sku: "monthly", bundleID: "com.example", kind: .autoRenewable,
      quantity: 2,
      unitPrice: 4_990_000, currency: Currency("USD"), storefront: Storefront("US"), isTrial: false,
      isIntro: true, isUpgraded: true, ownership: .purchased, environment: .production,
      revocationReason: "1", revocationType: .prorated, revocationPercentage: 33_333,
      isRefundReversed: true, offer: .winBack, itemID: "1001", appItemID: "2002",
      subscriptionGroup: "g")
    let renewal = RenewalTerms(
      factSource: .signed, sku: "monthly", nextSKU: "yearly", willRenew: false, expirationIntent: 2,
      isInBillingRetry: true)
    let told = block(
      [
        TransactionFact(
          id: "1", original: "1", webOrderLineItem: "9", user: "u", purchased: june, expires: june,
          revoked: june + 5, terms: full, told: june + 7),
        TransactionFact(
          id: "2", purchased: june + 1, terms: TransactionTerms(factSource: .receipt, sku: "gems")),
      ],
      as: .notifications, messages: [("SUBSCRIBED", "caeda1df-0000"), ("DID_RENEW", "")],
      renewals: [("1", june + 3, renewal)])
    try ledger.load("told.jsonl", .notifications, [told])
    let facts = try ledger.facts(purchases: june - 100...june + 100)
    #expect(facts.transactionTerms == [full, TransactionTerms(factSource: .receipt, sku: "gems")])
    #expect(facts.transactions.map(\.key) == [IDKey("1"), IDKey("2")])
    #expect(
      facts.observations.map(\.row) == [1] && facts.observations.map(\.at) == [UInt32(june + 7)])
    #expect(facts.renewalTerms == [renewal])
    #expect(facts.renewals.map(\.original) == [IDKey("1")])
    #expect(facts.renewals[0].graceExpiresAt == UInt32(june + 12))
    #expect(try ledger.inputs().map(\.rows) == [2])
    #expect(
      try ledger.resolveTransactions([1, 2]).map(\.source.file) == ["told.jsonl", "told.jsonl"])
    let types = try scratch.rows(
      "SELECT type || ' ' || ifnull(uuid, '') FROM v_message ORDER BY id")
    #expect(types == ["SUBSCRIBED caeda1df-0000", "DID_RENEW "])
    let renewals = try scratch.rows("SELECT source || ' ' || next_sku FROM v_renewal")
    #expect(renewals == ["told.jsonl:1 yearly"])
  }

  /// What is said beside a transaction stays with it, though rows are put in another order.
  @Test func extrasStayWithTheirTransactions() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let signed = TransactionTerms(factSource: .signed, sku: "yearly", kind: .autoRenewable)
    var told = block(
      [
        TransactionFact(id: "3", original: "1", purchased: june + 60, terms: signed, told: june),
        TransactionFact(id: "2", original: "1", purchased: june, terms: signed, told: june),
      ], as: .history)
    guard case .purchases(let kind, var rows) = told.rows else { preconditionFailure() }
    var terms = ExtraTerms()
    (terms.offerID, terms.billingPeriod, terms.billingPeriods) = ("back", 3, 12)
    rows.extras = [
      ExtraRow(
        terms: 0, appTransactionID: .none, requestReference: .none,
        commitmentEndsAt: Instant(seconds: june + 900))
    ]
    rows.transactions[0].extra = 1
    var item = AdvancedItem(extra: 1, place: 1, sku: "part", name: "A part")
    item.price = 4_500_000
    var refund = AdvancedItemRefund(extra: 1, place: 1, reason: "OTHER", type: "PRORATED")
    refund.amount = 500_000
    (rows.items, rows.itemRefunds) = ([item], [refund])
    told.rows = .purchases(kind, rows)
    told.newExtraTerms = [terms]
    try ledger.load("history.json", .history, [told])
    let seen = try scratch.rows(
      """
      SELECT transaction_id || ' ' || ifnull(offer_id || ' ' || billing_period, '-')
      FROM v_transaction ORDER BY id
      """)
    #expect(seen == ["2 -", "3 back 3"])
    let items = try scratch.rows(
      """
      SELECT transaction_id || ' ' || sku || ' ' || price_text || ' ' || source FROM v_item
      UNION ALL SELECT transaction_id || ' ' || sku || ' ' || amount_text || ' ' || source
      FROM v_item_refund UNION ALL SELECT items FROM v_transaction WHERE transaction_id = 3
      """)
    #expect(items == ["3 part 4.50 history.json:1", "3 part 0.50 history.json:1", "part 4.50"])
    #expect(try ledger.facts(purchases: june...june + 100).toldTaxes.isEmpty)
    let known = try ledger.facts(purchases: june...june + 100).instalments
    #expect(known.map(\.number) == [3] && known.map(\.key) == [IDKey("3")])
    #expect(known.map(\.original) == [IDKey("1")] && known[0].purchasedAt == UInt32(june + 60))
    // A commitment that ended before the period, and a purchase after it, are no matter of it.
    #expect(try ledger.facts(purchases: june + 901...june + 999).instalments.isEmpty)
    #expect(try ledger.facts(purchases: june - 99...june + 59).instalments.isEmpty)
    _ = try ledger.forget("history.json", lastClosed: 0)
    let left = try ledger.read { db in
      try Int.fetchOne(
        db, sql: "SELECT (SELECT count(*) FROM item_row) + (SELECT count(*) FROM item_refund_row)")
    }
    #expect(left == 0)
  }

  /// Taxes of the times that are asked for, and no others.
  @Test func toldTaxesAreThoseOfTheirTimes() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let signed = TransactionTerms(factSource: .signed, sku: "gems")
    var told = block(
      (1...3).map {
        TransactionFact(id: "\($0)", purchased: june + 60 * Int64($0), terms: signed, told: june)
      }, as: .history)
    guard case .purchases(let kind, var rows) = told.rows else { preconditionFailure() }
    var (taxed, other) = (ExtraTerms(), ExtraTerms())
    (taxed.taxCode, taxed.estimatedTax, other.reason) = ("S01", 2_000_000, "PURCHASE")
    rows.extras = [0, 0, 1].map {
      ExtraRow(
        terms: $0, appTransactionID: .none, requestReference: .none, commitmentEndsAt: nil)
    }
    for index in 0..<3 { rows.transactions[index].extra = Int32(index + 1) }
    told.rows = .purchases(kind, rows)
    told.newExtraTerms = [taxed, other]
    try ledger.load("history.json", .history, [told])
    let all = try ledger.facts(purchases: june...june + 1000).toldTaxes
    #expect(all.map(\.key) == [IDKey("1"), IDKey("2")])
    #expect(all.map(\.tax) == [2_000_000, 2_000_000] && all[0].priceWithoutTax == nil)
    #expect(all[0].taxCode == "S01" && all[0].purchasedAt == UInt32(june + 60))
    #expect(
      try ledger.facts(purchases: june + 100...june + 130).toldTaxes.map(\.key) == [IDKey("2")])
  }

  /// A token is a UUID: in capitals it is the same.
  @Test func tokensAreOneInAnyCase() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let token = "6b1f0a3e-0000-4000-8000-00000000000a"
    try ledger.load("orders.csv", [OrderFact(id: "O1", token: token.uppercased(), placed: june)])
    try ledger.load(
      "transactions.csv", [TransactionFact(id: "1", token: token, purchased: june)])
    #expect(try ledger.orderDetails([1]).map(\.token) == [IDKey(token)])
    #expect(try ledger.transactionDetails([1]).map(\.token) == [IDKey(token)])
  }

  @Test func aReceiptKnowsItsSizeAndMonthsLieApart() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var facts: [TransactionFact] = []
    for receipt in 0..<20 {
      for month in 0..<5 {
        facts.append(
          TransactionFact(
            id: "\(receipt * 10 + month)", order: "O\(receipt)",
            purchased: june + Int64(month) * 40 * 86_400 + Int64(receipt), told: june,
            line: Int32(receipt + 1)))
      }
    }
    facts.append(TransactionFact(id: "999", purchased: june, told: june, line: 21))
    try ledger.load("receipts.jsonl", .receipts, [block(facts)])
    try ledger.load(
      "transactions.csv", [TransactionFact(id: "7000", purchased: june + 40 * 86_400)])
    let blocks = try ledger.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM transaction_block WHERE source_id = 1")!
    }
    #expect(blocks >= 5)
    let second = try ledger.facts(
      purchases: june + 39 * 86_400...june + 41 * 86_400)
    #expect(second.transactions.count == 21)
    #expect(second.transactions.map(\.row) == second.transactions.map(\.row).sorted())
    #expect(
      second.observations.count == 20 && second.observations.allSatisfy { $0.receiptSize == 5 })
    let first = try ledger.facts(purchases: june...june + 100)
    #expect(first.observations.filter { $0.receiptSize == 0 }.count == 1)
    // The rows of other months are found by their orders.
    let found = try ledger.transactions(
      keys: [IDKey("13")], claiming: [IDKey("O3")],
      outside: Instant(seconds: june)...Instant(seconds: june + 100))
    #expect(found.count == 5)
    #expect(try ledger.observations(found.map(\.row)).count == 5)
    #expect(try ledger.transactions(rows: found.map(\.row)).map(\.key) == found.map(\.key))
  }

  /// Of a period, and whoever told it first; what was bought earlier and taken back in it is none.
  @Test func rowsThatNameNoUserAreNoted() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load(
      "r.jsonl", .receipts,
      [block([TransactionFact(id: "11", purchased: june + 5, told: june)])])
    let company = [
      TransactionFact(id: "11", user: "u", purchased: june + 5),
      TransactionFact(id: "12", purchased: june + 6),
      TransactionFact(id: "13", purchased: june - 90, revoked: june + 7),
      TransactionFact(id: "14", purchased: june + 200),
    ]
    var maker = BlockMaker()
    try ledger.load("t.csv", .transactions, [maker.block(company)])
    let facts = try ledger.facts(purchases: june...june + 100)
    let told = Dictionary(uniqueKeysWithValues: facts.transactions.map { ($0.row, $0.key) })
    #expect(told.count == 4)
    #expect(facts.unnamedTransactions.map { told[$0] } == [IDKey("11"), IDKey("12")])
    #expect(facts.unnamedTransactions == facts.unnamedTransactions.sorted())
  }
}
