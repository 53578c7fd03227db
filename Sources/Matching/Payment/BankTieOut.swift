package import Billing
import Conclusions

/// Level 5: each payout against its credit on a bank statement.
///
/// A credit of just that amount is taken first, the nearest day first; then several of Apple's that
/// come to it; then one whose reference names Apple, with the others of its day unless these are
/// too much. Where the statements name Apple at all, another payer's credit proves nothing. No
/// credit counts twice, and one that a debit took back is no receipt.
struct BankTieOut {
  /// A payout by its place in `SettlementFacts.payments`.
  struct Place: Hashable {
    var summary: Int
    var payout: Int
  }

  typealias Credit = (credit: BankCredit, source: Source)

  private let bank: BankFacts
  private let asOf: Day
  private let namesApple: Bool
  /// Ascending by day, mostly one each.
  private(set) var credits: [Place: [Credit]] = [:]
  /// Of payouts without a credit that stood, the one that was taken back, and the debit that did.
  private(set) var returned: [Place: (credit: Credit, debit: Credit)] = [:]

  /// A payout that may be on a statement.
  private struct Expected {
    var place: Place
    var amount: Int64
    var currency: Currency
    var day: Day
    var window: ClosedRange<Day>
  }

  /// How credits are looked for, the surest way first.
  private enum Search: CaseIterable { case whole, parts, near }

  /// Finds the credits of each payout.
  init(_ facts: SettlementFacts, _ settings: Settings, asOf: Day) {
    bank = facts.bank
    self.asOf = asOf
    let expected = Self.duePayouts(facts, settings)
    namesApple = bank.credits.contains { $0.credit.amount > 0 && $0.credit.namesApple }
    let debits = Self.debits(takingBack: bank.credits)
    var free = Set(bank.credits.indices).subtracting(debits.keys)
    for search in Search.allCases {
      for payout in expected where credits[payout.place] == nil {
        let found =
          switch search {
          case .whole: bestCredit(payout, isExact: true, among: free).map { [$0] } ?? []
          case .parts: parts(of: payout, among: free)
          case .near:
            nearCredits(payout, among: free, open: expected.filter { credits[$0.place] == nil })
          }
        if found.isEmpty { continue }
        free.subtract(found)
        credits[payout.place] = found.map { bank.credits[$0] }
      }
    }
    free = Set(debits.keys)
    for payout in expected where credits[payout.place] == nil {
      guard let index = bestCredit(payout, isExact: true, among: free) else { continue }
      free.remove(index)
      returned[payout.place] = (bank.credits[index], bank.credits[debits[index]!])
    }
  }

  /// The debits that take credits back, by the credits' indices: each the last one before it.
  ///
  /// - Parameter lines: ascending by day.
  private static func debits(takingBack lines: [Credit]) -> [Int: Int] {
    var found: [Int: Int] = [:]
    var byAmount: [Money: [Int]] = [:]
    for (index, line) in lines.enumerated() where line.credit.amount > 0 {
      byAmount[Money(micros: line.credit.amount, line.credit.currency), default: []].append(index)
    }
    for (index, line) in lines.enumerated() where line.credit.amount < 0 {
      let amount = Money(micros: -line.credit.amount, line.credit.currency)
      let taken = byAmount[amount]?.last { place in
        let credit = lines[place].credit
        return found[place] == nil && line.credit.takesBack(credit)
          && credit.day.distance(to: line.credit.day) <= Rules.bankReturnDays
      }
      if let taken { found[taken] = index }
    }
    return found
  }

