import Support
import Testing

/// Goal: Apple's reports that landed in a warehouse are the reports of Apple's, day by day. Method:
/// the command, on tables made here as connectors write them, held against Apple's own files.
@Suite struct WarehouseTests {
  private static let appleSubscription =
    "App Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tSubscription Group ID\t"
    + "Standard Subscription Duration\tCustomer Price\tCustomer Currency\tDeveloper Proceeds\t"
    + "Proceeds Currency\tPreserved Pricing\tProceeds Reason\tDevice\tCountry\t"
    + "Active Standard Price Subscriptions\tBilling Retry\n"

  private func apple(_ rows: [String]) -> String {
    Self.appleSubscription + rows.map { $0.replacing(",", with: "\t") + "\n" }.joined()
  }

  private func table(_ header: String, _ rows: [String]) -> String {
    header + "\n" + rows.map { $0 + "\n" }.joined()
  }

  private static let fivetran =
    "_fivetran_id,vendor_number,app_name,app_apple_id,subscription_name,subscription_apple_id,"
    + "subscription_group_id,standard_subscription_duration,customer_price,customer_currency,"
    + "developer_proceeds,proceeds_currency,preserved_pricing,proceeds_reason,device,country,"
    + "active_standard_price_subscriptions,billing_retry,_fivetran_synced,date"
  private static let first = "Sample,1,One,11,10,1 Month,3.99,EUR,1.99,EUR,Yes,,iPhone,IT,1,0"
  private static let second = "Sample,1,Two,12,10,1 Year,39.99,EUR,27.99,EUR,,,iPad,DE,2,1"

  private func row(_ row: String, _ day: String, id: Int) -> String {
    "id\(id)=,101,\(row),2024-12-09 05:01:4\(id).526 +00:00,\(day)"
  }

  private func subscriptions(_ folder: TemporaryFolder) throws -> String {
    let query = """
      SELECT day, app_name, name, customer_price, storefront, standard, billing_retry
      FROM v_subscription ORDER BY 1, 3
      """
    return try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
  }

  private func files(_ folder: TemporaryFolder) throws -> String {
    let query = "SELECT kind, vendor, begin, status FROM v_file ORDER BY 1, 3, 4"
    return try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
      .replacing("\r\n", with: "\n")
  }

