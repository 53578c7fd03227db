import Billing
import Conclusions
import Foundation
import Reporting
import Testing
import Workflow
@testable import Matching

/// Goal: what is behind a minority of findings is named first, with its edges, and where nothing is
/// behind them nothing is named. Method: clean months whose tables one of twelve causes changes
/// among the same faults scattered without any cause.
///
/// `TIEOUT_CAUSES="60000 3"` judges three seeds of months of 60,000 orders instead, where the cause
/// has 40, 60 and 100 in a hundred of the faults; a path as the third word names a file to which a
/// line of each is added.
@Suite struct PatternCausesTests {
  private static let words =
    (ProcessInfo.processInfo.environment["TIEOUT_CAUSES"] ?? "").split(separator: " ")
  private static let asked = words.prefix(2).compactMap { Int($0) }
  private static var orders: Int { asked.first ?? 3000 }
  private static var seeds: Range<Int> { 0..<(asked.count > 1 ? asked[1] : 1) }
  private static var shares: [Int] { asked.isEmpty ? [40] : [40, 60, 100] }

  /// Of the cause, the pattern that is named first; and whether it lies where the cause does.
  private static func judge(_ cause: FaultCause, share: Int, seed: UInt64) throws -> (
    isFirst: Bool, hasEdges: Bool, words: String
  ) {
    let month = try CausedMonth(cause, share: share, orders: orders, seed: seed)
    let run = try SimulatedRun(month.inputs)
    let found = run.result.patterns.first
    let isFirst =
      found?.dimension == cause.dimension && found?.codes.first == cause.code
      && (month.value.isEmpty || found?.value == month.value)
    let words =
      "\(cause.rawValue) \(share) %: \(month.faults) of \(month.all), "
      + (run.result.patterns.map(\.explanation.english).first ?? "nothing")
    guard isFirst, let found else { return (false, false, words) }
    return (true, hasEdges(found, month, cause), words)
  }

  private static func hasEdges(_ found: Pattern, _ month: CausedMonth, _ cause: FaultCause) -> Bool
  {
    switch cause {
    case .outage, .queue:
      // Scattered faults beside it may belong to it as well.
      guard let span = found.span else { return false }
      return abs(span.lowerBound.seconds - seconds(month.span.0)) <= 6 * 3600
        && abs(span.upperBound.seconds - seconds(month.span.1)) <= 6 * 3600
    case .gradual:
      // Where it begins there is nearly none of it.
      guard let span = found.span else { return false }
      return span.lowerBound.seconds >= seconds(month.span.0)
        && span.upperBound.seconds >= seconds(month.span.1) - 2 * 86_400
    case .nightly:
      let hours = found.value.split(separator: "-").map { part in
        part.split(separator: ":").reduce(0) { $0 * 60 + Int($1)! }
      }
      return abs(hours[0] - month.hour * 60) <= 30 && abs(hours[1] - month.hour * 60 - 120) <= 30
    default: return 10 * found.count >= 9 * month.faults
    }
  }

  private static func seconds(_ text: String) -> Int64 {
    let parts = text.dropFirst(11).prefix(8).split(separator: ":").map { Int64($0)! }
    return Day(String(text.prefix(10)))!.startUTC.seconds + parts[0] * 3600 + parts[1] * 60
      + parts[2]
  }

  @Test(arguments: FaultCause.allCases) func isNamedFirst(_ cause: FaultCause) throws {
    var lines: [String] = []
    var (right, all) = (0, 0)
    // Two in five of what grows slowly through the month are too near to chance in a small one.
    let isFaint = cause == .gradual && Self.orders < 10_000
    for share in isFaint ? [100] : Self.shares {
      for seed in Self.seeds {
        let judged = try Self.judge(cause, share: share, seed: 1000 + UInt64(seed))
        all += 1
        if judged.isFirst && judged.hasEdges { right += 1 }
        lines.append("\(judged.isFirst) \(judged.hasEdges) \(judged.words)")
      }
    }
    if Self.words.count > 2 { try Self.add(lines, to: String(Self.words[2])) }
    #expect(10 * right >= 9 * all, "\(lines.joined(separator: "\n"))")
  }

  private static let twoCauses: [(FaultCause, FaultCause)] = [
    (.queue, .device), (.nightly, .device), (.user, .device), (.product, .version),
  ]

  /// What is left after one cause is looked at as if there had been none, so that what most orders
  /// have is told too.
  @Test(arguments: twoCauses) func twoCausesOfOneCodeAreBothNamed(
    _ one: FaultCause, _ other: FaultCause
  ) throws {
    let month = try CausedMonth(one, and: other, share: 100, orders: Self.orders, seed: 1000)
    let run = try SimulatedRun(month.inputs)
    let found = run.result.patterns.filter { $0.codes == [one.code] }
    #expect(Set(found.map(\.dimension)) == [one.dimension, other.dimension])
    #expect(found.first { $0.dimension == other.dimension }?.value == month.otherValue)
    #expect(found.count == 2, "\(found.map(\.explanation.english))")
  }

  /// A product that is renamed twice is told once, with what is of all findings of its codes.
  @Test func aProductRenamedTwiceIsOnePattern() throws {
    let month = try CausedMonth(.renamed, share: 40, orders: 3000, seed: 1000)
    try month.rename("gems.300.v2", "gems.300.v3", from: Day("2023-06-22")!)
    let run = try SimulatedRun(month.inputs)
    let renamed = run.result.patterns.filter { $0.dimension == .renamed }
    #expect(renamed.map(\.value) == [month.value + " = com.lumen.orbit.gems.300.v3"])
    let told = run.result.patterns.flatMap(\.findingIDs)
    #expect(Set(told).count == told.count)
    for pattern in run.result.patterns where pattern.dimension != .boundary {
      #expect(pattern.total == run.result.findings.count { pattern.codes.contains($0.code) })
    }
  }

  private static func add(_ lines: [String], to path: String) throws {
    let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try (before + lines.map { $0 + "\n" }.joined())
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Faults of each kind without a cause.
  @Test(arguments: 0..<4) func nothingIsNamedWithoutACause(_ seed: Int) throws {
    let kinds: [FaultCause] = [.outage, .queue, .version, .storefront, .server]
    for (number, kind) in kinds.enumerated() where Self.asked.count > 1 || number % 4 == seed % 4 {
      let month = try CausedMonth(
        nil, share: 0, orders: Self.orders, seed: 2000 + UInt64(seed), like: kind)
      let run = try SimulatedRun(month.inputs)
      #expect(run.result.findings.count { $0.code == kind.code } >= 30)
      #expect(run.result.patterns.map(\.explanation.english) == [])
    }
  }
}