  /// Payouts of more than nothing, each with the days on which the bank may have it: some around a
  /// day that is told, else those from the month's end until well after the usual day.
  private static func duePayouts(_ facts: SettlementFacts, _ settings: Settings) -> [Expected] {
    facts.payments.enumerated().flatMap { summary, month in
      month.payouts.enumerated().compactMap { index, payout in
        guard let amount = payout.amount, amount > 0, let currency = payout.currency else {
          return nil
        }
        let told = payout.day ?? settings.paymentDays[month.month]
        let day = told ?? month.month.paymentDay
        return Expected(
          place: Place(summary: summary, payout: index), amount: amount, currency: currency,
          day: day,
          window: told == nil
            ? month.month.last.advanced(by: 1)...day.advanced(by: Rules.bankDaysUntold)
            : day.advanced(by: -Rules.bankDays)...day.advanced(by: Rules.bankDays))
      }
    }
  }

  /// The indices of Apple's credits that may be a payout or parts of it, ascending by day.
  private func applesCredits(_ payout: Expected, among free: Set<Int>) -> [Int] {
    free.filter { index in
      let credit = bank.credits[index].credit
      return payout.window.contains(credit.day) && credit.currency == payout.currency
        && credit.amount > 0 && credit.namesApple
    }.sorted()
  }

  /// The indices of several of Apple's credits that come to a payout: as few as may be, then those
  /// nearest to each other. Empty where none do.
  private func parts(of payout: Expected, among free: Set<Int>) -> [Int] {
    let near = applesCredits(payout, among: free)
      .filter { bank.credits[$0].credit.amount < payout.amount }
      .map { ($0, distance: abs(payout.day.distance(to: bank.credits[$0].credit.day))) }
      .sorted { ($0.distance, $0.0) < ($1.distance, $1.0) }
      .prefix(Rules.mostPayoutParts).map(\.0).sorted()
    var best: [Int] = []
    for choice in 0..<(1 << near.count) where choice.nonzeroBitCount > 1 {
      let parts = near.indices.filter { choice >> $0 & 1 == 1 }.map { near[$0] }
      guard
        parts.reduce(Int128(0), { $0 + Int128(bank.credits[$1].credit.amount) })
          == Int128(payout.amount)
      else { continue }
      if best.isEmpty || (parts.count, span(parts)) < (best.count, span(best)) { best = parts }
    }
    return best
  }

  /// Days between the first and the last of some credits.
  private func span(_ parts: [Int]) -> Int {
    bank.credits[parts[0]].credit.day.distance(to: bank.credits[parts.last!].credit.day)
  }

  /// The indices of Apple's credits of another amount that are likeliest to be a payout: all of the
  /// nearest day together, or the one of it that is nearest in amount where they are too much or
  /// another payout is due about then. Empty where Apple has none.
  ///
  /// - Parameter open: the payouts that have no credit yet.
  private func nearCredits(
    _ payout: Expected, among free: Set<Int>, open: [Expected]
  ) -> [Int] {
    guard let first = bestCredit(payout, isExact: false, among: free) else { return [] }
    let day = bank.credits[first].credit.day
    let all = applesCredits(payout, among: free).filter { bank.credits[$0].credit.day == day }
    let sum = all.reduce(Int128(0)) { $0 + Int128(bank.credits[$1].credit.amount) }
    let isAlone = !open.contains { other in
      other.place != payout.place && other.currency == payout.currency
        && abs(other.day.distance(to: day)) <= Rules.bankDays
    }
    if isAlone, sum <= Int128(payout.amount) { return all }
    return [all.min { apart($0, payout) < apart($1, payout) }!]
  }

  /// By how much a credit misses a payout, in micro-units.
  private func apart(_ index: Int, _ payout: Expected) -> UInt64 {
    (bank.credits[index].credit.amount - payout.amount).magnitude
  }

