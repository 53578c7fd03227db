import Billing
import Testing

@testable import Reporting
@testable import Conclusions

@Suite struct SheetTests {
  @Test func richMonth() throws {
    for sheet in WorkbookContents(SampleMonth.reconciliation).sheets() {
      let name = sheet.name.lowercased().split(separator: " ").joined(separator: "-")
      try expectGolden(dump([sheet]), "rich.\(name).sheet.txt")
    }
  }

  @Test func monthWithoutRates() throws {
    let summary = WorkbookContents(SampleMonth.withoutRates).sheets().prefix(1)
    try expectGolden(dump(Array(summary)), "without-rates.summary.txt")
  }

  @Test func sheetsWithoutContentAreLeftOut() {
    #expect(WorkbookContents(SampleMonth.empty).sheets().map(\.name) == ["Summary", "Notes"])
    #expect(
      WorkbookContents(SampleMonth.reconciliation).sheets().map(\.name) == [
        "Summary", "Mismatches", "Proceeds by country", "Bridge", "Patterns", "Orders",
        "Day boundaries", "Purchase flow", "Refunds", "Subscriptions", "Price check", "Inputs",
        "Notes",
      ])
  }

  /// Every link of every sheet leads to a row that exists, and back to the same finding.
  @Test(arguments: [Limits.excel, Limits(bodyRows: 7, links: 3, cellUnits: 40)])
  func linksLeadToTheirEvidence(limits: Limits) throws {
    let contents = WorkbookContents(SampleMonth.reconciliation, limits: limits)
    let sheets = contents.sheets()
    let (id, code) = (contents.findingList.index("id"), contents.findingList.index("code"))
    let finding = List.orders(in: contents).index("finding")
    let refund = contents.refundList.index("finding")
    let byName = Dictionary(uniqueKeysWithValues: sheets.map { ($0.name, $0) })
    var links = 0
    for sheet in sheets {
      for index in 0..<sheet.rows.count {
        let row = sheet.rows[index]
        for case .link(let place, _) in row.cells {
          links += 1
          let target = try #require(byName[place.sheet])
          let body = place.row - target.firstBodyRow
          let places = target.rows.count + (target.totals.isEmpty ? 0 : 1 + target.totals.count)
          #expect((0..<places).contains(body) && body != target.rows.count)
          if sheet.name.hasPrefix("Mismatches"), place.sheet.hasPrefix("Orders") {
            #expect(target.rows[body].cells[finding].exactText == row.cells[id].exactText)
          }
          if sheet.name.hasPrefix("Orders") {
            #expect(target.rows[body].cells[id].exactText == row.cells[finding].exactText)
          }
          if sheet.name.hasPrefix("Refunds") || sheet.name.hasPrefix("Subscriptions") {
            let shown = row.cells[sheet.name.hasPrefix("Refunds") ? refund : 11]
            #expect(target.rows[body].cells[code] == shown)
          }
        }
      }
    }
    #expect(links > 150)
  }

  /// What decides whether links are objects is counted without the rows that have them.
  @Test func asManyLinksAreCountedAsThereAre() {
    for sheet in WorkbookContents(SampleMonth.reconciliation).sheets() {
      var links = 0
      for index in 0..<sheet.rows.count {
        for case .link in sheet.rows[index].cells { links += 1 }
      }
      #expect(sheet.rows.linkCount(upTo: .max) == links, "\(sheet.name)")
      #expect(links > 0 || !["Mismatches", "Orders", "Refunds"].contains(sheet.name))
    }
  }

  @Test func everyFindingLeadsSomewhere() {
    let contents = WorkbookContents(SampleMonth.reconciliation)
    for index in contents.reconciliation.findings.indices {
      #expect(contents.evidencePlace(ofFinding: index) != nil)
    }
  }

  @Test func aFindingOfSalesLeadsToItsReport() throws {
    let contents = WorkbookContents(SampleMonth.reconciliation)
    let findings = contents.reconciliation.findings
    let index = try #require(findings.firstIndex { $0.code == .notInLedger })
    #expect(findings[index].sources.first?.file == "exports/orders.csv")
    #expect(contents.evidencePlace(ofFinding: index) == Place(sheet: "Inputs", row: 8))
  }

  @Test func longListsGoOnInTheNextSheet() {
    let limits = Limits(bodyRows: 20, links: 65_530, cellUnits: 32_767)
    let sheets = WorkbookContents(SampleMonth.reconciliation, limits: limits).sheets()
    let names = sheets.map(\.name).filter { $0.hasPrefix("Mismatches") }
    let (full, rest) = SampleMonth.reconciliation.findings.count.quotientAndRemainder(
      dividingBy: 20)
    #expect(full > 2 && rest > 0)
    #expect(names == ["Mismatches"] + (2...full + 1).map { "Mismatches \($0)" })
    let rows = sheets.filter { $0.name.hasPrefix("Mismatches") }.map(\.rows.count)
    #expect(rows == [Int](repeating: 20, count: full) + [rest])
    let pages = Pages(name: "Mismatches", count: 41, limits: limits)
    #expect(pages.place(40) == Place(sheet: "Mismatches 3", row: 2))
    #expect(
      pages.sum { "COUNTIFS(\($0(1)),\"error\")" }
        == "COUNTIFS('Mismatches'!$B$2:$B$21,\"error\")"
        + "+COUNTIFS('Mismatches 2'!$B$2:$B$21,\"error\")"
        + "+COUNTIFS('Mismatches 3'!$B$2:$B$2,\"error\")")
    #expect(Pages(name: "x", count: 40, limits: limits).pageCount == 2)
  }

  @Test func moreLinksThanExcelTakesAreCountedNoFurther() {
    func sheet(_ rows: Int) -> Sheet {
      Sheet(
        name: "Long", columns: [.text("a")],
        rows: Rows(count: rows, links: { _ in 1 }) { _ in
          Row(cells: [.link(Place(sheet: "Long", row: 2), "here"), .text("x")])
        })
    }
    let limit = Limits.excel.links
    #expect(sheet(65_530).rows.linkCount(upTo: limit + 1) == limit)
    #expect(sheet(200_000).rows.linkCount(upTo: limit + 1) == limit + 1)
  }

  @Test func aColumnThatLostMoneyIsAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let lines = SampleMonth.reconciliation.proceeds
      let list = List.proceeds(inBase: Currency("CNY")!)
      let columns = list.columns.map { column in
        column.name != "proceeds"
          ? column
          : Column("proceeds", .number("proceeds"), totals: column.totals) {
            $0 == lines[3] ? .blank : column.cell($0)
          }
      }
      let losing = List(columns, sums: list.sums)
      _ = losing.currencyTotals(lines, .sheet(count: lines.count), from: 6)
    }
  }

  @Test func figuresOfTwoUnitsAreAddedUpByNoTotal() async {
    await #expect(processExitsWith: .failure) {
      let list = List<Int64>(
        [
          Column("figure", .number("figure"), totals: [.all]) {
            $0 == 1 ? .integer($0) : .money($0, Currency("CNY")!)
          }
        ], sums: [ExpectedSum("figure") { $0 }])
      _ = list.totalOfAll([1, 2], .sheet(count: 2), at: 5)
    }
  }
}

