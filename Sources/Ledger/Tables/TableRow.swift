import Billing
import GRDB
import GRDBSQLite
import Glibc

/// A row of one of the ledger's tables of facts. Its columns are described once, each by a line in
/// `columns`: how the row is inserted, one by one or by the million, follows from that.
protocol TableRow {
  static var tableName: String { get }
  /// Shows each column to a visitor, in the order in which the table has them. `inout` is for a
  /// visitor that reads a row; one that is written stays as it is.
  ///
  /// Where rows come by the million it is `@inline(__always)`.
  mutating func columns(_ column: inout some RowVisitor)
}

/// A row that is stored in blocks.
protocol BlockRow: TableRow {
  /// Shows which columns there are; its values mean nothing.
  static var blank: Self { get }
}

/// A row of which every column is a value of its own, so that it can be read back.
protocol TableValue: BlockRow {
  /// What reading starts from; nothing of it is left.
  static var blank: Self { get }
  /// Shows each column's name and value to a visitor, in the order in which the table has them; a
  /// visitor that reads a row from the ledger sets the values.
  mutating func values(_ column: inout some ValueVisitor)
}

extension TableValue {
  mutating func columns(_ column: inout some RowVisitor) { values(&column) }

  static var columnNames: [String] { blank.columnNames }

  /// Reads the rows of the table that `clause` selects, in its order.
  ///
  /// - Parameters:
  ///   - clause: what follows `FROM` and the table's name, such as `WHERE id = ?`.
  ///   - values: bound to the parameters of the clause, from the first on.
  ///   - room: how many rows space is reserved for beforehand.
  static func select(
    _ clause: String, _ values: Int64..., room: Int = 0, in db: Database
  ) throws -> [Self] {
    var rows: [Self] = []
    rows.reserveCapacity(room)
    try forEach(columnNames, clause, values, in: db) { row, _ in rows.append(row) }
    return rows
  }

  /// Reads rows of a dictionary as `select` does, and holds each against the digest beside it.
  ///
  /// - Throws: `DatabaseError` where a row is not what was written.
  static func entries(
    _ clause: String, _ values: Int64..., room: Int = 0, in db: Database
  ) throws -> [Self] {
    var rows: [Self] = []
    rows.reserveCapacity(room)
    let columns = columnNames
    try forEach(columns + ["digest"], clause, values, in: db) { row, select in
      guard RecordBytes(row).digest == select.int64(Int32(columns.count)) else {
        throw DatabaseError(
          resultCode: .damaged, message: "a row of \(tableName) is not what was written")
      }
      rows.append(row)
    }
    return rows
  }

  /// Calls `body` with each row that `clause` selects, and with the statement that is on it.
  ///
  /// - Parameters:
  ///   - columns: what is selected, the row's own columns first.
  ///   - values: bound to the parameters of the clause, from the first on.
  /// - Throws: where a cell holds no value of its column's type.
  private static func forEach(
    _ columns: [String], _ clause: String, _ values: [Int64], in db: Database,
    _ body: (Self, borrowing RawStatement) throws -> Void
  ) throws {
    let columns = columns.joined(separator: ", ")
    let select = try RawStatement(db, "SELECT \(columns) FROM \(tableName) \(clause)")
    for (index, value) in values.enumerated() { select.bind(value, at: Int32(index + 1)) }
    var reader = ValueReader(statement: select.handle)
    while try select.step() {
      var row = Self.blank
      reader.beginRow()
      row.values(&reader)
      if let column = reader.unreadable {
        throw DatabaseError(
          resultCode: .damaged, message: "\(tableName).\(column) holds what it never held")
      }
      try body(row, select)
    }
  }
}

/// What is done with each column whose value the row itself holds.
protocol ValueVisitor {
  /// Is called on each column in turn, with its name and the row's value.
  mutating func callAsFunction<Value: CellValue>(_ name: String, _ value: inout Value)
}

