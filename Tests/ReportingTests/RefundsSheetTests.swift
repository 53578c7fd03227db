import Billing
import Testing

@testable import Reporting
@testable import Conclusions

@Suite struct RefundsSheetTests {
  private static func sheets(_ month: Reconciliation, limits: Limits = .excel) -> [Sheet] {
    WorkbookContents(month, limits: limits).sheets().filter { $0.name.hasPrefix("Refunds") }
  }

  private static func column(_ name: String) -> Int {
    WorkbookContents(SampleMonth.empty).refundList.index(name)
  }

  private static func refund(_ change: (inout RefundLine) -> Void = { _ in }) -> RefundLine {
    var line = SampleMonth.refunds[0]
    line.isReversed = false
    line.share = 1_000_000
    change(&line)
    return line
  }

  private static func sheet(of refunds: [RefundLine]) throws -> Sheet {
    var month = SampleMonth.empty
    month.refunds = refunds
    return try #require(sheets(month).first)
  }

  @Test func eachRefundSaysWhatItWas() throws {
    let sheet = try Self.sheet(of: [
      Self.refund { $0.transactionID = "1" },
      Self.refund {
        $0.transactionID = "2"
        $0.share = 433_333
      },
      Self.refund {
        $0.transactionID = "3"
        $0.isReversed = true
      },
      Self.refund {
        $0.transactionID = "4"
        $0.share = nil
      },
    ])
    #expect(
      (0..<4).map { sheet.rows[$0].cells[Self.column("what")] } == [
        .text("whole refund"), .text("prorated refund"), .text("reversed"),
        .text("prorated refund"),
      ])
    guard case .formula(_, let counted) = sheet.totals[3].cells[8] else {
      return #expect(Bool(false))
    }
    #expect(counted == .integer(3))
  }

  @Test(arguments: [("0", "other"), ("1", "issue in the app"), ("7", "7")])
  func reasonsAreWords(code: String, words: String) throws {
    let sheet = try Self.sheet(of: [Self.refund { $0.reason = code }])
    #expect(sheet.rows[0].cells[Self.column("reason")] == .text(words))
  }

  @Test(arguments: [(14, nil), (15, "yes")] as [(Int, String?)])
  func theLastDayOfTheWindowIsWithin(age: Int, mark: String?) throws {
    let sheet = try Self.sheet(of: [
      Self.refund {
        $0.windowDays = 14
        $0.refundedOn = $0.purchasedOn.advanced(by: age)
      }
    ])
    #expect(sheet.rows[0].cells[Self.column("beyond_window")] == .text(ifAny: mark))
    #expect(
      sheet.rows[0].tints.count { $0.column == Self.column("beyond_window") } == (mark?.count ?? 0)
        / 3
    )
  }

  @Test func aRefundLeadsToItsFindingAndTheFindingHasNoRowOfItsOwn() throws {
    let month = SampleMonth.reconciliation
    let sheet = try #require(Self.sheets(month).first)
    let rows = (0..<sheet.rows.count).map { sheet.rows[$0].cells }
    let named = rows.filter { $0[Self.column("finding")] == .text("refund-not-reversed") }
    #expect(named.count == 3)
    #expect(named.allSatisfy { $0[Self.column("what")] == .text("whole refund") })
    let findings = rows.filter { $0[Self.column("what")] == .text("finding") }
    let others = month.findings.filter {
      FindingCode.refunds.contains($0.code) && $0.code != .refundNotReversed
    }
    #expect(findings.count == others.count)
    // Each row is known on each printed page.
    #expect(rows.allSatisfy { $0[0] != .blank })
    let nameless = others.filter(\.transactionIDs.isEmpty).map { Cell.text($0.id) }
    #expect(!nameless.isEmpty && nameless.allSatisfy { id in findings.contains { $0[0] == id } })
  }

  @Test func aFindingAboutARefundThatIsNotListedHasARow() throws {
    var month = SampleMonth.reconciliation
    month.refunds = []
    let sheet = try #require(Self.sheets(month).first)
    let codes = (0..<sheet.rows.count).map { sheet.rows[$0].cells[Self.column("finding")] }
    #expect(codes.count { $0 == .text("refund-not-reversed") } == 3)
  }

  @Test func aRefundThatNoReportHasStandsOnceWithItsFinding() throws {
    var month = SampleMonth.empty
    month.refunds = [Self.refund { $0.transactionID = "1" }]
    month.findings = SampleMonth.reconciliation.findings.filter { $0.code == .refundNotInReport }
    month.findings.removeLast(month.findings.count - 1)
    month.findings[0].transactionIDs = ["1"]
    let sheet = try #require(Self.sheets(month).first)
    #expect(sheet.rows.count == 1)
    #expect(sheet.rows[0].cells[Self.column("what")] == .text("whole refund"))
    #expect(sheet.rows[0].cells[Self.column("finding")] == .text("refund-not-in-report"))
    // One of its refunds has no row here.
    month.findings[0].transactionIDs = ["1", "2"]
    let apart = try #require(Self.sheets(month).first)
    #expect(apart.rows.count == 2)
  }

  @Test func whatOnlyAppleReportsIsAddedUpWithoutAList() throws {
    var month = SampleMonth.reconciliation
    month.refunds = []
    month.findings = []
    let sheet = try #require(Self.sheets(month).first)
    #expect(sheet.rows.count == 0)
    let all = try #require(sheet.totals.last?.cells)
    #expect(all[6] == .formula("SUM(G5:G14)", .integer(80)))
    #expect(all[8] == .formula("SUM(I5:I14)", .integer(0)))
    // The share of all divides by what was sold everywhere, refunded or not.
    #expect(month.proceeds.contains { $0.unitsRefunded == 0 && $0.unitsSold > 0 })
    let sold = month.proceeds.reduce(0) { $0 + $1.unitsSold }
    #expect(all[5] == .formula("SUM(F5:F14)", .integer(sold)))
    month.proceeds = []
    #expect(Self.sheets(month).isEmpty)
  }

  @Test func totalsStandBelowTheLastSheetOfTheList() throws {
    let limits = Limits(bodyRows: 8, links: 65_530, cellUnits: 32_767)
    let sheets = Self.sheets(SampleMonth.reconciliation, limits: limits)
    #expect(sheets.map(\.name) == ["Refunds", "Refunds 2", "Refunds 3", "Refunds 4"])
    #expect(sheets.map(\.totals.isEmpty) == [true, true, true, false])
    let place = try #require(
      WorkbookContents(SampleMonth.reconciliation, limits: limits).refundTotalsPlace)
    #expect(place.sheet == "Refunds 4")
    let row = sheets[3].totals[place.row - sheets[3].lastBodyRow - 2]
    #expect(row.cells[0] == .text("Total"))
  }

  @Test func ofUsersWithSeveralRefundsAHundredAreNamed() throws {
    let refunds = (0..<103).flatMap { user in
      (0..<2).map { copy in
        Self.refund {
          $0.user = "user \(padded(user, 3))"
          $0.transactionID = "\(user)-\(copy)"
          $0.userRefunds = user == 77 ? 9 : 2
        }
      }
    }
    let totals = try Self.sheet(of: refunds).totals
    let start = try #require(
      totals.firstIndex { $0.cells.first == .text("Users with several refunds") })
    #expect(totals[start + 2].cells[0] == .text("user 077"))
    #expect(totals[start + 2].cells[4] == .integer(9))
    #expect(totals[start + 3].cells[0] == .text("user 000"))
    #expect(totals.count == start + 2 + 100 + 1)
    #expect(totals.last?.cells == [.text("and 3 more")])
  }
}
