import Languages

/// Where the cells of a table of text stand.
struct TextLayout {
  /// What a column of words keeps when it is narrowed, where its cells have as much.
  private static let narrowest = 16
  /// Words of up to this width are not divided for as long as there is another way.
  private static let longestWord = 30
  /// Spaces before each column.
  private static let gap = 2

  private let table: TextTable
  private let columns: Int?
  private var widths: [Int]

  /// - Parameter columns: what a line may take up; nil for as much as it needs.
  init(_ table: TextTable, columns: Int?) {
    self.table = table
    self.columns = columns
    let lines = table.lines
    widths = table.isNumber.indices.map { column in
      lines.map { displayWidth($0[column]) }.max() ?? 0
    }
  }

  var text: String {
    let all = Array(widths.indices)
    guard let columns, taken(by: all) > columns else { return text(of: all, heads: []) }
    var narrow = self
    if narrow.narrow(all, to: columns, keeping: wordWidths) {
      return narrow.text(of: all, heads: [])
    }
    let heads = heads(columns)
    return bands(beside: heads, columns).map { band in
      var layout = self
      _ = layout.narrow(heads, to: columns / 2, keeping: [])
      _ = layout.narrow(band, to: columns - layout.taken(by: heads), keeping: [])
      return layout.text(of: heads + band, heads: heads)
    }.joined()
  }

  /// The longest word of each column.
  private var wordWidths: [Int] {
    let lines = table.lines
    return widths.indices.map { column in
      lines.flatMap { wrapped($0[column], columns: 1).map(displayWidth) }.max() ?? 0
    }
  }

  private func taken(by columns: [Int]) -> Int {
    columns.reduce(0) { $0 + Self.gap + widths[$1] }
  }

  /// Takes from the columns of words, the widest first, what the columns lack; false where they
  /// have not as much.
  private mutating func narrow(_ columns: [Int], to room: Int, keeping words: [Int]) -> Bool {
    var excess = taken(by: columns) - room
    while excess > 0 {
      let narrowed = columns.filter { column in
        let word = words.isEmpty ? 0 : min(words[column], Self.longestWord)
        return !table.isNumber[column] && widths[column] > max(Self.narrowest, word)
      }
      guard let widest = narrowed.max(by: { widths[$0] < widths[$1] }) else { return false }
      widths[widest] -= 1
      excess -= 1
    }
    return true
  }

  /// The columns that tell the rows apart: those of words before the first number, as far as half
  /// of a line has room for them; where a number comes first, it and the words beside it.
  private func heads(_ columns: Int) -> [Int] {
    let isNumber = table.isNumber
    let end = isNumber.indices.first { $0 > 0 && isNumber[$0] } ?? 1
    var heads = Array(0..<min(end, isNumber.count))
    var layout = self
    while heads.count > 1, !layout.narrow(heads, to: columns / 2, keeping: []) {
      heads.removeLast()
      layout = self
    }
    return heads
  }

  /// The other columns by what has room beside the heads: what has no name of its own, as a unit
  /// has none, stays with the column before it.
  private func bands(beside heads: [Int], _ columns: Int) -> [[Int]] {
    var layout = self
    _ = layout.narrow(heads, to: columns / 2, keeping: [])
    let room = columns - layout.taken(by: heads)
    var groups: [[Int]] = []
    for column in heads.count..<widths.count {
      let isUnit = table.names.map(\.[column].isEmpty) ?? !table.isNumber[column]
      if isUnit, let last = groups.last, taken(by: last + [column]) <= room {
        groups[groups.count - 1].append(column)
      } else {
        groups.append([column])
      }
    }
    var bands: [[Int]] = []
    for group in groups {
      if let last = bands.last, taken(by: last + group) <= room {
        bands[bands.count - 1] += group
      } else {
        bands.append(group)
      }
    }
    return bands.isEmpty ? [[]] : bands
  }

  private func text(of columns: [Int], heads: [Int]) -> String {
    var lines = table.names.map { self.lines(of: $0, columns) } ?? []
    for row in said(in: columns, heads: heads) { lines += self.lines(of: row, columns) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The rows that say something in these columns. One without a head goes on from that above it,
  /// and stands or is left out with it.
  private func said(in columns: [Int], heads: [Int]) -> [[String]] {
    if heads.isEmpty { return table.rows }
    var entries: [[[String]]] = []
    for row in table.rows {
      let isNew = heads.contains { !row[$0].isEmpty }
      if isNew || entries.isEmpty {
        entries.append([row])
      } else {
        entries[entries.count - 1].append(row)
      }
    }
    let values = columns.filter { !heads.contains($0) }
    let others = widths.indices.filter { !heads.contains($0) }
    func says(_ row: [String], _ columns: [Int]) -> Bool {
      columns.contains { !row[$0].isEmpty }
    }
    return entries.flatMap { rows -> ArraySlice<[String]> in
      if let last = rows.lastIndex(where: { says($0, values) }) { return rows[...last] }
      return rows.contains { says($0, others) } ? [] : rows[...]
    }
  }

  /// A row in as many lines as its longest cell of words needs.
  private func lines(of row: [String], _ columns: [Int]) -> [String] {
    let cells = columns.map { column in
      displayWidth(row[column]) <= widths[column]
        ? [row[column]] : cut(row[column], columns: widths[column])
    }
    return (0..<(cells.map(\.count).max() ?? 0)).map { number in
      var line = ""
      for (column, lines) in zip(columns, cells) {
        let cell = number < lines.count ? lines[number] : ""
        let gap = String(repeating: " ", count: max(0, widths[column] - displayWidth(cell)))
        line += String(repeating: " ", count: Self.gap)
        line += table.isNumber[column] ? gap + cell : cell + gap
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Broken between words, and within one that is a line of its own and still too long.
  private func cut(_ text: String, columns: Int) -> [String] {
    wrapped(text, columns: columns).flatMap { line -> [String] in
      var lines = [""]
      var width = 0
      for character in line {
        let own = displayWidth(String(character))
        if width > 0, width + own > columns {
          lines.append("")
          width = 0
        }
        lines[lines.count - 1].append(character)
        width += own
      }
      return lines
    }
  }
}
