import Billing
import GRDB

/// What reading a table of blocks from end to end gave: each block is read once, and held against
/// its checksum, the dictionaries and the keys of ids.
struct TableReading: Sendable {
  let tables: BlockTables
  /// Blocks that are not what was written.
  private(set) var broken: Int64 = 0
  /// Whether a row names terms that are not there.
  private(set) var lacksTerms = false
  /// Of each column of ids the sum over what its rows have, as ``digest(ofKey:row:)`` has one.
  private(set) var keys: [IDColumn: UInt64] = [:]
  /// Of each file a digest of its rows in their order, whatever numbers rows and terms have here.
  private(set) var digests: [Int64: UInt64] = [:]

  /// Reads all blocks of a table.
  init(_ tables: BlockTables, _ db: Database) throws {
    self.tables = tables
    let table = tables.table
    var terms: [Int: TermsDigests] = [:]
    for (column, dictionary) in tables.dictionaries {
      terms[table.place(of: column)] = try TermsDigests(dictionary, db)
    }
    var columnDigests: [Int64: [UInt64]] = [:]
    let select = try RawStatement(db, BlockScan.query(table, "TRUE"))
    while try select.step() {
      let room = ColumnRoom()
      guard let columns = try? Self.columns(select, table, in: room) else {
        broken += 1
        continue
      }
      let (first, source, rows) = (select.int64(0), select.int64(2), Int(select.int64(3)))
      let blank = [UInt64](repeating: 0, count: columns.count)
      add(columns, rows, terms, to: &columnDigests[source, default: blank])
      for id in IDColumn.allCases where id.tables == tables {
        let parts = id.names.map { columns[table.place(of: $0)] }
        keys[id, default: 0] &+= Self.digest(of: id, parts, first..<first + Int64(rows))
      }
      withExtendedLifetime(room) {}
    }
    digests = columnDigests.mapValues { $0.reduce(0, mixed) }
  }

  /// All columns of the block that a statement is on, ready to be read.
  ///
  /// - Parameter room: is kept as long as they are read.
  /// - Throws: where the block is not what was written.
  private static func columns(
    _ select: borrowing RawStatement, _ table: BlockTable, in room: ColumnRoom
  ) throws -> [BlockColumn] {
    let content = try BlockScan.content(select, table)
    var columns = content.columns
    for place in columns.indices { try columns[place].prepare(rows: content.rows, in: room) }
    columns += table.columns[columns.count...].map { .missing($0) }
    return columns
  }

  /// Mixes a block's values into its file's digests, of which there is one for each column.
  ///
  /// - Parameters:
  ///   - rows: how many rows the block has.
  ///   - terms: digests of dictionaries, by the index of the column that names their entries.
  private mutating func add(
    _ columns: [BlockColumn], _ rows: Int, _ terms: [Int: TermsDigests],
    to digests: inout [UInt64]
  ) {
    let names = tables.table.columns
    for (place, column) in columns.enumerated() {
      if let terms = terms[place] {
        // Counts of moments and users have no terms.
        let known = terms.add(column, rows, to: &digests[place], mayLack: tables == .counts)
        if !known { lacksTerms = true }
      } else if names[place] != "id", names[place] != "row_id" {
        // Numbers of rows differ from ledger to ledger.
        digests[place] = column.digest(rows: rows, after: digests[place])
      }
    }
  }

  /// The sum, over the rows of a block that have an id, of digests of the id and the row's number:
  /// the block's part in ``keys``.
  ///
  /// - Parameters:
  ///   - columns: the block's columns that `id.names` lists, in its order.
  ///   - rows: the numbers of the block's rows.
  private static func digest(
    of id: IDColumn, _ columns: [BlockColumn], _ rows: Range<Int64>
  ) -> UInt64 {
    var sum: UInt64 = 0
    withUnsafeTemporaryAllocation(of: ScannedCell.self, capacity: columns.count + 1) { cells in
      cells.initialize(repeating: .null)
      let row = ScannedRow(cells: UnsafePointer(cells.baseAddress!))
      for (place, number) in rows.enumerated() {
        for index in columns.indices { cells[index + 1] = columns[index].cell(place) }
        let key = id.key(of: row)
        if !key.isNone { sum &+= digest(ofKey: key.raw, row: number) }
      }
    }
    return sum
  }

  /// A digest of an id's key and the number of the row that has it.
  static func digest(ofKey key: UInt64, row: Int64) -> UInt64 {
    mixed(mixed(0, key), UInt64(bitPattern: row))
  }
}

/// Digests of the entries of a dictionary, by their numbers.
private struct TermsDigests: Sendable {
  private var digests: [UInt64] = []

