import Billing
import TOMLKit
import Workflow

/// Reads `[import]`: the zone of times without offset, and a mapping or several per kind of table.
struct MappingsReader {
  /// What `zone = "business_zone"` means.
  let businessZone: Zone

  /// The mappings of all kinds that `[import]` has. Its own `zone` is put into those that have
  /// none, and is a mapping by itself for every kind.
  func mappings(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [TableMapping] {
    guard let table = value.table else {
      throw ValueDiagnostic("@configuration.table-such-as-import-orders", value)
    }
    let kinds = mappedColumns.keys.map(\.rawValue).sorted()
    var defaultZone: Zone?
    var mappings: [TableMapping] = []
    for (key, value) in table {
      if key == "zone" {
        defaultZone = try zone(value)
      } else if let kind = InputKind(rawValue: key), mappedColumns[kind] != nil {
        mappings += try self.mappings(kind, value)
      } else {
        throw ValueDiagnostic(
          "@configuration.zone-or-a-kind \(kinds.joined(separator: ", "))", found: "\"\(key)\"",
          help: nearest(to: key, among: kinds + ["zone"]).map { "@shared.did-you-mean \($0)" })
      }
    }
    guard let defaultZone else { return mappings }
    for index in mappings.indices where mappings[index].zone == nil {
      mappings[index].zone = defaultZone
    }
    for kind in mappedColumns.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      var mapping = TableMapping(kind, name: "import.zone")
      mapping.zone = defaultZone
      mappings.append(mapping)
    }
    return mappings
  }

