import Billing
import Testing

/// Goal: a tier has one name, however it is written. Method: spellings and the name of each.
struct TierNameTests {
  @Test(arguments: [
    ("5", "5"), ("05", "5"), (" Tier 5 ", "5"), ("tier_5", "5"), ("TIER-5", "5"), ("Tier5", "5"),
    ("等级 5", "5"), ("等级5", "5"), ("87", "87"), ("0", "0"), ("Free", "0"), ("tier 0", "0"),
    ("免费", "0"), ("A", "Alternate Tier A"), ("b", "Alternate Tier B"),
    ("Tier B", "Alternate Tier B"), ("Alternate Tier A", "Alternate Tier A"),
    ("alternate_tier_1", "Alternate Tier 1"), ("Alt 5", "Alternate Tier 5"),
    ("Alt. Tier A", "Alternate Tier A"), ("备用等级 1", "Alternate Tier 1"),
    ("备用等级A", "Alternate Tier A"), ("510", "Alternate Tier A"), ("530", "Alternate Tier B"),
    ("550", "Alternate Tier 1"), ("590", "Alternate Tier 5"),
  ])
  func `spellings of Apple's tiers mean one name`(written: String, name: String) {
    #expect(tierName(written) == name)
    #expect(tierName(name) == name)
  }

  @Test(arguments: [
    "10016", "", "C", "Alternate Tier 6", "Alternate Tier C", "5b", "5 b", "gems.60", "1.99",
    "Tier 5 (new)", "Tier", "free 5", "99999999999999999999", "小礼包",
  ])
  func `any other name is its own`(name: String) {
    #expect(tierName(name) == name)
    #expect(tierName(" \(name)\t") == name)
  }
}

/// Goal: a commission is understood as it is written. Method: spellings and what they mean.
struct NamedCommissionTests {
  @Test(arguments: [
    ("0.15", NamedCommission.rate(150_000)), ("0.30", .rate(300_000)), ("15%", .rate(150_000)),
    ("12.5 %", .rate(125_000)), ("0", .rate(0)), ("0.123456", .rate(123_456)),
    ("standard", .programme(.standard)), ("Small Business", .programme(.smallBusiness)),
    ("small_business", .programme(.smallBusiness)),
    ("Rate After One Year", .programme(.afterOneYear)),
    ("after-one-year", .programme(.afterOneYear)),
  ])
  func `rates and programmes`(text: String, commission: NamedCommission) {
    #expect(NamedCommission(text) == commission)
  }

  @Test(arguments: [
    "", "30", "1", "100%", "-0.1", "%", "15%x", "0,15", "0.1234567", "1.00001%", "x",
  ])
  func `nothing else is a commission`(text: String) { #expect(NamedCommission(text) == nil) }
}
