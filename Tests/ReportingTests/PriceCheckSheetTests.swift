import Billing
import Testing

@testable import Reporting
@testable import Conclusions

@Suite struct PriceCheckSheetTests {
  private static func sheet(_ change: (inout Reconciliation) -> Void = { _ in }) throws -> Sheet {
    var month = SampleMonth.reconciliation
    change(&month)
    return try #require(WorkbookContents(month).sheets().first { $0.name == "Price check" })
  }

  private static func column(_ name: String) -> Int {
    List.priceCheck(in: WorkbookContents(SampleMonth.reconciliation)).index(name)
  }

  @Test func aChangedPartAndItsFindingLeadToEachOther() throws {
    let month = SampleMonth.reconciliation
    let contents = WorkbookContents(month)
    let finding = try #require(
      contents.reconciliation.findings.firstIndex { $0.code == .deductionChanged })
    let place = try #require(contents.evidencePlace(ofFinding: finding))
    #expect(place.sheet == "Price check")
    let row = try Self.sheet().rows[place.row - 2]
    #expect(row.cells[0] == .text("VN Vietnam"))
    #expect(row.cells[Self.column("first_day")] == .day(Day("2023-06-22")!))
    #expect(
      row.cells[Self.column("note")]
        == .text("changed, before: a tax of 10.00%; no table has the tax of this storefront"))
    #expect(
      row.cells[Self.column("mismatch")]
        == .link(contents.mismatches.place(finding), "Mismatches \(finding + 2)"))
    #expect(row.tints.map(\.column) == [Self.column("note")])
  }

  @Test func anExchangeHidesTheDeduction() throws {
    let sheet = try Self.sheet()
    let row = try #require(
      (0..<sheet.rows.count).map { sheet.rows[$0] }.first { $0.cells[0] == .text("TR Türkiye") })
    #expect(row.cells[9...11].allSatisfy { $0 == .blank })
    #expect(
      row.cells[Self.column("note")] == .text("paid in USD: deduction not visible after conversion")
    )
    let names = sheet.totals.dropFirst(2).map { $0.cells[0] }
    #expect(!names.contains(.text("TR")))
    #expect(names.first == .text("CN"))
  }

  @Test func aRateThatNoTaxExplainsIsSaidToBeOne() throws {
    let sheet = try Self.sheet()
    let row = try #require(
      (0..<sheet.rows.count).map { sheet.rows[$0] }.first { $0.cells[2] == .text("non-renewing") })
    #expect(row.cells[Self.column("note")] == .text("no tax gives the proceeds at this commission"))
  }

  @Test func theChartHasOneSeriesPerMonth() throws {
    let chart = try #require(try Self.sheet().charts.first)
    #expect(chart.series.map(\.name) == ["2023-05", "2023-06"])
    #expect(chart.series.map(\.column) == [2, 3])
    #expect(chart.rows.count == 9)
    let without = try #require(
      try Self.sheet {
        $0.deductions.removeAll { $0.month.parts.month == 5 }
      }.charts.first)
    #expect(without.series.map(\.name) == ["2023-06"])
  }

  @Test func aStorefrontWithTwoCurrenciesIsNamedWithThem() throws {
    let sheet = try Self.sheet { month in
      var dollars = month.deductions[8]
      for amount in [\DeductionLine.gross, \.proceeds, \.ruleProceeds] {
        dollars[keyPath: amount] = Money(
          micros: dollars[keyPath: amount].micros, Currency("USD")!)
      }
      month.deductions.append(dollars)
    }
    let names = sheet.totals.dropFirst(2).map { $0.cells[0] }
    let code = "\(SampleMonth.deductions[8].storefront)"
    #expect(names.count { $0 == .text("\(code) USD") } == 1)
    #expect(!names.contains(.text(code)))
  }

  @Test func onlyForeignProceedsMakeNoTable() throws {
    let sheet = try Self.sheet { $0.deductions.removeAll { $0.storefront.code != "TR" } }
    #expect(sheet.totals.isEmpty && sheet.charts.isEmpty)
    #expect(sheet.rows.count == 2)
  }
}
