import Languages
import Testing

@testable import Reporting

/// Goal: columns of text stand below one another in every script. Method: texts.
@Suite struct TextWidthTests {
  @Test func wideLettersTakeTwoColumns() {
    #expect(displayWidth("件数 12") == 7)
    var table = TextTable("lr")
    table.add("件数", "12")
    table.add("units", "3")
    #expect(table.text == "  件数   12\n  units   3\n")
  }

  @Test func textWithoutSpacesIsBrokenBetweenItsLetters() {
    #expect(wrapped("one two three", columns: 8) == ["one two", "three"])
    #expect(wrapped("核对一致，没有差异", columns: 8) == ["核对一", "致，没有", "差异"])
    #expect(wrapped("见 App Store 的（报告）", columns: 12) == ["见 App Store", "的（报告）"])
  }
}
