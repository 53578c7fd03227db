import Billing
import Conclusions
import Ledger
import Matching

extension Reconciliation {
  /// Adds findings of rates that are too old and of currencies in which Apple would owe less than
  /// nothing, and a note that lists the rates used.
  mutating func addBookFindings(
    _ settings: Settings, _ rates: RateBook, _ ledger: Ledger
  ) throws {
    let found = staleRates(rates) + negativeReceivables()
    if !found.isEmpty {
      findings += try Resolver(ledger, found).resolved(MovedValue(found)).findings
      markMaterial(settings, rates)
      findings.sort(by: Finding.isOrderedBefore)
    }
    let used = rateDays.sorted { $0.key < $1.key }.compactMap { currency, day -> Wording? in
      self.rates[currency].map { "@reconcile.of \(currency) \($0.text) \(day)" }
    }
    guard !used.isEmpty else { return }
    notes.append(
      "@reconcile.sums-in-are-converted \(baseCurrency) \(used.joined(separator: ", "))")
  }
}
