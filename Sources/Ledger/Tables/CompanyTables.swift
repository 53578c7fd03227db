import Billing

extension Product: TableValue {
  static let tableName = "product"
}

extension TierPrice: TableValue {
  static let tableName = "tier"
}

extension ExchangeRate: TableValue {
  static let tableName = "rate"

  mutating func values(_ column: inout some ValueVisitor) {
    column("day", &date)
    column("base", &base)
    column("quote", &quote)
    column("rate", &rate.digits)
    column("places", &rate.places)
  }
}

extension TaxOverride: TableValue {
  static let tableName = "tax"
}

extension CompanyCommission: TableValue {
  static let tableName = "commission"

  mutating func values(_ column: inout some ValueVisitor) {
    column("name", &name)
    column("place", &place)
    column("platforms", &platforms)
    column("class", &commissionClass)
    column("rate", &rate)
    column("effective_from", &effectiveFrom)
    column("effective_to", &effectiveTo)
  }
}

extension BankCredit: TableValue {
  static let tableName = "bank_credit"
}

extension CoinBalance: TableValue {
  static let tableName = "coin_balance"
}

extension GameItem: TableValue {
  static let tableName = "game_item"
}

extension CommissionInvoice: TableValue {
  static let tableName = "commission_invoice"

  mutating func values(_ column: inout some ValueVisitor) {
    column("number", &number)
    column("first_day", &first)
    column("last_day", &last)
    column("app", &app)
    column("currency", &currency)
    column("amount", &amount)
    column("tax", &tax)
    column("total", &total)
    column("due", &due)
  }
}

extension Reject: TableRow {
  static let tableName = "reject"

  mutating func columns(_ column: inout some RowVisitor) {
    var (line, place) = (Int64(diagnostic.location.line), Int64(diagnostic.location.column))
    var (message, help) = (diagnostic.message.english, diagnostic.help.english)
    column("line", &line)
    column("\"column\"", &place)
    column("topic", &diagnostic.topic)
    column("message", &message)
    column("help", &help)
    column("raw_text", &rawText)
  }
}
