internal import Billing

/// Reads the rows of Apple's sales report.
struct SalesReader: RowReader {
  private let columns: [Int]
  private let unitsField: Int
  private let beginField: Int
  private let endField: Int
  private let storefronts: StorefrontLookup
  private var rows: [SalesRow] = []
  private var products: Interner<SalesProduct>
  private var terms: Interner<SalesTerms>
  private var conditions: Interner<SalesCondition>
  private var beginDates = AppleDateReader()
  private var endDates = AppleDateReader()
  private var first = Day(number: .max)
  private var last = Day(number: .min)
  private var knownTerms: [SalesTerms] = []
  private var unitsOfTerms: [Int64] = []
  /// Per product, whether its rows are updates, re-downloads or restores: units that nobody bought.
  private var isUnsold: [Bool] = []
  private var unsoldUnits: Int64 = 0
  private var unknown = UnknownWords()
  /// Order types that are no documented words: offers may be named there.
  private var orderTypes: Set<String> = []

  /// - Parameter map: where the file has the columns of a sales report.
  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    /// The file's fields of columns; −1 for each that it lacks.
    func fields(_ columns: [SalesColumn]) -> [Int] { columns.map { map.fields[$0.rawValue] } }
    columns = map.fields
    unitsField = map.fields[SalesColumn.units.rawValue]
    beginField = map.fields[SalesColumn.begin.rawValue]
    endField = map.fields[SalesColumn.end.rawValue]
    self.storefronts = storefronts
    products = Interner(fields: fields(SalesColumn.product))
    terms = Interner(fields: fields(SalesColumn.terms))
    conditions = Interner(fields: fields(SalesColumn.condition))
  }

  var pending: Int { rows.count }

  /// Reads a row: units of a product, at a price and in a storefront, from one day to another.
  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    guard let units = wholeNumber(trimmed(record[unitsField])), let narrow = Int32(exactly: units)
    else { throw unitsFault(record) }
    guard let begin = beginDates.read(trimmed(record[beginField])) else {
      throw dateFault(record, .begin)
    }
    guard let end = endDates.read(trimmed(record[endField])) else { throw dateFault(record, .end) }
    if begin > end { throw orderFault(record) }
    let terms = try termsCode(record, units: units)
    var product = products.find(record)
    if product < 0 { product = try newProduct(record) }
    var condition = conditions.find(record)
    if condition < 0 {
      noteUnknownCondition(record)
      condition = conditions.insert(newCondition(record), for: record)
    }
    if isUnsold[Int(product)] { unsoldUnits &+= units } else { unitsOfTerms[Int(terms)] &+= units }
    if begin < first { first = begin }
    if end > last { last = end }
    rows.append(
      SalesRow(
        line: record.line, units: narrow, begin: begin, end: end, product: product, terms: terms,
        condition: condition))
    return 1
  }

  /// The code of the record's storefront, price and proceeds; throws a diagnostic when units times
  /// price is over a million million.
  @inline(__always)
  private mutating func termsCode(_ record: Record, units: Int64) throws(RecordDiagnostic) -> Int32
  {
    var code = terms.find(record)
    if code < 0 { code = try newTerms(record) }
    // Prices are at most 10¹⁵ micro-units: up to 900 units nothing can leave 64 bits.
    if units.magnitude > 900 { try checkProduct(record, units, knownTerms[Int(code)]) }
    return code
  }

  /// Hands over the rows since the last block, with products, terms and conditions that are new
  /// with them.
  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .sales(rows))
    block.newSalesProducts = products.takeFresh()
    block.newSalesTerms = terms.takeFresh()
    block.newSalesConditions = conditions.takeFresh()
    rows = []
    rows.reserveCapacity(min(block.rowCount, FactBlock.rowLimit))
    return block
  }

  /// The days and the sums of all rows: customer prices and proceeds times units. Units that nobody
  /// bought, such as updates, are listed apart.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    unknown.warn(log, help: unknownRowsHelp)
    var totals = TotalsByCurrency()
    for (terms, units) in zip(knownTerms, unitsOfTerms) {
      let price = Int64(terms.customerPrice.magnitude)
      totals.add(terms.customerCurrency, units: units, price: price)
      totals.add(
        terms.proceedsCurrency ?? terms.customerCurrency, units: units, proceeds: terms.proceeds)
    }
    var summary = RowSummary(
      begin: first <= last ? first : nil, end: first <= last ? last : nil,
      totals: try totals.totals(file: log.file))
    if unsoldUnits != 0 {
      summary.tallies.append(
        Tally(
          what: "@apple.updates-re-downloads-and-restores",
          one: "@apple.update-re-download-or-restore",
          count: Int(unsoldUnits)))
    }
    if !orderTypes.isEmpty {
      summary.tallies.append(
        Tally(
          what: "@apple.order-types-that-are-no",
          one: "@apple.order-type-that-is-no", count: orderTypes.count))
    }
    return summary
  }

  /// The file's field of a column; −1 where it has none.
  private func field(_ column: SalesColumn) -> Int { columns[column.rawValue] }
}