/// What is done with each column, also those whose value lies in the row's block.
protocol RowVisitor: ValueVisitor {
  /// Visits the column of that name, which has an id: a number where its text is the only decimal
  /// spelling of one, else text; NULL for none, and empty, which costs no byte, where it is the
  /// row's `own`.
  mutating func callAsFunction(_ name: String, id: inout TextSlice, own: TextSlice)
  /// The ledger's id of what the row names by the code of a dictionary of its file.
  mutating func callAsFunction(_ name: String, code: inout Int32, of dictionary: BlockDictionary)
}

extension RowVisitor {
  /// Visits the column of that name, which has an id in full: rows of this table have no `own` id
  /// that it might repeat.
  @inline(__always)
  mutating func callAsFunction(_ name: String, id: inout TextSlice) {
    self(name, id: &id, own: .none)
  }

  /// The row's terms, which it names by a code of its file's dictionary.
  @inline(__always)
  mutating func callAsFunction(terms: inout Int32) { self("terms_id", code: &terms, of: .terms) }
}

enum BlockDictionary { case terms, products, conditions }

/// What a block's rows refer to, as raw pointers that are valid while it is appended.
struct BlockWindow {
  var text: UnsafeRawPointer?
  /// Ledger ids of the file's dictionary codes: terms, and on sales rows product and condition.
  var terms: UnsafePointer<Int32>?
  var products: UnsafePointer<Int32>?
  var conditions: UnsafePointer<Int32>?

  /// The ledger's id of the entry that the block's file names by a code of one of its dictionaries.
  @inline(__always)
  func id(_ code: Int32, of dictionary: BlockDictionary) -> Int32 {
    switch dictionary {
    case .terms: terms![Int(code)]
    case .products: products![Int(code)]
    case .conditions: conditions![Int(code)]
    }
  }

  /// Whether two ids have the same bytes; the first one is not empty.
  @inline(__always)
  func isSame(_ id: TextSlice, _ own: TextSlice) -> Bool {
    guard id.count == own.count else { return false }
    return id.start == own.start
      || memcmp(bytes(id).baseAddress!, bytes(own).baseAddress!, Int(id.count)) == 0
  }

  /// The bytes of an id in the block's text.
  @inline(__always)
  func bytes(_ id: TextSlice) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text! + Int(id.start), count: Int(id.count))
  }
}

// MARK: - Visitors

extension TableRow {
  var columnNames: [String] { describedColumns.names }

  /// SQLite's type affinity of each column, by which it compares the column's values with others;
  /// empty for ids, which are numbers or texts.
  var affinities: [String] { describedColumns.affinities }

  /// The names and affinities of the columns, in the order in which the table has them.
  private var describedColumns: ColumnNames {
    var (row, names) = (self, ColumnNames())
    row.columns(&names)
    return names
  }
}

private struct ColumnNames: RowVisitor {
  private(set) var names: [String] = []
  private(set) var affinities: [String] = []

  /// Adds a column whose affinity follows from the type of its values.
  mutating func callAsFunction<Value: CellValue>(_ name: String, _: inout Value) {
    add(name, Value.affinity)
  }
  /// Adds a column of ids, which has no affinity.
  mutating func callAsFunction(_ name: String, id _: inout TextSlice, own _: TextSlice) {
    add(name, "")
  }
  /// Adds a column that names entries of a dictionary.
  mutating func callAsFunction(_ name: String, code _: inout Int32, of _: BlockDictionary) {
    add(name, "INTEGER")
  }
  private mutating func add(_ name: String, _ affinity: String) {
    names.append(name)
    affinities.append(affinity)
  }
}

private struct ValueReader: ValueVisitor {
  let statement: OpaquePointer
  private var column: Int32 = 0
  /// A column whose value is none of its type's, as a damaged file has it.
  private(set) var unreadable: String?
  /// Texts that take memory of their own: terms by the hundred thousand name a few thousand SKUs.
  private var texts: Set<String> = []

  init(statement: OpaquePointer) { self.statement = statement }

  /// Begins with the first column of the row that the statement is on.
  mutating func beginRow() { column = 0 }

