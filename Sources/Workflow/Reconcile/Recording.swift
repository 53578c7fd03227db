package import Billing
package import Conclusions
import Foundation
import Ledger
import Matching
import Pricing
import Reporting

/// Keeps a copy of what was found in the ledger, where `explain` and `finding` look it up.
///
/// - Returns: why it could not be kept, nil where it was. A ledger that is in use or read-only is
///   no failure of what was concluded.
package func recordFindings(of result: Reconciliation, in ledgerPath: String) -> Wording? {
  do {
    try Ledger(path: ledgerPath, mode: .readWrite).record(result)
    return nil
  } catch let error as LedgerError {
    return error.message
  } catch {
    preconditionFailure("the ledger throws nothing but its own errors: \(error)")
  }
}

/// Keeps the same copy beside the reconciliation: resolved sales are written, on a thread of their
/// own, once both levels are tied out, and findings while patterns are looked for and lists are put
/// together; all is committed once the ledger is read no more. What cannot be recorded ahead is
/// recorded at the end.
package final class RecordingAhead: Sendable {
  /// What is written ahead stays in memory until nobody reads: some 800 bytes a finding and 30 a
  /// sale.
  private static let mostFindings = 250_000
  private static let mostSales = 8_000_000

  private let ledgerPath: String
  private let period: Period
  private let findings = Awaited<[Finding]>()
  private let sales = Awaited<ResolvedSales>()
  private let result = Awaited<Reconciliation>()

  package init(of period: Period, in ledgerPath: String) {
    (self.period, self.ledgerPath) = (period, ledgerPath)
  }

  /// Gives the resolved sales to the thread that records, unless there are too many to hold.
  ///
  /// - Parameters:
  ///   - found: what matching knows of the period's transactions and their rows do not say.
  ///   - count: how many findings there are so far, which are most of those that there will be.
  func begin(_ found: ResolvedSales, findings count: Int) {
    let isTooMuch = count > Self.mostFindings || found.rows.count > Self.mostSales
    sales.give(isTooMuch ? nil : found)
  }

  /// Gives the findings of a reconciliation to the thread that records, or nil where they are too
  /// many to hold. What it has written is given up where more findings are added to them later.
  func add(_ found: [Finding]) { findings.give(found.count > Self.mostFindings ? nil : found) }

  /// Gives the whole reconciliation to the thread that records, once the ledger is read no more;
  /// nil records nothing.
  package func finish(_ whole: Reconciliation?) {
    result.give(whole)
    findings.give(nil)
    sales.give(nil)
  }

  /// Records until ``finish(_:)`` was called; returns why that failed, as
  /// ``recordFindings(of:in:)`` does.
  package func run() -> Wording? {
    let isRecorded = isRecordedAhead()
    guard let result = result.wait(), !isRecorded else { return nil }
    return recordFindings(of: result, in: ledgerPath)
  }

  /// Records sales, findings and the rest as each is given. Whether all of it was recorded; false
  /// where a part was too large or is not final, or the ledger refused.
  private func isRecordedAhead() -> Bool {
    guard let resolved = sales.wait() else { return false }
    var parts = 0
    var found: [Finding]?
    /// The next part to record, waited for: sales, then findings, then the rest; nil where a part
    /// will not come or is not final.
    func next() -> RunPart? {
      parts += 1
      switch parts {
      case 1: return .sales(resolved)
      case 2:
        found = findings.wait()
        return found.map { .findings($0) }
      default:
        guard let found, let whole = result.wait(), whole.hasOnly(found), whole.sales == resolved
        else { return nil }
        return .run(whole.run)
      }
    }
    // A ledger that refuses is asked again at the end, which tells why.
    return (try? Ledger(path: ledgerPath, mode: .readWrite).record(period, parts: next)) ?? false
  }
}

/// What one thread waits for until another has it, or says that it will not come.
private final class Awaited<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value??

  /// Sets the value, or nil where none will come, and wakes who waits; what was given first stands.
  func give(_ new: Value?) {
    condition.lock()
    defer { condition.unlock() }
    if value == nil { value = .some(new) }
    condition.broadcast()
  }

  /// Waits until a value was given, and returns it.
  func wait() -> Value? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let value { return value }
      condition.wait()
    }
  }
}

extension Ledger {
  /// Records the findings of `result` in place of those of an earlier run.
  func record(_ result: Reconciliation) throws {
    var findings = result.findings
    if !result.hiddenUsers.isEmpty {
      for index in findings.indices {
        guard let user = result.hiddenUsers[findings[index].customer] else { continue }
        findings[index].rename(customer: user)
      }
    }
    try record(findings, of: result.run)
  }
}

extension Reconciliation {
  /// Whether these are exactly its findings, but for what people said of them, which is recorded
  /// elsewhere; false where users are hidden.
  fileprivate func hasOnly(_ recorded: [Finding]) -> Bool {
    guard recorded.count == findings.count, hiddenUsers.isEmpty else { return false }
    return findings.withUnsafeBufferPointer { findings in
      recorded.withUnsafeBufferPointer { recorded in
        // Nothing was said of any: it is the same list.
        if findings.baseAddress == recorded.baseAddress { return true }
        return findings.indices.allSatisfy { index in
          if findings[index] == recorded[index] { return true }
          var own = findings[index]
          own.work = recorded[index].work
          return own == recorded[index]
        }
      }
    }
  }

  /// What is recorded of the reconciliation beside its findings.
  fileprivate var run: RecordedRun {
    var run = RecordedRun(
      period: period, asOf: asOf, matchedUnits: matchedUnits, unmatchedUnits: unmatchedUnits)
    run.basis = restsOn
    run.dayBoundaries = dayBoundaries
    // What no row tells apart is no more known than without it.
    run.terms = terms.filter { $0.confidence != nil }.map { line in
      RecordedTerms(
        storefront: line.storefront, platform: line.platform, skus: line.skus,
        isAfterOneYear: line.isAfterOneYear, commissionClass: line.terms.state.commissionClass,
        agreement: line.terms.state.agreement, from: line.from)
    }
    run.taxes = foundTaxes.recorded
    run.clocks = clockRules
    run.sales = sales
    (run.patterns, run.flow) = (patternRecords, flowRecords)
    run.unsettled = (settlement?.openItems ?? []).filter { $0.settledIn == nil }
      .map { DatedAmount($0.amount, since: $0.first) }
    return run
  }
}
