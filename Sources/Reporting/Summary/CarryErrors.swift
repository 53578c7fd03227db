import Billing
import Conclusions

/// How far the estimate of what was carried is off in a past month.
struct CarryError: Hashable, Sendable {
  var month: FiscalMonth
  /// In base currency.
  var estimated: Money
  /// By the month's detail.
  var told: Money
  /// What is estimated beyond what is told, as a part of that, in millionths; nil where nothing was
  /// carried.
  var share: Int64? { ratio(estimated.micros - told.micros, of: told.micros) }
}

extension Reconciliation {
  /// How far the estimate of what was carried is off in past months; nil where what was carried is
  /// known, or a rate is missing.
  var carryErrors: [CarryError]? {
    guard let settlement, settlement.isEstimated, !settlement.lines.isEmpty else { return nil }
    var errors: [CarryError] = []
    for trial in settlement.carryTrials {
      let (estimated, told) = (inBase(trial.estimated), inBase(trial.told))
      guard let estimated, let told else { return nil }
      errors.append(CarryError(month: trial.month, estimated: estimated, told: told))
    }
    return errors
  }

  /// What amounts come to in base currency; nil where a rate is missing.
  private func inBase(_ amounts: [Money]) -> Money? {
    amounts.reduce(.zero(baseCurrency)) { (sum: Money?, amount) in
      sum.flatMap { sum in inBase(amount).map { sum + $0 } }
    }
  }

  /// How sure the estimate is, in words; nil where nothing is estimated.
  var carryErrorWording: Wording? {
    guard let errors = carryErrors else { return nil }
    let shown = errors.compactMap { error in
      error.share.map { Wording(verbatim: "\($0 > 0 ? "+" : "")\(percent($0)) \(error.month)") }
    }
    return shown.isEmpty
      ? "@summary.error-of-the-estimate-not"
      : "@summary.error-of-the-same-estimate \(shown.joined(separator: ", "))"
  }
}

extension List<CarryError> {
  /// The columns of the estimate in past months beside what their details tell.
  static var carryErrors: List {
    List([
      Column("month") { .text($0.month.description) }, Column("estimated") { .money($0.estimated) },
      Column("known") { .money($0.told) }, Column("error") { .ratio(ifAny: $0.share) },
    ])
  }
}
