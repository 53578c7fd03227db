import Billing
import TOMLKit
import Workflow

// What the books of the company need: accounts, how revenue is shown, what was owed before.

/// Reads the key `revenue`, which says what revenue is in the books; older words are understood.
func revenue(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Settings.Revenue {
  // As they were called before there was a third.
  let older: [String: Settings.Revenue] = ["gross": .grossOfTax, "net": .agent]
  guard
    let revenue = value.string.flatMap({ Settings.Revenue(rawValue: $0) ?? older[$0] })
  else {
    throw ValueDiagnostic("@configuration.principal-agent-or-gross", value)
  }
  return revenue
}

/// Reads the key `revenue_rate`, which says at which exchange rate sales are converted.
func revenueRate(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> Settings.RevenueRate {
  guard let rate = value.string.flatMap({ Settings.RevenueRate(rawValue: $0) }) else {
    throw ValueDiagnostic("@configuration.month-or-day", value)
  }
  return rate
}

/// A number of fiscal months, from 0 to 12.
func fiscalMonths(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Int {
  guard let number = value.int, (0...12).contains(number) else {
    throw ValueDiagnostic("@configuration.number-of-fiscal-months", value)
  }
  return number
}

/// A share from 0 to 1, as millionths.
func share(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Int64 {
  guard let share = decimal(of: value).flatMap({ micros(decimal: $0) }),
    (0...1_000_000).contains(share)
  else { throw ValueDiagnostic("@configuration.share-from-0-to-1", value) }
  return share
}

/// Amounts by currency, as micro-units.
func amounts(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [Currency: Int64] {
  let expected: Wording = "@configuration.amount-per-currency-such"
  guard let table = value.table else { throw ValueDiagnostic(expected, value) }
  var amounts: [Currency: Int64] = [:]
  for (code, amount) in table {
    guard let currency = knownCurrency(code) else {
      throw ValueDiagnostic("@configuration.three-letter-currency-code-such", found: "\"\(code)\"")
    }
    guard let micros = decimal(of: amount).flatMap({ micros(decimal: $0) }) else {
      throw ValueDiagnostic(expected, amount)
    }
    amounts[currency] = micros
  }
  return amounts
}

/// Days of payment by fiscal month.
func paymentDays(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [FiscalMonth: Day] {
  let expected: Wording = "@configuration.day-by-fiscal-month-such"
  guard let table = value.table else { throw ValueDiagnostic(expected, value) }
  var days: [FiscalMonth: Day] = [:]
  for (name, day) in table {
    guard let month = Period(name)?.fiscalMonth, let known = paymentDay(day) else {
      throw ValueDiagnostic(expected, day)
    }
    days[month] = known
  }
  return days
}

/// A day, as a date of TOML or as text; nil for anything else.
private func paymentDay(_ value: any TOMLValueConvertible) -> Day? {
  value.date.flatMap { Day(year: $0.year, month: $0.month, day: $0.day) }
    ?? value.string.flatMap(Day.init)
}

/// The codes of Apple's regions by the labels of payments summaries.
func regions(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [String: String] {
  let expected: Wording = "@configuration.regions-by-label-such"
  guard let table = value.table else { throw ValueDiagnostic(expected, value) }
  var regions: [String: String] = [:]
  for (label, region) in table {
    guard let code = region.string.flatMap(knownFinanceRegion) else {
      throw ValueDiagnostic(expected, region)
    }
    regions[label] = code
  }
  return regions
}

/// Amounts by currency, as micro-units, none below zero.
func thresholds(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [Currency: Int64] {
  let thresholds = try amounts(value)
  guard thresholds.values.allSatisfy({ $0 >= 0 }) else {
    throw ValueDiagnostic(
      "@configuration.amounts-from-0-such", found: "@configuration.amount-below-0")
  }
  return thresholds
}

/// The company's name: one line, as it is to stand on what is signed.
func companyName(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> String {
  guard let name = value.string, (1...100).contains(name.count),
    !name.contains(where: { $0.isNewline || $0 == "\"" || $0 == "\\" })
  else { throw ValueDiagnostic("@configuration.name-of-the-company", value) }
  return name
}

/// The name that Xero has for the rate of lines without tax.
func taxRateName(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> String? {
  guard let name = value.string, !name.isEmpty, name.count <= 100 else {
    throw ValueDiagnostic("@configuration.name-of-a-tax-rate", value)
  }
  return name
}

/// What `datev` says of the client; month and length of accounts may be left out.
func datevClient(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> Settings.DATEVClient? {
  let example = "{ consultant = 1001, client = 1, first_month = 1, account_length = 4 }"
  let expected: Wording = "@configuration.table-such \(example)"
  guard let table = value.table else { throw ValueDiagnostic(expected, value) }
  let numbers = ["consultant", "client", "first_month", "account_length"].map { table[$0]?.int }
  guard let consultant = numbers[0], (1001...9_999_999).contains(consultant),
    let client = numbers[1], (1...99_999).contains(client), table.count <= 4
  else { throw ValueDiagnostic(expected, value) }
  let (month, length) = (numbers[2] ?? 1, numbers[3] ?? 4)
  guard (1...12).contains(month), (4...8).contains(length) else {
    throw ValueDiagnostic(expected, value)
  }
  return Settings.DATEVClient(
    consultant: consultant, client: client, firstMonth: month, accountLength: length)
}

extension ConfigurationReader {
  /// The accounts that `[accounts]` names; what is odd about a name is a warning.
  mutating func readAccounts(into accounts: inout Accounts) {
    guard let value = table["accounts"] else { return }
    guard let names = value.table else {
      object(
        .error, at: "accounts", in: "accounts", "@configuration.accounts-expected-a-table-found",
        help: "@configuration.write-accounts-and-below")
      return
    }
    for key in names.keys {
      guard let role = AccountRole(rawValue: key) else {
        warnOfUnknownAccount(key)
        continue
      }
      guard let name = names[key]?.string, Accounts.isName(name) else {
        object(
          .error, at: key, in: "accounts",
          "@configuration.accounts-is-not-a-valid \(key)",
          help: "@configuration.name-one-such-as-without \(role.defaultName)")
        continue
      }
      accounts[role] = name
      let taken = accounts.beancountName(of: role)
      if taken != name {
        object(
          .warning, at: key, in: "accounts",
          "@configuration.accounts-beancount-would-not-take \(name)",
          help: "@configuration.its-text-output-will \(taken)")
      }
    }
  }

  /// The codes that `[account_codes]` gives the same accounts.
  mutating func readAccountCodes(into codes: inout [AccountRole: String]) {
    let parent = "account_codes"
    guard let value = table[parent] else { return }
    guard let given = value.table else {
      object(
        .error, at: parent, in: parent,
        "@configuration.account-codes-expected-a-table",
        help: "@configuration.write-account-codes-and-below")
      return
    }
    for key in given.keys {
      guard let role = AccountRole(rawValue: key) else {
        warnOfUnknownAccount(key, in: parent)
        continue
      }
      let code = given[key].flatMap { $0.string ?? $0.int.map(String.init) } ?? ""
      guard (1...20).contains(code.count),
        code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
      else {
        object(
          .error, at: key, in: parent, "@configuration.account-codes-is-not \(key)",
          help: "@configuration.write-up-to-20-letters")
        continue
      }
      codes[role] = code
    }
  }

  /// Warns of a key of `[accounts]` or `[account_codes]` that names no account.
  private mutating func warnOfUnknownAccount(_ key: String, in parent: String = "accounts") {
    let keys = AccountRole.allCases.map(\.rawValue)
    object(
      .warning, at: key, in: parent, "@configuration.unknown-key-is-left-out-2 \(parent) \(key)",
      help: nearest(to: key, among: keys).map { "@shared.did-you-mean \($0)" }
        ?? "@configuration.known-keys \(keys.joined(separator: ", "))")
  }
}
