internal import Billing

// The values that several kinds of tables have, each with its diagnostic.

extension Record {
  /// A decimal amount in micro-units; nil when blank.
  ///
  /// - Parameter name: the column's, for the diagnostic.
  func amount(_ field: Int, _ name: String, mayBeNegative: Bool) throws(RecordDiagnostic) -> Int64?
  {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    guard let amount = micros(decimal: bytes) ?? micros(ofFloat: bytes) else {
      throw amountDiagnostic(field, name)
    }
    if amount < 0, !mayBeNegative {
      throw RecordDiagnostic(
        field, "amount", "@row.is-negative \(name) \(shown(bytes))",
        help: "@row.price-is-what-one-unit")
    }
    guard amount.magnitude <= amountLimit else {
      throw RecordDiagnostic(
        field, "amount", "@shared.is-larger-than-a-billion \(name) \(shown(bytes))",
        help: "@shared.decimal-point-may-have-been")
    }
    return amount
  }

  /// What is wrong with a field that is no decimal amount, with advice on its marks.
  func amountDiagnostic(_ field: Int, _ name: String) -> RecordDiagnostic {
    let bytes = trimmed(self[field])
    let message: Wording = "@shared.is-not-a-decimal-number \(name) \(shown(bytes))"
    return RecordDiagnostic(
      field, "amount", message, help: helpOfAmount(bytes), hint: MappingHint(amount: bytes))
  }

