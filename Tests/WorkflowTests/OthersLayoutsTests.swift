import Support
import Testing

/// Goal: price lists, copies in warehouses and rates are read as people have them, not as one
/// sample has them: saved again by a spreadsheet, cut, in another of the publisher's forms. What
/// cannot be read says why, and never becomes wrong prices, days or rates. Method: the command, on
/// files made here in public layouts; amounts by hand.
@Suite struct OthersLayoutsTests {
  private func imported(
    _ name: String, _ text: String, _ options: String...
  ) throws -> (folder: TemporaryFolder, run: CommandLineRun) {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    return (folder, try CommandLineRun(["import", name] + options, in: folder))
  }

  private func rows(_ query: String, in folder: TemporaryFolder) throws -> [String] {
    let read = try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
    return read.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst().map(String.init)
  }

  private func prices(in folder: TemporaryFolder) throws -> [String] {
    try rows(
      "SELECT storefront, price, proceeds, commission, effective_from, effective_to FROM v_tier "
        + "ORDER BY storefront, effective_from", in: folder)
  }

  private func rates(
    _ name: String, _ text: String
  ) throws -> (rates: [String], run: CommandLineRun) {
    let (folder, run) = try imported(name, text)
    return (try rates(in: folder), run)
  }

  private func rates(in folder: TemporaryFolder) throws -> [String] {
    try rows("SELECT date, base, quote, rate FROM v_rate ORDER BY date, base, quote", in: folder)
  }

  private func files(in folder: TemporaryFolder) throws -> [String] {
    try rows("SELECT kind, vendor, begin, status FROM v_file ORDER BY 1, 3", in: folder)
  }

  // MARK: - Price lists

  private static let exportHeader =
    "Countries or Regions,Currency Code,Price,Proceeds,May Adjust Automatically"

