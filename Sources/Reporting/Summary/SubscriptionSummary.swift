import Billing
import Languages
import Matching

extension Reconciliation {
  /// What Apple's subscription reports come to beside the ledger; nil without any.
  var subscriptionReportsSection: SummaryPage.Section? {
    guard !subscriptionReports.isEmpty else { return nil }
    var table = TextTable("lrr")
    table.name(columns: "", "Apple", "ledger")
    let figures: [(Wording, (SubscriptionReportLine) -> ComparedCount?)] = [
      ("subscriptions started", \.starts), ("renewed", \.renewals),
      ("cancelled", \.cancellations), ("refunded", \.refunds),
      ("active at the end", \.active), ("in the subscriber report", \.subscribers),
    ]
    for (name, figure) in figures {
      let known = subscriptionReports.compactMap(figure)
      guard !known.isEmpty else {
        table.add(say(name), say("not known"), say("not known"))
        continue
      }
      table.add(
        say(name), grouped(known.reduce(0) { $0 + $1.apple }),
        grouped(known.reduce(0) { $0 + $1.ledger }))
    }
    var section = SummaryPage.Section(title: "Subscription reports", pieces: [.table(table)])
    let unexplained = subscriptionReports.reduce(0) { $0 + $1.unexplained }
    if unexplained > 0 {
      section.add(
        counted(unexplained, "1 event or subscription is in findings") {
          "\($0) events or subscriptions are in findings"
        })
    }
    return section
  }
}
