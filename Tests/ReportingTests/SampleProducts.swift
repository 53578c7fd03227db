import Billing
@testable import Conclusions

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
    let none = ProductProceeds.Part(line.currency, proceedsCurrency: line.proceedsCurrency)
    var net = none
    net.units = line.unitsSold - line.unitsRefunded
    net.gross = line.gross
    net.tax = line.tax
    net.commission.micros =
      (line.commission?.micros ?? share(line.gross.micros, 293, unit))
      + share(line.gross.micros, 1, unit)
    net.proceeds = line.proceeds
    var refunded = none
    refunded.units = -line.unitsRefunded
    refunded.gross.micros = -line.unitsRefunded * price
    refunded.tax.micros = share(refunded.gross.micros, 20, unit)
    refunded.commission.micros = share(refunded.gross.micros, 294, unit)
    refunded.proceeds.micros = share(
      net.proceeds.micros, refunded.gross.micros * 1000 / max(net.gross.micros, 1),
      line.proceedsCurrency.minorUnit)
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
        sold.gross.micros = sold.units * price
        sold.tax.micros = share(sold.gross.micros, 20, unit)
        sold.commission.micros = share(sold.gross.micros, 294, unit)
        sold.proceeds.micros = share(
          rest.proceeds.micros, Int64(thousandths), line.proceedsCurrency.minorUnit)
      }
      rest.subtract(sold)
      return ProductProceeds(
        storefront: line.storefront,
        entity: line.storefront.code == "US"
          ? "Apple Inc." : "Apple Distribution International Ltd.",
        app: "com.example.orbit", sku: sku, kind: kind, sold: sold,
        refunded: kind == .consumable ? refunded : none)
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
