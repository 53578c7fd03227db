/// SKUs that stand in several apps, and which app each fact is of. Where each SKU stands in one
/// app there are none, and facts keep their names.
package struct SharedSKUs: Sendable {
  package static let none = SharedSKUs()

  private var shared: [String: Apps] = [:]

  fileprivate struct Apps {
    /// By what tells an app, the product's name.
    var names: [AppMark: String] = [:]
    /// The product that the ledger had first.
    var first: String?
    /// Whether a bundle of the company's and rows of Apple's may be one app or two.
    var isUnlinked = false
  }

  private init() {}

  package var isEmpty: Bool { shared.isEmpty }

  /// SKUs with an app that only the company's tables tell and one that only Apple's rows tell:
  /// nobody tells whether the two are one.
  package var unlinked: Set<String> { Set(shared.lazy.filter(\.value.isUnlinked).map(\.key)) }

  /// Whether an SKU stands in several apps.
  package func contains(_ sku: String) -> Bool { shared[sku] != nil }

  /// The names of an SKU's products, ascending; none where it stands in one app.
  package func names(of sku: String) -> [String] {
    Set((shared[sku]?.names ?? [:]).values).sorted()
  }

  /// The product of an SKU that the ledger had before any other; nil where it stands in one app.
  package func first(of sku: String) -> String? { shared[sku]?.first }

  /// The name of the product that a fact is of: the SKU alone where nothing tells the app.
  package func name(of fact: some OfProduct) -> String {
    guard let apps = shared[fact.sku] else { return fact.sku }
    return fact.appMarks.lazy.compactMap { apps.names[$0] }.first ?? fact.sku
  }

  /// The same facts, each with the name of its product in place of its SKU.
  package func named<Fact: OfProduct>(_ facts: [Fact]) -> [Fact] {
    if isEmpty { return facts }
    return facts.map { fact in
      var fact = fact
      fact.sku = name(of: fact)
      return fact
    }
  }

  /// The catalogue's rows, each with the name of its product in place of its SKU. A row that tells
  /// no app is repeated for each app of its SKU that no other row tells.
  package func named<Fact: OfProduct>(catalogue: [Fact]) -> [Fact] {
    if isEmpty { return catalogue }
    let named: [Fact] = named(catalogue)
    let known = Set(named.map(\.sku))
    return named.flatMap { product -> [Fact] in
      guard contains(product.sku) else { return [product] }
      return names(of: product.sku).filter { !known.contains($0) }.map { name in
        var product = product
        product.sku = name
        return product
      }
    }
  }
}

extension SharedSKUs {
  /// Finds SKUs of several apps: those of which the catalogue has several bundles or identifiers,
  /// or Apple's rows several identifiers. One identifier is one app, and so is one bundle.
  ///
  /// - Parameters:
  ///   - catalogue: the rows that count.
  ///   - arrived: all rows of catalogues in the order in which they were imported.
  ///   - sold: products of Apple's rows, in the same order.
  ///   - told: what purchases say of an SKU's bundle and identifier.
  package init(
    _ catalogue: [some OfProduct], arrived: [some OfProduct], sold: [some OfProduct],
    told: [some OfProduct]
  ) {
    let own = Dictionary(grouping: catalogue, by: \.sku)
    let inApps = sold.filter { !$0.appMarks.isEmpty && !$0.sku.isEmpty }
    let apples = Dictionary(grouping: inApps, by: \.sku)
    let skus = Set(own.keys).union(apples.keys)
    let groups = skus.reduce(into: [String: AppGroups]()) { groups, sku in
      groups[sku] = AppGroups(own[sku] ?? [], apples[sku] ?? [])
    }
    if groups.isEmpty { return }
    let bundles = bundlesOfParents(own, apples)
    let purchases = Dictionary(grouping: told, by: \.sku)
    for (sku, found) in groups {
      let rows = apples[sku] ?? []
      var apps = found
      apps.link(rows.map { (.item($0.item), .parent($0.parent)) })
      apps.link((purchases[sku] ?? []).map { (.item($0.item), .bundle($0.bundle)) })
      apps.link(bundles)
      // Many sellers give an app its bundle's name for an SKU.
      apps.link(rows.map { (.parent($0.parent), .bundle($0.parent)) })
      let before = arrived.filter { $0.sku == sku }.flatMap(\.appMarks)
      shared[sku] = Apps(
        sku, apps, company: own[sku] ?? [], apples: rows,
        arrived: rows.flatMap(\.appMarks) + before)
    }
  }
}