@Suite struct EvidenceTests {
  private static let kinds: [String: InputKind] = [
    "o": .orders, "t": .transactions, "s": .sales, "r": .receipts, "n": .notifications,
    "h": .history,
  ]

  private func finding(orders: [String], transactions: [String], _ sources: [(String, Int)])
    -> Finding
  {
    Finding(
      code: .transactionReused, severity: .error, storefront: nil, currency: nil, date: nil,
      sku: nil, units: nil, amount: nil, orderIDs: orders, transactionIDs: transactions,
      sources: sources.map { Source(file: $0.0, line: $0.1) }, explanation: "", action: "", id: "")
  }

  private func shown(_ finding: Finding) -> [String] {
    let rows = EvidenceRows([finding], at: 0, kinds: Self.kinds)
    #expect(rows.list == (0..<rows.count).map(rows.row))
    return rows.list.map { row in "\(text(row.order)) | \(text(row.transaction))" }
  }

  private func text(_ side: EvidenceRow.Side) -> String {
    "\(side.id ?? "-") \(side.source.map { "\($0.file):\($0.line)" } ?? "-")"
  }

  @Test func idsAndSourcesStandTogetherWhereKindsAgree() {
    #expect(
      shown(finding(orders: ["A", "B"], transactions: ["1"], [("t", 9), ("o", 3), ("o", 7)]))
        == ["A o:3 | - -", "B o:7 | - -", "- - | 1 t:9"])
  }

  @Test(arguments: ["r", "n", "h"])
  func whatAppleToldIsEvidenceOfTransactions(file: String) {
    #expect(
      shown(finding(orders: ["A"], transactions: ["1", "2"], [(file, 9), ("o", 3), ("t", 7)]))
        == ["A o:3 | - -", "- - | 1 \(file):9", "- - | 2 t:7"])
  }

  @Test func otherwiseTheyStandApart() {
    #expect(
      shown(finding(orders: ["A", "B"], transactions: [], [("o", 3), ("s", 5), ("?", 0)]))
        == ["A - | - -", "B - | - -", "- o:3 | - -", "- - | - s:5", "- - | - ?:0"])
    #expect(
      shown(finding(orders: [], transactions: ["1", "2"], [("t", 3), ("s", 5)]))
        == ["- - | 1 -", "- - | 2 -", "- - | - t:3", "- - | - s:5"])
    #expect(shown(finding(orders: ["A"], transactions: [], [])) == ["A - | - -"])
  }

  /// Of several transactions nobody says here which is the order's.
  @Test func onlyOneOrderStandsBesideATransaction() {
    #expect(
      shown(finding(orders: ["A"], transactions: ["1"], [("o", 3), ("t", 9)])) == ["A o:3 | 1 t:9"])
    #expect(
      shown(finding(orders: ["A"], transactions: ["0", "1"], [("o", 3), ("t", 8), ("t", 9)]))
        == ["A o:3 | - -", "- - | 0 t:8", "- - | 1 t:9"])
  }

  /// What comes through pipes has one name.
  @Test func filesOfOneNameTellNothingWhereTheyAreOfSeveralKinds() {
    var month = SampleMonth.reconciliation
    let orders = month.inputs.firstIndex { $0.kind == .orders }!
    let file = month.inputs[orders].file
    #expect(WorkbookContents(month).inputKinds[file] == .orders)
    month.inputs.append(month.inputs[orders])
    #expect(WorkbookContents(month).inputKinds[file] == .orders)
    month.inputs[month.inputs.count - 1].kind = .transactions
    #expect(WorkbookContents(month).inputKinds[file] == nil)
  }

  @Test func allSourcesShowASingleID() {
    #expect(
      shown(finding(orders: ["A"], transactions: ["1"], [("o", 2), ("t", 3), ("r", 4), ("s", 5)]))
        == ["A o:2 | 1 t:3", "- - | 1 r:4", "- - | - s:5"])
  }
}
