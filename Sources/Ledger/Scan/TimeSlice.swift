import Billing
import GRDB

/// A part of a span of time, so short that what files say of it can be held against each other.
struct TimeSlice {
  /// Seconds since 1970.
  var times: ClosedRange<Int64>
  /// Files that have rows near it, each with the times of these.
  private(set) var files: [Int64: ClosedRange<Int64>] = [:]

  /// The numbers of the files that have rows near it, the earliest rows first.
  var sources: [Int64] {
    files.sorted { ($0.value.lowerBound, $0.key) < ($1.value.lowerBound, $1.key) }.map(\.key)
  }

  /// The span of all times that two of the files have rows near: what one of them says outside, no
  /// other can. Nil where no two have.
  var shared: ClosedRange<Int64>? {
    let spans = files.values.sorted { $0.lowerBound < $1.lowerBound }
    guard var end = spans.first?.upperBound else { return nil }
    var shared: ClosedRange<Int64>?
    for span in spans.dropFirst() {
      if span.lowerBound <= end {
        let last = max(shared?.upperBound ?? .min, min(span.upperBound, end))
        shared = (shared?.lowerBound ?? span.lowerBound)...last
      }
      end = max(end, span.upperBound)
    }
    return shared
  }

  private static let length: Int64 = 86_400

  /// Divides a range of time into days, each with the files that may have rows of it; days without
  /// files are left out. The range stays whole where only one file has rows of it, and where files
  /// are in no order of time, so that none is read again for every day.
  ///
  /// - Parameters:
  ///   - range: seconds since 1970; a day is 24 hours, the first one from its start.
  ///   - kind: the kind of rows, one of those in ``blockTimes``.
  ///   - divides: whether the range is divided for a single file too, so that what it says twice is
  ///     found with one day's rows in memory.
  static func slices(
    of range: ClosedRange<Int64>, _ kind: InputKind, divides: Bool = false, _ db: Database
  ) throws -> [TimeSlice] {
    let select = try RawStatement(
      db,
      """
      SELECT source_id, first_at, last_at FROM \(blockTimes)
      WHERE kind = '\(kind.rawValue)' AND first_at <= ? AND last_at >= ?
      """, range.upperBound, range.lowerBound)
    let count = Int((range.upperBound - range.lowerBound) / length) + 1
    var days = (0..<count).map { day in
      let start = range.lowerBound + Int64(day) * length
      return TimeSlice(times: start...min(start + length - 1, range.upperBound))
    }
    var whole = TimeSlice(times: range)
    var (blocks, reads) = (0, 0)
    while try select.step() {
      let source = select.int64(0)
      let from = max(select.int64(1), range.lowerBound)
      let to = max(from, min(select.int64(2), range.upperBound))
      let touched =
        Int((from - range.lowerBound) / length)...Int((to - range.lowerBound) / length)
      for day in touched { days[day].add(source, from...to) }
      whole.add(source, from...to)
      blocks += 1
      reads += touched.count
    }
    if whole.files.count < (divides ? 1 : 2) || reads > 3 * blocks + count {
      return whole.files.isEmpty ? [] : [whole]
    }
    return days.filter { !$0.files.isEmpty }
  }

  /// Notes that a file has rows near these times, as far as they are the slice's.
  private mutating func add(_ source: Int64, _ span: ClosedRange<Int64>) {
    let own = max(span.lowerBound, times.lowerBound)...min(span.upperBound, times.upperBound)
    let known = files[source] ?? own
    files[source] =
      min(known.lowerBound, own.lowerBound)...max(known.upperBound, own.upperBound)
  }
}

/// How often each row stands in one file after another, by a digest of what it says.
struct RowCopies {
  /// By digest, how many rows one of the earlier files had at most.
  private var inEarlierFiles: [UInt64: Int32] = [:]
  /// By digest, how many rows the file at hand has so far.
  private var inThisFile: [UInt64: Int32] = [:]
  /// Rows of the last file of which none may stand twice.
  private var once: Set<UInt64> = []

  /// Begins the next file: the rows of the one at hand are from now on an earlier file's.
  mutating func beginFile() {
    inEarlierFiles.merge(inThisFile) { max($0, $1) }
    inThisFile = [:]
    once = []
  }

  /// Whether this was called with the same digest of a row since ``beginFile()``; for rows that no
  /// file may have twice.
  mutating func isRepeated(_ key: UInt64) -> Bool { !once.insert(key).inserted }

  /// Notes a row of the file at hand, and returns whether an earlier file has as many like it as
  /// this one has so far.
  ///
  /// - Parameter key: a digest of what the row says.
  mutating func isCopy(_ key: UInt64) -> Bool {
    let count = (inThisFile[key] ?? 0) + 1
    inThisFile[key] = count
    return count <= inEarlierFiles[key] ?? 0
  }
}