extension SharedSKUs.Apps {
  /// Names the product of one SKU in each of its apps, and finds which of these products the ledger
  /// had first, and whether an app of the company's and one of Apple's may be the same.
  ///
  /// - Parameters:
  ///   - apps: the marks that tell the SKU's apps, in a group for each app.
  ///   - company: the SKU's rows of the catalogue.
  ///   - apples: the SKU's products in Apple's rows.
  ///   - arrived: the SKU's marks in the order in which the ledger got them.
  fileprivate init(
    _ sku: String, _ apps: AppGroups, company: [some OfProduct], apples: [some OfProduct],
    arrived: [AppMark]
  ) {
    for group in apps.groups {
      let app = group.min { $0.rank < $1.rank }!.text
      for mark in group { names[mark] = AppProduct(sku, in: app).name }
    }
    first = arrived.lazy.compactMap { [names] in names[$0] }.first
    let (own, reported) = (Set(company.flatMap(\.appMarks)), Set(apples.flatMap(\.appMarks)))
    isUnlinked =
      apps.groups.contains { !$0.isDisjoint(with: own) && $0.isDisjoint(with: reported) }
      && apps.groups.contains { $0.isDisjoint(with: own) && !$0.isDisjoint(with: reported) }
  }
}

/// What tells the apps of one SKU, a set for each app.
private struct AppGroups {
  private(set) var groups: [Set<AppMark>] = []

  /// Puts the marks of one SKU into a group for each app; nil unless the catalogue by itself, or
  /// Apple's rows by themselves, name several apps. That the catalogue names another app than
  /// Apple's rows is not enough: it may be a slip.
  ///
  /// - Parameters:
  ///   - catalogue: the SKU's rows of the catalogue.
  ///   - sold: the SKU's products in Apple's rows.
  init?(_ catalogue: [some OfProduct], _ sold: [some OfProduct]) {
    for product in catalogue { add(product.appMarks) }
    let isCatalogued = [\AppMark.isBundle, \.isItem].contains { kind in
      groups.count { $0.contains { $0[keyPath: kind] } } > 1
    }
    var marks = Set(sold.map { AppMark.item($0.item) }.filter { !$0.text.isEmpty })
    if marks.isEmpty { marks = Set(sold.map { .parent($0.parent) }.filter { !$0.text.isEmpty }) }
    for mark in marks.sorted(by: { $0.rank < $1.rank }) { add([mark]) }
    let isSoldInSeveral = groups.count { !$0.isDisjoint(with: marks) } > 1
    if !isCatalogued, !isSoldInSeveral { return nil }
  }

  /// Notes that marks are of one app: groups that have any of them become one, empty marks are
  /// none.
  private mutating func add(_ marks: [AppMark]) {
    let marks = Set(marks.filter { !$0.text.isEmpty })
    if marks.isEmpty { return }
    let met = groups.filter { !$0.isDisjoint(with: marks) }
    groups.removeAll { !$0.isDisjoint(with: marks) }
    groups.append(met.reduce(marks) { $0.union($1) })
  }

  /// Makes one app of the two marks of each pair, as far as that is certain: the first mark is
  /// known here, no other pair has either mark with another partner, and the apps that have the two
  /// marks do not each have one of the same kind, such as two bundles, unless they are one already.
  mutating func link(_ pairs: [(AppMark, AppMark)]) {
    var seconds: [AppMark: Set<AppMark>] = [:]
    var firsts = seconds
    for (first, second) in pairs
    where !second.text.isEmpty && groups.contains(where: { $0.contains(first) }) {
      seconds[first, default: []].insert(second)
      firsts[second, default: []].insert(first)
    }
    for (first, others) in seconds.sorted(by: { $0.key.rank < $1.key.rank })
    where others.count == 1 && firsts[others.first!]!.count == 1 {
      let second = others.first!
      let (app, other) = (group(of: first), group(of: second))
      let clashes = [\AppMark.isBundle, \.isItem, \.isParent].contains { kind in
        app.contains { $0[keyPath: kind] } && other.contains { $0[keyPath: kind] }
      }
      if app == other || !clashes { add([first, second]) }
    }
  }

  /// All marks of the app that has this one; the mark alone where it is met for the first time.
  private func group(of mark: AppMark) -> Set<AppMark> {
    groups.first { $0.contains(mark) } ?? [mark]
  }
}

/// Pairs of marks of one app: the app's own SKU, by which Apple's rows know it, and the bundle by
/// which the catalogue does. The two belong together where a product has the same Apple identifier
/// on both sides; for an app without such a product, where both sides have an SKU in one app only.
///
/// - Parameters:
///   - own: the catalogue's rows by SKU.
///   - apples: products of Apple's rows by SKU.
private func bundlesOfParents(
  _ own: [String: [some OfProduct]], _ apples: [String: [some OfProduct]]
) -> [(AppMark, AppMark)] {
  var byIdentifier: [String: Set<String>] = [:]
  var byOnlyApp = byIdentifier
  for (sku, products) in own {
    let (rows, bundles) = (apples[sku] ?? [], Set(products.map(\.bundle)))
    let parents = Set(rows.map(\.parent))
    for product in products where !product.bundle.isEmpty && !product.item.isEmpty {
      for row in rows where row.item == product.item {
        byIdentifier[row.parent, default: []].insert(product.bundle)
      }
    }
    if let parent = parents.first, parents.count == 1, let bundle = bundles.first,
      bundles.count == 1, !bundle.isEmpty
    {
      byOnlyApp[parent, default: []].insert(bundle)
    }
  }
  return byIdentifier.merging(byOnlyApp) { known, _ in known }.flatMap { parent, bundles in
    bundles.map { (.parent(parent), .bundle($0)) }
  }
}
