import Billing
import Languages
import Conclusions
import Pricing

/// What one of Apple's companies sold, or paid, in one currency: what invoices to it and an EC
/// sales list are made from.
struct EntityRow: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable { case sales, payment }

  var kind: Kind
  /// The seller, by the day of each sale; of a payment all that sell in its region.
  var entities: [String]
  /// Of a payment, the fiscal month that it is for.
  var month: FiscalMonth?
  /// Of a payment, Apple's region.
  var region: String?
  var storefronts: [Storefront]
  /// What customers paid in; of a payment nil.
  var currency: Currency?
  var proceedsCurrency: Currency
  var unitsSold: Int64?
  var unitsRefunded: Int64?
  var gross: Money?
  var tax: Money?
  var commission: Money?
  /// Of a payment what is owed for it.
  var proceeds: Money
  /// Nil where no rate is loaded, and of a payment.
  var proceedsBase: Money?
  var adjustment: Money?
  var withholding: Money?
  var inputTax: Money?
  /// In the bank's currency; nil while it is not paid.
  var paid: Money?
  var paidOn: Day?

  /// The sellers' names, between slashes.
  var name: String { entities.joined(separator: " / ") }
  /// The country where the seller is established; empty where there are several, or nobody knows
  /// it.
  var country: String {
    let countries = Set(entities.map(Self.country))
    return countries.count == 1 ? countries.first! : ""
  }

  /// The country of a company's seat, for each that the table of storefronts names; empty for
  /// others. No report of Apple's tells it: where an invoice or a tax return rests on it, a person
  /// checks it against the contract.
  private static func country(_ entity: String) -> String {
    switch entity {
    case "Apple Inc.", "Apple Services LATAM LLC": "US"
    case "Apple Canada Inc.": "CA"
    case "iTunes K.K.": "JP"
    case "Apple Pty Limited": "AU"
    case "Apple Distribution International Ltd.": "IE"
    case "Apple Services Pte. Ltd.": "SG"
    default: ""
    }
  }
}

extension Reconciliation {
  /// The rows of sales by seller and currencies, then of payments by region; ascending.
  var entityRows: [EntityRow] { entitySales + entityPayments }

  /// The sales of each seller by currencies, ascending by seller.
  private var entitySales: [EntityRow] {
    struct Key: Hashable {
      var entity: String
      var currency: Currency
      var paid: Currency
    }
    let groups = Dictionary(grouping: productRows) {
      Key(entity: $0.entity, currency: $0.currency, paid: $0.proceedsCurrency)
    }
    let keys = groups.keys.sorted {
      ($0.entity, $0.currency.code, $0.paid.code) < ($1.entity, $1.currency.code, $1.paid.code)
    }
    return keys.map { key in
      let rows = groups[key]!
      let base = rows.compactMap(\.proceedsBase)
      return EntityRow(
        kind: .sales, entities: key.entity.isEmpty ? [] : [key.entity],
        storefronts: Set(rows.map(\.storefront)).sorted(), currency: key.currency,
        proceedsCurrency: key.paid, unitsSold: rows.reduce(0) { $0 + $1.unitsSold },
        unitsRefunded: rows.reduce(0) { $0 + $1.unitsRefunded },
        gross: rows.sum(in: key.currency, \.gross), tax: rows.sum(in: key.currency, \.tax),
        commission: key.currency == key.paid
          ? rows.sum(in: key.currency) { $0.gross - $0.tax - $0.proceeds } : nil,
        proceeds: rows.sum(in: key.paid, \.proceeds),
        proceedsBase: base.count == rows.count ? base.sum(in: baseCurrency, \.self) : nil)
    }
  }

  /// The payments of each region; a region's payment is one sum, whoever of several sellers it is
  /// of.
  private var entityPayments: [EntityRow] {
    guard let settlement else { return [] }
    let table = StorefrontTable.builtIn
    return settlement.allPayments.map { payment in
      // A change of an earlier month is that month's, and of its sellers.
      let month = payment.month ?? settlement.month
      let storefronts = table.entries.filter { $0.financeRegions.contains(payment.region) }
        .map(\.storefront)
      let sellers = Set(
        storefronts.flatMap { storefront in
          [month.first, month.last].compactMap {
            table.legalEntity(of: storefront, on: $0)
          }
        })
      return EntityRow(
        kind: .payment, entities: sellers.sorted(), month: month, region: payment.region,
        storefronts: [],
        proceedsCurrency: payment.currency, proceeds: payment.owed,
        adjustment: payment.adjustment, withholding: payment.withholding,
        inputTax: payment.inputTax, paid: payment.paid, paidOn: payment.paidOn)
    }
  }
}

extension List<EntityRow> {
  /// The columns of sales and payments in one list, as scripts get them.
  static func entities(inBase base: Currency) -> List { List(columns(inBase: base)) }

