import Billing
import Conclusions
import Languages
import Matching
import Pricing
import Support
import Testing

@testable import Reporting
@testable import Workflow

/// What is owed for coins is kept with each close and booked: three sales of 60 coins in June and
/// two in July, at 6.00 with 5.89 without tax of 1.8 %, of which Apple leaves 4.13.
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
    #expect(rolls(june) == ["0=0.00 180=17.67 90=8.83 90=8.84"])
    #expect(june.coinStatement?.isTied == true)
    #expect(balance(.coinLiability, june, company) == -8_840_000)
    // 0.88 and 1.76 of commission wait.
    #expect(balance(.coinCost, june, company) == 2_640_000)
    try company.acceptAll(Self.june)
    let july = try company.reconcile(Self.july)
    #expect(rolls(july) == ["90=8.84 120=11.78 60=5.89 150=14.73"])
    #expect(balance(.coinLiability, july, company) == -5_890_000)
    #expect(balance(.priorPeriod, july, company) == 0)
    try company.acceptAll(Self.july)
    let kept = String(decoding: try company.document("coins.csv", Self.july), as: UTF8.self)
    #expect(kept.contains(",apple,closing,150,CNY,14.73,"), "\(kept)")
  }

  @Test func `the sales tie to Apple's reports`() throws {
    let tie = try company().reconcile(Self.june).coinStatement?.ties.first
    // Apple reports two of three.
    #expect(tie?.reported.text == "11.78" && tie?.ofApple.text == "17.67")
    #expect(tie?.difference.text == "5.89")
  }

  @Test func `late movements of a closed month are booked once`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    let kept = try company.document("coins.csv", Self.june)
    try company.importMovements("late", ["2023-06-20T08:00:00Z,spent,60,u2,,"])
    let july = try company.reconcile(Self.july)
    #expect(rolls(july) == ["30=2.95 120=11.78 60=5.89 90=8.84"])
    #expect(balance(.coinLiability, july, company) == 0)
    #expect(balance(.priorPeriod, july, company) == -5_890_000 + 1_760_000)
    #expect(july.notes.contains { $0.english.contains("-5.89 CNY, coins -60") })
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
    let page = reconciliationSummary(june, workbook: nil)
    #expect(page.contains("set in [coins] of tieout.toml: presentation"), "\(page)")
    let errors = june.findings.filter { $0.severity == .error }
    let outcome = try company.close(Self.june, accepting: errors.map { ($0.id, "known") })
    guard case .closed(_, _, let remarks) = outcome else {
      Issue.record("June is not closed")
      return
    }
    #expect(remarks == lines)
    #expect(throws: (any Error).self) { try company.document("coins.csv", Self.june) }
  }

  /// A user who spent more than was there: the error refuses the close as one of sales does, may
  /// stand in the same two ways, and is not told as resolved where June is looked at again.
  @Test(arguments: [true, false])
  func `open errors of coins refuse a close`(isNamed: Bool) throws {
    let company = try company()
    try company.importMovements("more", ["2023-06-13T08:00:00Z,spent,90,u2,,"])
    let sales = try company.reconcile(Self.june).findings.filter { $0.code == .notInReport }
      .map { (id: $0.id, reason: "known") }
    guard case .refused(let open) = try company.close(Self.june, accepting: sales) else {
      Issue.record("closed over an open error of coins")
      return
    }
    #expect(open.map(\.code) == [.coinsOverdrawn])
    if !isNamed {
      _ = try remark(
        RemarkRequest(
          ledgerPath: company.ledger, action: .accept, findings: [open[0].id], assignee: "",
          reason: "a gift", by: "ann", at: Instant(seconds: 1_693_000_000)))
    }
    let named = sales + (isNamed ? [(id: open[0].id, reason: "a gift")] : [])
    guard case .closed(_, let kept, _) = try company.close(Self.june, accepting: named) else {
      Issue.record("not closed")
      return
    }
    #expect(kept.filter { $0.code == "coins-overdrawn" }.map(\.reason) == ["a gift"])
    try company.importMovements("late", ["2023-06-20T08:00:00Z,spent,10,u0,,"])
    let july = try company.reconcile(Self.july)
    #expect(!july.notes.contains { $0.english.contains("resolved") })
    #expect(!july.findings.contains { $0.explanation.english.contains("belongs to 2023-06") })
  }

  /// What would keep the close from valuing coins is said before it.
  @Test func `doctor says what lacks for valuing coins`() throws {
    var company = try company {
      $0.presentation = nil
      $0.breakage = .remote
    }
    try company.folder.write(
      "shop.csv",
      "order_id,sku,status,placed_at,unit_price,currency,channel\n"
        + "W1,gems.60,paid,2023-06-05T08:00:00Z,6.00,CNY,web\n")
    _ = try company.folder.importing("shop.csv")
    func told() throws -> [Substring] {
      try Doctor(
        path: nil, given: [], company.settings, ledgerPath: company.ledger,
        asOf: Day("2023-09-01")!
      ).text.split(separator: "\n").filter { $0.contains("coins") && !$0.contains("(") }
    }
    let lines = try told()
    #expect(lines.count == 3, "\(lines)")
    #expect(lines.count { $0.contains("coins.presentation") } == 1)
    #expect(lines.count { $0.contains("coins.remote_months") } == 1)
    #expect(lines.count { $0.contains("channels") && $0.contains("web") } == 1)
    company.settings.coins.presentation = .agent
    company.settings.coins.remoteMonths = 2
    company.settings.channels = [Settings.Channel(name: "Web", fee: 0, tax: 0)]
    let differs = try told()
    #expect(differs.count == 1 && differs[0].contains("principal"), "\(differs)")
    company.settings.revenue = .agent
    #expect(try told() == [])
  }

  /// A month in which no coin moved, while items are in use, says that nothing is valued.
  @Test func `a month without movements says so`() throws {
    let company = try company()
    for month in [Self.june, Self.july] { try company.acceptAll(month) }
    try company.importSales("08", day: 5, units: 1)
    try company.importRows("08", count: 1, from: 800)
    let august = try company.reconcile(Self.august)
    #expect(august.coins == nil && august.coinRemarks.count == 1)
    let page = reconciliationSummary(august, workbook: nil)
    #expect(page.contains("no movement of 2023-08 is loaded"), "\(page)")
  }

  /// The catalogue has coins, and no order of September sells any.
  @Test func `a month without sales of coins is not one of an empty catalogue`() throws {
    let company = try company()
    let september = Period("2023-09")!
    func notes() throws -> [String] {
      try company.reconcile(september).coins?.notes.map(\.english) ?? ["no coins"]
    }
    try company.importMovements("september", ["2023-09-10T08:00:00Z,spent,10,u2,,"])
    #expect(try notes() == [])
    try company.importMovements("more", ["2023-09-11T08:00:00Z,granted,10,u2,paid,"])
    let told = try notes()
    #expect(told.count == 1 && told[0].contains("no order of the period sells coins"), "\(told)")
  }

  /// Of a sale of 60 coins 30 were used in June, and Apple refunds it on 8 July, which no report of
  /// Apple's has yet: what was owed for 30 coins and the revenue of 30 are owed to the customer.
  @Test func `a refund takes back its coins, and waits for Apple's report`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    try company.refund(600, on: "2023-07-08")
    let july = try company.reconcile(Self.july)
    let roll = try #require(july.coinStatement?.rolls.first)
    #expect(roll.refunded.coins == 30 && roll.refunded.amount == 2_950_000)
    #expect(roll.reversed.amount == 2_940_000)
    // 30 of the 60 that are spent on 10 July are those that the refund left.
    #expect(rolls(july) == ["90=8.84 120=11.78 30=2.94 150=14.73"])
    #expect(july.coinStatement?.ties.map(\.refundsClosing.text) == ["5.89"])
    #expect(july.coinStatement?.isTied == true)
    #expect(balance(.coinRefunds, july, company) == -5_890_000)
    #expect(balance(.priorPeriod, july, company) == 0)
    try company.acceptAll(Self.july)
    try company.importSales("08", day: 5, units: 1)
    try company.importRows("08", count: 1, from: 800)
    try company.importMovements("august", ["2023-08-10T08:00:00Z,spent,10,u0,,"])
    let august = try company.reconcile(Self.august)
    #expect(august.coinStatement?.ties.map(\.refundsOpening.text) == ["5.89"])
    #expect(balance(.coinRefunds, august, company) == 0)
    #expect(balance(.priorPeriod, august, company) == 0)
  }

  /// It is no gain that a closed month owed for coins which were refunded in it: the same is owed
  /// to the customer. Only the commission that waited is a cost again.
  @Test func `a refund of a closed month is booked once`() throws {
    let company = try company()
    try company.acceptAll(Self.june)
    try company.refund(602, on: "2023-06-25")
    let july = try company.reconcile(Self.july)
    #expect(rolls(july).first?.hasPrefix("30=2.95 ") == true)
    #expect(balance(.coinRefunds, july, company) == -5_890_000)
    #expect(balance(.priorPeriod, july, company) == 1_760_000)
  }

  /// 60 coins at 6.00 without tax, of which a shop keeps 0.90: 30 of them turn out to be used in
  /// June after its close.
  @Test func `entries name the channel whose coins they are about`() throws {
    var company = try company()
    company.settings.channels = [Settings.Channel(name: "shop", fee: 150_000, tax: 100_000)]
    let header = "date,movement,coins,user_id,channel,paid,order_id\n"
    try company.folder.write(
      "shop.csv",
      "order_id,sku,status,placed_at,unit_price,currency,channel\n"
        + "S1,gems.60,fulfilled,2023-06-05T08:00:00Z,6.60,CNY,shop\n")
    try company.folder.write(
      "shop-coins.csv",
      header + "2023-06-05T09:00:00Z,granted,60,s1,shop,paid,S1\n"
        + "2023-06-15T09:00:00Z,spent,10,s1,shop,,\n")
    _ = try company.folder.importing("shop.csv", "shop-coins.csv")
    func narrations(_ result: Reconciliation) -> [String] {
      Journal(result, settings: company.settings).entries.map(\.narration)
    }
    let june = try company.reconcile(Self.june)
    #expect(narrations(june).contains("shop 2023-06: coins sold, deferred in CNY"))
    try company.acceptAll(Self.june)
    try company.folder.write(
      "shop-late.csv", header + "2023-06-20T09:00:00Z,spent,30,s1,shop,,\n")
    _ = try company.folder.importing("shop-late.csv")
    let july = try company.reconcile(Self.july)
    #expect(narrations(july).contains("shop 2023-07: changes in coins of closed months in CNY"))
    #expect(balance(.channelPriorPeriod, july, company) == -3_000_000 + 450_000)
    #expect(balance(.priorPeriod, july, company) == 0)
  }

  @Test func `the sheet that is signed holds what is owed against the journal`() throws {
    let company = try company()
    let june = try company.reconcile(Self.june)
    let pack = ClosePack(
      of: june, company.settings,
      record: CloseRecord(
        number: 1, action: .close, period: Self.june, at: Instant(seconds: 1_693_000_000),
        by: "ann", reason: "", asOf: Day("2023-07-05")!, version: "test", lastSource: 9),
      inputsDigest: "", accepting: [], comparison: .notClosed, before: nil)
    let rows = CloseSheet(pack).rows.map(\.cells)
    let rolled = rows.filter { $0.contains(.text("apple · CNY")) }
    #expect(rolled.count == 1)
    let closing = rolled.first?.compactMap { cell -> Int64? in
      if case .formula(_, .money(let micros, _)) = cell { micros } else { nil }
    }
    #expect(closing == [8_840_000])
    let checks = rows.filter {
      $0.count > 4 && $0[1] == .text(say("@list.contract-liability"))
        && $0[3] == .money(8_840_000, Self.yuan)
    }
    #expect(checks.count == 1 && checks.first?[4] == .money(8_840_000, Self.yuan))
    // A company without coins sees nothing of it.
    let other = try Company()
    try other.importJune()
    let none = ClosePack(
      of: try other.reconcile(Self.june), other.settings, record: pack.record, inputsDigest: "",
      accepting: [], comparison: .notClosed, before: nil)
    #expect(none.coins.isNothing)
  }

  /// A month that goes like July: 14.73 owed, 11.78 sold and 60 coins used of 270, half more for
  /// the money, or 60 for nothing, which are used first.
  @Test func `planning says what becomes of what is owed`() throws {
    let company = try company()
    for month in [Self.june, Self.july] { try company.acceptAll(month) }
    let scope = PlanScope(
      ledgerPath: company.ledger, isLedgerNeeded: true, settings: company.settings,
      day: Day("2023-08-01")!, period: nil)
    func said(_ rate: Int64, _ free: Int64) throws -> [String] {
      try coinRemarks(CoinChange(rate: rate, free: free), scope).map(\.english)
    }
    #expect(try said(1_000_000, 0) == [])
    let rate = try said(1_500_000, 0)
    // 14.73 and 11.78 for 330 coins instead of 270: 60 of them are 4.82 instead of 5.89.
    #expect(rate.count == 1 && rate[0].contains("4.82") && rate[0].contains("5.89"), "\(rate)")
    #expect(rate[0].contains("refunds and items in use are left out"))
    var bare = WhatIfRequest(scope: scope, changes: [])
    bare.coins = CoinChange(rate: 1_100_000, free: 0)
    let stop = #expect(throws: Stop.self) { try planWhatIf(bare) }
    #expect(stop?.help.english.contains("--period") == true)
    let gift = try said(1_000_000, 60)
    #expect(gift.count == 1 && gift[0].contains("26.51") && gift[0].contains("20.62"), "\(gift)")
    // 10 coins per yuan elsewhere are 6 here, where 10 are given today.
    var request = RatePlanRequest(scope: scope)
    request.choice = .prices([6_000_000])
    request.channel.rate = 10_000_000
    request.groups = [StorefrontGroup(Storefront("CN")!)]
    let unknown = try planRate(request).notes.map(\.english).filter { $0.contains("owed") }
    #expect(unknown.count == 1 && unknown[0].contains("--period"), "\(unknown)")
    request.scope.period = Self.july
    let planned = try planRate(request).notes.map(\.english).filter { $0.contains("owed") }
    // 14.73 and 11.78 for 150 and 72 coins: 60 of them are 7.16.
    #expect(
      planned.count == 1 && planned[0].contains("7.16") && planned[0].contains("5.89"),
      "\(planned)")
  }

  /// Coins given as paid for an order that is not here, or for none, go first. Of 140 coins used 80
  /// are such.
  @Test func `paid coins without an order go before those of sales`() throws {
    let company = try company()
    try company.importMovements(
      "gifts",
      [
        "2023-06-06T08:00:00Z,granted,77,u0,paid,", "2023-06-06T08:00:00Z,granted,77,u2,paid,X99",
        "2023-06-20T08:00:00Z,spent,50,u2,,",
      ])
    let june = try company.reconcile(Self.june)
    #expect(rolls(june) == ["0=0.00 180=17.67 60=5.89 120=11.78"])
    let coins = try #require(june.coinStatement?.coins.first)
    #expect(coins.bare == 154 - 80 && coins.unbacked == 0 && coins.ungranted == 0)
    #expect(june.coinStatement?.isTied == true)
  }

  /// Of three sales one is granted without its order: those coins were bought.
  @Test func `a grant without an order is of the sale that no grant names`() throws {
    var company = try Company()
    company.settings.coins.presentation = .principal
    company.settings.coins.valuation = .lot
    try company.importJune()
    try company.folder.write("coins-of-products.csv", "sku,kind,coins\ngems.60,consumable,60\n")
    _ = try company.folder.importing("coins-of-products.csv")
    try company.importMovements(
      "june",
      ["O600", "O601", ""].map { "2023-06-05T19:01:00Z,granted,60,u1,paid,\($0)" } + [
        "2023-06-10T08:00:00Z,spent,30,u1,,"
      ])
    let june = try company.reconcile(Self.june)
    #expect(rolls(june) == ["0=0.00 180=17.67 30=2.94 150=14.73"])
    #expect(june.coinStatement?.coins.map(\.bare) == [0])
    #expect(june.coinStatement?.coins.map(\.ungranted) == [0])
  }

  /// Sums by day name nobody, orders may: all of them are one pool.
  @Test(arguments: ["", "u7"])
  func `movements without users use what any user bought`(_ user: String) throws {
    var company = try Company()
    company.settings.coins.presentation = .principal
    company.settings.coins.valuation = .average
    try company.importJune()
    try company.folder.write("coins-of-products.csv", "sku,kind,coins\ngems.60,consumable,60\n")
    try company.folder.write(
      "orders-of-users.csv",
      "order_id,user_id,sku,status,placed_at,unit_price,currency,storefront\n"
        + (600...602).map {
          "O\($0),\(user),gems.60,fulfilled,2023-06-05T19:00:00Z,6.00,CNY,CN\n"
        }.joined())
    try company.folder.write(
      "sums.csv",
      "date,movement,coins,paid\n2023-06-05,granted,180,paid\n2023-06-10,spent,90,paid\n")
    _ = try company.folder.importing("coins-of-products.csv", "orders-of-users.csv", "sums.csv")
    let june = try company.reconcile(Self.june)
    #expect(rolls(june) == ["0=0.00 180=17.67 90=8.83 90=8.84"])
    #expect(june.coinStatement?.coins.map(\.unbacked) == [0])
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
  /// What Apple says of one of the month's purchases later.
  fileprivate func refund(_ number: Int, on day: String) throws {
    let name = "refund-\(number).csv"
    try folder.write(
      name,
      "transaction_id,sku,purchased_at,order_id,unit_price,currency,storefront,revoked_at,"
        + "revocation_reason\n\(7000 + number),gems.60,2023-06-05T19:00:00Z,O\(number),6.00,CNY,CN,"
        + "\(day)T06:00:00Z,0\n")
    _ = try folder.importing(name)
  }

  fileprivate func importMovements(_ name: String, _ rows: [String]) throws {
    let header = "date,movement,coins,user_id,paid,order_id\n"
    try folder.write("coins-\(name).csv", header + rows.map { $0 + "\n" }.joined())
    _ = try folder.importing("coins-\(name).csv")
  }
}
