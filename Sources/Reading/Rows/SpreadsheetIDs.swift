internal import Billing

/// An id without what spreadsheets and web pages leave around it: `="…"` and an apostrophe before
/// it, which keep it text, a pair of apostrophes, and blanks of any width.
@inline(__always)
func bareID(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  let bytes = trimmed(bytes)
  guard let first = bytes.first else { return bytes }
  // Nearly all ids begin and end with a letter or a digit of ASCII.
  let isPlain = first < 0x80 && bytes[bytes.count &- 1] < 0x80 && first != 0x27 && first != 0x3D
  return isPlain ? bytes : bared(bytes)
}

/// What ``bareID(_:)`` returns, where something may stand around the id.
@inline(never)
private func bared(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var rest = bytes
  while let first = rest.first {
    var (low, high) = (0, rest.count)
    if first == 0x3D, rest.count > 2, rest[1] == 0x22, rest[rest.count - 1] == 0x22 {
      (low, high) = (2, max(2, rest.count - 1))
    } else if first == 0x27, rest.count > 1 {
      (low, high) = (1, rest.count - (rest.count > 2 && rest[rest.count - 1] == 0x27 ? 1 : 0))
    } else {
      for blank in wideBlanks where rest.starts(with: blank) { low = blank.count }
      for blank in wideBlanks where rest.reversed().starts(with: blank.reversed()) {
        high = max(low, rest.count - blank.count)
      }
    }
    if low == 0, high == rest.count { break }
    rest = trimmed(UnsafeRawBufferPointer(rebasing: rest[low..<high]))
  }
  return rest
}

/// Blanks beyond ASCII in UTF-8, those without width among them.
private let wideBlanks: [[UInt8]] = [
  0xA0, 0x2007, 0x2009, 0x200A, 0x200B, 0x200E, 0x200F, 0x202A, 0x202C, 0x202D, 0x202F, 0x2060,
  0x3000, 0xFEFF,
].map { Array(String(Unicode.Scalar($0 as UInt16)!).utf8) }

/// Finds out whether a spreadsheet has rounded a column of ids: of a number it keeps 15 digits and
/// writes 0 for the others, so that several ids become one.
struct RoundedIDs {
  private struct Column {
    let field: Int
    let name: String
    /// Ids of more than 15 digits, by their hashes, as far as they are few.
    var ids: Set<Int> = []
  }

  /// Columns in which no id shows that it was not rounded.
  private var open: [Column]
  /// Different ids of which all ending in 0 is no chance.
  private static let least = 20

  /// - Parameter fields: per column of the table, the field of each record, or −1.
  init(_ table: CompanyTable, _ fields: [Int]) {
    open = zip(table.columns, fields).filter { column, field in
      field >= 0 && column.form == .code && column.name.hasSuffix("_id")
    }.map { Column(field: $1, name: $0.name) }
  }

  /// Takes the ids of a record into account.
  @inline(__always)
  mutating func look(at record: Record) {
    for index in open.indices.reversed() where record[open[index].field].count > 15 {
      note(trimmed(record[open[index].field]), index)
    }
  }

  /// Notes an id of a column, which is looked at no further once one of them has a digit behind the
  /// fifteenth, or is no number.
  @inline(never)
  private mutating func note(_ id: UnsafeRawBufferPointer, _ index: Int) {
    guard id.count > 15 else { return }
    guard id.prefix(15).allSatisfy({ $0 &- 0x30 < 10 }),
      id.dropFirst(15).allSatisfy({ $0 == 0x30 })
    else {
      open.remove(at: index)
      return
    }
    if open[index].ids.count < Self.least {
      open[index].ids.insert(String(decoding: id, as: UTF8.self).hashValue)
    }
  }

  /// Warns of columns that were rounded.
  ///
  /// - Throws: a diagnostic where they are Apple's transactions, each of which is one purchase.
  func check(_ log: ReadingLog) throws {
    for column in open where column.ids.count >= Self.least {
      let message: Wording = "@row.long-ids-all-end-in-0 \(column.name)"
      let help: Wording = "@row.spreadsheet-keeps-15-digits"
      guard column.name.hasSuffix("transaction_id") else {
        log.warn("id", message, help: help)
        continue
      }
      throw Diagnostic(topic: "id", at: SourceLocation(file: log.file), message, help: help)
    }
  }
}
