import Support
import Testing

/// Goal: statements in layouts that banks really write tell each credit with its day, amount, payer
/// and text, at once or by what the first message proposes. Method: the command, on files made here
/// in layouts of public test data and descriptions, each with a payment of Apple's.
@Suite struct FoundStatementTests {
  private static let columns = "date, value_date, amount_text, currency, payer, reference"

  private static func balance(_ code: String, _ amount: String, _ mark: String = "CRDT") -> String {
    "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp><Amt Ccy=\"CHF\">\(amount)</Amt>"
      + "<CdtDbtInd>\(mark)</CdtDbtInd><Dt><Dt>2023-08-03</Dt></Dt></Bal>"
  }

  private static func entry(_ amount: String, _ mark: String, _ rest: String = "") -> String {
    "<Ntry><Amt Ccy=\"CHF\">\(amount)</Amt><CdtDbtInd>\(mark)</CdtDbtInd>"
      + (rest.contains("<Sts>") ? "" : "<Sts><Cd>BOOK</Cd></Sts>")
      + "<BookgDt><Dt>2023-08-03</Dt></BookgDt><ValDt><Dt>2023-08-04</Dt></ValDt>\(rest)</Ntry>"
  }

  private static func party(_ role: String, _ name: String) -> String {
    "<\(role)><Pty><Nm>\(name)</Nm></Pty></\(role)>"
  }

  private static let batch = [
    "<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch><TxDtls><Refs><EndToEndId>85127269</EndToEndId>",
    "</Refs><Amt Ccy=\"CHF\">3000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Chrgs>",
    "<TtlChrgsAndTaxAmt Ccy=\"CHF\">5.50</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy=\"CHF\">5.50</Amt>",
    "</Rcrd></Chrgs><RltdPties>", party("Dbtr", "APPLE DISTRIBUTION INTL LTD"),
    "</RltdPties></TxDtls><TxDtls><Amt Ccy=\"CHF\">250.00</Amt><RltdPties>",
    party("Dbtr", "Müller &amp; Söhne"), "</RltdPties><RmtInf><Strd><CdtrRefInf><Ref>2100</Ref>",
    "</CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls>",
  ].joined()

  private static let returned = [
    "<RvslInd>true</RvslInd><NtryDtls><TxDtls><RltdPties>", party("Dbtr", "Eigene Firma"),
    party("Cdtr", "Lieferant"), "</RltdPties><RtrInf><Rsn><Cd>AC01</Cd></Rsn></RtrInf></TxDtls>",
    "</NtryDtls>",
  ].joined()

  /// A Swiss statement of version 08: a batch with a charge told twice, what came back of a payment
  /// of one's own, an entry not booked.
  private static let swiss = [
    "<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id>",
    balance("OPBD", "1000.00"), balance("CLBD", "4320.15"), entry("3244.50", "CRDT", batch),
    entry("80.00", "CRDT", returned), entry("4.35", "DBIT"),
    entry("9.00", "CRDT", "<Sts><Cd>PDNG</Cd></Sts>"), "</Stmt></BkToCstmrStmt>",
  ].joined()

