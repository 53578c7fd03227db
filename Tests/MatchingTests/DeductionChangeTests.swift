import Billing
import Matching
import Support
import Testing

/// A storefront's deduction becomes another one: which day, which rate, and when nothing is said.
struct DeductionChangeTests {
  @Test(arguments: changes + silences) func raisesJustThat(_ example: OrderCase) {
    let world = World(example.build)
    let findings = world.deductions().findings
    #expect(findings.map(world.line) == example.expected)
    var random = SplitMix64(seed: 5)
    let other = world.shuffled(&random).deductions().findings
    #expect(other.map(\.explanation) == findings.map(\.explanation))
  }

  static let changes: [OrderCase] = [
    OrderCase("DE 19% to 16%", "deduction-changed DE EUR 2023-06-11 - 80 10.00") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-30", tax: "0.16")
      $0.trade("CN", "2023-06-01", "2023-06-30", tax: "0.018")
    },
    OrderCase("JP 10% to 8%", "deduction-changed JP JPY 2025-06-20 - 44 462.00") {
      $0.period = Period("2025-06")!
      $0.reports("2025-05-31", "2025-07-01")
      $0.trade("JP", "2025-06-01", "2025-06-19", tax: "0.10")
      $0.trade("JP", "2025-06-20", "2025-06-30", tax: "0.08")
    },
    OrderCase("a documented commission that nobody configured is a change of terms") {
      $0.reports()
      $0.trade("CN", "2023-06-01", "2023-06-14", tax: "0.018")
      $0.trade("CN", "2023-06-15", "2023-06-30", tax: "0.009", commission: "0.15")
    },
    OrderCase(
      "there and back", "deduction-changed DE EUR 2023-06-11 - 40 5.00",
      "deduction-changed DE EUR 2023-06-21 - 40 -5.00"
    ) {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-20", tax: "0.16")
      $0.trade("DE", "2023-06-21", "2023-06-30", tax: "0.19")
    },
    OrderCase(
      "both classes on one day, of which one sells seldom",
      "deduction-changed DE EUR 2023-06-11 - 116 15.40"
    ) {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-30", tax: "0.16")
      $0.renewals("2023-06-01", "2023-06-09", tax: "0.19")
      $0.renewals("2023-06-13", "2023-06-29", tax: "0.16")
    },
    OrderCase("late rows at the old rate", "deduction-changed DE EUR 2023-06-11 - 80 10.00") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-30", tax: "0.16")
      $0.sale(
        "gems", on: "2023-06-13", price: "5.49", proceeds: "3.23", storefront: "DE",
        currency: "EUR")
    },
    OrderCase("a day late against the table", "deduction-changed DE EUR 2020-07-06 - 100 12.50") {
      $0.period = Period("2020-07")!
      $0.reports("2020-06-30", "2020-08-01")
      $0.trade("DE", "2020-07-01", "2020-07-05", tax: "0.19")
      $0.trade("DE", "2020-07-06", "2020-07-30", tax: "0.16")
    },
    OrderCase("an override that goes on too long", "deduction-changed DE EUR 2023-06-11 - 80 10.00")
    {
      $0.facts.taxes = [
        TaxOverride(
          storefront: Storefront("DE")!, rate: 210_000, effectiveFrom: nil, effectiveTo: nil)
      ]
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-30", tax: "0.16")
    },
    OrderCase("a storefront in US dollars", "deduction-changed US USD 2023-06-11 - 80 -31.60") {
      $0.reports()
      $0.trade("US", "2023-06-01", "2023-06-10", tax: nil)
      $0.trade("US", "2023-06-11", "2023-06-30", tax: "0.08")
    },
  ]

  static let silences: [OrderCase] = [
    OrderCase("as the rule has it, at several prices") {
      $0.reports()
      for (place, day) in (1...30).enumerated() {
        $0.sale(
          "gems", on: "2023-06-\(padded(day))", units: 3, price: place < 12 ? "5.49" : "6.99",
          storefront: "DE", currency: "EUR")
      }
    },
    OrderCase("always another rate than the rule's") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.16")
    },
    OrderCase("a change that the built-in table knows") {
      $0.period = Period("2020-06-15..2020-07-15")!
      $0.reports("2020-06-14", "2020-07-16")
      $0.trade("DE", "2020-06-15", "2020-06-30", tax: "0.19")
      $0.trade("DE", "2020-07-01", "2020-07-15", tax: "0.16")
    },
    OrderCase("a change that an override knows") {
      $0.facts.taxes = [
        TaxOverride(
          storefront: Storefront("DE")!, rate: 160_000, effectiveFrom: Day("2023-06-11"),
          effectiveTo: nil)
      ]
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-30", tax: "0.16")
    },
    OrderCase("an override that Apple does not follow") {
      $0.facts.taxes = [
        TaxOverride(
          storefront: Storefront("DE")!, rate: 160_000, effectiveFrom: Day("2023-06-11"),
          effectiveTo: nil)
      ]
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.19")
    },
    OrderCase("a small-business span that is configured") {
      $0.settings.smallBusiness = [.init(from: Day("2023-06-15"), to: nil)]
      $0.reports()
      $0.trade("CN", "2023-06-01", "2023-06-14", tax: "0.018")
      $0.trade("CN", "2023-06-15", "2023-06-30", tax: "0.009", commission: "0.15")
    },
    OrderCase("a commission that the table knows") {
      $0.period = Period("2026-03")!
      $0.reports("2026-02-28", "2026-04-01")
      $0.trade("CN", "2026-03-01", "2026-03-14", tax: "0.018")
      $0.trade("CN", "2026-03-15", "2026-03-31", tax: "0.015", commission: "0.25")
    },
    OrderCase("a tax that no table knows, and a commission that one knows") {
      $0.period = Period("2025-12-05..2025-12-31")!
      $0.reports("2025-12-04", "2026-01-01")
      $0.trade("JP", "2025-12-05", "2025-12-17", tax: "0.13")
      $0.trade("JP", "2025-12-18", "2025-12-31", tax: "0.13", commission: "0.26")
    },
    OrderCase("renewals come of age") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-14", tax: "0.19", of: ["monthly", "yearly"])
      $0.trade(
        "DE", "2023-06-15", "2023-06-30", tax: "0.19", commission: "0.15",
        of: ["monthly", "yearly"], reason: "Rate After One Year")
    },
    OrderCase("refunds of what was bought at another rate") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.19")
      $0.trade("DE", "2023-06-15", "2023-06-30", tax: "0.16", units: -2)
    },
    OrderCase("offers and preserved prices with proceeds of their own") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-14", tax: "0.19")
      $0.trade("DE", "2023-06-15", "2023-06-30", tax: "0.05", offer: "Pay As You Go Intro Offer")
      $0.trade("DE", "2023-06-15", "2023-06-30", tax: "0.05", preserved: true)
    },
    OrderCase("four rows since") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-28", tax: "0.19")
      $0.trade("DE", "2023-06-29", "2023-06-30", tax: "0.16", units: 30)
    },
    OrderCase("nineteen units since") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-20", tax: "0.19", units: 5)
      $0.trade("DE", "2023-06-21", "2023-06-29", tax: "0.16", of: ["gems"], units: 1)
      $0.trade("DE", "2023-06-21", "2023-06-30", tax: "0.16", of: ["chest"], units: 1)
    },
    OrderCase("four rows before") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-02", tax: "0.19", units: 30)
      $0.trade("DE", "2023-06-03", "2023-06-30", tax: "0.16")
    },
    OrderCase("prices too low to tell one rate from the other") {
      $0.reports()
      $0.trade("JP", "2023-06-01", "2023-06-10", tax: "0.000", price: "10")
      $0.trade("JP", "2023-06-11", "2023-06-30", tax: "0.060", price: "10")
    },
    OrderCase("two taxes side by side, before and since") {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.19", of: ["gems"])
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.07", of: ["chest"])
    },
    OrderCase("proceeds in another currency") {
      $0.reports()
      for day in 1...30 {
        $0.sale(
          on: "2023-06-\(padded(day))", units: 9, proceeds: day < 15 ? "2.80" : "2.60",
          paidIn: "USD")
      }
    },
  ]

  private static func padded(_ day: Int) -> String { day < 10 ? "0\(day)" : "\(day)" }
}

