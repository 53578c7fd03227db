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
      guard let source = Self.usual(column, of: table, among: free),
        column != "unit_price" || !Self.isSum(source, among: header.printed)
      else { continue }
      further.append((column, source))
      free.removeAll { $0 == source }
    }
    self.further = further
    others = Self.others(table, header, guesses + further)
  }

  /// Of the names that are usual for a column, the first that the file has.
  private static func usual(
    _ column: String, of table: CompanyTable, among sources: [String]
  ) -> String? {
    let shown = table.columns[table.index(column)]
    let names = shown.usualNames.map(squeezedName)
    let exact = names.lazy.compactMap { name in sources.first { squeezedName($0) == name } }.first
    if let exact { return exact }
    // `revoked_ms` is a time, `Preis_ct` an amount, by their own names.
    let stems = Set(([squeezedName(column)] + names).map { stem($0, shown.form) })
    return sources.first { source in
      let name = squeezedName(source)
      let stem = stem(name, shown.form)
      return stem != name && stem.count > 3 && stems.contains(stem)
    }
  }

  /// A name without what it says of the unit of its column; the same where that has none.
  private static func stem(_ name: String, _ form: ColumnForm) -> String {
    let ends: [String] =
      switch form {
      case .time: ["ms", "us", "ts", "utc", "at", "time", "date"]
      case .amount: amountEnds
      default: []
      }
    guard let end = ends.first(where: name.hasSuffix) else { return name }
    return String(name.dropLast(end.count))
  }

  private static let amountEnds = ["incents", "cents", "cent", "ct", "minorunits", "minor", "fen"]

  /// Whether a column is what an order comes to, where others tell prices or quantities.
  private static func isSum(_ source: String, among columns: [String]) -> Bool {
    let name = squeezedName(source)
    guard ["total", "orderamount", "payamount"].contains(where: name.contains) else { return false }
    return columns.map(squeezedName).contains { other in
      other != name && !other.contains("total")
        && ["price", "quantity", "qty", "数量", "单价"].contains(where: other.contains)
    }
  }

  /// What a bank's statement and RevenueCat's export need beside names: which rows count, how
  /// numbers are written, what environments are called.
  private static func others(
    _ table: CompanyTable, _ header: Header, _ pairs: [(column: String, source: String)]
  ) -> [String] {
    func list(_ values: String...) -> String {
      "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
    func entry(_ key: String, _ value: String) -> String {
      [key, "=", value].joined(separator: " ")
    }
    func source(of column: String) -> String? { pairs.first { $0.column == column }?.source }
    var entries: [String] = []
    switch table.kind {
    case .bank:
      guard let amount = source(of: "amount") else { return [] }
      entries.append(entry("decimal", header.separator == 0x3B ? "\",\"" : "\".\""))
      let outs = ["out", "debit", "支出", "借方", "soll", "withdraw"]
      if header.printed.contains(where: { name in
        name != amount && outs.contains(where: squeezedName(name).contains)
      }) {
        entries.append(entry("skip", "{ \"\(amount)\" = \(list("", "-")) }"))
      }
      if header.names.contains("收/支") {
        entries.append(entry("where", "{ \"收/支\" = \(list("收入")) }"))
        entries.append(entry("signs", list("¥")))
      }
      if source(of: "currency") == nil, !header.names.contains("currency") {
        entries.append(entry("constants", "{ currency = \"…\" }"))
      }
    case .transactions:
      if header.names.contains("store") {
        entries.append(entry("where", "{ store = \(list("app_store")) }"))
      }
      if source(of: "environment") == "is_sandbox" {
        let words =
          "{ Production = \(list("FALSE", "false")), Sandbox = \(list("TRUE", "true")) }"
        entries.append(entry("words", "{ environment = \(words) }"))
      }
    default: break
    }
    return entries
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
    // Many banks leave the account's currency out.
    if table.kind == .bank, further.contains(where: { $0.column == "reference" }),
      missing.allSatisfy({ column in
        column == "currency" || guesses.contains { $0.column == column }
      }), present + guesses.count >= 2
    {
      return true
    }
    return guesses.count == missing.count && table.required.count >= 3
  }

  private var rank: (Int, Int) {
    let unknown = missing.count - guesses.count
    return (present + guesses.count - unknown, -missing.count)
  }

  private static func guess(
    _ column: String, of table: CompanyTable, among sources: [String]
  ) -> String? {
    usual(column, of: table, among: sources) ?? nearest(to: column, among: sources)
      ?? (column == "order_id" ? numbered(of: table, among: sources) : nil)
  }

  /// What may be an order's id by its name's end: `Bestell-Nr`, `shop_order_ref`.
  private static func numbered(of table: CompanyTable, among sources: [String]) -> String? {
    let ends = ["nr", "no", "num", "number", "nummer", "id", "key", "ref", "号", "编号", "番号"]
    let begins = ["order", "bestell", "auftrag", "commande", "订单", "注文"]
    return sources.first { source in
      let name = squeezedName(source)
      return ends.contains(where: name.hasSuffix) && begins.contains(where: name.contains)
        && !table.columns.contains { $0.name != "order_id" && $0.usualNames.contains(source) }
    }
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
      + unknown.filter { table.kind != .bank || $0 != "currency" }.map { "\($0) = \"…\"" }
    let columns = "{ \(pairs.joined(separator: ", ")) }"
    let key = "import.\(table.kind.rawValue)"
    let top = "skip_top = \(skipTop)"
    let setting =
      if skipTop == 0 {
        (["\(key).columns = \(columns)"] + units.map { "\(key).\($0)" })
          .joined(separator: "\n")
      } else if pairs.isEmpty {
        "\(key).\(top)"
      } else {
        "\(key) = { \(([top] + units + ["columns = \(columns)"]).joined(separator: ", ")) }"
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

  /// What 1 in a column of amounts counts, by the name that a file has for it, and what else it
  /// needs.
  private var units: [String] {
    let amounts = (guesses + further).filter {
      table.columns[table.index($0.column)].form == .amount
    }
    let cents = amounts.contains { Self.countsCents($0.source) }
    return (cents ? ["unit = \"cents\""] : []) + others
  }

  private static func countsCents(_ name: String) -> Bool {
    let name = squeezedName(name)
    return amountEnds.contains(where: name.hasSuffix)
  }

  /// Columns of a table that is known by its own names which usual names give; nil for none.
  var furtherSetting: String? {
    guard missing.isEmpty, !further.isEmpty else { return nil }
    let pairs = further.map { "\($0.column) = \"\($0.source)\"" }.joined(separator: ", ")
    let key = "import.\(table.kind.rawValue)"
    return
      (["\(key).columns = { \(pairs) }"] + units.map { "\(key).\($0)" })
      .joined(separator: "\n")
  }
}
