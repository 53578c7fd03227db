import Billing
import Pricing
import Languages
import Testing

@testable import Reporting
@testable import Conclusions

/// Goal: whoever asks for Chinese finds no English in what a period comes to, but names and codes.
/// Method: every text of the sample months' sheets and summaries, without what is a name by its
/// form, has no word in lower-case Latin letters left.
@Suite struct ChineseTests {
  /// Names that look like words: the sample's channel and group of subscriptions, and commands.
  private static let names: Set<String> = [
    "fixed", "web", "vip", "tieout", "export", "subscriptions", "period", "explain", "all",
    "accounts", "journal", "sql",
  ]

  private func english(in text: String) -> [String] {
    let codes = Set(FindingCode.allCases.map(\.rawValue))
    let named = #/[\w.\/=:+@-]*[0-9A-Z_.=\/][\w.\/=:+@-]*/#
    return text.replacing(named, with: " ").matches(of: #/[a-z][a-z-]+/#)
      .map { String($0.output) }.filter { !codes.contains($0) && !Self.names.contains($0) }
  }

  private func inChinese<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Translation.$current.withValue(Translation(.simplifiedChinese), operation: body)
  }

  /// The sample's explanations, actions and notes are the test's own words.
  private func withoutSampleWords(_ month: Reconciliation) -> Reconciliation {
    var month = month
    for index in month.findings.indices {
      month.findings[index].explanation = ""
      month.findings[index].action = ""
    }
    month.notes = []
    return month
  }

  private func texts(_ sheet: Sheet) -> [String] {
    let rows = (0..<sheet.rows.count).map { sheet.rows[$0] } + sheet.totals
    return [sheet.name] + sheet.columns.map(\.title) + rows.flatMap { $0.cells.map(text) }
      + sheet.charts.flatMap { [$0.title] + $0.series.flatMap { [$0.name] + $0.labels } }
  }

  private func text(_ cell: Cell) -> String {
    switch cell {
    case .text(let text), .link(_, let text): text
    case .formula(_, let value): text(value)
    default: ""
    }
  }

  private func expectChinese(_ sheets: [Sheet]) {
    for sheet in sheets {
      for text in texts(sheet) {
        let left = english(in: text)
        #expect(left.isEmpty, "\(sheet.name): \(left) in \"\(text)\"")
      }
    }
  }

  private static let months = [
    "calendar": SampleMonth.reconciliation, "without rates": SampleMonth.withoutRates,
    "empty": SampleMonth.empty, "fiscal": SampleFiscalMonth.reconciliation,
  ]

  @Test(arguments: months.keys.sorted()) func theWorkbook(of month: String) throws {
    let month = try #require(Self.months[month])
    inChinese { expectChinese(WorkbookContents(withoutSampleWords(month)).sheets()) }
  }

  @Test(arguments: [CloseStatement.Comparison.notClosed, .noFigures, .otherCurrency])
  func theCloseOfAMonth(comparison: CloseStatement.Comparison) {
    inChinese {
      for month in [SampleBooks.reconciliation, SampleMonth.withoutRates] {
        let pack = ClosePack(
          of: month, Settings(),
          record: CloseRecord(
            number: 4, action: .close, period: month.period, at: Instant(seconds: 1_693_000_000),
            by: "ANN", reason: "", asOf: month.asOf, version: "1.0", lastSource: 9),
          inputsDigest: "0F",
          accepting: [
            Acceptance(finding: month.findings[0].id, code: "", reason: "")
          ], comparison: comparison, before: nil)
        expectChinese([CloseSheet(pack).sheet()])
        let left = english(in: pack.statement.text)
        #expect(left.isEmpty, "\(left)")
      }
    }
  }

  /// What formulas look for in a column stands there in the same words.
  @Test func formulasLookForWhatTheirColumnsSay() {
    inChinese {
      let sheets = WorkbookContents(withoutSampleWords(SampleMonth.reconciliation)).sheets()
      let cells = Set(sheets.flatMap(texts))
      var sought: Set<String> = []
      for sheet in sheets {
        let rows = (0..<sheet.rows.count).map { sheet.rows[$0] } + sheet.totals
        for case .formula(let formula, _) in rows.flatMap(\.cells) {
          sought.formUnion(formula.matches(of: #/"([^"]+)"/#).map { String($0.1) })
        }
      }
      for text in sought where text.contains(#/\p{Han}/#) {
        let end = text.hasPrefix("*") ? String(text.dropFirst()) : text
        let isThere = cells.contains { text == end ? $0 == end : $0.hasSuffix(end) }
        #expect(isThere, "no cell says \(text)")
      }
      #expect(sought.contains("*退款") && sought.contains("是"))
    }
  }

  @Test func plans() {
    // The command line names the changes.
    var whatIf = SamplePlans.whatIf()
    for index in whatIf.changes.indices { whatIf.changes[index].name = "" }
    inChinese {
      expectChinese([
        PlanSheet(SamplePlans.rate()).sheet(), PlanSheet(SamplePlans.bare).sheet(),
        WhatIfSheet(whatIf).sheet(),
      ])
      for text in [
        SamplePlans.rate().text(isVerbose: true, workbook: "A.xlsx"),
        SamplePlans.bare.text(isVerbose: true), whatIf.text(),
      ] {
        #expect(english(in: text).isEmpty, "\(english(in: text)) in \(text)")
      }
    }
  }

  @Test(arguments: months.keys.sorted()) func theSummary(of month: String) throws {
    var month = try #require(Self.months[month])
    // What the sample's finding of a clock says is made up; the real words are ClockTests'.
    for index in month.findings.indices where month.findings[index].code == .clockOff {
      month.findings[index].explanation = "@summary.no-orders-are-loaded"
    }
    inChinese {
      let text = reconciliationSummary(month, workbook: "2023-06.xlsx")
      #expect(english(in: text).isEmpty, "\(english(in: text)) in \(text)")
    }
  }

  /// Keys, codes and figures are the same in every language.
  @Test func jsonHasTheSameKeys() {
    let pattern = #/"(?:explanation|action|text)": ?"(?:[^"\\]|\\.)*"/#
    var month = SampleMonth.short
    month.findings[0].explanation =
      "the order is \(OrderStatus.paid.wording) by a Family Sharing transaction, without payment"
    let english = reconciliationJSON(month)
    let chinese = inChinese { reconciliationJSON(month) }
    #expect(english != chinese)
    #expect(english.replacing(pattern, with: "") == chinese.replacing(pattern, with: ""))
  }
}