  /// 15%: Germany has 19% VAT inside, Korea 10%.
  @Test func `a price list that a German Excel saved has the same prices`() throws {
    let text = """
      Countries or Regions;Currency Code;Price;Proceeds;May Adjust Automatically\r
      Germany;EUR;8,0;5,71;Y\r
      Korea, Republic of;KRW;11000;8500;Y\r
      United States;USD;7,0;5,95;N\r

      """
    let (folder, run) = try imported("gems.60 2026-03-01.csv", "\u{FEFF}" + text)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("proceeds after 15% commission"), "\(run.output)")
    #expect(
      try prices(in: folder) == [
        "DE,8.0,5.71,0.15,2026-03-01,", "KR,11000.0,8500.0,0.15,2026-03-01,",
        "US,7.0,5.95,0.15,2026-03-01,",
      ])
    let mixed = try imported(
      "gems.60 2026-03-01.csv", text.replacing("5,95", with: "5.95"))
    #expect(mixed.run.status == 2 && mixed.run.errors.contains("two decimal marks"))
    #expect(!mixed.run.errors.contains("tieout.toml"), "\(mixed.run.errors)")
  }

  @Test func `prices to upload, without proceeds and from days of their own`() throws {
    let (folder, run) = try imported(
      "gems.60 2026-03-01.csv",
      """
      Countries or Regions,Currency Code,Price,start_date,preserved
      USA,USD,19.99,2026-03-01,false
      Germany,EUR,21.99,2026-03-01,true
      France,EUR,22.99,2026-04-01,false
      St Kitts & Nevis,USD,19.99,,

      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try prices(in: folder) == [
        "FR,22.99,,,2026-04-01,", "KN,19.99,,,2026-03-01,", "US,19.99,,,2026-03-01,",
      ])
    #expect(run.output.contains("1  price kept for earlier subscribers, left out"))
    #expect(!run.errors.contains("commission"), "nothing was said of proceeds: \(run.errors)")
    let others = try imported(
      "gems.60 2026-03-01.csv",
      "Countries or Regions,Currency Code,Price,Diff %\nUnited States,USD,9.99,0.0%\n")
    #expect(others.run.status == 0 && others.run.errors.contains("Diff %"), "\(others.run.errors)")
  }

  /// A standard account after Japan's and mainland China's changes: 4 of 6 rows are at 30%.
  /// 48 / 1.015 × 0.75 = 35.47; 1000 / 1.1 × 0.74 = 673.
  @Test func `storefronts with terms of their own are at their commission, and counted`() throws {
    let (folder, run) = try imported(
      "gems.60 2026-08-15.csv",
      Self.exportHeader + "\r\n"
        + [
          "United States,USD,7.0,4.9,Y", "Hong Kong,HKD,50.0,35.0,Y",
          "\"Korea, Republic of\",KRW,11000,7000,Y", "Australia,AUD,11.0,7.00,Y",
          "China mainland,CNY,48.0,35.47,Y", "Japan,JPY,1000.0,673,Y",
        ].map { $0 + "\r\n" }.joined())
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("proceeds after 30% commission (2 of them after another)"),
      "\(run.output)")
    let read = try prices(in: folder)
    #expect(read.contains("CN,48.0,35.47,0.25,2026-08-15,"), "\(read)")
    #expect(read.contains("JP,1000.0,673.0,0.26,2026-08-15,"), "\(read)")
    #expect(read.contains("US,7.0,4.9,0.3,2026-08-15,"), "\(read)")
  }

  /// 48 for 60 coins elsewhere is 0.80 a coin. France 5.67 × 8 / 0.8 = 56.7, the US 5.95 × 7 / 0.8
  /// = 52.06, China 40.44 / 0.8 = 50.55, rounded down to convenient figures.
  @Test func `packs are planned from an exported list and rates alone`() throws {
    let (folder, run) = try imported(
      "gems.60 2026-03-01.csv",
      Self.exportHeader + "\r\nFrance,EUR,8.0,5.67,Y\r\nUnited States,USD,7.0,5.95,N\r\n"
        + "China mainland,CNY,48.0,40.44,Y\r\nGermany,EUR,8.0,5.71,Y\r\n")
    #expect(run.status == 0, "\(run.errors)")
    try folder.write(
      "tieout.toml",
      """
      base_currency = "CNY"
      developer_country = "CN"
      small_business = [{ from = 2021-01-01 }]
      """)
    try folder.write(
      "rates.csv", "date,base,quote,rate\n2026-03-01,EUR,CNY,8\n2026-03-01,USD,CNY,7\n")
    #expect(try CommandLineRun(["import", "rates.csv"], in: folder).status == 0)
    let plan = try CommandLineRun(
      [
        "plan", "packs", "--date", "2026-03-02", "--storefronts", "FR,US,CN", "--channel-packs",
        "gems.60=48.00/60",
      ], in: folder)
    #expect(plan.status == 0, "\(plan.errors)")
    func words(_ storefront: String) -> [Substring] {
      let line = plan.output.split(separator: "\n").first {
        $0.contains("  \(storefront)  gems.60")
      }
      return line?.split(separator: " ") ?? []
    }
    #expect(words("FR").prefix(9).suffix(2) == ["55", "756.0000"], "\(plan.output)")
    #expect(words("US").prefix(9).suffix(2) == ["50", "694.1667"], "\(plan.output)")
    #expect(words("CN").prefix(9).suffix(2) == ["50", "674.0000"], "\(plan.output)")
  }

  // MARK: - Price points

  /// Programs that get all pages write them as one, with an empty link to the next.
  @Test func `pages that a program joined are the product's own prices`() throws {
    let points = [
      PricePages.Point(
        territory: "USA", number: 10010, price: "0.99", proceeds: "0.7", second: "0.84"),
      PricePages.Point(
        territory: "DEU", number: 10060, price: "8.0", proceeds: "4.71", second: "5.71"),
    ].map { PricePages.point($0, of: "6446671421", isSubscription: true) }.joined(separator: ",\n")
    let included = PricePages.territories([("USA", "USD"), ("DEU", "EUR")])
    let text = "{\"data\":[\n\(points)],\n\"included\":[\(included)],\"links\":{\"next\":\"\"}}"
    let (folder, run) = try imported("vip 2026-03-01.json", text)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try prices(in: folder).contains("DE,8.0,4.71,0.3,2026-03-01,"))
    let other = try TemporaryFolder()
    try other.write("vip 2026-03-01.json", text)
    let dry = try CommandLineRun(["import", "--dry-run", "vip 2026-03-01.json"], in: other)
    #expect(dry.output.contains("known by the members data, included, links"), "\(dry.output)")
    let bare = try imported(
      "vip 2026-03-01.json", "{\"data\":[\n\(points)],\"links\":{\"next\":\"\"}}")
    #expect(bare.run.status == 2)
    #expect(bare.run.errors.contains("the currency of USA"), "\(bare.run.errors)")
    #expect(!bare.run.errors.contains("commission of the proceeds"), "\(bare.run.errors)")
  }

  /// As Apple's documentation prints answers, with spaces before colons.
  @Test func `the automatic prices of a schedule end where the next ones begin`() throws {
    func price(_ point: PricePages.Point, _ start: String, _ end: String) -> String {
      let id = PricePages.id(point, of: "6446671421")
      return """
        { "type" : "inAppPurchasePrices", "id" : "\(id)x", "attributes" : { "startDate" : \(start),
        "endDate" : \(end), "manual" : false }, "relationships" : { "territory" : { "data" : {
        "type" : "territories", "id" : "\(point.territory)" } }, "inAppPurchasePricePoint" : {
        "data" : { "type" : "inAppPurchasePricePoints", "id" : "\(id)" } } } }
        """
    }
    let old = PricePages.Point(territory: "FRA", number: 10060, price: "8.0", proceeds: "5.67")
    let new = PricePages.Point(territory: "FRA", number: 10070, price: "9.0", proceeds: "6.37")
    let included = [old, new].map {
      PricePages.point($0, of: "6446671421", isSubscription: false, namesTerritory: false)
    }
    let page = PricePages.page(
      "/v1/inAppPurchasePriceSchedules/6446671421/automaticPrices",
      [price(old, "null", "\"2026-05-01\""), price(new, "\"2026-05-01\"", "null")],
      included: PricePages.territories([("FRA", "EUR")]) + "," + included.joined(separator: ","))
    let (folder, run) = try imported("gems.60 2026-03-01.json", page)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try prices(in: folder) == [
        "FR,8.0,5.67,0.15,2026-03-01,2026-04-30", "FR,9.0,6.37,0.15,2026-05-01,",
      ])
  }

  // MARK: - Warehouses

  private static let subscriptionTitles =
    "App Name,App Apple ID,Subscription Name,Subscription Apple ID,Subscription Group ID,"
    + "Standard Subscription Duration,Customer Price,Customer Currency,Developer Proceeds,"
    + "Proceeds Currency,Preserved Pricing,Proceeds Reason,Device,Country,"
    + "Active Standard Price Subscriptions,Billing Retry"
  private static let subscriptionNames =
    subscriptionTitles.lowercased().replacing(" ", with: "_")
  private static let subscription =
    "Sample,1,One,11,10,1 Month,3.99,EUR,1.99,EUR,Yes,,iPhone,IT,1,0"

  @Test(arguments: [
    ("report_date", "20241207"), ("dt", "2024-12-07"), ("ds", "2024-12-07"),
    ("day", "7 Dec 2024"), ("partition_date", "2024-12-07 00:00:00 UTC"),
    ("snapshot_date", "2024-12-07T00:00:00"),
  ]) func `the day of a copy has several names and spellings`(
    _ name: String, _ day: String
  ) throws {
    let (folder, run) = try imported(
      "copy.csv",
      "\(name),vendor_number,\(Self.subscriptionNames)\n\(day),101,\(Self.subscription)\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try files(in: folder) == ["subscription,101,2024-12-07,current"])
  }

  @Test func `a copy with Apple's titles is divided by its days`() throws {
    let (folder, run) = try imported(
      "copy.csv",
      "Report Date,Vendor Number,\(Self.subscriptionTitles)\n2024-12-07,101,\(Self.subscription)\n"
        + "2024-12-08,101,\(Self.subscription)\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try files(in: folder) == [
        "subscription,101,2024-12-07,current", "subscription,101,2024-12-08,current",
      ])
    let dayless = try imported(
      "copy.csv", "vendor_number,\(Self.subscriptionNames)\n101,\(Self.subscription)\n")
    #expect(dayless.run.status == 2)
    #expect(dayless.run.errors.contains("which day's report"), "\(dayless.run.errors)")
  }

  /// As `tap-appstore` names the columns.
  @Test func `events as JSON lines with capitals and underscores, plain and packed`() throws {
    func event(_ name: String, _ day: String, _ quantity: Int) -> String {
      """
      {"Event_Date":"\(day)","Event":"\(name)","App_Name":"Sample","App_Apple_ID":"1",\
      "Subscription_Name":"One","Subscription_Apple_ID":11,"Subscription_Group_ID":10,\
      "Standard_Subscription_Duration":"1 Month","Marketing_Opt-In":null,\
      "Consecutive_Paid_Periods":3,"Original_Start_Date":"2024-09-07","Device":"iPhone",\
      "Country":"IT","Cancellation_Reason":null,"Quantity":\(quantity),"_line_id":1,\
      "_api_report_date":"2024-12-07","vendor_number":"85012345"}

      """
    }
    let lines = event("Renew", "2024-12-07", 3) + event("Cancel", "2024-12-06", 1)
    for (name, bytes) in [
      ("events.jsonl", Array(lines.utf8)), ("events.jsonl.gz", gzipMember(lines)),
    ] {
      let folder = try TemporaryFolder()
      try folder.write(name, bytes)
      let run = try CommandLineRun(["import", name], in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try files(in: folder) == ["subscription_event,85012345,2024-12-07,current"])
      let query = """
        SELECT event_date, event, quantity, original_start_date FROM v_subscription_event
        ORDER BY 1
        """
      #expect(
        try rows(query, in: folder) == [
          "2024-12-06,Cancel,1,2024-09-07", "2024-12-07,Renew,3,2024-09-07",
        ])
    }
  }

  /// As BigQuery exports a table of sales: times of day, nine decimal places, parts of files.
  @Test func `sales of BigQuery, packed, with a refund and a currency without decimals`() throws {
    let header =
      "report_date,vendor_number,provider,provider_country,sku,title,product_type_identifier,"
      + "units,developer_proceeds,begin_date,end_date,customer_currency,country_code,"
      + "currency_of_proceeds,apple_identifier,customer_price,device,preserved_pricing,_loaded\n"
    func sale(_ day: String, _ units: String, _ money: String, _ country: String) -> String {
      let amounts = money.split(separator: "/")
      let (proceeds, price) = (amounts[0], amounts[1])
      let currency = country == "JP" ? "JPY" : "USD"
      return "\(day),85012345,APPLE,US,gems.60,\"Gems, \"\"big\"\"\",IA1,\(units),\(proceeds),"
        + "\(day) 00:00:00 UTC,\(day) 00:00:00 UTC,\(currency),\(country),\(currency),1600000001,"
        + "\(price),iPhone,false,2023-06-03 05:00:00 UTC\n"
    }
    let text =
      header + sale("2023-06-01", "2.00", "0.700000000/0.990000000", "US")
      + sale("2023-06-01", "-1", "0.7/-0.99", "US") + sale("2023-06-02", "1", "84/120", "JP")
    let folder = try TemporaryFolder()
    try folder.write("sales-000000000000.csv.gz", gzipMember(text))
    let run = try CommandLineRun(["import", "sales-000000000000.csv.gz"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let query = """
      SELECT begin, units, proceeds, customer_price, storefront FROM v_report_row ORDER BY 1, 2
      """
    #expect(
      try rows(query, in: folder) == [
        "2023-06-01,-1,0.7,-0.99,US", "2023-06-01,2,0.7,0.99,US", "2023-06-02,1,84.0,120.0,JP",
      ])
  }

  // MARK: - Rates of months

  private static let month = """
    Country/Territories,Currency,Currency code,Currency units per £1,Start Date,End Date\r
    Eurozone,Euro,EUR,1.1564,01-Jul-26,31-Jul-26\r
    USA,Dollar,USD,1.3404,01-Jul-26,31-Jul-26\r

    """

  @Test func `rates of a month whose days a spreadsheet wrote with the month's name`() throws {
    let read = try rates("rates.csv", Self.month)
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(read.rates.count == 62)
    #expect(read.rates.contains("2026-07-31,GBP,USD,1.3404"))
  }

  @Test func `rates of a month in the encoding of Windows, by the lines that are proposed`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write("rates.csv", Self.month.utf8.filter { $0 != 0xC2 })
    let first = try CommandLineRun(["import", "rates.csv"], in: folder)
    #expect(first.status == 2)
    let lines = ["import.rates.files = \"rates.csv\"", "import.rates.encoding = \"WINDOWS-1252\""]
    for line in lines { #expect(first.errors.contains(line), "\(first.errors)") }
    try folder.write("tieout.toml", lines.joined(separator: "\n") + "\n")
    let second = try CommandLineRun(["import", "rates.csv"], in: folder)
    #expect(second.status == 0, "\(second.errors)")
    #expect(try rates(in: folder).contains("2026-07-01,GBP,EUR,1.1564"))
  }

  @Test func `rates of a month as XML, whole and cut`() throws {
    func rate(_ code: String, _ rate: String) -> String {
      """
        <exchangeRate>
          <countryName>X</countryName>
          <countryCode>XX</countryCode>
          <currencyName>Y</currencyName>
          <currencyCode>\(code)</currencyCode>
          <rateNew>\(rate)</rateNew>
        </exchangeRate>

      """
    }
    let xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<exchangeRateMonthList Period=\"01/Jul/2026 to 31/Jul/2026\">\n" + rate("EUR", "1.1564")
      + rate("USD", "1.3404")
    let whole = try rates("monthly_xml_2026-07.xml", xml + "</exchangeRateMonthList>\n")
    #expect(whole.run.status == 0, "\(whole.run.errors)")
    #expect(whole.rates.count == 62)
    #expect(whole.rates.first == "2026-07-01,GBP,EUR,1.1564")
    #expect(whole.rates.last == "2026-07-31,GBP,USD,1.3404")
    let cut = try rates("monthly_xml_2026-07.xml", xml)
    #expect(cut.run.status == 2 && cut.run.errors.contains("breaks off"), "\(cut.run.errors)")
    #expect(cut.rates.isEmpty)
  }

  @Test func `averages without days are said to have none`() throws {
    let read = try rates(
      "average_csv_2026-03.csv",
      """
      Country,Unit Of Currency,Currency Code,Sterling value of Currency Unit £,Currency Units per £1
      Eurozone,Euro,EUR,0.8647,1.1564

      """)
    #expect(read.run.status == 2)
    #expect(read.run.errors.contains("on which days they hold"), "\(read.run.errors)")
  }

  // MARK: - Banks

  @Test func `the ECB's tables in their archives`() throws {
    let folder = try TemporaryFolder()
    let daily = "Date, USD, JPY, BGN, \n27 November 2026, 1.0823, 161.50, N/A, \n"
    let history = "Date,USD,JPY,RUB,\n2022-03-01,1.1162,128.65,117.201,\n"
    try folder.write(
      "eurofxref.zip", zipArchive([(name: "eurofxref.csv", bytes: Array(daily.utf8))]))
    try folder.write(
      "eurofxref-hist.zip", zipArchive([(name: "eurofxref-hist.csv", bytes: Array(history.utf8))]))
    let run = try CommandLineRun(["import", "."], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try rates(in: folder) == [
        "2022-03-01,EUR,JPY,128.65", "2022-03-01,EUR,RUB,117.201", "2022-03-01,EUR,USD,1.1162",
        "2026-11-27,EUR,JPY,161.5", "2026-11-27,EUR,USD,1.0823",
      ])
  }

  @Test func `the ECB's table that a spreadsheet saved, in Germany and in America`() throws {
    let wanted = [
      "2026-11-05,EUR,JPY,160.5", "2026-11-05,EUR,USD,1.0723", "2026-11-27,EUR,JPY,161.5",
      "2026-11-27,EUR,USD,1.0823",
    ]
    let german = try rates(
      "eurofxref-hist.csv",
      "Date;USD;JPY;\r\n27.11.2026;1,0823;161,5;\r\n05.11.2026;1,0723;160,5;\r\n")
    #expect(german.rates == wanted, "\(german.run.errors)")
    let american = try rates(
      "eurofxref-hist.csv",
      "Date,USD,JPY,\r\n11/27/2026,1.0823,161.5,\r\n11/5/2026,1.0723,160.5,\r\n")
    #expect(american.rates == wanted, "\(american.run.errors)")
    let unsure = try rates(
      "eurofxref-hist.csv", "Date,USD,JPY,\r\n11/5/2026,1.0723,160.5,\r\n")
    #expect(unsure.run.status == 2 && unsure.rates.isEmpty)
    #expect(unsure.run.errors.contains("whether the day or the month"), "\(unsure.run.errors)")
  }

  /// A dollar at 7.1 yuan must not become a euro at 7.1 dollars.
  @Test(arguments: ["date,USD,EUR,JPY", "日期,USD,EUR,JPY"])
  func `a table with the euro among its columns is none of the ECB's`(_ header: String) throws {
    let read = try rates("own.csv", header + "\n2026-11-27,7.1,7.8,0.048\n")
    #expect(read.run.status == 2 && read.rates.isEmpty)
    #expect(read.run.errors.contains("in which currency its rates are"), "\(read.run.errors)")
  }

  private static let federal = """
    "Series Description","CHINA -- SPOT EXCHANGE RATE, YUAN/US$ P.R.","EURO AREA","NOMINAL"
    "Unit:","Currency:_Per_USD","Currency:_Per_EUR","Index:_2006_Jan_100"
    "Multiplier:","1","1","1"
    "Currency:","CNY","USD","NA"
    "Unique Identifier: ","H10/H10/RXI_N.B.CH","H10/H10/RXI$US_N.B.EU","H10/H10/JRXWTFB_N.B"
    "Time Period","RXI_N.B.CH","RXI$US_N.B.EU","JRXWTFB_N.B"

    """

  @Test func `H.10 that a spreadsheet saved, with two digits of the year`() throws {
    let read = try rates(
      "FRB_H10.csv",
      Self.federal + "1/2/26,ND,1.10,110\n1/5/26,6.99,1.11,110\n11/27/98,8.28,1.17,1\n")
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(
      read.rates == [
        "1998-11-27,EUR,USD,1.17", "1998-11-27,USD,CNY,8.28", "2026-01-02,EUR,USD,1.1",
        "2026-01-05,EUR,USD,1.11", "2026-01-05,USD,CNY,6.99",
      ])
    #expect(read.run.errors.contains("NOMINAL"), "a column that is no rate: \(read.run.errors)")
    let unsure = try rates("FRB_H10.csv", Self.federal + "1/5/26,6.99,1.11,110\n")
    #expect(unsure.run.status == 2 && unsure.rates.isEmpty)
    let monthly = try rates(
      "FRB_H10.csv", Self.federal.replacing("N.B.", with: "N.M.") + "2026-10,6.99,1.11,110\n")
    #expect(monthly.run.status == 2 && monthly.run.errors.contains("of a month"))
  }

  @Test(arguments: [
    "\"Unique Identifier: \",\"H10/H10/RXI_N.B.CH\",\"H10/H10/RXI$US_N.B.EU\"\n"
      + "\"Time Period\",\"RXI_N.B.CH\",\"RXI$US_N.B.EU\"",
    "\"Time Period\",\"RXI_N.B.CH\",\"RXI$US_N.B.EU\"", "observation_date,DEXCHUS,DEXUSEU",
  ]) func `the Federal Reserve's series by their names alone`(_ header: String) throws {
    let read = try rates("h10.csv", header + "\n2026-11-26,ND,\n2026-11-27,6.9100,1.12\n")
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(read.rates == ["2026-11-27,EUR,USD,1.12", "2026-11-27,USD,CNY,6.91"])
  }

  @Test func `the Bank of China's page in English, and with all of its currencies`() throws {
    let english = try rates(
      "boc.csv",
      """
      Currency Name,Buying Rate,Cash Buying Rate,Selling Rate,Cash Selling Rate,Middle Rate,Pub Time
      USD,673.7,673.7,676.5,676.5,679.0,2026/08/07 10:05:00
      JPY,4.5,4.5,4.6,4.6,4.5211,2026/08/07 10:05:00

      """)
    #expect(english.run.status == 0, "\(english.run.errors)")
    #expect(english.rates == ["2026-08-07,JPY,CNY,0.045211", "2026-08-07,USD,CNY,6.79"])
    let names = [
      "柬埔寨瑞尔", "科威特第纳尔", "蒙古图格里克", "尼泊尔卢比", "卡塔尔里亚尔", "塞尔维亚第纳尔", "文莱元",
    ]
    let all = try rates(
      "boc.csv",
      "货币名称,现汇买入价,现钞买入价,现汇卖出价,现钞卖出价,中行折算价,发布时间,查询日期\n"
        + names.map { "\($0),,,,,123,2026/08/07 10:05:00,2026-08-07\n" }.joined())
    #expect(all.run.status == 0, "\(all.run.errors)")
    #expect(
      all.rates
        == ["BND", "KHR", "KWD", "MNT", "NPR", "QAR", "RSD"].map {
          "2026-08-07,\($0),CNY,1.23"
        })
  }

  /// A search of the bank's page has all that it published on a day, the newest first or not.
  @Test func `the last rate that the Bank of China published on a day is the day's`() throws {
    let header = "货币名称,现汇买入价,中行折算价,发布日期,发布时间\n"
    func row(_ rate: String, _ time: String) -> String {
      "美元,673.7,\(rate),2026-08-07,\(time)\n"
    }
    let read = try rates(
      "boc.csv",
      header + row("679.0", "9:30:00") + row("679.1", "12:30:00") + row("679.05", "10:30:00")
        + row("679.1", "12:30:00") + "日元,4.5,4.52,2026-08-07,9:30:00\n")
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(read.rates == ["2026-08-07,JPY,CNY,0.0452", "2026-08-07,USD,CNY,6.791"])
    #expect(read.run.output.contains("3  rates published earlier on a day"), "\(read.run.output)")
    let both = try rates(
      "boc.csv", header + row("679.0", "9:30:00") + row("679.1", "9:30:00"))
    #expect(both.run.status == 2 && both.run.errors.contains("6.79"), "\(both.run.errors)")
  }

  /// Ten currencies are in yuan for a hundred, the others so many for a hundred yuan.
  @Test func `mid-rates as the foreign exchange administration lists them, for a hundred`() throws {
    let header = "日期,美元,欧元,日元,港元,英镑,林吉特,卢布\n"
    let read = try rates(
      "safe.csv", header + "2026-08-07,712.5,780.1,4.82,91.2,930.4,61.2,1120.5\n")
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(
      read.rates == [
        "2026-08-07,CNY,MYR,0.612", "2026-08-07,CNY,RUB,11.205", "2026-08-07,EUR,CNY,7.801",
        "2026-08-07,GBP,CNY,9.304", "2026-08-07,HKD,CNY,0.912", "2026-08-07,JPY,CNY,0.0482",
        "2026-08-07,USD,CNY,7.125",
      ])
    let ones = try rates(
      "safe.csv", header + "2026-08-07,7.125,7.801,0.0482,0.912,9.304,0.612,11.205\n")
    #expect(ones.run.status == 2 && ones.rates.isEmpty)
    #expect(ones.run.errors.contains("yuan for 100 dollars"), "\(ones.run.errors)")
    let pairs = try rates(
      "ccpr.csv", "Date,USD/CNY,100JPY/CNY,CNY/KRW\n2026-08-07,7.1250,4.8200,194.55\n")
    #expect(
      pairs.rates == [
        "2026-08-07,CNY,KRW,194.55", "2026-08-07,JPY,CNY,0.0482", "2026-08-07,USD,CNY,7.125",
      ])
  }

  // MARK: - Reports that are left out

  private static let preOrder =
    "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tPre-Order Start Date\tPre-Order End Date\t"
    + "Ordered\tCanceled\tCumulative Ordered\tCumulative Canceled\tStart Date\tEnd Date\t"
    + "Country Code\tApple Identifier\tDevice\tSupported Platforms\tCategory\tClient\n"
    + "APPLE\tUS\tx\tDev\tApp\t11/01/2026\t12/01/2026\t12\t1\t40\t3\t11/27/2026\t11/27/2026\tUS\t"
    + "123\tiPhone\tiOS\tGames\t\n"
  private static let offerCodes =
    "Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\t"
    + "Offer Reference Name\tOffer Code\tTerritory\tRedemptions\n"
    + "2026-11-27\tSample\t1\tOne\t11\tSpring\tSPRING26\tUS\t14\n"
  private static let taxes =
    "ISO Country Code\tCountry/Territory\tState\tCounty\tCity\tDistrict\tMisc\tTax Category\t"
    + "Tax Type\tCurrency\tTax Exclusive Amount\tTax Rate\tTaxes Paid\t# of Transactions\n"
    + "US\tUnited States\tCA\tALAMEDA\tOAKLAND\t\t\tC001\tSales Tax\tUSD\t9.99\t0.0\t0.00\t1\n"

  /// A table with its columns as a warehouse names them.
  private static func copied(_ text: String) -> String {
    let lines = text.split(separator: "\n").map { $0.replacing("\t", with: ",") }
    let names = lines[0].lowercased().replacing(" ", with: "_").replacing("-", with: "_")
    return "_id,\(names)\nx,\(lines[1])\n"
  }

  @Test(arguments: [
    ("P_S_D_85012345_20261127.txt", preOrder, "pre-order report"),
    ("P_S_D_85012345_20230601.txt", "SKU\tCumulative Ordered\nx\t1\n", "pre-order report"),
    ("few.txt", "Date\tOffer Code\tRedemptions\n2023-06-01\tA\t1\n", "offer code redemption"),
    ("pre_order.csv", copied(preOrder), "pre-order report"),
    ("codes.txt", offerCodes, "offer code redemption report"),
    ("codes.csv", copied(offerCodes), "offer code redemption report"),
    (
      "codes.jsonl",
      "{\"date\":\"2026-11-27\",\"offer_reference_name\":\"S\",\"offer_code\":\"S\","
        + "\"redemptions\":14}\n", "offer code redemption report"
    ),
    ("85012345_1126.txt", taxes, "transaction tax report"),
    ("taxes.csv", taxes.replacing("\t", with: ","), "transaction tax report"),
  ]) func `reports that nothing is needed of are named, and no fault`(
    _ name: String, _ text: String, _ what: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    try folder.write("rates.csv", "date,base,quote,rate\n2026-03-01,EUR,CNY,8\n")
    let run = try CommandLineRun(["import", name, "rates.csv"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("this is Apple's \(what)"), "\(run.errors)")
    #expect(what.contains("tax") || run.errors.contains("no money"), "\(run.errors)")
    #expect(!run.errors.contains("not public"), "\(run.errors)")
    #expect(run.output.contains("imported 1 file, 1 row; 1 left out"), "\(run.output)")
    #expect(!(run.output + run.errors).contains("import.orders"), "\(run.errors)")
    #expect(!run.output.contains("next: map"), "\(run.output)")
  }

  @Test func `a copy of a financial report is refused as what it is`() throws {
    let (_, run) = try imported(
      "financial_report.csv",
      """
      transaction_date,settlement_date,apple_identifier,sku,title,product_type_identifier,\
      country_of_sale,quantity,partner_share,extended_partner_share,partner_share_currency,\
      customer_price,customer_currency,sale_or_return,_synced
      2025-11-02,2025-11-03,123,x,T,IAY,CN,1,18.53,18.53,CNY,22.000,CNY,S,2025-12-05

      """)
    #expect(run.status == 2)
    #expect(run.errors.contains("copy of Apple's financial report"), "\(run.errors)")
    #expect(!run.errors.contains("import.products"), "\(run.errors)")
  }
}
