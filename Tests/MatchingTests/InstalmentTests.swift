import Billing
import Conclusions
import Matching
import Support
import Testing

/// What Apple's words about a subscription as a whole decide: which instalments of a commitment are
/// missing, and what became of a chain.
struct InstalmentTests {
  @Test(arguments: cases) func missingInstalmentsAreFound(_ example: OrderCase) {
    let world = World(example.build)
    #expect(world.orderLines() == example.expected)
    for seed in 1...5 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      #expect(world.shuffled(&random).orderLines() == example.expected)
    }
  }

  /// Instalments by number: the first was paid on 15 January 2023.
  private static func instalments(_ world: inout World, _ numbers: Int32...) {
    for number in numbers {
      world.instalment(
        number, at: "2023-0\(number)-15T12:00:00", to: "2023-0\(number + 1)-15T12:00:00")
    }
  }

  static let cases: [OrderCase] = [
    OrderCase("instalments that follow each other") { instalments(&$0, 4, 5, 6) },
    OrderCase(
      "an instalment that is missing between two, whatever the customer turned off",
      "renewal-gap CN CNY 2023-06-15 monthly 1 - | T1-4 T1-6"
    ) {
      instalments(&$0, 4, 6)
      $0.renewal(
        of: "T1", told: "2023-05-14T12:00:00",
        RenewalTerms(factSource: .signed, willRenew: false))
    },
    OrderCase(
      "two instalments that are missing",
      "renewal-gap CN CNY 2023-06-15 monthly 2 - | T1-3 T1-6"
    ) { instalments(&$0, 3, 6) },
    OrderCase(
      "the last instalment is followed by none, and it is not the twelfth",
      "renewal-gap CN CNY 2023-06-15 monthly 1 - | T1-5"
    ) { instalments(&$0, 4, 5) },
    OrderCase("the next instalment could not be charged") {
      instalments(&$0, 4, 5)
      var word = RenewalTerms(factSource: .signed)
      word.status = .billingRetry
      $0.renewal(of: "T1", told: "2023-06-15T13:00:00", word)
    },
    OrderCase("a commitment that ended with a refund") {
      instalments(&$0, 4)
      $0.instalment(
        5, at: "2023-05-15T12:00:00", to: "2023-06-15T12:00:00", revoked: "2023-05-20T00:00:00")
    },
  ]

  /// Apple's last word of a chain decides what became of it, where it is of its latest period.
  @Test(arguments: [
    (SubscriptionStatus.expired, "2023-06-20T12:00:00", "expired"),
    (.billingRetry, "2023-06-20T12:00:00", "billing retry"),
    (.gracePeriod, "2023-06-20T12:00:00", "billing retry"),
    (.revoked, "2023-06-20T12:00:00", "refunded"), (.active, "2023-06-20T12:00:00", "active"),
    (.expired, "2023-05-20T12:00:00", "active"), (.expired, "2023-07-20T12:00:00", "active"),
  ])
  func statusIsTheStateOfTheChain(status: SubscriptionStatus, told: String, state: String) {
    let world = World { world in
      world.transaction(
        "T1", sku: "monthly", at: "2023-06-01T12:00:00", kind: .autoRenewable,
        expires: "2023-07-01T12:00:00")
      var word = RenewalTerms(factSource: .signed)
      word.status = status
      world.renewal(of: "T1", told: told, word)
    }
    #expect(world.survey().chains().map(\.line.state.wording.english) == [state])
  }
}
