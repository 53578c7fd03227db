package import Billing
import Conclusions
import Ledger
import Matching
import Reporting

/// Something to say of findings.
package struct RemarkRequest: Sendable {
  package var ledgerPath: String
  package var action: Remark.Action
  /// Ids, or the beginnings of ids that only one recorded finding has.
  package var findings: [String]
  package var assignee: String
  package var reason: String
  package var by: String
  package var at: Instant

  package init(
    ledgerPath: String, action: Remark.Action, findings: [String], assignee: String,
    reason: String, by: String, at: Instant
  ) {
    self.ledgerPath = ledgerPath
    self.action = action
    self.findings = findings
    self.assignee = assignee
    self.reason = reason
    self.by = by
    self.at = at
  }
}

/// A finding of which something was said, as the last run of its period recorded it.
package struct FindingUnderWork: Sendable {
  /// With what was said of it; of one that is no longer found only the remarks are known.
  package var finding: Finding?
  package var period: String
  package var remarks: [Remark]

  package var id: String { finding?.id ?? remarks[0].finding }
  package var code: FindingCode { finding?.code ?? remarks[0].code }
  /// The finding's state, open where nothing was said of it; nil where it is no longer found.
  package var state: FindingWork.State? { finding.map { $0.work?.state ?? .open } }
}

/// Adds a remark to each of some findings, to all of them or to none.
///
/// - Returns: the findings with all that was said of them, in the order of `request`.
/// - Throws: a ``Stop`` where one of them was not recorded.
package func remark(_ request: RemarkRequest) throws -> [FindingUnderWork] {
  try stopping {
    let found = try Ledger.reading(request.ledgerPath) { ledger in
      try request.findings.reduce(into: [RecordedFinding]()) { found, id in
        let one = try recorded(id, in: ledger)
        if !found.contains(where: { $0.finding.id == one.finding.id }) { found.append(one) }
      }
    }
    try Ledger(path: request.ledgerPath, mode: .readWrite).add(
      found.map {
        Remark(
          request.action, of: $0.finding, period: $0.period.description, at: request.at,
          by: request.by, assignee: request.assignee, reason: request.reason)
      })
    let all = try findingsUnderWork(ledgerPath: request.ledgerPath, period: nil)
    return found.compactMap { recorded in all.first { $0.id == recorded.finding.id } }
  }
}

/// All findings of which people said something, in the order of the first remarks.
///
/// - Parameter period: only findings of this period; nil for all.
package func findingsUnderWork(
  ledgerPath: String, period: Period?
) throws -> [FindingUnderWork] {
  try stopping {
    try Ledger.reading(ledgerPath) { try underWork(in: $0, period: period) }
  }
}

/// Findings as the last run of each period recorded them, and those of which something was said.
package struct ListedFindings: Sendable {
  package var findings: [FindingUnderWork]
  /// Those of each period that nobody let stand, the newest run's first.
  fileprivate(set) var screens: [(period: Period, screen: FindingScreen)] = []
  /// The period that was asked for, where no run of it is recorded.
  fileprivate(set) var unknown: Period?
}

/// All findings that the last runs recorded, whether or not anybody said anything of them, and
/// those no longer found of which something was said.
///
/// - Parameters:
///   - period: only findings of this period; nil for all.
///   - base: what amounts are shown in.
///   - isWanted: whether a finding is listed.
package func listedFindings(
  ledgerPath: String, period: Period?, in base: Currency,
  where isWanted: (FindingUnderWork) -> Bool
) throws -> ListedFindings {
  try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      let said = try underWork(in: ledger, period: period)
      let remarks = Dictionary(said.map { ($0.id, $0.remarks) }) { first, _ in first }
      let book = RemarkBook(try ledger.remarks(), try ledger.sharedSKUs())
      let recorded = try ledger.recordedPeriods().filter { period == nil || $0 == period }
      var listed = ListedFindings(findings: said.filter(isWanted))
      var seen = Set(said.map(\.id))
      if let period, recorded.isEmpty { listed.unknown = period }
      for one in recorded {
        var findings = try ledger.recordedFindings(one) ?? []
        book.attach(to: &findings)
        let shown = findings.filter {
          isWanted(
            FindingUnderWork(
              finding: $0, period: one.description, remarks: remarks[$0.id] ?? []))
        }
        let rates = RateBook(try ledger.rates(one.last...one.last))
        let screen = FindingScreen(shown, limit: nil, in: base) { place in
          shown.worth(at: place).worth(in: base, rates, on: one.last)
        }
        if !screen.isEmpty { listed.screens.append((one, screen)) }
        listed.findings += shown.filter { seen.insert($0.id).inserted }.map {
          FindingUnderWork(finding: $0, period: one.description, remarks: [])
        }
      }
      return listed
    }
  }
}

