import Billing
import Conclusions
import Pricing
import Support
import Testing

@testable import Matching

/// Goal: Apple's own rows tell which documented terms are in force, for whom and since when, and a
/// row that none of them gives is still found. Method: rows whose proceeds this file calculates by
/// itself from a commission that the code under test is not told.
@Suite struct TermsTests {
  /// What of a price is left, by this file's own arithmetic: tax rates as of 2026 for a developer
  /// in mainland China, in millionths.
  static func proceeds(_ price: String, _ storefront: String, commission: Int64) -> Int64 {
    let tax: Int64 =
      switch storefront {
      case "CN": commission * 6 / 100
      case "DE": 190_000
      case "FR": 200_000
      case "JP": 100_000
      default: 0
      }
    let further: Int64 = storefront == "BR" ? 126_100 : 0
    let unit: Int128 = storefront == "JP" ? 1_000_000 : 10_000
    let numerator =
      Int128(amount(price)) * Int128(1_000_000 - further) * Int128(1_000_000 - commission)
    let denominator = Int128(1_000_000 + tax) * 1_000_000
    return Int64((2 * numerator + denominator * unit) / (2 * denominator * unit) * unit)
  }

  static let currencies = [
    "CN": "CNY", "DE": "EUR", "FR": "EUR", "JP": "JPY", "BR": "BRL", "US": "USD",
  ]

  static func world(_ period: String, _ build: (inout World) -> Void) -> World {
    var world = World()
    world.period = Period(period)!
    world.asOf = world.period.last.advanced(by: 10)
    world.facts.products = []
    world.facts.tiers = []
    world.reports("\(world.period.first.advanced(by: -1))", "\(world.period.last.advanced(by: 1))")
    build(&world)
    return world
  }

  static func found(_ world: World, after earlier: World? = nil) -> SalesReports {
    SalesReports(
      world.facts, world.context,
      earlier: earlier.map { SalesReports($0.facts, $0.context) })
  }

  static func codes(_ reports: SalesReports) -> [String] {
    // What rows differ by within the tolerance is information about all of them.
    let findings = reports.rowFindings.map(\.finding) + reports.termsFindings
    return findings.filter { $0.code != .proceedsTolerated }.map {
      "\($0.code.rawValue) \($0.storefront?.code ?? "-") \($0.day.map(\.description) ?? "-")"
    }.sorted()
  }

  // MARK: The months of 2026

  @Test func brazilPaysByTheDayThatTheAccountAccepted() {
    let reports = Self.found(
      Self.world("2026-07") { world in
        world.terms("BR", "iPhone", "2026-07-01", "2026-07-05", 300_000)
        world.terms("BR", "iPhone", "2026-07-06", "2026-07-31", 260_000)
        world.terms("BR", "iPhone", "2026-07-01", "2026-07-31", 150_000, isAfterOneYear: true)
        world.terms("BR", "Desktop", "2026-07-01", "2026-07-31", 300_000)
      })
    #expect(Self.codes(reports) == ["terms-changed BR 2026-07-06"])
    let text = reports.termsFindings[0].explanation.english
    #expect(text.contains("BR-2026 26% from 2026-07-06, before standard 30%"), "\(text)")
    #expect(text.contains("52 rows"), "\(text)")
  }

  @Test func theUnionPaysBeforeTheDocumentsDayAreErrors() {
    let reports = Self.found(
      Self.world("2026-09") { world in
        world.terms("DE", "iPhone", "2026-09-01", "2026-09-10", 300_000)
        world.terms("DE", "iPhone", "2026-09-11", "2026-09-12", 260_000)
      })
    let codes = Self.codes(reports)
    #expect(!codes.isEmpty && codes.allSatisfy { $0.hasPrefix("proceeds-unexpected DE") })
  }

