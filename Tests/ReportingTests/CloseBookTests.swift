import Billing
import Languages
import Support
import Testing

@testable import Conclusions
@testable import Reporting

/// Goal: who signs a close overlooks nothing that the book knows. Method: rates that are too old, a
/// payment that no bank statement has and units over the period's edge stand where they are signed
/// for, and each figure leads to what it is made of.
@Suite struct CloseBookTests {
  private static func rows(_ sheet: Sheet) -> [[Cell]] {
    (0..<sheet.rows.count).map { sheet.rows[$0].cells } + sheet.totals.map(\.cells)
  }

  private static func row(_ text: String, of sheet: Sheet) -> Int? {
    rows(sheet).firstIndex {
      $0.contains {
        switch $0 {
        case .text(text), .link(_, text): true
        default: false
        }
      }
    }
  }

  private static func day(_ text: String) -> Day { Day(text)! }

  @Test(arguments: [("2023-06-15", true), ("2023-06-28", false)])
  func oldRatesAreSaidBesideTheFigure(of day: String, isOld: Bool) throws {
    var month = SampleBooks.reconciliation
    month.rateDays = [Currency("EUR")!: Self.day(day), Currency("USD")!: Self.day("2023-06-30")]
    let sheet = CloseSheet(CloseSheetTests.pack(month)).sheet()
    let closing = try #require(Self.row("closing balance", of: sheet))
    let beside = "at rates of \(day) to 2023-06-30"
    let old = beside + ", 15 days before 2023-06-30"
    // A warning's color goes on to the end of its row.
    #expect(sheet.rows[closing].cells.last { $0 != .blank } == .text(isOld ? old : beside))
    #expect(sheet.rows[closing].tints.isEmpty != isOld)
    let text = dump([sheet])
    #expect(text.contains("Converted at rates of") == isOld)
    #expect(text.contains("at the mean rates of 2023-06"))
    let summary = WorkbookContents(month).summarySheet()
    guard case .text(let subject) = summary.rows[1].cells[0] else { return }
    #expect(subject.hasSuffix(isOld ? old : beside))
  }

