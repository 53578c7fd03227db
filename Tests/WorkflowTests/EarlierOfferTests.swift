import Billing
import Conclusions
import Matching
import Support
import Testing
import Workflow

/// Goal: a trial is one per customer and group, whatever month the first one was in. Method: a
/// small ledger whose user took one months ago.
@Suite struct EarlierOfferTests {
  private static let header = """
    transaction_id,sku,kind,purchased_at,original_transaction_id,web_order_line_item_id,\
    expires_at,is_trial,user_id,unit_price,currency,storefront

    """

  private func row(
    _ id: String, _ sku: String = "vip.month", at day: String, to end: String, user: String,
    trial: Bool = true, original: String? = nil, item: String? = nil
  ) -> String {
    "\(id),\(sku),auto_renewable,\(day)T12:00:00Z,\(original ?? id),\(item ?? "9" + id),"
      + "\(end)T12:00:00Z,\(trial),\(user),\(trial ? "0" : "30.00"),CNY,CN\n"
  }

  private func findings(_ rows: [String], orders: [String] = []) throws -> [String] {
    let folder = try TemporaryFolder()
    var paths = [
      try folder.write(
        "products.csv",
        """
        sku,kind,subscription_group
        vip.month,auto_renewable,vip
        vip.year,auto_renewable,vip
        other.month,auto_renewable,other

        """),
      try folder.write("transactions.csv", Self.header + rows.joined()),
    ]
    if !orders.isEmpty {
      paths.append(
        try folder.write(
          "orders.csv",
          "order_id,sku,status,placed_at,transaction_id,user_id,storefront\n" + orders.joined()))
    }
    _ = try importFiles(
      ImportRequest(
        paths: paths, ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_500_000)))
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
    return result.findings.filter { $0.code == .offerReused }.map {
      "\($0.date!) \($0.transactionIDs.joined(separator: " "))"
    }
  }

  @Test func aTrialOfMonthsAgoIsFound() throws {
    let june = row("200", at: "2023-06-10", to: "2023-06-17", user: "u1")
    #expect(
      try findings([row("100", at: "2022-11-03", to: "2022-11-10", user: "u1"), june])
        == ["2023-06-10 100 200"])
    #expect(
      try findings([
        row("100", "vip.year", at: "2022-11-03", to: "2022-11-10", user: "u1"), june,
      ]) == ["2023-06-10 100 200"])
    // Another user's, another group's, and a paid one are no trial of the same customer's.
    #expect(
      try findings([
        row("100", at: "2022-11-03", to: "2022-11-10", user: "u2"),
        row("101", "other.month", at: "2022-11-03", to: "2022-11-10", user: "u1"),
        row("102", at: "2022-11-03", to: "2022-12-03", user: "u1", trial: false), june,
      ]) == [])
    // As far as it is looked for.
    #expect(
      try findings([row("100", at: "2022-03-03", to: "2022-03-10", user: "u1"), june]) == [])
  }

  /// A period that is told again under another number is the period that it was.
  @Test func aRestoredTrialIsNoSecondOne() throws {
    #expect(
      try findings([
        row("100", at: "2023-05-20", to: "2023-06-20", user: "u1", item: "77"),
        row("200", at: "2023-06-10", to: "2023-06-20", user: "u1", original: "100", item: "77"),
      ]) == [])
  }

  /// One source tells the user, another the period that it was: both count, in any order.
  @Test func allSourcesOfATrialTellOfIt() throws {
    let told = [
      row("100", at: "2023-03-20", to: "2023-06-20", user: "u1", item: ""),
      row("100", at: "2023-03-20", to: "2023-06-20", user: "", item: "77"),
    ]
    let restored = row(
      "200", at: "2023-06-10", to: "2023-06-20", user: "u1", original: "100", item: "77")
    #expect(try findings(told + [restored]) == [])
    #expect(try findings(told.reversed() + [restored]) == [])
    let another = row("200", at: "2023-06-10", to: "2023-06-20", user: "u1")
    #expect(try findings(told + [another]) == ["2023-06-10 100 200"])
    #expect(try findings(told.reversed() + [another]) == ["2023-06-10 100 200"])
  }

  @Test func theOrderTellsWhoBoughtWhereTheTransactionDoesNot() throws {
    #expect(
      try findings(
        [
          row("100", at: "2022-11-03", to: "2022-11-10", user: ""),
          row("200", at: "2023-06-10", to: "2023-06-17", user: "u1"),
        ],
        orders: ["O1,vip.month,fulfilled,2022-11-03T11:59:00Z,100,u1,CN\n"])
        == ["2023-06-10 100 200"])
  }
}
