package import Billing
import Languages
package import Conclusions

/// A figure of a close beside that of the month before.
package struct CloseLine: Hashable, Sendable {
  package let figure: CloseFigure
  /// Micro-units of base currency, or a count; nil where it is not known, because a rate or a
  /// financial report is missing.
  package let now: Int64?
  /// Of the close of the month before; nil where it tells none.
  package let before: Int64?
  /// What the figure is more than in the month before; nil where one is not known.
  package var change: Int64? { now.flatMap { now in before.map { now - $0 } } }
  /// Whether the figure is a movement that was none in either month.
  fileprivate var isNothing: Bool {
    now == 0 && (before ?? 0) == 0 && figure != .opening && figure != .closing
  }
}

/// The figures that a close keeps, to be printed, and to stand beside those of the month after.
package struct CloseStatement: Hashable, Sendable {
  /// Whether there is anything to compare with.
  package enum Comparison: String, Hashable, Sendable {
    case compared
    case notClosed = "not-closed"
    /// The close before was made by a version that kept no such figures.
    case noFigures = "no-figures"
    case otherCurrency = "other-currency"
  }

  package let period: Period
  /// Base currency.
  package let currency: Currency
  package let comparison: Comparison
  /// What the opening balance rests on; nil in closes of versions that did not say so.
  package let opening: OpeningBasis?
  /// What of earlier months it leaves out, or the first close before left out.
  package let gaps: [OpeningGap]
  /// In the order of the figures, without those that are nothing in both months; those that are not
  /// known are among them.
  package let lines: [CloseLine]

  /// Puts a month's figures beside those of the close before.
  ///
  /// - Parameters:
  ///   - now: the month's figures; those that are not known are absent.
  ///   - earlier: what the close of the month before keeps; nil where there is none.
  init(
    _ period: Period, in currency: Currency, _ now: [CloseFigure: Int64],
    comparison: Comparison, before earlier: CloseStatement?, opening: OpeningBasis?,
    gaps: [OpeningGap] = []
  ) {
    (self.opening, self.gaps) = (opening, gaps)
    self.period = period
    self.currency = currency
    self.comparison = comparison
    let known = comparison == .compared ? earlier?.lines : nil
    // A month whose rates were not all there does not say what Apple owed at its end.
    let closingWasKnown = known?.first { $0.figure == .closing }?.now != nil
    /// What a figure was in the close before; nil where that does not tell.
    func before(_ figure: CloseFigure) -> Int64? {
      guard let known else { return nil }
      if let line = known.first(where: { $0.figure == figure }) { return line.now }
      // A figure that it left out was nothing, or could not be told.
      return closingWasKnown && figure.isOptional && now[figure] != nil ? 0 : nil
    }
    lines = CloseFigure.allCases.compactMap { figure in
      let line = CloseLine(figure: figure, now: now[figure], before: before(figure))
      if line.now == nil, (line.before ?? 0) == 0, !figure.isStated(of: period) { return nil }
      return figure.isOptional && line.now == 0 && (line.before ?? 0) == 0 ? nil : line
    }
  }

  /// The remark that says why there are no figures of the month before to compare with; nil where
  /// they are there.
  package var remark: Wording? {
    let earlier = period.previous
    return switch comparison {
    case .compared: nil
    case .notClosed: "@close.is-not-closed-there-is \(earlier)"
    case .noFigures:
      "@close.was-closed-by-an-earlier \(earlier)"
    case .otherCurrency:
      "@close.was-closed-in-another-base \(earlier)"
    }
  }

  /// The remarks below the figures on a screen, which leaves long lists of amounts to the workbook.
  var remarks: [Wording] { remarks(most: 3) { _ in nil } }

  /// The remarks below the figures: what the opening balance assumes and leaves out, why there is
  /// no comparison, which figures are not known.
  ///
  /// - Parameters:
  ///   - most: how many amounts a list names before it counts the rest; nil for all.
  ///   - inBase: what an amount is worth in base currency; nil where nobody knows.
  func remarks(most: Int? = nil, _ inBase: (Money) -> Money?) -> [Wording] {
    let assumption = opening?.assumption
    // Only the first close assumes anything.
    let leftOut = assumption == nil ? [] : gaps.remarks(period, most: most, inBase)
    // That no month before is closed, an assumption has said.
    let compared = assumption == nil ? remark : nil
    return [assumption].compactMap(\.self) + leftOut + [compared, gap].compactMap(\.self)
  }

  /// The remark that names the figures that are not known; nil where all are.
  var gap: Wording? {
    let unknown = lines.filter { $0.now == nil }
    if unknown.isEmpty { return nil }
    let names = unknown.map(\.figure.label).joined(separator: ", ")
    return unknown.contains { $0.figure == .settled }
      ? "@close.not-known-because-a-financial \(currency) \(names)"
      : "@close.not-known-because-an-exchange \(currency) \(names)"
  }

  /// The lines that stand one below another. A figure that could have been left out, and is not
  /// known, is only named in ``gap``.
  var shownLines: [CloseLine] {
    lines.filter { !$0.figure.isOptional || $0.now != nil || ($0.before ?? 0) != 0 }
  }

  /// The amounts and remarks as text for a person, ending with a line feed.
  package var text: String {
    var text = say("@close.receivable-from-apple \(currency)") + "\n" + table.text
    for remark in remarks { text += "  " + say(remark) + "\n" }
    return text
  }

  /// The amounts as a table of text: a screen leaves counts, changes and what is nothing to the
  /// workbook.
  var table: TextTable {
    func shown(_ value: Int64?) -> String {
      value.map { grouped(Money(micros: $0, currency)) } ?? "-"
    }
    let isCompared = comparison == .compared
    var table = TextTable(isCompared ? "lrr" : "lr")
    if isCompared {
      table.name(columns: "", "\(period)", "\(period.previous)")
    } else {
      table.name(columns: "", "\(period)")
    }
    for line in shownLines where !line.figure.isCount && !line.isNothing {
      let values = isCompared ? [line.now, line.before] : [line.now]
      table.add(cells: [say(line.figure.label)] + values.map(shown))
    }
    return table
  }
}