extension SalesReader {
  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    let name = SalesColumn.country.name
    let country = field(.country)
    guard let storefront = try record.storefront(country, name, storefronts) else {
      throw record.blankDiagnostic(country, name)
    }
    let value = SalesTerms(
      storefront: storefront,
      customerCurrency: try record.currency(
        field(.customerCurrency), SalesColumn.customerCurrency.name),
      customerPrice: try amount(record, .customerPrice),
      proceedsCurrency: try record.currency(
        field(.proceedsCurrency), SalesColumn.proceedsCurrency.name),
      proceeds: try amount(record, .proceeds))
    if value.customerPrice != 0, value.customerCurrency == nil {
      throw record.blankDiagnostic(field(.customerCurrency), SalesColumn.customerCurrency.name)
    }
    if value.proceeds != 0, value.proceedsCurrency == nil {
      throw record.blankDiagnostic(field(.proceedsCurrency), SalesColumn.proceedsCurrency.name)
    }
    let code = terms.insert(value, for: record)
    if Int(code) == knownTerms.count {
      knownTerms.append(value)
      unitsOfTerms.append(0)
    }
    return code
  }

  /// The amount of a column in micro-units; throws a diagnostic when it is blank or no amount.
  private func amount(_ record: Record, _ column: SalesColumn) throws(RecordDiagnostic) -> Int64 {
    guard let amount = try record.amount(field(column), column.name, mayBeNegative: true) else {
      throw record.blankDiagnostic(field(column), column.name)
    }
    return amount
  }

  /// Reads and keeps a product that no row before had; returns its code, by which rows name it.
  @inline(never)
  private mutating func newProduct(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    /// The row's trimmed text in a column.
    func text(_ column: SalesColumn) -> String { record.text(field(column)) }
    let type = try record.requiredText(field(.type), SalesColumn.type.name)
    if text(.sku).isEmpty, text(.appleIdentifier).isEmpty {
      throw record.blankDiagnostic(field(.sku), SalesColumn.sku.name)
    }
    if !ProductType(type).isKnown {
      unknown.add(unknownWord("Product Type Identifier", record[field(.type)]), line: record.line)
    }
    let product = SalesProduct(
      sku: text(.sku), type: ProductType(type), appleIdentifier: text(.appleIdentifier),
      title: text(.title), developer: text(.developer), version: text(.version),
      parent: text(.parent), category: text(.category), subscriptionPeriod: text(.period),
      supportedPlatforms: text(.platforms))
    let code = products.insert(product, for: record)
    if Int(code) == isUnsold.count {
      isUnsold.append(product.type.isUpdateOrRedownload || product.type.isRestore)
    }
    return code
  }

  /// Notes a proceeds reason that Apple does not document, for a warning, and an order type.
  private mutating func noteUnknownCondition(_ record: Record) {
    let reason = record.text(field(.proceedsReason))
    if !reason.isEmpty, reason != knownProceedsReason {
      unknown.add(unknownWord("Proceeds Reason", record[field(.proceedsReason)]), line: record.line)
    }
    let order = record.text(field(.orderType))
    if !order.isEmpty, !isKnownOrderType(order) { orderTypes.insert(order) }
  }

  /// The record's promo code, offer, device and the like, as they are written.
  @inline(never)
  private func newCondition(_ record: Record) -> SalesCondition {
    var condition = SalesCondition()
    condition.promoCode = record.text(field(.promoCode))
    condition.subscription = record.text(field(.subscription))
    condition.cmb = record.text(field(.cmb))
    condition.device = record.text(field(.device))
    condition.proceedsReason = record.text(field(.proceedsReason))
    condition.preservedPricing = record.text(field(.preservedPricing))
    condition.client = record.text(field(.client))
    condition.orderType = record.text(field(.orderType))
    return condition
  }

  /// Throws a diagnostic when units times price, or proceeds, is more than a million million.
  @inline(never)
  private func checkProduct(_ record: Record, _ units: Int64, _ terms: SalesTerms)
    throws(RecordDiagnostic)
  {
    let price = Int128(max(terms.customerPrice.magnitude, terms.proceeds.magnitude))
    guard Int128(units.magnitude) * price <= 1_000_000_000_000_000_000 else {
      throw RecordDiagnostic(
        unitsField, "amount", "@apple.units-times-price-is-more",
        help: "@apple.one-of-them-must")
    }
  }

  /// What is wrong with units that are blank or no whole number.
  @inline(never)
  private func unitsFault(_ record: Record) -> RecordDiagnostic {
    let bytes = record[unitsField]
    return RecordDiagnostic(
      unitsField, "units", "@apple.units-is-not-a-whole \(shown(bytes))",
      help: trimmed(bytes).isEmpty
        ? "@apple.every-row-needs-its-units" : "@apple.apple-counts-whole-units-download")
  }

  /// What is wrong with a column that has no date.
  @inline(never)
  private func dateFault(_ record: Record, _ column: SalesColumn) -> RecordDiagnostic {
    let bytes = trimmed(record[field(column)])
    if bytes.isEmpty { return record.blankDiagnostic(field(column), column.name) }
    let isShaped = bytes.filter { $0 == 0x2F }.count == 2 && bytes.count == 10
    return RecordDiagnostic(
      field(column), "date", "@shared.is-not-a-date \(column.name) \(shown(bytes))",
      help: isShaped
        ? "@apple.there-is-no-such-day \(Day.years.lowerBound) \(Day.years.upperBound)"
        : "@apple.apple-writes-mm-dd-yyyy")
  }

  /// What is wrong with a row whose last day comes before its first.
  @inline(never)
  private func orderFault(_ record: Record) -> RecordDiagnostic {
    RecordDiagnostic(
      endField, "date", "@apple.end-date-comes-before \(shown(record[endField]))",
      help: "@apple.download-the-report-again")
  }
}
