import Billing
import Ledger

extension FetchPlan {
  /// The questions for prices of products that are named, or of those that the ledger knows and
  /// that were not asked for on this day yet. All products of one kind may have the same prices:
  /// one of each kind stands for them.
  func prices(
    _ named: [PricedProduct], _ choice: PriceChoice
  ) throws -> [FetchQuestion] {
    var products = named
    if named.isEmpty {
      products = try knownProducts()
      if case .points = choice {
        products = [false, true].compactMap { kind in
          products.first { $0.isSubscription == kind }
        }
      }
      let list = choice == .own ? FetchQuestion.ownPrices : FetchQuestion.pricePoints
      let done = try ledger?.answers(to: list).filter {
        [.rows, .nothing].contains($0.outcome) && $0.at.day() == now.day()
      }.map(\.item)
      products.removeAll { done?.contains($0.sku) ?? false }
    }
    return products.map { .prices(of: $0, choice, at: now) }
  }

  /// The products that Apple's reports or the catalogue name with Apple's number, by SKU. An SKU
  /// that several apps have says of none which prices are meant, and is left out. Throws where
  /// there are none.
  private func knownProducts() throws -> [PricedProduct] {
    let told = try ledger?.numberedProducts() ?? []
    let known = Dictionary(grouping: told, by: \.sku).values.compactMap { sames in
      Set(sames.map(\.appleID)).count == 1 ? sames[0] : nil
    }.map {
      PricedProduct(sku: $0.sku, appleID: $0.appleID, isSubscription: $0.isSubscription)
    }.filter(\.isNameable).sorted { $0.sku < $1.sku }
    guard !known.isEmpty else {
      throw Stop(
        .badInput, "@fetch.no-product-with-a-number", help: "@fetch.name-products-and-numbers")
    }
    return known
  }
}
