import Billing
import Pricing
import Support
import Testing

/// Goal: rates leave what the other channel leaves, rounded down and no other way. Method: the
/// example of 30.00 CNY by hand, and properties over random prices.
@Suite struct RatePlannerTests {
  let world = PlanWorld()

  @Test func thirtyYuanGiveSixtyEight() {
    let row = world.plan([("CN", [world.offer("CN", "CNY", "30.00")])]).rows[0]
    #expect(row.terms.proceeds == amount("20.63"))
    #expect(row.rate?.exact == Fraction(2_063, over: 30))
    #expect(row.rate?.planned == 68)
    #expect(row.plannedCoins == 2_040)
  }

  /// The margin's rate lies below the one at which nothing is left to spare.
  @Test(arguments: [
    ("0", 330_000, 66), ("0", 312_000, 68), ("0", 340_000, 65), ("0", 100_000, 68),
    ("0.006", 330_000, 67),
  ])
  func marginsAreKept(fee: String, deduction: Int64, expected: Int64) {
    #expect(world.china(fee: fee, target: .margin(deduction)).planned == expected)
  }

  @Test(arguments: [
    ("100", "0.006", 1, 69), ("100", "0", 5, 65), ("100", "0", 10, 60), ("10", "0", 1, 6),
    ("10", "0.05", 1, 7),
  ])
  func feesAndStepsCount(rate: String, fee: String, step: Int64, expected: Int64) {
    #expect(world.china(rate: rate, fee: fee, step: step).planned == expected)
  }

  @Test func aFloorHoldsAndIsTold() {
    let held = world.china(floor: "70")
    #expect(held.planned == 70 && held.isHeldUp)
    let free = world.china(floor: "60")
    #expect(free.planned == 68 && !free.isHeldUp)
    let stepped = world.china(step: 5, floor: "66")
    #expect(stepped.planned == 70 && stepped.isHeldUp)
  }

  @Test func otherMoneyGetsAUnitInWhichWholeCoinsAreFine() {
    let plan = world.plan([
      ("US", [world.offer("US", "USD", "4.99")]), ("JP", [world.offer("JP", "JPY", "600")]),
    ])
    #expect(plan.rows.map(\.unit) == [1, 10])
    // 4.99 brings 3.50 there: 100 × 7.1 × 3.5 ÷ 4.99.
    #expect(plan.rows[0].rate?.exact == Fraction(248_500, over: 499))
    #expect(plan.rows[1].rate?.exact == Fraction(35))
    #expect(plan.groups.map(\.name) == ["US", "JP", "all"])
    #expect(plan.groups[2].currency == money("CNY"))
  }

  @Test func aCurrencyWithoutARateIsNoted() {
    var world = world
    world.worths["USD"] = nil
    let plan = world.plan([("US", [world.offer("US", "USD", "4.99")])])
    #expect(plan.rows[0].rate == nil && plan.groups[0].choices.isEmpty)
    #expect(plan.notes.count == 1 && plan.notes[0].english.contains("USD"))
  }

  @Test func neverAboveEqualNetAndMonotone() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let price = decimalText(micros: Int64.random(in: 1...50_000, using: &random) * 10_000)
      let rate = decimalText(micros: Int64.random(in: 1...500_000, using: &random) * 1_000)
      let step = [1, 5, 10].randomElement(using: &random)!
      let planned = world.china(price, rate: rate, step: Int64(step))
      #expect(Fraction(Int128(planned.planned)) <= planned.exact)
      #expect(planned.exact < Fraction(Int128(planned.planned) + Int128(step)))
      #expect(planned.planned % Int64(step) == 0 && !planned.isHeldUp)
      #expect(world.china(price, rate: rate, fee: "0.01").exact > planned.exact)
      var dearer = world
      dearer.commission = 310_000
      #expect(dearer.china(price, rate: rate).exact <= planned.exact)
      let margin = world.china(price, rate: rate, target: .margin(330_000))
      #expect(
        margin.exact <= planned.exact && margin.planned <= world.china(price, rate: rate).planned)
    }
  }
}

