import Billing
import Matching
import Reporting
import Support
import Testing

@testable import Workflow

/// What is owed for coins is kept with each close and booked: three sales of 60 coins in June and
/// two in July, at 6.00 with 5.90 without tax, of which Apple leaves 4.13.
@Suite struct CoinCloseTests {
  private static let june = Period("2023-06")!
  private static let july = Period("2023-07")!
  private static let august = Period("2023-08")!
  private static let yuan = Currency("CNY")!

  private func company(_ change: (inout CoinPolicy) -> Void = { _ in }) throws -> Company {
    var company = try Company()
    company.settings.coins.presentation = .principal
    company.settings.coins.valuation = .lot
    company.settings.coins.contractCost = .deferred
    change(&company.settings.coins)
    try company.importJune()
    try company.folder.write("coins-of-products.csv", "sku,kind,coins\ngems.60,consumable,60\n")
    _ = try company.folder.importing("coins-of-products.csv")
    try company.importMovements(
      "june",
      (0...2).map { "2023-06-05T19:01:00Z,granted,60,u\($0),paid,O60\($0)" } + [
        "2023-06-10T08:00:00Z,spent,30,u0,,", "2023-06-12T08:00:00Z,spent,60,u1,,",
      ])
    try company.importMovements(
      "july",
      (0...1).map { "2023-07-05T19:01:00Z,granted,60,u\($0),paid,O70\($0)" } + [
        "2023-07-10T08:00:00Z,spent,60,u0,,"
      ])
    return company
  }

  /// `opening sold used closing`, coins and amounts.
  private func rolls(_ result: Reconciliation) -> [String] {
    (result.coinStatement?.rolls ?? []).map { roll in
      [roll.opening, roll.sold, roll.used, roll.closing].map {
        "\($0.coins)=\(decimalText(micros: $0.amount, minimumDigits: 2))"
      }.joined(separator: " ")
    }
  }

  private func balance(
    _ role: AccountRole, _ result: Reconciliation, _ company: Company
  ) -> Int64 {
    Journal(result, settings: company.settings).balances(of: role)[Self.yuan] ?? 0
  }

  @Test func `months roll on, and the journal has what is owed`() throws {
    let company = try company()
    let june = try company.reconcile(Self.june)
    #expect(rolls(june) == ["0=0.00 180=17.70 90=8.85 90=8.85"])
    #expect(june.coinStatement?.isTied == true)
    #expect(balance(.coinLiability, june, company) == -8_850_000)
    // 0.885 and 1.77 of commission wait, to the cent.
    #expect(balance(.coinCost, june, company) == 2_660_000)
    try company.acceptAll(Self.june)
    let july = try company.reconcile(Self.july)
    #expect(rolls(july) == ["90=8.85 120=11.80 60=5.90 150=14.75"])
    #expect(balance(.coinLiability, july, company) == -5_900_000)
    #expect(balance(.priorPeriod, july, company) == 0)
    try company.acceptAll(Self.july)
    let kept = String(decoding: try company.document("coins.csv", Self.july), as: UTF8.self)
    #expect(kept.contains(",apple,closing,150,CNY,14.75,"), "\(kept)")
  }

  @Test func `the sales tie to Apple's reports`() throws {
    let tie = try company().reconcile(Self.june).coinStatement?.ties.first
    // Apple reports two of three.
    #expect(tie?.reported.text == "11.80" && tie?.ofApple.text == "17.70")
    #expect(tie?.difference.text == "5.90")
  }

  @Test func `late movements of a closed month are booked once`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    let kept = try company.document("coins.csv", Self.june)
    try company.importMovements("late", ["2023-06-20T08:00:00Z,spent,60,u2,,"])
    let july = try company.reconcile(Self.july)
    #expect(rolls(july) == ["30=2.95 120=11.80 60=5.90 90=8.85"])
    #expect(balance(.coinLiability, july, company) == 0)
    #expect(balance(.priorPeriod, july, company) == -5_900_000 + 1_770_000)
    #expect(july.notes.contains { $0.english.contains("-5.90 CNY, coins -60") })
    try company.acceptAll(Self.july)
    try company.importSales("08", day: 5, units: 1)
    try company.importRows("08", count: 1, from: 800)
    try company.importMovements("august", ["2023-08-10T08:00:00Z,spent,10,u0,,"])
    let august = try company.reconcile(Self.august)
    #expect(balance(.priorPeriod, august, company) == 0)
    #expect(try company.document("coins.csv", Self.june) == kept)
  }

  @Test func `without the keys nothing is valued, and one line says which lack`() throws {
    let company = try company { $0.presentation = nil }
    let june = try company.reconcile(Self.june)
    #expect(june.coins != nil && june.coinStatement == nil)
    #expect(balance(.coinLiability, june, company) == 0)
    let lines = june.notes.filter { $0.english.contains("[coins]") }
    #expect(lines.count == 1 && lines[0].english.hasSuffix("presentation"))
  }

  @Test func `by lot needs users, and the presentation is that of revenue`() throws {
    var company = try company()
    company.settings.revenue = .agent
    let june = try company.reconcile(Self.june)
    #expect(june.coinStatement == nil)
    #expect(june.notes.contains { $0.english.contains("do not go together") })
    let summed = try Company()
    try summed.importJune()
    try summed.folder.write("sums.csv", "date,movement,coins,paid\n2023-06-05,granted,180,paid\n")
    _ = try summed.folder.importing("sums.csv")
    var other = summed
    other.settings.coins = company.settings.coins
    let told = try other.reconcile(Self.june)
    #expect(told.coinStatement == nil)
    #expect(told.notes.contains { $0.english.contains("needs movements with user_id") })
  }
}

extension Company {
  fileprivate func importMovements(_ name: String, _ rows: [String]) throws {
    let header = "date,movement,coins,user_id,paid,order_id\n"
    try folder.write("coins-\(name).csv", header + rows.map { $0 + "\n" }.joined())
    _ = try folder.importing("coins-\(name).csv")
  }
}
