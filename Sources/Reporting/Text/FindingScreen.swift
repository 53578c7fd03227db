package import Billing
import Languages
import Conclusions

/// Findings that nobody let stand, a line of the screen for each: errors, then warnings, then what
/// is said for information; within them the largest amount first, then those without amounts by
/// their units.
package struct FindingScreen: Sendable {
  /// How many are shown unless others are asked for.
  package static let usual = 20
  /// How many where the period cannot be judged.
  static let few = 3
  /// Columns of a line.
  private static let width = 80

  struct Line: Sendable {
    var severity: Severity
    var id: String
    var code: String
    var place: String
    var amount: String
    var brief: String

    fileprivate var cells: [String] { [id, code, place, amount] }
  }

  /// How many findings are open, by severity.
  let counts: [Severity: Int]
  let lines: [Line]
  /// The largest one that is not shown, where it is larger than the last one that is.
  private let largestBeyond: Line?
  private let currency: Currency?
  /// What lists those that are not shown.
  package var all = "--all"

  /// Puts the open findings in order and keeps those that are shown.
  ///
  /// - Parameters:
  ///   - limit: at most as many lines; nil for all.
  ///   - currency: what amounts are shown in; nil for each one's own.
  ///   - worth: what the finding at a place comes to in that currency; nil without an amount or a
  ///     rate.
  package init(
    _ findings: [Finding], limit: Int? = Self.usual, in currency: Currency?,
    worth: (Int) -> Money?
  ) {
    var ranked: [FindingRank] = []
    var counts: [Severity: Int] = [:]
    var beyond: FindingRank?
    /// Notes the largest finding that is not shown.
    func noteHidden(_ rank: FindingRank) { if rank.size > beyond?.size ?? 0 { beyond = rank } }
    // By index: a copy of each finding would cost more than what is asked of it.
    for place in findings.indices where !findings[place].isAccepted {
      let severity = findings[place].severity
      counts[severity, default: 0] += 1
      let rank = FindingRank(findings, at: place, worth(place))
      guard let limit else {
        ranked.append(rank)
        continue
      }
      guard limit > 0 else { continue }
      if ranked.count == limit, severity < ranked[limit - 1].severity {
        noteHidden(rank)
        continue
      }
      ranked.insert(rank, at: ranked.firstIndex { rank < $0 } ?? ranked.count)
      if ranked.count > limit { noteHidden(ranked.removeLast()) }
    }
    if limit == nil { ranked.sort() }
    let spansYears = ranked.contains { rank in
      let (own, first) = (findings[rank.place].date, findings[ranked[0].place].date)
      return own.flatMap { own in first.map { $0.parts.year != own.parts.year } } ?? false
    }
    self.currency = currency
    self.counts = counts
    lines = ranked.map {
      Line(findings[$0.place], $0, showsYear: spansYears)
    }
    largestBeyond = beyond.flatMap { rank in
      guard let last = ranked.last, rank.size > last.size else { return nil }
      return Line(findings[rank.place], rank, showsYear: spansYears)
    }
  }

  /// Whether no finding is open.
  package var isEmpty: Bool { counts.isEmpty }

  /// How many open findings are not shown.
  var rest: Int { counts.values.reduce(0, +) - lines.count }

  /// The lines as text, those of each severity below its title; empty without findings.
  package var text: String {
    var text = ""
    let widths =
      lines.isEmpty
      ? []
      : lines[0].cells.indices.map { cell in
        lines.map { displayWidth($0.cells[cell]) }.max() ?? 0
      }
    for severity in Severity.allCases.reversed() {
      let own = lines.filter { $0.severity == severity }
      guard !own.isEmpty else { continue }
      var title = title(of: severity)
      // A line of its own below would be one more.
      if text.isEmpty, largestBeyond != nil {
        title = [title, "@text.details \(lines[0].id)"].joined(separator: "; ")
      }
      text += say(title) + "\n"
      for line in own { text += Self.text(of: line, widths) }
    }
    return text + tail.map { say($0) + "\n" }.joined()
  }

  /// The lines that follow the findings: how many more there are, and how one is looked at.
  var tail: [Wording] {
    guard let first = lines.first else { return [] }
    guard rest > 0 else { return ["@text.details \(first.id)"] }
    let more = severities(beyondShown: true)
    guard let largest = largestBeyond else {
      let parts: [Wording] = ["@text.and-more-all \(more) \(all)", "@text.details \(first.id)"]
      return [parts.joined(separator: "; ")]
    }
    return ["@text.and-more-largest \(more) \(largest.code) \(largest.amount) \(all)"]
  }

  /// How many of each severity are not shown, in words; nil where all are shown.
  var hidden: Wording? {
    rest > 0 ? "@summary.not-shown \(severities(beyondShown: true))" : nil
  }

  /// The line above the findings of a severity: how many there are, and how many of them are shown.
  func title(of severity: Severity) -> Wording {
    let all = countText(severity, counts[severity] ?? 0)
    let shown = lines.count { $0.severity == severity }
    let count: Wording =
      shown == counts[severity] ? all : "@text.first-of \(grouped(shown)) \(all)"
    return currency.map { "@text.findings-in \(count) \($0)" } ?? count
  }

  /// `1 error, 15 warnings, 3 info`: how many findings are open.
  ///
  /// - Parameter beyondShown: whether only those that are not shown are told.
  private func severities(beyondShown: Bool) -> Wording {
    Severity.allCases.reversed().compactMap { severity in
      let shown = beyondShown ? lines.count { $0.severity == severity } : 0
      let count = (counts[severity] ?? 0) - shown
      return count > 0 ? countText(severity, count) : nil
    }.joined(separator: ", ")
  }

  /// `15 warnings`: so many findings of a severity, in words.
  private func countText(_ severity: Severity, _ count: Int) -> Wording {
    switch severity {
    case .error: Billing.counted(count, "@shared.1-error") { "@shared.errors \($0)" }
    case .warning: Billing.counted(count, "@summary.1-warning") { "@summary.warnings-2 \($0)" }
    case .info: "@text.info \(grouped(count))"
    }
  }

  /// One finding as a line of the screen; what has no room on a narrow terminal goes on below.
  ///
  /// - Parameter widths: of the cells before the brief text, on all lines alike.
  private static func text(of line: Line, _ widths: [Int]) -> String {
    let columns = min(ReaderWidth.columns ?? width, width)
    let start = widths.reduce(0) { $0 + $1 + 2 }
    guard columns - start >= 16 else {
      return lines(
        wrapped((line.cells + [line.brief]).joined(separator: "  "), columns: columns, hanging: 2),
        hanging: 2)
    }
    var head = ""
    for (index, (cell, width)) in zip(line.cells, widths).enumerated() {
      let gap = String(repeating: " ", count: width - displayWidth(cell))
      head += (index == line.cells.count - 1 ? gap + cell : cell + gap) + "  "
    }
    return lines(wrapped(head + line.brief, columns: columns, hanging: start), hanging: start)
  }

  /// Parts of a line below one another, all but the first indented by so many spaces.
  private static func lines(_ parts: [String], hanging: Int) -> String {
    parts.enumerated().map { index, part in
      (index == 0 ? part : String(repeating: " ", count: hanging) + part) + "\n"
    }.joined()
  }
}

