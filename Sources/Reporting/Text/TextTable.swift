package import Billing
import Languages

/// Lines of text in columns: words to the left, numbers to the right.
package struct TextTable {
  let isNumber: [Bool]
  /// What the columns are called; nil where nothing is said of them.
  private(set) var names: [String]?
  private(set) var rows: [[String]] = []

  /// - Parameter columns: `l` for words, `r` for numbers, one letter per column.
  package init(_ columns: String) { isNumber = columns.map { $0 == "r" } }

  package mutating func add(_ cells: String...) { add(cells: cells) }

  /// A line of words for a reader.
  package mutating func add(words: Wording...) { add(cells: words.map(say)) }

  /// The line above the others.
  package mutating func name(columns: Wording...) { name(columns: columns.map(say)) }

  mutating func name(columns: [String]) {
    precondition(columns.count == isNumber.count)
    names = columns.map(oneLine)
  }

  package mutating func add(cells: [String]) {
    precondition(cells.count == isNumber.count)
    rows.append(cells.map(oneLine))
  }

  var isEmpty: Bool { names == nil && rows.isEmpty }

  private var lines: [[String]] { (names.map { [$0] } ?? []) + rows }

  /// The lines, indented by two spaces, without spaces at their ends.
  package var text: String {
    let lines = lines
    let widths = isNumber.indices.map { column in
      lines.map { displayWidth($0[column]) }.max() ?? 0
    }
    return lines.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - displayWidth(cell))
        line += "  " + (isNumber[column] ? gap + cell : cell + gap)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
