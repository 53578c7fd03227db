import Billing
import Foundation
@testable import Simulation
import Testing

/// Goal: Apple's financial reports, their detail and the payments of a simulated world add up, to
/// each other and to the sales reports, as the truth says. Method: the files are read back by an
/// independent reader.
@Suite struct FinanceFileTests {
  static let vendor = "85127269"
  static let english = [
    "Country or Region (Currency)", "Units Sold", "Balance", "Earned", "Pre-Tax Subtotal",
    "Input Tax", "Adjustments", "Withholding Tax", "Total Owed", "Exchange Rate", "Proceeds",
  ]
  static let chinese = [
    "国家或地区 (货币)", "销量", "期初余额", "收入", "税前小计", "进项税", "调整", "预扣税", "总欠款", "汇率", "收入",
  ]

  static func parameters(
    faults: Int = 0, change: (inout SettlementParameters) -> Void = { _ in }
  ) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = 77
    parameters.period = Period("2023-06-01..2023-08-05")!
    parameters.storefronts = SimulationParameters.settledStorefronts
    parameters.paidApp = true
    parameters.gzip = false
    parameters.faults = [.partialRefund: 2]
    var settlement = SettlementParameters()
    settlement.faults = faults
    change(&settlement)
    parameters.settlement = settlement
    return parameters
  }

  @Test func fiscalMonthsAreThoseWhollyInside() {
    func months(_ period: String) -> [String] {
      var parameters = SimulationParameters()
      parameters.period = Period(period)!
      return parameters.fiscalMonths.map(\.description)
    }
    #expect(months("2023-06-01..2023-08-05") == ["FY2023-P09", "FY2023-P10"])
    #expect(months("2023-06-05..2023-08-04") == [])
    #expect(months("FY2023-P10") == ["FY2023-P10"])
    #expect(months("2023-06") == [])
  }

  @Test func reportsOfRegionsFitTheirFootersAndTheTruth() throws {
    let world = try SettledWorld(Self.parameters())
    for month in try world.months {
      #expect(Set(month.reports.keys).count > 10)
      var settled: [String: Decimal] = [:]
      for (region, report) in month.reports {
        #expect(report.header.count == 22 && report.widths == [22], "\(region)")
        for row in report.rows {
          #expect(row.extended == Decimal(row.quantity) * row.share, "\(row.fields)")
          #expect(row.isReturn == (row.quantity < 0) && row.share > 0, "\(row.fields)")
          #expect(row["Customer Price"]?.hasPrefix("-") == row.isReturn)
        }
        let amount = report.rows.reduce(0) { $0 + $1.extended }
        #expect(report.totals["Total_Rows"] == "\(report.rows.count)")
        #expect(report.totals["Total_Amount"] == "\(amount)", "\(region)")
        #expect(report.totals["Total_Units"] == "\(report.rows.reduce(0) { $0 + $1.quantity })")
        settled[region] = amount
      }
      for truth in month.truth.regions {
        #expect(settled[truth.region] ?? 0 == decimal(micros: truth.settled), "\(truth)")
        #expect(truth.settled == truth.earned)
      }
    }
  }

  @Test func oneReportForAllRegionsSaysTheSame() throws {
    let apart = try SettledWorld(Self.parameters())
    let single = try SettledWorld(Self.parameters { $0.isSingleFile = true })
    #expect(apart.month.truth == single.month.truth)
    for (several, one) in zip(try apart.months, try single.months) {
      #expect(Array(one.reports.keys) == ["ZZ"])
      let report = try #require(one.reports["ZZ"])
      #expect(report.totals == ["Total_Rows": "\(report.rows.count)"])
      #expect(sameSums(report.table, report.sums))
      var quantities: [String: Int] = [:]
      for other in several.reports.values {
        quantities.merge(other.quantities) { $0 + $1 }
      }
      #expect(report.quantities == quantities)
    }
  }

  @Test func theDetailTellsTheDaysOfTheReport() throws {
    let world = try SettledWorld(Self.parameters())
    for month in try world.months {
      let detail = try #require(month.detail)
      let days = month.truth.month
      #expect(detail.preamble.count == 3)
      #expect(detail.header.count == 18 && detail.widths == [19])
      #expect(sameSums(detail.table, detail.sums))
      for row in detail.rows {
        #expect(days.first <= row.settled && row.settled <= days.last)
        #expect((0...10).contains(row.sold.distance(to: row.settled)))
        #expect(row.extended == Decimal(row.quantity) * row.share)
        #expect(row["Customer Price"]?.split(separator: ".").last?.count == 3)
      }
      var quantities: [String: Int] = [:]
      for report in month.reports.values { quantities.merge(report.quantities) { $0 + $1 } }
      #expect(detail.quantities == quantities)
    }
    // What was taken back in part: no unit in the sales report, one here, for less.
    let partial = try world.months.flatMap { $0.detail?.rows ?? [] }
      .filter { $0.isReturn && $0.sku.hasSuffix(".vip.monthly") }
    #expect(!partial.isEmpty)
  }

  @Test func whatIsSoldSettlesOrStaysOpen() throws {
    let world = try SettledWorld(Self.parameters())
    let months = try world.months
    let first = months[0].truth.month.first
    let last = months[1].truth.month.last
    let sold = try world.reportedProceeds(first...last)
    var settled: [String: Decimal] = [:]
    var arrived: [String: Decimal] = [:]
    for row in months.flatMap({ $0.detail?.rows ?? [] }) {
      let place = "\(row.storefront) \(row.currency)"
      if row.sold < first { arrived[place, default: 0] += row.extended }
      settled[place, default: 0] += row.extended
    }
    for (place, amount) in sold {
      func sum(_ of: KeyPath<TrueStorefrontSettlement, Int64>, _ month: Int) -> Decimal {
        months[month].truth.storefronts
          .filter { "\($0.storefront.code) \($0.currency)" == place }
          .reduce(0) { $0 + decimal(micros: $1[keyPath: of]) }
      }
      let open = -sum(\.carryOut, 1)
      #expect((settled[place] ?? 0) + open == amount + (arrived[place] ?? 0), "\(place)")
      #expect(sum(\.settled, 0) + sum(\.settled, 1) == settled[place] ?? 0)
      #expect(sum(\.reportedProceeds, 0) + sum(\.reportedProceeds, 1) == amount)
      #expect(sum(\.carryIn, 0) == arrived[place] ?? 0)
      #expect(sum(\.carryIn, 1) == -sum(\.carryOut, 0), "what leaves a month reaches the next")
    }
    #expect(Set(settled.keys).subtracting(sold.keys) == [])
    let carried = months.map { $0.truth.findings.filter { $0.code == "settlement-carry" } }
    let leaving = carried[0].filter { $0.date >= first && ($0.amount ?? 0) < 0 }
    #expect(leaving.count > 10)
    for finding in leaving {
      var opposite = finding
      opposite.units = finding.units.map { -$0 }
      opposite.amount = finding.amount.map { -$0 }
      #expect(carried[1].contains(opposite), "\(finding)")
    }
  }

  @Test func nothingIsCarriedWhereAllSettlesAtOnce() throws {
    let truth = SimulatedMonth(Self.parameters { $0.maxLag = 0 }).truth
    let months = try #require(truth.settlement)
    #expect(months.count == 2)
    for month in months {
      #expect(!month.findings.contains { $0.code == "settlement-carry" })
      #expect(month.storefronts.allSatisfy { $0.carryIn == 0 && $0.carryOut == 0 })
    }
  }

  @Test func theSameSeedSettlesTheSame() throws {
    let parameters = Self.parameters(faults: 2)
    let world = try SettledWorld(parameters)
    let again = try SettledWorld(parameters)
    let names = try world.names
    let namesAgain = try again.names
    #expect(names == namesAgain)
    for name in names {
      let written = try again.bytes(name)
      #expect(try world.bytes(name) == written, "\(name)")
    }
    #expect(SimulatedMonth(parameters).truth == world.month.truth)
    let text = String(decoding: try world.month.bytes("truth.json"), as: UTF8.self)
    #expect(text.contains("\"period\": \"FY2023-P10\""))
  }

  /// Settlement has chance of its own: orders, transactions and sales come out as without it.
  @Test func settlementChangesNothingElse() throws {
    var parameters = Self.parameters(faults: 2)
    var truth = SimulatedMonth(parameters).truth
    parameters.settlement = nil
    truth.settlement = nil
    #expect(SimulatedMonth(parameters).truth == truth)
  }
}

func sameSums(
  _ left: [String: (quantity: Int, amount: Decimal)],
  _ right: [String: (quantity: Int, amount: Decimal)]
) -> Bool {
  left.count == right.count
    && left.allSatisfy { key, sum in right[key].map { $0 == sum } ?? false }
}
