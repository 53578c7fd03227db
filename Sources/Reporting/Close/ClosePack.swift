package import Billing
package import Matching

/// What a close says of itself, for whoever signs it: who closed what, from which inputs, the
/// figures, the journal's totals, and what was accepted.
package struct ClosePack: Sendable {
  /// Whose figures these are; empty where nobody told.
  let company: String
  /// With its number.
  let record: CloseRecord
  /// Whether a second person has to sign it, whose places in it ``SignaturePlaces`` fills.
  package let awaitsSecond: Bool
  /// One digest of all inputs, lower-case hex.
  let inputsDigest: String
  /// Files that the digest is of.
  let inputCount: Int
  package let statement: CloseStatement
  let receivable: [ReceivableLine]
  /// Empty where the month is a fiscal one, which has no journal.
  let accounts: [AccountTotal]
  let accepted: [AcceptedFinding]

  /// - Parameters:
  ///   - acceptances: what the close itself let stand, beside what was accepted before.
  ///   - before: what the close of the month before keeps; nil where there is none.
  package init(
    of reconciliation: Reconciliation, _ settings: Settings, record: CloseRecord,
    inputsDigest: String, accepting acceptances: [Acceptance], awaitsSecond: Bool = false,
    comparison: CloseStatement.Comparison, before: CloseStatement?
  ) {
    company = reconciliation.company
    self.record = record
    self.awaitsSecond = awaitsSecond
    self.inputsDigest = inputsDigest
    inputCount = reconciliation.inputs.count
    receivable = reconciliation.receivable
    let journal = Journal(reconciliation, settings: settings)
    accounts = journal.accountTotals(settings.accounts)
    let now = Dictionary(
      acceptances.map { ($0.finding, $0.reason) }, uniquingKeysWith: { first, _ in first })
    accepted = reconciliation.findings.compactMap { finding in
      if let reason = now[finding.id] {
        return AcceptedFinding(
          finding: finding, worth: reconciliation.worth(of: finding), by: record.by,
          on: record.at.day(), reason: reason)
      }
      guard finding.isAccepted,
        let remark = finding.work?.remarks.last(where: { $0.action == .accept })
      else { return nil }
      return AcceptedFinding(
        finding: finding, worth: reconciliation.worth(of: finding), by: remark.by,
        on: remark.at.day(), reason: remark.reason)
    }
    var figures = reconciliation.closeFigures(journal)
    figures[.accepted] = Int64(accepted.count)
    statement = CloseStatement(
      reconciliation.period, in: reconciliation.baseCurrency, figures, comparison: comparison,
      before: before, opening: reconciliation.openingBasis, gaps: reconciliation.openingGaps)
  }

  /// In one line: that it is closed, by which close, when and by whom.
  var headline: Wording {
    awaitsSecond
      ? SignaturePlaces(record).headline
      : "@close.closed-close-no-made \(record.period) \(record.number) \(record.at) \(record.by)"
  }

  /// What the figures rest on, in one line.
  var inputsLine: Wording {
    inputCount == 1
      ? "@close.1-input-sha-256 \(inputsDigest)"
      : "@close.inputs-sha-256 \(inputCount) \(inputsDigest)"
  }
}

/// A finding that a close let stand.
struct AcceptedFinding: Sendable {
  var finding: Finding
  /// In base currency; nil where it has no amount or a rate is missing.
  var worth: Money?
  /// Who accepted it.
  var by: String
  var on: Day
  var reason: String
}

/// What a journal posts to one account in one currency.
struct AccountTotal: Hashable, Sendable {
  /// As the books call it.
  var account: String
  var debit: Money
  /// Positive.
  var credit: Money
  /// In base currency; nil where a rate is missing.
  var baseDebit: Int64? = 0
  var baseCredit: Int64? = 0
}

extension Journal {
  /// By account in the order in which entries come to them, and currency.
  func accountTotals(_ names: Accounts) -> [AccountTotal] {
    struct Key: Hashable {
      var account: String
      var currency: Currency
    }
    var totals: [AccountTotal] = []
    var places: [Key: Int] = [:]
    for posting in entries.flatMap(\.postings).sorted(by: { $0.account.place < $1.account.place }) {
      let currency = posting.amount.currency
      let key = Key(account: names[posting.account], currency: currency)
      let place = places[key] ?? totals.count
      if place == totals.count {
        places[key] = place
        totals.append(
          AccountTotal(account: key.account, debit: .zero(currency), credit: .zero(currency)))
      }
      totals[place].add(posting, value: posting.value(in: base))
    }
    return totals
  }
}

extension AccountTotal {
  fileprivate mutating func add(_ posting: Posting, value: Int64?) {
    let isDebit = (value ?? posting.amount.micros) > 0
    if posting.amount.micros > 0 { debit += posting.amount } else { credit -= posting.amount }
    guard let value else {
      (baseDebit, baseCredit) = (nil, nil)
      return
    }
    if isDebit {
      baseDebit = baseDebit.map { $0 + value }
    } else {
      baseCredit = baseCredit.map { $0 - value }
    }
  }
}
