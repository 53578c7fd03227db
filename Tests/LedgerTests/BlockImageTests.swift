import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// Rows reach SQLite as whole records, and as the records that it would have written itself.
struct BlockImageTests {
  private let scratch: TemporaryFolder
  private let ledger: Ledger

  init() throws {
    scratch = try TemporaryFolder()
    ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
  }

  @Test func recordsAreCopiedWhole() throws {
    try ledger.write(beside: BlockImage()) { db in
      for table in ["sales_row", "finance_row", "order_row", "transaction_row", "finding_sale"] {
        let steps = try Row.fetchAll(db, sql: "EXPLAIN \(BlockImage.copying(table))")
          .map { $0["opcode"] as String }
        #expect(steps.contains("RowData") || steps.contains("RowCell"), "\(table)")
        #expect(!steps.contains("Column") && !steps.contains("MakeRecord"), "\(table)")
      }
      return .rollback
    }
  }

  /// A column of a row stands where its table has it.
  @Test func columnsAreInTheOrderOfTheTable() throws {
    let row = OrderRow(
      line: 1, terms: 0, orderID: .none, userID: .none, transactionID: .none,
      appAccountToken: .none, placedAt: Instant(seconds: 1), paidAt: nil, fulfilledAt: nil)
    try ledger.write { db in
      func columns(_ table: String) throws -> [String] {
        try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_xinfo('\(table)') WHERE hidden = 0")
      }
      func check<Value: TableValue>(_: Value.Type) throws {
        let names = try columns(Value.tableName)
        #expect(names == ["id"] + Value.columnNames)
      }
      let orders = try columns(OrderRow.tableName)
      #expect(orders == ["id"] + row.columnNames)
      try check(OrderTerms.self)
      try check(TransactionTerms.self)
      try check(MessageTerms.self)
      try check(RenewalTerms.self)
      try check(ExtraTerms.self)
      try check(PurchaseEventTerms.self)
      try check(SalesProduct.self)
      try check(SalesTerms.self)
      try check(SalesCondition.self)
      try check(FinanceTerms.self)
      try check(SubscriptionTerms.self)
      try check(SubscriptionEventTerms.self)
      try check(SubscriberTerms.self)
      let sale = SaleRecord(
        sale: ResolvedSale(row: RowID(1), order: nil, terms: 0), run: 1, firstTerms: 1)
      let sales = try columns(SaleRecord.tableName)
      #expect(sales == ["id"] + sale.columnNames)
      return .rollback
    }
  }

  /// Ids that end at, before and behind the end of a page, and go on for many.
  @Test func longIDs() throws {
    let lengths = [1, 57, 58, 4000, 65_400, 65_480, 65_490, 65_500, 65_520, 70_000, 2_500_000, 3]
    let facts = lengths.enumerated().map { index, length in
      OrderFact(
        id: "\(index)" + String(repeating: "é", count: length / 2), user: "u\(index)",
        placed: Int64(index))
    }
    _ = try ledger.load("a.csv", facts + facts.reversed())
    let all = facts + facts.reversed()
    let resolved = try ledger.resolveOrders(
      (1...all.count).map { RowID<OrderRow>(Int32($0)) })
    #expect(resolved.map(\.id) == all.map(\.id))
    #expect(resolved.map(\.user) == all.map(\.user))
    try expectSound()
  }

  @Test func numbersOfEverySize() throws {
    var numbers: [Int64] = [.min, .max, 0]
    for place in 0...62 {
      let bound = Int64(1) << Int64(place)
      numbers += [bound - 1, bound, -bound, -bound - 1]
    }
    _ = try ledger.load("a.csv", numbers.map { OrderFact(id: "x", placed: $0, paid: ~$0) })
    try ledger.write { db in
      let placed = try Int64.fetchAll(db, sql: "SELECT placed_at FROM order_row ORDER BY id")
      let paid = try Int64.fetchAll(db, sql: "SELECT paid_at FROM order_row ORDER BY id")
      let complements = numbers.map { ~$0 }
      #expect(placed == numbers)
      #expect(paid == complements)
      return .rollback
    }
    try expectSound()
  }

  /// Rows that the index has go another way than those around them, and come out the same.
  @Test func rowsOfAnIndex() throws {
    var facts: [TransactionFact] = []
    for index in 0..<20_000 {
      var fact = TransactionFact(id: "\(3_000_000 + index)", purchased: Int64(index))
      if index % 3 == 0 { fact.original = fact.id }
      if index % 2 == 0 { fact.order = "o\(index)" }
      if index % 7 == 0 || index > 19_990 { fact.revoked = Int64(40_000 - index) }
      facts.append(fact)
    }
    _ = try ledger.load("a.csv", facts)
    try ledger.write { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT transaction_text, original_transaction_id, revoked_at FROM transaction_row
          ORDER BY id
          """)
      for (row, fact) in zip(rows, facts) {
        let (id, original): (String, String?) = (row[0], row[1])
        let revoked: Int64? = row[2]
        #expect(id == fact.id)
        #expect(original == (fact.original.isEmpty ? nil : ""))
        #expect(revoked == fact.revoked)
      }
      #expect(rows.count == facts.count)
      return .rollback
    }
    try expectSound()
  }

  private func expectSound() throws {
    try ledger.write { db in
      let said = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      #expect(said == ["ok"])
      return .rollback
    }
  }
}
