internal import Billing

/// What a table needs beside the names of its columns, as entries of a mapping: which rows count,
/// how days and numbers are written, what environments are called.
struct MappedEntries {
  private let header: Header
  /// Columns with what the file calls them.
  private let pairs: [(column: String, source: String)]
  private let samples: ColumnSamples?

  init(_ header: Header, _ pairs: [(column: String, source: String)]) {
    (self.header, self.pairs) = (header, pairs)
    samples = header.samples?()
  }

  func lines(_ kind: InputKind) -> [String] {
    switch kind {
    case .bank: bank + unit("amount")
    case .orders: orders + unit("unit_price")
    case .transactions: transactions
    default: []
    }
  }

  private func source(of column: String) -> String? {
    pairs.first { $0.column == column }?.source
  }

  private func list(_ values: String...) -> String {
    "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
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
    let outs = ["out", "debit", "支出", "借方", "soll", "withdraw"]
    if let direction = signs.direction(beside: amount) {
      entries.append(direction)
    } else if header.printed.contains(where: { name in
      name != amount && outs.contains(where: squeezedName(name).contains)
    }) {
      entries.append(entry("skip", "{ \"\(amount)\" = \(list("", "-")) }"))
    }
    let marks = signs.marks(beside: amount).map { "\"\($0)\"" }
    if !marks.isEmpty { entries.append(entry("signs", "[\(marks.joined(separator: ", "))]")) }
    if source(of: "currency") == nil, !header.names.contains("currency") {
      let code = header.statedCurrency(amount)?.code ?? "…"
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
    var constants: [String] = []
    if isStripes {
      // Its payments are another channel's, never Apple's.
      constants.append("channel = \"stripe\"")
      let column = ["type", "reporting_category"].first(where: header.names.contains)
      if let column { entries.append(entry("where", "{ \(column) = \(list("charge")) }")) }
    }
    let told = Set(header.names).union(pairs.map(\.column))
    if !told.contains("status") { constants.append("status = \"…\"") }
    if !constants.isEmpty {
      entries.append(entry("constants", "{ \(constants.joined(separator: ", ")) }"))
    }
    return entries
  }

  private var transactions: [String] {
    var entries: [String] = []
    if let place = header.names.firstIndex(of: "store") {
      let values = samples?.columns[place].values.keys.sorted() ?? []
      let apples = values.filter { ["appstore", "apple", "ios"].contains(squeezedName($0)) }
      let told = values.map { "\"\($0)\"" }.joined(separator: ", ")
      if values.isEmpty || !apples.isEmpty {
        entries.append(entry("where", "{ store = \(list(apples.first ?? "app_store")) }"))
      } else if values.count > 1 {
        entries.append(entry("where", "{ store = \(list("…")) }  # \(told)"))
      }
    }
    if source(of: "environment") == "is_sandbox" {
      let words = "{ Production = \(list("FALSE", "false")), Sandbox = \(list("TRUE", "true")) }"
      entries.append(entry("words", "{ environment = \(words) }"))
    }
    return entries
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
