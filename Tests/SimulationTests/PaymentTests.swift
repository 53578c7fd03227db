import Billing
import Foundation
import Simulation
import Testing

/// Goal: the payments of a simulated world follow from its reports and from each other, in every
/// layout, and injected faults show exactly where the truth says. Method: as ``FinanceFileTests``.
@Suite struct PaymentTests {
  @Test(arguments: PaymentsLayout.allCases) func paymentsAddUp(_ layout: PaymentsLayout) throws {
    let world = try SettledWorld(FinanceFileTests.parameters { $0.payments = layout })
    for month in try world.months {
      let payments = month.payments
      #expect(payments.lines.count == month.truth.regions.count)
      #expect(Set(payments.lines.filter { $0.currency == "USD" }.map(\.region)).count == 4)
      var paid: Decimal = 0
      for line in payments.lines {
        #expect(line.owed == line.parts, "\(line)")
        #expect(line.subtotal == line.earned + line.balance, "\(line)")
        if line.isPaid { paid += line.proceeds }
        #expect(line.isPaid == (line.rate != 0))
        // The printed rate is rounded, the proceeds come from the true one.
        let slack = abs(line.owed) * Decimal(string: "0.000005")! + Decimal(string: "0.005")!
        #expect(!line.isPaid || abs(line.proceeds - line.owed * line.rate) <= slack, "\(line)")
        let truth = month.truth.regions.filter { decimal(micros: $0.owed) == line.owed }
          .first { $0.currency.code == line.currency }
        #expect(truth?.earned == truth?.settled)
        #expect(truth.map { decimal(micros: $0.earned) } == line.earned)
        #expect(truth.map { decimal(micros: $0.carriedBalance) } == line.balance)
        #expect(truth.map { decimal(micros: $0.proceeds ?? 0) } == line.proceeds)
      }
      #expect(payments.payout == paid)
      #expect(decimal(micros: month.truth.payout.amount) == paid)
    }
  }

  @Test func regionsBelowTheThresholdAreCarried() throws {
    let world = try SettledWorld(FinanceFileTests.parameters())
    let months = try world.months.map(\.payments)
    let carried = months[0].lines.filter { !$0.isPaid }
    #expect(carried.count == 2)
    #expect(months[0].headers.count == 2 && months[1].headers.count == 1)
    #expect(!months[0].headers[0].contains("Balance") && months[1].headers[0].contains("Balance"))
    #expect(months[1].lines.allSatisfy { $0.isPaid })
    for line in carried {
      let next = months[1].lines.first { $0.region == line.region }
      #expect(next?.balance == line.owed, "\(line)")
    }
    for month in months {
      #expect(month.lines.contains { $0.earned == 0 && $0.withholding < 0 })
      #expect(
        month.lines.contains { $0.adjustments != 0 } && month.lines.contains { $0.inputTax != 0 })
    }
  }

  @Test func theLoadedRatesOfThePaymentDayAreNear() throws {
    let world = try SettledWorld(FinanceFileTests.parameters())
    let rates = String(decoding: try world.month.bytes("rates.csv"), as: UTF8.self)
    for month in try world.months {
      let day = month.truth.month.last.advanced(by: 33)
      #expect(month.truth.payout.day == day)
      for line in month.payments.lines where line.isPaid && line.currency != "CNY" {
        let prefix = "\(day),\(line.currency),CNY,"
        let row = try #require(rates.split(separator: "\n").first { $0.hasPrefix(prefix) })
        let loaded = decimal(String(row.dropFirst(prefix.count)))
        let off = abs(line.proceeds / line.owed / loaded - 1)
        #expect(off < Decimal(string: "0.004")!, "\(line)")
      }
    }
  }

  @Test func aBankAccountInDollarsIsPaidInDollars() throws {
    let truth = SimulatedMonth(
      FinanceFileTests.parameters { $0.bankCurrency = Currency("USD")! }
    ).truth
    for month in try #require(truth.settlement) {
      #expect(month.payout.currency == Currency("USD"))
      for region in month.regions where region.currency.code == "USD" {
        #expect(region.proceeds == nil || region.proceeds == region.owed)
      }
    }
  }

  @Test func faultsWithoutRoomAreLeftOutAndNamed() throws {
    let truth = SimulatedMonth(FinanceFileTests.parameters(faults: 60)).truth
    let left = Dictionary(uniqueKeysWithValues: truth.leftOut.map { ($0.kind, $0) })
    let findings = try #require(truth.settlement).flatMap(\.findings)
    for code in ["fx-rate-unexpected", "footer-mismatch"] {
      let faults = try #require(left[code], "there are fewer regions than faults")
      #expect(faults.asked == 60 && faults.made < 60)
      #expect(findings.count { $0.code == code } == faults.made, "\(code)")
    }
    // Sales are many: of these all has room.
    #expect(left["settlement-proceeds"] == nil)
    #expect(findings.count { $0.code == "settlement-proceeds" } == 60)
  }

  @Test func faultsShowWhereTheTruthSays() throws {
    let world = try SettledWorld(FinanceFileTests.parameters(faults: 2) { $0.payments = .json })
    var found: [String] = []
    var expected: [String] = []
    for month in try world.months {
      let differing = differences(month)
      found += differing
      expected += month.truth.findings
        .filter { $0.code == "payment-differs" || $0.code == "footer-mismatch" }
        .map { "\($0.code) \($0.amount.map { "\(decimal(micros: $0))" } ?? "")" }
      let detail = try #require(month.detail)
      var settled: [String: Decimal] = [:]
      for report in month.reports.values {
        for (place, sum) in report.sums { settled[place, default: 0] += sum.amount }
      }
      for (place, sum) in detail.sums {
        let planted = month.truth.findings.filter { finding in
          finding.code == "settlement-units" && finding.date == month.truth.month.last
            && "\(finding.place ?? "") \(finding.currency?.code ?? "")" == place
        }
        let amount: Decimal = planted.reduce(0) { $0 + decimal(micros: $1.amount ?? 0) }
        let difference = (settled[place] ?? 0) - sum.amount
        #expect(difference == amount, "\(place)")
      }
      #expect(month.truth.findings.contains { $0.code == "fx-rate-unexpected" })
      #expect(month.truth.findings.contains { $0.code == "settlement-proceeds" })
    }
    // Two of the four kinds twice, the payout once a month.
    #expect(expected.count == 8)
    #expect(found.sorted() == expected.sorted())
  }

  /// What does not add up in a month's payments and footers.
  private func differences(_ month: SettledWorld.Month) -> [String] {
    var found: [String] = []
    for line in month.payments.lines where line.owed != line.parts {
      found.append("payment-differs \(line.owed - line.parts)")
    }
    for line in month.payments.lines {
      let rows = month.reports[line.code]?.rows ?? []
      let settled = rows.reduce(0) { $0 + $1.extended }
      if line.earned != settled { found.append("payment-differs \(line.earned - settled)") }
    }
    let paid = month.payments.lines.filter(\.isPaid).reduce(0) { $0 + $1.proceeds }
    if month.payments.payout != paid {
      found.append("payment-differs \(month.payments.payout - paid)")
    }
    for report in month.reports.values {
      let amount = report.rows.reduce(0) { $0 + $1.extended }
      let units = report.rows.reduce(0) { $0 + $1.quantity }
      let fits =
        report.totals == [
          "Total_Rows": "\(report.rows.count)", "Total_Amount": "\(amount)",
          "Total_Units": "\(units)",
        ]
      if !fits { found.append("footer-mismatch ") }
    }
    return found
  }
}
