import Billing
import Matching
import Testing

/// Goal: what cannot be is said, and nothing that can. Method: a world for each kind.
struct PlausibilityTests {
  @Test(arguments: cases)
  func `raises just that`(_ example: OrderCase) {
    #expect(World(example.build).orderLines() == example.expected)
  }

  static let cases: [OrderCase] = [
    OrderCase(
      "all purchases after the day are one finding", "dated-ahead - - 2023-06-16 - 2 - | T2 T3"
    ) {
      $0.asOf = Day("2023-06-15")!
      $0.pair("1", at: "2023-06-15T23:00:00")
      $0.pair("2", at: "2023-06-16T00:00:00")
      $0.pair("3", at: "2023-06-20T00:00:00")
    },
    OrderCase("the day is the company's") {
      $0.asOf = Day("2023-06-15")!
      $0.settings.businessZone = .fixed(minutes: -120)
      $0.pair("1", at: "2023-06-16T01:00:00")
    },
    OrderCase("a word that was signed after the day", "dated-ahead - - 2023-06-10 - 1 - | T1") {
      $0.order("O1", transaction: "T1")
      $0.signed("T1", told: "2023-07-11T00:00:00")
    },
    OrderCase("a receipt that came in later is no signed word") {
      $0.order("O1")
      $0.receipt("T1", order: "O1", told: "2023-07-11T00:00:00")
    },
    OrderCase("a renewal is charged a day before its period") {
      $0.asOf = Day("2023-06-20")!
      $0.order("O1", sku: "monthly", at: "2023-05-21T12:00:00", transaction: "T1")
      $0.transaction(
        "T1", sku: "monthly", at: "2023-05-21T12:00:30", expires: "2023-06-21T12:00:30")
      $0.transaction(
        "T2", sku: "monthly", at: "2023-06-21T12:00:30", original: "T1",
        expires: "2023-07-21T12:00:30")
    },
    OrderCase(
      "an amount finer than its currency",
      "amount-impossible CN CNY 2023-06-10 stray 1 - | T1"
    ) {
      $0.order("O1", sku: "stray", transaction: "T1", price: "30.005")
      $0.transaction("T1", sku: "stray", price: "30.005")
    },
    OrderCase(
      "half a yen in an order alone", "amount-impossible JP JPY 2023-06-10 stray 1 - | O1"
    ) {
      $0.order(
        "O1", sku: "stray", transaction: "T1", price: "100.50", currency: "JPY", storefront: "JP")
      $0.transaction("T1", sku: "stray", price: nil, currency: "JPY", storefront: "JP")
    },
    OrderCase("a whole amount that does not divide") {
      $0.order("O1", sku: "stray", transaction: "T1", price: "3.333333", quantity: 3)
      $0.transaction("T1", sku: "stray", price: "3.333333", quantity: 3)
    },
    OrderCase(
      "a currency that does not exist", "amount-impossible CN XXQ 2023-06-10 stray 1 - | T1"
    ) {
      $0.order("O1", sku: "stray", transaction: "T1", currency: "XXQ")
      $0.transaction("T1", sku: "stray", currency: "XXQ")
    },
  ]
}
