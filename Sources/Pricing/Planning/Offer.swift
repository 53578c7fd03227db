package import Billing

/// Something that coins are planned for: a product, a tier or a bare price in one storefront.
package struct Offer: Hashable, Sendable {
  package var storefront: Storefront
  /// A SKU, `tier 5`, or empty for a bare price.
  package var product: String
  /// SKUs whose sales are this offer's; empty where the price decides.
  package var skus: Set<String>
  package var kind: ProductKind
  package var tier: String
  package var currency: Currency
  /// Micro-units.
  package var price: Int64
  package var tierPrice: TierPrice?
  package var coins: Int64?

  package init(
    storefront: Storefront, product: String = "", skus: Set<String> = [],
    kind: ProductKind = .consumable, tier: String = "", currency: Currency, price: Int64,
    tierPrice: TierPrice? = nil, coins: Int64? = nil
  ) {
    self.storefront = storefront
    self.product = product
    self.skus = skus
    self.kind = kind
    self.tier = tier
    self.currency = currency
    self.price = price
    self.tierPrice = tierPrice
    self.coins = coins
  }

  /// Apple's list that its tier stands in.
  var table: TierTable { kind == .autoRenewable ? .subscription : .iap }

  /// What decides its terms; of several products that share a price, the first.
  var scope: TermsScope { TermsScope(storefront, sku: skus.min() ?? "") }
}

/// Finds the offers of storefronts and remembers what it does not find.
package struct OfferFinder {
  private let book: PriceBook
  /// As they are on `day`, one per SKU and bundle.
  private let products: [Product]
  private let day: Day
  package private(set) var notes: [Wording] = []

  package init(book: PriceBook, products: [Product], day: Day) {
    self.book = book
    self.products = products
    self.day = day
  }

  /// The offers of a storefront: the catalogue's by price, others as the caller named them. Those
  /// that have no price there are left out and noted.
  package mutating func offers(_ choice: OfferChoice, in storefront: Storefront) -> [Offer] {
    switch choice {
    case .catalogue: catalogueOffers(in: storefront)
    case .tiers(let tiers): tiers.compactMap { tierOffer($0, in: storefront) }
    case .prices(let prices): priceOffers(prices, in: storefront)
    }
  }

  /// An offer for each product of the catalogue that has coins, ascending by price; notes those
  /// that have no price in the storefront.
  private mutating func catalogueOffers(in storefront: Storefront) -> [Offer] {
    var offers: [Offer] = []
    var missing: [String] = []
    for product in products where (product.coins ?? 0) > 0 && book.tiers.hasPrices(of: product) {
      guard let price = book.tiers.price(of: product, in: storefront, on: day), price.price > 0
      else {
        missing.append(product.sku)
        continue
      }
      offers.append(
        Offer(
          storefront: storefront, product: product.sku, skus: [product.sku], kind: product.kind,
          tier: price.tier, currency: price.currency, price: price.price, tierPrice: price,
          coins: product.coins))
    }
    if !missing.isEmpty {
      notes.append(
        """
        @planning.not-planned-because \(storefront) \(day) \(missing.joined(separator: ", "))
        """)
    }
    return offers.sorted { ($0.price, $0.product) < ($1.price, $1.product) }
  }

  /// The offer of a tier with the products that have it; nil, with a note, where it has no price
  /// there.
  private mutating func tierOffer(_ tier: String, in storefront: Storefront) -> Offer? {
    guard let price = tierPrice(tier, .consumable, storefront), price.price > 0 else {
      notes.append("@planning.not-planned-because-tier-has \(storefront) \(tier) \(day)")
      return nil
    }
    let skus = products.filter {
      tierName($0.tier) == price.tier && $0.kind != .autoRenewable
    }.map(\.sku)
    return Offer(
      storefront: storefront, product: "tier \(price.tier)", skus: Set(skus), tier: price.tier,
      currency: price.currency, price: price.price, tierPrice: price)
  }

  /// An offer for each bare price, in micro-units of the storefront's currency; none, with a note,
  /// where Apple has no such store.
  private mutating func priceOffers(_ prices: [Int64], in storefront: Storefront) -> [Offer] {
    guard let currency = StorefrontTable.builtIn.currency(of: storefront) else {
      notes.append("@planning.not-planned-because-apple-has \(storefront)")
      return []
    }
    return prices.map { Offer(storefront: storefront, currency: currency, price: $0) }
  }

  /// The price of a tier on the finder's day; nil where no table has it.
  private func tierPrice(_ tier: String, _ kind: ProductKind, _ storefront: Storefront)
    -> TierPrice?
  {
    book.tierPrice(tier: tier, kind: kind, storefront: storefront, on: day)
  }
}
