import Billing
import Ledger
import Matching

extension Reconciliation {
  /// Says which rates are too old and where Apple would owe less than nothing, and in the notes
  /// which rates are used.
  mutating func addBookFindings(
    _ settings: Settings, _ rates: RateBook, _ ledger: Ledger
  ) throws {
    let found = staleRates(rates) + negativeReceivables()
    if !found.isEmpty {
      findings += try Resolver(ledger, found).resolved(Handover(found)).findings
      markMaterial(settings, rates)
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
