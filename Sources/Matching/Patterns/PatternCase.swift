package import Billing
import Conclusions

/// A finding with what is known of the rows that show it: what a pattern is looked for in.
package struct PatternCase: Sendable {
  // As the finding has them.
  let code: FindingCode
  let storefront: Storefront?
  let currency: Currency?
  let day: Day?
  let sku: String?
  let units: Int64?
  let amount: Int64?
  let orders: [OrderRow.ID]
  let transactions: [TransactionRow.ID]
  let sales: [SalesRow.ID]
  /// What it is about, by position in the table of matches; −1 where it names none.
  let order: Int32
  let transaction: Int32
  /// Of the finding that it becomes.
  let id: String
  /// Whose orders and transactions show it.
  let users: [String]

  /// A case of a finding.
  ///
  /// - Parameters:
  ///   - id: of the finding that it becomes.
  ///   - users: whose orders and transactions show it.
  package init(_ finding: UnresolvedFinding, id: String, users: [String]) {
    code = finding.code
    storefront = finding.storefront
    currency = finding.currency
    day = finding.day
    sku = finding.sku
    units = finding.units
    amount = finding.amount
    orders = finding.orders
    transactions = finding.transactions
    sales = finding.sales
    order = Int32(finding.order ?? -1)
    transaction = Int32(finding.transaction ?? -1)
    self.id = id
    self.users = users
  }
}

/// A file, and the first row that came from it.
package struct RowFile<Table>: Sendable {
  package var firstRow: RowID<Table>
  package var name: String
  package init(firstRow: RowID<Table>, name: String) {
    self.firstRow = firstRow
    self.name = name
  }
}

/// What findings of a code may have in common that their kind does not give them anyway, and which
/// business they are compared with.
struct PatternPlan {
  var base: Pattern.Base
  var dimensions: [Pattern.Dimension]

  /// What is looked for in findings of a code. Nil for codes that no pattern is looked for in:
  /// those of whole files and months, and those that differ by the product's or the storefront's
  /// own nature.
  ///
  /// - Parameter events: whether the company's log is loaded.
  init?(_ code: FindingCode, events: Bool) {
    let without: Set<Pattern.Dimension>
    switch code {
    // They are patterns themselves.
    case .clockOff, .inputsInsufficient: return nil
    case .transactionWithoutOrder: (base, without) = (.transactions, [])
    // A second file that tells other things is what makes the finding.
    case .sourcesContradict: (base, without) = (.transactions, [.file])
    // One finding stands for all, by a day that is given.
    case .datedAhead, .taxDiffers, .wordUnknown, .reportsDisagree, .idRepeated: return nil
    case .renewalGap: (base, without) = (.transactions, [.product])
    case .subscriptionShared: (base, without) = (.transactions, [.product, .user])
    case .offerReused: (base, without) = (.orders, [.product, .user])
    // Which products can be shared, or are taken for each other, lies in the products.
    case .familySharedFulfilled, .bundleMismatch, .productMismatch:
      (base, without) = (.orders, [.product])
    case .refundNotReversed: (base, without) = (.refunds, [])
    case .renewalRefunded: (base, without) = (.refunds, [.product])
    case .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport, .priceDiffers:
      (base, dimensions) = (.units, [.day, .storefront, .product])
      return
    case .priceNotInTier, .proceedsUnexpected, .proceedsOffRule:
      (base, dimensions) = (.rows, [.day, .storefront, .product, .device])
      return
    case .unknownSKU:
      (base, dimensions) = (.units, [.day, .storefront])
      return
    default:
      guard code.level == 1 else { return nil }
      (base, without) = (.orders, [])
    }
    let all: [Pattern.Dimension] = [
      .time, .hours, .user, .ring, .appVersion, .device, .storefront, .product, .file,
    ]
    // Where one user cannot stand out, several cannot.
    dimensions = all.filter { !without.contains($0 == .ring ? .user : $0) }
    if events, base != .refunds { dimensions += EventBusiness.failures }
  }
}

/// How findings share a value or a span, and how little that is due to chance.
struct SharedTrait {
  var dimension: Pattern.Dimension
  var value = ""
  var users: [String] = []
  var span: ClosedRange<Instant>?
  var days: ClosedRange<Day>?
  /// Quarter hours of the company's day.
  var hours: [Int] = []
  /// Indices of the cases.
  var cases: [Int]
  /// The part of all business.
  var share: Double
  /// Natural logarithm of the chance, with the places of this dimension accounted for.
  var chance: Double
}

extension Array {
  /// The name of the file that a row came from.
  ///
  /// - Precondition: they ascend by first row, and the row came from one of them.
  func name<Table>(of row: RowID<Table>) -> String where Element == RowFile<Table> {
    self[partitioningIndex { $0.firstRow > row } - 1].name
  }
}
