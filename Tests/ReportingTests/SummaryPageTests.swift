import Billing
import Languages
import Testing

@testable import Matching
@testable import Reporting

/// The summary as a page to send.
@Suite struct SummaryPageTests {
  /// Made anew each time: parts of it are in the reader's language from the start.
  private static var page: SummaryPage {
    summaryPage(of: SampleMonth.reconciliation, workbook: "2023-06.xlsx")
  }

  @Test func markdown() throws {
    try expectGolden(Self.page.written(as: .markdown), "rich.summary.md")
  }

  @Test func html() throws {
    try expectGolden(Self.page.written(as: .html), "rich.summary.html")
  }

  /// What a file or an id says stays text: no tag, no table cell, no emphasis.
  @Test func namesAreNoSyntax() {
    var table = TextTable("lr")
    table.name(columns: ["a|b", "<i>"])
    table.add("<script>alert(\"1\")</script>", "x_y_z*")
    let page = SummaryPage(
      title: "R&D",
      sections: [
        SummaryPage.Section(
          title: "[t](http://example.com)",
          pieces: [.table(table), .points(["# `1`"])])
      ], remarks: [])
    #expect(
      page.written(as: .markdown) == ##"""
        # R&D

        ## \[t\](http://example.com)

        | a\|b | \<i\> |
        | --- | ---: |
        | \<script\>alert("1")\</script\> | x\_y\_z\* |

        - \# \`1\`

        """##)
    let html = page.written(as: .html)
    #expect(!html.contains("<script>") && !html.contains("<i>"))
    #expect(html.contains("<td>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</td>"))
    #expect(html.contains("<h1>R&amp;D</h1>"))
  }

  /// A table without names has a blank line for them in Markdown, which knows no other.
  @Test func tableWithoutNames() {
    var table = TextTable("lr")
    table.add("units", "12")
    let page = SummaryPage(
      title: "T", sections: [SummaryPage.Section(title: "S", pieces: [.table(table)])], remarks: [])
    #expect(
      page.written(as: .markdown) == "# T\n\n## S\n\n|  |  |\n| --- | ---: |\n| units | 12 |\n")
    #expect(!page.written(as: .html).contains("<th"))
  }

  /// Whatever the form, each figure of the text stands in it.
  @Test(arguments: [SummaryPage.Form.markdown, .html])
  func nothingIsLeftOut(form: SummaryPage.Form) {
    let page = Self.page.written(as: form)
    let text = Self.page.written(as: .text)
    for word in text.split(whereSeparator: \.isWhitespace) where word.contains(where: \.isNumber) {
      #expect(page.contains(word.trimming("().,;:")), "\(word) is missing")
    }
  }

  /// What a close kept keeps its lines; a fence is longer than any in it.
  @Test func keptText() {
    let kept = "Reconciliation of 2023-06\n\n  a  ```` <b>\n"
    #expect(keptSummary(kept, as: .text) == kept)
    #expect(keptSummary(kept, as: .markdown) == "`````text\n" + kept + "`````\n")
    let html = keptSummary(kept, as: .html)
    #expect(html.contains("<title>Reconciliation of 2023-06</title>"))
    #expect(html.contains("<pre>Reconciliation of 2023-06\n\n  a  ```` &lt;b&gt;\n</pre>"))
  }

  @Test func chinese() {
    Translation.$current.withValue(Translation(.simplifiedChinese)) {
      #expect(Self.page.written(as: .html).contains("<html lang=\"zh-Hans\">"))
    }
  }
}

extension Substring {
  fileprivate func trimming(_ characters: String) -> Substring {
    var rest = self
    while let first = rest.first, characters.contains(first) { rest.removeFirst() }
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return rest
  }
}
