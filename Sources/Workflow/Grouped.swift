/// A count with its thousands apart: `1,234,567`.
package func grouped(_ count: some BinaryInteger) -> String {
  let digits = String(count.magnitude)
  var text = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return count < 0 ? "-" + text : text
}

/// `1 file`, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Decimal text with its thousands apart: `1,234.50`.
func groupedDecimal(_ text: String) -> String {
  let parts = text.split(separator: ".", maxSplits: 1)
  guard let whole = Int64(parts[0]) else { return text }
  let sign = whole == 0 && text.hasPrefix("-") ? "-" : ""
  return sign + grouped(whole) + (parts.count == 2 ? "." + parts[1] : "")
}