extension DeductionChangeTests {
  @Test func saysWhenWhatAndByWhichRows() throws {
    let world = World {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-10", tax: "0.19")
      $0.trade("DE", "2023-06-11", "2023-06-30", tax: "0.16")
    }
    let finding = try #require(world.deductions().findings.first)
    #expect(
      finding.explanation.english == """
        the tax inside the price goes from 19% to 16% (15.95% to 16.12%) at a commission of \
        30%: a deduction of 39.66% from 2023-06-11, of 41.18% until 2023-06-10; the new \
        rate explains 80 of 80 units since, the old one 0; before, the old one 40 of 40, the new \
        one 0; 10.99 EUR brought 6.46 on 2023-06-10 and 6.63 on 2023-06-11; the rule has a tax \
        of 19%; line for the tax table: "DE,0.16,2023-06-11,"
        """)
    // Twenty rows before the change and twenty since, those nearest to it.
    #expect(finding.sales.sorted() == (1...40).map { RowID($0) })
  }

  @Test func anUnknownCommissionIsNamed() throws {
    let world = World {
      $0.reports()
      $0.trade("CN", "2023-06-01", "2023-06-14", tax: "0.018")
      $0.trade("CN", "2023-06-15", "2023-06-30", tax: "0.0102", commission: "0.17")
    }
    let words = try #require(world.deductions().findings.first).explanation.english
    #expect(words.contains("explained by no tax at a commission of 30%"))
    #expect(words.contains("a commission of 17% would explain it"))
    #expect(!words.contains("tax file"))
  }

  @Test func aFurtherDeductionStaysBesideTheTax() throws {
    let world = World {
      $0.reports()
      $0.trade("TW", "2023-06-01", "2023-06-10", tax: "0.05", deducted: "0.03", price: "3290")
      $0.trade("TW", "2023-06-11", "2023-06-30", tax: "0.025", deducted: "0.03", price: "3290")
    }
    let words = try #require(world.deductions().findings.first).explanation.english
    #expect(words.contains("goes from 5% to 2.5%"))
    #expect(words.contains("and 3% deducted"))
    #expect(words.contains("TW,0.056701,2023-06-11,"))
  }

  /// What the period before had, against what this one begins with.
  @Test(arguments: [true, false]) func theFirstDayIsProvenByThePeriodBefore(isLoaded: Bool) {
    let before = World {
      $0.period = Period("2023-05")!
      $0.reports("2023-05-01", "2023-05-31")
      $0.trade("DE", "2023-05-01", "2023-05-31", tax: "0.19")
    }
    let world = World {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.16")
    }
    let lines = world.deductions(after: isLoaded ? before : nil).findings.map(world.line)
    #expect(lines == (isLoaded ? ["deduction-changed DE EUR 2023-06-01 - 120 15.00"] : []))
  }

  @Test func aChangeOfThePeriodBeforeIsThatPeriods() {
    let before = World {
      $0.period = Period("2023-05")!
      $0.reports("2023-05-01", "2023-05-31")
      $0.trade("DE", "2023-05-01", "2023-05-20", tax: "0.19")
      $0.trade("DE", "2023-05-21", "2023-05-31", tax: "0.16")
    }
    let world = World {
      $0.reports()
      $0.trade("DE", "2023-06-01", "2023-06-30", tax: "0.16")
    }
    #expect(world.deductions(after: before).findings.isEmpty)
  }

  /// Any prices, any units, any rate: rows that one rate makes never prove another.
  @Test(arguments: 1...60 as ClosedRange<UInt64>) func oneRateNeverChanges(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let shop = Shelf.prices.randomElement(using: &random)!
    let rates = Rates(
      tax: Int64.random(in: 0...300, using: &random) * 1000,
      deducted: Int64.random(in: 0...2, using: &random) * 10_000,
      commission: [150_000, 260_000, 300_000].randomElement(using: &random)!)
    let world = World { world in
      world.reports()
      for _ in 0..<200 {
        let digits = Currency(shop.currency)!.minorDigits == 0 ? 1 : 100
        let price = Int64.random(in: 1...2_000_00, using: &random) * 1_000_000 / Int64(digits)
        world.sale(rates, shop, price, day: Int.random(in: 1...30, using: &random), &random)
      }
    }
    #expect(world.deductions().findings.isEmpty)
  }

  /// Two rates that differ by a point or more, with enough trade: the day, and no other.
  @Test(arguments: 1...60 as ClosedRange<UInt64>) func twoRatesChangeOnTheDay(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let shop = Shelf.prices.randomElement(using: &random)!
    let first = Int64.random(in: 3...20, using: &random)
    let second = first + (Int64.random(in: 1...3, using: &random) * (seed % 2 == 0 ? 1 : -1))
    let turn = Int.random(in: 5...26, using: &random)
    let world = World { world in
      world.reports()
      for day in 1...30 {
        let rates = Rates(
          tax: (day < turn ? first : second) * 10_000, deducted: 0, commission: 300_000)
        for _ in 0..<6 {
          let (low, high): (Int64, Int64) = (200_000_000, 900_000_000)
          let price = Int64.random(in: low...high, using: &random) / 1_000_000 * 1_000_000
          world.sale(rates, shop, price, day: day, &random)
        }
      }
    }
    let findings = world.deductions().findings
    #expect(findings.map(\.day) == [Day(year: 2023, month: 6, day: turn)])
    #expect(findings.first?.storefront == Storefront(shop.storefront))
  }
}

