package import Billing
import Languages

/// Lines of text in columns: words to the left, numbers to the right.
package struct TextTable {
  private let isNumber: [Bool]
  private var lines: [[String]] = []

  /// - Parameter columns: `l` for words, `r` for numbers, one letter per column.
  package init(_ columns: String) { isNumber = columns.map { $0 == "r" } }

  package mutating func add(_ cells: String...) { add(cells: cells) }

  /// A line of words for a reader, such as the names of the columns.
  package mutating func add(words: Wording...) { add(cells: words.map(say)) }

  package mutating func add(cells: [String]) {
    precondition(cells.count == isNumber.count)
    lines.append(cells.map(oneLine))
  }

  /// The lines, indented by two spaces, without spaces at their ends.
  package var text: String {
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