  /// The columns of sales in the sheet.
  static func entitySales(inBase base: Currency) -> List {
    let wanted = [
      "entity", "country", "currency", "proceeds_currency", "units_sold", "units_refunded",
      "gross", "tax", "commission", "proceeds",
    ]
    let all = columns(inBase: base)
    return List(
      wanted.map { name in all.first { $0.name == name }! } + [
        Column(
          "proceeds_base", .number("@shared.proceeds-2 \(base)"), totals: [.allIfComplete]
        ) { .money(ifAny: $0.proceedsBase) },
        all.first { $0.name == "storefronts" }!,
      ], sums: [ExpectedSum("proceeds_base") { $0.proceedsBase?.micros }])
  }

  /// The columns of payments in the sheet.
  static func entityPayments(inBase base: Currency) -> List {
    let wanted = [
      "entity", "country", "region", "month", "proceeds_currency", "adjustment", "withholding",
      "input_tax", "owed",
    ]
    let all =
      columns(inBase: base) + [
        Column("owed", .number("@sheet.owed")) { .money($0.proceeds) }
      ]
    return List(
      wanted.map { name in all.first { $0.name == name }! } + [
        Column("paid", .number("@shared.paid"), totals: [.perCurrency(in: "paid_currency")]) {
          .money(ifAny: $0.paid)
        },
        all.first { $0.name == "paid_currency" }!, all.first { $0.name == "paid_on" }!,
      ], sums: [ExpectedSum("paid") { $0.paid }])
  }

  /// All columns that lists of sellers choose from.
  private static func columns(inBase base: Currency) -> [Column<EntityRow>] {
    [
      Column("kind", .text("@shared.kind")) {
        .words($0.kind == .sales ? "@shared.sales" : "@shared.payment")
      }
      .coded { $0.kind.rawValue },
      Column("entity", .text("@shared.entity", 10...40)) {
        $0.entities.isEmpty ? .words("@shared.not-known") : .text($0.name)
      }.coded { $0.name },
      Column("country", .text("@list.apple-country")) { .text(ifAny: $0.country) }
        .coded { $0.country },
      Column("month", .text("@shared.month")) { .text(ifAny: $0.month?.description) },
      Column("region", .text("@shared.region", 8...34)) { .region($0.region ?? "") }
        .coded { $0.region },
      Column("currency", .text("@shared.currency")) { .text(ifAny: $0.currency?.code) },
      Column("proceeds_currency", .text("@shared.proceeds-currency")) {
        .text($0.proceedsCurrency.code)
      },
      Column("units_sold", .number("@shared.units-sold")) { .integer(ifAny: $0.unitsSold) },
      Column("units_refunded", .number("@shared.units-refunded")) {
        .integer(ifAny: $0.unitsRefunded)
      },
      Column("gross", .number("@shared.gross")) { .money(ifAny: $0.gross) },
      Column("tax", .number("@shared.tax")) { .money(ifAny: $0.tax) },
      Column("commission", .number("@shared.commission")) { .money(ifAny: $0.commission) },
      Column("proceeds", .number("@shared.proceeds")) { .money($0.proceeds) },
      Column("proceeds_base", .number("@shared.proceeds-2 \(base)")) {
        .money(ifAny: $0.proceedsBase)
      },
      Column("adjustment", .number("@shared.adjustment")) { .money(ifAny: $0.adjustment) },
      Column("withholding", .number("@shared.withholding")) { .money(ifAny: $0.withholding) },
      Column("input_tax", .number("@shared.input-tax")) { .money(ifAny: $0.inputTax) },
      Column("paid", .number("@shared.paid")) { .money(ifAny: $0.paid) },
      Column("paid_currency", .text("@list.paid")) { .text(ifAny: $0.paid?.currency.code) },
      Column("paid_on", .date("@list.paid-2")) { .day(ifAny: $0.paidOn) },
      Column("storefronts", .text("@list.storefronts", 10...60)) {
        .text(ifAny: $0.storefronts.map(\.code).joined(separator: " "))
      }.listed { $0.storefronts.map(\.code) },
    ]
  }
}

extension WorkbookContents {
  /// The sheet of what each of Apple's companies sold and paid; nil without payments: sales by
  /// company stand below the proceeds by country.
  func entitiesSheet() -> Sheet? {
    if reconciliation.settlement == nil { return nil }
    let base = reconciliation.baseCurrency
    let rows = reconciliation.entityRows
    let (sales, payments) = (rows.filter { $0.kind == .sales }, rows.filter { $0.kind == .payment })
    let list = List<EntityRow>.entitySales(inBase: base)
    let paid = List<EntityRow>.entityPayments(inBase: base)
    guard !sales.isEmpty else {
      return wholeSheet(say("@list.by-seller"), paid, payments, frozenColumns: 1)
    }
    let body = ListBody.sheet(count: sales.count)
    var below = PlacedRows(below: body)
    below.addTotalOfAll(sales, of: list, at: body, label: "@shared.total")
    if !payments.isEmpty {
      let table = below.addTable("@sheet.payments", payments, of: paid)
      below.addTotals(payments, of: paid, at: table)
    }
    return Sheet(
      name: say("@list.by-seller"),
      columns: ColumnHead.columns(list.heads, above: payments.isEmpty ? [] : paid.heads),
      rows: Rows(list.rows(sales, at: body)),
      totals: below.rows, frozenColumns: 1)
  }
}
