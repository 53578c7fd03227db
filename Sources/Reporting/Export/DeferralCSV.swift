import Billing
package import Matching

/// The schedule of deferred revenue, one row per figure: `item` is `start`, `added`, `recognised`,
/// `released`, `end`, or `ahead` with the month in which that part of the end will be recognised.
package func deferredCSV(_ reconciliation: Reconciliation) -> String {
  var csv = CSVText("currency", "sku", "kind", "item", "month", "amount")
  for line in reconciliation.deferral {
    func add(_ item: String, _ amount: Int64, month: String? = nil) {
      csv.add(
        line.currency.code, line.sku, line.kind.rawValue, item, month,
        Money(micros: amount, line.currency).text)
    }
    add("start", line.start)
    add("added", line.added)
    add("recognised", line.recognised)
    add("released", line.released)
    add("end", line.end)
    for month in line.ahead { add("ahead", month.amount, month: month.name) }
  }
  return csv.text
}
