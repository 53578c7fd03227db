import Billing
import Ledger
import Support
import Testing
import Workflow

/// The company's log of purchases in the ledger.
@Suite struct EventLogTests {
  private static let header =
    "at,stage,outcome,duration_ms,http_status,order_id,user_id,transaction_id,app_version,device,"
    + "server,message\n"
  private static let rows = """
    2023-06-05T12:00:02Z,order,ok,80,200,O1,u1,,2.3.1,iPhone,shop-1,
    2023-06-05T12:00:09Z,verify,failed,5000,503,O1,u1,1000001,2.3.1,iPhone,pay-03,timed out
    2023-06-05T12:00:01Z,list,ok,,,,u1,,,,,

    """

  private func asked(_ query: String, _ folder: TemporaryFolder) throws -> String {
    let run = try CommandLineRun("sql", query, "--format", "csv", in: folder)
    #expect(run.errors == "")
    return run.output
  }

  @Test func `rows are kept as they were told`() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.csv", Self.header + Self.rows)
    let summary = try folder.importing("log.csv")
    #expect(summary.errorCount == 0 && summary.files.map(\.kind) == [.events])
    #expect(summary.files[0].rows == 3)
    let columns =
      "at, stage, outcome, duration_ms, http_status, order_id, transaction_id, server, message"
    #expect(
      try asked("SELECT \(columns) FROM v_event ORDER BY id", folder) == """
        at,stage,outcome,duration_ms,http_status,order_id,transaction_id,server,message
        2023-06-05T12:00:02Z,order,ok,80,200,O1,,shop-1,
        2023-06-05T12:00:09Z,verify,failed,5000,503,O1,1000001,pay-03,timed out
        2023-06-05T12:00:01Z,list,ok,,,,,,

        """)
    #expect(try asked("SELECT source FROM v_event WHERE stage = 'list'", folder).contains(":4"))
    let verify = try CommandLineRun("verify", in: folder)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    let status = try CommandLineRun("status", in: folder)
    #expect(status.output.contains("event log     3      1  2023-06-05"))
  }

  @Test func `the same content is skipped and a file can be forgotten`() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.csv", Self.header + Self.rows)
    try folder.write("again.csv", Self.header + Self.rows)
    _ = try folder.importing("log.csv")
    #expect(try folder.importing("again.csv").files.map(\.status) == [.skipped])
    let forget = try CommandLineRun("forget", folder.path + "/log.csv", in: folder)
    #expect(forget.status == 0, "\(forget.errors)")
    #expect(try asked("SELECT count(*) AS n FROM v_event", folder) == "n\n0\n")
    let verify = try CommandLineRun("verify", in: folder)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
  }

  @Test func `a bad row keeps the file out, or is set aside`() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.csv", Self.header + Self.rows + "yesterday,pay,ok,,,,,,,,,\n")
    #expect(try folder.importing("log.csv").errorCount == 1)
    let kept = try folder.importing("log.csv") { $0.keepsGoodRows = true }
    #expect(kept.files[0].rows == 3 && kept.files[0].rejected == 1)
    #expect(try asked("SELECT topic FROM v_reject", folder) == "topic\ndate\n")
  }

  /// Another program's log, by a mapping.
  @Test func `a mapped export is read`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "log.csv",
      "Zeit;Schritt;Ergebnis;Dauer;Bestellnummer\n"
        + "05.06.2023 14:00:02;verify;Fehler;5000;O1\n05.06.2023 14:00:09;fulfil;gut;70;O1\n")
    try folder.write(
      "tieout.toml",
      """
      [import]
      zone = "Europe/Berlin"
      [import.events]
      columns = { at = "Zeit", stage = "Schritt", outcome = "Ergebnis", \
      duration_ms = "Dauer", order_id = "Bestellnummer" }
      words.outcome = { ok = ["gut"], failed = ["Fehler"] }
      dates = "dmy"

      """)
    let dry = try CommandLineRun("import", "log.csv", "--dry-run", in: folder)
    #expect(dry.status == 0 && dry.output.contains("Schritt"), "\(dry.output)\(dry.errors)")
    let run = try CommandLineRun("import", "log.csv", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try asked("SELECT at, outcome, duration_ms, order_id FROM v_event ORDER BY at", folder) == """
        at,outcome,duration_ms,order_id
        2023-06-05T12:00:02Z,failed,5000,O1
        2023-06-05T12:00:09Z,ok,70,O1

        """)
  }

  /// A file that nobody mapped: a first configuration names its columns.
  @Test func `a first configuration maps a log`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "log.csv", "timestamp,step,result,elapsed_ms\n2023-06-05T12:00:02Z,verify,ok,5\n")
    let run = try CommandLineRun("config", "init", "log.csv", in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let imported = try CommandLineRun("import", "log.csv", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      try asked("SELECT stage, duration_ms FROM v_event", folder)
        == "stage,duration_ms\nverify,5\n")
  }
}