/// Goal: a common rate is chosen as its name says, and what it gains adds up. Method: marked
/// volumes by hand, and the order of the choices over random ones.
@Suite struct CommonRateTests {
  @Test func gainsAreCountedAgainstTheChannel() {
    var world = PlanWorld()
    world.sales = [("CN", "CNY", "30.00", "20.63", 100), ("CN", "CNY", "6.00", "4.13", 10)]
    let plan = world.plan([
      ("CN", [world.offer("CN", "CNY", "6.00"), world.offer("CN", "CNY", "30.00")])
    ])
    let choices = plan.groups[0].choices
    #expect(choices.map(\.kind) == [.safe, .weighted, .median])
    #expect(choices[0].rate.exact == Fraction(2_063, over: 30))
    // Apple paid 2,104.30; 3,060.00 at 68 are 208,080 coins, worth 2,080.80 on the other channel.
    #expect(choices[0].gain == amount("23.50"))
    #expect(choices[1].rate.exact == Fraction(21_043, over: 306))
    #expect(
      choices[2].share == (Fraction(2_063, over: 3_000) + Fraction(413, over: 600)) / Fraction(2))
  }

  /// What Apple kept when the units were sold says nothing of the rates of another day.
  @Test func oldDeductionsAreNoGainOfNewRates() {
    var gains: [Int64?] = []
    for proceeds in ["20.63", "15.00", "25.00"] {
      var world = PlanWorld()
      world.sales = [("CN", "CNY", "30.00", proceeds, 100)]
      let plan = world.plan([("CN", [world.offer("CN", "CNY", "30.00")])])
      gains.append(plan.groups[0].choices[0].gain)
    }
    #expect(gains[0] != nil && gains.allSatisfy { $0 == gains[0] })
  }

  @Test func refundsAreTakenOffAndObservationStandsBeside() {
    var world = PlanWorld()
    world.sales = [("CN", "CNY", "30.00", "20.58", 5), ("CN", "CNY", "30.00", "20.58", -1)]
    let row = world.plan([("CN", [world.offer("CN", "CNY", "30.00")])]).rows[0]
    #expect(row.observed?.units == 4)
    #expect(row.observed?.gross == amount("120"))
    #expect(row.observed?.rate?.exact == Fraction(2_058, over: 30))
    #expect(row.observed?.rate?.planned == 68)
  }

  @Test func choicesAreInOrder() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<100 {
      var world = PlanWorld()
      let prices = (0..<5).map { _ in
        decimalText(micros: Int64.random(in: 50...9_000, using: &random) * 10_000)
      }
      world.sales = prices.map {
        ("CN", "CNY", $0, $0, Int32.random(in: 1...1_000, using: &random))
      }
      let choices = world.plan([
        ("CN", Set(prices).sorted().map { world.offer("CN", "CNY", $0) })
      ]).groups[0].choices
      #expect(choices[0].rate.exact <= choices[2].rate.exact)
      #expect(choices[0].rate.exact <= choices[1].rate.exact)
      #expect(choices[0].rate.planned <= choices[2].rate.planned)
      #expect(choices[0].gain! >= choices[1].gain!)
    }
  }

  @Test func cheapCoinsAreMarked() {
    let world = PlanWorld()
    let plan = world.plan([
      ("CN", [world.offer("CN", "CNY", "30.00", coins: 300)]),
      ("US", [world.offer("US", "USD", "4.99", coins: 300)]),
    ])
    #expect(plan.coinPrices.map(\.storefront) == [shop("CN"), shop("US")])
    #expect(plan.coinPrices[0].net == amount("68.766667"))
    #expect(plan.coinPrices[1].net == amount("82.833333"))
    #expect(plan.coinPrices.map(\.isNetBelow) == [true, false])
    #expect(plan.coinPrices.map(\.isPriceBelow) == [true, false])
  }
}
