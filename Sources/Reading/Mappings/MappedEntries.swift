internal import Billing

/// What a table needs beside the names of its columns, as entries of a mapping: which rows count,
/// how days and numbers are written, what environments are called.
struct MappedEntries {
  private let header: Header
  /// Columns with what the file calls them.
  private let pairs: [(column: String, source: String)]
  private let samples: ColumnSamples?
  private let known: KnownExport?

  /// - Parameter pairs: columns by Tieout's name, each with what the file calls it.
  init(_ header: Header, _ pairs: [(column: String, source: String)]) {
    (self.header, self.pairs) = (header, pairs)
    samples = header.samples?()
    known = KnownExport.of(header)
  }

  /// The entries for a table of this kind, each a line such as `decimal = ","`; none for most
  /// kinds.
  func lines(_ kind: InputKind) -> [String] {
    switch kind {
    case .bank: bank + unit("amount") + stop
    case .orders: orders + unit("unit_price") + numbers + zone(.orders) + stop
    case .transactions: transactions + zone(.transactions) + stop
    case .coinMovements:
      CoinSigns(header, samples).entries(
        movement: source(of: "movement") ?? own("movement"),
        coins: source(of: "coins") ?? own("coins"))
    default: []
    }
  }

  /// What the file calls a column, where the pairs say it.
  private func source(of column: String) -> String? {
    pairs.first { $0.column == column }?.source
  }

  /// Values as a list of TOML.
  private func list(_ values: String...) -> String { list(values) }

