import Billing
import Support
import Testing

@testable import Pricing

/// Goal: the built-in tables are whole and say one thing only. Method: laws over all their rows.
struct TablesTests {
  let storefronts = StorefrontTable.builtIn

  @Test func thereAre175StorefrontsWithTheirOwnIds() {
    #expect(storefronts.entries.count == 175)
    #expect(Set(storefronts.entries.map(\.storefront)).count == 175)
    #expect(Set(storefronts.entries.map(\.alpha3)).count == 175)
    #expect(Set(storefronts.entries.map(\.appleID)).count == 175)
    #expect(Set(storefronts.entries.map(\.name)).count == 175)
    #expect(storefronts.entries.allSatisfy { !$0.financeRegions.isEmpty })
    #expect(Set(storefronts.entries.map(\.currency)).count == 43)
  }

  @Test(arguments: [
    ("CN", "CHN", "143465", "CNY", "Asia/Shanghai", Territory.japan),
    ("US", "USA", "143441", "USD", "America/New_York", .pacific),
    ("XK", "XKS", "143624", "EUR", "Europe/Belgrade", .centralEuropean),
    ("AU", "AUS", "143460", "AUD", "Australia/Sydney", .westernAustralia),
    ("BR", "BRA", "143503", "BRL", "America/Sao_Paulo", .pacific),
  ])
  func aStorefrontIsFoundByEachOfItsNames(
    code: String, alpha3: String, number: String, currency: String, zone: String,
    territory: Territory
  ) {
    let storefront = shop(code)
    #expect(storefronts.storefront(code) == storefront)
    #expect(storefronts.storefront(alpha3) == storefront)
    #expect(storefronts.storefront(number + "-19,29") == storefront)
    #expect(storefronts.currency(of: storefront) == money(currency))
    #expect(storefronts.zoneName(of: storefront) == zone)
    #expect(storefronts.territory(of: storefront) == territory)
    #expect(!storefronts.contains(shop("ZZ")))
    #expect(storefronts.storefront("ZZ") == nil)
  }

  @Test func eachTerritoryHasAZone() {
    let zones = Territory.allCases.map { "\($0.rawValue) \($0.zoneName)" }
    #expect(
      zones == [
        "pacific America/Los_Angeles", "central-european Europe/Berlin", "japan Asia/Tokyo",
        "western-australia Australia/Perth",
      ])
  }

  @Test func sellersChange() {
    let korea = shop("KR")
    let seller = storefronts.legalEntity(of: korea, on: day("2024-10-26"))
    #expect(seller == "Apple Services Pte. Ltd.")
    let earlier = storefronts.legalEntity(of: korea, on: day("2024-10-25"))
    #expect(earlier == "Apple Distribution International Ltd.")
  }

  @Test(arguments: [
    ("HR", "HRK", "2022-12-31", true), ("HR", "EUR", "2022-12-31", false),
    ("HR", "EUR", "2023-01-01", true), ("HR", "HRK", "2023-01-01", false),
    ("BG", "BGN", "2025-12-31", true), ("BG", "EUR", "2026-01-01", true),
    ("BG", "BGN", "2026-01-01", false), ("BG", "EUR", "2023-06-19", false),
    ("KR", "USD", "2016-03-15", true), ("KR", "KRW", "2023-06-19", true),
    ("KR", "USD", "2023-06-19", false), ("CN", "CNY", "2012-01-01", true),
    ("CN", "USD", "2012-01-01", false), ("ZZ", "USD", "2023-06-19", false),
  ])
  func currenciesHoldFromDayToDay(code: String, currency: String, date: String, accepted: Bool) {
    #expect(
      storefronts.acceptsCurrency(money(currency), storefront: shop(code), on: day(date))
        == accepted)
  }

  @Test func everyStorefrontAcceptsItsCurrencyOfToday() {
    for entry in storefronts.entries {
      #expect(
        storefronts.acceptsCurrency(
          entry.currency, storefront: entry.storefront, on: day("2026-06-01")))
    }
  }

  @Test func taxRulesAreOfKnownStorefrontsAndNeverTwoAtOnce() {
    let rules = TaxTable.builtIn.rules
    for rule in rules {
      if let storefront = rule.storefront { #expect(storefronts.contains(storefront)) }
    }
    for (index, rule) in rules.enumerated() {
      for other in rules[(index + 1)...]
      where other.storefront == rule.storefront && other.currency == rule.currency
        && other.developers == rule.developers
      {
        #expect(!rule.days.overlaps(other.days), "\(rule) and \(other)")
      }
    }
  }

  @Test func commissionRulesAreNeverTwoAtOnce() {
    let rules = TermsTable.builtIn.rules
    for (index, rule) in rules.enumerated() {
      for other in rules[(index + 1)...]
      where other.storefronts == rule.storefronts && other.commissionClass == rule.commissionClass
        && other.platforms == rule.platforms && other.name == rule.name
      {
        #expect(!rule.days.overlaps(other.days))
      }
      for storefront in rule.storefronts ?? [] { #expect(storefronts.contains(storefront)) }
    }
    for copy in USCopyTable.builtIn.copies {
      if let storefront = copy.storefront { #expect(storefronts.contains(storefront)) }
    }
  }

  @Test(arguments: [
    ("US", CommissionClass.standard, "2016-01-01", 300_000),
    ("US", .afterOneYear, "2016-08-31", 300_000), ("US", .afterOneYear, "2016-09-01", 150_000),
    ("US", .smallBusiness, "2020-12-31", 300_000), ("US", .smallBusiness, "2021-01-01", 150_000),
    ("CN", .standard, "2026-03-14", 300_000), ("CN", .standard, "2026-03-15", 250_000),
    ("CN", .afterOneYear, "2026-03-15", 120_000), ("JP", .standard, "2025-12-18", 260_000),
    ("JP", .smallBusiness, "2025-12-18", 150_000),
  ])
  func commissionsChange(code: String, commission: CommissionClass, date: String, rate: Int64) {
    #expect(plainBook.commission(commission, storefront: shop(code), day: day(date)) == rate)
  }

  @Test func aMalformedTableTraps() async {
    await #expect(processExitsWith: .failure) { _ = TaxTable(bytes: Array("a,b\n".utf8)) }
    await #expect(processExitsWith: .failure) {
      _ = FactTable("t", columns: ["a", "evidence"], bytes: Array("a,evidence\n1\n".utf8))
    }
    await #expect(processExitsWith: .failure) {
      _ = FactTable("t", columns: ["a", "evidence"], bytes: Array("a,evidence\n1,\n".utf8))
    }
    await #expect(processExitsWith: .failure) {
      _ = FactTable("t", columns: ["a", "evidence"], bytes: Array("a,evidence\n1,x".utf8))
    }
    await #expect(processExitsWith: .failure) {
      _ = FactTable("t", columns: ["a", "evidence"], bytes: Array("a,evidence\n\"1,x\n".utf8))
    }
    await #expect(processExitsWith: .failure) {
      let table = FactTable(
        "t", columns: ["a", "evidence"], bytes: Array("a,evidence\n-1,x\n".utf8))
      _ = table.rows[0].percentage(0)
    }
  }

  @Test func aTableMayQuoteItsCells() {
    let table = FactTable(
      "t", columns: ["a", "evidence"], bytes: Array("a,evidence\n\"1,5\",\"x\"\n".utf8))
    #expect(table.rows.map(\.cells) == [["1,5", "x"]])
  }
}
