/// Text as a workbook's XML can carry it: NUL, U+FFFE and U+FFFF are replaced, and
/// what a spreadsheet would read as an escape (`_x0041_`) stays what it is.
func carriable(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { $0 != 0 && $0 != 0x5F && $0 != 0xEF }
  if isPlain { return text }
  var result = ""
  result.unicodeScalars.reserveCapacity(text.utf8.count)
  let scalars = Array(text.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    switch scalar.value {
    case 0, 0xFFFE, 0xFFFF: result.unicodeScalars.append("\u{FFFD}")
    case 0x5F where startsEscape(scalars[index...]):
      result += "_x005F_"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Whether a text begins with `_xHHHH_`.
private func startsEscape(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
  let start = rest.startIndex
  guard rest.count >= 7, rest[start + 1] == "x", rest[start + 6] == "_" else { return false }
  return rest[(start + 2)..<(start + 6)].allSatisfy { $0.properties.isASCIIHexDigit }
}
