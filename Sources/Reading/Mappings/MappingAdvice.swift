internal import Billing

/// What a person may write in the configuration, so that a table that nobody recognises is read.
struct MappingAdvice {
  let table: CompanyTable
  /// Required columns that the header does not have by a name of theirs.
  let missing: [String]
  /// For some of these, what the file may call them.
  let guesses: [(column: String, source: String)]
  /// The same for columns that need not be there, by the names that are usual for them.
  private let further: [(column: String, source: String)]
  private let present: Int

  private init(_ table: CompanyTable, _ header: Header) {
    self.table = table
    let names = Set(header.names)
    missing = table.required.filter { !names.contains($0) }
    present = table.names.count(where: names.contains)
    let own = Set(CompanyTable.made.flatMap(\.names))
    var free = zip(header.names, header.printed).filter { !own.contains($0.0) && !$0.0.isEmpty }
      .map(\.1)
    var guesses: [(column: String, source: String)] = []
    for column in missing {
      guard let source = Self.guess(column, of: table, among: free) else { continue }
      guesses.append((column, source))
      free.removeAll { $0 == source }
    }
    self.guesses = guesses
    var further: [(column: String, source: String)] = []
    for column in table.shownNames.dropFirst(table.requiredCount) where !names.contains(column) {
      let words = table.usualNames(of: column)
      guard let source = free.first(where: { words.contains(squeezedName($0)) }) else { continue }
      further.append((column, source))
      free.removeAll { $0 == source }
    }
    self.further = further
  }

  /// Of the table that somebody says it is; nil where the company has no such table.
  init?(_ kind: InputKind, _ header: Header) {
    guard let table = CompanyTable.all.first(where: { $0.kind == kind }) else { return nil }
    self.init(table, header)
  }

  /// The table that a header comes nearest to; nil where it is near none.
  static func best(for header: Header) -> MappingAdvice? {
    let near = CompanyTable.made.map { MappingAdvice($0, header) }.filter(\.isNear)
    return near.max { left, right in left.rank < right.rank }
  }

  /// The kinds of purchases that a table may hold under usual names, although its header has all
  /// that tables of other kinds require: a transactions table with a column `kind` is no catalogue.
  static func purchases(in header: Header, beside kinds: [InputKind]) -> [InputKind] {
    guard kinds.allSatisfy({ ![.orders, .transactions, .events, .unitCounts].contains($0) }) else {
      return []
    }
    return [CompanyTable.transactions, .orders].filter { table in
      let advice = MappingAdvice(table, header)
      let isWhole =
        advice.guesses.count == advice.missing.count
        && advice.guesses.allSatisfy {
          table.usualNames(of: $0.column).contains(squeezedName($0.source))
        }
      // A catalogue has ids, statuses and times too, and no customers.
      let told = Set(header.names).union(advice.further.map(\.column))
      return isWhole && (table.kind == .transactions || !told.isDisjoint(with: customers))
    }.map(\.kind)
  }

  private static let customers: Set<String> = ["user_id", "transaction_id", "quantity"]

  /// Two of its columns and most of what it requires, or a guess for all that it requires.
  private var isNear: Bool {
    if present >= 2, missing.count <= 2, present > missing.count { return true }
    return guesses.count == missing.count && table.required.count >= 3
  }

  private var rank: (Int, Int) {
    let unknown = missing.count - guesses.count
    return (present + guesses.count - unknown, -missing.count)
  }

  private static func guess(
    _ column: String, of table: CompanyTable, among sources: [String]
  ) -> String? {
    let words = table.usualNames(of: column)
    return sources.first { words.contains(squeezedName($0)) } ?? nearest(to: column, among: sources)
  }

  /// - Parameter skipTop: lines above the header, where the configuration has to say so.
  func diagnostic(_ header: Header, skipTop: Int = 0) -> Diagnostic {
    let list = missing.joined(separator: ", ")
    let message: Wording =
      if skipTop > 0 {
        counted(
          skipTop,
          "@mapping.after-1-line-that-does \(table.kind.rawValue)"
        ) {
          "@mapping.after-lines-that-do-not \($0) \(table.kind.rawValue)"
        }
      } else if present < 2 {
        "@mapping.file-looks-like-but-nothing \(table.kind.rawValue) \(list)"
      } else if missing.count == 1 {
        "@shared.column-is-missing \(list)"
      } else {
        "@shared.columns-are-missing \(list)"
      }
    let printed = header.printed.filter { !$0.isEmpty }.joined(separator: ", ")
    let known = table.shownNames.joined(separator: ", ")
    let unknown = missing.filter { column in !guesses.contains { $0.column == column } }
    let pairs =
      (guesses + further).map { "\($0.column) = \"\($0.source)\"" }
      + unknown.map { "\($0) = \"…\"" }
    let columns = "{ \(pairs.joined(separator: ", ")) }"
    let key = "import.\(table.kind.rawValue)"
    let top = ["skip_top", "=", "\(skipTop)"].joined(separator: " ")
    let setting =
      if skipTop == 0 {
        ([["\(key).columns", "=", columns].joined(separator: " ")] + units.map { "\(key).\($0)" })
          .joined(separator: "\n")
      } else if pairs.isEmpty {
        "\(key).\(top)"
      } else {
        [
          key, "=", "{",
          ([top] + units + [["columns", "=", columns].joined(separator: " ")])
            .joined(separator: ", "), "}",
        ].joined(separator: " ")
      }
    let shown = setting.replacing("\n", with: "; ")
    guard !guesses.isEmpty else {
      var diagnostic = header.diagnostic(
        message,
        help: """
          @mapping.header-has-say-in-tieout \(printed) \(shown) \(table.kind.rawValue) \(known)
          """)
      diagnostic.setting = setting
      return diagnostic
    }
    let sources = guesses.map { "\"\($0.source)\"" }.joined(separator: ", ")
    var diagnostic = header.diagnostic(
      message,
      help: "@mapping.did-you-mean-say-so \(sources) \(shown) \(table.kind.rawValue) \(known)")
    diagnostic.setting = setting
    return diagnostic
  }

  /// What 1 in a column of amounts counts, by the name that a file has for it.
  private var units: [String] {
    let amounts = (guesses + further).filter {
      table.columns[table.index($0.column)].form == .amount
    }
    return amounts.contains { Self.countsCents($0.source) }
      ? [["unit", "=", "\"cents\""].joined(separator: " ")] : []
  }

  private static func countsCents(_ name: String) -> Bool {
    let name = squeezedName(name)
    return ["cents", "cent", "minor", "minorunits", "fen"].contains(where: name.hasSuffix)
  }

  /// Columns of a table that is known by its own names which usual names give; nil for none.
  var furtherSetting: String? {
    guard missing.isEmpty, !further.isEmpty else { return nil }
    let pairs = further.map { "\($0.column) = \"\($0.source)\"" }.joined(separator: ", ")
    let key = "import.\(table.kind.rawValue)"
    return
      ([["\(key).columns", "=", "{", pairs, "}"].joined(separator: " ")]
      + units.map { "\(key).\($0)" })
      .joined(separator: "\n")
  }
}
