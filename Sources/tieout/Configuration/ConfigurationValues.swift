import Billing
import TOMLKit
import Workflow

/// A value of the configuration that is not what its key needs.
struct ValueDiagnostic: Error {
  var expected: Wording
  var found: Wording
  var help: Wording = "@configuration.correct-the-value-or-remove"

  init(_ expected: Wording, _ value: any TOMLValueConvertible) {
    self.expected = expected
    found = shown(value)
  }

  init(_ expected: Wording, found: Wording, help: Wording? = nil) {
    self.expected = expected
    self.found = found
    if let help { self.help = help }
  }
}

/// A value as a message shows it.
private func shown(_ value: any TOMLValueConvertible) -> Wording {
  switch value.type {
  case .string: Wording(verbatim: "\"\(value.string ?? "")\"")
  case .int: "@configuration.number \(value.int.map(String.init) ?? "")"
  case .double: "@configuration.number \(decimal(of: value) ?? "")"
  case .bool: value.bool == true ? Wording(verbatim: "true") : Wording(verbatim: "false")
  case .array: "@shared.list-2"
  case .table: "@configuration.table"
  case .date: "@configuration.date \(value.debugDescription)"
  case .time: "@configuration.time-of-day"
  case .dateTime: "@configuration.time \(value.debugDescription)"
  }
}

/// A text of any length.
func text(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> String {
  guard let text = value.string else {
    throw ValueDiagnostic("@configuration.text-in-double-quotes", value)
  }
  return text
}

/// The language of the texts for people.
func spokenLanguage(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> Language? {
  guard let language = Language(tag: try text(value)) else {
    throw ValueDiagnostic("@configuration.en-or-zh-hans", value)
  }
  return language
}

/// A list of texts.
func texts(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [String] {
  guard let array = value.array else {
    throw ValueDiagnostic("@configuration.list-of-texts-in-quotes", value)
  }
  var texts: [String] = []
  for element in array { texts.append(try text(element)) }
  return texts
}

/// A list of texts, each once.
func textSet(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Set<String> {
  Set(try texts(value))
}

/// A list of vendor numbers, which may stand without quotes.
func vendorNumbers(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [String] {
  guard let array = value.array else {
    throw ValueDiagnostic("@configuration.list-of-vendor-numbers-such", value)
  }
  var numbers: [String] = []
  for element in array {
    let number = element.string ?? element.int.map(String.init) ?? ""
    guard !number.isEmpty, number.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
      throw ValueDiagnostic("@configuration.vendor-numbers-such-as-85012345", element)
    }
    numbers.append(number)
  }
  return numbers
}

/// `true` or `false`.
func flag(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Bool {
  guard let flag = value.bool else { throw ValueDiagnostic("@configuration.true-or-false", value) }
  return flag
}

/// A whole number from 0 to a million.
func count(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Int64 {
  guard let number = value.int, (0...1_000_000).contains(number) else {
    throw ValueDiagnostic("@configuration.whole-number-from-0", value)
  }
  return Int64(number)
}

/// A currency by its code.
func currency(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Currency {
  guard let currency = knownCurrency(try text(value)) else {
    throw ValueDiagnostic("@configuration.three-letter-currency-code-such-as-cny", value)
  }
  return currency
}

/// A storefront by its code.
func storefront(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Storefront {
  guard let storefront = knownStorefront(try text(value)) else {
    throw ValueDiagnostic("@configuration.two-letter-storefront-code-such-as-cn", value)
  }
  return storefront
}

/// A time zone by its name, or by its offset.
func zone(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Zone {
  let name = try text(value)
  guard let zone = zone(named: name) else {
    throw ValueDiagnostic(
      "@configuration.time-zone-iana-name-such",
      found: "\"\(name)\"", help: zoneNameLike(name).map { "@configuration.did-you-mean \($0)" })
  }
  return zone
}

/// By storefront, the zone whose days Apple's report days are; it may change on a day.
func boundaries(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [Storefront: Zone] {
  guard let table = value.table else {
    throw ValueDiagnostic("@configuration.zone-per-storefront-such", value)
  }
  var boundaries: [Storefront: Zone] = [:]
  for (code, name) in table {
    guard let storefront = knownStorefront(code) else {
      throw ValueDiagnostic("@configuration.two-letter-storefront-code-such", found: "\"\(code)\"")
    }
    // A zone, or one that gave way to another on a day.
    if let found = name.string.flatMap({ boundaryZone(named: $0) }) {
      boundaries[storefront] = found
    } else {
      boundaries[storefront] = try zone(name)
    }
  }
  return boundaries
}

/// Bounds of a deduction in millionths, from decimal text or from a number's shortest text; nil for
/// the word `terms`, by which the deduction is that of the terms.
func band(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> ClosedRange<Int64>? {
  if value.string == followsTerms { return nil }
  let expected: Wording = "@configuration.lower-and-an-upper-share"
  guard let array = value.array, array.count == 2 else { throw ValueDiagnostic(expected, value) }
  var bounds: [Int64] = []
  for element in array {
    guard let bound = decimal(of: element).flatMap({ micros(decimal: $0) }),
      (0...1_000_000).contains(bound)
    else { throw ValueDiagnostic(expected, element) }
    bounds.append(bound)
  }
  guard bounds[0] <= bounds[1] else {
    throw ValueDiagnostic(
      expected, found: "@configuration.upper-one-first", help: "@configuration.swap-the-two-numbers"
    )
  }
  return bounds[0]...bounds[1]
}

/// What `expected_deduction` is where nobody names a band.
let followsTerms = "terms"

/// The decimal text that a value stands for; a binary number's shortest text is what was typed.
func decimal(of value: any TOMLValueConvertible) -> String? {
  value.string ?? value.int.map(String.init) ?? value.double.map { "\($0)" }
}
