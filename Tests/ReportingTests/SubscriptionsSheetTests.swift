import Billing
import Testing

@testable import Reporting
@testable import Matching

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
    month.subscriptions[0].expirationIntent = code
    let sheet = try #require(Self.sheets(month).first)
    #expect(sheet.rows[0].cells[10] == .text(words))
    #expect(sheet.totals.isEmpty)
  }

  @Test func chainsLeadToTheFindingsThatNameThem() throws {
    let contents = WorkbookContents(SampleMonth.reconciliation)
    let sheet = try #require(Self.sheets(SampleMonth.reconciliation).first)
    let codes = (0..<sheet.rows.count).map { sheet.rows[$0].cells[16] }
    #expect(codes.count { $0 == .text("subscription-shared") } == 1)
    #expect(codes.count { $0 == .text("renewal-gap") } == 1)
    let shared = try #require(codes.firstIndex(of: .text("subscription-shared")))
    guard case .link(let place, _) = sheet.rows[shared].cells[17] else {
      Issue.record("leads nowhere")
      return
    }
    let finding = contents.reconciliation.findings[place.row - 2]
    #expect(finding.code == .subscriptionShared)
    let cells = sheet.rows[shared].cells
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
      rows[0] == ["sku", "active", "billing retry", "total", "known not to renew"].map(Cell.text))
    #expect(
      rows[1] == [
        .text("a"), .integer(5), .blank, .formula("SUM(B5:C5)", .integer(5)), .integer(0),
      ])
    #expect(
      rows[3] == [
        .text("all"), .formula("SUM(B5:B6)", .integer(5)), .formula("SUM(C5:C6)", .integer(2)),
        .formula("SUM(D5:D6)", .integer(7)), .formula("SUM(E5:E6)", .integer(1)),
      ])
  }

  @Test func totalsStandBelowTheLastSheetOfTheList() throws {
    let limits = Limits(bodyRows: 5, links: 65_530, cellUnits: 32_767)
    let sheets = Self.sheets(SampleMonth.reconciliation, limits: limits)
    #expect(sheets.map(\.name) == ["Subscriptions", "Subscriptions 2", "Subscriptions 3"])
    let place = try #require(
      WorkbookContents(SampleMonth.reconciliation, limits: limits).subscriptionTotalsPlace)
    #expect(place.sheet == "Subscriptions 3")
    let row = sheets[2].totals[place.row - sheets[2].lastBodyRow - 2]
    #expect(row.cells[0] == .text("all"))
  }
}
