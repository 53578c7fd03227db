import Billing
import Ledger
import Matching

extension Reconciliation {
  /// Says which rates are too old, and in the notes which are used.
  mutating func addStaleRates(_ rates: RateBook, _ ledger: Ledger) throws {
    let stale = staleRates(rates)
    if !stale.isEmpty {
      findings += try Resolver(ledger, stale).resolved(Handover(stale)).findings
      findings.sort(by: Finding.isOrderedBefore)
    }
    let used = rateDays.sorted { $0.key < $1.key }.compactMap { currency, day -> Wording? in
      self.rates[currency].map { "\(currency) \($0.text) of \(day)" }
    }
    guard !used.isEmpty else { return }
    notes.append(
      "sums in \(baseCurrency) are converted at these rates: \(used.joined(separator: ", "))")
  }
}
