import Billing

/// The one place where a decimal becomes a binary number: a spreadsheet knows no other.
enum CellNumber {
  /// The binary number that prints back as the same decimal text as micro-units; nil when there is
  /// none, which is so for some amounts of more than 15 digits.
  static func binary(micros: Int64) -> Double? {
    // A decimal of up to 15 digits always comes back, and a division of two exact numbers is the
    // number nearest to it.
    if micros.magnitude < 1_000_000_000_000_000 { return Double(micros) / 1_000_000 }
    return binary(text: decimalText(micros: micros))
  }

  /// The number nearest to a fraction: what a spreadsheet gets when it divides.
  static func binary(_ value: Fraction) -> Double? {
    Double(value.numerator) / Double(value.denominator)
  }

  /// The binary number that prints back as this integer; nil where none does.
  static func binary(integer: Int64) -> Double? {
    integer.magnitude < 1_000_000_000_000_000 ? Double(integer) : binary(text: String(integer))
  }

  /// The binary number that prints back as this decimal text; nil where none does.
  private static func binary(text: String) -> Double? {
    guard let number = Double(text), number.isFinite, plain(number.description) == text else {
      return nil
    }
    return number
  }

  /// The shortest decimal that names a number, without exponent and trailing zeros.
  ///
  /// - Parameter description: what Swift prints for the number, which may have an exponent.
  private static func plain(_ description: String) -> String {
    let parts = description.split(separator: "e")
    var digits = String(parts[0])
    if digits.hasSuffix(".0") { digits.removeLast(2) }
    guard parts.count == 2, let exponent = Int(parts[1]) else { return digits }
    let sign = digits.hasPrefix("-") ? "-" : ""
    let mantissa = digits.drop { $0 == "-" }.split(separator: ".")
    let fraction = mantissa.count == 2 ? String(mantissa[1]) : ""
    let all = String(mantissa[0]) + fraction
    if exponent < 0 {
      return "\(sign)0." + String(repeating: "0", count: -exponent - 1) + all
    }
    let zeros = exponent - fraction.count
    // A mantissa with more digits than the exponent would have been printed without one.
    return zeros < 0 ? description : sign + all + String(repeating: "0", count: zeros)
  }
}

extension Cell {
  /// The number a spreadsheet gets; nil for text, and where it would not be the same number.
  var binary: Double? {
    switch self {
    case .integer(let value), .ordinal(let value): CellNumber.binary(integer: value)
    case .money(let micros, _), .ratio(let micros), .rate(let micros):
      CellNumber.binary(micros: micros)
    // A spreadsheet counts days from 1899-12-30.
    case .day(let day): CellNumber.binary(integer: Int64(day.number) + 25_569)
    case .quotient(let value, _), .share(let value), .exchange(let value):
      CellNumber.binary(value)
    case .formula(_, let value): value.binary
    case .blank, .text, .link: nil
    }
  }

  /// The cell's value as text: what stands where a number would not be exact.
  var exactText: String {
    switch self {
    case .blank: ""
    case .text(let text), .link(_, let text): text
    case .integer(let value), .ordinal(let value): String(value)
    case .money(let micros, let currency): Money(micros: micros, currency).text
    case .ratio(let micros), .rate(let micros): decimalText(micros: micros)
    case .day(let day): day.description
    case .quotient(let value, let places): value.text(places: places)
    case .share(let value): value.text(places: 6)
    case .exchange(let value): value.rateText
    case .formula(_, let value): value.exactText
    }
  }
}
