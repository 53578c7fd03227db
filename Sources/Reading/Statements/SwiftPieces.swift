internal import Billing

/// The fields of an MT940 (SWIFT Standards, Category 9, MT 940): a balance, or an entry `:61:` with
/// what `:86:` says of it.
struct SwiftPieces: StatementPieces {
  private var currency: Currency?
  private(set) var isWhole = false

  /// The bytes up to the next line that begins a field of its own; nil where none does yet.
  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int? {
    var at = 0
    while let end = text[at...].firstIndex(of: 0x0A) {
      at = end + 1
      // The text that follows a field's tag may be needed to know it.
      guard text.count - at >= 4 else { return nil }
      let next = text[at...]
      if next.first == UInt8(ascii: "{") { return at }
      if next.first == UInt8(ascii: "-"), next[at + 1] <= 0x20 || next[at + 1] == 0x7D { return at }
      guard next.first == UInt8(ascii: ":"), next[at + 1] &- 0x30 < 10 else { continue }
      if !next.starts(with: ":86".utf8) { return at }
    }
    return nil
  }

  /// What a field says: whose account it is, a balance, an entry, or nothing.
  mutating func part(
    _ piece: UnsafeRawBufferPointer
  ) throws(RecordDiagnostic) -> [StatementPart] {
    // Banks write Latin letters of one byte.
    let isUTF8 = firstMalformedUTF8(piece) == nil
    let text =
      isUTF8
      ? String(decoding: piece, as: UTF8.self)
      : String(String.UnicodeScalarView(piece.map { Unicode.Scalar($0) }))
    let lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    guard let first = lines.first else { return [.nothing] }
    if first.hasPrefix(":60") {
      let opening = try balance(first)
      currency = opening.amount.currency
      isWhole = false
      return [.opening(opening)]
    }
    if first.hasPrefix(":62") {
      isWhole = true
      return [.closing(try balance(first))]
    }
    if first.hasPrefix(":25") {
      return [.account(String(first.dropFirst().drop { $0 != ":" }.dropFirst()))]
    }
    guard first.hasPrefix(":61:") else { return [.nothing] }
    guard let currency else {
      throw RecordDiagnostic(
        nil, "currency", "@statement.entry-before-opening",
        help: "@statement.download-from-the-bank")
    }
    return [.entries([try entry(lines, currency)])]
  }

  /// The amount and day of `:60F:C070903EUR766656,49`.
  private func balance(_ line: Substring) throws(RecordDiagnostic) -> StatementBalance {
    let value = line.dropFirst().drop { $0 != ":" }.dropFirst()
    guard value.count > 10, let currency = Currency(String(value.dropFirst(7).prefix(3))) else {
      throw malformed(line)
    }
    let amount = try statementAmount(
      String(value.dropFirst(10)), isCredit: value.first == "C")
    return StatementBalance(
      amount: Money(micros: amount, currency), day: day(value.dropFirst().prefix(6)))
  }

  /// The entry that `:61:0709070904CR50990,05NTRFNONREF//0724710333343453` and the lines below it
  /// tell: value day, day of booking, sign, amount, and what the bank calls it.
  private func entry(
    _ lines: [Substring], _ currency: Currency
  ) throws(RecordDiagnostic) -> StatementEntry {
    var rest = lines[0].dropFirst(4)
    guard let valueDay = day(rest.prefix(6)) else { throw malformed(lines[0]) }
    rest = rest.dropFirst(6)
    var booked = valueDay
    if rest.prefix(4).count == 4, rest.prefix(4).allSatisfy(\.isNumber) {
      booked = nearest(rest.prefix(4), to: valueDay) ?? valueDay
      rest = rest.dropFirst(4)
    }
    // Some banks write blanks for a day of booking that they leave out.
    rest = rest.drop { $0 == " " }
    let isReversal = rest.first == "R"
    if isReversal { rest = rest.dropFirst() }
    guard let sign = rest.first, sign == "C" || sign == "D" else { throw malformed(lines[0]) }
    rest = rest.dropFirst()
    // The third letter of the currency may follow.
    if rest.first?.isLetter ?? false { rest = rest.dropFirst() }
    let digits = rest.prefix { $0.isNumber || $0 == "," }
    let amount = try statementAmount(String(digits), isCredit: (sign == "C") != isReversal)
    let own = String(rest.dropFirst(digits.count + 4))
    let details = SwiftDetails(lines.dropFirst(), own: own)
    return StatementEntry(
      day: booked, amount: amount, currency: currency, reference: details.purpose,
      valueDay: valueDay, payer: details.payer, isReversal: isReversal)
  }

  /// The day `YYMMDD`; of banks that reckon with months of thirty days `230230` is the last of
  /// February. Nil for none.
  private func day(_ text: Substring) -> Day? {
    guard text.count == 6, let number = Int(text) else { return nil }
    let (year, month, day) = (2000 + number / 10_000, number / 100 % 100, number % 100)
    guard (1...12).contains(month), day <= 30 else {
      return Day(year: year, month: month, day: day)
    }
    return Day(year: year, month: month, day: min(day, Day.length(ofMonth: month, year: year)))
  }

  /// The day `MMDD` of the year in which it is nearest to `day`; nil for none.
  private func nearest(_ text: Substring, to day: Day) -> Day? {
    guard let number = Int(text) else { return nil }
    let year = day.parts.year
    return [year - 1, year, year + 1]
      .compactMap { Day(year: $0, month: number / 100, day: number % 100) }
      .min { abs($0.distance(to: day)) < abs($1.distance(to: day)) }
  }

  /// What is wrong with a field that is not as SWIFT writes it.
  private func malformed(_ line: Substring) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "value", "@statement.field-is-not-as-swift-writes \(String(line.prefix(60)))",
      help: "@statement.download-from-the-bank")
  }
}