  @Test func chinaJapanAndMiniAppsNeedNoConfiguration() {
    let reports = Self.found(
      Self.world("2026-03") { world in
        world.terms("CN", "iPhone", "2026-03-01", "2026-03-14", 300_000)
        world.terms("CN", "iPad", "2026-03-01", "2026-03-14", 300_000)
        world.terms("CN", "iPhone", "2026-03-15", "2026-03-31", 250_000)
        world.terms("CN", "iPad", "2026-03-15", "2026-03-31", 250_000)
        world.terms("CN", "Desktop", "2026-03-01", "2026-03-31", 300_000)
        world.terms("JP", "iPhone", "2026-03-01", "2026-03-31", 260_000)
        world.terms(
          "US", "iPhone", "2026-03-01", "2026-03-31", 150_000, skus: ["mini.a", "mini.b"])
        world.terms("US", "iPhone", "2026-03-01", "2026-03-31", 300_000)
        world.terms("CN", "iPhone", "2026-03-15", "2026-03-31", 120_000, skus: ["mini.a"])
        world.settings.programmes = [
          Settings.Programme(
            name: .miniApps, skus: ["mini.*"], span: .init(from: Day("2026-01-01"), to: nil))
        ]
      })
    #expect(Self.codes(reports) == ["terms-changed CN 2026-03-15"])
  }

  @Test func productsOfAProgrammeShowThemselves() {
    let reports = Self.found(
      Self.world("2026-03") { world in
        world.terms("US", "iPhone", "2026-03-01", "2026-03-31", 300_000, skus: ["a", "b", "c"])
        world.terms("US", "iPhone", "2026-03-01", "2026-03-09", 300_000, skus: ["mini"])
        world.terms("US", "iPhone", "2026-03-10", "2026-03-31", 150_000, skus: ["mini"])
      })
    #expect(Self.codes(reports) == ["terms-changed US 2026-03-10"])
    let own = reports.termsLines.filter { $0.skus == ["mini"] }
    #expect(own.map(\.terms.rate) == [300_000, 150_000])
    #expect(own.map(\.rows) == [9, 22])
  }