  /// A currency by its ISO code or by a bank's word for it; nil when blank.
  func currency(_ field: Int, _ name: String) throws(RecordDiagnostic) -> Currency? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    guard let currency = namedCurrency(String(decoding: bytes, as: UTF8.self)) else {
      throw RecordDiagnostic(
        field, "currency", "@row.is-not-a-currency \(name) \(shown(bytes))",
        help: "@row.write-the-three-letter-iso")
    }
    return currency
  }

  /// A storefront by its code, Apple's id or its name in English; nil when blank.
  func storefront(
    _ field: Int, _ name: String, _ storefronts: StorefrontLookup
  ) throws(RecordDiagnostic) -> Storefront? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let storefront = storefronts.storefront(text) else {
      let code: Wording = "@shared.write-the-country-iso-3166"
      throw RecordDiagnostic(
        field, "storefront", "@row.is-not-one-of-apple \(name) \(shown(bytes))",
        help: storefronts.suggestion(text).map { "@row.did-you-mean \($0) \(code)" } ?? code)
    }
    return storefront
  }

  /// The storefront that Apple's signed word names; nil when blank. One that nobody knows rejects
  /// nothing: it is ``StorefrontLookup/unknown``.
  func signedStorefront(_ field: Int, _ storefronts: StorefrontLookup) -> Storefront? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    return storefronts.storefront(String(decoding: bytes, as: UTF8.self))
      ?? StorefrontLookup.unknown
  }

  /// The day `YYYY-MM-DD`, also with a midnight of no offset behind it, or one with its month's
  /// name; nil when blank.
  func isoDate(_ field: Int, _ name: String) throws(RecordDiagnostic) -> Day? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    let begin = looksLikeDate(bytes) ? isoDay(UnsafeRawBufferPointer(rebasing: bytes[..<10])) : nil
    if let begin, isMidnight(bytes[10...]) { return begin }
    guard let day = isoDay(bytes) ?? namedDay(bytes) else {
      throw RecordDiagnostic(
        field, "date", "@shared.is-not-a-date \(name) \(shown(bytes))",
        help: begin.map { "@row.write-the-day-without-a-time \($0)" }
          ?? (looksLikeDate(bytes) ? noSuchDay : "@row.write-it-as-yyyy-mm"),
        // A row of sums below a bank's rows, say.
        hint: bytes.contains { $0 &- 0x30 < 10 }
          ? MappingHint(day: bytes)
          : .skip(String(decoding: bytes.prefix(60), as: UTF8.self), column: name))
    }
    return day
  }

  /// The text of a field that must not be blank.
  func requiredText(_ field: Int, _ name: String) throws(RecordDiagnostic) -> String {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { throw blankDiagnostic(field, name) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What is wrong with a required field that is blank.
  func blankDiagnostic(_ field: Int, _ name: String) -> RecordDiagnostic {
    RecordDiagnostic(
      field, "value", "@row.is-blank \(name)", help: "@row.every-row-needs \(name)",
      hint: .skip("", column: name))
  }

  /// A boolean; false when blank.
  func flag(_ field: Int, _ name: String) throws(RecordDiagnostic) -> Bool {
    try optionalFlag(field, name) ?? false
  }

  /// A boolean; nil when blank.
  func optionalFlag(_ field: Int, _ name: String) throws(RecordDiagnostic) -> Bool? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "true", "t", "1", "yes", "y": return true
    case "false", "f", "0", "no", "n": return false
    default:
      throw RecordDiagnostic(
        field, "value", "@row.is-neither-true-nor-false \(name) \(shown(bytes))",
        help: "@row.write-true-or-false")
    }
  }

  /// A whole number of `least` or more; nil when blank.
  func count(_ field: Int, _ name: String, atLeast least: Int64) throws(RecordDiagnostic) -> Int64?
  {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    guard let count = wholeNumber(bytes), count >= least else {
      throw RecordDiagnostic(
        field, "value", "@row.is-not-a-whole-number \(name) \(least) \(shown(bytes))",
        help: "@row.write-it-in-plain-digits")
    }
    return count
  }

  /// The quantity of a purchase; 1 when blank, as Apple leaves it out.
  func quantity(_ field: Int) throws(RecordDiagnostic) -> Int32 {
    max(try saidQuantity(field), 1)
  }

  /// The quantity of a purchase that the row states; 0 when blank.
  func saidQuantity(_ field: Int) throws(RecordDiagnostic) -> Int32 {
    let bytes = trimmed(self[field])
    guard bytes.first != 0x2D else {
      throw RecordDiagnostic(
        field, "value", "@row.quantity-is-negative \(shown(bytes))",
        help: "@row.refund-does-not")
    }
    guard let count = try count(field, "quantity", atLeast: 1) else { return 0 }
    guard let quantity = Int32(exactly: count), quantity <= 1000 else {
      throw RecordDiagnostic(
        field, "value", "@row.quantity-is-larger-than \(shown(self[field]))",
        help: "@row.write-the-number-of-units")
    }
    return quantity
  }

  /// What a word of a fixed list means, also in other capitals; nil when blank.
  ///
  /// - Parameters:
  ///   - allowed: the list, for a diagnostic of any other word.
  ///   - meaning: what one of its words means; nil for others.
  func word<Word>(
    _ field: Int, _ name: String, allowed: @autoclosure () -> [String], _ meaning: (String) -> Word?
  ) throws(RecordDiagnostic) -> Word? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if let found = meaning(text) { return found }
    let allowed = allowed()
    let sameWord = allowed.first { $0.lowercased() == text.lowercased() }
    guard let found = sameWord.flatMap(meaning) else {
      throw RecordDiagnostic(
        field, "value", "@row.is-not-a-known-value \(name) \(shown(bytes))",
        help: "@row.write-one \(allowed.joined(separator: ", "))",
        hint: .word(text, column: name))
    }
    return found
  }

  /// What is wrong with a required time that is blank, or no time.
  func timeDiagnostic(_ field: Int, _ name: String) -> RecordDiagnostic {
    let bytes = trimmed(self[field])
    return bytes.isEmpty ? blankDiagnostic(field, name) : Reading.timeDiagnostic(bytes, field, name)
  }
}

/// How to write what is no decimal amount.
func helpOfAmount(_ bytes: UnsafeRawBufferPointer) -> Wording {
  if bytes.contains(0x2C) {
    return bytes.contains(0x2E) ? "@row.last-mark-is-decimal" : "@row.one-value-does-not-show"
  }
  let isOfPoints =
    bytes.contains(0x2E) && bytes.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x2D }
  return isOfPoints ? "@row.write-a-number-with-one" : "@row.write-it-as-digits-like"
}

/// The currency that a text is: a word for one, or any three capitals, which the ledger keeps as
/// they are written; a currency of Apple's also in small letters. Nil for any other text.
func namedCurrency(_ text: String) -> Currency? {
  let capitals = text.uppercased()
  if let code = namedCurrencies[capitals] { return Currency(code) }
  return Currency(appleCurrencies.contains(capitals) ? capitals : text)
}

/// What shops and banks write for currencies, by ISO 4217.
private let namedCurrencies = [
  "人民币": "CNY", "人民币元": "CNY", "RMB": "CNY", "美元": "USD", "港币": "HKD", "欧元": "EUR",
  "英镑": "GBP", "日元": "JPY",
]

