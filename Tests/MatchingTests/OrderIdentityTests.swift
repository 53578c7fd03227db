import Billing
import Matching
import Support
import Testing

/// Goal: apps that number their orders alike are told apart wherever the app is told. Method: two
/// apps whose orders have the same ids, matched by every kind of id.
@Suite struct OrderIdentityTests {
  private static let apps = ["com.one", "com.two"]

  @Test(arguments: ["transaction-id", "order-id", "receipt", "token"], [true, false])
  func `the same numbers in two apps`(_ way: String, _ isTold: Bool) {
    let world = World { world in
      world.settings.bundleIDs = Self.apps
      world.reports()
      for (place, app) in Self.apps.enumerated() {
        for number in 0..<20 {
          let time = "2023-06-\(10 + number % 9)T1\(place):\(10 + number):00"
          let id = "T\(place)-\(number)"
          let token = way == "token" ? id : ""
          world.order(
            "O\(number)", at: time, transaction: way == "transaction-id" ? id : "", token: token,
            bundle: app)
          let bought = later(time, 30)
          switch way {
          case "order-id": world.transaction(id, at: bought, order: "O\(number)", bundle: app)
          case "receipt":
            world.receipt(id, at: bought, order: "O\(number)", told: later(bought, 5)) {
              $0.bundleID = app
            }
          default:
            world.transaction(id, at: bought, token: token, bundle: isTold ? app : "")
          }
        }
      }
    }
    let lines = world.orderLines()
    #expect(lines.isEmpty, "\(lines.prefix(3))")
    let (book, _) = world.claims()
    #expect(book.orderOf.count { $0.isMatched } == 40)
    var random = SplitMix64(seed: 5)
    #expect(world.shuffled(&random).orderLines().isEmpty)
  }

  @Test func `rows of one order that do not tell the app stay one order`() {
    let world = World {
      $0.order("O1", .created, fulfilledAfter: nil)
      $0.order("O1", transaction: "T1", bundle: "com.one")
      $0.transaction("T1", bundle: "com.one")
      $0.settings.bundleIDs = ["com.one"]
    }
    #expect(world.orderLines().isEmpty)
  }
}
