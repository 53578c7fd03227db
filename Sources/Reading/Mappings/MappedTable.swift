internal import Billing

/// A mapping that fits a file: where each column of its table comes from.
struct MappedTable {
  let mapping: TableMapping
  let table: CompanyTable
  /// The line of column names; nil for JSON.
  let header: Header?
  /// Per column of the table, in its order: the file's field, or −1.
  let fields: [Int]
  /// Per column: what the file calls it, or nil.
  let sources: [String?]
  /// Columns of the file that are none of the table's.
  let unknown: [String]
  /// A column that the file has a second time.
  let twice: String?
  /// One of which the place is certain although the file has it a second time: the currency right
  /// behind the amount, where the balance has its own.
  private let settled: String?
  /// Which rows are the table's.
  let rules: [RowRule]

  /// Whether values have to be written anew before the table's reader sees them.
  var needsRewriting: Bool {
    !mapping.constants.isEmpty || mapping.zone != nil || mapping.dates != .ymd
      || !mapping.words.isEmpty || mapping.unit != .whole || mapping.decimal != nil
      || !mapping.signs.isEmpty || !(mapping.nulls ?? []).isEmpty || mapping.stopAt != nil
      || !rules.isEmpty
  }

  /// Finds the columns of the mapping's table in a file.
  ///
  /// - Parameter printed: the file's columns, blank where one has no name.
  /// - Throws: ``MappingMisfit`` with what the mapping names and the file lacks.
  init(
    _ mapping: TableMapping, printed: [String], header: Header?
  ) throws(MappingMisfit) {
    guard let table = CompanyTable.all.first(where: { $0.kind == mapping.kind }) else {
      preconditionFailure("a mapping is of a company's table")
    }
    let normal = printed.map(Header.normalised)
    let squeezed = printed.map(squeezedName)
    var fields = Array(repeating: -1, count: table.names.count)
    var sources = Array(repeating: String?.none, count: table.names.count)
    var lacking: [String] = []
    for (column, source) in mapping.columns.sorted(by: { $0.key < $1.key }) {
      let index = table.index(column)
      let same = Header.normalised(source)
      let place =
        printed.firstIndex(of: source) ?? (same.isEmpty ? nil : normal.firstIndex(of: same))
      if let place { fields[index] = place }
      sources[index] = place.map { printed[$0] } ?? source
      // A JSON object may leave out what need not be there.
      if place == nil, header != nil || index < table.requiredCount { lacking.append(source) }
    }
    let taken = Set(fields)
    var twice: String?
    for (index, name) in table.names.enumerated() where sources[index] == nil {
      let own = normal.indices.filter { !taken.contains($0) && normal[$0] == name }
      let like = squeezed.indices.filter {
        !taken.contains($0) && squeezed[$0] == squeezedName(name)
      }
      let places = own.isEmpty ? like : own
      if places.count > 1 { twice = twice ?? printed[places[1]] }
      // A constant says that none of the file's columns is meant.
      let usual =
        mapping.constants[name] == nil
        ? table.usualPlace(
          of: name, among: printed.indices.map { taken.contains($0) ? "" : printed[$0] }) : nil
      guard let place = places.first ?? usual else { continue }
      fields[index] = place
      sources[index] = printed[place]
    }
    var settled: String?
    if let place = Self.currencyBehindAmount(table, fields, printed), header != nil {
      fields[table.index("currency")] = place
      settled = printed[place]
      if twice == settled { twice = nil }
    }
    var rules: [RowRule] = []
    for (isKept, said) in [(true, mapping.kept), (false, mapping.skipped)] {
      for (column, values) in said.sorted(by: { $0.key < $1.key }) {
        let own = table.names.firstIndex(of: column).flatMap { sources[$0] }
        let name =
          printed.first { $0 == column } ?? own
          ?? printed.first { Header.normalised($0) == Header.normalised(column) }
        if name == nil, header != nil { lacking.append(column) }
        rules.append(
          RowRule(
            column: name ?? column, field: name.flatMap { printed.firstIndex(of: $0) },
            values: values, isKept: isKept))
      }
    }
    let missing = table.required.filter {
      fields[table.index($0)] < 0 && mapping.constants[$0] == nil
    }
    guard lacking.isEmpty, missing.isEmpty else {
      throw MappingMisfit(mapping: mapping, lacking: lacking, missing: missing)
    }
    self.mapping = mapping
    self.table = table
    self.header = header
    self.fields = fields
    self.sources = sources
    self.twice = twice
    self.settled = settled
    self.rules = rules
    let used = Set(fields).union(rules.compactMap(\.field))
    unknown = printed.enumerated().filter { !used.contains($0.offset) && !$0.element.isEmpty }
      .map(\.element)
  }

