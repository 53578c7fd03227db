internal import Billing

/// Where a record has the columns of a list, and the row that they give.
struct ListedColumns<Row: ListedRow> {
  private let columns: [CompanyColumn<Row>]
  /// With the prefix.
  private let names: [String]
  /// In the order of the columns that a row holds.
  let fields: [Int]
  /// Of every column.
  private let places: [String: Int]
  /// Whether the file has a column of currencies.
  private let hasCurrency: Bool
  let storefronts: StorefrontLookup

  /// - Parameters:
  ///   - prefix: what stands before the names in a table with both sides of a purchase.
  ///   - field: the field of a column by its name; −1 where the file has none.
  init(_ storefronts: StorefrontLookup, prefix: String = "", field: (String) -> Int) {
    columns = Row.saidColumns
    names = columns.map { prefix + $0.name }
    fields = names.map(field)
    hasCurrency = zip(names, fields).contains { $0 == prefix + "currency" && $1 >= 0 }
    places =
      prefix.isEmpty
      ? Dictionary(uniqueKeysWithValues: Row.tableColumns.map { ($0.name, field($0.name)) }) : [:]
    self.storefronts = storefronts
  }

  /// The file's field of one of the table's columns, listed or not; −1 where the file has none. Not
  /// for lists with a prefix, which do not keep these fields.
  func field(_ name: String) -> Int { places[name]! }

  /// The row that the listed columns of a record give; throws a diagnostic when a required one is
  /// blank.
  func read(_ record: Record) throws(RecordDiagnostic) -> Row {
    var row = Row.blank
    for index in columns.indices {
      let (field, name) = (fields[index], names[index])
      let isSaid = try record.read(columns[index].value, field, name, storefronts, into: &row)
      if !isSaid, columns[index].shown!.isRequired { throw record.blankDiagnostic(field, name) }
    }
    return row
  }
}

// Of what comes by the thousand, each by a function of its own, which needs no generic code.

extension ListedColumns<OrderTerms> {
  func terms(_ record: Record) throws(RecordDiagnostic) -> OrderTerms { try read(record) }
}

extension ListedColumns<PurchaseEventTerms> {
  func terms(_ record: Record) throws(RecordDiagnostic) -> PurchaseEventTerms { try read(record) }
}

extension ListedColumns<CoinMovementTerms> {
  func terms(_ record: Record) throws(RecordDiagnostic) -> CoinMovementTerms { try read(record) }
}

extension ListedColumns<TransactionTerms> {
  /// The terms that a record gives, with the words that are not known, each with its column, as
  /// they were written.
  func terms(_ record: Record) throws(RecordDiagnostic) -> TransactionTerms {
    var terms = try read(record)
    // Programs without optional values write 0 for a price that Apple did not tell, and nothing
    // for its currency.
    if terms.unitPrice == 0, terms.currency == nil, hasCurrency { terms.unitPrice = nil }
    guard terms.ownership == .other || terms.environment == .other else { return terms }
    terms.unknownWords = columns.indices.filter { index in
      switch columns[index].value {
      case .ownership: terms.ownership == .other
      case .environment: terms.environment == .other
      default: false
      }
    }.map { unknownWord(names[$0], record[fields[$0]]) }.joined(separator: "; ")
    return terms
  }
}

extension Record {
  /// Reads a column's value into a row; false where it is blank.
  fileprivate func read<Row>(
    _ value: ColumnValue<Row>, _ field: Int, _ name: String, _ storefronts: StorefrontLookup,
    into row: inout Row
  ) throws(RecordDiagnostic) -> Bool {
    switch value {
    case .text(let path), .code(let path), .plain(let path):
      let text = text(field)
      row[keyPath: path] = text
      return !text.isEmpty
    case .status(let path): return ColumnPlace.always(path).put(try word(field, name), into: &row)
    case .outcome(let path): return ColumnPlace.always(path).put(try word(field, name), into: &row)
    case .movement(let path): return ColumnPlace.always(path).put(try word(field, name), into: &row)
    case .itemKind(let path): return ColumnPlace.always(path).put(try word(field, name), into: &row)
    case .coinOrigin(let path): row[keyPath: path] = try word(field, name)
    case .coins(let place):
      return place.put(try count(field, name, atLeast: -mostCoins), into: &row)
    case .kind(let place): return place.put(try word(field, name), into: &row)
    case .tierTable(let path):
      return ColumnPlace.always(path).put(try word(field, name), into: &row)
    case .ownership(let path): row[keyPath: path] = Ownership(word: trimmed(self[field]))
    case .environment(let path): row[keyPath: path] = storeEnvironment(trimmed(self[field]))
    case .flag(let path): row[keyPath: path] = try flag(field, name)
    case .saidFlag(let path): row[keyPath: path] = try optionalFlag(field, name)
    case .count(let path): row[keyPath: path] = try count(field, name, atLeast: 0)
    case .quantity(let path): row[keyPath: path] = try saidQuantity(field)
    case .httpStatus(let path): row[keyPath: path] = try httpStatus(field)
    case .price(let place):
      return place.put(try amount(field, name, mayBeNegative: false), into: &row)
    case .balance(let path):
      return ColumnPlace.always(path).put(try amount(field, name, mayBeNegative: true), into: &row)
    case .fraction(let path):
      return ColumnPlace.always(path).put(try amount(field, name, mayBeNegative: false), into: &row)
    case .rate(let path): row[keyPath: path] = try exchangeRate(self, field, name)
    case .currency(let place): return place.put(try currency(field, name), into: &row)
    case .storefront(let place):
      return place.put(try storefront(field, name, storefronts), into: &row)
    case .day(let place): return place.put(try isoDate(field, name), into: &row)
    case .own, .factSource, .revocationType, .percentage, .offer:
      preconditionFailure("\(name) is no column that a list reads")
    }
    return true
  }

  /// What a word of a column's list means; nil when blank.
  private func word<Word: NamedWord>(
    _ field: Int, _ name: String
  ) throws(RecordDiagnostic) -> Word? {
    try word(field, name, allowed: Word.allCases.map(\.name)) { Word(name: $0) }
  }

  /// An HTTP status; nil when blank.
  private func httpStatus(_ field: Int) throws(RecordDiagnostic) -> Int32? {
    let status = try count(field, "http_status", atLeast: 0)
    guard status ?? 0 < 1_000_000 else {
      throw RecordDiagnostic(
        field, "value", "@company.http-status-has-more-than \(shown(self[field]))",
        help: "@company.write-the-status")
    }
    return status.map { Int32($0) }
  }
}
