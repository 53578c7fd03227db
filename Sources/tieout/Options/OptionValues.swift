import ArgumentParser
import Billing
import Foundation
import Workflow

/// The refusal of a word that is none of a list, with the one that was most likely meant.
func unknownWord(_ text: String, among words: [String]) -> ValidationError {
  let list = words.joined(separator: ", ")
  guard let meant = nearest(to: text, among: words) else {
    return wrongUsage("@shared.expected-one-of-found \(list) \(text)")
  }
  return wrongUsage("@option.expected-one-of-found-did \(list) \(text) \(meant)")
}

/// A calendar month, a range of days or a fiscal month; refuses other text with a hint.
@Sendable func readPeriod(_ text: String) throws -> Period {
  guard let period = Period(text) else {
    throw wrongUsage(
      "@option.expected-2023-06-2023-06 \(text) \(hint(period: text))"
    )
  }
  return period
}

/// What to write instead of a period that is none, where what was meant can be seen; else empty.
private func hint(period text: String) -> Wording {
  let ends = text.split(separator: "..", omittingEmptySubsequences: false)
  if ends.count == 2, let first = Day(ends[0]), let last = Day(ends[1]), last < first {
    return "@option.range-ends-before-it-begins \(last) \(first)"
  }
  if let days = text.wholeMatch(
    of: #/([0-9]{4}-[0-9]{2}-[0-9]{2})[^0-9]+([0-9]{4}-[0-9]{2}-[0-9]{2})/#),
    Period("\(days.1)..\(days.2)") != nil
  {
    return "@option.write-2 \(String(days.1)) \(String(days.2))"
  }
  if let fiscal = text.uppercased().wholeMatch(
    of: #/FY[- _]?([0-9]{2}|[0-9]{4})[- _]?P?([0-9]{1,2})/#)
  {
    let meant = "FY\(fiscal.1.count == 2 ? "20" : "")\(twoDigits(fiscal.1, fiscal.2, mark: "P"))"
    return Period(meant) == nil ? "@option.fiscal-months-are-p01" : "@option.write \(meant)"
  }
  if text.wholeMatch(of: #/[0-9]{4}-[0-9]{2}/#) != nil { return "@option.months-are-01-to-12" }
  if text.wholeMatch(of: #/[0-9]{4}/#) != nil { return "@option.name-one-month-01 \(text)" }
  if let month = text.wholeMatch(of: #/([0-9]{4})[\/.-]?([0-9]{1,2})/#) {
    return "@option.write \(twoDigits(month.1, month.2))"
  }
  if let month = text.wholeMatch(of: #/([0-9]{1,2})[\/.-]([0-9]{4})/#) {
    return "@option.write \(twoDigits(month.2, month.1))"
  }
  return ""
}

/// A period as `2023-06`, or with `mark` before the month as `2023-P06`; a month of one digit gets
/// a zero before it.
private func twoDigits(_ year: Substring, _ month: Substring, mark: String = "") -> String {
  "\(year)-\(mark)\(month.count == 1 ? "0" : "")\(month)"
}

/// What to write instead of an amount that is none. Where what was meant is certain, that: one
/// number whose only mark does not stand before exactly three digits, where it may divide
/// thousands. Else the form of an amount by an example; empty for what has no digits, or is in that
/// form.
func hint(amount text: String) -> Wording {
  guard text.contains(where: \.isNumber), micros(decimal: text).map({ $0 < 0 }) ?? true else {
    return ""
  }
  if text.hasPrefix("-") { return "@option.price-is-not-negative" }
  let blanks = text.drop { $0.isWhitespace || $0.isCurrencySymbol }.reversed()
  let amount = String(
    blanks.drop { $0.isWhitespace || $0.isCurrencySymbol || $0 == "元" || $0 == "円" }.reversed())
  let point = amount.replacing(",", with: ".")
  guard let number = amount.wholeMatch(of: #/[0-9]+(?:[.,]([0-9]+))?/#),
    number.1?.count != 3, micros(decimal: point) != nil
  else { return "@option.write-digits-and-a-point" }
  if amount.count < text.count { return "@option.write-the-amount-alone \(point)" }
  return amount.contains(",") ? "@option.write-a-decimal-point \(point)" : ""
}

/// A kind of input file by its name; refuses any other word.
@Sendable func readInputKind(_ text: String) throws -> InputKind {
  if let kind = InputKind(rawValue: text) { return kind }
  throw unknownWord(text, among: InputKind.allCases.map(\.rawValue))
}

/// A kind of table that a company makes itself, by its name; refuses any other word.
@Sendable func readCompanyTable(_ text: String) throws -> InputKind {
  let kinds = InputKind.tablesOfCompanies
  if let kind = kinds.first(where: { $0.rawValue == text }) { return kind }
  throw unknownWord(text, among: kinds.map(\.rawValue))
}

/// A storefront that Apple has, by its code; refuses any other text with a likely one.
@Sendable func readStorefront(_ text: String) throws -> Storefront {
  if let storefront = knownStorefront(text) { return storefront }
  guard let meant = likelyStorefront(text) else {
    throw wrongUsage(
      "@option.expected-one-of-apple-storefronts \(text)")
  }
  throw wrongUsage(
    "@option.expected-one-of-apple-storefronts-such \(text) \(meant)")
}

/// A currency by its code; refuses any other text.
@Sendable func readCurrency(_ text: String) throws -> Currency {
  guard let currency = knownCurrency(text) else {
    throw wrongUsage("@option.expected-a-currency-such \(text)")
  }
  return currency
}
