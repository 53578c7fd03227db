import Billing
import Languages
import Pricing
import Testing

@testable import Reporting
@testable import Conclusions

/// Goal: a program that calculates a workbook anew finds the figures that it holds. Method: every
/// formula of every sheet of the sample months, open and closed, and of the plans is calculated;
/// none may differ from the value that it holds, and none may need its own.
@Suite struct RecalculationTests {
  private static let months: [(String, @Sendable () -> Reconciliation)] = [
    ("calendar", { SampleMonth.reconciliation }), ("without rates", { SampleMonth.withoutRates }),
    ("short", { SampleMonth.short }), ("empty", { SampleMonth.empty }),
    ("booked", { SampleBooks.reconciliation }), ("fiscal", { SampleFiscalMonth.reconciliation }),
  ]

  /// A calendar month owes what its journal comes to.
  private static func owed(_ month: Reconciliation) -> Reconciliation {
    var month = month
    if month.receivable.isEmpty {
      month.receivable = Journal(month, settings: Settings()).receivable
    }
    return month
  }

  private func expectFigures(_ sheets: [Sheet], _ name: String) {
    #expect(SheetCalculation(sheets).differences == [], "\(name)")
  }

  @Test(arguments: [Language.english, .simplifiedChinese])
  func sheetsOfMonthsHoldWhatTheyCalculate(language: Language) {
    Translation.$current.withValue(Translation(language)) {
      for (name, month) in Self.months {
        let month = Self.owed(month())
        expectFigures(WorkbookContents(month).sheets(), "\(name), open")
        let pack = CloseSheetTests.pack(month)
        expectFigures(WorkbookContents(month, pack: pack).sheets(), "\(name), closed")
        let paged = Limits(bodyRows: 7, links: 3, cellUnits: 32_767)
        expectFigures(WorkbookContents(month, limits: paged).sheets(), "\(name), paged")
      }
    }
  }

  @Test(arguments: [Language.english, .simplifiedChinese])
  func sheetsOfPlansHoldWhatTheyCalculate(language: Language) {
    Translation.$current.withValue(Translation(language)) {
      expectFigures([PlanSheet(SamplePlans.rate()).sheet()], "rates")
      expectFigures([WhatIfSheet(SamplePlans.whatIf()).sheet()], "what if")
      for goal in [PackPlan.Goal.coins, .prices] {
        expectFigures(PackSheet(SamplePlans.packs(goal)).sheets(), "packs")
      }
    }
  }

  /// A formula that adds itself up, and one that is a row off, are found.
  @Test func wrongFormulasAreFound() {
    let sheet = Sheet(
      name: "A", columns: [.number("a")],
      rows: Rows([
        Row(cells: [.integer(3)]), Row(cells: [.formula("SUM(A2:A3)", .integer(3))]),
        Row(cells: [.formula("A2+A5", .integer(3))]),
        Row(cells: [.formula("2*A2", .integer(5))]),
      ]))
    let found = SheetCalculation(sheet).differences
    #expect(found.contains("A!A3 is circular") && found.contains { $0.hasPrefix("A!A5 =2*A2") })
  }
}
