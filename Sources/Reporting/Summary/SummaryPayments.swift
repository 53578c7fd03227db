import Billing
import Languages
import Conclusions

extension WorkbookContents {
  /// The rows at the head of a fiscal month's summary: what Apple settled, owes and paid for it.
  /// None without its payments summary.
  func paymentRows() -> [Row] {
    guard let walk = paymentWalk else { return [] }
    let base = reconciliation.baseCurrency
    /// The cell with the amount of a step, by a formula that points at the payment walk; zero where
    /// it has no row there.
    ///
    /// - Parameter sign: a minus to show the amount with its sign turned; empty for it as it is.
    func figure(_ step: PaymentWalk.Step, _ sign: String = "") -> Cell {
      guard let amount = walk[step], let place = walkPlace(of: step) else {
        return .money(.zero(base))
      }
      return .formula(sign + walkReference(place), .money(sign.isEmpty ? amount : -amount))
    }
    let settlement = reconciliation.settlement!
    let received = settlement.payouts.compactMap(\.received)
    let isProven = settlement.unprovenReceipts.isEmpty
    let unsettled = reconciliation.bridges.first(where: \.isSummary)?.steps.first {
      $0.cause == .settlementCarryOut
    }
    let notPaid: Wording =
      walk.notPaid.isEmpty
      ? "@summary.not-paid" : "@summary.not-paid-carried-on \(listed(walk.notPaid))"
    var labels: [SummaryGrid.Head: Wording] = [
      .proceeds: "@summary.settled-in \(base)", .errors: "@summary.owed",
      .warnings: "@summary.paid-on \(paidDays)", .infos: notPaid,
      .matchedUnits: "@summary.received-by-the-bank-2",
    ]
    var figures: [SummaryGrid.Head: Cell] = [
      .proceeds: figure(.settled), .errors: figure(.owed), .warnings: figure(.paid),
      .infos: figure(.notPaid, "-"),
      .matchedUnits: !isProven || received.isEmpty
        ? .words("@summary.not-proven")
        : received.count == 1 ? .money(received[0]) : .words("@shared.yes"),
    ]
    if let unsettled {
      labels[.unexplained] = "@summary.sold-not-settled \(base)"
      figures[.unexplained] =
        bridgeTotalReference(of: .settlementCarryOut).map {
          .formula("-\($0)", .money(-unsettled.amount))
        } ?? .money(-unsettled.amount)
    }
    var tinted = row(figures, .figure)
    if !isProven { tinted.tint(SummaryGrid.Head.matchedUnits.rawValue, .error) }
    return [row(labels.mapValues(Cell.words), .label), tinted]
  }

  /// The number of the row where the charts begin, from 1.
  var chartRow: Int { SummaryGrid.chartRow + paymentRows().count }
}
