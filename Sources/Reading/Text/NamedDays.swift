internal import Billing

/// The day that a text names by its month's name, which has one meaning in any order: `03 Aug
/// 2023`, `Aug 3, 2023`, `3-Dez-23`; also `2023年8月3日` and `20230803`. Nil for any other.
func namedDay(_ bytes: UnsafeRawBufferPointer) -> Day? {
  guard (8...24).contains(bytes.count) else { return nil }
  if bytes.count == 8, let year = digits(bytes, 0..<4), let month = digits(bytes, 4..<6),
    let day = digits(bytes, 6..<8)
  {
    return Day(year: year, month: month, day: day)
  }
  guard bytes.contains(where: { $0 | 0x20 > 0x60 }) else { return nil }
  let text = String(decoding: bytes, as: UTF8.self).lowercased()
  if text.hasSuffix("日") {
    let parts = text.dropLast().split { $0 == "年" || $0 == "月" }.map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
      return nil
    }
    return Day(year: year, month: month, day: day)
  }
  let parts = text.split { " -/.,".contains($0) }
  guard parts.count == 3, let monthPart = parts[..<2].firstIndex(where: { monthNamed($0) != nil }),
    let month = monthNamed(parts[monthPart]), let day = Int(parts[1 - monthPart]),
    let year = Int(parts[2]),
    parts[2].count == 4 || parts[2].count == 2
  else { return nil }
  return Day(year: year < 100 ? 2000 + year : year, month: month, day: day)
}

/// The number (1...12) of a month by its name or what a bank cuts that to, in the languages of
/// western Europe; nil for any other word.
private func monthNamed(_ name: Substring) -> Int? {
  guard name.count >= 3, name.allSatisfy(\.isLetter) else { return nil }
  let plain = name.replacing("é", with: "e").replacing("û", with: "u").replacing("ä", with: "a")
    .replacing("ç", with: "c")
  let names: [[String]] = [
    ["jan", "ene", "gen"], ["feb", "fev"], ["mar", "mrt", "maa"], ["apr", "avr", "abr"],
    ["may", "mai", "mei", "maj", "mag"], ["jun", "juin", "giu"], ["jul", "juil", "lug"],
    ["aug", "aou", "ago"], ["sep", "set"], ["oct", "okt", "ott", "out"], ["nov"],
    ["dec", "dez", "dic"],
  ]
  return names.firstIndex { $0.contains(where: plain.hasPrefix) }.map { $0 + 1 }
}