  /// The mappings of one kind: a table is one, a list of tables several.
  private func mappings(
    _ kind: InputKind, _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> [TableMapping] {
    let name = "import.\(kind.rawValue)"
    if let table = value.table { return [try mapping(kind, name: "[\(name)]", table)] }
    guard let array = value.array else {
      throw ValueDiagnostic("@configuration.table-such-as-or-several \(name) \(name)", value)
    }
    var mappings: [TableMapping] = []
    for element in array {
      guard let table = element.table else {
        throw ValueDiagnostic("@configuration.table-such-2 \(name)", element)
      }
      let number = mappings.count + 1
      mappings.append(try mapping(kind, name: "[[\(name)]] \(number)", table))
    }
    return mappings
  }

  private static let keys = [
    "files", "columns", "constants", "zone", "dates", "words", "unit", "decimal", "signs", "nulls",
    "encoding", "sheet", "skip_top", "stop_at", "where", "skip",
  ]

  /// The mapping that a table of TOML describes.
  ///
  /// - Parameter name: where the configuration has it, for messages: `[import.orders]`.
  private func mapping(
    _ kind: InputKind, name: String, _ table: TOMLTable
  ) throws(ValueDiagnostic) -> TableMapping {
    var mapping = TableMapping(kind, name: name)
    for (key, value) in table {
      do throws(ValueDiagnostic) {
        switch key {
        case "files": mapping.files = try oneOrMore(value)
        case "columns": mapping.columns = try named(value, kind, plainText)
        case "constants": mapping.constants = try named(value, kind, plainText)
        case "zone": mapping.zone = try zone(value)
        case "dates": mapping.dates = try word(value)
        case "words": mapping.words = try named(value, kind, words)
        case "unit": mapping.unit = try word(value)
        case "decimal": mapping.decimal = try decimalMark(value)
        case "signs": mapping.signs = try signs(value, kind)
        case "nulls": mapping.nulls = try texts(value)
        case "encoding": mapping.encoding = try encoding(value)
        case "sheet": mapping.sheet = try text(value)
        case "skip_top": mapping.skipTop = Int(try count(value))
        case "stop_at": mapping.stopAt = try text(value)
        case "where": mapping.kept = try rows(value)
        case "skip": mapping.skipped = try rows(value)
        default:
          throw ValueDiagnostic(
            "@configuration.one \(Self.keys.joined(separator: ", "))", found: "\"\(key)\"",
            help: nearest(to: key, among: Self.keys).map { "@shared.did-you-mean \($0)" })
        }
      } catch {
        var diagnostic = error
        diagnostic.expected = "\(name): \(key): \(error.expected)"
        throw diagnostic
      }
    }
    try check(mapping)
    return mapping
  }

  /// Checks what single keys do not show: words and constants that their columns cannot have, and
  /// keys that need another.
  private func check(_ mapping: TableMapping) throws(ValueDiagnostic) {
    if mapping.encoding != nil, mapping.files.isEmpty {
      throw ValueDiagnostic(
        "@configuration.files-together-with-encoding \(mapping.name)",
        found: "@configuration.encoding-alone",
        help: "@configuration.say-which-files")
    }
    for (column, words) in mapping.words.sorted(by: { $0.key < $1.key }) {
      for word in words.keys.sorted() { try check(word, column, mapping, "words.\(column)") }
    }
    for (column, value) in mapping.constants.sorted(by: { $0.key < $1.key }) {
      try check(value, column, mapping, "constants.\(column)")
      let isAmount = ["unit_price", "price", "proceeds", "amount"].contains(column)
      if isAmount, mapping.unit != .whole, !value.contains(".") {
        throw ValueDiagnostic(
          "@configuration.constants-an-amount \(mapping.name) \(column)",
          found: "@configuration.together-with-unit \(value) \(mapping.unit.rawValue)",
          help: "@configuration.constants-are-in-whole-units")
      }
    }
  }

  /// Refuses a value that a column of this kind of table cannot have.
  ///
  /// - Parameter key: where the configuration has the value.
  private func check(
    _ value: String, _ column: String, _ mapping: TableMapping, _ key: String
  ) throws(ValueDiagnostic) {
    let words = mappedWords(mapping.kind, column)
    if let words {
      guard !words.contains(where: { $0.lowercased() == value.lowercased() }) else { return }
      throw ValueDiagnostic(
        "@configuration.one-2 \(mapping.name) \(key) \(words.joined(separator: ", "))",
        found: "\"\(value)\"",
        help: nearest(to: value, among: words).map { "@shared.did-you-mean \($0)" })
    }
    if column == "currency", knownCurrency(value) == nil {
      throw ValueDiagnostic(
        "@configuration.currency-three-letters-such \(mapping.name) \(key)", found: "\"\(value)\"")
    }
    if column == "storefront", knownStorefront(value) == nil {
      throw ValueDiagnostic(
        "@configuration.storefront-two-letters-such \(mapping.name) \(key)", found: "\"\(value)\"")
    }
  }

  /// The name of an encoding that iconv knows.
  private func encoding(
    _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> String {
    let name = try text(value)
    guard knowsEncoding(name) else {
      throw ValueDiagnostic(
        "@configuration.encoding-that-iconv-knows-such",
        found: "\"\(name)\"")
    }
    return name
  }

  /// A time zone; `business_zone` is that of the company's accounting day.
  private func zone(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Zone {
    value.string == "business_zone" ? businessZone : try tieout.zone(value)
  }

  /// Reads a table that has a value for each of some columns of a kind of input; refuses columns
  /// that the kind does not have.
  ///
  /// - Parameter read: reads a column's value.
  private func named<Value>(
    _ value: any TOMLValueConvertible, _ kind: InputKind,
    _ read: (any TOMLValueConvertible) throws(ValueDiagnostic) -> Value
  ) throws(ValueDiagnostic) -> [String: Value] {
    guard let table = value.table else {
      throw ValueDiagnostic("@configuration.table-by-column-such", value)
    }
    let columns = mappedColumns[kind] ?? []
    var values: [String: Value] = [:]
    for (column, value) in table {
      guard columns.contains(column) else {
        throw ValueDiagnostic(
          "@configuration.column \(kind.rawValue) \(columns.joined(separator: ", "))",
          found: "\"\(column)\"",
          help: nearest(to: column, among: columns).map { "@shared.did-you-mean \($0)" })
      }
      values[column] = try read(value)
    }
    return values
  }

  /// Reads the key `signs`: texts beside numbers that are no part of them, such as `¥`; for
  /// movements of coins also the minus before coins that go.
  private func signs(
    _ value: any TOMLValueConvertible, _ kind: InputKind
  ) throws(ValueDiagnostic) -> [String] {
    let signs = try texts(value)
    for sign in signs
    where (sign != "-" || kind != .coinMovements)
      && (sign.isEmpty || sign.contains { "0123456789-+.,".contains($0) })
    {
      throw ValueDiagnostic(
        "@configuration.signs-that-are-not-part", found: "\"\(sign)\"")
    }
    return signs
  }

  /// A text, or a list of texts.
  private func oneOrMore(
    _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> [String] {
    if let text = value.string { return [text] }
    return try texts(value)
  }

  /// A text, or a number or truth as text.
  private func plainText(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> String {
    if let text = value.string ?? value.bool.map({ $0 ? "true" : "false" }) ?? decimal(of: value) {
      return text
    }
    throw ValueDiagnostic("@configuration.text-in-double-quotes", value)
  }

  /// What the file writes for each of our words; refuses one that stands for two of them.
  private func words(
    _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> [String: [String]] {
    guard let table = value.table else {
      throw ValueDiagnostic("@configuration.words-such-as-paid-paid", value)
    }
    var words: [String: [String]] = [:]
    for (ours, theirs) in table {
      words[ours] = try oneOrMore(theirs)
      let others = words.filter { $0.key != ours }.flatMap(\.value)
      if let twice = words[ours]?.first(where: others.contains) {
        throw ValueDiagnostic(
          "@configuration.one-meaning-for-each-word", found: "@configuration.two-meanings \(twice)")
      }
    }
    return words
  }

  /// Reads `where` or `skip`: by column, of the file or of the table, the values by which rows are
  /// read or left out.
  private func rows(
    _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> [String: [String]] {
    guard let table = value.table else {
      throw ValueDiagnostic("@configuration.rows-by-column-such-as", value)
    }
    var rows: [String: [String]] = [:]
    for (column, values) in table { rows[column] = try oneOrMore(values) }
    return rows
  }

  /// The case that a text names; refuses a word that names none.
  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> Word {
    guard let word = value.string.flatMap({ Word(rawValue: $0) }) else {
      let all = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw ValueDiagnostic("@configuration.one \(all)", value)
    }
    return word
  }

  /// A decimal mark: a point or a comma.
  private func decimalMark(
    _ value: any TOMLValueConvertible
  ) throws(ValueDiagnostic) -> String {
    guard let mark = value.string, mark == "." || mark == "," else {
      throw ValueDiagnostic("@configuration.or", value)
    }
    return mark
  }
}

extension Configuration {
  /// The mappings as they could stand in the file behind `import = `.
  var importLine: String {
    let kinds = Dictionary(grouping: mappings.filter { $0.name != "import.zone" }, by: \.kind)
    let zone = mappings.first { $0.name == "import.zone" }?.zone
    let entries =
      (zone.map { ["zone = \"\($0.name)\""] } ?? [])
      + kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, mappings in
        "\(kind.rawValue) = [\(mappings.map(\.line).joined(separator: ", "))]"
      }
    return entries.isEmpty ? "{}" : "{ \(entries.joined(separator: ", ")) }"
  }
}

extension TableMapping {
  /// The mapping as a table in one line, as it could stand in the file; without what has its
  /// default.
  fileprivate var line: String {
    var entries: [String] = []
    /// Adds `key = value` to the entries of the line, unless the value is the default.
    func add(_ key: String, _ value: String, unless isDefault: Bool) {
      if !isDefault { entries.append("\(key) = \(value)") }
    }
    /// A table of TOML in one line, ascending by key; the values are TOML already.
    func table(_ values: [String: String]) -> String {
      let lines = values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
      return "{ \(lines.joined(separator: ", ")) }"
    }
    /// A table of TOML in one line, with a list of texts for each column.
    func lists(_ values: [String: [String]]) -> String {
      let lines = values.sorted { $0.key < $1.key }.map { column, values in
        "\(quoted(column)) = [\(values.map(quoted).joined(separator: ", "))]"
      }
      return "{ \(lines.joined(separator: ", ")) }"
    }
    add("files", "\(files)", unless: files.isEmpty)
    add("columns", table(columns.mapValues(quoted)), unless: columns.isEmpty)
    add("constants", table(constants.mapValues(quoted)), unless: constants.isEmpty)
    add("zone", quoted(zone?.name ?? ""), unless: zone == nil)
    add("dates", quoted(dates.rawValue), unless: dates == .ymd)
    add(
      "words",
      table(
        words.mapValues { table($0.mapValues { "[\($0.map(quoted).joined(separator: ", "))]" }) }),
      unless: words.isEmpty)
    add("unit", quoted(unit.rawValue), unless: unit == .whole)
    add("decimal", quoted(decimal ?? ""), unless: decimal == nil)
    add("signs", "[\(signs.map(quoted).joined(separator: ", "))]", unless: signs.isEmpty)
    add(
      "nulls", "[\((nulls ?? []).map(quoted).joined(separator: ", "))]", unless: nulls == nil)
    add("encoding", quoted(encoding ?? ""), unless: encoding == nil)
    add("sheet", quoted(sheet ?? ""), unless: sheet == nil)
    add("skip_top", "\(skipTop)", unless: skipTop == 0)
    add("stop_at", quoted(stopAt ?? ""), unless: stopAt == nil)
    add("where", lists(kept), unless: kept.isEmpty)
    add("skip", lists(skipped), unless: skipped.isEmpty)
    return "{ \(entries.joined(separator: ", ")) }"
  }
}

/// A text as TOML quotes it.
private func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\u{0}"..<"\u{20}", "\u{7F}":
      quoted +=
        "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
        + String(scalar.value, radix: 16)
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