  @Test(arguments: [Settings.Revenue.principal, .agent, .grossOfTax])
  func theJournalComesToTheFigures(revenue: Settings.Revenue) throws {
    let pack = CloseSheetTests.pack(SampleBooks.reconciliation, revenue: revenue)
    let sheet = CloseSheet(pack).sheet()
    for check in [
      "receivable = proceeds and all since, without revaluation",
      "receivable and revaluation = closing less opening balance", "debits = credits",
    ] {
      let row = try #require(Self.row(check, of: sheet), "\(check)")
      guard case .formula(_, .money(let difference, _)) = sheet.rows[row].cells[5] else {
        Issue.record("\(check) has no difference")
        continue
      }
      #expect(difference == 0, "\(check)")
    }
    let journal = try #require(pack.journal)
    for total in journal.accounts {
      let row = try #require(
        Self.rows(sheet).first {
          $0.count > 8 && $0[1] == .text(total.account)
            && $0[2] == .text(total.debit.currency.code)
        })
      #expect((row[3] == .blank) == total.debit.isZero && (row[4] == .blank) == total.credit.isZero)
    }
    let named = Set(journal.accounts.flatMap(\.entries))
    #expect(named == Set(1...named.count) && named.count > 10)
    let accounts = Dictionary(grouping: journal.accounts, by: \.account)
    let subtotals = Self.rows(sheet).count {
      $0.count == 7 && $0[2] == .blank && $0[3] == .blank
        && accounts.keys.map(Cell.text).contains($0[1])
    }
    #expect(subtotals == accounts.values.count { $0.count > 1 })
  }

  /// A late sale of a closed month is in the bridge's gross, and here in a line of its own: rates
  /// alone would be a false reason.
  @Test(arguments: [true, false])
  func changesOfClosedMonthsAreAReason(areBooked: Bool) throws {
    var month = SampleBooks.reconciliation
    if areBooked { month.booked = SampleMonth.withBookings.booked }
    let pack = CloseSheetTests.pack(month)
    let places: [CloseFigure: Int] = [
      .sold: 1, .refunded: 2, .tax: 3, .commission: 4, .proceeds: 5,
    ]
    let others = WorkbookContents(month, pack: pack).otherFigures(than: pack, at: places)
    let reasons = Dictionary(
      others.map { ($0.label.english, $0.reason.english) }, uniquingKeysWith: { first, _ in first })
    let changes = "there with the changes of closed months"
    for label in ["gross sales less refunds", "tax", "commission"] {
      let reason = try #require(reasons[label], "\(label): \(reasons)")
      #expect(reason.contains(changes) == areBooked)
    }
    #expect(reasons["proceeds of the period"]?.contains(changes) != true)
  }

  @Test func deductionsLeadToTheirEntries() throws {
    let sheet = CloseSheet(CloseSheetTests.pack(SampleBooks.reconciliation)).sheet()
    let row = try #require(Self.row("withholding", of: sheet))
    guard case .link(let place, _) = sheet.rows[row].cells[1],
      case .formula(let formula, let value) = sheet.rows[row].cells[2]
    else {
      Issue.record("it leads nowhere")
      return
    }
    #expect(place.sheet == "Close" && formula == "SUM(F\(place.row):F\(place.row))")
    #expect(sheet.rows[place.row - 1].cells[5] == value)
    #expect(sheet.rows[place.row - 1].cells[8] == .text("Apple EU FY2023-P08: tax withheld"))
  }

  /// A share of more than ten times what was says nothing, nor does one of a count.
  @Test func sharesThatSayNothingAreLeftOut() throws {
    let earlier = CloseStatement(
      Period("2023-05")!, in: Currency("CNY")!,
      Dictionary(CloseFigure.allCases.map { ($0, 1_000_000) }) { $1 }, comparison: .notClosed,
      before: nil, opening: .loaded)
    let pack = CloseSheetTests.pack(SampleBooks.reconciliation, .compared, before: earlier)
    let sheet = CloseSheet(pack).sheet()
    for label in ["gross sales", "matched units"] {
      let row = try #require(Self.row(label, of: sheet))
      #expect(sheet.rows[row].cells[5] == .blank, "\(label)")
    }
    let alone = CloseSheet(CloseSheetTests.pack(SampleBooks.reconciliation)).sheet()
    #expect(!dump([alone]).contains("2023-05 | change"))
  }

  private static var fiscal: Reconciliation {
    var month = SampleFiscalMonth.reconciliation
    month.rates = [
      "CNY": 1_000_000, "BRL": 1_500_000, "EUR": 7_800_000, "JPY": 50_000, "USD": 7_200_000,
    ]
    .reduce(into: [:]) { $0[Currency($1.key)!] = CurrencyRate(micros: $1.value) }
    return month
  }

  @Test func placesOnOtherSheetsHaveRoom() {
    let pack = CloseSheetTests.pack(Self.fiscal)
    let sheet = CloseSheet(pack, in: WorkbookContents(Self.fiscal, pack: pack)).sheet()
    var count = 0
    for row in Self.rows(sheet) {
      for (column, cell) in row.enumerated() {
        guard case .link(_, let text) = cell else { continue }
        count += 1
        #expect(displayWidth(text) < sheet.columns[column].width.upperBound, "\(text)")
      }
    }
    #expect(count > 2)
  }

  /// What is owed stands apart by what becomes of it, where only rounding is left.
  @Test func theClosingBalanceHasItsParts() throws {
    var month = Self.fiscal
    let walk = try #require(PaymentWalk(month))
    let settled = try #require(walk[.settled])
    let carried = try #require(walk[.carriedBalance])
    func payments(owed amount: Money) throws -> Sheet {
      var owed = ReceivableMovement(SampleMonth.base)
      owed.proceeds = amount
      month.receivable = [ReceivableLine(own: owed, base: owed, rate: .one)]
      let sheets = WorkbookContents(month).sheets()
      #expect(SheetCalculation(sheets).differences == [])
      return try #require(sheets.first { $0.name == "Payout statement" })
    }
    let cent = Money(micros: 10_000, SampleMonth.base)
    let sheet = try payments(owed: settled + carried + cent)
    let closing = try #require(Self.row("closing balance", of: sheet))
    guard case .formula(_, let rest) = Self.rows(sheet)[closing - 1][2] else {
      Issue.record("no rounding")
      return
    }
    #expect(rest == .money(cent))
    let later = try payments(owed: settled + carried + settled)
    #expect(Self.row("closing balance", of: later) == nil)
  }

  @Test func aFiscalMonthLeadsFromSettledToPaid() throws {
    let month = Self.fiscal
    let walk = try #require(PaymentWalk(month))
    let steps = walk.lines.filter { !$0.step.isTotal }.map(\.amount.micros)
    #expect(walk[.paid]?.micros == steps.reduce(0, +))
    #expect(walk[.paid]?.micros == month.settlement?.payouts[0].amount.micros)
    let pack = CloseSheetTests.pack(month)
    let contents = WorkbookContents(month, pack: pack)
    let sheets = contents.sheets()
    #expect(SheetCalculation(sheets).differences == [])
    let payments = try #require(sheets.first { $0.name == "Payout statement" })
    let row = try #require(Self.row("not paid, carried on (72.50 USD)", of: payments))
    #expect(Self.rows(payments)[row][2] == .money(-522_000_000, month.baseCurrency))
    let missing = "no bank statement has Apple's payment of 84,112.56 CNY (2023-08-03)"
    for name in ["Close", "Summary"] {
      let sheet = try #require(sheets.first { $0.name == name })
      #expect(dump([sheet]).contains(missing), "\(name)")
    }
    let cards = contents.summarySheet().rows[9].cells
    #expect(cards[6] == .text("not proven"))
    guard case .formula(_, .money(let notPaid, _)) = cards[3] else {
      Issue.record("what is not paid stands nowhere")
      return
    }
    #expect(notPaid == 522_000_000)
  }

  /// What a bank statement has is no longer missing.
  @Test func whatTheBankHasIsProven() {
    var month = Self.fiscal
    month.settlement!.payouts[0].received = month.settlement!.payouts[0].amount
    let sheets = WorkbookContents(month, pack: CloseSheetTests.pack(month)).sheets()
    // Notes explain the words.
    #expect(!dump(sheets.filter { $0.name != "Notes" }).contains("not proven"))
  }

  @Test func unitsOverTheEdgeStandOneByOne() throws {
    var month = SampleMonth.reconciliation
    let (china, yuan) = (Storefront("CN")!, month.baseCurrency)
    func moved(_ units: Int64, _ ours: String, _ apples: String, _ id: String) -> MovedUnits {
      var line = MovedUnits(
        storefront: china, sku: "gems", isRefund: false, ourDay: Self.day(ours),
        appleDay: Self.day(apples), units: units,
        amount: Money(micros: units * 30_000_000, yuan))
      (line.transactionID, line.orderID) = (id, "o-" + id)
      return line
    }
    month.movedUnits = [
      moved(2, "2023-05-31", "2023-06-01", "t-1"), moved(-1, "2023-06-30", "2023-07-01", "t-2"),
    ]
    let contents = WorkbookContents(month)
    let sheets = contents.sheets()
    #expect(SheetCalculation(sheets).differences == [])
    let boundaries = try #require(sheets.first { $0.name == "Day boundaries" })
    let place = try #require(contents.movedPlace)
    #expect(contents.place(of: .dayBoundary) == place)
    let rows = boundaries.totals.map(\.cells)
    let first = place.row - boundaries.lastBodyRow - 2
    guard case .text(let title) = rows[first][0] else {
      Issue.record("no title where links lead")
      return
    }
    #expect(title.hasPrefix("Moved over the edge of 2023-06"))
    #expect(rows[first + 2].contains(.text("t-1")) && rows[first + 2].contains(.text("o-t-1")))
    #expect(dump([boundaries]).contains("60.00") && dump([boundaries]).contains("-30.00"))
    let bridge = try #require(sheets.first { $0.name == "Bridge" })
    let summary = try #require(sheets.first { $0.name == "Summary" })
    #expect(Self.rows(bridge).joined().contains(.link(place, "day boundary")))
    #expect(Self.rows(summary).joined().contains(.link(place, "day boundary")))
  }
}
