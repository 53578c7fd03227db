import Billing
import GRDBSQLite
import Glibc

/// The virtual-table modules of the big kinds: columns in the order of the tables, after
/// `id`.
enum BlockModules {
  typealias Column =
    @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?, OpaquePointer?, Int32) -> Int32

  // Made once, never changed and never freed: SQLite keeps the pointer.
  nonisolated(unsafe) static let sales = module(salesColumn)
  nonisolated(unsafe) static let finance = module(financeColumn)
  nonisolated(unsafe) static let orders = module(orderColumn)
  nonisolated(unsafe) static let transactions = module(transactionColumn)

  private static func module(_ column: @escaping Column) -> UnsafePointer<sqlite3_module> {
    var module = sqlite3_module()
    // Without xCreate the table exists by its name alone.
    module.xConnect = BlockTable.connect
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xDisconnect = BlockTable.disconnect
    module.xDestroy = BlockTable.disconnect
    module.xOpen = BlockCursor.open
    module.xClose = BlockCursor.close
    module.xFilter = BlockCursor.filter
    module.xNext = BlockCursor.next
    module.xEof = BlockCursor.isAtEnd
    module.xRowid = BlockCursor.rowID
    module.xColumn = column
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return UnsafePointer(pointer)
  }

  private static let salesColumn: Column = { cursor, result, column in
    let cursor = BlockCursor.at(cursor)
    let row = cursor.pointee.row(SalesRow.self)
    let value =
      switch column {
      case 0: cursor.pointee.window.products![Int(row.pointee.product)]
      case 1: cursor.pointee.window.terms![Int(row.pointee.terms)]
      case 2: cursor.pointee.window.conditions![Int(row.pointee.condition)]
      case 3: row.pointee.units
      case 4: row.pointee.begin.number
      case 5: row.pointee.end.number
      default: row.pointee.line
      }
    sqlite3_result_int(result, value)
    return SQLITE_OK
  }

  private static let financeColumn: Column = { cursor, result, column in
    let cursor = BlockCursor.at(cursor)
    let row = cursor.pointee.row(FinanceRow.self)
    switch column {
    case 0: sqlite3_result_int(result, cursor.pointee.window.terms![Int(row.pointee.terms)])
    case 1: sqlite3_result_int(result, row.pointee.quantity)
    case 2: sqlite3_result_int64(result, row.pointee.extended)
    case 3: if let day = row.pointee.transactionDay { sqlite3_result_int(result, day.number) }
    case 4: if let day = row.pointee.settlementDay { sqlite3_result_int(result, day.number) }
    default: sqlite3_result_int(result, row.pointee.line)
    }
    return SQLITE_OK
  }

  private static let orderColumn: Column = { cursor, result, column in
    let cursor = BlockCursor.at(cursor)
    let row = cursor.pointee.row(OrderRow.self)
    switch column {
    case 0: sqlite3_result_int(result, cursor.pointee.window.terms![Int(row.pointee.terms)])
    case 1: sqlite3_result_int64(result, row.pointee.placedAt.seconds)
    case 2: give(row.pointee.fulfilledAt, result)
    case 3: give(row.pointee.orderID, cursor, result)
    case 4: give(row.pointee.transactionID, cursor, result)
    case 5: give(row.pointee.userID, cursor, result)
    case 6: give(row.pointee.appAccountToken, cursor, result)
    case 7: give(row.pointee.paidAt, result)
    default: sqlite3_result_int(result, row.pointee.line)
    }
    return SQLITE_OK
  }

  private static let transactionColumn: Column = { cursor, result, column in
    let cursor = BlockCursor.at(cursor)
    let row = cursor.pointee.row(TransactionRow.self)
    switch column {
    case 0: sqlite3_result_int(result, cursor.pointee.window.terms![Int(row.pointee.terms)])
    case 1: sqlite3_result_int64(result, row.pointee.purchasedAt.seconds)
    case 2: give(row.pointee.revokedAt, result)
    case 3: give(row.pointee.transactionID, cursor, result)
    case 4: give(row.pointee.orderID, cursor, result)
    case 5: giveOriginal(row, cursor, result)
    case 6: give(row.pointee.webOrderLineItemID, cursor, result)
    case 7: give(row.pointee.expiresAt, result)
    case 8: give(row.pointee.userID, cursor, result)
    case 9: give(row.pointee.appAccountToken, cursor, result)
    case 10: sqlite3_result_int(result, row.pointee.line)
    case 11: give(row.pointee.observedAt, result)
    default: if row.pointee.receiptSize > 0 { sqlite3_result_int(result, row.pointee.receiptSize) }
    }
    return SQLITE_OK
  }

  /// A time that was not said stays NULL.
  @inline(__always)
  private static func give(_ time: Instant?, _ result: OpaquePointer?) {
    if let time { sqlite3_result_int64(result, time.seconds) }
  }

  /// An id as a number where its text is the only decimal spelling of one, else as text.
  @inline(__always)
  private static func give(
    _ id: TextSlice, _ cursor: UnsafeMutablePointer<BlockCursor>, _ result: OpaquePointer?
  ) {
    guard id.count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(
      start: cursor.pointee.window.text! + Int(id.start), count: Int(id.count))
    if let number = canonicalNumber(bytes) {
      sqlite3_result_int64(result, number)
    } else {
      sqlite3_result_text(
        result, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
    }
  }

  /// The original's id; empty text, which costs no byte, where it is the row's own.
  @inline(__always)
  private static func giveOriginal(
    _ row: UnsafePointer<TransactionRow>, _ cursor: UnsafeMutablePointer<BlockCursor>,
    _ result: OpaquePointer?
  ) {
    let own = row.pointee.transactionID
    let original = row.pointee.originalTransactionID
    guard original.count == own.count, original.count > 0 else {
      give(original, cursor, result)
      return
    }
    let text = cursor.pointee.window.text!
    if own.start == original.start
      || memcmp(text + Int(own.start), text + Int(original.start), Int(own.count)) == 0
    {
      sqlite3_result_text(result, "", 0, copied)
    } else {
      give(original, cursor, result)
    }
  }

  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
