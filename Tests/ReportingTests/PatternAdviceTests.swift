import Billing
import Reporting
import Testing
@testable import Conclusions

/// Goal: what is advised fits what is wrong. Method: every code beside every thing that findings
/// share.
@Suite struct PatternAdviceTests {
  private static let losses: [FindingCode] = [
    .transactionWithoutOrder, .orderWithoutTransaction, .chargedNotFulfilled, .notInLedger,
    .refundNotInLedger, .lateFulfilment,
  ]

  private func advice(_ code: FindingCode, _ dimension: Pattern.Dimension) -> String {
    Pattern(
      codes: [code], dimension: dimension, value: "x", count: 9, total: 9, baseShare: 100_000,
      base: .orders, rarity: 9
    ).advice.english
  }

  /// A product under two SKUs is about the catalogue, whatever code it shows by.
  @Test(arguments: losses, Pattern.Dimension.allCases.filter { $0 != .renamed })
  func `nothing is said of prices where receipts are lost`(
    _ code: FindingCode, _ dimension: Pattern.Dimension
  ) {
    let words = advice(code, dimension)
    for word in ["price", "tax", "catalogue", "currency"] { #expect(!words.contains(word)) }
  }

  @Test func `prices are looked at where they differ`() {
    for dimension in [Pattern.Dimension.appVersion, .storefront, .product] {
      let words = advice(.priceMismatch, dimension)
      #expect(words.contains("price") || words.contains("catalogue"))
    }
  }
}
