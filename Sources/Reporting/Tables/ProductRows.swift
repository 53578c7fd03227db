import Billing
package import Conclusions
import Pricing

/// Proceeds of one product in one storefront and pair of currencies, or what of closed periods is
/// booked there. Together they are the lines by country, to the last minor unit.
struct ProductRow: Hashable, Sendable {
  var storefront: Storefront
  var entity = ""
  var app = ""
  var sku = ""
  /// As the catalogue writes it; `prior_period` for what is booked of closed periods.
  var kind = "prior_period"
  var unitsSold: Int64
  /// Positive.
  var unitsRefunded: Int64
  /// Net of refunds, as are all amounts.
  var gross: Money
  var tax: Money
  var proceeds: Money
  /// Nil where no rate is loaded.
  var proceedsBase: Money?
  var rate: CurrencyRate?
  var currency: Currency { gross.currency }
  var proceedsCurrency: Currency { proceeds.currency }

  /// Apple's commission: the net price less proceeds; nil where proceeds have another currency.
  var commission: Money? { currency == proceedsCurrency ? gross - tax - proceeds : nil }
}

extension Reconciliation {
  /// The proceeds by product, in the order of the lines by country; empty where nothing is known of
  /// products.
  var productRows: [ProductRow] {
    struct Key: Hashable {
      var storefront: Storefront
      var currency: Currency
      var paid: Currency
    }
    if products.isEmpty { return [] }
    let groups = Dictionary(grouping: products) {
      Key(storefront: $0.storefront, currency: $0.currency, paid: $0.proceedsCurrency)
    }
    return proceeds.flatMap { line in
      rows(
        of: line,
        groups[
          Key(storefront: line.storefront, currency: line.currency, paid: line.proceedsCurrency)]
          ?? [])
    }
  }

  /// The company of Apple's that sold in a storefront in the two years before the period; empty
  /// where that changed.
  private func earlierSeller(of storefront: Storefront) -> String {
    let table = StorefrontTable.builtIn
    let sellers = [-1, -730].map {
      table.legalEntity(of: storefront, on: period.first.advanced(by: $0))
    }
    return sellers[0] == sellers[1] ? sellers[0] ?? "" : ""
  }

  /// The rows of a line's products, and one for what they leave of the line. Each is converted as
  /// what it adds to the sum before it, so that the sum is what the line converts to.
  private func rows(of line: ProceedsLine, _ products: [ProductProceeds]) -> [ProductRow] {
    // Changes of closed months are of earlier days.
    var rest = ProductRow(
      storefront: line.storefront, entity: earlierSeller(of: line.storefront),
      unitsSold: line.unitsSold, unitsRefunded: line.unitsRefunded,
      gross: line.gross, tax: line.tax,
      proceeds: line.proceeds, proceedsBase: line.proceedsBase, rate: line.rate)
    var sum = Money.zero(line.proceedsCurrency)
    /// The proceeds of the products so far in base currency; nil where the line has no rate.
    func inBase() -> Money? { line.rate.map { sum.converted(at: $0, to: baseCurrency) } }
    var rows = products.map { product in
      let before = inBase() ?? .zero(baseCurrency)
      sum += product.net.proceeds
      let row = ProductRow(
        storefront: line.storefront, entity: product.entity, app: product.app,
        sku: product.sku, kind: product.kind.rawValue, unitsSold: product.sold.units,
        unitsRefunded: -product.refunded.units, gross: product.net.gross, tax: product.net.tax,
        proceeds: product.net.proceeds, proceedsBase: inBase().map { $0 - before },
        rate: line.rate)
      rest.subtract(row)
      return row
    }
    if rest.hasFigures { rows.append(rest) }
    return rows
  }
}

extension ProductRow {
  /// Takes a row's figures off this one's.
  fileprivate mutating func subtract(_ other: ProductRow) {
    unitsSold -= other.unitsSold
    unitsRefunded -= other.unitsRefunded
    gross -= other.gross
    tax -= other.tax
    proceeds -= other.proceeds
    if let amount = other.proceedsBase { proceedsBase? -= amount }
  }

  /// Whether a figure is not zero.
  fileprivate var hasFigures: Bool {
    [unitsSold, unitsRefunded].contains { $0 != 0 }
      || [gross, tax, proceeds, proceedsBase].contains { $0?.isZero == false }
  }
}

extension List<ProductRow> {
  /// The columns of proceeds by storefront, Apple's legal entity, app and product.
  static func products(inBase base: Currency) -> List {
    List([
      Column("storefront") { .text($0.storefront.code) },
      Column("entity") { .text($0.entity) },
      Column("app") { .text($0.app) },
      Column("sku") { .text(AppProduct($0.sku).sku) },
      Column("kind") { .text($0.kind) },
      Column("currency") { .text($0.currency.code) },
      Column("proceeds_currency") { .text($0.proceedsCurrency.code) },
      Column("units_sold") { .integer($0.unitsSold) },
      Column("units_refunded") { .integer($0.unitsRefunded) },
      Column("gross") { .money($0.gross) },
      Column("tax") { .money($0.tax) },
      Column("commission") { .money(ifAny: $0.commission) },
      Column("proceeds") { .money($0.proceeds) },
      Column("proceeds_base") { .money(ifAny: $0.proceedsBase) },
      Column("rate") { .quoted(ifAny: $0.rate) },
    ])
  }
}

/// The CSV of the products' proceeds as a close keeps them; the columns stay as they are.
package func proceedsCSV(_ reconciliation: Reconciliation) -> String {
  List.products(inBase: reconciliation.baseCurrency)
    .csv(reconciliation.inOutputOrder().productRows)
}
