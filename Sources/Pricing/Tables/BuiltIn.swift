import CTablesHeader

extension FactTable {
  /// The bytes of an embedded table; they live as long as the program.
  static func embedded(_ table: CTable) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: table.bytes, count: table.count)
  }
}