  /// Terms are asked for once for all products that nothing names. Products of a configured
  /// programme and those whose rows show terms of their own are asked about one by one.
  @Test func productsThatNothingNamesHaveTheSameTerms() {
    let reports = Self.found(
      Self.world("2026-03") { world in
        world.terms("US", "iPhone", "2026-03-01", "2026-03-31", 300_000, skus: ["a", "b", "c"])
        world.terms("US", "iPhone", "2026-03-10", "2026-03-31", 150_000, skus: ["shown"])
        world.terms("US", "iPhone", "2026-03-01", "2026-03-31", 150_000, skus: ["mini.a"])
        world.settings.programmes = [
          Settings.Programme(
            name: .miniApps, skus: ["mini.*"], span: .init(from: Day("2026-01-01"), to: nil))
        ]
      })
    let book = reports.priceBook
    func scope(_ sku: String) -> TermsScope {
      TermsScope(Storefront("US")!, platform: .ios, sku: sku)
    }
    for sku in ["a", "b", "never.sold", "shown", "mini.a", "mini.z", ""] {
      for day in Day("2026-02-27")!...Day("2026-04-02")! {
        let terms = book.terms(of: scope(sku), on: day)
        #expect(book.terms(of: book.common(scope(sku)), on: day) == terms, "\(sku) \(day)")
      }
    }
    #expect(Set(["a", "b", "never.sold"].map { book.common(scope($0)) }).count == 1)
    for sku in ["shown", "mini.a", "mini.z"] { #expect(book.common(scope(sku)) == scope(sku)) }
    let day = Day("2026-03-20")!
    for sku in ["shown", "mini.a"] {
      #expect(book.terms(of: scope(sku), on: day) != book.terms(of: scope("a"), on: day))
    }
  }

  @Test func rowsWithoutADeviceFollowTheSameTerms() {
    let reports = Self.found(
      Self.world("2026-11") { world in
        world.terms("DE", "", "2026-11-01", "2026-11-30", 260_000)
        world.terms("FR", "Psion", "2026-11-01", "2026-11-30", 260_000)
      })
    #expect(Self.codes(reports) == [])
    #expect(reports.termsLines.map(\.terms.name) == ["EU-2026", "EU-2026"])
  }

  // MARK: What is wrong is found

  @Test(arguments: [2, -2])
  func oneRowInAHundredIsFoundAlone(cents: Int) {
    let reports = Self.found(
      Self.world("2026-11") { world in
        world.terms("DE", "iPhone", "2026-11-01", "2026-11-30", 260_000, each: 4)
        let price = Self.proceeds("19.99", "DE", commission: 260_000) + Int64(cents) * 10_000
        world.sale(
          "wrong", on: "2026-11-17", price: "19.99",
          proceeds: Money(micros: price, Currency("EUR")!).text, storefront: "DE",
          currency: "EUR", device: "iPhone")
      })
    #expect(reports.rowFindings.count == 1)
    #expect(reports.rowFindings[0].finding.sku == "wrong")
    #expect(reports.termsFindings.isEmpty)
  }

  /// Rows of late 2026 under every kind of terms, of which each hundredth is wrong by one minor
  /// unit more than the tolerance: each of them is found, and nothing else.
  @Test(arguments: [(0, 1), (0, -1), (1, 1), (1, -1)] as [(Int64, Int64)])
  func eachHundredthRowIsFound(tolerance: Int64, sign: Int64) {
    struct Kind {
      var storefront: String
      var device: String
      var rate: Int64
      var isAfterOneYear = false
      var sku = "gems"
    }
    let kinds = [
      Kind(storefront: "BR", device: "iPhone", rate: 260_000),
      Kind(storefront: "BR", device: "iPhone", rate: 150_000, isAfterOneYear: true),
      Kind(storefront: "DE", device: "iPad", rate: 260_000),
      Kind(storefront: "DE", device: "iPhone", rate: 150_000, isAfterOneYear: true),
      Kind(storefront: "CN", device: "iPhone", rate: 250_000),
      Kind(storefront: "CN", device: "Desktop", rate: 300_000),
      Kind(storefront: "JP", device: "iPhone", rate: 260_000),
      Kind(storefront: "FR", device: "iPhone", rate: 150_000, sku: "mini.a"),
      Kind(storefront: "CN", device: "iPhone", rate: 120_000, sku: "mini.a"),
    ]
    var random = SplitMix64(seed: UInt64(100 + 10 * tolerance + sign))
    var wrong: Set<String> = []
    let world = Self.world("2026-11") { world in
      world.settings.tolerance = tolerance
      world.settings.programmes = [
        Settings.Programme(
          name: .miniApps, skus: ["mini.*"], span: .init(from: Day("2026-01-01"), to: nil))
      ]
      for kind in kinds {
        let currency = Currency(Self.currencies[kind.storefront]!)!
        for number in 0..<400 {
          let day = world.period.first.advanced(by: number % 30)
          let cents = Int.random(in: 500...9_999, using: &random)
          let price = Money(micros: Int64(cents) * currency.minorUnit, currency).text
          var proceeds = Self.proceeds(price, kind.storefront, commission: kind.rate)
          if number % 100 == 50 {
            proceeds += sign * (tolerance + 1) * currency.minorUnit
            wrong.insert("\(kind.storefront) \(day) \(kind.sku)")
          }
          world.sale(
            kind.sku, on: "\(day)", price: price, proceeds: Money(micros: proceeds, currency).text,
            storefront: kind.storefront, currency: currency.code,
            type: kind.isAfterOneYear ? "IAY" : "IA1",
            reason: kind.isAfterOneYear ? "Rate After One Year" : "", device: kind.device)
        }
      }
    }
    let reports = Self.found(world)
    let found = reports.rowFindings.map(\.finding)
    #expect(
      Set(found.map { "\($0.storefront!) \($0.day!) \($0.sku ?? "-")" }) == wrong)
    #expect(found.allSatisfy { [.proceedsUnexpected, .proceedsOffRule].contains($0.code) })
    // Of two kinds that are wrong on one day, one finding tells both.
    #expect(reports.rowFindings.reduce(0) { $0 + $1.groups.count } == 4 * kinds.count)
    #expect(reports.termsFindings.isEmpty)
  }

