import Billing
import Languages
import Conclusions

/// A figure that another sheet has at other rates, or of another span, than the close states it.
struct OtherFigure {
  /// A figure as one sheet has it: a formula, and what it comes to.
  struct Side {
    var formula: String
    var amount: Money
  }

  var label: Wording
  var here: Side
  var there: Side
  /// Where it stands there.
  var place: Place?
  var reason: Wording
}

extension WorkbookContents {
  /// The figures of a close that other sheets have otherwise; those that are the same are left out.
  ///
  /// - Parameter places: rows of the close's figures.
  func otherFigures(than pack: ClosePack, at places: [CloseFigure: Int]) -> [OtherFigure] {
    (otherSales(than: pack, at: places) + otherPayments(than: pack, at: places)).filter {
      $0.here.amount != $0.there.amount
    }
  }

  /// The figures of sales beside those of the bridge, which converts country by country at the last
  /// rates.
  private func otherSales(
    than pack: ClosePack, at places: [CloseFigure: Int]
  ) -> [OtherFigure] {
    guard let bridge = reconciliation.bridges.first(where: \.isSummary) else { return [] }
    let base = reconciliation.baseCurrency
    let parts: [(Wording, [CloseFigure], BridgeCause)] = [
      ("@close.sold-less-refunded", [.sold, .refunded], .reportedGross),
      ("@shared.tax", [.tax], .tax), ("@shared.commission", [.commission], .commission),
      ("@shared.proceeds-of-the-period", [.proceeds], .reportedProceeds),
      (CloseFigure.settled.label, [.settled], .settled),
    ]
    let rates: Wording? =
      reconciliation.period.fiscalMonth == nil
      ? reconciliation.conversion.map { "@close.there-converted \($0)" as Wording }
      : "@close.there-country-by-country"
    let changed = Set(reconciliation.booked.filter { !$0.amount.isZero }.map(\.cause))
    return parts.compactMap { label, figures, cause in
      let rows = figures.compactMap { places[$0] }
      let now = figures.compactMap { figure in
        pack.statement.lines.first { $0.figure == figure }?.now
      }
      guard rows.count == figures.count, now.count == figures.count,
        let step = bridge.steps.first(where: { $0.cause == cause }),
        let reference = bridgeTotalReference(of: cause)
      else { return nil }
      // What was booked of closed months is in the proceeds of both.
      let changes: Wording? =
        changed.contains(cause) && cause != .reportedProceeds
        ? "@close.there-with-changes" : nil
      return OtherFigure(
        label: label,
        here: OtherFigure.Side(
          formula: rows.map { "C\($0)" }.joined(separator: "+"),
          amount: Money(micros: now.reduce(0, +), base)),
        there: OtherFigure.Side(formula: reference, amount: step.amount),
        place: bridgePlace(of: cause),
        reason: [rates, changes].compactMap(\.self).joined(separator: "; "))
    }
  }

  /// The figures of payments beside what the payments of the fiscal month come to, whenever Apple
  /// makes them; the close has those that it made in the month.
  private func otherPayments(
    than pack: ClosePack, at places: [CloseFigure: Int]
  ) -> [OtherFigure] {
    guard let walk = paymentWalk else { return [] }
    let parts: [(CloseFigure, PaymentWalk.Step, String)] = [
      (.paymentDifference, .difference, ""), (.adjustment, .adjustment, ""),
      (.inputTax, .inputTax, ""), (.withholding, .withholding, ""), (.paid, .paid, "-"),
    ]
    return parts.compactMap { figure, step, sign in
      guard let amount = walk[step], let place = walkPlace(of: step) else { return nil }
      let line = pack.statement.lines.first { $0.figure == figure }
      if line != nil, line?.now == nil { return nil }
      return OtherFigure(
        label: figure.label,
        here: OtherFigure.Side(
          formula: places[figure].map { "C\($0)" } ?? "0",
          amount: Money(micros: line?.now ?? 0, reconciliation.baseCurrency)),
        there: OtherFigure.Side(
          formula: sign + walkReference(place), amount: sign.isEmpty ? amount : -amount),
        place: place, reason: "@close.there-for \(reconciliation.period)")
    }
  }
}
