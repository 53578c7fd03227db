import Billing

/// Products that Apple reports under a SKU that the catalogue lacks, while the ledger has them
/// under another: one Apple Identifier is of both.
struct RenamedProducts {
  struct Renaming {
    var old: String
    /// One after another, where it was renamed more than once.
    var news: [String]
    var identifier: String
    /// Indices of the cases of both.
    var cases: [Int]
  }

  private(set) var renamings: [Renaming] = []

  static let codes: [FindingCode] = [
    .unknownSKU, .notInReport, .notInLedger, .refundNotInReport, .refundNotInLedger,
  ]

  /// Finds SKUs of the reports that the catalogue lacks, and of each the one known SKU with the
  /// same Apple Identifier.
  ///
  /// - Parameter cases: by index, of the codes.
  init(
    _ cases: [(index: Int, finding: PatternCase)], _ facts: MonthFacts,
    _ catalogue: CatalogueBook
  ) {
    let bySKU = Dictionary(grouping: cases) { $0.finding.sku ?? "" }
    let unknown = Set(
      cases.filter { $0.finding.code == .unknownSKU }.compactMap(\.finding.sku))
    if unknown.isEmpty { return }
    var identifiers: [String: Set<String>] = [:]
    for product in facts.salesProducts where !product.appleIdentifier.isEmpty {
      identifiers[product.sku, default: []].insert(product.appleIdentifier)
    }
    for product in facts.products where !product.appleIdentifier.isEmpty {
      identifiers[product.sku, default: []].insert(product.appleIdentifier)
    }
    let known = bySKU.keys.filter { !$0.isEmpty && catalogue.contains($0) }.sorted()
    for new in unknown.sorted() {
      let own = identifiers[new] ?? []
      // What two products of the ledger share names neither.
      let olds = known.filter { !own.isDisjoint(with: identifiers[$0] ?? []) }
      guard olds.count == 1, let old = olds.first,
        let identifier = own.intersection(identifiers[old]!).min()
      else { continue }
      if let place = renamings.firstIndex(where: { $0.old == old }) {
        renamings[place].news.append(new)
        renamings[place].cases += bySKU[new]!.map(\.index)
        continue
      }
      renamings.append(
        Renaming(
          old: old, news: [new], identifier: identifier,
          cases: (bySKU[old]! + bySKU[new]!).map(\.index)))
    }
    for place in renamings.indices { renamings[place].cases.sort() }
  }
}
