import Billing
import Matching
import Support
import Testing

/// Goal: what an order's finding and a report's finding say of one purchase has one cause and one
/// amount, and nobody is told to take goods back from a customer who paid. Method: worlds of a few
/// rows, and worlds of random trade in which receipts are lost and orders forged.
@Suite struct SharedCausesTests {
  private func joined(_ world: World) -> [UnresolvedFinding] {
    let tieOut = world.tieOut()
    var (orders, sales) = (tieOut.orders, tieOut.sales)
    var causes = SharedCauses(tieOut.book)
    causes.join(&orders, &sales)
    return orders + sales.findings
  }

  private func told(_ findings: [UnresolvedFinding], _ code: FindingCode) throws
    -> UnresolvedFinding
  {
    try #require(findings.first { $0.code == code })
  }

  private func saysKeep(_ finding: UnresolvedFinding) -> Bool {
    finding.action?.english.hasPrefix("remove nothing") == true
  }

  @Test func `an order whose unit Apple reports was probably paid`() throws {
    let world = World {
      $0.reports()
      $0.order("O1")
      $0.sale()
    }
    let findings = joined(world)
    let order = try told(findings, .orderWithoutTransaction)
    #expect(order.amount == nil && order.severity == .warning && saysKeep(order))
    #expect(order.explanation.english.contains("probably paid, receipt lost"))
    let report = try told(findings, .notInLedger)
    #expect(report.amount == amount("30.00"))
    #expect(report.explanation.english.contains("1 order of this product has no transaction"))
  }

  /// Placed when it cannot be that unit, of another product, elsewhere, or at another price.
  @Test(arguments: [
    ("2023-06-12T12:00:00", "gems", "CN", "30.00", false),
    ("2023-06-09T20:00:00", "gems", "CN", "30.00", false),
    ("2023-06-10T12:00:00", "chest", "CN", "68.00", false),
    ("2023-06-10T12:00:00", "gems", "JP", "600", false),
    ("2023-06-10T12:00:00", "gems", "CN", "25.00", true),
    ("2023-06-10T05:00:00", "gems", "CN", "30.00", true),
    ("2023-06-10T00:30:00", "gems", "CN", "30.00", false),
    ("2023-06-11T07:04:00", "gems", "CN", "30.00", true),
    ("2023-06-11T07:06:00", "gems", "CN", "30.00", false),
  ])
  func `only an order that may be the unit is kept`(
    _ time: String, _ sku: String, _ storefront: String, _ price: String, _ isKept: Bool
  ) throws {
    let world = World {
      $0.reports()
      $0.order(
        "O1", sku: sku, at: time, price: price, currency: storefront == "JP" ? "JPY" : "CNY",
        storefront: storefront)
      $0.sale()
    }
    let order = try told(joined(world), .orderWithoutTransaction)
    #expect(saysKeep(order) == isKept)
    // At another price it may be the unit, but it is not its money.
    #expect((order.amount == nil) == (isKept && price == "30.00"))
  }

  @Test func `of more orders than units none is taken back unasked, and each unit counts once`() {
    let world = World {
      $0.reports()
      for number in 0..<3 { $0.order("O\(number)", at: "2023-06-10T1\(number):00:00") }
      $0.sale(units: 2)
    }
    let orders = joined(world).filter { $0.code == .orderWithoutTransaction }
    #expect(orders.allSatisfy(saysKeep))
    #expect(orders.compactMap(\.amount) == [-amount("30.00")])
  }

