import Billing
import Pricing

/// Numbers of SKUs, the same for those that the catalogue has alike: whatever the tables say of the
/// price of one holds for all of them.
struct AlikeSKUs {
  private struct Key: Hashable {
    var deals: [CatalogueBook.Deal]
    /// Where the SKU has prices, or rows in several apps, of its own.
    var sku: String?
  }

  private var numbers: [Key: Int32] = [:]

  /// The number of an SKU; SKUs whose catalogue rows agree in first days, kinds and tiers share
  /// one, unless SKUs stand in several apps or this one has prices of its own. New ones get the
  /// next.
  mutating func number(of sku: String, _ context: MatchingContext) -> Int32 {
    let isApart = !context.catalogue.shared.isEmpty || context.tiers.hasOwnPrices(sku)
    let key = Key(deals: context.catalogue.deals(of: sku), sku: isApart ? sku : nil)
    let number = numbers[key] ?? Int32(numbers.count)
    numbers[key] = number
    return number
  }
}

extension MatchingContext {
  /// What of a product decides its price, its terms and its tax.
  private struct AlikeProduct: Hashable {
    var type: ProductType
    var subscriptionPeriod: String
    var alike: Int32
    var programmes: [Int]
    /// Where it has terms of its own.
    var sku: String?
  }

  /// Numbers of the products of reports, in their order, the same for those that are judged alike:
  /// a price, a term or a tax is the same for all of them.
  ///
  /// - Parameter apart: SKUs that have terms of their own.
  func alike(of products: [ReportProduct], apart: Set<String>) -> [Int32] {
    var (alike, numbers) = (AlikeSKUs(), [AlikeProduct: Int32]())
    return products.map { product in
      let key = AlikeProduct(
        type: product.type, subscriptionPeriod: product.subscriptionPeriod,
        alike: alike.number(of: product.sku, self),
        programmes: priceBook.programmes(of: product.sku),
        sku: apart.contains(product.sku) ? product.sku : nil)
      let number = numbers[key] ?? Int32(numbers.count)
      numbers[key] = number
      return number
    }
  }
}
