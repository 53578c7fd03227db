package import Billing
import Languages
import Ledger
import Reporting

/// How the way to one of Apple's hosts was on a day.
package struct LinkDay: Hashable, Sendable {
  package var host: String
  /// UTC.
  package var day: Day
  package var requests = 0
  /// Requests that nothing whole came of, or that Apple was too busy for.
  package var failures = 0
  /// Milliseconds that half of the requests took at most; by nearest rank.
  package var median: Int64 = 0
  /// Milliseconds that 95 of 100 requests took at most; by nearest rank.
  package var late: Int64 = 0
}

/// Answers of Apple's to one list, by what they were.
package struct AnswerCount: Hashable, Sendable {
  package var list: String
  /// As scripts know it: `none`, `not-yet`.
  package var outcome: String
  package var count: Int
}

/// Days of the way to Apple that are shown.
private let linkDays = 7

/// How requests to Apple went on the seven days that end with the latest one, by host and day.
func latestLink(_ ledger: Ledger) throws -> [LinkDay] {
  guard let last = try ledger.lastRequestDay() else { return [] }
  var days: [LinkDay] = []
  var durations: [Int64] = []
  /// Sets the median and the late duration of the host's day that ends here.
  func end() {
    guard !days.isEmpty, !durations.isEmpty else { return }
    days[days.count - 1].median = durations[(durations.count - 1) / 2]
    days[days.count - 1].late = durations[(durations.count * 95 + 99) / 100 - 1]
    durations = []
  }
  try ledger.forEachRequest(on: last.advanced(by: 1 - linkDays)...last) { request in
    let day = request.at.day()
    if days.last?.host != request.host || days.last?.day != day {
      end()
      days.append(LinkDay(host: request.host, day: day))
    }
    days[days.count - 1].requests += 1
    if request.hasFailed { days[days.count - 1].failures += 1 }
    durations.append(request.milliseconds)
  }
  end()
  return days
}

/// How many answers of each outcome each list has, in the order of the lists.
func answerCounts(_ ledger: Ledger) throws -> [AnswerCount] {
  var counts: [AnswerCount] = []
  var byOutcome: [AppleAnswer.Outcome: Int] = [:]
  var list = ""
  /// Adds the outcomes of the list that ends here.
  func end() {
    for outcome in AppleAnswer.Outcome.allCases {
      guard let count = byOutcome[outcome] else { continue }
      counts.append(AnswerCount(list: list, outcome: outcome.rawValue, count: count))
    }
    byOutcome = [:]
  }
  for answer in try ledger.answers() {
    if answer.list != list { end() }
    list = answer.list
    byOutcome[answer.outcome, default: 0] += 1
  }
  end()
  return counts
}

extension LedgerStatus {
  /// Lines on what Apple answered, and how the way to it was.
  var linkLines: [String] {
    var lines: [String] = []
    if !answers.isEmpty { lines.append(say("@status.apple-answers-by-request")) }
    for list in answers.map(\.list).uniqued() {
      let counts = answers.filter { $0.list == list }.map { answer in
        Wording(verbatim: grouped(answer.count)) + " " + answer.wording
      }
      lines.append("  " + say("\(list): \(counts.joined(separator: ", "))"))
    }
    guard !link.isEmpty else { return lines }
    var table = TextTable("llrrrr")
    table.name(
      columns: "", "", "@status.requests", "@status.failures", "@status.median-time",
      "@status.95th-percentile")
    for day in link {
      table.add(
        "\(day.day)", day.host, grouped(day.requests), grouped(day.failures),
        "\(grouped(Int(day.median))) ms", "\(grouped(Int(day.late))) ms")
    }
    return lines + [say("@status.connection-to-apple-in-recent")] + table.textLines
  }
}

extension AnswerCount {
  fileprivate var wording: Wording {
    switch AppleAnswer.Outcome(rawValue: outcome) {
    case .rows: "@status.with-rows"
    case .open: "@shared.started-to-be-continued"
    case .nothing: "@shared.without-data-at-apple"
    case .notYet: "@shared.not-published-yet"
    case .gone: "@shared.no-longer-offered-by-apple"
    case .refused: "@shared.refused"
    case .failed, nil: "@shared.failed"
    }
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.string("list", list)
    writer.string("outcome", outcome)
    writer.integer("count", count)
  }
}

extension LinkDay {
  func writeFields(to writer: inout JSONWriter) {
    writer.string("day", day.description)
    writer.string("host", host)
    writer.integer("requests", requests)
    writer.integer("failures", failures)
    writer.integer("median_ms", median)
    writer.integer("late_ms", late)
  }
}

extension Sequence where Element: Hashable {
  /// The elements in their order, each once.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
