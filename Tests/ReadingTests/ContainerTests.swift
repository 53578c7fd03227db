import Billing
import Support
import Testing

@testable import Reading

@Suite struct ContainerTests {
  private func archive(_ bytes: [UInt8]) throws -> (ZipArchive, ZipArchive.Source) {
    let source: ZipArchive.Source = { offset, count in
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
    return (try ZipArchive(file: "a.zip", size: bytes.count, source: source), source)
  }

  /// A member's bytes, taken in small pieces.
  private func unpacked(
    _ member: ZipMember, _ source: @escaping ZipArchive.Source
  ) throws -> [UInt8] {
    let read = try member.bytes(source)
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = try piece.withUnsafeMutableBytes { try read($0) }
      if count == 0 { return all }
      all += piece[..<count]
    }
  }

  private static let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }

  @Test(arguments: [true, false]) func `members come out as they went in`(_ isPacked: Bool) throws {
    let files: [(name: String, bytes: [UInt8])] = [
      ("a/b.csv", Array("x,y\n1,2\n".utf8)), ("empty", []), ("long", Self.long),
      ("blank", Array(repeating: 0x0A, count: (2 << 20) + 4)),
    ]
    let (archive, source) = try archive(zipArchive(files, isPacked: isPacked))
    #expect(archive.members.map(\.name) == files.map(\.name))
    for (member, file) in zip(archive.members, files) {
      #expect(try unpacked(member, source) == file.bytes)
    }
  }

  @Test func `each damaged byte is noticed or changes nothing`() throws {
    let files: [(name: String, bytes: [UInt8])] = [("a", Array(Self.long.prefix(300)))]
    for isPacked in [true, false] {
      let whole = zipArchive(files, isPacked: isPacked)
      var noticed = 0
      for place in whole.indices {
        var bytes = whole
        bytes[place] ^= 0x41
        do {
          let (archive, source) = try archive(bytes)
          for member in archive.members where member.name == "a" {
            #expect(try unpacked(member, source) == files[0].bytes, "byte \(place)")
          }
        } catch is Diagnostic {
          noticed += 1
        }
      }
      #expect(noticed > 200)
      for length in whole.indices {
        #expect(throws: Diagnostic.self, "cut at \(length)") {
          let (archive, source) = try archive(Array(whole[..<length]))
          for member in archive.members { _ = try unpacked(member, source) }
        }
      }
    }
  }

  @Test func `an encrypted member is refused by name`() throws {
    let (archive, source) = try archive(zipArchive([("a", [1, 2, 3])], flags: 1))
    let member = try #require(archive.members.first)
    #expect(throws: Diagnostic.self) { try unpacked(member, source) }
  }

  // MARK: - Workbooks

  private func csv(
    _ cells: String, styles: String = "", texts: String = "", book: String = "",
    sheet: String? = nil, marksNumbers: Bool = false
  ) throws -> String {
    let rows = try read(
      cells, styles: styles, texts: texts, book: book, sheet: sheet, marksNumbers: marksNumbers
    ).rows
    return String(decoding: rows, as: UTF8.self)
  }

  private func read(
    _ cells: String, styles: String = "", texts: String = "", book: String = "",
    sheet: String? = nil, marksNumbers: Bool = false, state: String = ""
  ) throws -> (rows: [UInt8], sheet: String, unread: [String], remarks: [Diagnostic]) {
    let parts = [
      (
        "xl/workbook.xml",
        "<workbook>\(book)<sheets><sheet name=\"One\" \(state) r:id=\"r1\"/>"
          + "<sheet name='Two &amp; more' r:id='r2'/></sheets></workbook>"
      ),
      (
        "xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/>"
          + "<Relationship Id=\"r2\" Target=\"/xl/worksheets/sheet2.xml\"/></Relationships>"
      ),
      ("xl/sharedStrings.xml", "<sst>\(texts)</sst>"),
      ("xl/styles.xml", "<styleSheet>\(styles)</styleSheet>"),
      ("xl/worksheets/sheet1.xml", "<worksheet><sheetData>\(cells)</sheetData></worksheet>"),
      (
        "xl/worksheets/sheet2.xml",
        "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>2nd</t></is></c></row></sheetData>"
          + "</worksheet>"
      ),
    ]
    let (archive, source) = try archive(zipArchive(parts.map { ($0.0, Array($0.1.utf8)) }))
    #expect(Spreadsheet.isOne(archive))
    return try Spreadsheet(file: "a.xlsx", archive, source: source).csv(
      sheets: sheet.map { [$0] } ?? [], marksNumbers: marksNumbers)
  }

  @Test func `cells are written as they were typed`() throws {
    let texts = """
      <si><t>plain</t></si><si><r><t xml:space="preserve">a, </t></r><r><t>"b" &lt;c&gt;</t></r>
      <rPh><t>spoken</t></rPh></si>
      """
    let cells = """
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
      <row r="3"><c r="A3"><v>5.9900000000000002</v></c><c r="B3"><f>1+1</f><v>2</v></c>\
      <c r="C3" t="b"><v>1</v></c></row>
      <row><c><v>123456789012345</v></c><c><v>1.2345678901234568E16</v></c><c><v>1E-5</v></c></row>
      <row><c r="B5" t="str"><v>&#27425;&#x4E00;</v></c><c r="C5" t="e"><v>#N/A</v></c></row>
      """
    #expect(
      try csv(cells, texts: texts) == """
        plain,,"a, ""b"" <c>"

        5.99,2,true
        123456789012345,1.2345678901234568E+16,0.00001
        ,次一,#N/A

        """)
  }

  @Test func `dates are told by their formats`() throws {
    let styles = """
      <numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd&quot; at &quot;hh:mm"/>\
      <numFmt numFmtId="165" formatCode="[Red]#,##0.00&quot;days&quot;"/></numFmts>\
      <cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>\
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>\
      <xf numFmtId="165"/></cellXfs>
      """
    let cells = """
      <row><c s="1"><v>45089</v></c><c s="2"><v>45089.416666666664</v></c>\
      <c s="2"><v>45089</v></c><c s="3"><v>45089.5</v></c><c s="1"><v>59</v></c></row>
      """
    #expect(
      try csv(cells, styles: styles)
        == "2023-06-12,2023-06-12 10:00:00,2023-06-12 00:00:00,45089.5,1900-02-28\n")
    #expect(
      try csv(
        "<row><c s=\"1\"><v>43627</v></c></row>", styles: styles,
        book: "<workbookPr date1904=\"1\"/>") == "2023-06-12\n")
  }

  @Test func `what a spreadsheet lost is not made up`() throws {
    #expect(
      try csv("<row><c><v>4300012345678901</v></c></row>") == "4.300012345678901E+15\n")
    #expect(throws: Diagnostic.self) { try csv("<row><c t=\"s\"><v>7</v></c></row>") }
    let far = "<row r='9223372036854775807'><c><v>1</v></c></row><row><c><v>2</v></c></row>"
    #expect(throws: Never.self) { try csv(far) }
  }

  @Test func `numbers are told apart from texts where that is wanted`() throws {
    let cells = """
      <row><c><v>5.5</v></c><c><v>5.9900000000000002</v></c><c><v>5</v></c>\
      <c t="str"><v>5,5</v></c></row>
      """
    #expect(try csv(cells) == "5.5,5.99,5,\"5,5\"\n")
    #expect(try csv(cells, marksNumbers: true) == "\u{1}5.5,\u{1}5.99,5,\"5,5\"\n")
  }

  /// Programs write formulas that only a spreadsheet calculates: what it would show is not known.
  @Test(arguments: [
    "<c r=\"AB5\"><f>1+2</f></c>", "<c r=\"AB5\"><f>1+2</f><v></v></c>",
    "<c r=\"AB5\" t=\"n\"><f t=\"shared\" si=\"0\"/><v/></c>",
    "<c r=\"AB5\" t=\"str\"><f>A1&amp;B1</f></c>", "<x:c r=\"AB5\"><x:f>1+2</x:f><x:v/></x:c>",
  ])
  func `formulas that were never calculated are refused with their place`(_ cell: String) {
    let wrong = #expect(throws: Diagnostic.self) {
      try csv("<row r=\"5\"><c r=\"A5\"><v>1</v></c>\(cell)<c><f>2</f></c></row>")
    }
    #expect(wrong?.location.line == 5)
    #expect(wrong?.message.english.hasPrefix("2 cells hold formulas that were never calc") == true)
    #expect(wrong?.message.english.contains("first AB5:") == true)
  }

  /// `=IF(A5="","",A5)`: as Excel stores it, and as some write what they did not calculate.
  @Test func `formulas with an empty text are blank, and told`() throws {
    let empty = "<c r=\"C5\" t=\"str\"><f>\"\"</f><v></v></c>"
    let read = try read("<row r=\"5\"><c r=\"A5\"><v>1</v></c>\(empty)<c><v>2</v></c></row>")
    #expect(String(decoding: read.rows, as: UTF8.self).hasSuffix("1,,,2\n"))
    #expect(
      read.remarks.map(\.message.english) == [
        "1 formula gives an empty text (C5) and is read as blank"
      ])
    #expect(read.remarks.map(\.severity) == [.warning])
  }

  /// What stands out of order would be lost or overwritten.
  @Test(arguments: [
    "<row><c r=\"B1\"><v>1</v></c><c r=\"A1\"><v>2</v></c></row>",
    "<row r=\"2\"><c><v>1</v></c></row><row r=\"1\"><c><v>2</v></c></row>",
    "<row r=\"1\"><c><v>1</v></c></row><row r=\"1\"><c><v>2</v></c></row>",
    "<row><c r=\"XFE1\"><v>1</v></c></row>",
  ])
  func `cells out of their order are damage`(_ cells: String) {
    #expect(throws: Diagnostic.self) { try csv(cells) }
  }

  /// What notes and lists of choices stand on, before the sheet that people see.
  @Test(arguments: ["state=\"hidden\"", "state='veryHidden'"])
  func `a hidden sheet is read only by its name`(_ state: String) throws {
    let cells = "<row><c><v>1</v></c></row>"
    let visible = try read(cells, state: state)
    #expect(String(decoding: visible.rows, as: UTF8.self) == "2nd\n")
    #expect(visible.sheet == "Two & more" && visible.unread == ["One"])
    #expect(try read(cells, sheet: "One", state: state).sheet == "One")
    #expect(try read(cells, state: "state=\"visible\"").sheet == "One")
  }

  @Test func `a sheet is taken by its name`() throws {
    #expect(try csv("", sheet: "Two & more") == "2nd\n")
    #expect(throws: Diagnostic.self) { try csv("", sheet: "Three") }
  }
}