  /// Values as a list of TOML.
  private func list(_ values: [String]) -> String {
    "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }

  /// A column's name as a key: only letters and digits of ASCII need no quotation marks.
  private func key(_ name: String) -> String {
    name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      ? name : "\"\(name)\""
  }

  /// What the first rows have in a column; nil for no such column, or without rows to look at.
  private func sample(_ name: String) -> ColumnSamples.Column? {
    header.printed.firstIndex(of: name).flatMap { samples?.columns[$0] }
  }

  /// The entry `stop_at`, with how the row begins that ends the table, where others stand below it.
  private var stop: [String] {
    guard let text = samples?.stop, !text.contains("\\"), !text.contains("\"") else { return [] }
    return [entry("stop_at", "\"\(text)\"")]
  }

  /// The entry `zone` for a table of a known program, all of whose times are on one clock; none for
  /// any other table.
  private func zone(_ kind: InputKind) -> [String] {
    guard let known, known.kind == kind, let zone = known.zone else { return [] }
    return [entry("zone", "\"\(zone)\"")]
  }

  /// The entry `decimal`, with how prices are written where thousands are divided in them.
  private var numbers: [String] {
    guard known?.kind == .orders, let price = source(of: "unit_price") ?? own("unit_price"),
      let column = sample(price), column.hasBothMarks, let decimal = column.decimal
    else { return [] }
    return [entry("decimal", "\"\(decimal)\"")]
  }

  /// A line of TOML.
  private func entry(_ key: String, _ value: String) -> String {
    [key, "=", value].joined(separator: " ")
  }

  /// Entries of a bank's table: its decimal mark, the order of days, which rows came in, marks,
  /// currency.
  private var bank: [String] {
    guard let amount = source(of: "amount") ?? own("amount"),
      !CompanyTable.bank.recognises(Set(header.names))
    else { return [] }
    let signs = BankSigns(header, samples)
    var entries = [entry("decimal", "\"\(signs.decimal(of: amount))\"")]
    if let order = (source(of: "date") ?? own("date")).flatMap(signs.dates) {
      entries.append(entry("dates", order))
    }
    var filters: [RowChoice] = []
    if let direction = signs.direction(beside: amount) {
      filters.append(direction)
    } else if header.printed.contains(where: { name in
      name != amount && BankSigns.isOut(name)
    }) {
      let nothing = ["", "-"] + (sample(amount)?.zeros ?? [])
      filters.append(RowChoice(isKept: false, column: amount, values: nothing))
    }
    let used = Set(pairs.map(\.source) + filters.map(\.column))
    if let states = BookedStates.of(header, among: header.printed.filter { !used.contains($0) }) {
      filters.append(states.filter)
    }
    entries += RowChoice.lines(filters)
    let marks = signs.marks(beside: amount).map { "\"\($0)\"" }
    if !marks.isEmpty { entries.append(entry("signs", "[\(marks.joined(separator: ", "))]")) }
    if source(of: "currency") == nil, !header.names.contains("currency") {
      let said = known?.kind == .bank ? known?.constant("currency") : nil
      let code = header.statedCurrency(amount)?.code ?? said ?? "…"
      entries.append(entry("constants", "{ currency = \"\(code)\" }"))
    }
    return entries
  }

  /// What the file calls a column that has the table's own name; nil for none.
  private func own(_ column: String) -> String? {
    header.names.firstIndex(of: column).map { header.printed[$0] }
  }

  /// Entries of a table of orders: which rows are purchases, what all have in common, words of the
  /// status.
  private var orders: [String] {
    var entries: [String] = []
    let present = Set(header.names).union(pairs.map(\.column))
    let known = self.known?.kind == .orders ? self.known : nil
    var constants = (known?.constants ?? []).filter { !present.contains($0.column) }
      .map { "\($0.column) = \"\($0.value)\"" }
    // Stripe's payments are another channel's, never Apple's.
    if known == nil, isStripes { constants.append("channel = \"stripe\"") }
    if known == nil, !present.contains("status") { constants.append("status = \"…\"") }
    if let rows = known?.rows,
      let column = header.printed.first(where: { name in
        rows.columns.contains(squeezedName(name))
      })
    {
      let seen = rows.values.filter { sample(column)?.values[$0] != nil }
      let values = seen.isEmpty ? Array(rows.values.prefix(1)) : seen
      entries.append(entry("where", "{ \(key(column)) = \(list(values)) }"))
    }
    if !constants.isEmpty {
      entries.append(entry("constants", "{ \(constants.joined(separator: ", ")) }"))
    }
    return entries + (known == nil ? [] : statusWords)
  }

  /// The entry with the words of the status, where the meaning of all is usual.
  private var statusWords: [String] {
    guard let name = source(of: "status") ?? own("status"), let column = sample(name) else {
      return []
    }
    let ours = Set((InputKind.orders.words(ofColumn: "status") ?? []).map(squeezedName))
    let theirs = column.values.keys.filter { !ours.contains(squeezedName($0)) }.sorted()
    guard let first = theirs.first else { return [] }
    let hint = MappingHint.word(first, column: "status")
    guard hint.undecided(.orders, words: theirs).isEmpty else { return [] }
    return hint.lines(.orders, words: theirs, isDraft: false)
      .map { String($0.dropFirst("import.orders.".count)) }
  }

  /// Entries of a table of transactions: which rows are of Apple's store, and how the sandbox is
  /// told.
  private var transactions: [String] {
    var entries: [String] = []
    if let place = header.names.firstIndex(of: "store") {
      let values = samples?.columns[place].values.keys.sorted() ?? []
      let apples = values.filter { Self.apples.contains(squeezedName($0)) }
      let told = values.map { "\"\($0)\"" }.joined(separator: ", ")
      if values.isEmpty || !apples.isEmpty {
        let kept = apples.isEmpty ? ["app_store"] : apples
        entries.append(entry("where", "{ store = \(list(kept)) }"))
      } else if values.count > 1 {
        entries.append(entry("where", "{ store = \(list("…")) }  # \(told)"))
      }
    }
    if source(of: "environment") == "is_sandbox" {
      let (no, yes) = flags("is_sandbox")
      let words = "{ Production = \(list(no)), Sandbox = \(list(yes)) }"
      entries.append(entry("words", "{ environment = \(words) }"))
    }
    return entries
  }

  /// What services call Apple's stores; the Mac's is one.
  private static let apples: Set<String> = ["appstore", "macappstore", "apple", "ios"]

  /// The values by which a column says no and yes.
  private func flags(_ name: String) -> (no: [String], yes: [String]) {
    let values = Set(sample(name)?.values.keys.sorted() ?? [])
    for pair in [("f", "t"), ("0", "1")]
    where !values.isEmpty && values.isSubset(of: [pair.0, pair.1]) {
      return ([pair.0], [pair.1])
    }
    return (["FALSE", "false"], ["TRUE", "true"])
  }

  /// The entry `unit` where amounts are in the smallest unit of a currency, as those of Stripe's
  /// API are, and those of its reports are not.
  private func unit(_ column: String) -> [String] {
    let amount = source(of: column) ?? own(column)
    guard isStripes, let place = amount.flatMap({ header.printed.firstIndex(of: $0) }),
      let values = samples?.columns[place], values.filled > 0, values.decimal == nil
    else { return [] }
    return [entry("unit", "\"minor\"")]
  }

  /// Whether a table is one of Stripe's, as connectors copy them from its API.
  private var isStripes: Bool {
    let names: Set<String> = [
      "balance_transaction", "balance_transaction_id", "available_on", "available_on_utc",
      "livemode",
    ]
    return !names.isDisjoint(with: header.names)
  }
}
