import Billing
import Support
import Testing
import Workflow

/// Movements of coins in the ledger.
@Suite struct CoinLedgerTests {
  private static let rows = """
    date,movement,coins,user_id,channel,coin,paid,order_id,transaction_id,item
    2023-06-05T12:00:02Z,granted,300,u1,apple,gems,paid,O1,1000001,
    2023-06-05T12:00:09Z,spent,120,u1,,gems,paid,,,sword
    2023-06-06,adjusted,-7,7,,gems,free,,,

    """

  private func asked(_ query: String, _ folder: TemporaryFolder) throws -> String {
    let run = try CommandLineRun("sql", query, "--format", "csv", in: folder)
    #expect(run.errors == "")
    return run.output
  }

  @Test func `rows are kept as they were told`() throws {
    let folder = try TemporaryFolder()
    try folder.write("coins.csv", Self.rows)
    try folder.write("left.csv", "date,paid,free,user_id,coin\n2023-06-06,180,-7,u1,gems\n")
    try folder.write("items.csv", "item,kind,days\nsword,durable,365\n")
    let summary = try folder.importing("coins.csv", "left.csv", "items.csv")
    #expect(summary.errorCount == 0)
    #expect(summary.files.map(\.kind) == [.coinMovements, .coinBalances, .items])
    let columns =
      "date, is_day, movement, coins, user_id, channel, coin, paid, order_id, transaction_id, item"
    #expect(
      try asked("SELECT \(columns) FROM v_coin_movement ORDER BY id", folder) == """
        date,is_day,movement,coins,user_id,channel,coin,paid,order_id,transaction_id,item
        2023-06-05T12:00:02Z,0,granted,300,u1,apple,gems,paid,O1,1000001,
        2023-06-05T12:00:09Z,0,spent,120,u1,,gems,paid,,,sword
        2023-06-06T00:00:00Z,1,adjusted,-7,7,,gems,free,,,

        """)
    #expect(
      try asked("SELECT date, paid, free, user_id, coin FROM v_coin_balance", folder)
        == "date,paid,free,user_id,coin\n2023-06-06,180,-7,u1,gems\n")
    #expect(
      try asked("SELECT item, kind, days FROM v_game_item", folder)
        == "item,kind,days\nsword,durable,365\n")
    let verify = try CommandLineRun("verify", in: folder)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    let status = try CommandLineRun("status", in: folder)
    #expect(
      status.output.contains("movements of coins")
        && status.output.contains("2023-06-05..2023-06-06"))
  }

  @Test func `a file can be forgotten, and a bad row keeps it out`() throws {
    let folder = try TemporaryFolder()
    try folder.write("coins.csv", Self.rows)
    try folder.write("again.csv", Self.rows)
    _ = try folder.importing("coins.csv")
    #expect(try folder.importing("again.csv").files.map(\.status) == [.skipped])
    let forget = try CommandLineRun("forget", folder.path + "/coins.csv", in: folder)
    #expect(forget.status == 0, "\(forget.errors)")
    #expect(try asked("SELECT count(*) AS n FROM v_coin_movement", folder) == "n\n0\n")
    try folder.write("bad.csv", Self.rows + "yesterday,spent,1,,,,,,,\n")
    #expect(try folder.importing("bad.csv").errorCount == 1)
    let kept = try folder.importing("bad.csv") { $0.keepsGoodRows = true }
    #expect(kept.files[0].rows == 3 && kept.files[0].rejected == 1)
    let verify = try CommandLineRun("verify", in: folder)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
  }

  /// What the refusal of a log proposes is what reads it.
  @Test func `a log of signed changes is read as it is proposed`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "wallet.csv",
      """
      player_id,currency,amount,balance_before,balance_after,reason,created_at
      1001,gems,300,0,300,SHOP,2023-06-05T12:00:02Z
      1001,gems,-120,300,180,SWORD,2023-06-06T08:00:00Z

      """)
    let refused = try CommandLineRun("import", "wallet.csv", in: folder)
    #expect(refused.status == 2, "\(refused.output)")
    let lines = refused.errors.split(separator: "\n")
      .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("import.coin_movements.") }
    #expect(lines.count == 2, "\(refused.errors)")
    try folder.write("tieout.toml", lines.map { $0 + "\n" }.joined())
    let run = try CommandLineRun("import", "wallet.csv", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try asked("SELECT movement, coins, user_id, coin FROM v_coin_movement ORDER BY id", folder)
        == "movement,coins,user_id,coin\ngranted,300,1001,gems\nspent,120,1001,gems\n")
    for (sign, isTaken) in [("-", true), ("+", false)] {
      try folder.write("tieout.toml", "[import.coin_movements]\nsigns = [\"\(sign)\"]\n")
      let status = try CommandLineRun("config", "print", in: folder).status
      #expect((status == 0) == isTaken, "\(sign)")
    }
  }

  /// A join that goes wrong doubles rows. What names its purchase happened once; of the rest nobody
  /// can say, so each counts and the import says so. A second file with the same rows adds nothing.
  @Test func `what a file tells twice is counted once or said`() throws {
    let folder = try TemporaryFolder()
    let header = "date,movement,coins,user_id,coin,paid,order_id,transaction_id\n"
    let rows = [
      "2023-06-05T12:00:02Z,granted,300,u1,gems,paid,O1,",
      "2023-06-05T12:30:00Z,spent,40,u1,gems,paid,,",
      "2023-06-06T12:30:00Z,spent,40,u1,gems,paid,,",
      "2023-06-07T08:00:00Z,granted,60,u1,gems,paid,,1000002",
    ].map { $0 + "\n" }
    try folder.write("once.csv", header + rows.joined())
    let plain = try CommandLineRun("import", "once.csv", in: folder)
    #expect(plain.status == 0 && !plain.output.contains("repeats"), "\(plain.output)")
    #expect(!plain.errors.contains("every column"), "\(plain.errors)")
    try folder.write(
      "joined.csv", header + (rows + [rows[1], rows[3], rows[0], rows[0]]).joined())
    let joined = try CommandLineRun("import", "joined.csv", in: folder)
    #expect(joined.status == 0, "\(joined.errors)")
    #expect(joined.output.contains("3  rows that repeat a row of the file"), "\(joined.output)")
    #expect(joined.errors.contains("joined.csv:6"), "\(joined.errors)")
    #expect(joined.errors.contains("this row says in every column"), "\(joined.errors)")
    let told = try CommandLineRun("explain", "u1", in: folder)
    #expect(
      told.output.contains("gems: granted 360, spent 120; left 240 (paid 240, free 0)"),
      "\(told.output)")
    let forget = try CommandLineRun("forget", "joined.csv", in: folder)
    #expect(forget.status == 0, "\(forget.errors)")
    let before = try CommandLineRun("explain", "u1", in: folder)
    #expect(before.output.contains("granted 360, spent 80; left 280"), "\(before.output)")
  }

  /// Two purchases have eight moments of their own, which fill the answer; what Apple reports of
  /// them waits for those who ask for more.
  @Test func `a user's purchases stand before what reports repeat of them`() throws {
    let folder = try TemporaryFolder()
    let days = ["05", "20"]
    func time(_ day: String, _ second: Int) -> String { "2023-06-\(day)T20:00:0\(second)Z" }
    try folder.write(
      "orders.csv",
      "order_id,user_id,sku,status,placed_at,paid_at,fulfilled_at,unit_price,currency,storefront\n"
        + days.map {
          "A\($0),u1,gems.60,fulfilled,\(time($0, 0)),\(time($0, 2)),\(time($0, 3)),6.00,CNY,CN\n"
        }.joined())
    try folder.write(
      "transactions.csv",
      "transaction_id,order_id,user_id,sku,purchased_at,unit_price,currency,storefront\n"
        + days.map { "70\($0),A\($0),u1,gems.60,\(time($0, 1)),6.00,CNY,CN\n" }.joined())
    let loaded = try CommandLineRun("import", "orders.csv", "transactions.csv", in: folder)
    #expect(loaded.status == 0, "\(loaded.errors)")
    let told = try CommandLineRun("explain", "u1", in: folder)
    #expect(told.output.contains("When   2023-06-05T20:00:00Z"), "\(told.output)")
    #expect(told.output.contains(" more\n"), "\(told.output)")
  }

  /// Another program's export, by a mapping: its times are a wall clock's, its days have none.
  @Test func `a mapped export is read`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "coins.csv",
      "Zeit;Art;Menge;Spieler\n05.06.2023 14:00:02;Kauf;300;u1\n06.06.2023;Ausgabe;5;u1\n")
    try folder.write(
      "tieout.toml",
      """
      [import]
      zone = "Europe/Berlin"
      [import.coin_movements]
      columns = { date = "Zeit", movement = "Art", coins = "Menge", user_id = "Spieler" }
      words.movement = { granted = ["Kauf"], spent = ["Ausgabe"] }
      dates = "dmy"

      """)
    let run = try CommandLineRun("import", "coins.csv", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try asked("SELECT date, is_day, movement, coins FROM v_coin_movement ORDER BY id", folder)
        == """
        date,is_day,movement,coins
        2023-06-05T12:00:02Z,0,granted,300
        2023-06-06T00:00:00Z,1,spent,5

        """)
  }
}
