import Support
import Testing

/// Goal: central banks' files of rates are read as downloaded, each rate as written and in its own
/// direction. Method: the command, on files made here in the banks' layouts.
@Suite struct BankRatesTests {
  private func rates(
    _ name: String, _ text: String
  ) throws -> (rates: [String], run: CommandLineRun) {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    let run = try CommandLineRun(["import", name], in: folder)
    let query = "SELECT date, base, quote, rate FROM v_rate ORDER BY date, base, quote"
    let read = try CommandLineRun(["sql", query, "--format", "csv"], in: folder).output
    let lines = read.replacing("\r\n", with: "\n").split(separator: "\n").dropFirst()
    return (lines.map(String.init), run)
  }

  @Test func `the ECB's daily and historical tables`() throws {
    let daily = try rates("eurofxref.csv", "Date, USD, JPY, \n17 September 2026, 1.0823, 161.5, \n")
    #expect(daily.rates == ["2026-09-17,EUR,JPY,161.5", "2026-09-17,EUR,USD,1.0823"])
    let history = try rates(
      "eurofxref-hist.csv", "Date,USD,CYP,\n2026-09-17,1.0823,N/A,\n2026-09-16,1.08,N/A,\n")
    #expect(history.rates == ["2026-09-16,EUR,USD,1.08", "2026-09-17,EUR,USD,1.0823"])
    #expect(history.run.output.contains("2  places without a rate"), "\(history.run.output)")
  }

  @Test func `the ECB's XML, of one day and of several`() throws {
    func day(_ date: String, _ usd: String) -> String {
      """
      <Cube time="\(date)"><Cube currency="USD" rate="\(usd)"/><Cube currency='JPY' rate='161.5'/>
      </Cube>
      """
    }
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" \
      xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates\
      </gesmes:subject><Cube>\(day("2026-09-17", "1.0823"))\(day("2026-09-16", "1.08"))</Cube>
      </gesmes:Envelope>

      """
    let read = try rates("eurofxref-hist-90d.xml", xml)
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(
      read.rates == [
        "2026-09-16,EUR,JPY,161.5", "2026-09-16,EUR,USD,1.08", "2026-09-17,EUR,JPY,161.5",
        "2026-09-17,EUR,USD,1.0823",
      ])
  }

  @Test func `the ECB's data portal, by series and by columns`() throws {
    let header =
      "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE"
    let series = try rates(
      "data.csv",
      """
      \(header)
      EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-09-30,1.1355,A,"US dollar/Euro, 2.15 pm"
      EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-10-01,,M,"US dollar/Euro, 2.15 pm"

      """)
    #expect(series.run.status == 0, "\(series.run.errors)")
    #expect(series.rates == ["2026-09-30,EUR,USD,1.1355"])
    #expect(series.run.output.contains("1  place without a rate"), "\(series.run.output)")
    let monthly = try rates(
      "monthly.csv", "\(header)\nEXR.M.USD.EUR.SP00.A,M,USD,EUR,SP00,A,2026-09-01,1.1,A,\n")
    #expect(monthly.run.status == 2 && monthly.run.errors.contains("no daily one"))
    let columns = try rates(
      "columns.csv",
      "\"DATE\",\"TIME PERIOD\",\"US dollar/Euro (EXR.D.USD.EUR.SP00.A)\"\n"
        + "\"2026-09-30\",\"30 Sep 2026\",\"1.1355\"\n")
    #expect(columns.rates == ["2026-09-30,EUR,USD,1.1355"], "\(columns.run.errors)")
  }

  @Test func `the Federal Reserve's H.10, in the direction that each column says`() throws {
    let read = try rates(
      "FRB_H10.csv",
      """
      "Series Description","SPOT EXCHANGE RATE - EURO AREA","SPOT EXCHANGE RATE - BRAZIL","NOMINAL"
      "Unit:","Currency:_Per_EUR","Currency:_Per_USD","Index:_1997_Jan_100"
      "Multiplier:","1","1","1"
      "Currency:","USD","BRL","NA"
      "Unique Identifier: ","H10/H10/RXI$US_N.B.EU","H10/H10/RXI_N.B.BZ","H10/H10/JRXWTFB_N.B"
      "Time Period","RXI$US_N.B.EU","RXI_N.B.BZ","JRXWTFB_N.B"
      2021-02-15,ND,5.3736,110.1
      2021-02-19,1.2136,5.3938,110.5

      """)
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(
      read.rates == [
        "2021-02-15,USD,BRL,5.3736", "2021-02-19,EUR,USD,1.2136", "2021-02-19,USD,BRL,5.3938",
      ])
    #expect(read.run.output.contains("1  place without a rate"), "\(read.run.output)")
  }

  @Test func `the Bank of China's, in yuan for a hundred, by Chinese names`() throws {
    let read = try rates(
      "boc.csv",
      """
      货币名称,现汇买入价,现钞买入价,现汇卖出价,现钞卖出价,中行折算价,发布日期,发布时间
      美元,673.7,673.7,676.54,676.54,674.12,2026-08-07,10:30:00
      日元,4.5012,,4.5343,,4.5211,2026-08-07,10:30:00
      印尼卢比,,0.0401,,0.0433,0.0417,2026-08-07,10:30:00

      """)
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(
      read.rates == [
        "2026-08-07,IDR,CNY,0.000417", "2026-08-07,JPY,CNY,0.045211", "2026-08-07,USD,CNY,6.7412",
      ])
    let unknown = try rates("boc.csv", "货币名称,中行折算价,发布时间\n贝壳,1,2026.08.07 10:30:00\n")
    #expect(unknown.run.status == 2 && unknown.run.errors.contains("贝壳"))
  }

  @Test func `mid-rates of the yuan, per unit, per hundred, and per yuan`() throws {
    let read = try rates(
      "ccpr.csv",
      """
      日期,USD/CNY,100JPY/CNY,CNY/MYR
      2022-01-05,6.3779,5.4974,0.65745
      2022-01-04,6.3794,5.5325,---
      数据来源：中国货币网,,,

      """)
    #expect(read.run.status == 0, "\(read.run.errors)")
    #expect(
      read.rates == [
        "2022-01-04,JPY,CNY,0.055325", "2022-01-04,USD,CNY,6.3794", "2022-01-05,CNY,MYR,0.65745",
        "2022-01-05,JPY,CNY,0.054974", "2022-01-05,USD,CNY,6.3779",
      ])
  }

  @Test func `a transaction tax report is named and left out`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Transaction_Tax_85012345_0623.txt", "Country\tTax\tAmount\nUS\t1\t2\n")
    let run = try CommandLineRun(["import", "Transaction_Tax_85012345_0623.txt"], in: folder)
    #expect(run.status == 0 && run.errors.contains("transaction tax report"), "\(run.errors)")
  }
}
