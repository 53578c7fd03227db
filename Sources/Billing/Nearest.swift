/// The candidate that a misspelt `word` most likely means: the one with the fewest edits, when
/// these are at most a third of the word; on a tie the first.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(word.lowercased().utf8)
  var best: (edits: Int, candidate: String)?
  for candidate in candidates {
    let edits = editDistance(wanted, Array(candidate.lowercased().utf8))
    if edits < best?.edits ?? .max { best = (edits, candidate) }
  }
  guard let best, best.edits <= max(1, (wanted.count + 2) / 3) else { return nil }
  return best.candidate
}

/// How many insertions, deletions and replacements of bytes at least turn one text into the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var previous = Array(0...right.count)
  for (row, byte) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      let replaced = previous[column] + (byte == other ? 0 : 1)
      current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
    }
    previous = current
  }
  return previous[right.count]
}