  /// The content of the statement's present column; equal long texts are one in memory.
  private mutating func content() -> CellContent {
    let content = CellContent(statement, column)
    guard case .text(let text) = content, text.utf8.count > 15 else { return content }
    return .text(texts.insert(text).memberAfterInsert)
  }

  /// Reads the statement's next column into `value`; a cell that holds no such value leaves it as
  /// it was, and its column is named in `unreadable`.
  mutating func callAsFunction<Value: CellValue>(_ name: String, _ value: inout Value) {
    if let read = Value(content()) {
      value = read
    } else {
      unreadable = name
    }
    column += 1
  }
}

/// Inserts rows one by one: for tables that take thousands of rows and not millions.
struct RowInsert<Row: TableRow>: ~Copyable {
  /// Its first parameters are the leading columns, from 1; what is bound to them stays.
  let statement: RawStatement
  private let first: Int32

  /// Prepares the INSERT of a row.
  ///
  /// - Parameters:
  ///   - columns: names of the row's own columns, in the order in which it shows them.
  ///   - leading: columns before these, whose values the caller binds.
  init(_ db: Database, _ columns: [String], leading: [String] = []) throws {
    let columns = leading + columns
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    statement = try RawStatement(
      db, "INSERT INTO \(Row.tableName) (\(columns.joined(separator: ", "))) VALUES (\(places))")
    first = Int32(leading.count + 1)
  }

  /// Inserts a row behind the leading columns as they are bound.
  ///
  /// - Parameter window: what the row's ids and codes refer to.
  func run(_ row: Row, of window: BlockWindow = BlockWindow()) throws {
    var row = row
    var binder = RowBinder(statement: statement.handle, window: window, index: first)
    row.columns(&binder)
    try statement.run()
  }
}

private struct RowBinder: RowVisitor {
  let statement: OpaquePointer
  let window: BlockWindow
  var index: Int32

  /// Binds a value to the statement's next parameter.
  mutating func callAsFunction(_ name: String, _ value: inout some CellValue) {
    value.content.bind(to: statement, at: index)
    index += 1
  }

  /// Binds an id: as a number where it is the decimal spelling of one, as empty text where it is
  /// the row's `own`, else as its text; NULL for none.
  mutating func callAsFunction(_ name: String, id: inout TextSlice, own: TextSlice) {
    var content = CellContent.null
    if id.count > 0 {
      let bytes = window.bytes(id)
      content = canonicalNumber(bytes).content
      if window.isSame(id, own) {
        content = .text("")
      } else if case .null = content {
        content = .text(String(decoding: bytes, as: UTF8.self))
      }
    }
    content.bind(to: statement, at: index)
    index += 1
  }

  /// Binds the ledger's id of the dictionary entry that the row names by a code.
  mutating func callAsFunction(
    _ name: String, code: inout Int32, of dictionary: BlockDictionary
  ) {
    window.id(code, of: dictionary).content.bind(to: statement, at: index)
    index += 1
  }
}

/// A row that is found by an id, and by its time.
protocol TimedRow: BlockRow {
  /// Code of the file's terms.
  var terms: Int32 { get }
  /// Seconds since 1970 of `placed_at`, `purchased_at` or `at`.
  var time: Int64 { get }
}

/// A row of a small table of the company's, with its line.
struct Lined<Value: TableValue>: BlockRow {
  static var tableName: String { Value.tableName }
  static var blank: Self { Self(line: 0, value: .blank) }

  var line: Int32
  var value: Value

  mutating func columns(_ column: inout some RowVisitor) {
    column("line", &line)
    value.values(&column)
  }
}

/// A row of a sparse table.
protocol SparseRow: BlockRow {
  /// The column that has its number.
  static var numberName: String { get }
}

/// A row under a number of its own.
struct Numbered<Row: SparseRow>: BlockRow {
  static var tableName: String { Row.tableName }
  static var blank: Self { Self(number: 0, row: .blank) }

  var number: Int64
  var row: Row

  mutating func columns(_ column: inout some RowVisitor) {
    column(Row.numberName, &number)
    row.columns(&column)
  }
}
