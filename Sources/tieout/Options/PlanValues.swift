import ArgumentParser
import Billing
import Pricing
import Workflow

/// Storefronts and groups of them in a list with commas.
@Sendable func readStorefronts(_ text: String) throws -> [StorefrontGroup] {
  try readList(text).map { item in
    guard let group = StorefrontGroup(item) else {
      throw wrongUsage(
        "@option.expected-storefronts-such-as-cn \(item)")
    }
    return group
  }
}

/// The items of a list with commas, without the blanks around them; refuses an empty one.
@Sendable func readList(_ text: String) throws -> [String] {
  let items = text.split(separator: ",", omittingEmptySubsequences: false).map { item in
    var item = item.drop { $0.isWhitespace }
    while item.last?.isWhitespace == true { item.removeLast() }
    return String(item)
  }
  guard !items.contains("") else {
    throw wrongUsage("@option.expected-items-separated-by-commas \(text)")
  }
  return items
}

/// Prices in a list with commas, as micro-units: above zero, two decimal places at most.
@Sendable func readAmounts(_ text: String) throws -> [Int64] {
  try readList(text).map { item in
    guard let amount = micros(decimal: item), amount > 0, amount <= largestAmount,
      amount % 10_000 == 0
    else {
      throw wrongUsage("@option.expected-a-price-such \(item) \(hint(amount: item))")
    }
    return amount
  }
}

/// A part of one, as millionths: 0.33 or 33%.
@Sendable func readFraction(_ text: String) throws -> Int64 {
  let isPercent = text.hasSuffix("%")
  guard let value = micros(decimal: isPercent ? String(text.dropLast()) : text),
    !isPercent || value % 100 == 0, (0..<1_000_000).contains(isPercent ? value / 100 : value)
  else { throw wrongUsage("@option.expected-a-fraction-such \(text)") }
  return isPercent ? value / 100 : value
}

/// What a payment may cost, as millionths of the price: at most nine tenths.
@Sendable func readFee(_ text: String) throws -> Int64 {
  let fee = try readFraction(text)
  guard fee <= 900_000 else {
    throw wrongUsage("@option.expected-a-fee \(text)")
  }
  return fee
}

/// Coins for one unit of money, as millionths.
@Sendable func readRate(_ text: String) throws -> Int64 {
  guard let rate = micros(decimal: text), rate > 0, rate <= 1_000_000_000_000 else {
    throw wrongUsage("@option.expected-a-number-of-coins \(text)")
  }
  return rate
}

/// What a rate is to bring: `equal-net`, or `margin=` with a fraction.
@Sendable func readTarget(_ text: String) throws -> PlanTarget {
  if text == "equal-net" { return .equalNet }
  guard text.hasPrefix("margin=") else {
    throw wrongUsage("@option.expected-equal-net-or-margin \(text)")
  }
  return .margin(try readFraction(String(text.dropFirst(7))))
}

/// What rates are multiples of: `whole`, which is 1, or a number of coins.
@Sendable func readStep(_ text: String) throws -> Int64 {
  if text == "whole" { return 1 }
  guard let step = Int64(text), (1...1_000_000).contains(step) else {
    throw wrongUsage("@option.expected-whole-5-or-10 \(text)")
  }
  return step
}

/// The elasticity of sales, from `0` to `-10`, as millionths: the relative change of units for each
/// relative change of what a coin costs.
@Sendable func readElasticity(_ text: String) throws -> Int64 {
  guard let value = micros(decimal: text), (-10_000_000...0).contains(value) else {
    throw wrongUsage("@option.expected-an-elasticity-from-10 \(text)")
  }
  return value
}

/// How the coins of a pack are rounded: to `figures`, or to multiples of a number.
@Sendable func readPackStep(_ text: String) throws -> PackRounding {
  text == "figures" ? .figures : .multiples(try readStep(text))
}

/// Packs of another channel in a list with commas, each as `gems.60=6.00/60`, price and coins: what
/// stands before the last equals sign is the SKU.
@Sendable func readChannelPacks(_ text: String) throws -> [ChannelPack] {
  try readList(text).map { item in
    guard let sign = item.lastIndex(of: "="), sign > item.startIndex,
      let slash = item[sign...].lastIndex(of: "/"),
      let price = micros(decimal: String(item[item.index(after: sign)..<slash])),
      price > 0, price <= largestAmount, price % 10_000 == 0,
      let coins = Int64(item[item.index(after: slash)...]), (1...1_000_000_000).contains(coins)
    else {
      throw wrongUsage("@option.expected-a-pack-such \(item)")
    }
    return ChannelPack(sku: String(item[..<sign]), price: price, coins: coins)
  }
}

