import Billing
@testable import Conclusions

extension SampleMonth {
  /// One of each kind, the rarest first.
  static let patterns: [Pattern] = [
    Pattern(
      codes: [.transactionWithoutOrder], dimension: .time,
      span: instant("2023-06-12", 2, 10)...instant("2023-06-12", 2, 55), count: 31, total: 38,
      findingIDs: ["0000000000000001", "00000000000000ff"], baseShare: 980,
      base: .transactions, rarity: 84, units: 31,
      amounts: [
        Money(micros: 930_000_000, Currency("CNY")!), Money(micros: 4_990_000, Currency("EUR")!),
      ]),
    Pattern(
      codes: [.priceMismatch], dimension: .appVersion, value: "2.3.1", count: 40, total: 41,
      baseShare: 312_000, base: .orders, rarity: 18, units: 40,
      amounts: [Money(micros: -40_000_000, Currency("USD")!)]),
    Pattern(
      codes: [.transactionReused], dimension: .user, value: "4711", count: 14, total: 14,
      baseShare: 12, base: .orders, rarity: 60, units: 14),
    Pattern(
      codes: [.notInReport, .notInLedger, .timing], dimension: .boundary, value: "JP",
      days: Day("2023-06-14")!...Day("2023-06-30")!, count: 30, total: 33, baseShare: 71_000,
      base: .days, rarity: 16, units: 41, amounts: [Money(micros: 1_200_000_000, Currency("JPY")!)]
    ),
    Pattern(
      codes: [.notInLedger], dimension: .day, days: Day("2023-06-09")!...Day("2023-06-09")!,
      count: 12, total: 20, baseShare: 33_400, base: .units, rarity: 9, units: 60),
    Pattern(
      codes: [.proceedsOffRule], dimension: .device, value: "iPad", count: 19, total: 19,
      baseShare: 210_000, base: .rows, rarity: 7, units: 19),
    Pattern(
      codes: [.lateFulfilment], dimension: .file, value: "exports/orders-2023-06-17.csv",
      count: 22, total: 25, baseShare: 31_000, base: .orders, rarity: 27, units: 22),
    Pattern(
      codes: [.coinsMismatch], dimension: .product, value: "com.example.gems.300", count: 9,
      total: 9, baseShare: 60_000, base: .orders, rarity: 8, units: 9),
    Pattern(
      codes: [.quantityMismatch], dimension: .storefront, value: "KR", count: 16, total: 17,
      baseShare: 120_000, base: .orders, rarity: 11, units: 16),
    Pattern(
      codes: [.chargedNotFulfilled], dimension: .time,
      span: instant("2023-06-20", 23, 40)...instant("2023-06-21", 1, 5), count: 8, total: 8,
      baseShare: 1400, base: .orders, rarity: 19, units: 8),
    Pattern(
      codes: [.chargedNotFulfilled], dimension: .hours, value: "02:00-04:15", count: 33,
      total: 60, baseShare: 61_000, base: .orders, rarity: 15, units: 33),
    Pattern(
      codes: [.refundNotReversed], dimension: .ring, value: "17, 4711, 5000",
      users: ["17", "4711", "5000"],
      days: Day("2023-06-20")!...Day("2023-06-24")!, count: 12, total: 12, baseShare: 900,
      base: .refunds, rarity: 12, units: 12),
    Pattern(
      codes: [.unknownSKU, .notInReport], dimension: .renamed,
      value: "com.example.gems.300 = com.example.gems.300.v2",
      days: Day("2023-06-14")!...Day("2023-06-30")!, count: 24, total: 26, baseShare: 60_000,
      base: .units, rarity: 10, units: 60),
  ]

  private static func instant(_ day: String, _ hour: Int64, _ minute: Int64) -> Instant {
    Instant(seconds: Day(day)!.startUTC.seconds + hour * 3600 + minute * 60)
  }

  /// Five days, of which one stands out by each figure that can.
  static let flow: [FlowDay] = (0..<5).map { number in
    var day = FlowDay(day: Day("2023-06-10")!.advanced(by: number))
    (day.orders, day.paid, day.fulfilled) = (640 + number, 610 + number, 606 + number)
    (day.transactions, day.purchases) = (655 + number, 602 + number)
    (day.unfulfilled, day.medianDelay, day.lateDelay) = (4, 190, 640)
    (day.sandbox, day.refunds) = (3, 5)
    if number == 2 {
      day.unfulfilled = 48
      (day.medianDelay, day.lateDelay, day.sandbox) = (4020, 21_800, 44)
      day.marks = [
        FlowMark(measure: .orders, value: 642, usual: 300),
        FlowMark(measure: .transactions, value: 657, usual: 310),
        FlowMark(measure: .unfulfilled, value: 79_470, usual: 6_600),
        FlowMark(measure: .medianDelay, value: 4020, usual: 190),
        FlowMark(measure: .lateDelay, value: 21_800, usual: 640),
        FlowMark(measure: .sandbox, value: 44, usual: 3),
        FlowMark(measure: .refunds, value: 5, usual: 40),
      ]
    }
    if number == 4 { (day.unfulfilled, day.medianDelay, day.lateDelay) = (nil, nil, nil) }
    return day
  }
}
