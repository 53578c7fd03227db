import Billing
import Foundation
import Support
import Testing

@testable import Reporting
@testable import Pricing

/// Goal: a plan's figures follow from the sheet's own cells. Method: every formula is calculated
/// anew and compared with the value that the plan has; then an input is changed.
@Suite struct PlanSheetTests {
  static let plans: [(String, RatePlan)] = [
    ("equal net", SamplePlans.rate()), ("fee and steps", SamplePlans.rate(fee: 6_000, step: 5)),
    ("margin", SamplePlans.rate(target: .margin(330_000))),
    ("floor", SamplePlans.rate(floor: 6_500_000)), ("bare", SamplePlans.bare),
  ]

  @Test(arguments: plans.map(\.0))
  func formulasGiveTheFiguresOfThePlan(name: String) throws {
    let plan = try #require(Self.plans.first { $0.0 == name }?.1)
    expectFormulasToAgree(PlanSheet(plan).sheet())
  }

  @Test func formulasOfChangesGiveTheirFigures() {
    expectFormulasToAgree(WhatIfSheet(SamplePlans.whatIf()).sheet())
  }

  @Test(arguments: [PackPlan.Goal.coins, .prices])
  func formulasOfPacksGiveTheirFigures(goal: PackPlan.Goal) {
    for target in [PlanTarget.equalNet, .margin(330_000)] {
      expectFormulasToAgree(PackSheet(SamplePlans.packs(goal, target: target)).sheets())
    }
  }

  /// Fee, exchange rate, rounding, elasticity and a pack of the other channel, changed in their
  /// cells, give the plan that is made with them.
  @Test(arguments: [PackPlan.Goal.coins, .prices])
  func changedInputsGiveTheOtherPacks(goal: PackPlan.Goal) throws {
    let plan = SamplePlans.packs(goal)
    // The rates stand from row 13 on, in the order of their currencies.
    let dollars = try #require(plan.worths.firstIndex { $0.currency.code == "USD" })
    let firstCounterpart = 13 + plan.worths.count + 3
    let changed = SheetCalculation(
      PackSheet(plan).sheets(),
      changing: [
        "channel_fee": .number(0.006), "channel_tax": .number(0.1), "rounding": .number(5),
        "elasticity": .number(-1.2),
        "B\(13 + dollars)": .number(7.3), "B\(firstCounterpart)": .number(28),
        "C\(firstCounterpart)": .number(330),
      ])
    let other = PackSheet(
      SamplePlans.packs(
        goal, fee: 6_000, tax: 100_000, rounding: .multiples(5), elasticity: -1_200_000,
        worths: ["USD": 7_300_000], pack: ("28.00", 330)))
    for (place, formula, cached) in SheetCalculation(other.sheets()).formulas {
      let value = changed.value(at: place)
      #expect(value.isNear(cached), "\(place) =\(formula): \(value), not \(cached)")
    }
  }

  private func expectFormulasToAgree(_ sheet: Sheet) { expectFormulasToAgree([sheet]) }

  private func expectFormulasToAgree(_ sheets: [Sheet]) {
    let calculation = SheetCalculation(sheets)
    let formulas = calculation.formulas
    #expect(formulas.count > 10)
    for (place, formula, cached) in formulas {
      let value = calculation.value(at: place)
      #expect(value.isNear(cached), "\(place) =\(formula): \(value), not \(cached)")
    }
  }

  /// No figure of the plan is pasted: what the caller decides is changed in its cell, and the sheet
  /// has the figures of the plan that is made with it.
  @Test func aChangedInputGivesTheOtherPlan() {
    let changed = SheetCalculation(
      PlanSheet(SamplePlans.rate()).sheet(),
      changing: [
        "channel_fee": .number(0.006), "channel_tax": .number(0.1), "rounding": .number(5),
        "margin": .number(0.33),
        "channel_rate": .number(10),
      ])
    let other = PlanSheet(
      SamplePlans.rate(target: .margin(330_000), fee: 6_000, tax: 100_000, step: 5)
    ).sheet()
    for (place, formula, cached) in SheetCalculation(other).formulas {
      #expect(changed.value(at: place).isNear(cached), "\(place) =\(formula)")
    }
  }

