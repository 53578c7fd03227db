import Support
import Testing

/// Goal: a mistyped word is answered with the nearest that there is. Method: calls with one slip.
@Suite struct NearestTests {
  @Test(arguments: [
    (["reconsile", "2023-06"], "reconcile"), (["finding", "acept", "1"], "accept"),
    (["export", "findngs"], "findings"), (["config", "inti"], "init"),
    (["plan", "rte"], "rate"), (["explain", "not-in-reprt"], "not-in-report"),
    (["explain", "transaction_reused"], "transaction-reused"),
    (["explain", "refund-not-revesed"], "refund-not-reversed"),
    (["explain", "A", "--kind", "ordr"], "order"),
    (["reconcile", "2023-06", "--fail-on", "eror"], "error"),
    (["reconcile", "2023-06", "--format", "jsno"], "json"),
    (["reconcile", "2023-06", "--summary", "htlm"], "html"),
    (["import", "a.csv", "--as", "oders"], "orders"),
    (["template", "transacions"], "transactions"), (["completions", "fsh"], "fish"),
    (["finding", "list", "--state", "acepted"], "accepted"),
    (["export", "findings", "2023-06", "--code", "id-repeatd"], "id-repeated"),
    (["price", "--price", "6", "--storefront", "CN", "--table", "iapp"], "iap"),
  ]) func `a mistyped word is answered with the nearest`(
    _ call: [String], _ meant: String
  ) throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(call, in: folder)
    #expect(run.status != 0)
    #expect(run.errors.lowercased().contains("did you mean"), "\(run.errors)")
    #expect(run.errors.contains(meant), "\(run.errors)")
  }

  @Test(arguments: [
    ("FY2023-9", "write FY2023-P09"), ("fy23p09", "write FY2023-P09"), ("FY2023-P13", "P01 to P12"),
    ("2023-6", "write 2023-06"), ("06/2023", "write 2023-06"),
    ("2023-06-01...2023-06-15", "write 2023-06-01..2023-06-15"),
    ("2023-06-01:2023-06-15", "write 2023-06-01..2023-06-15"),
  ]) func `a mistyped period is answered with how to write it`(
    _ period: String, _ hint: String
  ) throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun("reconcile", period, in: folder)
    let told = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.status == 64 && told.contains(hint), "\(told)")
  }

  @Test func `a mistyped ID of a finding is answered with the nearest`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "orders.csv", "order_id,sku,status,placed_at\nO10002345,gems.60,paid,1686571100\n")
    try folder.write(
      "transactions.csv", "transaction_id,sku,purchased_at\n1,gems.300,2023-06-20T12:00:00Z\n")
    #expect(try CommandLineRun("import", ".", in: folder).status == 0)
    #expect(
      try CommandLineRun("reconcile", "2023-06", "--as-of", "2023-07-05", in: folder).status == 0)
    let listed = try CommandLineRun(
      "sql", "SELECT id FROM v_finding WHERE code = 'order-without-transaction'", "--format", "csv",
      in: folder)
    let id = try #require(listed.output.split(separator: "\n").last.map(String.init))
    let last: Character = id.last == "0" ? "1" : "0"
    let slip = String(id.dropLast()) + String(last)
    for call in [["finding", "accept", slip, "--reason", "x"], ["explain", slip]] {
      let run = try CommandLineRun(call, in: folder)
      #expect(run.status == 2 && run.errors.contains(id), "\(run.errors)")
    }
    let order = try CommandLineRun("explain", "O10002346", in: folder)
    #expect(order.status == 2 && order.errors.contains("O10002345"), "\(order.errors)")
  }
}
