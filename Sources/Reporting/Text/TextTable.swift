package import Billing
import Languages

/// Lines of text in columns: words to the left, numbers to the right.
package struct TextTable {
  let isNumber: [Bool]
  /// What the columns are called; nil where nothing is said of them.
  private(set) var names: [String]?
  private(set) var rows: [[String]] = []

  /// An empty table.
  ///
  /// - Parameter columns: `l` for words, `r` for numbers, one letter per column.
  package init(_ columns: String) { isNumber = columns.map { $0 == "r" } }

  /// Adds a line, one text for each column.
  package mutating func add(_ cells: String...) { add(cells: cells) }

  /// Adds a line of words for a reader.
  package mutating func add(words: Wording...) { add(cells: words.map(say)) }

  /// Gives the columns names, which stand in the line above the others.
  package mutating func name(columns: Wording...) { name(columns: columns.map(say)) }

  /// Gives the columns names, one text for each.
  package mutating func name(columns: [String]) {
    precondition(columns.count == isNumber.count)
    names = columns.map(oneLine)
  }

  /// Adds a line, one text for each column.
  package mutating func add(cells: [String]) {
    precondition(cells.count == isNumber.count)
    rows.append(cells.map(oneLine))
  }

  var isEmpty: Bool { names == nil && rows.isEmpty }

  /// The line of the columns' names, where they have any, and the others.
  var lines: [[String]] { (names.map { [$0] } ?? []) + rows }

  /// The lines as text, indented by two spaces, without spaces at their ends. Where they are wider
  /// than the reader's terminal, the columns that have no room stand below the others, beside the
  /// first ones again: nothing is left out.
  package var text: String { TextLayout(self, columns: ReaderWidth.columns).text }

  /// The same lines, without line feeds.
  package var textLines: [String] { text.split(separator: "\n").map(String.init) }
}