/// What Apple takes in a test, in millionths.
struct Rates {
  var tax: Int64
  var deducted: Int64
  var commission: Int64

  func proceeds(of price: Int64, _ currency: Currency) -> Int64 {
    roundedHalfUp(
      Int128(price) * Int128(1_000_000 - deducted) * Int128(1_000_000 - commission),
      dividedBy: Int128(1_000_000 + tax) * 1_000_000, toMultipleOf: currency.minorUnit)
  }
}

extension World {
  /// On each of the days a row per product, whose proceeds are those of these rates; without a tax
  /// as the rule has them.
  mutating func trade(
    _ storefront: String, _ first: String, _ last: String, tax: String?,
    commission: String = "0.30", deducted: String = "0", of skus: [String] = ["gems", "chest"],
    price: String? = nil, units: Int32 = 2, each step: Int = 1, reason: String = "",
    offer: String = "", preserved: Bool = false
  ) {
    for day in stride(from: Day(first)!, through: Day(last)!, by: step) {
      for sku in skus {
        let (currency, tierPrice) = Shelf.price(sku, storefront)
        let proceeds = tax.map { tax in
          let rates = Rates(
            tax: amount(tax), deducted: amount(deducted), commission: amount(commission))
          return Money(
            micros: rates.proceeds(of: amount(price ?? tierPrice), Currency(currency)!),
            Currency(currency)!
          ).text
        }
        sale(
          sku, on: "\(day)", units: units, price: price ?? tierPrice, proceeds: proceeds,
          storefront: storefront, currency: currency, type: reason.isEmpty ? "IA1" : "IAY",
          reason: reason, preserved: preserved, offer: offer)
      }
    }
  }

  /// German renewals after a year, every second day.
  fileprivate mutating func renewals(_ first: String, _ last: String, tax: String) {
    trade(
      "DE", first, last, tax: tax, commission: "0.15", of: ["monthly", "yearly"], each: 2,
      reason: "Rate After One Year")
  }

  fileprivate mutating func sale(
    _ rates: Rates, _ shop: (storefront: String, currency: String, five: String, ten: String),
    _ price: Int64, day: Int, _ random: inout SplitMix64
  ) {
    let currency = Currency(shop.currency)!
    let date = Day(year: 2023, month: 6, day: day)!
    sale(
      ["gems", "chest", "loose"].randomElement(using: &random)!, on: "\(date)",
      units: Int32.random(in: 1...9, using: &random), price: Money(micros: price, currency).text,
      proceeds: Money(micros: rates.proceeds(of: price, currency), currency).text,
      storefront: shop.storefront, currency: shop.currency)
  }

  /// What Apple took, beside the period before where it is loaded.
  func deductions(after before: World? = nil) -> DeductionSurvey {
    DeductionSurvey(
      SalesReports(facts, context), previous: before.map { SalesReports($0.facts, $0.context) })
  }
}