  /// Another tier, written in its cell, gives the answer that is asked with it: by name or number,
  /// and one that is nowhere leaves things as they are.
  @Test(arguments: ["1", "5", "777"])
  func anotherTierGivesTheOtherAnswer(tier: String) throws {
    let plan = SamplePlans.whatIf()
    let place = try #require(plan.ranking.firstIndex { plan.changes[$0].isTier })
    let cell = "B\(7 + place)"
    let sheet = WhatIfSheet(plan).sheet()
    let other = SamplePlans.whatIf(tier: tier)
    for value in [CalculatedValue.text(tier), .number(Double(tier)!)] {
      let changed = SheetCalculation(sheet, changing: [cell: value])
      let alone = changed.value(at: "C\(7 + place)")
      let change = try #require(other.changes.firstIndex { $0.isTier })
      #expect(alone.isNear(.money(other.alone[change].proceeds, other.baseCurrency)))
      let together = changed.value(at: "C\(7 + plan.changes.count)")
      #expect(together.isNear(.money(other.together.proceeds, other.baseCurrency)))
    }
  }

  @Test func aChangedCommissionReachesProceeds() throws {
    let plan = PlanSheet(SamplePlans.rate())
    let sheet = plan.sheet()
    let changed = SheetCalculation(sheet, changing: ["commission": .number(0.15)])
    let proceeds = plan.rates.letter("proceeds")
    let first = try #require(
      (0..<sheet.rows.count).first {
        sheet.rows[$0].cells.count > plan.rates.index("equal_net")
          && sheet.rows[$0].style == .body
      })
    #expect(changed.value(at: "\(proceeds)\(first + 1)") == .number(5.05))
  }

  @Test func sheetsAreAsBefore() throws {
    try expectGolden(dump([PlanSheet(SamplePlans.rate()).sheet()]), "plan.sheet.txt")
    try expectGolden(dump([WhatIfSheet(SamplePlans.whatIf()).sheet()]), "what-if.sheet.txt")
  }

  @Test func textAndJSONAreAsBefore() throws {
    let plan = SamplePlans.rate()
    try expectGolden(plan.text(isVerbose: true), "plan.txt")
    try expectGolden(plan.json, "plan.json")
    try expectGolden(SamplePlans.bare.text(isVerbose: false), "plan.bare.txt")
    try expectGolden(SamplePlans.whatIf().text(), "what-if.txt")
    try expectGolden(SamplePlans.whatIf().json, "what-if.json")
  }

  /// The report says why a planner takes 66 where equal net is 68.
  @Test func theReasonNamesItsFigures() {
    let text = SamplePlans.bare.reasons.joined(separator: "\n")
    for figure in ["20.63", "31.23%", "68.7667", "68 ", "33.00%", "67.0000", "66", "34.00%"] {
      #expect(text.english.contains(figure), "\(figure) in \(text.english)")
    }
  }

  @Test func workbooksAreWrittenAndRepeat() throws {
    let scratch = try Scratch()
    try writeWorkbook(SamplePlans.rate(), to: scratch.path("one.xlsx"))
    try writeWorkbook(SamplePlans.rate(), to: scratch.path("two.xlsx"))
    try writeWorkbook(SamplePlans.whatIf(), to: scratch.path("what-if.xlsx"))
    let one = try Data(contentsOf: URL(filePath: scratch.path("one.xlsx")))
    #expect(one.starts(with: Array("PK".utf8)))
    #expect(one == (try Data(contentsOf: URL(filePath: scratch.path("two.xlsx")))))
  }
}
