import Billing
import Conclusions

/// What the findings of one code add up to.
struct Cause: Hashable, Sendable {
  var code: FindingCode
  var severity: Severity
  var findings: Int64 = 0
  var units: Int64?
  /// Amounts without their signs, by currency; empty where no finding has one.
  var amounts: [Money] = []
  /// The same in base currency; nil where there is none, or a currency has no rate.
  var atStake: Int64?
  /// Apple's side less ours in base currency; nil as ``atStake`` is.
  var difference: Int64?
  var hasRates = true
}

extension Reconciliation {
  /// How many findings each severity has; every severity has an entry.
  var findingCounts: [Severity: Int64] {
    let counts = Severity.allCases.map { severity in
      (severity, Int64(findings.indices.count { findings[$0].severity == severity }))
    }
    return Dictionary(uniqueKeysWithValues: counts)
  }

  /// What an amount is worth in base currency; nil where its currency has no rate.
  func inBase(_ amount: Money) -> Money? {
    if amount.currency == baseCurrency { return amount }
    return rates[amount.currency].map { amount.converted(at: $0, to: baseCurrency) }
  }

  /// What a finding comes to in base currency, with its sign; nil where it has no amount, or a rate
  /// is missing.
  func worth(of finding: Finding) -> Money? { worth(of: finding.worth) }

  /// What amounts come to in base currency; nil without one, or where a rate is missing.
  func worth(of parts: [StorefrontMoney]) -> Money? {
    if parts.isEmpty { return nil }
    return parts.reduce(.zero(baseCurrency)) { (sum: Money?, part) in
      sum.flatMap { sum in inBase(part.amount).map { sum + $0 } }
    }
  }

  /// Whether every figure can be told in base currency.
  var hasAllRates: Bool { !basis.absences.contains { $0.kind == .rates } }

  /// The causes, one per code that has findings: the worst severity first, then in the order of the
  /// codes.
  ///
  /// Amounts are added up by storefront and currency and then converted, as a step of a bridge is:
  /// where the findings of a step have one sign, cause and step are one figure.
  var causes: [Cause] {
    var found: [FindingCode: Cause] = [:]
    var amounts: [FindingCode: [StorefrontCurrency: Money]] = [:]
    var signed: [FindingCode: [StorefrontCurrency: Money]] = [:]
    // By index: a copy of each finding would cost more than what is asked of it.
    for place in findings.indices {
      let (code, severity) = (findings[place].code, findings[place].severity)
      var cause = found[code] ?? Cause(code: code, severity: severity)
      cause.severity = max(cause.severity, severity)
      cause.findings += 1
      if let units = findings[place].units { cause.units = (cause.units ?? 0) + units }
      for part in findings.worth(at: place) {
        let key = StorefrontCurrency(part)
        amounts[code, default: [:]][key, default: .zero(key.currency)] += part.amount.magnitude
        signed[code, default: [:]][key, default: .zero(key.currency)] += part.amount
      }
      found[code] = cause
    }
    for (code, sums) in amounts {
      found[code]!.add(sums, in: self)
      let converted = signed[code]!.values.compactMap(inBase)
      if found[code]!.hasRates {
        found[code]!.difference = converted.sum(in: baseCurrency, \.self).micros
      }
    }
    let inOrder = FindingCode.allCases.compactMap { found[$0] }
    return Severity.allCases.reversed().flatMap { severity in
      inOrder.filter { $0.severity == severity }
    }
  }

  /// The five largest causes: by amount where all amounts convert, else by count, those with
  /// amounts first.
  var largestCauses: [Cause] {
    let causes = causes
    let converts = causes.allSatisfy(\.hasRates)
    let ranked = causes.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if converts, a.atStake ?? 0 != b.atStake ?? 0 { return a.atStake ?? 0 > b.atStake ?? 0 }
      if a.amounts.isEmpty != b.amounts.isEmpty { return b.amounts.isEmpty }
      if a.findings != b.findings { return a.findings > b.findings }
      return left.offset < right.offset
    }
    return ranked.prefix(5).map(\.element)
  }

  /// All proceeds in base currency, micro-units; nil unless every line has a rate.
  var proceedsInBase: Int64? { sumInBase(proceeds) }
  /// All proceeds of the period before in base currency, micro-units; nil unless every line has a
  /// rate.
  var previousProceedsInBase: Int64? { sumInBase(previousProceeds) }
}

private struct StorefrontCurrency: Hashable {
  var storefront: Storefront?
  var currency: Currency

  init(_ part: StorefrontMoney) { (storefront, currency) = (part.storefront, part.amount.currency) }
}

extension Cause {
  /// Sets the cause's amounts, by currency and in base currency, from sums of amounts without their
  /// signs; that in base currency is nil where a rate is missing.
  fileprivate mutating func add(_ sums: [StorefrontCurrency: Money], in whole: Reconciliation) {
    var byCurrency: [Currency: Money] = [:]
    var total = Money.zero(whole.baseCurrency)
    for (key, sum) in sums {
      byCurrency[key.currency, default: .zero(key.currency)] += sum
      if let converted = whole.inBase(sum) { total += converted } else { hasRates = false }
    }
    amounts = byCurrency.values.sorted { $0.currency.code < $1.currency.code }
    atStake = hasRates ? total.micros : nil
  }
}

/// What lines of proceeds come to in micro-units of base currency; nil without lines, or where one
/// has no rate.
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
