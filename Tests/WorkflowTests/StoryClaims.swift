import Billing
import Matching
import Workflow

/// What the stories of a month's findings claim of its orders and transactions, and where two of
/// them cannot both be true.
struct StoryClaims {
  /// Findings of units that one side has more.
  static let reported: [FindingCode] = [
    .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport,
  ]

  /// Whether findings of this code say something that Apple's report may contradict.
  static func concerns(_ code: FindingCode) -> Bool {
    reported.contains(code) || code.counterpart != nil || unpaid.contains(code)
  }

  /// By which Apple was paid nothing for a transaction.
  private static let unpaid: [FindingCode] = [
    .bundleMismatch, .familySharedFulfilled,
  ]

  private let stories: [Explanation]

  init(_ stories: [Explanation]) { self.stories = stories }

  /// Candidates that a story marks as what accounts for its difference.
  private func marked(_ story: Explanation) -> [AttributionSection.Candidate] {
    story.attribution.map { section in section.combination.map { section.candidates[$0] } } ?? []
  }

  var contradictions: [String] {
    twice + unpaidAndReported + paidAndUnreported + matchedElsewhere + decidedOtherwise
  }

  /// Two findings claim one row as their own missing unit.
  private var twice: [String] {
    var said: [String] = []
    for code in Self.reported {
      var owner: [String: String] = [:]
      for story in stories where story.finding?.code == code {
        for id in marked(story).compactMap({ $0.order ?? $0.transaction }) {
          if let other = owner[id] { said.append("\(code): \(id) of \(other) and \(story.id)") }
          owner[id] = story.id
        }
      }
    }
    return said
  }

  /// A finding of an order or transaction says the opposite of what Apple's report says of it in a
  /// story that marks it, and does not tell of the other.
  private var unpaidAndReported: [String] {
    var said: [String] = []
    for report in stories {
      guard let code = report.finding?.code, Self.reported.contains(code) else { continue }
      for candidate in marked(report) {
        for story in stories {
          guard let finding = story.finding else { continue }
          let isUnpaid = code == .notInLedger && Self.unpaid.contains(finding.code)
          guard finding.code.counterpart == code || isUnpaid,
            candidate.order.map(finding.orderIDs.contains) ?? false
              || candidate.transaction.map(finding.transactionIDs.contains) ?? false
          else { continue }
          let tells = finding.explanation.english.contains("Apple's report of")
          if !tells || finding.action == finding.code.action {
            said.append(
              "\(finding.code.rawValue) \(story.id) says “\(finding.action.english)” of what "
                + "\(code.rawValue) \(report.id) marks: \(finding.explanation.english)")
          }
          if finding.explanation.english.contains("probably paid"), finding.amount != nil {
            said.append("\(finding.code.rawValue) \(story.id) and \(report.id) have one amount")
          }
        }
      }
    }
    return said
  }

  /// A finding says that Apple's report has, or lacks, its row; no finding of the report names it,
  /// and no story of one lists it.
  private var paidAndUnreported: [String] {
    stories.compactMap { story in
      guard let finding = story.finding, let code = finding.code.counterpart,
        finding.explanation.english.contains("Apple's report of")
      else { return nil }
      let rows = Set(finding.orderIDs + finding.transactionIDs)
      let isListed = stories.contains { report in
        guard let told = report.finding, told.code == code else { return false }
        let listed = (report.attribution?.candidates ?? []).flatMap { [$0.order, $0.transaction] }
        return (report.attribution?.furtherCandidates ?? 0) > 0
          || !rows.isDisjoint(with: told.orderIDs + told.transactionIDs)
          || !rows.isDisjoint(with: listed.compactMap(\.self))
      }
      return isListed
        ? nil
        : "\(finding.code.rawValue) \(story.id): no \(code.rawValue) lists it: "
          + finding.explanation.english
    }
  }

  /// A story says that an order has no transaction, and another names the transaction.
  private var matchedElsewhere: [String] {
    var pairs: [String: String] = [:]
    for decision in stories.flatMap(\.decisions) {
      if let order = decision.order, decision.rule != nil { pairs[order] = decision.transaction }
    }
    return stories.flatMap { story in
      (story.attribution?.candidates ?? []).compactMap { candidate in
        guard story.finding?.code == .notInLedger, let order = candidate.order,
          let transaction = pairs[order]
        else { return nil }
        return "\(story.id): order \(order) is open, and has \(transaction) elsewhere"
      }
    }
  }

  /// Two stories give one transaction to different orders, or to one and to none.
  private var decidedOtherwise: [String] {
    var orders: [String: (order: String?, story: String)] = [:]
    var said: [String] = []
    for story in stories {
      for decision in story.decisions {
        guard let transaction = decision.transaction else { continue }
        if let other = orders[transaction], other.order != decision.order {
          said.append("\(transaction): \(other.story) and \(story.id) give it to different orders")
        }
        orders[transaction] = (decision.order, story.id)
      }
    }
    return said
  }
}