/// Currencies that the App Store has or had: payment services write them in small letters, in which
/// any other three letters may be a word, as `yen` is.
private let appleCurrencies = Set(
  """
  AED AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR JPY
  KRW KZT MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RUB SAR SEK SGD THB TRY TWD TZS
  USD VND ZAR
  """.split(whereSeparator: \.isWhitespace).map(String.init))

/// The diagnostic of a text that should be a time.
func timeDiagnostic(_ bytes: UnsafeRawBufferPointer, _ field: Int?, _ name: String)
  -> RecordDiagnostic
{
  if isZeroTime(bytes) { return zeroTimeDiagnostic(bytes, field, name) }
  let help: Wording
  var hint: MappingHint?
  if looksLikeDate(bytes), isoDay(UnsafeRawBufferPointer(rebasing: bytes[..<10])) == nil {
    help = noSuchDay
  } else if looksLikeDate(bytes) || looksLikeClock(bytes) {
    let isDay = !bytes.contains(0x3A)
    hint = isDay ? nil : MappingHint(time: bytes)
    // A zone would not help where an hour is none, or something stands behind it.
    help =
      isDay
      ? "@row.a-day-is-no-time \(name)"
      : hint == nil ? "@row.write-iso-8601-with-an-offset" : "@shared.write-the-whole-time"
  } else {
    help = "@row.write-iso-8601-with-an-offset"
  }
  return RecordDiagnostic(
    field, "date", "@row.is-not-a-time \(name) \(shown(bytes))", help: help, hint: hint)
}

private let noSuchDay: Wording =
  "@row.there-is-no-such-day \(Day.years.lowerBound) \(Day.years.upperBound)"

/// Whether a text looks like a time on a clock without an offset: `2023/6/12 10:00`, `12.06.2023
/// 10:00:00`, `2023年6月12日 10:00`.
private func looksLikeClock(_ bytes: UnsafeRawBufferPointer) -> Bool {
  if digits(bytes, 0..<4) != nil, bytes[4...].starts(with: "年".utf8) { return true }
  let head = bytes.prefix { $0 &- 0x30 < 10 || $0 == 0x2F || $0 == 0x2E || $0 == 0x2D }
  let marks = head.filter { $0 == 0x2F || $0 == 0x2E || $0 == 0x2D }
  return marks.count == 2 && Set(marks).count == 1 && head.count >= 6
    && (bytes.count == head.count || bytes.dropFirst(head.count).contains(0x3A))
}

/// Whether a text begins as `YYYY-MM-DD` does, whatever day that is.
private func looksLikeDate(_ bytes: UnsafeRawBufferPointer) -> Bool {
  digits(bytes, 0..<4) != nil && bytes.count >= 10 && bytes[4] == 0x2D
    && digits(bytes, 5..<7) != nil && bytes[7] == 0x2D && digits(bytes, 8..<10) != nil
}

/// Whether bytes behind a day are a midnight, which spreadsheets and programs write where a day has
/// no time: ` 00:00:00`, `T00:00:00.000`.
private func isMidnight(_ bytes: UnsafeRawBufferPointer.SubSequence) -> Bool {
  guard let mark = bytes.first, mark == 0x20 || mark == 0x54 else { return false }
  return bytes.dropFirst().starts(with: "00:00".utf8)
    && bytes.dropFirst().allSatisfy { $0 == 0x30 || $0 == 0x3A || $0 == 0x2E }
}

/// Micro-units that a price may have: a thousand million.
let amountLimit: UInt64 = 1_000_000_000_000_000

/// Seconds since 1970 that a time of a purchase may have: the years 2000 to 2099.
let plausibleTimes: ClosedRange<Int64> = 946_684_800...4_102_444_799

/// Reads the times of a table, all with the same rules.
struct TimeColumn {
  private var reader = InstantReader()
  /// Times of payloads that stand for none, and one of them as it is written.
  private(set) var zeroTimes = ZeroTimes()

  /// The time in `field`; nil when blank.
  @inline(__always)
  mutating func read(_ record: Record, _ field: Int, _ name: StaticString) throws(RecordDiagnostic)
    -> Instant?
  {
    let bytes = trimmed(record[field])
    return bytes.isEmpty ? nil : try read(bytes, field, name)
  }

