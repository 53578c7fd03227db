import Billing
import Languages
import Conclusions

extension Reconciliation {
  /// The section on what Apple's subscription reports come to beside the ledger; nil without any.
  var subscriptionReportsSection: SummaryPage.Section? {
    guard !subscriptionReports.isEmpty else { return nil }
    var table = TextTable("lrr")
    table.name(columns: "", "@shared.apple", "@shared.ledger")
    let figures: [(Wording, (SubscriptionReportLine) -> ComparedCount?)] = [
      ("@summary.subscriptions-started", \.starts), ("@summary.renewed", \.renewals),
      ("@shared.cancelled", \.cancellations), ("@shared.refunded", \.refunds),
      ("@summary.active-at-the-end", \.active),
      ("@summary.in-the-subscriber-report", \.subscribers),
    ]
    for (name, figure) in figures {
      let known = subscriptionReports.compactMap(figure)
      guard !known.isEmpty else {
        table.add(say(name), say("@shared.not-known"), say("@shared.not-known"))
        continue
      }
      table.add(
        say(name), grouped(known.reduce(0) { $0 + $1.apple }),
        grouped(known.reduce(0) { $0 + $1.ledger }))
    }
    var section = SummaryPage.Section(
      title: "@summary.subscription-reports", pieces: [.table(table)])
    let unexplained = subscriptionReports.reduce(0) { $0 + $1.unexplained }
    if unexplained > 0 {
      section.add(
        counted(unexplained, "@summary.1-event-or-subscription-is") {
          "@summary.events-or-subscriptions \($0)"
        })
    }
    return section
  }
}
