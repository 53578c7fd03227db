import Billing
@testable import Matching

/// The sample month's proceeds by product.
extension SampleMonth {
  static var products: [ProductProceeds] {
    reconciliationProceeds.flatMap { line, price in products(of: line, price) }
  }

  private static var reconciliationProceeds: [(ProceedsLine, Int64)] {
    zip(proceeds(scale: 100), markets).map { ($0, $1.5) }
  }

  /// Half of the sales are of the first product, which has all refunds, a third of the second.
  private static func products(of line: ProceedsLine, _ price: Int64) -> [ProductProceeds] {
    func share(_ whole: Int64, _ thousandths: Int64, _ unit: Int64) -> Int64 {
      roundedHalfUp(
        Int128(whole) * Int128(thousandths), dividedBy: 1000, toMultipleOf: unit)
    }
    let unit = line.currency.minorUnit
    var net = ProductProceeds.Part()
    net.units = line.unitsSold - line.unitsRefunded
    net.gross = line.gross
    net.tax = line.tax
    net.commission = (line.commission ?? share(line.gross, 293, unit)) + share(line.gross, 1, unit)
    net.proceeds = line.proceeds
    var refunded = ProductProceeds.Part()
    refunded.units = -line.unitsRefunded
    refunded.gross = -line.unitsRefunded * price
    refunded.tax = share(refunded.gross, 20, unit)
    refunded.commission = share(refunded.gross, 294, unit)
    refunded.proceeds = share(
      net.proceeds, refunded.gross * 1000 / max(net.gross, 1), line.proceedsCurrency.minorUnit)
    var rest = net
    rest.subtract(refunded)
    return [
      ("com.example.gems.60", RevenueKind.consumable, 500),
      (
        "com.example.vip.month",
        .autoRenewable, 667
      ), ("com.example.orbit", .apps, 1000),
    ].map { sku, kind, thousandths in
      var sold = rest
      if thousandths < 1000 {
        sold.units = rest.units * Int64(thousandths) / 1000
        sold.gross = sold.units * price
        sold.tax = share(sold.gross, 20, unit)
        sold.commission = share(sold.gross, 294, unit)
        sold.proceeds = share(rest.proceeds, Int64(thousandths), line.proceedsCurrency.minorUnit)
      }
      rest.subtract(sold)
      return ProductProceeds(
        storefront: line.storefront, currency: line.currency,
        proceedsCurrency: line.proceedsCurrency,
        entity: line.storefront.code == "US"
          ? "Apple Inc." : "Apple Distribution International Ltd.",
        app: "com.example.orbit", sku: sku, kind: kind, sold: sold,
        refunded: kind == .consumable ? refunded : ProductProceeds.Part())
    }
  }
}

extension ProductProceeds.Part {
  fileprivate mutating func subtract(_ other: Self) {
    units -= other.units
    gross -= other.gross
    tax -= other.tax
    commission -= other.commission
    proceeds -= other.proceeds
  }
}
