import Billing
import Languages

/// What a cell of a sheet holds, before any file format.
enum Cell: Hashable, Sendable {
  case blank
  /// Always text, whatever it starts with.
  case text(String)
  /// A count, with thousands separators.
  case integer(Int64)
  /// A number that names something: a line, a level.
  case ordinal(Int64)
  /// Micro-units; shown at the currency's minor digits, or at as many more as the amount needs.
  case money(Int64, Currency)
  /// Millionths, shown in per cent.
  case ratio(Int64)
  /// Millionths, shown with six places.
  case rate(Int64)
  /// Of one currency for another, shown with as many places as count.
  case exchange(Fraction)
  case day(Day)
  /// What a formula divides, which no decimal holds: shown with this many places.
  case quotient(Fraction, places: Int)
  /// The same, shown in per cent.
  case share(Fraction)
  /// A formula without its equals sign, and the value that it has.
  indirect case formula(String, Cell)
  /// Text that leads to another place of the workbook.
  case link(Place, String)

  /// A text; blank where there is none.
  static func text(ifAny text: String?) -> Cell {
    guard let text, !text.isEmpty else { return .blank }
    return .text(text)
  }

  /// A count, or nothing where there is none.
  static func integer(ifAny value: Int64?) -> Cell { value.map(Cell.integer) ?? .blank }

  static func money(_ amount: Money) -> Cell { .money(amount.micros, amount.currency) }
  /// An amount; blank where there is none.
  static func money(ifAny amount: Money?) -> Cell { amount.map { .money($0) } ?? .blank }

  /// An amount in micro-units; blank where there is none.
  static func money(ifAny micros: Int64?, _ currency: Currency?) -> Cell {
    guard let micros else { return .blank }
    // An amount of an unknown currency is shown as it is and added to nothing.
    guard let currency else { return .text(decimalText(micros: micros, minimumDigits: 2)) }
    return .money(micros, currency)
  }

  static func day(ifAny day: Day?) -> Cell { day.map(Cell.day) ?? .blank }
  /// Millionths, shown in per cent; blank where there are none.
  static func ratio(ifAny millionths: Int64?) -> Cell { millionths.map(Cell.ratio) ?? .blank }

  /// An exchange rate: what was quoted, or a formula of two quotes.
  static func quoted(_ rate: CurrencyRate) -> Cell {
    rate.isQuoted ? .exchange(rate.value) : .formula(rate.quotes, .exchange(rate.value))
  }

  /// An exchange rate; blank where there is none.
  static func quoted(ifAny rate: CurrencyRate?) -> Cell { rate.map { .quoted($0) } ?? .blank }

  /// The quotient of a part and its whole, shown in per cent, for the formula that divides them;
  /// nil where the whole is zero.
  static func share(_ part: Int64, of whole: Int64) -> Cell? {
    whole == 0 ? nil : .share(Fraction(Int128(part), over: Int128(whole)))
  }

  /// A text for a reader; blank where it is empty.
  static func words(_ wording: Wording) -> Cell { .text(ifAny: say(wording)) }

  /// `yes`, or blank where it is not so.
  static func mark(_ isSo: Bool) -> Cell { isSo ? .words("@shared.yes") : .blank }

  /// `yes` or `no`; blank where nobody knows.
  static func yesOrNo(_ isSo: Bool?) -> Cell {
    isSo.map { .words($0 ? "@shared.yes" : "@workbook.no") } ?? .blank
  }

  /// A link that shows the sheet and row that it leads to; blank where there is no place.
  static func link(ifAny place: Place?) -> Cell {
    guard let place else { return .blank }
    return .link(place, "\(place.sheet) \(place.row)")
  }

  /// Whether a number or a day stands here, which are aligned to the right.
  var isNumber: Bool {
    switch self {
    case .integer, .ordinal, .money, .ratio, .rate, .exchange, .day, .quotient, .share: true
    case .formula(_, let value): value.isNumber
    case .blank, .text, .link: false
    }
  }
}

/// A row of a sheet, numbered as the reader sees it, from 1.
struct Place: Hashable, Sendable {
  var sheet: String
  var row: Int

  /// The place as formulas and links write it: `'Day boundaries'!A3`.
  var reference: String { "\(quoted(sheet: sheet))!A\(row)" }
}

/// A sheet's name as formulas write it.
func quoted(sheet: String) -> String { "'\(sheet)'" }

/// A column's letters: 0 is A, 26 is AA.
func columnLetters(_ index: Int) -> String {
  precondition(index >= 0)
  var letters: [UInt8] = []
  var rest = index + 1
  while rest > 0 {
    letters.append(UInt8(0x41 + (rest - 1) % 26))
    rest = (rest - 1) / 26
  }
  return String(decoding: letters.reversed(), as: UTF8.self)
}

/// The columns of a table, called by their names; their raw values count from column A.
protocol SheetColumn: RawRepresentable where RawValue == Int {}

extension SheetColumn {
  /// The column's letters in formulas: A, AA.
  var letter: String { columnLetters(rawValue) }
}

/// Text cut to `limit` UTF-16 units, with a mark where something is missing.
func fitted(_ text: String, limit: Int = Limits.excel.cellUnits) -> String {
  // No text has more UTF-16 units than UTF-8 bytes.
  if text.utf8.count <= limit || text.utf16.count <= limit { return text }
  let mark = say("@workbook.cut")
  precondition(limit > mark.utf16.count)
  var kept = ""
  var left = limit - mark.utf16.count
  for character in text {
    let length = character.utf16.count
    if length > left { break }
    kept.append(character)
    left -= length
  }
  return kept + mark
}

/// Many ids as one cell's text: as many as fit are listed, `shown` at most, the rest is told as a
/// number.
///
/// - Parameter limit: the most UTF-16 units of the text.
func list(_ ids: [String], shown: Int = .max, limit: Int = Limits.excel.cellUnits) -> Cell {
  guard ids.count > 1 else { return .text(ifAny: ids.first) }
  if ids.count > shown {
    let text = ids.prefix(shown).joined(separator: ", ")
    let mark = say("@workbook.and-more \(ids.count - shown)")
    if text.utf16.count + mark.utf16.count <= limit { return .text(text + mark) }
  }
  let whole = ids.joined(separator: ", ")
  if whole.utf8.count <= limit || whole.utf16.count <= limit { return .text(whole) }
  var text = ""
  for (index, id) in ids.enumerated() {
    let mark = say("@workbook.and-more \(ids.count - index)")
    guard text.utf16.count + id.utf16.count + mark.utf16.count + 2 <= limit else {
      return .text(index == 0 ? fitted(id, limit: limit) : text + mark)
    }
    text += index == 0 ? id : ", \(id)"
  }
  return .text(text)
}
