import Billing

/// How Apple took a transaction back, as one source tells it: its parts belong together.
struct Revocation {
  /// Seconds since 1970; 0 is not revoked.
  var at: UInt32 = 0
  var reason = ""
  var type: RevocationType?
  var percentage: Int32?
  var isUpgraded = false
  var isReversed = false
  /// The position of a row that tells of one which no signed row confirms: it does not count.
  var refused: Int?

  /// What the rows of one transaction say of its revocation: the strongest that has one decides. An
  /// upgrade or a reversal may also come from rows ranked before that one, none from those after
  /// it. Where the first row is signed, unsigned ones decide nothing: theirs is `refused`.
  ///
  /// - Parameter ranked: positions of the rows, the strongest and latest first.
  init(told ranked: [Int], _ table: borrowing MatchTable) {
    let isSigned = table.factSource(of: ranked[0]) == .signed
    for position in ranked where table.adds(position, to: ranked[0]) {
      let entry = table.transactions[position]
      if isSigned, table.factSource(of: position) != .signed {
        if entry.revokedAt != 0, refused == nil { refused = position }
        continue
      }
      let code = Int(entry.terms)
      isUpgraded = isUpgraded || table.transactionTerms[code].isUpgraded
      isReversed = isReversed || table.transactionTerms[code].isRefundReversed
      guard entry.revokedAt != 0 else { continue }
      let terms = table.transactionTerms[code]
      at = entry.revokedAt
      reason = terms.revocationReason
      type = terms.revocationType
      percentage = terms.revocationPercentage
      return
    }
  }

  /// Whether terms say anything of a revocation, an upgrade or a reversal.
  static func isTold(by terms: TransactionTerms) -> Bool { !Revocation().isSame(in: terms) }

  /// No revocation.
  private init() {}

  /// Whether terms say the same of a revocation, all but its time.
  fileprivate func isSame(in terms: TransactionTerms) -> Bool {
    terms.revocationReason == reason && terms.revocationType == type
      && terms.revocationPercentage == percentage && terms.isUpgraded == isUpgraded
      && terms.isRefundReversed == isReversed
  }
}

extension MatchTable {
  /// Writes a revocation into the transaction at a position and into its terms.
  mutating func put(_ revocation: Revocation, on transaction: Int) {
    transactions[transaction].revokedAt = revocation.at
    let code = Int(transactions[transaction].terms)
    if revocation.isSame(in: transactionTerms[code]) { return }
    var terms = transactionTerms[code]
    terms.revocationReason = revocation.reason
    terms.revocationType = revocation.type
    terms.revocationPercentage = revocation.percentage
    terms.isUpgraded = revocation.isUpgraded
    terms.isRefundReversed = revocation.isReversed
    transactions[transaction].terms = Self.code(of: terms, in: &transactionTerms)
  }

  /// Puts the revocation of a restore on the transaction that it restores, where that one has none:
  /// a restore is the earlier transaction again. No unsigned restore takes back a signed
  /// transaction.
  mutating func carryRevocationsOfRestores() {
    for (restore, earlier) in chains.restores
    where transactions[restore].revokedAt != 0 && transactions[earlier].revokedAt == 0 {
      if factSource(of: earlier) == .signed, factSource(of: restore) != .signed {
        addRefused(restore, on: earlier, [earlier, restore])
        continue
      }
      let before = transactions[earlier]
      put(Revocation(told: [restore], self), on: earlier)
      note(before, at: earlier)
    }
  }
}
