import Billing
import Languages
import Conclusions

// The journal on the sheet that is signed.
extension CloseSheet {
  /// Adds differences, adjustments and taxes entry by entry; their figures above add them up and
  /// lead here.
  mutating func addBooked() {
    let booked = pack.journal?.booked ?? []
    if booked.isEmpty { return }
    addSection(
      "@close.booked-beside-sales", ["@close.figure", "@shared.day", "@shared.currency"],
      numbers: ["@shared.amount", "@shared.in-2 \(base)", "@close.entry"])
    rows[rows.count - 1].cells += [.blank, .words("@close.what-for")]
    for figure in CloseFigure.allCases {
      let entries = booked.filter { $0.figure == figure }
      if entries.isEmpty { continue }
      let first = next
      for entry in entries {
        add([
          .words(figure.label), .day(entry.day), .text(entry.amount.currency.code),
          .money(entry.amount),
          entry.value.map { .money($0, base) } ?? .words("@shared.no-rate"),
          .ordinal(Int64(entry.number)), .blank, .text(entry.narration),
        ])
      }
      linkFigure(figure, to: first, entries.compactMap(\.value))
    }
  }

  /// Makes a figure's cells lead to the entries that it is the sum of, and add them up.
  ///
  /// - Parameters:
  ///   - first: the row of the first entry.
  ///   - values: of the entries in base currency, those that are known.
  private mutating func linkFigure(_ figure: CloseFigure, to first: Int, _ values: [Int64]) {
    guard let place = places[figure], case .money(let amount, _) = rows[place - 1].cells[2] else {
      return
    }
    rows[place - 1].cells[1] = .link(
      Place(sheet: say("@close.close"), row: first), say(figure.label))
    if values.count == next - first, values.reduce(0, +) == amount {
      rows[place - 1].cells[2] = .formula("SUM(F\(first):F\(next - 1))", .money(amount, base))
    }
  }

  /// Adds what the journal posts to each account, the sum of all, and checks; of a fiscal month
  /// that it has no journal.
  mutating func addJournal() {
    guard let journal = pack.journal else {
      rows.append(Row(cells: []))
      rows.append(Row(cells: [.words("@close.journal")], style: .section))
      return addRemark(pack.journalOfPayments)
    }
    addSection(
      "@close.journal", ["@close.account", "@shared.currency"],
      numbers: [
        "@close.debit", "@close.credit", "@close.debit-2 \(base)", "@close.credit-2 \(base)",
      ])
    journalTitles = next - 1
    rows[rows.count - 1].cells += [.blank, .words("@close.entries \(journal.period)")]
    var sums: [AccountSum] = []
    var rest = journal.accounts[...]
    while let first = rest.first {
      let totals = rest.prefix { $0.account == first.account }
      rest = rest.dropFirst(totals.count)
      sums.append(addAccount(Array(totals)))
    }
    let isValued = sums.allSatisfy { $0.debit != nil && $0.credit != nil }
    /// The cell that adds up the rows of all accounts in a column; words where a rate is missing.
    ///
    /// - Parameters:
    ///   - letter: of the column.
    ///   - part: an account's debits or credits.
    func total(_ letter: String, _ part: (AccountSum) -> Int64?) -> Cell {
      guard isValued else { return .words("@shared.no-rate") }
      let value = Cell.money(sums.compactMap(part).reduce(0, +), base)
      if sums.isEmpty { return value }
      return .formula(sums.map { "\(letter)\($0.row)" }.joined(separator: "+"), value)
    }
    let all = next
    add(
      [
        .words("@shared.all"), .blank, .blank, .blank, total("F", \.debit), total("G", \.credit),
      ], .total)
    if isValued, !sums.isEmpty { addChecks(journal, sums, all: all) }
    addJournalRemarks(journal)
  }

