import Billing
import Support
import Testing

@testable import Reporting

/// Goal: rows of our own making say in XML what the library would. Method: texts, numbers, heights
/// and links, one at a time; and blocks made with and without known styles.
struct RowXMLTests {
  private let usd = Currency("USD")!

  private func layout(hasLinkObjects: Bool = true) -> SheetLayout {
    let sheet = Sheet(name: "a", columns: [.text("a"), .number("b")], rows: Rows([]))
    return SheetLayout(sheet, hasLinkObjects: hasLinkObjects)
  }

  /// The XML of one row, in which no style is known.
  private func xml(_ cells: [Cell], height: Double? = nil, hasLinkObjects: Bool = true) -> String {
    var rows = RowXML(layout(hasLinkObjects: hasLinkObjects), styles: [:])
    rows.add(Row(cells: cells), height: height, at: 6)
    return rows.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func text(_ text: String) -> String {
    "<row r=\"7\"><c r=\"A7\" s=\"\" t=\"inlineStr\"><is><t>\(text)</t></is></c></row>"
  }

  @Test(arguments: [
    ("a<b>&\"c\"", "a&lt;b&gt;&amp;\"c\""), ("_x0041_ _x00", "_x005F_x0041_ _x00"),
    ("\u{0}\u{1}\u{1F}\u{7F}", "\u{FFFD}_x0001__x001F_\u{7F}"),
    ("\u{FFFE}\u{FFFF}\u{FFFD}\u{F8FE}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{F8FE}"),
    ("中文\u{FFFE}文", "中文\u{FFFD}文"),
    ("a_b", "a_b"),
  ])
  func textIsEscaped(of raw: String, as escaped: String) {
    #expect(xml([.text(raw)]) == text(escaped))
    let plain = escaped.replacing(#/_x00(01|1F)_/#) { $0.1 == "01" ? "\u{1}" : "\u{1F}" }
    #expect(carriable(raw) == plain.unescaped)
  }

  /// As short as spreadsheets read it, where no byte needs care and no space stands at an end.
  @Test(arguments: ["a", "refund-not-reversed", "two words", "退款", "\u{7F}"])
  func plainTextStandsAsAFormulasWould(text: String) {
    #expect(
      xml([.text(text)])
        == "<row r=\"7\"><c r=\"A7\" s=\"\" t=\"str\"><v>\(text)</v></c></row>")
  }

  @Test(arguments: ["\u{2009}A1", "A1\u{2003}", "\u{A0}", "\u{3000}a", "a\u{1680}", "a\u{85}"])
  func textThatMayEndInSpaceStandsInline(raw: String) {
    #expect(xml([.text(raw)]) == text(raw))
  }

  /// Texts are looked at eight bytes at a time: what needs an escape is found wherever it stands,
  /// and only that.
  @Test(arguments: ["a", "ÿ", "中", "𐍈", "\u{7F}"]) func textsOfAnyLengthAreEscaped(filler: String) {
    let escapes = [
      ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\u{1F}", "_x001F_"), ("\u{0}", "\u{FFFD}"),
      ("_x0041_", "_x005F_x0041_"), ("_", "_"), ("\u{FFFE}", "\u{FFFD}"), ("\u{FFFD}", "\u{FFFD}"),
    ]
    for length in 0...20 {
      for place in 0...length {
        let (before, after) = (
          String(repeating: filler, count: place), String(repeating: filler, count: length - place)
        )
        for (raw, escaped) in escapes {
          #expect(xml([.text(before + raw + after)]) == text(before + escaped + after))
        }
        let quoted = Cell.link(Place(sheet: "b", row: 3), before + "\"" + after)
        var rows = RowXML(layout(), styles: [:])
        rows.add(Row(cells: [quoted]), height: nil, at: 6)
        #expect(
          String(decoding: rows.links, as: UTF8.self).contains(
            "display=\"\(before)&quot;\(after)\""))
      }
    }
  }

  /// They are written without a text for the formula, and say the same.
  @Test(arguments: ["b 3", "a&b", "_x0041_", "中文", "a\"b", "<", "'"])
  func linksAreWrittenAsTheirFormulasAre(text: String) {
    for sheet in ["b", "a & b", "中文", text] where !sheet.contains("\"") {
      let place = Place(sheet: sheet, row: 1_048_576)
      let formula = Cell.formula(linkFormula(place, text), .text(text))
      #expect(xml([.link(place, text)], hasLinkObjects: false) == xml([formula]))
    }
  }

