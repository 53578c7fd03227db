package import Billing

/// What a file of wanted prices came to.
package struct WantedReading: Hashable, Sendable {
  /// In file order.
  package var prices: [WantedPrice]
  /// The first hundred of the rows that were not understood.
  package var diagnostics: [Diagnostic]
  package var diagnosticCount: Int
  package var warnings: [Diagnostic]
}

/// Reads a table of wanted prices: the columns `storefront` and `price`, and optionally `currency`
/// and `name`, in any order.
///
/// - Parameters:
///   - name: the path as given; used in places.
///   - source: the raw bytes, packed or not.
///   - storefronts: Apple's storefronts.
///   - currency: what a price is in where the row does not say it; nil for a storefront whose
///     currency nobody knows.
/// - Throws: a `Diagnostic` for what stops the file, and what `source` throws.
package func readWantedPrices(
  name: String, from source: ByteSource, storefronts: StorefrontLookup,
  currency: (Storefront) -> Currency?
) throws -> WantedReading {
  try withoutActuallyEscaping(source) { source in
    try withoutActuallyEscaping(currency) { currency in
      let log = ReadingLog(file: name)
      let limits = ReadingLimits()
      let bytes = BytePieces(
        ByteInput(file: name, blockSize: limits.blockSize, source: source, tap: { _ in }),
        size: limits.blockSize)
      let stream = try TextStream(file: name, bytes: bytes, limits: limits)
      let (header, delimiting) = try readTableHeader(
        stream, columns: WantedReader.columns, log: log)
      let map = try ColumnMap(
        header, names: WantedReader.columns, required: ["storefront", "price"])
      map.warnAboutUnknown(log, line: header.line)
      var prices: [WantedPrice] = []
      var loop = RecordLoop(
        reader: WantedReader(map, storefronts: storefronts, currency: currency), log: log,
        limits: limits, sink: { block in prices += block.prices })
      try loop.run(stream, Divider(delimiting, columns: header.names.count))
      return WantedReading(
        prices: prices, diagnostics: log.diagnostics, diagnosticCount: log.diagnosticCount,
        warnings: log.warnings)
    }
  }
}

struct WantedBlock: RecordBlock {
  var prices: [WantedPrice]
  var rejects: [Reject] = []
  var rowCount: Int { prices.count }
}

/// Turns rows into wanted prices.
struct WantedReader: RowReader {
  static let columns = ["storefront", "price", "currency", "name"]

  private let fields: [Int]
  private let storefronts: StorefrontLookup
  private let usualCurrency: (Storefront) -> Currency?
  private var prices: [WantedPrice] = []

  /// - Parameter currency: what a price is in where the row does not say it.
  init(
    _ map: ColumnMap, storefronts: StorefrontLookup, currency: @escaping (Storefront) -> Currency?
  ) {
    fields = map.fields
    self.storefronts = storefronts
    usualCurrency = currency
  }

  var pending: Int { prices.count }

  /// Reads a wanted price, in the storefront's usual currency where the row names none.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    let (place, amount, money) = (fields[0], fields[1], fields[2])
    guard let storefront = try record.storefront(place, "storefront", storefronts) else {
      throw record.blankDiagnostic(place, "storefront")
    }
    guard let price = try record.amount(amount, "price", mayBeNegative: false) else {
      throw record.blankDiagnostic(amount, "price")
    }
    guard price > 0 else {
      throw RecordDiagnostic(
        amount, "price", "@questions.price-is-not-above-zero \(shown(trimmed(record[amount])))",
        help: "@questions.free-products-need-no-tier")
    }
    guard let currency = try record.currency(money, "currency") ?? usualCurrency(storefront) else {
      throw record.blankDiagnostic(money, "currency")
    }
    prices.append(
      WantedPrice(
        storefront: storefront, name: record.text(fields[3]), price: Money(micros: price, currency))
    )
    return 1
  }

  mutating func takeBlock() -> WantedBlock {
    defer { prices = [] }
    return WantedBlock(prices: prices)
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }
}
