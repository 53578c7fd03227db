import Billing
import Conclusions
import Foundation
import Matching
import Testing
import Workflow

/// Goal: `explain` names first what is behind a finding, and no story contradicts another finding
/// of the month. Method: months whose planner and whose edited tables tell the rows behind each
/// fault.
///
/// A row shares the first place where all before it have the same units, amount and reasons: no
/// evidence tells them apart, and the story says so.
///
/// `TIEOUT_EXPLAINS="200 3"` explains up to 200 such findings of each of three months instead; a
/// path as the third word names a file to which a line for each kind of fault, and each story that
/// is wrong, is added.
@Suite struct ExplainMonthsTests {
  private static let words =
    (ProcessInfo.processInfo.environment["TIEOUT_EXPLAINS"] ?? "").split(separator: " ")
  private static let asked = words.prefix(2).compactMap { Int($0) }
  private static var explains: Int { asked.first ?? 60 }
  private static var seeds: Range<UInt64> { 500..<500 + UInt64(asked.count > 1 ? asked[1] : 1) }

  private struct Count {
    var (explained, first, shared) = (0, 0, 0)
    /// Whether stories of the kind rank candidates.
    var isRanked = false
  }

  @Test func theRowBehindAFindingIsNamedFirst() throws {
    var counts: [String: Count] = [:]
    var (wrong, contradictions): ([String], [String]) = ([], [])
    var unfound: [String: Int] = [:]
    for seed in Self.seeds {
      let month = try ExplainedMonth(
        orders: 30 * Self.explains, each: max(3, Self.explains / 24), seed: seed)
      unfound.merge(month.unfound, uniquingKeysWith: +)
      var stories: [String: Explanation] = [:]
      for fault in month.faults.prefix(Self.explains) {
        let story = try month.story(of: fault.finding.id)
        stories[fault.finding.id] = story
        let place = Self.place(of: fault, in: story)
        counts[fault.kind, default: Count()].explained += 1
        counts[fault.kind]!.isRanked = story.attribution != nil
        switch place {
        case .first: counts[fault.kind]!.first += 1
        case .shared: counts[fault.kind]!.shared += 1
        case .later, .unnamed:
          wrong.append("\(seed) \(fault.kind) \(fault.finding.id): \(place) \(Self.told(story))")
        }
      }
      for finding in month.run.result.findings
      where stories[finding.id] == nil && StoryClaims.concerns(finding.code) {
        stories[finding.id] = try month.story(of: finding.id)
      }
      contradictions += StoryClaims(stories.values.sorted { $0.id < $1.id }).contradictions
        .map { "\(seed) \($0)" }
    }
    let lines =
      counts.sorted { $0.key < $1.key }.map {
        "\($0.key): \($0.value.explained) explained, \($0.value.first) first, "
          + "\($0.value.shared) share the first place"
      } + unfound.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) without a finding" }
      + wrong + contradictions
    if Self.words.count > 2 { try Self.add(lines, to: String(Self.words[2])) }
    let ranked = counts.values.filter(\.isRanked)
    for counted in [Array(counts.values), ranked] {
      let all = counted.reduce(0) { $0 + $1.explained }
      let right = counted.reduce(0) { $0 + $1.first + $1.shared }
      // One in twenty; of few, one.
      #expect(all >= 15 && all - right <= max(1, all / 20), "\(lines.joined(separator: "\n"))")
    }
    #expect(contradictions == [])
    // Of the faults that were made, nearly all are findings that can be explained.
    let (missed, made) = (
      unfound.values.reduce(0, +), counts.values.reduce(0) { $0 + $1.explained }
    )
    #expect(20 * missed <= missed + made, "\(unfound)")
  }

  private static func add(_ lines: [String], to path: String) throws {
    let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try (before + lines.map { $0 + "\n" }.joined())
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  // MARK: Where a story names the row

  private enum Place {
    case first, shared
    case later(Int)
    case unnamed
  }

  private static func place(of fault: KnownFault, in story: Explanation) -> Place {
    if StoryClaims.reported.contains(fault.finding.code) {
      return place(of: fault, among: story.attribution?.candidates ?? [])
    }
    if fault.finding.code.level == 1 {
      guard let at = story.decisions.firstIndex(where: { decides($0, fault) }) else {
        return .unnamed
      }
      return at == 0 ? .first : .later(at)
    }
    // Others name their rows themselves.
    let ids = story.finding?.transactionIDs.prefix(fault.transactions.count) ?? []
    return Set(ids) == Set(fault.transactions) ? .first : .unnamed
  }

  private static func place(
    of fault: KnownFault, among candidates: [AttributionSection.Candidate]
  ) -> Place {
    let at = candidates.firstIndex { candidate in
      candidate.order.map(fault.orders.contains) ?? false
        || candidate.transaction.map(fault.transactions.contains) ?? false
    }
    guard let at else { return .unnamed }
    if at == 0 { return .first }
    let own = candidates[at]
    let isShared = candidates[..<at].allSatisfy { other in
      (other.order == nil) == (own.order == nil) && other.units == own.units
        && other.amount == own.amount && other.reasons == own.reasons
    }
    return isShared ? .shared : .later(at)
  }

  /// Whether the decision is about the fault's rows, and finds of them what is true.
  private static func decides(_ decision: MatchDecision, _ fault: KnownFault) -> Bool {
    switch fault.finding.code {
    case .transactionWithoutOrder where decision.order != nil: return false
    case .orderWithoutTransaction where decision.transaction != nil: return false
    default: break
    }
    return (fault.orders.isEmpty || decision.order == fault.orders[0])
      && (fault.transactions.isEmpty
        || decision.transaction.map(fault.transactions.contains) ?? false)
  }

  private static func told(_ story: Explanation) -> String {
    let candidates = (story.attribution?.candidates ?? []).prefix(4).map {
      "\($0.order ?? "-") \($0.transaction ?? "-") \($0.amount?.text ?? "-"): "
        + $0.reasons.map(\.english).joined(separator: ", ")
    }
    let decisions = story.decisions.prefix(3).map(\.text.english)
    return
      ([story.finding?.explanation.english ?? "", story.attribution?.text.english ?? ""]
      + candidates + decisions).joined(separator: " | ")
  }
}
