import Billing
import Conclusions

/// A line of a payments summary with what only the summary tells.
struct PaymentSummaryLine {
  var line: PaymentLine
  var source: Source
  var payout: Payout?
  /// Nil while it is only expected.
  var paidOn: Day?
}

extension [PaymentSummary] {
  /// Their lines by region, or by label where it names none, and currency.
  ///
  /// - Parameters:
  ///   - day: until whose end a payment counts as made.
  ///   - told: days of payments that a person named, by fiscal month.
  func linesByRegion(
    by day: Day, told: [FiscalMonth: Day] = [:]
  ) -> [RegionKey: [PaymentSummaryLine]] {
    var lines: [RegionKey: [PaymentSummaryLine]] = [:]
    for summary in self {
      for line in summary.lines {
        let key = RegionKey(
          region: line.region.isEmpty ? line.label : line.region, currency: line.currency)
        lines[key, default: []].append(
          PaymentSummaryLine(
            line: line, source: Source(file: summary.file, line: Int(line.line)),
            payout: summary.payouts.first { $0.block == line.block },
            paidOn: summary.payment(ofBlock: line.block, by: day, told: told)?.day))
      }
    }
    return lines
  }
}