extension [StorefrontMoney] {
  /// The sum of the amounts in base currency at a day's rates; nil without an amount, or where a
  /// rate is missing.
  func worth(in base: Currency, _ rates: RateBook, on day: Day) -> Money? {
    if isEmpty { return nil }
    return reduce(.zero(base)) { (sum: Money?, part) in
      guard let sum else { return nil }
      if part.amount.currency == base { return sum + part.amount }
      return rates.rate(from: part.amount.currency, to: base, on: day)
        .map { sum + part.amount.converted(at: $0, to: base) }
    }
  }
}

/// The recorded finding of an id, or the only one whose id begins so; throws a ``Stop`` where there
/// are none or several.
private func recorded(_ id: String, in ledger: Ledger) throws -> RecordedFinding {
  let wanted = id.lowercased()
  if let exact = try ledger.recordedFinding(id: wanted) { return exact }
  let isHex = wanted.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  let like =
    wanted.isEmpty || !isHex
    ? [] : try ledger.recordedFindings(idPrefix: wanted, limit: 100)
  if like.count == 1 { return like[0] }
  if like.count > 1 {
    throw Stop(
      .badInput, "@finding.several-findings-start \(id)",
      help: """
        @shared.type-more-of-the-id \(like.prefix(5).map(\.finding.id).asList)
        """)
  }
  let meant = try findingIDs(like: wanted, in: ledger)
  throw Stop(
    .badInput, "@finding.there-is-no-finding-among \(id)",
    help: meant.isEmpty
      ? "@finding.tieout-reconcile-period-p-records"
      : "@explain.did-you-mean-one \(meant.asList)")
}

/// Up to three findings whose ids one slip of the finger makes of `id`, or their beginnings.
func findingIDs(like id: String, in ledger: Ledger) throws -> [String] {
  var found: Set<String> = []
  for slip in slips(of: id) where slip.utf8.count >= 6 && slip.allSatisfy(\.isHexDigit) {
    found.formUnion(try ledger.findingIDs(beginning: slip.lowercased(), limit: 3))
    if found.count >= 3 { break }
  }
  return Array(found.sorted().prefix(3))
}

/// The findings of which people said something, in the order of the first remarks; remarks on a
/// finding that is gone stand with the one that they go to.
///
/// - Parameter period: only findings of this period; nil for all.
private func underWork(in ledger: Ledger, period: Period?) throws -> [FindingUnderWork] {
  let remarks = try ledger.remarks()
    .filter { period == nil || $0.period == period!.description }
  var order: [String] = []
  var byFinding: [String: [Remark]] = [:]
  for remark in remarks {
    if byFinding[remark.finding] == nil { order.append(remark.finding) }
    byFinding[remark.finding, default: []].append(remark)
  }
  let book = RemarkBook(remarks, try ledger.sharedSKUs())
  var shown: [FindingUnderWork] = []
  var seen: Set<String> = []
  for id in order {
    let own = byFinding[id]!
    var candidates: [RecordedFinding] = []
    if let same = try ledger.recordedFinding(id: id) {
      candidates = [same]
    } else if let its = Period(own[0].period) {
      candidates =
        try ledger.recordedFindings(its, code: own[0].code)?
        .map { RecordedFinding(finding: $0, period: its, asOf: its.last) } ?? []
    }
    var findings = candidates.map(\.finding)
    book.attach(to: &findings)
    let heir = findings.firstIndex {
      $0.work?.remarks.contains { $0.number == own[0].number } == true
    }
    let one = FindingUnderWork(
      finding: heir.map { findings[$0] },
      period: heir.map { candidates[$0].period.description } ?? own[0].period,
      remarks: heir.flatMap { findings[$0].work?.remarks } ?? own)
    if seen.insert(one.id).inserted { shown.append(one) }
  }
  return shown
}
