/// The ledger's number of a row of one table: what findings are resolved by. Ids of different
/// tables are of different types, such as `OrderRow.ID` and `TransactionRow.ID`.
///
/// It has 32 bits, so that the entries that matching reads stay at 32 bytes. A ledger that would
/// need more is refused when it is opened or imported into.
package struct RowID<Table>: Hashable, Comparable, Sendable {
  package let number: Int32

  /// The id of the row with this number. Not generic over integers: scans make one for each row.
  ///
  /// - Precondition: the number fits 32 bits.
  @inlinable @inline(__always) package init(_ number: Int64) {
    guard let number = Int32(exactly: number) else {
      preconditionFailure("a table has more rows than a row id can name")
    }
    self.number = number
  }

  @inlinable @inline(__always) package init(_ number: Int32) { self.number = number }
  @inlinable @inline(__always) package init(_ number: Int) { self.init(Int64(number)) }

  @inlinable package static func == (left: Self, right: Self) -> Bool {
    left.number == right.number
  }

  // Comparable's own would not be inlined, and lists of a month's rows compare them by the million.
  @inlinable @inline(__always) package static func < (left: Self, right: Self) -> Bool {
    left.number < right.number
  }

  @inlinable @inline(__always) package static func <= (left: Self, right: Self) -> Bool {
    left.number <= right.number
  }

  @inlinable @inline(__always) package static func > (left: Self, right: Self) -> Bool {
    left.number > right.number
  }

  @inlinable @inline(__always) package static func >= (left: Self, right: Self) -> Bool {
    left.number >= right.number
  }

  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension RowID: BitwiseCopyable, SendableMetatype, Keyed {
  /// Ascends as the numbers do.
  @inlinable package var key: UInt64 { UInt64(UInt32(bitPattern: number) ^ 1 << 31) }
}

extension RowID: ExpressibleByIntegerLiteral, CustomStringConvertible {
  @inlinable package init(integerLiteral number: Int32) { self.number = number }

  package var description: String { number.description }
}

extension OrderRow { package typealias ID = RowID<OrderRow> }
extension TransactionRow { package typealias ID = RowID<TransactionRow> }
extension SalesRow { package typealias ID = RowID<SalesRow> }
extension FinanceRow { package typealias ID = RowID<FinanceRow> }
extension MessageRow { package typealias ID = RowID<MessageRow> }
extension RenewalRow { package typealias ID = RowID<RenewalRow> }
extension PurchaseCountRow { package typealias ID = RowID<PurchaseCountRow> }
extension CoinBalance { package typealias ID = RowID<CoinBalance> }
extension CoinMovementRow { package typealias ID = RowID<CoinMovementRow> }
extension PurchaseEventRow { package typealias ID = RowID<PurchaseEventRow> }
