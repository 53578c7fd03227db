import Billing
@testable import Conclusions
import Support

/// A fiscal month with settlement and payments: regions that are paid in the bank's currency and in
/// another, one below the threshold, one with nothing but tax.
enum SampleFiscalMonth {
  static let month = FiscalMonth(year: 2023, number: 9)!

  static var reconciliation: Reconciliation {
    var result = Reconciliation(
      period: month.period, baseCurrency: SampleMonth.base, asOf: Day("2023-08-10")!)
    result.settlement = Settlement(
      month: month, lines: lines, payments: payments,
      payouts: [
        BankPayout(
          account: "BANK-****1234", amount: yuan(84_112_560_000), regions: yuan(84_112_560_000),
          day: Day("2023-08-03")!, isDayEstimated: false)
      ])
    result.receivable = receivable
    return result
  }

  private static var receivable: [ReceivableLine] {
    func euro(_ micros: Int64) -> Money { Money(micros: micros, Currency("EUR")!) }
    var euros = ReceivableMovement(Currency("EUR")!)
    euros.opening = euro(2_500_000_000)
    euros.proceeds = euro(2_897_310_000)
    euros.settlementDifference = euro(-4_190_000)
    euros.paid = euro(2_500_000_000)
    var inYuan = ReceivableMovement(SampleMonth.base)
    inYuan.opening = yuan(19_500_000_000)
    inYuan.proceeds = yuan(22_822_110_000)
    inYuan.settlementDifference = yuan(-33_000_000)
    inYuan.paid = yuan(19_700_000_000)
    inYuan.exchange = yuan(200_000_000)
    var reals = ReceivableMovement(Currency("BRL")!)
    reals.opening.micros = 12_340_000
    return [
      ReceivableLine(own: reals, base: nil, rate: nil),
      ReceivableLine(own: euros, base: inYuan, rate: CurrencyRate(micros: 7_877_000)),
    ]
  }

  private static func yuan(_ micros: Int64) -> Money { Money(micros: micros, Currency("CNY")!) }

  private static let lines = [
    line("CN", "CN", "CNY", difference: 0, settled: 52_001_180_000),
    line("EU", "DE", "EUR", difference: -4_190_000, settled: 2_893_120_000),
    line("JP", "JP", "JPY", difference: 84_000_000, settled: 210_084_000_000),
    line("WW", "VN", "USD", difference: 0, settled: 31_500_000),
  ]

  private static func line(
    _ region: String, _ storefront: String, _ currency: String, difference: Int64, settled: Int64
  ) -> SettlementLine {
    let currency = Currency(currency)!
    let difference = Money(micros: difference, currency)
    let settled = Money(micros: settled, currency)
    return SettlementLine(
      region: region, storefront: Storefront(storefront)!, reported: settled - difference,
      carryIn: .zero(currency), carryOut: .zero(currency), difference: difference,
      settled: settled, units: 100)
  }

  private static var payments: [RegionPayment] {
    var payments = [
      payment("BR", "BRL", settled: 0, withholding: -12_340_000, paid: -17_820_000),
      payment("CN", "CNY", settled: 52_001_180_000, paid: 52_001_180_000),
      payment(
        "EU", "EUR", settled: 2_893_120_000, adjustment: -50_000_000, inputTax: 12_000_000,
        paid: 22_499_600_000),
      payment("JP", "JPY", settled: 210_084_000_000, difference: -84_000_000, paid: 9_629_600_000),
      payment("WW", "USD", settled: 31_500_000, adjustment: 1_000_000, carried: 40_000_000),
    ]
    for index in payments.indices where payments[index].paid != nil {
      payments[index].paidOn = Day("2023-08-03")
    }
    return payments
  }

  private static func payment(
    _ region: String, _ currency: String, settled: Int64, difference: Int64 = 0,
    adjustment: Int64 = 0, withholding: Int64 = 0, inputTax: Int64 = 0, carried: Int64 = 0,
    paid: Int64? = nil
  ) -> RegionPayment {
    func money(_ micros: Int64) -> Money { Money(micros: micros, Currency(currency)!) }
    var payment = RegionPayment(
      region: region, currency: Currency(currency)!, settled: money(settled))
    payment.earned = money(settled + difference)
    payment.difference = money(difference)
    payment.adjustment = money(adjustment)
    payment.withholding = money(withholding)
    payment.inputTax = money(inputTax)
    payment.carriedBalance = money(carried)
    payment.owed = money(settled + difference + adjustment + withholding + inputTax + carried)
    payment.paid = paid.map(yuan)
    return payment
  }
}
