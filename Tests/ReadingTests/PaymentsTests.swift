import Billing
import Support
import Testing

@testable import Reading

private let eur = Currency("EUR")!
private let title =
  "\"iTunes Connect - Payments and Financial Reports\t(September, 2014)\",,,,,,,,,,,,\n"
private let names =
  "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,"
  + "Total Owed,Exchange Rate,Proceeds,Bank Account Currency,\n"
private let chineseNames =
  "国家或地区 (货币),销量,收入,税前小计,进项税,调整,预扣税,总欠款,汇率,收入,银行账户币种,"
private let blank = ",,,,,,,,,,,,\n"
private let swiss =
  #"Switzerland (CHF),"29","33.15","33.15","0","0","0","33.15","0.80030","26.53","EUR","#
private let japan = #"Japan (JPY),"2","179","179","0","0","-37","142","0.00817","1.16","EUR","#
private let payout = ",,,,,,,,,,\"27.69\" EUR,,\n,,,,,,,,,,Paid to FICTIONAL BANK -****1299,,\n"

@Suite struct PaymentsTests {
  @Test func aSummaryReads() throws {
    let outcome = try read(
      title + blank + names + swiss + "\n" + japan + "\n" + blank + payout + blank + blank)
    let reading = outcome.reading
    #expect(reading.kind == .payments && reading.warnings.isEmpty && reading.diagnostics.isEmpty)
    #expect(reading.begin == Day("2014-08-31") && reading.end == Day("2014-09-27"))
    #expect(reading.rows == 2 && reading.footers == 2 && reading.rejected == 0)
    #expect(
      outcome.payments.lines[1]
        == PaymentLine(
          line: 5, block: 0, region: "JP", label: "Japan", currency: Currency("JPY")!, units: 2,
          balance: nil, earned: 179_000_000, preTaxSubtotal: 179_000_000, inputTax: 0,
          adjustments: 0, withholding: -37_000_000, owed: 142_000_000, printedRate: 8170,
          proceeds: 1_160_000, bankCurrency: eur))
    #expect(
      outcome.payments.payouts == [
        Payout(
          line: 7, block: 0, amount: 27_690_000, currency: eur, account: "FICTIONAL BANK -****1299",
          day: nil, isPaid: true)
      ])
    #expect(
      reading.totals == [
        ReadingTotal(currency: Currency("CHF"), units: 29, gross: 33_150_000, proceeds: 0),
        ReadingTotal(currency: eur, units: 0, gross: 0, proceeds: 27_690_000),
        ReadingTotal(currency: Currency("JPY"), units: 2, gross: 142_000_000, proceeds: 0),
      ])
  }

  /// Pages in other languages: the title's month, the header by its order, and the four regions
  /// that are settled in dollars, told by their labels.
  @Test(arguments: [
    (
      "iTunes Connect - Zahlungen und Finanzberichte\t(Juli 2015)",
      "Land oder Region (Währung),Verkauft,Verdient,Zwischensumme,Vorsteuer,Anpassungen,"
        + "Quellensteuer,Geschuldet,Kurs,Erlös,Kontowährung,",
      ["Amerika", "Lateinamerika und Karibik", "Südasien und Pazifik", "Rest der Welt", "Eurozone"]
    ),
    (
      "App Store Connect - Paiements et rapports financiers\t(juillet 2015)",
      "Pays ou région (Devise),Unités,Gains,Sous-total,TVA,Ajustements,Retenue,Total,Taux,Recettes,"
        + "Devise du compte,",
      [
        "Amériques", "Amérique latine et Caraïbes", "Asie du Sud et Pacifique", "Reste du monde",
        "Zone euro",
      ]
    ),
    (
      "iTunes Connect - 支払いと財務報告\t(2015年7月)",
      "国または地域（通貨）,販売数,獲得額,税引前小計,仕入税,調整,源泉徴収税,未払総額,為替レート,収益,口座通貨,",
      ["アメリカ", "ラテンアメリカおよびカリブ海地域", "南アジアおよび太平洋地域", "その他の地域", "ユーロ圏"]
    ),
  ]) func aPageInAnotherLanguage(title: String, header: String, labels: [String]) throws {
    let rows = zip(labels, ["USD", "USD", "USD", "USD", "EUR"]).map { label, currency in
      "\(label) (\(currency)),\"2\",\"3.00\",\"3.00\",\"0\",\"0\",\"0\",\"3.00\",\"2.00000\","
        + "\"6.00\",\"CNY\",\n"
    }
    let outcome = try read(
      "\"\(title)\",,,,,,,,,,,,\n" + blank + header + "\n" + rows.joined() + blank
        + ",,,,,,,,,,\"30.00\" CNY,,\n")
    #expect(outcome.reading.diagnostics.isEmpty && outcome.reading.warnings.isEmpty)
    #expect(outcome.reading.end == FiscalMonth(namedMonth: 7, ofYear: 2015)?.last)
    #expect(outcome.payments.lines.map(\.region) == ["US", "LL", "AP", "WW", "EU"])
    #expect(outcome.payments.payouts.map(\.amount) == [30_000_000])
  }

  @Test(arguments: [
    ("März 2015", 3), ("Dezember 2015", 12), ("Mai, 2015", 5), ("août 2015", 8),
    ("février 2015", 2),
    ("décembre 2015", 12), ("2015年12月", 12),
  ]) func aMonthInAnotherLanguage(month: String, number: Int) {
    #expect(
      titleMonth("iTunes Connect - …\t(\(month))") == FiscalMonth(namedMonth: number, ofYear: 2015))
  }

  private let september = ReadingHints(date: Day("2014-09-15"))

  /// Headers of all vintages and languages, with a line below, and the line's amounts: units,
  /// balance, earned, subtotal, input tax, adjustments, withholding, owed, rate, proceeds.
  @Test(arguments: [
    (names, swiss, "29 - 33.15 33.15 0 0 0 33.15 0.8003 26.53"),
    (
      "Territory (Currency),Units Sold,Beginning Balance,Earned,Pre-Tax Subtotal,Input Tax,"
        + "Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency,",
      #"Japan (JPY),"2","100","1,179","1,279","0","0","-37","1,242","0.00817","10.15","EUR","#,
      "2 100 1179 1279 0 0 -37 1242 0.00817 10.15"
    ),
    (
      "Country or Region (Currency),Units Sold,Earned,Input Tax,Adjustments,Withholding Tax,"
        + "Total Owed,Proceeds,Bank Account Currency,",
      #"Mexico (MXN),"2","2999.72","0","479.92","0","3479.64","166.23","EUR","#,
      "2 - 2999.72 - 0 479.92 0 3479.64 - 166.23"
    ),
    (
      chineseNames,
      #"瑞士 (CHF),"29","33.15","33.15","0","0","0","33.15","0.80030","26.53","CNY","#,
      "29 - 33.15 33.15 0 0 0 33.15 0.8003 26.53"
    ),
    (
      "Land oder Region (Währung),Verkauft,Saldo,Ertrag,Zwischensumme,Vorsteuer,Anpassungen,"
        + "Quellensteuer,Summe,Kurs,Erlös,Währung,",
      "Schweiz (CHF),29,1.00,33.15,34.15,0,0,0,34.15,0.80030,27.33,EUR,",
      "29 1 33.15 34.15 0 0 0 34.15 0.8003 27.33"
    ),
    (
      "Pays ou région (Devise),Unités,Gagné,Taxe,Ajustements,Retenue,Total,Produit,Devise,",
      "Suisse (CHF),29,33.15,0,0,-0.15,33.00,26.41,EUR,",
      "29 - 33.15 - 0 0 -0.15 33 - 26.41"
    ),
    (
      "Pays (Devise)\tUnités\tSolde\tGagné\tTaxe\tAjustements\tRetenue\tTotal\tProduit\tDevise",
      "Suisse (CHF)\t29\t1.00\t33.15\t0\t0\t0\t34.15\t26.41\tEUR",
      "29 1 33.15 - 0 0 0 34.15 - 26.41"
    ),
  ])
  func headersOfAllVintagesRead(header: String, line: String, amounts: String) throws {
    let outcome = try read(header + "\n" + line + "\n", hints: september)
    #expect(outcome.reading.diagnostics.isEmpty && outcome.reading.warnings.isEmpty)
    let found = try #require(outcome.payments.lines.first)
    func text(_ amount: Int64?) -> String { amount.map { decimalText(micros: $0) } ?? "-" }
    let texts = [
      found.balance, found.earned, found.preTaxSubtotal, found.inputTax, found.adjustments,
      found.withholding, found.owed, found.printedRate, found.proceeds,
    ].map(text)
    #expect("\(found.units) " + texts.joined(separator: " ") == amounts)
  }

  /// Labels in Apple's languages, and the regions that they name.
  @Test(arguments: [
    ("Euro-Zone (EUR)", "EU"), ("Zone euro (EUR)", "EU"), ("欧元区 (EUR)", "EU"),
    ("Croatia (EUR)", "HR"), ("Bulgarien (EUR)", "BG"), ("Bulgaria (BGN)", "BG"),
    ("Americas (USD)", "US"), ("United States (USD)", "US"), ("Amériques (USD)", "US"),
    ("Rest of World (USD)", "WW"), ("Reste du monde (USD)", "WW"), ("Rest der Welt (USD)", "WW"),
    ("Resto del mondo (USD)", "WW"), ("Resto del mundo (USD)", "WW"),
    ("Latin America and the Caribbean (USD)", "LL"), ("Lateinamerika und Karibik (USD)", "LL"),
    ("América Latina y el Caribe (USD)", "LL"), ("South Asia and Pacific (USD)", "AP"),
    ("Südasien und Pazifik (USD)", "AP"), ("Sur de Asia y Pacífico (USD)", "AP"),
    ("China mainland (CNY)", "CN"), ("China (CNY)", "CN"), ("中国大陆（CNY）", "CN"),
    ("Korea, Republic of (KRW)", "KR"), ("Republic of Korea (KRW)", "KR"), ("Türkiye (TRY)", "TR"),
    ("Turquie (TRY)", "TR"), ("Elsewhere (USD)", ""), ("Norway (NOK)", "NO"),
    ("Israel (Mediterranean) (ILS)", "IL"),
  ])
  func labelsNameRegions(label: String, region: String) throws {
    let line = "\"\(label)\",1,1.00,1.00,0,0,0,1.00,1.00000,1.00,EUR,\n"
    let outcome = try read(title + names + line)
    let found = try #require(outcome.payments.lines.first)
    #expect(found.region == region && found.bankCurrency == eur)
    #expect(outcome.reading.warnings.map(\.topic) == (region.isEmpty ? ["region"] : []))
  }

  @Test func blocksBelowTheThresholdAndPendingLines() throws {
    let pending = #"Norway (NOK),"1","10.64","10.64","0","0","0","10.64",,"1.14","EUR","#
    let outcome = try read(
      title + blank + names + swiss + "\n" + blank + ",,,,,,,,,,\"1,263.38 EUR\",,\n"
        + ",,,,,,,,,,Paid to BANK-****1,,\n" + blank + names + pending + "\n")
    #expect(outcome.payments.lines.map(\.block) == [0, 1])
    #expect(outcome.payments.lines.map(\.proceeds) == [26_530_000, nil])
    #expect(outcome.payments.payouts.map(\.amount) == [1_263_380_000])
    #expect(outcome.payments.payouts.map(\.account) == ["BANK-****1"])
    #expect(outcome.reading.rows == 2 && outcome.reading.footers == 2)
    // Only what stands above a payout was paid.
    #expect(outcome.reading.totals.map(\.proceeds) == [0, 26_530_000, 0])
    let joined = try read(title + names + swiss + "\n" + payout + japan + "\n")
    #expect(joined.reading.totals.map(\.proceeds) == [0, 26_530_000, 0])
    let open = try read(title + names + swiss + "\n" + japan + "\n").reading.totals
    #expect(open.map(\.gross) == [33_150_000, 142_000_000] && open.allSatisfy { $0.proceeds == 0 })
    #expect(joined.payments.lines.map(\.block) == [0, 1])
  }

  @Test func tabSeparatedCopiesRead() throws {
    let csv = title + names + swiss + "\n" + japan + "\n" + payout
    let tabs = csv.replacing(",", with: "\t").replacing("\"", with: "")
      .replacing("(September\t 2014)", with: "(September, 2014)")
    #expect(try read(tabs).payments == read(csv).payments)
    let copy = "JPY\t 0\t 179\t 179\t -37\t 0\t 0\t 142\t 0.00817\t 1.16\tEUR\n"
    let line = try #require(read(copy, hints: september).payments.lines.first)
    #expect(line.region == "JP" && line.withholding == -37_000_000 && line.balance == 0)
  }

  @Test(arguments: [
    ("July, 2015", "FY2015-P10"), ("October, 2022", "FY2023-P01"), ("2015年7月", "FY2015-P10"),
    ("Smarch, 2015", nil), ("July 15", nil),
  ])
  func titlesTellTheMonth(month: String, fiscal: String?) {
    let title = "\"iTunes Connect - Payments and Financial Reports\t(\(month))\",,,"
    #expect(titleMonth(title)?.description == fiscal)
  }

  @Test func aMonthThatNothingTellsIsAskedFor() throws {
    let diagnostic = stop(names + swiss + "\n")
    #expect(diagnostic?.topic == "date" && diagnostic?.help.english.contains("--date") == true)
    let reading = try read(names + swiss + "\n", hints: september).reading
    #expect(reading.begin == Day("2014-08-31") && reading.vendor == "")
    #expect(try read(title).reading.rows == 0)
  }

  @Test(arguments: [
    ("Switzerland,1,1,1,0,0,0,1,1,1,EUR", "currency"), ("A (CHF),x,1,1,0,0,0,1,1,1,EUR", "units"),
    ("A (CHF),1,,1,0,0,0,1,1,1,EUR", "value"), ("A (CHF),1,1,1,0,0,0,,1,1,EUR", "value"),
    ("A (CHF),1,\"1,5\",1,0,0,0,1,1,1,EUR", "amount"),
    ("A (CHF),1,1,1,0,0,0,1,1,1,euro", "currency"),
    ("A (CHF),1,1,1,0,0,0,1e9,1,1,EUR", "amount"),
    ("A (CHF),1,9999999999999,1,0,0,0,1,1,1,EUR", "amount"),
  ])
  func faultsOfLinesAreNamed(line: String, topic: String) throws {
    let outcome = try read(title + names + line + "\n")
    #expect(outcome.reading.diagnostics.map(\.topic) == [topic])
  }

  @Test func columnsThatDoNotAddUpAreNotGuessed() throws {
    let header =
      "Pays (Devise),Unités,Gagné,Autre,Taxe,Ajustements,Retenue,Total,Taux,Produit,Devise\n"
    let wrong = "Suisse (CHF),29,33.15,33.15,0,0,0,34.15,0.8,26.53,EUR\n"
    #expect(try read(title + header + wrong).reading.diagnostics.map(\.topic) == ["column"])
    let short = "Pays (Devise),a,b,c,d,e,f,g,h,i,j,k,l,m\n"
    #expect(try read(title + short).reading.diagnostics.map(\.topic) == ["column"])
    let english = try read(title + names + wrong)
    #expect(english.reading.warnings.map(\.topic) == ["amount"] && english.reading.rows == 1)
    let headless = try read(title + wrong)
    #expect(headless.reading.diagnostics.map(\.topic) == ["column"])
    let twice = names.replacing("Input Tax", with: "Earned")
      .replacing("Pre-Tax Subtotal", with: "Earned")
    #expect(try read(title + twice).reading.diagnostics.map(\.topic) == ["column"])
  }

  @Test func otherLinesAreLeftOutWithAWarning() throws {
    let outcome = try read(title + names + swiss + "\n,,,,Estimated,,,\n")
    #expect(outcome.reading.warnings.map(\.topic) == ["line"] && outcome.reading.footers == 1)
    let extra = names.replacing("Input Tax", with: "Fees,Input Tax")
    let line = swiss.replacing("\"33.15\",\"0\"", with: "\"33.15\",\"1\",\"0\"")
    #expect(try read(title + extra + line + "\n").reading.warnings.map(\.topic) == ["column"])
  }

  @Test func damageIsSurvived() throws {
    let csv = Array((title + blank + names + swiss + "\n" + japan + "\n" + payout + names).utf8)
    let json = Array(PaymentsJSON.june.utf8.prefix(3000))
    var random = SplitMix64(seed: 11)
    for bytes in [csv, json] {
      for _ in 0..<400 {
        var damaged = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
        _ = try? read(damaged, hints: september)
        damaged = bytes
        for _ in 0..<3 {
          damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(
            truncatingIfNeeded: random.next())
        }
        _ = try? read(damaged, hints: september, chunk: 64)
      }
    }
  }
}