  /// The field of the amount's currency in a bank's table, if a column of its name stands elsewhere
  /// too; nil in any other case.
  private static func currencyBehindAmount(
    _ table: CompanyTable, _ fields: [Int], _ printed: [String]
  ) -> Int? {
    guard table.kind == .bank else { return nil }
    let (amount, currency) = (fields[table.index("amount")], fields[table.index("currency")])
    guard amount >= 0, currency >= 0, amount + 1 < printed.count,
      printed[amount + 1] == printed[currency],
      printed.count(where: { $0 == printed[currency] }) > 1
    else { return nil }
    return amount + 1
  }

  /// The names of the columns as the table has them, and the file's others as any table's, for who
  /// asks what kind of file this is.
  private var names: Set<String> {
    Set(table.names.indices.filter { fields[$0] >= 0 }.map { table.names[$0] })
      .union(mapping.constants.keys)
      .union(unknown.map { CompanyTable.ownNames[squeezedName($0)] ?? Header.normalised($0) })
  }

  /// The kinds of table whose columns these are.
  ///
  /// - Parameter asked: what the caller says it is.
  fileprivate func kinds(asked: InputKind?) -> [InputKind] {
    let kinds = CompanyTable.all.filter { $0.recognises(names) }.map(\.kind)
    guard kinds.contains(table.kind) else { return [] }
    // A mapping of some files says what they are.
    let isSaid = !mapping.files.isEmpty || asked == table.kind
    return isSaid ? [table.kind] : kinds
  }
}

extension MappedTable {
  /// The fields in which words for nothing are blank, in records that have the columns in `fields`.
  ///
  /// - Parameter fieldCount: fields of each record.
  func nullFields(_ fields: [Int], _ fieldCount: Int) -> NullFields {
    NullFields(table, fields, fieldCount: fieldCount, mapping)
  }

  /// The mapping, where the configuration has it; nil for one that was made up for a plain table.
  var told: TableMapping? { mapping.name.isEmpty ? nil : mapping }

  /// What each column became, with the values of the first row.
  func columns(first values: [String]) -> [ReadColumn] {
    table.shownNames.enumerated().map { index, name in
      ReadColumn(
        name: name, source: sources[index], isRequired: index < table.requiredCount,
        first: values.isEmpty ? "" : values[index])
    }
  }
}

/// Why a mapping is not for a file.
struct MappingMisfit: Error {
  var mapping: TableMapping
  /// Columns that it names and the file does not have.
  var lacking: [String]
  /// Columns that its table needs and nothing gives.
  var missing: [String]
}

extension Header {
  /// The same header in which a column of the company's tables has its own name however it is
  /// written: `Order ID`, `orderId` and `ORDER-ID` are `order_id`. One that is there by its own
  /// name stays the only one.
  var withCompanyNames: Header {
    var header = self
    let present = Set(names)
    for (place, name) in names.enumerated() {
      guard let own = CompanyTable.ownNames[squeezedName(name)], !present.contains(own) else {
        continue
      }
      header.names[place] = own
    }
    return header
  }

  /// The same header in which columns that a table reads by usual names have its names.
  func withUsualNames(_ table: CompanyTable) -> Header {
    var header = self
    for name in table.names where !has(name) {
      if let place = table.usualPlace(of: name, among: printed) { header.names[place] = name }
    }
    return header
  }
}

extension CompanyTable {
  /// The names of all columns by their squeezed forms.
  static let ownNames: [String: String] = Dictionary(
    made.flatMap(\.names).map { (squeezedName($0), $0) }, uniquingKeysWith: { first, _ in first })
}

