package import Billing

/// The company's catalogue, asked by product and day.
package struct CatalogueBook: Sendable {
  private let rows: [String: [Product]]
  /// Bundles that the catalogue names.
  package let bundleIDs: Set<String>
  /// The coins that products are for; empty is one without a name.
  let coins: Set<String>
  /// SKUs that stand in several apps.
  package let shared: SharedSKUs
  package var isEmpty: Bool { rows.isEmpty }

  /// Rows of a catalogue by SKU, each SKU's ascending by the day from which they hold.
  ///
  /// - Parameter shared: SKUs that stand in several apps.
  package init(_ products: [Product], _ shared: SharedSKUs = .none) {
    rows = Dictionary(grouping: products, by: \.sku).mapValues {
      $0.sorted { ($0.effectiveFrom?.number ?? .min) < ($1.effectiveFrom?.number ?? .min) }
    }
    coins = Set(products.filter { $0.coins != nil }.map(\.coin))
    bundleIDs = Set(products.map(\.bundleID).filter { !$0.isEmpty })
    self.shared = shared
  }

  /// Whether the catalogue has an SKU; of one whose app nothing tells, in any app.
  package func contains(_ sku: String) -> Bool {
    rows[sku] != nil || namesInApps(of: sku).contains { rows[$0] != nil }
  }

  /// Whether an SKU stands in several apps and nothing tells in which of them.
  func lacksApp(_ sku: String) -> Bool { !shared.isEmpty && shared.contains(sku) }

  /// Names of the products that an SKU may be, one for each app that has it, where nothing tells
  /// the app or tells it in words that the catalogue does not know; else no names.
  private func namesInApps(of name: String) -> [String] {
    if shared.isEmpty { return [] }
    let sku = AppProduct(name).sku
    return sku == name || shared.unlinked.contains(sku) ? shared.names(of: sku) : []
  }

  /// The product as it was on `day`; before its first row, that row. Of several bundles the named
  /// one goes first. Of an SKU whose app nobody tells, what is the same in all of its apps. Nil
  /// where the catalogue does not have it.
  package func product(_ sku: String, bundleID: String = "", on day: Day) -> Product? {
    guard let all = rows[sku] else { return commonProduct(of: namesInApps(of: sku), on: day) }
    let own = bundleID.isEmpty ? all : all.filter { $0.bundleID == bundleID }
    let candidates = own.isEmpty ? all : own
    return candidates.last { ($0.effectiveFrom ?? day) <= day } ?? candidates.first
  }

  /// What of a row of the catalogue decides a product's prices and terms.
  struct Deal: Hashable {
    var from: Day?
    var kind: ProductKind
    var tier: String
  }

  /// What the catalogue's rows of an SKU say of prices and terms, by their first days; none of an
  /// SKU that it lacks.
  func deals(of sku: String) -> [Deal] {
    (rows[sku] ?? []).map { Deal(from: $0.effectiveFrom, kind: $0.kind, tier: $0.tier) }
  }

  /// Of products that may be meant, the first as it was on a day, where kind, tier, coins and
  /// subscription group are the same in all; else nil.
  private func commonProduct(of names: [String], on day: Day) -> Product? {
    let all = names.compactMap { rows[$0] == nil ? nil : product($0, on: day) }
    let isCommon = all.allSatisfy {
      ($0.kind, tierName($0.tier), $0.coins, $0.subscriptionGroup)
        == (all[0].kind, tierName(all[0].tier), all[0].coins, all[0].subscriptionGroup)
    }
    return isCommon ? all.first : nil
  }

  /// The product as it was on `day` in each bundle that has it, by bundle.
  package func products(_ sku: String, on day: Day) -> [Product] {
    let bundles = Set((rows[sku] ?? []).map(\.bundleID)).sorted()
    return bundles.compactMap { bundle in
      let own = rows[sku]!.filter { $0.bundleID == bundle }
      return own.last { ($0.effectiveFrom ?? day) <= day } ?? own.first
    }
  }

  /// Whether the product is the same on all of `days`, whatever the bundle.
  func isSteady(_ sku: String, over days: ClosedRange<Day>) -> Bool {
    guard let all = rows[sku] else {
      return namesInApps(of: sku).allSatisfy { isSteady($0, over: days) }
    }
    return all.allSatisfy { row in
      row.effectiveFrom.map { $0 <= days.lowerBound || $0 > days.upperBound } ?? true
    }
  }

  /// Whether Apple's identifier of the product is another than the catalogue's: the same SKU exists
  /// under other apps.
  func isOtherItem(_ terms: TransactionTerms) -> Bool {
    guard !terms.itemID.isEmpty, let all = rows[terms.sku] else { return false }
    let known = all.filter {
      $0.bundleID.isEmpty || terms.bundleID.isEmpty || $0.bundleID == terms.bundleID
    }.map(\.appleIdentifier).filter { !$0.isEmpty }
    return !known.isEmpty && !known.contains(terms.itemID)
  }

  /// Whether any row of the SKU is for coins.
  func sellsCoins(_ sku: String) -> Bool {
    (rows[sku] ?? namesInApps(of: sku).flatMap { rows[$0] ?? [] }).contains { $0.coins != nil }
  }

  /// The only bundle that has the SKU; nil where none or several do.
  func bundle(of sku: String) -> String? {
    let bundles = Set((rows[sku] ?? []).map(\.bundleID).filter { !$0.isEmpty })
    return bundles.count == 1 ? bundles.first : nil
  }

  /// The kind of an SKU, which never changes in Apple's store; nil where the catalogue does not
  /// have the SKU, or apps differ.
  package func kind(_ sku: String) -> ProductKind? {
    if let known = rows[sku]?.first { return known.kind }
    let kinds = Set(namesInApps(of: sku).compactMap { rows[$0]?.first?.kind })
    return kinds.count == 1 ? kinds.first : nil
  }
}
