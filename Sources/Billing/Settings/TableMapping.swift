/// How a company's own export is laid out and what its values mean, where it is not written as
/// Tieout's tables are: `[import.KIND]` in the configuration.
package struct TableMapping: Hashable, Sendable {
  /// What 1 in a column of amounts counts.
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case whole, cents, thousandths, millionths
    /// The smallest unit that ISO 4217 has for the row's currency, as payment services count: a
    /// cent, a whole yen.
    case minor

    /// Decimal places by which an amount moves; those of a currency that nobody knows for `minor`.
    package var places: Int {
      switch self {
      case .whole: 0
      case .cents, .minor: 2
      case .thousandths: 3
      case .millionths: 6
      }
    }
  }

  /// In which order a date's three numbers stand.
  package enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case ymd, dmy, mdy
  }

  package var kind: InputKind
  /// Where the configuration has it, for messages: `[import.orders]`.
  package var name: String
  /// Patterns of file names that it is for, with `*` and `?`; empty: every file that it fits.
  package var files: [String] = []
  /// The file's column by Tieout's.
  package var columns: [String: String] = [:]
  /// The value of a column that the file lacks or leaves blank.
  package var constants: [String: String] = [:]
  /// Where clocks show the times that have no offset.
  package var zone: Zone?
  package var dates = DateOrder.ymd
  /// By column, what the file writes for each word of Tieout's.
  package var words: [String: [String: [String]]] = [:]
  package var unit = Unit.whole
  /// The decimal mark, a point or a comma; the other one may then divide thousands.
  package var decimal: String?
  /// What may stand before or behind an amount, such as `¥`.
  package var signs: [String] = []
  /// What the file writes for nothing; nil for the words that databases and programs usually write.
  package var nulls: [String]?
  /// The encoding of files that are no UTF-8, by a name that iconv knows; only with `files`.
  package var encoding: String?
  /// The sheet of a workbook; nil for the first one.
  package var sheet: String?
  /// Lines above the line of column names.
  package var skipTop = 0
  /// The first row that begins with this text is not read, nor are those below it.
  package var stopAt: String?
  /// By column, of the file or of the table, the values of the rows that are read; a `*` is any
  /// text. Empty: all rows.
  package var kept: [String: [String]] = [:]
  /// The same of rows that are left out.
  package var skipped: [String: [String]] = [:]

  /// Kinds whose rows have times; all others have days at most.
  package static let timed: Set<InputKind> = [.orders, .transactions, .events, .coinMovements]

  /// What a reading by it depends on, as lines of a key and its value.
  package var basis: String {
    /// Lines `key=value`, ascending by key.
    func list(_ pairs: [String: String]) -> [String] {
      pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
    /// Lines `key=a|b`, ascending by key, each with its values sorted.
    func lists(_ pairs: [String: [String]]) -> [String] {
      list(pairs.mapValues { $0.sorted().joined(separator: "|") })
    }
    var lines = list(columns).map { "columns." + $0 } + list(constants).map { "constants." + $0 }
    if let zone, Self.timed.contains(kind) { lines.append("zone=\(zone.name)") }
    if dates != .ymd { lines.append("dates=\(dates.rawValue)") }
    if unit != .whole { lines.append("unit=\(unit.rawValue)") }
    if let decimal { lines.append("decimal=\(decimal)") }
    for (column, words) in words.sorted(by: { $0.key < $1.key }) {
      for (ours, theirs) in words.sorted(by: { $0.key < $1.key }) {
        lines += theirs.sorted().map { "words.\(column).\($0)=\(ours)" }
      }
    }
    lines += lists(kept).map { "where." + $0 } + lists(skipped).map { "skip." + $0 }
    if skipTop > 0 { lines.append("skip_top=\(skipTop)") }
    if let stopAt { lines.append("stop_at=\(stopAt)") }
    if let sheet { lines.append("sheet=\(sheet)") }
    return lines.joined(separator: "\n")
  }

  /// The keys of this mapping that another ``basis`` lacks, has beside it or gives other values,
  /// sorted. A word of a status or a kind that is said in addition was in no file that could be
  /// read without it, and is left out.
  package func changedKeys(since basis: String) -> [String] {
    let before = Set(basis.split(separator: "\n"))
    let now = Set(self.basis.split(separator: "\n"))
    /// The key of a line `key=value`.
    func key(_ line: Substring) -> Substring { line.prefix { $0 != "=" } }
    let gone = before.subtracting(now).map(key)
    let new = now.subtracting(before).map(key)
      .filter { !$0.hasPrefix("words.status.") && !$0.hasPrefix("words.kind.") }
    return Set(gone + new).map(String.init).sorted()
  }

  package init(_ kind: InputKind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// Whether the mapping may be meant for a file: the last part of its path fits one of ``files``,
  /// or there are none.
  package func isFor(file: String) -> Bool {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return files.isEmpty || files.contains { fits(Array(name.utf8)[...], Array($0.utf8)[...]) }
  }
}

/// Whether a name fits a pattern; each `*` is any run of bytes, each `?` any byte.
package func fits(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
  var (name, pattern) = (name, pattern)
  // Where the last star stood, and the name's place that it was tried at.
  var retry: (name: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
  while let byte = name.first {
    if pattern.first == UInt8(ascii: "*") {
      pattern = pattern.dropFirst()
      retry = (name, pattern)
    } else if pattern.first == byte || pattern.first == UInt8(ascii: "?") {
      name = name.dropFirst()
      pattern = pattern.dropFirst()
    } else if let last = retry {
      name = last.name.dropFirst()
      pattern = last.pattern
      retry = (name, pattern)
    } else {
      return false
    }
  }
  return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
}
