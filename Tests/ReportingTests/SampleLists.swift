import Billing
@testable import Conclusions

/// The sample month's refunds and chains of renewals: one of each sort, and some of them often.
extension SampleMonth {
  /// Of the findings that name a refunded transaction.
  private static func transactionIDs(_ code: FindingCode) -> [String] {
    findings.filter { $0.code == code }.flatMap(\.transactionIDs)
  }

  static var refunds: [RefundLine] {
    let users = ["u-1001", "5c1b7a3e-91d4-4a0e-8f0d-2b6f6a8c1e77", "", "u-1001", "u-4410"]
    var lines = (0..<17).map { index in
      let (code, currency, _, _, _, price, _) = markets[index * 3 % markets.count]
      let user = users[index % users.count]
      return RefundLine(
        storefront: Storefront(code), currency: Currency(currency),
        sku: index % 4 == 3 ? "com.example.vip.month" : "com.example.gems.\(60 * (index % 3 + 1))",
        transactionID: "2000000351\(padded(index * 37, 4))", orderID: "R\(9_000 + index)",
        orderStatus: .refunded, user: user,
        purchasedOn: Day("2023-06-29")!.advanced(by: -index * 7), refundedOn: refundDay(index),
        windowDays: code == "DE" ? 14 : 90, reason: ["0", "1", ""][index % 3],
        share: 1_000_000, amount: price, units: 1, isReversed: false,
        reportDay: refundDay(index), isReported: index % 6 == 4 ? nil : index % 6 != 2,
        userRefunds: user.isEmpty ? 1 : user == "u-1001" ? 7 : 3,
        source: Source(file: "apple/notifications-2023-06.jsonl", line: 40 * index + 3))
    }
    for (index, id) in transactionIDs(.refundNotReversed).enumerated() {
      lines[index].transactionID = id
      lines[index].orderStatus = index == 0 ? .fulfilled : .paid
    }
    lines[3].share = 433_333
    lines[3].amount = 51_566_000_000
    lines[3].isReported = nil
    lines[5].share = nil
    lines[5].amount = nil
    lines[7].isReversed = true
    lines[9].storefront = nil
    lines[9].currency = nil
    lines[9].amount = nil
    lines[9].windowDays = nil
    lines[9].orderID = nil
    lines[9].orderStatus = nil
    lines[11].source = Source(file: "apple/收据/receipts.json", line: 1)
    return lines
  }

  private static func refundDay(_ index: Int) -> Day {
    max(Day("2023-06-01")!, Day("2023-06-30")!.advanced(by: -index))
  }

  static var subscriptions: [SubscriptionLine] {
    let shared = transactionIDs(.subscriptionShared)
    let gaps = transactionIDs(.renewalGap)
    let states = SubscriptionState.allCases
    return (0..<12).map { index in
      let (code, currency, _, _, _, price, _) = markets[index * 7 % markets.count]
      let state = states[index % states.count]
      let isOver = state == .expired || state == .refunded
      var line = SubscriptionLine(
        storefront: Storefront(code), currency: Currency(currency),
        sku: subscriptionSKUs[index % 3],
        subscriptionGroup: "vip", originalTransactionID: "1000000812\(padded(index * 911, 5))",
        orderID: index % 4 == 2 ? nil : "S\(700 + index)", user: index % 5 == 4 ? "" : "u-\(index)",
        state: state, firstBoughtOn: Day("2022-11-14")!.advanced(by: index * 11),
        lastBoughtOn: Day("2023-06-03")!.advanced(by: index * 2),
        expiresOn: index == 8 ? nil : Day("2023-07-03")!.advanced(by: isOver ? -20 : index * 2),
        willRenew: index % 3 == 1 ? nil : !isOver,
        nextSKU: index == 0 ? "com.example.vip.year" : "",
        expirationIntent: isOver || state == .billingRetry ? Int32(index % 5 + 1) : nil,
        boughtInPeriod: index % 3, amount: index == 6 ? -price : price * Int64(index % 3))
      if index == 2 { line.originalTransactionID = shared[0] }
      if index == 4 { line.transactionIDs = gaps }
      return line
    }
  }

  private static let subscriptionSKUs = [
    "com.example.vip.month", "com.example.vip.year", "com.example.newspaper.quarter",
  ]

  static var subscriptionCounts: [SubscriptionCount] {
    subscriptionSKUs.enumerated().flatMap { place, sku in
      SubscriptionState.allCases.enumerated().compactMap { index, state in
        place == 2 && index % 3 == 2
          ? nil
          : SubscriptionCount(
            sku: sku, state: state, chains: 12_840 / (place + 1) / (index * index * 7 + 1),
            ending: state == .expired ? 0 : 410 / (place + 1) / (index + 1))
      }
    }
  }
}
