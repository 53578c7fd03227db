import Billing
import Testing

@testable import Reading

/// Goal: what banks deliver is read as it is. Method: statements made here in layouts that banks
/// publish or that stand in public test data, each with an Apple payer.
@Suite struct DeliveredStatementsTests {
  private func credits(_ outcome: Outcome) -> [String] {
    outcome.blocks.flatMap { block -> [BankCredit] in
      if case .bank(let rows) = block.rows { rows.map(\.1) } else { [] }
    }.map {
      "\($0.day) \(decimalText(micros: $0.amount)) \($0.currency) \($0.payer): \($0.reference)"
    }
  }

  private func tallies(_ text: String) throws -> [String] { try read(text).tallies }

  /// A Swiss bank's statement of version 04: a batch whose first payment another pays for Apple, a
  /// return with its reason, a charge told at once, a remark with markup in it.
  private static let swiss = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.04"><BkToCstmrStmt>
    <GrpHdr><MsgId>20230323</MsgId><MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn>
    </GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>CH1111000000123456789</IBAN></Id></Acct>
    <!-- opening </Bal> -->
    <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">100.00</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2023-03-22</Dt></Dt></Bal>
    <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">3628.00</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2023-03-23</Dt></Dt></Bal>
    <Ntry><Amt Ccy="CHF">3483.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2023-03-22</Dt></BookgDt><ValDt><Dt>2023-03-23</Dt></ValDt>
    <!-- not the end: </Ntry> --><NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
    <TxDtls><Amt Ccy="CHF">2187.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties>
    <UltmtDbtr><Nm>Apple Distribution International</Nm></UltmtDbtr><Dbtr><Nm>Some Bank</Nm></Dbtr>
    </RltdPties><RmtInf><Strd><CdtrRefInf><Ref>3023</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>
    <TxDtls><Amt Ccy="CHF">1296.00</Amt><RltdPties><Dbtr><Nm>Other</Nm></Dbtr></RltdPties></TxDtls>
    </NtryDtls><AddtlNtryInf>GROUPED</AddtlNtryInf></Ntry>
    <Ntry><Amt Ccy="CHF">15.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls>
    <RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>account closed</AddtlInf></RtrInf></TxDtls></NtryDtls>
    </Ntry>
    <Ntry><Amt Ccy="CHF">42.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2023-03-23</Dt></BookgDt><NtryDtls><TxDtls><Amt Ccy="CHF">30.00</Amt>
    <Chrgs><TtlChrgsAndTaxAmt Ccy="CHF">1.79</TtlChrgsAndTaxAmt></Chrgs></TxDtls>
    <TxDtls><Amt Ccy="CHF">13.79</Amt></TxDtls></NtryDtls></Ntry>
    <Ntry><Amt Ccy="CHF">12.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts></Ntry>
    </Stmt></BkToCstmrStmt></Document>

    """

  @Test func `a Swiss batch, a return, charges in one sum and entries without a day`() throws {
    let outcome = try read(Self.swiss)
    #expect(
      credits(outcome) == [
        "2023-03-22 2187 CHF Apple Distribution International, Some Bank: 3023",
        "2023-03-22 1296 CHF Other: ", "2023-03-23 15 CHF : AC04, account closed",
        "2023-03-23 28.21 CHF : ", "2023-03-23 13.79 CHF : ",
      ])
    #expect(
      outcome.tallies == [
        "credits of Apple 1", "credits of other payers 4", "debits left out 1",
      ])
    #expect(outcome.reading.warnings.isEmpty)
  }

  /// A Swedish bank's statement in another currency than the payer's, with what it says of the
  /// payment at its end; a batch that does not add up names each of its payers.
  @Test func `a payment in another currency, and a batch that cannot be divided`() throws {
    let text = """
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
      <Acct><Ccy>SEK</Ccy></Acct><Ntry><Amt Ccy="SEK">345.34</Amt><CdtDbtInd>CRDT</CdtDbtInd>
      <BookgDt><Dt>2023-05-06Z</Dt></BookgDt><NtryDtls><TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">32.00\
      </Amt></TxAmt></AmtDtls><AddtlTxInf>APPLE DISTRIBUTION INT</AddtlTxInf></TxDtls></NtryDtls>
      </Ntry><Ntry><Amt Ccy="SEK">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt>
      <DtTm>2023-05-07T13:15:00+01:00</DtTm></BookgDt><NtryDtls><TxDtls><Amt Ccy="SEK">60.00</Amt>
      <RltdPties><Dbtr><Pty><Nm>Somebody</Nm></Pty></Dbtr></RltdPties></TxDtls><TxDtls>
      <Amt Ccy="EUR">4.00</Amt><RltdPties><Dbtr><Pty><Nm>Apple Inc.</Nm></Pty></Dbtr></RltdPties>
      </TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>