  @Test func aSingleRowAtAProgrammesRateIsFound() {
    let reports = Self.found(
      Self.world("2026-11") { world in
        world.terms("US", "iPhone", "2026-11-01", "2026-11-30", 300_000)
        world.terms("US", "iPhone", "2026-11-12", "2026-11-12", 150_000, skus: ["gems"], each: 1)
      })
    #expect(reports.rowFindings.map(\.finding.code) == [.proceedsUnexpected])
  }

  // MARK: The configuration

  @Test func whatWasNotAcceptedIsAnErrorOfItsOwn() {
    var world = Self.world("2026-11") { world in
      world.terms("DE", "iPhone", "2026-11-01", "2026-11-30", 260_000)
      world.terms("FR", "iPhone", "2026-11-01", "2026-11-30", 300_000)
    }
    world.settings.agreements = [Settings.Agreement(name: "EU-2026", accepted: nil)]
    #expect(Self.codes(Self.found(world)) == ["terms-not-as-configured DE 2026-11-01"])
    world.settings.agreements[0].accepted = Day("2026-10-05")
    #expect(Self.codes(Self.found(world)) == ["terms-not-as-configured FR 2026-11-01"])
    let finding = Self.found(world).rowFindings[0].finding
    #expect(
      finding.explanation.english
        == "iOS: Apple pays by standard 30% from 2026-11-01; configured: EU-2026 26%")
    #expect(finding.units == 60)
    #expect(
      finding.amount
        == 30
        * (Self.proceeds("9.99", "FR", commission: 300_000)
          - Self.proceeds("9.99", "FR", commission: 260_000)
          + Self.proceeds("29.99", "FR", commission: 300_000)
          - Self.proceeds("29.99", "FR", commission: 260_000)))
  }

  @Test func anAcceptedDayThatAppleDoesNotKeepIsTold() {
    var world = Self.world("2026-10") { world in
      world.terms("DE", "iPhone", "2026-10-01", "2026-10-11", 300_000)
      world.terms("DE", "iPhone", "2026-10-12", "2026-10-31", 260_000)
    }
    #expect(Self.codes(Self.found(world)) == ["terms-changed DE 2026-10-12"])
    world.settings.agreements = [
      Settings.Agreement(name: "EU-2026", accepted: Day("2026-10-05"))
    ]
    #expect(
      Self.codes(Self.found(world)) == [
        "terms-changed DE 2026-10-12", "terms-not-as-configured DE 2026-10-05",
      ])
  }

  @Test func theCompanysOwnTermsGoBeforeTheDocuments() {
    var world = Self.world("2026-11") { world in
      world.terms("US", "iPhone", "2026-11-01", "2026-11-30", 280_000)
    }
    #expect(!Self.codes(Self.found(world)).isEmpty)
    world.facts.commissions = [
      CompanyCommission(
        name: "US-2026", place: "US", platforms: "ios", commissionClass: "standard", rate: 280_000,
        effectiveFrom: Day("2026-10-01"), effectiveTo: nil)
    ]
    #expect(Self.codes(Self.found(world)) == [])
    #expect(Self.found(world).termsLines.map(\.terms.name) == ["US-2026"])
  }

  // MARK: Days

  @Test func theDayOfAChangeMayHaveRowsOfBoth() {
    let reports = Self.found(
      Self.world("2026-10") { world in
        world.terms("DE", "iPhone", "2026-10-01", "2026-10-12", 300_000)
        world.terms("DE", "iPhone", "2026-10-12", "2026-10-31", 260_000)
      })
    #expect(Self.codes(reports) == ["terms-changed DE 2026-10-12"])
  }

  @Test func aRefundGivesBackWhatTheOldTermsGave() {
    let reports = Self.found(
      Self.world("2026-11") { world in
        world.terms("DE", "iPhone", "2026-11-01", "2026-11-30", 260_000)
        world.terms("DE", "iPhone", "2026-11-10", "2026-11-10", 300_000, units: -1)
      })
    #expect(Self.codes(reports) == [])
  }

  @Test func aRefundGivesBackWhatAnEarlierProgrammeGave() {
    let reports = Self.found(
      Self.world("2026-10") { world in
        world.terms("DE", "iPhone", "2026-10-01", "2026-10-09", 260_000)
        world.terms("DE", "iPhone", "2026-10-10", "2026-10-31", 150_000)
        world.terms("DE", "iPhone", "2026-10-20", "2026-10-20", 260_000, units: -1)
      })
    #expect(Self.codes(reports) == ["terms-changed DE 2026-10-10"])
  }

  private static func shown(_ reports: SalesReports, _ sku: String, _ day: String) -> TermsState? {
    let scope = TermsScope(Storefront("US")!, platform: .ios, sku: sku, isAfterOneYear: false)
    return reports.shownTerms.span(of: scope, on: Day(day)!)?.shown
  }

  /// A product with terms of its own in the month before keeps them, beside all others.
  @Test func productsKeepTheirTermsInTheMonthsAfter() {
    func month(_ period: String) -> World {
      Self.world(period) { world in
        let (first, last) = ("\(world.period.first)", "\(world.period.last)")
        world.terms("US", "iPhone", first, last, 300_000)
        world.terms("US", "iPhone", first, last, 150_000, skus: ["pass"])
      }
    }
    let june = month("2023-06")
    let july = Self.found(month("2023-07"), after: june)
    #expect(Self.codes(july) == [])
    #expect(Self.shown(july, "gems", "2023-07-20")?.commissionClass == .standard)
    #expect(Self.shown(july, "new", "2023-07-20")?.commissionClass == .standard)
    let pass = Self.shown(july, "pass", "2023-07-20")
    #expect(pass != nil && pass?.commissionClass != .standard)
  }

  /// Apple pays all month as it did, where the configuration has a programme from the middle on.
  @Test func whatTheConfigurationHasIsNamedAndCountsOnce() {
    var world = Self.world("2023-06") { world in
      world.terms("US", "iPhone", "2023-06-01", "2023-06-30", 300_000)
      world.terms("US", "iPhone", "2023-06-01", "2023-06-30", 150_000, skus: ["pass"])
    }
    world.settings.smallBusiness = [.init(from: Day("2023-06-15"), to: nil)]
    let reports = Self.found(world)
    for day in ["2023-06-03", "2023-06-20", "2023-06-30"] {
      #expect(Self.shown(reports, "pass", day)?.commissionClass == .smallBusiness, "\(day)")
      #expect(Self.shown(reports, "gems", day)?.commissionClass == .standard, "\(day)")
    }
    #expect(Self.codes(reports).contains { $0.hasPrefix("terms-not-as-configured") })
    var counted: Set<Int> = []
    for (finding, groups) in reports.rowFindings
    where [.termsNotAsConfigured, .proceedsUnexpected, .proceedsTolerated].contains(finding.code) {
      for group in groups { #expect(counted.insert(group).inserted, "\(finding.code)") }
    }
  }

  @Test func aChangeAtTheBeginningIsTheMonthBeforesToCompare() {
    let before = Self.world("2026-10") { world in
      world.terms("DE", "iPhone", "2026-10-01", "2026-10-31", 300_000)
    }
    let month = Self.world("2026-11") { world in
      world.terms("DE", "iPhone", "2026-11-01", "2026-11-30", 260_000)
    }
    #expect(Self.codes(Self.found(month, after: before)) == ["terms-changed DE 2026-11-01"])
    #expect(Self.codes(Self.found(month)) == [])
    let later = Self.world("2026-12") { world in
      world.terms("DE", "iPhone", "2026-12-01", "2026-12-31", 260_000)
    }
    #expect(Self.codes(Self.found(later, after: month)) == [])
  }

  @Test func storefrontsWithFewRowsFollowTheAccountsDay() {
    let reports = Self.found(
      Self.world("2026-10") { world in
        world.terms("DE", "iPhone", "2026-10-01", "2026-10-11", 300_000)
        world.terms("DE", "iPhone", "2026-10-12", "2026-10-31", 260_000)
        world.terms("FR", "iPhone", "2026-10-03", "2026-10-03", 300_000)
        world.terms("FR", "iPhone", "2026-10-29", "2026-10-29", 260_000)
      })
    #expect(
      Self.codes(reports) == ["terms-changed DE 2026-10-12", "terms-changed FR 2026-10-12"])
  }

  // MARK: What rows leave open

  @Test func pricesThatEveryRateRoundsAlikeTellNothing() {
    // 1 yen less tax is nothing at 26 and at 30%; a cent is a cent.
    let reports = Self.found(
      Self.world("2026-11") { world in
        for day in world.period.days {
          world.sale(
            "cent", on: "\(day)", price: "0.01", proceeds: "0.01", storefront: "DE",
            currency: "EUR", device: "iPhone")
        }
      })
    #expect(Self.codes(reports) == [])
    #expect(reports.termsLines.map(\.confidence) == [nil])
    #expect(reports.termsLines[0].runnerUp != nil)
  }

  /// Random months in which platforms and products change on days of their own, from 50 rows a
  /// side on: the days and the rates are found, and nothing is called wrong.
  @Test(arguments: 0..<6)
  func hiddenChangesAreFound(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let last = 31
    var truth: [String: (day: Int, before: Int64, since: Int64)] = [:]
    let world = Self.world("2026-10") { world in
      for storefront in ["DE", "FR"] {
        for (device, platform) in [("iPhone", "ios"), ("iPad", "ipados")] {
          for skus in [["a", "b", "c"], ["mini"]] {
            let day = Int.random(in: 6...25, using: &random)
            let isMini = skus == ["mini"]
            let since: Int64 = isMini ? 150_000 : 260_000
            truth["\(storefront) \(platform) \(isMini)"] = (day, 300_000, since)
            for (from, to, rate) in [(1, day - 1, Int64(300_000)), (day, last, since)] {
              let rows = (50 + to - from) / (to - from + 1)
              world.terms(
                storefront, device, "2026-10-\(from < 10 ? "0" : "")\(from)",
                "2026-10-\(to < 10 ? "0" : "")\(to)", rate, skus: skus, each: rows,
                random: &random)
            }
          }
        }
      }
    }
    let reports = Self.found(world)
    #expect(reports.rowFindings.isEmpty)
    for (name, truth) in truth {
      let words = name.split(separator: " ")
      let lines = reports.termsLines.filter {
        $0.storefront.code == words[0] && $0.platform?.rawValue == String(words[1])
          && ($0.skus == ["mini"]) == (words[2] == "true")
      }
      #expect(lines.map(\.terms.rate) == [truth.before, truth.since], "\(name)")
      #expect(lines.last?.from.parts.day == truth.day, "\(name)")
      #expect(lines.allSatisfy { $0.confidence == 1_000_000 }, "\(name)")
    }
  }

  /// From 50 rows a side on, on random days: the day is named where a row of it tells, else the
  /// days that the rows leave open, neither more nor fewer.
  @Test(arguments: 0..<12)
  func theDaysThatRowsLeaveOpenAreNamed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var told: [String: String] = [:]
    let world = Self.world("2026-10") { world in
      // The account's one day would tell those of other platforms too: iPads stay at 30 %.
      for (device, name, reduced) in [("iPhone", "iOS", 260_000), ("iPad", "iPadOS", 300_000)]
        as [(String, String, Int64)]
      {
        for (skus, rate, group) in [
          (["a", "b", "c"], reduced, "all others"), (["mini"], 150_000, "mini"),
        ] as [([String], Int64, String)] {
          let first = Day("2026-10-01")!
          let change = Int.random(in: 6...25, using: &random)
          var (last, next) = (0, 31)
          for _ in 0..<50 {
            let before = Int.random(in: 0..<change, using: &random)
            let since = Int.random(in: change...30, using: &random)
            for (day, rate) in [(before, 300_000), (since, rate)] as [(Int, Int64)] {
              let day = "\(first.advanced(by: day))"
              world.terms("DE", device, day, day, rate, skus: skus, each: 1, random: &random)
            }
            (last, next) = (max(last, before), min(next, since))
          }
          if rate == 300_000 { continue }
          let (open, found) = (first.advanced(by: last + 1), first.advanced(by: next))
          told["\(name), \(group)"] =
            open == found ? " from \(found)," : " from a day between \(open) and \(found),"
        }
      }
    }
    let reports = Self.found(world)
    #expect(reports.rowFindings.isEmpty)
    let texts = reports.termsFindings.flatMap {
      $0.explanation.english.split(separator: "; ")
    }
    for (group, days) in told {
      #expect(
        texts.contains { $0.hasPrefix("\(group): ") && $0.contains(days) },
        "\(group)\(days) \(texts)")
    }
  }

  @Test func rowsOfBothTermsOnOneDayLeaveTheNextOpen() {
    let both = Self.world("2026-10") { world in
      world.terms("DE", "iPhone", "2026-10-01", "2026-10-12", 300_000)
      world.terms("DE", "iPhone", "2026-10-12", "2026-10-31", 260_000)
    }
    let text = Self.found(both).termsFindings[0].explanation.english
    #expect(text.contains("from a day between 2026-10-12 and 2026-10-13,"), "\(text)")
    var told = both
    told.settings.agreements = [Settings.Agreement(name: "EU-2026", accepted: Day("2026-10-12"))]
    let known = Self.found(told).termsFindings.map(\.explanation.english)
    #expect(known.contains { $0.contains("EU-2026 26% from 2026-10-12,") }, "\(known)")
  }

  @Test func theOrderOfRowsDecidesNothing() {
    let world = Self.world("2026-10") { world in
      world.terms("DE", "iPhone", "2026-10-01", "2026-10-11", 300_000)
      world.terms("DE", "iPhone", "2026-10-12", "2026-10-31", 260_000)
      world.terms("DE", "iPad", "2026-10-14", "2026-10-31", 150_000, skus: ["x", "y"])
    }
    var turned = world
    turned.facts.sales.reverse()
    #expect(Self.found(world).termsLines == Self.found(turned).termsLines)
    #expect(Self.codes(Self.found(world)) == Self.codes(Self.found(turned)))
  }
}