  /// The index of the credit that is likeliest to be a payout, the nearest to its day; nil where
  /// none may be.
  ///
  /// - Parameters:
  ///   - isExact: whether it must have the payout's amount; else its reference must name Apple.
  ///   - free: the indices of credits that may be it.
  private func bestCredit(_ payout: Expected, isExact: Bool, among free: Set<Int>) -> Int? {
    let first = bank.credits.partitioningIndex { $0.credit.day >= payout.window.lowerBound }
    var best: (index: Int, distance: Int)?
    for index in first..<bank.credits.count {
      let credit = bank.credits[index].credit
      guard credit.day <= payout.window.upperBound else { break }
      guard free.contains(index), credit.currency == payout.currency, credit.amount > 0,
        isExact ? credit.amount == payout.amount : credit.namesApple,
        !isExact || !namesApple || credit.text.isEmpty || credit.namesApple
      else { continue }
      let distance = abs(payout.day.distance(to: credit.day))
      if best.map({ distance < $0.distance }) ?? true { best = (index, distance) }
    }
    return best?.index
  }

  /// Whether a statement has what the bank did on a day.
  func covers(_ day: Day) -> Bool { bank.spans.contains { $0.contains(day) } }

  /// Whether the statements should have a payout of this day by now; asked of one that they do not
  /// have.
  func isLate(_ day: Day) -> Bool {
    let due = day.advanced(by: Rules.bankDelay)
    return asOf >= due && bank.spans.contains { $0.overlaps(day...due) }
      && bank.spans.contains { $0.lowerBound <= day }
      && bank.spans.contains { $0.upperBound >= due }
  }
}

extension SettlementFacts {
  /// The same facts with payouts as the bank has them: what it credited, on its day. A payout that
  /// the bank took back, or that a statement which covers its day does not have, is not paid; where
  /// no statement covers it, Apple's word counts.
  package func received(_ settings: Settings, asOf: Day) -> SettlementFacts {
    let bank = BankTieOut(self, settings, asOf: asOf)
    var facts = self
    for (place, summary) in payments.enumerated() {
      for (index, payout) in summary.payouts.enumerated() where payout.amount ?? 0 > 0 {
        let told = payout.day ?? settings.paymentDays[summary.month]
        let day = told ?? summary.month.paymentDay
        var received = payout
        let line = BankTieOut.Place(summary: place, payout: index)
        if let credits = bank.credits[line] {
          (received.amount, received.day) = (credits.amount, credits.last!.credit.day)
          received.isPaid = true
        } else if bank.returned[line] != nil || bank.covers(day) {
          received.isPaid = false
        }
        facts.payments[place].payouts[index] = received
      }
    }
    return facts
  }

  /// Payouts of days up to `asOf` for which Apple's word alone stands, where the company has bank
  /// statements: none of them covers the day, and none has the payout.
  package func unseenPayouts(
    _ settings: Settings, asOf: Day
  ) -> [(month: FiscalMonth, amount: Money, day: Day)] {
    if self.bank.spans.isEmpty && self.bank.credits.isEmpty { return [] }
    let bank = BankTieOut(self, settings, asOf: asOf)
    return payments.enumerated().flatMap { place, summary in
      summary.payouts.enumerated().compactMap { index, payout in
        let day =
          payout.day ?? settings.paymentDays[summary.month] ?? summary.month.paymentDay
        let line = BankTieOut.Place(summary: place, payout: index)
        guard let amount = payout.amount, amount > 0, let currency = payout.currency,
          day <= asOf, !bank.covers(day),
          bank.credits[line] == nil, bank.returned[line] == nil
        else { return nil }
        return (summary.month, Money(micros: amount, currency), day)
      }
    }
  }

  /// The same facts with the days of payouts taken from the bank's credits.
  package func dated(_ settings: Settings, asOf: Day) -> SettlementFacts {
    paid(by: BankTieOut(self, settings, asOf: asOf))
  }

  /// The same facts with the days of payouts taken from the credits that were found for them, the
  /// last of several.
  func paid(by bank: BankTieOut) -> SettlementFacts {
    var facts = self
    for (place, credits) in bank.credits {
      facts.payments[place.summary].payouts[place.payout].day = credits.last!.credit.day
    }
    return facts
  }
}

extension [BankTieOut.Credit] {
  /// What they come to, in micro-units.
  var amount: Int64 { reduce(0) { $0 + $1.credit.amount } }
}
