import Billing
import Conclusions
import Foundation
import Reporting
import Simulation
import Testing
import Workflow
@testable import Matching

/// Goal: what orders and transactions do not tell is said first and once, and nobody is blamed for
/// what only follows from it. Method: simulated months, clean and with faults, whose tables are
/// written anew without a column, or with some of its cells blank.
@Suite struct LeftOutColumnsTests {
  struct Month: CustomTestStringConvertible, Sendable {
    /// Columns as `orders.storefront`.
    var without: [String]
    /// What is said to be missing.
    var says: [Absence.Kind] = []
    /// The share of transactions that only Apple tells.
    var appleShare = 0.0
    var rule = DayRule.pacific
    var testDescription: String {
      "without \(without), \(appleShare) told by Apple, \(rule.rawValue)"
    }
  }

  private static func both(_ column: String) -> [String] {
    ["orders." + column, "transactions." + column]
  }

  /// Each optional column of orders, of transactions and of both that a month can do without, and
  /// what it cannot.
  static let months: [Month] =
    [
      "orders.unit_price", "orders.currency", "orders.quantity", "orders.user_id",
      "orders.app_account_token", "orders.bundle_id", "orders.paid_at", "orders.fulfilled_at",
      "orders.coins", "transactions.storefront", "transactions.currency",
      "transactions.quantity", "transactions.kind", "transactions.user_id",
      "transactions.app_account_token", "transactions.bundle_id", "transactions.order_id",
      "transactions.web_order_line_item_id", "transactions.expires_at", "transactions.is_trial",
      // Apple's rows name the offers.
      "transactions.is_intro",
    ].map { Month(without: [$0]) }
    + [
      Month(without: both("app_account_token")), Month(without: both("bundle_id")),
      Month(without: both("currency")),
      Month(without: both("storefront"), says: [.storefronts]),
      Month(without: both("storefront"), says: [.storefronts], rule: .territory),
      Month(
        without: both("storefront") + both("currency") + both("unit_price"),
        says: [.storefronts, .prices]),
      Month(without: ["orders.storefront"], says: [.storefronts]),
      Month(without: ["orders.storefront"], says: [.storefronts], appleShare: 0.5),
      Month(without: ["orders.storefront"], says: [.storefronts], appleShare: 0.9),
      Month(without: both("storefront"), says: [.storefronts], rule: .local),
      Month(without: ["orders.transaction_id"], says: [.ids]),
      Month(without: both("quantity"), says: [.quantities]),
      Month(without: both("unit_price"), says: [.ownPrices]),
      Month(without: both("user_id"), says: [.users]),
      Month(without: ["orders.channel"], says: [.channels]),
      Month(without: ["transactions.revoked_at"], says: [.revocations]),
      Month(without: ["transactions.original_transaction_id"], says: [.originals, .prices]),
      Month(without: ["transactions.ownership"], says: [.environments, .prices]),
      Month(without: ["transactions.environment"], says: [.environments]),
    ]