/// What the place of a finding among the others follows from.
private struct FindingRank: Comparable {
  var severity: Severity
  /// Without its sign; zero of an amount without a rate, -1 without an amount.
  var size: Int64
  var units: UInt64
  var place: Int
  var worth: Money?

  /// The rank of the finding at an index.
  ///
  /// - Parameter worth: its amount in the screen's currency; nil without one or without a rate.
  init(_ findings: [Finding], at place: Int, _ worth: Money?) {
    severity = findings[place].severity
    self.place = place
    self.worth = worth
    let hasAmount = worth != nil || findings[place].amount != nil || !findings[place].parts.isEmpty
    size = worth.map { Int64(clamping: $0.micros.magnitude) } ?? (hasAmount ? 0 : -1)
    units = hasAmount ? 0 : findings[place].units?.magnitude ?? 0
  }

  /// The graver first, then the larger amount, then more units, then as they stand.
  static func < (left: Self, right: Self) -> Bool {
    if left.severity != right.severity { return left.severity > right.severity }
    if left.size != right.size { return left.size > right.size }
    if left.units != right.units { return left.units > right.units }
    return left.place < right.place
  }
}

extension FindingScreen.Line {
  /// Characters of an ID that no other finding of a ledger is likely to begin with.
  private static let idLength = 8

  /// The line of a finding: its worth in the screen's currency, else its own amount, else its
  /// units.
  fileprivate init(_ finding: Finding, _ rank: FindingRank, showsYear: Bool) {
    let day = finding.date.map { showsYear ? "\($0)" : String("\($0)".suffix(5)) }
    let own: [Money] =
      finding.parts.isEmpty ? [finding.money].compactMap(\.self) : finding.parts.map(\.amount)
    let amount: Wording? =
      rank.worth.map { Wording(verbatim: grouped($0)) }
      ?? (own.count == 1 ? spoken(own[0]) : nil)
      ?? finding.units.flatMap { $0 == 0 ? nil : spoken(units: $0.magnitude) }
    severity = finding.severity
    id = String(finding.id.prefix(Self.idLength))
    code = finding.code.rawValue
    place = [finding.storefront?.code ?? finding.currency?.code ?? "-", day ?? ""].filter {
      !$0.isEmpty
    }
    .joined(separator: " ")
    self.amount = amount.map(say) ?? "-"
    brief = say(finding.code.brief)
  }
}

extension Reconciliation {
  /// The open findings as lines of the screen, in base currency.
  ///
  /// - Parameter limit: at most as many; nil for all.
  func screen(limit: Int?) -> FindingScreen {
    FindingScreen(findings, limit: limit, in: baseCurrency) { place in
      worth(of: findings.worth(at: place))
    }
  }
}