extension World {
  /// Rows of two products a day, or of those named, with the proceeds of a commission.
  mutating func terms(
    _ storefront: String, _ device: String, _ first: String, _ last: String, _ commission: Int64,
    skus: [String] = ["gems", "chest"], each count: Int = 1, units: Int32 = 1,
    isAfterOneYear: Bool = false
  ) {
    var random = SplitMix64(seed: 1)
    terms(
      storefront, device, first, last, commission, skus: skus, each: count, units: units,
      isAfterOneYear: isAfterOneYear, prices: ["9.99", "29.99"], random: &random)
  }

  fileprivate mutating func terms(
    _ storefront: String, _ device: String, _ first: String, _ last: String, _ commission: Int64,
    skus: [String], each count: Int, units: Int32 = 1, isAfterOneYear: Bool = false,
    prices: [String] = [], random: inout SplitMix64
  ) {
    let currency = TermsTests.currencies[storefront]!
    for day in Day(first)!...Day(last)! {
      for (place, sku) in skus.enumerated() {
        for _ in 0..<count {
          let cents = Int.random(in: 199...9_999, using: &random)
          var price =
            prices.isEmpty
            ? "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
            : prices[place % prices.count]
          if storefront == "JP" { price = "\(price.filter { $0 != "." })" }
          if storefront == "US" { price = price.replacing(".99", with: ".00") }
          let proceeds = TermsTests.proceeds(price, storefront, commission: commission)
          sale(
            sku, on: "\(day)", units: units, price: price,
            proceeds: Money(micros: proceeds, Currency(currency)!).text, storefront: storefront,
            currency: currency, type: isAfterOneYear ? "IAY" : "IA1",
            reason: isAfterOneYear ? "Rate After One Year" : "", device: device)
        }
      }
    }
  }
}
