import Billing
import Matching

/// What the findings of one code add up to.
struct Cause: Hashable, Sendable {
  var code: FindingCode
  var severity: Severity
  var findings: Int64 = 0
  var units: Int64?
  /// Absolute amounts in base currency, micro-units; nil where none could be converted.
  var atStake: Int64?
  /// Findings whose amount has a currency without a rate.
  var unconverted: Int64 = 0
}

extension Reconciliation {
  /// How many findings each severity has; every severity has an entry.
  var findingCounts: [Severity: Int64] {
    var counts = Dictionary(uniqueKeysWithValues: Severity.allCases.map { ($0, Int64(0)) })
    for finding in findings { counts[finding.severity, default: 0] += 1 }
    return counts
  }

  /// Base currency for one of each currency, micro-units: the rates that the proceeds were
  /// converted at. Empty where no rate is loaded.
  var rates: [Currency: Int64] {
    var rates: [Currency: Int64] = [:]
    for line in proceeds {
      guard let rate = line.rate else { continue }
      rates[line.proceedsCurrency] = rate
    }
    if !rates.isEmpty { rates[baseCurrency] = 1_000_000 }
    return rates
  }

  /// One per code that has findings: the worst severity first, then in the order of the codes.
  var causes: [Cause] {
    let rates = rates
    var found: [FindingCode: Cause] = [:]
    for finding in findings {
      var cause = found[finding.code] ?? Cause(code: finding.code, severity: finding.severity)
      cause.severity = max(cause.severity, finding.severity)
      cause.findings += 1
      if let units = finding.units { cause.units = (cause.units ?? 0) + units }
      if let money = finding.money {
        if let rate = rates[money.currency] {
          let converted = money.converted(at: rate, to: baseCurrency)
          cause.atStake = (cause.atStake ?? 0) + converted.magnitude.micros
        } else {
          cause.unconverted += 1
        }
      }
      found[finding.code] = cause
    }
    let inOrder = FindingCode.allCases.compactMap { found[$0] }
    return Severity.allCases.reversed().flatMap { severity in
      inOrder.filter { $0.severity == severity }
    }
  }

  /// The five largest causes: by amount where amounts convert, then by count.
  var largestCauses: [Cause] {
    let ranked = causes.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.atStake ?? 0 != b.atStake ?? 0 { return a.atStake ?? 0 > b.atStake ?? 0 }
      if a.findings != b.findings { return a.findings > b.findings }
      return left.offset < right.offset
    }
    return ranked.prefix(5).map(\.element)
  }

  /// All proceeds in base currency, micro-units; nil unless every line has a rate.
  var proceedsInBase: Int64? { sumInBase(proceeds) }
  var previousProceedsInBase: Int64? { sumInBase(previousProceeds) }
}

private func sumInBase(_ lines: [ProceedsLine]) -> Int64? {
  guard !lines.isEmpty else { return nil }
  var sum: Int64 = 0
  for line in lines {
    guard let amount = line.proceedsBase else { return nil }
    sum += amount.micros
  }
  return sum
}

/// `part ÷ whole` in millionths, rounded half up; nil when there is no whole.
func ratio(_ part: Int64, of whole: Int64) -> Int64? {
  guard whole != 0 else { return nil }
  let numerator = Int128(part) * 1_000_000
  return whole > 0
    ? roundedHalfUp(numerator, dividedBy: Int128(whole), toMultipleOf: 1)
    : roundedHalfUp(-numerator, dividedBy: -Int128(whole), toMultipleOf: 1)
}
