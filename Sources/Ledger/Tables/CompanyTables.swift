import Billing

extension Product: TableValue {
  static let tableName = "product"
  static let blank = Product(sku: "", kind: .consumable)

  mutating func values(_ column: inout some ValueVisitor) {
    column("sku", &sku)
    column("kind", &kind)
    column("tier", &tier)
    column("apple_identifier", &appleIdentifier)
    column("bundle_id", &bundleID)
    column("name", &name)
    column("coins", &coins)
    column("subscription_group", &subscriptionGroup)
    column("effective_from", &effectiveFrom)
  }
}

extension TierPrice: TableValue {
  static let tableName = "tier"
  static let blank = TierPrice(
    table: .iap, tier: "", storefront: .blank, currency: .blank, price: 0, proceeds: nil,
    effectiveFrom: nil, effectiveTo: nil)

  mutating func values(_ column: inout some ValueVisitor) {
    column("\"table\"", &table)
    column("tier", &tier)
    column("storefront", &storefront)
    column("currency", &currency)
    column("price", &price)
    column("proceeds", &proceeds)
    column("effective_from", &effectiveFrom)
    column("effective_to", &effectiveTo)
  }
}

extension ExchangeRate: TableValue {
  static let tableName = "rate"
  static let blank = ExchangeRate(
    date: Day(number: 0), base: .blank, quote: .blank, rate: DecimalRate(micros: 0))

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
  static let blank = TaxOverride(
    storefront: .blank, rate: 0, effectiveFrom: nil, effectiveTo: nil)

  mutating func values(_ column: inout some ValueVisitor) {
    column("storefront", &storefront)
    column("rate", &rate)
    column("effective_from", &effectiveFrom)
    column("effective_to", &effectiveTo)
  }
}

extension CompanyCommission: TableValue {
  static let tableName = "commission"
  static let blank = CompanyCommission(
    name: "", place: "", platforms: "", commissionClass: "", rate: 0, effectiveFrom: nil,
    effectiveTo: nil)

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
  static let blank = BankCredit(day: Day(number: 0), amount: 0, currency: .blank, reference: "")

  mutating func values(_ column: inout some ValueVisitor) {
    column("day", &day)
    column("amount", &amount)
    column("currency", &currency)
    column("reference", &reference)
  }
}

extension CommissionInvoice: TableValue {
  static let tableName = "commission_invoice"
  static let blank = CommissionInvoice(
    number: "", first: Day(number: 0), last: Day(number: 0), app: "", currency: .blank, amount: 0,
    tax: 0, total: 0, due: Day(number: 0))

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

// Where a value is read into; no file names them.
extension Storefront { static let blank = Storefront(packed: 1)! }
extension Currency { static let blank = Currency(packed: 1)! }