      """
    #expect(
      credits(try read(text)) == [
        "2023-05-06 345.34 SEK : APPLE DISTRIBUTION INT",
        "2023-05-07 100 SEK Somebody, Apple Inc.: ",
      ])
    // Balances in two currencies are not held against each other.
    let balance = { (code: String, currency: String) in
      "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp><Amt Ccy=\"\(currency)\">1</Amt></Bal>"
    }
    let mixed = text.replacing(
      "<Ntry><Amt Ccy=\"SEK\">345",
      with: balance("OPBD", "SEK") + balance("CLBD", "EUR") + "<Ntry><Amt Ccy=\"SEK\">345")
    #expect(try read(mixed).reading.warnings.isEmpty)
    // What has lost its end is not whole, although its root has no attributes.
    let bare = text.replacing(" xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"", with: "")
    #expect(try read(bare).reading.rows == 2)
    let cut = String(bare[..<bare.firstRange(of: "</Stmt>")!.lowerBound])
    #expect(throws: Diagnostic.self) { try read(cut) }
  }

  /// An American bank's: blanks for the day of booking, the currency's last letter behind the mark,
  /// entries of nothing.
  @Test func `blanks for a day, and entries of nothing`() throws {
    let outcome = try read(
      """
      :20:1
      :25:123456789
      :28:1/1
      :60F:C240312USD17376,67
      :61:240312    DD212,39NMSCNONREF//
      /ABC/DEF/MISCELLANEOUS
      :86:/PT/FT/PY/BANK CHARGES
      :61:240312    CD0,00NDEFNONREF//
      /ABC/DEF/C 37897,00 BAI CD 025
      :61:240312    CD1000,00NTRFNONREF//0724071
      /ABC/DEF/WIRE
      :86:/PT/FT/PY/BY ORDER OF APPLE INC.
         85127269
      :61:240312    RCD5,00NRTINONREF//
      :62F:C240312USD18159,28
      -

      """)
    #expect(
      credits(outcome) == [
        "2024-03-12 1000 USD : /PT/FT/PY/BY ORDER OF APPLE INC.   85127269"
      ])
    #expect(outcome.tallies == ["debits left out 2"])
    #expect(outcome.reading.warnings.isEmpty)
  }

  /// Dutch banks': SWIFT's envelope, words between slashes, lines cut within a name.
  @Test func `SWIFT's envelope, names behind words and cut in two`() throws {
    let rest = """
      :20:940S230103
      :25:NL71RABO0123456789
      :28C:0
      :60F:C230103EUR000000001000,00
      :61:230103C000000000100,00N100EREF
      NL70CITI0987654321
      :86:/EREF/APPLE-85127269-0123456789-012345678901234567/ORDP//NAME/APP
      LE DISTRIBUTION INTERNATIONAL/REMI/85127269 MAY 2023/ISDT/2023-01-03
      :61:230103D000000000025,00N154RETURN
      :86:/RTRN/MS03/BENM//NAME/J DOE/REMI/returned
      :61:2301030103C1000,00NIOBNL56ASNB9999999999
      paulissen g j l m
      :86:NL56ASNB9999999999 paulissen g j l m

      000000000000000000000000000000000 0000000000000000 Betaling aan I
      CS 99999999999
      :62F:C230103EUR000000002075,00
      """
    for text in [
      ":940:\n" + rest + "\n",
      "{1:F01ASNBNL21XXXX0000000000}{2:O940ASNBNL21XXXXN}{3:}{4:\n" + rest + "\n-}{5:}\n",
    ] {
      let outcome = try read(text)
      #expect(
        credits(outcome) == [
          "2023-01-03 100 EUR APPLE DISTRIBUTION INTERNATIONAL: /EREF/APPLE-85127269-0123456789-"
            + "012345678901234567/ORDP//REMI/85127269 MAY 2023/ISDT/2023-01-03",
          "2023-01-03 1000 EUR : NL56ASNB9999999999 paulissen g j l m "
            + "000000000000000000000000000000000 0000000000000000 Betaling aan ICS 99999999999",
        ])
      #expect(
        outcome.tallies == ["credits of Apple 1", "credits of other payers 1", "debits left out 1"])
      #expect(outcome.reading.warnings.isEmpty)
    }
  }

  /// Hungarian and Polish banks': details of their own below an entry, sub-fields by another mark.
  @Test func `details of another kind, and the thirtieth of February`() throws {
    let outcome = try read(
      """
      :20:STARTUMS
      :25:1966315302010001
      :28:00046
      :60F:C230227HUF100,00
      :61:2302300227CF3460,00S   X
      :NS:01136508
      15Apple Distribution Internat
      16ional
      :61:230227C40,00NTRFNONREF
      :86:020<00PRZELEW<20INVOICE 7<32APPLE DISTRI<33BUTION
      :62F:C230227HUF3600,00
      -

      """)
    #expect(
      credits(outcome) == [
        "2023-02-27 3460 HUF : X :NS:01136508 15Apple Distribution Internat 16ional",
        "2023-02-27 40 HUF APPLE DISTRIBUTION: INVOICE 7",
      ])
    #expect(outcome.reading.warnings.isEmpty)
  }
}
