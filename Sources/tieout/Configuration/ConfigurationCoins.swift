import Billing
import TOMLKit

// How coins are valued: each key is a choice of the company's.

/// What `[coins]` says; refuses a key that it does not have.
func coinPolicy(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> CoinPolicy {
  let keys = [
    "presentation", "valuation", "free_coins", "breakage", "remote_months", "contract_cost",
  ]
  guard let table = value.table else { throw ValueDiagnostic("@configuration.table-coins", value) }
  for key in table.keys where !keys.contains(key) {
    throw ValueDiagnostic(
      "@configuration.keys-of-coins \(keys.joined(separator: ", "))",
      found: Wording(verbatim: "\"\(key)\""))
  }
  var policy = CoinPolicy()
  if let value = table["presentation"] { policy.presentation = try choice(of: value) }
  if let value = table["valuation"] { policy.valuation = try choice(of: value) }
  if let value = table["free_coins"] { policy.freeCoins = try choice(of: value) }
  if let value = table["contract_cost"] { policy.contractCost = try choice(of: value) }
  if let value = table["breakage"] { policy.breakage = try coinBreakage(value) }
  if let value = table["remote_months"] {
    guard let months = value.int, (1...120).contains(months) else {
      throw ValueDiagnostic("@configuration.months-without-a-movement", value)
    }
    policy.remoteMonths = months
  }
  return policy
}

/// The case that a text names; refuses a word that names none.
private func choice<Choice: RawRepresentable & CaseIterable>(
  of value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> Choice where Choice.RawValue == String {
  guard let choice = value.string.flatMap({ Choice(rawValue: $0) }) else {
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    throw ValueDiagnostic("@configuration.one-of \(words)", value)
  }
  return choice
}

/// What `breakage` says: `none`, `remote`, or a share between 0 and 1.
private func coinBreakage(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> CoinPolicy.Breakage {
  switch value.string {
  case "none": return .none
  case "remote": return .remote
  default: break
  }
  guard let share = decimal(of: value).flatMap({ micros(decimal: $0) }),
    (1..<1_000_000).contains(share)
  else { throw ValueDiagnostic("@configuration.breakage-of-coins", value) }
  return .proportion(share)
}

extension CoinPolicy {
  /// The policy as it could stand in the file; without what nobody chose.
  var text: String {
    var parts: [String] = []
    /// Adds `key = "value"` to the parts of the table; nothing for nil.
    func add(_ key: String, _ value: String?) {
      if let value { parts.append("\(key) = \"\(value)\"") }
    }
    add("presentation", presentation?.rawValue)
    add("valuation", valuation?.rawValue)
    add("free_coins", freeCoins.rawValue)
    switch breakage {
    case .none: add("breakage", "none")
    case .remote: add("breakage", "remote")
    case .proportion(let share): parts.append("breakage = \(decimalText(micros: share))")
    }
    if let remoteMonths { parts.append("remote_months = \(remoteMonths)") }
    add("contract_cost", contractCost.rawValue)
    return "{ \(parts.joined(separator: ", ")) }"
  }
}
