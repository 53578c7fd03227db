import Billing

extension AnswerPage: TableValue {
  static let tableName = "answer_page"
  static let blank = AnswerPage(.history, line: 0, hasMore: false)

  mutating func values(_ column: inout some ValueVisitor) {
    column("line", &line)
    column("list", &list)
    column("bundle_id", &bundleID)
    column("environment", &environment)
    column("app_transaction_id", &appTransactionID)
    column("user_id", &userID)
    column("last_id", &lastID)
    column("asked_with", &asked)
    column("next_token", &next)
    column("has_more", &hasMore)
    column("answered_at", &answeredAt)
    column("rest_from", &restFrom)
    column("rest_to", &restTo)
  }
}
