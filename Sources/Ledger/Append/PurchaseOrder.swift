import Billing

extension PurchaseRows {
  /// The transactions in the order of purchase; those of receipts that name an order know how many
  /// stood beside them.
  ///
  /// The rows of a record stand beside each other; they have its line, its order and its time.
  ///
  /// - Parameter text: the block's, which ids are slices of.
  func transactionsByPurchase(text: [UInt8]) -> [TransactionRow] {
    var rows = transactions
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, isSameRecord(rows[start], rows[end], text) { end += 1 }
      if rows[start].orderID.count > 0 {
        for index in start..<end { rows[index].receiptSize = Int32(end - start) }
      }
      start = end
    }
    rows.sort { $0.purchasedAt < $1.purchasedAt }
    return rows
  }

  /// Whether two rows are of one record: they have its line, its order and its time.
  ///
  /// - Parameter text: the block's, which ids are slices of.
  private func isSameRecord(_ left: TransactionRow, _ right: TransactionRow, _ text: [UInt8])
    -> Bool
  {
    /// The bytes of an id in `text`.
    func bytes(_ id: TextSlice) -> ArraySlice<UInt8> {
      text[Int(id.start)..<Int(id.start + id.count)]
    }
    return left.line == right.line && left.observedAt == right.observedAt
      && bytes(left.orderID) == bytes(right.orderID)
  }
}