  @Test(arguments: ["UTF-8", "UTF-16"])
  func `a Swiss statement with names of spaces, in either encoding`(_ encoding: String) throws {
    let spaced = Self.swiss.replacing("</", with: "\u{1}").replacing("<", with: "<ns2:")
      .replacing("\u{1}", with: "</ns2:")
    let text =
      "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<ns2:Document "
      + "xmlns:ns2=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\">\(spaced)</ns2:Document>\n"
    let file = try PastedImport(plain: "statement.xml", text, encoding: encoding)
    #expect(
      try file.rows("v_bank", Self.columns) == [
        "2023-08-03,2023-08-04,2994.50,CHF,APPLE DISTRIBUTION INTL LTD,85127269",
        "2023-08-03,2023-08-04,250.00,CHF,Müller & Söhne,2100",
        "2023-08-03,2023-08-04,80.00,CHF,Lieferant,AC01",
      ])
    for told in ["1  credit of Apple", "1  debit left out", "1  entry left out that is not booked"]
    {
      #expect(file.imported.output.contains(told), "\(file.imported.output)")
    }
    #expect(!file.imported.errors.contains("warning"), "\(file.imported.errors)")
  }

  @Test func `a French statement in Latin letters, with a charge taken off`() throws {
    let text = """
      <?xml version="1.0" encoding="ISO-8859-1"?>
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
      <Id>1</Id>\(Self.balance("PRCD", "200.00", "DBIT"))\(Self.balance("CLBD", "1045.50"))
      <Ntry><Amt Ccy="CHF">1245.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
      <BookgDt><Dt>2023-08-03</Dt></BookgDt><ValDt><Dt>2023-08-03</Dt></ValDt><NtryDtls><TxDtls>
      <Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><AmtDtls><InstdAmt>
      <Amt Ccy="USD">1400.00</Amt></InstdAmt><TxAmt><Amt Ccy="CHF">1250.00</Amt></TxAmt></AmtDtls>
      <Chrgs><Amt Ccy="CHF">4.50</Amt></Chrgs><RltdPties><Dbtr><Nm>ITUNES SARL</Nm></Dbtr>
      </RltdPties><RmtInf><Ustrd>Virement reçu</Ustrd><Ustrd>Réf. 85127269</Ustrd></RmtInf>
      </TxDtls></NtryDtls>
      <AddtlNtryInf>VIREMENT ÉTRANGER</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>

      """
    let file = try PastedImport(plain: "releve.xml", text, encoding: "ISO-8859-1")
    #expect(
      try file.rows("v_bank", Self.columns) == [
        "2023-08-03,2023-08-03,1245.50,CHF,ITUNES SARL,"
          + "\"Virement reçu, Réf. 85127269, VIREMENT ÉTRANGER\""
      ])
    #expect(!file.imported.errors.contains("warning"), "\(file.imported.errors)")
  }

  /// PostFinance: two messages in one file, amounts without a second place, a balance between.
  @Test func `two messages of a Swiss bank in SWIFT's envelope`() throws {
    let begin = "{1:F01POFICHBEAXXX0000000000}{2:I940XXXXXXXXXXXXN}{3:{108:1}}{4:\n"
    let text =
      begin + """
        :20:2023080408285927
        :25:123456789
        :28C:215/1
        :60F:C230802CHF0,
        :61:2308030803C1200,7FMSC01916//NONREF
        20230803007602198765432000000012
        :86:GIRO AUS ONLINE-SIC 80532 AUFTRAGGEBER: APPLE DISTRIBUTION INTL
         LTD HOLLYHILL CORK MITTEILUNGEN: 85127269
        :61:2308030803C149,5FMSC01916//NONREF
        :86:GIRO AUS ONLINE-SIC 81379 AUFTRAGGEBER: JANE DOE
        :62M:C230803CHF1350,2
        -}
        """ + begin + """
        :20:2023080408285928
        :25:123456789
        :28C:215/2
        :60M:C230803CHF1350,2
        :61:2308040804D79,9FMSC01916//NONREF
        :86:GIRO POST
        :62F:C230804CHF1270,3
        -}{5:{MAC:00000000}{CHK:000000000000}}

        """
    let file = try PastedImport(
      plain: "konto.sta", text.replacing("\n", with: "\r\n"))
    #expect(
      try file.rows("v_bank", Self.columns) == [
        "2023-08-03,2023-08-03,1200.70,CHF,,GIRO AUS ONLINE-SIC 80532 AUFTRAGGEBER: APPLE "
          + "DISTRIBUTION INTL LTD HOLLYHILL CORK MITTEILUNGEN: 85127269",
        "2023-08-03,2023-08-03,149.50,CHF,,GIRO AUS ONLINE-SIC 81379 AUFTRAGGEBER: JANE DOE",
      ])
    #expect(file.imported.output.contains("1  credit of Apple"))
    #expect(file.imported.output.contains("1  debit left out"))
    #expect(!file.imported.errors.contains("warning"), "\(file.imported.errors)")
  }

  /// ING of the Netherlands: the payer behind account and bank, cut at the end of a line.
  @Test func `the payer behind an account and a bank`() throws {
    let text = """
      0000 01INGBNL2AXXXX00001
      0000 01INGBNL2AXXXX00001
      940 00
      :20:P230803000000001
      :25:NL20INGB0001234567EUR
      :28C:00215
      :60F:C230802EUR100,00
      :61:230803C1245,50NTRFEREF//21500000123456
      /TRCD/00100/
      :86:/EREF/85127269-0123//CNTP/IE29AIBK93115212345678/CITIIE2X/APPLE
       DISTRIBUTION INTL LTD///REMI/USTD//85127269 July 2023/
      :61:230803D51,00NDDTEREF//21500000123457
      /TRCD/01016/
      :86:/MARF/1//EREF/2//CNTP/NL30INGB0008693687/INGBNL2A/KPN BV///REMI/
      USTD//Factuur/
      :61:230803C51,00NRTIEREF//21500000123458
      /TRCD/01031/
      :86:/RTRN/AC04//EREF/E3//CNTP/NL21INGB0650141172/INGBNL2A/J. de Vri
      es///REMI/USTD//Salaris/
      :62F:C230803EUR1345,50
      :64:C230803EUR1345,50
      :65:C230804EUR1345,50
      :86:/SUM/1/2/51,00/1296,50/
      -XXX

      """
    let file = try PastedImport(plain: "ing.940", text)
    #expect(
      try file.rows("v_bank", "date, amount_text, currency, payer") == [
        "2023-08-03,1245.50,EUR,APPLE DISTRIBUTION INTL LTD", "2023-08-03,51.00,EUR,J. de Vries",
      ])
    #expect(
      try file.rows("v_bank", "reference").first?.hasSuffix("REMI/USTD//85127269 July 2023/")
        == true
    )
    #expect(file.imported.output.contains("1  debit left out"))
    #expect(!file.imported.errors.contains("warning"), "\(file.imported.errors)")
  }

  /// UBS: eight lines above, a mark of the encoding, apostrophes in amounts, one column for each
  /// direction, a name with separators in it, and the text in columns with numbers.
  @Test func `a Swiss bank's table with debits and credits of their own`() throws {
    let text =
      "\u{FEFF}" + """
        Account number:;0000 00000000.00X;
        IBAN:;CH00 0000 0000 0000 0000 0;
        From:;2023-08-01;
        Until:;2023-08-31;
        Opening balance:;1'000.00;
        Closing balance:;13'330.67;
        Valued in:;CHF;
        Numbers of transactions in this period:;2;

        Trade date;Trade time;Booking date;Value date;Currency;Debit;Credit;Individual amount;\
        Balance;Transaction no.;Description1;Description2;Description3;Footnotes;
        2023-08-31;;2023-08-31;2023-08-31;CHF;-15.00;;;13'330.67;BA1;"Service prices";;"no. BA1";;
        2023-08-02;10:15:00;2023-08-03;2023-08-04;CHF;;12'345.67;;13'345.67;T2;\
        "APPLE DISTRIBUTION INTL LTD;HOLLYHILL; CORK; IE";"Incoming SIC-payment";"85127269";;

        """
    let file = try PastedImport("ubs.csv", text.replacing("\n", with: "\r\n"))
    #expect(
      try file.rows("v_bank", Self.columns) == [
        "2023-08-03,2023-08-04,12345.67,CHF,,APPLE DISTRIBUTION INTL LTD;HOLLYHILL; CORK; IE"
      ], "\(file.lines)")
    #expect(file.imported.output.contains("1  row left out by where or skip"))
  }

  /// ING of Germany: the balance has a currency of its own, whose column has the same name.
  @Test func `a German bank's table with two columns for currencies`() throws {
    let text = """
      Umsatzanzeige;Datei erstellt am: 31.08.2023 17:42

      IBAN;DE00 0000 0000 0000 0000 00
      Kunde;Muster GmbH
      Saldo;14.345,17;USD

      In der CSV-Datei finden Sie alle bereits gebuchten Umsätze.

      Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;\
      Währung;Betrag;Währung
      04.08.2023;04.08.2023;Büro Vermietung;Lastschrift;Miete;14.345,17;USD;-1.000,50;EUR
      03.08.2023;04.08.2023;ITUNES SARL;Gutschrift;85127269 Juli;15.345,67;USD;12.345,67;EUR

      """
    let file = try PastedImport("umsatz.csv", text, encoding: "ISO-8859-1")
    #expect(
      try file.rows("v_bank", Self.columns) == [
        "2023-08-04,2023-08-04,-1000.50,EUR,Büro Vermietung,Miete",
        "2023-08-03,2023-08-04,12345.67,EUR,ITUNES SARL,85127269 Juli",
      ], "\(file.lines)")
  }

  /// Two columns of the same name are still refused where nothing tells which is meant.
  @Test func `a column that occurs twice elsewhere`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "twice.csv", "date,amount,currency,reference,reference\n2023-08-03,1,EUR,a,b\n")
    try folder.write("tieout.toml", "import.bank.columns = { reference = \"reference\" }\n")
    let refused = try CommandLineRun("import", "twice.csv", in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("the column reference occurs twice"))
  }

  @Test(
    arguments: [
      // A French bank: accents, days before months, a space in thousands.
      (
        "Date;Date valeur;Libellé;Débit euros;Crédit euros\n"
          + "03/08/2023;04/08/2023;VIR ITUNES SARL 85127269;;12 345,67\n"
          + "15/08/2023;15/08/2023;LOYER;-1 000,00;\n",
        "ISO-8859-1", "EUR", "2023-08-03,2023-08-04,12345.67,EUR,,VIR ITUNES SARL 85127269"
      ),
      // ING of the Netherlands: days in digits alone, a word tells in from out.
      (
        "\"Datum\";\"Naam / Omschrijving\";\"Rekening\";\"Tegenrekening\";\"Code\";\"Af Bij\";"
          + "\"Bedrag (EUR)\";\"Mutatiesoort\";\"Mededelingen\"\n"
          + "\"20230803\";\"APPLE DISTRIBUTION INTL LTD\";\"NL01\";\"IE29\";\"OV\";\"Bij\";"
          + "\"12345,67\";\"Overschrijving\";\"85127269\"\n"
          + "\"20230804\";\"KPN\";\"NL01\";\"NL30\";\"IC\";\"Af\";\"51,00\";\"Incasso\";\"\"\n",
        "UTF-8", "EUR", "2023-08-03,,12345.67,EUR,APPLE DISTRIBUTION INTL LTD,85127269"
      ),
      // Rabobank: a plus before what came in, the original amount in columns of its own.
      (
        "\"IBAN/BBAN\",\"Munt\",\"BIC\",\"Volgnr\",\"Datum\",\"Rentedatum\",\"Bedrag\","
          + "\"Saldo na trn\",\"Naam tegenpartij\",\"Naam initiërende partij\","
          + "\"Omschrijving-1\",\"Omschrijving-2\","
          + "\"Oorspr bedrag\",\"Oorspr munt\"\n\"NL11\",\"EUR\",\"RABONL2U\",\"1\",\"2023-08-03\","
          + "\"2023-08-04\",\"+12345,67\",\"+13345,67\",\"APPLE DISTRIBUTION INTL LTD\",\"\","
          + "\"85127269\",\" \",\"\",\"\"\n",
        "ISO-8859-1", "EUR",
        "2023-08-03,2023-08-04,12345.67,EUR,APPLE DISTRIBUTION INTL LTD,85127269"
      ),
      // PostFinance: the currency in the columns' names, one place in amounts, remarks below.
      (
        "Booking date;Notification text;Credit in CHF;Debit in CHF;Value;Balance in CHF\n"
          + "31.08.2023;Preis;;-5;31.08.2023;7881.98\n"
          + "03.08.2023;GUTSCHRIFT APPLE DISTRIBUTION INTL LTD;1200.7;;04.08.2023;7886.98\n\n"
          + "Disclaimer:\nThis is no document of the bank.\n",
        "UTF-8", "CHF", "2023-08-03,,1200.70,CHF,,GUTSCHRIFT APPLE DISTRIBUTION INTL LTD"
      ),
      // A Japanese bank in the encoding of its country.
      (
        "お取引日,お取引内容,お支払金額,お預り金額,残高\n"
          + "2023/8/3,振込 ｱﾂﾌﾟﾙｼﾞﾔﾊﾟﾝ,,\"1,234,567\",\"2,234,567\"\n"
          + "2023/8/4,家賃,\"100,000\",,\"2,134,567\"\n",
        "CP932", "JPY", "2023-08-03,,1234567.00,JPY,,振込 ｱﾂﾌﾟﾙｼﾞﾔﾊﾟﾝ"
      ),
      // A Chinese bank that writes nothing as a number.
      (
        "交易日期,支出金额,收入金额,余额,对方户名,摘要\n"
          + "2023-08-03,0.00,\"12,345.67\",\"13,345.67\",Apple Pty Limited,85127269\n"
          + "2023-08-04,100.00,0.00,\"13,245.67\",房东,房租\n",
        "UTF-8", "CNY", "2023-08-03,,12345.67,CNY,Apple Pty Limited,85127269"
      ),
    ] as [(String, String, String, String)])
  func `tables whose columns have their names in other languages`(
    text: String, encoding: String, currency: String, wanted: String
  ) throws {
    let file = try PastedImport("bank.csv", text, encoding: encoding, knowing: currency)
    #expect(try file.rows("v_bank", Self.columns) == [wanted], "\(file.lines)")
  }
}