// MARK: - As a close keeps it

/// A line with what all lines share.
private struct KeptLine {
  var line: CloseLine
  var statement: CloseStatement

  /// A figure as a close keeps it: a count, or exact decimal text; blank where it is not known.
  func text(_ value: Int64?) -> Cell {
    guard let value else { return .blank }
    return line.figure.isCount
      ? .integer(value) : .text(Money(micros: value, statement.currency).text)
  }
}

extension List<KeptLine> {
  /// The columns of figures as a close keeps them.
  fileprivate static var kept: List {
    List([
      Column("figure") { .text($0.line.figure.rawValue) },
      Column("currency") { $0.line.figure.isCount ? .blank : .text($0.statement.currency.code) },
      Column("amount") { $0.text($0.line.now) },
      Column("before") { $0.text($0.line.before) },
      Column("change") { $0.text($0.line.change) },
      Column("comparison") { .text($0.statement.comparison.rawValue) },
      Column("opening_basis") { .text(ifAny: $0.statement.opening?.rawValue) },
      Column("opening_left_out") { .text($0.statement.gaps.map(\.text).joined(separator: "; ")) },
    ])
  }
}

extension CloseStatement {
  static let columns = List.kept.names

  /// The figures as CSV, one row each: `figure, currency, amount, before, change, comparison,
  /// opening_basis, opening_left_out`.
  package var csv: String {
    List.kept.csv(lines.map { KeptLine(line: $0, statement: self) })
  }

  /// Reads the statement that ``csv`` wrote; nil for any other text.
  package init?(ofCSV text: String, period: Period) {
    struct Row {
      var line: CloseLine
      var currency: Currency?
      var comparison: Comparison
      var opening: OpeningBasis?
      var gaps: [OpeningGap]
    }
    let rows = CSVTable(text).read { row -> Row? in
      guard let figure = row("figure").flatMap(CloseFigure.init(rawValue:)),
        let code = row("currency"), let now = row("amount"), let before = row("before"),
        let comparison = row("comparison").flatMap(Comparison.init(rawValue:)),
        figure.isCount == code.isEmpty
      else { return nil }
      /// A figure from its text: a number, or micro-units; nil where it is neither.
      func value(_ text: String) -> Int64? {
        figure.isCount ? Int64(text) : micros(decimal: text)
      }
      guard now.isEmpty == (value(now) == nil), before.isEmpty == (value(before) == nil) else {
        return nil
      }
      guard let gaps = [OpeningGap](row("opening_left_out") ?? "") else { return nil }
      return Row(
        line: CloseLine(figure: figure, now: value(now), before: value(before)),
        currency: Currency(code), comparison: comparison,
        opening: row("opening_basis").flatMap(OpeningBasis.init(rawValue:)), gaps: gaps)
    }
    guard let rows, let comparison = rows.first?.comparison,
      let currency = rows.lazy.compactMap(\.currency).first,
      Set(rows.map(\.line.figure)).count == rows.count,
      rows.allSatisfy({ $0.currency ?? currency == currency && $0.comparison == comparison })
    else { return nil }
    self.period = period
    self.currency = currency
    self.comparison = comparison
    (opening, gaps) = (rows[0].opening, rows[0].gaps)
    lines = rows.map(\.line)
  }
}

extension OpeningGap {
  /// The gap as text: `FY2023-P08 owed 12.00 USD`, or without an amount.
  fileprivate var text: String {
    let amount = amount.map { " \($0.text) \($0.currency)" } ?? ""
    return "\(month) \(part.rawValue)\(amount)"
  }

  /// Reads a gap from its ``text``; nil for any other text.
  fileprivate init?(_ text: Substring) {
    let words = text.split(separator: " ")
    guard words.count == 2 || words.count == 4,
      let month = Period(String(words[0]))?.fiscalMonth, let part = Part(rawValue: "\(words[1])")
    else { return nil }
    self.init(month: month, part: part)
    if words.count == 2 { return }
    guard let micros = micros(decimal: String(words[2])),
      let currency = Currency(String(words[3]))
    else { return nil }
    amount = Money(micros: micros, currency)
  }
}

extension [OpeningGap] {
  /// Reads the gaps that a close keeps, between semicolons; nil for any other text.
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: ";").map { OpeningGap($0) }
    guard !parts.contains(nil) else { return nil }
    self = parts.compactMap(\.self)
  }
}

extension List<OpeningGap> {
  /// The columns of what an opening balance leaves out.
  static var openingGaps: List {
    List([
      Column("month") { .text("\($0.month)") },
      Column("part") { .text($0.part.rawValue) },
      Column("currency") { .text(ifAny: $0.amount?.currency.code) },
      Column("amount") { .money(ifAny: $0.amount) },
    ])
  }
}

extension JSONWriter {
  /// Members for the statement: `comparison`, `opening_basis`, `opening_left_out` where something
  /// is, and `figures`.
  package mutating func members(of statement: CloseStatement) {
    string("comparison", statement.comparison.rawValue)
    string("opening_basis", statement.opening?.rawValue)
    if !statement.gaps.isEmpty {
      lines("opening_left_out", statement.gaps, of: .openingGaps)
    }
    lines(
      "figures", statement.lines.map { KeptLine(line: $0, statement: statement) }, of: .kept)
  }
}
