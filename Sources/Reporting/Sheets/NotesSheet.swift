import Billing
import Pricing
import Languages
import Matching

extension WorkbookContents {
  /// What a reader must know beside the figures, and how to read the sheets.
  func notesSheet() -> Sheet {
    let base = reconciliation.baseCurrency
    var rows = reconciliation.notes.map { note("this period", $0) }
    rows += [
      note(
        "amounts",
        """
        Apple's side minus ours, in the currency beside them. Two currencies are never added; \
        what is in \(base) was converted at the last rate on or before the period's end.
        """),
      note(
        "at stake",
        """
        The absolute amounts of a code's findings, converted to \(base). Findings in a currency \
        without a rate are counted and not converted.
        """),
      note(
        "evidence",
        """
        A finding of level 1 (orders) leads to its rows in Orders, which name the file and line \
        of each order and transaction. A finding of level 2 (sales) leads to the file in Inputs \
        that shows it; timing to its storefront's row in Day boundaries; a changed deduction to \
        its part in Price check; what no file shows, such as a missing report, to its step in \
        Bridge.
        """),
    ]
    rows += listNotes()
    rows += [
      note(
        "bridge",
        """
        Each total is the total before it plus the steps between. Each step is computed from its \
        own evidence; only unexplained is a remainder.
        """),
      note(
        "deduction", "1 - proceeds / gross: what tax and commission take of the customer's price."),
      note(
        "figures",
        """
        A figure with more than 15 digits stands as text, because a spreadsheet's numbers end \
        there. Negative amounts are red and in brackets.
        """),
      note(
        "ids", "The same facts have the same id in every run, whatever the files are called."),
    ]
    rows += CauseFamily.allCases.map { family in
      Row(
        cells: [.words(family.wording), .words(family.meaning)],
        tints: [Row.Tint(column: 0, meaning: .cause(family))])
    }
    rows += Severity.allCases.reversed().map { severity in
      Row(
        cells: [.words(severity.wording), .words(severity.meaning)],
        tints: [Row.Tint(column: 0, meaning: .severity(severity))])
    }
    return Sheet(
      name: say("Notes"), columns: [.text("about", 12...24), .prose("note", 110)], rows: Rows(rows))
  }

  /// How to read the lists of refunds and subscriptions, where there are some.
  private func listNotes() -> [Row] {
    var rows: [Row] = []
    if !refundTotals().isEmpty {
      rows.append(
        note(
          "refunds",
          """
          One row per refund that the ledger knows, then findings about others, whose amounts \
          are differences. Totals per storefront and users with several refunds stand below the \
          list. A refund that Apple took back is listed and not counted. Beyond window: later \
          than the storefront's customers may ask for a refund. Not taken back: the order still \
          stands as paid or fulfilled.
          """))
    }
    if !reconciliation.subscriptionCounts.isEmpty || !reconciliation.subscriptions.isEmpty {
      rows.append(
        note(
          "subscriptions",
          """
          One row per chain of renewals that the period touched, as it stood at the period's \
          end. How many there are by product and state stands below the list.
          """))
    }
    if !reconciliation.deductions.isEmpty {
      rows.append(
        note(
          "price check",
          """
          Sales at a price, by storefront, kind, commission class and month, divided where the \
          rule or the deduction changed; refunds and free units are left out. Taxes are all that \
          is taken off before the commission: price = net x (1 + tax). The implied tax follows \
          from the sums and carries the rounding of each row; the tax of the rows is the one \
          that gives the proceeds of most units exactly. Explained is their share.
          """))
    }
    if !reconciliation.patterns.isEmpty {
      rows.append(
        note(
          "patterns",
          """
          What findings of one code share although little of all business has it: a span of \
          time, a user, a version, a file. The chance is a bound that accounts for all places \
          that were looked at; what is likelier than once in a million is not named. Of patterns \
          that overlap the least likely is told.
          """))
    }
    if !reconciliation.flow.isEmpty {
      rows.append(
        note(
          "purchase flow",
          """
          By the company's day: orders by their placing, transactions by the purchase, refunds \
          by the revocation. Purchases are transactions that need an order of their own; one is \
          never fulfilled where no order was fulfilled for it. The seconds are from the purchase \
          to the fulfilment. A day stands out where a figure is far from all other days' and not \
          small.
          """))
    }
    if let plan = reconciliation.plan {
      rows.append(
        note(
          "exchange-rate plan",
          """
          Coins per unit of money that leave what the orders of \(plan.channel.name) leave, by \
          the price list and by what Apple paid. The channel's fee, roundings and margins are \
          the planner's: change them at the top of the sheet.
          """))
    }
    return rows
  }

  private func note(_ about: Wording, _ text: Wording) -> Row {
    Row(cells: [.words(about), .words(text)])
  }
}

extension Severity {
  var meaning: Wording {
    switch self {
    case .error: "a difference that someone has to clear"
    case .warning: "something that should be looked at"
    case .info: "a difference that has its explanation"
    }
  }
}