  @Test func `refunds and orders that contradict are told of each other`() throws {
    let reversed = World {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T12:00:00", status: .fulfilled)
      $0.sale()
    }
    let standing = try told(joined(reversed), .refundNotReversed)
    #expect(standing.action?.english.contains("before any item is removed") == true)
    #expect(standing.amount == nil)
    let lost = World {
      $0.reports()
      $0.pair("1", status: .refunded)
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    }
    let findings = joined(lost)
    #expect(
      try told(findings, .refundedNotByApple).explanation.english
        .contains("probably refunded, notification lost"))
    // The purchase that was refunded is named.
    #expect(try told(findings, .refundNotInLedger).transactions.count == 1)
    let phantom = World {
      $0.reports()
      $0.transaction("T1")
    }
    let purchase = try told(joined(phantom), .transactionWithoutOrder)
    #expect(purchase.action?.english.hasPrefix("look it up on Apple's server") == true)
  }

  /// Every lost receipt is kept and no forged order whose unit nobody reports; the money of both
  /// levels together is that of what really differs.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `in random trade the lost receipts are kept`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World { world in
      world.reports()
      world.settings.dayBoundary[Storefront("CN")!] = Zones.named("America/Los_Angeles")
    }
    var (lost, forged) = (Set<OrderRow.ID>(), Set<OrderRow.ID>())
    var due: Int64 = 0
    for number in 0..<300 {
      // Each fault has a product and a day of its own, other trade is anywhere.
      let day = world.period.first.advanced(by: 1 + number % 26)
      let time = text(
        UInt32(day.startUTC.seconds) + UInt32.random(in: 30_000...80_000, using: &random))
      let row = OrderRow.ID(number + 1)
      switch number {
      case 0..<20:
        world.order("O\(number)", at: time)
        world.sale(on: "\(day)")
        lost.insert(row)
        due += amount("30.00")
      case 26..<46:
        world.order("O\(number)", sku: "chest", at: time, price: "68.00")
        forged.insert(row)
        due -= amount("68.00")
      default:
        world.pair("\(number)", at: time)
        world.sale(on: "\(day)")
      }
    }
    let findings = joined(world)
    let kept = findings.filter(saysKeep).flatMap(\.orders)
    #expect(Set(kept) == lost)
    let others = findings.filter { $0.code == .orderWithoutTransaction && !saysKeep($0) }
    #expect(Set(others.flatMap(\.orders)) == forged)
    #expect(findings.reduce(0) { $0 + ($1.amount ?? 0) } == due)
    var again = world.shuffled(&random)
    again.asOf = world.asOf
    let words = joined(again).map { again.line($0) + $0.explanation.english }.sorted()
    #expect(words == findings.map { world.line($0) + $0.explanation.english }.sorted())
  }

  // MARK: - Advice that follows what the ledger knows

  /// A finding whose usual advice would be wrong, and what is advised instead.
  struct Advised: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: FindingCode
    /// How the action begins, and what the explanation has.
    var action: String
    var explanation: String
    var build: @Sendable (inout World) -> Void

    init(
      _ name: String, _ code: FindingCode, _ action: String, because explanation: String = "",
      build: @escaping @Sendable (inout World) -> Void
    ) {
      (testDescription, self.code, self.action) = (name, code, action)
      (self.explanation, self.build) = (explanation, build)
    }
  }

  static let refundCases: [Advised] = [
    Advised(
      "refunded, and no order", .transactionWithoutOrder, "deliver nothing: Apple refunded",
      because: "30.00 CNY at 2023-06-10T12:00:30Z and refunded the full price at 2023-06-12"
    ) { $0.transaction("T1", revoked: "2023-06-12T12:00:00") },
    Advised(
      "refunded in part, and no order", .transactionWithoutOrder, "deliver nothing before",
      because: "refunded 30%"
    ) { world in
      world.transaction("T1", revoked: "2023-06-12T12:00:00") {
        ($0.revocationType, $0.revocationPercentage) = (.prorated, 30_000)
      }
    },
    Advised(
      "reversed, and no order", .transactionWithoutOrder, "look up the transaction on Apple"
    ) {
      $0.transaction("T1", revoked: "2023-06-12T12:00:00") { $0.isRefundReversed = true }
    },
    Advised(
      "another quantity, refunded", .quantityMismatch, "deliver nothing: Apple refunded it",
      because: "Apple refunded the full price"
    ) {
      $0.order("O1", .refunded, transaction: "T1")
      $0.transaction("T1", quantity: 3, revoked: "2023-06-12T12:00:00")
    },
    Advised("another product, refunded", .productMismatch, "deliver nothing: Apple refunded it") {
      $0.order("O1", .cancelled, transaction: "T1")
      $0.transaction("T1", sku: "chest", price: "68.00", revoked: "2023-06-12T12:00:00")
    },
    Advised(
      "another quantity, kept", .quantityMismatch, "compare the transaction on Apple's server"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", quantity: 3)
    },
    Advised("a share refunded", .refundNotReversed, "confirm the share", because: "30%") { world in
      world.order("O1", transaction: "T1")
      world.transaction("T1", revoked: "2023-06-12T12:00:00") {
        ($0.revocationType, $0.revocationPercentage) = (.prorated, 30_000)
      }
    },
    Advised("a share that is not told", .refundNotReversed, "confirm the share") { world in
      world.order("O1", transaction: "T1")
      world.transaction("T1", revoked: "2023-06-12T12:00:00") { $0.revocationType = .prorated }
    },
    Advised(
      "the whole price refunded", .refundNotReversed,
      "confirm on Apple's server that the transaction is refunded"
    ) {
      $0.pair("1", revoked: "2023-06-12T12:00:00", status: .fulfilled)
    },
    Advised("cancelled", .chargedNotFulfilled, "ask why the order was cancelled") {
      $0.pair("1", status: .cancelled)
    },
    Advised("created", .chargedNotFulfilled, "look up the transaction on Apple's") {
      $0.pair("1", status: .created)
    },
    Advised(
      "charged, and Apple reports a refund", .chargedNotFulfilled, "look at Apple's refunds",
      because: "possibly this purchase"
    ) {
      $0.pair("1", status: .created)
      $0.reports()
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    },
    Advised(
      "charged, and Apple's refund has its order", .chargedNotFulfilled,
      "look up the transaction on Apple's"
    ) {
      $0.pair("1", status: .created)
      $0.pair("2", at: "2023-06-11T12:00:00", status: .refunded)
      $0.reports()
      $0.sale()
      $0.sale(on: "2023-06-11")
      $0.sale(on: "2023-06-12", units: -1)
    },
  ]

  static let sideCases: [Advised] = [
    Advised(
      "tried again 40 s later", .chargedNotFulfilled, "deliver nothing: look up the other order",
      because: "40 s apart"
    ) {
      $0.order("O1", .created, transaction: "T1", user: "u")
      $0.transaction("T1")
      $0.order("O2", at: "2023-06-10T12:00:40", user: "u")
    },
    Advised("the second try", .orderWithoutTransaction, "remove nothing: probably") {
      $0.order("O1", .cancelled, transaction: "T1", user: "u")
      $0.transaction("T1")
      $0.order("O2", at: "2023-06-10T12:50:00", user: "u")
    },
    Advised("a try two hours later", .orderWithoutTransaction, "look for the payment of") {
      $0.order("O1", .created, transaction: "T1", user: "u")
      $0.transaction("T1")
      $0.order("O2", at: "2023-06-10T14:00:00", user: "u")
    },
    Advised("another user's", .orderWithoutTransaction, "look for the payment of") {
      $0.order("O1", .created, transaction: "T1", user: "u")
      $0.transaction("T1")
      $0.order("O2", at: "2023-06-10T12:00:40", user: "v")
    },
    Advised("another product's", .chargedNotFulfilled, "look up the transaction on Apple's") {
      $0.order("O1", .created, transaction: "T1", user: "u")
      $0.transaction("T1")
      $0.order("O2", sku: "chest", at: "2023-06-10T12:00:40", price: "68.00", user: "u")
    },
    Advised("nobody's", .chargedNotFulfilled, "look up the transaction on Apple's") {
      $0.order("O1", .created, transaction: "T1")
      $0.transaction("T1")
      $0.order("O2", at: "2023-06-10T12:00:40")
    },
    Advised(
      "a purchase before its user's order", .transactionWithoutOrder, "deliver nothing before",
      because: "1 h apart"
    ) {
      $0.transaction("T1", at: "2023-06-10T12:00:00", user: "u")
      $0.order("O1", at: "2023-06-10T13:00:00", user: "u")
    },
    Advised("its order", .orderWithoutTransaction, "remove nothing: the transaction named") {
      $0.transaction("T1", at: "2023-06-10T12:00:00", user: "u")
      $0.order("O1", at: "2023-06-10T13:00:00", user: "u")
    },
    Advised(
      "a day without a report", .orderWithoutTransaction, "remove nothing: Apple's report",
      because: "no report of 2023-06-10 to show"
    ) {
      $0.reports("2023-05-31", "2023-06-09")
      $0.reports("2023-06-11")
      $0.order("O1", at: "2023-06-10T20:00:00")
    },
    Advised("a day with its report", .orderWithoutTransaction, "look for the payment of") {
      $0.reports()
      $0.order("O1", at: "2023-06-10T20:00:00")
    },
    Advised(
      "coins per unit", .coinsMismatch, "check the delivery log",
      because: "for 3 units: the column may have coins per unit"
    ) {
      $0.order("O1", transaction: "T1", quantity: 3, coins: 60)
      $0.transaction("T1", quantity: 3)
    },
    Advised("a word of the company's", .wordUnknown, "a code of your own") { world in
      world.order("O1", transaction: "T1")
      world.transaction("T1") { $0.unknownWords = "environment \"2\"" }
    },
    Advised("a word of Apple's", .wordUnknown, "look it up") { world in
      world.order("O1", transaction: "T1")
      world.transaction("T1", told: "2023-06-11T00:00:00") {
        ($0.factSource, $0.unknownWords) = (.signed, "environment \"Moon\"")
      }
    },
    Advised("a report that is not due", .reportMissing, "wait until 2023-06-30") { world in
      world.reports("2023-05-31", "2023-06-27")
      world.asOf = Day("2023-06-29")!
      world.pair("1", at: "2023-06-28T20:00:00")
    },
    Advised("a smaller version", .reportRestated, "the newer version is short by 2 units") {
      world in
      world.reports()
      world.restate(by: -2)
    },
    Advised("a larger version", .reportRestated, "compare both") { world in
      world.reports()
      world.restate(by: 2)
    },
  ]

  static let nameCases: [Advised] = [
    Advised(
      "cancelled, and fulfilled", .chargedNotFulfilled, "deliver nothing before the delivery log",
      because: "status is cancelled, yet it was fulfilled at 2023-06-10T12:01:00Z"
    ) {
      $0.order("O1", .cancelled, transaction: "T1", saysFulfilled: true)
      $0.transaction("T1")
    },
    Advised(
      "created, and fulfilled", .chargedNotFulfilled, "deliver nothing before the delivery log",
      because: "yet it was fulfilled at"
    ) {
      $0.order("O1", .created, transaction: "T1", saysFulfilled: true)
      $0.transaction("T1")
    },
    Advised(
      "the price of all units", .priceMismatch, "check with one order whether",
      because: "order price 90.00 CNY; Apple 30.00 CNY: exactly the price of 3 units"
    ) {
      $0.order("O1", transaction: "T1", price: "90.00", quantity: 3, coins: 180)
      $0.transaction("T1", quantity: 3)
    },
    Advised(
      "the tier's price of all units", .priceMismatch, "check with one order whether",
      because: "exactly the price of 2 units"
    ) {
      $0.order("O1", transaction: "T1", price: "60.00", quantity: 2, coins: 120)
      $0.transaction("T1", price: nil, currency: nil, quantity: 2)
    },
    Advised("the price of more units", .priceMismatch, "check the order's price") {
      $0.order("O1", transaction: "T1", price: "120.00", quantity: 3, coins: 180)
      $0.transaction("T1", quantity: 3)
    },
    Advised(
      "another product", .productMismatch, "compare what the customer",
      because: "the order names gems, Apple's transaction chest"
    ) {
      $0.order("O1", transaction: "T1")
      $0.transaction("T1", sku: "chest", price: "68.00")
    },
    Advised(
      "the shop's own SKUs", .productMismatch, "compare one order of each pair",
      because: "7 orders have SKUs that Apple does not have, each beside one of Apple's: "
        + "GOLD = gems (4), BOX = chest (3)"
    ) {
      for number in 0..<4 { $0.named("\(number)", "GOLD", "gems") }
      for number in 4..<7 { $0.named("\(number)", "BOX", "chest") }
    },
    Advised(
      "the shop's own name of its app", .bundleMismatch, "if they are one app, map it",
      because: "1234567890 = ours (3)"
    ) {
      $0.settings.bundleIDs = ["ours"]
      for number in 0..<3 { $0.named("\(number)", of: "1234567890", in: "ours") }
    },
    Advised(
      "line totals on both sides", .priceDiffers, "check where the ledger's price",
      because: "90.00 CNY in the ledger, 3 times Apple's: it may be a line total"
    ) {
      $0.reports()
      $0.order("O1", transaction: "T1", price: "90.00", quantity: 3, coins: 180)
      $0.transaction("T1", price: "90.00", quantity: 3)
      $0.sale(units: 3)
    },
  ]

  /// Both levels of a world as a reconciliation concludes them.
  private func concluded(_ world: World) -> [UnresolvedFinding] {
    let (book, details) = world.claims()
    let tieOut = world.tieOut()
    var (orders, sales) = (tieOut.orders, tieOut.sales)
    var gaps = InputGaps(book, details, world.context)
    gaps.group(&orders, &sales)
    RetriedOrders(book, details).join(&orders)
    var causes = SharedCauses(book)
    causes.join(&orders, &sales)
    return orders + sales.findings
  }

  @Test(arguments: refundCases + sideCases + nameCases)
  func `advice follows what the ledger knows`(_ advised: Advised) throws {
    let world = World(advised.build)
    let finding = try told(concluded(world), advised.code)
    let action = (finding.action ?? finding.code.action).english
    #expect(action.hasPrefix(advised.action), "\(action)")
    #expect(
      finding.explanation.english.contains(advised.explanation), "\(finding.explanation.english)")
  }

  /// Purchases and orders that only stand alone because a side is not there are one finding, by
  /// which nobody delivers anything or takes it back; single ones stay what they are.
  @Test(arguments: [
    ("no orders", "no orders loaded: 24 purchases", 0, 0),
    ("no transactions", "no transactions loaded: 24 orders", 0, 0),
    ("half", "orders and transactions hardly match: 24 purchases without an order", 0, 0),
    ("clock", "orders and transactions hardly match", 0, 0),
    ("storefront", "24 purchases without an order and 0 orders", 0, 0),
    ("first days", "6 purchases without an order and 0 orders", 18, 0),
    ("faults", "", 19, 0),
  ])
  func `a side that is not there is one finding`(
    _ what: String, _ words: String, _ alone: Int, _ unpaid: Int
  ) {
    let world = World { world in
      world.reports()
      for number in 0..<24 {
        let time = later("2023-06-10T00:00:00", Int64(number) * 36_000)
        let abroad = what == "storefront"
        if what == "faults" ? number < 19 : what != "no transactions" {
          world.transaction(
            "T\(number)", at: time, price: abroad ? "4.99" : "30.00",
            currency: abroad ? "USD" : "CNY", storefront: abroad ? "US" : "CN",
            user: what == "clock" ? "u\(number)" : "")
        }
        if what == "clock" || what == "no transactions" {
          world.order("O\(number)", at: later(time, 28_800), user: "u\(number)")
        }
      }
      let start = what == "faults" ? "2023-06-09T12:00:00" : "2023-06-12T12:00:00"
      let pairs = ["half": 10, "storefront": 40, "first days": 40, "faults": 40][what] ?? 0
      for number in 0..<pairs {
        world.pair(
          "P\(number)", sku: "chest", at: later(start, Int64(number) * 21_600))
      }
    }
    let findings = concluded(world)
    #expect(findings.count { $0.code == .transactionWithoutOrder } == alone)
    #expect(findings.count { $0.code == .orderWithoutTransaction } == unpaid)
    let gaps = findings.filter { $0.code == .inputsInsufficient }
    #expect(gaps.count == (words.isEmpty ? 0 : 1))
    for gap in gaps {
      #expect(gap.explanation.english.contains(words), "\(gap.explanation.english)")
      #expect(gap.action?.english.contains("deliver and remove nothing") == true)
    }
  }
}

extension World {
  /// Has a report of the month replaced by one with so many more units.
  fileprivate mutating func restate(by units: Int64) {
    let change = Restatement.Change(
      storefront: Storefront("CN")!, currency: Currency("CNY")!, sku: "gems", units: units,
      gross: 0)
    facts.restatements.append(
      Restatement(
        begin: Day("2023-06-10")!, end: Day("2023-06-10")!, vendor: "8", oldFile: "a.tsv",
        newFile: "b.tsv", changes: [change]))
  }
}
