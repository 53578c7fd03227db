import Billing
import CTablesHeader

/// Apple's own lists of prices outside mainland China, as far as they are known: the tiers of 2012
/// to 2019, and price points by Apple's number. A list is one line of the table, for all
/// storefronts that shared it, and becomes tier prices only where it is asked.
struct MatrixTable: Sendable {
  static let builtIn = MatrixTable(bytes: FactTable.embedded(ctables_matrices()))

  /// What the places of a list are called.
  enum Names: String, Sendable {
    /// 0 to 87, then the alternate tiers A, B and 1 to 5.
    case tiers
    /// Apple's numbers from 10001 on.
    case points

    /// The index that a tier, by its one name, has in a list's prices; nil for a tier that such
    /// lists do not have.
    func place(of tier: String) -> Int? {
      switch self {
      case .tiers:
        if let place = Self.alternates.firstIndex(of: tier) { return 88 + place }
        return Int(tier).flatMap { (0...87).contains($0) && String($0) == tier ? $0 : nil }
      case .points:
        return Int(tier).flatMap { $0 > 10_000 && String($0) == tier ? $0 - 10_001 : nil }
      }
    }

    /// The one name of the tier at an index of a list's prices.
    func name(at place: Int) -> String {
      switch self {
      case .tiers: place < 88 ? String(place) : Self.alternates[place - 88]
      case .points: String(10_001 + place)
      }
    }

    private static let alternates = ["A", "B", "1", "2", "3", "4", "5"].map {
      "Alternate Tier \($0)"
    }
  }

  /// One list of prices, which all its storefronts share.
  struct Prices: Sendable {
    /// Nil counts in both of Apple's matrices.
    let table: TierTable?
    let names: Names
    let storefronts: Set<Storefront>
    let currency: Currency
    let days: DayRange
    /// By place, micro-units; nil where the list has no such tier.
    let prices: [Int64?]
    /// Where it stands in the table.
    let line: Int

    /// The price of a tier in micro-units; nil where the list is of the other matrix, or has no
    /// such tier.
    func price(_ table: TierTable, _ tier: String) -> Int64? {
      guard self.table == nil || self.table == table, let place = names.place(of: tier),
        prices.indices.contains(place)
      else { return nil }
      return prices[place]
    }
  }

  let lists: [Prices]
  let facts: FactTable
  private let byStorefront: [Storefront: [Int]]

  /// Reads the bytes of `matrices.csv`.
  init(bytes: some Collection<UInt8>) {
    facts = FactTable(
      "matrices.csv",
      columns: [
        "table", "names", "storefronts", "currency", "from", "to", "prices", "evidence",
      ], bytes: bytes)
    lists = facts.rows.map(Prices.init)
    var byStorefront: [Storefront: [Int]] = [:]
    for (index, list) in lists.enumerated() {
      for storefront in list.storefronts { byStorefront[storefront, default: []].append(index) }
    }
    self.byStorefront = byStorefront.mapValues { [lists] in
      $0.sorted { (lists[$0].days.first, $0) < (lists[$1].days.first, $1) }
    }
  }

  /// All prices of a tier in a storefront, ascending by first day.
  func history(_ table: TierTable, _ tier: String, _ storefront: Storefront) -> [TierPrice] {
    (byStorefront[storefront] ?? []).compactMap { index in
      let list = lists[index]
      return list.price(table, tier).map { price in
        TierPrice(
          table: table, tier: tier, storefront: storefront, currency: list.currency, price: price,
          proceeds: nil, effectiveFrom: list.days.from, effectiveTo: list.days.to)
      }
    }
  }

  /// Whether any list has a price of a tier.
  func has(_ table: TierTable, _ tier: String) -> Bool {
    lists.contains { $0.price(table, tier) != nil }
  }

  /// The storefronts of all lists that have a price of a tier.
  func storefronts(_ table: TierTable, _ tier: String) -> Set<Storefront> {
    lists.reduce(into: []) { found, list in
      if list.price(table, tier) != nil { found.formUnion(list.storefronts) }
    }
  }

  /// The names of the tiers that any list of a matrix has for a storefront.
  func tiers(_ table: TierTable, in storefront: Storefront) -> Set<String> {
    (byStorefront[storefront] ?? []).reduce(into: []) { found, index in
      let list = lists[index]
      guard list.table == nil || list.table == table else { return }
      for (place, price) in list.prices.enumerated() where price != nil {
        found.insert(list.names.name(at: place))
      }
    }
  }

  /// The line of the table that a price stands on; nil for one that no list has.
  func line(of price: TierPrice) -> Int? {
    lists.first {
      $0.storefronts.contains(price.storefront) && $0.currency == price.currency
        && $0.days == price.days && $0.price(price.table, price.tier) == price.price
    }?.line
  }
}

extension MatrixTable.Prices {
  /// Reads a line of the table: one list of prices with its matrix, storefronts, currency and days.
  fileprivate init(_ row: FactTable.Row) {
    switch row.text(0) {
    case "iap": table = .iap
    case "subscription": table = .subscription
    case "*": table = nil
    default: preconditionFailure("\(row.place): a table is iap, subscription or *")
    }
    guard let names = MatrixTable.Names(rawValue: row.text(1)) else {
      preconditionFailure("\(row.place): names are tiers or points")
    }
    self.names = names
    let codes = row.text(2).split(separator: " ")
    storefronts = Set(codes.compactMap { Storefront($0) })
    precondition(storefronts.count == codes.count, "\(row.place): not storefronts")
    currency = row.currency(3)
    days = row.days(4)
    prices = row.text(6).split(separator: " ").map { (text: Substring) -> Int64? in
      if text == "-" { return nil }
      guard let price = micros(decimal: String(text)), price >= 0 else {
        preconditionFailure("\(row.place): \(text) is not an amount")
      }
      return price
    }
    line = row.line
  }
}
