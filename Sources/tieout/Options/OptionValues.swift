import ArgumentParser
import Billing
import Workflow

@Sendable func readPeriod(_ text: String) throws -> Period {
  guard let period = Period(text) else {
    throw wrongUsage(
      "expected 2023-06, 2023-06-01..2023-06-15 or FY2023-P09, found \"\(text)\"")
  }
  return period
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
