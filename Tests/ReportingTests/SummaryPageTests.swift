import Billing
import Languages
import Testing

@testable import Conclusions
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
    try expectGolden(
      reportPage(of: SampleMonth.reconciliation, workbook: "2023-06.xlsx"), "rich.summary.html")
  }

  /// Both forms say whether the month ties, in one sentence.
  @Test func oneVerdict() {
    let month = SampleMonth.reconciliation
    let verdict = say(month.verdict)
    #expect(verdict.hasPrefix("does not tie: "))
    #expect(Self.page.written(as: .text).contains("\n" + verdict + "\n"))
    #expect(reportPage(of: month, workbook: nil).contains("<div>" + verdict + "</div>"))
  }

  /// What Apple took beside the rule is not called the rule's commission.
  @Test func commissionOfTheRule() throws {
    let month = SampleMonth.reconciliation
    let steps = try #require(month.bridges.first { $0.storefront == "DE" }).steps
    let rule = try #require(steps.first { $0.cause == .commission }).amount
    let other = try #require(steps.first { $0.cause == .proceedsDifference }).amount
    #expect(!other.isZero)
    let cells = [rule, other].map { "<td class=\"n\">\(grouped(-$0))</td>" }.joined()
    #expect(reportPage(of: month, workbook: nil).contains(cells))
  }

  /// Between what is owed and the total of the proceeds stands what tells them apart.
  @Test func roundingStandsBesideTheReceivable() throws {
    var month = SampleMonth.reconciliation
    let proceeds = try #require(month.proceedsInBase)
    var owed = ReceivableMovement(SampleMonth.base)
    owed.proceeds = Money(micros: proceeds - 10_000, SampleMonth.base)
    month.receivable = [ReceivableLine(own: owed, base: owed, rate: .one)]
    #expect(
      reportPage(of: month, workbook: nil)
        .contains("rounding, to proceeds by country: 0.01 CNY"))
    month.receivable[0].base?.proceeds.micros += 10_000
    #expect(!reportPage(of: month, workbook: nil).contains("rounding, to proceeds"))
  }

  /// A payment that no bank statement has is missing before the statement of it begins.
  @Test func missingBankStatement() throws {
    let page = reportPage(of: SampleFiscalMonth.reconciliation, workbook: nil)
    let told = try #require(page.firstRange(of: "<li>no bank statement has Apple"))
    let statement = try #require(page.firstRange(of: "<section class=\"statement\""))
    #expect(told.lowerBound < statement.lowerBound)
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
    let html = table.html()
    #expect(!html.contains("<script>") && !html.contains("<i>"))
    #expect(html.contains("<td>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</td>"))
  }

  /// Nothing on the page runs, or is fetched from elsewhere; what files say stays text, wherever it
  /// stands.
  @Test func pageIsWhole() {
    var month = SampleMonth.reconciliation
    for place in month.findings.indices {
      month.findings[place].explanation = Wording(verbatim: "<img src=x onerror='a()'>&\u{1B}[0m")
      month.findings[place].action = "</p><script src=\"http://example.com\"></script>"
      month.findings[place].sku = "\"><svg onload=a()>"
    }
    for language in Language.allCases {
      let page = Translation.$current.withValue(Translation(language)) {
        reportPage(of: month, workbook: "<b>'\"&.xlsx")
      }
      #expect(page.hasPrefix("<!doctype html>\n<html lang=\"\(language.rawValue)\">"))
      #expect(page.contains("&lt;img src=x onerror=&#39;a()&#39;&gt;&amp;\u{FFFD}[0m"))
      for part in ["<script", "<img", "<b>'", "http://www", "href=", "url(", "@import", "\u{1B}"] {
        #expect(!page.contains(part), "\(language) \(part)")
      }
      #expect(page.matches(of: #/<svg /#).count == 2)
      #expect(page.contains("prefers-color-scheme: dark") && page.contains("size: A4"))
      #expect(!page.contains("onload=a()>\""))
    }
  }

  /// Coins have their figures and their flow on the page, as on the screen and in the workbook; a
  /// company without movements sees nothing of them.
  @Test func coinsAreOnThePage() throws {
    var month = SampleMonth.reconciliation
    #expect(!reportPage(of: month, workbook: nil).contains("<h2>Coins</h2>"))
    let days = (1...3).map { number in
      var day = CoinDay(day: Day("2023-06-0\(number)")!, coin: "gems", channel: nil)
      (day.granted, day.spent) = (Int64(500 * number), number == 2 ? 0 : 60)
      day.left = Int64(440 * number)
      return day
    }
    var flow = days[0]
    (flow.sold, flow.granted, flow.spent) = (2900, 3000, 120)
    month.coins = CoinFlow(
      days: days,
      totals: [
        CoinTotal(
          coin: "gems", opening: 0, closing: 2880, flow: flow, paidLeft: nil, freeLeft: nil,
          unmatched: 0, untold: 0, users: nil, usersLeft: nil, ages: [])
      ], notes: ["@coins.some-name-no-coin"])
    let page = reportPage(of: month, workbook: nil)
    #expect(page.contains("<h2>Coins</h2>") && page.contains("<td class=\"n\">2,880</td>"))
    #expect(page.contains("gems: coins granted and spent by day"))
    #expect(page.contains("fill their column coin in"))
    #expect(page.matches(of: #/<svg /#).count == 3)
    let chart = DayChart(
      days: days.map(\.day),
      series: [
        DayChart.Series(name: "<b>", counts: days.map(\.granted), family: .commission),
        DayChart.Series(name: "s", counts: days.map(\.spent), family: .missing),
      ]
    ).svg("t")
    // Three columns, of which the last is the highest, and two beside them.
    #expect(chart.matches(of: #/h61\.3V118z/#).count == 5)
    #expect(chart.contains("v-100h") && chart.contains("v-33h") && chart.contains("v-4h"))
    #expect(chart.contains(">1,500</text>") && chart.contains("&lt;b&gt;"))
    #expect(DayChart(days: [], series: []).svg("t").isEmpty)
  }

  /// Small steps between large totals are seen: the axis begins near them, and says where.
  @Test func axisIsCut() {
    func bar(_ from: Int64, _ to: Int64, isTotal: Bool = false) -> PageChart.Bar {
      PageChart.Bar(
        name: "b", from: from, to: to, figure: "f", family: .missing, isTotal: isTotal)
    }
    let chart = PageChart(
      [bar(0, 1_000_000, isTotal: true), bar(1_000_000, 990_000), bar(0, 990_000, isTotal: true)],
      mayCut: true)
    #expect(chart.cut == 985_000)
    #expect(chart.svg("t").contains("width=\"140\""), "a step of a hundredth has two thirds")
    #expect(PageChart([bar(0, 1_000_000)], mayCut: false).cut == 0)
    #expect(PageChart([bar(0, 10, isTotal: true), bar(10, -5)], mayCut: true).cut == -5)
    #expect(PageChart([bar(0, 0)], mayCut: true).svg("t").contains("width=\"2\""))
  }

  /// A table without names has a blank line for them in Markdown, which knows no other.
  @Test func tableWithoutNames() {
    var table = TextTable("lr")
    table.add("units", "12")
    let page = SummaryPage(
      title: "T", sections: [SummaryPage.Section(title: "S", pieces: [.table(table)])], remarks: [])
    #expect(
      page.written(as: .markdown) == "# T\n\n## S\n\n|  |  |\n| --- | ---: |\n| units | 12 |\n")
    #expect(!table.html().contains("<th"))
  }

  /// A list without points is no reason to end.
  @Test func listWithoutPoints() {
    let section = SummaryPage.Section(title: "S", pieces: [.points([])])
    let page = SummaryPage(title: "T", sections: [section], remarks: ["R"])
    #expect(page.written(as: .text) == "T\n\nS\nR\n")
    #expect(page.written(as: .markdown).hasSuffix("\nR\n"))
  }

  /// Each figure of the text stands in Markdown.
  @Test func nothingIsLeftOut() {
    let page = Self.page.written(as: .markdown)
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
