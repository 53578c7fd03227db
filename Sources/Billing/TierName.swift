/// The one name that a tier has, however Apple's lists and a company's tables spell it.
///
/// Tiers are numbers, `5`: also `05`, `Tier 5`, `tier_5`, `等级 5`; free is `0`. The alternate ones
/// are `Alternate Tier A`, `B` and `1` to `5`: also `A`, `Tier A`, `Alt 1`, `备用等级 1`, and the
/// numbers that Apple's own interface has for them, 510 to 590. Everything else, as a price point
/// `10016` or a company's own word, is its own name, without blanks around it.
package func tierName(_ written: String) -> String {
  if isPlainTier(written) { return written }
  let words = tierWords(written)
  let isAlternate = words.contains { alternateWords.contains($0) }
  let rest = words.filter { !alternateWords.contains($0) && !fillWords.contains($0) }
  guard let word = rest.first, rest.count == 1 else { return trimmedName(written) }
  switch word {
  case "a", "b": return "Alternate Tier \(word.uppercased())"
  case "free" where !isAlternate, "免费" where !isAlternate: return "0"
  default: break
  }
  guard let number = plainNumber(word), number < 1000 else { return trimmedName(written) }
  if isAlternate {
    return (1...5).contains(number) ? "Alternate Tier \(number)" : trimmedName(written)
  }
  return alternateStems[number].map { "Alternate Tier \($0)" } ?? String(number)
}

private let alternateWords: Set<String> = ["alternate", "alt", "备用", "备用等级", "备选", "备选等级"]
private let fillWords: Set<String> = ["tier", "等级"]
/// The numbers of the alternate tiers in Apple's own interface.
private let alternateStems = [
  510: "A", 530: "B", 550: "1", 560: "2", 570: "3", 580: "4", 590: "5",
]

/// Whether a text is digits alone that are the tier's name as they stand, as nearly all are.
private func isPlainTier(_ text: String) -> Bool {
  guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
  guard let number = Int(text) else { return !text.isEmpty }
  return alternateStems[number] == nil && String(number) == text
}

/// The runs of digits, of Latin letters and of other letters in a text, in lower case; none where
/// it holds a sign that stands in no spelling of Apple's tiers.
private func tierWords(_ text: String) -> [String] {
  var words: [String] = []
  var wasDigit: Bool?
  for character in text.lowercased() {
    let isDigit = character.isASCII && character.isNumber
    guard isDigit || character.isLetter else {
      let isGap = character.isWhitespace || "_-.".contains(character)
      // What holds anything else is no spelling of Apple's tiers.
      if !isGap { return [] }
      wasDigit = nil
      continue
    }
    let follows = wasDigit == isDigit && words.last?.last?.isASCII == character.isASCII
    if follows {
      words[words.count - 1].append(character)
    } else {
      words.append(String(character))
    }
    wasDigit = isDigit
  }
  return words
}

/// The text without blanks at its ends.
private func trimmedName(_ text: String) -> String {
  String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
}
