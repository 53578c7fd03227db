import Billing
import Testing

@testable import Reading

/// Bank statements as banks send them to programs: every credit with its day, amount, currency and
/// payer; debits left out and counted; what does not add up said.
@Suite struct StatementTests {
  private func credits(_ outcome: Outcome) -> [String] {
    outcome.blocks.flatMap { block -> [BankCredit] in
      if case .bank(let rows) = block.rows { rows.map(\.1) } else { [] }
    }.map { "\($0.day) \(decimalText(micros: $0.amount)) \($0.currency) \($0.text)" }
  }

  private static func camt(_ entries: String, balances: String = "", version: String = "053.001.08")
    -> String
  {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.\(version)"><BkToCstmrStmt>
    <GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct>\(balances)
    \(entries)</Stmt></BkToCstmrStmt></Document>

    """
  }

  private static func entry(
    _ amount: String, _ mark: String = "CRDT", status: String = "<Sts><Cd>BOOK</Cd></Sts>",
    more: String = ""
  ) -> String {
    """
    <Ntry><Amt Ccy="EUR">\(amount)</Amt><CdtDbtInd>\(mark)</CdtDbtInd>\(status)
    <BookgDt><Dt>2023-08-03</Dt></BookgDt><ValDt><Dt>2023-08-04</Dt></ValDt>\(more)</Ntry>

    """
  }

  private static func details(_ parts: String...) -> String {
    "<NtryDtls>" + parts.map { "<TxDtls>\($0)</TxDtls>" }.joined() + "</NtryDtls>"
  }

  private static let apple =
    "<RltdPties><Dbtr><Pty><Nm>Apple Distribution International</Nm></Pty></Dbtr></RltdPties>"
    + "<RmtInf><Ustrd>85127269 &amp; more</Ustrd></RmtInf>"

  @Test func `an entry of each kind`() throws {
    let batch = Self.details(
      "<Amt Ccy=\"EUR\">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>\(Self.apple)",
      "<Amt Ccy=\"EUR\">50.25</Amt><CdtDbtInd>CRDT</CdtDbtInd>"
        + "<RltdPties><Dbtr><Nm>Somebody</Nm></Dbtr></RltdPties>")
    let charged = Self.details(
      "<Amt Ccy=\"EUR\">40.00</Amt><Chrgs><Rcrd><Amt Ccy=\"EUR\">1.50</Amt></Rcrd></Chrgs>",
      "<Amt Ccy=\"EUR\">60.00</Amt>")
    let outcome = try read(
      Self.camt(
        Self.entry("1234.56", more: Self.details(Self.apple))
          + Self.entry("150.25", more: batch) + Self.entry("98.50", more: charged)
          + Self.entry("7.00", "DBIT")
          + Self.entry("9.00", status: "<Sts>PDNG</Sts>")
          + Self.entry(
            "20.00",
            more: "<RvslInd>true</RvslInd>"
              + Self.details("<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf><Refs/>")),
        balances: """
          <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1496.31</Amt>\
          <CdtDbtInd>CRDT</CdtDbtInd></Bal><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>\
          <Amt Ccy="EUR">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
          """))
    #expect(
      credits(outcome) == [
        "2023-08-03 1234.56 EUR Apple Distribution International, 85127269 & more",
        "2023-08-03 100 EUR Apple Distribution International, 85127269 & more",
        "2023-08-03 50.25 EUR Somebody", "2023-08-03 38.5 EUR ", "2023-08-03 60 EUR ",
        "2023-08-03 20 EUR AC04",
      ])
    #expect(
      outcome.tallies == [
        "credits of Apple 2", "credits of other payers 4", "debits left out 1",
        "entries left out that are not booked yet 1",
      ])
    #expect(outcome.reading.warnings.isEmpty)
    #expect(outcome.reading.kind == .bank)
  }

  @Test(arguments: ["052.001.02", "053.001.02", "053.001.13", "054.001.04"])
  func `every version is read, with a prefix too`(version: String) throws {
    let text = Self.camt(
      Self.entry("5.00", status: "<Sts>BOOK</Sts>"), version: version)
    #expect(credits(try read(text)) == ["2023-08-03 5 EUR "])
    let prefixed = text.replacing("</", with: "\u{1}").replacing("<", with: "<a:")
      .replacing("\u{1}", with: "</a:").replacing("<a:?", with: "<?")
    #expect(credits(try read(prefixed)) == ["2023-08-03 5 EUR "])
  }

  @Test func `what is cut or makes entities is refused`() throws {
    let whole = Self.camt(Self.entry("5.00"))
    let cut = String(whole[..<whole.firstRange(of: "<ValDt>")!.lowerBound])
    #expect(throws: Diagnostic.self) { try read(cut) }
    let between = String(whole[..<whole.firstRange(of: "</Stmt>")!.lowerBound])
    #expect(throws: Diagnostic.self) { try read(between) }
    let swift = String(Self.swift[..<Self.swift.firstRange(of: ":62F")!.lowerBound])
    #expect(throws: Diagnostic.self) { try read(swift) }
    let bomb = whole.replacing(
      "<Document", with: "<!DOCTYPE x [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;\">]><Document")
    #expect(throws: Diagnostic.self) { try read(bomb) }
  }

  private static let swift = """
    :20:T0894
    :25:50880050/0194787400888
    :28C:00004/00001
    :60F:C230802EUR1000,5
    :61:2308040803CR12345,67NTRFNONREF//0724710333343453
    :86:166?00GUTSCHRIFT?100399?20SVWZ+85127269 AP?21PLE?30DRESDEFF508?32APPLE DISTRIBU
    TION?33 INTERNATIONAL
    :61:230804D1500,NTRFKREF+//536D80EFEC56ACF8
    :86:office rent
    :61:230804RD3,NTRFKREF
    :62F:C230804EUR11849,17
    -

    """

  @Test func `MT940 with and without sub-fields`() throws {
    let outcome = try read(Self.swift)
    #expect(
      credits(outcome) == [
        "2023-08-03 12345.67 EUR APPLE DISTRIBUTION INTERNATIONAL, SVWZ+85127269 APPLE",
        "2023-08-04 3 EUR KREF",
      ])
    #expect(
      outcome.tallies.last == "debit left out 1" || outcome.tallies.last == "debits left out 1")
    #expect(outcome.reading.warnings.isEmpty)
    // The year of the day of booking is the one nearest to the value day.
    let newYear = Self.swift.replacing(":61:2308040803", with: ":61:2401021229")
    #expect(credits(try read(newYear)).first?.hasPrefix("2023-12-29") == true)
  }

  /// Of debits those stay that may take a credit back: of Apple's name, or of the amount of a
  /// credit before, whose payer the bank's mark then tells.
  @Test func `a debit that takes a credit back is a row`() throws {
    let head =
      ":20:A\n:25:1\n:28C:1/1\n:60F:C230801EUR0,00\n:61:2308030803C9,00NTRF\n:86:APPLE INC\n"
    for (line, text, expected) in [
      ("RC9,00NTRF", "RETURN", "2023-08-04 -9 EUR APPLE INC, RETURN"),
      ("RC8,00NTRF", "RETURN", nil),
      ("D9,00NTRF", "RENT", "2023-08-04 -9 EUR RENT"),
      ("D8,00NTRF", "APPLE INC", "2023-08-04 -8 EUR APPLE INC"), ("D8,00NTRF", "RENT", nil),
    ] {
      let entry = ":61:2308040804\(line)\n:86:\(text)\n"
      let outcome = try read(head + entry + ":62F:C230804EUR\(line.contains("9") ? 0 : 1),00\n")
      #expect(credits(outcome) == ["2023-08-03 9 EUR APPLE INC"] + [expected].compactMap(\.self))
      #expect(outcome.tallies == (expected == nil ? ["debits left out 1"] : []))
      #expect(outcome.reading.warnings.isEmpty)
    }
    let sides = "<RltdPties><Dbtr><Nm>Apple</Nm></Dbtr><Cdtr><Nm>We</Nm></Cdtr></RltdPties>"
    for (more, name) in [
      ("<RvslInd>true</RvslInd>" + Self.details(sides), "Apple"), (Self.details(sides), "We"),
      (Self.details(sides + "<RtrInf/>"), "We"),
      (Self.details(sides + "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>"), "Apple, AC04"),
    ] {
      let text = Self.camt(Self.entry("5.00") + Self.entry("5.00", "DBIT", more: more))
      #expect(credits(try read(text)).last == "2023-08-03 -5 EUR \(name)")
    }
  }

  @Test func `entries that do not lead to the closing balance are said`() throws {
    let outcome = try read(Self.swift.replacing("11849,17", with: "11549,09"))
    #expect(
      outcome.reading.warnings.map(\.message.english) == [
        "the entries do not lead from the opening to the closing balance: -300.08 EUR apart"
      ])
  }

  /// By account and currency, a closing balance with its day and the next opening one.
  @Test(arguments: [
    ("1 C230803EUR6,00 1 C230803EUR6,00", 0), ("1 C230803EUR6,00 1 C230903EUR8,00", 1),
    ("1 C230803EUR6,00 1 D230804EUR6,00", 1), ("1 C230803EUR6,00 2 C230903EUR8,00", 0),
    ("1 C230803EUR6,00 1 C230903USD8,00", 0), ("1 C230803EUR6,00 1 C230802EUR8,00", 0),
    ("1 C230803EUR6,00 1 C230803EUR8,00", 0),
  ])
  func `a missing statement is noticed`(balances: String, rejects: Int) throws {
    let parts = balances.split(separator: " ")
    func one(_ account: Substring, _ opening: Substring, _ closing: Substring) -> String {
      ":20:A\n:25:\(account)\n:28C:1\n:60F:\(opening)\n:61:2308030803C1,00NTRF\n"
        + ":61:2308030803D1,00NTRF\n:62F:\(closing)\n-\n"
    }
    let swift = try read(one(parts[0], parts[1], parts[1]) + one(parts[2], parts[3], parts[3]))
    #expect(swift.reading.rejected == rejects && swift.reading.warnings.isEmpty)
    /// A statement of camt whose opening and closing balance are the same, in either order.
    func camt(_ account: Substring, _ balance: Substring, _ codes: String...) -> String {
      let (text, amount) = (String(balance), balance.dropFirst(10).replacing(",", with: "."))
      let day = Array(text.dropFirst(1).prefix(6)).map(String.init)
      let date = "20\(day[0])\(day[1])-\(day[2])\(day[3])-\(day[4])\(day[5])"
      let mark = text.hasPrefix("C") ? "CRDT" : "DBIT"
      return "<Stmt><Acct><Id><IBAN>\(account)</IBAN></Id></Acct>"
        + codes.map { code in
          "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp>"
            + "<Amt Ccy=\"\(text.dropFirst(7).prefix(3))\">\(amount)</Amt>"
            + "<CdtDbtInd>\(mark)</CdtDbtInd><Dt><Dt>\(date)</Dt></Dt></Bal>"
        }.joined() + "</Stmt>"
    }
    let xml = try read(
      "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"><BkToCstmrStmt>"
        + camt(parts[0], parts[1], "OPBD", "CLBD") + camt(parts[2], parts[3], "CLBD", "OPBD")
        + "</BkToCstmrStmt></Document>\n")
    #expect(xml.reading.rejected == rejects && xml.reading.warnings.isEmpty)
  }

  @Test(arguments: ["", "0000 01INGBNL2AXXXX00001\n940 00\n", "ABNANL2A\n940\nABNANL2A\n"])
  func `lines end in any way, and an envelope may stand above`(_ envelope: String) throws {
    let whole = credits(try read(Self.swift))
    let text = (envelope + Self.swift).replacing("\n", with: "\r\n")
    #expect(credits(try read(text)) == whole)
  }

  @Test func `value day and payer stand by themselves`() throws {
    func told(_ outcome: Outcome) -> [String] {
      outcome.blocks.flatMap { block -> [BankCredit] in
        if case .bank(let rows) = block.rows { rows.map(\.1) } else { [] }
      }.map { "\($0.day) \($0.valueDay.map { "\($0)" } ?? "-") \($0.payer): \($0.reference)" }
    }
    let camt = try read(Self.camt(Self.entry("5.00", more: Self.details(Self.apple))))
    #expect(
      told(camt) == ["2023-08-03 2023-08-04 Apple Distribution International: 85127269 & more"])
    #expect(
      told(try read(Self.swift)) == [
        "2023-08-03 2023-08-04 APPLE DISTRIBUTION INTERNATIONAL: SVWZ+85127269 APPLE",
        "2023-08-04 2023-08-04 : KREF",
      ])
  }

  /// What a statement says of its encoding holds; text that contradicts it is refused.
  @Test(
    arguments: [
      ("ISO-8859-1", [0xFC]), ("windows-1252", [0xFC]), ("UTF-8", [0xC3, 0xBC]),
      ("utf-8", [0xC3, 0xBC]),
    ] as [(String, [UInt8])])
  func `names in other encodings`(_ encoding: String, _ letter: [UInt8]) throws {
    let payer = "<RltdPties><Dbtr><Nm>M\u{1}ller</Nm></Dbtr></RltdPties>"
    let text = Self.camt(Self.entry("5.00", more: Self.details(payer)))
      .replacing("\"UTF-8\"", with: "\"\(encoding)\"")
    let bytes = Array(text.utf8).flatMap { $0 == 1 ? letter : [$0] }
    #expect(credits(try read(bytes)) == ["2023-08-03 5 EUR Müller"])
    guard letter.count == 2 else { return }
    let wrong = Array(text.utf8).map { $0 == 1 ? 0xFC : $0 }
    let refused = try read(wrong)
    #expect(refused.reading.rejected == 1)
    #expect(refused.reading.diagnostics.first?.topic == "encoding")
    #expect(refused.reading.diagnostics.first?.location.line ?? 0 > 1)
  }

  @Test func `UTF-16 with its mark, and MT940 in Latin letters of one byte`() throws {
    let payer = "<RltdPties><Dbtr><Nm>Müller</Nm></Dbtr></RltdPties>"
    let text = Self.camt(Self.entry("5.00", more: Self.details(payer)))
      .replacing("\"UTF-8\"", with: "\"UTF-16\"")
    for isBig in [true, false] {
      let bytes = ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
        return isBig ? [high, low] : [low, high]
      }
      #expect(credits(try read(bytes)) == ["2023-08-03 5 EUR Müller"])
    }
    let swift = Self.swift.replacing("APPLE DISTRIBU\nTION", with: "M\u{1}LLER UND SOEH\nNE")
    let latin = Array(swift.utf8).map { $0 == 1 ? 0xDC : $0 }
    #expect(
      credits(try read(latin)).first
        == "2023-08-03 12345.67 EUR MÜLLER UND SOEHNE INTERNATIONAL, SVWZ+85127269 APPLE")
  }

  @Test func `a piece may come in any number of parts`() throws {
    for text in [Self.swift, Self.camt(Self.entry("5.00") + Self.entry("6.00"))] {
      let whole = credits(try read(text))
      for chunk in [1, 7, 64] {
        #expect(credits(try read(Array(text.utf8), chunk: chunk)) == whole, "\(chunk)")
      }
    }
  }

  @Test func `Apple's companies and what banks cut them to`() {
    func isApple(_ text: String) -> Bool {
      BankCredit(day: Day(number: 0), amount: 1, currency: .blank, reference: text).namesApple
    }
    for name in [
      "APPLE DISTRIBUTION INTERNATIONAL REF 1", "APPLE DIST INT", "Apple Inc.", "iTunes K.K.",
      "APPLEDISTRIBUTIONINT", "APPLE PTY LIMITED", "苹果电脑贸易", "85127269/Apple Canada",
    ] { #expect(isApple(name), "\(name)") }
    for name in ["PINEAPPLE LTD", "Applebee's", "Snapple", "OFFICE RENT", ""] {
      #expect(!isApple(name), "\(name)")
    }
  }
}
