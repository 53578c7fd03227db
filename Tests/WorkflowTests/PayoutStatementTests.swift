import Billing
import Conclusions
import Simulation
import Testing
import Workflow
@testable import Matching
@testable import Reporting

/// How a payment came about, against what the receivable, the proceeds and the payouts say of it.
@Suite struct PayoutStatementTests {
  private static let month = Period("FY2023-P09")!

  private func statement(_ result: Reconciliation) throws -> PayoutStatement {
    try #require(PayoutStatement(result.settlement, products: result.products))
  }

  private func page(_ result: Reconciliation) -> String { reportPage(of: result, workbook: nil) }

  @Test(arguments: [5, 9] as [UInt64])
  func `each region ends at what was paid, and all come to what the receivable has`(seed: UInt64)
    throws
  {
    let run = try SettledRun(SettledRun.parameters(seed: seed, orders: 1500))
    let result = try run.reconcile(Self.month)
    let statement = try statement(result)
    #expect(statement.regions.count > 3)
    #expect(statement.regions.contains { $0.currency == Currency("JPY") })
    for region in statement.regions {
      let name = "\(region.payment.region) \(region.currency)"
      #expect(region.isExplained, "\(name): \(region.parts) is not \(region.payment.settled!)")
      #expect(region.hasPayment && region.payment.unexplained.isZero, "\(name)")
    }
    for line in result.receivable {
      let own = statement.regions.filter { $0.currency == line.currency }
      let reported = own.sum(in: line.currency) { region in
        region.sales + region.refunds + region.tax + region.commission + region.exchanged
          + region.booked
      }
      #expect(line.own.proceeds == reported, "\(line.currency)")
      #expect(line.own.settlementDifference == own.sum(in: line.currency, \.difference))
    }
    for payout in statement.payouts {
      let paid = statement.regions.compactMap(\.payment.paid)
        .filter { $0.currency == payout.amount.currency }
      #expect(paid.sum(in: payout.amount.currency, \.self) == payout.regions)
    }
    let sheet = WorkbookContents(result).sheets().first { $0.name == "Payout statement" }
    #expect(sheet?.rows.count == statement.regions.count)
    #expect(page(result).contains("not on any bank statement"))
  }

  @Test func `what is not loaded is said`() throws {
    let parameters = SettledRun.parameters(seed: 5, orders: 600)
    let unpaid = try SettledRun(parameters) { $0.hasPrefix("financial_report") }.reconcile(
      Self.month)
    #expect(try statement(unpaid).regions.allSatisfy { !$0.hasPayment && $0.isExplained })
    #expect(!WorkbookContents(unpaid).sheets().contains { $0.name == "Payout statement" })
    #expect(page(unpaid).contains("no payments summary of FY2023-P09 is loaded"))
    let early = try SettledRun(parameters).reconcile(Self.month, asOf: "2023-07-20")
    #expect(try statement(early).regions.contains { $0.payment.paid == nil })
    #expect(page(early).contains("expected"))
  }
}
