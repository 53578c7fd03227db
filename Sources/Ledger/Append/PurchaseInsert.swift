import Billing
import GRDB

extension FileAppender {
  func insert(_ messages: [MessageRow], text: [UInt8]) throws {
    if messages.isEmpty { return }
    let insert = try RawStatement(
      db,
      """
      INSERT INTO message_row (source_id, terms_id, told_at, uuid, order_id, user_id, line)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    try text.withUnsafeBytes { text in
      for row in messages {
        insert.bind(sourceID, at: 1)
        insert.bind(messageTerms[Int(row.terms)], at: 2)
        insert.bind(row.observedAt?.seconds, at: 3)
        insert.bind(id: row.uuid, of: text, at: 4)
        insert.bind(id: row.orderID, of: text, at: 5)
        insert.bind(id: row.userID, of: text, at: 6)
        insert.bind(row.line, at: 7)
        try insert.run()
      }
    }
  }

  func insert(_ renewals: [RenewalRow], text: [UInt8]) throws {
    guard let first = renewals.first else { return }
    let insert = try RawStatement(
      db,
      """
      INSERT INTO renewal_row
        (source_id, terms_id, told_at, original_transaction_id, grace_expires_at, line)
      VALUES (?, ?, ?, ?, ?, ?)
      """)
    var span = first.observedAt.seconds...first.observedAt.seconds
    try text.withUnsafeBytes { text in
      for row in renewals {
        let at = row.observedAt.seconds
        span = min(span.lowerBound, at)...max(span.upperBound, at)
        insert.bind(sourceID, at: 1)
        insert.bind(renewalTerms[Int(row.terms)], at: 2)
        insert.bind(at, at: 3)
        insert.bind(id: row.originalTransactionID, of: text, at: 4)
        insert.bind(row.graceExpiresAt?.seconds, at: 5)
        insert.bind(row.line, at: 6)
        try insert.run()
      }
    }
    try addBatch(
      .renewals, db.lastInsertedRowID - Int64(renewals.count) + 1, renewals.count, span)
  }
}

extension RawStatement {
  /// An id as a number where its text is the only decimal spelling of one, else as text; NULL for
  /// none.
  fileprivate func bind(id: TextSlice, of text: UnsafeRawBufferPointer, at index: Int32) {
    if id.count == 0 { return bind(nil as Int64?, at: index) }
    let bytes = UnsafeRawBufferPointer(rebasing: text[Int(id.start)..<Int(id.start + id.count)])
    if let number = canonicalNumber(bytes) {
      bind(number, at: index)
    } else {
      bind(String(decoding: bytes, as: UTF8.self), at: index)
    }
  }
}

extension PurchaseRows {
  /// The transactions in the order of purchase; those of receipts that name an order know how many
  /// stood beside them.
  ///
  /// The rows of a record stand beside each other; they have its line, its order and its time.
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

  private func isSameRecord(_ left: TransactionRow, _ right: TransactionRow, _ text: [UInt8])
    -> Bool
  {
    func bytes(_ id: TextSlice) -> ArraySlice<UInt8> {
      text[Int(id.start)..<Int(id.start + id.count)]
    }
    return left.line == right.line && left.observedAt == right.observedAt
      && bytes(left.orderID) == bytes(right.orderID)
  }
}
