import Billing
import TOMLKit

/// Seconds from `3 h`, `90 min`, `1 h 30 min`, or a whole number of seconds; 30 days at most.
func duration(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Int64 {
  let longest: Int64 = 30 * 86_400
  let seconds = value.int.map(Int64.init) ?? value.string.flatMap(seconds)
  guard let seconds, (0...longest).contains(seconds) else {
    throw ValueDiagnostic("@configuration.duration-such-as-3-h", value)
  }
  return seconds
}

private let unitSeconds: [String: Int64] = [
  "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400,
]

/// The sum of numbers with units, `1h30min`, in seconds; nil for any other text.
private func seconds(_ text: String) -> Int64? {
  var rest = Substring(text.filter { $0 != " " })
  guard !rest.isEmpty else { return nil }
  var sum: Int64 = 0
  while !rest.isEmpty {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    let unit = rest.prefix { $0.isLetter }
    rest = rest.dropFirst(unit.count)
    guard digits.count < 9, let count = Int64(digits), let unit = unitSeconds[String(unit)]
    else { return nil }
    sum += count * unit
  }
  return sum
}

/// Days in the Small Business Program: from and to, both included, an end that is absent or empty
/// being open; or since the approval of the enrolment.
func smallBusinessSpans(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> [Settings.Span] {
  let example =
    "[{ from = \"2023-01-01\", to = \"2023-12-31\" }] or [{ approved = \"2026-09-14\" }]"
  var spans: [Settings.Span] = []
  for range in try ranges(value, example, begins: ["from", "approved"]) {
    if let approved = range["approved"] {
      guard range["from"] == nil else {
        throw ValueDiagnostic(
          "@configuration.either-from-or-approved", found: "@configuration.both")
      }
      let begin = smallBusinessBegin(approved: try day(approved))
      let to = try range["to"].map(day)
      if let to, to < begin {
        throw ValueDiagnostic("@configuration.last-day \(begin)", found: "\(to)")
      }
      spans.append(Settings.Span(from: begin, to: to))
    } else {
      spans.append(try span(from: range["from"], to: range["to"]))
    }
  }
  return spans
}

/// Days, both included; an end that is absent or empty is open.
func span(
  from: (any TOMLValueConvertible)?, to: (any TOMLValueConvertible)?
) throws(ValueDiagnostic) -> Settings.Span {
  let span = Settings.Span(from: try open(from).map(day), to: try open(to).map(day))
  if let from = span.from, let to = span.to, to < from {
    throw ValueDiagnostic("@configuration.first-and-a-later-day", found: "@shared.to \(from) \(to)")
  }
  return span
}

/// Reads spans of time with their first and last moment; a date stands for its whole day (UTC), an
/// absent end is open.
func timeSpans(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> [Settings.SandboxWindow] {
  var spans: [Settings.SandboxWindow] = []
  let example = "[{ from = 2023-06-01T08:00:00Z, to = 2023-06-03T18:00:00Z }]"
  for range in try ranges(value, example) {
    let first = try range["from"].map { value throws(ValueDiagnostic) in
      try instants(value).lowerBound
    }
    let last = try range["to"].map { value throws(ValueDiagnostic) in
      try instants(value).upperBound
    }
    let span = Settings.SandboxWindow(
      from: first ?? Instant(seconds: 0), to: last ?? Instant(seconds: 253_402_300_799))
    guard span.from <= span.to else {
      throw ValueDiagnostic(
        "@configuration.first-and-a-later-time", found: "@shared.to \(span.from) \(span.to)")
    }
    spans.append(span)
  }
  return spans
}

/// Reads a list of tables that each have a first and a last value: the values of each table by key,
/// without those that are empty texts.
///
/// - Parameters:
///   - example: such a list, for messages.
///   - begins: the keys under which a first value may stand; a last one stands under `to`.
private func ranges(
  _ value: any TOMLValueConvertible, _ example: String, begins: [String] = ["from"]
) throws(ValueDiagnostic) -> [[String: any TOMLValueConvertible]] {
  guard let array = value.array else {
    throw ValueDiagnostic("@configuration.list-such \(example)", value)
  }
  let known = begins + ["to"]
  var ranges: [[String: any TOMLValueConvertible]] = []
  for element in array {
    guard let table = element.table else {
      throw ValueDiagnostic("@configuration.list-such \(example)", element)
    }
    var range: [String: any TOMLValueConvertible] = [:]
    for key in table.keys {
      guard known.contains(key) else {
        throw ValueDiagnostic("@configuration.from", found: "\"\(key)\"")
      }
      range[key] = open(table[key])
    }
    ranges.append(range)
  }
  return ranges
}

/// The value of an end of a span; nil, so that the end is open, for an empty text.
func open(_ value: (any TOMLValueConvertible)?) -> (any TOMLValueConvertible)? {
  value?.string == "" ? nil : value
}

/// A day, as a date of TOML or as text.
func day(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> Day {
  let day =
    value.date.flatMap { Day(year: $0.year, month: $0.month, day: $0.day) }
    ?? value.string.flatMap { Day($0) }
  guard let day else { throw ValueDiagnostic("@configuration.date-such-as-2023-06", value) }
  return day
}

/// The seconds from first to last that a date or a time means: a date all of its day (UTC).
private func instants(
  _ value: any TOMLValueConvertible
) throws(ValueDiagnostic) -> ClosedRange<Instant> {
  if let time = value.dateTime, let instant = instant(time) { return instant...instant }
  if let text = value.string, text.count > 10 {
    guard let table = try? TOMLTable(string: "time = \(text)"), let time = table["time"]?.dateTime,
      let instant = instant(time)
    else { throw ValueDiagnostic("@configuration.time-such-as-2023-06", value) }
    return instant...instant
  }
  let day = try day(value)
  return day.startUTC...Instant(seconds: day.advanced(by: 1).startUTC.seconds - 1)
}

/// The moment of a date and time, which without an offset is UTC; nil where the date is none.
private func instant(_ time: TOMLDateTime) -> Instant? {
  guard let day = Day(year: time.date.year, month: time.date.month, day: time.date.day)
  else { return nil }
  let clock = Int64(time.time.hour * 3600 + time.time.minute * 60 + time.time.second)
  let offset = Int64(time.offset?.offset ?? 0) * 60
  return Instant(seconds: day.startUTC.seconds + clock - offset)
}