  @Test(arguments: months) func itIsSaidOnceAndFirst(_ month: Month) throws {
    var parameters = SimulationParameters()
    parameters.seed = 21
    parameters.orders = 3000
    parameters.dayRule = month.rule
    parameters.appleShare = month.appleShare
    let run = try Self.run(parameters, month.without)
    #expect(run.result.basis.absences.map(\.kind) == month.says)
    // These are said of others' findings, or of what matching made up for.
    let grouped = month.says.filter { ![.channels, .ids, .prices].contains($0) }
    let rest = run.result.findings.filter { $0.code != .inputsInsufficient }
    #expect(run.result.findings.count - rest.count == grouped.count)
    #expect(Set(rest.map(\.code)) == (month.says == [.channels] ? [.orderWithoutTransaction] : []))
    for bridge in run.result.bridges { #expect(bridge.unexplained.isZero) }
    let text = reconciliationSummary(run.result, workbook: nil)
    let head = text.components(separatedBy: "In money")[0]
    #expect(head.contains("Missing") == !month.says.isEmpty)
    for absence in run.result.basis.absences {
      for column in absence.names { #expect(head.contains(column), "\(head)") }
    }
  }

  /// Where neither transactions nor Apple's rows tell that a price is introductory, that is said,
  /// and no order is blamed for its price.
  @Test func offersThatNobodyTellsAreSaidOnce() throws {
    var parameters = SimulationParameters()
    parameters.seed = 21
    parameters.orders = 3000
    parameters.gzip = false
    let inputs = try SimulatedInputs(parameters)
    try BrokenInput(.column("is_intro"), in: "transactions").apply(in: inputs.path)
    for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path)
    where name.hasPrefix("S_D_") {
      let path = inputs.path + "/" + name
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("Pay As You Go Intro Offer", with: " ")
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
    let run = try SimulatedRun(inputs)
    #expect(run.result.basis.absences.map(\.kind) == [.offers])
    #expect(run.result.findings.count { $0.code == .inputsInsufficient } == 1)
    #expect(!run.result.findings.contains { $0.code == .priceMismatch })
  }

  /// An order that cost nothing began with a trial, though no transaction says so: its renewals
  /// cost what their tier says.
  @Test func renewalsOfAFreeOrderAreNotFree() throws {
    var parameters = SimulationParameters()
    parameters.seed = 21
    parameters.orders = 3000
    let without = ["unit_price", "currency", "is_trial"].map { "transactions." + $0 }
    let run = try Self.run(parameters, without)
    #expect(!run.result.findings.contains { $0.code == .priceDiffers })
  }

  /// Users that two systems number differently part what belongs together: that is said, and
  /// without them the month is matched by product and time.
  @Test func usersOfTwoSystemsAreSaid() throws {
    var parameters = SimulationParameters()
    parameters.seed = 21
    parameters.orders = 3000
    let ids = ["orders.transaction_id", "transactions.order_id"]
    let untied = ids + Self.both("app_account_token")
    let inputs = try Self.inputs(parameters, untied)
    for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path)
    where name.hasPrefix("orders") {
      let path = inputs.path + "/" + name
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing(#/,u(?=[0-9])/#, with: ",shop-")
        .write(toFile: path, atomically: true, encoding: .utf8)
    }
    let result = try SimulatedRun(inputs).result
    let absence = try #require(result.basis.absences.first)
    #expect(absence.kind == .matching && absence.names == ["user_id"])
    let text = reconciliationSummary(result, workbook: nil)
    #expect(text.contains("\ncannot be judged: matching failed as a whole"))
    #expect(text.contains("no user_id in common"))
    let alike = try Self.run(parameters, untied + ["orders.user_id"]).result
    #expect(alike.basis.absences.map(\.kind) == [.ids])
  }

  /// What the grouped finding is worth, the step of the bridge is worth, in each storefront.
  @Test func theFindingIsTheStepOfTheBridge() throws {
    var parameters = SimulationParameters()
    parameters.seed = 21
    parameters.orders = 3000
    let run = try Self.run(parameters, Self.both("storefront"))
    let finding = try #require(run.result.findings.first)
    var parts: [String: Int64] = [:]
    for part in finding.parts {
      parts["\(part.storefront?.code ?? "??") \(part.amount.currency)"] = part.amount.micros
    }
    #expect(parts.count > 5)
    for bridge in run.result.bridges where bridge.storefront != "ALL" {
      let step = bridge.steps.first { $0.cause == .inputsInsufficient }
      #expect(
        step?.amount.micros ?? 0 == parts["\(bridge.storefront) \(bridge.currency)"] ?? 0)
    }
    #expect(finding.units.map { $0 > 1000 } == true)
    #expect(run.result.unmatchedUnits == finding.units)
  }

  /// Where only some rows lack it, or nothing rests on it, faults stay what they are.
  @Test(arguments: [
    (["orders.storefront", "transactions.storefront"], 100),
    (["orders.quantity", "transactions.quantity"], 100),
    (["transactions.revoked_at"], 100_000), (["orders.quantity"], 1),
  ])
  func realFaultsAreFound(_ without: [String], _ every: Int) throws {
    var parameters = SimulationParameters()
    parameters.seed = 12
    parameters.orders = 4000
    parameters.faults = SimulationParameters.everyFault()
    let run = try Self.run(parameters, without, every: every)
    // Without a quantity of its own an order agrees with its transaction.
    let missed = run.missed.filter { !$0.contains("quantity-mismatch") || every > 1 }
    #expect(missed == [])
    #expect(run.unexpected.filter { !$0.hasPrefix("inputs-insufficient ") } == [])
  }

  /// Without any storefront, what the product and the price tell is still found.
  @Test func faultsThatRemainAnswerable() throws {
    var parameters = SimulationParameters()
    parameters.seed = 12
    parameters.orders = 4000
    parameters.faults = SimulationParameters.everyFault()
    let run = try Self.run(parameters, Self.both("storefront"))
    let found = Set(run.result.findings.map(\.code))
    let expected = Set(run.truth.expected.map(\.code))
    #expect(expected.subtracting(found).isSubset(of: [.timing, .priceDiffers]))
    // Findings whose storefront is not told are the expected ones; those that name one are not.
    let blaming = run.unexpected.filter {
      !$0.hasPrefix("inputs-insufficient ") && $0.split(separator: " ")[1] != "-"
    }
    #expect(blaming.count <= 1, "\(blaming)")
  }

  /// What Apple sold more of than the order says is missing in the ledger where no transaction
  /// tells how many it sold.
  @Test func anOrderTellsTheQuantity() throws {
    var parameters = SimulationParameters()
    parameters.seed = 12
    parameters.orders = 4000
    parameters.faults = [.quantityMismatch: 1]
    let run = try Self.run(parameters, ["transactions.quantity"])
    #expect(run.result.findings.map(\.code) == [.notInLedger])
    #expect(run.result.findings.first?.units == 1)
  }

  private static func run(
    _ parameters: SimulationParameters, _ without: [String], every: Int = 1
  ) throws -> SimulatedRun {
    try SimulatedRun(inputs(parameters, without, every: every))
  }

  private static func inputs(
    _ parameters: SimulationParameters, _ without: [String], every: Int = 1
  ) throws -> SimulatedInputs {
    let inputs = try SimulatedInputs(parameters)
    for column in without {
      let parts = column.split(separator: ".").map(String.init)
      try BrokenInput(.column(parts[1]), in: parts[0], every: every).apply(in: inputs.path)
    }
    return inputs
  }

  enum Side: String, CaseIterable { case noOrders, oneStorefront }

  /// Where matching as a whole has nothing to go by, the first screen says so, and no single
  /// purchase or order is listed to be delivered or taken back, nor a cause looked for among them.
  @Test(arguments: Side.allCases) func whatStandsAloneIsSaidOnce(_ side: Side) throws {
    var parameters = SimulationParameters()
    parameters.seed = 21
    parameters.orders = 3000
    let inputs = try SimulatedInputs(parameters)
    for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path) {
      if side == .noOrders, name.hasPrefix("orders") {
        try FileManager.default.removeItem(atPath: inputs.path + "/" + name)
      } else if name.hasSuffix(".csv"), name.hasPrefix("orders") || name.hasPrefix("transactions") {
        var table = try EditedTable(inputs.path + "/" + name)
        if side == .oneStorefront, name.hasPrefix("orders") {
          table.remove(Set(table.rows.indices.filter { table[$0, "storefront"] != "CN" }))
        }
        try table.write()
      }
    }
    let run = try SimulatedRun(inputs)
    let alone: [FindingCode] = [.transactionWithoutOrder, .orderWithoutTransaction]
    #expect(!run.result.findings.contains { alone.contains($0.code) })
    #expect(run.result.basis.absences.contains { $0.kind == .matching || $0.kind == .sides })
    #expect(run.result.patterns.isEmpty)
    let text = reconciliationSummary(run.result, workbook: nil)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("act on none of them"), "\(text)")
  }
}
