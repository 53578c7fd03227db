import Billing
import Testing
import Workflow

@Suite struct DiagnosticTextTests {
  private let plain = DiagnosticText(hasColour: false)

  private func diagnostic(line: Int, found: String) -> Diagnostic {
    Diagnostic(
      topic: "amount", at: SourceLocation(file: "orders.csv", line: line, column: 37),
      "unit_price is not a decimal number: \"\(found)\"",
      excerpt: "O001842,com.example.gems.60,…", caret: 28,
      help: "a decimal comma usually means a spreadsheet saved the file; export it again")
  }

  @Test func `has place, excerpt, caret and help`() {
    #expect(
      plain.text(of: diagnostic(line: 1842, found: "1,54")) == """
        orders.csv:1842:37: error[amount]: unit_price is not a decimal number: "1,54"
         1842 | O001842,com.example.gems.60,…
              |                             ^
          help: a decimal comma usually means a spreadsheet saved the file; export it again

        """)
  }

  @Test func `more than twenty alike are counted`() {
    let twenty = (1...20).map { diagnostic(line: $0, found: "\($0),0") }
    #expect(plain.text(of: twenty).split(separator: "\n").count == 80)
    let more = twenty + [diagnostic(line: 21, found: "x")]
    let lines = plain.text(of: more).split(separator: "\n")
    #expect(lines.count == 13)
    #expect(lines.last == "error[amount]: 18 more like this one, the last at orders.csv:21:37")
  }

  @Test func `the caret stands below tabs, wide and combined characters`() {
    var diagnostic = diagnostic(line: 2, found: "x")
    diagnostic.excerpt = "a\t宝石e\u{301}\tx"
    diagnostic.caret = 1 + 1 + 6 + 3 + 1
    let lines = plain.text(of: diagnostic).split(separator: "\n")
    #expect(lines[2] == "   |  \t     \t^")
  }

  @Test func `what a file holds cannot steer the terminal`() {
    var diagnostic = diagnostic(line: 2, found: "\u{1B}[2J")
    diagnostic.excerpt = "a\u{1B}]0;b\u{7}\u{202E}"
    #expect(!plain.text(of: diagnostic).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
    #expect(DiagnosticText(hasColour: true).text(of: diagnostic).contains("\u{1B}[1;31merror"))
  }

  @Test func `a stop has no place`() {
    let stop = Stop(.ledger, "the ledger is in use", help: "wait")
    #expect(plain.text(of: stop) == "tieout: error: the ledger is in use\n  help: wait\n")
  }
}
