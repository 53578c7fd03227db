import Billing

/// The one place where a decimal becomes a binary number: a spreadsheet knows no other.
enum CellNumber {
  /// The number that prints back as the same decimal text; nil when there is none, which is
  /// so for some amounts of more than 15 digits.
  static func binary(micros: Int64) -> Double? { binary(text: decimalText(micros: micros)) }

  static func binary(integer: Int64) -> Double? { binary(text: String(integer)) }

  private static func binary(text: String) -> Double? {
    guard let number = Double(text), number.isFinite, plain(number.description) == text else {
      return nil
    }
    return number
  }

  /// The shortest decimal that names a number, without exponent and trailing zeros.
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
