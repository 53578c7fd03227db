import Billing
import GRDB
import GRDBSQLite
import Glibc

/// Lets statements of a connection read the rows of blocks as those of a table: SQLite asks for the
/// columns that a statement needs, and for the rows of a span of numbers, of a file or of times
/// (sqlite.org/vtab.html, read 2026-11-29). The ledger's file knows nothing of it.
enum BlockModule {
  /// Makes the tables of all blocks known to a connection, each under its name.
  static func install(_ connection: OpaquePointer?) throws {
    for tables in BlockTables.allCases {
      let code = sqlite3_create_module_v2(
        connection, tables.table.name, module, number(of: tables), nil)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
  }

  /// Whether what is prepared now is the module's own: a query that hides users must not read
  /// blocks itself.
  @TaskLocal static var isReading = false

  /// Prepares a statement of the module's own, by which it reads blocks.
  static func prepare(_ connection: OpaquePointer, _ sql: String) throws -> RawStatement {
    RawStatement(
      try $isReading.withValue(true) { try RawStatement.prepare(connection, sql) }, of: connection)
  }

  /// What SQLite hands back for a table: its place among all, from 1.
  private static func number(of tables: BlockTables) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: BlockTables.allCases.firstIndex(of: tables)! + 1)
  }

  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.iVersion = 1
    // Without a way to create it, the table is there under the module's name.
    module.xConnect = { connection, context, _, _, table, _ in
      connect(connection!, Int(bitPattern: context) - 1, table!)
    }
    module.xDisconnect = { table in
      virtual(table).deinitialize(count: 1).deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { table, plan in
      virtual(table).pointee.shape.plan(plan!)
      return SQLITE_OK
    }
    module.xOpen = { table, cursor in
      let made = UnsafeMutablePointer<BlockCursor>.allocate(capacity: 1)
      made.initialize(to: BlockCursor(rows: BlockRows(virtual(table).pointee.shape)))
      cursor!.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(
        to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      cursorOf(cursor).deinitialize(count: 1).deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, plan, count, values in
      answer(cursor) { try $0.begin(plan.map { String(cString: $0) } ?? "", values, count) }
    }
    module.xNext = { cursor in answer(cursor) { try $0.next() } }
    module.xEof = { cursor in cursorOf(cursor).pointee.rows.isAtEnd ? 1 : 0 }
    module.xColumn = { cursor, context, column in
      answer(cursor) { try $0.show(Int(column), to: context!) }
    }
    module.xRowid = { cursor, number in
      number!.pointee = cursorOf(cursor).pointee.rows.number
      return SQLITE_OK
    }
    let place = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    place.initialize(to: module)
    return UnsafePointer(place)
  }()

  /// Declares a table of blocks to SQLite, and returns SQLite's result code.
  ///
  /// - Parameters:
  ///   - number: the table's place among all, from 0.
  ///   - table: where the virtual table that is made goes to.
  private static func connect(
    _ connection: OpaquePointer, _ number: Int,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>
  ) -> Int32 {
    let shape = BlockShape(connection, BlockTables.allCases[number])
    guard let declaration = try? shape.declaration() else { return SQLITE_CORRUPT }
    let code = sqlite3_declare_vtab(connection, declaration)
    guard code == SQLITE_OK else { return code }
    let made = UnsafeMutablePointer<VirtualTable>.allocate(capacity: 1)
    made.initialize(to: VirtualTable(shape: shape))
    table.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  /// SQLite's pointer to a virtual table as one to what ``connect(_:_:_:)`` made.
  private static func virtual(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?
  ) -> UnsafeMutablePointer<VirtualTable> {
    UnsafeMutableRawPointer(table!).assumingMemoryBound(to: VirtualTable.self)
  }

  /// SQLite's pointer to a cursor as one to what the module made.
  @inline(__always)
  private static func cursorOf(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<BlockCursor> {
    UnsafeMutableRawPointer(cursor.unsafelyUnwrapped).assumingMemoryBound(to: BlockCursor.self)
  }

  /// Runs `body` on the rows of a cursor, and returns SQLite's result code.
  @inline(__always)
  private static func answer(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (BlockRows) throws -> Void
  ) -> Int32 {
    do {
      try body(cursorOf(cursor).pointee.rows)
      return SQLITE_OK
    } catch {
      return failed(error, cursor)
    }
  }

  /// Hands an error on to SQLite, by which the statement fails; the result code to return.
  private static func failed(
    _ error: any Error, _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> Int32 {
    guard let error = error as? DatabaseError else { return SQLITE_ERROR }
    if let message = error.message, let table = cursor?.pointee.pVtab {
      sqlite3_free(table.pointee.zErrMsg)
      table.pointee.zErrMsg = message.withCString { text in
        let room = sqlite3_malloc(Int32(strlen(text)) + 1)
        if let room { strcpy(room.assumingMemoryBound(to: CChar.self), text) }
        return room?.assumingMemoryBound(to: CChar.self)
      }
    }
    return error.extendedResultCode.rawValue
  }

  private struct VirtualTable {
    var base = sqlite3_vtab()
    let shape: BlockShape
  }

  private struct BlockCursor {
    var base = sqlite3_vtab_cursor()
    let rows: BlockRows
  }
}

/// A table of blocks as a connection sees it: columns by their numbers, and how rows are found.
final class BlockShape {
  let connection: OpaquePointer
  let table: BlockTable

  /// Before the columns of a row: its number, unless a block has it, and its file.
  let leading: [String]

  let columnCount: Int
  private(set) var derivedForms: [DerivedForm] = []
  /// What derived columns look up: small tables, and what of each.
  private(set) var lists: [(table: String, expression: String)] = []

  /// Where a derived column is made from: columns by their places in a block. It holds nothing
  /// that has a count of references, which each cell would change.
  enum DerivedForm {
    case text(Int)
    case textOrOwn(Int, own: Int)
    case beside(BlockTables, Int)
    case ofRow(BlockTables, Int, BlockTables, Int)
    /// Below 0 the file is looked up.
    case listed(Int, list: Int)
    /// The same by a number that stands beside the row.
    case listedBeside(BlockTables, Int, list: Int)
    case place(line: Int)
    case moment(Int)
  }

  init(_ connection: OpaquePointer, _ tables: BlockTables) {
    self.connection = connection
    let table = tables.table
    self.table = table
    columnCount = table.columns.count
    leading = table.isSparse ? ["source_id"] : ["id", "source_id"]
    derivedForms = table.derived.map { form(of: $0.value) }
  }

  /// Where a derived column is made from; what it looks up in a small table is added to ``lists``.
  private func form(of value: DerivedColumn.Value) -> DerivedForm {
    switch value {
    case .text(let column): return .text(place(of: column))
    case .textOrOwn(let column, let own): return .textOrOwn(place(of: column), own: place(of: own))
    case .beside(let tables, let column): return .beside(tables, tables.table.place(of: column))
    case .ofRow(let key, let tables, let column):
      guard case .beside(let first, let name)? = derivedValue(key) else {
        preconditionFailure("no derived column \(key)")
      }
      return .ofRow(
        first, first.table.place(of: name), tables, tables.table.place(of: column))
    case .listed(let key, let list, let expression):
      lists.append((list, expression))
      if case .beside(let tables, let column)? = derivedValue(key) {
        return .listedBeside(tables, tables.table.place(of: column), list: lists.count - 1)
      }
      return .listed(key == "source_id" ? -1 : place(of: key), list: lists.count - 1)
    case .place: return .place(line: place(of: "line"))
    case .moment(let column): return .moment(place(of: column))
    }
  }

  // MARK: What statements look up

  /// All values of a list, by its index in ``lists``; later statements get the same ones as long as
  /// nothing changes.
  func values(_ list: Int) throws -> ListedValues {
    try kept(list) { try ListedValues(connection, lists[list].expression, of: lists[list].table) }
  }

  /// The names of files, by their numbers.
  func fileNames() throws -> ListedValues {
    try kept(-1) { try ListedValues(connection, "t.file", of: "source") }
  }

  /// Gives SQLite what a list has for one row, by a query of that row alone; false, and nothing
  /// given, where the whole list is made already, and after so many rows that it is worth making.
  ///
  /// - Parameters:
  ///   - list: its index in ``lists``.
  ///   - number: the row's id in the list's small table.
  func showOne(_ list: Int, _ number: Int64, to context: OpaquePointer) throws -> Bool {
    if known[list] != nil { return false }
    if single[list] == nil {
      let (table, expression) = lists[list]
      single[list] = SingleValue(
        try BlockModule.prepare(connection, "SELECT \(expression) FROM \(table) t WHERE t.id = ?"))
    }
    return try single[list]?.show(number, to: context) ?? false
  }

  /// A statement that works out what a list has of one row.
  private final class SingleValue {
    private let select: RawStatement
    private var count = 0

    init(_ select: consuming RawStatement) { self.select = select }

    /// Gives SQLite the value of the row with this id, NULL where there is none; false, and nothing
    /// given, after a thousand calls.
    func show(_ number: Int64, to context: OpaquePointer) throws -> Bool {
      count += 1
      if count > 1_000 { return false }
      select.bind(number, at: 1)
      defer { select.reset() }
      if try select.step() {
        sqlite3_result_value(context, select.value(0))
      } else {
        sqlite3_result_null(context)
      }
      return true
    }
  }

  /// The values of a list: those that were made before, or where there are none, or the file has
  /// changed since, those that `make` makes now.
  ///
  /// - Parameter list: its index in ``lists``; -1 for the names of files.
  private func kept(_ list: Int, _ make: () throws -> ListedValues) throws -> ListedValues {
    // What is not committed may be taken back, and then nothing tells it from what was.
    if sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE { return try make() }
    // Commits, by whatever program, change the version of the file.
    var version: UInt32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    if version != self.version { (self.version, known) = (version, [:]) }
    if let values = known[list] { return values }
    let made = try make()
    known[list] = made
    return made
  }

  private var version: UInt32?
  private var known: [Int: ListedValues] = [:]
  private var single: [Int: SingleValue] = [:]

  /// Where the derived column of this name comes from; nil where there is none.
  private func derivedValue(_ name: String) -> DerivedColumn.Value? {
    table.derived.first { $0.name == name }?.value
  }

  /// The index of a column in a block.
  private func place(of column: String) -> Int { table.place(of: column) }

  /// The statement that tells SQLite the columns of the table and their types.
  fileprivate func declaration() throws -> String {
    let own = zip(table.columns, table.affinities).map { name, affinity in
      (name.hasPrefix("\"") ? name : "\"\(name)\"") + " " + affinity
    }
    var types: [String: [String: String]] = [:]
    let derived = try table.derived.map { column in
      guard column.isOfView else { return "\"\(column.name)\" " + column.affinity }
      var affinity = column.affinity
      if case .listed(_, let list, let expression) = column.value {
        let known = try types[list] ?? self.types(of: list)
        types[list] = known
        // A word that is no type would make numbers of texts.
        affinity =
          expression.hasSuffix(" AS REAL)")
          ? "REAL" : known[String(expression.dropFirst(2))] ?? "BLOB"
      }
      return "\"\(column.name)\" \(affinity) HIDDEN"
    }
    let all = leading.map { $0 + " INTEGER" } + own + derived
    return "CREATE TABLE rows (\(all.joined(separator: ", ")))"
  }

  /// The types of a small table's columns, by which SQLite compares them.
  private func types(of table: String) throws -> [String: String] {
    let select = try BlockModule.prepare(
      connection, "SELECT name, type FROM pragma_table_info('\(table)')")
    var types: [String: String] = [:]
    while try select.step() { types[select.text(0)] = select.text(1) }
    return types
  }

  /// The number that statements have for a column of blocks; nil for others.
  private func column(_ name: String) -> Int32? {
    (leading + table.columns).firstIndex(of: name).map { Int32($0) }
  }

  /// The number that statements have for the column of the rows' numbers.
  private var idColumn: Int32 { table.isSparse ? Int32(leading.count) : 0 }

  // MARK: How rows are found

  /// Answers SQLite's question (`xBestIndex`) how rows are found and at what cost: it chooses the
  /// conditions of a statement whose values ``BlockRows/begin(_:_:_:)`` will get.
  ///
  /// The text of the plan (`idxStr`), which `begin` gets too, has an entry for each of these
  /// values, in their order. What the value is compared with is for each entry:
  /// - `=`, `<`, `>`: the number of the row (`<` and `>` also for "or equal").
  /// - `s`: the number of the row's file.
  /// - `c`: 1 where the row's file is current, 0 where it is superseded.
  /// - `i` and the index of a derived column: the text of that column, which must be equal.
  /// - `a` or `z` and the index of one of the table's spans: the column of the span, which must be
  ///   at least (`a`) or at most (`z`) the value; `A` and `Z` are the same for times as ISO text.
  ///
  /// These indexes have one digit. Behind `|` follows the order of the rows (``order(_:)``), as in
  /// `s>a0|+3`.
  fileprivate func plan(_ plan: UnsafeMutablePointer<sqlite3_index_info>) {
    var text = ""
    var handedOver: Int32 = 0
    var isOne = false
    for index in 0..<Int(plan.pointee.nConstraint) {
      let condition = plan.pointee.aConstraint[index]
      guard condition.usable != 0, let letters = letters(for: condition) else { continue }
      handedOver += 1
      plan.pointee.aConstraintUsage[index].argvIndex = handedOver
      // Blocks are of one file: nothing is left to compare.
      if letters == "c" { plan.pointee.aConstraintUsage[index].omit = 1 }
      text += letters
      if letters == "=" { isOne = true }
    }
    let order = plan.pointee.aOrderBy
    if plan.pointee.nOrderBy == 1, let order, order[0].desc == 0,
      order[0].iColumn == -1 || order[0].iColumn == idColumn
    {
      plan.pointee.orderByConsumed = 1
    }
    let all = 5_000_000.0
    if text.contains("i") { isOne = true }
    let isWhole = text.isEmpty || text == "c"
    let rows = isOne ? 1 : isWhole ? all : text.contains("s") ? 10_000 : all / 10
    plan.pointee.estimatedRows = sqlite3_int64(rows)
    plan.pointee.estimatedCost = isOne ? 20 : rows
    if text.contains("="), !table.isSparse { plan.pointee.idxFlags = SQLITE_INDEX_SCAN_UNIQUE }
    if !isOne, let order = self.order(plan) {
      plan.pointee.orderByConsumed = 1
      text += "|" + order
    }
    plan.pointee.idxStr = text.withCString { bytes in
      let room = sqlite3_malloc(Int32(strlen(bytes)) + 1)!.assumingMemoryBound(to: CChar.self)
      strcpy(room, bytes)
      return room
    }
    plan.pointee.needToFreeIdxStr = 1
  }

  /// The order that a statement wants, as text for the plan: `+` (ascending) or `-` and the index
  /// of each derived column in it (`+3-5`). Nil where the order does not follow from small tables
  /// alone whose rows are all named by one column. Rows in such an order are handed over group by
  /// group, and SQLite needs no sorter, which costs a statement with GROUP BY more than all else.
  private func order(_ plan: UnsafeMutablePointer<sqlite3_index_info>) -> String? {
    guard !table.isSparse, plan.pointee.nOrderBy > 0, let order = plan.pointee.aOrderBy else {
      return nil
    }
    var keys: Set<Int> = []
    var text = ""
    for index in 0..<Int(plan.pointee.nOrderBy) {
      guard let place = derived(order[index].iColumn),
        case .listed(let key, _) = derivedForms[place], key >= 0
      else { return nil }
      keys.insert(key)
      text += (order[index].desc == 0 ? "+" : "-") + String(place)
    }
    return keys.count == 1 ? text : nil
  }

  /// The index of the derived column that has this number in statements; nil for other columns.
  private func derived(_ column: Int32) -> Int? {
    let place = Int(column) - leading.count - columnCount
    return derivedForms.indices.contains(place) ? place : nil
  }

  /// The entry in a plan (``plan(_:)``) for a condition on a derived column, by its index: on the
  /// text of an id, by which rows are joined (`i3`), on a time as text (`A0`, `Z0`), or whether
  /// files are current (`c`). Nil where no block is found by it.
  ///
  /// - Parameter operation: SQLite's code of the comparison.
  private func letters(forDerived place: Int, _ operation: Int32) -> String? {
    let isEqual = operation == SQLITE_INDEX_CONSTRAINT_EQ
    switch derivedForms[place] {
    case .text, .textOrOwn: return isEqual && !table.isSparse ? "i\(place)" : nil
    case .moment(let column):
      return span(table.columns[column], operation).map { String($0).uppercased() }
    case .listed, .listedBeside:
      return isEqual && table.derived[place].name == DerivedColumn.isCurrent.name ? "c" : nil
    case .beside, .ofRow, .place: return nil
    }
  }

  /// The entry in a plan (``plan(_:)``) for a condition on a column: `a` (at least) or `z` (at
  /// most) with the index of the column's span; nil for a column without one and other comparisons.
  ///
  /// - Parameter operation: SQLite's code of the comparison.
  private func span(_ column: String?, _ operation: Int32) -> String? {
    guard let span = table.spans.firstIndex(where: { $0 == column }) else { return nil }
    switch operation {
    case SQLITE_INDEX_CONSTRAINT_LT, SQLITE_INDEX_CONSTRAINT_LE: return "z\(span)"
    case SQLITE_INDEX_CONSTRAINT_GT, SQLITE_INDEX_CONSTRAINT_GE: return "a\(span)"
    default: return nil
    }
  }

  /// The entry in a plan (``plan(_:)``) for a condition of a statement; nil where no row is found
  /// by it.
  private func letters(for condition: sqlite3_index_constraint) -> String? {
    let operation = Int32(condition.op)
    if condition.iColumn == -1 || condition.iColumn == idColumn {
      switch operation {
      case SQLITE_INDEX_CONSTRAINT_EQ: return "="
      case SQLITE_INDEX_CONSTRAINT_LT, SQLITE_INDEX_CONSTRAINT_LE: return "<"
      case SQLITE_INDEX_CONSTRAINT_GT, SQLITE_INDEX_CONSTRAINT_GE: return ">"
      default: return nil
      }
    }
    if condition.iColumn == column("source_id") {
      return operation == SQLITE_INDEX_CONSTRAINT_EQ ? "s" : nil
    }
    if let place = derived(condition.iColumn) { return letters(forDerived: place, operation) }
    let place = Int(condition.iColumn) - leading.count
    return span(table.columns.indices.contains(place) ? table.columns[place] : nil, operation)
  }
}
