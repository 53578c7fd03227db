import Billing
import Conclusions
import Foundation
import Pricing
import Support
import Testing

@testable import Matching

/// Goal: Apple's own rows decide which tax a storefront has, and a single row that differs from the
/// others of its storefront is found. Method: rows whose proceeds this file calculates from rates
/// that no table of the program has.
@Suite struct RowTaxTests {
  /// A German developer's small business, in one month.
  private static func world(_ period: String, _ build: (inout World) -> Void) -> World {
    var world = World()
    world.period = Period(period)!
    world.asOf = world.period.last.advanced(by: 10)
    world.facts.products = []
    world.facts.tiers = []
    world.settings.developerCountry = Storefront("DE")!
    world.settings.smallBusiness = [.init(from: Day("2021-01-01"), to: nil)]
    world.reports("\(world.period.first.advanced(by: -1))", "\(world.period.last.advanced(by: 1))")
    build(&world)
    return world
  }

  private static func found(_ world: World, after earlier: World? = nil) -> SalesReports {
    SalesReports(
      world.facts, world.context,
      earlier: earlier.map { SalesReports($0.facts, $0.context) })
  }

  private static func lines(_ reports: SalesReports) -> [String] {
    (reports.rowFindings.map(\.finding) + reports.termsFindings).map { finding in
      let severity = finding.severity ?? finding.code.severity
      return
        "\(finding.code.rawValue) \(severity.rawValue) \(finding.storefront?.code ?? "-") "
        + "\(finding.day.map(\.description) ?? "-")"
    }.sorted()
  }

  private static func words(_ reports: SalesReports) -> String {
    reports.rowFindings.map(\.finding.explanation.english).joined(separator: "\n")
  }

  // MARK: Documented and older taxes

