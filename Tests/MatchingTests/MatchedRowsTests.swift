import Billing
import Matching
import Testing

/// Goal: each claim is told with the rule that made it, and each refusal with its reason. Method:
/// worlds of a few rows; the claims are those that a reconciliation makes.
@Suite struct MatchedRowsTests {
  private func routes(_ world: World) -> [String] {
    let matched = world.matched
    return matched.table.transactions.indices.compactMap { index in
      matched.table.owner(of: index).map { order, rule in
        world.orderNames[Int(matched.table.orders[order].row.number) - 1] + "="
          + world.transactionNames[Int(matched.table.transactions[index].row.number) - 1] + " "
          + rule.rawValue
      }
    }.sorted()
  }

  @Test func `every rule is told`() {
    let world = World { world in
      world.order("O1", transaction: "T1")
      world.transaction("T1")
      world.order("O2")
      world.transaction("T2", order: "O2")
      world.order("O3")
      world.receipt("T3", order: "O3")
      world.order("O4", token: "aa")
      world.transaction("T4", token: "aa")
      world.order("O5", sku: "gold", user: "u5")
      world.transaction("T5", sku: "gold", user: "u5")
      world.order("O6", sku: "vip", transaction: "T6")
      world.transaction("T6", sku: "vip", kind: .autoRenewable, item: "w6")
      world.transaction(
        "T7", sku: "vip", at: "2023-06-20T12:00:30", kind: .autoRenewable, original: "T6",
        item: "w7")
    }
    #expect(
      routes(world) == [
        "O1=T1 transaction-id", "O2=T2 order-id", "O3=T3 receipt", "O4=T4 app-account-token",
        "O5=T5 back-tracing", "O6=T6 transaction-id", "O6=T7 renewal",
      ])
    #expect(world.claimed(world.matched.table) == world.claimed(world.claims().book))
  }

  /// The candidates beside a transaction at noon of user u1 in CN, each with why it was refused.
  @Test(arguments: [
    ("placed later", "placedAfter(3600)"), ("too early", "tooEarly(90000)"),
    ("of another user", "otherUser"), ("elsewhere", "otherStorefront(US)"),
    ("in another currency", "otherCurrency(USD)"), ("with a transaction", "hasTransaction(2)"),
    ("that names another", "namesAnother"), ("of another channel", "otherChannel(\"web\")"),
  ])
  func `refusals are told`(order: String, refusal: String) {
    let world = World { world in
      world.transaction("T1", at: "2023-06-10T12:00:00", user: "u1")
      switch order {
      case "placed later": world.order("O1", at: "2023-06-10T13:00:00", user: "u1")
      case "too early": world.order("O1", at: "2023-06-09T11:00:00", user: "u1")
      case "of another user": world.order("O1", at: "2023-06-10T11:00:00", user: "u2")
      case "elsewhere": world.order("O1", at: "2023-06-10T11:00:00", storefront: "US", user: "u1")
      case "in another currency":
        world.order("O1", at: "2023-06-10T11:00:00", currency: "USD", user: "u1")
      case "with a transaction":
        world.order("O1", at: "2023-06-10T11:00:00", transaction: "T2", user: "u1")
        world.transaction("T2", at: "2023-06-10T11:00:00", user: "u1")
      case "that names another":
        world.order("O1", at: "2023-06-10T11:00:00", transaction: "T9", user: "u1")
      default: world.order("O1", at: "2023-06-10T11:00:00", user: "u1", channel: "web")
      }
    }
    let matched = world.matched
    #expect(matched.table.owner(of: 0) == nil)
    #expect(matched.orders(beside: 0).map { "\($0.refusal)" } == [refusal])
  }

  @Test func `what belongs elsewhere or counts for nothing is refused beside an order`() {
    let world = World { world in
      world.order("O1", at: "2023-06-10T12:00:00", user: "u1")
      world.transaction("T1", at: "2023-06-10T12:10:00", user: "u1", sandbox: true)
      world.transaction("T2", at: "2023-06-10T12:20:00", order: "O2", user: "u1")
      world.order("O2", at: "2023-06-10T12:19:00", user: "u1")
      world.transaction("T3", at: "2023-06-10T12:30:00", user: "u1", bundle: "com.other")
    }
    var foreign = world
    foreign.settings.bundleIDs = ["com.ours"]
    #expect(
      foreign.matched.transactions(beside: 0).map { "\($0.refusal)" } == [
        "hasOrder(2)", "notBillable(Matching.Unbillable.sandbox)",
        "notBillable(Matching.Unbillable.otherBundle(\"com.other\"))",
      ])
  }

  @Test func `of two orders that claim one transaction the later is told to be later`() {
    let world = World { world in
      world.order("O1", at: "2023-06-10T12:00:00", transaction: "T1")
      world.order("O2", at: "2023-06-10T12:01:00", transaction: "T1")
      world.transaction("T1", at: "2023-06-10T12:02:00")
    }
    let matched = world.matched
    #expect(matched.orders(beside: 0).map { "\($0.refusal)" } == ["cameLater"])
    #expect(matched.lost(by: 1) == 0)
  }
}

extension World {
  /// The claims of all rows, with every detail.
  var matched: MatchedRows {
    MatchedRows(facts, details: allDetails, context: context)
  }
}
