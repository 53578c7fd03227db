package import Billing
import Languages
import Reading
import Reporting

extension InputKind {
  /// The kinds of table that a company makes itself.
  package static var tablesOfCompanies: [InputKind] { companyTables }
}

/// The columns of a company's tables, for who has to export or fill in one.
package struct ColumnGuide: Sendable {
  private let kinds: [InputKind]

  package init(_ kinds: [InputKind]) { self.kinds = kinds }

  /// The guide for a person. A line per column: its name, whether it is required, what it means,
  /// and an example.
  package var text: String {
    kinds.map { kind in
      let columns = kind.columns
      let names = columns.map(\.name.count).max() ?? 0
      let needs = [say("@import.required"), say("@import.optional")]
      let width = needs.map(displayWidth).max() ?? 0
      var lines = [say("@import.has-these-columns-in-any \(kind.rawValue)")]
      for column in columns {
        let need = needs[column.isRequired ? 0 : 1]
        let head =
          "  " + padded(column.name, names) + "  " + padded(need, width) + "  "
        let meaning: Wording =
          column.example.isEmpty ? column.meaning : "\(column.meaning) (\(column.example))"
        let room = max(20, ReaderWidth.prose - displayWidth(head))
        let blank = String(repeating: " ", count: displayWidth(head))
        lines += wrapped(say(meaning), columns: room).enumerated()
          .map { ($0 == 0 ? head : blank) + $1 }
      }
      let note: Wording = "@import.times-are-iso-8601 \(kind.rawValue)"
      lines += wrapped(say(note), columns: ReaderWidth.prose - 2).map { "  " + $0 }
      return lines.map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The text with blanks up to a width in columns of the screen.
  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
  }

  /// The guide for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.objects("tables", of: kinds) { writer, kind in
        writer.string("kind", kind.rawValue)
        writer.objects("columns", of: kind.columns) { writer, column in
          writer.string("column", column.name)
          writer.bool("required", column.isRequired)
          writer.string("meaning", say(column.meaning))
          writer.string("example", column.example.isEmpty ? nil : column.example)
        }
      }
    }
  }
}

/// A table to fill in, as CSV: the line of column names, and where it is wanted a row as an
/// example.
package func tableTemplate(of kind: InputKind, hasExample: Bool) -> String {
  let columns = kind.columns
  let lines = [columns.map(\.name)] + (hasExample ? [columns.map(\.example)] : [])
  return lines.map { cells in
    cells.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"
  }.joined()
}