  /// Reads all entries of the dictionary, a table of this name.
  init(_ dictionary: String, _ db: Database) throws {
    let columns = try String.fetchAll(
      db,
      sql: "SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('id', 'digest') ORDER BY cid",
      arguments: [dictionary])
    let list = (["id"] + columns.map { "\"\($0)\"" }).joined(separator: ", ")
    let select = try RawStatement(db, "SELECT \(list) FROM \(dictionary) ORDER BY id")
    while try select.step() {
      // Numbers count from 1; 0 is a row that has no terms.
      guard let number = Int(exactly: select.int64(0)), number > 0, number <= Int(Int32.max) else {
        continue
      }
      while digests.count <= number { digests.append(0) }
      digests[number] = (1..<select.columnCount).reduce(1) {
        mixed($0, ScannedCell(select.handle, $1).digest)
      }
    }
  }

  /// Mixes the entries that the rows of a column name into a digest.
  ///
  /// - Parameters:
  ///   - rows: how many rows the column has.
  ///   - mayLack: whether a row may name none.
  /// - Returns: whether each row names an entry that is there.
  func add(
    _ column: BlockColumn, _ rows: Int, to digest: inout UInt64, mayLack: Bool
  ) -> Bool {
    var known = true
    var state = digest
    for row in 0..<rows {
      let number = column.cell(row).number
      let isKnown = number > 0 && number < Int64(digests.count)
      if !isKnown, !(mayLack && number == 0) { known = false }
      state = mixed(state, isKnown ? digests[Int(number)] : 0)
    }
    digest = state
    return known
  }
}

extension BlockColumn {
  /// The digest of all values in the rows of a block, mixed into that of blocks before.
  fileprivate func digest(rows: Int, after digest: UInt64) -> UInt64 {
    var state = digest
    for row in 0..<rows { state = mixed(state, cell(row).digest) }
    return state
  }
}

extension ScannedCell {
  /// A digest of the value, the same for a number and for its decimal spelling: which of them is
  /// stored is the writer's choice.
  @inline(__always)
  fileprivate var digest: UInt64 {
    if isText {
      let text = bytes
      return canonicalNumber(text).map { Self.digest(of: $0) } ?? hash64(text)
    }
    return isNull ? 0x2545_F491_4F6C_DD1D : Self.digest(of: number)
  }

  /// The digest of a cell that holds a number.
  @inline(__always)
  private static func digest(of number: Int64) -> UInt64 {
    UInt64(bitPattern: number) ^ 0xD6E8_FEB8_6659_FD93
  }
}

/// A digest with one more value mixed in; the order of values matters.
@inline(__always)
private func mixed(_ digest: UInt64, _ value: UInt64) -> UInt64 {
  let product = (digest &+ 0x9E37_79B9_7F4A_7C15 ^ value)
    .multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
  return product.high ^ product.low
}

extension BlockTables {
  /// The index of the table among all.
  var place: Int { Self.allCases.firstIndex(of: self)! }

  /// The columns whose rows name an entry of a dictionary, whose numbers count from 1, each with
  /// the dictionary's table.
  fileprivate var dictionaries: [(column: String, dictionary: String)] {
    if self == .resolved { return [] }
    let table = table
    return table.columns.compactMap { column in
      switch column {
      case "terms_id", "product_id", "condition_id":
        (column, table.name.replacing("_row", with: "") + "_" + column.dropLast(3))
      case "order_terms_id", "transaction_terms_id": (column, String(column.dropLast(3)))
      default: nil
      }
    }
  }
}

extension IDColumn {
  /// The table whose rows have the ids.
  var tables: BlockTables {
    switch self {
    case .order, .orderTransaction: .orders
    case .transaction, .transactionOrder, .chain: .transactions
    case .eventOrder, .eventTransaction: .events
    }
  }

  /// The columns from which ``key(of:)`` takes the id that a run has of a row.
  fileprivate var names: [String] {
    switch self {
    case .order, .transactionOrder, .eventOrder: ["order_id"]
    case .orderTransaction, .transaction, .eventTransaction: ["transaction_id"]
    case .chain:
      ["transaction_id", "original_transaction_id", "web_order_line_item_id", "expires_at"]
    }
  }

  /// The key under which a row stands in the column's runs; none where it stands in none. The row's
  /// cells after the first are those of ``names``.
  fileprivate func key(of row: ScannedRow) -> IDKey {
    guard self == .chain else { return row.key(1) }
    if row.isNull(3), row.isNull(4) { return .none }
    let original = row.key(2)
    return original.isNone ? row.key(1) : original
  }
}
