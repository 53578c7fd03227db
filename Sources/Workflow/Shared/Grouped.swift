package import Billing

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

/// `1 file`, or what `many` makes of the count's text.
package func counted(
  _ count: some BinaryInteger, _ one: Wording, _ many: (String) -> Wording
) -> Wording {
  count == 1 ? one : many(grouped(count))
}

func files(_ count: Int) -> Wording { counted(count, "1 file") { "\($0) files" } }
func rows(_ count: Int) -> Wording { counted(count, "1 row") { "\($0) rows" } }
func badRows(_ count: Int) -> Wording { counted(count, "1 bad row") { "\($0) bad rows" } }
func days(_ count: Int) -> Wording { counted(count, "1 day") { "\($0) days" } }
package func errors(_ count: Int) -> Wording { counted(count, "1 error") { "\($0) errors" } }

/// Decimal text with its thousands apart: `1,234.50`.
func groupedDecimal(_ text: String) -> String {
  let parts = text.split(separator: ".", maxSplits: 1)
  guard let whole = Int64(parts[0]) else { return text }
  let sign = whole == 0 && text.hasPrefix("-") ? "-" : ""
  return sign + grouped(whole) + (parts.count == 2 ? "." + parts[1] : "")
}