  /// Nothing unpacks rows again when a workbook is read back.
  @Test(arguments: [true, false]) func rowsAreXMLWithAsManyCellsAsTheySay(hasLinkObjects: Bool) {
    let texts = ["", " ", "a", "<&>\"_x0041_", "\u{0}\u{1}\t\n", "中文\u{FFFE}", "]]>", "1.10"]
    var cells: [Cell] = texts.flatMap { text in
      [
        .text(text), .link(Place(sheet: "b<\(text)", row: 3), text),
        .formula("A1&\"\(text)\"", .text(text)),
      ]
    }
    cells += [
      .blank, .integer(.min), .ordinal(7), .money(.max, usd), .money(-1, usd), .ratio(1), .rate(1),
      .exchange(Fraction(1, over: 3)),
      .day(Day(year: 2023, month: 6, day: 1)!), .quotient(Fraction(1, over: 3), places: 2),
      .share(Fraction(1, over: 3)), .formula("1/3", .share(Fraction(1, over: 3))),
      .formula("0", .blank),
    ]
    let sheet = Sheet(
      name: "a", columns: cells.map { _ in .prose("a", 9) } + [.number("b")], rows: Rows([]))
    let layout = SheetLayout(sheet, hasLinkObjects: hasLinkObjects)
    var rows = RowXML(layout, styles: [:])
    for (number, style) in [Row.Style.body, .title, .total, .signature].enumerated() {
      var row = Row(cells: cells, style: style)
      row.tint(number, .error)
      rows.add(row, height: number == 0 ? nil : 12.75, at: number)
      rows.add(Row(cells: []), height: 24, at: number + 10)
    }
    var outline = XMLOutline()
    for part in [Array("<a>".utf8), rows.withBytes { Array($0) } + rows.links, Array("</a>".utf8)] {
      part.withUnsafeBytes { outline.add($0) }
    }
    #expect(outline.isWhole && outline.cells == rows.cellCount && outline.cells > 100)
  }

  @Test func numbersAreTheDecimalsThatTheyAre() {
    func number(_ cell: Cell) -> Substring? {
      let xml = xml([cell])
      return xml.contains("t=\"str\"") ? nil : xml.firstMatch(of: #/<v>(.*)</v>/#)?.1
    }
    #expect(number(.money(933_060_000, usd)) == "933.06")
    #expect(number(.money(-500_001, usd)) == "-0.500001")
    #expect(number(.ratio(0)) == "0")
    #expect(number(.integer(-1_000_000)) == "-1000000")
    #expect(number(.integer(999_999_999_999_999)) == "999999999999999")
    #expect(number(.day(Day(year: 1900, month: 3, day: 1)!)) == "61")
    #expect(number(.formula("A1&\"<\"", .integer(3))) == "3")
    // No number is this amount.
    #expect(number(.money(12_345_678_901_234_567, usd)) == nil)
    var random = SplitMix64(seed: 7)
    for _ in 0..<10_000 {
      let micros = Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)
      let shown = number(.money(micros, usd)).flatMap { Double($0) }
      #expect(shown == CellNumber.binary(micros: micros))
    }
  }

  @Test func rowsWithoutCellsHaveTheirHeight() {
    #expect(xml([.blank]) == "")
    #expect(xml([], height: 24) == "<row r=\"7\" ht=\"24\" customHeight=\"1\"/>")
    #expect(
      xml([.text("")], height: 27.5).hasPrefix("<row r=\"7\" ht=\"27.5\" customHeight=\"1\">"))
    #expect(xml([.text(" a")]).contains("<t xml:space=\"preserve\"> a</t>"))
  }

  @Test func linksAreObjectsOrFormulas() {
    let link = Cell.link(Place(sheet: "b", row: 3), "a\"b")
    let formula = "HYPERLINK(\"#'b'!A3\",\"a\"\"b\")"
    #expect(
      xml([link], hasLinkObjects: false)
        == "<row r=\"7\"><c r=\"A7\" s=\"\" t=\"str\"><f>\(formula)</f><v>a\"b</v></c></row>")
    var rows = RowXML(layout(), styles: [:])
    rows.add(Row(cells: [link]), height: nil, at: 6)
    let links = String(decoding: rows.links, as: UTF8.self)
    #expect(
      links == "<hyperlink ref=\"A7\" location=\"'b'!A3\" display=\"a&quot;b\"/>")
  }

  /// Whether a style is known when a block is made changes no byte.
  @Test func openStylesGiveTheSameBytes() {
    let rows = (0..<50).map { Row(cells: [.text("\($0)"), .integer($0), .ratio($0)]) }
    var numbers: [Look: Int] = [:]
    func number(_ look: Look) -> Int {
      if numbers[look] == nil { numbers[look] = 98 + numbers.count }
      return numbers[look]!
    }
    var first = RowBlock(rows, at: 0, layout(), styles: [:])
    #expect(first.part.size == 0)
    first.resolve(number)
    var second = RowBlock(rows, at: 0, layout(), styles: numbers)
    #expect(second.part.bytes == first.part.bytes && first.part.size > 0)
    second.resolve { _ in 0 }
    #expect(second.part.sum == first.part.sum && second.cellCount == 150)
  }
}

extension String {
  fileprivate var unescaped: String {
    replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }
}
