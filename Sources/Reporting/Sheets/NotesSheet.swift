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
        Apple's side minus ours, in the currency shown beside it. Currencies are never added \
        together; amounts in \(base) are converted at the last rate on or before the period's end.
        """),
      note(
        "difference",
        """
        The absolute amounts of a code's findings, converted to \(base). Findings in a \
        currency without a rate are counted but not converted.
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
        Each total is the previous total plus the steps between. Each step is computed from \
        its own evidence; only unexplained is a remainder. Open is what a finding locates and \
        nothing proves yet: it is not explained.
        """),
      note(
        "deduction",
        """
        1 − proceeds ÷ gross: the share of the customer price that goes to tax and commission.
        """),
      note(
        "figures",
        """
        A figure with more than 15 digits is text, because spreadsheets hold no more. Negative \
        amounts are red and in brackets.
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
          One row per refund in the ledger, then findings about other refunds, whose amounts are \
          differences. Totals by storefront and users with several refunds are below the list. A \
          refund that Apple reversed is listed but not counted. Beyond window: later than \
          customers of the storefront may ask for a refund. Not taken back: the order is still \
          paid or fulfilled.
          """))
    }
    if !reconciliation.subscriptionCounts.isEmpty || !reconciliation.subscriptions.isEmpty {
      rows.append(
        note(
          "subscriptions",
          """
          One row per subscription chain active in the period, as of the period end. Counts by \
          product and state are below the list. Of more than \(grouped(Rules.readableChains)) \
          chains, those that a finding is about are listed; export subscriptions lists all of them.
          """))
    }
    if !reconciliation.subscriptionReports.isEmpty {
      rows.append(
        note(
          "subscription reports",
          """
          Apple's subscription reports beside the ledger's chains, over the days whose reports \
          are loaded. A blank figure has no report: it is not known. Renewed counts each further \
          period of a chain, whatever Apple calls it; cancelled counts periods that ended without \
          another one, which may be more than customers cancelled. Active is at the end of the \
          last day with a report.
          """))
    }
    if !reconciliation.deductions.isEmpty {
      rows.append(
        note(
          "price check",
          """
          Sales at a price, by storefront, kind, commission class and month, split where the \
          rule or the deduction changed; refunds and free units are left out. Tax is \
          everything deducted before the commission: price = net × (1 + tax). The implied tax \
          follows from the totals and includes each row's rounding; the tax of the rows is the \
          one that gives the proceeds of most units exactly. Explained is the share of those \
          units.
          """))
    }
    if !reconciliation.patterns.isEmpty {
      rows.append(
        note(
          "patterns",
          """
          What findings of one code have in common although little of the business shares it: a \
          time span, a user, a version, a file. The probability is an upper bound that allows for \
          every place that was searched; anything more likely than one in a million is left out. \
          Of overlapping patterns, the least likely is shown.
          """))
    }
    if !reconciliation.flow.isEmpty {
      rows.append(
        note(
          "purchase flow",
          """
          By business day: orders by when they were placed, transactions by purchase, refunds \
          by revocation. Purchases are transactions that need an order of their own; a \
          purchase counts as never fulfilled if no order was fulfilled for it. Seconds run \
          from purchase to fulfilment. A day stands out if a figure is far from every other \
          day's and not small.
          """))
    }
    if reconciliation.stages != nil {
      rows.append(
        note(
          "purchase stages",
          """
          By business day and step, from the company's log. A blank line means that no event is \
          loaded: what happened is not known. An event that several files report identically \
          counts once. An hour stands out if so many purchases failed in it that chance would \
          explain it less than once in a hundred million, allowing for all hours and steps; a \
          customer who tries again within the hour counts once. A fulfilment is late after \
          late_after.
          """))
    }
    if let plan = reconciliation.plan {
      rows.append(
        note(
          "exchange-rate plan",
          """
          Coins per unit of money at which Apple's channel leaves the same net as the orders of \
          \(plan.channel.name), by the price list and by what Apple paid. The channel's fee, \
          roundings and margins are the planner's: change them at the top of the sheet.
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
    case .error: "a difference that someone must clear"
    case .warning: "something to look at"
    case .info: "a difference that has its explanation"
    }
  }
}