/// More than any price that Apple lists, in micro-units.
private let largestAmount: Int64 = 1_000_000_000_000_000

/// A change of the commission: `0.15`, `CN=0.25`, `CN=0.25@2026-03-15`.
@Sendable func readCommissionChange(_ text: String) throws -> WhatIf.Change {
  let dated = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
  let from = try dated.count == 2 ? readDay(String(dated[1])) : nil
  let parts = dated[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  let rate = try readFraction(String(parts[parts.count - 1]))
  let storefront = try parts.count == 2 ? readStorefront(String(parts[0])) : nil
  return WhatIf.Change(
    .commission(rate, storefront), name: "@shared.commission-2 \(text)", from: from)
}

/// A change of the share of subscriptions' units that pay the commission after a year: `0.4`.
@Sendable func readYearChange(_ text: String) throws -> WhatIf.Change {
  WhatIf.Change(.afterOneYear(try readFraction(text)), name: "@option.after-one-year \(text)")
}

/// A change of a storefront's tax: `DE=0.16`.
@Sendable func readTaxChange(_ text: String) throws -> WhatIf.Change {
  let (name, value) = try readPair(text, "@option.expected-de-0-16-found \(text)")
  return WhatIf.Change(
    .tax(try readFraction(value), try readStorefront(name)), name: "@option.tax \(text)")
}

/// A change of an exchange rate, to base currency for one unit or by a part: `USD=7.0`, `USD=+5%`.
@Sendable func readWorthChange(_ text: String) throws -> WhatIf.Change {
  let (name, value) = try readPair(text, "@option.expected-usd-7-0 \(text)")
  let currency = try readCurrency(name)
  if value.hasPrefix("+") || value.hasPrefix("-") {
    let part = try readFraction(String(value.dropFirst()))
    let shift = value.hasPrefix("-") ? -part : part
    return WhatIf.Change(.worthShift(shift, currency), name: "@option.fx \(text)")
  }
  guard let worth = DecimalRate(decimal: value), worth.digits > 0,
    worth.value <= Fraction(1_000_000)
  else {
    throw wrongUsage("@option.expected-usd-7-0 \(text)")
  }
  return WhatIf.Change(.worth(CurrencyRate(worth), currency), name: "@option.fx \(text)")
}

/// A change of a product's tier: `gems.60=2`; what stands before the last equals sign is the SKU.
@Sendable func readTierChange(_ text: String) throws -> WhatIf.Change {
  guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
    text.index(after: sign) < text.endIndex
  else { throw wrongUsage("@option.expected-gems-60-2-found \(text)") }
  return WhatIf.Change(
    .tier(sku: String(text[..<sign]), tier: String(text[text.index(after: sign)...])),
    name: "@option.tier \(text)")
}

/// What stands before and behind the first equals sign; refuses with `diagnostic` where either
/// lacks.
private func readPair(_ text: String, _ diagnostic: Wording) throws -> (String, String) {
  let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
    throw wrongUsage(diagnostic)
  }
  return (String(parts[0]), String(parts[1]))
}

/// How many coins the same money buys, as millionths of today's: 1,100,000 for `+10%`, 950,000 for
/// `-5%`.
@Sendable func readCoinRate(_ text: String) throws -> Int64 {
  guard let sign = text.first, "+-".contains(sign), text.hasSuffix("%"),
    let share = micros(decimal: String(text.dropFirst().dropLast())), share % 100 == 0,
    (0..<100_000_000).contains(share)
  else { throw wrongUsage("@option.expected-a-change-of-coins \(text)") }
  return 1_000_000 + (sign == "-" ? -share : share) / 100
}

/// A whole number of coins, from 0 on.
@Sendable func readFreeCoins(_ text: String) throws -> Int64 {
  guard let coins = plainNumber(text), coins <= 1_000_000_000_000 else {
    throw wrongUsage("@option.expected-whole-coins \(text)")
  }
  return Int64(coins)
}
