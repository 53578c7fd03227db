package import Billing
package import Matching

/// Two rows per currency, one in it and one in base currency where a rate is loaded: from what was
/// owed before the month to what is owed at its end.
package func receivableCSV(_ reconciliation: Reconciliation) -> String {
  var csv = CSVText(
    "currency", "in", "opening", "proceeds", "settlement_difference", "payment_difference",
    "adjustment", "input_tax", "withholding", "paid", "exchange", "closing", "rate")
  for line in reconciliation.receivable {
    let bases = line.base.map { [($0, reconciliation.baseCurrency)] } ?? []
    for (movement, unit) in [(line.own, line.currency)] + bases {
      func text(_ micros: Int64) -> String { Money(micros: micros, unit).text }
      csv.add(
        line.currency.code, unit.code, text(movement.opening), text(movement.proceeds),
        text(movement.settlementDifference), text(movement.paymentDifference),
        text(movement.adjustment), text(movement.inputTax), text(movement.withholding),
        text(movement.paid), text(movement.exchange), text(movement.closing),
        line.rate.map { decimalText(micros: $0) })
    }
  }
  return csv.text
}

/// What such a table ends with; nil for any other text.
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
      balances[currency] = ReceivableBalance(currency: currency, amount: amount, base: nil)
    }
    if unit == base { balances[currency]?.base = amount }
  }
  return balances.values.sorted { $0.currency < $1.currency }
}
