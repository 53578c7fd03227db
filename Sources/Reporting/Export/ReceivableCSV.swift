package import Billing
package import Conclusions

/// A receivable's movements in one currency: its own, or base currency.
private struct ListedMovement {
  var line: ReceivableLine
  var figures: ReceivableMovement
}

extension List<ListedMovement> {
  /// The columns of the movements of what Apple owes, as a close keeps them.
  fileprivate static var movements: List {
    /// A column with a part of the movement.
    func amount(
      _ name: String, _ amount: @escaping @Sendable (ReceivableMovement) -> Money
    ) -> Column<Line> {
      Column(name) { .money(amount($0.figures)) }
    }
    return List([
      Column("currency") { .text($0.line.currency.code) },
      Column("in") { .text($0.figures.opening.currency.code) },
      amount("opening") { $0.opening },
      amount("proceeds") { $0.proceeds },
      amount("settlement_difference") { $0.settlementDifference },
      amount("payment_difference") { $0.paymentDifference },
      amount("adjustment") { $0.adjustment },
      amount("input_tax") { $0.inputTax },
      amount("withholding") { $0.withholding },
      amount("paid") { $0.paid },
      amount("exchange") { $0.exchange },
      amount("closing") { $0.closing },
      Column("rate") { .quoted(ifAny: $0.line.rate) },
    ])
  }
}

let movementColumns = List.movements.names

/// The CSV of how what Apple owes came about: two rows per currency, one in it and one in base
/// currency where a rate is loaded, from what was owed before the month to what is owed at its end.
package func receivableCSV(_ reconciliation: Reconciliation) -> String {
  List.movements.csv(
    reconciliation.receivable.flatMap { line in
      ([line.own] + (line.base.map { [$0] } ?? [])).map {
        ListedMovement(line: line, figures: $0)
      }
    })
}

/// The balances that a CSV of ``receivableCSV(_:)`` ends with, ascending by currency; nil for any
/// other text.
///
/// - Parameter base: the currency in which the second row of each pair counts.
package func closingBalances(ofReceivableCSV text: String, base: Currency) -> [ReceivableBalance]? {
  let rows = text.split(separator: "\n").map {
    $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
  guard let header = rows.first, let closing = header.firstIndex(of: "closing"),
    header.first == "currency"
  else { return nil }
  var balances: [Currency: ReceivableBalance] = [:]
  for row in rows.dropFirst() {
    guard row.count == header.count, let currency = Currency(row[0]), let unit = Currency(row[1]),
      let amount = micros(decimal: row[closing])
    else { return nil }
    if unit == currency, balances[currency] == nil {
      balances[currency] = ReceivableBalance(amount: Money(micros: amount, unit), base: nil)
    }
    if unit == base { balances[currency]?.base = Money(micros: amount, base) }
  }
  return balances.values.sorted { $0.currency < $1.currency }
}
