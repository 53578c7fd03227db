import Billing

extension CoinMovement: NamedValue {}
extension CoinOrigin: NamedValue {}
extension GameItemKind: NamedValue {}

extension CoinMovementRow: BlockRow {
  static let tableName = "coin_movement_row"
  static let blank = CoinMovementRow(
    line: 0, terms: 0, at: Instant(seconds: 0), isDay: false, coins: 0, userID: .none,
    orderID: .none, transactionID: .none)

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("at", &at)
    column("is_day", &isDay)
    column("coins", &coins)
    column("user_id", id: &userID)
    column("order_id", id: &orderID)
    column("transaction_id", id: &transactionID)
    column("line", &line)
  }
}