  /// The time that the bytes tell, which are trimmed and not blank.
  @inline(__always)
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ field: Int?, _ name: StaticString
  ) throws(RecordDiagnostic) -> Instant {
    guard let seconds = reader.read(bytes) else {
      throw timeDiagnostic(bytes, field, name.description)
    }
    if !plausibleTimes.contains(seconds) { throw Self.implausible(bytes, field, name) }
    return Instant(seconds: seconds)
  }

  /// Whether a time stands for none, which is counted.
  @inline(__always)
  mutating func isNone(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isZeroTime(bytes) else { return false }
    zeroTimes.count(bytes)
    return true
  }

  /// What is wrong with a time outside of ``plausibleTimes``.
  @inline(never)
  private static func implausible(
    _ bytes: UnsafeRawBufferPointer, _ field: Int?, _ name: StaticString
  ) -> RecordDiagnostic {
    if isZeroTime(bytes) { return zeroTimeDiagnostic(bytes, field, name.description) }
    return RecordDiagnostic(
      field, "date", "@row.lies-outside-the-years-2000 \(name) \(shown(bytes))",
      help: "@row.write-iso-8601")
  }
}

/// Ids of a block's rows, one after the other.
struct IDText {
  private var bytes = [UInt8](repeating: 0, count: 1 << 16)
  private var count = 0

  /// Copies an id, trimmed, and returns where it lies; none for a blank one.
  @inline(__always)
  mutating func add(_ id: UnsafeRawBufferPointer) -> TextSlice {
    let id = trimmed(id)
    let length = id.count
    if length == 0 { return .none }
    if count &+ length > bytes.count { grow(for: length) }
    bytes.withUnsafeMutableBytes {
      ($0.baseAddress! + count).copyMemory(from: id.baseAddress!, byteCount: length)
    }
    defer { count &+= length }
    return TextSlice(
      start: UInt32(truncatingIfNeeded: count), count: UInt32(truncatingIfNeeded: length))
  }

  /// Copies an id, trimmed, with its letters A to Z in lower case, and returns where it lies.
  mutating func addLowercased(_ id: UnsafeRawBufferPointer) -> TextSlice {
    let slice = add(id)
    for index in Int(slice.start)..<Int(slice.start) + Int(slice.count)
    where bytes[index] &- 0x41 < 26 {
      bytes[index] |= 0x20
    }
    return slice
  }

  /// Makes room for `length` more bytes.
  @inline(never)
  private mutating func grow(for length: Int) {
    let size = max(bytes.count * 2, count + length)
    precondition(size <= Int(UInt32.max), "a block's ids outgrow their slices")
    bytes += [UInt8](repeating: 0, count: size - bytes.count)
  }

  /// How many bytes there are, to come back to with ``cut(to:)``.
  var length: Int { count }

  /// Forgets what was added since it was that long.
  mutating func cut(to length: Int) { count = length }

  /// A hash of an id that was added.
  func hash(of id: TextSlice) -> UInt64 {
    bytes.withUnsafeBytes {
      let start = Int(id.start)
      return hash64(UnsafeRawBufferPointer(rebasing: $0[start..<start + Int(id.count)]))
    }
  }

  /// The bytes so far; begins again from none.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return Array(bytes[..<count])
  }
}

/// Whether a program wrote an id as `1.00E+15` or `1e+15`, so that it is lost.
@inline(__always)
func isSpoiledID(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let bytes = trimmed(bytes)
  let count = bytes.count
  return count > 5 && bytes[count &- 3] == 0x2B && bytes[count &- 4] | 0x20 == 0x65
    && bytes[0] &- 0x30 < 10
}

/// Whether one of Apple's transaction ids is no whole number any more: rounded by a spreadsheet, or
/// written as `1.0`, as a data frame may have done.
@inline(__always)
func isSpoiledTransactionID(_ bytes: UnsafeRawBufferPointer) -> Bool {
  isSpoiledID(bytes) || hasZeroFraction(bytes)
}

/// Whether a number is written with `.0` behind it.
@inline(__always)
private func hasZeroFraction(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let bytes = trimmed(bytes)
  let count = bytes.count
  return count > 2 && bytes[count &- 2] == 0x2E && bytes[count &- 1] == 0x30
    && bytes[0] &- 0x30 < 10
}

/// What is wrong with an id that was turned into a number; where it has all of its digits, it does
/// not say that they are lost.
func spoiledID(_ record: Record, _ field: Int, _ name: String) -> RecordDiagnostic {
  let isWhole = hasZeroFraction(record[field])
  return RecordDiagnostic(
    field, "id",
    isWhole
      ? "@row.id-has-a-fraction \(name) \(shown(record[field]))"
      : "@row.was-turned-into-a-rounded \(name) \(shown(record[field]))",
    help: isWhole ? "@row.data-frame-made-it-a-number" : "@row.spreadsheet-or-a-data-frame")
}
