internal import Billing

/// What a table needs beside the names of its columns, as entries of a mapping: which rows count,
/// how days and numbers are written, what environments are called.
struct MappedEntries {
  private let header: Header
  /// Columns with what the file calls them.
  private let pairs: [(column: String, source: String)]
  private let samples: ColumnSamples?
  private let known: KnownExport?

  init(_ header: Header, _ pairs: [(column: String, source: String)]) {
    (self.header, self.pairs) = (header, pairs)
    samples = header.samples?()
    known = KnownExport.of(header)
  }

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

  private func source(of column: String) -> String? {
    pairs.first { $0.column == column }?.source
  }

  private func list(_ values: String...) -> String { list(values) }

  private func list(_ values: [String]) -> String {
    "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }

  /// A column's name as a key: only letters and digits of ASCII need no quotation marks.
  private func key(_ name: String) -> String {
    name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      ? name : "\"\(name)\""
  }

  private func sample(_ name: String) -> ColumnSamples.Column? {
    header.printed.firstIndex(of: name).flatMap { samples?.columns[$0] }
  }

  /// The row that ends the table, where others stand below it.
  private var stop: [String] {
    guard let text = samples?.stop, !text.contains("\\"), !text.contains("\"") else { return [] }
    return [entry("stop_at", "\"\(text)\"")]
  }

  /// The clock of a program that is known to have one for all.
  private func zone(_ kind: InputKind) -> [String] {
    guard let known, known.kind == kind, let zone = known.zone else { return [] }
    return [entry("zone", "\"\(zone)\"")]
  }

  /// How prices are written where thousands are divided in them.
  private var numbers: [String] {
    guard known?.kind == .orders, let price = source(of: "unit_price") ?? own("unit_price"),
      let column = sample(price), column.hasBothMarks, let decimal = column.decimal
    else { return [] }
    return [entry("decimal", "\"\(decimal)\"")]
  }

  private func entry(_ key: String, _ value: String) -> String {
    [key, "=", value].joined(separator: " ")
  }

  private var bank: [String] {
    guard let amount = source(of: "amount") ?? own("amount"),
      !CompanyTable.bank.recognises(Set(header.names))
    else { return [] }
    let signs = BankSigns(header, samples)
    var entries = [entry("decimal", "\"\(signs.decimal(of: amount))\"")]
    if let order = (source(of: "date") ?? own("date")).flatMap(signs.dates) {
      entries.append(entry("dates", order))
    }
    if let direction = signs.direction(beside: amount) {
      entries.append(direction)
    } else if header.printed.contains(where: { name in
      name != amount && BankSigns.isOut(name)
    }) {
      let nothing = ["", "-"] + (sample(amount)?.zeros ?? [])
      entries.append(entry("skip", "{ \"\(amount)\" = \(list(nothing)) }"))
    }
    let marks = signs.marks(beside: amount).map { "\"\($0)\"" }
    if !marks.isEmpty { entries.append(entry("signs", "[\(marks.joined(separator: ", "))]")) }
    if source(of: "currency") == nil, !header.names.contains("currency") {
      let said = known?.kind == .bank ? known?.constant("currency") : nil
      let code = header.statedCurrency(amount)?.code ?? said ?? "…"
      entries.append(entry("constants", "{ currency = \"\(code)\" }"))
    }
    return entries
  }

  /// A column that has the table's own name.
  private func own(_ column: String) -> String? {
    header.names.firstIndex(of: column).map { header.printed[$0] }
  }

  private var orders: [String] {
    var entries: [String] = []
    let told = Set(header.names).union(pairs.map(\.column))
    let known = self.known?.kind == .orders ? self.known : nil
    var constants = (known?.constants ?? []).filter { !told.contains($0.column) }
      .map { "\($0.column) = \"\($0.value)\"" }
    // Stripe's payments are another channel's, never Apple's.
    if known == nil, isStripes { constants.append("channel = \"stripe\"") }
    if known == nil, !told.contains("status") { constants.append("status = \"…\"") }
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

  /// Words of the status whose meaning is usual.
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

  /// How a column says no and yes.
  private func flags(_ name: String) -> (no: [String], yes: [String]) {
    let values = Set(sample(name)?.values.keys.sorted() ?? [])
    for pair in [("f", "t"), ("0", "1")]
    where !values.isEmpty && values.isSubset(of: [pair.0, pair.1]) {
      return ([pair.0], [pair.1])
    }
    return (["FALSE", "false"], ["TRUE", "true"])
  }

  /// Stripe's API counts amounts in the smallest unit of each currency; its reports do not.
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
