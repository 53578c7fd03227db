import Billing

/// A part of an amount, rounded half up to the currency's minor unit.
///
/// - Parameters:
///   - share: millionths.
///   - amount: micro-units, not negative.
func portion(_ share: Int64, of amount: Int64, _ currency: Currency?) -> Int64 {
  if share == 1_000_000 { return amount }
  let unit = Int128(currency?.minorUnit ?? 10_000)
  let exact = Int128(amount) * Int128(share)
  return Int64((exact + unit * 500_000) / (unit * 1_000_000) * unit)
}
