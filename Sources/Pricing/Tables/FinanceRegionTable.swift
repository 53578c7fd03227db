package import Billing
import CTablesHeader

/// The regions by which Apple settles and pays: a country, or several that share a currency. Which
/// storefronts a region has is told by the table of storefronts.
package struct FinanceRegionTable: Sendable {
  package static let builtIn = FinanceRegionTable(
    bytes: FactTable.embedded(ctables_finance_regions()), storefronts: .builtIn)

  /// Of the file that holds all regions, and of the detail.
  package static let all = "ZZ"
  package static let detail = "Z1"

  private struct Entry: Sendable {
    var code: String
    /// Today's first.
    var currencies: [Currency]
    var name: String
    /// Names in the payments summary, lower case.
    var labels: Set<String>
    /// Parts of names by which those in other languages are told, lower case.
    var parts: [String]
  }

  private let entries: [Entry]
  private let storefronts: StorefrontTable

  /// Reads the bytes of `finance_regions.csv`, and checks that each region of a storefront is
  /// there.
  init(bytes: some Collection<UInt8>, storefronts: StorefrontTable) {
    let table = FactTable("finance_regions.csv", columns: Self.columns, bytes: bytes)
    entries = table.rows.map { row in
      let name = row.text(2)
      return Entry(
        code: row.text(0), currencies: row.currencies(1), name: name,
        labels: Set((row.list(3) + [name]).map { $0.lowercased() }), parts: row.list(4))
    }
    self.storefronts = storefronts
    let known = Set(entries.map(\.code))
    precondition(known.count == entries.count, "finance_regions.csv: a code stands twice")
    for storefront in storefronts.entries {
      let regions = storefront.financeRegions
      precondition(known.isSuperset(of: regions), "\(storefront.alpha3): a region is missing")
    }
  }

  private static let columns = ["code", "currencies", "name", "labels", "contains", "evidence"]

  /// The codes of all regions, `ZZ` and `Z1` not among them; ascending.
  package var codes: [String] { entries.map(\.code) }

  /// The currency that Apple settles the region in today; nil for a code that is none.
  package func currency(of region: String) -> Currency? { entry(region)?.currencies[0] }

  /// Apple's name of the region; nil for a code that is none.
  package func name(of region: String) -> Wording? { entry(region).map { Wording(fact: $0.name) } }

  /// The region of a line of the payments summary, by its label in the page's language; without a
  /// label by the currency, where it is one region's or one group's alone. Nil where neither
  /// decides.
  package func region(label: String, currency: Currency) -> String? {
    let regions = entries.filter { $0.currencies.contains(currency) }
    let label = label.lowercased()
    if let exact = regions.first(where: { $0.labels.contains(label) }) { return exact.code }
    if regions.count == 1 { return regions[0].code }
    // Groups of countries have codes that are no country's.
    let groups = regions.filter { isGroup($0.code) }
    if label.isEmpty { return groups.count == 1 ? groups[0].code : nil }
    let named = groups.filter { $0.parts.contains(where: label.contains) }
    // América Latina is the narrower name.
    return (named.first { $0.code != "US" } ?? named.first)?.code
  }

  /// The regions that may hold a storefront's rows in a currency, the likeliest first: its own goes
  /// before a group's. Until about 2018 `US` held Latin America too.
  package func regions(of storefront: Storefront, currency: Currency) -> [String] {
    let own = storefronts.financeRegions(of: storefront).filter {
      entry($0)?.currencies.contains(currency) == true
    }
    return own.contains("LL") ? own + ["US"] : own
  }

  /// The likeliest region of a storefront's rows in a currency; nil where there is none.
  package func region(of storefront: Storefront, currency: Currency) -> String? {
    regions(of: storefront, currency: currency).first
  }

  /// What the table has of a code; nil for one that is none.
  private func entry(_ code: String) -> Entry? { entries.first { $0.code == code } }

  /// Whether a region's code stands for a group of countries instead of one storefront; `US` does,
  /// since it held Latin America too.
  private func isGroup(_ code: String) -> Bool {
    code == "US" || !(Storefront(code).map(storefronts.contains) ?? false)
  }
}

extension FactTable.Row {
  /// Codes divided by spaces, one at least.
  fileprivate func currencies(_ column: Int) -> [Currency] {
    let codes = text(column).split(separator: " ")
    let currencies = codes.compactMap { Currency($0) }
    precondition(currencies.count == codes.count, "\(place): \(cells[column]) are not currencies")
    return currencies
  }

  /// Texts divided by bars; none where the cell is empty.
  fileprivate func list(_ column: Int) -> [String] {
    cells[column].split(separator: "|").map(String.init)
  }
}