  /// Adds an account's lines, one per currency, and what they come to where there are several;
  /// returns that sum and its row.
  private mutating func addAccount(_ totals: [AccountTotal]) -> AccountSum {
    func amount(_ money: Money) -> Cell { money.isZero ? .blank : .money(money) }
    /// The cell of micro-units of base currency; blank for zero, words where a rate is missing.
    func inBase(_ micros: Int64?) -> Cell {
      micros.map { $0 == 0 ? .blank : .money($0, base) } ?? .words("@shared.no-rate")
    }
    let first = next
    for total in totals {
      add([
        .text(total.account), .text(total.debit.currency.code), amount(total.debit),
        amount(total.credit), inBase(total.baseDebit), inBase(total.baseCredit),
        .blank, list(total.entries.map(String.init), shown: 6),
      ])
    }
    /// A part of the account's lines added up; nil where a rate is missing.
    func sum(_ part: (AccountTotal) -> Int64?) -> Int64? {
      let known = totals.compactMap(part)
      return known.count == totals.count ? known.reduce(0, +) : nil
    }
    var own = AccountSum(
      account: totals[0].account, row: first, debit: sum(\.baseDebit), credit: sum(\.baseCredit))
    guard totals.count > 1 else { return own }
    own.row = next
    /// The cell that adds up an account's lines in the column of a letter; blank for zero, words
    /// where a rate is missing.
    func cell(_ letter: String, _ value: Int64?) -> Cell {
      value.map {
        $0 == 0
          ? .blank : .formula("SUM(\(letter)\(first):\(letter)\(next - 1))", .money($0, base))
      } ?? .words("@shared.no-rate")
    }
    add(
      [.text(own.account), .blank, .blank, .blank, cell("F", own.debit), cell("G", own.credit)],
      .total)
    return own
  }

  /// Adds the checks that the journal and the figures above come to the same.
  ///
  /// - Parameter all: the row of the sum of all accounts.
  private mutating func addChecks(_ journal: JournalTotals, _ sums: [AccountSum], all: Int) {
    rows.append(
      .tableHeader(
        ["✓", "@close.check", ""],
        numbers: ["@close.in-the-journal", "@close.by-the-figures", "@shared.difference-2"]))
    /// An account's debits less credits, in micro-units of base currency: as a formula over the
    /// account's row where that comes to the value, else as the value alone.
    ///
    /// - Parameter name: of the account.
    func net(_ name: String, _ value: Int64) -> Net {
      guard let sum = sums.first(where: { $0.account == name }), sum.net == value else {
        return Net(formula: decimalText(micros: value), value: value)
      }
      return Net(formula: "F\(sum.row)-G\(sum.row)", value: value)
    }
    if let receivable = journal.receivable, let revaluation = journal.revaluation,
      let closing = places[.closing], let opening = places[.opening],
      let proceeds = places[.proceeds]
    {
      let owed = net(journal.receivableName, receivable)
      let valued = net(journal.revaluationName, revaluation)
      let moved = pack.statement.figure(.closing) - pack.statement.figure(.opening)
      addCheck(
        "@close.check-receivable", owed,
        Net(
          formula: "SUM(C\(proceeds):C\(closing - 1))-(\(valued.formula))",
          value: moved - revaluation))
      addCheck(
        "@close.check-closing",
        Net(formula: "\(owed.formula)+\(valued.formula)", value: receivable + revaluation),
        Net(formula: "C\(closing)-C\(opening)", value: moved))
    }
    let debits = sums.compactMap(\.debit).reduce(0, +)
    let credits = sums.compactMap(\.credit).reduce(0, +)
    addCheck(
      "@close.check-debits", Net(formula: "F\(all)", value: debits),
      Net(formula: "G\(all)", value: credits))
  }

  /// Adds a check: a formula over the journal, one over the figures, and their difference.
  private mutating func addCheck(_ name: Wording, _ booked: Net, _ stated: Net) {
    let row = next
    add([
      .words(name), .blank, .formula(booked.formula, .money(booked.value, base)),
      .formula(stated.formula, .money(stated.value, base)),
      .formula("ROUND(D\(row)-E\(row),6)", .money(booked.value - stated.value, base)),
    ])
    if booked.value != stated.value { rows[rows.count - 1].tint(5, .error) }
  }

  /// Adds the remarks on how entries are numbered, accounts are named and revenue is booked.
  private mutating func addJournalRemarks(_ journal: JournalTotals) {
    addRemark("@close.entries-are-numbered \(journal.period)")
    if journal.hasDefaultNames { addRemark("@close.accounts-are-named") }
    let tax = Money(micros: abs(pack.statement.figure(.tax)), base)
    switch journal.revenue {
    case .principal: addRemark("@close.income-is-without-tax \(spoken(tax))")
    case .agent: addRemark("@close.income-is-proceeds")
    case .grossOfTax: break
    }
  }
}

/// What an account comes to in micro-units of base currency, and in which row that stands.
private struct AccountSum {
  var account: String
  var row: Int
  var debit: Int64?
  var credit: Int64?
  /// Debits less credits; nil where a rate is missing.
  var net: Int64? { debit.flatMap { debit in credit.map { debit - $0 } } }
}

/// A formula, and what it comes to in micro-units of base currency.
private struct Net {
  var formula: String
  var value: Int64
}

extension CloseStatement {
  /// A figure of the month in micro-units, or as a number; zero where it is left out or not known.
  fileprivate func figure(_ figure: CloseFigure) -> Int64 {
    lines.first { $0.figure == figure }?.now ?? 0
  }
}
