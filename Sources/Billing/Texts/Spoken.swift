/// Units for an explanation: `1 unit`, `2 units`.
package func spoken(units: some BinaryInteger) -> Wording {
  counted(units, "@shared.1-unit") { "@shared.units-2 \($0)" }
}

/// An amount for an explanation: `1,230.00 CNY`.
package func spoken(_ amount: Money) -> Wording { spoken(amount.micros, amount.currency) }

/// An amount in micro-units for an explanation: with its currency, or as a number alone without
/// one; "an unknown price" for nil.
package func spoken(_ micros: Int64?, _ currency: Currency?) -> Wording {
  guard let micros else { return "@finding.unknown-price" }
  guard let currency else {
    return Wording(verbatim: grouped(decimal: decimalText(micros: micros, minimumDigits: 2)))
  }
  return Wording(verbatim: "\(grouped(Money(micros: micros, currency))) \(currency)")
}
