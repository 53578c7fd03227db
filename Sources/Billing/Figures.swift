// Figures as people read them, the same in all texts.

/// A count with its thousands apart: `1,234,567`.
package func grouped(_ count: some BinaryInteger) -> String { grouped(decimal: String(count)) }

/// Decimal text with its thousands apart: `1,234.50`.
package func grouped(decimal: String) -> String {
  let sign = decimal.hasPrefix("-") ? "-" : ""
  let parts = decimal.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
  var whole = ""
  for (index, digit) in parts[0].enumerated() {
    if index > 0, (parts[0].count - index) % 3 == 0 { whole.append(",") }
    whole.append(digit)
  }
  return sign + whole + (parts.count > 1 ? ".\(parts[1])" : "")
}

/// An amount with its thousands apart, without its currency.
package func grouped(_ amount: Money) -> String { grouped(decimal: amount.text) }

/// A count with its noun: `one` for exactly one, such as `1 file`, else what `many` makes of the
/// count's text.
package func counted(
  _ count: some BinaryInteger, _ one: Wording, _ many: (String) -> Wording
) -> Wording {
  count == 1 ? one : many(grouped(count))
}

/// Millionths as per cent with two places: `68.77%`.
package func percent(_ millionths: Int64) -> String {
  let hundredths = roundedHalfUp(Int128(millionths), dividedBy: 100, toMultipleOf: 1)
  return "\(decimalText(micros: hundredths * 10_000, minimumDigits: 2))%"
}

/// Millionths as per cent with all their places, as a rate of tax is written: `12.5%`.
package func exactPercent(_ millionths: Int64) -> String {
  "\(decimalText(micros: millionths * 100))%"
}

/// Seconds as `2 d 3 h`, `3 h 20 min`, `20 min`: how long something took, about.
package func duration(_ seconds: Int64) -> Wording {
  let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
  if days > 0 { return hours > 0 ? "@figures.d-h \(days) \(hours)" : "@figures.d \(days)" }
  if hours > 0 { return minutes > 0 ? "@figures.h-min \(hours) \(minutes)" : "@figures.h \(hours)" }
  return minutes > 0 ? "@figures.min \(minutes)" : "@figures.s \(seconds)"
}

/// Seconds as `26 h 5 min`, `3 min 20 s` or `20 s`: delays that are compared with one another.
package func delay(_ seconds: Int64) -> Wording {
  let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
  if hours > 0 { return "@figures.h-min \(hours) \(minutes)" }
  return minutes > 0 ? "@figures.min-s \(minutes) \(rest)" : "@figures.s \(rest)"
}
