import Billing
import GRDB

/// The rows of the subscription reports go in row by row; `terms` are the ledger's ids of the
/// file's terms.
extension FileAppender {
  func insert(_ rows: [SubscriptionRow], terms: [Int32]) throws -> Int {
    let insert = try statement("subscription_row", columns: 2 + SubscriptionFigure.allCases.count)
    for row in rows {
      insert.bind(terms[Int(row.terms)], at: 1)
      insert.bind(row.line, at: 2)
      for figure in SubscriptionFigure.allCases {
        insert.bind(row[figure], at: Int32(3 + figure.rawValue))
      }
      try insert.run()
    }
    return rows.count
  }

  func insert(_ rows: [SubscriptionEventRow], terms: [Int32]) throws -> Int {
    let insert = try statement("subscription_event_row", columns: 9)
    for row in rows {
      insert.bind(terms[Int(row.terms)], at: 1)
      insert.bind(row.line, at: 2)
      insert.bind(row.day, at: 3)
      insert.bind(row.quantity, at: 4)
      insert.bind(row.originalStart, at: 5)
      insert.bind(row.consecutivePaidPeriods, at: 6)
      insert.bind(row.daysBeforeCanceling, at: 7)
      insert.bind(row.daysCanceled, at: 8)
      insert.bind(row.paidServiceDaysRecovered, at: 9)
      try insert.run()
    }
    return rows.count
  }

  func insert(_ rows: [SubscriberRow], terms: [Int32]) throws -> Int {
    let insert = try statement("subscriber_row", columns: 6)
    for row in rows {
      insert.bind(terms[Int(row.terms)], at: 1)
      insert.bind(row.line, at: 2)
      insert.bind(row.day, at: 3)
      insert.bind(row.subscriber, at: 4)
      insert.bind(row.purchaseDay, at: 5)
      insert.bind(row.units, at: 6)
      try insert.run()
    }
    return rows.count
  }

  /// Inserts at the end, the columns in the order of the table.
  private func statement(_ table: String, columns: Int) throws -> RawStatement {
    try RawStatement(
      db, "INSERT INTO \(table) VALUES (NULL\(String(repeating: ", ?", count: columns)))")
  }
}
