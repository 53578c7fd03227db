import Billing
import Foundation
import Ledger
import Matching
import Testing

@testable import Workflow

/// Goal: an invoice is set off once, whichever version's closes say so. Method: figures as closes
/// keep them, with and without the invoices' currencies.
@Suite struct SetOffInvoicesTests {
  private static let first = FiscalMonth(year: 2023, number: 9)!
  private static let second = FiscalMonth(year: 2023, number: 10)!

  private func figures(
    _ finding: String, _ invoices: [String], _ currencies: [String]?, amount: Int = 1
  ) throws -> PeriodFigures {
    var offset: [String: Any] = [
      "place": "CN", "currency": "CNY", "amount": amount, "day": 19_500, "invoices": invoices,
    ]
    offset["currencies"] = currencies
    var figures = PeriodFigures()
    figures.offsets = [
      finding: try JSONDecoder().decode(
        PeriodFigures.Offset.self, from: JSONSerialization.data(withJSONObject: offset))
    ]
    return figures
  }

  /// Whether the close of each month keeps currencies.
  @Test(arguments: [true, false], [true, false])
  func theEarlierCounts(first: Bool, second: Bool) throws {
    var setOff = SetOffInvoices()
    try setOff.add(figures("a", ["I-7"], first ? ["CNY"] : nil), of: Self.first) { _ in true }
    try setOff.add(
      figures("b", ["I-7", "I-8"], second ? ["CNY", "CNY"] : nil), of: Self.second
    ) { _ in true }
    #expect(setOff.accepted.map(\.month) == [Self.first])
    #expect(setOff.refused.map(\.proposal.month) == [Self.second])
    #expect(setOff.refused.map(\.twice) == [["I-7"]])
    // What was refused holds nothing.
    try setOff.add(figures("c", ["I-8"], second ? ["CNY"] : nil), of: Self.second.next) { _ in true
    }
    #expect(setOff.accepted.map(\.month) == [Self.first, Self.second.next])
  }

  @Test func whatNobodyAcceptedHoldsNothing() throws {
    var setOff = SetOffInvoices()
    try setOff.add(figures("a", ["I-7"], nil), of: Self.first) { _ in false }
    try setOff.add(figures("b", ["I-7"], ["CNY"]), of: Self.second) { $0 == "b" }
    #expect(setOff.accepted.map(\.month) == [Self.second] && setOff.refused.isEmpty)
    #expect(setOff.firstClosed == Self.first)
  }

  @Test func anotherCurrencyIsAnotherInvoice() throws {
    var setOff = SetOffInvoices()
    try setOff.add(figures("a", ["I-7"], ["CNY"]), of: Self.first) { _ in true }
    try setOff.add(figures("b", ["I-7"], ["USD"]), of: Self.second) { _ in true }
    #expect(setOff.accepted.count == 2 && setOff.refused.isEmpty)
  }

  /// Figures of a close that kept no currencies are no other for that.
  @Test func currenciesThatACloseDidNotKeepAreNoChange() throws {
    let old = try figures("a", ["I-7"], nil)
    #expect(try figures("a", ["I-7"], ["CNY"]).isSame(as: old))
    #expect(try !figures("a", ["I-7"], ["CNY"], amount: 2).isSame(as: old))
    #expect(try !figures("b", ["I-7"], ["CNY"]).isSame(as: old))
    #expect(try !figures("a", ["I-7"], ["CNY"]).isSame(as: figures("a", ["I-7"], ["USD"])))
  }

  /// What a close kept nothing of is unknown; what it kept none of, and now is some, has changed.
  @Test(
    arguments: [
      "subscriber", "subscription", "subscription_event", "earlier_payments", "coin_movements",
      "coin_balances", "items",
    ])
  func aKindThatACloseDidNotKeepIsUnknown(kind: String) {
    var (old, empty, now) = (InputDigests(), InputDigests(), InputDigests())
    old.byKind = ["sales": "1"]
    empty.byKind = ["sales": "1", kind: "0"]
    now.byKind = ["sales": "1", kind: "2", "no_sales": "3"]
    #expect(now.changes(since: old) == ["no_sales"])
    #expect(now.changes(since: empty) == ["no_sales", kind].sorted())
  }
}
