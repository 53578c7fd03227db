import Support
import Testing

/// Goal: a base currency and a developer's country that nobody configured are told wherever they
/// are taken. Method: the commands, on tables in several currencies.
@Suite struct AssumedTests {
  private func orders(_ currencies: [String: Int]) -> String {
    "order_id,sku,status,placed_at,unit_price,currency\n"
      + currencies.sorted { $0.key < $1.key }.flatMap { currency, count in
        (0..<count).map { "\(currency)\($0),gems.60,paid,1686571\(100 + $0),6.00,\(currency)\n" }
      }.joined()
  }

  private func importPurchase(in folder: TemporaryFolder) throws {
    try folder.write(
      "transactions.csv", "transaction_id,sku,purchased_at\n1,gems.60,2023-06-12T12:00:00Z\n")
    _ = try run("import", "transactions.csv", in: folder)
  }

  private func run(
    _ arguments: String..., in folder: TemporaryFolder
  ) throws -> CommandLineRun {
    let run = try CommandLineRun(arguments, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  @Test(arguments: [
    (["EUR": 5, "USD": 3], "EUR"), (["USD": 3, "CNY": 2], "USD"), (["JPY": 1], "JPY"),
    (["KRW": 2, "EUR": 2], "EUR"),
  ]) func `the orders' commonest currency is taken and told`(
    _ currencies: [String: Int], _ taken: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", orders(currencies))
    let sentence =
      "\(taken) assumed as base currency, the commonest of the orders; set base_currency in"
    let imported = try run("import", "orders.csv", in: folder)
    #expect(imported.output.contains(sentence), "\(imported.output)")
    #expect(imported.output.contains("CN assumed as developer's country"))
    try importPurchase(in: folder)
    let text = try run("reconcile", "2023-06", "--as-of", "2023-07-05", in: folder)
    let flat = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(flat.contains(sentence), "\(flat)")
    #expect(flat.contains("CN assumed as developer's country"), "\(flat)")
    let json = try run(
      "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", in: folder)
    let plain = json.output.filter { !$0.isWhitespace }
    #expect(plain.contains("\"base_currency\":\"\(taken)\""))
    #expect(plain.contains(#"{"key":"base_currency","value":"\#(taken)","text":"\#(taken)assumed"#))
    #expect(plain.contains(#"{"key":"developer_country","value":"CN","text":"CNassumed"#))
  }

  @Test func `what is configured is not told`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", orders(["EUR": 2]))
    try folder.write("tieout.toml", "base_currency = \"USD\"\ndeveloper_country = \"DE\"\n")
    let imported = try run("import", "orders.csv", in: folder)
    try importPurchase(in: folder)
    let text = try run("reconcile", "2023-06", "--as-of", "2023-07-05", in: folder)
    #expect(!(imported.output + text.output).contains("assumed"))
  }

  @Test func `without a currency it is told, too`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "orders.csv", "order_id,sku,status,placed_at\nA,gems.60,paid,1686571100\n")
    let imported = try run("import", "orders.csv", "--format", "json", in: folder)
    #expect(
      imported.output.contains("CNY assumed as base currency, no order has one"),
      "\(imported.output)")
  }

  @Test func `a first configuration proposes both`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", orders(["EUR": 5, "USD": 3]))
    let draft = try run("config", "init", "orders.csv", "--print", in: folder).output
    #expect(draft.contains("# base_currency = \"EUR\""), "\(draft)")
    #expect(draft.contains("# developer_country = \"CN\""))
  }
}