  @Test func `Fivetran's table is Apple's daily reports`() throws {
    let copy = try TemporaryFolder()
    try copy.write(
      "sales_subscription_summary.csv",
      table(
        Self.fivetran,
        [
          row(Self.first, "2024-12-07", id: 1), row(Self.first, "2024-12-08", id: 2),
          row(Self.second, "2024-12-07", id: 3),
        ]))
    let imported = try CommandLineRun(["import", "sales_subscription_summary.csv"], in: copy)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.errors.contains("_fivetran_id, _fivetran_synced"), "\(imported.errors)")
    let own = try TemporaryFolder()
    try own.write("Subscription_101_20241207.txt", apple([Self.first, Self.second]))
    try own.write("Subscription_101_20241208.txt", apple([Self.first]))
    #expect(try CommandLineRun(["import", "."], in: own).status == 0)
    #expect(try subscriptions(copy) == subscriptions(own))
    #expect(try files(copy) == files(own))
    #expect(try CommandLineRun(["verify"], in: copy).status == 0)
    let again = try CommandLineRun(["import", "sales_subscription_summary.csv"], in: copy)
    #expect(again.status == 0 && again.output.contains("already"), "\(again.output)")
  }

  /// It is read in pieces of four mebibytes: a value without an end in one of them has none at all.
  @Test func `a quotation mark that nothing closes is told with its row`() throws {
    let folder = try TemporaryFolder()
    let sound = row(Self.first, "2024-12-07", id: 1)
    let open = "id2=,101,\"" + String(repeating: "x", count: 5 << 20) + "\n"
    try folder.write("copy.csv", table(Self.fivetran, [sound, open, sound]))
    let run = try CommandLineRun(["import", "copy.csv"], in: folder)
    #expect(run.status == 2 && run.errors.contains("copy.csv:3"), "\(run.errors)")
  }

  @Test func `a day that Apple's own file has counts once, whichever came first`() throws {
    let rows = [row(Self.first, "2024-12-07", id: 1), row(Self.second, "2024-12-08", id: 2)]
    for ownFirst in [true, false] {
      let folder = try TemporaryFolder()
      try folder.write("copy.csv", table(Self.fivetran, rows))
      try folder.write("Subscription_101_20241207.txt", apple([Self.first, Self.second]))
      let order = ["Subscription_101_20241207.txt", "copy.csv"]
      for name in ownFirst ? order : order.reversed() {
        let run = try CommandLineRun(["import", name], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        if ownFirst, name == "copy.csv" {
          #expect(run.errors.contains("Apple's own report of these days"), "\(run.errors)")
        }
      }
      let read = try subscriptions(folder)
      #expect(read.split(separator: "\n").count == 4, "two of the 7th, one of the 8th: \(read)")
    }
  }

  @Test func `sales with ISO dates and Airbyte's columns, each load once`() throws {
    let header =
      "_airbyte_raw_id,_airbyte_extracted_at,provider,provider_country,sku,developer,title,version,"
      + "product_type_identifier,units,developer_proceeds,begin_date,end_date,customer_currency,"
      + "country_code,currency_of_proceeds,apple_identifier,customer_price,_line_id,vendor_number"
    func sale(_ load: String, _ sku: String, _ day: String) -> String {
      "\(load)-\(sku),2023-07-01T0\(load):00:00Z,APPLE,US,\(sku),,\"Gems, many\",,IA1,2.0,0.70,"
        + "\(day)T00:00:00,\(day)T00:00:00,USD,US,USD,1600000001.0,0.99,1,85012345"
    }
    let folder = try TemporaryFolder()
    let rows = ["1", "2"].flatMap { load in
      [
        sale(load, "gems.60", "2023-06-01"), sale(load, "gems.90", "2023-06-01"),
        sale(load, "gems.60", "2023-06-02"),
      ]
    }
    try folder.write("sales_report.csv", table(header, rows))
    let imported = try CommandLineRun(["import", "sales_report.csv"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      imported.errors.contains("repeats each row of the report (times: 2)"), "\(imported.errors)")
    let query =
      "SELECT begin, sku, units, title, apple_identifier FROM v_report_row ORDER BY 1, 2"
    let read = try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
      .replacing("\r\n", with: "\n")
    #expect(read.contains("2023-06-01,gems.60,2,\"Gems, many\",1600000001\n"), "\(read)")
    #expect(read.split(separator: "\n").count == 4)
  }

  @Test func `subscriber and event tables of BigQuery, with booleans and null words`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "subscriber.csv",
      table(
        "report_date,vendor_number,event_date,app_name,app_apple_id,subscription_name,"
          + "subscription_apple_id,subscription_group_id,standard_subscription_duration,"
          + "customer_price,customer_currency,developer_proceeds,proceeds_currency,device,country,"
          + "subscriber_id,subscriber_id_reset,refund,purchase_date,units,load_ts",
        [
          "2024-12-07,101,2024-12-06,S,1,One,11,10,1 Month,3.99,EUR,2.39,EUR,iPhone,IT,77,false,"
            + "true,2024-11-06,1,2024-12-08 05:00:00 UTC",
          "2024-12-07,101,2024-12-07,S,1,One,11,10,1 Month,3.99,EUR,2.39,EUR,iPhone,IT,78,false,"
            + "null,NULL,1,2024-12-08 05:00:00 UTC",
        ]))
    try folder.write(
      "event.csv",
      table(
        "_api_report_date,vendor,event_date,event,app_name,app_apple_id,subscription_name,"
          + "subscription_apple_id,subscription_group_id,standard_subscription_duration,country,"
          + "quantity",
        ["2024-12-07,101,2024-12-06,Renew,S,1,One,11,10,1 Month,IT,3"]))
    let imported = try CommandLineRun(["import", "subscriber.csv", "event.csv"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      try files(folder) == """
        kind,vendor,begin,status
        subscriber,101,2024-12-07,current
        subscription_event,101,2024-12-07,current

        """)
  }

  @Test func `a day with few rows, a round number of rows and a cut table are told`() throws {
    let folder = try TemporaryFolder()
    let days = [("2024-12-06", 1), ("2024-12-07", 4), ("2024-12-08", 4), ("2024-12-09", 4)]
    let rows = days.flatMap { day, count in
      (0..<count).map { row(Self.first.replacing("Sample", with: "S\($0)"), day, id: $0) }
    }
    try folder.write("edge.csv", table(Self.fivetran, rows))
    let edge = try CommandLineRun(["import", "edge.csv"], in: folder)
    #expect(edge.status == 0)
    #expect(edge.errors.contains("2024-12-06 may be incomplete (rows: 1;"), "\(edge.errors)")
    let many = (0..<1000).map {
      row(Self.first.replacing("Sample", with: "S\($0)"), "2024-12-1\($0 / 500)", id: 1)
    }
    try folder.write("round.csv", table(Self.fivetran, many))
    let round = try CommandLineRun(["import", "round.csv"], in: folder)
    #expect(round.errors.contains("its last day may be cut by a limit"), "\(round.errors)")
    let whole = table(Self.fivetran, rows)
    try folder.write("cut.csv", String(whole.dropLast(60)))
    let cut = try CommandLineRun(["import", "cut.csv"], in: folder)
    #expect(cut.status == 2 && cut.errors.contains("breaks off within a row"), "\(cut.errors)")
  }

  /// BigQuery's export of JSON lines, which leaves out what is null, an array as services answer
  /// it, and both packed.
  @Test func `JSON and packed tables are the same reports`() throws {
    let rows = [
      row(Self.first, "2024-12-07", id: 1), row(Self.first, "2024-12-08", id: 2),
      row(Self.second, "2024-12-07", id: 3),
    ]
    let names = Self.fivetran.split(separator: ",").map(String.init)
    let objects = rows.map { row in
      let values = row.split(separator: ",", omittingEmptySubsequences: false)
      let members = zip(names, values).filter { !$1.isEmpty }
        .map { name, value in
          Int(value) != nil || name == "customer_price"
            ? "\"\(name)\":\(value)" : "\"\(name)\":\"\(value)\""
        }
      return "{" + members.joined(separator: ",") + "}"
    }
    let csv = Array(table(Self.fivetran, rows).utf8)
    let lines = Array((objects.joined(separator: "\n") + "\n").utf8)
    let wrapped = Array("{\"data\":{\"rows\":[\(objects.joined(separator: ","))]}}\n".utf8)
    var wanted: String?
    for (name, bytes) in [
      ("table.csv", csv), ("table.csv.gz", gzipMember(csv)), ("table.jsonl", lines),
      ("table.jsonl.gz", gzipMember(lines)), ("table.json", wrapped),
      ("tables.zip", zipArchive([(name: "sub/table.csv", bytes: csv)])),
    ] {
      let folder = try TemporaryFolder()
      try folder.write(name, bytes)
      let imported = try CommandLineRun(["import", name], in: folder)
      #expect(imported.status == 0, "\(name) \(imported.errors)")
      let read = try subscriptions(folder) + files(folder)
      #expect(read == wanted ?? read, "\(name)")
      wanted = read
      #expect(try CommandLineRun(["verify"], in: folder).status == 0, "\(name)")
      let again = try CommandLineRun(["import", name], in: folder)
      #expect(again.status == 0 && again.output.contains("already"), "\(name) \(again.output)")
    }
    #expect(wanted?.contains("subscription,101,2024-12-08,current") == true, "\(wanted ?? "")")
  }

  @Test func `sales as JSON of many days are daily reports, and objects that are cut are refused`()
    throws
  {
    let folder = try TemporaryFolder()
    func sale(_ day: Int) -> String {
      """
      {"provider":"APPLE","sku":"gems.60","title":"Gems","product_type_identifier":"IA1",\
      "units":2,"developer_proceeds":0.70,"begin_date":"2023-06-0\(day)","end_date":\
      "2023-06-0\(day)","customer_currency":"USD","country_code":"US","currency_of_proceeds":"USD",\
      "apple_identifier":1600000001,"customer_price":0.99,"vendor_number":"85012345"}
      """
    }
    try folder.write("sales.json", "[\(sale(1)),\(sale(2))]")
    let imported = try CommandLineRun(["import", "sales.json"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      try files(folder) == """
        kind,vendor,begin,status
        sales,85012345,2023-06-01,current
        sales,85012345,2023-06-02,current

        """)
    try folder.write("cut.json", "[\(sale(1)),\(sale(3).dropLast(40))")
    let cut = try CommandLineRun(["import", "cut.json"], in: folder)
    let words = "the end of a text was expected"
    #expect(cut.status == 2 && cut.errors.contains(words), "\(cut.errors)")
  }

  private func unitsByDay(_ folder: TemporaryFolder) throws -> String {
    let query = "SELECT begin, sum(units) AS units FROM v_report_row GROUP BY 1 ORDER BY 1"
    return try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
      .replacing("\r\n", with: "\n")
  }

  /// Apple's daily reports one behind the other, as `cat` and programs put them, beside one of them
  /// by itself. A day has two equal rows.
  @Test(arguments: ["all.txt", "all.txt.gz", "all.json", "S_M_85012345_202306.txt"])
  func `dailies in one file with Apple's titles are daily reports`(_ name: String) throws {
    let dailies = [1, 2, 3].map { Inputs.sales(day: $0, units: 5) }
    let rows = dailies.map { $0.split(separator: "\n")[1] } + [dailies[2].split(separator: "\n")[1]]
    let text = dailies.joined() + rows[3] + "\n"
    let objects = rows.map { row in
      let values = row.split(separator: "\t", omittingEmptySubsequences: false)
      let members = zip(Inputs.salesColumns, values).map { "\"\($0)\":\"\($1)\"" }
      return "{" + members.joined(separator: ",") + "}"
    }
    let json = "[" + objects.joined(separator: ",") + "]\n"
    let folder = try TemporaryFolder()
    try folder.write(Inputs.salesName(day: 2), dailies[1])
    let plain = Array((name == "all.json" ? json : text).utf8)
    try folder.write(name, name.hasSuffix("gz") ? gzipMember(plain) : plain)
    for file in [Inputs.salesName(day: 2), name] {
      let run = try CommandLineRun(["import", file], in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.errors.contains("repeats"), "\(run.errors)")
    }
    #expect(
      try files(folder) == """
        kind,vendor,begin,status
        sales,85012345,2023-06-01,current
        sales,85012345,2023-06-02,current
        sales,85012345,2023-06-03,current

        """)
    #expect(
      try unitsByDay(folder)
        == "begin,units\n2023-06-01,5\n2023-06-02,5\n2023-06-03,10\n")
  }

  /// Rows of a day or of a week are one report of Apple's; what is wrong in one is told by line.
  @Test func `Apple's own report stays one, whatever its name`() throws {
    let day = Inputs.sales(day: 1, units: 5)
    let week = Inputs.sales(day: 5, units: 5)
      .replacing("06/05/2023\t06/05/2023", with: "06/05/2023\t06/11/2023")
    for (text, begin) in [(day, "2023-06-01"), (week, "2023-06-05")] {
      let folder = try TemporaryFolder()
      try folder.write("report.txt", text + text.split(separator: "\n")[1] + "\n")
      #expect(try CommandLineRun(["import", "report.txt"], in: folder).status == 0)
      #expect(try unitsByDay(folder) == "begin,units\n\(begin),10\n")
      #expect(try files(folder).split(separator: "\n").count == 2)
    }
    let folder = try TemporaryFolder()
    let second = Inputs.sales(day: 2, units: 5).split(separator: "\n")[1]
    let third = second.replacing("06/02/2023\t06/02/2023", with: "06/32/2023\t06/32/2023")
    try folder.write("wrong.txt", day + second + "\n" + third + "\n")
    let run = try CommandLineRun(["import", "wrong.txt"], in: folder)
    #expect(run.status == 2 && run.errors.contains("wrong.txt:4"), "\(run.errors)")
  }

  @Test func `a day of which a part was loaded twice is told and counts as it stands`() throws {
    let folder = try TemporaryFolder()
    let rows = [
      row(Self.first, "2024-12-07", id: 1), row(Self.second, "2024-12-07", id: 2),
      row(Self.first, "2024-12-07", id: 3),
    ]
    try folder.write("part.csv", table(Self.fivetran, rows))
    let imported = try CommandLineRun(["import", "part.csv"], in: folder)
    #expect(imported.status == 0)
    #expect(
      imported.errors.contains("the table repeats rows of the report (1 of 3)"),
      "\(imported.errors)")
    #expect(try subscriptions(folder).split(separator: "\n").count == 4)
  }
}
