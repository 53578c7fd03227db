import Billing
import Conclusions
import Ledger
import Matching

/// What people said of findings, and which finding of a run each remark belongs to.
struct RemarkBook {
  private let remarks: [Remark]
  private let shared: SharedSKUs
  private var byFinding: [String: [Remark]] = [:]
  /// Ids of which something was said, in the order of their first remarks.
  private var idsBySubject: [String: [String]] = [:]

  /// Groups remarks by finding, and findings by subject.
  ///
  /// - Parameters:
  ///   - remarks: in the order in which they were made.
  ///   - shared: SKUs that stand in several apps now.
  init(_ remarks: [Remark], _ shared: SharedSKUs) {
    (self.remarks, self.shared) = (remarks, shared)
    for remark in remarks {
      if byFinding[remark.finding] == nil {
        idsBySubject[remark.subject, default: []].append(remark.finding)
      }
      byFinding[remark.finding, default: []].append(remark)
    }
  }

  /// Whether people let the finding of this id stand: by the last who let it stand or reopened it;
  /// nil where nobody did either.
  func isAccepted(_ finding: String) -> Bool? {
    byFinding[finding]?.last { $0.action == .accept || $0.action == .reopen }
      .map { $0.action == .accept }
  }

  /// Adds to each finding what people said of it. What was said of a finding that is not there any
  /// more goes to the one of the same subject that is most like it: its facts changed.
  func attach(to findings: inout [Finding]) {
    guard !byFinding.isEmpty else { return }
    if let readdressed = readdressed(to: findings) { return readdressed.attach(to: &findings) }
    let present = Set(findings.lazy.map(\.id))
    let inherited = inheritances(findings, present)
    for index in findings.indices {
      let own = byFinding[findings[index].id] ?? []
      // Facts that came back are those that were looked at: what was said in between is not theirs.
      let earlier = (inherited[index] ?? []).filter { $0.number < own.first?.number ?? .max }
      let remarks = (earlier + own).sorted { $0.number < $1.number }
      if !remarks.isEmpty { findings[index].work = FindingWork(remarks, of: findings[index]) }
    }
  }

  /// The remarks with the app in their ids and subjects, where they were made while an SKU stood in
  /// one app and belong to that app's findings; nil where nothing changes.
  private func readdressed(to findings: [Finding]) -> RemarkBook? {
    if shared.isEmpty { return nil }
    var ids = Set(findings.map(\.id))
    let subjects = Set(findings.map(\.subject))
    var successors: [String: Finding] = [:]
    for finding in findings {
      guard let former = finding.formerID, byFinding[former] != nil, ids.insert(former).inserted
      else { continue }
      successors[former] = finding
    }
    let moved = remarks.map { remark in
      var remark = remark
      if let finding = successors[remark.finding] {
        (remark.finding, remark.subject) = (finding.id, finding.subject)
      } else if !subjects.contains(remark.subject) {
        remark.subject = subjectNow(remark)
      }
      return remark
    }
    return moved == remarks ? nil : RemarkBook(moved, shared)
  }

  /// The subject of a remark, with the app beside its SKU where that SKU stands in several apps
  /// now: the app that had it before any other.
  private func subjectNow(_ remark: Remark) -> String {
    guard remark.code.level != 1, let space = remark.subject.lastIndex(of: " ") else {
      return remark.subject
    }
    let sku = String(remark.subject[space...].dropFirst())
    return shared.first(of: sku).map { remark.subject[...space] + $0 } ?? remark.subject
  }

  /// The remarks of findings that are gone, by the index of the finding that they go to.
  ///
  /// - Parameter present: ids of the findings that are there.
  private func inheritances(_ findings: [Finding], _ present: Set<String>) -> [Int: [Remark]] {
    let gone = idsBySubject.mapValues { $0.filter { !present.contains($0) } }
      .filter { !$0.value.isEmpty }
    guard !gone.isEmpty else { return [:] }
    let codes = Set(gone.values.joined().lazy.map { byFinding[$0]![0].code })
    var heirs: [String: [Int]] = [:]
    for (index, finding) in findings.enumerated() where codes.contains(finding.code) {
      let subject = finding.subject
      if gone[subject] != nil { heirs[subject, default: []].append(index) }
    }
    var inherited: [Int: [Remark]] = [:]
    for (subject, indices) in heirs {
      for id in gone[subject]! {
        let remarks = byFinding[id]!
        let nearest = indices.min {
          distance(findings[$0], remarks[0]) < distance(findings[$1], remarks[0])
        }!
        inherited[nearest, default: []] += remarks
      }
    }
    return inherited
  }

  /// How far a finding is from the one that a remark was made of: by units, then by amount in
  /// micro-units.
  private func distance(_ finding: Finding, _ remark: Remark) -> (UInt64, UInt64) {
    /// How far apart two numbers are: 0 where both are nil, the largest number where one is.
    func apart(_ left: Int64?, _ right: Int64?) -> UInt64 {
      guard let left, let right else { return left == right ? 0 : .max }
      return (Int128(left) - Int128(right)).magnitude > UInt64.max
        ? .max : UInt64((Int128(left) - Int128(right)).magnitude)
    }
    return (apart(finding.units, remark.units), apart(finding.amount, remark.amount))
  }
}

extension Reconciliation {
  /// The reconciliation with what people said of the findings, and how the period before came out:
  /// all that is ever read of what was recorded.
  func withRecorded(in ledger: Ledger) throws -> Reconciliation {
    var copy = self
    RemarkBook(try ledger.remarks(), try ledger.sharedSKUs()).attach(to: &copy.findings)
    copy.previousRun = try ledger.previousRun(period.previous)
    return copy
  }

  /// Marks each finding as material or not: whether its amount reaches the threshold of its
  /// currency, else that of the base currency at the rate of the period's end. Where there is no
  /// threshold at all, none is marked; without an amount, or a rate where one is needed, a finding
  /// is not material.
  mutating func markMaterial(_ settings: Settings, _ rates: RateBook) {
    guard !settings.material.isEmpty else { return }
    let base = settings.baseCurrency
    var known: [Currency: CurrencyRate?] = [:]
    for index in findings.indices {
      var sums: [Currency: Int64] = [:]
      for part in findings[index].worth {
        sums[part.amount.currency, default: 0] += part.amount.micros
      }
      // Parts that have a threshold of their own, and what all come to in base currency.
      var (isMaterial, inBase) = (false, Int128(0))
      for (currency, sum) in sums {
        if let threshold = settings.material[currency] {
          isMaterial = isMaterial || Int128(sum.magnitude) >= Int128(threshold)
        }
        let rate = known[currency] ?? rates.rate(from: currency, to: base, on: period.last)
        known[currency] = .some(rate)
        if settings.material[currency] == nil || sums.count > 1, let rate {
          inBase += rate.value.amount(sum)
        }
      }
      if let threshold = settings.material[base] {
        isMaterial = isMaterial || inBase.magnitude >= UInt128(threshold)
      }
      findings[index].isMaterial = isMaterial && !sums.isEmpty
    }
  }
}