  /// Prices of two storefronts and more, of one day: each by the table, or at a tax of before.
  @Test func olderTermsAreToldOnceForEachRate() {
    let reports = Self.found(
      Self.world("2026-02") { world in
        // 20% until 2026-01-28, then 22%.
        for (place, price) in ["499.00", "999.00", "1490.00"].enumerated() {
          world.at("0.15", "0.20", "RU", "RUB", price, "2026-02-11", "s\(place)", type: "IAY")
          world.at("0.15", "0.22", "RU", "RUB", price, "2026-02-11", "s\(place)", type: "IAY")
        }
        // Nothing until 2025-05-15, then 10%, then more.
        world.at("0.15", "0", "BR", "BRL", "49.90", "2026-02-11", "s1", type: "IAY")
        world.at("0.15", "0", "BR", "BRL", "149.90", "2026-02-12", "s2", type: "IAY")
        world.at("0.15", "0", "BR", "BRL", "249.90", "2026-02-11", "s3", type: "IAY", less: "0.10")
        world.at(
          "0.15", "0", "BR", "BRL", "349.90", "2026-02-11", "s4", type: "IAY", less: "0.1261")
      })
    #expect(
      Self.lines(reports) == [
        "tax-as-reported info BR 2026-02-11", "tax-as-reported info BR 2026-02-11",
        "tax-as-reported info RU 2026-02-11",
      ])
    #expect(Self.words(reports).contains("at the tax that held until 2026-01-28: 20%"))
    #expect(reports.bridge.parts(of: .proceedsDifference).isEmpty)
  }

  /// What is no subscription has no older terms.
  @Test func aConsumableAtAnOlderTaxIsFound() {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for price in ["499.00", "999.00", "1490.00"] {
          world.at("0.15", "0.22", "RU", "RUB", price, "2026-02-11", "c\(price)")
        }
        world.at("0.15", "0.20", "RU", "RUB", "1490.00", "2026-02-12", "c1")
      })
    #expect(Self.lines(reports) == ["proceeds-off-rule warning RU 2026-02-12"])
  }

  private static let published = "cases/proceeds-points/points-2026-02-18.csv"

  /// Apple's own proceeds of 70 prices, as a daily report.
  @Test(.enabled(if: sharedData(published) != nil))
  func publishedPointsRaiseNothing() throws {
    let path = try #require(sharedData(Self.published))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let points = text.split(whereSeparator: \.isNewline).dropFirst().map { line in
      line.split(separator: ",").map(String.init)
    }
    let reports = Self.found(
      Self.world("2026-02") { world in
        for (place, cells) in points.enumerated() {
          world.sale(
            "point.\(place)", on: cells[3], units: 20, price: cells[2], proceeds: cells[5],
            storefront: cells[0], currency: cells[1], type: "IAY")
        }
      })
    #expect(
      Self.lines(reports) == [
        "tax-as-reported info BR 2026-02-18", "tax-as-reported info BR 2026-02-18",
        "tax-as-reported info CA 2026-02-18", "tax-as-reported info RU 2026-02-18",
      ])
    #expect(points.count == 70)
  }

  // MARK: Rows that agree beside the table

  /// Storefront, currency, tax and deduction of the rows, their prices, and what is said.
  struct Agreed: Sendable {
    var storefront: String
    var currency: String
    var tax: String
    var less = "0"
    var prices: [String]
    var words: String
  }

  static let agreed = [
    Agreed(
      storefront: "GB", currency: "GBP", tax: "0.20", less: "0.004",
      prices: ["49.99", "79.99", "99.99"],
      words: "on top of 20% tax and 15% commission, Apple deducts 0.4% of the net price"),
    Agreed(
      storefront: "FR", currency: "EUR", tax: "0.20", less: "0.012", prices: ["19.99", "89.99"],
      words: "on top of 20% tax and 15% commission, Apple deducts 1.2%"),
    Agreed(
      storefront: "HK", currency: "HKD", tax: "0.04", prices: ["148.00", "998.00"],
      words: "the tax inside the price is 4%"),
    Agreed(
      storefront: "DE", currency: "EUR", tax: "0.16", prices: ["24.99", "99.99"],
      words: "the tax inside the price is 16%"),
    Agreed(
      storefront: "RS", currency: "EUR", tax: "0.20", prices: ["12.99", "99.99"],
      words: "the tax inside the price is 20%"),
    Agreed(
      storefront: "LK", currency: "USD", tax: "0.18", prices: ["12.99", "99.99"],
      words: "the tax inside the price is 18%"),
  ]

  @Test(arguments: agreed) func rowsThatAgreeDecide(_ example: Agreed) throws {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for (place, price) in example.prices.enumerated() {
          world.at(
            "0.15", example.tax, example.storefront, example.currency, price, "2026-02-11",
            "p\(place)", less: example.less)
        }
      })
    #expect(Self.lines(reports) == ["tax-as-reported info \(example.storefront) 2026-02-11"])
    let words = Self.words(reports)
    #expect(words.contains(example.words), "\(words)")
    #expect(words.contains("; line for the tax table: \"\(example.storefront),0."), "\(words)")
    #expect(reports.bridge.parts(of: .proceedsDifference).isEmpty)
    // Prices go by it, at other commissions too.
    let basis = reports.priceBook.expectation(
      storefront: Storefront(example.storefront)!, currency: Currency(example.currency)!,
      price: 10_000_000, day: Day("2026-02-20")!, commissionRate: 300_000
    ).basis
    #expect(basis.taxOrigin == .rows && basis.taxEvidence == .measured)
  }

  /// Where nobody configured the small business, its other storefronts show the commission.
  @Test func theAccountsOwnCommissionIsThatOfItsOtherRows() {
    let reports = Self.found(
      Self.world("2026-02") { world in
        world.settings.smallBusiness = []
        for day in ["2026-02-11", "2026-02-12", "2026-02-13"] {
          for price in ["49.99", "99.99"] {
            world.at("0.15", "0.19", "DE", "EUR", price, day, "p\(price)")
            world.at("0.15", "0", "US", "USD", price, day, "p\(price)")
            world.at("0.15", "0.20", "RS", "EUR", price, day, "p\(price)")
            world.at("0.15", "0.20", "GB", "GBP", price, day, "p\(price)", less: "0.006")
          }
        }
      })
    #expect(
      Self.lines(reports).filter { !$0.hasPrefix("terms-changed") } == [
        "tax-as-reported info GB 2026-02-11", "tax-as-reported info RS 2026-02-11",
      ])
  }

  /// One product on two days is as good as two products.
  @Test func oneProductOnTwoDaysAgrees() {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for day in ["2026-02-11", "2026-02-13"] {
          world.at("0.15", "0.20", "RS", "EUR", "99.99", day, "p")
        }
      })
    #expect(Self.lines(reports) == ["tax-as-reported info RS 2026-02-11"])
  }

  /// A row of its own is judged as before; where no table has a tax it is no error.
  @Test func oneRowAloneProvesNothing() {
    let known = Self.found(
      Self.world("2026-02") { $0.at("0.15", "0.30", "DE", "EUR", "99.99", "2026-02-11", "p") })
    #expect(Self.lines(known) == ["proceeds-unexpected error DE 2026-02-11"])
    let unknown = Self.found(
      Self.world("2026-02") { $0.at("0.15", "0.20", "RS", "EUR", "99.99", "2026-02-11", "p") })
    #expect(Self.lines(unknown) == ["tax-as-reported info RS 2026-02-11"])
    #expect(Self.words(unknown).contains("tax unknown"))
    #expect(unknown.bridge.parts(of: .proceedsDifference).isEmpty)
  }

  /// Rows of a storefront without a tax that agree on nothing are no errors.
  @Test func aStorefrontWithoutATableRowHasNoErrors() {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for (place, tax) in ["0.03", "0.11", "0.19", "0.25"].enumerated() {
          world.at("0.15", tax, "RS", "EUR", "99.99", "2026-02-1\(place)", "p\(place)")
        }
      })
    #expect(Self.lines(reports) == ["tax-as-reported info RS 2026-02-10"])
  }

  /// The proceeds of 0.99 are the rule's by chance, and say nothing against the other row.
  @Test func aLowPriceSaysNothingOfATaxNobodyKnows() {
    func lines(_ price: String) -> [String] {
      Self.lines(
        Self.found(
          Self.world("2026-02") { world in
            world.at("0.15", "0", "RS", "EUR", price, "2026-02-11", "p0")
            world.at("0.15", "0.006", "RS", "EUR", "99.99", "2026-02-12", "p1")
          }))
    }
    #expect(lines("0.99") == ["tax-as-reported info RS 2026-02-12"])
    #expect(lines("0.29") == ["tax-as-reported info RS 2026-02-12"])
    #expect(lines("49.99") == ["proceeds-off-rule warning RS 2026-02-12"])
  }

  /// However many low prices are the table's by chance, those that tell decide.
  @Test func lowPricesDoNotHoldTheTable() {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for (place, price) in ["0.99", "0.99", "1.99", "0.49", "0.29"].enumerated() {
          world.at("0.15", "0.20", "GB", "GBP", price, "2026-02-11", "l\(place)", less: "0.0045")
        }
        for (place, price) in ["49.99", "99.99"].enumerated() {
          world.at("0.15", "0.20", "GB", "GBP", price, "2026-02-12", "h\(place)", less: "0.0045")
        }
      })
    #expect(Self.lines(reports) == ["tax-as-reported info GB 2026-02-11"])
  }

  /// The same in a report of the month alone.
  @Test(arguments: agreed) func rowsOfAMonthDecideToo(_ example: Agreed) {
    let reports = Self.found(
      Self.month { world in
        for (place, price) in example.prices.enumerated() {
          world.at(
            "0.15", example.tax, example.storefront, example.currency, price, "2026-02-01",
            "p\(place)", to: "2026-02-28", less: example.less)
        }
      })
    #expect(Self.lines(reports) == ["tax-as-reported info \(example.storefront) 2026-02-01"])
    #expect(Self.words(reports).contains(example.words), "\(Self.words(reports))")
    #expect(reports.bridge.parts(of: .proceedsDifference).isEmpty)
  }

  /// A month's rows of before and since a change of tax: the table's, and one that they agree on.
  @Test func aChangeWithinAMonthsReportIsATaxOfSomeRows() {
    let reports = Self.found(
      Self.month { world in
        for tax in ["0.19", "0.17"] {
          for price in ["24.99", "49.99", "99.99"] {
            world.at(
              "0.15", tax, "DE", "EUR", price, "2026-02-01", "p\(price)", to: "2026-02-28")
          }
        }
        world.at("0.15", "0.45", "DE", "EUR", "99.99", "2026-02-01", "x", to: "2026-02-28")
      })
    #expect(
      Self.lines(reports) == [
        "proceeds-unexpected error DE 2026-02-01", "tax-as-reported info DE 2026-02-01",
      ])
    #expect(Self.words(reports).contains("the tax inside the price is 17%"))
  }

  /// One report of a month.
  private static func month(_ build: (inout World) -> Void) -> World {
    world("2026-02") { world in
      world.facts.coverage = []
      world.report(Day("2026-02-01")!, Day("2026-02-28")!)
      build(&world)
    }
  }

  /// The row that differs from its storefront's rows is the error, also where these go beside the
  /// table.
  @Test(arguments: agreed) func theRowThatDiffersIsFound(_ example: Agreed) {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for day in ["2026-02-11", "2026-02-12"] {
          for (place, price) in example.prices.enumerated() {
            world.at(
              "0.15", example.tax, example.storefront, example.currency, price, day, "p\(place)",
              less: example.less)
          }
        }
        world.at(
          "0.20", example.tax, example.storefront, example.currency, example.prices[1],
          "2026-02-14", "p1", less: example.less)
      })
    #expect(
      Self.lines(reports) == [
        "proceeds-unexpected error \(example.storefront) 2026-02-14",
        "tax-as-reported info \(example.storefront) 2026-02-11",
      ])
  }

  /// The commission of others is no tax: 30 for 15%, by the table and beside it.
  @Test(arguments: [("DE", "EUR", "0.19"), ("US", "USD", "0"), ("GB", "GBP", "0.25")])
  func aWrongCommissionIsNoTax(_ code: String, _ currency: String, _ tax: String) {
    let reports = Self.found(
      Self.world("2026-02") { world in
        for day in ["2026-02-11", "2026-02-12", "2026-02-13"] {
          world.at("0.30", tax, code, currency, "49.95", day, "p1")
          world.at("0.30", tax, code, currency, "99.95", day, "p2")
        }
      })
    let lines = Self.lines(reports)
    #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("tax-as-reported") }, "\(lines)")
  }

  /// A proven change of the month is told as one, and the days since as nothing else.
  @Test func aChangeIsNoTaxAsReported() {
    let world = Self.world("2026-02") { world in
      for day in 1...28 {
        let date = "2026-02-" + (day < 10 ? "0\(day)" : "\(day)")
        world.at("0.15", day < 12 ? "0.19" : "0.17", "DE", "EUR", "49.99", date, "p1")
        world.at("0.15", day < 12 ? "0.19" : "0.17", "DE", "EUR", "99.99", date, "p2")
      }
    }
    let reports = Self.found(world)
    #expect(!Self.lines(reports).contains { $0.hasPrefix("tax-as-reported") })
    let survey = DeductionSurvey(reports)
    #expect(survey.findings.map(\.day) == [Day("2026-02-12")])
    // The month after, nothing changes: the rows decide.
    let next = Self.world("2026-03") { world in
      for day in ["2026-03-02", "2026-03-03"] {
        world.at("0.15", "0.17", "DE", "EUR", "99.99", day, "p2")
      }
    }
    let later = Self.found(next, after: world)
    #expect(Self.lines(later) == ["tax-as-reported info DE 2026-03-02"])
    #expect(DeductionSurvey(later, previous: reports).findings.isEmpty)
  }

  /// A tax that the rows of the month before agreed on is an older one of the subscriptions.
  @Test func subscriptionsKeepAnInferredTax() {
    let before = Self.world("2026-02") { world in
      world.at("0.15", "0.20", "RS", "EUR", "49.99", "2026-02-11", "p1")
      world.at("0.15", "0.20", "RS", "EUR", "99.99", "2026-02-12", "p2")
    }
    let reports = Self.found(
      Self.world("2026-03") { world in
        for day in ["2026-03-11", "2026-03-12"] {
          world.at("0.15", "0.22", "RS", "EUR", "49.99", day, "p1")
          world.at("0.15", "0.22", "RS", "EUR", "99.99", day, "p2")
        }
        world.at("0.15", "0.20", "RS", "EUR", "99.99", "2026-03-14", "s", type: "IAY")
      }, after: before)
    #expect(
      Self.lines(reports) == [
        "tax-as-reported info RS 2026-03-11", "tax-as-reported info RS 2026-03-14",
      ])
  }
}

extension World {
  /// Twenty units at a price, whose proceeds are those of these rates.
  fileprivate mutating func at(
    _ commission: String, _ tax: String, _ storefront: String, _ currency: String, _ price: String,
    _ day: String, _ sku: String, to end: String? = nil, type: String = "IA1", less: String = "0"
  ) {
    let rates = Rates(tax: amount(tax), deducted: amount(less), commission: amount(commission))
    let money = Currency(currency)!
    sale(
      sku, on: day, to: end, units: 20, price: price,
      proceeds: Money(micros: rates.proceeds(of: amount(price), money), money).text,
      storefront: storefront, currency: currency, type: type)
  }
}
