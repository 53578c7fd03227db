import ArgumentParser
import Billing
import Foundation
import Workflow

@Sendable func readPeriod(_ text: String) throws -> Period {
  guard let period = Period(text) else {
    throw wrongUsage(
      """
      expected 2023-06, 2023-06-01..2023-06-15 or FY2023-P09, found "\(text)"\(hint(period: text))
      """
    )
  }
  return period
}

/// What to write instead, where what was meant can be seen.
private func hint(period text: String) -> Wording {
  let ends = text.split(separator: "..", omittingEmptySubsequences: false)
  if ends.count == 2, let first = Day(ends[0]), let last = Day(ends[1]), last < first {
    return "; the range ends before it begins: write \(last)..\(first)"
  }
  if text.wholeMatch(of: #/[0-9]{4}-[0-9]{2}/#) != nil { return "; months are 01 to 12" }
  if text.wholeMatch(of: #/[0-9]{4}/#) != nil { return "; name one month: \(text)-01" }
  if let month = text.wholeMatch(of: #/([0-9]{4})[\/.-]?([0-9]{1,2})/#) {
    return "; write \(twoDigits(month.1, month.2))"
  }
  if let month = text.wholeMatch(of: #/([0-9]{1,2})[\/.-]([0-9]{4})/#) {
    return "; write \(twoDigits(month.2, month.1))"
  }
  return ""
}

private func twoDigits(_ year: Substring, _ month: Substring) -> String {
  "\(year)-\(month.count == 1 ? "0" : "")\(month)"
}

/// What to write instead of an amount that is not one, where what was meant can be seen.
func hint(amount text: String) -> Wording {
  let digits = text.filter { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
  guard !digits.isEmpty, digits.contains(where: \.isNumber) else { return "" }
  if text.hasPrefix("-") { return "; a price is not negative" }
  let point = digits.replacing(",", with: ".")
  guard micros(decimal: point) != nil else { return "; write it without separators: 1234.50" }
  if digits.count < text.count { return "; write the amount alone: \(point)" }
  return digits.contains(",") ? "; write a decimal point: \(point)" : ""
}

@Sendable func readInputKind(_ text: String) throws -> InputKind {
  if let kind = InputKind(rawValue: text) { return kind }
  let kinds = InputKind.allCases.map(\.rawValue)
  if let meant = nearest(to: text, among: kinds) {
    throw wrongUsage("found \"\(text)\" as a kind of file: did you mean \(meant)?")
  }
  throw wrongUsage("expected one of \(kinds.joined(separator: ", ")), found \"\(text)\"")
}

/// A kind of table that a company makes itself.
@Sendable func readCompanyTable(_ text: String) throws -> InputKind {
  let kinds = InputKind.tablesOfCompanies
  if let kind = kinds.first(where: { $0.rawValue == text }) { return kind }
  let names = kinds.map(\.rawValue)
  if let meant = nearest(to: text, among: names) {
    throw wrongUsage("found \"\(text)\" as a kind of table: did you mean \(meant)?")
  }
  throw wrongUsage("expected one of \(names.joined(separator: ", ")), found \"\(text)\"")
}

@Sendable func readStorefront(_ text: String) throws -> Storefront {
  if let storefront = knownStorefront(text) { return storefront }
  guard let meant = likelyStorefront(text) else {
    throw wrongUsage(
      "expected one of Apple's storefronts such as CN, CHN or 143465, found \"\(text)\"")
  }
  throw wrongUsage(
    """
    expected one of Apple's storefronts such as CN, CHN or 143465, found "\(text)"; did you mean \
    \(meant)?
    """)
}

@Sendable func readCurrency(_ text: String) throws -> Currency {
  guard let currency = knownCurrency(text) else {
    throw wrongUsage("expected a currency such as CNY, found \"\(text)\"")
  }
  return currency
}
