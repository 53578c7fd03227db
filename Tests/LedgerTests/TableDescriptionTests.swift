import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// What a row's description names is what its table has.
struct TableDescriptionTests {
  let ledger: Ledger
  let scratch: TemporaryFolder

  init() throws {
    scratch = try TemporaryFolder()
    ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
  }

  /// Besides the columns that the ledger itself fills: the row's id, its file and its line.
  private func columns(of table: String) throws -> Set<String> {
    let names = try ledger.read {
      try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
    }
    return Set(names).subtracting(Self.own)
  }

  private static let own: Set = ["id", "source_id", "line", "digest"]

  private func described(_ names: [String]) -> Set<String> {
    #expect(Set(names).count == names.count)
    return Set(names.map { $0.filter { $0 != "\"" } }).subtracting(Self.own)
  }

  @Test func valuesFillTheirTables() throws {
    let tables: [any TableValue.Type] = [
      FinanceFooterLine.self, FinanceTerms.self, PaymentLine.self, Payout.self, Product.self,
      TierPrice.self, ExchangeRate.self, TaxOverride.self, OrderTerms.self, TransactionTerms.self,
      MessageTerms.self, AnswerPage.self, RenewalTerms.self, ExtraTerms.self, SalesProduct.self,
      SalesTerms.self,
      SalesCondition.self, SubscriptionTerms.self, SubscriptionEventTerms.self,
      SubscriberTerms.self, PurchaseEventTerms.self, CoinMovementTerms.self,
    ]
    for table in tables {
      #expect(
        try columns(of: table.tableName) == described(table.columnNames), "\(table.tableName)")
    }
  }
}
