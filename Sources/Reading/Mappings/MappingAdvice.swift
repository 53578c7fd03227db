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
  /// What else the names of columns tell, as entries of the mapping.
  private let others: [String]
  private let coinSigns: CoinSigns

  /// Guesses what a file calls the columns of a table.
  private init(_ table: CompanyTable, _ header: Header) {
    self.table = table
    let names = Set(header.names)
    missing = table.required.filter { !names.contains($0) }
    present = table.names.count(where: names.contains)
    var guess = ColumnGuess(table, header)
    var guesses: [(column: String, source: String)] = []
    for column in missing {
      if let source = guess.required(column) { guesses.append((column, source)) }
    }
    self.guesses = guesses
    var further: [(column: String, source: String)] = []
    for column in table.shownNames.dropFirst(table.requiredCount) where !names.contains(column) {
      if let source = guess.optional(column) { further.append((column, source)) }
    }
    self.further = further
    others = MappedEntries(header, guesses + further).lines(table.kind)
    coinSigns = CoinSigns(header, header.samples?())
  }

  /// Advice for the table that somebody says it is; nil where the company has no such table.
  init?(_ kind: InputKind, _ header: Header) {
    guard let table = CompanyTable.all.first(where: { $0.kind == kind }) else { return nil }
    self.init(table, header)
  }

  /// The advice for the table that a header comes nearest to; nil where it is near none.
  ///
  /// - Throws: a diagnostic where it may be one of two, and nothing shows which.
  static func best(for header: Header) throws -> MappingAdvice? {
    if let known = KnownExport.of(header), let advice = MappingAdvice(known.kind, header),
      !advice.guesses.isEmpty
    {
      return advice
    }
    if let coins = coins(in: header) { return coins }
    let all = CompanyTable.made.map { MappingAdvice($0, header) }
    let signs = PurchaseSigns(header.printed)
    let purchases = all.filter { $0.isWhole && [.orders, .transactions].contains($0.table.kind) }
    if purchases.count == 2, purchases.contains(where: { !$0.missing.isEmpty }) {
      if let told = purchases.first(where: { $0.table.kind == signs.kind }) { return told }
      throw header.doubt(signs)
    }
    let near = all.filter { $0.isNear || $0.isWhole || $0.isPart(signs) }
    return near.max { left, right in left.rank < right.rank }
  }

  /// The advice for a game's log of coins, whatever other table its columns are near; nil for any
  /// other.
  static func coins(in header: Header) -> MappingAdvice? {
    guard CoinSigns(header, header.samples?()).areCoins,
      let advice = MappingAdvice(.coinMovements, header), !advice.missing.isEmpty
    else { return nil }
    return advice
  }

  /// The setting by which a word in the column of currencies means a currency.
  static func meaning(_ code: String, of word: String, inCurrenciesOf kind: InputKind) -> String {
    "import.\(kind.rawValue).words.currency = { \(code) = [\"\(word)\"] }"
  }

  /// Whether the header has all that a table of purchases requires but a status, which may be the
  /// same of all rows.
  private var isWhole: Bool {
    [.orders, .transactions].contains(table.kind) && lacking.allSatisfy { $0 == "status" }
      && !guesses.isEmpty
  }

  /// Whether the header is of one of the two tables in which shops keep their orders: the orders,
  /// which lack SKUs, or their lines, which lack times.
  ///
  /// - Parameter signs: what the names of the columns say of orders and transactions.
  private func isPart(_ signs: PurchaseSigns) -> Bool {
    table.kind == .orders && signs.orders.count >= 2 && signs.kind == .orders
      && !lacking.contains("order_id") && lacking.contains("sku") != lacking.contains("placed_at")
  }

  /// Required columns that nothing gives.
  private var lacking: [String] {
    missing.filter { column in !guesses.contains { $0.column == column } }
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

  /// Whether the header has two columns of the table and most of what it requires, or a guess for
  /// all that it requires.
  private var isNear: Bool {
    if present >= 2, missing.count <= 2, present > missing.count { return true }
    // Many banks leave the account's currency out.
    if table.kind == .bank,
      further.contains(where: { ["reference", "payer"].contains($0.column) }),
      missing.allSatisfy({ column in
        column == "currency" || guesses.contains { $0.column == column }
      }), present + guesses.count >= 2
    {
      return true
    }
    return guesses.count == missing.count && table.required.count >= 3
  }

  /// How near the header is to the table: the higher, the nearer.
  private var rank: (Int, Int) {
    let unknown = missing.count - guesses.count
    return (present + guesses.count - unknown, -missing.count)
  }

  /// The diagnostic of a table that lacks columns, with the lines of a configuration that may give
  /// them.
  ///
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
    let unknown = lacking.filter { column in !others.contains { Self.names($0, column) } }
    let pairs =
      (guesses + further).map { "\($0.column) = \"\($0.source)\"" }
      + unknown.map { "\($0) = \"…\"" }
    let columns = "{ \(pairs.joined(separator: ", ")) }"
    let key = "import.\(table.kind.rawValue)"
    let top = "skip_top = \(skipTop)"
    let all = [top] + units.map(Self.withoutRemark) + ["columns = \(columns)"]
    let setting =
      if skipTop == 0 {
        (["\(key).columns = \(columns)"] + units.map { "\(key).\($0)" })
          .joined(separator: "\n")
      } else if pairs.isEmpty {
        "\(key).\(top)"
      } else {
        [key, "= {", all.joined(separator: ", "), "}"].joined(separator: " ")
          + units.map(Self.remark).joined()
      }
    // Several lines are shown below, to be pasted as they are.
    let shown: Wording =
      setting.contains("\n") ? "@mapping.these-lines" : Wording(verbatim: setting)
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
      help: withOpenPoint(
        "@mapping.did-you-mean-say-so \(sources) \(shown) \(table.kind.rawValue) \(known)"))
    diagnostic.setting = setting
    return diagnostic
  }

  /// The proposal `help`, with a text before it on what only a person can add, where there is such
  /// a thing: a currency, tables to be joined, a status, or where the coins are.
  private func withOpenPoint(_ help: Wording) -> Wording {
    if table.kind == .bank, others.contains(where: { $0.contains("currency = \"…\"") }) {
      return "@mapping.no-column-tells-currency \(help)"
    }
    if table.kind == .bank, others.contains(where: { $0.contains("= [\"…\"]") }) {
      return "@mapping.no-row-is-booked \(help)"
    }
    if table.kind == .coinMovements, lacking.contains("coins") { return withOpenCoins(help) }
    guard table.kind == .orders else { return help }
    if lacking.contains("sku") != lacking.contains("placed_at") {
      return lacking.contains("sku")
        ? "@mapping.join-order-lines \(help)" : "@mapping.join-orders \(help)"
    }
    guard lacking.contains("status"), others.contains(where: { $0.contains("status = \"…\"") })
    else { return help }
    let words = (table.columns[table.index("status")].words ?? []).joined(separator: ", ")
    return "@mapping.no-column-tells-status \(words) \(help)"
  }

  /// The proposal `help`, with a text before it on where a log has its coins: in JSON, in a column
  /// each for what came and what went, or in balances alone. Without one of these it is unchanged.
  private func withOpenCoins(_ help: Wording) -> Wording {
    if let name = coinSigns.objects { return "@mapping.coins-are-in-json \(name) \(help)" }
    if let (come, go) = coinSigns.bothWays {
      return "@mapping.coins-come-and-go \(come) \(go) \(help)"
    }
    if let (before, after) = coinSigns.balances {
      return "@mapping.only-balances-tell-coins \(before) \(after) \(help)"
    }
    return help
  }

  /// Further entries of the mapping: what 1 in a column of amounts counts, by the name that a file
  /// has for it, and what else the table needs.
  private var units: [String] {
    let amounts = (guesses + further).filter {
      table.columns[table.index($0.column)].form == .amount
    }
    let cents = amounts.contains { Self.countsCents($0.source) }
    return (cents ? ["unit = \"cents\""] : []) + others
  }

  /// Whether an entry of the mapping is `constants`, and has one for the column.
  private static func names(_ entry: String, _ column: String) -> Bool {
    entry.hasPrefix("constants") && entry.contains(" \(column) = ")
  }

  /// A line of TOML without the remark at its end.
  private static func withoutRemark(_ line: String) -> String {
    line.firstRange(of: "  # ").map { String(line[..<$0.lowerBound]) } ?? line
  }

  /// The remark at the end of a line of TOML; empty for none.
  private static func remark(_ line: String) -> Substring {
    line.firstRange(of: "  # ").map { line[$0.lowerBound...] } ?? ""
  }

  private static let amountEnds = ["incents", "cents", "cent", "ct", "minorunits", "minor", "fen"]

  /// Whether a column's name says that its amounts are in cents.
  private static func countsCents(_ name: String) -> Bool {
    let name = squeezedName(name)
    return amountEnds.contains(where: name.hasSuffix)
  }

  /// The lines of a configuration by which a table that is known by its own names would be read
  /// with further columns, by usual names; nil for none.
  var furtherSetting: String? {
    guard missing.isEmpty, !further.isEmpty else { return nil }
    let pairs = further.map { "\($0.column) = \"\($0.source)\"" }.joined(separator: ", ")
    let key = "import.\(table.kind.rawValue)"
    return
      (["\(key).columns = { \(pairs) }"] + units.map { "\(key).\($0)" })
      .joined(separator: "\n")
  }
}
