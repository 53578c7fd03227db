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

  /// Measures a table's columns.
  ///
  /// - Parameter columns: what a line may take up on the screen; nil for as much as it needs.
  init(_ table: TextTable, columns: Int?) {
    self.table = table
    self.columns = columns
    let lines = table.lines
    widths = table.isNumber.indices.map { column in
      lines.map { displayWidth($0[column]) }.max() ?? 0
    }
  }

  /// The table as text. Where a line has no room for all columns, those of words are narrowed;
  /// where that is not enough, columns stand in bands below one another, each beside the first
  /// columns again.
  var text: String {
    let all = Array(widths.indices)
    guard let columns, totalWidth(of: all) > columns else { return text(of: all, heads: []) }
    var narrow = self
    if narrow.narrow(all, to: columns, keeping: wordWidths) {
      return narrow.text(of: all, heads: [])
    }
    let heads = heads(columns)
    return bands(beside: heads, columns).map { band in
      var layout = self
      _ = layout.narrow(heads, to: columns / 2, keeping: [])
      _ = layout.narrow(band, to: columns - layout.totalWidth(of: heads), keeping: [])
      return layout.text(of: heads + band, heads: heads)
    }.joined()
  }

  /// How wide the longest word of each column is.
  private var wordWidths: [Int] {
    let lines = table.lines
    return widths.indices.map { column in
      lines.flatMap { wrapped($0[column], columns: 1).map(displayWidth) }.max() ?? 0
    }
  }

  /// How many columns of the screen these columns take up, with the gaps before them.
  private func totalWidth(of columns: [Int]) -> Int {
    columns.reduce(0) { $0 + Self.gap + widths[$1] }
  }

  /// Narrows columns of words, the widest first, until the columns fit into a line; false where
  /// they cannot become so narrow.
  ///
  /// - Parameters:
  ///   - room: how many columns of the screen there are.
  ///   - words: the longest word of each column of the table, which is not divided; empty where
  ///     words may be.
  private mutating func narrow(_ columns: [Int], to room: Int, keeping words: [Int]) -> Bool {
    var excess = totalWidth(of: columns) - room
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

  /// The indices of the columns that tell the rows apart: those of words before the first number,
  /// as far as half of a line has room for them; where a number comes first, it and the words
  /// beside it.
  private func heads(_ lineWidth: Int) -> [Int] {
    let isNumber = table.isNumber
    let end = isNumber.indices.first { $0 > 0 && isNumber[$0] } ?? 1
    var heads = Array(0..<min(end, isNumber.count))
    var layout = self
    while heads.count > 1, !layout.narrow(heads, to: lineWidth / 2, keeping: []) {
      heads.removeLast()
      layout = self
    }
    return heads
  }

  /// The indices of the columns that are no heads, in groups that have room in a line beside the
  /// heads: what has no name of its own, as a unit has none, stays with the column before it.
  ///
  /// - Parameters:
  ///   - heads: the indices of the columns that tell rows apart, which each group repeats.
  ///   - lineWidth: in columns of the screen.
  private func bands(beside heads: [Int], _ lineWidth: Int) -> [[Int]] {
    var layout = self
    _ = layout.narrow(heads, to: lineWidth / 2, keeping: [])
    let room = lineWidth - layout.totalWidth(of: heads)
    var groups: [[Int]] = []
    for column in heads.count..<widths.count {
      let isUnit = table.names.map(\.[column].isEmpty) ?? !table.isNumber[column]
      if isUnit, let last = groups.last, totalWidth(of: last + [column]) <= room {
        groups[groups.count - 1].append(column)
      } else {
        groups.append([column])
      }
    }
    var bands: [[Int]] = []
    for group in groups {
      if let last = bands.last, totalWidth(of: last + group) <= room {
        bands[bands.count - 1] += group
      } else {
        bands.append(group)
      }
    }
    return bands.isEmpty ? [[]] : bands
  }

  /// The names and rows of these columns as lines. Rows that say nothing in those beside the heads
  /// are left out.
  private func text(of columns: [Int], heads: [Int]) -> String {
    var lines = table.names.map { self.lines(of: $0, columns) } ?? []
    for row in rowsWithText(in: columns, heads: heads) { lines += self.lines(of: row, columns) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The rows that have a text in these columns beside the heads. One without a head goes on from
  /// that above it, and stands or is left out with it.
  private func rowsWithText(in columns: [Int], heads: [Int]) -> [[String]] {
    if heads.isEmpty { return table.rows }
    var rowGroups: [[[String]]] = []
    for row in table.rows {
      let isNew = heads.contains { !row[$0].isEmpty }
      if isNew || rowGroups.isEmpty {
        rowGroups.append([row])
      } else {
        rowGroups[rowGroups.count - 1].append(row)
      }
    }
    let values = columns.filter { !heads.contains($0) }
    let others = widths.indices.filter { !heads.contains($0) }
    /// Whether a row has a text in one of these columns.
    func hasText(_ row: [String], _ columns: [Int]) -> Bool {
      columns.contains { !row[$0].isEmpty }
    }
    return rowGroups.flatMap { rows -> ArraySlice<[String]> in
      if let last = rows.lastIndex(where: { hasText($0, values) }) { return rows[...last] }
      return rows.contains { hasText($0, others) } ? [] : rows[...]
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

  /// A text as lines of a width, broken between words, and within one that is a line of its own and
  /// still too long.
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
