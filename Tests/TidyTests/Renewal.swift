import Foundation

/// A translation whose English text was mended a little, and stands in the table by the old one.
struct Renewal: Hashable {
  var old: String
  var new: String

  /// Whether the words are the same: what changed is punctuation, spacing or case, so that the old
  /// translation still says what the text says. A "not" more would turn it.
  var keepsWords: Bool { Self.words(old) == Self.words(new) }

  private static func words(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The texts that took the places of others: nearest to one old text alone, with the same values
  /// in it, and different in a fifth of their letters at most.
  ///
  /// - Parameters:
  ///   - missing: texts without a translation.
  ///   - orphans: translated texts that no source has any more.
  static func all(missing: Set<String>, orphans: Set<String>) -> [Renewal] {
    let found = missing.compactMap { new -> Renewal? in
      let near = orphans.filter { places($0) == places(new) }.compactMap { old in
        distance(old, new).map { (old, $0) }
      }
      guard let least = near.map(\.1).min(), case let nearest = near.filter({ $0.1 == least }),
        nearest.count == 1
      else { return nil }
      return Renewal(old: nearest[0].0, new: new)
    }
    // One translation is for one text.
    let taken = Dictionary(grouping: found, by: \.old)
    return found.filter { taken[$0.old]?.count == 1 }.sorted { $0.new < $1.new }
  }

  private static func places(_ text: String) -> [String] {
    text.matches(of: #/\{\d+\}/#).map { String($0.output) }.sorted()
  }

  /// Letters to take out, put in or change; nil where that is more than a fifth of them.
  private static func distance(_ left: String, _ right: String) -> Int? {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    let most = max(left.count, right.count, 5) / 5
    if abs(left.count - right.count) > most { return nil }
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var corner = row[0]
      row[0] = place + 1
      for (other, own) in right.enumerated() {
        let changed = corner + (letter == own ? 0 : 1)
        corner = row[other + 1]
        row[other + 1] = min(changed, row[other] + 1, corner + 1)
      }
    }
    return row[right.count] <= most ? row[right.count] : nil
  }
}