/// The first of the mappings that may be for a file which fits its columns; nil where none does.
///
/// - Parameters:
///   - printed: the columns.
///   - asked: what the caller says that the file is.
/// - Throws: a diagnostic where a mapping is for files of this name and does not fit, and where the
///   columns are those of several tables.
func fittingMapping(
  _ mappings: [TableMapping], printed: [String], header: Header?, file: String, line: Int,
  asked: InputKind?
) throws -> MappedTable? {
  var fitting: [MappedTable] = []
  var kinds: [InputKind] = []
  for mapping in mappings {
    let mapped: MappedTable
    do throws(MappingMisfit) {
      mapped = try MappedTable(mapping, printed: printed, header: header)
    } catch {
      // One that says the encoding alone is still to be told the columns.
      if !mapping.files.isEmpty, !mapping.columns.isEmpty || mapping.encoding == nil {
        throw error.diagnostic(printed: printed, file: file, line: line)
      }
      continue
    }
    let found = mapped.kinds(asked: asked)
    guard !found.isEmpty || !mapping.files.isEmpty else { continue }
    fitting.append(mapped)
    kinds += found.filter { !kinds.contains($0) }
    if !mapping.files.isEmpty { break }
  }
  guard let mapped = fitting.first else { return nil }
  let own = Header(file: file, line: line, separator: 0x2C, printed: printed).withCompanyNames
  if mapped.mapping.columns.isEmpty, mapped.mapping.files.isEmpty, asked == nil {
    kinds += MappingAdvice.purchases(in: own, beside: kinds)
  }
  // A mapping for files of this name comes first, and says what they are.
  if kinds.count > 1, mapped.mapping.files.isEmpty { throw own.doubt(kinds) }
  try mapped.refuseTwice(printed, isJSON: header == nil, file: file, line: line)
  return mapped
}

extension MappedTable {
  /// Throws a diagnostic when the file has a column twice that the table needs once.
  fileprivate func refuseTwice(
    _ printed: [String], isJSON: Bool, file: String, line: Int
  ) throws {
    let sources = self.sources.compactMap(\.self)
    let repeated = sources.first { source in
      source != settled && printed.count { $0 == source } > 1
        || isJSON && sources.count { $0 == source } > 1
    }
    guard let twice = self.twice ?? repeated else { return }
    throw Diagnostic(
      topic: "column", at: SourceLocation(file: file, line: line),
      "@shared.column-occurs-twice \(twice)", help: "@shared.leave-one-of-them-out")
  }
}

/// Throws a diagnostic for a table that no mapping fits although one seems to be meant for it: its
/// own names show the kind of a mapping, or most of a mapping's columns are there (some, where one
/// is still `…`). Such a table is not read without a mapping in silence.
///
/// - Parameter mappings: those of which none fits.
func refuseSilence(
  _ mappings: [TableMapping], printed: [String], header: Header?, file: String, line: Int
) throws {
  let own = Header(file: file, line: line, separator: 0x2C, printed: printed).withCompanyNames
  let kinds = CompanyTable.all.filter { $0.recognises(Set(own.names)) }.map(\.kind)
  if kinds.isEmpty {
    // One that is near the file was meant for it; an open blank is one of those.
    for mapping in mappings where mapping.skipTop == 0 {
      do throws(MappingMisfit) {
        _ = try MappedTable(mapping, printed: printed, header: header)
      } catch {
        let named = mapping.columns.count
        let has = named - error.lacking.count { mapping.columns.values.contains($0) }
        guard 2 * has > named || has > 0 && mapping.columns.values.contains("…") else { continue }
        throw error.diagnostic(printed: printed, file: file, line: line)
      }
    }
  }
  guard kinds.count == 1, let mapping = mappings.first(where: { $0.kind == kinds[0] }) else {
    return
  }
  do throws(MappingMisfit) {
    _ = try MappedTable(mapping, printed: printed, header: header)
  } catch { throw error.diagnostic(printed: printed, file: file, line: line) }
  throw Diagnostic(
    topic: "column", at: SourceLocation(file: file, line: line),
    "@mapping.expects-the-column-names-below \(mapping.name) \(mapping.skipTop)",
    help: "@shared.correct-skip-top-or-say")
}

extension MappingMisfit {
  /// The diagnostic of a file that lacks what the mapping names, or what its table needs.
  fileprivate func diagnostic(printed: [String], file: String, line: Int) -> Diagnostic {
    let few = printed.filter { !$0.isEmpty }.prefix(40).joined(separator: ", ")
    let list = lacking.map { "\"\($0)\"" }.joined(separator: ", ")
    let message: Wording =
      lacking.isEmpty
      ? "@mapping.is-for-this-file \(mapping.name) \(missing.joined(separator: ", "))"
      : "@mapping.is-for-this-file-and-names \(mapping.name) \(list)"
    return Diagnostic(
      topic: "column", at: SourceLocation(file: file, line: line), message,
      help: "@mapping.file-columns \(few)")
  }
}

/// A column of a company's table, and where a file has it.
package struct ReadColumn: Hashable, Sendable {
  /// By Tieout's name.
  package var name: String
  /// By the file's name; nil for a constant, or where nothing gives the column.
  package var source: String?
  package var isRequired: Bool
  /// The first row's value as it was read.
  package var first: String
}
