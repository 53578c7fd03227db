import Billing
import Testing

@testable import Reporting
@testable import Conclusions

@Suite struct SubscriptionsSheetTests {
  private static func sheets(_ month: Reconciliation, limits: Limits = .excel) -> [Sheet] {
    WorkbookContents(month, limits: limits).sheets().filter { $0.name.hasPrefix("Subscriptions") }
  }

  @Test(
    arguments: [
      (1, "customer cancelled"), (2, "billing error"), (3, "no consent to a price increase"),
      (4, "product not available"), (5, "other"), (9, "9"),
    ] as [(Int32, String)])
  func whyAChainEndsIsWords(code: Int32, words: String) throws {
    var month = SampleMonth.empty
    month.subscriptions = [SampleMonth.subscriptions[0]]
    month.subscriptions[0].state = .billingRetry
    month.subscriptions[0].expirationIntent = code
    let sheet = try #require(Self.sheets(month).first)
    #expect(sheet.rows[0].cells[13] == .text(words))
    #expect(sheet.totals.isEmpty)
  }

  @Test func chainsLeadToTheFindingsThatNameThem() throws {
    let contents = WorkbookContents(SampleMonth.reconciliation)
    let sheet = try #require(Self.sheets(SampleMonth.reconciliation).first)
    let codes = (0..<sheet.rows.count).map { sheet.rows[$0].cells[11] }
    #expect(codes.count { $0 == .text("subscription-shared") } == 1)
    #expect(codes.count { $0 == .text("renewal-gap") } == 1)
    let shared = try #require(codes.firstIndex(of: .text("subscription-shared")))
    guard case .link(let place, _) = sheet.rows[shared].cells[12] else {
      Issue.record("leads nowhere")
      return
    }
    let finding = contents.reconciliation.findings[place.row - 2]
    #expect(finding.code == .subscriptionShared)
    let cells = sheet.rows[shared].cells
    // Only those that someone looks at are listed.
    #expect(sheet.rows.count < contents.reconciliation.subscriptions.count)
    for index in 0..<sheet.rows.count where codes[index] == .blank {
      #expect(["billing retry", "grace period"].contains(sheet.rows[index].cells[2].exactText))
    }
    let named = finding.transactionIDs.filter { cells.contains(.text($0)) }
    #expect(!named.isEmpty)
  }

  @Test func onlyStatesThatOccurHaveAColumn() throws {
    var month = SampleMonth.empty
    month.subscriptionCounts = [
      SubscriptionCount(sku: "b", state: .billingRetry, chains: 2, ending: 1),
      SubscriptionCount(sku: "a", state: .active, chains: 5, ending: 0),
    ]
    let rows = try #require(Self.sheets(month).first).totals.suffix(4).map(\.cells)
    #expect(
      rows[0].filter { $0 != .blank }
        == ["sku", "active", "billing retry", "total", "auto-renew off"].map(Cell.text))
    #expect(
      rows[1] == [
        .text("a"), .blank, .integer(5), .blank, .formula("SUM(C5:D5)", .integer(5)), .blank,
        .integer(0),
      ])
    #expect(
      rows[3] == [
        .text("Total"), .blank, .formula("SUM(C5:C6)", .integer(5)),
        .formula("SUM(D5:D6)", .integer(2)), .formula("SUM(E5:E6)", .integer(7)), .blank,
        .formula("SUM(G5:G6)", .integer(1)),
      ])
  }

  @Test func totalsStandBelowTheLastSheetOfTheList() throws {
    let limits = Limits(bodyRows: 1, links: 65_530, cellUnits: 32_767)
    let sheets = Self.sheets(SampleMonth.reconciliation, limits: limits)
    let contents = WorkbookContents(SampleMonth.reconciliation, limits: limits)
    #expect(sheets.count > 1 && sheets.count == contents.listedChains.count)
    let place = try #require(contents.subscriptionTotalsPlace)
    let last = try #require(sheets.last)
    #expect(place.sheet == "Subscriptions \(sheets.count)" && last.name == place.sheet)
    let row = last.totals[place.row - last.lastBodyRow - 2]
    #expect(row.cells[0] == .text("Total"))
  }

  /// Of more chains than a person reads, those without a finding are counted only.
  @Test func chainsThatAreNotListedAreSaidToBe() throws {
    var month = SampleMonth.reconciliation
    month.unlistedSubscriptions = 1
    month.subscriptions.removeAll { $0.state != .billingRetry }
    let sheet = try #require(Self.sheets(month).first)
    #expect(
      sheet.totals[0].cells == [
        .text("1 subscription is counted and not listed: no finding is about it.")
      ])
    // The sums below stand a row lower, and so do the rows that they add up.
    let contents = WorkbookContents(month)
    let place = try #require(contents.subscriptionTotalsPlace)
    let all = sheet.totals[place.row - sheet.lastBodyRow - 2].cells
    #expect(all[0] == .text("Total"))
    let first = contents.subscriptionPages.firstTotal + 3
    #expect(
      all.contains { cell in
        if case .formula(let text, _) = cell { text.contains("\(first):") } else { false }
      })
  }

  private static func line(
    _ sku: String, _ storefront: String, renewals: ComparedCount?, unexplained: Int64 = 0
  ) -> SubscriptionReportLine {
    var line = SubscriptionReportLine(sku: sku, storefront: Storefront(storefront)!)
    line.days = 30
    line.renewals = renewals
    line.active = ComparedCount(apple: 1_200, ledger: 1_199)
    line.unexplained = unexplained
    line.proceeds = [Money(micros: 1_234_560_000, Currency("CNY")!)]
    return line
  }

  @Test func reportsStandBesideTheChainsWithTheirSums() throws {
    var month = SampleMonth.empty
    month.subscriptionReports = [
      Self.line("vip", "CN", renewals: ComparedCount(apple: 5, ledger: 4), unexplained: 1),
      Self.line("vip", "US", renewals: ComparedCount(apple: 7, ledger: 7)),
    ]
    let rows = try #require(Self.sheets(month).first).totals.map(\.cells)
    let title = try #require(rows.firstIndex { $0.first == .text("Apple's subscription reports") })
    let place = try #require(rows[title + 1].firstIndex(of: .text("renewed, Apple")))
    #expect(rows[title + 2][place] == .integer(5) && rows[title + 2][place + 1] == .integer(4))
    guard case .formula(_, .integer(12)) = rows[title + 4][place],
      case .formula(_, .integer(11)) = rows[title + 4][place + 1]
    else {
      Issue.record("\(rows[title + 4])")
      return
    }
    // What no report tells is blank, and in the text not known.
    let starts = try #require(rows[title + 1].firstIndex(of: .text("started, Apple")))
    #expect(rows[title + 2][starts] == .blank)
    #expect(rows[title + 2].last == .text("1,234.56 CNY"))
    let text = reconciliationSummary(month, workbook: nil)
    #expect(text.contains("subscriptions started"))
    #expect(text.contains("not known"))
    #expect(text.contains("1 event or subscription is in findings"))
    #expect(reconciliationJSON(month).contains("\"renewals_ledger\": 4"))
  }

  @Test func withoutReportsNothingIsSaidOfThem() {
    #expect(!reconciliationJSON(SampleMonth.reconciliation).contains("subscription_reports"))
    #expect(
      !reconciliationSummary(SampleMonth.reconciliation, workbook: nil)
        .contains("Subscription reports"))
  }
}
