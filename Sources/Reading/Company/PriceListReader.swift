internal import Billing

/// Reads the prices of one product as App Store Connect exports them: a row per storefront. Neither
/// the product nor the day stands in the file. Lists that programs upload have the same columns
/// without proceeds, and may say from which day a price holds (`start_date`) and that it is only
/// kept for who subscribed before (`preserved`).
///
/// The proceeds are those at the account's own commission, which the file does not name: it is the
/// documented one that explains most rows of storefronts whose tax is known.
struct PriceListReader: RowReader {
  private let columns: ColumnMap
  private let name: PriceListName
  private let storefronts: StorefrontLookup
  private let prices: PriceLookup
  private var rows: [(line: Int32, TierPrice)] = []
  private var seenLines: [Price: Int32] = [:]
  private var account: AccountCommission?
  private var count = 0
  private var kept = 0
  /// Prices whose proceeds are after another commission than most: a storefront's own terms.
  private var others = 0
  private var hasProceeds = false
  private(set) var footerCount = 0

  /// What a list has once.
  private struct Price: Hashable {
    var storefront: Storefront
    var begin: Day
  }

  private enum Column: Int, CaseIterable {
    case storefront, currency, price, proceeds, begin, preserved
  }
  private static let names = [
    "countries or regions", "currency code", "price", "proceeds", "start_date", "preserved",
  ]
  static let required = names.prefix(3)

  init(
    _ header: Header, _ name: PriceListName, _ storefronts: StorefrontLookup,
    _ prices: PriceLookup
  ) throws {
    columns = try ColumnMap(
      header, names: Self.names, required: Array(Self.required),
      isIgnored: { $0 == "may adjust automatically" })
    (self.name, self.storefronts, self.prices) = (name, storefronts, prices)
  }

  var pending: Int { rows.count }

  /// Reads the price of a storefront; one that is only kept for who subscribed before is a footer.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    /// The file's field of a column; −1 where it has none.
    func field(_ column: Column) -> Int { columns.fields[column.rawValue] }
    let place = field(.storefront)
    guard let storefront = try record.storefront(place, Self.names[0], storefronts) else {
      throw record.blankDiagnostic(place, Self.names[0])
    }
    // What subscribers of before go on paying is no price of the product.
    if try record.flag(field(.preserved), Self.names[5]) {
      kept += 1
      footerCount += 1
      return 1
    }
    let begin = try record.isoDate(field(.begin), Self.names[4]) ?? name.day
    let key = Price(storefront: storefront, begin: begin)
    if let line = seenLines.updateValue(record.line, forKey: key) {
      throw RecordDiagnostic(
        place, "storefront", "@company.storefront-stands-twice \(storefront) \(line)",
        help: "@company.download-the-price-list-again")
    }
    guard let currency = try record.currency(field(.currency), Self.names[1]) else {
      throw record.blankDiagnostic(field(.currency), Self.names[1])
    }
    guard let price = try record.amount(field(.price), Self.names[2], mayBeNegative: false) else {
      throw record.blankDiagnostic(field(.price), Self.names[2])
    }
    let proceeds = try record.amount(field(.proceeds), Self.names[3], mayBeNegative: false)
    if proceeds != nil { hasProceeds = true }
    rows.append(
      (
        record.line,
        TierPrice(
          table: .iap, tier: TierPrice.ownTier(of: name.sku), storefront: storefront,
          currency: currency, price: price, proceeds: proceeds, effectiveFrom: begin,
          effectiveTo: nil)
      ))
    count += 1
    return 1
  }

  /// Hands over the rows since the last block, with the commission at which their proceeds hold.
  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    let found = AccountCommission(rows.map(\.1), on: name.day, prices)
    for index in rows.indices {
      rows[index].1.commission = found.commission(of: index)
      if rows[index].1.commission == nil { rows[index].1.proceeds = nil }
      if rows[index].1.commission != found.rate { others += 1 }
    }
    account = account ?? found
    return FactBlock(rows: .tiers(rows))
  }

  /// How many prices there are, of which product and day, with a warning about proceeds that no
  /// documented commission explains.
  func summary(_ log: ReadingLog) -> RowSummary {
    columns.warnAboutUnknown(log, line: 1)
    if hasProceeds { account?.warn(log) }
    let others = Tally(
      what: "@company.kept-prices-are-left-out", one: "@company.kept-price-is-left-out",
      count: kept)
    return RowSummary(
      begin: name.day, end: name.day,
      tallies: (account.map { [tally($0)] } ?? []) + (kept > 0 ? [others] : []),
      identity: "\(name.sku) \(name.day)", product: name.sku)
  }
}

extension PriceListReader {
  /// The tally of the list's prices: how many there are, of which product and day, and after which
  /// commission their proceeds are.
  private func tally(_ account: AccountCommission) -> Tally {
    guard let rate = account.rate else {
      return Tally(
        what: "@company.prices-without-proceeds \(name.sku) \(name.day)", count: count)
    }
    let what: Wording =
      "@company.prices-with-proceeds-after \(name.sku) \(name.day) \(exactPercent(rate))"
    return Tally(
      what: others > 0 ? "@company.and-some-after-another \(what) \(others)" : what, count: count)
  }
}

extension Header {
  /// Whether this is the header of an exported price list.
  var isPriceList: Bool { PriceListReader.required.allSatisfy(has) }
}

/// The product and the day of a price list.
struct PriceListName {
  let sku: String
  let day: Day

  /// Finds the product and the day by what the caller says, else by the file's name:
  /// `com.example.gems.60 2026-03-01.csv`, the day maybe in the name of its folder or archive.
  /// Throws a diagnostic where one of both is missing.
  init(path: String, _ hints: ReadingHints) throws {
    let (sku, day) = Self.told(path: path, hints)
    guard let sku, !sku.isEmpty, let day else {
      throw Diagnostic(
        topic: "product", at: SourceLocation(file: path),
        day == nil ? "@company.price-list-names-no-day" : "@company.price-list-names-no-product",
        help: "@company.say-of-which-product-and-day")
    }
    (self.sku, self.day) = (sku, day)
  }

  /// The product's SKU and the day that the caller names, else the file's name does; nil for what
  /// neither names.
  static func told(path: String, _ hints: ReadingHints) -> (sku: String?, day: Day?) {
    let parts = path.split { "/:".contains($0) }.reversed().map(String.init)
    let file = parts.first.map { name in
      let end = [".csv", ".json", ".jsonl"].first { name.lowercased().hasSuffix($0) }
      return String(name.dropLast(end?.count ?? 0))
    }
    let own = file.flatMap(Self.dated)
    let day =
      hints.date ?? own?.day ?? parts.dropFirst().lazy.compactMap { Self.dated($0)?.day }.first
    let sku = hints.product ?? (own.map(\.rest) ?? (day == nil || hints.date != nil ? nil : file))
    // A product of an SKU that several apps have is named with its app.
    return (sku.map(AppProduct.written), day)
  }

  /// A name as the day that it ends with and the rest before it; nil for a name without a day.
  private static func dated(_ name: String) -> (rest: String, day: Day)? {
    let stem = name.lowercased().hasSuffix(".zip") ? name.dropLast(4) : name[...]
    guard stem.utf8.count >= 10, let day = Day(String(stem.suffix(10))) else { return nil }
    let rest = stem.dropLast(10)
    return (String(rest.reversed().drop { " _-.".contains($0) }.reversed()), day)
  }
}
